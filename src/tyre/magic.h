// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Magic Formula: its coefficients, and the radii and load that follow from them.
#ifndef TYRE_MAGIC_H
#define TYRE_MAGIC_H

#include "articula/tyre.h"
#include "tyre/magic_keys.h"
#include "tyre/tir.h"

#define MAGIC_ONE(key, fallback, dimension) +1

typedef enum magicVersion { MAGIC_52, MAGIC_61, MAGIC_62 } magicVersion;

// the coefficients, named as in the files, in SI units
typedef struct magicTyre {
  magicVersion version;
#define MAGIC_FIELD(key, fallback, dimension) double key;
  MAGIC_KEYS(MAGIC_FIELD)
#undef MAGIC_FIELD
} magicTyre;

// Read the coefficients from a file, and note unknown keys.
artStatus magic_fill(magicTyre *tyre, tirFile *file, artError *error);

// Check that coefficients that must be positive are.
artStatus magic_check(const magicTyre *tyre, const tirFile *file, artError *error);

// magic_number: the coefficient of a key, or NULL. magic_number_at: coefficient i, with its key.
double *magic_number(magicTyre *tyre, const char *key);
enum { MAGIC_NUMBERS = 0 MAGIC_KEYS(MAGIC_ONE) };
const double *magic_number_at(const magicTyre *tyre, int i, const char **key);

#endif
