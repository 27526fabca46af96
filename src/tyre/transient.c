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
// `give` for every unit of slip beyond it
static double slide(double state, double full, double give)
{
  const double excess = fabs(state) - full;
  return excess > 0 ? copysign(give * excess, state) : 0;
}


// u = base + weight (v - damping u - slide(u)) / sigma, which is a straight line on each side of `full`
static double implicit_state(double base, double weight, double v, double damping, double full,
                             double give)
{
  const double u = (base + weight * v) / (1 + weight * damping);
  if (fabs(u) <= full) return u;
  const double held = base + weight * (v + copysign(give * full, u));
  return held / (1 + weight * (damping + give));
}


// the slip at which sliding is complete in a brush of this stiffness
static double full_slip(double mu, double load, double stiffness)
{
  const double most = 3 * fabs(mu) * load;
  return most > 1e-3 * stiffness ? fmin(most / (stiffness + 1e-9), 1) : 1e-3;
}


void tyre_slip_rates(const artTyre *tyre, const artTyreInput *in, const tyreMotion *m,
                     const tyreSlips *slips, double rate[2], double slip[2])
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
    const double give = (1 - air) * slow * fabs(v[i]) / full;
    const double feed = (1 - air) * v[i], damping = fabs(m->Vx) + air * fade_speed;
    if (slips->weight > 0) {
      slips->state[i] =
          implicit_state(slips->base[i], slips->weight / sigma[i], feed, damping, full, give);
    }
    const double u = slips->state[i];
    rate[i] = (feed - damping * u - slide(u, full, give)) / sigma[i];

    // a damper beside the carcass spring, where rolling does not damp
    slip[i] = u + slow * tyre->low_damping / sigma[i] * v[i];
  }
}
