// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A controller: y = kp u + ki x, dx/dt = u

static void collect(double t, const double *x, const double *u, const double *p, double *dx)
{
  (void) t, (void) x, (void) p;
  dx[0] = u[0];
}


static void act(double t, const double *x, const double *u, const double *p, double *y)
{
  (void) t;
  y[0] = p[0] * u[0] + p[1] * x[0];
}


static const equations EQUATION = {.states = 1,
                                   .inputs = 1,
                                   .parameters = 2,
                                   .outputs = 1,
                                   .start = {0},
                                   .parameter = {2, 5},
                                   .rate = collect,
                                   .output = act};
