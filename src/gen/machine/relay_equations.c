// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Hystereses of a machine whose sides are numbers after those that samplers hold. A margin is positive while a side holds:
//   x - low on side 1, high - x on side 0.
// Corners have a third one, 0.5, on which they begin, and on which they stand on their borders.
// Conditions of latches stay on the branches of their piecewise operations, which are held in the same way, so that a
// condition which has come true stays so beyond a corner, and no step passes over it.
#include "gen/vectors.h"

#include <string.h>

#include "model/formula/formula_program.h"
#include "model/latch_physics.h"
#include "sym/loop_symbolic.h"

// Margins beyond all others, within the range of single precision: of a corner on its border, and of none.
static const double STANDING = 1e30, NOWHERE = -1e30;

typedef enum relayKind {
  RELAY_LOOP,
  RELAY_CORNER,
  RELAY_KNOT,
  RELAY_SIGN,
  RELAY_WAY,
  RELAY_ENGAGE,
  RELAY_RELEASE
} relayKind;

// A hysteresis, a corner, one of a law or a stop, a sign, or a relay of a latch: its way, branches of its conditions.
typedef struct genRelay {
  relayKind kind;
  int side;         // symbol
  const char *name; // "valve.side"
  int margin;       // node, -1: not made yet
  int beyond;       // node of a corner, positive on side 1
  int latch;        // whose indicator tells of it, -1: none
} genRelay;


static int is_relay(const formulaStep *step)
{
  return step->op == OP_HYSTERESIS;
}


// knots of a law, each of which has two sides
static int count_knots(const forceLaw *law)
{
  return law_is_smooth(law) || law->air ? 0 : law->nsegment - 1;
}


// Sides of an operation that are held. Beside latches signs are, too: friction that jumps within a step would keep it
// from where a lock engages. Whole parts and the cut of an angle are not.
static int count_sides(const genBuild *b, const formula *f, const formulaStep *step,
                       int has_corners)
{
  if (step->index >= f->nswitch - f->nsettled) return 0; // parameters settle it
  if (is_relay(step)) return 1;
  switch (step->op) {
  case OP_SIGN: return has_corners || b->nlatch > 0;
  case OP_FLOOR:
  case OP_MOD:
  case OP_ATAN2: return 0;
  case OP_PIECES: return has_corners ? count_knots(step->law) : 0;
  case OP_MAP:
    return has_corners ? count_knots(step->map->column[0]) + count_knots(step->map->weight[0]) : 0;
  default: return has_corners ? formula_op_switches(step->op) : 0;
  }
}


enum { STOP_SIDES = 4 }; // whether it touches and whether it pushes, below and above

static int count_of_laws(const genBuild *b, const modelElement *e)
{
  elementLaw law[ELEMENT_MOST_LAWS];
  const int n = b->options->corners ? element_laws(e, law) : 0;
  int count = b->options->corners && model_has_stop(e) ? STOP_SIDES : 0;
  for (int i = 0; i < n; i++) count += count_knots(law[i].law);
  return count;
}


// the same with parameters as slots, where that one takes its place
static const formula *used_formula(const genBuild *b, const formula *f)
{
  const formula *live = f ? gen_live_formula(b, f) : NULL;
  return live ? live : f;
}


// whether conditions of latches read it
static int is_in_conditions(const genBuild *b, const formula *model)
{
  int is_read = 0;
  for (int i = 0; i < b->m->nsignal && b->nlatch > 0 && !is_read; i++) {
    const modelSignal *s = &b->m->signal[i];
    is_read = s->value.f == model && model_is_in_conditions(b->m, s);
  }
  return is_read;
}


// Corners are held all, or in signals that conditions of latches read.
static int holds_corners(const genBuild *b, const formula *model)
{
  return b->options->corners || is_in_conditions(b, model);
}


static int count_held(const genBuild *b, const formula *model)
{
  const formula *f = used_formula(b, model);
  const int has_corners = holds_corners(b, model);
  int n = 0;
  for (int k = 0; f && k < f->nstep; k++) n += count_sides(b, f, &f->steps[k], has_corners);
  return n;
}


const int *gen_held_branches(const genBuild *b, const formula *f)
{
  if (b->options->modes || b->is_condition) return b->branch;
  return b->options->relays && count_held(b, f) > 0 ? b->branch : NULL;
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


// one more relay; returns the symbol of its side
static int add_relay(genBuild *b, relayKind kind, const char *name, int latch)
{
  const int is_corner = kind == RELAY_CORNER || kind == RELAY_KNOT || kind == RELAY_SIGN;
  if (is_corner && latch < 0 && b->options->frees) return gen_is_free(b);
  const int side = expr_symbol(b->pool, "u", b->m->nheld + b->nhold + b->nrelay);
  b->relay[b->nrelay++] = (genRelay){kind, side, name, -1, -1, latch};
  return side;
}


// The switch of an operation that names its side i, -1: none. Tables name the first in each direction; others follow.
static int switch_of(const formulaStep *step, int i)
{
  if (step->op == OP_MAP && i == count_knots(step->map->column[0])) return 2;
  return (step->op == OP_MAP || step->op == OP_PIECES) && i > 0 ? -1 : i;
}


static relayKind relay_kind_of(const formulaStep *step)
{
  switch (step->op) {
  case OP_HYSTERESIS: return RELAY_LOOP;
  case OP_SIGN: return RELAY_SIGN;
  case OP_PIECES:
  case OP_MAP: return RELAY_KNOT;
  default: return RELAY_CORNER;
  }
}


// relays of a formula, whose modes begin at mode0
static void add_relays(genBuild *b, const formula *model, int mode0, const char *owner)
{
  const formula *f = used_formula(b, model);
  const int n = count_held(b, model), has_corners = holds_corners(b, model);
  int *branch = b->mode + mode0, own = 0;
  for (int k = 0; k < f->nstep && own < n; k++) {
    const formulaStep *step = &f->steps[k];
    const int is_sign = step->op == OP_SIGN, count = count_sides(b, f, step, has_corners);
    for (int i = 0; i < count; i++) {
      const char *name = side_name(b, owner, n, ++own);
      const relayKind kind = relay_kind_of(step);
      const int is_read = b->options->frees ? is_in_conditions(b, model) : !b->options->corners;
      const int is_told = is_sign || (kind != RELAY_LOOP && is_read);
      const int side = add_relay(b, kind, name, is_told && b->nlatch > 0 ? 0 : -1);
      const int place = switch_of(step, i);
      if (place >= 0) branch[step->index + place] = side;
    }
  }
}


// relays of the laws and stops of an element
static void add_of_laws(genBuild *b, const modelElement *e)
{
  elementLaw law[ELEMENT_MOST_LAWS];
  const int total = count_of_laws(b, e), n = total > 0 ? element_laws(e, law) : 0;
  int own = 0;
  for (int i = 0; i <= n && own < total; i++) {
    const int count = i < n ? count_knots(law[i].law) : STOP_SIDES;
    for (int k = 0; k < count; k++) {
      const char *name = arena_format(&b->program->arena, "%s.law_%d", e->name, ++own);
      const int side = add_relay(b, RELAY_KNOT, name, -1);
      if (k == 0) b->mode[e->mode0 + i] = side;
    }
  }
}


static int count_branches(const formula *f)
{
  return f ? f->nswitch : 0;
}


// branches of a condition that have two sides
static void add_branches(genBuild *b, int i, const formula *f, int mode0, relayKind kind)
{
  const char *name = b->m->latch[i].name;
  for (int k = 0; k < count_branches(f); k++) {
    if (f->switch_kinds[k] != SWITCH_SIDE) continue;
    const char *own = arena_format(&b->program->arena, "%s.%s_%d", name,
                                   kind == RELAY_RELEASE ? "release" : "engage", k + 1);
    b->mode[mode0 + k] = add_relay(b, kind, own, i);
  }
}


void gen_find_relays(genBuild *b)
{
  const artModel *m = b->m;
  int most = b->nlatch;
  for (int i = 0; i < b->nlatch; i++) {
    const modelLatch *latch = &b->m->latch[i];
    most += count_branches(latch->engage) + count_branches(latch->release);
  }
  for (int i = 0; i < m->nelement; i++) {
    most += count_of_laws(b, &m->element[i]);
    for (int c = 0; c < 3; c++) most += count_held(b, m->element[i].formula[c]);
  }
  for (int i = 0; i < model_frozen_count(m); i++) {
    most += model_frozen(m, i) ? count_held(b, model_frozen(m, i)->f) : 0;
  }
  b->relay = gen_alloc(b, (size_t) most + 1, sizeof *b->relay);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    int first = e->mode0;
    add_of_laws(b, e);
    for (int c = 0; c < 3 && e->formula[c]; c++) {
      add_relays(b, e->formula[c], first, e->name);
      first += e->formula[c]->nswitch;
    }
  }
  for (int i = 0; i < model_frozen_count(m); i++) {
    const signalFormula *s = model_frozen(m, i);
    if (s) add_relays(b, s->f, s->mode0, model_frozen_name(m, i));
  }
  // relays of latches, after the relays of all formulas
  for (int i = 0; i < b->nlatch; i++) {
    const modelLatch *latch = &b->m->latch[i];
    const int engage = latch->mode0 + LATCH_BRANCHES;
    const char *way = arena_format(&b->program->arena, "%s.way", latch->name);
    if (latch_is_watched(latch)) add_relay(b, RELAY_WAY, way, i);
    add_branches(b, i, latch->engage, engage, RELAY_ENGAGE);
    add_branches(b, i, latch->release, engage + count_branches(latch->engage), RELAY_RELEASE);
  }
}


int gen_holds_memory(const genBuild *b, const formula *f)
{
  for (int k = 0; k < f->nstep; k++) {
    if (!is_relay(&f->steps[k])) continue;
    if (!b->branch || b->branch[f->steps[k].index] < 0) return 0;
  }
  return 1;
}


int gen_relay_margin(genBuild *b, int side, int margin)
{
  for (int i = 0; i < b->nrelay && side >= 0; i++) {
    genRelay *relay = &b->relay[i];
    if (relay->side != side) continue;
    if (relay->margin < 0) relay->margin = margin;
    return 1;
  }
  return 0;
}


// of a corner whose side may be 0.5: it stands on its border, and leaves that
int gen_corner_margin(genBuild *b, int side, int beyond)
{
  exprPool *p = b->pool;
  const int back = expr_neg(p, beyond), half = expr_constant(p, 0.5);
  const int away = expr_neg(p, expr_operate(p, EXPR_ABS, beyond, beyond));
  const int is_on = expr_operate(p, EXPR_EQUAL, beyond, expr_constant(p, 0));
  const int stands = expr_select(p, is_on, expr_constant(p, STANDING), away);
  const int margin = expr_select(p, expr_operate(p, EXPR_EQUAL, side, half), stands,
                                 expr_select(p, side, beyond, back));
  return gen_relay_margin(b, side, margin);
}


// the side of a corner with this border, whose margin is known; -1: there is none
static int find_corner(const genBuild *b, int beyond)
{
  for (int i = 0; i < b->nrelay; i++) {
    const genRelay *relay = &b->relay[i];
    if (relay->kind == RELAY_CORNER && relay->beyond == beyond) return relay->side;
  }
  return -1;
}


// all comparisons of two numbers have one side: a > b above 0.5, a >= b from there on, a < b and a <= b below
int gen_hold_side(genBuild *b, int side, int beyond, int is_strict)
{
  exprPool *p = b->pool;
  if (b->options->modes) return side;
  const exprOp op = is_strict ? EXPR_LESS : EXPR_LESS_EQUAL;
  const int half = expr_constant(p, 0.5);
  const int same = find_corner(b, beyond), opposite = find_corner(b, expr_neg(p, beyond));
  if (same < 0 && opposite >= 0) return expr_operate(p, op, opposite, half);
  if (same >= 0) return expr_operate(p, op, half, same);
  gen_corner_margin(b, side, beyond);
  for (int i = 0; i < b->nrelay; i++) {
    if (b->relay[i].side == side) b->relay[i].beyond = beyond;
  }
  return expr_operate(p, op, half, side);
}


int gen_knot_side(genBuild *b, int held, int knot)
{
  if (!b->options->modes) return expr_symbol(b->pool, "u", b->pool->nodes[held].index + knot);
  return expr_operate(b->pool, EXPR_LESS, expr_constant(b->pool, knot + 0.5), held);
}


void gen_knot_margin(genBuild *b, int held, int knot, int beyond)
{
  if (held < 0 || b->options->modes || gen_may_go(b, held)) return;
  const int side = gen_knot_side(b, held, knot);
  gen_relay_margin(b, side, expr_select(b->pool, side, beyond, expr_neg(b->pool, beyond)));
}


int gen_hold_count(artLatchType type)
{
  return type == ART_LOCK ? 1 : type == ART_LATCH ? LATCH_NUMBERS : 0;
}


const int *gen_hold(const genBuild *b, int latch)
{
  ART_ASSERT(latch >= 0 && latch < b->m->nlatch);
  int k = 0;
  for (int i = 0; i < latch; i++) k += gen_hold_count(b->m->latch[i].type);
  return b->hold + k;
}


void gen_hold_values(const genBuild *b, double *symbols)
{
  double x[LATCH_NUMBERS];
  for (int i = 0; i < b->nlatch && b->hold; i++) {
    const int *hold = gen_hold(b, i);
    model_latch_numbers(b->m, i, x);
    for (int k = 0; k < gen_hold_count(b->m->latch[i].type); k++) {
      symbols[b->pool->nodes[hold[k]].a] = x[k];
    }
  }
}


// the name of a number after the numbers of samplers
static const char *own_held_name(genBuild *b, int k)
{
  const modelLatch *latch = b->m->latch;
  baseArena *arena = &b->program->arena;
  if (k < b->nhold) {
    for (; k >= gen_hold_count(latch->type); latch++) k -= gen_hold_count(latch->type);
    return latch->type == ART_LOCK ? arena_format(arena, "%s.hold", latch->name)
                                   : arena_format(arena, "%s.hold_%d", latch->name, k + 1);
  }
  k -= b->nhold;
  if (k < b->nrelay) return b->relay[k].name;
  return arena_format(arena, "%s.side", latch[k - b->nrelay].name);
}


const char **gen_held_names(genBuild *b)
{
  const char **label = gen_alloc(b, (size_t) b->nheld, sizeof *label);
  for (int i = 0; i < b->nheld; i++) {
    label[i] = i < b->m->nheld ? b->m->held[i].name : own_held_name(b, i - b->m->nheld);
  }
  return label;
}


void gen_relay_signals(genBuild *b)
{
  const artModel *m = b->m;
  for (int i = 0; i < m->nsignal; i++) {
    const modelSignal *s = &m->signal[i];
    int n = 0;
    for (int k = 0; s->value.f && k < s->value.f->nstep; k++) n += is_relay(&s->value.f->steps[k]);
    if (n > 0) gen_quantity(b, s->slot, s->place, s->name);
  }
}


//---- latches -------------------------------------------------------------------------------------

// Of the length of a rope: so much shorter it is slack for good; of this length, or the distance of a latch, the rate up to
// which it may stand still, 1/s.
static const double SLACK = 1e-12, STILL = 1e-6;

// Beyond their borders, in units of the compared values.
static const double AT_SIGN = 1e-14, AT_SIGNAL = 1e-12, AT_CORNER = 1e-8;


// The margin on the border of a relay that may be there; NOWHERE: it never does.
static double relay_rest_of(const genRelay *relay)
{
  switch (relay->kind) {
  case RELAY_CORNER: return relay->latch < 0 ? 0 : AT_SIGNAL;
  case RELAY_SIGN: return relay->latch < 0 ? 0 : AT_SIGN;
  case RELAY_ENGAGE:
  case RELAY_RELEASE: return AT_CORNER;
  default: return NOWHERE;
  }
}


static int latch_value(genBuild *b, int i, int component)
{
  ART_ASSERT(i >= 0 && i < b->m->nlatch);
  return gen_quantity_value(
      b, &(modelQuantity){.kind = QUANTITY_LATCH, .index = i, .component = component});
}


// of a formula on its branches; -1 where there is none
static int latch_condition(genBuild *b, const modelLatch *latch, const formula *f)
{
  if (!f) return expr_constant(b->pool, -1);
  b->branch = b->mode + latch->mode0 + LATCH_BRANCHES;
  if (f == latch->release) b->branch += count_branches(latch->engage);
  b->is_condition = 1;
  const int node = gen_formula(b, f, latch->place, latch->name);
  b->is_condition = 0;
  b->branch = NULL;
  return node;
}


// A rope that has become slack, too long by `value`: it is so for good where it is shorter, and taut after all where it
// goes on to stretch.
static int spent_margin(genBuild *b, int i, int value)
{
  exprPool *p = b->pool;
  const double length = b->m->latch[i].cut.length;
  const int most = expr_constant(p, LATCH_STRETCH * length);
  const int nears = expr_operate(p, EXPR_LESS, latch_value(b, i, LATCH_RATE), 0);
  const int taut = expr_select(p, nears, most, expr_sub(p, most, value));
  return expr_operate(p, EXPR_MIN, expr_add(p, value, expr_constant(p, SLACK * length)), taut);
}


// While a condition is not positive. Zero, which dead bands are for a while, is not a border: what looks for the least of all
// margins would not see another one become zero.
static int untrue_margin(exprPool *p, int value)
{
  const int is_zero = expr_operate(p, EXPR_EQUAL, value, expr_constant(p, 0));
  return expr_select(p, is_zero, expr_constant(p, 1), expr_neg(p, value));
}


// while it is open, and while it is so since the condition that engaged it has been true
static int open_margin(genBuild *b, int i)
{
  exprPool *p = b->pool;
  const modelLatch *latch = &b->m->latch[i];
  const int is_rope = latch->type == ART_ROPE, is_watched = latch_is_watched(latch);
  const real condition_value = {is_rope ? 0 : latch_condition(b, latch, latch->engage)};
  real length = {0}, limit = {0};
  if (is_watched) {
    limit.node = is_rope ? gen_parameter(b, latch->cut.length, "rod_length", b->m->own_cuts + i)
                         : gen_number_at(b, &latch->distance, "latch_distance");
    length.node = latch_value(b, i, LATCH_LENGTH);
  }
  const int value = latch_engages(latch, condition_value, length, limit).node;
  const int spent = b->m->latch[i].type == ART_ROPE ? spent_margin(b, i, value) : value;
  const int side = b->held[b->m->nheld + b->nhold + b->nrelay + i];
  const int open = b->m->latch[i].engage ? untrue_margin(p, value) : expr_neg(p, value);
  return expr_select(p, expr_operate(p, EXPR_LESS, expr_constant(p, 1.5), side), spent, open);
}


static int engaged_margin(genBuild *b, int i)
{
  const modelLatch *latch = &b->m->latch[i];
  if (latch->type == ART_ROPE) return latch_value(b, i, LATCH_FORCE);
  return untrue_margin(b->pool, latch_condition(b, latch, latch->release));
}


// Positive while its side holds: 0 open, 1 engaged, 2 open since the condition that engaged it has been true.
static int latch_margin(genBuild *b, int i)
{
  if (!b->options->masks) return (b->m->engaged[i] ? engaged_margin : open_margin)(b, i);
  const int open = open_margin(b, i), engaged = engaged_margin(b, i);
  return expr_select(b->pool, gen_lock_side(b, i), engaged, open);
}


// Positive while the ends go on to where the latch engages, or away from there.
static int way_margin(genBuild *b, int i, int side)
{
  const modelLatch *latch = &b->m->latch[i];
  exprPool *p = b->pool;
  if (b->m->engaged[i]) return expr_constant(p, 1);
  const int is_rope = latch->type == ART_ROPE, rate = latch_value(b, i, LATCH_RATE);
  const int still = expr_constant(p, STILL * (is_rope ? latch->cut.length : latch->distance));
  const int there = is_rope ? rate : expr_neg(p, rate);
  return expr_select(p, side, expr_add(p, still, there), expr_sub(p, still, there));
}


// Of a way, a sign, a corner, or a branch of a condition, which counts where this is asked. A little beyond their borders hold
// sides of what stands on one; conditions go on beyond a corner as they were before it, and so may be held for longer.
static int own_margin(genBuild *b, int k)
{
  const genRelay *relay = &b->relay[k];
  exprPool *p = b->pool;
  const int one = expr_constant(p, 1);
  if (relay->kind == RELAY_WAY) {
    return way_margin(b, relay->latch, relay->side);
  }
  if (relay->margin < 0) return one;
  const double rest = relay->kind == RELAY_KNOT ? AT_SIGNAL : relay_rest_of(relay);
  const int margin = expr_add(p, relay->margin, expr_constant(p, rest));
  const int is_condition = relay->kind == RELAY_ENGAGE || relay->kind == RELAY_RELEASE;
  if (!b->options->masks || !is_condition) return margin;
  const int side = gen_lock_side(b, relay->latch);
  return relay->kind == RELAY_RELEASE ? expr_select(p, side, margin, one)
                                      : expr_select(p, side, one, margin);
}


void gen_latch_margins(genBuild *b)
{
  b->latch_margin = gen_alloc(b, (size_t) b->nlatch, sizeof *b->latch_margin);
  for (int i = 0; i < b->nlatch; i++) b->latch_margin[i] = latch_margin(b, i);
  for (int k = 0; k < b->nrelay; k++) {
    if (b->relay[k].latch >= 0) b->relay[k].margin = own_margin(b, k);
  }
}


// One function that is negative from the instant on at which the latch changes, or one of its relays.
int gen_latch_indicator(const genBuild *b, int latch)
{
  ART_ASSERT(latch >= 0 && latch < b->m->nlatch);
  int least = b->latch_margin[latch];
  for (int k = 0; k < b->nrelay; k++) {
    const genRelay *relay = &b->relay[k];
    if (relay->latch == latch) least = expr_operate(b->pool, EXPR_MIN, least, relay->margin);
  }
  return least;
}


int gen_border_of_relay(const genBuild *b, int i)
{
  ART_ASSERT(i >= 0 && i < b->nrelay);
  return b->relay[i].latch < 0 ? b->relay[i].margin : -1;
}


void gen_relays(genBuild *b)
{
  eqnFunction *f = gen_like_accelerate(b, EQN_RELAYS,
                                       "how far relays are from going over to their other side", 2);
  const int n = b->nrelay + b->nlatch;
  int *margin = gen_alloc(b, (size_t) n, sizeof *margin);
  const char **label = gen_alloc(b, (size_t) n, sizeof *label);
  double *rest = b->program->rest = gen_alloc(b, (size_t) n, sizeof *rest);
  for (int i = 0; i < n; i++) {
    rest[i] = i < b->nrelay ? relay_rest_of(&b->relay[i]) : NOWHERE;
    margin[i] =
        i < b->nrelay && b->relay[i].margin >= 0 ? b->relay[i].margin : expr_constant(b->pool, 1);
    label[i] = own_held_name(b, b->nhold + i);
  }
  for (int i = 0; i < b->nlatch; i++) margin[b->nrelay + i] = b->latch_margin[i];
  f->output[f->noutput++] = gen_vector(b, "margin", "positive while sides hold", n, margin, label);
  if (b->nhold == 0) return;
  int *hold = gen_alloc(b, (size_t) b->nhold, sizeof *hold);
  const char **held = gen_held_names(b);
  for (int i = 0; i < b->nlatch; i++) {
    // where a latch holds if it engages
    int *x = hold + (gen_hold(b, i) - b->hold);
    const modelLatch *latch = &b->m->latch[i];
    if (latch->type == ART_LOCK) x[0] = lock_sum(&latch->relation, (const real *) b->tree->q).node;
    if (latch->type != ART_LATCH) continue;
    const cutSide *to = &latch->cut.side[1];
    const v3c part[4] = {to->R.x, to->R.y, to->R.z, to->r};
    v3 own[4];
    for (int k = 0; k < 4; k++) {
      own[k] = gen_constant_vector(b, part[k], sym_cut_name + CUT_SIDE + 3 * k, b->m->own_cuts + i);
    }
    const treeWorld *from = &b->world[latch->cut.side[0].link], *end = &b->world[to->link];
    const modelPose pose = latch_pose((modelPose){from->R, from->o}, (modelPose){end->R, end->o},
                                      (m3){own[0], own[1], own[2]}, own[3]);
    v3_put(v3_put(v3_put(v3_put(x, pose.R.x), pose.R.y), pose.R.z), pose.r);
  }
  f->output[f->noutput++] =
      gen_vector(b, "hold", "where latches that engage hold", b->nhold, hold, held + b->m->nheld);
}
