// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Random machines in a plane that meet singular positions again and again: parallelograms,
// antiparallelograms, kites and folding slider-cranks that hang on other loops.
#ifndef SUPPORT_RANDOM_FOLDS_H
#define SUPPORT_RANDOM_FOLDS_H

#include <stdint.h>

#include "articula/articula.h"

// The same machine for the same seed, in motion.
artModel *random_folds(uint64_t *seed);

#endif
