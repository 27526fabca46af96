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

// a product c * node[0] * node[1] ...
typedef struct symFactors {
  double c;
  int count;
  int node[MAX_FACTORS];
} symFactors;


// the factors of a term in f; returns 0 when there are more than anyone wants to look at
static int list_factors(const exprPool *pool, symTerm t, symFactors *f)
{
  int todo[MAX_FACTORS] = {t.base}, todo_count = 1;
  f->c = t.c;
  f->count = 0;
  while (todo_count > 0) {
    const int x = todo[--todo_count];
    const exprNode n = pool->nodes[x];
    if (n.op == EXPR_CONSTANT) {
      f->c *= n.value;
    } else if (n.op != EXPR_MUL) {
      if (f->count == MAX_FACTORS) return 0;
      f->node[f->count++] = x;
    } else {
      if (todo_count + 2 > MAX_FACTORS) return 0;
      todo[todo_count++] = n.b;
      todo[todo_count++] = n.a;
    }
  }
  return 1;
}


// move the factors that f and g share to common
static void take_common(symFactors *f, symFactors *g, symFactors *common)
{
  common->c = 1;
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
  int x = expr_constant(pool, f->c);
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


static int join_squares(exprPool *pool, const symFactors *f, const symFactors *g,
                        const symFactors *common)
{
  // k sin^2 x + k cos^2 x
  if (f->c == g->c)
    return is_unit_sum(pool, f, g) ? scaled(pool, f->c, product(pool, common)) : EXPR_NO_RULE;

  // k - k sin^2 x, in either order
  if (f->c != -g->c || (f->count > 0 && g->count > 0)) return EXPR_NO_RULE;
  const symFactors *whole = f->count > 0 ? g : f;
  const int square = one_minus(pool, f->count > 0 ? f : g);
  if (square == EXPR_NO_RULE) return EXPR_NO_RULE;
  return scaled(pool, whole->c, expr_mul(pool, product(pool, common), square));
}

//---- sums ----------------------------------------------------------------------------------------

// a + sign b as one term, if they are alike
static int join(exprPool *pool, int a, int sign, int b)
{
  const symTerm s = term_of(pool, a);
  symTerm t = term_of(pool, b);
  t.c *= sign;
  if (s.base == t.base) return scaled(pool, s.c + t.c, s.base);

  symFactors f, g, common;
  if (!list_factors(pool, s, &f) || !list_factors(pool, t, &g)) return EXPR_NO_RULE;
  take_common(&f, &g, &common);

  // the same factors, multiplied in another order
  if (f.count == 0 && g.count == 0) return scaled(pool, f.c + g.c, product(pool, &common));
  return join_squares(pool, &f, &g, &common);
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
  const symTerm s = term_of(pool, a), t = term_of(pool, b);
  const double c = s.c * t.c;
  const int one_is_number = expr_is_constant(pool, a) || expr_is_constant(pool, b);

  // a negative number leaves its sign outside, where a sum can absorb it
  if (one_is_number && c < 0 && (s.c == 1 || t.c == 1))
    return expr_neg(pool, scaled(pool, -c, expr_is_constant(pool, a) ? b : a));

  // two numbers come together, unless they leave the range of a double there; a single one stays with
  // its factor, since that product may serve elsewhere
  if (s.c != 1 && t.c != 1 && isnormal(c)) return scaled(pool, c, expr_mul(pool, s.base, t.base));

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
