// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws on the scalar of src/spatial: value on a segment, and integral from 0. Four functions read
// the numbers of a law and return constants, or symbolic parameters: the file compiled on symbols
// (src/gen/element/law_equations.c) defines these functions and lawNames before it includes this
// one.
#ifndef LAW_LAW_VALUES_H
#define LAW_LAW_VALUES_H

#include "law/law.h"
#include "spatial/scalar.h"

#ifndef ART_SYMBOLIC
typedef struct lawNames lawNames; // unused with numbers

// coefficient k of a law, or a constant of an air spring
static inline real law_coefficient(const lawNames *names, const forceLaw *law, const double *x,
                                   int k)
{
  (void) names;
  (void) law;
  (void) k;
  return r_const(*x);
}

static inline real law_constant(const lawNames *names, const double *x, const char *name)
{
  (void) names;
  (void) name;
  return r_const(*x);
}

// origin of a segment's polynomial
static inline real law_origin(const lawNames *names, const double *x)
{
  (void) names;
  return r_const(*x);
}

// integral from 0 to the origin of a segment
static inline real law_primary(const lawNames *names, const forceLaw *law, int segment)
{
  (void) names;
  return r_const(law->primary[segment]);
}
#endif

//---- polynomials ---------------------------------------------------------------------------------

// f = c0 + c1 u + c2 u^2 + ...,  u = x - origin; or its integral from the origin, c0 u + c1 u^2/2 +
// ...
static inline real law_polynomial(const forceLaw *law, int segment, real x, const lawNames *names,
                                  int is_integral)
{
  const double *c = law->c + (size_t) segment * (size_t) (law->degree + 1);
  const real u = r_sub(x, law_origin(names, &law->origin[segment]));
  real sum = r_const(0);
  for (int k = law->degree; k >= 0; k--) {
    const real own = law_coefficient(names, law, &c[k], k);
    sum = r_add(r_mul(sum, u), is_integral ? r_div(own, r_const(k + 1)) : own);
  }
  return is_integral ? r_mul(sum, u) : sum;
}

//---- air springs ---------------------------------------------------------------------------------

// f = A (p_a - p0 r^n),  r = V0/(V0 + A x)
static inline real law_air(const forceAir *air, real x, const lawNames *names)
{
  const real A = law_constant(names, &air->area, "air_area");
  const real V0 = law_constant(names, &air->volume, "air_volume");
  const real p0 = law_constant(names, &air->pressure, "air_pressure");
  const real ambient = law_constant(names, &air->ambient, "air_ambient");
  const real r = r_div(V0, r_add(V0, r_mul(A, x)));
  return r_mul(A, r_sub(ambient, r_mul(p0, r_pow(r, r_const(air->exponent)))));
}

// its integral; the numeric version avoids cancellation near n = 1
#ifdef ART_SYMBOLIC
static inline real law_air_integral(const forceAir *air, real x, const lawNames *names)
{
  // A p_a x + p0 V0 (r^(n-1) - 1)/(n - 1)
  const real A = law_constant(names, &air->area, "air_area");
  const real V0 = law_constant(names, &air->volume, "air_volume");
  const real p0 = law_constant(names, &air->pressure, "air_pressure");
  const real ambient = law_constant(names, &air->ambient, "air_ambient");
  const real r = r_div(V0, r_add(V0, r_mul(A, x))), m = r_const(air->exponent - 1);
  const real rise = air->exponent == 1 ? r_log(r) : r_div(r_sub(r_pow(r, m), r_const(1)), m);
  return r_add(r_mul(ambient, r_mul(A, x)), r_mul(r_mul(p0, V0), rise));
}
#elif defined ART_DUAL
static inline real law_air_integral(const forceAir *air, real x, const lawNames *names)
{
  return r_chain(x, air_integral(air, x.x), law_air(air, x, names).x);
}
#else
static inline real law_air_integral(const forceAir *air, real x, const lawNames *names)
{
  (void) names;
  return air_integral(air, x);
}
#endif

//---- both ----------------------------------------------------------------------------------------

static inline real law_on_segment(const forceLaw *law, int segment, real x, const lawNames *names,
                                  int is_integral)
{
  if (!law->air) {
    const real own = law_polynomial(law, segment, x, names, is_integral);
    return is_integral ? r_add(law_primary(names, law, segment), own) : own;
  }
  return is_integral ? law_air_integral(law->air, x, names) : law_air(law->air, x, names);
}

#endif
