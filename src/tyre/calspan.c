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


// cornering stiffness (A1 Fz (Fz - A2) - A0 A2) / A2 at the load n
static real calspan_cornering(const artCalspanTyre *t, real n)
{
  return (t->A1 * n * (n - t->A2) - t->A0 * t->A2) / t->A2;
}


static real calspan_friction(const artCalspanTyre *t, real Fz)
{
  return (t->B1 * Fz + t->B3 + t->B4 * Fz * Fz) * t->SN;
}


tyreForces REAL_NAME(calspan_forces)(const artCalspanTyre *t, const tyreSlip *slip)
{
  // stiffnesses are those of the load Aomega A2 beyond it; that of camber is A3 (A4 - Fz) Fz / A4
  const real Fz = slip->load;
  const real n = real_min(Fz, t->Aomega * t->A2);
  const real Ka = calspan_cornering(t, n);
  const real Kg = -t->A3 * (t->A4 - n) * n / t->A4;
  const real most = calspan_friction(t, Fz) * Fz;

  // Fy = mu Fz g((Ka alpha + Kg gamma) / (mu Fz)),  Mz = (AF1 Fz + AF2 |Fy|) Fy
  tyreForces f = {0};
  f.Fy = most * saturate((Ka * real_atan(slip->tangent) + Kg * slip->gamma) / most);
  f.Mz = (t->AF1 * Fz + t->AF2 * real_abs(f.Fy)) * f.Fy;
  return f;
}


tyreStiffness REAL_NAME(calspan_stiffness)(const artCalspanTyre *t, const tyreSlip *slip)
{
  const real n = real_min(slip->load, t->Aomega * t->A2);
  const double mu = value(calspan_friction(t, slip->load));
  return (tyreStiffness){0, fabs(value(calspan_cornering(t, n))), {mu, mu}};
}
