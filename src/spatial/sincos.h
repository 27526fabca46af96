// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sine and cosine of one angle together: bit-identical on every machine and with every C library,
// and several times faster than two library calls, because the only branch is the one for huge
// angles.
//
// The angle is reduced by the nearest multiple n of pi/2, given in three parts of which the first
// two have 33 bits, so that n times them is exact for |n| < 2^20 (Cody, Waite 1980); the remainder
// is y + e. For |y| <= pi/4 sine and cosine are polynomials in z = y^2, interpolated at Chebyshev
// nodes:
//     sin y = y + y z P(z),     cos y = 1 - z/2 + z^2 Q(z)
#ifndef SPATIAL_SINCOS_H
#define SPATIAL_SINCOS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

// beyond this angle the reduction loses digits and the C library is used
#define SINCOS_LARGEST 1e5


// swap sine and cosine in odd quadrants, then set their signs, without a branch
static inline void sincos_quadrant(uint64_t n, double sine, double cosine, double *s, double *c)
{
  uint64_t a, b;
  memcpy(&a, &sine, sizeof a);
  memcpy(&b, &cosine, sizeof b);
  const uint64_t swap = (a ^ b) & (0 - (n & 1));
  a ^= swap ^ ((n & 2) << 62);
  b ^= swap ^ (((n + 1) & 2) << 62);
  memcpy(s, &a, sizeof a);
  memcpy(c, &b, sizeof b);
}


// for |x| < SINCOS_LARGEST
static inline void sincos_moderate(double x, double *s, double *c)
{
  // n = nearest integer to 2 x / pi: adding 1.5 * 2^52 leaves it in the low bits
  const double shift = 0x1.8p52;
  const double shifted = x * 0x1.45f306dc9c883p-1 + shift, n = shifted - shift;
  uint64_t quadrant;
  memcpy(&quadrant, &shifted, sizeof quadrant);

  // y + e = x - n pi/2
  const double high = x - n * 0x1.921fb54400000p+0, middle = n * 0x1.0b4611a600000p-34;
  const double a = high - middle;
  const double low = n * 0x1.3198a2e037073p-69 - ((high - a) - middle);
  const double y = a - low, e = (a - y) - low;

  // the two polynomials, with even and odd terms separated for shorter dependence chains
  const double z = y * y, z2 = z * z;
  const double P = (-0x1.5555555555555p-3 + z * 0x1.1111111110bb2p-7) +
                   z2 * ((-0x1.a01a019e83816p-13 + z * 0x1.71de379654304p-19) +
                         z2 * (-0x1.ae600aca92c64p-26 + z * 0x1.5e0b05bff20f2p-33));
  const double Q = (0x1.5555555555555p-5 + z * -0x1.6c16c16c16967p-10) +
                   z2 * ((0x1.a01a019f4e9b4p-16 + z * -0x1.27e4fa17bf139p-22) +
                         z2 * (0x1.1eeb68cd22f56p-29 + z * -0x1.907d8f29fe831p-37));

  // e contributes to first order: sin(y + e) = sin y + e cos y; the rounding error of 1 - z/2 is
  // corrected
  const double half = 0.5 * z, w = 1 - half;
  const double sine = y + (y * z * P + e * w);
  const double cosine = w + (((1 - w) - half) + (z2 * Q - y * e));
  sincos_quadrant(quadrant, sine, cosine, s, c);
}


static inline void sincos_both(double x, double *s, double *c)
{
  if (fabs(x) < SINCOS_LARGEST) {
    sincos_moderate(x, s, c);
  } else {
    *s = sin(x);
    *c = cos(x);
  }
}


// n angles: four at a time as if all were moderate, which compilers vectorise; then the huge ones
// again
static inline void sincos_all(int n, const double *restrict x, double *restrict s,
                              double *restrict c)
{
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    for (int lane = 0; lane < 4; lane++) sincos_moderate(x[k + lane], s + k + lane, c + k + lane);
  }
  for (; k < n; k++) sincos_moderate(x[k], s + k, c + k);
  for (k = 0; k < n; k++) {
    if (!(fabs(x[k]) < SINCOS_LARGEST)) sincos_both(x[k], s + k, c + k);
  }
}

#endif
