// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Hystereses of a machine whose sides are numbers behind those that samplers hold. A margin is positive while a side holds:
//   x - low on side 1, high - x on side 0.
#include <string.h>

#include "gen/build.h"
#include "gen/port_equations.h"
#include "model/formula_program.h"

typedef struct genRelay {
  int mode;         // its place among all modes
  const char *name; // "valve.side"
  int margin;       // node, -1: not made yet
} genRelay;


static int is_relay(const formulaStep *step)
{
  return step->op == OP_HYSTERESIS;
}


static int count_relays(const formula *f)
{
  int n = 0;
  for (int k = 0; f && k < f->nstep; k++) n += is_relay(&f->steps[k]);
  return n;
}


// "valve.side", which relay blocks have already; of several in one formula "valve.side_2"
static const char *side_name(genBuild *b, const char *owner, int count, int number)
{
  static const char side[] = ".side";
  const size_t n = strlen(owner), end = sizeof side - 1;
  const char *tail = n > end && strcmp(owner + n - end, side) == 0 ? "" : side;
  return count == 1 ? arena_format(&b->program->arena, "%s%s", owner, tail)
                    : arena_format(&b->program->arena, "%s%s_%d", owner, tail, number);
}


// those of a formula, whose modes begin at mode0
static int add_relays(genBuild *b, const formula *f, int mode0, const char *owner)
{
  const int n = count_relays(f);
  int own = 0;
  for (int k = 0; k < f->nstep && own < n; k++) {
    if (!is_relay(&f->steps[k])) continue;
    const char *name = side_name(b, owner, n, ++own);
    if (!name) return 0;
    genRelay *relay = &b->relay[b->nrelay];
    *relay = (genRelay){mode0 + f->steps[k].index, name, -1};
    b->mode[relay->mode] = expr_symbol(b->pool, "u", b->m->nheld + b->nrelay++);
  }
  return 1;
}


int gen_find_relays(genBuild *b)
{
  const artModel *m = b->m;
  int most = 0;
  for (int i = 0; i < m->nelement; i++) {
    for (int c = 0; c < 3; c++) most += count_relays(m->element[i].formula[c]);
  }
  for (int i = 0; i < model_frozen_count(m); i++) {
    most += model_frozen(m, i) ? count_relays(model_frozen(m, i)->f) : 0;
  }
  b->relay = gen_alloc(b, (size_t) most + 1, sizeof *b->relay);
  int made = b->relay != NULL;
  for (int i = 0; i < m->nelement && made; i++) {
    const modelElement *e = &m->element[i];
    int first = e->mode0;
    for (int c = 0; c < 3 && e->formula[c] && made; c++) {
      made = add_relays(b, e->formula[c], first, e->name);
      first += e->formula[c]->nswitch;
    }
  }
  for (int i = 0; i < model_frozen_count(m) && made; i++) {
    const signalFormula *s = model_frozen(m, i);
    if (s) made = add_relays(b, s->f, s->mode0, model_frozen_name(m, i));
  }
  return made;
}


int gen_holds_memory(const genBuild *b, const formula *f)
{
  for (int k = 0; k < f->nstep; k++) {
    if (!is_relay(&f->steps[k])) continue;
    if (!b->branch || b->branch[f->steps[k].index] < 0) return 0;
  }
  return 1;
}


void gen_relay_margin(genBuild *b, int side, int margin)
{
  for (int i = 0; i < b->nrelay; i++) {
    genRelay *relay = &b->relay[i];
    if (relay->margin < 0 && b->mode[relay->mode] == side) relay->margin = margin;
  }
}


const char **gen_held_names(genBuild *b)
{
  const char **label = gen_alloc(b, (size_t) b->nheld, sizeof *label);
  for (int i = 0; label && i < b->nheld; i++) {
    label[i] = i < b->m->nheld ? b->m->held[i].name : b->relay[i - b->m->nheld].name;
  }
  return label;
}


artStatus gen_relay_signals(genBuild *b)
{
  const artModel *m = b->m;
  for (int i = 0; i < m->nsignal; i++) {
    const modelSignal *s = &m->signal[i];
    if (count_relays(s->value.f) == 0) continue;
    if (gen_quantity(b, s->slot, s->place, s->name) < 0) return ART_UNSUPPORTED;
  }
  return ART_OK;
}


artStatus gen_relays(genBuild *b)
{
  eqnFunction *f =
      gen_like_accelerate(b, "relays", "how far relays are from going over to their other side", 1);
  int *margin = gen_alloc(b, (size_t) b->nrelay, sizeof *margin);
  const char **label = gen_alloc(b, (size_t) b->nrelay, sizeof *label);
  if (!f || !margin || !label) return base_no_memory(b->error);
  for (int i = 0; i < b->nrelay; i++) {
    margin[i] = b->relay[i].margin;
    label[i] = b->relay[i].name;
  }
  f->output[f->noutput++] =
      gen_vector(b, "margin", "positive while sides hold", b->nrelay, margin, label);
  return ART_OK;
}
