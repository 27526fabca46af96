// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Products of vectors stored in arrays.
#ifndef BASE_THREE_H
#define BASE_THREE_H

static inline double three_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}


static inline void three_cross(const double a[3], const double b[3], double c[3])
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
