// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motions of ADAMS decks as drives: of joints and of a marker relative to another, by displacement,
// or by velocity and acceleration with closed-form integrals.
#include <string.h>

#include "import/adams.h"


//---- integrals -----------------------------------------------------------------------------------

static bool is_time(const admExpr *e)
{
  return e->type == 'c' && e->narg == 0 && strcmp(e->name, "TIME") == 0;
}


// Write a short expression in ADAMS syntax with `time` substituted for TIME. The integrals here are
// in ADAMS syntax until they are parsed again.
static const char *text_at(importWork *w, const admExpr *e, const char *time)
{
  const char *text = is_time(e) ? time : e->name;
  switch (e->type) {
  case 'n': return import_number(w, e->number);
  case 'm': return import_format(w, "(-%s)", text_at(w, e->arg[0], time));
  case 'c':
    for (int k = 0; k < e->narg; k++) {
      text = import_format(w, "%s%s%s", text, k ? "," : "(", text_at(w, e->arg[k], time));
    }
    return e->narg > 0 ? import_format(w, "%s)", text) : text;
  default:
    text =
        import_format(w, "(%s%s%s)", text_at(w, e->arg[0], time),
                      e->type == '^' ? "**" : (char[2]){e->type, 0}, text_at(w, e->arg[1], time));
    return text;
  }
}


static const char *text_of_time(importWork *w, const admExpr *e)
{
  return text_at(w, e, "TIME");
}


static bool is_constant(const admExpr *e)
{
  if (e->type == 'c' && e->narg == 0) return strcmp(e->name, "TIME") != 0;
  for (int k = 0; k < e->narg; k++) {
    if (!is_constant(e->arg[k])) return false;
  }
  return true;
}


// the factor a of a TIME or a TIME + b; NULL: another form
static const char *slope_of(importWork *w, const admExpr *e)
{
  if (is_time(e)) return "1";
  if (e->type == 'm') {
    const char *slope = slope_of(w, e->arg[0]);
    return slope ? import_format(w, "(-%s)", slope) : NULL;
  }
  if (e->type == '+' || e->type == '-') {
    if (is_constant(e->arg[1])) return slope_of(w, e->arg[0]);
    const char *slope = is_constant(e->arg[0]) ? slope_of(w, e->arg[1]) : NULL;
    return slope && e->type == '-' ? import_format(w, "(-%s)", slope) : slope;
  }
  if (e->type == '*' && is_constant(e->arg[0]) && is_time(e->arg[1]))
    return text_of_time(w, e->arg[0]);
  if (e->type == '*' && is_constant(e->arg[1]) && is_time(e->arg[0]))
    return text_of_time(w, e->arg[1]);
  return NULL;
}


// integral of a step that starts at t >= 0: h0 t + (h1 - h0) (T g(u) + max(0, t - t1)), u from 0 to
// 1 over T
static const char *integral_of_step(importWork *w, const admExpr *e)
{
  const bool is_fifth = strcmp(e->name, "STEP5") == 0;
  if (e->narg != 5 || !is_time(e->arg[0])) return NULL;
  for (int k = 1; k < 5; k++) {
    if (!is_constant(e->arg[k])) return NULL;
  }
  if (e->arg[1]->type != 'n' || e->arg[3]->type != 'n' || e->arg[3]->number <= e->arg[1]->number) {
    return NULL;
  }
  const char *t0 = text_of_time(w, e->arg[1]), *h0 = text_of_time(w, e->arg[2]),
             *t1 = text_of_time(w, e->arg[3]), *h1 = text_of_time(w, e->arg[4]);
  const char *u = import_format(w, "MAX(0,MIN(1,(TIME-%s)/(%s-%s)))", t0, t1, t0);
  const char *g = is_fifth ? import_format(w, "(2.5*%s**4-3*%s**5+%s**6)", u, u, u)
                           : import_format(w, "(%s**3-%s**4/2)", u, u);
  return import_format(w, "(%s*TIME+(%s-%s)*((%s-%s)*%s+MAX(0,TIME-%s)))", h0, h1, h0, t1, t0, g,
                       t1);
}


// The integral over time from 0 on; NULL: unknown.
static const char *adams_integral(importWork *w, const admExpr *e)
{
  if (is_constant(e)) return import_format(w, "(%s*TIME)", text_of_time(w, e));
  if (e->type == 'c') {
    if (is_time(e)) return "(TIME**2/2)";
    if (strncmp(e->name, "STEP", 4) == 0) return integral_of_step(w, e);
    const bool is_sine = strcmp(e->name, "SIN") == 0;
    if (e->narg != 1 || (!is_sine && strcmp(e->name, "COS") != 0)) return NULL;
    const char *slope = slope_of(w, e->arg[0]);
    if (!slope) return NULL;
    // integral from 0 on
    const char *other = is_sine ? "COS" : "SIN", *sign = is_sine ? "-" : "";
    return import_format(w, "(%s(%s(%s)-%s(%s))/%s)", sign, other, text_of_time(w, e->arg[0]),
                         other, text_at(w, e->arg[0], "0"), slope);
  }
  const admExpr *a = e->arg[0], *b = e->narg > 1 ? e->arg[1] : NULL;
  const char *x = NULL, *y = NULL;
  if (e->type == 'm') {
    x = adams_integral(w, a);
    return x ? import_format(w, "(-%s)", x) : NULL;
  }
  if (e->type == '+' || e->type == '-') {
    x = adams_integral(w, a);
    y = adams_integral(w, b);
    return x && y ? import_format(w, "(%s%c%s)", x, e->type, y) : NULL;
  }
  if (e->type == '*' && is_constant(a)) {
    y = adams_integral(w, b);
    return y ? import_format(w, "(%s*%s)", text_of_time(w, a), y) : NULL;
  }
  if ((e->type == '*' || e->type == '/') && is_constant(b)) {
    x = adams_integral(w, a);
    return x ? import_format(w, "(%s%c%s)", x, e->type, text_of_time(w, b)) : NULL;
  }
  if (e->type == '^' && is_time(a) && b->type == 'n' && b->number >= 0) {
    return import_format(w, "(TIME**%s/%s)", import_number(w, b->number + 1),
                         import_number(w, b->number + 1));
  }
  return NULL;
}


//---- drives --------------------------------------------------------------------------------------

static int order_of(admStatement *s)
{
  adm_has(s, "DISPLACEMENT", 1);
  return adm_has(s, "ACCELERATION", 1) ? 2 : adm_has(s, "VELOCITY", 1) ? 1 : 0;
}


static void add_adams_drive(admReader *r, admStatement *s, const char *coordinate, bool turns,
                            const double start[2])
{
  admField *function = adm_need_function(r, s);
  // integrate a field `times` times, from the initial displacement and velocity on
  const int times = order_of(s);
  importWork *w = r->w;
  const double speed = adm_number(r, s, "ICVEL", 3, start[1]);
  for (int k = 0; k < times; k++) {
    const char *text = adams_integral(w, adm_parse(r, function->value, function->place));
    if (!text) {
      import_fail(w, function->place, "MOTION/%ld: the integral of '%.60s' is not known here",
                  s->id, function->value);
    }
    function->value =
        k < times - 1 ? import_format(w, "%s+%s", text, import_number(w, speed)) : text;
  }
  const double place = adm_number(r, s, "ICDISP", 3, start[0]);
  if (times > 0 && place != 0) {
    function->value = import_format(w, "%s+(%s)", function->value, import_number(w, place));
  }
  import_add_item(r->w, "drives", adm_name(r, s, "drive"), s->place,
                  "{coordinate: %s, value: \"= %s\"}", coordinate,
                  adm_scaled(r, function, turns ? 1 : r->length, USE_TIME));
}


// a chain of joints with all six freedoms, shared by motions of the same markers
static void drive_markers(admReader *r, admStatement *s)
{
  static const char *const words[6] = {"X", "Y", "Z", "B1", "B2", "B3"};
  importWork *w = r->w;
  admMarker *i = adm_need_marker(r, s, "I"), *j = adm_need_marker(r, s, "J");
  int way = 0;
  while (way < 6 && !adm_has(s, words[way], 2)) way++;
  if (way == 6)
    import_fail(w, s->place, "MOTION/%ld has no direction X, Y, Z, B1, B2 or B3", s->id);
  int first = -1;
  for (int k = 0; k < r->nrow; k++) {
    if (r->row[k].i == i && r->row[k].j == j) first = r->row[k].first;
  }
  if (first < 0) {
    first = adm_add_row(r, s, i, j, "xyzXYZ");
    import_grow(w, (void **) &r->row, r->nrow, &r->row_capacity, sizeof *r->row);
    r->row[r->nrow++] = (admRow){i, j, first};
  }
  importJoint *joint = &w->machine.joint[first + way];
  const char *name = joint->name;
  joint->is_follower = true;
  joint->initial = NULL;
  const modelPose p = adm_relative(i, j);
  const double slide[3] = {p.r.x / r->length, p.r.y / r->length, p.r.z / r->length};
  const double start[2] = {way < 3 ? slide[way] : 0, 0};
  if (way >= 3 && order_of(s) > 0) {
    import_fail(w, s->place, "MOTION/%ld: angles of markers are known here by displacement", s->id);
  }
  add_adams_drive(r, s, name, way >= 3, start);
}


void adm_read_motions(admReader *r)
{
  for (int k = 0; k < r->nstatement; k++) {
    admStatement *s = &r->statement[k];
    if (strcmp(s->verb, "MOTION") != 0) continue;
    admField *of = adm_field(s, "JOINT", 2);
    if (of) {
      importWork *w = r->w;
      admJoint *joint = adm_find_joint(r, adm_id(r, of), of->place);
      const bool turns =
          adm_has(s, "ROTATIONAL", 1) || (!adm_has(s, "TRANSLATIONAL", 1) && joint->turns);
      if (turns ? !joint->turns : !joint->slides) {
        import_fail(w, s->place, "MOTION/%ld moves JOINT/%ld along a coordinate that it has not",
                    s->id, joint->s->id);
      }
      *(turns ? &joint->angle_driven : &joint->slide_driven) = true;
      *(turns ? &joint->turn_motion : &joint->slide_motion) = s;
      w->machine.joint[joint->number].is_follower = true;
      const double start[2] = {turns ? joint->angle : joint->slide / r->length, 0};
      add_adams_drive(r, s, import_format(w, "%s.%s", joint->name, turns ? "angle" : "slide"),
                      turns, start);
    } else {
      drive_markers(r, s);
    }
  }
}
