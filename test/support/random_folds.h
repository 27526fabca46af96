// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Random machines that meet singular positions again and again: parallelograms, antiparallelograms, kites and
// folding slider-cranks that hang on other loops.
#ifndef SUPPORT_RANDOM_FOLDS_H
#define SUPPORT_RANDOM_FOLDS_H

#include <stdint.h>

#include "articula/articula.h"

// The same machine for the same seed, in motion; in a plane.
artModel *random_folds(uint64_t *seed);

// In planes side by side, tilted in space: couplers hang on ball joints at one end or both, reach from one plane to another, have
// their centres of mass beside their lines, and loops are cut at any of their joints.
artModel *random_balls(uint64_t *seed);

#endif
