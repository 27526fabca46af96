// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Intervals enclose what they say: operations, functions, formulas with their rates of change, and roads, against many values
// within.
#include <math.h>
#include <stdio.h>

#include "model/formula/formula_bounds.h"
#include "road/road.h"
#include "road/road_bounds.h"
#include "support/check.h"

enum { BOXES = 2000, POINTS = 20 };


static enclosure random_interval(uint64_t *seed)
{
  const double middle = check_uniform(seed, -5, 5), width = pow(10, check_uniform(seed, -9, 1));
  return (enclosure){middle - width * check_uniform(seed, 0, 1), middle + width};
}


static double point_of(enclosure a, uint64_t *seed)
{
  return fmin(a.hi, fmax(a.lo, check_uniform(seed, a.lo, a.hi)));
}


static int holds(enclosure a, double x)
{
  return isnan(x) || interval_holds(a, x);
}


TEST(operations_and_functions_are_enclosed)
{
  uint64_t seed = 1;
  int missed = 0;
  for (int k = 0; k < BOXES; k++) {
    const enclosure a = random_interval(&seed), b = random_interval(&seed);
    for (int i = 0; i < POINTS; i++) {
      const double x = point_of(a, &seed), y = point_of(b, &seed);
      missed += !holds(interval_add(a, b), x + y) + !holds(interval_sub(a, b), x - y);
      missed += !holds(interval_mul(a, b), x * y) + !holds(interval_div(a, b), x / y);
      missed += !holds(interval_square(a), x * x) + !holds(interval_abs(a), fabs(x));
      missed += !holds(interval_pow(a, b), pow(x, y)) + !holds(interval_hypot(a, b), hypot(x, y));
      missed += !holds(interval_pow(a, interval_point(3)), x * x * x);
      missed += !holds(interval_pow(a, interval_point(-2)), 1 / (x * x));
      missed += !holds(interval_atan2(a, b), atan2(x, y)) + !holds(interval_floor(a), floor(x));
      missed += !holds(interval_min(a, b), fmin(x, y)) + !holds(interval_max(a, b), fmax(x, y));
      missed += !holds(interval_select(interval_less(a, b), a, b), x < y ? x : y);
#define ONE_FUNCTION(name, function, rule, slope, bend)                                            \
  missed += !holds(interval_##function(a), function(x));
      SMOOTH_FUNCTIONS(ONE_FUNCTION)
#undef ONE_FUNCTION
    }
  }
  CHECK_EQ_INT(missed, 0);
}


TEST(enclosures_of_short_intervals_are_narrow)
{
  const enclosure a = {0.7, 0.7 + 1e-9};
#define NARROW(name, function, rule, slope, bend)                                                  \
  CHECK(interval_width(interval_##function(a)) < 5e-9);
  SMOOTH_FUNCTIONS(NARROW)
#undef NARROW
  CHECK(interval_size(interval_mul(interval_point(0), interval_whole())) == 0);
  CHECK(interval_sin((enclosure){1.5, 1.6}).hi == 1);
}


static int find_time(void *context, const char *reference, artPlace place, formulaSymbol *found)
{
  (void) context, (void) place;
  *found = (formulaSymbol){.slot = 0, .dimension = UNIT_ANY};
  return reference[0] == 't';
}


// values, slopes by jets and switching functions at many instants
static void check_formula(const char *text, uint64_t *seed)
{
  baseArena arena = {0};
  formula *f;
  const formulaScope scope = {.find = find_time};
  double stack[64], value[16], t;
  formulaJet jets[64];
  formulaBounds room[64], g[16];
  int branch[16];
  if (!CHECK_WORKS(formula_parse(&f, &arena, text, base_nowhere(), &scope, UNIT_ANY, &check_error)))
    return;
  int missed = 0;
  for (int k = 0; k < 200; k++) {
    const enclosure a = random_interval(seed);
    t = interval_middle(a);
    formula_set_branches(f, &t, branch, stack);
    const formulaBounds slot = {a, interval_point(1)},
                        got = formula_bounds(f, &slot, branch, g, room);
    for (int i = 0; i < POINTS; i++) {
      t = point_of(a, seed);
      const formulaJet jet = formula_jet(f, &(formulaJet){t, 1, 0}, branch, jets);
      formula_switches(f, &t, branch, value, stack);
      missed += !holds(got.x, jet.x) + !holds(got.dx, jet.dx);
      for (int s = 0; s < f->nswitch; s++) missed += !holds(g[s].x, value[s]);
    }
  }
  if (!CHECK_EQ_INT(missed, 0)) printf("  %s\n", text);
  arena_free(&arena);
}


TEST(formulas_are_enclosed_with_their_rates_and_switches)
{
  static const char *const texts[] = {"smooth(t, -1, 2, 1, 5) - t",
                                      "ramp(t, 0, 1, 2, 3)*t",
                                      "max(sin(3*t), t/4)",
                                      "pulse(mod(t, 0.7), 0, 0.3)",
                                      "if(t > 1, t^3, exp(-t))",
                                      "atan2(sin(t), cos(t))",
                                      "sqrt(abs(t)) + log(t^2 + 1)",
                                      "hypot(t, 2)*sign(t - 1)",
                                      "floor(3*t)*tanh(t)",
                                      "clamp(t^2, 1, 4)/(2 + cos(t))",
                                      "exp(-(t*3)^2)",
                                      "hysteresis(sin(t), -0.5, 0.5)",
                                      "asin(t/6)*acos(t/6)",
                                      "2^t - t^1.5",
                                      "sinh(t)*cosh(t) - tan(t/4)"};
  uint64_t seed = 7;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_formula(texts[i], &seed);
}


static void check_road(artRoad *road, uint64_t *seed)
{
  int missed = 0;
  for (int k = 0; k < BOXES; k++) {
    const double middle = check_uniform(seed, -5, 25), width = pow(10, check_uniform(seed, -6, 1));
    const enclosure x = {middle, middle + width}, y = {-0.1, 0.1 * width};
    const roadBounds got = road_bounds(road, x, y);
    for (int i = 0; i < POINTS; i++) {
      artRoadPoint p;
      art_evaluate_road(road, point_of(x, seed), point_of(y, seed), &p);
      missed += !holds(got.z, p.z) + !holds(got.x, p.gradient[0]) + !holds(got.y, p.gradient[1]);
    }
  }
  CHECK_EQ_INT(missed, 0);
  art_free_road(road);
}


TEST(roads_are_enclosed_with_their_slopes)
{
  uint64_t seed = 3;
  artRoad *road;
  CHECK_WORKS(
      art_create_plane_road(&road, &(artPlaneRoad){.grade = 0.1, .bank = -0.2}, &check_error));
  check_road(road, &seed);
  CHECK_WORKS(art_create_bump_road(
      &road, &(artBumpRoad){.start = 2, .length = 0.5, .height = 0.02, .count = 5, .spacing = 2},
      &check_error));
  check_road(road, &seed);
  CHECK_WORKS(art_create_sine_road(
      &road,
      &(artSineRoad){.start = 1, .length = 9, .wavelength = 2, .amplitude = 0.03, .blend = 1},
      &check_error));
  check_road(road, &seed);
  CHECK_WORKS(art_create_stairs_road(
      &road,
      &(artStairsRoad){
          .start = 1, .rise = 0.1, .tread = 1, .riser = 0.1, .radius = 0.01, .count = 6},
      &check_error));
  check_road(road, &seed);
}
