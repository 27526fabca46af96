// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dry friction, regularised, with the Stribeck effect.
#include "force/friction.h"

#include <math.h>


artStatus friction_check(const forceFriction *friction, artPlace place, artError *error)
{
  const struct {
    const char *name;
    double value;
    int may_be_zero;
  } parts[] = {
      {"coulomb force", friction->coulomb, 1},
      {"breakaway force", friction->breakaway, 1},
      {"viscous coefficient", friction->viscous, 1},
      {"stribeck speed", friction->stribeck_speed, 0},
      {"creep speed", friction->creep_speed, 0},
  };
  for (int i = 0; i < 5; i++) {
    const double value = parts[i].value;
    if (isfinite(value) && (value > 0 || (parts[i].may_be_zero && value == 0))) continue;
    return base_fail(error, ART_BAD_INPUT, place, "the friction has %s %g, expected %s",
                     parts[i].name, value,
                     parts[i].may_be_zero ? "zero or a positive number" : "a positive number");
  }
  if (friction->breakaway >= friction->coulomb) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, place,
                   "the friction has breakaway force %g below its coulomb force %g",
                   friction->breakaway, friction->coulomb);
}


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
