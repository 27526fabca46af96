// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sines and cosines of many angles at once, by a function of the generated source itself.
//
// Angles that are known when a run of equations begins, coordinates and sums of them, are gathered ahead
// of it. Sines of angles that the run itself finds are left to the language's own functions.
#include "emit/write/angles.h"

#include "emit/write/template.h"

enum {
  FEWEST = 2,  // angles that are worth a call
  DEEPEST = 8, // operations in an angle
  LONGEST = 8, // angles in one statement of a text in loops
};

//---- which angles --------------------------------------------------------------------------------

// whether a node can be evaluated before equation `from`; names that are used again keep their order
static int is_known_before(const emitWriter *w, int node, int from, int deepest)
{
  const exprPool *pool = w->list->pool;
  const exprNode *n = &pool->nodes[node];
  const int e = w->list->equation_of[node];
  if (e >= 0 && e < from) return 1;
  if (e >= 0 && w->list->equation[e].variable != e) return 0;
  if (n->op == EXPR_CONSTANT || n->op == EXPR_SYMBOL) return 1;
  if (!(n->op == EXPR_ADD || n->op == EXPR_SUB || n->op == EXPR_MUL || n->op == EXPR_NEG) ||
      deepest == 0)
    return 0;
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    if (!is_known_before(w, expr_argument(pool, node, k), from, deepest - 1)) return 0;
  }
  return 1;
}


int angles_add(emitWriter *w, int node, int begin)
{
  const int angle = w->list->pool->nodes[node].a;
  int k = begin;
  while (k < w->nangle && w->angle[k] != angle) k++;
  w->slot[node] = k + 1;
  if (k < w->nangle) return 0;
  w->angle[w->nangle++] = angle;
  return 1;
}


// sines and cosines in the expression of one equation, which is short; in a loop the angles of the other branches take the
// places after
static void find_angles(emitWriter *w, int node, int from, int begin, int is_loop)
{
  const eqnList *l = w->list;
  const exprNode *n = &l->pool->nodes[node];
  if (expr_is_trig(n->op) && is_known_before(w, n->a, from, DEEPEST) &&
      angles_add(w, node, begin)) {
    const int set = is_loop ? l->set_of[n->a] : 0;
    for (int i = 1; set > 0 && i < l->set[set].n; i++) {
      const int other = expr_find(l->pool, n->op, l->set[set].node[i], 0);
      if (other >= 0 && other < l->nnode) angles_add(w, other, begin);
    }
  }
  for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
    const int a = expr_argument(l->pool, node, k);
    if (l->equation_of[a] < 0) find_angles(w, a, from, begin, is_loop);
  }
}


// the slots of an angle's sine and cosine, 0: they are not found together
static void set_slots(emitWriter *w, int angle, int slot)
{
  const exprPool *pool = w->list->pool;
  const int sine = expr_find(pool, EXPR_SIN, angle, 0);
  const int cosine = expr_find(pool, EXPR_COS, angle, 0);
  if (sine >= 0 && sine < w->list->nnode) w->slot[sine] = slot;
  if (cosine >= 0 && cosine < w->list->nnode) w->slot[cosine] = slot;
}


static void forget_from(emitWriter *w, int begin)
{
  for (int k = begin; k < w->nangle; k++) set_slots(w, w->angle[k], 0);
}


void angles_forget(emitWriter *w)
{
  forget_from(w, w->angle0);
  w->nangle = w->angle0 = 0;
}

//---- statements ----------------------------------------------------------------------------------

// equations of the run that an angle reads
static void print_ahead(emitWriter *w, int node, int from, int depth, int is_new)
{
  const exprPool *pool = w->list->pool;
  const int e = w->list->equation_of[node];
  if (e >= 0 && (e < from || w->is_written[e])) return;
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    print_ahead(w, expr_argument(pool, node, k), from, depth, is_new);
  }
  if (e >= 0) writer_equation(w, e, depth, is_new);
}


// NAME_sincos(4, (const double[]){q[0], q[1], q[2], 0}, sine, cosine);
void angles_call(emitWriter *w, int begin, int depth)
{
  ART_ASSERT(begin >= 0 && begin <= w->nangle);
  const int n = w->nangle - begin, even = n + n % 2;
  if (w->is_rolled && n > LONGEST) {
    // s[30] = q[0]; s[31] = q[1]; ... NAME_sincos(40, s + 30, sine, cosine);
    const int first = w->nshared;
    w->nshared += even;
    for (int k = 0; k < even; k++) {
      fprintf(w->statement, "s[%d] = ", first + k);
      if (k < n) emit_operand(&w->scope, w->angle[begin + k]);
      writer_say(w, depth, k < n ? ";" : "0;");
    }
    writer_say(w, depth, "%s_sincos(%d, s + %d, sine + %d, cosine + %d);", w->program->name, even,
               first, begin, begin);
    if (n < even) w->angle[w->nangle++] = 0;
    return;
  }
  fprintf(w->statement, "%s_sincos(%d, (const double[]){", w->program->name, even);
  for (int k = 0; k < n; k++) {
    if (k > 0) fputs(", ", w->statement);
    emit_operand(&w->scope, w->angle[begin + k]);
  }
  if (n < even) fputs(", 0", w->statement);
  fputs(begin > 0 ? "}, " : "}, sine, cosine);", w->statement);
  if (begin > 0) fprintf(w->statement, "sine + %d, cosine + %d);", begin, begin);
  writer_end(w, depth);
  if (n < even) w->angle[w->nangle++] = 0;
}


// lanes_sincos(q[0], &sine[0], &cosine[0]); of each
static void print_single_calls(emitWriter *w, int begin, int depth)
{
  for (int k = begin; k < w->nangle; k++) {
    const emitDialect *usual = w->scope.dialect;
    const int is_single = emit_is_single_angle(&w->scope, w->angle[k]);
    const char *prefix = is_single ? "single_" : "";
    if (is_single) w->scope.dialect = w->syntax->single;
    fprintf(w->statement, "%s%s(", prefix, w->syntax->sincos);
    emit_operand(&w->scope, w->angle[k]);
    writer_say(w, depth, ", &%ssine[%d], &%scosine[%d]);", prefix, k, prefix, k);
    w->scope.dialect = usual;
  }
}


void angles_begin(emitWriter *w, int from, int to, int depth, int is_new)
{
  (void) depth, (void) is_new;
  if (from >= to || w->list->equation[from].stage < 0) return;
  forget_from(w, w->angle0);
  w->angle0 = w->nangle;
}


void angles_print(emitWriter *w, int from, int to, int depth, int is_new)
{
  const int begin = w->nangle;
  if (from >= to || w->list->equation[from].stage < 0) return;
  angles_begin(w, from, to, depth, is_new);
  for (int e = from; e < to; e++) {
    const eqnEquation *x = &w->list->equation[e];
    find_angles(w, x->node, from, begin, x->loop > 0);
  }
  if (w->nangle - begin < FEWEST && !w->syntax->sincos) {
    forget_from(w, begin);
    w->nangle = begin;
    return;
  }
  for (int k = begin; k < w->nangle; k++) {
    print_ahead(w, w->angle[k], from, depth, is_new);
    for (int i = 0; i < 2; i++) {
      const int node = expr_find(w->list->pool, i ? EXPR_COS : EXPR_SIN, w->angle[k], 0);
      if (node >= 0 && node < w->list->nnode && w->slot[node] == k + 1) w->together[node] = 1;
    }
  }
  if (w->syntax->sincos) {
    print_single_calls(w, begin, depth);
  } else {
    angles_call(w, begin, depth);
  }
}


// sines and cosines that have no slot yet, within the angle itself first
static void add_missing(emitWriter *w, int node)
{
  const exprPool *pool = w->list->pool;
  const exprNode *n = &pool->nodes[node];
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    const int a = expr_argument(pool, node, k);
    if (w->list->equation_of[a] < 0) add_missing(w, a);
  }
  if (!expr_is_trig(n->op) || w->slot[node] > 0) return;
  w->angle[w->nangle++] = n->a;
  set_slots(w, n->a, w->nangle);
}


void angles_print_missing(emitWriter *w, int e, int depth)
{
  ART_ASSERT(e >= 0 && e < w->list->n);
  const int begin = w->nangle;
  add_missing(w, w->list->equation[e].node);
  print_single_calls(w, begin, depth);
}


void angles_define(FILE *out, const char *name)
{
  template_print(out, sincos_text, "sincos", &(templateValues){.name = name});
}
