// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The life of a data block: memory of all values besides the state.
#include "data/work.h"

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
  arena_free(&w->arena);
  mem_free(w);
  return 1;
}


void data_forget_motion(artWork *w)
{
  for (int i = 0; i < WORK_OWNERS; i++) {
    if (w->owner[i] && w->owner[i]->forget) w->owner[i]->forget(w);
  }
}
