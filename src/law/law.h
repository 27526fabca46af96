// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One-dimensional laws f(x) of springs and dampers, with their integrals.
//
// A law is a sequence of polynomials, one per segment; the first and the last segment are
// unbounded.
//   linear      f = k x
//   polynomial  f = c0 + c1 x + c2 x^2 + ...
//   segments    polynomials between given borders
//   piecewise   linear interpolation of points, extrapolated linearly; slopes jump at the points
//   spline      natural cubic spline through points, extrapolated linearly: twice continuously
//               differentiable everywhere, so segment borders are not events
// Exception: the law of an air spring (law/air.h) is one segment and not a polynomial.
#ifndef LAW_LAW_H
#define LAW_LAW_H

#include "base/arena.h"
#include "base/error.h"
#include "law/air.h"

typedef struct lawPoint {
  double x, f;
} lawPoint;

typedef struct forceLaw {
  int nsegment;
  int degree;            // of every segment
  int is_smooth;         // segment borders are not events
  const double *knot;    // nsegment - 1 borders, increasing
  const double *origin;  // segment i is a polynomial in x - origin[i]
  const double *c;       // its coefficients, c[i*(degree + 1) + power]
  const double *primary; // integral of f from 0 to origin[i]
  const forceAir *air;   // NULL: polynomials; otherwise they are unused
} forceLaw;

// Copy the numbers of another law; returns 0 if its segments differ.
int law_take(forceLaw *to, const forceLaw *from);

//---- creation ------------------------------------------------------------------------------------

artStatus law_create_linear(forceLaw **out, baseArena *arena, double k, artPlace place,
                            artError *error);

// n coefficients, c[i] of x^i, n at least 1.
artStatus law_create_polynomial(forceLaw **out, baseArena *arena, int n, const double *c,
                                artPlace place, artError *error);

// n rows of `width` coefficients, c[i*width + power] of row i, and n - 1 increasing borders between
// them. At a border the values may differ by at most LAW_JUMP times the largest border value,
// because published coefficients are rounded; they are used unchanged.
#define LAW_JUMP 1e-4
artStatus law_create_segments(forceLaw **out, baseArena *arena, int n, const double *borders,
                              int width, const double *c, artPlace place, artError *error);

artStatus law_create_air(forceLaw **out, baseArena *arena, forceAir air, artPlace place,
                         artError *error);

// At least two points, x strictly increasing, all finite.
artStatus law_create_piecewise(forceLaw **out, baseArena *arena, int n, const lawPoint *points,
                               artPlace place, artError *error);
artStatus law_create_spline(forceLaw **out, baseArena *arena, int n, const lawPoint *points,
                            artPlace place, artError *error);

//---- evaluation, with the segment frozen ---------------------------------------------------------

// The segment that contains x; at a border the upper one.
int law_segment(const forceLaw *law, double x);

// Is the law defined at x? (An air spring is not when its volume vanishes.)
int law_is_defined(const forceLaw *law, double x);

// The segment's polynomial, also outside the segment.
double law_value(const forceLaw *law, int segment, double x);

// f, f' and f'' of the segment's polynomial; not for air springs.
void law_derivatives(const forceLaw *law, int segment, double x, double f[3]);

// Integral of f from 0 to x, continuous over the segments: the potential of a spring.
double law_integral(const forceLaw *law, int segment, double x);

// Mean of f between a and b, through all segments between them: (V(b) - V(a)) / (b - a) with the
// integral V, computed without cancellation; f(a) if a = b.
double law_mean(const forceLaw *law, double a, double b);

// The same by the polynomial of one segment.
double law_segment_mean(const forceLaw *law, int segment, double a, double b);

// Limits of the segment; infinite at the ends.
void law_bounds(const forceLaw *law, int segment, double *low, double *high);

// True when a change of segment is not an event.
int law_is_smooth(const forceLaw *law);

#endif
