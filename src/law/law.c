// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One-dimensional laws: piecewise polynomials with derivative and integral.
#include "law/law.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/max_nan.h"
#include "law/join.h"

// writable arrays of a law under construction
typedef struct lawParts {
  double *knot, *origin, *c, *primary;
} lawParts;


// overwrite numbers of a law owned by the caller
static void write_law_numbers(const double *to, const double *from, size_t n)
{
  ART_ASSERT(to && from && to != from);
  memcpy((double *) (uintptr_t) to, from, n * sizeof *to);
}


int law_take(forceLaw *to, const forceLaw *from)
{
  const size_t n = (size_t) to->nsegment;
  if (from->nsegment != to->nsegment || from->degree != to->degree ||
      from->is_smooth != to->is_smooth || !from->air != !to->air) {
    return 0;
  }
  write_law_numbers(to->knot, from->knot, n);
  write_law_numbers(to->origin, from->origin, n);
  write_law_numbers(to->c, from->c, n * (size_t) (to->degree + 1));
  write_law_numbers(to->primary, from->primary, n);
  if (to->air) *(forceAir *) (uintptr_t) to->air = *from->air;
  return 1;
}


static artStatus allocate_law(forceLaw **out, lawParts *parts, baseArena *arena, int nsegment,
                              int degree, artError *error)
{
  ART_ASSERT(nsegment >= 1 && degree >= 0);
  const size_t n = (size_t) nsegment;
  forceLaw *law = arena_alloc(arena, 1, sizeof *law);
  parts->knot = arena_alloc(arena, n, sizeof(double));
  parts->origin = arena_alloc(arena, n, sizeof(double));
  parts->c = arena_alloc(arena, n * (size_t) (degree + 1), sizeof(double));
  parts->primary = arena_alloc(arena, n, sizeof(double));
  if (!law || !parts->knot || !parts->origin || !parts->c || !parts->primary) {
    return base_no_memory(error);
  }

  *law = (forceLaw){.nsegment = nsegment,
                    .degree = degree,
                    .is_smooth = nsegment == 1,
                    .knot = parts->knot,
                    .origin = parts->origin,
                    .c = parts->c,
                    .primary = parts->primary};
  *out = law;
  return ART_OK;
}

//---- evaluation ----------------------------------------------------------------------------------


static const double *segment_coefficients(const forceLaw *law, int segment)
{
  ART_ASSERT(segment >= 0 && segment < law->nsegment);
  return law->c + (size_t) segment * (size_t) (law->degree + 1);
}


int law_segment(const forceLaw *law, double x)
{
  ART_ASSERT(law->nsegment > 0);
  // the number of borders at or below x, by bisection
  int low = 0, high = law->nsegment - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (law->knot[middle] <= x) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}


int law_is_defined(const forceLaw *law, double x)
{
  return !law->air || air_is_defined(law->air, x);
}


void law_derivatives(const forceLaw *law, int segment, double x, double f[3])
{
  ART_ASSERT(!law->air);
  const double *c = segment_coefficients(law, segment);
  const double s = x - law->origin[segment];
  f[0] = f[1] = f[2] = 0;
  for (int k = law->degree; k >= 0; k--) {
    // Horner, differentiated twice: f'' = s f'' + 2 f', f' = s f' + f, f = s f + c
    f[2] = s * f[2] + 2 * f[1];
    f[1] = s * f[1] + f[0];
    f[0] = s * f[0] + c[k];
  }
}


void law_bounds(const forceLaw *law, int segment, double *low, double *high)
{
  ART_ASSERT(segment >= 0 && segment < law->nsegment);
  *low = segment > 0 ? law->knot[segment - 1] : -INFINITY;
  *high = segment < law->nsegment - 1 ? law->knot[segment] : INFINITY;
}


// mean of one polynomial: u^i has the mean (v^(i+1) - u^(i+1)) / ((i+1) (v - u)) = h_i / (i+1),
// where h_i = v^i + v^(i-1) u + ... + u^i = v h_(i-1) + u^i
double law_segment_mean(const forceLaw *law, int segment, double a, double b)
{
  if (law->air) return air_mean(law->air, a, b);
  const double *c = segment_coefficients(law, segment);
  const double u = a - law->origin[segment], v = b - law->origin[segment];
  double sum = c[0], h = 1, power = 1;
  for (int i = 1; i <= law->degree; i++) {
    power *= u;
    h = v * h + power;
    sum += c[i] * h / (i + 1);
  }
  return sum;
}


double law_mean(const forceLaw *law, double a, double b)
{
  if (law->air) return air_mean(law->air, a, b);
  const double from = fmin(a, b), to = fmax(a, b);
  const int first = law_segment(law, from), last = law_segment(law, to);
  if (first == last) return law_segment_mean(law, first, from, to);

  double sum = 0;
  for (int i = first; i <= last; i++) {
    const double x = i == first ? from : law->knot[i - 1], y = i == last ? to : law->knot[i];
    sum += (y - x) * law_segment_mean(law, i, x, y);
  }
  return sum / (to - from);
}


int law_is_smooth(const forceLaw *law)
{
  return law->is_smooth;
}

//---- creation ------------------------------------------------------------------------------------


// choose the integration constants: continuous at the borders, zero at x = 0
static artStatus finish_law(forceLaw *law, lawParts parts, artPlace place, artError *error)
{
  for (int i = 0; i + 1 < law->nsegment; i++) {
    const double x = law->knot[i];
    parts.primary[i + 1] = law_integral(law, i, x) - law_integral(law, i + 1, x);
  }
  const double at_zero = law_integral(law, law_segment(law, 0), 0);
  int is_finite = 1;
  for (int i = 0; i < law->nsegment; i++) {
    parts.primary[i] -= at_zero;
    is_finite = is_finite && isfinite(parts.primary[i]);
  }
  for (int i = 0; i < law->nsegment * (law->degree + 1); i++) {
    is_finite = is_finite && isfinite(parts.c[i]);
  }
  if (is_finite) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, place,
                   "the law is too steep or its values are too large for floating point");
}


static artStatus check_coefficients(int n, const double *c, artPlace place, artError *error)
{
  if (n < 1) {
    return base_fail(error, ART_BAD_INPUT, place, "found no coefficients, expected at least one");
  }
  for (int i = 0; i < n; i++) {
    if (isfinite(c[i])) continue;
    return base_fail(error, ART_BAD_INPUT, place,
                     "the coefficient of x^%d is %g, expected a finite number", i, c[i]);
  }
  return ART_OK;
}


artStatus law_create_polynomial(forceLaw **out, baseArena *arena, int n, const double *c,
                                artPlace place, artError *error)
{
  lawParts parts;
  artStatus status = check_coefficients(n, c, place, error);
  if (!status) status = allocate_law(out, &parts, arena, 1, n - 1, error);
  if (status) return status;
  for (int i = 0; i < n; i++) parts.c[i] = c[i];
  return finish_law(*out, parts, place, error);
}


artStatus law_create_linear(forceLaw **out, baseArena *arena, double k, artPlace place,
                            artError *error)
{
  const double c[2] = {0, k};
  return law_create_polynomial(out, arena, 2, c, place, error);
}


static artStatus check_law_borders(int n, const double *borders, artPlace place, artError *error)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(borders[i])) {
      return base_fail(error, ART_BAD_INPUT, place, "border %d is %g, expected a finite number",
                       i + 1, borders[i]);
    }
    if (i == 0 || borders[i] > borders[i - 1]) continue;
    return base_fail(error, ART_BAD_INPUT, place,
                     "border %d is %g after %g, expected borders to increase", i + 1, borders[i],
                     borders[i - 1]);
  }
  return ART_OK;
}


// with a jump a spring would lose energy and a damper would chatter
static artStatus check_continuous(const forceLaw *law, artPlace place, artError *error)
{
  double largest = 0;
  for (int i = 0; i + 1 < law->nsegment; i++) {
    largest = max_nan(largest, fabs(law_value(law, i, law->knot[i])));
    largest = max_nan(largest, fabs(law_value(law, i + 1, law->knot[i])));
  }
  for (int i = 0; i + 1 < law->nsegment; i++) {
    const double x = law->knot[i], before = law_value(law, i, x), after = law_value(law, i + 1, x);
    if (fabs(after - before) <= LAW_JUMP * largest) continue;
    return base_fail(error, ART_BAD_INPUT, place,
                     "the law jumps at its border x = %g from %g to %g, expected segments %d and "
                     "%d to meet there",
                     x, before, after, i + 1, i + 2);
  }
  return ART_OK;
}


artStatus law_create_segments(forceLaw **out, baseArena *arena, int n, const double *borders,
                              int width, const double *c, artPlace place, artError *error)
{
  ART_ASSERT(n >= 1);
  lawParts parts;
  artStatus status = check_law_borders(n - 1, borders, place, error);
  for (int i = 0; i < n && !status; i++) {
    status = check_coefficients(width, c + (size_t) i * (size_t) width, place, error);
  }
  if (!status) status = allocate_law(out, &parts, arena, n, width - 1, error);
  if (status) return status;

  for (int i = 0; i + 1 < n; i++) parts.knot[i] = borders[i];
  for (int i = 0; i < n * width; i++) parts.c[i] = c[i];
  status = check_continuous(*out, place, error);
  return status ? status : finish_law(*out, parts, place, error);
}


static artStatus check_air(const forceAir *air, artPlace place, artError *error)
{
  const struct {
    const char *name;
    double value;
    int may_be_zero;
  } number[] = {{"pressure", air->pressure, 0},
                {"volume", air->volume, 0},
                {"exponent", air->exponent, 0},
                {"ambient pressure", air->ambient, 1}};
  for (int i = 0; i < 4; i++) {
    const double x = number[i].value;
    if (isfinite(x) && (x > 0 || (x == 0 && number[i].may_be_zero))) continue;
    return base_fail(error, ART_BAD_INPUT, place, "the %s of the air spring is %g, expected %s",
                     number[i].name, x, number[i].may_be_zero ? "0 or more" : "more than 0");
  }
  if (isfinite(air->area) && air->area != 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, place,
                   "the area of the air spring is %g, expected a finite number other than 0",
                   air->area);
}


artStatus law_create_air(forceLaw **out, baseArena *arena, forceAir air, artPlace place,
                         artError *error)
{
  lawParts parts;
  artStatus status = check_air(&air, place, error);
  if (!status) status = allocate_law(out, &parts, arena, 1, 0, error);
  if (status) return status;
  (*out)->air = arena_copy(arena, &air, 1, sizeof air);
  return (*out)->air ? ART_OK : base_no_memory(error);
}


static artStatus check_points(int n, const lawPoint *points, artPlace place, artError *error)
{
  if (n < 2) {
    return base_fail(error, ART_BAD_INPUT, place, "found %d point%s, expected at least two", n,
                     n == 1 ? "" : "s");
  }
  for (int i = 0; i < n; i++) {
    if (isfinite(points[i].x) && isfinite(points[i].f)) continue;
    return base_fail(error, ART_BAD_INPUT, place,
                     "point %d is (%g, %g), expected two finite numbers", i + 1, points[i].x,
                     points[i].f);
  }
  for (int i = 1; i < n; i++) {
    if (points[i].x > points[i - 1].x) continue;
    return base_fail(error, ART_BAD_INPUT, place,
                     "point %d has x = %g after x = %g, expected x to increase from point to point",
                     i + 1, points[i].x, points[i - 1].x);
  }
  return ART_OK;
}


artStatus law_create_piecewise(forceLaw **out, baseArena *arena, int n, const lawPoint *points,
                               artPlace place, artError *error)
{
  lawParts parts;
  artStatus status = check_points(n, points, place, error);
  if (!status) status = allocate_law(out, &parts, arena, n - 1, 1, error);
  if (status) return status;

  join_straight(&(lawJoin){n, 2, &points->x, &points->f, parts.c, parts.knot, parts.origin});
  return finish_law(*out, parts, place, error);
}


artStatus law_create_spline(forceLaw **out, baseArena *arena, int n, const lawPoint *points,
                            artPlace place, artError *error)
{
  lawParts parts;
  artStatus status = check_points(n, points, place, error);
  if (!status) status = allocate_law(out, &parts, arena, n + 1, 3, error);
  if (status) return status;

  double *upper = arena_alloc(arena, (size_t) n, sizeof(double));
  double *M = arena_alloc(arena, (size_t) n, sizeof(double));
  if (!upper || !M) return base_no_memory(error);
  join_smoothly(&(lawJoin){n, 2, &points->x, &points->f, parts.c, parts.knot, parts.origin}, upper,
                M);
  (*out)->is_smooth = 1;
  return finish_law(*out, parts, place, error);
}
