// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Binary lists evaluated with numbers.
#include "base/memory.h"
#include "support/legal.h"

typedef struct valueState {
  const schedBinary *binary;
  const exprPool *pool;
  double *symbol;   // by ordinal
  double *constant; // [list->n] of equations that are worked out ahead
  double *result;   // [n]
  double **vector;  // [n] results of calls
} valueState;


// numbers, symbols, constants worked out ahead, and what is in place of them: sines of inputs
static double leaf_value(const valueState *s, int node)
{
  const exprNode *n = &s->pool->nodes[node];
  const int e = s->binary->list->equation_of[node];
  if (n->op == EXPR_CONSTANT) return n->value;
  if (n->op == EXPR_SYMBOL) return s->symbol[n->a];
  if (e >= 0 && s->binary->list->equation[e].stage < 0) return s->constant[e];
  if (n->op == EXPR_SELECT) {
    const int is_true = leaf_value(s, expr_argument(s->pool, node, 0)) != 0;
    return leaf_value(s, expr_argument(s->pool, node, is_true ? 1 : 2));
  }
  const double a = leaf_value(s, n->a), b = expr_arity(n->op) == 2 ? leaf_value(s, n->b) : 0;
  return expr_apply(n->op, a, b);
}


// an equation that is worked out ahead, whose own value is not there yet
static double constant_value(const valueState *s, int node)
{
  const exprNode *n = &s->pool->nodes[node];
  if (n->op == EXPR_SELECT) {
    const int is_true = leaf_value(s, expr_argument(s->pool, node, 0)) != 0;
    return leaf_value(s, expr_argument(s->pool, node, is_true ? 1 : 2));
  }
  return expr_apply(n->op, leaf_value(s, n->a), expr_arity(n->op) == 2 ? leaf_value(s, n->b) : 0);
}


static double operand_value(const valueState *s, const schedOperand *a)
{
  double x = 0;
  if (a->op < 0)
    x = leaf_value(s, a->leaf);
  else
    x = s->vector[a->op] ? s->vector[a->op][a->element] : s->result[a->op];
  return a->negative ? -x : x;
}


static int call(const valueState *s, int i, eqnCall *external, void *context)
{
  const schedOperation *x = &s->binary->operation[i];
  double *argument = MEM_ARRAY(double, x->noperand + 1);
  if (!argument) return 0;
  for (int k = 0; k < x->noperand; k++) argument[k] = operand_value(s, &x->operand[k]);
  external(context, x->called, argument, s->vector[i]);
  mem_free(argument);
  return 1;
}


static void operate(const valueState *s, int i)
{
  const schedOperation *x = &s->binary->operation[i];
  const double a = operand_value(s, &x->operand[0]);
  if (x->op == EXPR_SELECT)
    s->result[i] = operand_value(s, &x->operand[a != 0 ? 1 : 2]);
  else
    s->result[i] = expr_apply(x->op, a, x->noperand == 2 ? operand_value(s, &x->operand[1]) : 0);
}

//---- inputs and outputs --------------------------------------------------------------------------

static void set_symbols(const valueState *s, int n, const int *node, const double *x)
{
  for (int i = 0; i < n; i++) {
    const exprNode *symbol = &s->pool->nodes[node[i]];
    if (symbol->op == EXPR_SYMBOL) s->symbol[symbol->a] = x[i];
  }
}


static int take_room(valueState *s, baseArena *arena)
{
  const schedBinary *b = s->binary;
  const size_t n = (size_t) b->n + 1;
  s->symbol = arena_alloc(arena, (size_t) s->pool->symbol_count + 1, sizeof(double));
  s->constant = arena_alloc(arena, (size_t) b->list->n + 1, sizeof(double));
  s->result = arena_alloc(arena, n, sizeof(double));
  s->vector = arena_alloc(arena, n, sizeof(double *));
  if (!s->symbol || !s->constant || !s->result || !s->vector) return 0;
  for (int i = 0; i < b->n; i++) {
    if (b->operation[i].op != EXPR_CALL) continue;
    const int length = s->pool->external[b->operation[i].called].n;
    s->vector[i] = arena_alloc(arena, (size_t) length, sizeof(double));
    if (!s->vector[i]) return 0;
  }
  return 1;
}


// a constant, and the symbols that it defines
static void set_constant(const valueState *s, int e)
{
  const eqnList *list = s->binary->list;
  s->constant[e] = constant_value(s, list->equation[e].node);
  for (int i = 0; i < list->ndefined; i++) {
    if (list->defined[i].equation != e) continue;
    s->symbol[s->pool->nodes[list->defined[i].node].a] = s->constant[e];
  }
}


static void begin(const valueState *s, const double *parameters, double *const *input)
{
  const eqnList *list = s->binary->list;
  const eqnFunction *f = list->function;
  for (int i = 0; i < list->nread; i++) {
    const double *value = parameters ? parameters : list->program->value;
    s->symbol[s->pool->nodes[list->read[i].node].a] = value[list->read[i].parameter];
  }
  for (int v = 0; v < f->ninput; v++) set_symbols(s, f->input[v].n, f->input[v].node, input[v]);
  for (int e = 0; e < list->n && list->equation[e].stage < 0; e++) set_constant(s, e);
}


int binary_evaluate(const schedBinary *binary, const int *order, const double *parameters,
                    double *const *input, double *const *output, eqnCall *external, void *context)
{
  const eqnFunction *f = binary->list->function;
  valueState s = {.binary = binary, .pool = binary->list->pool};
  baseArena arena = {0};
  int ok = take_room(&s, &arena);
  if (ok) begin(&s, parameters, input);
  for (int k = 0; ok && k < binary->n; k++) {
    const int i = order ? order[k] : k;
    if (binary->operation[i].op == EXPR_CALL)
      ok = call(&s, i, external, context);
    else
      operate(&s, i);
  }
  for (int v = 0, k = 0; ok && v < f->noutput; v++) {
    for (int i = 0; i < f->output[v].n; i++) output[v][i] = operand_value(&s, &binary->output[k++]);
  }
  arena_free(&arena);
  return ok;
}
