// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How a vehicle is seen: attitude by yaw, pitch and roll, motion along and across its heading.
#include "force/heading.h"

#include <math.h>


// R^T = Rz(yaw) Ry(pitch) Rx(roll)
double heading_angle(m3 R, int c)
{
  switch (c) {
  case 0:
    return atan2(R.x.y, R.x.x);
  case 1:
    return atan2(-R.x.z, hypot(R.x.x, R.x.y));
  default:
    return atan2(R.y.z, R.z.z);
  }
}


double heading_part(m3 R, v3 a, int c)
{
  const double level = hypot(R.x.x, R.x.y);
  const double cosine = level > 0 ? R.x.x / level : 1;
  const double sine = level > 0 ? R.x.y / level : 0;
  return c == 0 ? cosine * a.x + sine * a.y : cosine * a.y - sine * a.x;
}


double heading_sideslip(m3 R, v3 velocity)
{
  return atan2(heading_part(R, velocity, 1), heading_part(R, velocity, 0));
}
