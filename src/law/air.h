// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An air spring: a closed volume of gas behind a piston, compressed polytropically.
//
//   f(x) = A [p_a - p0 (V0/V)^n],   V = V0 + A x
//
// p0 is the absolute gas pressure at x = 0, p_a the ambient pressure. A shorter spring (x < 0, A >
// 0) pushes harder: the tension f decreases. With A < 0 the volume decreases with x.
#ifndef LAW_AIR_H
#define LAW_AIR_H

// A != 0, V0 > 0, p0 > 0, n > 0, p_a >= 0, all finite
typedef struct forceAir {
  double pressure; // p0
  double area;     // A
  double volume;   // V0
  double exponent; // n
  double ambient;  // p_a
} forceAir;

// Is the volume positive?
int air_is_defined(const forceAir *air, double x);

// Integral of f from 0 to x; mean of f between a and b, also for a = b.
double air_integral(const forceAir *air, double x);
double air_mean(const forceAir *air, double a, double b);

#endif
