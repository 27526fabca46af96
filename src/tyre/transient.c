// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Transient slips, for numbers and symbols: first-order lags in travelled distance, regular at
// standstill and in the air.
#include "tyre/formulas.h"


void R_NAME(tyre_steady_slips)(const tyreNumbers *tyre, const tyreMotion *m, real slip[2])
{
  // |Vx|, rounded below the speed `slow` so that it is never zero
  const real slow = tyre_number(&tyre_of(tyre)->slow);
  const real v = r_abs(m->Vx), w = v > slow ? v : 0.5 * (slow + v * v / slow);
  slip[0] = -m->Vsx / w;
  slip[1] = m->Vsy / w;
}


// 1 at standstill, 0 above the speed `slow`
static real slowness_at_speed(real Vx, real slow)
{
  const double pi = 3.141592653589793;
  return r_abs(Vx) < slow ? 0.5 * (1 + r_cos(pi * Vx / slow)) : 0;
}


// the slip of full sliding in a brush model of this stiffness
static real full_slip(real mu, real load, real stiffness)
{
  const real most = 3 * r_abs(mu) * load;
  return most > 1e-3 * stiffness ? r_min(most / (stiffness + 1e-9), 1) : 1e-3;
}


void R_NAME(tyre_slip_lags)(const tyreNumbers *tyre, const tyreSlip *slip, const tyreMotion *m,
                            slipLag lag[2])
{
  real sigma[2];
  const tyreStiffness k = R_NAME(tyre_stiffness)(tyre, slip);
  R_NAME(tyre_relaxation)(tyre, slip, &k, sigma);
  const real slow = slowness_at_speed(m->Vx, tyre_number(&tyre_of(tyre)->slow));
  const real low = tyre_number(&tyre_of(tyre)->low_damping);

  // in the air, deflections decay at 1 m/s
  const real air = r_max(1 - slip->load / (0.02 * tyre->radial.load), 0);
  const real v[2] = {-m->Vsx, m->Vsy}, stiffness[2] = {k.Kx, k.Ky};
  for (int i = 0; i < 2; i++) {
    lag[i].sigma = sigma[i];
    lag[i].feed = (1 - air) * v[i];
    lag[i].damping = r_abs(m->Vx) + air;
    lag[i].full = full_slip(k.mu[i], slip->load, stiffness[i]);
    lag[i].give = (1 - air) * slow * r_abs(v[i]) / lag[i].full;
    lag[i].added = slow * low * v[i] / sigma[i];
  }
}


real R_NAME(slip_lag_rate)(const slipLag *lag, real u)
{
  // a wound-up contact slides only beyond the slip of full sliding
  const real excess = r_abs(u) - lag->full;
  const real slide = excess > 0 ? lag->give * excess * (u < 0 ? -1 : 1) : 0;
  return (lag->feed - lag->damping * u - slide) / lag->sigma;
}
