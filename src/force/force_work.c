// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The part of a data block that forces keep: its life.
#include "force/force_work.h"

#include <string.h>

#include "base/memory.h"


static int free_forces(artWorkspace *w)
{
  mem_free(w->force);
  return 1;
}


// arrays are in the arena of the block, which is copied as a whole
static artStatus copy_forces(artData *to, const artData *from, artError *error)
{
  struct forceWork *own = to->work->force;
  const struct forceWork *other = from->work->force;
  (void) error;
  own->has_energies = other->has_energies;
  own->run = other->run;
  own->has_before = other->has_before;
  own->is_struck = other->is_struck;
  own->find_forces = other->find_forces;
  own->is_stepping = other->is_stepping;
  own->tyres = other->tyres;
  own->sampled_at = other->sampled_at;
  own->state_weight = other->state_weight;
  own->rate_weight = other->rate_weight;
  own->has_multipliers = other->has_multipliers;
  for (int i = 0; i < from->work->now->nroll; i++) own->roll[i] = other->roll[i];
  for (int i = 0; i < from->work->now->nrigid; i++) own->rigid[i] = other->rigid[i];
  own->npiled = other->npiled;
  for (int i = 0; i < other->npiled; i++) own->piled[i] = other->piled[i];
  return ART_OK;
}


static void hand_over_forces(const artModel *m, const artWorkspace *from, artWorkspace *to)
{
  struct forceWork *own = to->force;
  const struct forceWork *other = from->force;
  if (m->nvalue > 0) {
    memcpy(own->lift, other->lift, (size_t) m->nvalue * sizeof *own->lift);
    memcpy(own->lift_rate, other->lift_rate, (size_t) m->nvalue * sizeof *own->lift_rate);
  }
  own->tyres = other->tyres;
  own->watch = other->watch;
  own->sampled_at = other->sampled_at;
  const forceRun shown = own->run;
  own->run = other->run;
  memcpy(own->run.violation, shown.violation, sizeof shown.violation);
}


// of the formulas that are evaluated one at a time: outputs, and the motions of inverse studies
static int most_branches(const artModel *m)
{
  int most = 1;
  for (int i = 0; i < m->noutput; i++) {
    const formula *f = m->output[i].formula;
    if (f && f->nswitch > most) most = f->nswitch;
  }
  for (int i = 0; i < m->nstudy * m->tree.nq; i++) {
    const formula *f = m->study[i / m->tree.nq].motion[i % m->tree.nq];
    if (f && f->nswitch > most) most = f->nswitch;
  }
  return most;
}


static int take_pattern(statePattern *p, int n, baseArena *a)
{
  const size_t count = (size_t) n;
  p->colour = arena_alloc(a, count, sizeof *p->colour);
  p->depends = arena_alloc(a, count * count, 1);
  return p->colour && p->depends;
}


int force_solves_states(const artModel *m)
{
  return m->nearly <= MAX_SOLVED_STATES && m->nlate <= MAX_SOLVED_STATES;
}


// to solve for states, which takes the square of their number
static int take_solution(struct forceWork *own, const artModel *m, baseArena *a)
{
  const size_t n = (size_t) (m->nearly > m->nlate ? m->nearly : m->nlate);
  if (!force_solves_states(m)) return 1;
  return ARENA_TAKE(a, own->state_step, n) && ARENA_TAKE(a, own->is_met, n) &&
         ARENA_TAKE(a, own->state_matrix, n * n) && take_pattern(&own->pattern[0], m->nearly, a) &&
         take_pattern(&own->pattern[1], m->nlate, a);
}


int force_start_work(artWorkspace *w, const artModel *m)
{
  ART_ASSERT(!w->force);
  static const workOwner owner = {.free = free_forces,
                                  .copy = copy_forces,
                                  .refresh = force_refresh,
                                  .hand_over = hand_over_forces};
  struct forceWork *own = w->force = mem_alloc(1, sizeof *own);
  if (!own) return 0;
  w->owner[WORK_FORCES] = &owner;
  baseArena *a = &w->arena;
  const size_t nv = (size_t) m->tree.nv, nquantity = (size_t) m->nquantity;
  const size_t stack = (size_t) m->stack + 1, ncut = (size_t) m->ncut, ndrive = (size_t) m->ndrive;
  const size_t nrate = (size_t) (m->nearly > m->nlate ? m->nearly : m->nlate);
  const size_t branches = 2 * (size_t) most_branches(m), nvalue = (size_t) m->nvalue;
  return ARENA_TAKE(a, own->multiplier, m->nrow) && ARENA_TAKE(a, own->coupling_force, nv) &&
         ARENA_TAKE(a, own->roll, m->nroll) && ARENA_TAKE(a, own->rigid, m->nrigid) &&
         ARENA_TAKE(a, own->piled, model_pile_contacts(m)) && ARENA_TAKE(a, own->cut_force, ncut) &&
         ARENA_TAKE(a, own->from_force, ncut) && ARENA_TAKE(a, own->slots, nquantity) &&
         ARENA_TAKE(a, own->jets, nquantity) && ARENA_TAKE(a, own->stack, stack) &&
         ARENA_TAKE(a, own->jet_stack, stack) && ARENA_TAKE(a, own->lift, nvalue) &&
         ARENA_TAKE(a, own->lift_rate, nvalue) && ARENA_TAKE(a, own->state_base, m->nstate) &&
         ARENA_TAKE(a, own->sampled, m->nheld) && ARENA_TAKE(a, own->state_start, m->nstate) &&
         ARENA_TAKE(a, own->is_stiff, m->nstate) && take_solution(own, m, a) &&
         ARENA_TAKE(a, own->mark, nquantity + nrate) &&
         ARENA_TAKE(a, own->output_branch, branches) && ARENA_TAKE(a, own->rate_before, ndrive) &&
         ARENA_TAKE(a, own->mode_before, m->nmode) && ARENA_TAKE(a, own->rate_jump, ndrive) &&
         ARENA_TAKE(a, own->energies, 2);
}


void force_reset_work(artWorkspace *w)
{
  w->force->state_weight = w->force->rate_weight = 0;
  w->force->run = (forceRun){0};
  // a hysteresis between its borders begins at 0; all other modes follow from the state
  for (int i = 0; i < w->now->nmode; i++) w->mode[i] = 0;
}
