// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Samplers of a machine: held numbers after an instant. Clocks that are due are an input, 1 or 0. Each sampler reads the
// machine as it is just before the instant, and other samplers as they are after it; memories are read as they were.
#include <string.h>

#include "gen/build.h"
#include "gen/element/port_equations.h"


// u_next[nheld], with symbols of the clocks that are due
static void find_next(genBuild *b, const int *due, int *next)
{
  const artModel *m = b->m;
  int *seen = gen_copy(b, b->nheld, b->held);
  memcpy(next, b->held, (size_t) b->nheld * sizeof *next);
  for (int k = 0; k < m->nsampler; k++) {
    const int i = m->sampler[k];
    const modelHeld *held = &m->held[i];
    // held numbers represent these nodes from here on, and signals are made anew
    for (int j = 0; j < b->m->nquantity; j++) {
      const modelQuantity *quantity = &b->m->quantity[j];
      if (quantity->kind == QUANTITY_SIGNAL) b->slot[j] = -1;
      if (quantity->kind == QUANTITY_HELD) b->slot[j] = seen[quantity->index];
    }
    const int value = gen_formula(b, held->next.f, held->place, held->name);
    next[i] = expr_select(b->pool, due[held->clock], value, b->held[i]);
    if (!held->is_memory) seen[i] = next[i];
  }
}


// intervals of samplers and their first instants
static void add_clocks(genBuild *b)
{
  const artModel *m = b->m;
  int *node = gen_alloc(b, 2 * (size_t) m->nclock, sizeof *node);
  eqnFunction *f =
      gen_add_function(b, EQN_CLOCKS, "intervals of samplers and their first instants, s", 1, 1, 1);
  for (int i = 0; i < m->nclock; i++) {
    node[2 * i] = gen_number_at(b, &m->clock[i].every, "every");
    node[2 * i + 1] = gen_number_at(b, &m->clock[i].offset, "offset");
  }
  f->stage[0] = (eqnStage){.title = "clocks"};
  f->input[0] = eqn_function(b->program, EQN_ACCELERATE)->input[0];
  f->output[0] =
      gen_vector(b, "clocks", "intervals and first instants in turn, s", 2 * m->nclock, node, NULL);
}


void gen_sample(genBuild *b)
{
  const artModel *m = b->m;
  const size_t n = (size_t) gen_slot_count(m);
  if (m->nsampler == 0) return;
  int *due = gen_alloc(b, (size_t) m->nclock, sizeof *due);
  int *next = gen_alloc(b, (size_t) b->nheld, sizeof *next);
  int *slot = gen_alloc(b, n, sizeof *slot), *own = b->slot, *mode = b->mode;
  const char **label = gen_held_names(b);
  eqnFunction *f = gen_like_accelerate(
      b, EQN_SAMPLE, "inputs and sampled values after an instant of samplers; inputs stay", 1);
  for (int i = 0; i < m->nclock; i++) due[i] = expr_symbol(b->pool, "due", i);
  memcpy(slot, own, n * sizeof *slot);
  b->slot = slot;
  if (b->options->modes) b->mode = NULL; // branches are chosen anew
  b->branch = NULL;
  find_next(b, due, next);
  b->slot = own;
  b->mode = mode;
  f->input[f->ninput++] =
      gen_vector(b, "due", "1 where the instant is one of a clock, 0 else", m->nclock, due, NULL);
  f->output[f->noutput++] = gen_vector(b, "u_next", "held numbers", b->nheld, next, label);
  add_clocks(b);
}
