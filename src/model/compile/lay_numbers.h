// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The arithmetic of lay.h on numbers.
#ifndef MODEL_LAY_NUMBERS_H
#define MODEL_LAY_NUMBERS_H

#include "model/compile/lay.h"


static inline real lay_number(const laying *l, const double *x)
{
  (void) l;
  return *x;
}


static inline modelPose lay_neat(const laying *l, modelPose pose)
{
  (void) l;
  return pose;
}


static inline m3 lay_turned(const laying *l, v3 axis, v3 x)
{
  (void) l;
  return pose_turned(axis, x);
}

#include "model/compile/lay_text.h"

#endif
