// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Public queries of a tyre: forces, load, radii, relaxation.
#include "tyre/tyre_questions.h"

#include <math.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/max_nan.h"

//---- forces --------------------------------------------------------------------------------------

// only the Magic Formula uses it
static double camber_sine(const artTyre *tyre, double gamma)
{
  return tyre->kind == TYRE_MAGIC ? sin(gamma) : 0;
}


tyreSlip tyre_slip_of(const artTyre *tyre, const artTyreInput *in)
{
  return (tyreSlip){.load = max_nan(in->load, 0),
                    .kappa = in->kappa,
                    .tangent = tan(in->alpha),
                    .gamma = in->gamma,
                    .sine = camber_sine(tyre, in->gamma),
                    .speed = fabs(in->speed),
                    .pressure = tyre_pressure_increment(tyre, in->pressure)};
}


artTyreForce art_evaluate_tyre(const artTyre *tyre, const artTyreInput *input)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(tyre && input, ((artTyreForce){NAN, NAN, NAN, NAN, NAN, NAN}));
  const tyreSlip slip = tyre_slip_of(tyre, input);
  const tyreWrench f = tyre_forces(tyre, &slip, input->speed);
  return (artTyreForce){f.Fx, f.Fy, f.Fz, f.Mx, f.My, f.Mz};
}


void art_differentiate_tyre(const artTyre *tyre, const artTyreInput *input, double jacobian[6][4])
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(jacobian, );
  for (int i = 0; i < 24; i++) jacobian[i / 4][i % 4] = NAN;
  ART_REQUIRE_OR(tyre && input, );
  for (int k = 0; k < 4; k++) {
    double direction[4] = {0};
    direction[k] = 1;
    const artTyreForce f = tyre_forces_along(tyre, input, direction);
    const double column[6] = {f.Fx, f.Fy, f.Fz, f.Mx, f.My, f.Mz};
    for (int i = 0; i < 6; i++) jacobian[i][k] = column[i];
  }
}

// The velocity of the contact point is the slip velocity: D = dF/dslip dslip/dv. dF/dslip is the
// slope of the curve or half its secant from the origin, whichever is larger, so that a sliding
// tyre has damping too.
void tyre_resistance(const artTyre *tyre, const artTyreAnswer *a, const double *lag, double K[3],
                     double D[3])
{
  const double force[2] = {a->force.Fx, -a->force.Fy}, slip[2] = {a->input.kappa, a->input.alpha};
  const double v = fabs(a->contact.Vx), slow = tyre->slow;
  double sigma[2], slope[6][4];
  art_differentiate_tyre(tyre, &a->input, slope);
  if (lag) art_tyre_relaxation(tyre, &a->input, sigma);
  K[0] = tyre->radial.stiffness;
  D[0] = tyre->radial.damping;
  for (int i = 0; i < 2; i++) {
    const double secant = fabs(slip[i]) > 1e-3 ? force[i] / slip[i] : 0;
    const double steepness = fmax(i == 0 ? slope[0][0] : -slope[1][1], 0.5 * secant);

    // 1/|Vx| for steady-state slips, less for slip states
    const double by_speed =
        lag ? *lag / (sigma[i] + *lag * v) : 1 / (v > slow ? v : 0.5 * (slow + v * v / slow));
    K[1 + i] = 0;
    D[1 + i] = fmax(steepness, 0) * by_speed;
  }
}

//---- axes of SAE J670: half a turn about x --------------------------------------------------------

artTyreForce art_tyre_force_in_sae(artTyreForce f)
{
  return (artTyreForce){f.Fx, -f.Fy, -f.Fz, f.Mx, -f.My, -f.Mz};
}


artTyreInput art_tyre_input_in_sae(artTyreInput in)
{
  // side velocity changes sign; the camber axis x does not change
  in.alpha = -in.alpha;
  return in;
}

//---- load and radii ------------------------------------------------------------------------------

tyreDent tyre_dent_of(const artTyre *tyre, const artTyreDeflection *d)
{
  const int leans = tyre->kind == TYRE_MAGIC && tyre->magic.version == MAGIC_62;
  return (tyreDent){.depth = d->depth,
                    .spin = d->spin,
                    .gamma = d->gamma,
                    .tangent = leans ? tan(d->gamma) : 0,
                    .pressure = tyre_pressure_increment(tyre, d->pressure),
                    .Fx = d->Fx,
                    .Fy = d->Fy};
}


static double load_at_rest(const artTyre *tyre, const artTyreDeflection *d)
{
  const tyreDent dent = tyre_dent_of(tyre, d);
  return tyre_elastic_load(tyre, &dent);
}


double art_tyre_free_radius(const artTyre *tyre, double spin)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(tyre, NAN);
  return tyre->kind == TYRE_MAGIC ? magic_free_radius(&tyre->magic, spin) : tyre->radial.radius;
}


double art_tyre_rolling_radius(const artTyre *tyre, double load, double spin, double pressure)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(tyre, NAN);
  load = max_nan(load, 0);
  return tyre_rolling_radius(tyre, load, load / tyre->radial.stiffness, spin,
                             tyre_pressure_increment(tyre, pressure));
}


double art_tyre_load(const artTyre *tyre, const artTyreDeflection *d)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(tyre && d, NAN);
  return tyre_damped_load(tyre, load_at_rest(tyre, d), d->rate);
}


double art_tyre_loaded_radius(const artTyre *tyre, double load, const artTyreDeflection *conditions)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(tyre && conditions, NAN);
  if (isnan(load)) return NAN;

  // bisection between free radius and hub: the load increases with the depth
  const double free = art_tyre_free_radius(tyre, conditions->spin);
  double low = -0.2 * free, high = free;
  for (int k = 0; k < 60; k++) {
    artTyreDeflection d = *conditions;
    d.depth = 0.5 * (low + high);
    if (load_at_rest(tyre, &d) > load)
      high = d.depth;
    else
      low = d.depth;
  }
  return free - 0.5 * (low + high);
}


void art_tyre_relaxation(const artTyre *tyre, const artTyreInput *input, double sigma[2])
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(sigma, );
  sigma[0] = sigma[1] = NAN;
  ART_REQUIRE_OR(tyre && input, );
  tyreSlip slip = tyre_slip_of(tyre, input);
  const tyreStiffness k = tyre_stiffness(tyre, &slip);
  slip.load = input->load;
  tyre_relaxation(tyre, &slip, &k, sigma);
}

//---- transient slips -----------------------------------------------------------------------------

// solve u = base + weight u', which is piecewise linear with kinks at |u| = full
static double implicit_state(double base, double weight, const slipLag *lag)
{
  ART_ASSERT(weight > 0 && lag->sigma > 0);
  const double by = weight / lag->sigma;
  const double u = (base + by * lag->feed) / (1 + by * lag->damping);
  if (fabs(u) <= lag->full) return u;
  const double held = base + by * (lag->feed + copysign(lag->give * lag->full, u));
  return held / (1 + by * (lag->damping + lag->give));
}


void tyre_slip_rates(const artTyre *tyre, const artTyreInput *in, const tyreMotion *m,
                     const tyreSlips *slips, double rate[2], double slip[2])
{
  ART_ASSERT(slips->state && (slips->weight == 0 || slips->base));
  slipLag lag[2];
  const tyreSlip at = {.load = in->load,
                       .gamma = in->gamma,
                       .sine = camber_sine(tyre, in->gamma),
                       .speed = fabs(in->speed),
                       .pressure = tyre_pressure_increment(tyre, in->pressure)};
  tyre_slip_lags(tyre, &at, m, lag);
  for (int i = 0; i < 2; i++) {
    if (slips->weight > 0) {
      slips->state[i] = implicit_state(slips->base[i], slips->weight, &lag[i]);
    }
    rate[i] = slip_lag_rate(&lag[i], slips->state[i]);
    slip[i] = slips->state[i] + lag[i].added;
  }
}
