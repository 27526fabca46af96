// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivatives of steady-state forces: the formulas on dual numbers.
#define ART_DUAL

#include "tyre/formulas.h"

// clang-format off
#include "lowered/tyre/magic_forces.c"
#include "lowered/tyre/linear_tyre.c"
#include "lowered/tyre/bakker.c"
#include "lowered/tyre/calspan.c"
#include "lowered/tyre/forces.c"
// clang-format on


artTyreForce tyre_forces_along(const artTyre *tyre, const artTyreInput *in, const double d[4])
{
  if (!(in->load > 0)) return (artTyreForce){0};
  const real gamma = {in->gamma, d[2]};
  const tyreSlip slip = {.load = {in->load, d[3]},
                         .kappa = {in->kappa, d[0]},
                         .tangent = r_tan((real){in->alpha, d[1]}),
                         .gamma = gamma,
                         .sine = r_sin(gamma),
                         .speed = {fabs(in->speed), 0},
                         .pressure = tyre_pressure_increment(tyre, in->pressure)};
  const tyreWrench f = tyre_forces_dual(tyre, &slip, r_const(in->speed));
  return (artTyreForce){f.Fx.d, f.Fy.d, f.Fz.d, f.Mx.d, f.My.d, f.Mz.d};
}
