// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The first Magic Formula: Bakker, Nyborg and Pacejka, Tyre modelling for use in vehicle dynamics
// studies, SAE 870421 (1987), for numbers, dual numbers and symbols. Loads in kN, angles in
// degrees, slip in per cent.
//
// The paper treats braking and side slip separately. Combined slip is reduced to one normalised
// slip: with x' = x BCD/D, the slip divided by the linear range of its curve, and s = |(x', y')|,
// each curve is evaluated at s, and its force is split in the proportions x'/s and y'/s.
#include "tyre/formulas.h"

// coefficients of a curve at a given load
typedef struct bakkerCurve {
  real B, C, D, E;
  real SH, SV;
} bakkerCurve;

static const double degrees = 57.295779513082323;


static real bakker_peak(const double a[13], real Fz)
{
  return tyre_number(&a[0]) * Fz * Fz + tyre_number(&a[1]) * Fz;
}


// C, D and E of the tables; slope is BCD; g is the camber in degrees
static bakkerCurve bakker_curve(const double a[13], real C, real slope, real Fz, real g)
{
  bakkerCurve c = {.C = C, .D = bakker_peak(a, Fz)};
  c.B = slope / (C * c.D) * (1 - tyre_number(&a[11]) * r_abs(g));
  c.E = (tyre_number(&a[5]) * Fz * Fz + tyre_number(&a[6]) * Fz + tyre_number(&a[7])) /
        (1 - tyre_number(&a[12]) * r_abs(g));
  c.SH = tyre_number(&a[8]) * g;
  c.SV = (tyre_number(&a[9]) * Fz * Fz + tyre_number(&a[10]) * Fz) * g;
  return c;
}


static real side_slope(const double a[13], real Fz)
{
  return tyre_number(&a[2]) * r_sin(tyre_number(&a[3]) * r_atan(tyre_number(&a[4]) * Fz));
}


static real other_slope(const double a[13], real Fz)
{
  return (tyre_number(&a[2]) * Fz * Fz + tyre_number(&a[3]) * Fz) * r_exp(-tyre_number(&a[4]) * Fz);
}


// D sin(C atan(B phi)),  phi = (1 - E) x + E / B atan(B x)
static real bakker_curve_at(const bakkerCurve *c, real x)
{
  const real Bx = c->B * x;
  return c->D * r_sin(c->C * r_atan((1 - c->E) * Bx + c->E * r_atan(Bx)));
}


// the force of the curve at the normalised combined slip s, divided by s
static real bakker_secant(const bakkerCurve *c, real square, real s)
{
  return square > 0 ? bakker_curve_at(c, s / (c->B * c->C)) / s : c->D;
}


tyreForces R_NAME(bakker_forces)(const artBakkerTyre *t, const tyreSlip *slip)
{
  // side slip and camber of the paper have the sign of Fy, opposite to ISO axes
  const real Fz = slip->load / 1000;
  const real g = -degrees * slip->gamma;
  const bakkerCurve side = bakker_curve(t->side, r_const(1.30), side_slope(t->side, Fz), Fz, g);
  const bakkerCurve brake =
      bakker_curve(t->brake, r_const(1.65), other_slope(t->brake, Fz), Fz, r_const(0));
  const bakkerCurve align = bakker_curve(t->align, r_const(2.40), other_slope(t->align, Fz), Fz, g);

  const real a = -degrees * r_atan(slip->tangent);
  const real x = 100 * slip->kappa * brake.B * brake.C;
  const real y = (a + side.SH) * side.B * side.C;
  const real square = x * x + y * y;
  const real s = r_sqrt(square > 0 ? square : 1);

  // the aligning moment is reduced in the same ratio as the side force
  const real alone = bakker_curve_at(&side, a + side.SH);
  const real together = y * bakker_secant(&side, square, s);
  const real weight = r_abs(alone) > 0 ? together / (r_abs(alone) > 0 ? alone : 1) : 1;

  tyreForces f = {0};
  f.Fx = x * bakker_secant(&brake, square, s);
  f.Fy = together + side.SV;
  f.Mz = weight * bakker_curve_at(&align, a + align.SH) + align.SV;
  return f;
}


tyreStiffness R_NAME(bakker_stiffness)(const artBakkerTyre *t, const tyreSlip *slip)
{
  const real Fz = slip->load / 1000;
  tyreStiffness k;
  k.Kx = r_abs(100 * other_slope(t->brake, Fz));
  k.Ky = r_abs(degrees * side_slope(t->side, Fz));
  k.mu[0] = bakker_peak(t->brake, Fz) / slip->load;
  k.mu[1] = bakker_peak(t->side, Fz) / slip->load;
  return k;
}
