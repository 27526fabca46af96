// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The linear tyre, with or without a friction limit, for numbers, dual numbers and symbols.
#include "tyre/formulas.h"


tyreForces R_NAME(linear_forces)(const tyreNumbers *t, const tyreSlip *slip)
{
  const real share = slip->load / t->radial.load;
  tyreForces f = {0};
  f.Fx = share * t->linear.slip * slip->kappa;
  f.Fy = -share * (t->linear.cornering * r_atan(slip->tangent) + t->linear.camber * slip->gamma);
  if (tyre_of(t)->linear.friction > 0) {
    // F / sqrt(1 + (|F| / (mu Fz))^2)
    const real most = t->linear.friction * slip->load;
    const real bend = r_sqrt(1 + (f.Fx * f.Fx + f.Fy * f.Fy) / (most * most));
    f.Fx = f.Fx / bend;
    f.Fy = f.Fy / bend;
  }
  f.Mz = -t->linear.trail * f.Fy;
  return f;
}


tyreStiffness R_NAME(linear_stiffness)(const tyreNumbers *t, const tyreSlip *slip)
{
  const real share = slip->load / t->radial.load;
  const real mu = tyre_of(t)->linear.friction > 0 ? t->linear.friction : 1;
  tyreStiffness k;
  k.Kx = r_abs(share * t->linear.slip);
  k.Ky = r_abs(share * t->linear.cornering);
  k.mu[0] = mu;
  k.mu[1] = mu;
  return k;
}
