// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts with Coulomb friction, of any number and of rows that depend on each other: what is found satisfies every condition, and
// where nothing does, that is said.
#include <math.h>
#include <stdio.h>

#include "num/coulomb.h"
#include "support/check.h"

enum { MOST = 12, ROWS = 6 * MOST, CASES = 300 };

typedef struct roomOf {
  double W[ROWS * ROWS], b[ROWS], p[ROWS], u[ROWS], room[ROWS * ROWS + 3 * ROWS];
  coulombCone cone[2 * MOST];
} roomOf;


// n contacts without friction, of `own` rows each, and with is_rolling as many cones of rolling
static coulombProblem problem_in(roomOf *r, int n, int own, int is_rolling)
{
  coulombProblem q = {.cone = r->cone, .W = r->W, .b = r->b, .p = r->p, .u = r->u, .room = r->room};
  for (int i = 0; i < n; i++) {
    q.cone[q.n++] = (coulombCone){.row = q.nrow, .size = own, .scale = 1};
    q.nrow += own;
    if (!is_rolling) continue;
    q.cone[q.n++] = (coulombCone){.is_rolling = 1, .row = q.nrow, .size = 2, .scale = 1};
    q.nrow += 2;
  }
  return q;
}


// W = Z Z^T with Z of `rank` columns
static void random_rows(const coulombProblem *q, int rank, uint64_t *seed)
{
  double Z[ROWS][ROWS];
  for (int i = 0; i < q->nrow; i++) {
    for (int j = 0; j < rank; j++) Z[i][j] = check_uniform(seed, -1, 1);
  }
  for (int i = 0; i < q->nrow; i++) {
    for (int j = 0; j < q->nrow; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++) sum += Z[i][k] * Z[j][k];
      q->W[i * q->nrow + j] = sum;
    }
  }
}


static double size_of(int n, const double *x)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}


// how far one cone is off its conditions, where the terms have this size
static double cone_off_by(const coulombProblem *q, int i, double size)
{
  const coulombCone *c = &q->cone[i];
  const int n = c->size - !c->is_rolling, row = c->row + !c->is_rolling;
  const double *p = q->p + row, *u = q->u + row, normal = q->p[c[-c->is_rolling].row];
  const double limit = c->friction * normal, slip = size_of(n, u), gap = q->u[c->row];
  double most = c->is_rolling ? 0 : fmax(fmax(-normal, -gap), fmin(fabs(normal), fabs(gap)));
  most = fmax(most, size_of(n, p) - limit);
  for (int k = 0; k < n && slip > 3e-6 * size; k++) {
    const double turned = fabs(p[k] / limit + u[k] / slip); // as a force or as a velocity
    most = fmax(most, limit > 0 ? turned * fmin(limit, slip) : 0);
  }
  return most;
}


// how far a solution is off its conditions, of the largest terms
static double off_by(const coulombProblem *q)
{
  double most = 0, size = 1;
  for (int i = 0; i < q->nrow; i++) {
    double sum = q->b[i] - q->u[i];
    for (int j = 0; j < q->nrow; j++) {
      sum += q->W[q->nrow * i + j] * q->p[j];
      size = fmax(size, fabs(q->W[q->nrow * i + j] * q->p[j]));
    }
    most = fmax(most, fabs(sum));
  }
  for (int i = 0; i < q->n; i++) most = fmax(most, cone_off_by(q, i, size));
  return most / size;
}


// Problems of this kind with weak friction, for which there is a solution. Returns how many are solved, and the worst error.
static int solve_random(int own, int is_rolling, uint64_t seed, double *worst)
{
  static roomOf r;
  int solved = 0;
  *worst = 0;
  for (int k = 0; k < CASES; k++) {
    const int n = 1 + (int) check_uniform(&seed, 0, 8);
    coulombProblem q = problem_in(&r, n, own, is_rolling);
    const int full = q.nrow, rank = k % 2 ? full : 3 + (int) check_uniform(&seed, 0, 4);
    random_rows(&q, rank < full ? rank : full, &seed);
    for (int i = 0; i < full; i++) r.b[i] = 0;
    for (int i = 0; i < q.n; i++) {
      q.cone[i].friction = k % 3 ? check_uniform(&seed, 0, 0.3) : 0;
    }
    // b is in the range of W, as that of one body is
    for (int j = 0; j < full; j++) {
      const double x = check_uniform(&seed, -1, 1);
      for (int i = 0; i < full; i++) r.b[i] += r.W[full * i + j] * x;
    }
    if (!coulomb_solve(&q)) continue;
    solved++;
    const double off = off_by(&q);
    if (!(off <= *worst)) *worst = off;
  }
  printf("  solved %d of %d, off by %.1e\n", solved, CASES, *worst);
  return solved;
}


TEST(solutions_satisfy_every_condition)
{
  double worst;
  CHECK(solve_random(3, 0, 5, &worst) >= CASES * 99 / 100);
  CHECK(worst < 1e-6);
}


TEST(solutions_with_resistance_to_spinning_and_rolling_satisfy_every_condition)
{
  double worst;
  CHECK(solve_random(4, 0, 6, &worst) >= CASES * 99 / 100);
  CHECK(worst < 2e-6);
  CHECK(solve_random(3, 1, 7, &worst) >= CASES * 99 / 100);
  CHECK(worst < 1e-6);
  CHECK(solve_random(4, 1, 8, &worst) >= CASES * 99 / 100);
  CHECK(worst < 1e-6);
}


// Four feet that carry one load alike have a quarter of it each.
TEST(forces_are_spread_evenly)
{
  static roomOf r;
  const double at[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  for (int i = 0; i < 12; i++) {
    for (int j = 0; j < 12; j++) {
      const double *a = at[i / 3], *c = at[j / 3];
      r.W[12 * i + j] = i % 3 || j % 3 ? i % 3 == j % 3 : 1 + 3 * (a[0] * c[0] + a[1] * c[1]);
    }
    r.b[i] = i % 3 ? 0 : -10;
  }
  coulombProblem q = problem_in(&r, 4, 3, 0);
  for (int i = 0; i < 4; i++) q.cone[i].friction = 0.5;
  CHECK(coulomb_solve(&q));
  for (int i = 0; i < 4; i++) {
    CHECK_CLOSE(q.p[3 * i], 2.5, 1e-8);
    CHECK_EQ_INT(q.cone[i].state, COULOMB_HOLDS);
  }
}


// A rod that slides on its lower end: where friction presses it against the floor there is no force that lifts it (Painleve).
TEST(what_has_no_solution_is_told)
{
  static roomOf r;
  const double W[9] = {1, 0.9, 0, 0.9, 2, 0, 0, 0, 1};
  for (int i = 0; i < 9; i++) r.W[i] = W[i];
  r.b[0] = -1, r.b[1] = r.b[2] = 0;
  coulombProblem q = problem_in(&r, 1, 3, 0);
  q.cone[0].slips = 1;
  q.cone[0].e[0] = 1;
  q.cone[0].friction = 1;
  CHECK(coulomb_solve(&q));
  CHECK_CLOSE(q.p[0], 1 / (1 - 0.9), 1e-9);
  q.cone[0].friction = 1.2;
  CHECK(!coulomb_solve(&q));
}
