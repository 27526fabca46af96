// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations of binary lists in words.
#include <stdio.h>
#include <string.h>

#include "sched/binary.h"


// "q[2]" where the symbol is an element of an input
static int name_input(const eqnFunction *f, int node, char *buffer, int size)
{
  for (int v = 0; v < f->ninput; v++) {
    for (int i = 0; i < f->input[v].n; i++) {
      if (f->input[v].node[i] != node) continue;
      snprintf(buffer, (size_t) size, "%s[%d]", f->input[v].name, i);
      return 1;
    }
  }
  return 0;
}


static void name_leaf(const schedBinary *binary, int node, char *buffer, int size);


// sines of inputs, and the sums of angles in them
static void name_sine(const schedBinary *binary, int node, char *buffer, int size)
{
  const exprNode *n = &binary->list->pool->nodes[node];
  char a[56], b[56];
  name_leaf(binary, n->a, a, (int) sizeof a);
  if (n->op == EXPR_SIN || n->op == EXPR_COS) {
    snprintf(buffer, (size_t) size, "%s(%s)", n->op == EXPR_SIN ? "sin" : "cos", a);
  } else if (expr_arity(n->op) == 2) {
    name_leaf(binary, n->b, b, (int) sizeof b);
    snprintf(buffer, (size_t) size, "%s %c %s", a,
             n->op == EXPR_SUB   ? '-'
             : n->op == EXPR_MUL ? '*'
                                 : '+',
             b);
  } else {
    snprintf(buffer, (size_t) size, "-%s", a);
  }
}


static void name_leaf(const schedBinary *binary, int node, char *buffer, int size)
{
  const exprNode *n = &binary->list->pool->nodes[node];
  const int e = binary->list->equation_of[node];
  if (n->op == EXPR_CONSTANT) {
    snprintf(buffer, (size_t) size, "%.9g", n->value);
  } else if (n->op == EXPR_SYMBOL) {
    if (!name_input(binary->list->function, node, buffer, size))
      snprintf(buffer, (size_t) size, "%s_%d", n->name, n->index);
  } else if (e >= 0 && binary->list->equation[e].stage < 0) {
    snprintf(buffer, (size_t) size, "%s", binary->list->equation[e].name);
  } else {
    name_sine(binary, node, buffer, size);
  }
}


const char *binary_operand_text(const schedBinary *binary, const schedOperand *operand,
                                char *buffer, int size)
{
  char name[128];
  if (operand->op >= 0)
    snprintf(name, sizeof name, "%s", binary->operation[operand->op].name);
  else
    name_leaf(binary, operand->leaf, name, (int) sizeof name);
  snprintf(buffer, (size_t) size, "%s%s", operand->negative ? "-" : "", name);
  return buffer;
}


// how an operation is written between its operands, or before them
static const char *sign_of(exprOp op)
{
  static const char *const signs[EXPR_OP_COUNT] = {
      [EXPR_ADD] = " + ",       [EXPR_SUB] = " - ",   [EXPR_MUL] = " * ",
      [EXPR_DIV] = " / ",       [EXPR_NEG] = "0 - ",  [EXPR_SQRT] = "sqrt",
      [EXPR_SIN] = "sin",       [EXPR_COS] = "cos",   [EXPR_TAN] = "tan",
      [EXPR_ASIN] = "asin",     [EXPR_ACOS] = "acos", [EXPR_ATAN] = "atan",
      [EXPR_SINH] = "sinh",     [EXPR_COSH] = "cosh", [EXPR_TANH] = "tanh",
      [EXPR_EXP] = "exp",       [EXPR_LOG] = "log",   [EXPR_LOG10] = "log10",
      [EXPR_ABS] = "abs",       [EXPR_SIGN] = "sign", [EXPR_FLOOR] = "floor",
      [EXPR_NOT] = "not",       [EXPR_POW] = "pow",   [EXPR_ATAN2] = "atan2",
      [EXPR_HYPOT] = "hypot",   [EXPR_MIN] = "min",   [EXPR_MAX] = "max",
      [EXPR_MOD] = "mod",       [EXPR_LESS] = " < ",  [EXPR_LESS_EQUAL] = " <= ",
      [EXPR_EQUAL] = " == ",    [EXPR_AND] = " and ", [EXPR_OR] = " or ",
      [EXPR_SELECT] = "select", [EXPR_CALL] = "call",
  };
  return signs[op];
}


static void append(char *buffer, int size, const char *text)
{
  const size_t used = strlen(buffer);
  if (used + 1 < (size_t) size) snprintf(buffer + used, (size_t) size - used, "%s", text);
}


const char *binary_operation_text(const schedBinary *binary, int i, char *buffer, int size)
{
  const schedOperation *x = &binary->operation[i];
  const char *sign = sign_of(x->op);
  const int is_infix = sign[0] == ' ', is_function = !is_infix && x->op != EXPR_NEG;
  char word[160];
  buffer[0] = 0;
  if (!is_infix) append(buffer, size, sign);
  if (is_function) append(buffer, size, "(");
  for (int k = 0; k < x->noperand; k++) {
    if (k > 0) append(buffer, size, is_infix ? sign : ", ");
    append(buffer, size, binary_operand_text(binary, &x->operand[k], word, (int) sizeof word));
  }
  if (is_function) append(buffer, size, ")");
  return buffer;
}
