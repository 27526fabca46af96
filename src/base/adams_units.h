// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units as decks and tyre property files of ADAMS spell them: millimeter, KILOGRAM_FORCE.
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

// A unit of a quantity in SI, in capitals or not; 0: it has none of this name. The names that it has are considered.
double adams_unit(adamsQuantity quantity, const char *name, baseNearest *nearest);

#endif
