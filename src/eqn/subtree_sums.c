// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sums over several subtrees: first add within each subtree, then over the subtrees in turn, so
// that a single variable is live between subtrees instead of all terms.
//
// The same applies to sums of products of a subtree's nodes with such sums: in
//   x (k + m a) + y (l + n a) = (x k + y l) + (x m + y n) a
// the terms of each subtree are added before a is known, which depends on all of them.
#include "eqn/list_builder.h"
#include "eqn/subtree.h"

enum { IN_SUM = 1, IN_PRODUCT }; // context in which a node is opened

typedef struct subtreeTerm {
  int turn, node; // turn: when it is available; node: as rewritten
  int factor;     // node before rewriting that multiplies it later; -1: none
  int sign;
} subtreeTerm;

typedef struct subtreeSums {
  const listBuilder *d;
  subtreeMap subtrees;
  exprPool *pool;
  int *uses;             // [nodes] number of readers
  unsigned char *opened; // [nodes] merged into the terms of a sum
  int *now;              // [nodes] the rewritten node of each
  int nterm;
  subtreeTerm *term;
  int *argument; // arguments of a call
} subtreeSums;

typedef struct signedSum {
  int node, sign; // 0: empty sum
} signedSum;


static int subtree_turn_of(const subtreeSums *b, int node)
{
  return subtree_turn(&b->subtrees, b->subtrees.place[node]);
}

//---- terms ---------------------------------------------------------------------------------------

// is it a sum over several subtrees?
static int is_joined_sum(const subtreeSums *b, int node)
{
  const exprOp op = b->pool->nodes[node].op;
  return (op == EXPR_ADD || op == EXPR_SUB) && b->d->stage[node] >= 0 &&
         b->subtrees.place[node] % 2 == 1;
}


// the factor of a product that is available earlier than the other one; -1: none
static int early_factor(const subtreeSums *b, int node)
{
  const exprNode *n = &b->pool->nodes[node];
  if (n->op != EXPR_MUL) return -1;
  const int turn = subtree_turn_of(b, node);
  const int is_first = subtree_turn_of(b, n->a) < turn, is_second = subtree_turn_of(b, n->b) < turn;
  return is_first == is_second ? -1 : is_first ? n->a : n->b;
}


static int other_factor(const subtreeSums *b, int product, int factor)
{
  ART_ASSERT(b->pool->nodes[product].op == EXPR_MUL);
  ART_ASSERT(b->pool->nodes[product].a == factor || b->pool->nodes[product].b == factor);
  const exprNode *n = &b->pool->nodes[product];
  return n->a == factor ? n->b : n->a;
}


static int is_sole(const subtreeSums *b, int node, int reader)
{
  return b->uses[node] == 1 && list_builder_bucket(b->d, node) == list_builder_bucket(b->d, reader);
}


// add a product with t.node, a factor of a subtree
static void add_subtree_product(subtreeSums *b, int node, subtreeTerm t)
{
  const int x = early_factor(b, node);
  const int inside = x >= 0 && subtree_turn_of(b, x) == t.turn ? x : node;
  if (subtree_turn_of(b, inside) == t.turn) {
    t.node = expr_mul(b->pool, t.node, b->now[inside]);
    t.factor = inside == node ? -1 : other_factor(b, node, x);
  } else {
    t.factor = node;
  }
  b->term[b->nterm++] = t;
}


// add the terms of a sum; each is multiplied by t.node unless that is -1
static void add_subtree_sum_terms(subtreeSums *b, int sum, subtreeTerm t)
{
  const exprNode n = b->pool->nodes[sum];
  const int argument[2] = {n.a, n.b};
  for (int k = 0; k < 2; k++) {
    const int a = argument[k], is_open = b->opened[a];
    subtreeTerm own = t;
    own.sign = k == 1 && n.op == EXPR_SUB ? -t.sign : t.sign;
    if (is_open && is_joined_sum(b, a)) {
      add_subtree_sum_terms(b, a, own);
    } else if (is_open) {
      const int x = early_factor(b, a);
      own.node = b->now[x];
      own.turn = subtree_turn_of(b, x);
      add_subtree_sum_terms(b, other_factor(b, a, x), own);
    } else if (t.node >= 0) {
      add_subtree_product(b, a, own);
    } else {
      own.turn = subtree_turn_of(b, a);
      own.node = b->now[a];
      b->term[b->nterm++] = own;
    }
  }
}

//---- sums ----------------------------------------------------------------------------------------

static signedSum add_signed(exprPool *pool, signedSum sum, int node, int sign)
{
  ART_ASSERT(sign == 1 || sign == -1);
  if (sum.sign == 0) return (signedSum){node, sign};
  if (sum.sign == sign) return (signedSum){expr_add(pool, sum.node, node), sign};
  const int plus = sign > 0 ? node : sum.node, minus = sign > 0 ? sum.node : node;
  return (signedSum){expr_sub(pool, plus, minus), 1};
}


// subtree by subtree
static signedSum add_subtrees(const subtreeSums *b, int factor)
{
  signedSum sum = {0};
  for (int k = 0; k < b->subtrees.n; k++) {
    // add the terms of one subtree with the same later factor to a sum
    signedSum own = {0};
    for (int i = 0; i < b->nterm; i++) {
      const subtreeTerm *t = &b->term[i];
      if (t->turn == k && t->factor == factor) own = add_signed(b->pool, own, t->node, t->sign);
    }
    sum = own.sign == 0 ? sum : add_signed(b->pool, sum, own.node, own.sign);
  }
  return sum;
}


static int is_first_with_factor(const subtreeSums *b, int i)
{
  for (int k = 0; k < i; k++) {
    if (b->term[k].factor == b->term[i].factor) return 0;
  }
  return b->term[i].factor >= 0;
}


//---- all nodes -----------------------------------------------------------------------------------

static int rebuild_subtree_node(subtreeSums *b, int node)
{
  const exprPool *pool = b->pool;
  if (is_joined_sum(b, node)) {
    b->nterm = 0;
    add_subtree_sum_terms(b, node, (subtreeTerm){.node = -1, .factor = -1, .sign = 1});
    signedSum sum = add_subtrees(b, -1);
    for (int i = 0; i < b->nterm; i++) {
      if (!is_first_with_factor(b, i)) continue;
      const signedSum x = add_subtrees(b, b->term[i].factor);
      sum = add_signed(b->pool, sum, expr_mul(b->pool, x.node, b->now[b->term[i].factor]), x.sign);
    }
    return sum.sign > 0 ? sum.node : expr_neg(b->pool, sum.node);
  }
  int is_same = 1;
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    const int a = expr_argument(pool, node, k);
    b->argument[k] = b->now[a];
    is_same &= b->now[a] == a;
  }
  return is_same ? node : expr_with(b->pool, node, b->argument);
}


static void rebuild_subtree_nodes(subtreeSums *b)
{
  const listBuilder *d = b->d;
  const int before = b->pool->is_solving;
  for (builderRoot r = {0}; list_builder_next_root(d->function, &r);)
    b->uses[*r.node] += 2 * r.is_forced;
  for (int i = 0; i < d->n; i++) {
    for (int k = 0; d->needed[i] && k < expr_argument_count(b->pool, i); k++) {
      b->uses[expr_argument(b->pool, i, k)]++;
    }
  }
  for (int i = d->n - 1; i >= 0; i--) {
    if (d->needed[i] && is_joined_sum(b, i)) {
      // open sums within sums, and sums in a product with a node of a subtree, but not products within
      // products
      const int argument[2] = {b->pool->nodes[i].a, b->pool->nodes[i].b};
      const int is_inside = b->opened[i] == IN_PRODUCT;
      for (int k = 0; k < 2; k++) {
        const int a = argument[k], x = early_factor(b, a);
        if (!is_sole(b, a, i)) continue;
        if (is_joined_sum(b, a)) b->opened[a] = is_inside ? IN_PRODUCT : IN_SUM;
        if (x < 0 || is_inside) continue;
        const int y = other_factor(b, a, x);
        if (is_joined_sum(b, y) && is_sole(b, y, a)) b->opened[a] = b->opened[y] = IN_PRODUCT;
      }
    }
  }
  expr_solving(b->pool, 1);
  for (int i = 0; i < d->n; i++) {
    b->now[i] = d->needed[i] && !b->opened[i] ? rebuild_subtree_node(b, i) : i;
  }
  expr_solving(b->pool, before);
  for (builderRoot r = {0}; list_builder_next_root(d->function, &r);) *r.node = b->now[*r.node];
}


void list_builder_sum_by_subtree(const listBuilder *d)
{
  subtreeSums b = {.d = d, .pool = d->pool};
  subtree_find(&b.subtrees, d->list->program, d->function, d->pool, d->scratch);
  if (b.subtrees.n < 2 || d->pool->level != EXPR_SIMPLIFY) return;
  ARENA_TAKE(d->scratch, b.uses, d->n);
  ARENA_TAKE(d->scratch, b.opened, d->n);
  ARENA_TAKE(d->scratch, b.now, d->n);
  ARENA_TAKE(d->scratch, b.term, d->n);
  ARENA_TAKE(d->scratch, b.argument, d->n);
  rebuild_subtree_nodes(&b);
}
