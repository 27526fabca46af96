// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rules of the operations of a formula for their operands: numbers or conditions, and dimensions.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/throw.h"
#include "model/formula/formula_parser.h"

// clang-format off
static const formulaFunction functions[] = {
#define FUNCTION_ENTRY(name, function, rule, slope, bend) {#function, #function "(x)", OP_##name, 1, RULE_##rule},
    SMOOTH_FUNCTIONS(FUNCTION_ENTRY)
#undef FUNCTION_ENTRY
    {"atan2",  "atan2(y, x)",               OP_ATAN2,  2, RULE_COMPARE},
    {"abs",    "abs(x)",                    OP_ABS,    1, RULE_KEEP},
    {"sign",   "sign(x)",                   OP_SIGN,   1, RULE_COMPARE},
    {"min",    "min(a, b, ...)",            OP_MIN,    0, RULE_KEEP},
    {"max",    "max(a, b, ...)",            OP_MAX,    0, RULE_KEEP},
    {"mod",    "mod(a, b)",                 OP_MOD,    2, RULE_KEEP},
    {"floor",  "floor(x)",                  OP_FLOOR,  1, RULE_NUMBER},
    {"hypot",  "hypot(a, b)",               OP_HYPOT,  2, RULE_KEEP},
    {"pow",    "pow(x, n)",                 OP_POW,    2, RULE_POWER},
    {"step",   "step(x)",                   OP_STEP,   1, RULE_COMPARE},
    {"ramp",   "ramp(x, x0, y0, x1, y1)",   OP_RAMP,   5, RULE_BETWEEN},
    {"smooth", "smooth(x, x0, y0, x1, y1)", OP_SMOOTH, 5, RULE_BETWEEN},
    {"pulse",  "pulse(x, x0, x1)",          OP_PULSE,  3, RULE_PULSE},
    {"clamp",  "clamp(x, low, high)",       OP_CLAMP,  3, RULE_CLAMP},
    {"hysteresis", "hysteresis(x, low, high)", OP_HYSTERESIS, 3, RULE_PULSE},
    {"if",     "if(condition, a, b)",       OP_IF,     3, RULE_IF},
};
// clang-format on

enum { NFUNCTION = sizeof functions / sizeof functions[0] };


const formulaFunction *formula_find_function(const char *name)
{
  for (int i = 0; i < NFUNCTION; i++) {
    if (strcmp(functions[i].name, name) == 0) return &functions[i];
  }
  return NULL;
}


void formula_list_functions(baseNearest *nearest)
{
  for (int i = 0; i < NFUNCTION; i++) base_consider(nearest, functions[i].name);
}

//---- messages ------------------------------------------------------------------------------------


void formula_fail(formulaParser *p, int offset, const char *format, ...)
{
  ART_ASSERT(offset >= 0);
  char message[ART_ERROR_LENGTH];
  va_list args;
  va_start(args, format);
  format_text_list(message, sizeof message, format, args);
  va_end(args);
  if (p->scope && p->scope->has_one_place) {
    error_refuse(p->place, "%s", message);
  }
  unit_fail_at(error_current(), p->place, p->text, (size_t) p->length, (size_t) offset, "%s",
               message);
  error_throw();
}


enum { QUOTE_LENGTH = 160 };

// the operand's text, in quotes unless it is a number
static const char *quote_operand(const formulaParser *p, const formulaOperand *a,
                                 char buffer[QUOTE_LENGTH])
{
  enum { SHOWN = 40 };
  const int length = a->end - a->begin;
  int shown = length > SHOWN ? SHOWN : length;
  while (shown > 0 && shown < length && (p->text[a->begin + shown] & 0xc0) == 0x80) shown--;
  const char *mark = a->is_literal ? "" : "'";
  snprintf(buffer, QUOTE_LENGTH, "%s%.*s%s%s", mark, shown, p->text + a->begin,
           shown < length ? "..." : "", mark);
  return buffer;
}


// the same and its dimension: 'L' (a length in m)
static const char *describe_operand(const formulaParser *p, const formulaOperand *a,
                                    char buffer[QUOTE_LENGTH])
{
  char kind[UNIT_NAME_LENGTH];
  quote_operand(p, a, buffer);
  const size_t used = strlen(buffer);
  snprintf(buffer + used, QUOTE_LENGTH - used, " (%s)", unit_describe(a->dimension, kind));
  return buffer;
}

//---- numbers and conditions ----------------------------------------------------------------------


int formula_operand_is_constant(const formulaParser *p, const formulaOperand *a)
{
  return p->steps[a->step].op == OP_CONSTANT;
}


double formula_operand_value(const formulaParser *p, const formulaOperand *a)
{
  return p->steps[a->step].value;
}


void formula_want_number(formulaParser *p, const formulaOperand *a)
{
  char text[QUOTE_LENGTH];
  if (!a->is_truth) return;
  formula_fail(p, a->begin, "found the condition %s, expected a number; write if(condition, a, b)",
               quote_operand(p, a, text));
}


void formula_want_truth(formulaParser *p, const formulaOperand *a)
{
  char text[QUOTE_LENGTH];
  if (a->is_truth) return;
  formula_fail(p, a->begin, "found %s, expected a condition such as x > 0",
               describe_operand(p, a, text));
}

//---- dimensions ----------------------------------------------------------------------------------


// loose units: what does not fit has any unit
static int give_way(const formulaParser *p, baseDimension *result)
{
  if (!p->scope || !p->scope->is_loose) return 0;
  *result = UNIT_ANY;
  return 1;
}


static int is_plain_dimension(baseDimension d)
{
  return !d.any && d.kg == 0 && d.m == 0 && d.s == 0 && d.A == 0 && d.K == 0;
}


// a plain 0 goes with every dimension
static int is_plain_zero(const formulaParser *p, const formulaOperand *a)
{
  return a->is_plain && formula_operand_is_constant(p, a) && formula_operand_value(p, a) == 0;
}


// The common dimension of two operands that are added, compared or chosen from. The words make
// the message: "adds" a "to" b.
static void check_same(formulaParser *p, int at, const char *verb, const char *preposition,
                       const formulaOperand *a, const formulaOperand *b, baseDimension *common)
{
  const baseDimension da = a->dimension, db = b->dimension;
  const int a_yields = is_plain_zero(p, a) || (da.any && !is_plain_dimension(db));
  *common = a_yields ? db : da;
  if (db.any && is_plain_dimension(da)) *common = db;
  // a number takes the unit of the other; what a number was multiplied with has any
  const int is_any = (da.any && !a->is_plain) || (db.any && !b->is_plain);
  if (is_any && give_way(p, common)) return;
  if (a_yields || is_plain_zero(p, b) || unit_agree(da, db) || give_way(p, common)) return;

  char text_a[QUOTE_LENGTH], text_b[QUOTE_LENGTH], name[UNIT_NAME_LENGTH];
  char remedy[QUOTE_LENGTH + UNIT_NAME_LENGTH] = "";
  const formulaOperand *number = is_plain_dimension(da) ? a : b,
                       *other = is_plain_dimension(da) ? b : a;
  if (is_plain_dimension(number->dimension) && number->is_plain) {
    unit_name(other->dimension, name);
    format_text(remedy, sizeof remedy,
                number->is_literal ? "; write %s[%s]"
                                   : "; multiply %s by 1[%s] if that is its unit",
                quote_operand(p, number, text_a), name);
  }
  formula_fail(p, at, "%s %s %s %s%s", verb, describe_operand(p, a, text_a), preposition,
               describe_operand(p, b, text_b), remedy);
}


static void check_is_number(formulaParser *p, const char *what, const formulaOperand *a)
{
  char text[QUOTE_LENGTH];
  baseDimension any;
  if (a->dimension.any || is_plain_dimension(a->dimension) || give_way(p, &any)) return;
  formula_fail(p, a->begin, "%s takes %s, expected a plain number", what,
               describe_operand(p, a, text));
}


// exponent * n where that is an integer in range
static int scale_exponent(signed char *exponent, double n)
{
  const double product = *exponent * n;
  if (!(fabs(product) <= UNIT_LARGEST) || fabs(product - rint(product)) > 1e-9) return 0;
  *exponent = (signed char) rint(product);
  return 1;
}


static int scale_dimension(baseDimension *d, double n)
{
  return scale_exponent(&d->kg, n) && scale_exponent(&d->m, n) && scale_exponent(&d->s, n) &&
         scale_exponent(&d->A, n) && scale_exponent(&d->K, n);
}


static void check_root_operand(formulaParser *p, const formulaOperand *a, baseDimension *result)
{
  char text[QUOTE_LENGTH];
  *result = a->dimension;
  if (scale_dimension(result, 0.5) || give_way(p, result)) return;
  formula_fail(p, a->begin, "sqrt takes %s, expected even powers as in m^2",
               describe_operand(p, a, text));
}


static void check_power(formulaParser *p, int at, const formulaOperand *a, const formulaOperand *n,
                        baseDimension *result)
{
  char text[QUOTE_LENGTH];
  check_is_number(p, "the exponent", n);
  *result = a->dimension;
  if (a->dimension.any || is_plain_dimension(a->dimension)) return;

  const int is_constant = formula_operand_is_constant(p, n);
  if (is_constant && scale_dimension(result, formula_operand_value(p, n))) return;
  if (give_way(p, result)) return;
  if (!is_constant) {
    formula_fail(p, at, "raises %s to a power that varies, expected a constant power",
                 describe_operand(p, a, text));
  }
  formula_fail(p, at, "raises %s to the power %g, which leaves no unit",
               describe_operand(p, a, text), formula_operand_value(p, n));
}


void formula_check_operator(formulaParser *p, formulaOp op, int at, const formulaOperand *a,
                            const formulaOperand *b, baseDimension *result)
{
  formula_want_number(p, a);
  formula_want_number(p, b);
  switch (op) {
  case OP_ADD: check_same(p, at, "adds", "to", b, a, result); break;
  case OP_SUBTRACT: check_same(p, at, "subtracts", "from", b, a, result); break;
  case OP_MULTIPLY: *result = unit_product(a->dimension, b->dimension, 1); break;
  case OP_DIVIDE: *result = unit_product(a->dimension, b->dimension, -1); break;
  case OP_POW: check_power(p, at, a, b, result); break;
  default: {
    baseDimension common;
    *result = UNIT_NUMBER;
    check_same(p, at, "compares", "with", a, b, &common);
  }
  }
}

//---- functions -----------------------------------------------------------------------------------


static void check_mix(formulaParser *p, const formulaFunction *function, const formulaOperand *a,
                      const formulaOperand *b, baseDimension *common)
{
  char verb[32];
  snprintf(verb, sizeof verb, "%s mixes", function->name);
  check_same(p, b->begin, verb, "with", a, b, common);
}


// the borders x0 and x1 that an x is compared with
static void check_operand_borders(formulaParser *p, const formulaFunction *function,
                                  const formulaOperand *x, const formulaOperand *x0,
                                  const formulaOperand *x1)
{
  baseDimension common;
  check_mix(p, function, x, x0, &common);
  check_mix(p, function, x, x1, &common);
  if (!formula_operand_is_constant(p, x0) || !formula_operand_is_constant(p, x1)) return;

  const double low = formula_operand_value(p, x0), high = formula_operand_value(p, x1);
  if (low < high) return;
  const int is_band = function->op == OP_HYSTERESIS || function->op == OP_CLAMP;
  const char *const from = is_band ? "low" : "x0", *const to = is_band ? "high" : "x1";
  formula_fail(p, x1->begin, "%s goes from %s = %g to %s = %g, expected %s < %s", function->name,
               from, low, to, high, from, to);
}


static void check_number_operands(formulaParser *p, const formulaFunction *function, int narg,
                                  const formulaOperand *a)
{
  const int first = function->rule == RULE_IF;
  if (first) formula_want_truth(p, &a[0]);
  for (int i = first; i < narg; i++) formula_want_number(p, &a[i]);
}


void formula_check_function(formulaParser *p, const formulaFunction *function, int narg,
                            const formulaOperand *a, baseDimension *result)
{
  ART_ASSERT(narg >= 1 && narg <= FORMULA_MOST_ARGUMENTS);
  baseDimension common = a[0].dimension;
  check_number_operands(p, function, narg, a);
  *result = UNIT_NUMBER;
  switch (function->rule) {
  case RULE_NUMBER: check_is_number(p, function->name, &a[0]); break;
  case RULE_KEEP:
    *result = common;
    if (narg > 1) check_mix(p, function, &a[0], &a[1], result);
    break;
  case RULE_COMPARE:
    if (narg > 1) check_mix(p, function, &a[0], &a[1], &common);
    break;
  case RULE_ROOT: check_root_operand(p, &a[0], result); break;
  case RULE_POWER: check_power(p, a[0].begin, &a[0], &a[1], result); break;
  case RULE_PULSE: check_operand_borders(p, function, &a[0], &a[1], &a[2]); break;
  case RULE_CLAMP:
    check_operand_borders(p, function, &a[0], &a[1], &a[2]);
    check_mix(p, function, &a[0], &a[1], result);
    break;
  case RULE_BETWEEN:
    check_operand_borders(p, function, &a[0], &a[1], &a[3]);
    check_mix(p, function, &a[2], &a[4], result);
    break;
  case RULE_IF: check_mix(p, function, &a[1], &a[2], result); break;
  }
}

void formula_check_curve(formulaParser *p, const char *name, baseDimension taken,
                         const formulaOperand *a)
{
  formula_want_number(p, a);
  if (is_plain_zero(p, a) || unit_agree(a->dimension, taken)) return;
  char text[QUOTE_LENGTH], wanted[UNIT_NAME_LENGTH];
  formula_fail(p, a->begin, "curve '%.60s' takes %s, expected %s", name,
               describe_operand(p, a, text), unit_describe(taken, wanted));
}

//---- the result ----------------------------------------------------------------------------------


void formula_check_result(formulaParser *p, const formulaOperand *a, baseDimension expected)
{
  formula_want_number(p, a);
  if (a->is_plain || unit_agree(a->dimension, expected)) return;

  char is[UNIT_NAME_LENGTH], wanted[UNIT_NAME_LENGTH], name[UNIT_NAME_LENGTH];
  char remedy[QUOTE_LENGTH] = "";
  if (is_plain_dimension(a->dimension)) {
    snprintf(remedy, sizeof remedy, "; multiply it by 1[%s] if that is its unit",
             unit_name(expected, name));
  }
  formula_fail(p, a->begin, "the formula gives %s, expected %s%s", unit_describe(a->dimension, is),
               unit_describe(expected, wanted), remedy);
}
