// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sample machines with closed loops, made through the public builder. All are closed at their
// reference configuration, where every coordinate is zero and every body frame coincides with ground;
// all carry springs, dampers or torques.
#ifndef SUPPORT_LOOPS_H
#define SUPPORT_LOOPS_H

#include <stdint.h>

#include "articula/articula.h"

typedef struct loopSample {
  const char *name;
  artModel *(*make)(void);
  int rows;     // of all constraints
  int rank;     // of them, where nothing is singular
  int mobility; // coordinates that are neither dependent nor driven
} loopSample;

// Ends with {0}.
extern const loopSample loop_samples[];

// The sample of that name, compiled; NULL with a failed check.
artModel *loop_sample(const char *name);

// n cranks of the row of four-bars beyond the first: cranks and couplers of length 1, all alike, in
// the plane x z with gravity along -z (IFToMM library of computational benchmarks, N four-bar).
artModel *loop_four_bars(int n);

// A planar loop of n revolute joints and n - 1 bars, a regular polygon on the ground.
artModel *loop_polygon(int n);

// A uniform bar between two corners in the plane x y of ground, and a hinge about z at one of them.
typedef struct loopCorner {
  double x, y;
} loopCorner;
void loop_add_bar(artBuilder *b, const char *name, double mass, loopCorner from, loopCorner to);
void loop_add_hinge(artBuilder *b, const char *name, const char *from, const char *to,
                    loopCorner at);

// A random state that meets all constraints and drives; 0, with a failed check, when none was found.
int loop_random_state(const artModel *m, artData *d, uint64_t *seed);

#endif
