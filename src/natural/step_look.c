// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The look into steps in natural coordinates: quantities and wheels of the machine at the ends of a step, and in its middle by the
// cubic through positions and velocities of both ends (force/step_view.h).
#include "force/force.h"
#include "natural/natural.h"

static void put_place(naturalMachine *k, double t, const double *q, const double *v,
                      const double *s, int place)
{
  if (k->forces.nstate > 0) k->forces.set_states(k, s, NULL, 0, 0);
  natural_recover(k, t, q, v, NULL);
  force_view_take(&k->view, k->m, k->d, place);
}


static void put_middle(naturalMachine *k, const naturalSpan *x)
{
  const double t = 0.5 * (x->from + x->to);
  double *q = k->middle, *v = q + k->s->n, *s = v + k->s->n;
  natural_within(x, k->s->n, k->forces.nstate, t, q, v, s);
  put_place(k, t, q, v, s, VIEW_MIDDLE);
}


static void look_at_span(void *context, const naturalSpan *x)
{
  naturalMachine *k = context;
  stepView *v = &k->view;
  if (x->is_new) force_view_forget(v, k->m);
  const int has_begun = force_view_begin(v, k->m, x->from, x->to);
  if (!force_view_reads_state(v) && !v->has_wheels) return;
  if (!has_begun) put_place(k, x->from, x->q[0], x->v[0], x->s[0], VIEW_BEGIN);
  put_place(k, x->to, x->q[1], x->v[1], x->s[1], VIEW_END);
  if (force_view_needs_middle(v, k->m, k->d)) {
    put_middle(k, x);
  } else {
    force_view_follow(v, k->m);
  }
  if (k->forces.nstate > 0) k->forces.set_states(k, x->s[0], NULL, 0, 0);
}


static double find_switch_within(void *context, double after, double to)
{
  naturalMachine *k = context;
  return force_view_switch(&k->view, k->m, k->d, after, to);
}


static double find_end_of_seen(void *context, double to)
{
  naturalMachine *k = context;
  return force_view_seen(&k->view, k->m, k->d, to);
}


artStatus natural_look_into_steps(naturalMachine *k, int is_fixed, artError *error)
{
  const size_t count = 2 * (size_t) k->s->n + (size_t) k->m->nstate + 1;
  if (!force_view_create(&k->view, &k->arena, k->m, 1, 0) ||
      !ARENA_TAKE(&k->arena, k->middle, count)) {
    return base_no_memory(error);
  }
  k->view.rule = is_fixed ? RULE_TRAPEZOID : RULE_NONE;
  if (!k->view.is_needed) return ART_OK;
  k->forces.look = look_at_span;
  k->forces.within = find_switch_within;
  k->forces.seen = find_end_of_seen;
  return ART_OK;
}
