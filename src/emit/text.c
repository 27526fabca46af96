// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions as text.
#include "emit/text.h"

#include <math.h>
#include <string.h>

//---- languages -----------------------------------------------------------------------------------

const emitDialect emit_dialect[EMIT_LANGUAGES] = {
    [EMIT_C] =
        {
            .spelling =
                {
                    EMIT_COMMON("", "%s*%s", "%s/%s"),
                    [EXPR_ABS] = "fabs(%s)",
                    [EXPR_SIGN] = "(double) ((%s > 0) - (%s < 0))",
                    [EXPR_FLOOR] = "floor(%s)",
                    [EXPR_POW] = "pow(%s, %s)",
                    [EXPR_HYPOT] = "hypot(%s, %s)",
                    [EXPR_MIN] = "fmin(%s, %s)",
                    [EXPR_MAX] = "fmax(%s, %s)",
                    [EXPR_MOD] = "%s - %s*floor(%s/%s)",
                    [EXPR_LESS] = "(double) (%s < %s)",
                    [EXPR_LESS_EQUAL] = "(double) (%s <= %s)",
                    [EXPR_EQUAL] = "(double) (%s == %s)",
                    [EXPR_AND] = "(double) (%s != 0 && %s != 0)",
                    [EXPR_OR] = "(double) (%s != 0 || %s != 0)",
                    [EXPR_NOT] = "(double) (%s == 0)",
                    [EXPR_SELECT] = "%s != 0 ? %s : %s",
                },
            .index = "%s[%d]",
            .first = 0,
            .whole = ".0",
            .exponent = "e",
        },
    [EMIT_FORTRAN] =
        {
            .spelling =
                {
                    EMIT_COMMON("", "%s*%s", "%s/%s"),
                    [EXPR_ABS] = "abs(%s)",
                    [EXPR_SIGN] = "(merge(1d0, 0d0, %s > 0) - merge(1d0, 0d0, %s < 0))",
                    [EXPR_FLOOR] = "(anint(%s) - merge(1d0, 0d0, anint(%s) > %s))",
                    [EXPR_POW] = "%s**%s",
                    [EXPR_HYPOT] = "hypot(%s, %s)",
                    [EXPR_MIN] = "min(%s, %s)",
                    [EXPR_MAX] = "max(%s, %s)",
                    [EXPR_MOD] = "modulo(%s, %s)",
                    [EXPR_LESS] = "merge(1d0, 0d0, %s < %s)",
                    [EXPR_LESS_EQUAL] = "merge(1d0, 0d0, %s <= %s)",
                    [EXPR_EQUAL] = "merge(1d0, 0d0, %s == %s)",
                    [EXPR_AND] = "merge(1d0, 0d0, %s /= 0 .and. %s /= 0)",
                    [EXPR_OR] = "merge(1d0, 0d0, %s /= 0 .or. %s /= 0)",
                    [EXPR_NOT] = "merge(1d0, 0d0, %s == 0)",
                    [EXPR_SELECT] = "choose(%s, %s, %s)",
                },
            .index = "%s(%d)",
            .first = 1,
            .whole = "d0",
            .exponent = "d",
        },
    [EMIT_MATLAB] =
        {
            .spelling =
                {
                    EMIT_COMMON("", "%s.*%s", "%s./%s"),
                    [EXPR_ABS] = "abs(%s)",
                    [EXPR_SIGN] = "sign(%s)",
                    [EXPR_FLOOR] = "floor(%s)",
                    [EXPR_POW] = "%s.^%s",
                    [EXPR_HYPOT] = "hypot(%s, %s)",
                    [EXPR_MIN] = "min(%s, %s)",
                    [EXPR_MAX] = "max(%s, %s)",
                    [EXPR_MOD] = "mod(%s, %s)",
                    [EXPR_LESS] = "double(%s < %s)",
                    [EXPR_LESS_EQUAL] = "double(%s <= %s)",
                    [EXPR_EQUAL] = "double(%s == %s)",
                    [EXPR_AND] = "double(%s ~= 0 & %s ~= 0)",
                    [EXPR_OR] = "double(%s ~= 0 | %s ~= 0)",
                    [EXPR_NOT] = "double(%s == 0)",
                    [EXPR_SELECT] = "choose(%s, %s, %s)",
                },
            .index = "%s(%d,:)",
            .first = 1,
            .whole = "",
            .exponent = "e",
        },
    [EMIT_JAVA] =
        {
            .spelling =
                {
                    EMIT_COMMON("Math.", "%s*%s", "%s/%s"),
                    [EXPR_ABS] = "Math.abs(%s)",
                    [EXPR_SIGN] = "Math.signum(%s)",
                    [EXPR_FLOOR] = "Math.floor(%s)",
                    [EXPR_POW] = "Math.pow(%s, %s)",
                    [EXPR_HYPOT] = "Math.hypot(%s, %s)",
                    [EXPR_MIN] = "Math.min(%s, %s)",
                    [EXPR_MAX] = "Math.max(%s, %s)",
                    [EXPR_MOD] = "%s - %s*Math.floor(%s/%s)",
                    [EXPR_LESS] = "(%s < %s ? 1.0 : 0.0)",
                    [EXPR_LESS_EQUAL] = "(%s <= %s ? 1.0 : 0.0)",
                    [EXPR_EQUAL] = "(%s == %s ? 1.0 : 0.0)",
                    [EXPR_AND] = "(%s != 0 && %s != 0 ? 1.0 : 0.0)",
                    [EXPR_OR] = "(%s != 0 || %s != 0 ? 1.0 : 0.0)",
                    [EXPR_NOT] = "(%s == 0 ? 1.0 : 0.0)",
                    [EXPR_SELECT] = "%s != 0 ? %s : %s",
                },
            .index = "%s[%d]",
            .first = 0,
            .whole = ".0",
            .exponent = "e",
        },
    [EMIT_PYTHON] =
        {
            .spelling =
                {
                    EMIT_COMMON("_", "%s*%s", "_over(%s, %s)"),
                    [EXPR_ABS] = "abs(%s)",
                    [EXPR_SIGN] = "float((%s > 0) - (%s < 0))",
                    [EXPR_FLOOR] = "_floor(%s)",
                    [EXPR_POW] = "_pow(%s, %s)",
                    [EXPR_HYPOT] = "math.hypot(%s, %s)",
                    [EXPR_MIN] = "min(%s, %s)",
                    [EXPR_MAX] = "max(%s, %s)",
                    [EXPR_MOD] = "_mod(%s, %s)",
                    [EXPR_LESS] = "float(%s < %s)",
                    [EXPR_LESS_EQUAL] = "float(%s <= %s)",
                    [EXPR_EQUAL] = "float(%s == %s)",
                    [EXPR_AND] = "float(%s != 0 and %s != 0)",
                    [EXPR_OR] = "float(%s != 0 or %s != 0)",
                    [EXPR_NOT] = "float(%s == 0)",
                    [EXPR_SELECT] = "(%s if %s != 0 else %s)",
                },
            .index = "%s[%d]",
            .first = 0,
            .whole = ".0",
            .exponent = "e",
        },
};


const char *emit_language_name(emitLanguage language)
{
  static const char *const names[EMIT_LANGUAGES] = {"c", "fortran", "matlab", "java", "python"};
  return names[language];
}


const char *emit_file_ending(emitLanguage language)
{
  static const char *const endings[EMIT_LANGUAGES] = {".c", ".f90", ".m", ".java", ".py"};
  return endings[language];
}


//---- numbers -------------------------------------------------------------------------------------

// the shortest text that reads back as the same number
void emit_number(FILE *out, const emitDialect *dialect, double value)
{
  char text[64];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    double back;
    if (sscanf(text, "%lf", &back) == 1 && back == value) break;
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
}


// what stands before the operand of a format, or nothing; returns what stands behind it
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


static emitTightness tightness(const emitScope *s, int node)
{
  const exprNode *n = &s->list->pool->nodes[node];
  if (node < s->list->nnode && s->list->equation_of[node] >= 0) return TIGHT;
  switch (n->op) {
  case EXPR_ADD:
  case EXPR_SUB:
    return SUM;
  case EXPR_MUL:
  case EXPR_DIV:
    return PRODUCT;
  case EXPR_NEG:
    return SIGN;
  case EXPR_CONSTANT:
    return n->value < 0 || signbit(n->value) ? SIGN : TIGHT;
  case EXPR_SELECT:
  case EXPR_MOD:
    return LOOSE;
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_NOT:
  case EXPR_SIGN:
  case EXPR_POW:
    return SIGN;
  default:
    return TIGHT;
  }
}


// how tight the k-th operand of an operation must be to stand without brackets
static emitTightness needed(exprOp op, int k)
{
  switch (op) {
  case EXPR_ADD:
    return k == 0 ? SUM : PRODUCT;
  case EXPR_SUB:
    return k == 0 ? SUM : PRODUCT;
  case EXPR_MUL:
    return k == 0 ? PRODUCT : TIGHT;
  case EXPR_DIV:
    return k == 0 ? PRODUCT : TIGHT;
  case EXPR_NEG:
  case EXPR_SELECT:
  case EXPR_SIGN:
  case EXPR_MOD:
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_NOT:
  case EXPR_POW:
  case EXPR_FLOOR:
    return TIGHT;
  default:
    return LOOSE;
  }
}


// two operators must not stand side by side: a + (-b*c)
static int begins_with_minus(const emitScope *s, int node)
{
  const exprNode *n = &s->list->pool->nodes[node];
  if (node < s->list->nnode && s->list->equation_of[node] >= 0) return 0;
  if (n->op == EXPR_MUL || n->op == EXPR_DIV || n->op == EXPR_ADD || n->op == EXPR_SUB) {
    return tightness(s, n->a) >= needed(n->op, 0) && begins_with_minus(s, n->a);
  }
  return n->op == EXPR_NEG || (n->op == EXPR_CONSTANT && signbit(n->value));
}


// numbers and vectors stand side by side in sums and products
static int is_arithmetic(exprOp op)
{
  return op == EXPR_ADD || op == EXPR_SUB || op == EXPR_MUL || op == EXPR_DIV;
}


static int is_condition(exprOp op)
{
  return op == EXPR_LESS || op == EXPR_LESS_EQUAL || op == EXPR_EQUAL || op == EXPR_AND ||
         op == EXPR_OR || op == EXPR_NOT;
}


// whether the k-th operand of an operation is a condition
static int asks(exprOp op, int k)
{
  return op == EXPR_AND || op == EXPR_OR || op == EXPR_NOT || (op == EXPR_SELECT && k == 0);
}


static void print_expression(const emitScope *s, int node);


// variables are numbers
static void print_condition(const emitScope *s, int node)
{
  const int is_variable = node < s->list->nnode && s->list->equation_of[node] >= 0;
  if (!is_variable && is_condition(s->list->pool->nodes[node].op)) {
    print_expression(s, node);
    return;
  }
  const char *behind = open_around(s->out, s->dialect->is_true);
  emit_operand(s, node);
  fputs(behind, s->out);
}


static void bracketed(const emitScope *s, int node, exprOp op, int k)
{
  const int follows = k == 1 && (op == EXPR_ADD || op == EXPR_SUB);
  const int open = tightness(s, node) < needed(op, k) || (follows && begins_with_minus(s, node));
  const exprNode *n = &s->list->pool->nodes[node];
  if (open) fputc('(', s->out);
  if (n->op == EXPR_CONSTANT && is_arithmetic(op)) {
    emit_number(s->out, s->dialect, n->value);
  } else if (asks(op, k)) {
    print_condition(s, node);
  } else {
    emit_operand(s, node);
  }
  if (open) fputc(')', s->out);
}


// Which operand the i-th %s of a spelling means: in order, beginning anew where there are more places
// than operands; the condition of Python's choice stands second.
static int operand_at(const emitScope *s, exprOp op, int i, int count)
{
  const int is_python = s->dialect == &emit_dialect[EMIT_PYTHON];
  static const int choice[3] = {1, 0, 2};
  if (op == EXPR_SELECT && is_python) return choice[i];
  return i % count;
}


static void element(const emitScope *s, const exprNode *n)
{
  const int call = s->list->equation_of[n->a];
  fprintf(s->out, s->dialect->index, s->vector[call], s->offset[call] + n->b + s->dialect->first);
}


// a parameter, or known ahead of all
static int is_lasting(const emitScope *s, int node)
{
  const eqnList *l = s->list;
  const int e = node < l->nnode ? l->equation_of[node] : -1;
  if (e >= 0) return l->equation[e].stage < 0;
  for (int i = 0; i < l->program->parameter.n; i++) {
    if (l->parameter[i] == node) return 1;
  }
  return 0;
}


static const char *spelling_of(const emitScope *s, const exprNode *n)
{
  const int is_over = n->op == EXPR_DIV && s->dialect->over &&
                      s->list->pool->nodes[n->a].op != EXPR_CONSTANT && is_lasting(s, n->b);
  return is_over ? s->dialect->over : s->dialect->spelling[n->op];
}


int emit_slot_step(const emitScope *s, int node)
{
  const eqnList *l = s->list;
  const exprNode *n = &l->pool->nodes[node];
  const int set = l->set_of ? l->set_of[n->a] : 0;
  if (set == 0) return 0;
  const int next = expr_find(l->pool, n->op, l->set[set].node[1], 0);
  return next >= 0 && next < l->nnode ? s->slot[next] - s->slot[node] : 0;
}


static void print_slot(const emitScope *s, int node)
{
  const char *vector = s->list->pool->nodes[node].op == EXPR_SIN ? "sine" : "cosine";
  const int step = s->is_loop ? emit_slot_step(s, node) : 0;
  if (step == 1 && s->slot[node] == 1) {
    fprintf(s->out, "%s[k]", vector);
  } else if (step == 1) {
    fprintf(s->out, "%s[%d + k]", vector, s->slot[node] - 1);
  } else if (step != 0) {
    fprintf(s->out, "%s[%d + %d*k]", vector, s->slot[node] - 1, step);
  } else {
    fprintf(s->out, s->dialect->index, vector, s->slot[node] - 1);
  }
}


static void print_expression(const emitScope *s, int node)
{
  const exprPool *pool = s->list->pool;
  const exprNode *n = &pool->nodes[node];
  if (n->op == EXPR_CONSTANT) {
    emit_vector(s->out, s->dialect, n->value);
    return;
  }
  if (n->op == EXPR_SYMBOL) {
    fputs(s->symbol[n->a], s->out);
    return;
  }
  if (n->op == EXPR_ELEMENT) {
    element(s, n);
    return;
  }
  if (node < s->list->nnode && s->slot[node] > 0) {
    print_slot(s, node);
    return;
  }
  const char *text = spelling_of(s, n);
  const int count = expr_argument_count(pool, node);
  int k = 0;
  for (const char *c = text; *c; c++) {
    if (c[0] == '%' && c[1] == 's') {
      const int i = operand_at(s, n->op, k++, count);
      bracketed(s, expr_argument(pool, node, i), n->op, i);
      c++;
    } else {
      fputc(*c, s->out);
    }
  }
}


void emit_expression(const emitScope *s, int node)
{
  const int is_mask = is_condition(s->list->pool->nodes[node].op);
  const char *behind = open_around(s->out, is_mask ? s->dialect->truth : NULL);
  print_expression(s, node);
  fputs(behind, s->out);
}


void emit_operand(const emitScope *s, int node)
{
  const int e = node < s->list->nnode ? s->list->equation_of[node] : -1;
  if (e >= 0) {
    fputs(s->name[e], s->out);
  } else {
    emit_expression(s, node);
  }
}


void emit_lines(FILE *out, const char *const *lines)
{
  for (; *lines; lines++) fprintf(out, "%s\n", *lines);
}
