// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Quaternion of a rotation, and its rate, on numbers and symbols.
#ifndef SPATIAL_QUATERNION_H
#define SPATIAL_QUATERNION_H

#include "spatial/spatial.h"

// Quaternion (w, x, y, z), w >= 0, of the rotation matrix R with v_frame = R v_base. The rows below
// are the quaternion times 4 w, 4 x, 4 y and 4 z; the one with the largest square is used, which
// avoids cancellation.
static inline void quaternion_of(m3 R, real q[4])
{
  const real one = r_const(1), two = r_const(2), zero = r_const(0);
  const real trace = r_add(r_add(R.x.x, R.y.y), R.z.z);
  const real square[4] = {r_add(one, trace), r_sub(r_add(one, r_mul(two, R.x.x)), trace),
                          r_sub(r_add(one, r_mul(two, R.y.y)), trace),
                          r_sub(r_add(one, r_mul(two, R.z.z)), trace)};
  const real wx = r_sub(R.y.z, R.z.y), wy = r_sub(R.z.x, R.x.z), wz = r_sub(R.x.y, R.y.x);
  const real xy = r_add(R.x.y, R.y.x), xz = r_add(R.x.z, R.z.x), yz = r_add(R.y.z, R.z.y);
  const real row[4][4] = {{square[0], wx, wy, wz},
                          {wx, square[1], xy, xz},
                          {wy, xy, square[2], yz},
                          {wz, xz, yz, square[3]}};
  real most = square[0];
  for (int i = 0; i < 4; i++) q[i] = row[0][i];
  for (int k = 1; k < 4; k++) {
    for (int i = 0; i < 4; i++) q[i] = r_select(r_less(most, square[k]), row[k][i], q[i]);
    most = r_select(r_less(most, square[k]), square[k], most);
  }
  const real scale = r_div(r_const(0.5), r_sqrt(most)), w = q[0];
  for (int i = 0; i < 4; i++) q[i] = r_mul(scale, r_select(r_less(w, zero), r_neg(q[i]), q[i]));
}


// Rate e' = 1/2 e o (0, w), with the angular velocity w in the axes of the frame.
static inline void quaternion_rate(const real e[4], v3 w, real rate[4])
{
  const v3 h = v3_scale(r_const(0.5), w), u = {e[1], e[2], e[3]};
  rate[0] = r_neg(v3_dot(u, h));
  rate[1] = r_sub(r_add(r_mul(e[0], h.x), r_mul(u.y, h.z)), r_mul(u.z, h.y));
  rate[2] = r_sub(r_add(r_mul(e[0], h.y), r_mul(u.z, h.x)), r_mul(u.x, h.z));
  rate[3] = r_sub(r_add(r_mul(e[0], h.z), r_mul(u.x, h.y)), r_mul(u.y, h.x));
}

#endif
