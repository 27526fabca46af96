// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas as expressions: the loop of model/formula/formula_run.h on symbols.
#define ART_SYMBOLIC

#include <string.h>

#include "gen/element/port_equations.h"
#include "model/formula/formula_program.h"
#include "spatial/scalar.h"

#define PI 3.14159265358979323846

// Piecewise operations are on the branches that symbols name (NULL: as their arguments say).
typedef struct freezer {
  genBuild *b;
  const int *branch;
  int count; // of branches; others are settled by parameters
} freezer;

//---- switches ------------------------------------------------------------------------------------

static real held_branch(const freezer *z, int i)
{
  return (real){z->branch && i < z->count ? z->branch[i] : -1};
}


static int is_held(real branch)
{
  return branch.node >= 0;
}


static real branch_side_of(const freezer *z, int i, real a, real b, int strict)
{
  if (gen_is_watching(z->b)) gen_watch(z->b, r_sub(a, b).node);
  const real own = held_branch(z, i);
  const real now = strict ? r_less(b, a) : r_at_most(b, a), beyond = r_sub(a, b);
  if (gen_may_go(z->b, own.node)) {
    return (real){gen_turn_truth(z->b, beyond.node, now.node, strict)};
  }
  return is_held(own) ? (real){gen_hold_side(z->b, own.node, beyond.node, strict)} : now;
}


static real loop_of(const freezer *z, int i, real x, real low, real high)
{
  if (gen_is_watching(z->b)) {
    gen_watch_loop(z->b, r_sub(x, low).node, r_sub(x, high).node);
  }
  const real side = held_branch(z, i);
  if (i >= z->count) return r_less(high, x); // as it begins
  gen_relay_margin(z->b, side.node, r_select(side, r_sub(x, low), r_sub(high, x)).node);
  return side;
}


// floor(x) switches where x is a whole number: a root of sin(pi x)
static void watch_cells(const freezer *z, real x)
{
  if (gen_is_watching(z->b)) gen_watch(z->b, r_sin(r_mul(r_const(PI), x)).node);
}


static real cell_of(const freezer *z, int i, real q)
{
  watch_cells(z, q);
  const real own = held_branch(z, i);
  return is_held(own) ? own : r_floor(q);
}


static real quotient_of(const freezer *z, int i, real a, real b)
{
  if (gen_is_watching(z->b)) watch_cells(z, r_div(a, b));
  return held_branch(z, i);
}


// sides are between both on the border: 0.5
static real branch_sign_of(const freezer *z, int i, real x)
{
  const real own = held_branch(z, i), now = r_operate(EXPR_SIGN, x, x);
  if (gen_may_go(z->b, own.node)) {
    const real between = r_mul(r_const(0.5), r_add(r_const(1), now));
    const real side = {gen_turn_side(z->b, x.node, between.node)};
    return side.node == between.node ? now : r_sub(r_mul(r_const(2), side), r_const(1));
  }
  if (is_held(own) && gen_corner_margin(z->b, own.node, x.node)) {
    return r_sub(r_mul(r_const(2), own), r_const(1));
  }
  gen_watch(z->b, x.node);
  return is_held(own) ? own : now;
}

//---- operations ----------------------------------------------------------------------------------

// clang-format off
static inline real node_constant(double x) { return r_const(x); }
static inline real node_neg(real a) { return r_neg(a); }
static inline real node_add(real a, real b) { return r_add(a, b); }
static inline real node_sub(real a, real b) { return r_sub(a, b); }
static inline real node_mul(real a, real b) { return r_mul(a, b); }
static inline real node_div(real a, real b) { return r_div(a, b); }
static inline real node_pow(real a, real b) { return r_pow(a, b); }
static inline real node_hypot(real a, real b) { return r_hypot(a, b); }
static inline real node_more(real a, real b) { return r_less(b, a); }
static inline real node_at_least(real a, real b) { return r_at_most(b, a); }
static inline real node_equal(real a, real b) { return r_operate(EXPR_EQUAL, a, b); }
static inline real node_and(real a, real b) { return r_and(a, b); }
static inline real node_or(real a, real b) { return r_or(a, b); }
static inline real node_truth(real a) { return a; }
static inline real node_holds(real a) { return a; }
// clang-format on


static const exprNode *formula_node_of(real a)
{
  return &expr_used()->nodes[a.node];
}


static real node_not(real a)
{
  const exprNode n = *formula_node_of(a);
  return n.op == EXPR_LESS_EQUAL ? r_less((real){n.b}, (real){n.a}) : r_not(a);
}


// |y|, the smaller and the larger of two, where the choice means them
static real node_choose(real truth, real a, real b)
{
  const exprNode n = *formula_node_of(truth);
  if (n.op == EXPR_SELECT) { // of a side, which is let go or not
    const int *part = expr_used()->more + n.a;
    const real whose = {part[0]}, now = {part[1]}, held = {part[2]};
    return r_select(whose, node_choose(now, a, b), r_select(held, a, b));
  }
  if (n.op != EXPR_LESS_EQUAL) return r_select(truth, a, b);
  if (n.a == 0 && a.node == n.b && b.node == r_neg(a).node) return r_abs(a);
  if (a.node == n.a && b.node == n.b) return r_min(a, b);
  if (a.node == n.b && b.node == n.a) return r_max(a, b);
  return r_select(truth, a, b);
}


// modes, and not the sides of relays, have both sides at a corner
static real node_meet(real truth, real a, real b)
{
  const real chosen = node_choose(truth, a, b);
  const exprNode *n = formula_node_of(truth);
  if (n->op != EXPR_SYMBOL || strcmp(n->name, "mode") != 0) return chosen;
  const real mean = r_mul(r_const(0.5), r_add(a, b));
  return r_select(r_operate(EXPR_EQUAL, truth, r_const(FORMULA_AT_CORNER)), mean, chosen);
}


static real node_limit(real over, real under, real above, real low, real high)
{
  (void) over, (void) low;
  return node_meet(under, above, high);
}


static real node_atan2(real y, real x, real upper)
{
  (void) upper; // the cut is not continued
  return r_atan2(y, x);
}


// a - n b; n need not be found where it is not held
static real node_mod(real a, real b, real n)
{
  return is_held(n) ? r_sub(a, r_mul(n, b)) : r_operate(EXPR_MOD, a, b);
}


static real node_law(const freezer *z, const forceLaw *law, real segment, real x)
{
  gen_watch_law(z->b, law, segment.node, x.node);
  return (real){gen_curve(z->b, law, segment.node, x.node, NULL, 0, 0)};
}


static real node_map(const freezer *z, const lawMap *map, real at_x, real at_y, real x, real y)
{
  gen_watch_law(z->b, map->column[0], at_x.node, x.node);
  gen_watch_law(z->b, map->weight[0], at_y.node, y.node);
  return (real){gen_map(z->b, map, at_x.node, at_y.node, x.node, y.node)};
}


static real node_function(formulaOp op, real x)
{
  static const exprOp same[] = {
#define SAME_FUNCTION(name, function, rule, slope, bend) [OP_##name] = EXPR_##name,
      SMOOTH_FUNCTIONS(SAME_FUNCTION)
#undef SAME_FUNCTION
  };
  return r_operate(same[op], x, x);
}

//---- the loop ------------------------------------------------------------------------------------

#define NUMBER                   real
#define TRUTH                    real
#define N(name)                  node_##name
#define SURELY(truth)            0
#define SEGMENT_OF(z, law, x)    ((real){-1})
#define SIDE(z, i, a, b, strict) branch_side_of(z, i, a, b, strict)
#define CORNER(z, i, a, b)       branch_side_of(z, i, a, b, 0)
#define CELL(z, i, q)            cell_of(z, i, q)
#define QUOTIENT(z, i, a, b)     quotient_of(z, i, a, b)
#define SIGN(z, i, x)            branch_sign_of(z, i, x)
#define LOOP(z, i, x, low, high) loop_of(z, i, x, low, high)
#define PIECE(z, i, law, x)      held_branch(z, i)
#include "model/formula/formula_run.h"


static int run_in(genBuild *b, exprPool *pool, const formula *f, const int *slot, const int *branch)
{
  exprPool *before = expr_use(pool);
  real *stack = gen_alloc(b, (size_t) f->depth, sizeof *stack);
  const freezer held = {b, branch, f->nswitch - f->nsettled};
  const real value = node_run(f, (const real *) slot, &held, stack);
  expr_use(before);
  return value.node;
}


int gen_formula_of(genBuild *b, const formula *f, const int *slot, const int *branch)
{
  return run_in(b, gen_pool(b), f, slot, branch);
}


int gen_formula_in(genBuild *b, exprPool *pool, const formula *f, const int *slot)
{
  return run_in(b, pool, f, slot, NULL);
}
