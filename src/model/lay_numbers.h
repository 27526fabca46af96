// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The arithmetic of lay.h on numbers.
#ifndef MODEL_LAY_NUMBERS_H
#define MODEL_LAY_NUMBERS_H

#include "model/lay.h"


static inline real lay_number(const laying *l, const double *x)
{
  (void) l;
  return *x;
}


static inline modelPose lay_neat(modelPose pose)
{
  return pose;
}

#include "model/lay_text.h"

#endif
