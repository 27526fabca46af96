// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sums of products with common factors extracted, the most frequent factor first.
#include "eqn/factored_sum.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/numbers.h"


void sum_clear(sumTerms *s)
{
  s->n = 0;
  s->nfactor = 0;
}


// append an item to a list of n
#define PUT(s, list, n, capacity, item)                                                            \
  ((list) = arena_grow((s)->arena, list, n, &(capacity), sizeof *(list)), (list)[(n)++] = (item))


void sum_add_term(sumTerms *s, int sign)
{
  ART_ASSERT(sign == 1 || sign == -1);
  const sumTerm t = {.coefficient = expr_constant(s->pool, sign), .first = s->nfactor};
  PUT(s, s->term, s->n, s->capacity, t);
}


// Hash of a factor. Sums of hashes must differ for different products, although factors in a long
// sum often have numbers with equal steps, and some are squares.
static unsigned factor_key_of(int node)
{
  unsigned x = (unsigned) node * 2654435761u;
  x = (x ^ x >> 15) * 2246822519u;
  return (x ^ x >> 13) * 3266489917u;
}


void sum_add_factor(sumTerms *s, int node, sumKind kind)
{
  if (s->n == 0) return;
  sumTerm *t = &s->term[s->n - 1];
  if (s->pool->nodes[node].op == EXPR_NEG) {
    t->coefficient = expr_neg(s->pool, t->coefficient);
    node = s->pool->nodes[node].a;
  }
  if (kind == SUM_CONSTANT || expr_is_constant(s->pool, node)) {
    t->coefficient = expr_mul(s->pool, t->coefficient, node);
    return;
  }
  PUT(s, s->factor, s->nfactor, s->factor_capacity, node);

  // sorted by number, so that equal products are recognised
  int k = s->nfactor - 1;
  for (; k > t->first && s->factor[k - 1] > node; k--) s->factor[k] = s->factor[k - 1];
  s->factor[k] = node;
  t->nfactor++;
  t->key += factor_key_of(node);
  t->is_sole = kind == SUM_SOLE;
}

//---- terms ---------------------------------------------------------------------------------------

static int is_unit_coefficient(const sumTerms *s, int coefficient)
{
  const exprNode *n = &s->pool->nodes[coefficient];
  return n->op == EXPR_CONSTANT && (n->value == 1 || n->value == -1);
}


int sum_cancels(const sumTerms *s, int constant)
{
  if (s->n == 0 || is_unit_coefficient(s, s->term[s->n - 1].coefficient)) return 0;
  const int x = expr_mul(s->pool, s->term[s->n - 1].coefficient, constant);
  return is_unit_coefficient(s, x);
}


static int is_alike_term(const sumTerms *s, const sumTerm *a, const sumTerm *b)
{
  if (a->key != b->key || a->nfactor != b->nfactor) return 0;
  for (int k = 0; k < a->nfactor; k++) {
    if (s->factor[a->first + k] != s->factor[b->first + k]) return 0;
  }
  return 1;
}


// terms sorted by key
typedef struct sumOrder {
  unsigned key;
  int term;
} sumOrder;


static int compare_orders(const void *a, const void *b)
{
  const sumOrder *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->term - y->term;
}


// Merge terms with the same factors by adding their coefficients. For many terms, those with equal
// keys are adjacent in the sorted order; place[term] is the index there. A merged term gets the
// coefficient 0 and is removed.
static void join_alike(sumTerms *s, int begin)
{
  enum { MAX_QUADRATIC_TERMS = 32 };
  const int n = s->n - begin;
  sumTerm *term = s->term + begin;
  sumOrder *order =
      n > MAX_QUADRATIC_TERMS ? arena_alloc(s->arena, (size_t) n, sizeof *order) : NULL;
  int *place = order ? arena_alloc(s->arena, (size_t) n, sizeof *place) : NULL;
  if (order) {
    for (int i = 0; i < n; i++) order[i] = (sumOrder){term[i].key, i};
    qsort(order, (size_t) n, sizeof *order, compare_orders);
    for (int k = 0; k < n; k++) place[order[k].term] = k;
  }
  for (int i = 0; i < n; i++) {
    int first = i, last = n - 1;
    if (order) {
      first = last = place[i];
      while (last + 1 < n && order[last + 1].key == order[last].key) last++;
    }
    for (; last > first; last--) {
      sumTerm *other = &term[order ? order[last].term : last];
      if (term[i].nfactor < 0 || !is_alike_term(s, &term[i], other)) continue;
      term[i].coefficient = expr_add(s->pool, term[i].coefficient, other->coefficient);
      other->coefficient = 0;
      other->nfactor = -1;
    }
  }
  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (term[i].coefficient != 0) term[kept++] = term[i];
  }
  s->n = begin + kept;
}


// the square of factor k of a term, if the factor occurs twice and its square already exists; else
// the factor itself
static int factor_or_square(const sumTerms *s, const sumTerm *t, int k, int *step)
{
  const int x = s->factor[t->first + k];
  const int is_twice = k + 1 < t->nfactor && s->factor[t->first + k + 1] == x;
  const int square = is_twice ? expr_find(s->pool, EXPR_MUL, x, x) : -1;
  *step = square < 0 ? 1 : 2;
  return square < 0 ? x : square;
}


static int product_of_term(const sumTerms *s, const sumTerm *t)
{
  if (t->nfactor == 0) return t->coefficient;
  int step, x = factor_or_square(s, t, 0, &step);
  for (int k = step; k < t->nfactor; k += step) {
    x = expr_mul(s->pool, x, factor_or_square(s, t, k, &step));
  }
  return expr_mul(s->pool, x, t->coefficient);
}

//---- pairs of sums and differences ---------------------------------------------------------------

// is a term a multiple of a sum or difference of two nodes?
static int is_pair(const sumTerms *s, const sumTerm *t)
{
  if (t->nfactor != 1 || is_unit_coefficient(s, t->coefficient)) return 0;
  const exprOp op = s->pool->nodes[s->factor[t->first]].op;
  return op == EXPR_ADD || op == EXPR_SUB;
}


// coefficient of node x, one part of the pair, in the term
static int coefficient_share_of(const sumTerms *s, const sumTerm *t, int x)
{
  ART_ASSERT(t->nfactor == 1);
  const exprNode n = s->pool->nodes[s->factor[t->first]];
  return n.op == EXPR_SUB && n.b == x ? expr_neg(s->pool, t->coefficient) : t->coefficient;
}


static void set_term(sumTerms *s, sumTerm *t, int coefficient, int factor)
{
  ART_ASSERT(t->nfactor == 1);
  *t = (sumTerm){
      .coefficient = coefficient, .nfactor = 1, .first = t->first, .key = factor_key_of(factor)};
  s->factor[t->first] = factor;
}


//---- common factors ------------------------------------------------------------------------------

// index of a factor in a term, or -1
static int factor_place_of(const sumTerms *s, const sumTerm *t, int factor)
{
  for (int k = 0; k < t->nfactor; k++) {
    if (s->factor[t->first + k] == factor) return k;
  }
  return -1;
}


// coefficients x and -x count as the same factor
static int coefficient_magnitude(const sumTerms *s, int coefficient)
{
  const exprNode *n = &s->pool->nodes[coefficient];
  return n->op == EXPR_NEG ? n->a : coefficient;
}


// find the factor of most products from term `begin` on; returns whether extracting it saves
// operations
static int most_common(sumTerms *s, int begin, int *factor)
{
  int n = 0, most = 1;
  for (int i = begin; i < s->n; i++) {
    const sumTerm t = s->term[i];
    const int has_coefficient = !is_unit_coefficient(s, t.coefficient);
    if (t.nfactor + has_coefficient < 2) continue;
    for (int k = 0; k < t.nfactor; k++) {
      const int f = s->factor[t.first + k];
      const int is_new = k == 0 || f != s->factor[t.first + k - 1];
      if (is_new) PUT(s, s->tally, n, s->tally_capacity, f);
    }
    if (has_coefficient)
      PUT(s, s->tally, n, s->tally_capacity, coefficient_magnitude(s, t.coefficient));
  }
  base_sort_ints(n, s->tally);
  for (int i = 0, run; i < n; i += run) {
    for (run = 1; i + run < n && s->tally[i + run] == s->tally[i]; run++) continue;
    if (run > most) {
      most = run;
      *factor = s->tally[i];
    }
  }
  return most > 1;
}


// move term i to the end without the factor; returns 0 if it does not contain it
static int divide_term(sumTerms *s, int i, int factor)
{
  const sumTerm t = s->term[i];
  sumTerm rest = {.coefficient = t.coefficient, .first = s->nfactor};
  const int place = factor_place_of(s, &t, factor);
  if (place < 0) {
    if (coefficient_magnitude(s, t.coefficient) != factor || is_unit_coefficient(s, t.coefficient))
      return 0;
    rest.coefficient = expr_constant(s->pool, t.coefficient == factor ? 1 : -1);
  }
  for (int k = 0; k < t.nfactor; k++) {
    if (k == place) continue;
    const int other = s->factor[t.first + k];
    PUT(s, s->factor, s->nfactor, s->factor_capacity, other);
    rest.key += factor_key_of(other);
    rest.nfactor++;
  }
  for (s->n--; i < s->n; i++) s->term[i] = s->term[i + 1];
  PUT(s, s->term, s->n, s->capacity, rest);
  return 1;
}


static int build_from(sumTerms *s, int begin);


// a p + b p + c = p (a + b) + c; if no term contains the factor, it is a coefficient
static void take_out_factor(sumTerms *s, int begin, int factor)
{
  ART_ASSERT(begin < s->n);
  const int all = s->n;
  int taken = 0, is_coefficient = 1;
  for (int i = begin; i < all; i++) is_coefficient &= factor_place_of(s, &s->term[i], factor) < 0;
  for (int i = begin; i < all - taken;) {
    if (divide_term(s, i, factor))
      taken++;
    else
      i++;
  }
  const int inner = build_from(s, s->n - taken);
  sum_add_term(s, 1);
  sum_add_factor(s, factor, is_coefficient ? SUM_CONSTANT : SUM_SHARED);
  sum_add_factor(s, inner, SUM_SHARED);
}


//---- adding up -----------------------------------------------------------------------------------

// Depth of the dependence chain of a node, because latency matters more than throughput; slow
// operations are weighted.
static int chain_depth_of(sumTerms *s, int node)
{
  enum { SLOW_OPERATION_COST = 5 };
  while (s->ndepth <= node) {
    const exprOp op = s->pool->nodes[s->ndepth].op;
    const int is_quick = op == EXPR_ADD || op == EXPR_SUB || op == EXPR_MUL;
    const int is_free = op == EXPR_NEG || op == EXPR_ELEMENT || expr_arity(op) == 0;
    int deepest = 0;
    for (int k = 0; k < expr_argument_count(s->pool, s->ndepth); k++) {
      const int d = s->depth[expr_argument(s->pool, s->ndepth, k)];
      if (deepest < d) deepest = d;
    }
    const int depth = is_free ? deepest : deepest + (is_quick ? 1 : SLOW_OPERATION_COST);
    PUT(s, s->depth, s->ndepth, s->depth_capacity, depth);
  }
  return s->depth[node];
}


typedef struct sumPart {
  int node, sign, depth;
} sumPart;


static int compare_parts(const void *a, const void *b)
{
  const sumPart *x = (const sumPart *) a, *y = (const sumPart *) b;
  if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}


static void add_sum_part(sumTerms *s, int *n, sumPart x)
{
  const exprNode node = s->pool->nodes[x.node];
  if (node.op == EXPR_NEG) {
    x.node = node.a;
    x.sign = -x.sign;
  }
  x.depth = chain_depth_of(s, x.node);
  PUT(s, s->part, *n, s->part_capacity, x);
}


// Add and remove the terms from `begin` on, always combining the two shallowest. Sums are produced
// in the order of their depths, so the next operand is the first remaining term or the first
// remaining sum.
static int add_up_terms(sumTerms *s, int begin)
{
  ART_ASSERT(begin <= s->n);
  int n = 0;
  for (int i = begin; i < s->n; i++)
    add_sum_part(s, &n, (sumPart){.node = product_of_term(s, &s->term[i]), .sign = 1});
  s->n = begin;
  if (n == 0) return 0;
  qsort(s->part, (size_t) n, sizeof *s->part, compare_parts);

  int term = 0, sum = n, all = n;
  for (int left = n; left > 1; left--) {
    sumPart two[2];
    for (int k = 0; k < 2; k++) {
      const int take_term = term < n && (sum == all || s->part[term].depth <= s->part[sum].depth);
      two[k] = s->part[take_term ? term++ : sum++];
    }
    const sumPart a = two[0], b = two[1];
    const int plus = a.sign > 0 ? a.node : b.node, minus = a.sign > 0 ? b.node : a.node;
    const int node =
        a.sign == b.sign ? expr_add(s->pool, a.node, b.node) : expr_sub(s->pool, plus, minus);
    add_sum_part(s, &all, (sumPart){.node = node, .sign = a.sign == b.sign ? a.sign : 1});
  }
  const sumPart last = s->part[all - 1];
  return last.sign > 0 ? last.node : expr_neg(s->pool, last.node);
}


// build the sum of the terms from `begin` on, which are removed
static int build_from(sumTerms *s, int begin)
{
  int factor = 0;
  join_alike(s, begin);
  // k (x + y) + l (x - y) = (k + l) x + (k - l) y, if one of the pairs is used nowhere else
  for (int i = begin; i < s->n; i++) {
    for (int j = i + 1; j < s->n && is_pair(s, &s->term[i]); j++) {
      sumTerm *t = &s->term[i], *u = &s->term[j];
      if (!is_pair(s, u)) continue;
      const exprNode a = s->pool->nodes[s->factor[t->first]];
      const exprNode b = s->pool->nodes[s->factor[u->first]];
      const int is_same = (a.a == b.a && a.b == b.b) || (a.a == b.b && a.b == b.a);
      if (!is_same || a.a == a.b || (!t->is_sole && !u->is_sole)) continue;
      const int first =
          expr_add(s->pool, coefficient_share_of(s, t, a.a), coefficient_share_of(s, u, a.a));
      const int second =
          expr_add(s->pool, coefficient_share_of(s, t, a.b), coefficient_share_of(s, u, a.b));
      set_term(s, t, first, a.a);
      set_term(s, u, second, a.b);
    }
  }
  join_alike(s, begin);
  while (most_common(s, begin, &factor)) take_out_factor(s, begin, factor);
  return add_up_terms(s, begin);
}


int sum_build(sumTerms *s)
{
  return build_from(s, 0);
}
