// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How a vehicle is seen: attitude by yaw, pitch and roll, motion along and across its heading; for numbers and symbols.
#include "model/heading.h"


// R^T = Rz(yaw) Ry(pitch) Rx(roll)
real R_NAME(heading_angle)(m3 R, int c)
{
  switch (c) {
  case 0: return r_atan2(R.x.y, R.x.x);
  case 1: return r_atan2(-R.x.z, r_hypot(R.x.x, R.x.y));
  default: return r_atan2(R.y.z, R.z.z);
  }
}


real R_NAME(heading_part)(m3 R, v3 a, int c)
{
  const real level = r_hypot(R.x.x, R.x.y);
  const real cosine = level > 0 ? R.x.x / level : 1;
  const real sine = level > 0 ? R.x.y / level : 0;
  if (c == 0) return cosine * a.x + sine * a.y;
  if (c == 1) return cosine * a.y - sine * a.x;
  return r_atan2(cosine * a.y - sine * a.x, cosine * a.x + sine * a.y);
}
