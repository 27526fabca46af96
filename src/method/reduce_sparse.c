// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The algebra of the semi-recursive method with sparse factors of J_v by KLU (Davis, Palamadai
// Natarajan 2010): analysed, and pivots chosen, where the coordinates were partitioned; the numbers
// alone are found anew at every evaluation.
#include <suitesparse/klu.h>

#include "method/reduce.h"

// pivots chosen elsewhere are good enough while the factors are not worse conditioned than by this
#define WEAK_CONDITION 1e-2

struct reduceFactors {
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  double condition; // of the pivots where they were chosen
};


static int start_sparse(methodReduce *r, const struct loopWork *loop)
{
  struct reduceFactors *f = arena_alloc(&r->memory, 1, sizeof *f);
  if (!f || !reduce_find_entries(r, loop)) return 0;
  r->factors = f;
  klu_defaults(&f->common);
  f->common.tol = 0.5; // a pivot on the diagonal is taken when it is at least half the largest
  f->common.scale = 2; // rows by their largest entries
  reduce_take_entries(r, loop->J_chosen);
  f->symbolic = klu_analyze(r->nd, r->start, r->at, &f->common);
  if (!f->symbolic) return 0;
  f->numeric = klu_factor(r->start, r->at, r->entry, f->symbolic, &f->common);
  if (!f->numeric) return f->common.status == KLU_SINGULAR;
  klu_rcond(f->symbolic, f->numeric, &f->common);
  f->condition = f->common.rcond;
  return 1;
}


static void stop_sparse(methodReduce *r)
{
  struct reduceFactors *f = r->factors;
  if (!f) return;
  klu_free_numeric(&f->numeric, &f->common);
  klu_free_symbolic(&f->symbolic, &f->common);
}


static int factor_sparse(methodReduce *r, const struct loopWork *loop)
{
  struct reduceFactors *f = r->factors;
  if (!f->numeric) return 0;
  reduce_take_entries(r, loop->rows.J);
  if (!klu_refactor(r->start, r->at, r->entry, f->symbolic, f->numeric, &f->common)) return 0;
  klu_rcond(f->symbolic, f->numeric, &f->common);
  return f->common.rcond > WEAK_CONDITION * f->condition;
}


// B = -J_v^-1 J_u
static void couple_sparse(methodReduce *r, struct loopWork *loop)
{
  struct reduceFactors *f = r->factors;
  reduce_gather(r, loop);
  if (r->nu > 0) klu_solve(f->symbolic, f->numeric, r->nd, r->nu, r->X, &f->common);
  reduce_spread(r, loop);
}


static void solve_sparse(methodReduce *r, struct loopWork *loop, const double *b, double *x)
{
  struct reduceFactors *f = r->factors;
  reduce_gather_side(r, b);
  klu_solve(f->symbolic, f->numeric, r->nd, 1, r->side, &f->common);
  for (int p = 0; p < r->nd; p++) x[loop->blocks->column[p]] = r->side[p];
}


static void solve_transposed_sparse(methodReduce *r, struct loopWork *loop, const double *c,
                                    double *y)
{
  struct reduceFactors *f = r->factors;
  for (int p = 0; p < r->nd; p++) r->side[p] = c[loop->blocks->column[p]];
  klu_tsolve(f->symbolic, f->numeric, r->nd, 1, r->side, &f->common);
  for (int p = 0; p < r->nd; p++) y[loop->blocks->row[p]] = r->side[p];
}


const reduceRows reduce_rows_sparse = {.start = start_sparse,
                                       .stop = stop_sparse,
                                       .factor = factor_sparse,
                                       .couple = couple_sparse,
                                       .solve = solve_sparse,
                                       .solve_transposed = solve_transposed_sparse};
