// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Our sine and cosine against long doubles.
#include <math.h>

#include "spatial/sincos.h"
#include "support/check.h"


static double ulps(double got, long double want)
{
  const double unit = ldexp(1, ilogb((double) fabsl(want)) - 52);
  return fabs((double) (got - want)) / unit;
}


TEST(both_are_within_one_unit_of_the_last_place)
{
  static const double ranges[] = {1e-3, 0.8, 7, 1e3, 99999};
  uint64_t seed = 3;
  double worst = 0;
  for (int i = 0; i < 500000; i++) {
    const double range = ranges[i % 5], x = check_uniform(&seed, -range, range);
    double s, c;
    sincos_both(x, &s, &c);
    worst = check_larger(worst, check_larger(ulps(s, sinl(x)), ulps(c, cosl(x))));
  }
  CHECK(worst < 0.95);
}


TEST(multiples_of_a_right_angle_keep_their_small_remainder)
{
  for (int k = -1000; k <= 1000; k++) {
    const double x = k * 1.5707963267948966;
    double s, c;
    sincos_both(x, &s, &c);
    const double small = k % 2 ? c : s;
    const long double want = k % 2 ? cosl(x) : sinl(x);
    if (k != 0) CHECK(ulps(small, want) < 2);
  }
}


TEST(huge_and_impossible_angles_are_left_to_the_library)
{
  const double x[6] = {1e5, -1e300, 2.5e17, INFINITY, NAN, 0};
  double s[6], c[6];
  sincos_all(6, x, s, c);
  for (int k = 0; k < 3; k++) {
    CHECK(s[k] == sin(x[k]));
    CHECK(c[k] == cos(x[k]));
  }
  CHECK(isnan(s[3]) && isnan(c[4]));
  CHECK(s[5] == 0 && c[5] == 1);
}


TEST(many_at_once_give_the_same_bits_as_one_by_one)
{
  uint64_t seed = 8;
  double x[23], s[23], c[23];
  for (int n = 0; n <= 23; n++) {
    for (int k = 0; k < n; k++) x[k] = check_uniform(&seed, -50, 50);
    sincos_all(n, x, s, c);
    for (int k = 0; k < n; k++) {
      double sine, cosine;
      sincos_both(x[k], &sine, &cosine);
      CHECK(sine == s[k] && cosine == c[k]);
    }
  }
}


TEST(sine_is_odd_and_cosine_even_to_the_last_bit)
{
  uint64_t seed = 5;
  for (int i = 0; i < 10000; i++) {
    const double x = check_uniform(&seed, 0, 1000);
    double s, c, sn, cn;
    sincos_both(x, &s, &c);
    sincos_both(-x, &sn, &cn);
    CHECK(s == -sn && c == cn);
  }
}
