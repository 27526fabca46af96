// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts of rigid bodies with Coulomb friction. Contact i has a normal row and two tangential ones in
//   u = W p + b
// where u are accelerations of the gap and of the slip, or velocities after an impact, and p forces or impulses:
//   p_n >= 0,  u_n >= 0,  p_n u_n = 0;    |p_t| <= mu p_n,  and where the contact slips  p_t = -mu p_n u_t/|u_t|
// A contact that slips already has its direction e: p_t = -mu p_n e.
//
// A contact whose friction resists spinning has a third tangential row. One that resists rolling has a further cone, of two tangential
// rows alone, whose limit is that of the normal force of the contact.
#ifndef NUM_COULOMB_H
#define NUM_COULOMB_H

typedef enum coulombState {
  COULOMB_APART,  // p = 0
  COULOMB_SLIDES, // u_n = 0, p_t = -mu p_n e
  COULOMB_HOLDS   // u = 0
} coulombState;

enum { COULOMB_TANGENTS = 3, COULOMB_ROWS = 1 + COULOMB_TANGENTS }; // of a cone, at most

typedef struct coulombCone {
  int is_rolling;             // of the contact before it
  int row, size;              // its rows: of a contact the normal one first
  double friction;            // mu
  double scale;               // of rows of spinning and rolling, compared with the others
  int slips;                  // it slips already, along e
  double e[COULOMB_TANGENTS]; // direction of the slip, of length 1
  int state; // coulombState; of rolling that of the contact if this is apart, whatever it says
} coulombCone;

typedef struct coulombProblem {
  int n, nrow; // cones and their rows
  coulombCone *cone;
  double *W, *b; // [nrow nrow] symmetric, [nrow]
  double *p, *u; // [nrow]
  double *room;  // [coulomb_room(nrow)]
} coulombProblem;

int coulomb_room(int nrow);

// Find states, e of contacts that begin to slip, p and u. Of several p that do the same, one that is spread evenly. Returns 0
// where none was found: rigid bodies with friction may have no solution, or several (Painleve).
int coulomb_solve(coulombProblem *q);

// With states and e as they are: the p nearest to the present one for which rows of contacts that are not apart have u = 0, without
// limits for p. Returns 0 where there is none.
int coulomb_solve_states(coulombProblem *q);

// the largest of the u that states make zero
double coulomb_left(const coulombProblem *q, const double *u);

// A solution from states, p and e that are nearly those of one, or where all that presses holds; 0: it is neither.
int coulomb_settle(coulombProblem *q);

// One contact of n rows alone, u = A p + r with A positive definite: p, its state, and the direction e of its slip, begun where e is
// not zero.
int coulomb_contact(int n, double (*A)[COULOMB_ROWS], const double *r, double mu, double *e,
                    double *p);

// The same of n tangential rows, with |p| <= limit.
int coulomb_resist(int n, double (*A)[COULOMB_ROWS], const double *r, double limit, double *e,
                   double *p);

#endif
