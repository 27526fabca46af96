// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of markers: DX, VX, ACCX and their like, distances and their rates, angles, attitudes.
#include <math.h>
#include <string.h>

#include "import/adams_terms.h"
#include "spatial/pose.h"


static const char *magnitude(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                             const admMarker *l)
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
  return import_format(r->w, "%s/%s", term_text(r, all), magnitude(r, 'd', i, j, NULL));
}


// product of an axis of i and one of j
static const char *cosine(admReader *r, const admMarker *i, int a, const admMarker *j, int b)
{
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    all = term_sum(r, all, term_product(r, term_axis(r, i, a, c), term_axis(r, j, b, c)));
  }
  return term_text(r, all);
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


//---- by their names ------------------------------------------------------------------------------

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
static const char *vector_function(admFormula *f, const admExpr *e)
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
    const char *text = is_length ? magnitude(r, quantity, i, j, seen)
                                 : adm_component(r, quantity, i, j, axes, seen, *last - 'X');
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
    return import_format(w, "atan2(%s, %s)", cosine(r, i, 0, j, 1), cosine(r, i, 0, j, 0));
  }
  // the second turn, about y, with the other sign
  if (strcmp(e->name, "PITCH") == 0) return import_format(w, "asin(%s)", cosine(r, i, 0, j, 2));
  if (strcmp(e->name, "ROLL") == 0) {
    return import_format(w, "atan2(%s, %s)", cosine(r, i, 1, j, 2), cosine(r, i, 2, j, 2));
  }
  if (strcmp(e->name, "THETA") == 0) return import_format(w, "acos(%s)", cosine(r, i, 2, j, 2));
  if (strcmp(e->name, "PHI") == 0) {
    return import_format(w, "atan2(%s, %s)", cosine(r, i, 0, j, 2), cosine(r, i, 1, j, 2));
  }
  return import_format(w, "atan2(%s, -%s)", cosine(r, i, 2, j, 0), cosine(r, i, 2, j, 1));
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
