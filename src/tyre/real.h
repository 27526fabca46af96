// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The scalar of tyre formulas, which are compiled twice: as double, and with TYRE_DUAL as a dual number
// a + b eps with eps^2 = 0. Complex numbers carry the duals: with b near 1e-100 the product of two
// imaginary parts is lost beside any real part, so that + - * / are those of duals.
#ifndef TYRE_REAL_H
#define TYRE_REAL_H

#include <math.h>

#ifdef TYRE_DUAL

#include <complex.h>

typedef double complex real;

#define REAL_NAME(name) name##_dual

static inline double value(real x)
{
  return creal(x);
}


// a + b eps; not every compiler has CMPLX
static inline real real_make(double a, double b)
{
  const union {
    double parts[2];
    real whole;
  } x = {{a, b}};
  return x.whole;
}


// f(x) by its value and its slope
static inline real real_chain(real x, double f, double slope)
{
  return real_make(f, slope * cimag(x));
}

#else

typedef double real;

#define REAL_NAME(name) name

static inline double value(real x)
{
  return x;
}


static inline real real_chain(real x, double f, double slope)
{
  (void) x;
  (void) slope;
  return f;
}

#endif

// clang-format off
static inline real real_sin(real x)  { return real_chain(x, sin(value(x)), cos(value(x))); }
static inline real real_cos(real x)  { return real_chain(x, cos(value(x)), -sin(value(x))); }
static inline real real_tan(real x)  { const double t = tan(value(x)); return real_chain(x, t, 1 + t * t); }
static inline real real_atan(real x) { return real_chain(x, atan(value(x)), 1 / (1 + value(x) * value(x))); }
static inline real real_exp(real x)  { return real_chain(x, exp(value(x)), exp(value(x))); }
// clang-format on


// of x > 0
static inline real real_sqrt(real x)
{
  const double root = sqrt(value(x));
  return real_chain(x, root, 0.5 / root);
}


// of x > 0
static inline real real_pow(real x, double p)
{
  const double power = pow(value(x), p);
  return real_chain(x, power, p * power / value(x));
}


static inline double real_sign(real x)
{
  return value(x) < 0 ? -1 : 1;
}


static inline real real_abs(real x)
{
  return real_sign(x) * x;
}


static inline real real_min(real x, double limit)
{
  return value(x) < limit ? x : limit;
}

#endif
