// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Maxima and minima that propagate NaN. fmax and fmin ignore NaN, so a maximum of errors could look
// fine although some are NaN.
#ifndef BASE_MAX_NAN_H
#define BASE_MAX_NAN_H

#include <math.h>

// Maximum; NaN if one of them is NaN.
static inline double max_nan(double a, double b)
{
  return a >= b || isnan(a) ? a : b;
}


static inline int max_int(int a, int b)
{
  return a > b ? a : b;
}


// Largest magnitude of n numbers; NaN if one of them is NaN.
static inline double max_magnitude(int n, const double *x)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = max_nan(most, fabs(x[k]));
  return most;
}


// First index of the largest magnitude, or of a NaN; 0 if n is 0.
static inline int index_of_largest(int n, const double *x)
{
  int worst = 0;
  for (int k = 1; k < n && !isnan(x[worst]); k++) {
    if (!(fabs(x[k]) <= fabs(x[worst]))) worst = k;
  }
  return worst;
}


// Minimum; NaN if one of them is NaN.
static inline double min_nan(double a, double b)
{
  return a <= b || isnan(a) ? a : b;
}

#endif
