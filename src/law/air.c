// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Air springs: polytropic compression of a closed volume.
#include "law/air.h"

#include <math.h>

#include "base/error.h"


int air_is_defined(const forceAir *air, double x)
{
  return air->volume + air->area * x > 0;
}


// V0/V
static double compression_ratio(const forceAir *air, double x)
{
  ART_ASSERT(air->volume > 0 && air->area != 0);
  return air->volume / (air->volume + air->area * x);
}


// (e^y - 1)/y and log(1 + z)/z, both 1 at zero
static double exp_quotient(double y)
{
  return y == 0 ? 1 : expm1(y) / y;
}


static double log_quotient(double z)
{
  return z == 0 ? 1 : log1p(z) / z;
}


double air_integral(const forceAir *air, double x)
{
  return x * air_mean(air, 0, x);
}


double air_mean(const forceAir *air, double a, double b)
{
  // with V_a, V_b, m = n - 1, z = V_b/V_a - 1 and L = log(V_a/V_b), the integral of (V0/V)^n is
  // (V0/V_a)^n (b - a) (e^(mL) - 1)/(mL) log(1 + z)/z, a product without cancellation
  const double z = air->area * (b - a) / (air->volume + air->area * a);
  const double L = -log1p(z);
  const double mean = pow(compression_ratio(air, a), air->exponent) *
                      exp_quotient((air->exponent - 1) * L) * log_quotient(z);
  return air->area * (air->ambient - air->pressure * mean);
}
