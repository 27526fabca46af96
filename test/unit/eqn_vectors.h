// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Arguments and results of recorded functions.
#ifndef UNIT_EQN_VECTORS_H
#define UNIT_EQN_VECTORS_H

#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "eqn/list.h"

// vectors of random numbers near 0.3, positions as the machine has them
static double **vectors_of(int n, const eqnVector *vector, const artData *d)
{
  double **x = calloc((size_t) n + 1, sizeof *x);
  unsigned seed = 1;
  for (int v = 0; v < n; v++) {
    x[v] = calloc((size_t) vector[v].n + 1, sizeof **x);
    for (int i = 0; i < vector[v].n; i++) {
      seed = seed * 1664525u + 1013904223u;
      x[v][i] = 0.3 + 1e-10 * (double) (seed >> 1);
      if (strcmp(vector[v].name, "q") == 0) x[v][i] = d->q[i];
      if (strcmp(vector[v].name, "t") == 0) x[v][i] = 0;
    }
  }
  return x;
}


static void free_vectors(double **x, int n)
{
  for (int v = 0; v < n; v++) free(x[v]);
  free(x);
}

#endif
