// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dry friction, regularised, with the Stribeck effect:
//   F(v) = (Fc + (Fs - Fc) exp(-(v/vs)^2)) tanh(v/v0) + b v
// Smooth and odd in v. Below about v0 the contact creeps instead of sticking.
#ifndef LAW_FRICTION_H
#define LAW_FRICTION_H

// Fs >= Fc >= 0, vs > 0, v0 > 0, b >= 0, all finite (ensured by the builder)
typedef struct forceFriction {
  double coulomb;        // Fc
  double breakaway;      // Fs
  double stribeck_speed; // vs
  double creep_speed;    // v0
  double viscous;        // b
} forceFriction;

#endif
