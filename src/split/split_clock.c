// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Time of one evaluation: every task runs its nodes in a given order and waits for values of
// others.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "split/split.h"

// nodes up to this cost, including missing inputs, are recomputed where they are read
#define MAX_COPY_COST 6.0
enum { COPY_DEPTH = 3 };

//---- order ---------------------------------------------------------------------------------------

typedef struct splitRank {
  double rank; // cost of the longest chain from a node to the end
  int unit;
} splitRank;


static int compare_ranks(const void *a, const void *b)
{
  const splitRank *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? 1 : -1;
  return x->unit - y->unit;
}


void split_clock_order(splitClock *c, int has_homes)
{
  const taskGraph *g = c->graph;
  const arenaPlace here = arena_place(c->arena);
  splitRank *rank;
  ARENA_TAKE(c->arena, rank, g->n);
  for (int i = g->n - 1; i >= 0; i--) {
    const taskUnit *u = &g->unit[i];
    rank[i].unit = i;
    for (int k = 0; k < u->nchild; k++) {
      const int child = u->child[k], is_far = has_homes && c->task[child] != c->task[i];
      rank[i].rank = fmax(rank[i].rank, rank[child].rank + (is_far ? c->options->latency : 0));
    }
    rank[i].rank += u->cost;
  }
  qsort(rank, (size_t) g->n, sizeof *rank, compare_ranks);
  for (int i = 0; i < g->n; i++) c->order[i] = rank[i].unit;
  arena_return(c->arena, here);
}


void split_clock_open(splitClock *c, const taskGraph *graph, const splitOptions *options,
                      const int *task, baseArena *arena)
{
  *c = (splitClock){.graph = graph, .options = options, .task = task, .arena = arena};
  ARENA_TAKE(arena, c->order, graph->n);
  ARENA_TAKE(arena, c->end, graph->n);
  ARENA_TAKE(arena, c->at_hand, graph->n);
  split_clock_order(c, 0);
}

//---- values of other tasks -----------------------------------------------------------------------

static int is_unit_at_hand(const splitClock *c, int unit, int t)
{
  ART_ASSERT(t >= 0 && t < SPLIT_TASKS);
  return (int) (c->at_hand[unit] >> t & 1);
}


static void clock_compute(splitClock *c, int unit, int t, int is_copy)
{
  ART_ASSERT(!is_unit_at_hand(c, unit, t));
  c->now[t] += c->graph->unit[unit].cost;
  c->at_hand[unit] |= (uint64_t) 1 << t;
  if (!is_copy) c->end[unit] = c->now[t];
  if (c->events) c->events->compute(c->events->context, t, unit, is_copy, c->now[t]);
}


// cost of a node including inputs that are not available in task t, up to the given depth
static double copy_cost(const splitClock *c, int unit, int t, int depth)
{
  const taskUnit *u = &c->graph->unit[unit];
  if (is_unit_at_hand(c, unit, t)) return 0;
  if (u->kind != TASK_EQUATION || u->is_call || depth == 0) return HUGE_VAL;
  double cost = u->cost;
  for (int k = 0; k < u->nparent && cost <= MAX_COPY_COST; k++) {
    cost += copy_cost(c, u->parent[k], t, depth - 1);
  }
  return cost;
}


static void clock_copy(splitClock *c, int unit, int t)
{
  if (is_unit_at_hand(c, unit, t)) return;
  const taskUnit *u = &c->graph->unit[unit];
  for (int k = 0; k < u->nparent; k++) clock_copy(c, u->parent[k], t);
  clock_compute(c, unit, t, 1);
}


// a message contains everything computed in its task before it was sent
static void clock_receive(splitClock *c, int unit, int t, int values)
{
  const int from = c->task[unit];
  const splitEvents *events = c->events;
  c->at_hand[unit] |= (uint64_t) 1 << t;
  if (c->end[unit] > c->received[t][from]) {
    const double arrival = c->end[unit] + c->options->latency;
    c->now[t] = fmax(c->now[t] + c->options->message, arrival);
    c->received[t][from] = fmax(c->end[unit], c->now[t] - c->options->latency);
    if (events) events->wait(events->context, t, from);
  }
  c->now[t] += values * c->options->read;
  c->now[from] += values * c->options->write;
  if (events) events->receive(events->context, t, from, unit);
}

//---- an evaluation -------------------------------------------------------------------------------

static void take_parents(splitClock *c, const taskUnit *u, int t)
{
  for (int k = 0; k < u->nparent; k++) {
    const int p = u->parent[k];
    if (is_unit_at_hand(c, p, t)) continue;
    if (copy_cost(c, p, t, COPY_DEPTH) <= MAX_COPY_COST) {
      clock_copy(c, p, t);
    } else {
      clock_receive(c, p, t, u->reads[k]);
    }
  }
}


double split_clock_run(splitClock *c)
{
  const taskGraph *g = c->graph;
  memset(c->at_hand, 0, (size_t) g->n * sizeof *c->at_hand);
  memset(c->now, 0, sizeof c->now);
  for (int t = 0; t < SPLIT_TASKS; t++) {
    for (int from = 0; from < SPLIT_TASKS; from++) c->received[t][from] = -1;
  }
  for (int i = 0; i < g->n; i++) {
    const int unit = c->order[i], t = c->task[unit];
    take_parents(c, &g->unit[unit], t);
    clock_compute(c, unit, t, 0);
  }
  double last = 0;
  for (int t = 0; t < c->options->tasks; t++) last = fmax(last, c->now[t]);
  return last;
}
