// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts with Coulomb friction, of any number and of rows that depend on each other: what is found satisfies every condition, and
// where nothing does, that is said.
#include <math.h>
#include <stdio.h>

#include "num/coulomb.h"
#include "support/check.h"

enum { MOST = 12, CASES = 3000 };

typedef struct roomOf {
  double W[9 * MOST * MOST], b[3 * MOST], friction[MOST], e[2 * MOST], p[3 * MOST], u[3 * MOST];
  double room[9 * MOST * MOST + 9 * MOST];
  int slips[MOST], state[MOST];
} roomOf;


static coulombProblem problem_in(roomOf *r, int n)
{
  return (coulombProblem){.n = n,
                          .W = r->W,
                          .b = r->b,
                          .friction = r->friction,
                          .slips = r->slips,
                          .e = r->e,
                          .state = r->state,
                          .p = r->p,
                          .u = r->u,
                          .room = r->room};
}


// W = Z Z^T with Z of `rank` columns
static void random_rows(roomOf *r, int n, int rank, uint64_t *seed)
{
  double Z[3 * MOST][3 * MOST];
  for (int i = 0; i < 3 * n; i++) {
    for (int j = 0; j < rank; j++) Z[i][j] = check_uniform(seed, -1, 1);
  }
  for (int i = 0; i < 3 * n; i++) {
    for (int j = 0; j < 3 * n; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++) sum += Z[i][k] * Z[j][k];
      r->W[i * 3 * n + j] = sum;
    }
  }
}


// how far a solution is off its conditions, of the largest terms
static double off_by(const coulombProblem *q)
{
  double most = 0, size = 1;
  for (int i = 0; i < 3 * q->n; i++) {
    double sum = q->b[i] - q->u[i];
    for (int j = 0; j < 3 * q->n; j++) {
      sum += q->W[3 * q->n * i + j] * q->p[j];
      size = fmax(size, fabs(q->W[3 * q->n * i + j] * q->p[j]));
    }
    most = fmax(most, fabs(sum));
  }
  for (int i = 0; i < q->n; i++) {
    const double *p = q->p + 3 * i, *u = q->u + 3 * i;
    const double limit = q->friction[i] * p[0], slip = hypot(u[1], u[2]);
    most = fmax(most, fmax(-p[0], -u[0]));
    most = fmax(most, fmin(fabs(p[0]), fabs(u[0])));
    most = fmax(most, hypot(p[1], p[2]) - limit);
    if (slip < 3e-6 * size) continue;
    most = fmax(most, fabs(p[1] + limit * u[1] / slip));
    most = fmax(most, fabs(p[2] + limit * u[2] / slip));
  }
  return most / size;
}


// Weak friction, for which there is a solution.
TEST(solutions_satisfy_every_condition)
{
  static roomOf r;
  uint64_t seed = 5;
  int solved = 0;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    const int n = 1 + (int) check_uniform(&seed, 0, 8), full = 3 * n;
    const int rank = k % 2 ? full : 3 + (int) check_uniform(&seed, 0, 4);
    random_rows(&r, n, rank < full ? rank : full, &seed);
    for (int i = 0; i < full; i++) r.b[i] = 0;
    for (int i = 0; i < n; i++) {
      r.friction[i] = k % 3 ? check_uniform(&seed, 0, 0.3) : 0;
      r.slips[i] = 0;
    }
    // b is in the range of W, as that of one body is
    for (int j = 0; j < full; j++) {
      const double x = check_uniform(&seed, -1, 1);
      for (int i = 0; i < full; i++) r.b[i] += r.W[full * i + j] * x;
    }
    coulombProblem q = problem_in(&r, n);
    if (!coulomb_solve(&q)) continue;
    solved++;
    const double off = off_by(&q);
    if (!(off <= worst)) worst = off;
  }
  printf("  solved %d of %d, off by %.1e\n", solved, CASES, worst);
  CHECK(solved >= CASES * 99 / 100);
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
  for (int i = 0; i < 4; i++) {
    r.friction[i] = 0.5;
    r.slips[i] = 0;
  }
  coulombProblem q = problem_in(&r, 4);
  CHECK(coulomb_solve(&q));
  for (int i = 0; i < 4; i++) {
    CHECK_CLOSE(q.p[3 * i], 2.5, 1e-8);
    CHECK_EQ_INT(q.state[i], COULOMB_HOLDS);
  }
}


// A rod that slides on its lower end: where friction presses it against the floor there is no force that lifts it (Painleve).
TEST(what_has_no_solution_is_told)
{
  static roomOf r;
  const double W[9] = {1, 0.9, 0, 0.9, 2, 0, 0, 0, 1};
  for (int i = 0; i < 9; i++) r.W[i] = W[i];
  r.b[0] = -1, r.b[1] = r.b[2] = 0;
  r.e[0] = 1, r.e[1] = 0;
  r.slips[0] = 1;
  coulombProblem q = problem_in(&r, 1);
  r.friction[0] = 1;
  CHECK(coulomb_solve(&q));
  CHECK_CLOSE(q.p[0], 1 / (1 - 0.9), 1e-9);
  r.friction[0] = 1.2;
  CHECK(!coulomb_solve(&q));
}
