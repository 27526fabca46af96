// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Skyline systems against the product they must give back.
#include "num/skyline.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

enum { N = 12, K = 30 };

typedef struct gram {
  double y[N][K]; // A = y y^T
  int first[N];
} gram;


// rows that reach `width` columns back, so that A has a band
static gram random_gram(int width, uint64_t *seed)
{
  gram g = {0};
  for (int r = 0; r < N; r++) {
    for (int k = 2 * r; k < 2 * r + 2 * width && k < K; k++) g.y[r][k] = check_uniform(seed, -1, 1);
    g.first[r] = r < width ? 0 : r - width + 1;
  }
  return g;
}


static double entry(const gram *g, int r, int c)
{
  double sum = 0;
  for (int k = 0; k < K; k++) sum += g->y[r][k] * g->y[c][k];
  return sum;
}


static void fill(const gram *g, numSkyline *s)
{
  skyline_clear(s);
  for (int r = 0; r < N; r++) {
    for (int c = s->first[r]; c <= r; c++) s->row[r][c] = entry(g, r, c);
  }
}


static void multiply(const gram *g, const double *x, double *b)
{
  for (int r = 0; r < N; r++) {
    b[r] = 0;
    for (int c = 0; c < N; c++) b[r] += entry(g, r, c) * x[c];
  }
}


TEST(a_banded_system_is_solved)
{
  uint64_t seed = 1;
  for (int width = 1; width <= 4; width++) {
    const gram g = random_gram(width, &seed);
    baseArena arena = {0};
    numSkyline s;
    if (!CHECK(skyline_start(&s, N, g.first, &arena))) return;
    for (int again = 0; again < 2; again++) {
      double want[N], x[N];
      int worst;
      for (int k = 0; k < N; k++) want[k] = check_uniform(&seed, -2, 2);
      fill(&g, &s);
      multiply(&g, want, x);
      CHECK_EQ_INT(skyline_factor(&s), 0);
      const double left = skyline_solve(&s, x, &worst);
      CHECK(left == 0 && worst == -1);
      CHECK_NEAR(x, want, N, 1e-10);
    }
    arena_free(&arena);
  }
}


TEST(dependent_rows_are_set_aside)
{
  uint64_t seed = 2;
  gram g = random_gram(12, &seed);
  for (int k = 0; k < K; k++) {
    g.y[3][k] = 1e-14 * g.y[3][k];             // nothing
    g.y[7][k] = 2 * g.y[1][k] - 3 * g.y[5][k]; // follows from 1 and 5
    g.y[9][k] = g.y[7][k] + 0.5 * g.y[2][k];
  }
  baseArena arena = {0};
  numSkyline s;
  if (!CHECK(skyline_start(&s, N, g.first, &arena))) return;
  fill(&g, &s);
  CHECK_EQ_INT(skyline_factor(&s), 3);
  CHECK(s.inverse[3] == 0 && s.inverse[7] == 0 && s.inverse[9] == 0);

  // a right side that agrees: A x = b holds in all rows, those set aside included
  double want[N], b[N], x[N], again[N];
  int worst;
  for (int k = 0; k < N; k++) want[k] = check_uniform(&seed, -2, 2);
  multiply(&g, want, b);
  memcpy(x, b, sizeof x);
  CHECK(skyline_solve(&s, x, &worst) < 1e-12);
  CHECK(x[3] == 0 && x[7] == 0 && x[9] == 0);
  multiply(&g, x, again);
  CHECK_NEAR(again, b, N, 1e-10);

  // and one that does not
  b[7] += 0.25;
  CHECK_CLOSE(skyline_solve(&s, b, &worst), 0.25, 1e-10);
  CHECK_EQ_INT(worst, 7);
  arena_free(&arena);
}


TEST(rows_that_never_meet_take_no_room)
{
  const int first[4] = {0, 0, 2, 2};
  baseArena arena = {0};
  numSkyline s;
  if (!CHECK(skyline_start(&s, 4, first, &arena))) return;
  skyline_clear(&s);
  s.row[0][0] = 4, s.row[1][0] = 2, s.row[1][1] = 5;
  s.row[2][2] = 1, s.row[3][2] = 3, s.row[3][3] = 10;
  CHECK_EQ_INT(skyline_factor(&s), 0);
  double x[4] = {8, 14, 7, 24};
  int worst;
  skyline_solve(&s, x, &worst);
  CHECK_NEAR(x, ((double[4]){0.75, 2.5, -2, 3}), 4, 1e-14);
  arena_free(&arena);
}
