// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small tasks merged with others.
#include "sched/merge.h"


static int smallest_of(int ntask, const int *size, int but)
{
  int best = -1;
  for (int i = 0; i < ntask; i++) {
    if (i != but && (best < 0 || size[i] < size[best])) best = i;
  }
  return best;
}


static int most_talkative(int ntask, const int *between, int with)
{
  int best = -1, most = -1;
  for (int i = 0; i < ntask; i++) {
    const int n = between[with * ntask + i] + between[i * ntask + with];
    if (i == with || n <= most) continue;
    most = n;
    best = i;
  }
  return best;
}


int merge_choose(int ntask, const int *size, const int *between, mergeKind kind, int count,
                 int *smallest, int *other)
{
  double mean = 0;
  for (int i = 0; i < ntask; i++) mean += (double) size[i] / ntask;
  *smallest = smallest_of(ntask, size, -1);
  if (ntask <= (count > 0 ? count : 1)) return 0;
  if (count == 0 && size[*smallest] >= MERGE_SMALLEST * mean) return 0;
  *other = kind == MERGE_SMALL ? smallest_of(ntask, size, *smallest)
                               : most_talkative(ntask, between, *smallest);
  return 1;
}


// tasks behind the one that goes move up
static void merge(transferGraph *t, int gone, int into)
{
  for (int i = 0; i < t->n; i++) {
    int *task = &t->sequence[i].task;
    if (*task == gone) *task = into;
    if (*task > gone) --*task;
  }
  t->ntask--;
}


int merge_tasks(transferGraph *t, mergeKind kind, int count)
{
  transferMeasures m;
  int a, b;
  for (;;) {
    transfer_group(t);
    if (!transfer_measure(t, &m)) return 0;
    if (!merge_choose(t->ntask, m.size, m.between, kind, count, &a, &b)) return 1;
    merge(t, a, b);
    if (!transfer_schedule(t)) return 0;
  }
}
