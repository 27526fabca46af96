// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sums of angles, which turns about parallel axes make.
#ifndef SYM_ANGLE_H
#define SYM_ANGLE_H

#include "sym/factors.h"

// Two terms f and g times their common factors as one, or EXPR_NO_RULE:
//   cos a cos b -+ sin a sin b = cos(a +- b),   sin a cos b +- cos a sin b = sin(a +- b)
int angle_join(exprPool *pool, const symFactors *f, const symFactors *g, const symFactors *common);

// The sine or cosine of an angle times a sum of two parts, each of which has a sine or cosine too.
typedef struct angleTurned {
  int trig, angle;
  int part[2], sign[2]; // sign[0] is 1
} angleTurned;
int angle_turned(const exprPool *pool, int x, angleTurned *t); // returns 0 when x is something else

#endif
