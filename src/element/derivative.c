// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Elements on dual numbers: their sources are included below, with `real` a dual number.
#define ART_DUAL

#include "element/derivative.h"

#include "lowered/element/texts.h"


static void differentiate_port(const modelElement *e, const int *mode, int n, const double *x,
                               const double *v, int x_seed, int v_seed, double *slope)
{
  ART_ASSERT(n >= 0 && n <= 6 && x_seed < n && v_seed < n);
  portMotion in = {.from = {.mode = mode}};
  portForce out;
  for (int i = 0; i < n; i++) {
    in.x[i] = (real){x[i], i == x_seed};
    in.v[i] = (real){v[i], i == v_seed};
  }
  port_physics(e)->act(e, &in, &out);
  for (int i = 0; i < n; i++) slope[i] = out.elastic[i].d + out.resisting[i].d;
}


void element_slope_by_displacement(const modelElement *e, const int *mode, int n, const double *x,
                                   const double *v, int k, double *slope)
{
  differentiate_port(e, mode, n, x, v, k, -1, slope);
}


void element_slope_by_rate(const modelElement *e, const int *mode, int n, const double *x,
                           const double *v, int k, double *slope)
{
  differentiate_port(e, mode, n, x, v, -1, k, slope);
}


static v3 constant_vector(const double *x)
{
  return v3_make(r_const(x[0]), r_const(x[1]), r_const(x[2]));
}


void element_slope_by_velocity(const modelElement *e, const double velocity[3],
                               const double axes[9], int k, double slope[3])
{
  ART_ASSERT(k >= 0 && k < 3);
  portMotion in = {
      .axes = {constant_vector(axes), constant_vector(axes + 3), constant_vector(axes + 6)}};
  portForce out;
  const double *v = velocity;
  in.velocity = v3_make((real){v[0], k == 0}, (real){v[1], k == 1}, (real){v[2], k == 2});
  port_physics(e)->act(e, &in, &out);
  slope[0] = out.force.x.d;
  slope[1] = out.force.y.d;
  slope[2] = out.force.z.d;
}
