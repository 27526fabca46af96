// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From the text of a formula to its program, by recursive descent:
//   condition   both (or both)*
//   both        negation (and negation)*
//   negation    not* comparison
//   comparison  sum ((< | <= | > | >= | == | !=) sum)?
//   sum         product ((+ | -) product)*
//   product     unary ((* | /) unary)*
//   unary       (- | +) unary | power
//   power       primary (^ unary)?
//   primary     number | reference | function(condition, ...) | curve(condition, ...) | (condition)
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/formula_parser.h"

//---- writing the program -------------------------------------------------------------------------


static int fail_memory(formulaParser *p)
{
  p->status = base_no_memory(p->error);
  return 0;
}


static int push_step(formulaParser *p, formulaStep step)
{
  if (!mem_grow((void **) &p->steps, p->nstep, &p->step_capacity, sizeof *p->steps)) {
    return fail_memory(p);
  }
  p->steps[p->nstep++] = step;
  return 1;
}


// a constant or a slot: one more value on the stack
static int push_value(formulaParser *p, formulaStep step)
{
  if (!mem_grow((void **) &p->is_settled, p->height, &p->settled_capacity, 1)) {
    return fail_memory(p);
  }
  p->is_settled[p->height] = step.op == OP_CONSTANT || step.index >= FORMULA_PARAMETER;
  if (++p->height > p->depth) p->depth = p->height;
  return push_step(p, step);
}


static int add_switches(formulaParser *p, formulaOp op)
{
  for (int j = 0; j < formula_op_switches(op); j++) {
    if (!mem_grow((void **) &p->switch_kinds, p->nswitch, &p->switch_capacity, 1)) {
      return fail_memory(p);
    }
    p->switch_kinds[p->nswitch++] = (unsigned char) formula_op_switch_kind(op, j);
  }
  return 1;
}


// Switches that parameters alone decide come behind the others, which are then those of the formula that has numbers for
// its parameters. While it is parsed they are counted from here on.
enum { SETTLED = 1 << 24 };

static int put_settled_behind(formulaParser *p)
{
  const int first = p->nswitch;
  for (int k = 0; k < p->nstep && p->nsettled > 0; k++) {
    formulaStep *step = &p->steps[k];
    if (formula_op_switches(step->op) == 0 || step->index < SETTLED) continue;
    step->index += first - SETTLED;
    if (!add_switches(p, step->op)) return 0;
  }
  return 1;
}


// the value of an operation on the last narg constants, by the evaluator itself
static double fold(const formulaParser *p, formulaStep step, int narg)
{
  formulaStep steps[FORMULA_MOST_ARGUMENTS + 1];
  double stack[FORMULA_MOST_ARGUMENTS];
  int branch[FORMULA_MOST_SWITCHES] = {0};
  memcpy(steps, p->steps + p->nstep - narg, (size_t) narg * sizeof *steps);
  steps[narg] = step;

  const formula f = {.steps = steps, .nstep = narg + 1, .nswitch = formula_op_switches(step.op)};
  formula_set_branches(&f, NULL, branch, stack);
  return formula_value(&f, NULL, branch, stack);
}


// apply an operation to the last narg values; `result` knows its place in the text already
static int emit_step(formulaParser *p, formulaStep step, int narg, formulaOperand *result)
{
  int is_settled = 1;
  for (int i = 1; i <= narg; i++) is_settled &= p->is_settled[p->height - i];
  p->height -= narg - 1;
  p->is_settled[p->height - 1] = (unsigned char) is_settled;
  result->is_literal = 0;

  // each constant is one step, as everything constant is folded
  int are_constants = 1;
  for (int i = 1; i <= narg; i++) are_constants &= p->steps[p->nstep - i].op == OP_CONSTANT;
  if (!are_constants) {
    step.index = is_settled ? SETTLED + p->nsettled : p->nswitch;
    if (is_settled) {
      p->nsettled += formula_op_switches(step.op);
    } else if (!add_switches(p, step.op)) {
      return 0;
    }
    if (!push_step(p, step)) return 0;
    result->step = p->nstep - 1;
    return 1;
  }

  const double value = fold(p, step, narg);
  const int length = result->end - result->begin;
  if (!isfinite(value)) {
    return formula_fail(p, result->begin, "'%.*s%s' is not a finite number",
                        length > 40 ? 40 : length, p->text + result->begin,
                        length > 40 ? "..." : "");
  }
  p->nstep -= narg;
  p->steps[p->nstep++] = (formulaStep){.op = OP_CONSTANT, .value = value};
  result->step = p->nstep - 1;
  return 1;
}


static int emit(formulaParser *p, formulaOp op, int narg, formulaOperand *result)
{
  return emit_step(p, (formulaStep){.op = op}, narg, result);
}

//---- reading characters --------------------------------------------------------------------------


static int is_name_start(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}


static int is_name_part(char c)
{
  return is_name_start(c) || (c >= '0' && c <= '9');
}


static char peek(formulaParser *p)
{
  while (p->at < p->length && strchr(" \t\r\n", p->text[p->at])) p->at++;
  return p->text[p->at];
}


// take the operator when it comes next
static int take(formulaParser *p, const char *operator)
{
  peek(p);
  const size_t n = strlen(operator);
  if (strncmp(p->text + p->at, operator, n) != 0) return 0;
  p->at += (int) n;
  return 1;
}


// take the word when it comes next and ends there
static int take_word(formulaParser *p, const char *word)
{
  peek(p);
  const size_t n = strlen(word);
  if (strncmp(p->text + p->at, word, n) != 0 || is_name_part(p->text[p->at + (int) n])) return 0;
  p->at += (int) n;
  return 1;
}


// the text goes on with something else than expected
static int fail_found(formulaParser *p, const char *expected)
{
  const char c = peek(p);
  const char *here = p->text + p->at;
  if (!c) return formula_fail(p, p->at, "the formula ends here, expected %s", expected);
  if (strncmp(here, "**", 2) == 0)
    return formula_fail(p, p->at, "found '**'; a power is written ^");
  if (strncmp(here, "&&", 2) == 0) return formula_fail(p, p->at, "found '&&'; write and");
  if (strncmp(here, "||", 2) == 0) return formula_fail(p, p->at, "found '||'; write or");
  if (c == '!') return formula_fail(p, p->at, "found '!'; write not");
  if (c == '=') return formula_fail(p, p->at, "found '='; constants are compared with ==");

  int n = unit_character(here);
  while (is_name_part(c) && n < 40 && is_name_part(here[n])) n++;
  return formula_fail(p, p->at, "found '%.*s', expected %s", n, here, expected);
}

//---- numbers and names ---------------------------------------------------------------------------

static int parse_condition(formulaParser *p, formulaOperand *a);


// the unit in brackets after a number
static int parse_unit(formulaParser *p, formulaOperand *a, double *value)
{
  const int open = p->at - 1;
  const char *end = strchr(p->text + p->at, ']');
  if (!end) return formula_fail(p, open, "found '[' without ']', expected a unit as in 1[N/mm]");

  baseUnit unit;
  artPlace place = p->place;
  place.column += p->at;
  const size_t length = (size_t) (end - (p->text + p->at));
  p->status = unit_parse_n(&unit, p->text + p->at, length, place, p->error);
  if (p->status) return 0;

  p->at += (int) length + 1;
  *value = unit_to_si(*value, unit);
  a->dimension = unit.dimension;
  a->is_plain = a->is_literal = 0;
  return isfinite(*value) || formula_fail(p, a->begin, "the number is too large");
}


static int is_unit(const char *text, size_t length)
{
  baseUnit unit;
  return unit_parse_n(&unit, text, length, base_nowhere(), NULL) == ART_OK;
}


// 90 deg, 90deg, 90°: what stands behind a number that began at `begin` may be its unit
static int fail_at_unit(formulaParser *p, int begin, int end)
{
  peek(p);
  const char *word = p->text + p->at;
  int n = (unsigned char) word[0] >= 0x80 ? unit_character(word) : 0;
  while (is_name_part(word[n]) && n <= 40) n++;
  if (n == 0 || n > 40 || !is_unit(word, (size_t) n)) return 0;
  formula_fail(p, p->at,
               "found '%.*s' behind a number; in formulas a unit stands in brackets, %.*s[%.*s], "
               "and a product takes '*'",
               n, word, end - begin, p->text + begin, n, word);
  return 1;
}


static baseDimension plain_dimension(const formulaParser *p)
{
  return p->scope && p->scope->is_loose ? UNIT_ANY : UNIT_NUMBER;
}


static int parse_number(formulaParser *p, formulaOperand *a)
{
  double value;
  const int length = unit_scan_number(p->text + p->at, &value);
  if (length == 0) return fail_found(p, "a number, a name or '('");
  if (length < 0) return formula_fail(p, p->at, "the number is too large or too long");

  p->at += length;
  a->dimension = plain_dimension(p);
  a->is_plain = a->is_literal = 1;
  const int end = p->at;
  if (fail_at_unit(p, end - length, end)) return 0;
  p->at = end;
  const char next = p->text[p->at];
  if (is_name_part(next) || next == '.' || next == '\'') {
    return formula_fail(p, p->at,
                        "found '%c' right after a number, expected an operator; a product takes "
                        "'*', a unit brackets as in 1[m]",
                        next);
  }
  if (!take(p, "[")) {
    p->at = end;
  } else if (!parse_unit(p, a, &value)) {
    return 0;
  }
  return push_value(p, (formulaStep){.op = OP_CONSTANT, .value = value});
}


// one part of a name, plain or in quotes, appended to the reference
static int read_name_part(formulaParser *p, int *used)
{
  const int quoted = p->text[p->at] == '\'';
  const int start = p->at + quoted;
  int end = start;
  if (quoted) {
    while (p->text[end] && p->text[end] != '\'') end++;
    if (!p->text[end]) return formula_fail(p, p->at, "found a quote ' that is not closed");
  } else {
    while (is_name_part(p->text[end])) end++;
  }

  const int length = end - start;
  // behind a dot it may be a number: heat.2
  if (length == 0 || (!quoted && *used == 0 && !is_name_start(p->text[start]))) {
    return formula_fail(p, p->at, "expected a name here");
  }
  if (*used + length + 2 > FORMULA_NAME_LENGTH)
    return formula_fail(p, p->at, "the name is too long");
  memcpy(p->reference + *used, p->text + start, (size_t) length);
  *used += length;
  p->reference[*used] = '\0';
  p->at = end + quoted;
  return 1;
}


static const struct {
  const char *name;
  double value;
} constants[] = {
    {"pi", 3.14159265358979323846}, {"tau", 6.28318530717958647693}, {"e", 2.71828182845904523536}};
enum { NCONSTANT = sizeof constants / sizeof *constants };


static int fail_unknown_name(formulaParser *p, int begin)
{
  char hint[BASE_HINT_LENGTH];
  const formulaFunction *function = formula_find_function(p->reference);
  if (function) {
    return formula_fail(p, begin, "'%s' is a function, expected %s", p->reference, function->usage);
  }
  char words[600] = "";
  if (p->scope && p->scope->parts) {
    FILE *out = fmemopen(words, sizeof words, "w");
    const int is_part = out && p->scope->parts(p->scope->context, p->reference, out);
    if (out) (void) fclose(out);
    words[sizeof words - 1] = '\0';
    if (is_part) return formula_fail(p, begin, "unknown name '%.200s'%s", p->reference, words);
  }
  baseNearest nearest = {.word = p->reference, .context = "name"};
  if (p->scope && p->scope->list) p->scope->list(p->scope->context, &nearest);
  for (int i = 0; i < NCONSTANT; i++) base_consider(&nearest, constants[i].name);
  if (!nearest.best && is_unit(p->reference, strlen(p->reference))) {
    return formula_fail(p, begin,
                        "unknown name '%.200s'; a unit stands in brackets behind its number, as in "
                        "1[%.200s]",
                        p->reference, p->reference);
  }
  return formula_fail(p, begin, "unknown name '%.200s'%s", p->reference, base_hint(&nearest, hint));
}


// the reference that has been read, as the scope knows it
static int resolve(formulaParser *p, int begin, formulaOperand *a)
{
  formulaSymbol symbol = {0};
  artError trouble = {0};
  artPlace place = p->place;
  const formulaScope *scope = p->scope;
  if (!scope || !scope->has_one_place) place.column += begin;

  if (scope && scope->find(scope->context, p->reference, place, &symbol, &trouble)) {
    a->dimension = symbol.dimension;
    const formulaStep constant = {.op = OP_CONSTANT, .value = symbol.value};
    const formulaStep variable = {.op = OP_SLOT, .index = symbol.slot};
    return push_value(p, symbol.is_constant ? constant : variable);
  }

  for (int i = 0; i < NCONSTANT; i++) {
    if (strcmp(constants[i].name, p->reference) != 0) continue;
    a->dimension = plain_dimension(p);
    a->is_plain = 1;
    return push_value(p, (formulaStep){.op = OP_CONSTANT, .value = constants[i].value});
  }
  if (trouble.status == ART_OK) return fail_unknown_name(p, begin);
  p->status = trouble.status;
  if (p->error) *p->error = trouble;
  return 0;
}

//---- functions -----------------------------------------------------------------------------------


static int fail_argument_count(formulaParser *p, const formulaFunction *function, int begin,
                               int narg)
{
  return formula_fail(p, begin, "found %d argument%s, expected %s", narg, narg == 1 ? "" : "s",
                      function->usage);
}


// min(a, b, c) is min(min(a, b), c)
static int combine(formulaParser *p, const formulaFunction *function, formulaOperand *a)
{
  baseDimension dimension;
  if (!formula_check_function(p, function, 2, a, &dimension)) return 0;
  a[0].dimension = dimension;
  a[0].end = a[1].end;
  a[0].is_plain = a[0].is_plain && a[1].is_plain;
  return emit(p, function->op, 2, &a[0]);
}


// the arguments, and for min and max their combination in a[0]
static int parse_arguments(formulaParser *p, const formulaFunction *function, formulaOperand *a,
                           int *narg)
{
  const int most = function->narg ? function->narg : 2;
  *narg = 0;
  if (take(p, ")")) return 1;
  do {
    if (*narg == most && function->narg) {
      peek(p);
      return formula_fail(p, p->at, "found more arguments than in %s", function->usage);
    }
    const int i = *narg < most ? *narg : most - 1;
    if (!parse_condition(p, &a[i])) return 0;
    if (!function->narg && *narg > 0 && !combine(p, function, a)) return 0;
    if (*narg < most) ++*narg;
  } while (take(p, ","));
  return take(p, ")") || fail_found(p, "',' or ')'");
}


// the call of a curve whose name has been read
static int parse_curve(formulaParser *p, int begin, formulaOperand *result)
{
  char name[FORMULA_NAME_LENGTH], usage[FORMULA_NAME_LENGTH + 8], hint[BASE_HINT_LENGTH];
  memcpy(name, p->reference, sizeof name);
  formulaCurve curve;
  baseNearest nearest = {.word = name, .context = "function"};
  const formulaScope *scope = p->scope;
  if (!scope || !scope->curve || !scope->curve(scope->context, name, &curve, &nearest)) {
    formula_list_functions(&nearest);
    const int is_lost = !base_hint(&nearest, hint)[0] && !(scope && scope->curve);
    return formula_fail(p, begin, "unknown function '%.200s'%s%s", name, hint,
                        is_lost ? "; curves are known in formulas of time only" : "");
  }
  snprintf(usage, sizeof usage, curve.map ? "%s(x, y)" : "%s(x)", name);
  const formulaFunction call = {.name = name, .usage = usage, .narg = curve.map ? 2 : 1};
  formulaOperand a[2];
  int narg;
  if (!take(p, "(") || !parse_arguments(p, &call, a, &narg)) return 0;
  if (narg == 0 || (narg == 1 && !curve.law)) return fail_argument_count(p, &call, begin, narg);
  for (int i = 0; i < narg; i++) {
    if (!formula_check_curve(p, name, i ? curve.y : curve.x, &a[i])) return 0;
  }
  result->end = p->at;
  result->dimension = curve.f;
  if (narg == 2) {
    const formulaOp op = law_map_is_smooth(curve.map) ? OP_SMOOTH_MAP : OP_MAP;
    return emit_step(p, (formulaStep){.op = op, .map = curve.map}, 2, result);
  }
  const formulaOp op = law_is_smooth(curve.law) ? OP_CURVE : OP_PIECES;
  return emit_step(p, (formulaStep){.op = op, .law = curve.law}, 1, result);
}


static int parse_call(formulaParser *p, int begin, formulaOperand *result)
{
  const formulaFunction *function = formula_find_function(p->reference);
  if (!function) return parse_curve(p, begin, result);

  formulaOperand a[FORMULA_MOST_ARGUMENTS];
  int narg;
  if (!take(p, "(") || !parse_arguments(p, function, a, &narg)) return 0;
  if (narg != (function->narg ? function->narg : 2)) {
    return fail_argument_count(p, function, begin, narg);
  }

  result->end = p->at;
  result->is_plain = 1;
  const int first = function->op == OP_IF; // a condition has no unit
  for (int i = first; i < narg; i++) result->is_plain = result->is_plain && a[i].is_plain;
  if (!function->narg) {
    result->dimension = a[0].dimension;
    result->step = a[0].step;
    return 1;
  }
  return formula_check_function(p, function, narg, a, &result->dimension) &&
         emit(p, function->op, narg, result);
}

//---- the grammar ---------------------------------------------------------------------------------


// a name with its parts, or the call of a function
static int parse_name(formulaParser *p, formulaOperand *a)
{
  static const char *const reserved[] = {"and", "or", "not"};
  const int begin = p->at, quoted = p->text[p->at] == '\'';
  int used = 0;
  if (!read_name_part(p, &used)) return 0;
  const int end = p->at;
  if (peek(p) == '(') return quoted ? parse_curve(p, begin, a) : parse_call(p, begin, a);
  p->at = end;
  for (int i = 0; i < 3 && !quoted; i++) {
    if (strcmp(p->reference, reserved[i]) != 0) continue;
    return formula_fail(p, begin, "found '%s', expected a number, a name or '('", reserved[i]);
  }

  while (p->text[p->at] == '.') {
    p->at++;
    p->reference[used++] = '.';
    if (!read_name_part(p, &used)) return 0;
  }
  if (!resolve(p, begin, a)) return 0;
  a->end = p->at;
  a->step = p->nstep - 1;
  return 1;
}


static int parse_primary(formulaParser *p, formulaOperand *a)
{
  const char c = peek(p);
  *a = (formulaOperand){.begin = p->at};
  if (c == '(') {
    const int begin = p->at++;
    if (!parse_condition(p, a)) return 0;
    if (!take(p, ")")) return fail_found(p, "')' or an operator");
    a->begin = begin;
    a->end = p->at;
    a->is_literal = 0;
    return 1;
  }
  if (is_name_start(c) || c == '\'') return parse_name(p, a);
  if (!parse_number(p, a)) return 0;
  a->end = p->at;
  a->step = p->nstep - 1;
  return 1;
}


// a = a op b, both parsed; `at` is the place of the operator
static int combine_operands(formulaParser *p, formulaOp op, int at, formulaOperand *a,
                            const formulaOperand *b)
{
  baseDimension dimension;
  if (!formula_check_operator(p, op, at, a, b, &dimension)) return 0;
  a->dimension = dimension;
  a->end = b->end;
  a->is_plain = a->is_plain && b->is_plain;
  return emit(p, op, 2, a);
}


static int parse_unary(formulaParser *p, formulaOperand *a);


static int parse_power(formulaParser *p, formulaOperand *a)
{
  formulaOperand exponent;
  if (!parse_primary(p, a)) return 0;
  if (!take(p, "^")) return 1;
  const int at = p->at - 1;
  return parse_unary(p, &exponent) && combine_operands(p, OP_POW, at, a, &exponent);
}


// every nesting passes here, so here its depth is limited
static int parse_unary(formulaParser *p, formulaOperand *a)
{
  if (++p->nesting > FORMULA_DEEPEST) {
    return formula_fail(p, p->at, "the formula is nested deeper than %d", FORMULA_DEEPEST);
  }
  const char c = peek(p);
  int ok;
  if (c != '-' && c != '+') {
    ok = parse_power(p, a);
  } else {
    const int begin = p->at++;
    ok = parse_unary(p, a) && formula_want_number(p, a);
    a->begin = begin;
    if (ok && c == '-') ok = emit(p, OP_NEGATE, 1, a);
  }
  p->nesting--;
  return ok;
}


static int parse_product(formulaParser *p, formulaOperand *a)
{
  formulaOperand b;
  if (!parse_unary(p, a)) return 0;
  for (;;) {
    const char c = peek(p);
    if ((c != '*' && c != '/') || strncmp(p->text + p->at, "**", 2) == 0) return 1;
    const int at = p->at++;
    if (!parse_unary(p, &b)) return 0;
    if (!combine_operands(p, c == '*' ? OP_MULTIPLY : OP_DIVIDE, at, a, &b)) return 0;
  }
}


static int parse_sum(formulaParser *p, formulaOperand *a)
{
  formulaOperand b;
  if (!parse_product(p, a)) return 0;
  for (;;) {
    const char c = peek(p);
    if (c != '+' && c != '-') return 1;
    const int at = p->at++;
    if (!parse_product(p, &b)) return 0;
    if (!combine_operands(p, c == '+' ? OP_ADD : OP_SUBTRACT, at, a, &b)) return 0;
  }
}


static int take_comparison(formulaParser *p, formulaOp *op)
{
  static const struct {
    const char *text;
    formulaOp op;
  } comparisons[] = {{"<=", OP_AT_MOST},   {">=", OP_AT_LEAST}, {"==", OP_EQUAL},
                     {"!=", OP_DIFFERENT}, {"<", OP_LESS},      {">", OP_GREATER}};
  for (int i = 0; i < 6; i++) {
    if (!take(p, comparisons[i].text)) continue;
    *op = comparisons[i].op;
    return 1;
  }
  return 0;
}


static int parse_comparison(formulaParser *p, formulaOperand *a)
{
  formulaOperand b;
  formulaOp op, second;
  if (!parse_sum(p, a)) return 0;
  if (!take_comparison(p, &op)) return 1;
  const int at = p->at - (op == OP_LESS || op == OP_GREATER ? 1 : 2);
  if (!parse_sum(p, &b) || !combine_operands(p, op, at, a, &b)) return 0;

  a->is_truth = 1;
  const int may_vary = !p->scope || !p->scope->slots_are_constant;
  if ((op == OP_EQUAL || op == OP_DIFFERENT) && may_vary && !formula_operand_is_constant(p, a)) {
    return formula_fail(p, at, "compares values that vary by '%s'; write abs(a - b) < tolerance",
                        op == OP_EQUAL ? "==" : "!=");
  }
  if (!take_comparison(p, &second)) return 1;
  return formula_fail(p, at, "found two comparisons in a row; write a < b and b < c");
}


static int parse_negation(formulaParser *p, formulaOperand *a)
{
  int nnot = 0;
  peek(p);
  const int begin = p->at;
  while (take_word(p, "not")) nnot++;
  if (!parse_comparison(p, a)) return 0;
  if (nnot == 0) return 1;

  if (!formula_want_truth(p, a)) return 0;
  a->begin = begin;
  return nnot % 2 == 0 || emit(p, OP_NOT, 1, a);
}


// operands joined by one of the words
static int parse_joined(formulaParser *p, formulaOperand *a, const char *word, formulaOp op,
                        int (*parse_operand)(formulaParser *, formulaOperand *))
{
  formulaOperand b;
  if (!parse_operand(p, a)) return 0;
  while (take_word(p, word)) {
    if (!formula_want_truth(p, a) || !parse_operand(p, &b) || !formula_want_truth(p, &b)) return 0;
    a->end = b.end;
    a->is_plain = a->is_plain && b.is_plain;
    if (!emit(p, op, 2, a)) return 0;
  }
  return 1;
}


static int parse_both(formulaParser *p, formulaOperand *a)
{
  return parse_joined(p, a, "and", OP_AND, parse_negation);
}


static int parse_condition(formulaParser *p, formulaOperand *a)
{
  return parse_joined(p, a, "or", OP_OR, parse_both);
}

//---- the whole -----------------------------------------------------------------------------------


static int parse_text(formulaParser *p, formulaOperand *a)
{
  if (p->length > FORMULA_LONGEST) {
    return formula_fail(p, 0, "the formula is longer than %d characters", FORMULA_LONGEST);
  }
  if (!peek(p)) return formula_fail(p, 0, "the formula is empty");
  if (!parse_condition(p, a)) return 0;
  return peek(p) == '\0' || fail_found(p, "an operator or the end of the formula");
}


artStatus formula_parse(formula **out, baseArena *arena, const char *text, artPlace place,
                        const formulaScope *scope, baseDimension expected, artError *error)
{
  formulaParser p = {.text = text, .place = place, .scope = scope, .error = error};
  formulaOperand a = {0};
  p.length = (int) strnlen(text, FORMULA_LONGEST + 1);
  *out = NULL;

  if (parse_text(&p, &a) && formula_check_result(&p, &a, expected) && put_settled_behind(&p)) {
    // copy the program into the arena
    formula *f = arena_alloc(arena, 1, sizeof *f);
    const formula own = {.nstep = p.nstep,
                         .depth = p.depth,
                         .nswitch = p.nswitch,
                         .nsettled = p.nsettled,
                         .dimension = a.is_plain ? UNIT_ANY : a.dimension,
                         .steps = arena_copy(arena, p.steps, (size_t) p.nstep, sizeof *p.steps),
                         .switch_kinds = arena_copy(arena, p.switch_kinds, (size_t) p.nswitch, 1)};
    if (f) *f = own;
    if (f && own.steps && own.switch_kinds) *out = f;
    if (!*out) fail_memory(&p);
  }
  mem_free(p.steps);
  mem_free(p.switch_kinds);
  mem_free(p.is_settled);
  return p.status;
}
