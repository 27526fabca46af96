// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From a list of equations to nodes and the values that they read from each other.
#include "split/task.h"

#include "base/memory.h"
#include "base/throw.h"

//---- costs ---------------------------------------------------------------------------------------

// Cost of an operation in additions, measured by bench/operations on a Neoverse N1 (0.3 ns per addition). Additions and
// products are pipelined, quotients and roots are not; functions are library calls, except sine and
// cosine, which are computed together. The cost of user functions is unknown, so it is a guess.
static double task_operation_cost(exprOp op)
{
  switch (op) {
  case EXPR_CONSTANT:
  case EXPR_SYMBOL:
  case EXPR_ELEMENT:
  case EXPR_NEG:
  case EXPR_ABS: return 0;
  case EXPR_DIV: return 4;
  case EXPR_SQRT: return 6.5;
  case EXPR_SIN:
  case EXPR_COS: return 14;
  case EXPR_EXP: return 18;
  case EXPR_POW: return 66;
  case EXPR_ATAN2: return 87;
  case EXPR_SINH:
  case EXPR_COSH:
  case EXPR_TANH: return 54;
  case EXPR_CALL: return 60;
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_NOT:
  case EXPR_SELECT:
  case EXPR_SIGN:
  case EXPR_FLOOR: return 1;
  default: return 28;
  }
}


// cost of an equation's expression; recursive, because it is short
static double expression_cost(const eqnList *l, int node)
{
  const exprPool *pool = l->pool;
  double cost = task_operation_cost(pool->nodes[node].op);
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    const int a = expr_argument(pool, node, k);
    if (l->equation_of[a] < 0) cost += expression_cost(l, a);
  }
  return cost;
}


static void find_cost(const eqnList *l, taskUnit *u)
{
  for (int e = u->first; e < u->end; e++) {
    u->operations += l->equation[e].operations;
    u->cost += expression_cost(l, l->equation[e].node);
    u->is_call |= l->pool->nodes[l->equation[e].node].op == EXPR_CALL;
  }
  if (u->kind == TASK_NEWTON) u->cost *= TASK_ITERATIONS + 1;
  if (u->kind == TASK_WHEN) u->cost *= TASK_SELDOM;
}

//---- nodes ---------------------------------------------------------------------------------------

static taskUnit *add_unit(taskGraph *g, taskKind kind, int stage, int first, int end)
{
  ART_ASSERT(first <= end && end <= g->list->n);
  taskUnit *u = &g->unit[g->n++];
  *u = (taskUnit){.kind = kind, .stage = stage, .first = first, .end = end};
  for (int e = first; e < end; e++) g->unit_of[e] = g->n - 1;
  find_cost(g->list, u);
  return u;
}


static int end_of_equation_run(const eqnList *l, int e, int stage, int ahead)
{
  const eqnEquation *x = l->equation;
  while (e < l->n && x[e].stage == stage && x[e].ahead == ahead) e++;
  return e;
}


static void add_equations(taskGraph *g, int stage, int from, int to)
{
  for (int e = from; e < to; e++) add_unit(g, TASK_EQUATION, stage, e, e + 1);
}


// returns the first equation after the stage
static int add_stage_units(taskGraph *g, int s, int e)
{
  const eqnStage *stage = &g->list->function->stage[s];
  const int ahead = end_of_equation_run(g->list, e, s, 1),
            end = end_of_equation_run(g->list, ahead, s, 0);
  add_equations(g, s, e, ahead);
  if (stage->kind == STAGE_NEWTON || stage->kind == STAGE_WHEN) {
    add_unit(g, stage->kind == STAGE_NEWTON ? TASK_NEWTON : TASK_WHEN, s, ahead, end);
    return end;
  }
  add_equations(g, s, ahead, end);
  for (int i = 0; stage->kind == STAGE_ASSIGN && i < stage->nunknown; i++) {
    add_unit(g, TASK_ASSIGN, s, end, end)->unknown = i;
  }
  return end;
}


static int count_units(const eqnList *l)
{
  int n = l->n + 1;
  for (int s = 0; s < l->function->nstage; s++) n += 1 + l->function->stage[s].nunknown;
  return n;
}


//---- values read by nodes ------------------------------------------------------------------------

typedef struct taskWalk {
  taskGraph *graph;
  int *seen;  // [n] 1 + the last node that visited it
  int *place; // [n] its index in `found` at that time
  int *found; // parents of one node
  int *read;  // number of values read from each
  int nfound, unit;
  int *met, *met_symbol; // [list->n], [symbols] 1 + the last node that read it
} taskWalk;


static void add_unit_parent(taskWalk *w, int unit, int parent, int values)
{
  if (parent < 0 || parent == unit) return;
  if (w->seen[parent] != unit + 1) {
    w->seen[parent] = unit + 1;
    w->place[parent] = w->nfound;
    w->read[w->nfound] = 0;
    w->found[w->nfound++] = parent;
  }
  w->read[w->place[parent]] += values;
}


// an operand: the variable of an equation, a symbol, or an inlined expression
static void visit_operand(const eqnList *l, int node, taskVisit *visit, void *context)
{
  const exprNode *n = &l->pool->nodes[node];
  const int e = l->equation_of[node];
  if (e >= 0) {
    visit(context, e, -1);
  } else if (n->op == EXPR_SYMBOL) {
    visit(context, -1, n->a);
  } else {
    for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
      visit_operand(l, expr_argument(l->pool, node, k), visit, context);
    }
  }
}


static void visit_results(const eqnList *l, taskVisit *visit, void *context)
{
  const eqnFunction *f = l->function;
  for (int k = 0; k < f->noutput; k++) {
    for (int i = 0; i < f->output[k].n; i++) {
      visit_operand(l, f->output[k].node[i], visit, context);
    }
  }
  for (int k = 0; k < f->ninput; k++) {
    for (int i = 0; i < f->input[k].n; i++) visit_operand(l, f->input[k].node[i], visit, context);
  }
}


int task_writes(const taskGraph *g, int unit, int i)
{
  const taskUnit *u = &g->unit[unit];
  return u->kind == TASK_NEWTON || u->kind == TASK_WHEN ||
         (u->kind == TASK_ASSIGN && u->unknown == i);
}


void task_for_reads(const taskGraph *g, int unit, taskVisit *visit, void *context)
{
  ART_ASSERT(unit >= 0 && unit < g->n);
  const taskUnit *u = &g->unit[unit];
  const eqnList *l = g->list;
  const eqnStage *stage = &l->function->stage[u->stage];
  for (int e = u->first; e < u->end; e++) {
    const int node = l->equation[e].node;
    for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
      visit_operand(l, expr_argument(l->pool, node, k), visit, context);
    }
  }
  if (u->kind == TASK_RESULTS) visit_results(l, visit, context);
  if (u->kind == TASK_NEWTON || u->kind == TASK_WHEN) {
    visit_operand(l, stage->residual, visit, context);
  }
  for (int i = 0; i < stage->nunknown; i++) {
    if (task_writes(g, unit, i)) visit_operand(l, stage->correction[i], visit, context);
  }
}


// a node that overwrites a symbol depends on the node that wrote it before
static void write_symbol(taskWalk *w, int unit, int symbol)
{
  int *last = &w->graph->symbol_of[w->graph->list->pool->nodes[symbol].a];
  add_unit_parent(w, unit, *last, 0);
  *last = unit;
}


static void note_unit_read(void *context, int equation, int symbol)
{
  taskWalk *w = context;
  const taskGraph *g = w->graph;
  int *met = equation >= 0 ? &w->met[equation] : &w->met_symbol[symbol];
  const int is_new = *met != w->unit + 1;
  *met = w->unit + 1;
  add_unit_parent(w, w->unit, equation >= 0 ? g->unit_of[equation] : g->symbol_of[symbol], is_new);
}


static void find_unit_parents(taskWalk *w, int unit)
{
  ART_ASSERT(unit >= 0 && unit < w->graph->n);
  const taskGraph *g = w->graph;
  const eqnStage *stage = &g->list->function->stage[g->unit[unit].stage];
  w->nfound = 0;
  w->unit = unit;
  task_for_reads(g, unit, note_unit_read, w);
  for (int i = 0; i < stage->nunknown; i++) {
    if (task_writes(g, unit, i)) write_symbol(w, unit, stage->unknown[i]);
  }
}


static void link_units(taskGraph *g, taskWalk *w)
{
  for (int i = 0; i < g->n; i++) {
    find_unit_parents(w, i);
    g->unit[i].nparent = w->nfound;
    g->unit[i].parent = arena_copy(&g->arena, w->found, (size_t) w->nfound, sizeof(int));
    g->unit[i].reads = arena_copy(&g->arena, w->read, (size_t) w->nfound, sizeof(int));
    for (int k = 0; k < w->nfound; k++) g->unit[w->found[k]].nchild++;
  }
  for (int i = 0; i < g->n; i++) {
    ARENA_TAKE(&g->arena, g->unit[i].child, g->unit[i].nchild);
    g->unit[i].nchild = 0;
  }
  for (int i = 0; i < g->n; i++) {
    for (int k = 0; k < g->unit[i].nparent; k++) {
      taskUnit *parent = &g->unit[g->unit[i].parent[k]];
      parent->child[parent->nchild++] = i;
    }
  }
}


static void find_links(taskGraph *g)
{
  const int symbols = g->list->pool->symbol_count;
  baseArena *room = &g->arena;
  taskWalk w = {.graph = g};
  for (int i = 0; i < symbols; i++) g->symbol_of[i] = -1;
  ARENA_TAKE(room, w.seen, g->n);
  ARENA_TAKE(room, w.found, g->n);
  ARENA_TAKE(room, w.place, g->n);
  ARENA_TAKE(room, w.read, g->n);
  ARENA_TAKE(room, w.met, g->list->n + 1);
  ARENA_TAKE(room, w.met_symbol, symbols + 1);
  link_units(g, &w);
}


// cost up to the end of each node; parents come first in the graph
static void find_longest_chain(taskGraph *g)
{
  double *end;
  ARENA_TAKE(&g->arena, end, g->n);
  for (int i = 0; i < g->n; i++) {
    for (int k = 0; k < g->unit[i].nparent; k++) {
      const double ready = end[g->unit[i].parent[k]];
      if (end[i] < ready) end[i] = ready;
    }
    end[i] += g->unit[i].cost;
    if (g->longest_chain < end[i]) g->longest_chain = end[i];
  }
}

//---- graphs --------------------------------------------------------------------------------------

static void make_graph(void *graph)
{
  taskGraph *g = graph;
  const eqnList *list = g->list;
  ARENA_TAKE(&g->arena, g->unit, count_units(list));
  ARENA_TAKE(&g->arena, g->unit_of, list->n);
  ARENA_TAKE(&g->arena, g->symbol_of, list->pool->symbol_count);
  int e = end_of_equation_run(list, 0, -1, 0);
  for (int i = 0; i < e; i++) g->unit_of[i] = -1;
  for (int s = 0; s < list->function->nstage; s++) e = add_stage_units(g, s, e);
  add_unit(g, TASK_RESULTS, list->function->nstage - 1, e, e);
  for (int i = 0; i < g->n; i++) {
    g->operations += g->unit[i].operations;
    g->cost += g->unit[i].cost;
  }
  find_links(g);
  find_longest_chain(g);
}


taskGraph *task_graph_create(const eqnList *list)
{
  taskGraph *g = MEM_ARRAY(taskGraph, 1);
  if (!g) return NULL;
  g->list = list;
  g->arena.leaves = 1;
  if (error_catch(make_graph, g)) return g;
  task_graph_free(g);
  return NULL;
}


void task_graph_free(taskGraph *g)
{
  if (!g) return;
  arena_free(&g->arena);
  mem_free(g);
}
