// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivatives of vector functions by differences, with steps that suit them.
#ifndef NUM_DIFFERENCE_H
#define NUM_DIFFERENCE_H

#include "articula/base.h"

// A vector function of several variables, one of which is moved at a time.
typedef struct differenceFunction {
  int n; // length of f
  artStatus (*value)(void *context, int column, double s, double *f, artError *error);
  void *context;
} differenceFunction;

// df/ds at s = 0, where s is the variable that belongs to the column. The step begins at 1/16 of the unit of s and
// shrinks until rounding outweighs what the formula leaves out, so features of f down to some 1e-4 units are resolved;
// for functions that are smooth on the scale of a unit about 12 digits hold. work has length 4n.
artStatus difference_slope(const differenceFunction *f, int column, double *work, double *slope,
                           artError *error);

// The same with a step for each entry of f, where entries differ in size and roughness as outputs of a machine do: one that
// jumps does not spoil the others. An entry that is not finite has the slope NAN. work has length 6n.
artStatus difference_rows(const differenceFunction *f, int column, double *work, double *slope,
                          artError *error);

// The slopes of so many columns, one behind the other.
artStatus difference_matrix(const differenceFunction *f, int columns, double *work, double *J,
                            artError *error);

#endif
