// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass in the equations of motion (methods on velocities v of the tree).
//
// With S v the sum of the velocities of a rod's ends, three rows, its part of the kinetic energy that
// links do not carry (force/rod.h) is  m/12 |S v|^2.  It adds  m/6 S^T S  to the mass matrix and
// m/6 S^T s  to the bias, s = d(S v)/dt - 2 g where only drives accelerate; in other words both ends
// feel the same force  p = -m/6 (S x + s)  at accelerations x beyond those.
#ifndef LOOP_ROD_H
#define LOOP_ROD_H

#include <stdbool.h>

#include "force/work.h"

typedef struct loopRods {
  double *S; // [3 nrod nv] by rows; entries that are never used stay zero
  v3 *s;     // [nrod]
  double *P; // [3 nv] rows of S of one rod, projected
} loopRods;

// Take the memory; 0 when there is none.
int rods_start(loopRods *rods, const artModel *m, baseArena *arena);

// S at the present positions.                                reads tree.world, tree.S
void rods_positions(const artModel *m, const artData *d, loopRods *rods);

// s at the motion that tree_rne or tree_aba found.            reads tree.world, tree.body
void rods_motion(const artModel *m, const artData *d, loopRods *rods);

// The same, and m/6 S^T s added to h; rods_positions must have been called.
void rods_bias(const artModel *m, const artData *d, loopRods *rods, double *h);

// y += m/6 S^T S x.
void rods_multiply(const artModel *m, const loopRods *rods, const double *x, double *y);

// M_kj += m/6 (S^T S)_kj for j <= k, which stands at M[k down + j across]; coordinates with skip[k]
// are left out (NULL: none).
void rods_add_mass(const artModel *m, const loopRods *rods, const bool *skip, double *M, long down,
                   long across);

// Set M_kj to zero, by rows, where rods join branches: entries that the tree leaves alone.
void rods_clear_mass(const artModel *m, double *M);

// loop->Mr += R^T (m/6 S^T S) R, lower triangle by rows, with the R that stands in the blocks.
void rods_reduce(const artModel *m, struct loopWork *loop);

// work->rod_force: p at accelerations x beyond those of s (NULL: none).
void rods_react(const artModel *m, artData *d, const loopRods *rods, const double *x);

// Add p at both ends to work->applied.
void rods_apply(const artModel *m, artData *d);

#endif
