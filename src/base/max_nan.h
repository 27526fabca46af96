// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Maxima and minima that keep NaN. fmax and fmin drop it, so that a maximum of errors taken with them
// looks sound however many of the errors are not numbers.
#ifndef BASE_MAX_NAN_H
#define BASE_MAX_NAN_H

#include <math.h>

// The larger of two numbers; NaN where one of them is.
static inline double max_nan(double a, double b)
{
  return a >= b || isnan(a) ? a : b;
}


static inline int max_int(int a, int b)
{
  return a > b ? a : b;
}


// The largest magnitude of n numbers; NaN where one of them is.
static inline double max_magnitude(int n, const double *x)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = max_nan(most, fabs(x[k]));
  return most;
}


// The first place of the largest magnitude, or of NaN; 0 where there are no numbers.
static inline int index_of_largest(int n, const double *x)
{
  int worst = 0;
  for (int k = 1; k < n && !isnan(x[worst]); k++) {
    if (!(fabs(x[k]) <= fabs(x[worst]))) worst = k;
  }
  return worst;
}


// The smaller of two numbers; NaN where one of them is.
static inline double min_nan(double a, double b)
{
  return a <= b || isnan(a) ? a : b;
}

#endif
