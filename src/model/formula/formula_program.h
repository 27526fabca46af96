// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The postfix program of a formula: shared by the parser, which writes it, and the evaluator.
#ifndef MODEL_FORMULA_PROGRAM_H
#define MODEL_FORMULA_PROGRAM_H

#include "model/formula/formula.h"
#include "spatial/functions.h"

// operation, number of switches it owns
#define FORMULA_OP_LIST(F)                                                                         \
  F(CONSTANT, 0)                                                                                   \
  F(SLOT, 0)                                                                                       \
  F(NEGATE, 0)                                                                                     \
  F(ADD, 0)                                                                                        \
  F(SUBTRACT, 0)                                                                                   \
  F(MULTIPLY, 0)                                                                                   \
  F(DIVIDE, 0)                                                                                     \
  F(POW, 0)                                                                                        \
  F(SIN, 0)                                                                                        \
  F(COS, 0)                                                                                        \
  F(TAN, 0)                                                                                        \
  F(ASIN, 0)                                                                                       \
  F(ACOS, 0)                                                                                       \
  F(ATAN, 0)                                                                                       \
  F(SINH, 0)                                                                                       \
  F(COSH, 0)                                                                                       \
  F(TANH, 0)                                                                                       \
  F(EXP, 0)                                                                                        \
  F(LOG, 0)                                                                                        \
  F(LOG10, 0)                                                                                      \
  F(SQRT, 0)                                                                                       \
  F(HYPOT, 0)                                                                                      \
  F(SMOOTH, 0)                                                                                     \
  F(CURVE, 0)                                                                                      \
  F(SMOOTH_MAP, 0)                                                                                 \
  F(ATAN2, 1)                                                                                      \
  F(ABS, 1)                                                                                        \
  F(MIN, 1)                                                                                        \
  F(MAX, 1)                                                                                        \
  F(STEP, 1)                                                                                       \
  F(SIGN, 2)                                                                                       \
  F(FLOOR, 2)                                                                                      \
  F(MOD, 2)                                                                                        \
  F(PULSE, 2)                                                                                      \
  F(RAMP, 2)                                                                                       \
  F(CLAMP, 2)                                                                                      \
  F(HYSTERESIS, 1)                                                                                 \
  F(PIECES, 2)                                                                                     \
  F(MAP, 4)                                                                                        \
  F(LESS, 1)                                                                                       \
  F(AT_MOST, 1)                                                                                    \
  F(GREATER, 1)                                                                                    \
  F(AT_LEAST, 1)                                                                                   \
  F(EQUAL, 0)                                                                                      \
  F(DIFFERENT, 0)                                                                                  \
  F(AND, 0)                                                                                        \
  F(OR, 0)                                                                                         \
  F(NOT, 0)                                                                                        \
  F(IF, 0)

typedef enum formulaOp {
#define FORMULA_OP_ENUM(name, nswitch) OP_##name,
  FORMULA_OP_LIST(FORMULA_OP_ENUM)
#undef FORMULA_OP_ENUM
} formulaOp;

struct formulaStep {
  formulaOp op;
  int index;           // the slot, or the first switch
  double value;        // of a constant
  const forceLaw *law; // of a curve: smooth, or in pieces
  const lawMap *map;   // of a table of two dimensions: smooth, or in cells
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

enum { FORMULA_MOST_ARGUMENTS = 5, FORMULA_MOST_SWITCHES = 4 };

// The branch of a side at a corner that is linearised: both sides count, each by half.
enum { FORMULA_AT_CORNER = 2 };

// The number of switches of an operation, and the kind of its j-th.
int formula_op_switches(formulaOp op);
formulaSwitch formula_op_switch_kind(formulaOp op, int j);

#endif
