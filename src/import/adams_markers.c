// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of markers: DX, VX, ACCX and similar ones, distances and their rates, angles,
// orientations.
#include <math.h>
#include <string.h>

#include "import/adams.h"
#include "spatial/pose.h"

// A term of a formula: a number, a reference, or the sum of both.
typedef struct term {
  const char *text; // NULL: only the number
  double number;    // with text: a length in m
} term;


//---- terms: numbers, references, sums and products -----------------------------------------------

static bool term_is_ground(const admMarker *m)
{
  return !m || m->part->body < 0;
}


// component c of a vector of a marker in ground axes; quantities as in adams.h
static term term_vector(admReader *r, char quantity, const admMarker *m, int c)
{
  const char *name = quantity == 'd' ? "" : quantity == 'l' ? "al" : (char[2]){quantity, 0};
  if (!term_is_ground(m)) {
    return (term){import_format(r->w, "%s.%s%c", m->frame, name, 'x' + c), 0};
  }
  if (!m || quantity != 'd') return (term){NULL, 0};
  const v3 at = adm_place(m).r;
  return (term){NULL, c == 0 ? at.x : c == 1 ? at.y : at.z};
}


// component c in ground axes of an axis of a marker
static term term_axis(admReader *r, const admMarker *m, int axis, int c)
{
  ART_ASSERT(axis >= 0 && axis < 3 && c >= 0 && c < 3);
  if (!term_is_ground(m))
    return (term){import_format(r->w, "%s.%c%c", m->frame, 'x' + axis, 'x' + c), 0};
  if (!m) return (term){NULL, axis == c};
  const m3 R = adm_place(m).R;
  const v3 a = axis == 0 ? R.x : axis == 1 ? R.y : R.z;
  return (term){NULL, c == 0 ? a.x : c == 1 ? a.y : a.z};
}


// as a factor of a product
static const char *term_text(admReader *r, term t)
{
  if (!t.text) {
    return import_format(r->w, t.number < 0 ? "(%s)" : "%s", import_number(r->w, t.number));
  }
  if (t.number == 0 && !strchr(t.text, ' ') && t.text[0] != '-') return t.text;
  if (t.number == 0) return import_format(r->w, "(%s)", t.text);
  // a number that is added to text is a length
  return import_format(r->w, "(%s %c %s[m])", t.text, t.number < 0 ? '-' : '+',
                       import_number(r->w, fabs(t.number)));
}


static term term_difference(admReader *r, term a, term b)
{
  const double number = a.number - b.number;
  if (!b.text) return (term){a.text, number};
  const char *taken = term_text(r, (term){b.text, 0});
  if (!a.text) return (term){import_format(r->w, "-%s", taken), number};
  return (term){import_format(r->w, "%s - %s", a.text, taken), number};
}


// sqrt(x^2 + y^2 + z^2)
static const char *term_length(admReader *r, const term x[3])
{
  const char *square[3];
  for (int c = 0; c < 3; c++) {
    const char *text = term_text(r, x[c]);
    const bool is_product = text[0] != '(' && strpbrk(text, "*/");
    const bool has_more = text[0] == '(' && strstr(text, ")*");
    square[c] = import_format(r->w, is_product || has_more ? "(%s)^2" : "%s^2", text);
  }
  return import_format(r->w, "sqrt(%s + %s + %s)", square[0], square[1], square[2]);
}


static term term_product(admReader *r, term a, term b)
{
  if (!a.text && !b.text) return (term){NULL, a.number * b.number};
  if ((!a.text && a.number == 0) || (!b.text && b.number == 0)) return (term){NULL, 0};
  if (!b.text) return term_product(r, b, a);
  if (!a.text && a.number == 1) return b;
  if (!a.text && a.number == -1) return (term){import_format(r->w, "-%s", term_text(r, b)), 0};
  const char *left =
      a.text || a.number > 0 ? term_text(r, a) : import_format(r->w, "(%s)", term_text(r, a));
  return (term){import_format(r->w, "%s*%s", left, term_text(r, b)), 0};
}


static term term_sum(admReader *r, term a, term b)
{
  const double number = a.number + b.number;
  if (!a.text || !b.text) return (term){a.text ? a.text : b.text, number};
  if (b.text[0] == '-') {
    return (term){import_format(r->w, "%s - %s", a.text, b.text + 1), number};
  }
  return (term){import_format(r->w, "%s + %s", a.text, b.text), number};
}


//---- positions and velocities --------------------------------------------------------------------

// component c in ground axes of i relative to j, observed in l
static term term_relative(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                          const admMarker *l, int c)
{
  const term plain =
      term_difference(r, term_vector(r, quantity, i, c), term_vector(r, quantity, j, c));
  if (quantity != 'v' || term_is_ground(l)) return plain;
  // v - w x d
  const int a = (c + 1) % 3, b = (c + 2) % 3;
  const term da = term_relative(r, 'd', i, j, NULL, a), db = term_relative(r, 'd', i, j, NULL, b);
  const term turn = term_difference(r, term_product(r, term_vector(r, 'w', l, a), db),
                                    term_product(r, term_vector(r, 'w', l, b), da));
  if (!turn.text) return plain;
  return term_difference(r, plain, (term){term_text(r, turn), 0});
}


static term marker_component(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                             const admMarker *k, const admMarker *l, int axis)
{
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    const term part = term_relative(r, quantity, i, j, l, c);
    all = term_sum(r, all, term_product(r, term_axis(r, k, axis, c), part));
  }
  return all;
}


const char *adm_from_body(admReader *r, const admMarker *i, const char *body, int component)
{
  const term origin = {import_format(r->w, "%s.%c", body, 'x' + component), 0};
  return term_text(r, term_difference(r, term_vector(r, 'd', i, component), origin));
}


const char *adm_axis(admReader *r, const admMarker *m, int axis, int component)
{
  return term_text(r, term_axis(r, m, axis, component));
}


// text times a factor
static const char *term_times(admReader *r, double factor, const char *text)
{
  if (factor == 1) return text;
  if (factor == -1) return import_format(r->w, "(-%s)", text);
  return import_format(r->w, factor < 0 ? "(%s*%s)" : "%s*%s", import_number(r->w, factor), text);
}


static const char *marker_magnitude(admReader *r, char quantity, const admMarker *i,
                                    const admMarker *j, const admMarker *l)
{
  term x[3];
  for (int c = 0; c < 3; c++) x[c] = term_relative(r, quantity, i, j, l, c);
  return term_length(r, x);
}


// the rate of the distance, d.v/|d|
static const char *distance_rate(admReader *r, const admMarker *i, const admMarker *j)
{
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    all = term_sum(r, all,
                   term_product(r, term_relative(r, 'd', i, j, NULL, c),
                                term_relative(r, 'v', i, j, NULL, c)));
  }
  return import_format(r->w, "%s/%s", term_text(r, all), marker_magnitude(r, 'd', i, j, NULL));
}


// dot product of an axis of i and one of j
static const char *cosine_of_axes(admReader *r, const admMarker *i, int a, const admMarker *j,
                                  int b)
{
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    all = term_sum(r, all, term_product(r, term_axis(r, i, a, c), term_axis(r, j, b, c)));
  }
  return term_text(r, all);
}


// the rotation of i about an axis of j, positive from the next axis to the one after it
static const char *angle_about(admFormula *f, const admMarker *i, const admMarker *j, int axis)
{
  admReader *r = f->r;
  admAxis turn;
  if (j && adm_turn(r, i, j, axis, &turn)) {
    const char *sign = turn.sign < 0 ? "-" : "";
    if (turn.offset == 0 && turn.sign > 0) return turn.coordinate;
    if (turn.offset == 0) return import_format(r->w, "(-%s)", turn.coordinate);
    return import_format(r->w, "(%s%s %c %s)", sign, turn.coordinate, turn.offset < 0 ? '-' : '+',
                         import_number(r->w, fabs(turn.offset)));
  }
  import_note(r->w, f->place,
              "angles AX, AY, AZ that are no coordinate of a joint jump at half a turn");
  const int from = (axis + 1) % 3, beside = (axis + 2) % 3;
  return import_format(r->w, "atan2(%s, %s)", cosine_of_axes(r, i, from, j, beside),
                       cosine_of_axes(r, i, from, j, from));
}


// a component of the quaternion of i relative to j
static const char *quaternion_part(admReader *r, const admMarker *i, const admMarker *j, int c)
{
  ART_ASSERT(c >= 0 && c < 4);
  term p[2][4];
  for (int k = 0; k < 2; k++) {
    const admMarker *m = k ? j : i;
    double q[4] = {1, 0, 0, 0};
    if (m && term_is_ground(m)) pose_quaternion(adm_place(m).R, q);
    for (int e = 0; e < 4; e++) {
      p[k][e] = term_is_ground(m) ? (term){NULL, q[e]}
                                  : (term){import_format(r->w, "%s.q%c", m->frame, "wxyz"[e]), 0};
    }
  }
  // conj(p) q
  static const int place[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  static const int sign[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, 1, -1, -1}};
  term all = {NULL, 0};
  for (int e = 0; e < 4; e++) {
    term part = term_product(r, p[1][e], p[0][place[c][e]]);
    if (sign[c][e] < 0) part = term_product(r, (term){NULL, -1}, part);
    all = term_sum(r, all, part);
  }
  return term_text(r, all);
}


//---- functions by name ---------------------------------------------------------------------------

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


// functions of markers by name: D, V, ACC, W, WDT with the suffix X, Y, Z or M
static const char *vector_function(admFormula *f, const admExpr *e)
{
  static const struct {
    const char *stem;
    char quantity;
    int length, time; // exponents of the units
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
    if (f->use == USE_TIME) return adm_refuse(f, "motions may depend on TIME alone here");
    if (f->use == USE_MOTION && (quantity == 'a' || quantity == 'l')) {
      return adm_refuse(f, "forces may not depend on accelerations here");
    }
    const bool is_length = *last == 'M';
    const admMarker *i = adm_marker_at(f, e, 0), *j = adm_marker_at(f, e, 1);
    const admMarker *axes = is_length ? NULL : adm_marker_at(f, e, 2);
    const admMarker *seen = adm_marker_at(f, e, is_length ? 2 : 3);
    if (!term_is_ground(seen) && quantity != 'v' && quantity != 'd') {
      return adm_refuse(f, "accelerations are seen from ground here");
    }
    const double unit =
        f->is_si ? 1 : pow(r->length, -kinds[k].length) * pow(r->time, -kinds[k].time);
    const char *line = is_length && quantity == 'd' ? find_line(r, i, j) : NULL;
    if (line) return term_times(r, unit, import_format(r->w, "%s.length", line));
    const char *text =
        is_length ? marker_magnitude(r, quantity, i, j, seen)
                  : term_text(r, marker_component(r, quantity, i, j, axes, seen, *last - 'X'));
    return term_times(r, unit, text);
  }
  return NULL;
}


static bool is_one_of(const char *name, const char *words)
{
  const char *found = strstr(words, name);
  const size_t n = strlen(name);
  return found && n > 2 && (found == words || found[-1] == ' ') && (!found[n] || found[n] == ' ');
}


// other functions of markers
static const char *angle_function(admFormula *f, const admExpr *e)
{
  admReader *r = f->r;
  importWork *w = r->w;
  const bool is_angle = e->name[0] == 'A' && e->name[1] && !e->name[2] && strchr("XYZ", e->name[1]);
  const bool is_rate = strcmp(e->name, "VR") == 0;
  const bool is_euler = is_one_of(e->name, "PSI THETA PHI YAW PITCH ROLL");
  if (!is_angle && !is_rate && !is_euler) return NULL;
  if (e->narg < 1 || e->narg > 3) import_fail(w, f->place, "%s has %d arguments", e->name, e->narg);
  if (f->use == USE_TIME) return adm_refuse(f, "motions may depend on TIME alone here");
  const admMarker *i = adm_marker_at(f, e, 0), *j = adm_marker_at(f, e, 1);
  if (!i) import_fail(w, f->place, "%s of ground", e->name);
  if (is_angle) return angle_about(f, i, j, e->name[1] - 'X');
  if (is_rate) {
    const char *line = find_line(r, i, j);
    return term_times(r, f->is_si ? 1 : r->time / r->length,
                      line ? import_format(w, "%s.rate", line) : distance_rate(r, i, j));
  }
  if (strcmp(e->name, "YAW") == 0) {
    return import_format(w, "atan2(%s, %s)", cosine_of_axes(r, i, 0, j, 1),
                         cosine_of_axes(r, i, 0, j, 0));
  }
  // the second rotation, about y, has the opposite sign
  if (strcmp(e->name, "PITCH") == 0)
    return import_format(w, "asin(%s)", cosine_of_axes(r, i, 0, j, 2));
  if (strcmp(e->name, "ROLL") == 0) {
    return import_format(w, "atan2(%s, %s)", cosine_of_axes(r, i, 1, j, 2),
                         cosine_of_axes(r, i, 2, j, 2));
  }
  if (strcmp(e->name, "THETA") == 0)
    return import_format(w, "acos(%s)", cosine_of_axes(r, i, 2, j, 2));
  if (strcmp(e->name, "PHI") == 0) {
    return import_format(w, "atan2(%s, %s)", cosine_of_axes(r, i, 0, j, 2),
                         cosine_of_axes(r, i, 1, j, 2));
  }
  return import_format(w, "atan2(%s, -%s)", cosine_of_axes(r, i, 2, j, 0),
                       cosine_of_axes(r, i, 2, j, 1));
}


// Euler's parameters: ORIENT(27, component, i, j)
static const char *orient_function(admFormula *f, const admExpr *e)
{
  if (strcmp(e->name, "ORIENT") != 0 || e->narg != 4) return NULL;
  const int code = adm_number_at(f, e, 0), c = adm_number_at(f, e, 1);
  if (code != 27 || c < 1 || c > 4) return NULL;
  if (f->use == USE_TIME) return adm_refuse(f, "motions may depend on TIME alone here");
  return quaternion_part(f->r, adm_marker_at(f, e, 2), adm_marker_at(f, e, 3), c - 1);
}


const char *adm_marker_function(admFormula *f, const admExpr *e)
{
  const char *text = vector_function(f, e);
  if (!text) text = angle_function(f, e);
  return text ? text : orient_function(f, e);
}


//---- functions of loads --------------------------------------------------------------------------

// FX(i, j, k) and similar functions of the total load between two markers; JOINT(id, side,
// component, axes) and similar functions of one element. Only outputs may use them.

// component c in ground axes of the output force or torque of an element; elements in all six
// directions have outputs in the axes of j
static term shown_load_component(admReader *r, const admForce *act, char letter, int c)
{
  term all = {NULL, 0};
  if (act->form != 'b') {
    return (term){import_format(r->w, "%s.%c%c", act->name, letter, 'x' + c), 0};
  }
  for (int k = 0; k < 3; k++) {
    const term part = {import_format(r->w, "%s.%c%c", act->name, letter, 'x' + k), 0};
    all = term_sum(r, all, term_product(r, part, term_axis(r, act->j, k, c)));
  }
  return (term){term_text(r, all), 0};
}


// an element's load on marker i of the pair, in ground axes: a force, or with is_torque a torque at
// the marker
static term load_part(admReader *r, const admForce *act, bool is_torque, bool is_on_j, int c)
{
  const term d = term_relative(r, 'd', act->i, act->j, NULL, c);
  if (act->form == 'l') {
    if (is_torque) return (term){NULL, 0};
    const char *pull = import_format(r->w, "%s.force/%s.length", act->name, act->name);
    return term_product(
        r, is_on_j ? (term){pull, 0} : (term){import_format(r->w, "(-%s)", pull), 0}, d);
  }
  if (act->form == 'r' || act->form == 's') {
    if (is_torque != (act->form == 'r')) return (term){NULL, 0};
    const double sign = is_on_j ? -act->sign : act->sign;
    return term_product(r, (term){NULL, sign},
                        term_product(r, (term){act->name, 0}, term_axis(r, act->j, 2, c)));
  }
  const char letter = is_torque ? 't' : 'f';
  const char *free = is_torque ? act->about : act->along;
  term plain = shown_load_component(r, act, letter, c);
  if (free)
    plain = term_difference(r, plain, term_product(r, (term){free, 0}, term_axis(r, act->j, 2, c)));
  if (act->form == 'd' && is_torque) return (term){NULL, 0};
  if (!is_on_j) return plain;
  const term other = term_product(r, (term){NULL, -1}, plain);
  if (!is_torque) return other;
  // at the marker J: -t - d x f; d is zero if the markers coincide
  if (act->form == 'p') return other;
  const int a = (c + 1) % 3, b = (c + 2) % 3;
  const term force[2] = {shown_load_component(r, act, 'f', a),
                         shown_load_component(r, act, 'f', b)};
  const term arm =
      term_difference(r, term_product(r, term_relative(r, 'd', act->i, act->j, NULL, b), force[0]),
                      term_product(r, term_relative(r, 'd', act->i, act->j, NULL, a), force[1]));
  return term_sum(r, other, (term){term_text(r, arm), 0});
}


// loads of elements on a marker, which is their i or their j
typedef struct admLoads {
  int count;
  const admForce *act[8];
  bool is_on_j[8];
} admLoads;


static term loads_part(admReader *r, const admLoads *loads, bool is_torque, int c)
{
  term all = {NULL, 0};
  for (int k = 0; k < loads->count; k++) {
    all = term_sum(r, all, load_part(r, loads->act[k], is_torque, loads->is_on_j[k], c));
  }
  return all;
}


// component 1 to 8 of loads: magnitude, x, y, z of the force, then of the torque
static const char *load_text(admFormula *f, const admLoads *loads, int component,
                             const admMarker *axes)
{
  admReader *r = f->r;
  const bool is_torque = component > 4;
  const int axis = (component - 1) % 4 - 1;
  const double unit = f->is_si ? 1 : 1 / (r->force * (is_torque ? r->length : 1));
  if (axis < 0) {
    term x[3];
    for (int c = 0; c < 3; c++) x[c] = loads_part(r, loads, is_torque, c);
    return term_times(r, unit, term_length(r, x));
  }
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    const term load = loads_part(r, loads, is_torque, c);
    all = term_sum(r, all, term_product(r, term_axis(r, axes, axis, c), load));
  }
  return term_times(r, unit, term_text(r, all));
}


// all loads between two markers; false: none, or too many
static bool find_loads(admReader *r, const admMarker *i, const admMarker *j, admLoads *loads)
{
  loads->count = 0;
  for (int k = 0; k < r->nact; k++) {
    const admForce *act = &r->act[k];
    const bool is_same = act->i == i && act->j == j, is_turned = act->i == j && act->j == i;
    if (!is_same && !is_turned) continue;
    if (loads->count == 8 || act->form == '?') return false;
    loads->is_on_j[loads->count] = is_turned;
    loads->act[loads->count++] = act;
  }
  return loads->count > 0;
}


// FX(i, j, k) and similar, JOINT(id, side, component, axes) and similar
const char *adm_load_function(admFormula *f, const admExpr *e)
{
  static const char letters[] = "MXYZ";
  admReader *r = f->r;
  admLoads loads;
  const char *axis = e->name[0] && e->name[1] && !e->name[2] ? strchr(letters, e->name[1]) : NULL;
  const bool by_markers = axis && (e->name[0] == 'F' || e->name[0] == 'T');
  const admVerb *verb = adm_verbs;
  while (verb->name && (!verb->function || strcmp(verb->function, e->name) != 0)) verb++;
  if (!by_markers && !verb->name) return NULL;
  if (f->use != USE_ALL) return adm_refuse(f, "forces may not depend on forces here");
  if (by_markers) {
    const admMarker *i = adm_marker_at(f, e, 0), *j = adm_marker_at(f, e, 1);
    if (!find_loads(r, i, j, &loads)) {
      return adm_refuse(f, "what acts between the two markers is not known here");
    }
    const int component = (int) (axis - letters) + (e->name[0] == 'T' ? 5 : 1);
    return load_text(f, &loads, component, adm_marker_at(f, e, 2));
  }
  const int found = adm_find(r, verb->name, adm_number_at(f, e, 0));
  const int side = adm_number_at(f, e, 1), component = adm_number_at(f, e, 2);
  for (int k = 0; found >= 0 && k < r->nact; k++) {
    if (r->act[k].s != &r->statement[found]) continue;
    if (component < 1 || component > 8 || r->act[k].form == '?') break;
    loads = (admLoads){1, {&r->act[k]}, {(side == 1) != r->act[k].is_swapped}};
    return load_text(f, &loads, component, adm_marker_at(f, e, 3));
  }
  return adm_refuse(f, import_format(r->w, "the load of %s/%d is not known here", verb->name,
                                     adm_number_at(f, e, 0)));
}
