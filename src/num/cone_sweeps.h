// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts with Coulomb friction (num/coulomb.h) in great number. The rows z of contact i are sparse, and with
//   x = sum z_i^T p_i,    u_i = z_i x + b_i
// a sweep (Gauss and Seidel) solves one contact after the other with the forces of the others as they are, in the time of all entries
// of z.
#ifndef NUM_CONE_SWEEPS_H
#define NUM_CONE_SWEEPS_H

#include "num/coulomb.h"

typedef struct coneContact {
  int is_rolling; // of the contact before it: tangential rows alone
  int size;       // its rows
  int count, *at; // entries of a row, and where they are in x
  double *z;      // [size count]
  double b[COULOMB_ROWS], friction;
  double scale; // of rows of spinning and rolling, compared with the others
  double A[COULOMB_ROWS]
          [COULOMB_ROWS]; // z z^T, with a weight on its diagonal, which cone_sweep finds
  double p[COULOMB_ROWS], e[COULOMB_TANGENTS];
  int state;                                    // coulombState
  double before[COULOMB_ROWS], d[COULOMB_ROWS]; // scratch
} coneContact;

// z x of a row; x += z^T p of a row
double cone_rate(const coneContact *c, int row, const double *x);
void cone_add(const coneContact *c, int row, double p, double *x);

// Find p, from what it is, and x; room[2 nx] is scratch. Sweeps end where none of them changes a velocity by more than `little`, or after `most` sweeps;
// returns the largest change by the last one.
double cone_sweep(int n, coneContact *contact, int nx, double *x, double *room, int most,
                  double little);

// The same with normal forces alone.
double cone_sweep_normals(int n, coneContact *contact, int nx, double *x, int most, double little);

#endif
