// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Whether a function of time that is positive at both ends of an interval is negative in between.
//
// The function is sampled with its rate of change. A part of the interval is clear where the tangents at both ends meet above
// zero, which bounds a convex function such as the distance of two points, and where the cubic through values and rates is
// positive. Other parts are divided, where tangents meet or at the lowest point of the cubic, and the earlier part is searched
// first.
#ifndef BASE_INTERIOR_MINIMUM_H
#define BASE_INTERIOR_MINIMUM_H

typedef struct interiorSearch {
  // the function at t within the interval; has_failed is set where it cannot be found
  double (*value)(void *context, double t, int *has_failed);
  void *context;
  double from, to;
  double g_from, g_to; // its values there
  double rate_before;  // its mean rate in the step before; NAN: not known
  double zero;         // values above minus this count as positive
  double noise;        // rounding of values
} interiorSearch;

typedef enum interiorResult {
  INTERIOR_CLEAR,
  INTERIOR_NEGATIVE,   // at *at
  INTERIOR_UNRESOLVED, // the function changes too quickly to tell
  INTERIOR_FAILED,     // value() has failed
} interiorResult;

interiorResult interior_search(const interiorSearch *s, double *at);

#endif
