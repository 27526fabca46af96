// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Unit names in ADAMS decks and tyre property files: millimeter, KILOGRAM_FORCE.
#ifndef BASE_ADAMS_UNITS_H
#define BASE_ADAMS_UNITS_H

#include "base/error.h"

typedef enum adamsQuantity {
  ADAMS_LENGTH,
  ADAMS_FORCE,
  ADAMS_ANGLE,
  ADAMS_MASS,
  ADAMS_TIME,
  ADAMS_PRESSURE
} adamsQuantity;

// A unit in SI by name, case-insensitive; 0 if the quantity has no such unit. Feeds the valid names
// to `nearest`.
double adams_unit(adamsQuantity quantity, const char *name, baseNearest *nearest);

#endif
