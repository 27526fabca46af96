// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass in the equations of motion (methods on velocities v of the tree).
//
// With S v the sum of the velocities of a rod's ends, three rows, its part of the kinetic energy that
// links do not carry (data/rod.h) is  m/12 |S v|^2.  It adds  m/6 S^T S  to the mass matrix and
// m/6 S^T s  to the bias, s = d(S v)/dt - 2 g where only drives accelerate; in other words both ends
// feel the same force  p = -m/6 (S x + s)  at accelerations x beyond those.
#ifndef DATA_ROD_INERTIA_H
#define DATA_ROD_INERTIA_H

#include <stdbool.h>

#include "data/work.h"

// Take the memory; 0 when there is none.
int rods_start(rodInertia *rods, const artModel *m, baseArena *arena);

// m/6 of a rod, and its three rows of S.
double rods_scale(const artModel *m, int rod);
double *rods_rows(const artModel *m, const rodInertia *rods, int rod);

// S at the present positions.                                reads tree.world, tree.S
void rods_positions(const artModel *m, const artData *d, rodInertia *rods);

// s at the motion that tree_rne or tree_aba found.            reads tree.world, tree.body
void rods_motion(const artModel *m, const artData *d, rodInertia *rods);

// The same, and m/6 S^T s added to h; rods_positions must have been called.
void rods_bias(const artModel *m, const artData *d, rodInertia *rods, double *h);

// y += m/6 S^T S x.
void rods_multiply(const artModel *m, const rodInertia *rods, const double *x, double *y);

// M_kj += m/6 (S^T S)_kj for j <= k, which stands at M[k down + j across]; coordinates with skip[k]
// are left out (NULL: none).
void rods_add_mass(const artModel *m, const rodInertia *rods, const bool *skip, double *M,
                   long down, long across);

// Set M_kj to zero, by rows, where rods join branches: entries that the tree leaves alone.
void rods_clear_mass(const artModel *m, double *M);

// work->rod_force: p at accelerations x, added to the accelerations that s belongs to (NULL: none).
void rods_react(const artModel *m, artData *d, const rodInertia *rods, const double *x);

// After tree_rne: add what rods with mass take of the joint forces, at the motion of the links.
void rods_add(const artModel *m, artData *d, double *tau);

#endif
