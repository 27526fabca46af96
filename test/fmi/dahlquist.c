// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// dx/dt = -k x, x(0) = 1

static void decay(double t, const double *x, const double *u, const double *p, double *dx)
{
  (void) t, (void) u;
  dx[0] = -p[0] * x[0];
}


static void show(double t, const double *x, const double *u, const double *p, double *y)
{
  (void) t, (void) u, (void) p;
  y[0] = x[0];
}


static const equations EQUATION = {.states = 1,
                                   .parameters = 1,
                                   .outputs = 1,
                                   .start = {1},
                                   .parameter = {1},
                                   .rate = decay,
                                   .output = show};
