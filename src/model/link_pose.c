// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Coordinates of a link, moved by a small displacement.
#include "model/link_pose.h"

#include <math.h>


void pose_turn_quaternion(double e[4], const double u[3])
{
  const double angle = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double c = cos(0.5 * angle);
  const double s = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  const double w = e[0], x = e[1], y = e[2], z = e[3];
  const double a = s * u[0], b = s * u[1], g = s * u[2];
  e[0] = w * c - x * a - y * b - z * g;
  e[1] = x * c + w * a + y * g - z * b;
  e[2] = y * c + w * b + z * a - x * g;
  e[3] = z * c + w * g + x * b - y * a;
}
