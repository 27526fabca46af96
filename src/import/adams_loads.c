// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions that ask for loads: FX(i, j, k) and its like for all that acts between two markers, JOINT(id, side, component, axes)
// and its like for one element. Outputs alone may read them.
#include <string.h>

#include "import/adams_terms.h"


// component c, along ground, of what an element shows as its force or torque: those in all six directions are along the axes of j
static term shown(admReader *r, const admForce *act, char letter, int c)
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


// what an element does on marker i of the pair, along ground: a force, or with is_torque a torque at the marker
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
  term plain = shown(r, act, letter, c);
  if (free)
    plain = term_difference(r, plain, term_product(r, (term){free, 0}, term_axis(r, act->j, 2, c)));
  if (act->form == 'd' && is_torque) return (term){NULL, 0};
  if (!is_on_j) return plain;
  const term other = term_product(r, (term){NULL, -1}, plain);
  if (!is_torque) return other;
  // at the marker J: -t - d x f, zero where the markers coincide
  if (act->form == 'p') return other;
  const int a = (c + 1) % 3, b = (c + 2) % 3;
  const term force[2] = {shown(r, act, 'f', a), shown(r, act, 'f', b)};
  const term arm =
      term_difference(r, term_product(r, term_relative(r, 'd', act->i, act->j, NULL, b), force[0]),
                      term_product(r, term_relative(r, 'd', act->i, act->j, NULL, a), force[1]));
  return term_sum(r, other, (term){term_text(r, arm), 0});
}


// loads on a marker, each on its i or j
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


// component 1 to 8 of loads: magnitude, x, y, z of the force, and of the torque
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


// all that acts between two markers; false: nothing, or too much
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


// FX(i, j, k) and its like, JOINT(id, side, component, axes) and those of forces
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
