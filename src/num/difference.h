// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivatives of vector functions by finite differences with automatic step sizes.
#ifndef NUM_DIFFERENCE_H
#define NUM_DIFFERENCE_H

#include "articula/base.h"

// A vector function of several variables, of which one is varied at a time.
typedef struct differenceFunction {
  int n; // length of f
  artStatus (*value)(void *context, int column, double s, double *f, artError *error);
  void *context;
} differenceFunction;

// df/ds at s = 0, where s is the variable of this column. The step starts at 1/16 of the unit of s
// and shrinks until rounding error exceeds truncation error, so features of f down to about 1e-4
// units are resolved; a function that is smooth on the scale of a unit gives about 12 digits. work
// has length 4n.
artStatus difference_slope(const differenceFunction *f, int column, double *work, double *slope,
                           artError *error);

// The same with a separate step for each entry of f, for entries of different size and smoothness,
// such as outputs of a machine: a jump of one does not spoil the others. The slope of an entry that
// is not finite is NaN. work has length 6n.
artStatus difference_rows(const differenceFunction *f, int column, double *work, double *slope,
                          artError *error);

// Slopes of several columns, stored one after the other.
artStatus difference_matrix(const differenceFunction *f, int columns, double *work, double *J,
                            artError *error);

#endif
