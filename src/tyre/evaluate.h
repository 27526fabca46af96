// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From an input to all six components, for numbers and for dual numbers: included by evaluate.c and
// dual.c.
//
// A tyre that rolls backward is one that rolls forward seen from behind: turned about z by half a turn,
// slips, camber, Fx, Fy, Mx and My change their signs. Below the speed VXLOW the two are blended,
// so that at standstill what belongs to one direction of rolling is gone: the shifts by the blend, and the
// moment Mz with them.
#ifndef TYRE_EVALUATE_H
#define TYRE_EVALUATE_H

#include "tyre/formulas.h"
#include "tyre/tyre.h"

typedef struct realForce {
  real Fx, Fy, Fz, Mx, My, Mz;
  real rolling;
} realForce;


static tyreForces forward_forces(const artTyre *tyre, const tyreSlip *slip)
{
  switch (tyre->kind) {
  case TYRE_LINEAR:
    return REAL_NAME(linear_forces)(&tyre->linear, slip);
  case TYRE_BAKKER:
    return REAL_NAME(bakker_forces)(&tyre->bakker, slip);
  case TYRE_CALSPAN:
    return REAL_NAME(calspan_forces)(&tyre->calspan, slip);
  case TYRE_MAGIC:
    return REAL_NAME(magic_forces)(&tyre->magic, slip);
  case TYRE_RADIAL:
    break;
  }
  return (tyreForces){0};
}


// sense 1: rolling forward, -1: backward
static void add_forces(const artTyre *tyre, tyreSlip slip, double sense, double weight,
                       realForce *sum)
{
  slip.kappa = sense * slip.kappa;
  slip.tangent = sense * slip.tangent;
  slip.gamma = sense * slip.gamma;
  const tyreForces f = forward_forces(tyre, &slip);
  sum->Fx += weight * sense * f.Fx;
  sum->Fy += weight * sense * f.Fy;
  sum->Mx += weight * sense * f.Mx;
  sum->Mz += weight * f.Mz;
  sum->rolling += weight * f.rolling;
}


static double limit(double x)
{
  return fmin(fmax(x, -1), 1);
}


// sin(pi/2 x), and -1, 1 beyond |x| = 1
static real ramp(real x)
{
  const double right = 1.5707963267948966;
  return fabs(value(x)) < 1 ? real_sin(right * x) : (real) real_sign(x);
}


static realForce all_forces(const artTyre *tyre, tyreSlip slip, double Vx)
{
  realForce f = {.Fz = slip.load};
  if (!(value(slip.load) > 0)) return f;

  // coefficients are those of the largest load beyond it
  const real load = slip.load;
  slip.load = real_min(load, tyre->largest);
  const real growth = load / slip.load;

  const double turn = value(ramp(limit(Vx / tyre->slow)));
  const double forward = 0.5 * (1 + turn * fabs(turn));
  if (forward > 0) add_forces(tyre, slip, 1, forward, &f);
  if (forward < 1) add_forces(tyre, slip, -1, 1 - forward, &f);
  f.Mz *= fabs(turn);

  // rolling resistance against the speed omega Re = Vx + kappa |Vx|
  f.My = -ramp((Vx + fabs(Vx) * slip.kappa) / tyre->slow) * f.rolling;

  f.Fx *= growth;
  f.Fy *= growth;
  f.Mx *= growth;
  f.My *= growth;
  f.Mz *= growth;
  return f;
}


// On the other side of the vehicle left and right change places.
static realForce mounted_forces(const artTyre *tyre, tyreSlip slip, double Vx)
{
  const double side = tyre->mirrored ? -1 : 1;
  slip.tangent = side * slip.tangent;
  slip.gamma = side * slip.gamma;
  realForce f = all_forces(tyre, slip, Vx);
  f.Fy = side * f.Fy;
  f.Mx = side * f.Mx;
  f.Mz = side * f.Mz;
  return f;
}

#endif
