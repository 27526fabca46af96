// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The life of a data block: memory of all values besides the state.
#include "data/work.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "data/rod_inertia.h"


// of the formulas that are evaluated one at a time: outputs, and the motions of inverse studies
static int most_branches(const artModel *m)
{
  int most = 1;
  for (int i = 0; i < m->noutput; i++) {
    if (m->output[i].formula->nswitch > most) most = m->output[i].formula->nswitch;
  }
  for (int i = 0; i < m->nstudy * m->tree.nq; i++) {
    const formula *f = m->study[i / m->tree.nq].motion[i % m->tree.nq];
    if (f && f->nswitch > most) most = f->nswitch;
  }
  return most;
}


static int take_work(artWork *w, const artModel *m)
{
  baseArena *a = &w->arena;
  const size_t nv = (size_t) m->tree.nv, nquantity = (size_t) m->nquantity;
  const size_t stack = (size_t) m->stack + 1;
  const size_t branches = (size_t) most_branches(m);
  return tree_start(&m->tree, &w->tree, a) &&
         (w->applied = arena_alloc(a, (size_t) m->tree.n, sizeof *w->applied)) &&
         (w->multiplier = arena_alloc(a, (size_t) m->nrow, sizeof *w->multiplier)) &&
         (w->coupling_force = arena_alloc(a, nv, sizeof *w->coupling_force)) &&
         (w->cut_force = arena_alloc(a, (size_t) m->ncut, sizeof *w->cut_force)) &&
         (w->from_force = arena_alloc(a, (size_t) m->ncut, sizeof *w->from_force)) &&
         (w->rod_force = arena_alloc(a, (size_t) m->nrod, sizeof *w->rod_force)) &&
         (w->slots = arena_alloc(a, nquantity, sizeof *w->slots)) &&
         (w->jets = arena_alloc(a, nquantity, sizeof *w->jets)) &&
         (w->stack = arena_alloc(a, stack, sizeof *w->stack)) &&
         (w->jet_stack = arena_alloc(a, stack, sizeof *w->jet_stack)) &&
         (w->value = arena_alloc(a, (size_t) m->nvalue, sizeof *w->value)) &&
         (w->lift = arena_alloc(a, (size_t) m->nvalue, sizeof *w->lift)) &&
         (w->lift_rate = arena_alloc(a, (size_t) m->nvalue, sizeof *w->lift_rate)) &&
         (w->state_base = arena_alloc(a, (size_t) m->nstate, sizeof *w->state_base)) &&
         (w->mode = arena_alloc(a, (size_t) m->nmode, sizeof *w->mode)) &&
         (w->output_branch = arena_alloc(a, 2 * branches, sizeof *w->output_branch)) &&
         (w->a_drive = arena_alloc(a, nv, sizeof *w->a_drive)) &&
         (w->rate_before = arena_alloc(a, (size_t) m->ndrive, sizeof *w->rate_before)) &&
         (w->mode_before = arena_alloc(a, (size_t) m->nmode, sizeof *w->mode_before)) &&
         (w->rate_jump = arena_alloc(a, (size_t) m->ndrive, sizeof *w->rate_jump)) &&
         (w->scratch = arena_alloc(a, nv, sizeof *w->scratch)) &&
         (w->energies = arena_alloc(a, 2, sizeof *w->energies)) && rods_start(&w->rods, m, a);
}


artWork *data_create_work(const artModel *model, const artModel *variant)
{
  artWork *w = mem_alloc(1, sizeof *w);
  if (!w) return NULL;
  w->model = model;
  w->now = variant;
  if (take_work(w, variant)) return w;
  data_free_work(w);
  return NULL;
}


int data_free_work(artWork *w)
{
  if (!w) return 1;
  for (int i = WORK_OWNERS - 1; i >= 0; i--) {
    if (w->owner[i] && !w->owner[i]->free(w)) return 0;
  }
  artWork *first = w->first;
  arena_free(&w->arena);
  model_free_variant(w->own_variant);
  mem_free(w);
  return data_free_work(first);
}


void data_copy_work(artWork *to, const artWork *from)
{
  const int are_alike = arena_copy_all(&to->arena, &from->arena);
  assert(are_alike);
  (void) are_alike;
  to->tree.has_world = from->tree.has_world;
  to->tree.has_velocity = from->tree.has_velocity;
  to->tree.has_body = from->tree.has_body;
  to->tree.f_ext = from->tree.f_ext ? to->applied : NULL;
  to->is_frozen = from->is_frozen;
  to->has_before = from->has_before;
  to->is_struck = from->is_struck;
  to->has_energies = from->has_energies;
  to->find_forces = from->find_forces;
  to->tyres = from->tyres;
  to->state_weight = from->state_weight;
  to->power = from->power;
  to->work = from->work;
  to->initial_energy = from->initial_energy;
  to->step_size = from->step_size;
  to->step_index = from->step_index;
  memcpy(to->violation, from->violation, sizeof to->violation);
  to->has_multipliers = from->has_multipliers;
  to->has_motion = from->has_motion;
  to->placed = from->placed;
  to->moved = from->moved;
  to->accelerated = from->accelerated;
}


void data_hand_over(const artModel *m, const artWork *from, artWork *to)
{
  if (m->nmode > 0) memcpy(to->mode, from->mode, (size_t) m->nmode * sizeof *to->mode);
  if (m->nvalue > 0) {
    memcpy(to->lift, from->lift, (size_t) m->nvalue * sizeof *to->lift);
    memcpy(to->lift_rate, from->lift_rate, (size_t) m->nvalue * sizeof *to->lift_rate);
  }
  to->is_frozen = from->is_frozen;
  to->tyres = from->tyres;
  to->work = from->work;
  to->initial_energy = from->initial_energy;
  to->step_size = from->step_size;
  to->step_index = from->step_index;
  to->profile = from->profile;
}


void data_forget_motion(artWork *w)
{
  for (int i = 0; i < WORK_OWNERS; i++) {
    if (w->owner[i] && w->owner[i]->forget) w->owner[i]->forget(w);
  }
}
