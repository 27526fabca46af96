// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions as text: numbers, brackets, operands.
#include "emit/expression.h"

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


// the text before the operand of a format, or nothing; returns the text behind it
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
typedef enum emitTightness { LOOSE, SUM, PRODUCT, SIGN, TIGHT } emitTightness;

// of an operation itself; the least that its first operand and the others need to stand without brackets
typedef struct opBinding {
  emitTightness own, first, others;
} opBinding;


// functions need no brackets
static opBinding binding_of(exprOp op)
{
  static const opBinding table[EXPR_OP_COUNT] = {
      [EXPR_ADD] = {SUM, SUM, PRODUCT},         [EXPR_SUB] = {SUM, SUM, PRODUCT},
      [EXPR_MUL] = {PRODUCT, PRODUCT, TIGHT},   [EXPR_DIV] = {PRODUCT, PRODUCT, TIGHT},
      [EXPR_NEG] = {SIGN, TIGHT, TIGHT},        [EXPR_SELECT] = {LOOSE, TIGHT, TIGHT},
      [EXPR_MOD] = {LOOSE, TIGHT, TIGHT},       [EXPR_LESS] = {SIGN, TIGHT, TIGHT},
      [EXPR_LESS_EQUAL] = {SIGN, TIGHT, TIGHT}, [EXPR_EQUAL] = {SIGN, TIGHT, TIGHT},
      [EXPR_AND] = {SIGN, TIGHT, TIGHT},        [EXPR_OR] = {SIGN, TIGHT, TIGHT},
      [EXPR_NOT] = {SIGN, TIGHT, TIGHT},        [EXPR_SIGN] = {SIGN, TIGHT, TIGHT},
      [EXPR_POW] = {SIGN, TIGHT, TIGHT},        [EXPR_FLOOR] = {TIGHT, TIGHT, TIGHT},
  };
  return table[op].others ? table[op] : (opBinding){TIGHT, LOOSE, LOOSE};
}


static int is_scope_variable(const emitScope *s, int node)
{
  return node < s->list->nnode && s->list->equation_of[node] >= 0;
}


static emitTightness tightness_of_node(const emitScope *s, int node)
{
  const exprNode *n = &s->list->pool->nodes[node];
  if (is_scope_variable(s, node)) return TIGHT;
  if (n->op == EXPR_CONSTANT) return n->value < 0 || signbit(n->value) ? SIGN : TIGHT;
  return binding_of(n->op).own;
}


// two operators must not stand side by side: a + (-b*c)
static int begins_with_minus(const emitScope *s, int node)
{
  const exprNode *n = &s->list->pool->nodes[node];
  if (is_scope_variable(s, node)) return 0;
  if (n->op == EXPR_MUL || n->op == EXPR_DIV || n->op == EXPR_ADD || n->op == EXPR_SUB) {
    return tightness_of_node(s, n->a) >= binding_of(n->op).first && begins_with_minus(s, n->a);
  }
  return n->op == EXPR_NEG || (n->op == EXPR_CONSTANT && signbit(n->value));
}


static int is_condition_operation(exprOp op)
{
  return op == EXPR_LESS || op == EXPR_LESS_EQUAL || op == EXPR_EQUAL || op == EXPR_AND ||
         op == EXPR_OR || op == EXPR_NOT;
}


static void print_expression(const emitScope *s, int node);


// operand k of an operation, in brackets where it needs them; numbers and vectors stand side by side in sums and products
static void print_operand(const emitScope *s, int node, exprOp op, int k)
{
  const opBinding binding = binding_of(op);
  const int is_sum = op == EXPR_ADD || op == EXPR_SUB;
  const int open = tightness_of_node(s, node) < (k == 0 ? binding.first : binding.others) ||
                   (k == 1 && is_sum && begins_with_minus(s, node));
  const exprNode *n = &s->list->pool->nodes[node];
  if (open) fputc('(', s->out);
  if (n->op == EXPR_CONSTANT && (is_sum || op == EXPR_MUL || op == EXPR_DIV)) {
    emit_number(s->out, s->dialect, n->value);
  } else if (op == EXPR_AND || op == EXPR_OR || op == EXPR_NOT || (op == EXPR_SELECT && k == 0)) {
    // a condition; variables and other expressions are numbers
    if (!is_scope_variable(s, node) && is_condition_operation(n->op)) {
      print_expression(s, node);
    } else {
      const char *behind = open_around(s->out, s->dialect->is_true);
      emit_operand(s, node);
      fputs(behind, s->out);
    }
  } else {
    emit_operand(s, node);
  }
  if (open) fputc(')', s->out);
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


static void print_slot(const emitScope *s, int node)
{
  const exprNode *n = &s->list->pool->nodes[node];
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
}


// by the spelling of the operation, its operands in their places
static void print_operation(const emitScope *s, int node)
{
  const exprPool *pool = s->list->pool;
  const exprNode *n = &pool->nodes[node];
  const int is_over = n->op == EXPR_DIV && s->dialect->over &&
                      pool->nodes[n->a].op != EXPR_CONSTANT && is_lasting(s, n->b);
  const int is_one_over = n->op == EXPR_DIV && s->dialect->one_over &&
                          pool->nodes[n->a].op == EXPR_CONSTANT && pool->nodes[n->a].value == 1;
  const int count = expr_argument_count(pool, node);
  int k = 0;
  for (const char *c = is_one_over ? s->dialect->one_over
                       : is_over   ? s->dialect->over
                                   : s->dialect->spelling[n->op];
       *c; c++) {
    if (*c != '%') {
      fputc(*c, s->out);
      continue;
    }
    const int i = *++c == 's' ? k++ % count : *c - '1';
    print_operand(s, expr_argument(pool, node, i), n->op, i);
  }
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
    print_slot(s, node);
  } else {
    print_operation(s, node);
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
