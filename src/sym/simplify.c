// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The rewritings of EXPR_SIMPLIFY: like terms, sin^2 + cos^2 = 1, constant factors, cancellation.
#include "sym/simplify.h"

#include <math.h>

//---- terms: a number times the rest --------------------------------------------------------------

// a term c * base; a number is c times the node 1
typedef struct symTerm {
  double c;
  int base;
} symTerm;


static symTerm term_of(exprPool *pool, int x)
{
  symTerm t = {1, x};
  if (pool->nodes[x].op == EXPR_NEG) t = (symTerm){-1, pool->nodes[x].a};

  const exprNode n = pool->nodes[t.base];
  if (n.op == EXPR_CONSTANT) return (symTerm){t.c * n.value, expr_constant(pool, 1)};
  if (n.op == EXPR_MUL && expr_is_constant(pool, n.a))
    return (symTerm){t.c * pool->nodes[n.a].value, n.b};
  return t;
}


static int scaled(exprPool *pool, double c, int base)
{
  return expr_mul(pool, expr_constant(pool, c), base);
}


static int sum(exprPool *pool, int a, int sign, int b)
{
  return sign > 0 ? expr_add(pool, a, b) : expr_sub(pool, a, b);
}

//---- factors of a product ------------------------------------------------------------------------

enum { MAX_FACTORS = 16 };

typedef struct symFactors {
  int count;
  int node[MAX_FACTORS];
} symFactors;


// the factors of x in f; returns 0 when there are more than anyone wants to look at
static int list_factors(const exprPool *pool, int x, symFactors *f)
{
  int todo[MAX_FACTORS] = {x}, todo_count = 1;
  f->count = 0;
  while (todo_count > 0) {
    const exprNode n = pool->nodes[x = todo[--todo_count]];
    if (n.op == EXPR_CONSTANT && n.value == 1) continue;
    if (n.op != EXPR_MUL) {
      if (f->count == MAX_FACTORS) return 0;
      f->node[f->count++] = x;
      continue;
    }
    if (todo_count + 2 > MAX_FACTORS) return 0;
    todo[todo_count++] = n.b;
    todo[todo_count++] = n.a;
  }
  return 1;
}


// move the factors that f and g share to common
static void take_common(symFactors *f, symFactors *g, symFactors *common)
{
  common->count = 0;
  for (int i = 0; i < f->count; i++) {
    int j = 0;
    while (j < g->count && g->node[j] != f->node[i]) j++;
    if (j == g->count) continue;
    common->node[common->count++] = f->node[i];
    f->node[i--] = f->node[--f->count];
    g->node[j] = g->node[--g->count];
  }
}


static int product(exprPool *pool, const symFactors *f)
{
  int x = expr_constant(pool, 1);
  for (int i = 0; i < f->count; i++) x = expr_mul(pool, x, f->node[i]);
  return x;
}

//---- sin^2 + cos^2 = 1 ---------------------------------------------------------------------------

// whether f is the square of the sine or cosine of an angle, named by op
static int is_square(const exprPool *pool, const symFactors *f, exprOp op)
{
  return f->count == 2 && f->node[0] == f->node[1] && pool->nodes[f->node[0]].op == op;
}


// k sin^2 x + k cos^2 x = k, given the factors that the two terms do not share
static int is_unit_sum(const exprPool *pool, const symFactors *f, const symFactors *g)
{
  const int squares = (is_square(pool, f, EXPR_SIN) && is_square(pool, g, EXPR_COS)) ||
                      (is_square(pool, f, EXPR_COS) && is_square(pool, g, EXPR_SIN));
  return squares && pool->nodes[f->node[0]].a == pool->nodes[g->node[0]].a;
}


// 1 - sin^2 x = cos^2 x and 1 - cos^2 x = sin^2 x, given the factors of the square
static int one_minus(exprPool *pool, const symFactors *f)
{
  const int angle = f->count > 0 ? pool->nodes[f->node[0]].a : 0;
  int other = EXPR_NO_RULE;
  if (is_square(pool, f, EXPR_SIN)) other = expr_cos(pool, angle);
  if (is_square(pool, f, EXPR_COS)) other = expr_sin(pool, angle);
  return other == EXPR_NO_RULE ? other : expr_mul(pool, other, other);
}


static int join_squares(exprPool *pool, symTerm s, symTerm t)
{
  symFactors f, g, common;
  if (fabs(s.c) != fabs(t.c)) return EXPR_NO_RULE;
  if (!list_factors(pool, s.base, &f) || !list_factors(pool, t.base, &g)) return EXPR_NO_RULE;
  take_common(&f, &g, &common);

  if (s.c == t.c) {
    if (!is_unit_sum(pool, &f, &g)) return EXPR_NO_RULE;
    return scaled(pool, s.c, product(pool, &common));
  }

  // k - k sin^2 x, in either order
  if (f.count > 0 && g.count > 0) return EXPR_NO_RULE;
  const int square = f.count > 0 ? one_minus(pool, &f) : one_minus(pool, &g);
  if (square == EXPR_NO_RULE) return EXPR_NO_RULE;
  return scaled(pool, f.count > 0 ? t.c : s.c, expr_mul(pool, product(pool, &common), square));
}

//---- sums ----------------------------------------------------------------------------------------

// a + sign b as one term, if they are alike
static int join(exprPool *pool, int a, int sign, int b)
{
  const symTerm s = term_of(pool, a);
  symTerm t = term_of(pool, b);
  t.c *= sign;
  if (s.base == t.base) return scaled(pool, s.c + t.c, s.base);
  return join_squares(pool, s, t);
}


// the sign of the second argument of a sum or a difference; 0 for what is neither
static int second_sign(const exprPool *pool, int x)
{
  const exprOp op = pool->nodes[x].op;
  return op == EXPR_ADD ? 1 : op == EXPR_SUB ? -1 : 0;
}


// (u + v) + b, where b may join u or v; signs as given
static int join_left(exprPool *pool, int a, int sign, int b)
{
  const int sign_v = second_sign(pool, a), u = pool->nodes[a].a, v = pool->nodes[a].b;
  if (!sign_v) return EXPR_NO_RULE;

  int joined = join(pool, u, sign, b);
  if (joined != EXPR_NO_RULE) return sum(pool, joined, sign_v, v);
  joined = join(pool, v, sign * sign_v, b);
  return joined == EXPR_NO_RULE ? joined : sum(pool, u, sign_v, joined);
}


// a + (u + v), where a may join u or v; signs as given
static int join_right(exprPool *pool, int a, int sign, int b)
{
  const int sign_v = second_sign(pool, b), u = pool->nodes[b].a, v = pool->nodes[b].b;
  if (!sign_v) return EXPR_NO_RULE;

  int joined = join(pool, a, sign, u);
  if (joined != EXPR_NO_RULE) return sum(pool, joined, sign * sign_v, v);
  joined = join(pool, a, sign * sign_v, v);
  return joined == EXPR_NO_RULE ? joined : sum(pool, joined, sign, u);
}


int simplify_sum(exprPool *pool, int a, int sign, int b)
{
  int x = join(pool, a, sign, b);
  if (x == EXPR_NO_RULE) x = join_left(pool, a, sign, b);
  if (x == EXPR_NO_RULE) x = join_right(pool, a, sign, b);
  if (x != EXPR_NO_RULE || sign > 0) return x;

  // a - b = -(b - a), where the pool already has the latter
  x = expr_find(pool, EXPR_SUB, b, a);
  return x < 0 ? EXPR_NO_RULE : expr_neg(pool, x);
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
  const symTerm s = term_of(pool, a), t = term_of(pool, b);
  const double c = s.c * t.c;
  const int one_is_number = expr_is_constant(pool, a) || expr_is_constant(pool, b);

  // a negative number leaves its sign outside, where a sum can absorb it
  if (one_is_number && c < 0 && (s.c == 1 || t.c == 1))
    return expr_neg(pool, scaled(pool, -c, expr_is_constant(pool, a) ? b : a));

  // numbers come together, unless they leave the range of a double there
  const int plain = one_is_number ? (s.c == 1 || t.c == 1) : (s.base == a && t.base == b);
  if (!plain && isnormal(c)) return scaled(pool, c, expr_mul(pool, s.base, t.base));

  int x = cancel_quotient(pool, a, b);
  if (x == EXPR_NO_RULE) x = cancel_quotient(pool, b, a);
  if (x == EXPR_NO_RULE && a == b && pool->nodes[a].op == EXPR_SQRT) x = pool->nodes[a].a;
  return x;
}


int simplify_quotient(exprPool *pool, int a, int b)
{
  if (a == b) return expr_constant(pool, 1);

  // a number below becomes a factor
  const double c = expr_is_constant(pool, b) ? 1 / pool->nodes[b].value : 0;
  if (isnormal(c)) return expr_mul(pool, a, expr_constant(pool, c));

  // x y / y = x
  const exprNode n = pool->nodes[a];
  if (n.op == EXPR_MUL && n.b == b) return n.a;
  if (n.op == EXPR_MUL && n.a == b) return n.b;
  return EXPR_NO_RULE;
}
