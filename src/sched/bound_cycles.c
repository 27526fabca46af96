// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The shortest time that a machine may need, by the work between two points of time.
#include <string.h>

#include "base/memory.h"
#include "sched/bound.h"


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
