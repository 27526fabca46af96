// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The formulas on dual numbers: the files of the formulas are included below as they are, with
// `real` a dual number.
#define TYRE_DUAL

#include "tyre/evaluate.h"

// clang-format off
#include "tyre/magic.c"
#include "tyre/linear.c"
#include "tyre/bakker.c"
#include "tyre/calspan.c"
// clang-format on

static const double step = 1e-100;


static real seed(double x, double direction)
{
  return real_make(x, step * direction);
}


artTyreForce tyre_forces_along(const artTyre *tyre, const artTyreInput *in, const double d[4])
{
  if (!(in->load > 0)) return (artTyreForce){0};
  const tyreSlip slip = {.load = seed(in->load, d[3]),
                         .kappa = seed(in->kappa, d[0]),
                         .tangent = real_tan(seed(in->alpha, d[1])),
                         .gamma = seed(in->gamma, d[2]),
                         .speed = fabs(in->speed),
                         .pressure = tyre_pressure_increment(tyre, in->pressure)};
  const realForce f = mounted_forces(tyre, slip, in->speed);
  return (artTyreForce){cimag(f.Fx) / step, cimag(f.Fy) / step, cimag(f.Fz) / step,
                        cimag(f.Mx) / step, cimag(f.My) / step, cimag(f.Mz) / step};
}
