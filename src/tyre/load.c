// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Radii, load and relaxation of any tyre.
#include <math.h>

#include "base/error.h"
#include "base/larger.h"
#include "tyre/tyre.h"


double tyre_pressure_increment(const artTyre *tyre, double pressure)
{
  return tyre->kind == TYRE_MAGIC ? magic_pressure_increment(&tyre->magic, pressure) : 0;
}


double art_tyre_free_radius(const artTyre *tyre, double spin)
{
  ART_REQUIRE_OR(tyre, NAN);
  return tyre->kind == TYRE_MAGIC ? magic_free_radius(&tyre->magic, spin) : tyre->radial.radius;
}


double art_tyre_rolling_radius(const artTyre *tyre, double load, double spin, double pressure)
{
  ART_REQUIRE_OR(tyre, NAN);
  load = base_larger(load, 0);
  if (tyre->kind == TYRE_MAGIC) return magic_rolling_radius(&tyre->magic, load, spin, pressure);

  // a third of the deflection is the usual loss of radius of a belted tyre
  return tyre->radial.radius - load / tyre->radial.stiffness / 3;
}


double tyre_elastic_load(const artTyre *tyre, const artTyreDeflection *d)
{
  if (tyre->kind == TYRE_MAGIC) return magic_load(&tyre->magic, d);
  return tyre->radial.stiffness * base_larger(d->depth, 0);
}


// 3 x^2 - 2 x^3 from 0 to 1
static double smooth_step(double x)
{
  if (x >= 1) return 1;
  return x <= 0 ? 0 : x * x * (3 - 2 * x);
}


double tyre_damped_load(const artTyre *tyre, double elastic, double rate)
{
  // Fz = F(d) + c d', the damper fading in over the first tenth of the nominal load
  const double fade = smooth_step(elastic / (0.1 * tyre->radial.load));
  return base_larger(elastic + fade * tyre->radial.damping * rate, 0);
}


double art_tyre_load(const artTyre *tyre, const artTyreDeflection *d)
{
  ART_REQUIRE_OR(tyre && d, NAN);
  return tyre_damped_load(tyre, tyre_elastic_load(tyre, d), d->rate);
}


double art_tyre_loaded_radius(const artTyre *tyre, double load, const artTyreDeflection *conditions)
{
  ART_REQUIRE_OR(tyre && conditions, NAN);
  if (isnan(load)) return NAN;

  // the load grows with the depth: halve the interval, from free to the hub
  const double free = art_tyre_free_radius(tyre, conditions->spin);
  double low = -0.2 * free, high = free;
  for (int k = 0; k < 60; k++) {
    artTyreDeflection d = *conditions;
    d.depth = 0.5 * (low + high);
    if (tyre_elastic_load(tyre, &d) > load)
      high = d.depth;
    else
      low = d.depth;
  }
  return free - 0.5 * (low + high);
}


void tyre_relaxation(const artTyre *tyre, const artTyreInput *input, const tyreStiffness *k,
                     double sigma[2])
{
  sigma[0] = tyre->relaxation[0];
  sigma[1] = tyre->relaxation[1];
  if (tyre->kind == TYRE_MAGIC) magic_relaxation(&tyre->magic, input, k->Kx, k->Ky, sigma);
  const double least = 0.1 * tyre->radial.radius;
  for (int i = 0; i < 2; i++) sigma[i] = sigma[i] > least ? sigma[i] : least;
}


void art_tyre_relaxation(const artTyre *tyre, const artTyreInput *input, double sigma[2])
{
  ART_REQUIRE_OR(sigma, );
  sigma[0] = sigma[1] = NAN;
  ART_REQUIRE_OR(tyre && input, );
  const tyreStiffness k = tyre_stiffness(tyre, input);
  tyre_relaxation(tyre, input, &k, sigma);
}
