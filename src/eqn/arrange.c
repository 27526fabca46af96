// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loops over isomorphic branches: an order in which corresponding equations of all branches are
// adjacent.
//
// Within a stage, single equations alternate with loops, one per family: an equation belongs to the
// first phase in which everything that it reads is known; in a phase, single equations come before
// loops.
#include <stdlib.h>

#include "eqn/list_builder.h"

enum { MIN_LOOP_OPERATIONS = 30 }; // smallest number of operations per branch for a loop

typedef struct arrangeWork {
  listBuilder *d;
  alikeRows rows;
  // [nodes] an angle or part of one: evaluated first, together with its sine
  unsigned char *is_angle;
  int *kind;      // [nodes] family of the loop that contains an equation, 0: single equation
  int *phase;     // [nodes] phase of a single equation
  int *row_phase; // [rows + 1] phase of a row in a loop
} arrangeWork;

typedef struct arrangePlace {
  int bucket, phase, kind, first, copy, node; // first: first equation of the row, the sort key
} arrangePlace;

//---- rows suitable for loops ---------------------------------------------------------------------

static int is_angle_operation(exprOp op)
{
  return op == EXPR_ADD || op == EXPR_SUB || op == EXPR_MUL || op == EXPR_NEG;
}


// sines of coordinates are computed beforehand
static int is_simple_expression(const arrangeWork *w, int node, int is_top)
{
  const exprPool *pool = w->d->pool;
  const exprNode *n = &pool->nodes[node];
  const int is_leaf = n->op == EXPR_CONSTANT || n->op == EXPR_SYMBOL || w->d->constant[node];
  if (is_leaf || (!is_top && w->d->is_equation[node])) return 1;
  if (expr_is_trig(n->op)) return pool->nodes[n->a].op == EXPR_SYMBOL;

  // operations that compilers vectorise
  const int is_fast =
      is_angle_operation(n->op) || n->op == EXPR_DIV || n->op == EXPR_SQRT || n->op == EXPR_ABS;
  if (!is_fast) return 0;
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    if (!is_simple_expression(w, expr_argument(pool, node, k), 0)) return 0;
  }
  return 1;
}


// all branches must be in the same stage, only once, and not moved forward
static int can_be_in_loop(const arrangeWork *w, int row)
{
  ART_ASSERT(row >= 1 && row <= w->rows.n);
  const int *node = w->rows.node[row];
  for (int k = 0; k < w->rows.tree.size[w->rows.family[row]]; k++) {
    if (list_builder_bucket(w->d, node[k]) != list_builder_bucket(w->d, node[0]) ||
        w->is_angle[node[k]])
      return 0;
  }
  const eqnStageKind kind = w->d->function->stage[w->d->stage[node[0]]].kind;
  const int is_repeated = (kind == STAGE_NEWTON || kind == STAGE_WHEN) && !w->d->ahead[node[0]];
  return !is_repeated && is_simple_expression(w, node[0], 1);
}


//---- phases --------------------------------------------------------------------------------------

static int *phase_of(arrangeWork *w, int node)
{
  return w->kind[node] > 0 ? &w->row_phase[w->rows.of[node]] : &w->phase[node];
}


// the first phase in which the arguments of a node are known
static int phase_after(arrangeWork *w, int reader, int node)
{
  const listBuilder *d = w->d;
  int phase = 0;
  for (int k = 0; k < expr_argument_count(d->pool, node); k++) {
    const int a = expr_argument(d->pool, node, k);
    int least = 0;
    if (!d->is_equation[a]) {
      least = phase_after(w, reader, a);
    } else if (list_builder_bucket(d, a) == list_builder_bucket(d, reader)) {
      least = *phase_of(w, a) + (w->kind[a] > w->kind[reader]);
    }
    if (phase < least) phase = least;
  }
  return phase;
}


// a row waits for all its branches, which may delay its readers, so iterate
static void find_phases(arrangeWork *w)
{
  for (int i = 0; i < w->d->n; i++) *phase_of(w, i) = 0;
  for (int changed = 1; changed;) {
    changed = 0;
    for (int i = 0; i < w->d->n; i++) {
      if (!w->d->is_equation[i] || w->d->stage[i] < 0) continue;
      const int phase = phase_after(w, i, i);
      if (phase <= *phase_of(w, i)) continue;
      *phase_of(w, i) = phase;
      changed = 1;
    }
  }
}

//---- order ---------------------------------------------------------------------------------------

static int compare_places(const void *a, const void *b)
{
  const arrangePlace *x = a, *y = b;
  if (x->bucket != y->bucket) return x->bucket - y->bucket;
  if (x->phase != y->phase) return x->phase - y->phase;
  if (x->kind != y->kind) return x->kind - y->kind;
  return x->first != y->first ? x->first - y->first : x->copy - y->copy;
}


static void sort_places(arrangeWork *w, arrangePlace *place, int n, const int *sequence)
{
  const alikeRows *r = &w->rows;
  for (int k = 0; k < n; k++) {
    const int i = sequence[k], is_in_loop = w->kind[i] > 0;
    place[k] = (arrangePlace){.bucket = list_builder_bucket(w->d, i),
                              .phase = *phase_of(w, i),
                              .kind = w->kind[i],
                              .first = is_in_loop ? r->node[r->of[i]][0] : i,
                              .copy = is_in_loop ? r->copy[i] : 0,
                              .node = i};
  }
  qsort(place, (size_t) n, sizeof *place, compare_places);
}


// end of the loop that begins at this place
static int end_of_loop(const arrangePlace *place, int from, int n)
{
  ART_ASSERT(from < n);
  int to = from + 1;
  while (to < n && place[to].bucket == place[from].bucket && place[to].phase == place[from].phase &&
         place[to].kind == place[from].kind) {
    to++;
  }
  return to;
}


// turn short loops into single equations; returns whether there were any
static int dissolve_short_loops(arrangeWork *w, const arrangePlace *place, int n)
{
  int any = 0;
  for (int from = 0, to; from < n; from = to) {
    to = end_of_loop(place, from, n);
    if (place[from].kind == 0) continue;
    int operations = 0;
    for (int k = from; k < to; k++)
      operations += place[k].copy == 0 ? w->d->size[place[k].node] : 0;
    if (operations >= MIN_LOOP_OPERATIONS) continue;
    for (int k = from; k < to; k++) w->kind[place[k].node] = 0;
    any = 1;
  }
  return any;
}


//---- sets for loops in generated source ----------------------------------------------------------

// a set of corresponding nodes of the branches
static int add_branch_set(arrangeWork *w, int n, const int *node)
{
  ART_ASSERT(n > 1);
  eqnList *list = w->d->list;
  list->set[++list->nset] = (eqnSet){n, arena_copy(&list->arena, node, (size_t) n, sizeof *node)};
  return list->nset;
}


// register constants and coordinates in the expressions of loops
static void note_leaves(arrangeWork *w, int node, int row)
{
  const listBuilder *d = w->d;
  const alikeRows *r = &w->rows;
  const int size = r->tree.size[r->family[row]];
  const int is_constant = d->constant[node] && d->is_equation[node];
  if (is_constant || d->pool->nodes[node].op == EXPR_SYMBOL) {
    const int *twin = r->twin[node];
    int *set = &d->list->set_of[node];
    if (*set > 0 || !twin || r->twin_family[node] != r->family[row]) return;
    int equal = 1; // all branches read the same node
    while (equal < size && twin[equal] == twin[0]) equal++;
    if (equal < size) *set = add_branch_set(w, size, twin);
    return;
  }
  for (int k = 0; k < expr_argument_count(d->pool, node); k++) {
    const int a = expr_argument(d->pool, node, k);
    const int is_inside = !d->is_equation[a] || d->constant[a];
    if (is_inside) note_leaves(w, a, row);
  }
}


//---- all -----------------------------------------------------------------------------------------

// find angles, then rows that can be in loops
static void find_row_kinds(arrangeWork *w)
{
  const listBuilder *d = w->d;
  const exprPool *pool = d->pool;
  const alikeRows *r = &w->rows;
  for (int i = d->n - 1; i >= 0; i--) {
    const exprOp op = pool->nodes[i].op;
    if (!d->needed[i] || !(expr_is_trig(op) || (w->is_angle[i] && is_angle_operation(op))))
      continue;
    for (int k = 0; k < expr_argument_count(pool, i); k++) {
      w->is_angle[expr_argument(pool, i, k)] = 1;
    }
  }
  for (int i = 0; i < d->n; i++) {
    const int row = r->of[i];
    if (row == 0 || r->copy[i] > 0 || !can_be_in_loop(w, row)) continue;
    for (int k = 0; k < r->tree.size[r->family[row]]; k++)
      w->kind[r->node[row][k]] = r->family[row];
  }
}


void list_builder_arrange(listBuilder *d, int n, int *sequence)
{
  arrangeWork w = {.d = d};
  alike_find_rows(&w.rows, d, d->scratch);
  if (w.rows.n == 0) return;
  arrangePlace *place = arena_alloc(d->scratch, (size_t) n, sizeof *place);
  ARENA_TAKE(d->scratch, w.is_angle, d->n);
  ARENA_TAKE(d->scratch, w.kind, d->n);
  ARENA_TAKE(d->scratch, w.phase, d->n);
  ARENA_TAKE(d->scratch, w.row_phase, w.rows.n + 1);
  ARENA_TAKE(d->scratch, d->loop, d->n);
  ARENA_TAKE(d->scratch, d->copy, d->n);
  ARENA_TAKE(&d->list->arena, d->list->set, d->n + 1);
  ARENA_TAKE(&d->list->arena, d->list->set_of, d->n);
  find_row_kinds(&w);
  do {
    find_phases(&w);
    sort_places(&w, place, n, sequence);
  } while (dissolve_short_loops(&w, place, n));
  int loop = 0;
  for (int from = 0, to; from < n; from = to) {
    to = end_of_loop(place, from, n);
    loop += place[from].kind > 0;
    for (int k = from; place[from].kind > 0 && k < to; k++) {
      d->loop[place[k].node] = loop;
      d->copy[place[k].node] = place[k].copy;
    }
  }
  for (int k = 0; k < n; k++) sequence[k] = place[k].node;
  // sets of all rows, and of the leaves of rows in loops
  const alikeRows *r = &w.rows;
  for (int i = 0; i < w.d->n; i++) {
    const int row = r->of[i];
    if (row == 0 || r->copy[i] > 0) continue;
    const int size = r->tree.size[r->family[row]], set = add_branch_set(&w, size, r->node[row]);
    for (int k = 0; k < size; k++) w.d->list->set_of[r->node[row][k]] = set;
    if (w.kind[i] > 0) note_leaves(&w, i, row);
  }
}
