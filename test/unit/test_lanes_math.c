// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of lanes against the C library in long double, and at the ends of their ranges against
// the library in double.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#if defined __aarch64__
#include <arm_neon.h>
#elif defined __SSE2__
#include <immintrin.h>
#endif

#include "support/check.h"

// test_lanes_wide.c takes this file for eight lanes
#pragma GCC diagnostic ignored "-Wpsabi"
#ifndef LANES
#define LANES 4
#endif
typedef double lanes __attribute__((vector_size(8 * LANES)));
#include "emit/language/lanes_math.h"

enum { TRIALS = 20000 };

// error in units of the last digit of the wanted number
static double error_of(double got, long double want)
{
  if (isnan((double) want)) return isnan(got) ? 0 : HUGE_VAL;
  if ((double) want == got) return 0;
  const double size = fabs((double) want);
  const double unit = size < DBL_MIN ? 0x1p-1074 : nextafter(size, HUGE_VAL) - size;
  return (double) fabsl((long double) got - want) / unit;
}


typedef struct oneCase {
  const char *name;
  lanes (*mine)(lanes);
  long double (*theirs)(long double);
  double from, to;
  double most; // units of the last digit
  int is_log;  // evenly by size
} oneCase;

// functions of one argument as pointers
// clang-format off
#define WRAP(f)                                                                                    \
  static lanes mine_##f(lanes x)                                                                   \
  {                                                                                                \
    return lanes_##f(x);                                                                           \
  }
WRAP(sin) WRAP(cos) WRAP(tan) WRAP(asin) WRAP(acos) WRAP(atan) WRAP(sinh) WRAP(cosh)
WRAP(tanh) WRAP(exp) WRAP(log) WRAP(log10) WRAP(sqrt) WRAP(floor) WRAP(abs)
    // clang-format on

    static const oneCase ones[] = {{"sin", mine_sin, sinl, -7, 7, 1.5, 0},
                                   {"sin far", mine_sin, sinl, -1e5, 1e5, 2.5, 0},
                                   {"sin beyond", mine_sin, sinl, 1e5, 1e12, 1, 0},
                                   {"cos", mine_cos, cosl, -7, 7, 1.5, 0},
                                   {"cos far", mine_cos, cosl, -1e5, 1e5, 2.5, 0},
                                   {"tan", mine_tan, tanl, -7, 7, 3, 0},
                                   {"asin", mine_asin, asinl, -1, 1, 2.5, 0},
                                   {"asin small", mine_asin, asinl, 1e-300, 1, 2.5, 1},
                                   {"acos", mine_acos, acosl, -1, 1, 2.5, 0},
                                   {"atan", mine_atan, atanl, -3, 3, 1.5, 0},
                                   {"atan wide", mine_atan, atanl, 1e-300, 1e300, 1.5, 1},
                                   {"sinh", mine_sinh, sinhl, -3, 3, 2.5, 0},
                                   {"sinh wide", mine_sinh, sinhl, 1e-300, 710.4, 2.5, 1},
                                   {"cosh", mine_cosh, coshl, -710.4, 710.4, 2.5, 0},
                                   {"tanh", mine_tanh, tanhl, -3, 3, 4, 0},
                                   {"tanh wide", mine_tanh, tanhl, 1e-300, 1e300, 4, 1},
                                   {"exp", mine_exp, expl, -3, 3, 1, 0},
                                   {"exp wide", mine_exp, expl, -708, 709.78, 1, 0},
                                   {"exp small", mine_exp, expl, -745, -708, 1.5, 0},
                                   {"log", mine_log, logl, 0.5, 2, 1, 0},
                                   {"log wide", mine_log, logl, 5e-324, 1.7e308, 1, 1},
                                   {"log10", mine_log10, log10l, 5e-324, 1.7e308, 2, 1},
                                   {"sqrt", mine_sqrt, sqrtl, 5e-324, 1.7e308, 0.5, 1},
                                   {"floor", mine_floor, floorl, -1e4, 1e4, 0, 0},
                                   {"floor wide", mine_floor, floorl, 1e-300, 1e300, 0, 1},
                                   {"abs", mine_abs, fabsl, -1, 1, 0, 0},
                                   {0}};


static double between(uint64_t *seed, double from, double to, int is_log)
{
  if (!is_log) return check_uniform(seed, from, to);
  return fmin(to, fmax(from, exp(check_uniform(seed, log(from), log(to)))));
}


TEST(functions_are_right_to_the_last_digits)
{
  uint64_t seed = 1;
  for (const oneCase *c = ones; c->name; c++) {
    double worst = 0, where = 0;
    for (int trial = 0; trial < TRIALS; trial += LANES) {
      lanes x;
      for (int k = 0; k < LANES; k++) x[k] = between(&seed, c->from, c->to, c->is_log);
      const lanes y = c->mine(x);
      for (int k = 0; k < LANES; k++) {
        const double error = error_of(y[k], c->theirs((long double) x[k]));
        if (error <= worst || isnan(worst)) continue;
        worst = error;
        where = x[k];
      }
    }
    if (getenv("ART_VERBOSE")) printf("%-12s %.2f at %.17g\n", c->name, worst, where);
    if (!CHECK(worst <= c->most)) printf("  %s is off by %.2f at %.17g\n", c->name, worst, where);
  }
}


// clang-format off
static const double ends[] = {
    0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, HUGE_VAL, -HUGE_VAL, NAN, DBL_MIN, -DBL_MIN, 5e-324,
    -5e-324, DBL_MAX, -DBL_MAX, 1e5, -1e5, 0x1p53, -0x1p53, 1.5707963267948966, 710, -746, 800,
    -800, 1e-17, -1e-17, 0x1.fffffffffffffp-1, 1e22};
// clang-format on
enum { ENDS = sizeof ends / sizeof *ends };


// the same kind of number: both none, both infinite with one sign, zeros with one sign
static int is_alike(double got, double want, double most)
{
  if (isnan(want)) return isnan(got);
  if (isinf(want) || want == 0) return got == want && signbit(got) == signbit(want);
  return error_of(got, (long double) want) <= most;
}


TEST(functions_of_one_number_at_the_ends)
{
  for (const oneCase *c = ones; c->name; c++) {
    for (int i = 0; i < ENDS; i++) {
      const double got = c->mine(lanes_all(ends[i]))[i % LANES];
      const double want = (double) c->theirs((long double) ends[i]);
      // sines of both zeros are 0
      if ((c->theirs == tanl || c->theirs == sinl) && ends[i] == 0 && got == 0) continue;
      if (c->theirs == tanl && fabs(ends[i]) == 1.5707963267948966) continue;
      if (is_alike(got, want, c->most + 1)) continue;
      CHECK(0);
      printf("  %s(%.17g) is %.17g, want %.17g\n", c->name, ends[i], got, want);
    }
  }
}


typedef struct twoCase {
  const char *name;
  lanes (*mine)(lanes, lanes);
  double (*theirs)(double, double);
  double most;
} twoCase;


static lanes mine_atan2(lanes x, lanes y)
{
  return lanes_atan2(x, y);
}


static lanes mine_pow(lanes x, lanes y)
{
  return lanes_pow(x, y);
}


static lanes mine_hypot(lanes x, lanes y)
{
  return lanes_hypot(x, y);
}


static lanes mine_mod(lanes x, lanes y)
{
  return lanes_mod(x, y);
}


static double scalar_mod(double a, double b)
{
  return a - b * floor(a / b);
}


TEST(quotients_are_those_of_c)
{
  uint64_t seed = 4;
  for (int trial = 0; trial < TRIALS; trial += LANES) {
    lanes a, b;
    for (int k = 0; k < LANES; k++) {
      a[k] = between(&seed, 1e-200, 1e200, 1) * (trial % 3 - 1);
      b[k] = between(&seed, 1e-100, 1e100, 1) * (trial % 2 ? 1 : -1);
    }
    const lanes q = lanes_over(a, b);
    for (int k = 0; k < LANES; k++) CHECK(error_of(q[k], (long double) a[k] / b[k]) <= 0.501);
  }
  for (int i = 0; i < ENDS * ENDS; i++) {
    const double x = ends[i / ENDS], y = ends[i % ENDS], want = x / y;
    const double got = lanes_over(lanes_all(x), lanes_all(y))[i % LANES];
    if ((want == 0 && got == 0) || (x != 0 && fabs(x) < 0x1p-960)) continue;
    if (!CHECK(is_alike(got, want, 1))) printf("  %.17g/%.17g is %.17g\n", x, y, got);
  }
}


TEST(functions_of_two_numbers_at_the_ends)
{
  static const twoCase twos[] = {{"atan2", mine_atan2, atan2, 2},
                                 {"pow", mine_pow, pow, 4},
                                 {"hypot", mine_hypot, hypot, 2},
                                 {"mod", mine_mod, scalar_mod, 2},
                                 {0}};
  for (const twoCase *c = twos; c->name; c++) {
    for (int i = 0; i < ENDS * ENDS; i++) {
      const double x = ends[i / ENDS], y = ends[i % ENDS];
      const double got = c->mine(lanes_all(x), lanes_all(y))[i % LANES], want = c->theirs(x, y);
      if (is_alike(got, want, c->most)) continue;
      CHECK(0);
      printf("  %s(%.17g, %.17g) is %.17g, want %.17g\n", c->name, x, y, got, want);
    }
  }
}


TEST(functions_of_two_numbers_are_right_to_the_last_digits)
{
  uint64_t seed = 2;
  double worst[3] = {0};
  for (int trial = 0; trial < TRIALS; trial += LANES) {
    lanes x, y, e;
    for (int k = 0; k < LANES; k++) {
      x[k] = between(&seed, 1e-3, 1e3, 1) * (trial % 8 < 4 ? 1 : -1);
      y[k] = between(&seed, 1e-3, 1e3, 1) * (trial % 16 < 8 ? 1 : -1);
      e[k] = check_uniform(&seed, -100, 100);
    }
    const lanes angle = lanes_atan2(y, x), length = lanes_hypot(x, y),
                power = lanes_pow(lanes_abs(x), e);
    for (int k = 0; k < LANES; k++) {
      const long double a = (long double) x[k], b = (long double) y[k];
      worst[0] = check_larger(worst[0], error_of(angle[k], atan2l(b, a)));
      worst[1] = check_larger(worst[1], error_of(length[k], hypotl(a, b)));
      worst[2] = check_larger(worst[2], error_of(power[k], powl(fabsl(a), (long double) e[k])));
    }
  }
  if (getenv("ART_VERBOSE"))
    printf("atan2 %.2f hypot %.2f pow %.2f\n", worst[0], worst[1], worst[2]);
  CHECK(worst[0] <= 2.5);
  CHECK(worst[1] <= 2);
  CHECK(worst[2] <= 2.5);
}


TEST(comparisons_and_choices_are_those_of_c)
{
  enum { ALL = (1 << LANES) - 1 };
  for (int i = 0; i < ENDS * ENDS; i++) {
    const double a = ends[i / ENDS], b = ends[i % ENDS];
    const lanes x = lanes_all(a), y = lanes_all(b);
    CHECK_EQ_INT(lanes_number(lanes_below(x, y)), a < b ? ALL : 0);
    CHECK_EQ_INT(lanes_number(lanes_up_to(x, y)), a <= b ? ALL : 0);
    CHECK_EQ_INT(lanes_number(lanes_same(x, y)), a == b ? ALL : 0);
    CHECK_EQ_INT(lanes_number(lanes_is(x) & lanes_is(y)), a != 0 && b != 0 ? ALL : 0);
    CHECK_EQ_INT(lanes_number(lanes_is(x) | lanes_is(y)), a != 0 || b != 0 ? ALL : 0);
    CHECK_EQ_INT(lanes_number(~lanes_is(x)), a == 0 ? ALL : 0);
    CHECK_EQ_INT(lanes_any(lanes_is_none(x)), isnan(a));
    CHECK_EQ_INT(lanes_any(lanes_has_minus(x)), signbit(a) != 0);
    CHECK_EQ_INT((long long) lanes_truth(lanes_is(x))[1], a != 0);
    CHECK_EQ_INT((long long) lanes_sign(x)[0], (a > 0) - (a < 0));
    const double least = fmin(a, b), largest = fmax(a, b), chosen = a != 0 ? a : b;
    CHECK(lanes_min(x, y)[0] == least || isnan(least));
    CHECK(lanes_max(x, y)[0] == largest || isnan(largest));
    CHECK(lanes_pick(lanes_is(x), x, y)[1] == chosen || isnan(chosen));
  }
}


TEST(masks_have_a_bit_for_each_lane)
{
  for (int number = 0; number < 1 << LANES; number++) {
    lanes x;
    for (int k = 0; k < LANES; k++) x[k] = number >> k & 1;
    const lanes_mask m = lanes_is(x);
    const lanes picked = lanes_pick(m, x + 1, x - 1), kept = lanes_where(m, x + 1);
    CHECK_EQ_INT(lanes_number(m), number);
    CHECK_EQ_INT(lanes_any(m), number != 0);
    for (int k = 0; k < LANES; k++) {
      CHECK(picked[k] == (number >> k & 1 ? 2 : -1));
      CHECK(kept[k] == (number >> k & 1 ? 2 : 0));
    }
  }
}


// a lane gives the same bits whatever stands beside it
TEST(lanes_do_not_know_their_neighbours)
{
  uint64_t seed = 3;
  for (const oneCase *c = ones; c->name; c++) {
    for (int trial = 0; trial < 200; trial++) {
      const double x = between(&seed, c->from, c->to, c->is_log);
      const double alone = c->mine(lanes_all(x))[0];
      lanes mixed;
      for (int k = 0; k < LANES; k++) mixed[k] = ends[(trial + 7 * k) % ENDS];
      mixed[trial % LANES] = x;
      const double among = c->mine(mixed)[trial % LANES];
      if (!CHECK(memcmp(&alone, &among, sizeof alone) == 0)) return;
    }
  }
}
