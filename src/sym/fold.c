// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The operations on expressions, with the rewritings that keep every bit.
//
// IEEE arithmetic rounds x and -x alike and does not care for the order of two arguments, so signs can
// be moved through sums, products and quotients without changing the magnitude of any result. Signs
// move outwards until a sum or a difference absorbs them.
#include "sym/simplify.h"


static exprOp op_of(const exprPool *pool, int node)
{
  return pool->nodes[node].op;
}


static int argument(const exprPool *pool, int node)
{
  return pool->nodes[node].a;
}


static int is_number(const exprPool *pool, int node, double value)
{
  return expr_is_constant(pool, node) && pool->nodes[node].value == value;
}


static int is_negative_number(const exprPool *pool, int node)
{
  return expr_is_constant(pool, node) && pool->nodes[node].value < 0;
}


static int fold_numbers(exprPool *pool, exprOp op, int a, int b)
{
  return expr_constant(pool, expr_apply(op, pool->nodes[a].value, pool->nodes[b].value));
}


static int are_numbers(const exprPool *pool, int a, int b)
{
  return expr_is_constant(pool, a) && expr_is_constant(pool, b);
}


// a sum or a product: numbers first, then the order of the pool, so that a + b and b + a are one
static int commutative(exprPool *pool, exprOp op, int a, int b)
{
  const int number_a = expr_is_constant(pool, a), number_b = expr_is_constant(pool, b);
  const int swap = number_a != number_b ? number_b : b < a;
  return swap ? expr_node(pool, op, b, a) : expr_node(pool, op, a, b);
}


// take the rewritten expression if the level allows it and a rule was found
#define SIMPLIFIED(pool, call)                                                                     \
  do {                                                                                             \
    const int simpler = (pool)->level == EXPR_SIMPLIFY ? (call) : EXPR_NO_RULE;                    \
    if (simpler != EXPR_NO_RULE) return simpler;                                                   \
  } while (0)


int expr_add(exprPool *pool, int a, int b)
{
  if (are_numbers(pool, a, b)) return fold_numbers(pool, EXPR_ADD, a, b);
  if (a == 0) return b;
  if (b == 0) return a;

  // x + (-y) = x - y
  if (op_of(pool, b) == EXPR_NEG) return expr_sub(pool, a, argument(pool, b));
  if (op_of(pool, a) == EXPR_NEG) return expr_sub(pool, b, argument(pool, a));
  if (is_negative_number(pool, b)) return expr_sub(pool, a, expr_neg(pool, b));
  if (is_negative_number(pool, a)) return expr_sub(pool, b, expr_neg(pool, a));

  SIMPLIFIED(pool, simplify_sum(pool, a, 1, b));
  return commutative(pool, EXPR_ADD, a, b);
}


int expr_sub(exprPool *pool, int a, int b)
{
  if (are_numbers(pool, a, b)) return fold_numbers(pool, EXPR_SUB, a, b);
  if (a == b) return 0;
  if (a == 0) return expr_neg(pool, b);
  if (b == 0) return a;

  // x - (-y) = x + y,  (-x) - y = -(x + y)
  if (op_of(pool, b) == EXPR_NEG) return expr_add(pool, a, argument(pool, b));
  if (op_of(pool, a) == EXPR_NEG) return expr_neg(pool, expr_add(pool, argument(pool, a), b));
  if (is_negative_number(pool, b)) return expr_add(pool, a, expr_neg(pool, b));

  SIMPLIFIED(pool, simplify_sum(pool, a, -1, b));
  return expr_node(pool, EXPR_SUB, a, b);
}


int expr_mul(exprPool *pool, int a, int b)
{
  if (are_numbers(pool, a, b)) return fold_numbers(pool, EXPR_MUL, a, b);
  if (a == 0 || b == 0) return 0;
  if (is_number(pool, a, 1)) return b;
  if (is_number(pool, b, 1)) return a;
  if (is_number(pool, a, -1)) return expr_neg(pool, b);
  if (is_number(pool, b, -1)) return expr_neg(pool, a);

  // (-x) y = -(x y)
  if (op_of(pool, a) == EXPR_NEG) return expr_neg(pool, expr_mul(pool, argument(pool, a), b));
  if (op_of(pool, b) == EXPR_NEG) return expr_neg(pool, expr_mul(pool, a, argument(pool, b)));

  SIMPLIFIED(pool, simplify_product(pool, a, b));
  return commutative(pool, EXPR_MUL, a, b);
}


int expr_div(exprPool *pool, int a, int b)
{
  if (are_numbers(pool, a, b)) return fold_numbers(pool, EXPR_DIV, a, b);
  if (a == 0) return 0;
  if (is_number(pool, b, 1)) return a;
  if (is_number(pool, b, -1)) return expr_neg(pool, a);

  // (-x) / y = x / (-y) = -(x / y)
  if (op_of(pool, a) == EXPR_NEG) return expr_neg(pool, expr_div(pool, argument(pool, a), b));
  if (op_of(pool, b) == EXPR_NEG) return expr_neg(pool, expr_div(pool, a, argument(pool, b)));

  SIMPLIFIED(pool, simplify_quotient(pool, a, b));
  return expr_node(pool, EXPR_DIV, a, b);
}


int expr_neg(exprPool *pool, int a)
{
  const exprNode n = pool->nodes[a];
  if (n.op == EXPR_CONSTANT) return expr_constant(pool, -n.value);
  if (n.op == EXPR_NEG) return n.a;

  // -(x - y) = y - x
  if (n.op == EXPR_SUB) return expr_sub(pool, n.b, n.a);
  return expr_node(pool, EXPR_NEG, a, 0);
}


int expr_sqrt(exprPool *pool, int a)
{
  if (expr_is_constant(pool, a)) return fold_numbers(pool, EXPR_SQRT, a, 0);
  return expr_node(pool, EXPR_SQRT, a, 0);
}


int expr_sin(exprPool *pool, int a)
{
  if (expr_is_constant(pool, a)) return fold_numbers(pool, EXPR_SIN, a, 0);

  // sin(-x) = -sin x
  if (op_of(pool, a) == EXPR_NEG && pool->level == EXPR_SIMPLIFY)
    return expr_neg(pool, expr_sin(pool, argument(pool, a)));
  return expr_node(pool, EXPR_SIN, a, 0);
}


int expr_cos(exprPool *pool, int a)
{
  if (expr_is_constant(pool, a)) return fold_numbers(pool, EXPR_COS, a, 0);

  // cos(-x) = cos x
  if (op_of(pool, a) == EXPR_NEG && pool->level == EXPR_SIMPLIFY)
    return expr_cos(pool, argument(pool, a));
  return expr_node(pool, EXPR_COS, a, 0);
}
