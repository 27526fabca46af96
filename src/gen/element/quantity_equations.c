// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas with their quantities as expressions.
#include "gen/build.h"
#include "gen/parameter/definition.h"

// whether all that a quantity reads is known: accelerations and forces, and what a run tells, are so at the end
static int is_known_quantity(genBuild *b, const modelQuantity *quantity)
{
  switch (quantity->kind) {
  case QUANTITY_MULTIPLIER: return b->multiplier != NULL;
  case QUANTITY_ENERGY: return quantity->component < 3 || b->acceleration;
  case QUANTITY_STEP:
  case QUANTITY_CONSTRAINT:
  case QUANTITY_ACCELERATION: return b->acceleration != NULL;
  case QUANTITY_JOINT_FORCE:
  case QUANTITY_REACTION:
  case QUANTITY_POINT_ACCELERATION:
  case QUANTITY_SURGE:
  case QUANTITY_ALPHA:
  case QUANTITY_ROTATION:
  case QUANTITY_ROD:
  case QUANTITY_LATCH:
  case QUANTITY_BAR: return b->acceleration && gen_settle(b) != NULL;
  default: return 1;
  }
}


// A named formula on its own branches: those that a run holds, or of its arguments.
static int gen_signal(genBuild *b, const signalFormula *s, const char *name)
{
  const int *branch = b->branch, is_condition = b->is_condition;
  const char *owner = b->owner;
  b->is_condition = 0;
  b->branch = b->mode && s->is_frozen ? b->mode + s->mode0 : NULL;
  b->owner = name;
  const int node = gen_formula(b, s->f, s->place, name);
  b->branch = branch;
  b->is_condition = is_condition;
  b->owner = owner;
  return node;
}


void gen_rates(genBuild *b, int n, const int *which)
{
  for (int i = 0; i < n; i++) {
    const modelState *state = &b->m->state[which[i]];
    b->state_rate[which[i]] = gen_signal(b, &state->rate, state->name);
  }
}


int gen_quantity(genBuild *b, int number, artPlace place, const char *name)
{
  ART_ASSERT(number >= 0 && number < b->m->nquantity);
  const modelQuantity *quantity = &b->m->quantity[number];
  if (b->slot[number] < 0 && quantity->kind == QUANTITY_SIGNAL) {
    const modelSignal *signal = &b->m->signal[quantity->index];
    b->slot[number] = gen_signal(b, &signal->value, signal->name);
    if (b->slot[number] > 0) gen_name_of(b, b->slot[number], signal->name, "signal");
    return b->slot[number];
  }
  if (b->slot[number] < 0 && is_known_quantity(b, quantity)) {
    b->slot[number] = gen_quantity_value(b, quantity);
    if (b->slot[number] >= 0) gen_note_path(b, quantity, b->slot[number]);
  }
  if (b->slot[number] < 0) {
    gen_leave(b,
              base_fail(b->error, ART_UNSUPPORTED, place,
                        "'%s' reads a quantity that generated code does not compute there", name));
  }
  return b->slot[number];
}


// a formula whose slots of parameters follow slots of quantities
static formula with_parameters(genBuild *b, const formula *live)
{
  formula own = *live;
  formulaStep *steps =
      arena_copy(&b->program->arena, live->steps, (size_t) live->nstep, sizeof *steps);
  for (int k = 0; k < live->nstep; k++) {
    const int p = formula_read(live, k) - FORMULA_PARAMETER;
    if (p < 0) continue;
    steps[k].index = b->m->nquantity + p;
    b->slot[steps[k].index] =
        p < b->m->nparameter ? gen_user_parameter(b, p) : gen_live_number(b, p - b->m->nparameter);
  }
  own.steps = steps;
  return own;
}


int gen_formula(genBuild *b, const formula *f, artPlace place, const char *name)
{
  if (!gen_holds_memory(b, f)) {
    gen_leave(b, base_fail(b->error, ART_UNSUPPORTED, place,
                           "the formula of '%s' has a hysteresis, which remembers its side; "
                           "neither drives, sampled formulas and outputs nor the integrators of "
                           "MATLAB and GPUs can hold it",
                           name));
  }
  const formula *live = gen_live_formula(b, f), own = live ? with_parameters(b, live) : *f;
  for (int k = 0; k < own.nstep; k++) {
    const int slot = formula_read(&own, k);
    if (slot >= 0 && slot < b->m->nquantity) gen_quantity(b, slot, place, name);
  }
  const int node = gen_formula_of(b, &own, b->slot, gen_held_branches(b, f));
  gen_note_law(b, f, node);
  return node;
}
