// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Slips in time: first-order lags along the road that stay regular to standstill and in the air.
#include <math.h>

#include "tyre/tyre.h"


// |Vx|, rounded below the slow speed so that it never vanishes
static double rounded_speed(double Vx, double slow)
{
  const double v = fabs(Vx);
  return v > slow ? v : 0.5 * (slow + v * v / slow);
}


void tyre_steady_slips(const artTyre *tyre, const tyreMotion *m, double slip[2])
{
  const double v = rounded_speed(m->Vx, tyre->slow);
  slip[0] = -m->Vsx / v;
  slip[1] = m->Vsy / v;
}


// 1 at standstill, 0 from the slow speed on
static double slowness(double Vx, double slow)
{
  const double pi = 3.141592653589793;
  return fabs(Vx) < slow ? 0.5 * (1 + cos(pi * Vx / slow)) : 0;
}


// what a wound-up contact gives back by sliding: nothing below the slip at which sliding is complete,
// the whole of a speed v at twice that slip
static double slide(double state, double full, double v)
{
  const double excess = fabs(state) - full;
  return excess > 0 ? copysign(v * excess / full, state) : 0;
}


// the slip at which sliding is complete in a brush of this stiffness
static double full_slip(double mu, double load, double stiffness)
{
  const double most = 3 * fabs(mu) * load;
  return most > 1e-3 * stiffness ? fmin(most / (stiffness + 1e-9), 1) : 1e-3;
}


void tyre_slip_rates(const artTyre *tyre, const artTyreInput *in, const tyreMotion *m,
                     const double state[2], double rate[2], double slip[2])
{
  double sigma[2];
  const tyreStiffness k = tyre_stiffness(tyre, in);
  tyre_relaxation(tyre, in, &k, sigma);

  const double slow = slowness(m->Vx, tyre->slow);
  const double fade_speed = 1; // m/s, at which deflections vanish in the air
  const double air = fmax(1 - in->load / (0.02 * tyre->radial.load), 0);
  const double v[2] = {-m->Vsx, m->Vsy};
  const double stiffness[2] = {k.Kx, k.Ky};
  for (int i = 0; i < 2; i++) {
    // sigma u' = v - |Vx| u - slide
    const double full = full_slip(k.mu[i], in->load, stiffness[i]);
    const double give = (1 - air) * slow * slide(state[i], full, fabs(v[i]));
    rate[i] = ((1 - air) * v[i] - (fabs(m->Vx) + air * fade_speed) * state[i] - give) / sigma[i];

    // a damper beside the carcass spring, where rolling does not damp
    slip[i] = state[i] + slow * tyre->low_damping / sigma[i] * v[i];
  }
}
