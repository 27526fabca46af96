// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equation lists: from a function to a sequence of assignments.
#include "eqn/list_builder.h"

#include <limits.h>
#include <time.h>

#include "base/memory.h"
#include "base/throw.h"


eqnOptions eqn_default_options(void)
{
  return (eqnOptions){.passes = (1u << EQN_PASSES) - 1 - (1u << PASS_RECYCLE) - (1u << PASS_ALIKE)};
}

//---- effects of passes ---------------------------------------------------------------------------

// numbers of equations and operations of the marked nodes if each operation were an equation
static eqnEffect count_nodes(const exprPool *pool, const unsigned char *needed)
{
  eqnEffect e = {0};
  for (int i = 0; i < pool->count; i++) {
    if (needed && !needed[i]) continue;
    e.equations += !list_builder_is_leaf(pool, i);
    e.operations += list_builder_operations(pool, i);
  }
  return e;
}


//---- nodes ---------------------------------------------------------------------------------------

static int has_pass(const listBuilder *d, eqnPass pass)
{
  return (d->passes & 1u << pass) != 0;
}


// equal expressions are already merged, and the pool contains only needed nodes
static void note_useful(const listBuilder *d)
{
  eqnList *list = d->list;
  const exprPool *all = list->program->pool;
  const int asked = all->asked > INT_MAX ? INT_MAX : (int) all->asked;
  list->before = (eqnEffect){.equations = asked, .operations = asked};
  list->effect[PASS_DUPLICATE] = (eqnEffect){.equations = all->made, .operations = all->made};
  list->effect[PASS_USEFUL] = count_nodes(d->pool, NULL);
  list->effect[PASS_CONSTANT] = list->effect[PASS_USEFUL];
  if (!has_pass(d, PASS_CONSTANT)) return;

  unsigned char *kept = arena_alloc(d->scratch, (size_t) d->pool->count, 1);
  list_builder_mark_constant(d->pool, list->nconstant, list->constant, kept);
  for (int i = 0; i < d->pool->count; i++) kept[i] = !kept[i];
  list->effect[PASS_CONSTANT] = count_nodes(d->pool, kept);
}


//---- equations -----------------------------------------------------------------------------------

static int has_branch_loops(const listBuilder *d)
{
  return has_pass(d, PASS_ALIKE) && has_pass(d, PASS_CONSTANT) && !has_pass(d, PASS_RECYCLE);
}


// is the order chosen for register use? Constants do not count
static int is_for_registers(const listBuilder *d)
{
  int n = 0;
  for (int i = 0; i < d->n; i++) n += d->is_equation[i] && d->stage[i] >= 0;
  return !has_branch_loops(d) && d->for_registers > 0 && n > d->for_registers;
}


static void order_equations(listBuilder *d)
{
  eqnList *list = d->list;
  int *sequence = arena_alloc(d->scratch, (size_t) d->n, sizeof *sequence);
  // list the nodes that are equations, bucket by bucket
  const int nbucket = 2 * (d->function->nstage + 1);
  int *begin = arena_alloc(d->scratch, (size_t) nbucket + 1, sizeof *begin);
  for (int i = 0; i < d->n; i++) {
    if (d->is_equation[i]) begin[list_builder_bucket(d, i) + 1]++;
  }
  for (int b = 0; b < nbucket; b++) begin[b + 1] += begin[b];
  const int n = begin[nbucket];
  for (int i = 0; i < d->n; i++) {
    if (d->is_equation[i]) sequence[begin[list_builder_bucket(d, i)]++] = i;
  }
  list->n = n;
  list->nnode = d->n;
  ARENA_TAKE(&list->arena, list->equation_of, d->n);
  ARENA_TAKE(&list->arena, list->equation, list->n);
  if (has_branch_loops(d)) {
    list_builder_arrange(d, list->n, sequence);
  } else if (is_for_registers(d)) {
    list_builder_order_for_registers(d, list->n, sequence);
  }
  for (int i = 0; i < d->n; i++) list->equation_of[i] = -1;
  for (int e = 0; e < list->n; e++) {
    list->equation_of[sequence[e]] = e;
    const int node = sequence[e], s = d->stage[node], loop = d->loop ? d->loop[node] : 0;
    list->equation[e] = (eqnEquation){
        .node = node,
        .stage = s,
        .ahead = s >= 0 && d->ahead[node],
        .group = s >= 0 ? (int) d->function->stage[s].group : GROUP_OTHER,
        .operations = d->size[node],
        .loop = loop,
        .copy = loop > 0 ? d->copy[node] : 0,
    };
  }
}

// order long functions subtree by subtree
static void subtree_by_subtree(const listBuilder *d)
{
  listBuilder own = *d;
  if (d->for_registers == 0) return;
  list_builder_survey(&own, d->scratch);
  list_builder_choose_equations(&own);
  if (is_for_registers(&own)) list_builder_group_by_subtree(&own);
}

//---- parents and children ------------------------------------------------------------------------

typedef struct linkWalk {
  const exprPool *pool;
  eqnList *list;
  int *seen;  // [n] 1 + the last equation that visited it
  int *found; // parents of one equation
  int nfound;
} linkWalk;


// find the equations that are read in the expression of a node; recursive, because expressions are
// short
static void find_parent_equations(linkWalk *w, int equation, int node)
{
  for (int k = 0; k < expr_argument_count(w->pool, node); k++) {
    const int a = expr_argument(w->pool, node, k), e = w->list->equation_of[a];
    if (e < 0) {
      find_parent_equations(w, equation, a);
    } else if (w->seen[e] != equation + 1) {
      w->seen[e] = equation + 1;
      ART_ASSERT(e < equation); // equations come after everything that they read
      w->found[w->nfound++] = e;
    }
  }
}


// find the parents and children of each equation
static void link_parents(linkWalk *w)
{
  eqnList *list = w->list;
  for (int e = 0; e < list->n; e++) {
    eqnEquation *x = &list->equation[e];
    w->nfound = 0;
    find_parent_equations(w, e, x->node);
    x->nparent = w->nfound;
    x->parent = arena_copy(&list->arena, w->found, (size_t) w->nfound, sizeof(int));
    for (int k = 0; k < x->nparent; k++) list->equation[x->parent[k]].nchild++;
  }
  for (int e = 0; e < list->n; e++) {
    eqnEquation *x = &list->equation[e];
    ARENA_TAKE(&list->arena, x->child, x->nchild);
    x->nchild = 0;
  }
  for (int e = 0; e < list->n; e++) {
    const eqnEquation *x = &list->equation[e];
    for (int k = 0; k < x->nparent; k++) {
      eqnEquation *parent = &list->equation[x->parent[k]];
      parent->child[parent->nchild++] = e;
    }
  }
}


static void link_equations(const listBuilder *d)
{
  linkWalk w = {.pool = d->pool, .list = d->list};
  ARENA_TAKE(d->scratch, w.seen, d->list->n);
  ARENA_TAKE(d->scratch, w.found, d->list->n);
  link_parents(&w);

  // longest chain of operations to each node; uses the memory of d->size, whose values have been
  // copied to the equations
  int *depth = d->size;
  for (int i = 0; i < d->n; i++) {
    depth[i] = 0;
    for (int k = 0; k < expr_argument_count(d->pool, i); k++) {
      const int a = depth[expr_argument(d->pool, i, k)];
      if (depth[i] < a) depth[i] = a;
    }
    depth[i] += list_builder_operations(d->pool, i);
  }
  for (int e = 0; e < d->list->n; e++) {
    d->list->equation[e].depth = depth[d->list->equation[e].node];
  }
}

//---- counts --------------------------------------------------------------------------------------

static void count_operation(eqnCount *c, exprOp op)
{
  c->total++;
  if (op == EXPR_ADD || op == EXPR_SUB)
    c->add++;
  else if (op == EXPR_MUL)
    c->mul++;
  else if (op == EXPR_DIV)
    c->div++;
  else if (expr_is_trig(op))
    c->trig++;
  else
    c->function++;
}


static void note_effects(const listBuilder *d)
{
  eqnList *list = d->list;
  int running = 0, signs = 0;
  for (int e = 0; e < list->n; e++) running += list->equation[e].stage >= 0;
  for (int i = 0; i < d->n; i++) {
    const int is_sign = d->needed[i] && d->stage[i] >= 0 && d->pool->nodes[i].op == EXPR_NEG;
    signs += is_sign && !d->is_equation[i];
  }
  eqnEffect e = list->effect[PASS_FACTOR];
  e.seconds = 0;
  e.equations -= signs;
  list->effect[PASS_SIGN] = e;
  e.equations = running;
  list->effect[PASS_INLINE] = e;
  e.equations = list->nname;
  list->effect[PASS_RECYCLE] = e;
  e.equations = running;
  for (int i = 0; i < list->n; i++) e.equations -= list->equation[i].copy > 0;
  list->effect[PASS_ALIKE] = e;
}

//---- lists ---------------------------------------------------------------------------------------

static void make_equation_list(void *context)
{
  listBuilder *d = context;
  eqnEffect *factored = &d->list->effect[PASS_FACTOR];
  d->list->arena.leaves = d->scratch->leaves = 1;
  list_builder_copy(d);
  note_useful(d);
  const clock_t begin = clock();
  if (has_pass(d, PASS_FACTOR)) list_builder_factor(d);
  factored->seconds = (double) (clock() - begin) / CLOCKS_PER_SEC;
  subtree_by_subtree(d);
  list_builder_define(d);
  arena_free(d->scratch);
  list_builder_survey(d, &d->list->arena);

  // operations at run time after factoring
  for (int i = 0; i < d->n; i++) {
    if (!d->needed[i] || (has_pass(d, PASS_CONSTANT) && d->constant[i])) continue;
    factored->equations += !list_builder_is_leaf(d->pool, i);
    factored->operations += list_builder_operations(d->pool, i);
  }
  list_builder_choose_equations(d);
  order_equations(d);
  list_builder_bind_definitions(d);
  link_equations(d);
  list_builder_find_links(d);
  list_builder_name(d);
  eqnList *list = d->list;
  for (int i = 0; i < d->n; i++) {
    if (!d->needed[i] || !list_builder_operations(d->pool, i)) continue;
    const exprOp op = d->pool->nodes[i].op;
    const int s = d->stage[i];
    count_operation(s < 0 ? &list->constants : &list->total, op);
    if (s >= 0) count_operation(&list->group[d->function->stage[s].group], op);
  }
  note_effects(d);
}


eqnList *eqn_list_create(const eqnProgram *program, const eqnFunction *function,
                         const eqnOptions *options)
{
  ART_ASSERT(function->nstage >= 1);
  eqnList *list = MEM_ARRAY(eqnList, 1);
  if (!list || expr_failed(program->pool)) {
    mem_free(list);
    return NULL;
  }
  baseArena scratch = {0};
  listBuilder d = {.list = list, .scratch = &scratch};
  d.passes = options ? options->passes : eqn_default_options().passes;
  d.readable = options && options->readable;
  d.for_registers = options ? options->for_registers : 0;
  list->program = program;
  list->function = function;
  const bool is_made = error_catch(make_equation_list, &d);
  arena_free(&scratch);
  if (is_made) {
    list->pool->leaves = list->arena.leaves = 0;
    return list;
  }
  eqn_list_free(list);
  return NULL;
}


void eqn_list_free(eqnList *list)
{
  if (!list) return;
  expr_free(list->pool);
  arena_free(&list->arena);
  mem_free(list);
}
