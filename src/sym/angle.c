// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sums of angles, which arise from rotations about parallel axes.
//
// Sine and cosine of a sum of angles are nodes like those of a single angle, so they can be
// combined further. If sine and cosine of each angle are available, equation lists (eqn/factor.c)
// expand them to products.
#include "base/error.h"
#include "sym/factors.h"


static int is_trig(const exprPool *pool, int x)
{
  return expr_is_trig(pool->nodes[x].op);
}

//---- canonical order of sums of angles -----------------------------------------------------------

enum { MAX_ANGLES = 16 };

// sign[0] angle[0] + sign[1] angle[1] ...
typedef struct angleSum {
  int count;
  int angle[MAX_ANGLES], sign[MAX_ANGLES];
} angleSum;


// insert an angle in ascending order; it cancels with its opposite
static int put_angle(angleSum *s, int angle, int sign)
{
  ART_ASSERT(sign == 1 || sign == -1);
  int k = 0;
  while (k < s->count && s->angle[k] < angle) k++;
  if (k < s->count && s->angle[k] == angle && s->sign[k] == -sign) {
    s->count--;
    for (; k < s->count; k++) {
      s->angle[k] = s->angle[k + 1];
      s->sign[k] = s->sign[k + 1];
    }
    return 1;
  }
  if (s->count == MAX_ANGLES) return 0;
  for (int i = s->count++; i > k; i--) {
    s->angle[i] = s->angle[i - 1];
    s->sign[i] = s->sign[i - 1];
  }
  s->angle[k] = angle;
  s->sign[k] = sign;
  return 1;
}


static int put_sum(const exprPool *pool, angleSum *s, int x, int sign)
{
  const exprNode n = pool->nodes[x];
  if (n.op == EXPR_NEG) return put_sum(pool, s, n.a, -sign);
  if (n.op == EXPR_ADD) return put_sum(pool, s, n.a, sign) && put_sum(pool, s, n.b, sign);
  if (n.op == EXPR_SUB) return put_sum(pool, s, n.a, sign) && put_sum(pool, s, n.b, -sign);
  return put_angle(s, x, sign);
}


// sine or cosine of a + sign b, normalised so that the first angle has sign +
static int trig_of_sum(exprPool *pool, exprOp op, int a, int sign, int b)
{
  angleSum s = {0};
  if (!put_sum(pool, &s, a, 1) || !put_sum(pool, &s, b, sign)) return EXPR_NO_RULE;
  if (s.count == 0) return expr_constant(pool, op == EXPR_COS);

  const int lead = s.sign[0];
  int angle = s.angle[0];
  for (int k = 1; k < s.count; k++)
    angle = expr_node(pool, s.sign[k] == lead ? EXPR_ADD : EXPR_SUB, angle, s.angle[k]);
  const int x = expr_node(pool, op, angle, 0);
  return op == EXPR_SIN && lead < 0 ? expr_neg(pool, x) : x;
}

//---- joining -------------------------------------------------------------------------------------

static exprOp other_of_sine_cosine(exprOp op)
{
  return op == EXPR_SIN ? EXPR_COS : EXPR_SIN;
}


// does g have the same two angles as f, in this order, with sine and cosine exchanged?
static int is_counterpart(const exprPool *pool, const int *f, int g0, int g1)
{
  const exprNode *n = pool->nodes;
  return n[g0].a == n[f[0]].a && n[g1].a == n[f[1]].a &&
         n[g0].op == other_of_sine_cosine(n[f[0]].op) &&
         n[g1].op == other_of_sine_cosine(n[f[1]].op);
}


int angle_join(exprPool *pool, const symFactors *f, const symFactors *g, const symFactors *common)
{
  if (f->count != 2 || g->count != 2 || (f->c != g->c && f->c != -g->c)) return EXPR_NO_RULE;
  for (int k = 0; k < 2; k++) {
    if (!is_trig(pool, f->node[k]) || !is_trig(pool, g->node[k])) return EXPR_NO_RULE;
  }
  if (!is_counterpart(pool, f->node, g->node[0], g->node[1]) &&
      !is_counterpart(pool, f->node, g->node[1], g->node[0]))
    return EXPR_NO_RULE;

  const exprNode first = pool->nodes[f->node[0]], second = pool->nodes[f->node[1]];
  if (first.a == second.a) return EXPR_NO_RULE;
  int x;
  double c = f->c;
  if (first.op != second.op) {
    // c sin a cos b +- c cos a sin b = c sin(a +- b)
    const int a = first.op == EXPR_SIN ? first.a : second.a;
    const int b = first.op == EXPR_SIN ? second.a : first.a;
    x = trig_of_sum(pool, EXPR_SIN, a, f->c == g->c ? 1 : -1, b);
  } else {
    // c cos a cos b -+ c sin a sin b = c cos(a +- b)
    x = trig_of_sum(pool, EXPR_COS, first.a, f->c == g->c ? -1 : 1, second.a);
    if (first.op == EXPR_SIN) c = g->c;
  }
  if (x == EXPR_NO_RULE) return x;
  return factors_scaled(pool, c, expr_mul(pool, factors_product(pool, common), x));
}

//---- rotated vectors -----------------------------------------------------------------------------

static int has_trig(exprPool const *pool, int x)
{
  symFactors f;
  const exprNode n = pool->nodes[x];
  const symTerm t = {1, n.op == EXPR_NEG ? n.a : x};
  int found = 0;
  if (!factors_list(pool, t, &f)) return 0;
  for (int k = 0; k < f.count; k++) found |= is_trig(pool, f.node[k]);
  return found;
}


int angle_turned(const exprPool *pool, int x, angleTurned *t)
{
  const exprNode n = pool->nodes[x];
  if (n.op != EXPR_MUL) return 0;
  const int trig = is_trig(pool, n.a) ? n.a : n.b, rest = trig == n.a ? n.b : n.a;
  const exprNode parts = pool->nodes[rest];
  if (!is_trig(pool, trig) || (parts.op != EXPR_ADD && parts.op != EXPR_SUB)) return 0;
  *t = (angleTurned){.trig = trig,
                     .angle = pool->nodes[trig].a,
                     .part = {parts.a, parts.b},
                     .sign = {1, parts.op == EXPR_ADD ? 1 : -1}};
  return has_trig(pool, parts.a) && has_trig(pool, parts.b);
}
