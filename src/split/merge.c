// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small tasks merged with others.
#include "split/merge.h"


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


int merge_choose(int ntask, const int *size, const int *between, const mergeRule *rule,
                 int *smallest, int *other)
{
  double mean = 0;
  for (int i = 0; i < ntask; i++) mean += (double) size[i] / ntask;
  *smallest = smallest_of(ntask, size, -1);
  const int is_large = size[*smallest] > 0 && size[*smallest] >= rule->smallest * mean;
  if (ntask == 1 || (rule->count > 0 ? ntask <= rule->count : is_large)) return 0;
  *other = rule->kind == MERGE_SMALL ? smallest_of(ntask, size, *smallest)
                                     : most_talkative(ntask, between, *smallest);
  return 1;
}


static void merge_by(transferGraph *t, mergeRule rule)
{
  transferMeasures m;
  int a, b;
  for (;;) {
    transfer_group(t);
    transfer_measure(t, &m);
    if (!merge_choose(t->ntask, m.size, m.between, &rule, &a, &b)) return;
    const int gone = a > b ? a : b, kept = a > b ? b : a;
    for (int i = 0; i < t->n; i++) {
      if (t->sequence[i].task == gone) t->sequence[i].task = kept;
    }
    transfer_close_gaps(t);
  }
}


void merge_tasks(transferGraph *t, const mergeRule *rule)
{
  const mergeRule by_size = {.kind = rule->kind, .smallest = rule->smallest};
  merge_by(t, by_size);
  if (rule->count > 0) merge_by(t, *rule);
}
