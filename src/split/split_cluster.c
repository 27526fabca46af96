// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Clusters: units of one stage that depend on the same branches of the tree, in pieces of some cost.
#include <stdlib.h>

#include "base/memory.h"
#include "split/split.h"

typedef struct clusterKey {
  uint64_t depends;
  int stage, unit;
} clusterKey;


static int compare_keys(const void *a, const void *b)
{
  const clusterKey *x = a, *y = b;
  if (x->depends != y->depends) return x->depends < y->depends ? -1 : 1;
  return x->stage != y->stage ? x->stage - y->stage : x->unit - y->unit;
}


int split_cluster(const taskGraph *g, const taskMarks *marks, double most, int *cluster)
{
  clusterKey *key = MEM_ARRAY(clusterKey, g->n);
  if (!key) return -1;
  for (int i = 0; i < g->n; i++) key[i] = (clusterKey){marks->depends[i], g->unit[i].stage, i};
  qsort(key, (size_t) g->n, sizeof *key, compare_keys);
  int n = 0;
  double cost = 0;
  for (int i = 0; i < g->n; i++) {
    const clusterKey *k = &key[i], *before = k - 1;
    const double own = g->unit[k->unit].cost;
    const int is_other = i == 0 || k->depends != before->depends || k->stage != before->stage;
    if (is_other || (cost > 0 && cost + own > most)) {
      n++;
      cost = 0;
    }
    cost += own;
    cluster[k->unit] = n - 1;
  }
  mem_free(key);
  return n;
}
