// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The ground and the piston of ride.yaml (doc/reference/user-functions.md). The names have the
// prefix of generated code, so that this file works with runs and with generated C.
#include <articula/user.h>
#include <math.h>

void user_hills(const double *x, double *y, void *user);
void user_piston(const double *x, double *y, void *user);


// ground: waves along x, z = a sin(2 pi x / l)
void user_hills(const double *x, double *y, void *user)
{
  (void) user;
  const double a = x[ART_GROUND_PARAMETER], k = 6.283185307179586 / x[ART_GROUND_PARAMETER + 1];
  y[ART_GROUND_HEIGHT] = a * sin(k * x[ART_GROUND_X]);
  y[ART_GROUND_SLOPE_X] = a * k * cos(k * x[ART_GROUND_X]);
  y[ART_GROUND_SLOPE_Y] = 0;
}


// link: the pressure p pushes the ends apart, the damping decreases with the input u, a spring
// centres,
//   F = k (Z - Z0) + c (1 - u/2) Zd - p
void user_piston(const double *x, double *y, void *user)
{
  (void) user;
  const double *parameter = x + ART_LINK_PARAMETER, *argument = parameter + 3;
  const double damping = parameter[0] * (1 - 0.5 * argument[1]);
  y[0] =
      parameter[1] * (x[ART_LINK_LENGTH] - parameter[2]) + damping * x[ART_LINK_RATE] - argument[0];
}
