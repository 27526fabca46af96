// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Register spills: variables that are stored in memory if a thread has few registers.
//
// The variable whose next reader is farthest is spilled, and reloaded shortly before that reader. A
// reloaded name is valid until the end of its block of braces. Coordinates, which loops change, are
// reloaded in every run of equations.
#include "eqn/list.h"

#include <limits.h>
#include <stdlib.h>

#include "base/throw.h"

enum {
  REGISTERS = 100,    // for variables of a thread
  RELOAD_DISTANCE = 8 // statements between a reload and its reader
};

typedef struct spillWork {
  const eqnList *l;
  eqnSpill *plan;
  int nfast;
  int nvalue; // number of equations + number of symbols
  // [n + 1] equation e reads the values read[first[e]] to read[first[e + 1] - 1]
  int *first, *read;
  int *begin, *reader; // [nvalue + 1] the same for the readers of a value, in order
  int *run;            // [n] first equation of the run that contains an equation
  int *run_of_angle;   // [nnode] 1 + the run in which its sine was last computed
  char *is_coordinate; // [symbols] is it an element of an input vector?
  char *is_here;       // [nvalue] is it in a register
  char *is_within;     // [nvalue] since the beginning of the run?
  int *come_in;        // [nvalue] readers processed so far
  int held[REGISTERS + 2], nheld;
  int *last; // [n] last equation that needs its slot
  int *at;   // [loads] equation before which it is reloaded
  int *what; // [loads]
  int nload;
  baseArena room; // of all arrays above
} spillWork;

//---- readers of values ---------------------------------------------------------------------------

static const eqnStage *stage_of(const spillWork *w, int e)
{
  ART_ASSERT(w->l->equation[e].stage >= 0);
  return &w->l->function->stage[w->l->equation[e].stage];
}


static int is_repeated(const spillWork *w, int e)
{
  return stage_of(w, e)->kind == STAGE_NEWTON && !w->l->equation[e].ahead;
}


// conditional statements have braces of their own, in which nothing is reloaded
static int is_plain_statement(const spillWork *w, int e)
{
  return stage_of(w, e)->kind != STAGE_WHEN || w->l->equation[e].ahead;
}


static int is_spill_unknown(const spillWork *w, int e, int node)
{
  const eqnStage *stage = stage_of(w, e);
  for (int i = 0; i < stage->nunknown; i++) {
    if (stage->unknown[i] == node) return 1;
  }
  return 0;
}


// list the values in the expression of equation e, each once; returns their number so far
static int find_spill_reads(spillWork *w, int e, int node, int n)
{
  const eqnList *l = w->l;
  const exprNode *x = &l->pool->nodes[node];
  if (expr_is_trig(x->op)) {
    // sine and cosine are computed together where the first of them is read
    if (w->run_of_angle[x->a] == w->run[e] + 1) return n;
    w->run_of_angle[x->a] = w->run[e] + 1;
  }
  for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
    const int a = expr_argument(l->pool, node, k), other = l->equation_of[a];
    int value = -1;
    if (other >= 0 && l->equation[other].stage >= 0 && l->equation[other].name) value = other;
    if (other < 0 && l->pool->nodes[a].op == EXPR_SYMBOL && !is_spill_unknown(w, e, a)) {
      const int ordinal = l->pool->nodes[a].a;
      if (w->is_coordinate[ordinal]) value = l->n + ordinal;
    }
    if (value < 0) {
      if (other < 0) n = find_spill_reads(w, e, a, n);
      continue;
    }
    int i = w->first[e];
    while (i < n && w->read[i] != value) i++;
    if (i == n) w->read[n++] = value;
  }
  return n;
}


//---- registers -----------------------------------------------------------------------------------

static int next_spill_reader(const spillWork *w, int value)
{
  const int i = w->begin[value] + w->come_in[value];
  return i < w->begin[value + 1] ? w->reader[i] : INT_MAX;
}


static void lose_value(spillWork *w, int i)
{
  ART_ASSERT(i >= 0 && i < w->nheld);
  w->is_here[w->held[i]] = 0;
  w->held[i] = w->held[--w->nheld];
}


static void hold_value(spillWork *w, int value, int is_within)
{
  ART_ASSERT(w->nheld <= REGISTERS && !w->is_here[value]);
  w->is_here[value] = 1;
  w->is_within[value] = (char) is_within;
  w->held[w->nheld++] = value;
  if (w->nheld <= REGISTERS) return;
  int farthest = 0;
  for (int i = 1; i < w->nheld; i++) {
    if (next_spill_reader(w, w->held[i]) > next_spill_reader(w, w->held[farthest])) farthest = i;
  }
  lose_value(w, farthest);
}


// drop variables without further readers, and at the end of a run everything that goes out of scope
static void clear_held_values(spillWork *w, int is_end, int is_loop)
{
  for (int i = w->nheld - 1; i >= 0; i--) {
    const int value = w->held[i], is_coordinate = value >= w->l->n;
    const int ends = is_end && (is_coordinate || (is_loop && w->is_within[value]));
    if (ends || next_spill_reader(w, value) == INT_MAX) lose_value(w, i);
  }
}


static int end_of_spill_run(const spillWork *w, int e)
{
  const int run = w->run[e];
  while (e < w->l->n && w->run[e] == run) e++;
  return e;
}


static void load_value(spillWork *w, int value, int e)
{
  const int n = w->l->n, early = e - RELOAD_DISTANCE;
  int at = early > w->run[e] ? early : w->run[e];
  if (value < n) {
    if (at <= value) at = value + 1;
    // read again in every iteration
    const int end = is_repeated(w, e) && w->run[value] != w->run[e] ? end_of_spill_run(w, e) : e;
    if (w->last[value] < end) w->last[value] = end;
    w->plan->is_late[value] &= w->run[value] != w->run[e];
  }
  w->at[w->nload] = at;
  w->what[w->nload++] = value;
  hold_value(w, value, 1);
}


static void walk_spill_equations(spillWork *w)
{
  const eqnList *l = w->l;
  for (int e = 0; e < l->n; e++)
    w->plan->is_late[e] = l->equation[e].stage >= 0 && is_repeated(w, e);
  for (int e = 0; e < l->n; e++) {
    if (l->equation[e].stage < 0) continue;
    if (e > 0 && w->run[e] == e) {
      clear_held_values(w, 1, l->equation[e - 1].stage >= 0 && is_repeated(w, e - 1));
    }
    for (int i = w->first[e]; i < w->first[e + 1]; i++) {
      const int value = w->read[i];
      if (!w->is_here[value] && is_plain_statement(w, e)) load_value(w, value, e);
      w->come_in[value]++;
    }
    clear_held_values(w, 0, 0);
    if (is_plain_statement(w, e) && l->equation[e].name && next_spill_reader(w, e) < INT_MAX)
      hold_value(w, e, 0);
  }
}

//---- places --------------------------------------------------------------------------------------

typedef struct spillSpan {
  double merit;
  int from, to, value, next; // next: previous span in the same slot, -1: none
} spillSpan;


static int by_merit(const void *a, const void *b)
{
  const spillSpan *x = a, *y = b;
  if (x->merit != y->merit) return x->merit > y->merit ? -1 : 1;
  return x->value - y->value;
}


static int by_begin(const void *a, const void *b)
{
  const spillSpan *x = a, *y = b;
  return x->from != y->from ? x->from - y->from : x->value - y->value;
}


// the first slot in [from, to) that is free during the whole span; -1: none
static int find_spill_place(const spillSpan *stay, const int *top, const spillSpan *x, int from,
                            int to)
{
  for (int place = from; place < to; place++) {
    int k = top[place];
    while (k >= 0 && (stay[k].to < x->from || stay[k].from > x->to)) k = stay[k].next;
    if (k < 0) return place;
  }
  return -1;
}


// Spans that are short relative to the number of reloads get the first (fast) slots, the others
// later slots.
static void give_places(spillWork *w)
{
  const int n = w->l->n, nfast = w->nfast;
  int nstay = 0, left = 0;
  spillSpan *stay = arena_alloc(&w->room, (size_t) n + 1, sizeof *stay);
  int *top = arena_alloc(&w->room, (size_t) (n + nfast) + 1, sizeof *top);
  int *loads = arena_alloc(&w->room, (size_t) n + 1, sizeof *loads);
  for (int i = 0; i < w->nload; i++) {
    if (w->what[i] < n) loads[w->what[i]]++;
  }
  for (int i = 0; i <= n + nfast; i++) top[i] = -1;
  for (int e = 0; e < n; e++) {
    if (loads[e] == 0) continue;
    const int from = w->plan->is_late[e] ? end_of_spill_run(w, e) : e;
    stay[nstay++] =
        (spillSpan){(1.0 + loads[e]) / (w->last[e] - from + 20), from, w->last[e], e, -1};
  }
  qsort(stay, (size_t) nstay, sizeof *stay, by_merit);
  for (int pass = 0; pass < 2; pass++) {
    const int to = pass ? nfast + n : nfast, all = pass ? left : nstay;
    spillSpan *rest = stay + nstay - all; // spans without a slot are last
    if (pass) qsort(rest, (size_t) all, sizeof *rest, by_begin);
    for (int i = 0, kept = 0; i < all; i++) {
      const int place = find_spill_place(stay, top, &rest[i], pass ? nfast : 0, to);
      if (place < 0) {
        left++;
        continue;
      }
      w->plan->place[rest[i].value] = place + 1;
      if (place >= w->plan->nplace) w->plan->nplace = place + 1;
      // move spans with a slot before those without
      const spillSpan x = rest[i];
      for (int k = i; k > kept; k--) rest[k] = rest[k - 1];
      rest[kept] = x;
      rest[kept].next = top[place];
      top[place] = (int) (rest - stay) + kept++;
    }
  }
}


//---- all -----------------------------------------------------------------------------------------

static void take_spill_room(spillWork *w)
{
  const eqnList *l = w->l;
  const exprPool *pool = l->pool;
  int narguments = 0;
  w->nvalue = l->n + pool->symbol_count;
  for (int i = 0; i < l->nnode; i++) narguments += expr_argument_count(pool, i);
  ARENA_TAKE(&w->room, w->first, l->n + 1);
  ARENA_TAKE(&w->room, w->read, narguments + 1);
  ARENA_TAKE(&w->room, w->begin, w->nvalue + 2);
  ARENA_TAKE(&w->room, w->run, l->n + 1);
  ARENA_TAKE(&w->room, w->run_of_angle, l->nnode + 1);
  ARENA_TAKE(&w->room, w->is_coordinate, pool->symbol_count + 1);
  ARENA_TAKE(&w->room, w->is_here, w->nvalue + 1);
  ARENA_TAKE(&w->room, w->is_within, w->nvalue + 1);
  ARENA_TAKE(&w->room, w->come_in, w->nvalue + 1);
  ARENA_TAKE(&w->room, w->last, l->n + 1);
  ARENA_TAKE(&w->plan->room, w->plan->place, l->n + 1);
  ARENA_TAKE(&w->plan->room, w->plan->is_late, l->n + 1);
  ARENA_TAKE(&w->plan->room, w->plan->first, l->n + 2);
  for (int k = 0; k < l->function->ninput; k++) {
    const eqnVector *v = &l->function->input[k];
    for (int i = 0; i < v->n && v->n > 1; i++) {
      if (pool->nodes[v->node[i]].op == EXPR_SYMBOL)
        w->is_coordinate[pool->nodes[v->node[i]].a] = 1;
    }
  }
}


static void make_spill_plan(void *context)
{
  spillWork *w = context;
  w->room.leaves = w->plan->room.leaves = 1;
  take_spill_room(w);
  const eqnList *l = w->l;
  for (int e = 0; e < l->n; e++) {
    const eqnEquation *x = &l->equation[e];
    const int goes_on = e > 0 && x->stage == x[-1].stage && x->ahead == x[-1].ahead;
    w->run[e] = goes_on ? w->run[e - 1] : e;
    w->first[e + 1] = x->stage < 0 ? w->first[e] : find_spill_reads(w, e, x->node, w->first[e]);
  }
  const int nread = w->first[l->n];
  ARENA_TAKE(&w->room, w->reader, nread);
  ARENA_TAKE(&w->room, w->at, nread);
  ARENA_TAKE(&w->room, w->what, nread);
  for (int i = 0; i < nread; i++) w->begin[w->read[i] + 2]++;
  for (int v = 0; v <= w->nvalue; v++) w->begin[v + 1] += w->begin[v];
  for (int e = 0; e < l->n; e++) {
    for (int i = w->first[e]; i < w->first[e + 1]; i++) w->reader[w->begin[w->read[i] + 1]++] = e;
  }
  walk_spill_equations(w);
  give_places(w);
  eqnSpill *p = w->plan;
  ARENA_TAKE(&p->room, p->load, w->nload + 1);
  for (int i = 0; i < w->nload; i++) p->first[w->at[i] + 1]++;
  for (int e = 0; e < w->l->n; e++) p->first[e + 1] += p->first[e];
  for (int i = w->nload - 1; i >= 0; i--) p->load[--p->first[w->at[i] + 1]] = w->what[i];
  for (int e = 0; e < w->l->n; e++) p->first[e] = p->first[e + 1];
  p->first[w->l->n] = w->nload;
}


int eqn_plan_spills(const eqnList *list, int nfast, eqnSpill *plan)
{
  ART_ASSERT(nfast >= 0);
  spillWork w = {.l = list, .plan = plan, .nfast = nfast};
  *plan = (eqnSpill){0};
  const bool is_made = error_catch(make_spill_plan, &w);
  arena_free(&w.room);
  return is_made;
}


void eqn_forget_spills(eqnSpill *plan)
{
  arena_free(&plan->room);
}
