// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The force elements of a model in natural coordinates: which part each of them takes, and all together.
#include "natural/force_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/work.h"


// does it act through the tree?
static int is_in_tree(const naturalMachine *k, const modelElement *e)
{
  return k->elements->group[e - k->m->element] != 0;
}


//---- at work -------------------------------------------------------------------------------------

static artStatus apply(void *context, double t, const double *q, const double *v, double *Q,
                       double *power, double *potential, artError *error)
{
  naturalMachine *k = context;
  struct naturalElements *x = k->elements;
  naturalEffect out = {.Q = Q};
  artStatus status = ART_OK;
  for (int i = 0; i < x->nline && status == ART_OK; i++) {
    if (is_in_tree(k, x->line[i].e)) continue;
    status = natural_apply_line(k->s, &x->line[i], t, q, v, &out, error);
  }
  for (int i = 0; i < x->naxis && status == ART_OK; i++) {
    if (is_in_tree(k, x->axis[i].e)) continue;
    status = natural_apply_axis(&x->axis[i], t, q, v, &out, error);
  }
  if (status == ART_OK) status = natural_apply_tree(k, t, q, v, &out, error);
  *power += out.power;
  *potential += out.potential;
  return status;
}


static s3 s3_scale(double f, s3 a)
{
  return (s3){f * a.xx, f * a.yy, f * a.zz, f * a.xy, f * a.xz, f * a.yz};
}


// stiffness and damping are those of the state, or of the middle of the step, evaluated last
static void add_tangent(void *context, double stiffness, double damping, double *values)
{
  const naturalMachine *k = context;
  const struct naturalElements *x = k->elements;
  for (int i = 0; i < x->nline; i++) {
    const naturalLine *line = &x->line[i];
    natural_add_form_tangent(k->s, line->span, natural_patch(k->s, line->patch),
                             natural_line_tangent(line, stiffness, damping), x->gradient, values);
  }
  for (int i = 0; i < x->naxis; i++) {
    const naturalAxis *axis = &x->axis[i];
    natural_add_axis_tangent(axis, natural_patch(k->s, axis->patch),
                             stiffness * axis->stiffness + damping * axis->damping, values);
  }
  for (int i = 0; i < x->nspot; i++) {
    const naturalSpot *spot = &x->spot[i];
    const s3 A = s3_add(s3_scale(stiffness, spot->stiffness), s3_scale(damping, spot->damping));
    natural_add_form_tangent(k->s, spot->point, natural_patch(k->s, spot->patch), A, x->gradient,
                             values);
  }
  for (int i = 0; i < x->npair; i++) {
    natural_add_pair_tangent(k, &x->pair[i], stiffness, damping, values);
  }
  for (int i = 0; i < x->nwheel; i++) {
    natural_add_wheel_tangent(k, &x->wheel[i], stiffness, damping, values);
  }
}


static void set_states(void *context, const double *base, double weight)
{
  const naturalMachine *k = context;
  artWork *w = k->d->work;
  w->state_weight = weight;
  memcpy(weight > 0 ? w->state_base : k->d->s, base, (size_t) k->m->nstate * sizeof *base);
}


static void get_states(void *context, double *s, double *rate)
{
  const naturalMachine *k = context;
  memcpy(s, k->d->s, (size_t) k->m->nstate * sizeof *s);
  memcpy(rate, k->d->s_rate, (size_t) k->m->nstate * sizeof *rate);
}


static artStatus apply_between(void *context, double t0, const double *q0, const double *v0,
                               double t1, const double *q1, const double *v1, double *Q,
                               double *power, artError *error)
{
  naturalMachine *k = context;
  struct naturalElements *x = k->elements;
  naturalEffect out = {.Q = Q};
  for (int i = 0; i < k->s->n; i++) {
    x->q[i] = 0.5 * (q0[i] + q1[i]);
    x->v[i] = 0.5 * (v0[i] + v1[i]);
  }
  artStatus status = ART_OK;
  for (int i = 0; i < x->nline && status == ART_OK; i++) {
    if (is_in_tree(k, x->line[i].e)) continue;
    status = natural_apply_line_between(k->s, &x->line[i], t1, q0, q1, x->v, &out, error);
  }
  for (int i = 0; i < x->naxis && status == ART_OK; i++) {
    if (is_in_tree(k, x->axis[i].e)) continue;
    status = natural_apply_axis_between(&x->axis[i], t1, q0, q1, x->v, &out, error);
  }
  if (status == ART_OK) status = natural_apply_tree_between(k, t0, q0, v0, t1, q1, v1, &out, error);
  *power += out.power;
  return status;
}


//---- making --------------------------------------------------------------------------------------

// All return 0 when a form is missing because memory ran out; of rows, weights and patches that are
// missing natural_finish tells.

static int add_line(naturalMachine *k, const modelElement *e)
{
  const int ends[2] = {k->point[e->frame[1]], k->point[e->frame[0]]};
  if (ends[0] < 0 || ends[1] < 0) return 0;
  const int span = natural_add_sum(k->s, 2, ends, (double[]){1, -1}, (v3){0, 0, 0});
  const int patch = natural_add_patch(k->s, 1, &span, 0, NULL);
  k->elements->line[k->elements->nline++] =
      (naturalLine){.e = e, .work = k->d->work, .span = span, .patch = patch};
  return span >= 0;
}


static int by_coordinate(const void *a, const void *b)
{
  const int x = ((const naturalAxisTerm *) a)->s, y = ((const naturalAxisTerm *) b)->s;
  return (x > y) - (x < y);
}


static int add_axis(naturalMachine *k, const modelElement *e)
{
  struct naturalElements *x = k->elements;
  const size_t n = (size_t) e->nterm;
  int *q = arena_alloc(&x->arena, n, sizeof *q);
  naturalAxis *axis = &x->axis[x->naxis++];
  *axis = (naturalAxis){.e = e, .work = k->d->work, .n = e->nterm};
  axis->term = arena_alloc(&x->arena, n, sizeof *axis->term);
  if (!q || !axis->term) return 0;
  for (int i = 0; i < e->nterm; i++) {
    naturalAxisTerm *term = &axis->term[i];
    *term = (naturalAxisTerm){.s = k->coordinate[e->term[i].velocity], .c = e->term[i].c};
    natural_find_slots(k->m, e, &e->term[i], term);
    ART_ASSERT(term->s >= 0);
    q[i] = term->s;
  }
  qsort(axis->term, n, sizeof *axis->term, by_coordinate);
  axis->patch = natural_add_patch(k->s, 0, NULL, e->nterm, q);
  return 1;
}


// a constant force in ground axes is a weight
static int add_constant_force(naturalMachine *k, const modelElement *e)
{
  const v3 force = {formula_constant(e->formula[0]), formula_constant(e->formula[1]),
                    formula_constant(e->formula[2])};
  const int point = k->point[e->frame[0]];
  return point >= 0 && natural_add_weight(k->s, force, point);
}


static int add_spot(naturalMachine *k, const modelElement *e)
{
  naturalSpot spot = {.e = e, .point = k->point[e->frame[0]]};
  if (e->is_torque) return 1;
  const int is_by_formula = e->formula[0] != NULL;
  if (is_by_formula && !natural_find_point_slots(k->m, &spot)) return 1;
  spot.patch = natural_add_patch(k->s, 1, &spot.point, 0, NULL);
  k->elements->spot[k->elements->nspot++] = spot;
  return spot.point >= 0;
}


// The group of an element that acts through the tree, 0: it does not. Along lines and joint coordinates it does where a
// formula or function makes the force; a constant force is a weight.
static int group_of(const modelElement *e)
{
  const elementPhysics *physics = port_physics(e);
  const int is_given = e->formula[0] != NULL || e->call.function != NULL;
  if (!physics) return e->has_potential ? TREE_STEADY : TREE_OTHER;
  switch (physics->port) {
  case PORT_PAIR:
    return e->pair->resists ? TREE_STEADY | TREE_OTHER : TREE_STEADY;
  case PORT_POINT:
    return e->has_potential ? 0 : TREE_OTHER;
  case PORT_LINE:
    if (e->nframe > 2) return e->has_potential ? TREE_STEADY : TREE_STEADY | TREE_OTHER;
    return is_given ? TREE_OTHER : 0;
  default:
    return is_given ? TREE_OTHER : 0;
  }
}


static int add_element(naturalMachine *k, int i)
{
  const modelElement *e = &k->m->element[i];
  const elementPhysics *physics = port_physics(e);
  const int group = group_of(e);
  k->elements->group[i] = (unsigned char) group;
  k->elements->groups |= group;
  if (!physics) return e->tyre ? natural_add_wheel(k, e) : 1;
  switch (physics->port) {
  case PORT_LINE:
    return e->nframe > 2 ? natural_add_pair(k, e) : add_line(k, e);
  case PORT_POINT:
    return e->has_potential ? add_constant_force(k, e) : add_spot(k, e);
  case PORT_PAIR:
    return natural_add_pair(k, e);
  default:
    return add_axis(k, e);
  }
}


static int count_terms(const naturalSystem *s, int form)
{
  int n = 0;
  for (int c = 0; c < 3; c++) n += s->form[3 * form + c].n;
  return n;
}


// at most as many coordinates as the largest patch has
static size_t largest_patch(const naturalMachine *k)
{
  const struct naturalElements *x = k->elements;
  int most = 0;
  for (int i = 0; i < x->nline + x->nspot; i++) {
    const int form = i < x->nline ? x->line[i].span : x->spot[i - x->nline].point;
    const int n = count_terms(k->s, form);
    if (n > most) most = n;
  }
  for (int i = 0; i < x->nwheel; i++) {
    int n = 0;
    for (int c = 0; c < 4; c++) n += count_terms(k->s, x->wheel[i].forms[c]);
    if (n > most) most = n;
  }
  return (size_t) most;
}


// after all coordinates have been added: room for them is taken here
artStatus natural_add_elements(naturalMachine *k, artError *error)
{
  const size_t count = (size_t) k->m->nelement, n = (size_t) k->s->n;
  k->forces = (naturalForces){0};
  if (count == 0) return ART_OK;
  struct naturalElements *x = k->elements = mem_alloc(1, sizeof *x);
  if (!x) return base_no_memory(error);
  x->line = arena_alloc(&x->arena, count, sizeof *x->line);
  x->axis = arena_alloc(&x->arena, count, sizeof *x->axis);
  x->spot = arena_alloc(&x->arena, count, sizeof *x->spot);
  x->wheel = arena_alloc(&x->arena, count, sizeof *x->wheel);
  x->pair = arena_alloc(&x->arena, count, sizeof *x->pair);
  x->row = arena_alloc(&x->arena, n, sizeof *x->row);
  x->group = arena_alloc(&x->arena, count, sizeof *x->group);
  x->q = arena_alloc(&x->arena, n, sizeof *x->q);
  x->v = arena_alloc(&x->arena, n, sizeof *x->v);
  x->Q = arena_alloc(&x->arena, n, sizeof *x->Q);
  if (!x->line || !x->axis || !x->spot || !x->wheel || !x->pair || !x->row || !x->group || !x->q ||
      !x->v || !x->Q)
    return base_no_memory(error);

  for (int i = 0; i < k->m->nelement; i++) {
    if (!add_element(k, i)) return base_no_memory(error);
  }
  x->gradient = arena_alloc(&x->arena, 6 * largest_patch(k), sizeof *x->gradient);
  if (!x->gradient) return base_no_memory(error);
  if (x->nline + x->naxis > 0 || x->groups) {
    k->forces = (naturalForces){.apply = apply,
                                .add_tangent = add_tangent,
                                .apply_between = apply_between,
                                .nstate = k->m->nstate,
                                .set_states = set_states,
                                .get_states = get_states,
                                .context = k};
  }
  return ART_OK;
}


void natural_free_elements(naturalMachine *k)
{
  if (!k->elements) return;
  arena_free(&k->elements->arena);
  mem_free(k->elements);
  k->elements = NULL;
}
