// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Newton's method with the damping of Levenberg and Marquardt, or with steps that are halved: the norm of the residual
// must fall.
#ifndef NUM_NEWTON_H
#define NUM_NEWTON_H

#include "articula/base.h"
#include "base/arena.h"

//---- steps ---------------------------------------------------------------------------------------

// A square Jacobian by columns, and the singular values of  diag(row) J diag(column).
typedef struct newtonMatrix {
  int n;
  double *J;            // [n n]
  double *row, *column; // [n] scales, 1 at the beginning
  double *scaled;       // [n n]
  double *U, *s, *Vt;   // [n n], [n], [n n]
  int *pivot;           // [n]
  int is_decomposed;    // singular values are known
} newtonMatrix;

// Take room for n up to `most`; 0 when there is no memory.
int newton_take(newtonMatrix *w, int most, baseArena *arena);

// Large matrices wait for the first solution that cannot do without singular values.
artStatus newton_decompose(newtonMatrix *w, artError *error);

// The damped least-squares solution of J x = b, without the directions in which singular values are less than
// `least` of the largest:  x = column V diag(s / (s^2 + damping s_0^2)) U^T row b
void newton_solve(newtonMatrix *w, double damping, double least, const double *b, double *x);

//---- the search ----------------------------------------------------------------------------------

typedef enum newtonState {
  NEWTON_FAR,
  NEWTON_NEAR,  // close enough; steps go on as long as each of them gains a digit
  NEWTON_THERE, // nothing is left to gain
} newtonState;

// A problem keeps its point, a trial beside it, residual and Jacobian to itself.
typedef struct newtonProblem {
  void *context;

  // Residual and Jacobian at the point: the norm of the residual, and how near it is to a solution.
  artStatus (*linearise)(void *context, newtonState *state, double *norm, artError *error);

  // The norm at the end of the step with this damping; HUGE_VAL where that is no admissible point.
  double (*attempt)(void *context, double damping);

  // The trial becomes the point.
  void (*take)(void *context);

  // Move the point from where no step lowers the norm, and perhaps change the damping. NULL: the search ends there.
  artStatus (*escape)(void *context, double *damping, int *moved, artError *error);
} newtonProblem;

// How tries of an iteration follow each other. The damping is multiplied by `grow` after a try that fails, to at least
// `rise` and at most `highest`, and divided by `fall` after one that succeeds; below `least` it becomes `lowest`.
typedef struct newtonRule {
  int most_iterations;
  int most_tries;
  int most_stalls; // steps in a row that lower the norm by less than 1 %, as if there were none; 0: any number
  double first, grow, rise, highest, fall, least, lowest;
} newtonRule;

// The rule for steps by singular values: without damping as long as they succeed.
newtonRule newton_damping_rule(int most_iterations);

// The rule for steps without damping that are halved until they succeed: `damping` 0, 1, 2, 4 ... stands for the part
// newton_part(damping) of the step, 1, 1/2, 1/4, 1/8 ...
newtonRule newton_halving_rule(int most_iterations);
double newton_part(double damping);

// Iterate until the point is there, no step lowers the norm, or there have been too many iterations: ART_OK in each of
// these cases, the problem judges its point. *iterations is increased.
artStatus newton_search(const newtonProblem *p, const newtonRule *rule, int *iterations,
                        artError *error);

#endif
