// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivatives of a vector function of one variable by differences, with steps that suit it.
#ifndef STUDY_DIFFERENCE_H
#define STUDY_DIFFERENCE_H

#include "articula/base.h"

typedef struct differenceFunction {
  int n; // length of f
  artStatus (*value)(void *context, double s, double *f, artError *error);
  void *context;
} differenceFunction;

// df/ds at s = 0. The step begins at 1/16 of the unit of s and shrinks until rounding outweighs what
// the formula leaves out, so features of f down to some 1e-4 units are resolved; for functions that
// are smooth on the scale of a unit about 12 digits hold. work has length 4n.
artStatus difference_slope(const differenceFunction *f, double *work, double *slope,
                           artError *error);

#endif
