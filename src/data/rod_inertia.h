// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass in the equations of motion (methods on velocities v of the tree).
//
// Let S v (three rows) be the sum of the velocities of a rod's ends. The part of its kinetic energy
// not included in the links (data/rod.h) is  m/12 |S v|^2.  It adds  m/6 S^T S  to the mass matrix
// and m/6 S^T s  to the bias, with s = d(S v)/dt - 2 g when only drives accelerate. In other words,
// both ends receive the same force  p = -m/6 (S x + s)  for accelerations x in addition to those.
#ifndef DATA_ROD_INERTIA_H
#define DATA_ROD_INERTIA_H

#include <stdbool.h>

#include "data/work.h"

// Allocate memory; 0 when there is none.
int rods_start(rodInertia *rods, const artModel *m, baseArena *arena);

// rods_scale: m/6 of a rod. rods_rows: its three rows of S.
double rods_scale(const artModel *m, int rod);
double *rods_rows(const artModel *m, const rodInertia *rods, int rod);

// S at the present positions.                                reads tree.world, tree.S
void rods_positions(const artModel *m, const artData *d, rodInertia *rods);

// s for the motion found by tree_rne or tree_aba.             reads tree.world, tree.body
void rods_motion(const artModel *m, const artData *d, rodInertia *rods);

// The same, and add m/6 S^T s to h; call rods_positions before.
void rods_bias(const artModel *m, const artData *d, rodInertia *rods, double *h);

// y += m/6 S^T S x.
void rods_multiply(const artModel *m, const rodInertia *rods, const double *x, double *y);

// M_kj += m/6 (S^T S)_kj for j <= k, stored at M[k down + j across]; leaves out coordinates with
// skip[k] (NULL: none).
void rods_add_mass(const artModel *m, const rodInertia *rods, const bool *skip, double *M,
                   long down, long across);

// Set to zero the entries M_kj, by rows, that couple branches through rods; the tree does not write
// them.
void rods_clear_mass(const artModel *m, double *M);

// work->rod_force: p for accelerations x relative to those used for s (NULL: zero).
void rods_react(const artModel *m, artData *d, const rodInertia *rods, const double *x);

// After tree_rne: add the contribution of rods with mass to the joint forces, at the present link
// motion.
void rods_add(const artModel *m, artData *d, double *tau);

#endif
