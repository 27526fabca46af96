// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Newton's method with Levenberg-Marquardt damping, or with step halving: the norm of the residual
// must decrease.
#ifndef NUM_NEWTON_H
#define NUM_NEWTON_H

#include "articula/base.h"
#include "base/arena.h"

//---- steps ---------------------------------------------------------------------------------------

// A square Jacobian by columns, and the singular value decomposition of  diag(row) J diag(column).
typedef struct newtonMatrix {
  int n;
  double *J;            // [n n]
  double *row, *column; // [n] scales, initially 1
  double *scaled;       // [n n]
  double *U, *s, *Vt;   // [n n], [n], [n n]
  int *pivot;           // [n]
  int is_decomposed;    // singular values are known
} newtonMatrix;

// Allocate memory for n up to `most`; 0 when memory ran out.
int newton_take(newtonMatrix *w, int most, baseArena *arena);

// Compute singular values; for large matrices only when newton_solve needs them.
artStatus newton_decompose(newtonMatrix *w, artError *error);

// Damped least-squares solution of J x = b, without directions whose singular values are less than
// `least` times the largest:  x = column V diag(s / (s^2 + damping s_0^2)) U^T row b
void newton_solve(newtonMatrix *w, double damping, double least, const double *b, double *x);

//---- the search ----------------------------------------------------------------------------------

typedef enum newtonState {
  NEWTON_FAR,
  NEWTON_NEAR,  // converged; iterations continue as long as each one gains a digit
  NEWTON_THERE, // no further improvement is possible
} newtonState;

// A problem stores its point, a trial point, the residual and the Jacobian.
typedef struct newtonProblem {
  void *context;

  // Evaluate residual and Jacobian at the point; returns the norm of the residual, and the state.
  artStatus (*linearise)(void *context, newtonState *state, double *norm, artError *error);

  // Norm at the trial point for this damping; HUGE_VAL if that point is not admissible.
  double (*attempt)(void *context, double damping);

  // Accept the trial point.
  void (*take)(void *context);

  // Move the point, and possibly change the damping, when no step reduces the norm. NULL: the
  // search ends there.
  artStatus (*escape)(void *context, double *damping, int *moved, artError *error);
} newtonProblem;

// Damping strategy. After a failed trial the damping is multiplied by `grow`, to at least `rise`
// and at most `highest`; after a successful one it is divided by `fall`, and below `least` it
// becomes `lowest`.
typedef struct newtonRule {
  int most_iterations;
  int most_tries;
  // consecutive steps that reduce the norm by less than 1 % before the search gives up; 0:
  // unlimited
  int most_stalls;
  double first, grow, rise, highest, fall, least, lowest;
} newtonRule;

// Rule for steps by singular values: undamped as long as they succeed.
newtonRule newton_damping_rule(int most_iterations);

// Rule for undamped steps that are halved until they succeed: `damping` 0, 1, 2, 4 ... means the
// fraction newton_part(damping) of the step: 1, 1/2, 1/4, 1/8 ...
newtonRule newton_halving_rule(int most_iterations);
double newton_part(double damping);

// Iterate until convergence, until no step reduces the norm, or until the iteration limit. All of
// these return ART_OK: the problem decides whether its point is acceptable. Adds to *iterations.
artStatus newton_search(const newtonProblem *p, const newtonRule *rule, int *iterations,
                        artError *error);

#endif
