// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of the search for an equilibrium: the forces that are missing, and descent on the potential.
#ifndef STUDY_EQUIL_H
#define STUDY_EQUIL_H

#include "articula/study.h"
#include "study/study.h"

typedef struct equilWork {
  const artModel *m;
  artData *d;
  baseArena arena;
  int n, column;
  int *free;      // [n] independent velocity coordinates
  double *R;      // [nv n] v = R v_f at q
  double *start;  // [nq] where the search began
  double *q;      // [nq] the best so far
  double *move;   // [nv] a displacement
  double *all;    // [nv] joint forces
  double *g;      // [n] missing joint forces at q
  double *trial;  // [n] elsewhere
  double *J;      // [n n] dg/dq by columns
  double *scaled; // [n n] J D^-1 = U s Vt
  double *U, *s, *Vt;
  double *D;     // [n] size of the columns
  double *step;  // [n]
  double *space; // [4 n]
  double length; // of the machine: what stands for a radian, m
  double met;    // the largest force at the positions last looked at
  double first;  // where the search began
  double forces; // there or at q
  double norm;   // |g|
} equilWork;

// Eigenvalues of the scaled stiffness that count as zero.
#define EQUIL_NEUTRAL 1e-7

// At a displacement w->move from q, everything at rest: missing forces.
artStatus equil_missing_moved(equilWork *w, double *g, artError *error);

// g and dg/dq at q, with coordinates that are fit to be independent there; modes are frozen.
artStatus equil_jacobian(equilWork *w, artError *error);

// Sizes of the columns of J into w->D, none of them zero.
void equil_measure_columns(equilWork *w);

// Is nothing missing but a small part of the forces present, and what rounding of positions makes?
int equil_is_balanced(const equilWork *w);

// The force element that has no potential at rest, or NULL when there is a potential (descend.c).
const modelElement *equil_without_potential(const artModel *m);

// Eigenvalues, descending in w->s, and eigenvectors, in the columns of w->U, of the symmetric part of
//   D^-1/2 J D^-1/2
artStatus equil_eigenvectors(equilWork *w, artError *error);

// Go down on the potential from q to a place near a minimum, loops closed all along. ART_NO_CONVERGENCE
// names the joint along which it falls without end.
artStatus equil_descend(equilWork *w, int *iterations, artError *error);

#endif
