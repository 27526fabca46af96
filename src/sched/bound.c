// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bounds and estimates of the number of units (Postiau 2004, section 3.3.1).
#include "sched/bound.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"


void bound_profile(const schedGraph *graph, const schedMachine *machine, double *profile)
{
  const size_t row = (size_t) graph->length + 1;
  memset(profile, 0, row * SCHED_KINDS * sizeof(double));
  for (int i = 0; i < graph->n; i++) {
    const schedNode *x = &graph->node[i];
    double *u = profile + row * (size_t) x->kind;
    const double part = 1.0 / graph_mobility(x);
    for (int t = x->asap; t <= x->alap; t++) {
      for (int k = 0; k < machine->interval[x->kind]; k++) u[t + k] += part;
    }
  }
}


// rounding errors of sums of fractions must not make a unit
static int round_up(double x)
{
  return (int) ceil(x - 1e-9);
}


static void count_most(const schedGraph *graph, int *room, int is_latest, int most[SCHED_KINDS])
{
  const size_t row = (size_t) graph->length + 1;
  memset(room, 0, row * SCHED_KINDS * sizeof(int));
  for (int i = 0; i < graph->n; i++) {
    const schedNode *x = &graph->node[i];
    const int t = is_latest ? x->alap : x->asap;
    const int count = ++room[row * (size_t) x->kind + (size_t) t];
    if (most[x->kind] < count) most[x->kind] = count;
  }
}


int bound_find(schedBounds *bounds, const schedGraph *graph, const schedMachine *machine)
{
  *bounds = (schedBounds){0};
  const int places = (graph->length + 1) * SCHED_KINDS;
  double *profile = MEM_ARRAY(double, places);
  int *count = MEM_ARRAY(int, places);
  const int ok = profile && count;
  if (ok) {
    bound_profile(graph, machine, profile);

    // peak = ceil(max_i U_i),  mean = ceil(max_i 1/i sum_{k <= i} U_k)
    const size_t row = (size_t) graph->length + 1;
    for (int kind = 0; kind < SCHED_KINDS; kind++) {
      const double *u = profile + row * (size_t) kind;
      double sum = 0, most = 0, mean = 0;
      for (int i = 1; i <= graph->length; i++) {
        sum += u[i];
        most = fmax(most, u[i]);
        mean = fmax(mean, sum / i);
      }
      bounds->peak[kind] = round_up(most);
      bounds->mean[kind] = round_up(mean);
    }

    count_most(graph, count, 0, bounds->asap);
    count_most(graph, count, 1, bounds->alap);
    for (int i = 0; i < graph->n; i++) bounds->operations[graph->node[i].kind]++;
    for (int k = 0; k < SCHED_KINDS; k++) {
      const int work = bounds->operations[k] * machine->interval[k];
      bounds->lower[k] = graph->length > 0 ? (work + graph->length - 1) / graph->length : 0;
    }
  }
  mem_free(profile);
  mem_free(count);
  return ok;
}

//---- the shortest time, by the work between two points of time ------------------------------------

// cycles from the beginning of an operation to the end of the critical path at the latest
static int left_behind(const schedGraph *graph, const schedNode *x)
{
  return graph->length - x->alap + 1;
}


// operations of a kind that begin at a or later; waiting[b] of them have b cycles left, 0 to length
static int count_from(const schedGraph *graph, int kind, int a, int *waiting)
{
  int n = 0;
  memset(waiting, 0, ((size_t) graph->length + 1) * sizeof(int));
  for (int i = 0; i < graph->n; i++) {
    const schedNode *x = &graph->node[i];
    if (x->kind != kind || x->asap < a) continue;
    waiting[left_behind(graph, x)]++;
    n++;
  }
  return n;
}


static int bound_of_kind(const schedGraph *graph, const schedMachine *machine, int kind,
                         int *waiting)
{
  const int units = machine->count[kind];
  int most = 0;
  for (int a = 1; a <= graph->length; a++) {
    const int all = count_from(graph, kind, a, waiting);
    if (all == 0) break;
    for (int b = graph->length, n = 0; b >= 1; b--) {
      n += waiting[b];
      const int time = a + ((n + units - 1) / units - 1) * machine->interval[kind] + b - 1;
      if (n > 0 && most < time) most = time;
    }
  }
  return most;
}


int bound_cycles(const schedGraph *graph, const schedMachine *machine)
{
  int *waiting = MEM_ARRAY(int, graph->length + 2);
  int most = graph->length;
  if (!waiting) return -1;
  for (int kind = 0; kind < SCHED_KINDS; kind++) {
    if (machine->count[kind] == 0) continue;
    const int time = bound_of_kind(graph, machine, kind, waiting);
    if (most < time) most = time;
  }
  mem_free(waiting);
  return most;
}
