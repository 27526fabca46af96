// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Calspan tyre, a cubic of the slip angle up to full sliding, for numbers, dual numbers and
// symbols.
#include "tyre/formulas.h"


// the cubic: slope 1 at the origin, constant for |x| >= 3
static real calspan_saturate(real slip)
{
  const real x = r_max(r_min(slip, 3), -3);
  return x - x * r_abs(x) / 3 + x * x * x / 27;
}


// stiffnesses are constant above the load Aomega A2
static real calspan_load(const artCalspanTyre *t, const tyreSlip *slip)
{
  return r_min(slip->load, tyre_number(&t->Aomega) * tyre_number(&t->A2));
}


// cornering stiffness (A1 Fz (Fz - A2) - A0 A2) / A2 at the load n
static real calspan_cornering(const artCalspanTyre *t, real n)
{
  return (tyre_number(&t->A1) * n * (n - tyre_number(&t->A2)) -
          tyre_number(&t->A0) * tyre_number(&t->A2)) /
         tyre_number(&t->A2);
}


static real calspan_friction(const artCalspanTyre *t, real Fz)
{
  return (tyre_number(&t->B1) * Fz + tyre_number(&t->B3) + tyre_number(&t->B4) * Fz * Fz) *
         tyre_number(&t->SN);
}


tyreForces R_NAME(calspan_forces)(const artCalspanTyre *t, const tyreSlip *slip)
{
  // the camber stiffness is A3 (A4 - Fz) Fz / A4
  const real Fz = slip->load, n = calspan_load(t, slip);
  const real Ka = calspan_cornering(t, n);
  const real Kg = -tyre_number(&t->A3) * (tyre_number(&t->A4) - n) * n / tyre_number(&t->A4);
  const real most = calspan_friction(t, Fz) * Fz;

  // Fy = mu Fz g((Ka alpha + Kg gamma) / (mu Fz)),  Mz = (AF1 Fz + AF2 |Fy|) Fy
  tyreForces f = {0};
  f.Fy = most * calspan_saturate((Ka * r_atan(slip->tangent) + Kg * slip->gamma) / most);
  f.Mz = (tyre_number(&t->AF1) * Fz + tyre_number(&t->AF2) * r_abs(f.Fy)) * f.Fy;
  return f;
}


tyreStiffness R_NAME(calspan_stiffness)(const artCalspanTyre *t, const tyreSlip *slip)
{
  tyreStiffness k = {0};
  k.Ky = r_abs(calspan_cornering(t, calspan_load(t, slip)));
  k.mu[1] = calspan_friction(t, slip->load);
  k.mu[0] = k.mu[1];
  return k;
}
