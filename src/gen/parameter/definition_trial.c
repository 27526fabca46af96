// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Definitions that are numbers whatever the parameters are: R cos(pi/2) is 6e-17 R in numbers and nothing in earnest, and
// the end of a leg that was laid along its axis is on that axis. Simplification does not see all of them; values at
// several sets of parameters do, compared with what rounding may have done to them.
#include <math.h>

#include "gen/parameter/definition.h"
#include "gen/parameter/lay_symbolic.h"

//---- constants -----------------------------------------------------------------------------------

// numbers that are off 0, 1 or -1 by the rounding of a quarter turn become these
static int neat_number(exprPool *pool, double x)
{
  const double nothing = 4e-16;
  if (fabs(x) <= nothing) return 0;
  return expr_constant(pool, fabs(fabs(x) - 1) <= nothing ? copysign(1, x) : x);
}


static int neat_copy(exprPool *pool, int node, const int *neat)
{
  ART_ASSERT(expr_argument_count(pool, node) <= 3);
  int a[3];
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    a[k] = neat[expr_argument(pool, node, k)];
  }
  const int own = expr_with(pool, node, a);
  return expr_is_constant(pool, own) ? neat_number(pool, pool->nodes[own].value) : own;
}


//---- trials --------------------------------------------------------------------------------------

static const double EPSILON = 0x1p-53;

static int is_piecewise(exprOp op)
{
  return op == EXPR_SELECT || op == EXPR_ABS || op == EXPR_SIGN || op == EXPR_FLOOR ||
         op == EXPR_MOD || op == EXPR_MIN || op == EXPR_MAX || op == EXPR_LESS ||
         op == EXPR_LESS_EQUAL || op == EXPR_EQUAL || op == EXPR_AND || op == EXPR_OR ||
         op == EXPR_NOT;
}


// how far y = op(a, b) may be off when its arguments are off by da and db
static double off_by(exprOp op, double y, double a, double b, double da, double db)
{
  const double own = EPSILON * fabs(y);
  switch (op) {
  case EXPR_NEG: return da;
  case EXPR_ADD:
  case EXPR_SUB: return own + da + db;
  case EXPR_MUL: return own + fabs(a) * db + fabs(b) * da;
  case EXPR_DIV: return own + (da + fabs(y) * db) / fabs(b);
  case EXPR_SQRT: return own + (y > 0 ? 0.5 * da / y : sqrt(da));
  case EXPR_HYPOT: return 2 * own + da + db;
  case EXPR_ATAN2: return 2 * own + (fabs(b) * da + fabs(a) * db) / (a * a + b * b);
  case EXPR_SIN:
  case EXPR_COS: return own + EPSILON + da;
  default: {
    // by the difference that it makes
    const double c = expr_apply(op, a + da, b), e = expr_apply(op, a, b + db);
    return 4 * own + fabs(c - y) + fabs(e - y);
  }
  }
}


static trialValue try_node(const genBuild *b, int node)
{
  const genDefinitions *d = b->definitions;
  const exprNode *n = &d->pool->nodes[node];
  trialValue v = {.is_piecewise = is_piecewise(n->op)};
  double present = NAN;
  for (int i = 0; n->op == EXPR_SYMBOL && i < d->nbody; i++) {
    if (d->body[i].node == node) present = d->body[i].value;
  }
  for (int p = 0; n->op == EXPR_SYMBOL && p < d->nparameter; p++) {
    if (d->parameter[p] == node && !b->m->parameter[p].formula) present = b->m->parameter[p].value;
  }
  for (int k = 0; k < expr_argument_count(d->pool, node); k++) {
    v.is_piecewise |= d->trial[expr_argument(d->pool, node, k)].is_piecewise;
  }
  for (int s = 0; s < TRIALS; s++) {
    if (n->op == EXPR_CONSTANT) {
      v.x[s] = n->value;
      v.off[s] = EPSILON * fabs(n->value);
    } else if (n->op == EXPR_SYMBOL) {
      // parameter number `ordinal` of trial s: as it is, or off by a part that differs from one to the next
      ART_ASSERT(s >= 0 && s < TRIALS);
      static const double reach[TRIALS] = {0, 0.05, 0.3, 0.01};
      const double part = fmod(0.6180339887498949 * (n->a + 1) + 0.41421356 * s, 1) - 0.5;
      const double move = reach[s] * (part < 0 ? part - 0.1 : part + 0.1);
      v.x[s] = present == 0 ? move : present * (1 + move);
    } else if (n->op == EXPR_SELECT) {
      const int holds = d->trial[expr_argument(d->pool, node, 0)].x[s] != 0;
      const trialValue *own = &d->trial[expr_argument(d->pool, node, holds ? 1 : 2)];
      v.x[s] = own->x[s];
      v.off[s] = own->off[s];
    } else {
      const trialValue *x = &d->trial[n->a], *y = expr_arity(n->op) == 2 ? &d->trial[n->b] : x;
      v.x[s] = expr_apply(n->op, x->x[s], y->x[s]);
      v.off[s] = off_by(n->op, v.x[s], x->x[s], y->x[s], x->off[s], y->off[s]);
    }
  }
  return v;
}


static const trialValue *trial_of(genBuild *b, int node)
{
  ART_ASSERT(node >= 0);
  genDefinitions *d = b->definitions;
  for (; d->ntrial <= node; d->ntrial++) {
    d->trial = arena_grow(&b->work, d->trial, d->ntrial, &d->trial_capacity, sizeof *d->trial);
    d->trial[d->ntrial] = try_node(b, d->ntrial);
  }
  return &d->trial[node];
}


double gen_present_value(genBuild *b, int node)
{
  return trial_of(b, node)->x[0];
}

//---- both ----------------------------------------------------------------------------------------

// whether two nodes are the same number at all trials, within a few roundings
static int are_equal_trials(const trialValue *v, const trialValue *w)
{
  int n = 0;
  for (int s = 0; s < TRIALS; s++) {
    const double off = v->off[s] + w->off[s];
    if (!isfinite(v->x[s]) || !isfinite(w->x[s]) || !isfinite(off)) continue;
    if (!(fabs(v->x[s] - w->x[s]) <= 16 * off)) return 0;
    n++;
  }
  return n >= 3 && !v->is_piecewise && !w->is_piecewise;
}


static int is_always(const trialValue *v, double x)
{
  trialValue number = {.off = {0}};
  for (int s = 0; s < TRIALS; s++) number.x[s] = x;
  return are_equal_trials(v, &number);
}


static int neat_node(genBuild *b, int node)
{
  exprPool *pool = b->definitions->pool;
  // arguments have smaller numbers
  genDefinitions *d = b->definitions;
  for (; d->nneat <= node; d->nneat++) {
    d->neat = arena_grow(&b->work, d->neat, d->nneat, &d->neat_capacity, sizeof *d->neat);
    d->neat[d->nneat] = neat_copy(d->pool, d->nneat, d->neat);
  }
  const int own = d->neat[node];
  if (expr_is_constant(pool, own)) return own;
  const trialValue v = *trial_of(b, own);
  if (v.is_piecewise) return own;
  const double x = v.x[0], nearest = fabs(x) < 0.5 ? 0 : copysign(1, x);
  if (is_always(&v, nearest)) return expr_constant(pool, nearest);
  return is_always(&v, x) ? expr_constant(pool, x) : own;
}


// whether two nodes are the same at all trials relative to the sizes there: a small number may be one of a small machine
static int is_same_at_trials(genBuild *b, int node, int other, const double size[TRIALS])
{
  const double rounding = 1e-14;
  const trialValue v = *trial_of(b, node), w = *trial_of(b, other);
  for (int s = 0; s < TRIALS; s++) {
    if (isfinite(v.x[s]) && !(fabs(v.x[s] - w.x[s]) <= rounding * size[s])) return 0;
  }
  return 1;
}


void gen_fold_constants(genBuild *b, int n, int *node)
{
  double size[TRIALS] = {0};
  for (int k = 0; k < n; k++) {
    const trialValue *v = trial_of(b, node[k]);
    for (int s = 0; s < TRIALS; s++) size[s] = fmax(size[s], fabs(v->x[s]));
  }
  for (int k = 0; k < n; k++) {
    const int neat = neat_node(b, node[k]);
    if (is_same_at_trials(b, node[k], neat, size)) node[k] = neat;
  }
}

void gen_join_nodes(genBuild *b, int n, int *node)
{
  for (int k = 1; k < n; k++) {
    for (int i = 0; i < k; i++) {
      const trialValue v = *trial_of(b, node[i]), w = *trial_of(b, node[k]);
      if (are_equal_trials(&v, &w)) node[k] = node[i];
    }
  }
}

//---- links ---------------------------------------------------------------------------------------

int gen_has_rotor(genBuild *b, int i)
{
  return b->m->tree.link[i].has_rotor || gen_definition(b, "rotor", i) >= 0;
}


static void try_number(genBuild *b, const char *name, int i, double *x)
{
  const int node = gen_definition(b, name, i);
  const trialValue *v = node >= 0 ? trial_of(b, node) : NULL;
  for (int s = TRIALS - 1; v && s > 0; s--) {
    if (isfinite(v->x[s])) *x = v->x[s];
  }
}


void gen_try_links(genBuild *b, int n, treeLink *link)
{
  ART_ASSERT(n <= b->m->tree.n);
  static const char *const name[] = {"Rxx", "Rxy", "Rxz", "Ryx", "Ryy", "Ryz",  "Rzx",
                                     "Rzy", "Rzz", "px",  "py",  "pz",  "pitch"};
  for (int i = 1; i < n; i++) {
    double *const x = &link[i].R.x.x;
    for (int k = 0; k < 13; k++) try_number(b, name[k], i, x + k);
  }
}
