// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dry friction, regularised, with the Stribeck effect.
#include "law/friction.h"

#include <math.h>


double friction_force(const forceFriction *friction, double v)
{
  // F = (Fc + (Fs - Fc) exp(-(v/vs)^2)) tanh(v/v0) + b v
  const double w = v / friction->stribeck_speed;
  const double stribeck = (friction->breakaway - friction->coulomb) * exp(-w * w);
  return (friction->coulomb + stribeck) * tanh(v / friction->creep_speed) + friction->viscous * v;
}


double friction_slope(const forceFriction *friction, double v)
{
  const double w = v / friction->stribeck_speed;
  const double stribeck = (friction->breakaway - friction->coulomb) * exp(-w * w);
  const double c = cosh(v / friction->creep_speed);

  // dF/dv = S' tanh + (Fc + S)/(v0 cosh^2) + b,   S = (Fs - Fc) exp(-w^2),  S' = -2 w/vs S
  const double fall = -2 * w / friction->stribeck_speed * stribeck;
  const double rise = (friction->coulomb + stribeck) / friction->creep_speed / c / c;
  return fall * tanh(v / friction->creep_speed) + rise + friction->viscous;
}
