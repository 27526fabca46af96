// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names and statements of loops over branches.
#include "emit/write/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "emit/write/comment.h"

enum { MAX_TITLES = 6 };

//---- sets ----------------------------------------------------------------------------------------

// the set of an equation, NULL: none
static const eqnSet *equation_set_of(const emitWriter *w, int e)
{
  ART_ASSERT(e >= 0 && e < w->list->n);
  const eqnList *l = w->list;
  const int set = l->set_of ? l->set_of[l->equation[e].node] : 0;
  return set > 0 ? &l->set[set] : NULL;
}


static int is_in(const emitWriter *w, int e, const eqnEquation *loop, int part)
{
  return w->list->equation[e].loop == loop->loop && w->part[e] == part;
}


// "tau[6 + 3*k]" from "tau[6]", "tau[9]", ...; NULL where steps are not the same, or these are no elements
static const char *common_name(emitWriter *w, int n, const char *const *name)
{
  ART_ASSERT(n > 0);
  const char *bracket = strrchr(name[0], '[');
  if (!bracket) return NULL;
  const size_t head = (size_t) (bracket - name[0]) + 1;
  const int first = atoi(name[0] + head), step = atoi(name[1] + head) - first;
  for (int k = 0; k < n; k++) {
    if (strncmp(name[k], name[0], head) != 0 || atoi(name[k] + head) != first + k * step)
      return NULL;
  }
  const int length = (int) head;
  if (first == 0 && step == 1) return arena_format(&w->arena, "%.*sk]", length, name[0]);
  return step == 1 ? arena_format(&w->arena, "%.*s%d + k]", length, name[0], first)
                   : arena_format(&w->arena, "%.*s%d + %d*k]", length, name[0], first, step);
}


// the names of a set's equations
static const char **set_names_of(emitWriter *w, const eqnSet *set, const char *const *name)
{
  const char **list = arena_alloc(&w->arena, (size_t) set->n, sizeof *list);
  for (int k = 0; k < set->n; k++) list[k] = name[w->list->equation_of[set->node[k]]];
  return list;
}

//---- places --------------------------------------------------------------------------------------

// read outside of its loop, or outside of any in one
static int is_read_elsewhere(const emitWriter *w, int e)
{
  const eqnEquation *x = &w->list->equation[e];
  for (int k = 0; k < x->nchild; k++) {
    const eqnEquation *child = &w->list->equation[x->child[k]];
    if (x->loop > 0 ? !is_in(w, x->child[k], x, w->part[e]) : child->loop > 0) return 1;
  }
  return 0;
}


void repeat_mark_shared(emitWriter *w, char *is_output, const char **name, char *is_shared)
{
  const eqnList *l = w->list;

  // new values of unknowns, and conditions, are read by the function itself, as outputs are
  for (int s = 0; s < w->function->nstage; s++) {
    const eqnStage *stage = &w->function->stage[s];
    for (int i = 0; i < stage->nunknown + (stage->kind == STAGE_WHEN); i++) {
      const int node = i < stage->nunknown ? stage->correction[i] : stage->residual;
      const int e = node < l->nnode ? l->equation_of[node] : -1;
      if (e >= 0) is_output[e] = 1;
    }
  }
  for (int e = w->nconst; e < l->n; e++) {
    const eqnSet *set = equation_set_of(w, e);
    if (!set || l->equation_of[set->node[0]] != e) continue;

    // a loop can write its set into outputs directly if it is all of it, by equal steps
    const char **list = l->equation[e].loop > 0 ? set_names_of(w, set, name) : NULL;
    int named = 0, any = 0;
    while (list && named < set->n && list[named]) named++;
    const int is_direct = named == set->n && common_name(w, set->n, list) != NULL;
    for (int k = 0; k < set->n; k++) {
      const int member = l->equation_of[set->node[k]];
      any |= is_read_elsewhere(w, member) || (l->equation[member].loop > 0 && is_output[member]);
    }
    for (int k = 0; k < set->n && any && !is_direct; k++) {
      const int member = l->equation_of[set->node[k]];
      is_shared[member] = 1;
      name[member] = NULL;
    }
  }
}

//---- names ---------------------------------------------------------------------------------------

// constants and parameters of all branches, side by side after the other constants
static const char *name_twins(emitWriter *w, const eqnSet *set)
{
  const int first = w->nconst + w->ntwin;
  for (int k = 0; k < set->n; k++) w->twin[w->ntwin++] = set->node[k];
  char head[40];
  format_text(head, sizeof head, w->syntax->constant, first);
  return arena_format(&w->arena, "%.*s + k]", (int) strlen(head) - 1, head);
}


static int is_parameter_symbol(const emitWriter *w, int node)
{
  const char *name = w->scope.symbol[w->list->pool->nodes[node].a];
  return strchr(name, '[') == NULL || eqn_is_constant(w->list, node);
}


void repeat_name(emitWriter *w)
{
  const eqnList *l = w->list;
  const size_t n = (size_t) l->n, nsymbol = (size_t) l->pool->symbol_count;
  if (l->nset == 0) return;
  w->loop_name = arena_copy(&w->arena, w->scope.name, n, sizeof *w->loop_name);
  w->loop_symbol = arena_copy(&w->arena, w->scope.symbol, nsymbol, sizeof *w->loop_symbol);
  int ntwin = 0;
  for (int i = 1; i <= l->nset; i++) ntwin += l->set[i].n;
  w->twin = arena_alloc(&w->arena, (size_t) ntwin, sizeof *w->twin);
  w->is_gathered = arena_alloc(&w->arena, (size_t) l->nset + 1, 1);
  for (int i = 1; i <= l->nset; i++) {
    const eqnSet *set = &l->set[i];
    const int first = set->node[0], e = l->equation_of[first];
    const exprNode *symbol = &l->pool->nodes[first];
    const char *name = NULL;
    if (e >= 0 ? l->equation[e].stage < 0 : is_parameter_symbol(w, first)) {
      name = name_twins(w, set);
    } else if (e >= 0) {
      // variables of the loop itself have the first branch's name
      name = common_name(w, set->n, set_names_of(w, set, w->scope.name));
      if (!name) name = w->scope.name[e];
    } else {
      // coordinates of all branches are gathered ahead of a loop, "v_6[k]", since compilers cannot read them side by side
      // from where they are
      name = arena_format(&w->arena, "%s_%d[k]", symbol->name, symbol->index);
    }
    *(e >= 0 ? &w->loop_name[e] : &w->loop_symbol[l->pool->nodes[first].a]) = name;
  }
}

//---- statements ----------------------------------------------------------------------------------

int repeat_end(const emitWriter *w, int e, int to)
{
  const eqnEquation *x = &w->list->equation[e];
  if (x->loop == 0) return e;
  while (e < to && is_in(w, e, x, w->part[e])) e++;
  return e;
}


// whether the sines of an expression have places at equal steps
static int has_steps(const emitWriter *w, int node)
{
  const eqnList *l = w->list;
  const exprNode *n = &l->pool->nodes[node];
  const int is_trig = expr_is_trig(n->op);
  const int set = is_trig ? l->set_of[n->a] : 0;
  if (is_trig && w->slot[node] == 0) return 0;
  for (int k = 0; set > 0 && k < l->set[set].n; k++) {
    const int other = expr_find(l->pool, n->op, l->set[set].node[k], 0);
    if (other < 0 || other >= l->nnode) return 0;
    if (w->slot[other] != w->slot[node] + k * emit_slot_step(&w->scope, node)) return 0;
  }
  for (int k = 0; !is_trig && k < expr_argument_count(l->pool, node); k++) {
    const int a = expr_argument(l->pool, node, k);
    if (l->equation_of[a] < 0 && !has_steps(w, a)) return 0;
  }
  return 1;
}


// body 'left_hip', body 'right_hip'; of many the first ones
static void print_titles(emitWriter *w, int e, int n, int depth)
{
  const eqnEquation *x = &w->list->equation[e];
  const char *const *title = w->program->link;
  if (x->link == 0 || !title[x->link]) return;
  fputs(title[x->link], w->statement);
  for (int k = 1; k < n && k < MAX_TITLES; k++) {
    if (x[k].link != x[k - 1].link) fprintf(w->statement, ", %s", title[x[k].link]);
  }
  if (n > MAX_TITLES) fprintf(w->statement, " and %d more", n - MAX_TITLES);
  fputc('\n', w->out);
  emit_comment(w->out, w->syntax->comment, depth * w->syntax->indent, writer_take(w));
}


void repeat_forget(emitWriter *w)
{
  if (w->is_gathered) memset(w->is_gathered, 0, (size_t) w->list->nset + 1);
}


// const double v_6[] = {v[6], v[9]}; of the coordinates in an expression, once in a body
static void print_gathered(emitWriter *w, int node, int depth)
{
  const eqnList *l = w->list;
  const exprNode *n = &l->pool->nodes[node];
  const int set = l->set_of[node];
  for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
    const int a = expr_argument(l->pool, node, k);
    if (l->equation_of[a] < 0 && !expr_is_trig(n->op)) print_gathered(w, a, depth);
  }
  if (n->op != EXPR_SYMBOL || set == 0 || is_parameter_symbol(w, node) || w->is_gathered[set])
    return;
  w->is_gathered[set] = 1;
  fprintf(w->statement, "%s%s_%d[] = {", w->syntax->local, n->name, n->index);
  for (int k = 0; k < l->set[set].n; k++) {
    if (k > 0) fputs(", ", w->statement);
    emit_operand(&w->scope, l->set[set].node[k]);
  }
  fputs("};", w->statement);
  writer_end(w, depth);
}


static void print_branch_loop(emitWriter *w, int from, int to, int n, int depth)
{
  ART_ASSERT(n > 0 && from < to);
  const emitScope scope = w->scope;
  for (int e = from; e < to; e += n) print_gathered(w, w->list->equation[e].node, depth);
  w->scope.name = w->loop_name;
  w->scope.symbol = w->loop_symbol;
  w->scope.is_loop = 1;
  writer_say(w, depth, "for (int k = 0; k < %d; k++) {", n);
  for (int e = from; e < to; e += n) {
    print_titles(w, e, n, depth + 1);
    writer_equation(w, e, depth + 1, 1);
    for (int k = 1; k < n; k++) w->is_written[e + k] = 1;
  }
  writer_say(w, depth, "}");
  w->scope = scope;
}


void repeat_print(emitWriter *w, int from, int to, int depth)
{
  ART_ASSERT(from < to && equation_set_of(w, from));
  const int n = equation_set_of(w, from)->n;
  int e = from;
  while (e < to && has_steps(w, w->list->equation[e].node)) e += n;
  if (e >= to) {
    print_branch_loop(w, from, to, n, depth);
    return;
  }
  for (e = from; e < to; e++) writer_equation(w, e, depth, 1);
}


void repeat_print_constants(emitWriter *w, int depth)
{
  for (int i = 0; i < w->ntwin; i++) {
    const char *place = arena_format(&w->arena, w->syntax->constant, w->nconst + i);
    const char *value = writer_operand(w, w->twin[i]);
    writer_say(w, depth, "%s = %s%s", place, value, w->syntax->end);
  }
}
