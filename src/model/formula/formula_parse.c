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

#include "base/error_recovery.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/throw.h"
#include "model/formula/formula_parser.h"

//---- writing the program -------------------------------------------------------------------------


// room for one more item in a list of the parser
static void grow_parser_list(void **items, int count, int *capacity, size_t size)
{
  if (!mem_grow(items, count, capacity, size)) error_throw();
}


static void push_step(formulaParser *p, formulaStep step)
{
  grow_parser_list((void **) &p->steps, p->nstep, &p->step_capacity, sizeof *p->steps);
  p->steps[p->nstep++] = step;
}


// a constant or a slot: one more value on the stack
static void push_value(formulaParser *p, formulaStep step)
{
  grow_parser_list((void **) &p->is_settled, p->height, &p->settled_capacity, 1);
  p->is_settled[p->height] = step.op == OP_CONSTANT || step.index >= FORMULA_PARAMETER;
  if (++p->height > p->depth) p->depth = p->height;
  push_step(p, step);
}


static void add_switches(formulaParser *p, formulaOp op)
{
  for (int j = 0; j < formula_op_switches(op); j++) {
    grow_parser_list((void **) &p->switch_kinds, p->nswitch, &p->switch_capacity, 1);
    p->switch_kinds[p->nswitch++] = (unsigned char) formula_op_switch_kind(op, j);
  }
}


// Switches that parameters alone decide come after the others, which are then the switches of the formula that has numbers for
// its parameters. While it is parsed they are counted from here on.
enum { SETTLED = 1 << 24 };

static void put_settled_behind(formulaParser *p)
{
  const int first = p->nswitch;
  for (int k = 0; k < p->nstep && p->nsettled > 0; k++) {
    formulaStep *step = &p->steps[k];
    if (formula_op_switches(step->op) == 0 || step->index < SETTLED) continue;
    step->index += first - SETTLED;
    add_switches(p, step->op);
  }
}


// the value of an operation on the last narg constants, by the evaluator itself
static double fold_constants(const formulaParser *p, formulaStep step, int narg)
{
  ART_ASSERT(narg >= 0 && narg <= FORMULA_MOST_ARGUMENTS);
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
static void emit_step(formulaParser *p, formulaStep step, int narg, formulaOperand *result)
{
  ART_ASSERT(narg >= 0 && narg <= p->height);
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
    } else {
      add_switches(p, step.op);
    }
    push_step(p, step);
    result->step = p->nstep - 1;
    return;
  }

  const double value = fold_constants(p, step, narg);
  const int length = result->end - result->begin;
  if (!isfinite(value)) {
    formula_fail(p, result->begin, "'%.*s%s' is not a finite number", length > 40 ? 40 : length,
                 p->text + result->begin, length > 40 ? "..." : "");
  }
  p->nstep -= narg;
  p->steps[p->nstep++] = (formulaStep){.op = OP_CONSTANT, .value = value};
  result->step = p->nstep - 1;
}


static void emit_operation(formulaParser *p, formulaOp op, int narg, formulaOperand *result)
{
  emit_step(p, (formulaStep){.op = op}, narg, result);
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


static char peek_formula_character(formulaParser *p)
{
  while (p->at < p->length && strchr(" \t\r\n", p->text[p->at])) p->at++;
  return p->text[p->at];
}


// take the operator when it comes next
static int take_operator(formulaParser *p, const char *operator)
{
  peek_formula_character(p);
  const size_t n = strlen(operator);
  if (strncmp(p->text + p->at, operator, n) != 0) return 0;
  p->at += (int) n;
  return 1;
}


// take the word when it comes next and ends there
static int take_formula_word(formulaParser *p, const char *word)
{
  peek_formula_character(p);
  const size_t n = strlen(word);
  if (strncmp(p->text + p->at, word, n) != 0 || is_name_part(p->text[p->at + (int) n])) return 0;
  p->at += (int) n;
  return 1;
}


// the text goes on with something else than expected
static _Noreturn void fail_found_instead(formulaParser *p, const char *expected)
{
  const char c = peek_formula_character(p);
  const char *here = p->text + p->at;
  if (!c) formula_fail(p, p->at, "the formula ends here, expected %s", expected);
  if (strncmp(here, "**", 2) == 0) formula_fail(p, p->at, "found '**'; a power is written ^");
  if (strncmp(here, "&&", 2) == 0) formula_fail(p, p->at, "found '&&'; write and");
  if (strncmp(here, "||", 2) == 0) formula_fail(p, p->at, "found '||'; write or");
  if (c == '!') formula_fail(p, p->at, "found '!'; write not");
  if (c == '=') formula_fail(p, p->at, "found '='; constants are compared with ==");

  int n = unit_character(here);
  while (is_name_part(c) && n < 40 && is_name_part(here[n])) n++;
  formula_fail(p, p->at, "found '%.*s', expected %s", n, here, expected);
}

//---- numbers and names ---------------------------------------------------------------------------

static void parse_condition(formulaParser *p, formulaOperand *a);


// the unit in brackets after a number
static void parse_unit(formulaParser *p, formulaOperand *a, double *value)
{
  const int open = p->at - 1;
  const char *end = strchr(p->text + p->at, ']');
  if (!end) formula_fail(p, open, "found '[' without ']', expected a unit as in 1[N/mm]");

  baseUnit unit;
  artPlace place = p->place;
  place.column += p->at;
  const size_t length = (size_t) (end - (p->text + p->at));
  error_check(unit_parse_n(&unit, p->text + p->at, length, place, error_current()));

  p->at += (int) length + 1;
  *value = unit_to_si(*value, unit);
  a->dimension = unit.dimension;
  a->is_plain = a->is_literal = 0;
  if (!isfinite(*value)) formula_fail(p, a->begin, "the number is too large");
}


static int is_unit(const char *text, size_t length)
{
  baseUnit unit;
  return unit_parse_n(&unit, text, length, base_nowhere(), NULL) == ART_OK;
}


// a unit without brackets after a number
typedef struct unitPiece {
  formulaParser *p;
  int begin, end, n; // of the number; length of the unit
} unitPiece;


static void refuse_unit(void *context)
{
  const unitPiece *piece = context;
  formulaParser *p = piece->p;
  formula_fail(p, p->at,
               "found '%.*s' after a number; in formulas a unit is in brackets, %.*s[%.*s], "
               "and a product takes '*'",
               piece->n, p->text + p->at, piece->end - piece->begin, p->text + piece->begin,
               piece->n, p->text + p->at);
}


// 90 deg, 90deg, 90°: what follows a number that began at `begin` may be its unit, after which reading goes on
// where mistakes are collected
static int skip_unit(formulaParser *p, int begin, int end)
{
  peek_formula_character(p);
  const char *word = p->text + p->at;
  int n = (unsigned char) word[0] >= 0x80 ? unit_character(word) : 0;
  while (is_name_part(word[n]) && n <= 40) n++;
  if (n == 0 || n > 40 || !is_unit(word, (size_t) n)) return end;
  unitPiece piece = {p, begin, end, n};
  artPlace place = p->place;
  place.column += p->at;
  if (p->scope && p->scope->is_noted) {
    (void) recovery_try(place, place, refuse_unit, &piece);
  } else {
    refuse_unit(&piece);
  }
  return p->at + n;
}


static baseDimension plain_dimension(const formulaParser *p)
{
  return p->scope && p->scope->is_loose ? UNIT_ANY : UNIT_NUMBER;
}


static void parse_number(formulaParser *p, formulaOperand *a)
{
  double value;
  const int length = unit_scan_number(p->text + p->at, &value);
  if (length == 0) fail_found_instead(p, "a number, a name or '('");
  if (length < 0) formula_fail(p, p->at, "the number is too large or too long");

  p->at += length;
  a->dimension = plain_dimension(p);
  a->is_plain = a->is_literal = 1;
  const int end = p->at;
  const int behind = p->at = skip_unit(p, end - length, end);
  if (behind > end) a->dimension = UNIT_ANY;
  const char next = p->text[p->at];
  if (is_name_part(next) || next == '.' || next == '\'') {
    formula_fail(p, p->at,
                 "found '%c' right after a number, expected an operator; a product takes "
                 "'*', a unit brackets as in 1[m]",
                 next);
  }
  if (take_operator(p, "[")) {
    parse_unit(p, a, &value);
  } else {
    p->at = behind;
  }
  push_value(p, (formulaStep){.op = OP_CONSTANT, .value = value});
}


// one part of a name, plain or in quotes, appended to the reference
static void read_name_part(formulaParser *p, int *used)
{
  const int quoted = p->text[p->at] == '\'';
  const int start = p->at + quoted;
  int end = start;
  if (quoted) {
    while (p->text[end] && p->text[end] != '\'') end++;
    if (!p->text[end]) formula_fail(p, p->at, "found a quote ' that is not closed");
  } else {
    while (is_name_part(p->text[end])) end++;
  }

  const int length = end - start;
  // after a dot it may be a number: heat.2
  if (length == 0 || (!quoted && *used == 0 && !is_name_start(p->text[start]))) {
    formula_fail(p, p->at, "expected a name here");
  }
  if (*used + length + 2 > FORMULA_NAME_LENGTH) formula_fail(p, p->at, "the name is too long");
  memcpy(p->reference + *used, p->text + start, (size_t) length);
  *used += length;
  p->reference[*used] = '\0';
  p->at = end + quoted;
}


static const struct {
  const char *name;
  double value;
} constants[] = {
    {"pi", 3.14159265358979323846}, {"tau", 6.28318530717958647693}, {"e", 2.71828182845904523536}};
enum { NCONSTANT = sizeof constants / sizeof *constants };


static void fail_unknown_name(formulaParser *p, int begin)
{
  char hint[BASE_HINT_LENGTH];
  const formulaFunction *function = formula_find_function(p->reference);
  if (function) {
    formula_fail(p, begin, "'%s' is a function, expected %s", p->reference, function->usage);
  }
  char words[FORMULA_WORDS] = "";
  if (p->scope && p->scope->parts && p->scope->parts(p->scope->context, p->reference, words)) {
    formula_fail(p, begin, "unknown name '%.200s'%s", p->reference, words);
  }
  recovery_pass(p->reference);
  baseNearest nearest = {.word = p->reference, .context = "name"};
  if (p->scope && p->scope->list) p->scope->list(p->scope->context, &nearest);
  for (int i = 0; i < NCONSTANT; i++) base_consider(&nearest, constants[i].name);
  if (!nearest.best && is_unit(p->reference, strlen(p->reference))) {
    formula_fail(p, begin,
                 "unknown name '%.200s'; write a unit in brackets after its number, as in "
                 "1[%.200s]",
                 p->reference, p->reference);
  }
  formula_fail(p, begin, "unknown name '%.200s'%s", p->reference, base_hint(&nearest, hint));
}


// Push the value of the reference that has been read; 0: neither the scope nor the constants know it.
static int find_reference(formulaParser *p, int begin, formulaOperand *a)
{
  formulaSymbol symbol = {0};
  artPlace place = p->place;
  const formulaScope *scope = p->scope;
  if (!scope || !scope->has_one_place) place.column += begin;

  if (scope && scope->find(scope->context, p->reference, place, &symbol)) {
    a->dimension = symbol.dimension;
    const formulaStep constant = {.op = OP_CONSTANT, .value = symbol.value};
    const formulaStep variable = {.op = OP_SLOT, .index = symbol.slot};
    push_value(p, symbol.is_constant ? constant : variable);
    return 1;
  }

  for (int i = 0; i < NCONSTANT; i++) {
    if (strcmp(constants[i].name, p->reference) != 0) continue;
    a->dimension = plain_dimension(p);
    a->is_plain = 1;
    push_value(p, (formulaStep){.op = OP_CONSTANT, .value = constants[i].value});
    return 1;
  }
  return 0;
}


// .angle: further parts of the reference
static void read_further_parts(formulaParser *p, int *used)
{
  while (p->text[p->at] == '.') {
    p->at++;
    p->reference[(*used)++] = '.';
    read_name_part(p, used);
  }
}


// The name ends before a slash and is unknown: is it the prefix of an included file, as in front/pin.angle? Where it is
// not, the slash divides and the reference stays as it was.
static int find_in_included_file(formulaParser *p, int begin, formulaOperand *a)
{
  char first[FORMULA_NAME_LENGTH];
  const int end = p->at;
  int used = (int) strlen(p->reference);
  memcpy(first, p->reference, (size_t) used + 1);
  while (p->text[p->at] == '/' && is_name_start(p->text[p->at + 1])) {
    p->at++;
    p->reference[used++] = '/';
    read_name_part(p, &used);
  }
  if (p->at > end) {
    read_further_parts(p, &used);
    if (find_reference(p, begin, a)) return 1;
  }
  memcpy(p->reference, first, strlen(first) + 1);
  p->at = end;
  return 0;
}

// a reference, and what it represents
typedef struct referencePiece {
  formulaParser *p;
  formulaOperand *a;
  int begin;
  bool is_quoted;
} referencePiece;


static void need_reference(void *context)
{
  const referencePiece *piece = context;
  formulaParser *p = piece->p;
  if (find_reference(p, piece->begin, piece->a)) return;
  if (piece->is_quoted || !find_in_included_file(p, piece->begin, piece->a)) {
    fail_unknown_name(p, piece->begin);
  }
}


// Where mistakes are collected, a name that is wrong counts as a number for which any unit will do.
static void parse_reference(formulaParser *p, int begin, bool is_quoted, formulaOperand *a)
{
  referencePiece piece = {p, a, begin, is_quoted};
  artPlace place = p->place;
  place.column += begin;
  if (!p->scope || !p->scope->is_noted) {
    need_reference(&piece);
  } else if (!recovery_try(place, place, need_reference, &piece)) {
    a->dimension = UNIT_ANY;
    push_value(p, (formulaStep){.op = OP_CONSTANT, .value = 1});
  }
}


//---- functions -----------------------------------------------------------------------------------


static _Noreturn void fail_argument_count(formulaParser *p, const formulaFunction *function,
                                          int begin, int narg)
{
  formula_fail(p, begin, "found %d argument%s, expected %s", narg, narg == 1 ? "" : "s",
               function->usage);
}


// min(a, b, c) is min(min(a, b), c)
static void combine_two_arguments(formulaParser *p, const formulaFunction *function,
                                  formulaOperand *a)
{
  baseDimension dimension;
  formula_check_function(p, function, 2, a, &dimension);
  a[0].dimension = dimension;
  a[0].end = a[1].end;
  a[0].is_plain = a[0].is_plain && a[1].is_plain;
  emit_operation(p, function->op, 2, &a[0]);
}


// the arguments, and for min and max their combination in a[0]
static void parse_arguments(formulaParser *p, const formulaFunction *function, formulaOperand *a,
                            int *narg)
{
  const int most = function->narg ? function->narg : 2;
  *narg = 0;
  if (take_operator(p, ")")) return;
  do {
    if (*narg == most && function->narg) {
      peek_formula_character(p);
      formula_fail(p, p->at, "found more arguments than in %s", function->usage);
    }
    const int i = *narg < most ? *narg : most - 1;
    parse_condition(p, &a[i]);
    if (!function->narg && *narg > 0) combine_two_arguments(p, function, a);
    if (*narg < most) ++*narg;
  } while (take_operator(p, ","));
  if (!take_operator(p, ")")) fail_found_instead(p, "',' or ')'");
}


// the call of a curve whose name has been read
static void parse_curve(formulaParser *p, int begin, formulaOperand *result)
{
  char name[FORMULA_NAME_LENGTH], usage[FORMULA_NAME_LENGTH + 8], hint[BASE_HINT_LENGTH];
  memcpy(name, p->reference, sizeof name);
  formulaCurve curve;
  baseNearest nearest = {.word = name, .context = "function"};
  const formulaScope *scope = p->scope;
  if (!scope || !scope->curve || !scope->curve(scope->context, name, &curve, &nearest)) {
    recovery_pass(name);
    formula_list_functions(&nearest);
    const int is_lost = !base_hint(&nearest, hint)[0] && !(scope && scope->curve);
    formula_fail(p, begin, "unknown function '%.200s'%s%s", name, hint,
                 is_lost ? "; curves are known in formulas of time only" : "");
  }
  format_text(usage, sizeof usage, curve.map ? "%s(x, y)" : "%s(x)", name);
  const formulaFunction call = {.name = name, .usage = usage, .narg = curve.map ? 2 : 1};
  formulaOperand a[2];
  int narg;
  take_operator(p, "(");
  parse_arguments(p, &call, a, &narg);
  if (narg == 0 || (narg == 1 && !curve.law)) fail_argument_count(p, &call, begin, narg);
  for (int i = 0; i < narg; i++) formula_check_curve(p, name, i ? curve.y : curve.x, &a[i]);
  result->end = p->at;
  result->dimension = curve.f;
  if (narg == 2) {
    const formulaOp op = law_map_is_smooth(curve.map) ? OP_SMOOTH_MAP : OP_MAP;
    emit_step(p, (formulaStep){.op = op, .map = curve.map}, 2, result);
  } else {
    const formulaOp op = law_is_smooth(curve.law) ? OP_CURVE : OP_PIECES;
    emit_step(p, (formulaStep){.op = op, .law = curve.law}, 1, result);
  }
}


static void parse_call(formulaParser *p, int begin, formulaOperand *result)
{
  const formulaFunction *function = formula_find_function(p->reference);
  formulaOperand a[FORMULA_MOST_ARGUMENTS];
  int narg;
  take_operator(p, "(");
  parse_arguments(p, function, a, &narg);
  if (narg != (function->narg ? function->narg : 2)) {
    fail_argument_count(p, function, begin, narg);
  }

  result->end = p->at;
  result->is_plain = 1;
  const int first = function->op == OP_IF; // a condition has no unit
  for (int i = first; i < narg; i++) result->is_plain = result->is_plain && a[i].is_plain;
  if (function->narg) {
    formula_check_function(p, function, narg, a, &result->dimension);
    emit_operation(p, function->op, narg, result);
  } else {
    result->dimension = a[0].dimension;
    result->step = a[0].step;
  }
}

//---- the grammar ---------------------------------------------------------------------------------


// a name with its parts, or the call of a function
static void parse_name(formulaParser *p, formulaOperand *a)
{
  static const char *const reserved[] = {"and", "or", "not"};
  const int begin = p->at, quoted = p->text[p->at] == '\'';
  int used = 0;
  read_name_part(p, &used);
  const int end = p->at;
  if (peek_formula_character(p) == '(') {
    const int is_curve = quoted || !formula_find_function(p->reference);
    (is_curve ? parse_curve : parse_call)(p, begin, a);
    return;
  }
  p->at = end;
  for (int i = 0; i < 3 && !quoted; i++) {
    if (strcmp(p->reference, reserved[i]) != 0) continue;
    formula_fail(p, begin, "found '%s', expected a number, a name or '('", reserved[i]);
  }

  read_further_parts(p, &used);
  parse_reference(p, begin, quoted, a);
  a->end = p->at;
  a->step = p->nstep - 1;
}


static void parse_primary(formulaParser *p, formulaOperand *a)
{
  const char c = peek_formula_character(p);
  *a = (formulaOperand){.begin = p->at};
  if (c == '(') {
    const int begin = p->at++;
    parse_condition(p, a);
    if (!take_operator(p, ")")) fail_found_instead(p, "')' or an operator");
    a->begin = begin;
    a->end = p->at;
    a->is_literal = 0;
  } else if (is_name_start(c) || c == '\'') {
    parse_name(p, a);
  } else {
    parse_number(p, a);
    a->end = p->at;
    a->step = p->nstep - 1;
  }
}


// a = a op b, both parsed; `at` is the place of the operator
static void combine_operands(formulaParser *p, formulaOp op, int at, formulaOperand *a,
                             const formulaOperand *b)
{
  baseDimension dimension;
  formula_check_operator(p, op, at, a, b, &dimension);
  a->dimension = dimension;
  a->end = b->end;
  a->is_plain = a->is_plain && b->is_plain;
  emit_operation(p, op, 2, a);
}


static void parse_unary(formulaParser *p, formulaOperand *a);


static void parse_power(formulaParser *p, formulaOperand *a)
{
  formulaOperand exponent;
  parse_primary(p, a);
  if (!take_operator(p, "^")) return;
  const int at = p->at - 1;
  parse_unary(p, &exponent);
  combine_operands(p, OP_POW, at, a, &exponent);
}


// every nesting passes here, so here its depth is limited
static void parse_unary(formulaParser *p, formulaOperand *a)
{
  if (++p->nesting > FORMULA_DEEPEST) {
    formula_fail(p, p->at, "the formula is nested deeper than %d", FORMULA_DEEPEST);
  }
  const char c = peek_formula_character(p);
  if (c != '-' && c != '+') {
    parse_power(p, a);
  } else {
    const int begin = p->at++;
    parse_unary(p, a);
    formula_want_number(p, a);
    a->begin = begin;
    if (c == '-') emit_operation(p, OP_NEGATE, 1, a);
  }
  p->nesting--;
}


static void parse_product(formulaParser *p, formulaOperand *a)
{
  formulaOperand b;
  parse_unary(p, a);
  for (;;) {
    const char c = peek_formula_character(p);
    if ((c != '*' && c != '/') || strncmp(p->text + p->at, "**", 2) == 0) return;
    const int at = p->at++;
    parse_unary(p, &b);
    combine_operands(p, c == '*' ? OP_MULTIPLY : OP_DIVIDE, at, a, &b);
  }
}


static void parse_sum(formulaParser *p, formulaOperand *a)
{
  formulaOperand b;
  parse_product(p, a);
  for (;;) {
    const char c = peek_formula_character(p);
    if (c != '+' && c != '-') return;
    const int at = p->at++;
    parse_product(p, &b);
    combine_operands(p, c == '+' ? OP_ADD : OP_SUBTRACT, at, a, &b);
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
    if (!take_operator(p, comparisons[i].text)) continue;
    *op = comparisons[i].op;
    return 1;
  }
  return 0;
}


static void parse_comparison(formulaParser *p, formulaOperand *a)
{
  formulaOperand b;
  formulaOp op, second;
  parse_sum(p, a);
  if (!take_comparison(p, &op)) return;
  const int at = p->at - (op == OP_LESS || op == OP_GREATER ? 1 : 2);
  parse_sum(p, &b);
  combine_operands(p, op, at, a, &b);

  a->is_truth = 1;
  const int may_vary = !p->scope || !p->scope->slots_are_constant;
  if ((op == OP_EQUAL || op == OP_DIFFERENT) && may_vary && !formula_operand_is_constant(p, a)) {
    formula_fail(p, at, "compares values that vary by '%s'; write abs(a - b) < tolerance",
                 op == OP_EQUAL ? "==" : "!=");
  }
  if (!take_comparison(p, &second)) return;
  formula_fail(p, at, "found two comparisons in a row; write a < b and b < c");
}


static void parse_negation(formulaParser *p, formulaOperand *a)
{
  int nnot = 0;
  peek_formula_character(p);
  const int begin = p->at;
  while (take_formula_word(p, "not")) nnot++;
  parse_comparison(p, a);
  if (nnot == 0) return;
  formula_want_truth(p, a);
  a->begin = begin;
  if (nnot % 2) emit_operation(p, OP_NOT, 1, a);
}


// operands joined by one of the words
static void parse_joined(formulaParser *p, formulaOperand *a, const char *word, formulaOp op,
                         void (*parse_operand)(formulaParser *, formulaOperand *))
{
  formulaOperand b;
  parse_operand(p, a);
  while (take_formula_word(p, word)) {
    formula_want_truth(p, a);
    parse_operand(p, &b);
    formula_want_truth(p, &b);
    a->end = b.end;
    a->is_plain = a->is_plain && b.is_plain;
    emit_operation(p, op, 2, a);
  }
}


static void parse_both(formulaParser *p, formulaOperand *a)
{
  parse_joined(p, a, "and", OP_AND, parse_negation);
}


static void parse_condition(formulaParser *p, formulaOperand *a)
{
  parse_joined(p, a, "or", OP_OR, parse_both);
}

//---- the whole -----------------------------------------------------------------------------------


// the program of the text, copied into the arena
static void parse_text(void *context)
{
  formulaParser *p = context;
  formulaOperand a = {0};
  if (p->length > FORMULA_LONGEST) {
    formula_fail(p, 0, "the formula is longer than %d characters", FORMULA_LONGEST);
  }
  if (!peek_formula_character(p)) formula_fail(p, 0, "the formula is empty");
  parse_condition(p, &a);
  if (peek_formula_character(p) != '\0')
    fail_found_instead(p, "an operator or the end of the formula");
  formula_check_result(p, &a, p->expected);
  put_settled_behind(p);

  formula *f = arena_alloc(p->arena, 1, sizeof *f);
  const formula own = {.nstep = p->nstep,
                       .depth = p->depth,
                       .nswitch = p->nswitch,
                       .nsettled = p->nsettled,
                       .dimension = a.is_plain ? UNIT_ANY : a.dimension,
                       .steps = arena_copy(p->arena, p->steps, (size_t) p->nstep, sizeof *p->steps),
                       .switch_kinds =
                           arena_copy(p->arena, p->switch_kinds, (size_t) p->nswitch, 1)};
  if (!f || !own.steps || !own.switch_kinds) error_throw();
  *f = own;
  p->made = f;
}


artStatus formula_parse(formula **out, baseArena *arena, const char *text, artPlace place,
                        const formulaScope *scope, baseDimension expected, artError *error)
{
  formulaParser p = {
      .text = text, .place = place, .scope = scope, .arena = arena, .expected = expected};
  p.length = (int) strnlen(text, FORMULA_LONGEST + 1);
  const artStatus status = error_try(parse_text, &p, error);
  *out = p.made;
  mem_free(p.steps);
  mem_free(p.switch_kinds);
  mem_free(p.is_settled);
  return status;
}
