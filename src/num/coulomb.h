// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts of rigid bodies with Coulomb friction. Contact i has a normal row and two tangential ones in
//   u = W p + b
// where u are accelerations of the gap and of the slip, or velocities after an impact, and p forces or impulses:
//   p_n >= 0,  u_n >= 0,  p_n u_n = 0;    |p_t| <= mu p_n,  and where the contact slips  p_t = -mu p_n u_t/|u_t|
// A contact that slips already has its direction e: p_t = -mu p_n e.
#ifndef NUM_COULOMB_H
#define NUM_COULOMB_H

typedef enum coulombState {
  COULOMB_APART,  // p = 0
  COULOMB_SLIDES, // u_n = 0, p_t = -mu p_n e
  COULOMB_HOLDS   // u = 0
} coulombState;

typedef struct coulombProblem {
  int n;            // contacts
  double *W, *b;    // [3n 3n] symmetric, [3n]
  double *friction; // [n] mu
  int *slips;       // [n] the contact slips already, along e
  double *e;        // [2n] direction of the slip, of length 1
  int *state;       // [n] coulombState
  double *p, *u;    // [3n]
  double *room;     // [coulomb_room(n)]
} coulombProblem;

int coulomb_room(int n);

// Find states, e of contacts that begin to slip, p and u. Of several p that do the same, one that is spread evenly. Returns 0
// where none was found: rigid bodies with friction may have no solution, or several (Painleve).
int coulomb_solve(coulombProblem *q);

// With states and e as they are: the p nearest to the present one for which rows of contacts that are not apart have u = 0, without
// limits for p. Returns 0 where there is none.
int coulomb_solve_states(coulombProblem *q);

// A solution from states, p and e that are nearly those of one, or where all that presses holds; 0: it is neither.
int coulomb_settle(coulombProblem *q);

// One contact alone, u = A p + r with A positive definite: p, its state, and the direction e of its slip, begun where e is not zero.
int coulomb_contact(double A[3][3], const double r[3], double mu, double e[2], double p[3]);

#endif
