// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions of ADAMS as formulas of ours. Functions of markers become components of places, velocities and axes of
// frames, which are constants for markers of ground.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/adams.h"
#include "spatial/pose.h"

enum { LONGEST = 20000 };


//---- texts of numbers and references -------------------------------------------------------------

// a part of a formula: a number, a reference, or both added
typedef struct term {
  const char *text; // NULL: the number alone
  double number;
} term;


static const char *checked(admReader *r, artPlace place, const char *text)
{
  if (strlen(text) > LONGEST) import_fail(r->w, place, "an expression becomes too long");
  return text;
}


static bool is_ground(const admMarker *m)
{
  return !m || m->part->body < 0;
}


// component c of a vector of a marker along ground axes; quantities as in adams.h
static term vector_part(admReader *r, char quantity, const admMarker *m, int c)
{
  const char *name = quantity == 'd' ? "" : quantity == 'l' ? "al" : (char[2]){quantity, 0};
  if (!is_ground(m)) {
    return (term){import_format(r->w, "%s.%s%c", m->frame, name, 'x' + c), 0};
  }
  if (!m || quantity != 'd') return (term){NULL, 0};
  const v3 at = adm_place(m).r;
  return (term){NULL, c == 0 ? at.x : c == 1 ? at.y : at.z};
}


// component c, along ground, of an axis of a marker
static term axis_part(admReader *r, const admMarker *m, int axis, int c)
{
  if (!is_ground(m))
    return (term){import_format(r->w, "%s.%c%c", m->frame, 'x' + axis, 'x' + c), 0};
  if (!m) return (term){NULL, axis == c};
  const m3 R = adm_place(m).R;
  const v3 a = axis == 0 ? R.x : axis == 1 ? R.y : R.z;
  return (term){NULL, c == 0 ? a.x : c == 1 ? a.y : a.z};
}


static term difference(admReader *r, term a, term b)
{
  const double number = a.number - b.number;
  if (!b.text) return (term){a.text, number};
  if (!a.text) return (term){import_format(r->w, "-%s", b.text), number};
  return (term){import_format(r->w, "%s - %s", a.text, b.text), number};
}


// as a factor of a product
static const char *written(admReader *r, term t)
{
  if (!t.text) return import_number(r->w, t.number);
  if (t.number == 0 && !strchr(t.text, ' ') && t.text[0] != '-') return t.text;
  if (t.number == 0) return import_format(r->w, "(%s)", t.text);
  // a number beside a text is a length
  return import_format(r->w, "(%s %c %s[m])", t.text, t.number < 0 ? '-' : '+',
                       import_number(r->w, fabs(t.number)));
}


static term product(admReader *r, term a, term b)
{
  if (!a.text && !b.text) return (term){NULL, a.number * b.number};
  if ((!a.text && a.number == 0) || (!b.text && b.number == 0)) return (term){NULL, 0};
  if (!a.text && a.number == 1) return b;
  if (!b.text && b.number == 1) return a;
  if (!a.text && a.number == -1) return (term){import_format(r->w, "-%s", written(r, b)), 0};
  const char *left =
      a.text || a.number > 0 ? written(r, a) : import_format(r->w, "(%s)", written(r, a));
  return (term){import_format(r->w, "%s*%s", left, written(r, b)), 0};
}


static term sum(admReader *r, term a, term b)
{
  const double number = a.number + b.number;
  if (!a.text || !b.text) return (term){a.text ? a.text : b.text, number};
  if (b.text[0] == '-') {
    return (term){import_format(r->w, "%s - %s", a.text, b.text + 1), number};
  }
  return (term){import_format(r->w, "%s + %s", a.text, b.text), number};
}


//---- functions of markers ------------------------------------------------------------------------

// component c, along ground, of i against j as l sees it
static term relative_part(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                          const admMarker *l, int c)
{
  const term plain = difference(r, vector_part(r, quantity, i, c), vector_part(r, quantity, j, c));
  if (quantity != 'v' || is_ground(l)) return plain;
  // v - w x d
  const int a = (c + 1) % 3, b = (c + 2) % 3;
  const term da = relative_part(r, 'd', i, j, NULL, a), db = relative_part(r, 'd', i, j, NULL, b);
  const term turn = difference(r, product(r, vector_part(r, 'w', l, a), db),
                               product(r, vector_part(r, 'w', l, b), da));
  if (!turn.text) return plain;
  return difference(r, plain, (term){written(r, turn), 0});
}


static term component(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                      const admMarker *k, const admMarker *l, int axis)
{
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    const term part = relative_part(r, quantity, i, j, l, c);
    all = sum(r, all, product(r, axis_part(r, k, axis, c), part));
  }
  return all;
}


const char *adm_component(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                          const admMarker *k, const admMarker *l, int axis)
{
  return written(r, component(r, quantity, i, j, k, l, axis));
}


const char *adm_axis(admReader *r, const admMarker *m, int axis, int component)
{
  const term t = axis_part(r, m, axis, component);
  return t.text || t.number >= 0 ? written(r, t) : import_format(r->w, "(%s)", written(r, t));
}


static const char *magnitude(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                             const admMarker *l)
{
  const char *x[3];
  for (int c = 0; c < 3; c++) x[c] = written(r, relative_part(r, quantity, i, j, l, c));
  return import_format(r->w, "sqrt(%s^2 + %s^2 + %s^2)", x[0], x[1], x[2]);
}


// the rate of the distance, d.v/|d|
static const char *distance_rate(admReader *r, const admMarker *i, const admMarker *j)
{
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    all =
        sum(r, all,
            product(r, relative_part(r, 'd', i, j, NULL, c), relative_part(r, 'v', i, j, NULL, c)));
  }
  return import_format(r->w, "%s/%s", written(r, all), magnitude(r, 'd', i, j, NULL));
}


// product of an axis of i and one of j
static const char *cosine(admReader *r, const admMarker *i, int a, const admMarker *j, int b)
{
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    all = sum(r, all, product(r, axis_part(r, i, a, c), axis_part(r, j, b, c)));
  }
  return written(r, all);
}


static const char *turn_text(admReader *r, const admAxis *turn)
{
  const char *sign = turn->sign < 0 ? "-" : "";
  if (turn->offset == 0 && turn->sign > 0) return turn->coordinate;
  if (turn->offset == 0) return import_format(r->w, "(-%s)", turn->coordinate);
  return import_format(r->w, "(%s%s %c %s)", sign, turn->coordinate, turn->offset < 0 ? '-' : '+',
                       import_number(r->w, fabs(turn->offset)));
}


// the turn of i about an axis of j, as the next axis turns into the one behind it
static const char *angle_about(admFormula *f, const admMarker *i, const admMarker *j, int axis)
{
  admReader *r = f->r;
  admAxis turn;
  if (j && adm_turn(r, i, j, axis, &turn)) return turn_text(r, &turn);
  import_note(r->w, f->place,
              "angles AX, AY, AZ that are no coordinate of a joint jump at half a turn");
  const int from = (axis + 1) % 3, beside = (axis + 2) % 3;
  return import_format(r->w, "atan2(%s, %s)", cosine(r, i, from, j, beside),
                       cosine(r, i, from, j, from));
}


// a component of the quaternion of i in j
static const char *quaternion_part(admReader *r, const admMarker *i, const admMarker *j, int c)
{
  term p[2][4];
  for (int k = 0; k < 2; k++) {
    const admMarker *m = k ? j : i;
    double q[4] = {1, 0, 0, 0};
    if (m && is_ground(m)) pose_quaternion(adm_place(m).R, q);
    for (int e = 0; e < 4; e++) {
      p[k][e] = is_ground(m) ? (term){NULL, q[e]}
                             : (term){import_format(r->w, "%s.q%c", m->frame, "wxyz"[e]), 0};
    }
  }
  // conj(p) q
  static const int place[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  static const int sign[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, 1, -1, -1}};
  term all = {NULL, 0};
  for (int e = 0; e < 4; e++) {
    term part = product(r, p[1][e], p[0][place[c][e]]);
    if (sign[c][e] < 0) part = product(r, (term){NULL, -1}, part);
    all = sum(r, all, part);
  }
  return written(r, all);
}


//---- forces that functions ask for ---------------------------------------------------------------

// text times a factor
static const char *times(admReader *r, double factor, const char *text)
{
  if (factor == 1) return text;
  if (factor == -1) return import_format(r->w, "(-%s)", text);
  return import_format(r->w, factor < 0 ? "(%s*%s)" : "%s*%s", import_number(r->w, factor), text);
}


// what an element does on marker i of the pair, along ground: a force, or with is_torque a torque at the marker
static term load_part(admReader *r, const admForce *act, bool is_torque, bool is_on_j, int c)
{
  const term d = relative_part(r, 'd', act->i, act->j, NULL, c);
  if (act->form == 'l') {
    if (is_torque) return (term){NULL, 0};
    const char *pull = import_format(r->w, "%s.force/%s.length", act->name, act->name);
    return product(r, is_on_j ? (term){pull, 0} : (term){import_format(r->w, "(-%s)", pull), 0}, d);
  }
  if (act->form == 'r') {
    if (!is_torque) return (term){NULL, 0};
    const double sign = is_on_j ? -act->sign : act->sign;
    const term torque = {import_format(r->w, "%s.force", act->name), 0};
    return product(r, (term){NULL, sign}, product(r, torque, axis_part(r, act->j, 2, c)));
  }
  const char letter = is_torque ? 't' : 'f';
  const term plain = {import_format(r->w, "%s.%c%c", act->name, letter, 'x' + c), 0};
  if (act->form == 'd' && is_torque) return (term){NULL, 0};
  if (!is_on_j) return plain;
  const term other = product(r, (term){NULL, -1}, plain);
  if (!is_torque) return other;
  // at the marker J: -t - d x f, zero where the markers coincide
  if (act->form == 'p') return other;
  const int a = (c + 1) % 3, b = (c + 2) % 3;
  const term force[2] = {{import_format(r->w, "%s.f%c", act->name, 'x' + a), 0},
                         {import_format(r->w, "%s.f%c", act->name, 'x' + b), 0}};
  const term arm =
      difference(r, product(r, relative_part(r, 'd', act->i, act->j, NULL, b), force[0]),
                 product(r, relative_part(r, 'd', act->i, act->j, NULL, a), force[1]));
  return sum(r, other, (term){written(r, arm), 0});
}


// component 1 to 8 of a load: magnitude, x, y, z of the force, and of the torque
static const char *load_text(admFormula *f, const admForce *act, bool is_on_j, int component,
                             const admMarker *axes)
{
  admReader *r = f->r;
  const bool is_torque = component > 4;
  const int axis = (component - 1) % 4 - 1;
  const double unit = f->is_si ? 1 : 1 / (r->force * (is_torque ? r->length : 1));
  if (axis < 0) {
    const char *x[3];
    for (int c = 0; c < 3; c++) x[c] = written(r, load_part(r, act, is_torque, is_on_j, c));
    return times(r, unit, import_format(r->w, "sqrt(%s^2 + %s^2 + %s^2)", x[0], x[1], x[2]));
  }
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    const term load = load_part(r, act, is_torque, is_on_j, c);
    all = sum(r, all, product(r, axis_part(r, axes, axis, c), load));
  }
  return times(r, unit, written(r, all));
}


//---- expressions ---------------------------------------------------------------------------------

static const char *refuse(admFormula *f, const char *why)
{
  if (!f->is_output) import_fail(f->r->w, f->place, "%s", why);
  if (!f->why) f->why = why;
  return "0";
}


static const char *factor_text(admFormula *f, const admExpr *e);


// a marker as argument k; NULL: ground
static const admMarker *marker_at(admFormula *f, const admExpr *e, int k)
{
  if (k >= e->narg) return NULL;
  const admExpr *a = e->arg[k];
  if (a->type != 'n' || a->number < 0 || a->number > 2e9) {
    import_fail(f->r->w, f->place, "%s expects numbers of markers", e->name);
  }
  if (a->number == 0) return NULL;
  const admMarker *m = adm_marker_by_id(f->r, (long) a->number, f->place);
  if (m->is_floating) {
    import_fail(f->r->w, f->place, "%s asks for MARKER/%ld, which floats", e->name, m->s->id);
  }
  return m;
}


// the element along the line between two markers
static const char *find_line(admReader *r, const admMarker *i, const admMarker *j)
{
  for (int k = 0; k < r->nact; k++) {
    const admForce *act = &r->act[k];
    const bool is_same = (act->i == i && act->j == j) || (act->i == j && act->j == i);
    if (act->form == 'l' && is_same) return act->name;
  }
  return NULL;
}


// functions of markers by letters: D, V, ACC, W, WDT and X, Y, Z or M behind them
static const char *marker_function(admFormula *f, const admExpr *e)
{
  static const struct {
    const char *stem;
    char quantity;
    int length, time; // powers of the units
  } kinds[] = {{"ACC", 'a', 1, -2},
               {"WDT", 'l', 0, -2},
               {"D", 'd', 1, 0},
               {"V", 'v', 1, -1},
               {"W", 'w', 0, -1}};
  admReader *r = f->r;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const size_t n = strlen(kinds[k].stem);
    const char *last = e->name + n;
    if (strncmp(e->name, kinds[k].stem, n) != 0 || !*last || last[1] || !strchr("XYZM", *last)) {
      continue;
    }
    if (e->narg < 1 || e->narg > 4) {
      import_fail(r->w, f->place, "%s has %d arguments", e->name, e->narg);
    }
    const char quantity = kinds[k].quantity;
    if (f->use == USE_TIME) return refuse(f, "motions may depend on TIME alone here");
    if (f->use == USE_MOTION && (quantity == 'a' || quantity == 'l')) {
      return refuse(f, "forces may not depend on accelerations here");
    }
    const bool is_length = *last == 'M';
    const admMarker *i = marker_at(f, e, 0), *j = marker_at(f, e, 1);
    const admMarker *axes = is_length ? NULL : marker_at(f, e, 2);
    const admMarker *seen = marker_at(f, e, is_length ? 2 : 3);
    if (!is_ground(seen) && quantity != 'v' && quantity != 'd') {
      return refuse(f, "accelerations are seen from ground here");
    }
    const double unit =
        f->is_si ? 1 : pow(r->length, -kinds[k].length) * pow(r->time, -kinds[k].time);
    const char *line = is_length && quantity == 'd' ? find_line(r, i, j) : NULL;
    if (line) return times(r, unit, import_format(r->w, "%s.length", line));
    const char *text = is_length ? magnitude(r, quantity, i, j, seen)
                                 : adm_component(r, quantity, i, j, axes, seen, *last - 'X');
    return times(r, unit, text);
  }
  return NULL;
}


// other functions of markers
static const char *other_marker_function(admFormula *f, const admExpr *e)
{
  admReader *r = f->r;
  importWork *w = r->w;
  const bool is_angle = e->name[0] == 'A' && e->name[1] && !e->name[2] && strchr("XYZ", e->name[1]);
  const bool is_rate = strcmp(e->name, "VR") == 0;
  const bool is_euler =
      strcmp(e->name, "PSI") == 0 || strcmp(e->name, "THETA") == 0 || strcmp(e->name, "PHI") == 0;
  if (!is_angle && !is_rate && !is_euler) return NULL;
  if (e->narg < 1 || e->narg > 3) import_fail(w, f->place, "%s has %d arguments", e->name, e->narg);
  if (f->use == USE_TIME) return refuse(f, "motions may depend on TIME alone here");
  const admMarker *i = marker_at(f, e, 0), *j = marker_at(f, e, 1);
  if (!i) import_fail(w, f->place, "%s of ground", e->name);
  if (is_angle) return angle_about(f, i, j, e->name[1] - 'X');
  if (is_rate) {
    const char *line = find_line(r, i, j);
    return times(r, f->is_si ? 1 : r->time / r->length,
                 line ? import_format(w, "%s.rate", line) : distance_rate(r, i, j));
  }
  if (strcmp(e->name, "THETA") == 0) return import_format(w, "acos(%s)", cosine(r, i, 2, j, 2));
  if (strcmp(e->name, "PHI") == 0) {
    return import_format(w, "atan2(%s, %s)", cosine(r, i, 0, j, 2), cosine(r, i, 1, j, 2));
  }
  return import_format(w, "atan2(%s, -%s)", cosine(r, i, 2, j, 0), cosine(r, i, 2, j, 1));
}


static const admForce *find_load(admReader *r, const admMarker *i, const admMarker *j,
                                 bool *is_on_j)
{
  const admForce *found = NULL;
  for (int k = 0; k < r->nact; k++) {
    const admForce *act = &r->act[k];
    const bool is_same = act->i == i && act->j == j, is_turned = act->i == j && act->j == i;
    if (!is_same && !is_turned) continue;
    if (found) return NULL;
    found = act;
    *is_on_j = is_turned;
  }
  return found;
}


static int number_at(admFormula *f, const admExpr *e, int k)
{
  if (k < e->narg && e->arg[k]->type == 'n' && fabs(e->arg[k]->number) < 2e9) {
    return (int) e->arg[k]->number;
  }
  import_fail(f->r->w, f->place, "%s expects a number as argument %d", e->name, k + 1);
}


// FX(i, j, k) and its like, JOINT(id, side, component, axes) and those of forces
static const char *load_function(admFormula *f, const admExpr *e)
{
  static const char *const of_element[] = {"JOINT", "SFORCE", "SPDP", "BUSH", "GCON", NULL};
  static const char *const verbs[] = {"JOINT", "SFORCE", "SPRINGDAMPER", "BUSHING", "GCON"};
  static const char letters[] = "MXYZ";
  admReader *r = f->r;
  const char *axis = e->name[0] && e->name[1] && !e->name[2] ? strchr(letters, e->name[1]) : NULL;
  const bool by_markers = axis && (e->name[0] == 'F' || e->name[0] == 'T');
  int kind = 0;
  while (of_element[kind] && strcmp(of_element[kind], e->name) != 0) kind++;
  if (!by_markers && !of_element[kind]) return NULL;
  if (f->use != USE_ALL) return refuse(f, "forces may not depend on forces here");
  if (by_markers) {
    bool is_on_j = false;
    const admMarker *i = marker_at(f, e, 0), *j = marker_at(f, e, 1);
    const admForce *act = find_load(r, i, j, &is_on_j);
    if (!act) return refuse(f, "the force between two markers is not one element's");
    const int component = (int) (axis - letters) + (e->name[0] == 'T' ? 5 : 1);
    return load_text(f, act, is_on_j, component, marker_at(f, e, 2));
  }
  const int found = adm_find(r, verbs[kind], number_at(f, e, 0));
  const int side = number_at(f, e, 1), component = number_at(f, e, 2);
  for (int k = 0; found >= 0 && k < r->nact; k++) {
    if (r->act[k].s != &r->statement[found]) continue;
    if (component < 1 || component > 8) break;
    return load_text(f, &r->act[k], (side == 1) != r->act[k].is_swapped, component,
                     marker_at(f, e, 3));
  }
  return refuse(f, import_format(r->w, "the load of %s/%d is not known here", verbs[kind],
                                 number_at(f, e, 0)));
}


//---- functions of numbers ------------------------------------------------------------------------

// texts of arguments as factors
typedef struct arguments {
  const char *x[ADM_ARGUMENTS];
} arguments;


// 0 to 1 between x0 and x1
static const char *share(importWork *w, const char *x, const char *x0, const char *x1)
{
  if (strcmp(x0, "0") == 0) return import_format(w, "clamp(%s/%s, 0, 1)", x, x1);
  return import_format(w, "clamp((%s - %s)/(%s - %s), 0, 1)", x, x0, x1, x0);
}


// h0 + (h1 - h0) (3 u^2 - 2 u^3)
static const char *cubic_step(importWork *w, const char *x, const char *x0, const char *h0,
                              const char *x1, const char *h1)
{
  const char *u = share(w, x, x0, x1);
  if (strcmp(h0, "0") == 0) return import_format(w, "(%s*%s^2*(3 - 2*%s))", h1, u, u);
  return import_format(w, "(%s + (%s - %s)*%s^2*(3 - 2*%s))", h0, h1, h0, u, u);
}


// k d^e - c d' STEP(d, 0, 0, border, 1), never a pull; d is the depth
static const char *impact(importWork *w, const char *depth, const char *rate, const char *k,
                          const char *e, const char *c, const char *border)
{
  const char *damping = cubic_step(w, depth, "0", "0", border, "1");
  return import_format(w, "if(%s > 0, max(0, %s*max(0, %s)^%s - %s*%s*%s), 0)", depth, k, depth, e,
                       c, rate, damping);
}


static const char *series(admFormula *f, const admExpr *e, const arguments *a)
{
  importWork *w = f->r->w;
  const bool is_fourier = strncmp(e->name, "FOR", 3) == 0;
  const char *wave = strcmp(e->name, "FORSIN") == 0 ? "sin" : "cos";
  const int first = is_fourier ? 3 : 2;
  const char *d = import_format(w, "(%s - %s)", a->x[0], a->x[1]);
  const char *text = a->x[first];
  for (int k = first + 1; k < e->narg; k++) {
    const int n = k - first;
    const char *part = is_fourier ? import_format(w, "%s(%d*%s*%s)", wave, n, a->x[2], d)
                       : strcmp(e->name, "CHEBY") == 0 ? import_format(w, "cos(%d*acos(%s))", n, d)
                                                       : import_format(w, "%s^%d", d, n);
    text = checked(f->r, f->place, import_format(w, "%s + %s*%s", text, a->x[k], part));
  }
  return import_format(w, "(%s)", text);
}


typedef struct mathFunction {
  const char *name, *ours; // NULL: by number_function
  int least, most;
} mathFunction;

static const mathFunction functions[] = {
    {"ABS", "abs", 1, 1},    {"ACOS", "acos", 1, 1},   {"ASIN", "asin", 1, 1},
    {"ATAN", "atan", 1, 1},  {"ATAN2", "atan2", 2, 2}, {"COS", "cos", 1, 1},
    {"SIN", "sin", 1, 1},    {"TAN", "tan", 1, 1},     {"COSH", "cosh", 1, 1},
    {"SINH", "sinh", 1, 1},  {"TANH", "tanh", 1, 1},   {"EXP", "exp", 1, 1},
    {"LOG", "log", 1, 1},    {"LOG10", "log10", 1, 1}, {"SQRT", "sqrt", 1, 1},
    {"MAX", "max", 2, 2},    {"MIN", "min", 2, 2},     {"STEP5", "smooth", 5, 5},
    {"MOD", NULL, 2, 2},     {"SIGN", NULL, 2, 2},     {"DIM", NULL, 2, 2},
    {"AINT", NULL, 1, 1},    {"ANINT", NULL, 1, 1},    {"STEP", NULL, 5, 5},
    {"HAVSIN", NULL, 5, 5},  {"IF", NULL, 4, 4},       {"IMPACT", NULL, 7, 7},
    {"BISTOP", NULL, 8, 8},  {"POLY", NULL, 3, 32},    {"CHEBY", NULL, 3, 32},
    {"FORSIN", NULL, 4, 33}, {"FORCOS", NULL, 4, 33},  {"SHF", NULL, 6, 6}};


static const char *number_function(admFormula *f, const admExpr *e, const arguments *a)
{
  importWork *w = f->r->w;
  const char *const *x = a->x, *name = e->name;
  if (strcmp(name, "MOD") == 0) {
    return import_format(w, "sign(%s)*mod(abs(%s), abs(%s))", x[0], x[0], x[1]);
  }
  if (strcmp(name, "SIGN") == 0) return import_format(w, "abs(%s)*if(%s < 0, -1, 1)", x[0], x[1]);
  if (strcmp(name, "DIM") == 0) return import_format(w, "max(%s - %s, 0)", x[0], x[1]);
  if (strcmp(name, "AINT") == 0) return import_format(w, "sign(%s)*floor(abs(%s))", x[0], x[0]);
  if (strcmp(name, "ANINT") == 0) {
    return import_format(w, "sign(%s)*floor(abs(%s) + 0.5)", x[0], x[0]);
  }
  if (strcmp(name, "STEP") == 0) return cubic_step(w, x[0], x[1], x[2], x[3], x[4]);
  if (strcmp(name, "HAVSIN") == 0) {
    const char *u = share(w, x[0], x[1], x[3]);
    return import_format(w, "(%s + (%s - %s)*(1 - cos(pi*%s))/2)", x[2], x[4], x[2], u);
  }
  if (strcmp(name, "IF") == 0) {
    return import_format(w, "if(%s < 0, %s, if(%s > 0, %s, %s))", x[0], x[1], x[0], x[3], x[2]);
  }
  if (strcmp(name, "SHF") == 0) {
    return import_format(w, "(%s*sin(%s*(%s - %s) - %s) + %s)", x[2], x[3], x[0], x[1], x[4], x[5]);
  }
  if (strcmp(name, "IMPACT") == 0) {
    const char *depth = import_format(w, "(%s - %s)", x[2], x[0]);
    return impact(w, depth, x[1], x[3], x[4], x[5], x[6]);
  }
  if (strcmp(name, "BISTOP") == 0) {
    const char *low = import_format(w, "(%s - %s)", x[2], x[0]),
               *high = import_format(w, "(%s - %s)", x[0], x[3]);
    return import_format(w, "(%s - %s)", impact(w, low, x[1], x[4], x[5], x[6], x[7]),
                         impact(w, high, import_format(w, "(-%s)", x[1]), x[4], x[5], x[6], x[7]));
  }
  return series(f, e, a);
}


static const char *math_function(admFormula *f, const admExpr *e)
{
  admReader *r = f->r;
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
    const mathFunction *known = &functions[k];
    if (strcmp(known->name, e->name) != 0) continue;
    if (e->narg < known->least || e->narg > known->most) {
      import_fail(r->w, f->place, "%s has %d arguments", e->name, e->narg);
    }
    arguments a;
    for (int i = 0; i < e->narg; i++) {
      a.x[i] = known->ours ? adm_formula(f, e->arg[i]) : factor_text(f, e->arg[i]);
    }
    if (!known->ours) return number_function(f, e, &a);
    const char *text = a.x[0];
    for (int i = 1; i < e->narg; i++) text = import_format(r->w, "%s, %s", text, a.x[i]);
    return import_format(r->w, "%s(%s)", known->ours, text);
  }
  return NULL;
}


static const char *name_text(admFormula *f, const admExpr *e)
{
  admReader *r = f->r;
  if (strcmp(e->name, "TIME") == 0) {
    return r->time == 1 ? "time"
                        : import_format(r->w, "(time*%s)", import_number(r->w, 1 / r->time));
  }
  if (strcmp(e->name, "PI") == 0) return "pi";
  if (strcmp(e->name, "DTOR") == 0) return "(pi/180)";
  if (strcmp(e->name, "RTOD") == 0) return "(180/pi)";
  return NULL;
}


static const char *call_text(admFormula *f, const admExpr *e)
{
  const char *text = e->narg == 0 ? name_text(f, e) : NULL;
  if (!text) text = math_function(f, e);
  if (!text) text = load_function(f, e);
  if (!text) text = marker_function(f, e);
  if (!text) text = other_marker_function(f, e);
  if (!text && strcmp(e->name, "ORIENT") == 0 && e->narg == 4 && number_at(f, e, 0) == 27 &&
      number_at(f, e, 1) >= 1 && number_at(f, e, 1) <= 4) {
    text = quaternion_part(f->r, marker_at(f, e, 2), marker_at(f, e, 3), number_at(f, e, 1) - 1);
  }
  if (!text) {
    text = refuse(f, import_format(f->r->w, "the function %.40s is not known here", e->name));
  }
  return checked(f->r, f->place, text);
}


// a + b or a - b, where a minus of b changes the sign between them
static const char *sum_text(admFormula *f, const admExpr *e)
{
  const admExpr *b = e->arg[1];
  const bool is_minus = b->type == 'm';
  const char sign = (e->type == '-') != is_minus ? '-' : '+';
  if (is_minus) b = b->arg[0];
  const char *left = adm_formula(f, e->arg[0]);
  if (b->type == 'n' && b->number == 0) return left;
  const char *right =
      b->type == '+' || b->type == '-' || b->type == 'm' ? factor_text(f, b) : adm_formula(f, b);
  return import_format(f->r->w, "%s %c %s", left, sign, right);
}


const char *adm_formula(admFormula *f, const admExpr *e)
{
  importWork *w = f->r->w;
  const char *text = NULL;
  if (e->type == 'n') return import_number(w, e->number);
  if (e->type == 'c') return call_text(f, e);
  if (e->type == 'm') {
    const bool is_product = e->arg[0]->type == '*' || e->arg[0]->type == '/';
    text =
        import_format(w, "-%s", is_product ? adm_formula(f, e->arg[0]) : factor_text(f, e->arg[0]));
  } else if (e->type == '+' || e->type == '-') {
    text = sum_text(f, e);
  } else {
    const bool is_row = e->arg[0]->type == '*' && e->type != '^';
    text =
        import_format(w, "%s%c%s", is_row ? adm_formula(f, e->arg[0]) : factor_text(f, e->arg[0]),
                      e->type, factor_text(f, e->arg[1]));
  }
  return checked(f->r, f->place, text);
}


// is all of it in one pair of parentheses, or has it no operator?
static bool is_factor(const char *text)
{
  const size_t n = strlen(text);
  int depth = 0;
  bool is_plain = true;
  for (size_t i = 0; i < n; i++) {
    is_plain = is_plain && !strchr(" +-*/^", text[i]);
    if (text[i] == '(') depth++;
    if (text[i] == ')') depth--;
    if (depth == 0 && i + 1 < n && text[0] == '(') return false;
  }
  return is_plain || text[0] == '(';
}


// the expression as a factor
static const char *factor_text(admFormula *f, const admExpr *e)
{
  const char *text = adm_formula(f, e);
  if (e->type == 'n' || (e->type == 'c' && is_factor(text))) return text;
  return checked(f->r, f->place, import_format(f->r->w, "(%s)", text));
}


const char *adm_scaled(admReader *r, admField *field, double factor, admUse use)
{
  admFormula f = {.r = r, .place = field->place, .use = use};
  const admExpr *e = adm_parse(r, field->value, field->place);
  if (factor < 0) e = adm_minus(r, e);
  if (fabs(factor) == 1) return adm_formula(&f, e);
  return import_format(r->w, "%s*%s", import_number(r->w, fabs(factor)), factor_text(&f, e));
}
