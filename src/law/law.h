// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One-dimensional laws f(x) of springs and dampers, with their integrals.
//
// A law is a row of polynomials, one a segment; the first and the last reach to infinity.
//   linear      f = k x
//   polynomial  f = c0 + c1 x + c2 x^2 + ...
//   segments    polynomials between given borders
//   piecewise   straight lines through points, the end lines continued: slopes jump at the points
//   spline      the natural cubic spline through points, continued straight at its ends: twice
//               continuously differentiable everywhere, so its segments are no events
// The law of an air spring (law/air.h) is the exception: one segment, and no polynomial.
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
  int is_smooth;         // no event between segments
  const double *knot;    // nsegment - 1 borders, increasing
  const double *origin;  // segment i is a polynomial in x - origin[i]
  const double *c;       // its coefficients, c[i*(degree + 1) + power]
  const double *primary; // integral of f from 0 to origin[i]
  const forceAir *air;   // or NULL; with it the polynomials do not count
} forceLaw;

// Numbers of a law in the place of the numbers of another one; 0: they have other segments.
int law_take(forceLaw *to, const forceLaw *from);

//---- creation ------------------------------------------------------------------------------------

artStatus law_create_linear(forceLaw **out, baseArena *arena, double k, artPlace place,
                            artError *error);

// n coefficients, c[i] of x^i, n at least 1.
artStatus law_create_polynomial(forceLaw **out, baseArena *arena, int n, const double *c,
                                artPlace place, artError *error);

// n rows of `width` coefficients, c[i*width + power] of row i, and n - 1 borders between them, increasing.
// They meet at the borders but for LAW_JUMP of the largest value at a border: published coefficients
// are rounded ones, and are taken as they are.
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

// The segment that holds x; at a border the upper one.
int law_segment(const forceLaw *law, double x);

// Whether the law has a value at x: an air spring has none when its volume is gone.
int law_is_defined(const forceLaw *law, double x);

// The segment's polynomial, also outside the segment.
double law_value(const forceLaw *law, int segment, double x);

// f, f' and f'' of the segment's polynomial; not of air springs.
void law_derivatives(const forceLaw *law, int segment, double x, double f[3]);

// Integral of f from 0 to x, continuous over the segments: the potential of a spring.
double law_integral(const forceLaw *law, int segment, double x);

// Mean of f between a and b, through all segments between them: (V(b) - V(a)) / (b - a) of the integral
// V, without its cancellation; f itself where they meet.
double law_mean(const forceLaw *law, double a, double b);

// The same by one segment's polynomial alone.
double law_segment_mean(const forceLaw *law, int segment, double a, double b);

// Where the segment begins and ends; infinite where it does not.
void law_bounds(const forceLaw *law, int segment, double *low, double *high);

// True when passing from segment to segment is no event.
int law_is_smooth(const forceLaw *law);

#endif
