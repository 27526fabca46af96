// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An air spring: a closed volume of gas behind a piston, compressed polytropically.
//
//   f(x) = A [p_a - p0 (V0/V)^n],   V = V0 + A x
//
// p0 is the absolute pressure of the gas at x = 0, p_a that of the air around. A shorter spring (x < 0,
// A > 0) pushes harder: f, a tension, falls. With A < 0 the volume shrinks as x grows.
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

// Whether there is any volume left.
int air_is_defined(const forceAir *air, double x);

// Integral of f from 0 to x, and its mean between a and b, also where they meet.
double air_integral(const forceAir *air, double x);
double air_mean(const forceAir *air, double a, double b);

#endif
