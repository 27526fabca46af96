// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What forces do to a machine with closed loops. With M = L L^T of the columns that no drive prescribes and the rows of
// Y = L^-1 J^T made orthonormal, a row A of velocities becomes  z = L^-1 A^T  without its part along Y: forces f of such rows cause
// accelerations  L^-T Z^T f,  which keep the loops closed, and the rows then have  Z Z^T f.
#ifndef METHOD_FORCE_SPACE_H
#define METHOD_FORCE_SPACE_H

#include "base/arena.h"
#include "base/error.h"
#include "data/work.h"
#include "num/coulomb.h"

typedef struct forceSpace {
  int n, *free; // columns that no drive prescribes
  int ny;       // rows of Y
  double *L;    // [nv nv] M of the free columns by rows, then its factor
  double *Y;    // [nrow nv]
  double *x;    // [nv]
} forceSpace;

// A row of which no larger part is left beside the others depends on them.
#define SPACE_DEPENDENT 1e-9

int space_take(forceSpace *s, const artModel *m, baseArena *arena);

// Memory for n cones of friction with this number of rows; 0: there is none.
int space_take_cones(coulombProblem *q, int n, int nrow, baseArena *arena);

// At the present positions; `what` has the forces, for the message where a mass is missing.
artStatus space_find(const artModel *m, artData *d, forceSpace *s, const char *what,
                     artError *error);

// z of a row over all columns; returns the length that it had with its part along Y
double space_row(const forceSpace *s, const double *row, double *z);

// Take the part along `count` orthonormal rows out of x, adding the products to part[count] (NULL: nowhere); divide by the length, or
// set to zero if less than `least` is left, which returns 0.
void space_take_out(int n, int count, const double *rows, double *x, double *part);
double space_make_unit(int n, double *x, double least);

// v + L^-T x in the data; x is lost
void space_add_velocities(const forceSpace *s, double *x, double *v);

#endif
