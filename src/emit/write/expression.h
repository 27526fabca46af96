// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions as text: how a language spells operations and numbers, and the printing of a node by its spellings.
#ifndef EMIT_EXPRESSION_H
#define EMIT_EXPRESSION_H

#include "emit/language/options.h"

// Spellings of a language.
typedef struct emitDialect {
  const char *spelling
      [EXPR_OP_COUNT]; // "%s + %s": operands in order, again from the first where there are more places
                       // than operands; "%2 if %1": by number; NULL: cannot be said
  const char *index;       // element of a vector: "%s[%d]"
  int first;               // number of the first element, 0 or 1
  const char *whole;       // appended to numbers without point or exponent: ".0"
  const char *exponent;    // letter of an exponent, "e" or "d"
  const char *infinity[2]; // below and above all numbers, without operations on constants
  const char *nan;
  const char *spread; // a number where all are vectors, "lanes_all(%s)"; NULL: they are not

  const char *
      narrow; // before a number of double precision where all are single, whose literals end in f; NULL: they are not

  const char *one_over; // a quotient of 1, whose second operand is %2; NULL: as any
  const char *over;     // a quotient by a value known from parameters alone; NULL: as any

  // Conditions are not numbers: the condition that a number is not 0, "%s != 0", and the number 1 or 0 of a condition.
  const char *is_true, *truth;
} emitDialect;

// Spellings that all languages with C's functions and operators have in common.
#define EMIT_COMMON(prefix, product, quotient)                                                     \
  [EXPR_ADD] = "%s + %s", [EXPR_SUB] = "%s - %s", [EXPR_MUL] = product, [EXPR_DIV] = quotient,     \
  [EXPR_SQRT] = prefix "sqrt(%s)", [EXPR_SIN] = prefix "sin(%s)", [EXPR_COS] = prefix "cos(%s)",   \
  [EXPR_TAN] = prefix "tan(%s)", [EXPR_ASIN] = prefix "asin(%s)", [EXPR_ACOS] = prefix "acos(%s)", \
  [EXPR_ATAN] = prefix "atan(%s)", [EXPR_SINH] = prefix "sinh(%s)",                                \
  [EXPR_COSH] = prefix "cosh(%s)", [EXPR_TANH] = prefix "tanh(%s)", [EXPR_EXP] = prefix "exp(%s)", \
  [EXPR_LOG] = prefix "log(%s)", [EXPR_LOG10] = prefix "log10(%s)",                                \
  [EXPR_ATAN2] = prefix "atan2(%s, %s)"

// Conditions and choices in the words of C.
#define EMIT_C_CONDITIONS                                                                          \
  [EXPR_LESS] = "%s < %s", [EXPR_LESS_EQUAL] = "%s <= %s", [EXPR_EQUAL] = "%s == %s",              \
  [EXPR_AND] = "%s && %s", [EXPR_OR] = "%s || %s", [EXPR_NOT] = "!%s",                             \
  [EXPR_SELECT] = "%s ? %s : %s"

// Where the printing of an expression finds its names.
typedef struct emitScope {
  FILE *out;
  const emitDialect *dialect;
  const eqnList *list;
  const char **symbol;       // [pool->symbol_count] how each symbol is written, by ordinal
  const char **name;         // [list->n] how the variable of an equation is written
  const char *const *vector; // [list->n] the same of a call's result, before its index
  const int *offset;         // [list->n] added to that index
  const int *slot; // [list->nnode] of a sine or cosine its place + 1 in the vector of all, or 0
  const char *is_single;     // [list->n] variables that are numbers of single precision; NULL: none
  const char *is_wide_angle; // [list->nnode] whose sine and cosine are needed in double precision
  int is_loop; // over branches alike: an expression of the first one is printed for branch k
} emitScope;

// In a loop: how far the places of a sine or cosine lie apart from branch to branch. 0: it is of no branch.
int emit_slot_step(const emitScope *scope, int node);

// Whether the sine and cosine of an angle are found in single precision.
int emit_is_single_angle(const emitScope *scope, int angle);

// The expression of an equation's node; and any other node where it is used.
void emit_expression(const emitScope *scope, int node);
void emit_operand(const emitScope *scope, int node);

// A node as a condition: a comparison as it is, a number compared with 0.
void emit_condition(const emitScope *scope, int node);

// A number, as the shortest text that reads back the same; the same as a vector, where numbers are vectors.
void emit_number(FILE *out, const emitDialect *dialect, double value);
void emit_vector(FILE *out, const emitDialect *dialect, double value);

#endif
