// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The postfix program of a formula: shared by the parser, which writes it, and the evaluator.
#ifndef MODEL_FORMULA_PROGRAM_H
#define MODEL_FORMULA_PROGRAM_H

#include "model/formula.h"

// operation, number of switches it owns, operation of expressions (sym/expr.h) that means the same
#define FORMULA_OP_LIST(F)                                                                         \
  F(CONSTANT, 0, NONE)                                                                             \
  F(SLOT, 0, NONE)                                                                                 \
  F(NEGATE, 0, NEG)                                                                                \
  F(ADD, 0, ADD)                                                                                   \
  F(SUBTRACT, 0, SUB)                                                                              \
  F(MULTIPLY, 0, MUL)                                                                              \
  F(DIVIDE, 0, DIV)                                                                                \
  F(POW, 0, POW)                                                                                   \
  F(SIN, 0, SIN)                                                                                   \
  F(COS, 0, COS)                                                                                   \
  F(TAN, 0, TAN)                                                                                   \
  F(ASIN, 0, ASIN)                                                                                 \
  F(ACOS, 0, ACOS)                                                                                 \
  F(ATAN, 0, ATAN)                                                                                 \
  F(SINH, 0, SINH)                                                                                 \
  F(COSH, 0, COSH)                                                                                 \
  F(TANH, 0, TANH)                                                                                 \
  F(EXP, 0, EXP)                                                                                   \
  F(LOG, 0, LOG)                                                                                   \
  F(LOG10, 0, LOG10)                                                                               \
  F(SQRT, 0, SQRT)                                                                                 \
  F(HYPOT, 0, HYPOT)                                                                               \
  F(SMOOTH, 0, NONE)                                                                               \
  F(CURVE, 0, NONE)                                                                                \
  F(ATAN2, 1, ATAN2)                                                                               \
  F(ABS, 1, ABS)                                                                                   \
  F(MIN, 1, MIN)                                                                                   \
  F(MAX, 1, MAX)                                                                                   \
  F(STEP, 1, NONE)                                                                                 \
  F(SIGN, 2, SIGN)                                                                                 \
  F(FLOOR, 2, FLOOR)                                                                               \
  F(MOD, 2, MOD)                                                                                   \
  F(PULSE, 2, NONE)                                                                                \
  F(RAMP, 2, NONE)                                                                                 \
  F(PIECES, 2, NONE)                                                                               \
  F(LESS, 1, LESS)                                                                                 \
  F(AT_MOST, 1, LESS_EQUAL)                                                                        \
  F(GREATER, 1, NONE)                                                                              \
  F(AT_LEAST, 1, NONE)                                                                             \
  F(EQUAL, 0, EQUAL)                                                                               \
  F(DIFFERENT, 0, NONE)                                                                            \
  F(AND, 0, AND)                                                                                   \
  F(OR, 0, OR)                                                                                     \
  F(NOT, 0, NOT)                                                                                   \
  F(IF, 0, NONE)

// smooth functions f of one number x: operation, function of C and name in formulas, rule of dimensions, f', f''
#define FORMULA_FUNCTION_LIST(F)                                                                   \
  F(SIN, sin, NUMBER, cos(x), -f)                                                                  \
  F(COS, cos, NUMBER, -sin(x), -f)                                                                 \
  F(TAN, tan, NUMBER, 1 + f * f, 2 * f * df)                                                       \
  F(ASIN, asin, NUMBER, 1 / sqrt((1 - x) * (1 + x)), df * x / ((1 - x) * (1 + x)))                 \
  F(ACOS, acos, NUMBER, -1 / sqrt((1 - x) * (1 + x)), df * x / ((1 - x) * (1 + x)))                \
  F(ATAN, atan, NUMBER, 1 / (1 + x * x), -2 * x * df * df)                                         \
  F(SINH, sinh, NUMBER, cosh(x), f)                                                                \
  F(COSH, cosh, NUMBER, sinh(x), f)                                                                \
  F(TANH, tanh, NUMBER, 1 / cosh(x) / cosh(x), -2 * f * df)                                        \
  F(EXP, exp, NUMBER, f, f)                                                                        \
  F(LOG, log, NUMBER, 1 / x, -1 / x / x)                                                           \
  F(LOG10, log10, NUMBER, 1 / (x * LN10), -1 / (x * x * LN10))                                     \
  F(SQRT, sqrt, ROOT, 0.5 / f, -0.25 / (x * f))

typedef enum formulaOp {
#define FORMULA_OP_ENUM(name, nswitch, symbol) OP_##name,
  FORMULA_OP_LIST(FORMULA_OP_ENUM)
#undef FORMULA_OP_ENUM
} formulaOp;

struct formulaStep {
  formulaOp op;
  int index;           // the slot, or the first switch
  double value;        // of a constant
  const forceLaw *law; // of a curve: smooth, or in pieces
};

// How a switch moves. One with two sides has branch 0 or 1; the others come in pairs that share
// one branch number, the first of the pair watching the lower border, the second the upper.
typedef enum formulaSwitch {
  SWITCH_SIDE,
  SWITCH_CELL_LOW,
  SWITCH_CELL_HIGH,
  SWITCH_SIGN_LOW,
  SWITCH_SIGN_HIGH,
} formulaSwitch;

enum { FORMULA_MOST_ARGUMENTS = 5, FORMULA_MOST_SWITCHES = 2 };

// The number of switches of an operation, and the kind of its j-th.
int formula_op_switches(formulaOp op);
formulaSwitch formula_op_switch_kind(formulaOp op, int j);

#endif
