// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Newton's method with damping.
#include "num/newton.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "num/dense.h"

static const double STALL_RATIO = 0.99; // relative to the previous norm
static const double DIGIT_GAIN_RATIO = 0.1;
static const double MIN_PIVOT_RATIO = 1e-6; // smallest pivot relative to the largest
enum {
  MAX_DECOMPOSED = 300
}; // number of unknowns above which singular values cost about twenty times as much as factors


//---- steps ---------------------------------------------------------------------------------------

int newton_take(newtonMatrix *w, int most, baseArena *arena)
{
  ART_ASSERT(most >= 0);
  const size_t n = (size_t) most;
  if (!ARENA_TAKE(arena, w->J, n * n) || !ARENA_TAKE(arena, w->row, n) ||
      !ARENA_TAKE(arena, w->column, n) || !ARENA_TAKE(arena, w->scaled, n * n) ||
      !ARENA_TAKE(arena, w->U, n * n) || !ARENA_TAKE(arena, w->s, n) ||
      !ARENA_TAKE(arena, w->Vt, n * n) || !ARENA_TAKE(arena, w->pivot, n)) {
    return 0;
  }
  for (size_t k = 0; k < n; k++) w->row[k] = w->column[k] = 1;
  return 1;
}


static void scale_newton_matrix(newtonMatrix *w)
{
  const int n = w->n;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      w->scaled[(long) j * n + i] = w->row[i] * w->column[j] * w->J[(long) j * n + i];
    }
  }
}


static artStatus find_values(newtonMatrix *w, artError *error)
{
  scale_newton_matrix(w);
  const artStatus status = num_singular_values(w->n, w->scaled, w->U, w->s, w->Vt, error);
  w->is_decomposed = status == ART_OK;
  return status;
}


artStatus newton_decompose(newtonMatrix *w, artError *error)
{
  w->is_decomposed = 0;
  return w->n < MAX_DECOMPOSED ? find_values(w, error) : ART_OK;
}


// undamped step by elimination, if the matrix is far from singular
static int eliminate_undamped(newtonMatrix *w, const double *b, double *x)
{
  scale_newton_matrix(w);
  for (int k = 0; k < w->n; k++) x[k] = w->row[k] * b[k];
  if (!(num_solve_square(w->n, w->scaled, w->pivot, x) > MIN_PIVOT_RATIO)) return 0;
  for (int k = 0; k < w->n; k++) x[k] *= w->column[k];
  return 1;
}


void newton_solve(newtonMatrix *w, double damping, double least, const double *b, double *x)
{
  ART_ASSERT(damping >= 0 && least >= 0 && b != x);
  const int n = w->n;
  if (!w->is_decomposed && damping == 0 && eliminate_undamped(w, b, x)) return;
  memset(x, 0, (size_t) n * sizeof *x);
  if (!w->is_decomposed && find_values(w, NULL) != ART_OK) return; // no step
  for (int i = 0; i < n && w->s[i] > least * w->s[0]; i++) {
    double share = 0;
    for (int k = 0; k < n; k++) share += w->U[(long) i * n + k] * (w->row[k] * b[k]);
    share *= w->s[i] / (w->s[i] * w->s[i] + damping * w->s[0] * w->s[0]);
    for (int k = 0; k < n; k++) x[k] += share * w->Vt[(long) k * n + i] * w->column[k];
  }
}


//---- the search ----------------------------------------------------------------------------------

newtonRule newton_damping_rule(int most_iterations)
{
  return (newtonRule){.most_iterations = most_iterations,
                      .most_tries = 16,
                      .grow = 10,
                      .rise = 1e-6,
                      .highest = HUGE_VAL,
                      .fall = 100,
                      .least = 2e-10};
}


newtonRule newton_halving_rule(int most_iterations)
{
  return (newtonRule){.most_iterations = most_iterations,
                      .most_tries = 12,
                      .grow = 2,
                      .rise = 1,
                      .highest = HUGE_VAL,
                      .fall = 1,
                      .least = HUGE_VAL};
}


double newton_part(double damping)
{
  return damping > 0 ? 0.5 / damping : 1;
}


// take a step that reduces the norm, to *reached; 0 when there is none
static int improve_newton_point(const newtonProblem *p, const newtonRule *rule, double norm,
                                double *damping, double *reached)
{
  for (int k = 0; k < rule->most_tries; k++) {
    *reached = p->attempt(p->context, *damping);
    if (*reached < norm) {
      p->take(p->context);
      *damping /= rule->fall;
      if (*damping < rule->least) *damping = rule->lowest;
      return 1;
    }
    *damping = fmin(fmax(rule->grow * *damping, rule->rise), rule->highest);
  }
  return 0;
}


artStatus newton_search(const newtonProblem *p, const newtonRule *rule, int *iterations,
                        artError *error)
{
  ART_ASSERT(p->linearise && p->attempt && p->take);
  ART_ASSERT(rule->most_iterations >= 0 && rule->grow > 1 && rule->fall >= 1);
  double damping = rule->first, before = HUGE_VAL, norm, reached;
  newtonState state, last = NEWTON_FAR;
  int stalls = 0;
  for (int i = 0;; i++) {
    artStatus status = p->linearise(p->context, &state, &norm, error);
    if (status != ART_OK) return status;
    const int has_gained = last == NEWTON_FAR || norm <= DIGIT_GAIN_RATIO * before;
    if (i > 0 && has_gained) ++*iterations;
    if (!has_gained || state == NEWTON_THERE || i == rule->most_iterations) return ART_OK;

    last = state;
    before = norm;
    const int is_lower = improve_newton_point(p, rule, norm, &damping, &reached);
    stalls = is_lower && reached < STALL_RATIO * norm ? 0 : stalls + 1;
    if (is_lower && (rule->most_stalls == 0 || stalls < rule->most_stalls)) continue;
    if (state == NEWTON_NEAR || !p->escape) return ART_OK;

    int moved = 0;
    status = p->escape(p->context, &damping, &moved, error);
    if (status != ART_OK || !moved) return status;
    stalls = 0;
  }
}
