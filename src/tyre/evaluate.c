// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The steady force of an input.
#include "tyre/evaluate.h"

#include <math.h>

#include "base/error.h"
#include "base/larger.h"


static tyreSlip slip_of(const artTyre *tyre, const artTyreInput *in)
{
  return (tyreSlip){.load = base_larger(in->load, 0),
                    .kappa = in->kappa,
                    .tangent = tan(in->alpha),
                    .gamma = in->gamma,
                    .speed = fabs(in->speed),
                    .pressure = tyre_pressure_increment(tyre, in->pressure)};
}


artTyreForce art_evaluate_tyre(const artTyre *tyre, const artTyreInput *input)
{
  ART_REQUIRE_OR(tyre && input, ((artTyreForce){NAN, NAN, NAN, NAN, NAN, NAN}));
  const realForce f = mounted_forces(tyre, slip_of(tyre, input), input->speed);
  return (artTyreForce){f.Fx, f.Fy, f.Fz, f.Mx, f.My, f.Mz};
}


tyreStiffness tyre_stiffness(const artTyre *tyre, const artTyreInput *input)
{
  tyreSlip slip = slip_of(tyre, input);
  slip.load = base_smaller(slip.load, tyre->largest);
  if (slip.load > 0) {
    switch (tyre->kind) {
    case TYRE_LINEAR:
      return linear_stiffness(&tyre->linear, &slip);
    case TYRE_BAKKER:
      return bakker_stiffness(&tyre->bakker, &slip);
    case TYRE_CALSPAN:
      return calspan_stiffness(&tyre->calspan, &slip);
    case TYRE_MAGIC:
      return magic_stiffness(&tyre->magic, &slip);
    case TYRE_RADIAL:
      break;
    }
  }
  return (tyreStiffness){.mu = {1, 1}};
}


void art_differentiate_tyre(const artTyre *tyre, const artTyreInput *input, double jacobian[6][4])
{
  ART_REQUIRE_OR(jacobian, );
  for (int i = 0; i < 24; i++) jacobian[i / 4][i % 4] = NAN;
  ART_REQUIRE_OR(tyre && input, );
  for (int k = 0; k < 4; k++) {
    double direction[4] = {0};
    direction[k] = 1;
    const artTyreForce f = tyre_forces_along(tyre, input, direction);
    const double column[6] = {f.Fx, f.Fy, f.Fz, f.Mx, f.My, f.Mz};
    for (int i = 0; i < 6; i++) jacobian[i][k] = column[i];
  }
}
