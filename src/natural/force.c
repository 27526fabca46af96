// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The force elements of a model in natural coordinates: which part each of them takes, and all together.
#include "natural/force_ports.h"

#include <string.h>

#include "data/work.h"
#include "force/force.h"


//---- at work -------------------------------------------------------------------------------------

// the elements that act here, at q1 and v or between q0 and q1
static artStatus act_here(const naturalMachine *k, double t, const double *q0, const double *q1,
                          const double *v, naturalEffect *out, artError *error)
{
  struct naturalElements *x = k->elements;
  artStatus status = ART_OK;
  for (int i = 0; i < x->nport && status == ART_OK; i++) {
    if (!x->port[i].acts_here) continue;
    status = natural_act_port(k, &x->port[i], t, q0, q1, v, out, error);
  }
  return status;
}


static artStatus natural_apply_forces(void *context, double t, const double *q, const double *v,
                                      double *Q, double *power, double *potential, artError *error)
{
  naturalMachine *k = context;
  naturalEffect out = {.Q = Q, .potential = potential};
  artStatus status = act_here(k, t, NULL, q, v, &out, error);
  if (status == ART_OK) status = natural_apply_tree(k, t, q, v, &out, error);
  *power += out.power;
  return status;
}


// (Q_nc)_(n+1/2) = ((Q_nc)_n + (Q_nc)_(n+1)) / 2, of Dopico and others, below equation 7; its work is that along q1 - q0
static artStatus apply_at_ends(naturalMachine *k, double t0, const double *q0, const double *v0,
                               double t1, const double *q1, const double *v1, naturalEffect *out,
                               artError *error)
{
  double *Q = k->elements->ends;
  naturalEffect end = {.Q = Q, .leaves_out = LEAVE_ELASTIC};
  memset(Q, 0, (size_t) k->s->n * sizeof *Q);
  artStatus status = act_here(k, t0, NULL, q0, v0, &end, error);
  if (status == ART_OK) status = natural_apply_tree_resisting(k, t0, q0, v0, Q, error);
  if (status == ART_OK) status = act_here(k, t1, NULL, q1, v1, &end, error);
  if (status == ART_OK) status = natural_apply_tree_resisting(k, t1, q1, v1, Q, error);
  for (int i = 0; i < k->s->n; i++) {
    out->Q[i] += Q[i] / 2;
    out->power += Q[i] / 2 * (q1[i] - q0[i]) / (t1 - t0);
  }
  return status;
}


static artStatus apply_between(void *context, double t0, const double *q0, const double *v0,
                               double t1, const double *q1, const double *v1, double *Q,
                               double *power, artError *error)
{
  naturalMachine *k = context;
  struct naturalElements *x = k->elements;
  naturalEffect out = {.Q = Q, .leaves_out = k->at_ends ? LEAVE_RESISTING : 0};
  for (int i = 0; i < k->s->n; i++) {
    x->q[i] = 0.5 * (q0[i] + q1[i]);
    x->v[i] = 0.5 * (v0[i] + v1[i]);
  }
  artStatus status = act_here(k, t1, q0, q1, x->v, &out, error);
  if (status == ART_OK) status = natural_apply_tree_between(k, t0, q0, v0, t1, q1, v1, &out, error);
  if (status == ART_OK && k->at_ends) {
    status = apply_at_ends(k, t0, q0, v0, t1, q1, v1, &out, error);
  }
  *power += out.power;
  return status;
}


static void set_states(void *context, const double *s, const double *rate, double weight,
                       int is_middle)
{
  const naturalMachine *k = context;
  force_begin_step(k->m, k->d, s, rate, weight, is_middle);
}


static artStatus finish_states(void *context, double t, const double *q, const double *v,
                               const double *a, double weight, artError *error)
{
  naturalMachine *k = context;
  artWorkspace *w = k->d->work;
  if (k->m->nlate == 0 || !w->force->balance) return ART_OK;
  natural_recover(k, t, q, v, a);
  const artStatus status = w->force->balance(k->m, k->d, error);
  return status == ART_OK ? force_solve_late(k->m, k->d, weight, error) : status;
}


static void leave_middle(void *context, const double *s, double weight)
{
  const naturalMachine *k = context;
  force_leave_middle(k->m, k->d, s, weight);
}


static void get_states(void *context, double *s, double *rate)
{
  const naturalMachine *k = context;
  memcpy(s, k->d->s, (size_t) k->m->nstate * sizeof *s);
  memcpy(rate, k->d->s_rate, (size_t) k->m->nstate * sizeof *rate);
}


//---- making --------------------------------------------------------------------------------------

// The group of an element that acts through the tree, 0: it does not. Along lines and joint coordinates it does where a
// function makes the force, or a formula of more than the displacement; a constant force is a weight.
static int tree_force_group(const artModel *m, const modelElement *e)
{
  const elementPhysics *physics = port_physics(e);
  const int is_formula = e->formula[0] != NULL && natural_own_slot(m, e) < 0;
  const int is_given = is_formula || e->call.function != NULL;
  if (!physics) return e->has_potential ? TREE_STEADY : TREE_OTHER;
  switch (physics->port) {
  case PORT_PAIR: return e->pair->resists ? TREE_STEADY | TREE_OTHER : TREE_STEADY;
  case PORT_POINT: return e->has_potential ? 0 : TREE_OTHER;
  case PORT_LINE:
    if (e->nframe > 2) return e->has_potential ? TREE_STEADY : TREE_STEADY | TREE_OTHER;
    return is_given ? TREE_OTHER : 0;
  default: return is_given ? TREE_OTHER : 0;
  }
}


// after all coordinates have been added: room for them is taken here
void natural_add_elements(naturalMachine *k)
{
  const int count = k->m->nelement, n = k->s->n;
  k->forces = (naturalForces){0};
  if (count == 0 && k->m->nrate == 0) return;
  struct naturalElements *x = ARENA_TAKE(&k->arena, k->elements, 1);
  ARENA_TAKE(&k->arena, x->port, count);
  ARENA_TAKE(&k->arena, x->group, count);
  ARENA_TAKE(&k->arena, x->q, n);
  ARENA_TAKE(&k->arena, x->v, n);
  ARENA_TAKE(&k->arena, x->Q, n);
  ARENA_TAKE(&k->arena, x->row, n);
  ARENA_TAKE(&k->arena, x->ends, n);

  // states with formulas are found with the forces through the tree, also where there are none
  int acts = k->m->nrate > 0;
  if (acts) x->groups = TREE_OTHER;
  for (int i = 0; i < k->m->nelement; i++) {
    const modelElement *e = &k->m->element[i];
    const elementPhysics *physics = port_physics(e);
    x->group[i] = (unsigned char) tree_force_group(k->m, e);
    x->groups |= x->group[i];
    if (physics && physics->port == PORT_POINT && e->has_potential) {
      // a constant force in ground axes is a weight
      const v3 force = {formula_constant(e->formula[0]), formula_constant(e->formula[1]),
                        formula_constant(e->formula[2])};
      natural_add_weight(k->s, force, k->point[e->frame[0]]);
    } else {
      acts = 1;
      natural_add_port(k, e);
    }
  }
  if (acts) {
    k->forces = (naturalForces){.apply = natural_apply_forces,
                                .add_tangent = natural_add_port_tangents,
                                .apply_between = apply_between,
                                .nstate = k->m->nstate,
                                .nwatched = k->m->nrate,
                                .set_states = set_states,
                                .get_states = get_states,
                                .finish_states = finish_states,
                                .leave_middle = leave_middle,
                                .context = k};
  }
}
