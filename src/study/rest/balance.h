// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine at rest, and the joint forces that are missing there. Supports may hold it: each of them acts with a force
// that is unknown, and asks for a condition on the positions.
#ifndef STUDY_BALANCE_H
#define STUDY_BALANCE_H

#include "articula/study.h"
#include "num/newton.h"
#include "study/study.h"

typedef struct balanceWork balanceWork;
struct balanceWork {
  const artModel *m;
  artData *d;
  baseArena arena;
  int n;               // independent coordinates
  int nsupport;        // forces of supports, and their conditions
  int *free;           // [n] independent velocity coordinates
  double *R;           // [nv n] v = R v_f at q
  double *start;       // [nq] where the search began
  double *q;           // [nq] the best so far
  double *lambda;      // [nsupport] forces of supports there, N or N m
  double *push;        // [nsupport] the same in an evaluation
  double *move;        // [nv] a displacement
  double *all;         // [nv] joint forces
  double *g;           // [n + nsupport] missing joint forces, and conditions that are not met, at q
  double *trial;       // [n + nsupport] elsewhere
  double *step;        // [n + nsupport] of positions, and of lambda / unit
  double *space;       // [4 (n + nsupport)]
  newtonMatrix matrix; // dg/d(q, lambda / unit)
  double met;          // the largest force at the positions last looked at,
  double first;        // where the search began,
  double forces;       // there or at q
  double norm;         // |g|, by the scales of the rows
  double length;       // of the machine, which represents a radian, m

  double longest_turn;             // rad in one step
  double no_stiffness;             // singular values below this part of the largest count as 0
  double unit;                     // of lambda, N
  void (*enter)(balanceWork *w);   // before forces are found at w->push; NULL: nothing is to do
  void (*support)(balanceWork *w); // supports act with the forces w->push; NULL: there are none
  void (*condition)(balanceWork *w, double *c); // how far their conditions are from being met
};

// From the positions in the data, loops closed; arena_free in any case.
artStatus balance_begin(balanceWork *w, artError *error);

// At the positions in the data, or at a displacement w->move from q, everything at rest, also drives: missing forces.
artStatus balance_missing(balanceWork *w, double *g, artError *error);
artStatus balance_missing_moved(balanceWork *w, double *g, artError *error);

// g at q, with coordinates that are fit to be independent there; and dg/dq, modes frozen.
artStatus balance_at_best(balanceWork *w, artError *error);
artStatus balance_jacobian(balanceWork *w, artError *error);

// The sum of the sizes of what positions do to row k: what one unit of rounding in all of them makes of it.
double balance_stiffness(const balanceWork *w, int k);

// A residual measured by the scales of the rows.
double balance_norm(const balanceWork *w, const double *g);

// The norm of g after w->step, which no angle turns too far; HUGE_VAL where there is none. Then q goes there.
double balance_probe(balanceWork *w);
void balance_take(void *work);

// The same with the step of a damping, after newton_decompose.
double balance_attempt(void *work, double damping);

//---- the search for an equilibrium (equil.c, descend.c) ------------------------------------------

// Eigenvalues of the scaled stiffness that count as zero.
#define EQUIL_NEUTRAL 1e-7

// Scales of the columns of J by their sizes, none of them zero.
void equil_scale_columns(balanceWork *w);

// Is nothing missing but a small part of the forces present, and what rounding of positions makes?
int equil_is_balanced(const balanceWork *w);

// The force element that has no potential at rest, or NULL when there is a potential (descend.c).
const modelElement *equil_without_potential(const artModel *m);

// Eigenvalues, descending in matrix.s, and eigenvectors, in the columns of matrix.U, of the symmetric part of J with
// rows and columns scaled by the roots of the scales of columns.
artStatus equil_eigenvectors(balanceWork *w, artError *error);

// Go down on the potential from q to a place near a minimum, loops closed all along. ART_NO_CONVERGENCE
// names the joint along which it falls without end.
artStatus equil_descend(balanceWork *w, int *iterations, artError *error);

#endif
