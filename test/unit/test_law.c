// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force laws against closed forms, and their calculus against differences.
#include "law/law.h"

#include <math.h>
#include <stdio.h>

#include "element/derivative.h"
#include "support/check.h"
#include "support/heap.h"

static baseArena arena; // until the program ends
static const artPlace place = {"car.yaml", 3, 5};

static const lawPoint zigzag[] = {{-2, 1}, {-1, -3}, {0.5, 0}, {1, 4}, {3, 2}};

enum { NPOINT = sizeof zigzag / sizeof zigzag[0] };


static forceLaw *linear(double k)
{
  forceLaw *law;
  CHECK(law_create_linear(&law, &arena, k, place, NULL) == ART_OK);
  return law;
}


static forceLaw *piecewise(int n, const lawPoint *points)
{
  forceLaw *law;
  CHECK(law_create_piecewise(&law, &arena, n, points, place, NULL) == ART_OK);
  return law;
}


static forceLaw *spline(int n, const lawPoint *points)
{
  forceLaw *law;
  CHECK(law_create_spline(&law, &arena, n, points, place, NULL) == ART_OK);
  return law;
}


// (16) of Cardenal, Cuadrado and Bayo (1997): the damper of the Iltis
static const double bump_borders[] = {-0.2, 0.21};
static const double bump_rows[3 * 5] = {-416.42,   1844.3,   0,        0,         0,
                                        0,         9945.627, 33955.72, -59832.25, -395651,
                                        1919.1638, 1634.727, 0,        0,         0};


static forceLaw *segments(int n, const double *borders, int width, const double *c)
{
  forceLaw *law;
  CHECK(law_create_segments(&law, &arena, n, borders, width, c, place, NULL) == ART_OK);
  return law;
}


// of an air spring the slope that tangents have, on dual numbers
static double law_slope(const forceLaw *law, int segment, double x)
{
  forceLaw own = *law;
  const modelElement spring = {.kind = ELEMENT_joint_spring, .spring = &own};
  const double rest = 0;
  double f[3];
  if (law->air) {
    element_slope_by_displacement(&spring, NULL, 1, &x, &rest, 0, &f[1]);
    return -f[1];
  }
  law_derivatives(law, segment, x, f);
  return f[1];
}


// value, slope and integral in the segment of x
static void evaluate(const forceLaw *law, double x, double out[3])
{
  const int segment = law_segment(law, x);
  out[0] = law_value(law, segment, x);
  out[1] = law_slope(law, segment, x);
  out[2] = law_integral(law, segment, x);
}


TEST(a_linear_law_is_hooke)
{
  const forceLaw *law = linear(250);
  for (double x = -2; x <= 2; x += 0.25) {
    double got[3];
    const double want[3] = {250 * x, 250, 125 * x * x};
    evaluate(law, x, got);
    CHECK_NEAR(got, want, 3, 0);
  }
  CHECK(law->nsegment == 1 && law_is_smooth(law));
}


TEST(a_polynomial_law_agrees_with_its_closed_form)
{
  const double c[] = {0.5, -2, 3, 0, 7};
  forceLaw *law;
  CHECK(law_create_polynomial(&law, &arena, 5, c, place, NULL) == ART_OK);
  CHECK(law->nsegment == 1 && law_is_smooth(law));
  for (double x = -1.5; x <= 1.5; x += 0.1) {
    double got[3];
    const double want[3] = {0.5 - 2 * x + 3 * x * x + 7 * pow(x, 4), -2 + 6 * x + 28 * pow(x, 3),
                            0.5 * x - x * x + x * x * x + 1.4 * pow(x, 5)};
    evaluate(law, x, got);
    CHECK_NEAR(got, want, 3, 1e-13);
  }
}


TEST(a_piecewise_law_joins_its_points_and_goes_on_straight)
{
  const forceLaw *law = piecewise(NPOINT, zigzag);
  CHECK_EQ_INT(law->nsegment, NPOINT - 1);
  CHECK(!law_is_smooth(law));
  static const double x[] = {-4, -2, -1.5, -1, -0.5, 0, 0.5, 0.75, 1, 2, 3, 5};
  static const double f[] = {9, 1, -1, -3, -2, -1, 0, 2, 4, 3, 2, 0};
  static const int segment[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3};
  for (int i = 0; i < 12; i++) {
    const double got = law_value(law, law_segment(law, x[i]), x[i]);
    CHECK_CLOSE(got, f[i], 1e-15);
    CHECK_EQ_INT(law_segment(law, x[i]), segment[i]);
  }

  // areas of trapezia from 0: to 0.5, to 1, to 3, to 5, and back to -1, -2
  static const double at[] = {0, 0.5, 1, 3, 5, -1, -2};
  static const double area[] = {0, -0.25, 0.75, 6.75, 8.75, 2, 3};
  for (int i = 0; i < 7; i++) {
    const double got = law_integral(law, law_segment(law, at[i]), at[i]);
    CHECK_CLOSE(got, area[i], 1e-14);
  }
}


TEST(a_spline_goes_through_its_points)
{
  const forceLaw *law = spline(NPOINT, zigzag);
  CHECK_EQ_INT(law->nsegment, NPOINT + 1);
  CHECK(law_is_smooth(law));
  for (int i = 0; i < NPOINT; i++) {
    CHECK_CLOSE(law_value(law, law_segment(law, zigzag[i].x), zigzag[i].x), zigzag[i].f, 1e-14);
  }
}


TEST(the_spline_of_three_points_has_its_closed_form)
{
  // f = |x| at -1, 0, 1: M_1 = 6 (1 - -1)/(2*2) = 3, so f = x^2 3/2 - |x|^3/2 and slope 3/2 at 1
  const lawPoint points[] = {{-1, 1}, {0, 0}, {1, 1}};
  const forceLaw *law = spline(3, points);
  for (double x = -3; x <= 3; x += 0.125) {
    const double a = fabs(x), s = x < 0 ? -1 : 1;
    const double inside[3] = {1.5 * a * a - 0.5 * a * a * a, s * (3 * a - 1.5 * a * a),
                              s * (0.5 * a * a * a - 0.125 * a * a * a * a)};
    const double outside[3] = {1 + 1.5 * (a - 1), s * 1.5,
                               s * (0.375 + (a - 1) + 0.75 * (a - 1) * (a - 1))};
    double got[3];
    evaluate(law, x, got);
    CHECK_NEAR(got, a <= 1 ? inside : outside, 3, 1e-14);
  }
}


TEST(a_spline_through_a_straight_line_is_that_line)
{
  lawPoint points[9];
  for (int i = 0; i < 9; i++) points[i] = (lawPoint){i * i - 20, 3.0 * (i * i - 20) + 1};
  const forceLaw *law = spline(9, points);
  for (double x = -40; x < 60; x += 0.7) {
    double got[3];
    const double want[3] = {3 * x + 1, 3, 1.5 * x * x + x};
    evaluate(law, x, got);
    CHECK_REL(got, want, 3, 1e-12);
  }
  const lawPoint two[] = {{0, 1}, {2, 5}};
  const double got = law_value(spline(2, two), 1, 1), want = 3;
  CHECK_CLOSE(got, want, 1e-15);
}


static double second_slope(const forceLaw *law, int segment, double x)
{
  const double h = 1e-3;
  return (law_slope(law, segment, x + h) - law_slope(law, segment, x - h)) / (2 * h);
}


TEST(a_spline_is_twice_differentiable_at_every_border)
{
  uint64_t seed = 7;
  for (int trial = 0; trial < 20; trial++) {
    lawPoint points[12];
    double x = -5;
    for (int i = 0; i < 12; i++) {
      points[i] = (lawPoint){x, check_uniform(&seed, -3, 3)};
      x += check_uniform(&seed, 0.3, 2);
    }
    const forceLaw *law = spline(12, points);
    for (int i = 0; i + 1 < law->nsegment; i++) {
      const double border = law->knot[i];
      const double below[4] = {law_value(law, i, border), law_slope(law, i, border),
                               law_integral(law, i, border), second_slope(law, i, border)};
      const double above[4] = {law_value(law, i + 1, border), law_slope(law, i + 1, border),
                               law_integral(law, i + 1, border), second_slope(law, i + 1, border)};
      CHECK_NEAR(below, above, 3, 1e-12);
      CHECK_CLOSE(below[3], above[3], 1e-9);
    }
  }
}


// slope and value against central differences of value and integral, of order 4
static void check_calculus(const forceLaw *law)
{
  const double h = 1e-3;
  for (int i = 0; i < law->nsegment; i++) {
    for (double x = -4; x <= 4; x += 0.37) {
#define DIFFERENCE(of)                                                                             \
  ((8 * (of(law, i, x + h) - of(law, i, x - h)) -                                                  \
    (of(law, i, x + 2 * h) - of(law, i, x - 2 * h))) /                                             \
   (12 * h))
      const double got[2] = {law_value(law, i, x), law_slope(law, i, x)};
      const double want[2] = {DIFFERENCE(law_integral), DIFFERENCE(law_value)};
      CHECK_NEAR(got, want, 2, 1e-8);
    }
  }
}


TEST(slope_and_integral_belong_to_the_value_in_every_segment)
{
  const double c[] = {1, -0.3, 0.02, 0.01};
  forceLaw *polynomial;
  CHECK(law_create_polynomial(&polynomial, &arena, 4, c, place, NULL) == ART_OK);
  check_calculus(polynomial);
  check_calculus(linear(3));
  check_calculus(piecewise(NPOINT, zigzag));
  check_calculus(spline(NPOINT, zigzag));
  const double borders[] = {-1, 0.5}, rows[] = {-1, 0, 0, 0, 0, -1, 0, -0.5, 0};
  check_calculus(segments(3, borders, 3, rows));
}


TEST(integrals_are_continuous_and_zero_at_the_origin)
{
  const lawPoint far[] = {{2, 5}, {3, 1}, {7, 2}};
  const forceLaw *laws[] = {piecewise(NPOINT, zigzag), spline(NPOINT, zigzag), piecewise(3, far),
                            spline(3, far)};
  for (int k = 0; k < 4; k++) {
    const forceLaw *law = laws[k];
    CHECK_CLOSE(law_integral(law, law_segment(law, 0), 0), 0, 1e-15);
    for (int i = 0; i + 1 < law->nsegment; i++) {
      const double above = law_integral(law, i + 1, law->knot[i]);
      CHECK_CLOSE(law_integral(law, i, law->knot[i]), above, 1e-13);
    }
  }
}


// (V(b) - V(a)) / (b - a), also where the difference would be rounding
TEST(means_are_quotients_of_integrals_without_cancellation)
{
  const double c[] = {1, -0.3, 0.02, 0.01};
  forceLaw *polynomial;
  CHECK(law_create_polynomial(&polynomial, &arena, 4, c, place, NULL) == ART_OK);
  const forceLaw *laws[] = {linear(3), polynomial, piecewise(NPOINT, zigzag),
                            spline(NPOINT, zigzag)};
  for (int k = 0; k < 4; k++) {
    for (double a = -3.9; a < 4; a += 0.39) {
      double at_a[3], at_b[3];
      evaluate(laws[k], a, at_a);
      for (double b = -3.7; b < 4; b += 0.41) {
        evaluate(laws[k], b, at_b);
        const double mean = law_mean(laws[k], a, b);
        CHECK_CLOSE(mean * (b - a), at_b[2] - at_a[2], 3e-14);
        CHECK_CLOSE(law_mean(laws[k], b, a), mean, 0);
      }
      const double h = 1e-12, mean = law_mean(laws[k], a, a + h);
      CHECK_CLOSE(law_mean(laws[k], a, a), at_a[0], 3e-15);
      CHECK_CLOSE(mean, at_a[0] + 0.5 * h * at_a[1], 3e-15);
    }
  }
}


TEST(bounds_tile_the_line)
{
  const forceLaw *law = piecewise(NPOINT, zigzag);
  double previous = -INFINITY;
  for (int i = 0; i < law->nsegment; i++) {
    double low, high;
    law_bounds(law, i, &low, &high);
    CHECK(low == previous && high > low);
    if (isfinite(low)) CHECK_EQ_INT(law_segment(law, low), i);
    if (isfinite(high)) CHECK_EQ_INT(law_segment(law, nextafter(high, low)), i);
    previous = high;
  }
  CHECK(previous == INFINITY);
  double low, high;
  law_bounds(linear(1), 0, &low, &high);
  CHECK(low == -INFINITY && high == INFINITY);
}


TEST(segments_are_polynomials_between_borders)
{
  const forceLaw *law = segments(3, bump_borders, 5, bump_rows);
  CHECK_EQ_INT(law->nsegment, 3);
  CHECK(!law_is_smooth(law));
  for (double v = -1; v <= 1; v += 0.03125) {
    const double want = v < -0.2   ? -416.42 + 1844.3 * v
                        : v > 0.21 ? 1919.1638 + 1634.727 * v
                                   : v * (9945.627 + v * (33955.72 - v * (59832.25 + 395651 * v)));
    CHECK_CLOSE(law_value(law, law_segment(law, v), v), want, 1e-12);
  }
}


TEST(segments_must_meet)
{
  const double c[] = {0, 1, 0.5, 1}, borders[] = {2};
  forceLaw *law;
  CHECK_SAYS(law_create_segments(&law, &arena, 2, borders, 2, c, place, &check_error),
             ART_BAD_INPUT,
             "car.yaml:3:5: the law jumps at its border x = 2 from 2 to 2.5, expected "
             "segments 1 and 2 to meet there");
  const double back[] = {1, 1}, three[6] = {0};
  CHECK_SAYS(law_create_segments(&law, &arena, 3, back, 2, three, place, &check_error),
             ART_BAD_INPUT, "car.yaml:3:5: border 2 is 1 after 1, expected borders to increase");
}


//---- air -----------------------------------------------------------------------------------------

static forceLaw *air_spring(double area, double exponent)
{
  const forceAir air = {5e5, area, 7.5e-3, exponent, 101325};
  forceLaw *law;
  CHECK(law_create_air(&law, &arena, air, place, NULL) == ART_OK);
  return law;
}


TEST(an_air_spring_compresses_its_gas)
{
  // isothermal: p V = p0 V0
  const forceLaw *law = air_spring(0.03, 1);
  for (double x = -0.2; x < 0.3; x += 0.05) {
    const double V = 7.5e-3 + 0.03 * x, p = 5e5 * 7.5e-3 / V;
    double got[3];
    const double want[3] = {0.03 * (101325 - p), 0.03 * 0.03 * p / V,
                            0.03 * 101325 * x - 5e5 * 7.5e-3 * log(V / 7.5e-3)};
    evaluate(law, x, got);
    CHECK_REL(got, want, 2, 1e-14);
    CHECK_CLOSE(got[2], want[2], 1e-12 * 3750);
  }

  // adiabatic: p V^1.4 is constant, and the work is (p V - p0 V0)/(1 - 1.4)
  const forceLaw *fast = air_spring(0.03, 1.4);
  for (double x = -0.2; x < 0.3; x += 0.05) {
    const double V = 7.5e-3 + 0.03 * x, p = 5e5 * pow(7.5e-3 / V, 1.4);
    double got[3];
    const double want[3] = {0.03 * (101325 - p), 1.4 * 0.03 * 0.03 * p / V,
                            0.03 * 101325 * x - (p * V - 5e5 * 7.5e-3) / (1 - 1.4)};
    evaluate(fast, x, got);
    CHECK_REL(got, want, 2, 1e-13);
    CHECK_CLOSE(got[2], want[2], 1e-12 * 3750);
  }
  CHECK(law_is_smooth(law) && law_is_defined(law, -0.2499) && !law_is_defined(law, -0.25));
  const forceLaw *turned = air_spring(-0.03, 1);
  CHECK(law_is_defined(turned, 0.2499) && !law_is_defined(turned, 0.25));
}


TEST(the_calculus_of_an_air_spring_is_exact)
{
  const double exponents[] = {1, 1 + 1e-9, 1.38, 2}, h = 1e-4;
  for (int k = 0; k < 8; k++) {
    const forceLaw *law = air_spring(k < 4 ? 0.03 : -0.03, exponents[k % 4]);
    for (double x = -0.18; x <= 0.18; x += 0.037) {
      double at[3], before[3], after[3], far[2][3];
      evaluate(law, x, at);
      evaluate(law, x - h, before);
      evaluate(law, x + h, after);
      evaluate(law, x - 2 * h, far[0]);
      evaluate(law, x + 2 * h, far[1]);
      for (int i = 0; i < 2; i++) {
        // of order 4; value is the derivative of integral, slope that of value
        const int of = i == 0 ? 2 : 0;
        const double d = (8 * (after[of] - before[of]) - (far[1][of] - far[0][of])) / (12 * h);
        CHECK_CLOSE(at[i], d, 1e-8 * (i == 0 ? 2e4 : 1e6));
      }
      for (double b = -0.18; b <= 0.18; b += 0.041) {
        double at_b[3];
        evaluate(law, b, at_b);
        const double mean = law_mean(law, x, b);
        CHECK_CLOSE(mean * (b - x), at_b[2] - at[2], 1e-12 * 3750);
        CHECK_CLOSE_REL(law_mean(law, b, x), mean, 1e-14);
      }
      const double tiny = 1e-12, mean = law_mean(law, x, x + tiny);
      CHECK_CLOSE_REL(law_mean(law, x, x), at[0], 1e-15);
      CHECK_CLOSE_REL(mean, at[0] + 0.5 * tiny * at[1], 1e-14);
    }
  }
}


TEST(wrong_air_springs_are_refused)
{
  const forceAir cases[] = {{0, 0.03, 0.01, 1.4, 1e5},
                            {5e5, 0, 0.01, 1.4, 1e5},
                            {5e5, 0.03, -0.01, 1.4, 1e5},
                            {5e5, 0.03, 0.01, 0, 1e5},
                            {5e5, 0.03, 0.01, 1.4, -1}};
  for (int i = 0; i < 5; i++) {
    forceLaw *law;
    CHECK(law_create_air(&law, &arena, cases[i], place, NULL) == ART_BAD_INPUT);
  }
}


TEST(wrong_laws_are_refused)
{
  forceLaw *law;
  const double bad[] = {1, NAN};
  const lawPoint once[] = {{1, 2}}, back[] = {{0, 1}, {2, 2}, {2, 3}}, nan[] = {{0, 1}, {1, NAN}};
  const lawPoint huge[] = {{0, -1e308}, {1, 1e308}};

  CHECK_SAYS(law_create_piecewise(&law, &arena, 1, once, place, &check_error), ART_BAD_INPUT,
             "car.yaml:3:5: found 1 point, expected at least two");
  CHECK_SAYS(law_create_spline(&law, &arena, 0, once, place, &check_error), ART_BAD_INPUT,
             "car.yaml:3:5: found 0 points, expected at least two");
  CHECK_SAYS(law_create_spline(&law, &arena, 3, back, place, &check_error), ART_BAD_INPUT,
             "car.yaml:3:5: point 3 has x = 2 after x = 2, expected x to increase from "
             "point to point");
  CHECK_SAYS(law_create_piecewise(&law, &arena, 2, nan, place, &check_error), ART_BAD_INPUT,
             "car.yaml:3:5: point 2 is (1, nan), expected two finite numbers");
  CHECK_SAYS(law_create_piecewise(&law, &arena, 2, huge, place, &check_error), ART_BAD_INPUT,
             "car.yaml:3:5: the law is too steep or its values are too large for "
             "floating point");
  CHECK_SAYS(law_create_polynomial(&law, &arena, 2, bad, place, &check_error), ART_BAD_INPUT,
             "car.yaml:3:5: the coefficient of x^1 is nan, expected a finite number");
  CHECK_SAYS(law_create_polynomial(&law, &arena, 0, bad, place, &check_error), ART_BAD_INPUT,
             "car.yaml:3:5: found no coefficients, expected at least one");
  CHECK(law_create_linear(&law, &arena, INFINITY, place, &check_error) == ART_BAD_INPUT);
}


TEST(every_failing_allocation_ends_in_a_clean_error)
{
  enum { MANY = 3000 }; // more than a block of the arena holds, so that each array takes a block
  static lawPoint points[MANY];
  for (int i = 0; i < MANY; i++) points[i] = (lawPoint){i, i % 3};

  int n = 0;
  artStatus status;
  do {
    baseArena own = {0};
    forceLaw *law;
    artError error = {0};
    heap_run_dry_after(n++);
    status = law_create_spline(&law, &own, MANY, points, place, &error);
    if (status) CHECK(status == ART_NO_MEMORY && error.status == ART_NO_MEMORY);
    arena_free(&own);
  } while (status && n < 100);
  CHECK(status == ART_OK && n > 6);
  heap_unwatch();
}
