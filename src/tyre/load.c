// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Deflection, load, rolling radius and relaxation of any tyre, for numbers and symbols.
#include "tyre/formulas.h"


// The Magic Formula measures the deflection along the wheel's radius; the other tyres measure it
// along the normal.
real R_NAME(tyre_depth)(const tyreNumbers *tyre, real radius, real spin, real upright)
{
  if (tyre_of(tyre)->kind != TYRE_MAGIC) return upright * (tyre->radial.radius - radius);
  return R_NAME(magic_free_radius)(&tyre->magic, spin) - radius;
}


real R_NAME(tyre_rolling_radius)(const tyreNumbers *tyre, real elastic, real dent, real spin,
                                 real pressure)
{
  if (tyre_of(tyre)->kind == TYRE_MAGIC) {
    return R_NAME(magic_rolling_radius)(&tyre->magic, elastic, spin, pressure);
  }
  // a belted tyre loses about a third of the deflection in rolling radius
  return tyre->radial.radius - dent / 3;
}


real R_NAME(tyre_elastic_load)(const tyreNumbers *tyre, const tyreDent *d)
{
  if (tyre_of(tyre)->kind == TYRE_MAGIC) return R_NAME(magic_load)(&tyre->magic, d);
  return tyre->radial.stiffness * r_max(d->depth, 0);
}


real R_NAME(tyre_damped_load)(const tyreNumbers *tyre, real elastic, real rate)
{
  // Fz = F(d) + c d'; the damper fades in over the first tenth of the nominal load
  const real x = r_max(r_min(elastic / (0.1 * tyre->radial.load), 1), 0);
  const real fade = x * x * (3 - 2 * x);
  return r_max(elastic + fade * tyre->radial.damping * rate, 0);
}


void R_NAME(tyre_relaxation)(const tyreNumbers *tyre, const tyreSlip *slip, const tyreStiffness *k,
                             real sigma[2])
{
  sigma[0] = tyre->relaxation[0];
  sigma[1] = tyre->relaxation[1];
  if (tyre_of(tyre)->kind == TYRE_MAGIC) {
    R_NAME(magic_relaxation)(&tyre->magic, slip, k, sigma);
  }
  const real least = 0.1 * tyre->radial.radius;
  sigma[0] = r_max(sigma[0], least);
  sigma[1] = r_max(sigma[1], least);
}
