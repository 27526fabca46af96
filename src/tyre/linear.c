// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The linear tyre, with or without a friction limit.
#include "tyre/formulas.h"


tyreForces REAL_NAME(linear_forces)(const artLinearTyre *t, const tyreSlip *slip)
{
  const real share = slip->load / t->radial.load;
  tyreForces f = {0};
  f.Fx = share * t->slip * slip->kappa;
  f.Fy = -share * (t->cornering * real_atan(slip->tangent) + t->camber * slip->gamma);
  if (t->friction > 0) {
    // F / sqrt(1 + (|F| / (mu Fz))^2)
    const real most = t->friction * slip->load;
    const real bend = real_sqrt(1 + (f.Fx * f.Fx + f.Fy * f.Fy) / (most * most));
    f.Fx = f.Fx / bend;
    f.Fy = f.Fy / bend;
  }
  f.Mz = -t->trail * f.Fy;
  return f;
}


tyreStiffness REAL_NAME(linear_stiffness)(const artLinearTyre *t, const tyreSlip *slip)
{
  const double share = value(slip->load) / t->radial.load;
  const double mu = t->friction > 0 ? t->friction : 1;
  return (tyreStiffness){fabs(share * t->slip), fabs(share * t->cornering), {mu, mu}};
}
