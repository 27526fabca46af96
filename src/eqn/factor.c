// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Extraction of common factors of sums, if that saves operations.
//
// Expressions with a single use are opened: a tree of sums becomes a list of terms, a tree of
// products a list of factors whose constants are combined. Expressions with several uses remain
// whole, so that no sharing is lost. Sine and cosine of a sum of angles are expanded if sine and
// cosine of each angle are needed anyway.
#include "eqn/factored_sum.h"
#include "eqn/list_builder.h"

typedef struct factorPass {
  listBuilder d; // survey of the present expressions: needed, constant, stage, ahead, uses
  exprPool *pool;
  unsigned char *opened; // is it part of its reader's list of terms or factors?
  int *now;              // [d.n] the rewritten node of each
  sumTerms sum;
  int *todo, todo_capacity; // stack of nodes still to be opened
} factorPass;


static exprOp operation_of_node(const factorPass *f, int node)
{
  return f->pool->nodes[node].op;
}

//---- opened nodes --------------------------------------------------------------------------------

static int is_sum(exprOp op)
{
  return op == EXPR_ADD || op == EXPR_SUB;
}


static int can_open(const factorPass *f, int node, int reader)
{
  const listBuilder *d = &f->d;
  const exprOp op = operation_of_node(f, node), by = operation_of_node(f, reader);
  if (d->uses[node] != 1 || d->stage[node] < 0 || d->stage[node] != d->stage[reader] ||
      d->ahead[node] != d->ahead[reader])
    return 0;
  if (is_sum(op)) return is_sum(by);
  return (op == EXPR_MUL || op == EXPR_NEG) && (is_sum(by) || by == EXPR_MUL);
}


//---- sums and products ---------------------------------------------------------------------------

static void push_factor_item(factorPass *f, int *count, int item)
{
  f->todo = arena_grow(f->d.scratch, f->todo, *count, &f->todo_capacity, sizeof *f->todo);
  f->todo[(*count)++] = item;
}


// add an unopened node to a product
static void add_factor(factorPass *f, int node)
{
  const int is_constant = f->d.stage[node] < 0;
  const sumKind kind = is_constant ? SUM_CONSTANT : f->d.uses[node] == 1 ? SUM_SOLE : SUM_SHARED;
  sum_add_factor(&f->sum, f->now[node], kind);
}


// is it a shared product k x in a term whose constants cancel k?
static int is_cancelled(const factorPass *f, int node)
{
  const exprNode n = f->pool->nodes[node];
  if (n.op != EXPR_MUL || f->d.stage[node] < 0) return 0;
  const int k = f->d.stage[n.a] < 0 ? n.a : f->d.stage[n.b] < 0 ? n.b : -1;
  return k >= 0 && sum_cancels(&f->sum, f->now[k]);
}


// add the factors of a term; uses the stack above `base`
static void add_factors(factorPass *f, int node, int base)
{
  int count = base;
  push_factor_item(f, &count, node);
  for (int top = 1; count > base; top = 0) {
    const int x = f->todo[--count];
    const exprNode n = f->pool->nodes[x];
    const int is_open = top || f->opened[x];
    if ((is_open && n.op == EXPR_MUL) || is_cancelled(f, x)) {
      // constants first, i.e. pushed last
      const int b_first = f->d.stage[n.b] < 0;
      push_factor_item(f, &count, b_first ? n.a : n.b);
      push_factor_item(f, &count, b_first ? n.b : n.a);
    } else if (is_open && n.op == EXPR_NEG) {
      sum_add_factor(&f->sum, expr_constant(f->pool, -1), SUM_CONSTANT);
      push_factor_item(f, &count, n.a);
    } else {
      add_factor(f, x);
    }
  }
}


// rebuild a node as a sum of products; on the stack, -1 - x means x with a minus sign
static int rebuild_factored_sum(factorPass *f, int node)
{
  int count = 0;
  sum_clear(&f->sum);
  push_factor_item(f, &count, node);
  for (int top = 1; count > 0; top = 0) {
    const int item = f->todo[--count], sign = item < 0 ? -1 : 1, x = item < 0 ? -1 - item : item;
    const exprNode n = f->pool->nodes[x];
    if (is_sum(n.op) && (top || f->opened[x])) {
      const int sign_b = n.op == EXPR_ADD ? sign : -sign;
      push_factor_item(f, &count, sign_b < 0 ? -1 - n.b : n.b);
      push_factor_item(f, &count, sign < 0 ? -1 - n.a : n.a);
    } else {
      // a signed term; opened if it is a product
      const int is_product = n.op == EXPR_MUL || n.op == EXPR_NEG;
      sum_add_term(&f->sum, sign);
      if (is_product && (top || f->opened[x]))
        add_factors(f, x, count);
      else
        add_factor(f, x);
    }
  }
  return sum_build(&f->sum);
}

//---- sums of angles ------------------------------------------------------------------------------

// are sine and cosine of every angle in a sum needed?
static int has_parts(const factorPass *f, int angle)
{
  const exprNode n = f->pool->nodes[angle];
  if (is_sum(n.op)) return has_parts(f, n.a) && has_parts(f, n.b);
  const int sine = expr_find(f->pool, EXPR_SIN, angle, 0);
  const int cosine = expr_find(f->pool, EXPR_COS, angle, 0);
  return sine >= 0 && sine < f->d.n && cosine >= 0 && cosine < f->d.n && f->d.needed[sine] &&
         f->d.needed[cosine];
}


// sin(a + b) = sin a cos b + cos a sin b, cos(a + b) = cos a cos b - sin a sin b
static int trig_by_parts(factorPass *f, exprOp op, int angle)
{
  ART_ASSERT(expr_is_trig(op));
  exprPool *p = f->pool;
  const exprNode n = p->nodes[angle];
  if (!is_sum(n.op)) return expr_node(p, op, f->now[angle], 0);
  const int sa = trig_by_parts(f, EXPR_SIN, n.a), ca = trig_by_parts(f, EXPR_COS, n.a);
  const int cb = trig_by_parts(f, EXPR_COS, n.b);
  int sb = trig_by_parts(f, EXPR_SIN, n.b);
  if (n.op == EXPR_SUB) sb = expr_neg(p, sb);
  if (op == EXPR_SIN) return expr_add(p, expr_mul(p, sa, cb), expr_mul(p, ca, sb));
  return expr_sub(p, expr_mul(p, ca, cb), expr_mul(p, sa, sb));
}

//---- nodes ---------------------------------------------------------------------------------------

static int rebuild_factored(factorPass *f, int node)
{
  const exprNode n = f->pool->nodes[node];
  const int is_run = f->d.stage[node] >= 0, is_product = n.op == EXPR_MUL;
  if (is_run && (is_sum(n.op) || is_product)) return rebuild_factored_sum(f, node);
  const int is_turn = is_run && expr_is_trig(n.op) && is_sum(operation_of_node(f, n.a));
  if (is_turn && has_parts(f, n.a)) return trig_by_parts(f, n.op, n.a);
  int count = 0;
  for (int k = 0; k < expr_argument_count(f->pool, node); k++) {
    push_factor_item(f, &count, f->now[expr_argument(f->pool, node, k)]);
  }
  return expr_with(f->pool, node, f->todo);
}


// one round over all expressions
static void rewrite_all(factorPass *f)
{
  const int before = f->pool->is_solving;
  ARENA_TAKE(f->d.scratch, f->opened, f->d.n);
  ARENA_TAKE(f->d.scratch, f->now, f->d.n);

  // decide which nodes are opened; a root of a straight stage may be opened by its only reader
  listBuilder *d = &f->d;
  for (builderRoot r = {0}; list_builder_next_root(d->function, &r);)
    d->uses[*r.node] += r.is_forced;
  for (int i = d->n - 1; i >= 0; i--) {
    for (int k = 0; d->needed[i] && k < expr_argument_count(f->pool, i); k++) {
      d->uses[expr_argument(f->pool, i, k)]++;
    }
  }
  for (int i = 0; i < d->n; i++) {
    for (int k = 0; d->needed[i] && k < expr_argument_count(f->pool, i); k++) {
      const int a = expr_argument(f->pool, i, k);
      f->opened[a] = (unsigned char) can_open(f, a, i);
    }
  }

  expr_solving(f->pool, 1);
  for (int i = 0; i < f->d.n; i++) {
    if (!f->d.needed[i] || f->opened[i]) continue;
    f->now[i] = rebuild_factored(f, i);
    const exprNode *old = &f->pool->nodes[i];
    if (old->name && f->now[i] != i) expr_name(f->pool, f->now[i], old->name, old->index);
  }
  expr_solving(f->pool, before);

  // a root of a straight stage leaves its negation to its readers
  for (builderRoot r = {0}; list_builder_next_root(d->function, &r);) {
    const int now = f->now[*r.node], is_sign = operation_of_node(f, now) == EXPR_NEG;
    *r.node = is_sign && !r.is_forced ? f->pool->nodes[now].a : now;
  }
}


// One round: survey, and rewrite if the previous round saved more than 0.1 % of the operations.
// `best`: the roots with the fewest operations so far. Returns 1 when nothing more can be gained.
static int work_round(const listBuilder *list_builder_list, int *least, int *best)
{
  exprPool *pool = list_builder_list->pool;
  factorPass f = {.d = *list_builder_list,
                  .pool = pool,
                  .sum = {.pool = pool, .arena = list_builder_list->scratch}};
  list_builder_survey(&f.d, f.d.scratch);
  // operations of the present function at run time; sines and cosines are weighted by cost
  enum { TRIG_COST = 8 };
  int count = 0;
  for (int i = 0; i < f.d.n; i++) {
    if (!f.d.needed[i] || f.d.stage[i] < 0 || !list_builder_operations(f.d.pool, i)) continue;
    const exprOp op = f.d.pool->nodes[i].op;
    count += expr_is_trig(op) ? TRIG_COST : 1;
  }
  const int pays = *least < 0 || *least - count > *least / 1000;
  if (*least < 0 || count <= *least) {
    int n = 0;
    *least = count;
    for (builderRoot r = {0}; list_builder_next_root(f.d.function, &r);) best[n++] = *r.node;
    if (pays) rewrite_all(&f);
  }
  arena_free(f.d.scratch);
  return !pays;
}


void list_builder_factor(listBuilder *d)
{
  enum { MAX_ROUNDS = 5 };
  int least = -1, n = 0;
  if (d->pool->level != EXPR_SIMPLIFY) return;
  for (builderRoot r = {0}; list_builder_next_root(d->function, &r);) n++;
  int *best = arena_alloc(&d->list->arena, (size_t) n, sizeof *best);
  for (int round = 0; round < MAX_ROUNDS; round++) {
    if (work_round(d, &least, best)) break;
  }

  // restore the best roots, because the last rewriting saved nothing or was not evaluated
  n = 0;
  for (builderRoot r = {0}; list_builder_next_root(d->function, &r);) *r.node = best[n++];
}
