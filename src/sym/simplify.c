// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rewriting rules of EXPR_SIMPLIFY: like terms, sin^2 + cos^2 = 1, constant factors, cancellation.
#include "base/error.h"
#include "sym/factors.h"

#include <math.h>

//---- sin^2 + cos^2 = 1 ---------------------------------------------------------------------------

// is f the square of the sine or cosine (op) of an angle?
static int is_trig_square(const exprPool *pool, const symFactors *f, exprOp op)
{
  return f->count == 2 && f->node[0] == f->node[1] && pool->nodes[f->node[0]].op == op;
}


// k sin^2 x + k cos^2 x = k,  k - k sin^2 x = k cos^2 x,  k - k cos^2 x = k sin^2 x; f and g are
// the factors that the two terms do not have in common
static int join_squares(exprPool *pool, const symFactors *f, const symFactors *g,
                        const symFactors *common)
{
  if (f->c == g->c) {
    const int squares = (is_trig_square(pool, f, EXPR_SIN) && is_trig_square(pool, g, EXPR_COS)) ||
                        (is_trig_square(pool, f, EXPR_COS) && is_trig_square(pool, g, EXPR_SIN));
    if (!squares || pool->nodes[f->node[0]].a != pool->nodes[g->node[0]].a) return EXPR_NO_RULE;
    return factors_scaled(pool, f->c, factors_product(pool, common));
  }
  if (f->c != -g->c || (f->count > 0 && g->count > 0)) return EXPR_NO_RULE;
  const symFactors *whole = f->count > 0 ? g : f, *square = f->count > 0 ? f : g;
  const int is_sine = is_trig_square(pool, square, EXPR_SIN);
  if (!is_sine && !is_trig_square(pool, square, EXPR_COS)) return EXPR_NO_RULE;
  const int angle = pool->nodes[square->node[0]].a;
  const int other = is_sine ? expr_cos(pool, angle) : expr_sin(pool, angle);
  const int rest = expr_mul(pool, other, other);
  return factors_scaled(pool, whole->c, expr_mul(pool, factors_product(pool, common), rest));
}

//---- sums ----------------------------------------------------------------------------------------

static int signed_sum(exprPool *pool, int a, int sign, int b)
{
  return sign > 0 ? expr_add(pool, a, b) : expr_sub(pool, a, b);
}


// combine a + sign b to one term if they are alike
static int join_like_terms(exprPool *pool, int a, int sign, int b)
{
  const symTerm s = factors_term(pool, a);
  symTerm t = factors_term(pool, b);
  t.c *= sign;
  if (s.base == t.base) return factors_scaled(pool, s.c + t.c, s.base);

  symFactors f, g, common;
  if (!factors_list(pool, s, &f) || !factors_list(pool, t, &g)) return EXPR_NO_RULE;
  factors_common(&f, &g, &common);

  // equal factors in a different order
  if (f.count == 0 && g.count == 0)
    return factors_scaled(pool, f.c + g.c, factors_product(pool, &common));
  const int turned = angle_join(pool, &f, &g, &common);
  return turned != EXPR_NO_RULE ? turned : join_squares(pool, &f, &g, &common);
}


// sign of the second argument of a sum or difference; 0 for other operations
static int second_sign(const exprPool *pool, int x)
{
  const exprOp op = pool->nodes[x].op;
  return op == EXPR_ADD ? 1 : op == EXPR_SUB ? -1 : 0;
}


// (u + v) + b or a + (u + v) where the other term can be combined with u or v
static int join_inside(exprPool *pool, int a, int sign, int b, int is_left)
{
  const int whole = is_left ? a : b;
  const int sign_v = second_sign(pool, whole), u = pool->nodes[whole].a, v = pool->nodes[whole].b;
  if (!sign_v) return EXPR_NO_RULE;
  int joined = is_left ? join_like_terms(pool, u, sign, b) : join_like_terms(pool, a, sign, u);
  if (joined != EXPR_NO_RULE) return signed_sum(pool, joined, is_left ? sign_v : sign * sign_v, v);
  joined = is_left ? join_like_terms(pool, v, sign * sign_v, b)
                   : join_like_terms(pool, a, sign * sign_v, v);
  if (joined == EXPR_NO_RULE) return joined;
  return is_left ? signed_sum(pool, u, sign_v, joined) : signed_sum(pool, joined, sign, u);
}


// R(b) R(a) u = R(a + b) u and R^T R u = u: one component of a vector rotated twice. T P + U Q is
// regrouped as (T P_1 + U Q_1) and (T P_2 + U Q_2), or with the parts of Q exchanged.
static int join_turns(exprPool *pool, int a, int sign, int b)
{
  angleTurned x, y;
  if (!angle_turned(pool, a, &x) || !angle_turned(pool, b, &y)) return EXPR_NO_RULE;
  if (x.angle != y.angle || x.trig == y.trig) return EXPR_NO_RULE;
  for (int swap = 0; swap < 2; swap++) {
    const int first = join_like_terms(pool, expr_mul(pool, x.trig, x.part[0]), sign * y.sign[swap],
                                      expr_mul(pool, y.trig, y.part[swap]));
    if (first == EXPR_NO_RULE) continue;
    const int second =
        join_like_terms(pool, expr_mul(pool, x.trig, x.part[1]), sign * x.sign[1] * y.sign[!swap],
                        expr_mul(pool, y.trig, y.part[!swap]));
    if (second != EXPR_NO_RULE) return signed_sum(pool, first, x.sign[1], second);
  }
  return EXPR_NO_RULE;
}


int simplify_sum(exprPool *pool, int a, int sign, int b)
{
  ART_ASSERT((sign == 1 || sign == -1) && a != 0 && b != 0);
  if (pool->is_solving) return EXPR_NO_RULE;
  int x = join_like_terms(pool, a, sign, b);
  if (x == EXPR_NO_RULE) x = join_turns(pool, a, sign, b);
  if (x == EXPR_NO_RULE) x = join_inside(pool, a, sign, b, 1);
  if (x == EXPR_NO_RULE) x = join_inside(pool, a, sign, b, 0);
  return x;
}

//---- products and quotients ----------------------------------------------------------------------

// (x / y) y = x
static int cancel_quotient(const exprPool *pool, int quotient, int y)
{
  const exprNode n = pool->nodes[quotient];
  return n.op == EXPR_DIV && n.b == y ? n.a : EXPR_NO_RULE;
}


int simplify_product(exprPool *pool, int a, int b)
{
  ART_ASSERT(a != 0 && b != 0);
  const symTerm s = factors_term(pool, a), t = factors_term(pool, b);
  const double c = s.c * t.c;
  const int one_is_number = expr_is_constant(pool, a) || expr_is_constant(pool, b);

  // move the sign of a negative number outward, where a sum can absorb it
  if (one_is_number && c < 0 && (s.c == 1 || t.c == 1))
    return expr_neg(pool, factors_scaled(pool, -c, expr_is_constant(pool, a) ? b : a));

  // combine two numbers, unless the product leaves the normal range; a single number stays with its
  // factor, because that product may be used elsewhere
  if (s.c != 1 && t.c != 1 && isnormal(c))
    return factors_scaled(pool, c, expr_mul(pool, s.base, t.base));

  int x = cancel_quotient(pool, a, b);
  if (x == EXPR_NO_RULE) x = cancel_quotient(pool, b, a);
  if (x == EXPR_NO_RULE && a == b && pool->nodes[a].op == EXPR_SQRT) x = pool->nodes[a].a;
  return x;
}


int simplify_quotient(exprPool *pool, int a, int b)
{
  if (a == b) return expr_constant(pool, 1);

  // replace division by a number with multiplication
  const double c = expr_is_constant(pool, b) ? 1 / pool->nodes[b].value : 0;
  if (isnormal(c)) return expr_mul(pool, a, expr_constant(pool, c));

  // x y / y = x
  const exprNode n = pool->nodes[a];
  if (n.op == EXPR_MUL && n.b == b) return n.a;
  if (n.op == EXPR_MUL && n.a == b) return n.b;
  return EXPR_NO_RULE;
}
