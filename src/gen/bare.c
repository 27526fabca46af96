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


// what drives prescribe needs no inertia
static void leave_driven_out(const treeModel *t, double *M)
{
  const int n = t->nv;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const int is_driven = t->link[t->dof_link[i]].is_driven || t->link[t->dof_link[j]].is_driven;
      if (is_driven) M[i * n + j] = i == j;
    }
  }
}


int gen_find_massless(const artModel *m, artData *d, int *coordinate)
{
  const int n = m->tree.nv;
  double *M = MEM_ARRAY(double, n *n + 1), most = 0;
  if (!M) return 0;
  art_update(m, d);
  art_mass_matrix(m, d, M);
  leave_driven_out(&m->tree, M);
  tree_factor(&m->tree, M);
  *coordinate = -1;

  // pivots are found from the leaves on: those before a bad one mean nothing and may be no numbers
  for (int k = 0; k < n; k++) {
    if (fabs(M[k * n + k]) > most) most = fabs(M[k * n + k]);
  }
  for (int k = 0; k < n; k++) {
    if (!(M[k * n + k] > weakest * most)) *coordinate = k;
  }
  mem_free(M);
  return 1;
}
