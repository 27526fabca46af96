// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Whether the bare tree of a machine has accelerations: with its loops open, every coordinate must move something.
#include <math.h>

#include "base/memory.h"
#include "gen/gen.h"
#include "model/model.h"
#include "tree/tree.h"

static const double weakest = 1e-12; // pivot, relative to the strongest


// Pivots are found from the leaves on: those before a bad one mean nothing and may be no numbers. Returns the first that
// is bad, -1: none is.
static int bad_pivot(const treeModel *t, double *M)
{
  const int n = t->nv;
  double most = 0;
  int found = -1;
  tree_factor(t, M);
  for (int k = 0; k < n; k++) {
    if (fabs(M[k * n + k]) > most) most = fabs(M[k * n + k]);
  }
  for (int k = 0; k < n; k++) {
    if (!(M[k * n + k] > weakest * most)) found = k;
  }
  return found;
}


// the next coordinate that moves nothing while some links have given ones, -1: none; -2: memory ran out
static int next_massless(const artModel *m, artData *d, const unsigned char *given)
{
  const int n = m->tree.nv;
  double *M = MEM_ARRAY(double, n *n + 1);
  if (!M) return -2;
  art_update(m, d);
  art_mass_matrix(m, d, M);
  // given coordinates need no inertia
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (given[m->tree.dof_link[i]] || given[m->tree.dof_link[j]]) M[i * n + j] = i == j;
    }
  }
  const int k = bad_pivot(&m->tree, M);
  mem_free(M);
  return k;
}


static void give_driven(const treeModel *t, unsigned char *given)
{
  for (int i = 0; i < t->n; i++) given[i] = (unsigned char) t->link[i].is_driven;
}


int gen_find_massless(const artModel *m, artData *d, int *coordinate)
{
  unsigned char *given = MEM_ARRAY(unsigned char, m->tree.n);
  if (!given) return 0;
  give_driven(&m->tree, given);
  *coordinate = next_massless(m, d, given);
  mem_free(given);
  return *coordinate > -2;
}


int gen_find_given(const artModel *m, artData *d, unsigned char *given, int *massless)
{
  const treeModel *t = &m->tree;
  give_driven(t, given);
  for (;;) {
    const int k = *massless = next_massless(m, d, given);
    if (k < 0 || t->link[t->dof_link[k]].nv > 1) return k > -2;
    given[t->dof_link[k]] = 1;
  }
}
