// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// All six components of the force from the slips, for numbers, dual numbers and symbols.
//
// A tyre that rolls backward is equivalent to one that rolls forward after a rotation by half a
// turn about z: slips, camber, Fx, Fy, Mx and My change their signs. Below the speed `slow` both
// directions are blended, so that the shifts of a formula, which depend on the direction, vanish at
// standstill, and with them the moment Mz. Formulas without shifts are odd in slips and camber, and
// give the same forces in both directions.
#include "tyre/formulas.h"

static const double quarter = 1.5707963267948966;
static const double NO_LIMIT = 1e12; // larger values mean no limit


static tyreForces forward_forces(const tyreNumbers *tyre, const tyreSlip *slip)
{
  const artTyre *of = tyre_of(tyre);
  switch (of->kind) {
  case TYRE_LINEAR: return R_NAME(linear_forces)(tyre, slip);
  case TYRE_BAKKER: return R_NAME(bakker_forces)(&of->bakker, slip);
  case TYRE_CALSPAN: return R_NAME(calspan_forces)(&of->calspan, slip);
  case TYRE_MAGIC: return R_NAME(magic_forces)(&tyre->magic, slip);
  case TYRE_RADIAL: break;
  }
  return (tyreForces){0};
}


// sense 1: rolling forward, -1: backward
static tyreForces forces_in_sense(const tyreNumbers *tyre, const tyreSlip *forward, real sense)
{
  tyreSlip slip = *forward;
  slip.kappa = sense * slip.kappa;
  slip.tangent = sense * slip.tangent;
  slip.gamma = sense * slip.gamma;
  slip.sine = sense * slip.sine;
  tyreForces f = forward_forces(tyre, &slip);
  f.Fx = sense * f.Fx;
  f.Fy = sense * f.Fy;
  f.Mx = sense * f.Mx;
  return f;
}


static tyreForces scaled_forces(real share, const tyreForces *f)
{
  return (tyreForces){share * f->Fx, share * f->Fy, share * f->Mx, share * f->Mz,
                      share * f->rolling};
}


// above the speed `slow` only one direction is needed
static tyreForces blended_forces(const tyreNumbers *tyre, const tyreSlip *slip, real Vx, real turn)
{
  const real sense = Vx < 0 ? -1 : 1, share = 0.5 * (1 - turn * turn);
  tyreForces f = forces_in_sense(tyre, slip, sense);
  if (!r_surely(slip->speed >= tyre_number(&tyre_of(tyre)->slow))) {
    const tyreForces back = forces_in_sense(tyre, slip, -sense),
                     other = scaled_forces(share, &back);
    f = scaled_forces(1 - share, &f);
    f.Fx += slow_part(tyre, 0, other.Fx);
    f.Fy += slow_part(tyre, 1, other.Fy);
    f.Mx += slow_part(tyre, 2, other.Mx);
    f.Mz += slow_part(tyre, 3, other.Mz);
    f.rolling += slow_part(tyre, 4, other.rolling);
  }
  f.Mz *= r_abs(turn);
  return f;
}


static tyreForces odd_forces(const tyreNumbers *tyre, const tyreSlip *slip, real turn)
{
  tyreForces f = forward_forces(tyre, slip);
  f.Mz *= turn * turn * turn;
  return f;
}


// sin(pi/2 x) for |x| < 1, else the sign of x
static real sine_ramp(real x)
{
  return r_abs(x) < 1 ? r_sin(quarter * x) : (x < 0 ? -1 : 1);
}


static int is_load_limited(const tyreNumbers *tyre)
{
  return !number_reaches(&tyre_of(tyre)->largest, NO_LIMIT);
}


// the load for the formulas: at most the largest one; the nominal load in the air, to avoid
// division by zero
static real formula_load(const tyreNumbers *tyre, real load)
{
  const real largest = tyre_number(&tyre_of(tyre)->largest);
  if (is_load_limited(tyre)) return load > 0 ? r_min(load, largest) : tyre->radial.load;
  return load > 0 ? load : tyre->radial.load;
}


// ratio of forces at the load to forces of the formulas
static real load_growth(const tyreNumbers *tyre, real load, real seen)
{
  if (is_load_limited(tyre)) return load > 0 ? load / seen : 0;
  return load > 0 ? 1 : 0;
}


tyreWrench R_NAME(tyre_forces)(const tyreNumbers *tyre, const tyreSlip *input, real Vx)
{
  const artTyre *of = tyre_of(tyre);
  const real load = input->load;
  tyreWrench all = {0};
  all.Fz = load;
  if (r_surely(!(load > 0))) return all;

  // a tyre for the other side of the vehicle is mirrored
  const double side = of->mirrored ? -1 : 1;
  tyreSlip slip = *input;
  slip.load = formula_load(tyre, load);
  slip.tangent = side * slip.tangent;
  slip.gamma = side * slip.gamma;
  slip.sine = side * slip.sine;
  const real growth = load_growth(tyre, load, slip.load);

  const real slow = tyre_number(&of->slow);
  const real turn = slip.speed < slow ? r_sin(quarter * Vx / slow) : (Vx < 0 ? -1 : 1);
  const tyreForces f = of->kind == TYRE_MAGIC ? blended_forces(tyre, &slip, Vx, turn)
                                              : odd_forces(tyre, &slip, turn);

  // rolling resistance opposes the speed omega Re = Vx + kappa |Vx|
  const real roll = sine_ramp((Vx + slip.speed * slip.kappa) / slow);
  all.Fx = growth * f.Fx;
  all.Fy = growth * (side * f.Fy);
  all.Mx = growth * (side * f.Mx);
  all.My = -growth * roll * f.rolling;
  all.Mz = growth * (side * f.Mz);
  return all;
}


tyreStiffness R_NAME(tyre_stiffness)(const tyreNumbers *tyre, const tyreSlip *input)
{
  const artTyre *of = tyre_of(tyre);
  tyreStiffness k = {0};
  k.mu[0] = r_const(1);
  k.mu[1] = r_const(1);
  if (r_surely(!(input->load > 0))) return k;
  tyreSlip slip = *input;
  slip.load = formula_load(tyre, input->load);
  switch (of->kind) {
  case TYRE_LINEAR: k = R_NAME(linear_stiffness)(tyre, &slip); break;
  case TYRE_BAKKER: k = R_NAME(bakker_stiffness)(&of->bakker, &slip); break;
  case TYRE_CALSPAN: k = R_NAME(calspan_stiffness)(&of->calspan, &slip); break;
  case TYRE_MAGIC: k = R_NAME(magic_stiffness)(&tyre->magic, &slip); break;
  case TYRE_RADIAL: break;
  }
  k.Kx = input->load > 0 ? k.Kx : 0;
  k.Ky = input->load > 0 ? k.Ky : 0;
  return k;
}
