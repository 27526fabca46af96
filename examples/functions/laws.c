// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The laws of cart.yaml: one function of each kind (doc/reference/user-functions.md). The names
// have the prefix of generated code, so that this file works with runs and with generated C.
#include <articula/user.h>
#include <math.h>

void user_strut(const double *x, double *y, void *user);
void user_motor(const double *x, double *y, void *user);
void user_air(const double *x, double *y, void *user);
void user_tread(const double *x, double *y, void *user);
void user_flapping(const double *x, double *y, void *user);
void user_flapping_bias(const double *x, double *y, void *user);


// link: a spring and a damper, F = k (Z - Z0) + c Zd
void user_strut(const double *x, double *y, void *user)
{
  (void) user;
  const double *p = x + ART_LINK_PARAMETER;
  y[0] = p[1] * (x[ART_LINK_LENGTH] - p[0]) + p[2] * x[ART_LINK_RATE];
}


// joint: a motor whose torque decreases with its speed, Q = M0 - b qd
void user_motor(const double *x, double *y, void *user)
{
  (void) user;
  const double *p = x + ART_JOINT_PARAMETER;
  y[0] = p[0] - p[1] * x[ART_JOINT_RATE];
}


// point: aerodynamic drag, F = -rho A/2 |v| v
void user_air(const double *x, double *y, void *user)
{
  (void) user;
  const double *v = x + ART_POINT_VELOCITY;
  const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double k = 0.5 * 1.225 * x[ART_POINT_PARAMETER] * speed;
  for (int i = 0; i < 3; i++) {
    y[i] = -k * v[i];
    y[3 + i] = 0;
  }
}


// tyre: forces proportional to load and slips
void user_tread(const double *x, double *y, void *user)
{
  (void) user;
  const double *p = x + ART_TYRE_PARAMETER, load = x[ART_TYRE_LOAD];
  y[0] = p[0] * load * x[ART_TYRE_SLIP];
  y[1] = -p[1] * load * x[ART_TYRE_SLIP_ANGLE];
  y[2] = load;
  y[3] = y[4] = y[5] = 0;
}


// constraint: h = angle - ratio travel + offset, and its derivatives by travel and angle
void user_flapping(const double *x, double *y, void *user)
{
  (void) user;
  y[0] = x[1] - x[2] * x[0] + x[3];
  y[1] = -x[2];
  y[2] = 1;
}


// h has no second derivatives
void user_flapping_bias(const double *x, double *y, void *user)
{
  (void) x;
  (void) user;
  y[0] = 0;
}
