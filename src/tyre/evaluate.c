// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The steady force of an input.
#include "tyre/evaluate.h"

#include <math.h>


artTyreForce tyre_forces(const artTyre *tyre, const artTyreInput *in, tyreStiffness *stiffness)
{
  const tyreSlip slip = {.load = fmax(in->load, 0),
                         .kappa = in->kappa,
                         .tangent = tan(in->alpha),
                         .gamma = in->gamma,
                         .speed = fabs(in->speed),
                         .pressure = tyre_pressure_increment(tyre, in->pressure)};
  const realForce f = mounted_forces(tyre, slip, in->speed);
  if (stiffness) {
    *stiffness = (tyreStiffness){fabs(f.at.Kx), fabs(f.at.Ky), {f.at.mu[0], f.at.mu[1]}};
  }
  return (artTyreForce){f.Fx, f.Fy, f.Fz, f.Mx, f.My, f.Mz};
}


artTyreForce art_evaluate_tyre(const artTyre *tyre, const artTyreInput *input)
{
  return tyre_forces(tyre, input, NULL);
}


void art_differentiate_tyre(const artTyre *tyre, const artTyreInput *input, double jacobian[6][4])
{
  for (int k = 0; k < 4; k++) {
    double direction[4] = {0};
    direction[k] = 1;
    const artTyreForce f = tyre_forces_along(tyre, input, direction);
    const double column[6] = {f.Fx, f.Fy, f.Fz, f.Mx, f.My, f.Mz};
    for (int i = 0; i < 6; i++) jacobian[i][k] = column[i];
  }
}
