// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations on expressions, with exact rewriting.
//
// IEEE arithmetic rounds x and -x alike and is commutative, so signs can be moved through sums,
// products and quotients without changing the magnitude of a result. Signs move outwards until a
// sum or difference absorbs them.
#include "base/error.h"
#include "sym/factors.h"

#include <math.h>


static exprOp node_operation(const exprPool *pool, int node)
{
  return pool->nodes[node].op;
}


static int node_argument(const exprPool *pool, int node)
{
  return pool->nodes[node].a;
}


static int is_constant_number(const exprPool *pool, int node, double value)
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


// sum or product in canonical order: numbers first, then by index, so that a + b and b + a are one
// node
static int commutative_node(exprPool *pool, exprOp op, int a, int b)
{
  const int number_a = expr_is_constant(pool, a), number_b = expr_is_constant(pool, b);
  const int swap = number_a != number_b ? number_b : b < a;
  return swap ? expr_node(pool, op, b, a) : expr_node(pool, op, a, b);
}


// return the rewritten expression if the level allows it and a rule applies
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
  if (node_operation(pool, b) == EXPR_NEG) return expr_sub(pool, a, node_argument(pool, b));
  if (node_operation(pool, a) == EXPR_NEG) return expr_sub(pool, b, node_argument(pool, a));
  if (is_negative_number(pool, b)) return expr_sub(pool, a, expr_neg(pool, b));
  if (is_negative_number(pool, a)) return expr_sub(pool, b, expr_neg(pool, a));

  SIMPLIFIED(pool, simplify_sum(pool, a, 1, b));
  return commutative_node(pool, EXPR_ADD, a, b);
}


int expr_sub(exprPool *pool, int a, int b)
{
  if (are_numbers(pool, a, b)) return fold_numbers(pool, EXPR_SUB, a, b);
  if (a == b) return 0;
  if (a == 0) return expr_neg(pool, b);
  if (b == 0) return a;

  // x - (-y) = x + y,  (-x) - y = -(x + y)
  if (node_operation(pool, b) == EXPR_NEG) return expr_add(pool, a, node_argument(pool, b));
  if (node_operation(pool, a) == EXPR_NEG)
    return expr_neg(pool, expr_add(pool, node_argument(pool, a), b));
  if (is_negative_number(pool, b)) return expr_add(pool, a, expr_neg(pool, b));

  SIMPLIFIED(pool, simplify_sum(pool, a, -1, b));

  // x - y = -(y - x) if y - x already exists
  const int opposite = pool->level == EXPR_SIMPLIFY ? expr_find(pool, EXPR_SUB, b, a) : -1;
  if (opposite >= 0) return expr_node(pool, EXPR_NEG, opposite, 0);
  return expr_node(pool, EXPR_SUB, a, b);
}


int expr_mul(exprPool *pool, int a, int b)
{
  if (are_numbers(pool, a, b)) return fold_numbers(pool, EXPR_MUL, a, b);
  if (a == 0 || b == 0) return 0;
  if (is_constant_number(pool, a, 1)) return b;
  if (is_constant_number(pool, b, 1)) return a;
  if (is_constant_number(pool, a, -1)) return expr_neg(pool, b);
  if (is_constant_number(pool, b, -1)) return expr_neg(pool, a);

  // (-x) y = -(x y)
  if (node_operation(pool, a) == EXPR_NEG)
    return expr_neg(pool, expr_mul(pool, node_argument(pool, a), b));
  if (node_operation(pool, b) == EXPR_NEG)
    return expr_neg(pool, expr_mul(pool, a, node_argument(pool, b)));

  SIMPLIFIED(pool, simplify_product(pool, a, b));
  return commutative_node(pool, EXPR_MUL, a, b);
}


int expr_div(exprPool *pool, int a, int b)
{
  if (are_numbers(pool, a, b)) return fold_numbers(pool, EXPR_DIV, a, b);
  if (a == 0) return 0;
  if (is_constant_number(pool, b, 1)) return a;
  if (is_constant_number(pool, b, -1)) return expr_neg(pool, a);

  // (-x) / y = x / (-y) = -(x / y)
  if (node_operation(pool, a) == EXPR_NEG)
    return expr_neg(pool, expr_div(pool, node_argument(pool, a), b));
  if (node_operation(pool, b) == EXPR_NEG)
    return expr_neg(pool, expr_div(pool, a, node_argument(pool, b)));

  SIMPLIFIED(pool, simplify_quotient(pool, a, b));
  return expr_node(pool, EXPR_DIV, a, b);
}


int expr_neg(exprPool *pool, int a)
{
  const exprNode n = pool->nodes[a];
  if (n.op == EXPR_CONSTANT) return expr_constant(pool, -n.value);
  if (n.op == EXPR_NEG) return n.a;

  // -(x - y) = y - x
  if (n.op == EXPR_SUB && pool->level == EXPR_RECORD) return expr_sub(pool, n.b, n.a);
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
  if (node_operation(pool, a) == EXPR_NEG && pool->level == EXPR_SIMPLIFY)
    return expr_neg(pool, expr_sin(pool, node_argument(pool, a)));
  return expr_node(pool, EXPR_SIN, a, 0);
}


int expr_cos(exprPool *pool, int a)
{
  if (expr_is_constant(pool, a)) return fold_numbers(pool, EXPR_COS, a, 0);

  // cos(-x) = cos x,  cos(atan x) = 1 / sqrt(1 + x^2)
  if (node_operation(pool, a) == EXPR_NEG && pool->level == EXPR_SIMPLIFY)
    return expr_cos(pool, node_argument(pool, a));
  if (node_operation(pool, a) == EXPR_ATAN && pool->level == EXPR_SIMPLIFY) {
    const int x = node_argument(pool, a), one = expr_constant(pool, 1);
    return expr_div(pool, one, expr_sqrt(pool, expr_add(pool, one, expr_mul(pool, x, x))));
  }
  return expr_node(pool, EXPR_COS, a, 0);
}

int expr_dot(exprPool *pool, int n, const int *x, int stride_x, const int *y, int stride_y)
{
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum = expr_add(pool, sum, expr_mul(pool, x[i * stride_x], y[i * stride_y]));
  }
  return sum;
}

//---- other functions -----------------------------------------------------------------------------

// x^n for a small positive integer n as products
static int whole_power(exprPool *pool, int x, int n)
{
  ART_ASSERT(n > 0);
  int power = expr_constant(pool, 1), square = x;
  for (; n > 0; n /= 2) {
    if (n % 2) power = expr_mul(pool, power, square);
    if (n > 1) square = expr_mul(pool, square, square);
  }
  return power;
}


int expr_pow(exprPool *pool, int a, int b)
{
  enum { MAX_WHOLE_POWER = 8 };
  if (are_numbers(pool, a, b)) return fold_numbers(pool, EXPR_POW, a, b);
  if (b == 0) return expr_constant(pool, 1);
  if (is_constant_number(pool, b, 1)) return a;
  if (!expr_is_constant(pool, b) || pool->level != EXPR_SIMPLIFY)
    return expr_node(pool, EXPR_POW, a, b);

  const double n = pool->nodes[b].value;
  if (n == 0.5) return expr_sqrt(pool, a);
  if (n == floor(n) && fabs(n) <= MAX_WHOLE_POWER) {
    const int power = whole_power(pool, a, (int) fabs(n));
    return n > 0 ? power : expr_div(pool, expr_constant(pool, 1), power);
  }
  return expr_node(pool, EXPR_POW, a, b);
}


int expr_select(exprPool *pool, int condition, int a, int b)
{
  if (a == b) return a;
  if (expr_is_constant(pool, condition)) return condition != 0 ? a : b;
  expr_push(pool, condition);
  expr_push(pool, a);
  expr_push(pool, b);
  return expr_node_n(pool, EXPR_SELECT, 3);
}


// argument of an even or odd function without its sign
static int without_sign(const exprPool *pool, int a)
{
  return node_operation(pool, a) == EXPR_NEG ? node_argument(pool, a) : a;
}


// min(max(x, b), b) = b, and with min and max exchanged; this also removes the derivative with
// respect to x between equal limits
static int is_absorbed(const exprPool *pool, exprOp op, int a, int b)
{
  if (op != EXPR_MIN && op != EXPR_MAX) return 0;
  const exprNode *n = &pool->nodes[a];
  return n->op == (op == EXPR_MIN ? EXPR_MAX : EXPR_MIN) && (n->a == b || n->b == b);
}


int expr_operate(exprPool *pool, exprOp op, int a, int b)
{
  ART_ASSERT(op != EXPR_ELEMENT && (expr_arity(op) == 1 || expr_arity(op) == 2));
  switch (op) {
  case EXPR_NEG: return expr_neg(pool, a);
  case EXPR_SQRT: return expr_sqrt(pool, a);
  case EXPR_SIN: return expr_sin(pool, a);
  case EXPR_COS: return expr_cos(pool, a);
  case EXPR_ADD: return expr_add(pool, a, b);
  case EXPR_SUB: return expr_sub(pool, a, b);
  case EXPR_MUL: return expr_mul(pool, a, b);
  case EXPR_DIV: return expr_div(pool, a, b);
  case EXPR_POW: return expr_pow(pool, a, b);
  default: break;
  }
  const int is_binary = expr_arity(op) == 2;
  if (expr_is_constant(pool, a) && (!is_binary || expr_is_constant(pool, b)))
    return fold_numbers(pool, op, a, is_binary ? b : 0);
  if (is_binary) {
    const int is_symmetric =
        op == EXPR_HYPOT || op == EXPR_EQUAL || op == EXPR_AND || op == EXPR_OR;
    if ((op == EXPR_MIN || op == EXPR_MAX) && a == b) return a;
    if (is_absorbed(pool, op, a, b)) return b;
    if (op == EXPR_HYPOT) {
      a = without_sign(pool, a);
      b = without_sign(pool, b);
    }
    return is_symmetric ? commutative_node(pool, op, a, b) : expr_node(pool, op, a, b);
  }

  // the C library functions are exactly odd or even
  const int plain = without_sign(pool, a);
  const int is_odd = op == EXPR_TAN || op == EXPR_ASIN || op == EXPR_ATAN || op == EXPR_SINH ||
                     op == EXPR_TANH || op == EXPR_SIGN;
  const int is_even = op == EXPR_ABS || op == EXPR_COSH || op == EXPR_NOT;
  const int node = expr_node(pool, op, is_odd || is_even ? plain : a, 0);
  return is_odd && plain != a ? expr_neg(pool, node) : node;
}


int expr_with(exprPool *pool, int node, const int *a)
{
  const exprNode n = pool->nodes[node];
  switch (n.op) {
  case EXPR_CONSTANT:
  case EXPR_SYMBOL: return node;
  case EXPR_ELEMENT: return expr_element(pool, a[0], n.b);
  case EXPR_CALL: return expr_call(pool, expr_called(pool, node), a);
  case EXPR_SELECT: return expr_select(pool, a[0], a[1], a[2]);
  default: return expr_operate(pool, n.op, a[0], expr_arity(n.op) == 2 ? a[1] : 0);
  }
}


void expr_solving(exprPool *pool, int is_solving)
{
  pool->is_solving = is_solving;
}
