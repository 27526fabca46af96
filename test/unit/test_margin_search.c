// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The search of generated texts for the instant at which a margin becomes zero, against roots that are known.
#include <math.h>

#include "emit/machine/margin_search.h"
#include "support/check.h"

typedef double margin(double x);

static double straight(double x)
{
  return 0.3 - x;
}


static double steep(double x)
{
  return 1 - exp(10 * (x - 0.3));
}


static double flat(double x)
{
  return pow(0.3, 9) - pow(x, 9);
}


static double jumping(double x)
{
  return x < 0.3 ? 1 : -1e-3;
}


static double never(double x)
{
  return x < 1 ? 1 : -1;
}


static double find(margin *f, int *trials)
{
  double at;
  marginSearch s = search_open(0, 1, f(0), f(1));
  while (search_next(&s, &at)) {
    CHECK(at >= s.lo && at <= s.hi);
    search_take(&s, at, f(at));
  }
  *trials = s.n;
  CHECK(!(f(s.hi) > 0) && s.lo < s.hi);
  return s.hi;
}


TEST(roots_are_found_to_rounding)
{
  int n;
  CHECK_CLOSE(find(straight, &n), 0.3, 1e-15);
  CHECK(n < 10);
  CHECK_CLOSE(find(steep, &n), 0.3, 1e-12);
  CHECK(n < 40);
  CHECK_CLOSE(find(flat, &n), 0.3, 1e-12);
  CHECK(n < 60);
  CHECK_CLOSE(find(jumping, &n), 0.3, 1e-9);
  CHECK(n <= 100);
  CHECK_CLOSE(find(never, &n), 1, 1e-9);
}


TEST(a_margin_that_is_zero_at_the_end_needs_no_search)
{
  double at = 7;
  marginSearch s = search_open(0, 1, 0.5, 0);
  CHECK(!search_next(&s, &at) && s.hi == 1 && s.last == 0 && at == 7);
}


// a corner that stands on its border until it leaves it at once, with x^3
TEST(what_leaves_its_border_is_found_at_the_beginning)
{
  double at;
  marginSearch s = search_open(0.5, 1, STANDING, -1);
  while (search_next(&s, &at)) search_take(&s, at, -at * at * at);
  CHECK(s.hi <= 1e-15 && s.n < 10);
}
