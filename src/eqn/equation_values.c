// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numeric evaluation of equation lists, equation by equation as in generated code.
#include "eqn/list_builder.h"

typedef struct evalState {
  const eqnList *list;
  const exprPool *pool;
  double *symbol;   // [symbol_count] values by ordinal
  double *variable; // [n] values by index of the variable
  double **vector;  // [n] results of calls by equation
  double *argument; // arguments of one call
  eqnCall *external;
  void *context;
} evalState;

static double read_node_value(const evalState *s, int node);


// value of a node's expression, whether or not it is an equation
static double node_expression_value(const evalState *s, int node)
{
  const exprNode *n = &s->pool->nodes[node];
  switch (n->op) {
  case EXPR_CONSTANT: return n->value;
  case EXPR_SYMBOL: return s->symbol[n->a];
  case EXPR_ELEMENT: return s->vector[s->list->equation_of[n->a]][n->b];
  case EXPR_SELECT:
    return read_node_value(
        s, expr_argument(s->pool, node,
                         read_node_value(s, expr_argument(s->pool, node, 0)) != 0 ? 1 : 2));
  default:
    return expr_apply(n->op, read_node_value(s, n->a),
                      expr_arity(n->op) == 2 ? read_node_value(s, n->b) : 0.0);
  }
}


static double read_node_value(const evalState *s, int node)
{
  const int e = s->list->equation_of[node];
  return e >= 0 ? s->variable[s->list->equation[e].variable] : node_expression_value(s, node);
}


//---- stages --------------------------------------------------------------------------------------

// evaluate the equations of a stage from e on, either those before the iterations or those in them;
// returns the first other one
static int solve_part(const evalState *s, int stage, int ahead, int e)
{
  const eqnEquation *all = s->list->equation;
  for (; e < s->list->n && all[e].stage == stage && all[e].ahead == ahead; e++) {
    const int node = all[e].node;
    if (s->pool->nodes[node].op != EXPR_CALL) {
      s->variable[all[e].variable] = node_expression_value(s, node);
      continue;
    }
    for (int k = 0; k < expr_argument_count(s->pool, node); k++) {
      s->argument[k] = read_node_value(s, expr_argument(s->pool, node, k));
    }
    s->external(s->context, expr_called(s->pool, node), s->argument, s->vector[e]);
  }
  return e;
}


// evaluate the definitions of constants, which come first; returns the first equation after them
static int solve_definitions(const evalState *s)
{
  const eqnList *l = s->list;
  int end = 0;
  for (int i = 0; i < l->ndefined; i++) {
    for (; end <= l->defined[i].equation; end++) {
      s->variable[l->equation[end].variable] = node_expression_value(s, l->equation[end].node);
    }
    const int e = l->defined[i].equation;
    s->symbol[s->pool->nodes[l->defined[i].node].a] = s->variable[l->equation[e].variable];
  }
  return end;
}


// returns 1 when the unknowns did not converge, 2 when a test failed
static int iterate_stage_values(const evalState *s, int stage, int begin, int *end)
{
  ART_ASSERT(s->list->function->stage[stage].kind == STAGE_NEWTON);
  const eqnStage *newton = &s->list->function->stage[stage];
  for (int k = 0; k <= newton->most; k++) {
    *end = solve_part(s, stage, 0, begin);
    const double limit = k == 0 && newton->first > 0 ? newton->first : newton->tolerance;
    if (read_node_value(s, newton->residual) <= limit * limit) return 0;
    for (int i = 0; k < newton->most && i < newton->nunknown; i++)
      s->symbol[s->pool->nodes[newton->unknown[i]].a] += read_node_value(s, newton->correction[i]);
  }
  return newton->nunknown > 0 ? 1 : 2;
}


static int solve_stages(const evalState *s)
{
  const eqnEquation *x = s->list->equation;
  int e = solve_definitions(s);
  e = solve_part(s, -1, 0, e);
  for (int k = 0; k < s->list->function->nstage; k++) {
    const eqnStage *stage = &s->list->function->stage[k];
    int failed = 0;
    e = solve_part(s, k, 1, e);
    if (stage->kind == STAGE_WHEN && read_node_value(s, stage->residual) == 0) {
      while (e < s->list->n && x[e].stage == k) e++;
      continue;
    }
    if (stage->kind == STAGE_NEWTON)
      failed = iterate_stage_values(s, k, e, &e);
    else
      e = solve_part(s, k, 0, e);
    if (failed) return failed;
    const int is_assigned = stage->kind == STAGE_ASSIGN || stage->kind == STAGE_WHEN;
    for (int i = 0; is_assigned && i < stage->nunknown; i++) {
      s->symbol[s->pool->nodes[stage->unknown[i]].a] = read_node_value(s, stage->correction[i]);
    }
  }
  return 0;
}

//---- inputs and outputs --------------------------------------------------------------------------

static void set_symbols(const evalState *s, const eqnVector *v, const double *x)
{
  for (int i = 0; i < v->n; i++) {
    const exprNode *n = &s->pool->nodes[v->node[i]];
    if (n->op == EXPR_SYMBOL) s->symbol[n->a] = x[i];
  }
}


static int take_value_room(evalState *s, baseArena *arena)
{
  const size_t n = (size_t) s->list->n + 1;
  int most = 1;
  ARENA_TAKE(arena, s->symbol, s->pool->symbol_count + 1);
  ARENA_TAKE(arena, s->variable, n);
  ARENA_TAKE(arena, s->vector, n);
  if (!s->symbol || !s->variable || !s->vector) return 0;
  for (int e = 0; e < s->list->n; e++) {
    const int node = s->list->equation[e].node;
    if (s->pool->nodes[node].op != EXPR_CALL) continue;
    const exprExternal *f = &s->pool->external[expr_called(s->pool, node)];
    s->vector[e] = arena_alloc(arena, (size_t) f->n, sizeof(double));
    if (!s->vector[e]) return 0;
    if (most < f->narg) most = f->narg;
  }
  s->argument = arena_alloc(arena, (size_t) most, sizeof(double));
  return s->argument != NULL;
}


int eqn_evaluate(const eqnList *list, const double *parameters, double *const *input,
                 double *const *output, eqnCall *external, void *context)
{
  const eqnProgram *p = list->program;
  const eqnFunction *f = list->function;
  evalState s = {.list = list, .pool = list->pool, .external = external, .context = context};
  baseArena arena = {0};
  if (!take_value_room(&s, &arena)) {
    arena_free(&arena);
    return -1;
  }

  for (int i = 0; i < list->nread; i++) {
    const double *value = parameters ? parameters : p->value;
    s.symbol[s.pool->nodes[list->read[i].node].a] = value[list->read[i].parameter];
  }
  for (int v = 0; v < f->ninput; v++) set_symbols(&s, &f->input[v], input[v]);
  const int failed = solve_stages(&s);
  for (int v = 0; v < f->noutput; v++) {
    for (int i = 0; i < f->output[v].n; i++)
      output[v][i] = read_node_value(&s, f->output[v].node[i]);
  }

  // write unknowns back to their inputs
  int nunknown = 0;
  for (int k = 0; k < f->nstage; k++) nunknown += f->stage[k].nunknown;
  for (int v = 0; nunknown > 0 && v < f->ninput; v++) {
    for (int i = 0; i < f->input[v].n; i++) {
      const exprNode *n = &s.pool->nodes[f->input[v].node[i]];
      if (n->op == EXPR_SYMBOL) input[v][i] = s.symbol[n->a];
    }
  }
  arena_free(&arena);
  return failed;
}
