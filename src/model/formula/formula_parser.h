// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// State of the formula parser, shared by its grammar and its rules of dimensions.
#ifndef MODEL_FORMULA_PARSER_H
#define MODEL_FORMULA_PARSER_H

#include "model/formula/formula_program.h"

enum { FORMULA_NAME_LENGTH = 512 };

typedef struct formulaParser {
  const char *text;
  int length, at;
  artPlace place;
  const formulaScope *scope;
  baseDimension expected;
  baseArena *arena; // for
  formula *made;    // once it is there
  int nesting;

  // the program so far, and the stack that it needs
  formulaStep *steps;
  int nstep, step_capacity;
  unsigned char *switch_kinds;
  int nswitch, switch_capacity;
  int height, depth;
  unsigned char *is_settled; // [height] values that are made of numbers and parameters alone
  int settled_capacity;
  int nsettled; // switches of operations on such values

  char reference[FORMULA_NAME_LENGTH];
} formulaParser;

// A part of the text that has been parsed, and what it represents.
typedef struct formulaOperand {
  baseDimension dimension;
  int is_truth;   // a condition, not a number
  int is_plain;   // made of plain numbers alone
  int is_literal; // one plain number
  int begin, end; // in the text
  int step;       // its last step in the program
} formulaOperand;

typedef enum formulaRule {
  RULE_NUMBER,  // numbers make a number
  RULE_KEEP,    // arguments agree, the result is one of their kind
  RULE_COMPARE, // arguments agree, the result is a number
  RULE_ROOT,
  RULE_POWER,
  RULE_PULSE,   // (x, x0, x1), also (x, low, high)
  RULE_CLAMP,   // (x, low, high), the result is one of their kind
  RULE_BETWEEN, // (x, x0, y0, x1, y1)
  RULE_IF,
} formulaRule;

typedef struct formulaFunction {
  const char *name, *usage;
  formulaOp op;
  int narg; // 0: two or more
  formulaRule rule;
} formulaFunction;

// The function of that name, or NULL; all names offered to base_consider.
const formulaFunction *formula_find_function(const char *name);
void formula_list_functions(baseNearest *nearest);

// Leave the work (base/error.h) with a message that points at the offset, as all functions below do where they fail.
_Noreturn void formula_fail(formulaParser *p, int offset, const char *format, ...) ART_PRINTF(3, 4);

// Is the operand constant? Its value then.
int formula_operand_is_constant(const formulaParser *p, const formulaOperand *a);
double formula_operand_value(const formulaParser *p, const formulaOperand *a);

// Insist on a number, or on a condition.
void formula_want_number(formulaParser *p, const formulaOperand *a);
void formula_want_truth(formulaParser *p, const formulaOperand *a);

// The dimension of `a op b` for the operators, with the messages their failure deserves.
void formula_check_operator(formulaParser *p, formulaOp op, int at, const formulaOperand *a,
                            const formulaOperand *b, baseDimension *result);

// The dimension of a function's result.
void formula_check_function(formulaParser *p, const formulaFunction *function, int narg,
                            const formulaOperand *a, baseDimension *result);

// An argument of a curve, and the dimension that it takes.
void formula_check_curve(formulaParser *p, const char *name, baseDimension taken,
                         const formulaOperand *a);

// The whole formula against what the caller expects.
void formula_check_result(formulaParser *p, const formulaOperand *a, baseDimension expected);

#endif
