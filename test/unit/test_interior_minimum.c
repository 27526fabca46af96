// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The search for negative values inside an interval at whose ends a function is positive.
#include <float.h>
#include <math.h>

#include "base/interior_minimum.h"
#include "support/check.h"

// a point passes another one at `t0`, `aside` of it, and stops are `reach` wide
typedef struct passing {
  double t0, aside, reach, rounding;
  int calls;
} passing;


static double distance_left(void *context, double t, int *has_failed)
{
  passing *p = context;
  *has_failed = 0;
  // rounding changes its sign from call to call
  const double noise = p->calls++ % 4 < 2 ? p->rounding : -p->rounding;
  return hypot(t - p->t0, p->aside) - p->reach + noise;
}


static interiorResult search_passing(passing *p, double *at)
{
  int has_failed;
  interiorSearch s = {.value = distance_left,
                      .context = p,
                      .from = 0,
                      .to = 1,
                      .rate_before = NAN,
                      .zero = 4 * DBL_EPSILON,
                      .noise = 2 * p->rounding};
  s.g_from = distance_left(p, 0, &has_failed);
  s.g_to = distance_left(p, 1, &has_failed);
  return interior_search(&s, at);
}


TEST(a_point_that_passes_is_found_wherever_and_however_short)
{
  static const double reach[] = {1e-2, 1e-5, 1e-9};
  for (int k = 0; k < 3; k++) {
    for (double t0 = 0.003; t0 < 0.99; t0 += 0.0123) {
      passing p = {.t0 = fmax(t0, 2 * reach[k]), .reach = reach[k]};
      double at = NAN;
      CHECK(search_passing(&p, &at) == INTERIOR_NEGATIVE);
      CHECK(fabs(at - p.t0) < p.reach);
      CHECK(p.calls < 40);
      p.aside = 0.9 * p.reach;
      CHECK(search_passing(&p, &at) == INTERIOR_NEGATIVE);
    }
  }
}


TEST(a_point_that_stays_aside_is_left_alone)
{
  for (double t0 = -0.2; t0 < 1.2; t0 += 0.0123) {
    double at;
    passing p = {.t0 = t0, .aside = 1.001e-3, .reach = 1e-3};
    CHECK(search_passing(&p, &at) == INTERIOR_CLEAR);
    CHECK(p.calls < 80);
  }
}


// what is at the level of rounding is zero
TEST(rounding_is_no_reason_to_look)
{
  double at;
  passing p = {.t0 = 0.5, .aside = 1e6, .reach = 1e6 - 1e-6, .rounding = 1e-10};
  CHECK(search_passing(&p, &at) == INTERIOR_CLEAR);
  CHECK(p.calls < 8);
}


static double wave(void *context, double t, int *has_failed)
{
  int *calls = context;
  *has_failed = 0;
  ++*calls;
  return 1e-6 + 1 - cos(31415.9 * t);
}


// a function that all but touches zero again and again: the looks are bounded
TEST(a_search_ends)
{
  int calls = 0;
  double at;
  const double g = 1e-6 + 1 - cos(0.1);
  const interiorSearch s = {.value = wave,
                            .context = &calls,
                            .from = 0.1 / 31415.9,
                            .to = 1 - 0.1 / 31415.9,
                            .g_from = g,
                            .g_to = g,
                            .rate_before = -1e4};
  CHECK(interior_search(&s, &at) != INTERIOR_NEGATIVE);
  CHECK(calls < 400);
}
