// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Calspan tyre: a cubic of the slip angle that ends in sliding.
#include "tyre/formulas.h"


// the cubic, of slope 1 at the origin and flat at its ends
static real saturate(real x)
{
  if (value(x) >= 3) return 1;
  if (value(x) <= -3) return -1;
  return x - x * real_abs(x) / 3 + x * x * x / 27;
}


tyreForces REAL_NAME(calspan_forces)(const artCalspanTyre *t, const tyreSlip *slip)
{
  // stiffnesses are those of the load Aomega A2 beyond it
  const real Fz = slip->load;
  const real n = real_min(Fz, t->Aomega * t->A2);

  // cornering stiffness (A1 Fz (Fz - A2) - A0 A2) / A2, camber stiffness A3 (A4 - Fz) Fz / A4
  const real Ka = (t->A1 * n * (n - t->A2) - t->A0 * t->A2) / t->A2;
  const real Kg = -t->A3 * (t->A4 - n) * n / t->A4;
  const real mu = (t->B1 * Fz + t->B3 + t->B4 * Fz * Fz) * t->SN;

  // Fy = mu Fz g((Ka alpha + Kg gamma) / (mu Fz)),  Mz = (AF1 Fz + AF2 |Fy|) Fy
  tyreForces f = {0};
  f.Fy = mu * Fz * saturate((Ka * real_atan(slip->tangent) + Kg * slip->gamma) / (mu * Fz));
  f.Mz = (t->AF1 * Fz + t->AF2 * real_abs(f.Fy)) * f.Fy;
  f.Ky = value(Ka);
  f.mu[0] = f.mu[1] = value(mu);
  return f;
}
