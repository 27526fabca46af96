// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of cut joints and relations:  phi(q) = 0,  J v = 0,  J a = gamma.
//
// A row of a cut joint measures how `to` has moved against `from`. It is a wrench w on `to` and its
// opposite on `from`, for which  d phi/dt = w . (V_to - V_from);  its multiplier lambda is the size of
// that wrench in  M a + h = tau + J^T lambda.  Axes are fixed in `from`, so that motion common to both
// sides drops out of J exactly.
#ifndef LOOP_ROWS_H
#define LOOP_ROWS_H

#include "force/work.h"
#include "loop/row.h"

// the rows of a cut that are asked for
typedef struct loopKept {
  int n, row[6];
  rowKind kind[6];
  int needs_to; // one of them reads the axes of `to`
} loopKept;

typedef struct loopRows {
  loopKept *all;   // [ncut] every row
  double *phi;     // [nrow] how far the rows are open, m or rad
  double *gamma;   // [nrow] right side of J a = gamma, at the accelerations of the drives
  double *J;       // [nrow nv] by rows; entries that are never used stay zero
  double *lambda;  // [nrow] multipliers
  loopRow *row;    // [nrow] of cuts
  cutState *state; // [ncut]
} loopRows;

// Take the memory; 0 when there is none.
int rows_start(loopRows *rows, const artModel *m, baseArena *arena);

// The rows of a joint that closes a loop, in their order.
const rowKind *rows_kinds(artJointType type);

// Write into kept[ncut] the rows of cuts with keep[row] (NULL: all). The functions below find those
// rows (NULL: all), and those of relations always.
void rows_select(const artModel *m, const char *keep, loopKept *kept);

// phi and what J needs.                                      reads q, tree.world
artStatus rows_positions(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                         artError *error);

// Entries of J.                                              reads rows, tree.world, tree.S
artStatus rows_jacobian(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                        artError *error);

// gamma, from the motion that tree_rne found at v and the accelerations of the drives.
// rows_positions must have seen these rows.
//                                                            reads rows, v, tree.world, S, body
artStatus rows_gamma(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                     artError *error);

// Add the wrenches of the cuts' multipliers to work->applied.
void rows_apply(const artModel *m, artData *d, const loopRows *rows);

// J^T lambda of the relations, in velocity coordinate k.
double rows_relation_force(const artModel *m, const loopRows *rows, int k);

// Force and torque on `to` at the joint, in ground axes, of a cut.
wrench rows_reaction(const artModel *m, const loopRows *rows, int cut);

#endif
