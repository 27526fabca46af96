// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Maxima and minima that keep NaN. fmax and fmin drop it, so that a maximum of errors taken with them
// looks sound however many of the errors are not numbers.
#ifndef BASE_LARGER_H
#define BASE_LARGER_H

#include <math.h>

// The larger of two numbers; NaN where one of them is.
static inline double base_larger(double a, double b)
{
  return a >= b || isnan(a) ? a : b;
}


static inline int base_larger_int(int a, int b)
{
  return a > b ? a : b;
}


// The largest magnitude of n numbers; NaN where one of them is.
static inline double base_largest(int n, const double *x)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = base_larger(most, fabs(x[k]));
  return most;
}


// The first place of the largest magnitude, or of NaN; 0 where there are no numbers.
static inline int base_worst(int n, const double *x)
{
  int worst = 0;
  for (int k = 1; k < n && !isnan(x[worst]); k++) {
    if (!(fabs(x[k]) <= fabs(x[worst]))) worst = k;
  }
  return worst;
}


// The smaller of two numbers; NaN where one of them is.
static inline double base_smaller(double a, double b)
{
  return a <= b || isnan(a) ? a : b;
}

#endif
