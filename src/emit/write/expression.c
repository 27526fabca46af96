// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions as text: numbers, brackets, operands.
#include "emit/write/expression.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/format.h"

//---- numbers -------------------------------------------------------------------------------------

// the nearest that is no zero and no infinity in single precision
static double narrow_number(double value)
{
  const double size = fabs(value);
  if (size > FLT_MAX) return copysign(FLT_MAX, value);
  return size > 0 && size < FLT_MIN ? copysign(FLT_MIN, value) : (double) (float) value;
}


void emit_number(FILE *out, const emitDialect *dialect, double value)
{
  char text[64];
  if (!isfinite(value)) {
    // products of constants may overflow: the text is as wrong as the number, but it compiles
    fputs(isnan(value) ? dialect->nan : dialect->infinity[value > 0], out);
    return;
  }
  if (dialect->narrow) value = narrow_number(value);
  for (int digits = 6; digits <= 17; digits++) {
    format_text(text, sizeof text, "%.*g", digits, value);
    const double back = format_read(text, NULL);
    if (dialect->narrow ? (float) back == (float) value : back == value) break;
  }
  char *exponent = strchr(text, 'e');
  const char *end = exponent ? exponent : text + strlen(text);
  fprintf(out, "%.*s", (int) (end - text), text);
  if (exponent) {
    fprintf(out, "%s%s", dialect->exponent, exponent + 1);
  } else if (dialect->exponent[0] == 'd') {
    fputs("d0", out);
  } else if (!strchr(text, '.')) {
    fputs(dialect->whole, out);
  }
  if (dialect->narrow) fputc('f', out);
}


// the text before the operand of a format, or nothing; returns the text after it
static const char *open_around(FILE *out, const char *format)
{
  const char *place = format ? strstr(format, "%s") : NULL;
  if (!place) return "";
  fprintf(out, "%.*s", (int) (place - format), format);
  return place + 2;
}


void emit_vector(FILE *out, const emitDialect *dialect, double value)
{
  const char *place = open_around(out, dialect->spread);
  emit_number(out, dialect, value);
  fputs(place, out);
}


//---- expressions ---------------------------------------------------------------------------------

// how tightly an expression holds together as an operand
typedef enum emitTightness { LOOSE, LOGIC, COMPARISON, SUM, PRODUCT, SIGN, TIGHT } emitTightness;

// of an operation itself; the least that its first operand and the others need to stand without brackets
typedef struct opBinding {
  emitTightness own, first, others;
} opBinding;


// functions need no brackets
static opBinding binding_of(exprOp op)
{
  static const opBinding table[EXPR_OP_COUNT] = {
      [EXPR_ADD] = {SUM, SUM, PRODUCT},
      [EXPR_SUB] = {SUM, SUM, PRODUCT},
      [EXPR_MUL] = {PRODUCT, PRODUCT, TIGHT},
      [EXPR_DIV] = {PRODUCT, PRODUCT, TIGHT},
      [EXPR_SELECT] = {LOOSE, LOGIC, LOGIC},
      [EXPR_MOD] = {LOOSE, TIGHT, TIGHT},
      [EXPR_LESS] = {COMPARISON, SUM, SUM},
      [EXPR_LESS_EQUAL] = {COMPARISON, SUM, SUM},
      [EXPR_EQUAL] = {COMPARISON, SUM, SUM},
      [EXPR_AND] = {LOGIC, COMPARISON, COMPARISON},
      [EXPR_OR] = {LOGIC, COMPARISON, COMPARISON},
      [EXPR_NOT] = {COMPARISON, TIGHT, TIGHT},
      [EXPR_SIGN] = {SIGN, TIGHT, TIGHT},
      [EXPR_POW] = {SIGN, TIGHT, TIGHT},
      [EXPR_FLOOR] = {TIGHT, TIGHT, TIGHT},
  };
  return table[op].others ? table[op] : (opBinding){TIGHT, LOOSE, LOOSE};
}


static int is_scope_variable(const emitScope *s, int node)
{
  return node < s->list->nnode && s->list->equation_of[node] >= 0;
}


static int is_condition_operation(exprOp op)
{
  return op == EXPR_LESS || op == EXPR_LESS_EQUAL || op == EXPR_EQUAL || op == EXPR_AND ||
         op == EXPR_OR || op == EXPR_NOT;
}


// variables are numbers
static int is_condition(const emitScope *s, int node)
{
  return !is_scope_variable(s, node) && is_condition_operation(s->list->pool->nodes[node].op);
}


//---- signs ---------------------------------------------------------------------------------------

// Signs of constants and of operands move out of products and quotients, and sums and differences absorb them: a - 2.0*x for
// a + (-2.0*x). Every bit stays, the sign of a zero excepted.

// the operand of changes of sign, or the node itself
static int without_signs(const emitScope *s, int node)
{
  while (!is_scope_variable(s, node) && s->list->pool->nodes[node].op == EXPR_NEG) {
    node = s->list->pool->nodes[node].a;
  }
  return node;
}


static int is_negative(const emitScope *s, int node);


// whether an expression begins with a minus that can be left out
static int has_sign(const emitScope *s, int node)
{
  const exprNode *n = &s->list->pool->nodes[node];
  switch (n->op) {
  case EXPR_CONSTANT: return n->value < 0;
  case EXPR_NEG: return !is_negative(s, n->a);
  case EXPR_MUL:
  case EXPR_DIV: return is_negative(s, n->a) != is_negative(s, n->b);
  default: return 0;
  }
}


// -1.5 - x, whose opposite is 1.5 + x
static int is_negative_sum(const emitScope *s, int node)
{
  const exprNode *n = &s->list->pool->nodes[node];
  return n->op == EXPR_SUB && s->list->pool->nodes[n->a].op == EXPR_CONSTANT && has_sign(s, n->a) &&
         !is_negative(s, n->b);
}


// whether an operand of a sum, product or quotient is minus the one that print_magnitude prints
static int is_negative(const emitScope *s, int node)
{
  return !is_scope_variable(s, node) && (has_sign(s, node) || is_negative_sum(s, node));
}


// choices and remainders are functions in some languages
static emitTightness tightness_of_magnitude(const emitScope *s, int node)
{
  const int inner = without_signs(s, node);
  const exprOp op = s->list->pool->nodes[inner].op;
  if (is_scope_variable(s, inner)) return TIGHT;
  if (is_condition(s, inner)) return SIGN;
  if (binding_of(op).own == LOOSE && s->dialect->spelling[op][0] != '%') return TIGHT;
  return binding_of(op).own;
}


static emitTightness tightness_of_node(const emitScope *s, int node)
{
  const emitTightness own = tightness_of_magnitude(s, node);
  return !is_scope_variable(s, node) && has_sign(s, node) && own != PRODUCT ? SIGN : own;
}


//---- operands ------------------------------------------------------------------------------------

static void print_expression(const emitScope *s, int node);
static void print_operation(const emitScope *s, int node, exprOp op);


static void print_within(const emitScope *s, int node, int is_open,
                         void (*print)(const emitScope *s, int node))
{
  if (is_open) fputc('(', s->out);
  print(s, node);
  if (is_open) fputc(')', s->out);
}


static void print_magnitude(const emitScope *s, int node);


// an operand without its sign; products and quotients are printed of magnitudes
static void print_magnitude(const emitScope *s, int node)
{
  const int inner = without_signs(s, node);
  const exprNode *n = &s->list->pool->nodes[inner];
  if (is_scope_variable(s, inner)) {
    emit_operand(s, inner);
  } else if (n->op == EXPR_CONSTANT) {
    emit_number(s->out, s->dialect, fabs(n->value));
  } else if (n->op == EXPR_MUL || n->op == EXPR_DIV) {
    print_operation(s, inner, n->op);
  } else if (is_negative_sum(s, inner)) {
    emit_number(s->out, s->dialect, -s->list->pool->nodes[n->a].value);
    fputs(" + ", s->out);
    print_within(s, n->b, tightness_of_magnitude(s, n->b) < PRODUCT, print_magnitude);
  } else {
    emit_operand(s, inner);
  }
}


static void print_condition(const emitScope *s, int node, emitTightness least)
{
  if (is_condition(s, node)) {
    print_within(s, node, binding_of(s->list->pool->nodes[node].op).own < least, print_expression);
    return;
  }
  const int is_open = COMPARISON < least;
  if (is_open) fputc('(', s->out);
  const char *behind = open_around(s->out, s->dialect->is_true);
  print_within(s, node, tightness_of_node(s, node) < SUM, emit_operand);
  fputs(behind, s->out);
  if (is_open) fputc(')', s->out);
}


// "_over(%s, %s)", whose arguments need no brackets; a sign compares its argument
static int is_call_of_function(const char *spelling, exprOp op)
{
  const size_t n =
      strspn(spelling, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789");
  return n > 0 && spelling[n] == '(' && op != EXPR_SIGN;
}


// operand k of an operation, in brackets where it needs them; numbers and vectors stand side by side in sums and products
static void print_operand(const emitScope *s, int node, exprOp op, int k, const char *spelling)
{
  const opBinding binding = binding_of(op);
  const emitTightness least = is_call_of_function(spelling, op) ? LOOSE
                              : k == 0                          ? binding.first
                                                                : binding.others;
  const int is_sum = op == EXPR_ADD || op == EXPR_SUB;
  if (op == EXPR_AND || op == EXPR_OR || op == EXPR_NOT || (op == EXPR_SELECT && k == 0)) {
    print_condition(s, node, least);
  } else if (op == EXPR_MUL || op == EXPR_DIV || (is_sum && k == 1)) {
    print_within(s, node, tightness_of_magnitude(s, node) < least, print_magnitude);
  } else if (is_sum && s->list->pool->nodes[node].op == EXPR_CONSTANT) {
    emit_number(s->out, s->dialect, s->list->pool->nodes[node].value);
  } else {
    print_within(s, node, tightness_of_node(s, node) < least, emit_operand);
  }
}


// a parameter, or known ahead of all
static int is_lasting(const emitScope *s, int node)
{
  const eqnList *l = s->list;
  const int e = node < l->nnode ? l->equation_of[node] : -1;
  if (e >= 0) return l->equation[e].stage < 0;
  return eqn_is_constant(l, node);
}


int emit_slot_step(const emitScope *s, int node)
{
  ART_ASSERT(expr_is_trig(s->list->pool->nodes[node].op));
  const eqnList *l = s->list;
  const exprNode *n = &l->pool->nodes[node];
  const int set = l->set_of ? l->set_of[n->a] : 0;
  if (set == 0) return 0;
  const int next = expr_find(l->pool, n->op, l->set[set].node[1], 0);
  return next >= 0 && next < l->nnode ? s->slot[next] - s->slot[node] : 0;
}


int emit_is_single_angle(const emitScope *s, int angle)
{
  return s->is_wide_angle && !s->is_wide_angle[angle];
}


// an operation by its spelling, op for that of the node, with its operands in their places
static void print_operation(const emitScope *s, int node, exprOp op)
{
  const exprPool *pool = s->list->pool;
  const exprNode *n = &pool->nodes[node];
  const int is_over = op == EXPR_DIV && s->dialect->over && pool->nodes[n->a].op != EXPR_CONSTANT &&
                      is_lasting(s, n->b);
  const int is_one_over = op == EXPR_DIV && s->dialect->one_over &&
                          pool->nodes[n->a].op == EXPR_CONSTANT && pool->nodes[n->a].value == 1;
  const int count = expr_argument_count(pool, node);
  const char *spelling = is_one_over ? s->dialect->one_over
                         : is_over   ? s->dialect->over
                                     : s->dialect->spelling[op];
  int k = 0;
  for (const char *c = spelling; *c; c++) {
    if (*c != '%') {
      fputc(*c, s->out);
      continue;
    }
    const int i = *++c == 's' ? k++ % count : *c - '1';
    print_operand(s, expr_argument(pool, node, i), op, i, spelling);
  }
}


// x + y, or x - |y| where y is negative
static exprOp operation_without_signs(const emitScope *s, int node)
{
  const exprNode *n = &s->list->pool->nodes[node];
  if (n->op != EXPR_ADD && n->op != EXPR_SUB) return n->op;
  if (!is_negative(s, n->b)) return n->op;
  return n->op == EXPR_ADD ? EXPR_SUB : EXPR_ADD;
}


static void print_expression(const emitScope *s, int node)
{
  const exprNode *n = &s->list->pool->nodes[node];
  if (n->op == EXPR_CONSTANT) {
    emit_vector(s->out, s->dialect, n->value);
  } else if (n->op == EXPR_SYMBOL) {
    if (s->dialect->narrow) fputs(s->dialect->narrow, s->out);
    fputs(s->symbol[n->a], s->out);
  } else if (n->op == EXPR_ELEMENT) {
    const int call = s->list->equation_of[n->a];
    format_stream(s->out, s->dialect->index, s->vector[call],
                  s->offset[call] + n->b + s->dialect->first);
  } else if (node < s->list->nnode && s->slot[node] > 0) {
    const char *vector = n->op == EXPR_SIN ? "sine" : "cosine";
    if (emit_is_single_angle(s, n->a)) {
      fputs("single_", s->out);
    } else if (s->dialect->narrow) {
      fputs(s->dialect->narrow, s->out);
    }
    const int step = s->is_loop ? emit_slot_step(s, node) : 0;
    if (step == 1 && s->slot[node] == 1) {
      fprintf(s->out, "%s[k]", vector);
    } else if (step == 1) {
      fprintf(s->out, "%s[%d + k]", vector, s->slot[node] - 1);
    } else if (step != 0) {
      fprintf(s->out, "%s[%d + %d*k]", vector, s->slot[node] - 1, step);
    } else {
      format_stream(s->out, s->dialect->index, vector, s->slot[node] - 1);
    }
  } else if (n->op == EXPR_NEG) {
    if (has_sign(s, node)) fputc('-', s->out);
    print_within(s, n->a, tightness_of_magnitude(s, n->a) < PRODUCT, print_magnitude);
  } else {
    if (has_sign(s, node)) fputc('-', s->out);
    print_operation(s, node, operation_without_signs(s, node));
  }
}


void emit_expression(const emitScope *s, int node)
{
  ART_ASSERT(node >= 0 && node < s->list->pool->count);
  const int is_mask = is_condition_operation(s->list->pool->nodes[node].op);
  const char *behind = open_around(s->out, is_mask ? s->dialect->truth : NULL);
  print_expression(s, node);
  fputs(behind, s->out);
}


void emit_operand(const emitScope *s, int node)
{
  ART_ASSERT(node >= 0 && node < s->list->pool->count);
  if (is_scope_variable(s, node)) {
    const int e = s->list->equation_of[node];
    if (s->dialect->narrow && !s->is_single[e]) fputs(s->dialect->narrow, s->out);
    fputs(s->name[e], s->out);
  } else {
    emit_expression(s, node);
  }
}


void emit_condition(const emitScope *s, int node)
{
  ART_ASSERT(node >= 0 && node < s->list->pool->count);
  print_condition(s, node, LOOSE);
}
