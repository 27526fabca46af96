// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The chain of links that every engine of the benchmarks is given.
#include "chain.h"

#include <math.h>
#include <stdlib.h>


static benchLink link_at(int i)
{
  return (benchLink){
      .axis = i % 3,
      .offset = {0, 0, i == 0 ? 0 : 0.3},
      .com = {0.01, 0.02, 0.15},
      .mass = 1 + 0.01 * i,
      .inertia = {0.02, 0.025, 0.01, 0.001, -0.002, 0.0015},
  };
}


static void fill(benchChain *chain)
{
  for (int i = 0; i < chain->count; i++) {
    chain->links[i] = link_at(i);
    chain->q[i] = sin(0.7 * i + 0.3);
    chain->v[i] = cos(1.3 * i);
    chain->a[i] = sin(2.1 * i + 1);
    chain->tau[i] = chain->a[i];
  }
}


benchChain *chain_create(int count)
{
  const size_t n = (size_t) count;
  benchChain *chain = calloc(1, sizeof *chain);
  if (!chain) return NULL;

  chain->count = count;
  chain->gravity[2] = -9.81;
  chain->links = calloc(n, sizeof *chain->links);
  chain->q = calloc(4 * n, sizeof *chain->q);
  if (!chain->links || !chain->q) {
    chain_free(chain);
    return NULL;
  }

  chain->v = chain->q + n;
  chain->a = chain->q + 2 * n;
  chain->tau = chain->q + 3 * n;
  fill(chain);
  return chain;
}


void chain_free(benchChain *chain)
{
  if (!chain) return;
  free(chain->links);
  free(chain->q);
  free(chain);
}
