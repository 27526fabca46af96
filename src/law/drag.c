// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Aerodynamic drag: quadratic in the velocity against the air.
#include "law/drag.h"

#include <math.h>


v3 drag_force(const forceDrag *drag, v3 u)
{
  const v3 c = drag->coefficient;
  const double speed = sqrt(v3_dot(u, u)), k = drag->half * speed;
  return (v3){-k * c.x * u.x, -k * c.y * u.y, -k * c.z * u.z + k * drag->lift * speed};
}


s3 drag_damping(const forceDrag *drag, v3 u)
{
  // -dF_i/du_j = h (c_i |u| delta_ij + c_i u_i u_j/|u|),  less 2 h cl u_j of the lift
  const v3 c = drag->coefficient;
  const double speed = sqrt(v3_dot(u, u)), h = drag->half, l = h * drag->lift;
  const double k = speed > 0 ? h / speed : 0;
  return (s3){c.x * (h * speed + k * u.x * u.x),
              c.y * (h * speed + k * u.y * u.y),
              c.z * (h * speed + k * u.z * u.z) - 2 * l * u.z,
              0.5 * k * (c.x + c.y) * u.x * u.y,
              0.5 * k * (c.x + c.z) * u.x * u.z - l * u.x,
              0.5 * k * (c.y + c.z) * u.y * u.z - l * u.y};
}
