// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sizes of buffers by liveness.
#include "sched/schedule.h"

#include "base/memory.h"


int buffer_last_use(const schedSchedule *schedule, const schedGraph *graph, int i)
{
  const schedNode *x = &graph->node[i];
  int last = 0;
  for (int k = 0; k < x->nchild; k++) {
    if (last < schedule->step[x->child[k]]) last = schedule->step[x->child[k]];
  }
  return last;
}


// the largest sum of changes up to any cycle
static int most_alive(const int *change, int n)
{
  int alive = 0, most = 0;
  for (int t = 0; t < n; t++) {
    alive += change[t];
    if (most < alive) most = alive;
  }
  return most;
}


int buffer_sizes(const schedSchedule *schedule, const schedGraph *graph,
                 const schedMachine *machine, int *size)
{
  const int nunit = machine_units(machine), row = schedule->cycles + 3;
  int *change = MEM_ARRAY(int, (nunit + 1) * row);
  if (!change) return -1;
  int *all = change + nunit * row;
  for (int i = 0; i < schedule->n; i++) {
    const int from = schedule->step[i] + graph->node[i].cost;
    const int last = buffer_last_use(schedule, graph, i);
    int *own = change + schedule->unit[i] * row;
    if (last == 0) continue;
    own[from]++;
    own[last + 1]--;
    all[from]++;
    all[last + 1]--;
  }
  for (int u = 0; u < nunit; u++) size[u] = most_alive(change + u * row, row);
  const int most = most_alive(all, row);
  mem_free(change);
  return most;
}
