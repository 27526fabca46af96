// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A ball that falls from 1 m and bounces: dh/dt = v, dv/dt = -g; where h comes to 0, v becomes -e v.

static void fall(double t, const double *x, const double *u, const double *p, double *dx)
{
  (void) t, (void) u;
  dx[0] = x[1];
  dx[1] = -p[0];
}


static void show(double t, const double *x, const double *u, const double *p, double *y)
{
  (void) t, (void) u, (void) p;
  y[0] = x[0];
}


static void touch(double t, const double *x, const double *u, const double *p, double *z)
{
  (void) t, (void) u, (void) p;
  z[0] = x[0];
}


static void bounce(double t, double *x, const double *u, const double *p)
{
  (void) t, (void) u;
  if (x[0] <= 0 && x[1] < 0) x[1] *= -p[1];
}


static const equations EQUATION = {.states = 2,
                                   .parameters = 2,
                                   .outputs = 1,
                                   .indicators = 1,
                                   .start = {1, 0},
                                   .parameter = {9.81, 0.7},
                                   .rate = fall,
                                   .output = show,
                                   .indicate = touch,
                                   .event = bounce};
