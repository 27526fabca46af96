// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Requests and variables of ADAMS decks as outputs, and graphics. Unsupported ones are left out
// with a note; they do not affect the motion.
#include <string.h>

#include "import/adams.h"


//---- outputs -------------------------------------------------------------------------------------

static void add_adams_output(admReader *r, const admStatement *s, const char *name,
                             const char *formula)
{
  importWork *w = r->w;
  const char *whole = name[0] ? import_format(w, "%s_%s", import_spell(w, s->name), name)
                              : import_spell(w, s->name);
  import_add_item(w, "outputs", whole, s->place, "\"= %s\"", formula);
}


// true for a function of markers
static bool is_of_markers(const admExpr *e)
{
  bool is_it = e->type == 'c' && e->narg > 0;
  for (int k = 0; k < e->narg; k++) is_it = is_it && e->arg[k]->type == 'n';
  return is_it;
}


// An expression in units of the deck. Units of outputs are checked here, those of the deck are not:
// an expression with more than one function goes through a block without unit.
static void add_expression(admReader *r, const admStatement *s, const char *name, admField *field,
                           bool is_si)
{
  admFormula f = {.r = r, .place = field->place, .use = USE_ALL, .is_output = true, .is_si = is_si};
  const admExpr *e = adm_parse(r, field->value, field->place);
  const char *text = adm_formula(&f, e);
  const bool has_si = is_si || (r->length == 1 && r->force == 1 && r->time == 1);
  if (f.why) {
    import_note_look(r->w, field->place, "%s of %s/%ld is left out: %s", field->key, s->verb, s->id,
                     f.why);
  } else if (has_si && is_of_markers(e)) {
    add_adams_output(r, s, name, text);
  } else {
    add_adams_output(r, s, name, adm_add_block(r, s, name[0] ? name : "value", text));
  }
}


// components of a marker relative to another, in units of the deck
static void add_adams_vectors(admReader *r, admStatement *s, const char *function,
                              const char *turning)
{
  static const char *const euler[3] = {"PSI", "THETA", "PHI"};
  const admMarker *i = adm_need_marker(r, s, "I"), *j = adm_marker(r, s, "J", 1),
                  *axes = adm_marker(r, s, "RM", 2);
  const long id[3] = {i->s->id, j ? j->s->id : 0, axes ? axes->s->id : 0};
  for (int c = 0; c < 6; c++) {
    const char *name = c >= 3 && !turning
                           ? euler[c - 3]
                           : import_format(r->w, "%s%c", c < 3 ? function : turning, 'X' + c % 3);
    const char *third = c >= 3 && !turning ? "" : import_format(r->w, ",%ld", id[2]);
    admField field = {.key = name, .place = s->place};
    field.value = import_format(r->w, "%s(%ld,%ld%s)", name, id[0], id[1], third);
    add_expression(r, s, name, &field, true);
  }
}


//---- shapes --------------------------------------------------------------------------------------

static importShape *add_shape(admReader *r, const admMarker *at, importShapeType type)
{
  importMachine *m = &r->w->machine;
  importShape *shape = import_add_shape(
      r->w, at->part->body < 0 ? &m->ground_visual : &m->body[at->part->body].visual, type);
  shape->pose = import_pose(at->pose);
  return shape;
}


// translate a shape along the axes of its marker
static void shift_adams_shape(importShape *shape, double x, double y, double z)
{
  shape->pose.in.r = v3_add(shape->pose.in.r, m3_back(shape->pose.in.R, (v3){x, y, z}));
}


static double adams_length_of(admReader *r, admStatement *s, const char *key, int least)
{
  return adm_si(adm_number(r, s, key, least, 0), r->length);
}


static bool add_box(admReader *r, admStatement *s)
{
  const admMarker *at = adm_marker(r, s, "CORNER", 2);
  const double x = adams_length_of(r, s, "X", 1), y = adams_length_of(r, s, "Y", 1),
               z = adams_length_of(r, s, "Z", 1);
  if (!at || x == 0 || y == 0 || z == 0) return false;
  importShape *shape = add_shape(r, at, SHAPE_BOX);
  shift_adams_shape(shape, x / 2, y / 2, z / 2);
  memcpy(shape->size, (double[3]){x < 0 ? -x : x, y < 0 ? -y : y, z < 0 ? -z : z},
         sizeof shape->size);
  return true;
}


static bool add_cylinder(admReader *r, admStatement *s)
{
  const admMarker *at = adm_marker(r, s, "CM", 2);
  const double length = adams_length_of(r, s, "LENGTH", 1),
               radius = adams_length_of(r, s, "RADIUS", 1);
  if (!at || length == 0 || !(radius > 0)) return false;
  importShape *shape = add_shape(r, at, SHAPE_CYLINDER);
  shift_adams_shape(shape, 0, 0, length / 2);
  shape->length = length < 0 ? -length : length;
  shape->radius = radius;
  return true;
}


static bool add_adams_ball(admReader *r, admStatement *s)
{
  const admMarker *at = adm_marker(r, s, "CM", 2);
  const double x = adams_length_of(r, s, "XSCALE", 2);
  if (!at || !(x > 0) || x != adams_length_of(r, s, "YSCALE", 2) ||
      x != adams_length_of(r, s, "ZSCALE", 2)) {
    return false;
  }
  add_shape(r, at, SHAPE_SPHERE)->radius = x / 2;
  return true;
}


void adm_read_outputs(admReader *r)
{
  for (int i = 0; i < r->nstatement; i++) {
    admStatement *s = &r->statement[i];
    if (strcmp(s->verb, "REQUEST") == 0) {
      if (adm_has(s, "DISPLACEMENT", 1)) add_adams_vectors(r, s, "D", NULL);
      if (adm_has(s, "VELOCITY", 1)) add_adams_vectors(r, s, "V", "W");
      if (adm_has(s, "ACCELERATION", 1)) add_adams_vectors(r, s, "ACC", "WDT");
      if (adm_has(s, "FORCE", 2) || adm_has(s, "F", 1)) add_adams_vectors(r, s, "F", "T");
      if (adm_has(s, "FUNCTION", 2)) {
        import_note_look(r->w, s->place, "REQUEST/%ld by a subroutine is left out", s->id);
      }
      for (char c = '1'; c <= '8'; c++) {
        const char key[3] = {'F', c, 0};
        admField *field = adm_field(s, key, 2);
        if (field && field->value[0]) add_expression(r, s, import_text(r->w, key), field, false);
      }
    }
    if (strcmp(s->verb, "VARIABLE") == 0) {
      admField *function = adm_field(s, "FUNCTION", 2);
      const char *block = r->written[s - r->statement];
      if (block) {
        add_adams_output(r, s, "", block);
      } else if (function && function->value[0])
        add_expression(r, s, "", function, false);
    }
    if (strcmp(s->verb, "GRAPHICS") == 0) {
      static const char *const own[] = {"SPDP", "FORCE", NULL}; // the viewer draws elements anyway
      bool is_drawn = false;
      if (adm_has(s, "BOX", 3)) is_drawn = add_box(r, s);
      if (adm_has(s, "CYLINDER", 2)) is_drawn = add_cylinder(r, s);
      if (adm_has(s, "ELLIPSOID", 2)) is_drawn = add_adams_ball(r, s);
      for (int j = 0; own[j]; j++) is_drawn = is_drawn || adm_has(s, own[j], 3);
      if (!is_drawn)
        import_note_look(r->w, s->place, "of GRAPHICS boxes, cylinders and balls are drawn");
    }
  }
  if (r->length != 1 || r->force != 1 || r->time != 1) {
    import_note_look(
        r->w, (artPlace){.file = r->w->path},
        "expressions of requests and variables are in units of the deck, all else is in SI");
  }
}
