// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The first Magic Formula: Bakker, Nyborg and Pacejka, Tyre modelling for use in vehicle dynamics
// studies, SAE 870421 (1987). Loads in kN, angles in degrees, slip in per cent.
//
// The paper has brake and side slip apart. Both together are brought to one slip each: with x' = x BCD/D,
// the slip in units of its own curve's slope, and s = |(x', y')|, each curve is taken at s and
// shares out its force as x'/s and y'/s.
#include "tyre/formulas.h"

// a curve at a load
typedef struct bakkerCurve {
  real B, C, D, E;
  real SH, SV;
} bakkerCurve;

static const double degrees = 57.295779513082323;


static real peak(const double a[13], real Fz)
{
  return a[0] * Fz * Fz + a[1] * Fz;
}


// C, D and E of the tables; slope is the product BCD; camber g in degrees
static bakkerCurve curve(const double a[13], double C, real slope, real Fz, real g)
{
  bakkerCurve c = {.C = C, .D = peak(a, Fz)};
  c.B = slope / (C * c.D) * (1 - a[11] * real_abs(g));
  c.E = (a[5] * Fz * Fz + a[6] * Fz + a[7]) / (1 - a[12] * real_abs(g));
  c.SH = a[8] * g;
  c.SV = (a[9] * Fz * Fz + a[10] * Fz) * g;
  return c;
}


static real side_slope(const double a[13], real Fz)
{
  return a[2] * real_sin(a[3] * real_atan(a[4] * Fz));
}


static real other_slope(const double a[13], real Fz)
{
  return (a[2] * Fz * Fz + a[3] * Fz) * real_exp(-a[4] * Fz);
}


// D sin(C atan(B phi)),  phi = (1 - E) x + E / B atan(B x)
static real at(const bakkerCurve *c, real x)
{
  const real Bx = c->B * x;
  return c->D * real_sin(c->C * real_atan((1 - c->E) * Bx + c->E * real_atan(Bx)));
}


// the share of x in the curve at the common slip s, both in units of the slope
static real share(const bakkerCurve *c, real x, real s)
{
  const real slope = c->B * c->C;
  if (value(s) == 0) return c->D * x;
  return x / s * at(c, s / slope);
}


tyreForces REAL_NAME(bakker_forces)(const artBakkerTyre *t, const tyreSlip *slip)
{
  // the paper's side slip and camber are positive when Fy is: the other way round in ISO axes
  const real Fz = slip->load / 1000;
  const real g = -degrees * slip->gamma;
  const bakkerCurve side = curve(t->side, 1.30, side_slope(t->side, Fz), Fz, g);
  const bakkerCurve brake = curve(t->brake, 1.65, other_slope(t->brake, Fz), Fz, 0);
  const bakkerCurve align = curve(t->align, 2.40, other_slope(t->align, Fz), Fz, g);

  const real a = -degrees * real_atan(slip->tangent);
  const real x = 100 * slip->kappa * brake.B * brake.C;
  const real y = (a + side.SH) * side.B * side.C;
  const real z = a + align.SH;
  const real square = x * x + y * y;
  const real s = value(square) > 0 ? real_sqrt(square) : square;

  // the aligning moment falls with the side force
  const real alone = at(&side, a + side.SH);
  const real together = share(&side, y, s);
  const real weight = value(alone) != 0 ? together / alone : 1;

  tyreForces f = {0};
  f.Fx = share(&brake, x, s);
  f.Fy = together + side.SV;
  f.Mz = weight * at(&align, z) + align.SV;
  return f;
}


tyreStiffness REAL_NAME(bakker_stiffness)(const artBakkerTyre *t, const tyreSlip *slip)
{
  const real Fz = slip->load / 1000;
  const double load = value(slip->load);
  return (tyreStiffness){
      .Kx = 100 * fabs(value(other_slope(t->brake, Fz))),
      .Ky = degrees * fabs(value(side_slope(t->side, Fz))),
      .mu = {value(peak(t->brake, Fz)) / load, value(peak(t->side, Fz)) / load},
  };
}
