// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The chain of links that every engine of the benchmarks is given: one definition, no second copy.
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

// One link. Its frame is parallel to the parent's at angle zero and sits at `offset` in the
// parent's frame; the link turns about `axis` (0, 1, 2 for x, y, z) of its own frame.
typedef struct benchLink {
  int axis;
  double offset[3];  // m, in the parent's frame
  double com[3];     // m, in the link's frame
  double mass;       // kg
  double inertia[6]; // kg m^2 about com: xx, yy, zz, xy, xz, yz
} benchLink;

// The links, root first, and one state. Every vector has `count` entries. SI units.
typedef struct benchChain {
  int count;
  double gravity[3];
  benchLink *links;
  double *q, *v;
  double *a;   // asked accelerations, input of inverse dynamics
  double *tau; // applied torques, input of forward dynamics
} benchChain;

// Make the chain of `count` links and its state. Returns NULL when memory is short.
benchChain *chain_create(int count);

// Give the chain back. NULL is allowed.
void chain_free(benchChain *chain);

#endif
