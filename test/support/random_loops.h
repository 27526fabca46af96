// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Random machines with closed loops, made through the public builder: chains of random joints that come back
// to the machine they grew from, in space and in planes, with branches, rods, gears, drives and springs.
#ifndef SUPPORT_RANDOM_LOOPS_H
#define SUPPORT_RANDOM_LOOPS_H

#include <stdint.h>

#include "articula/articula.h"

// Closed at the reference configuration, and free to move in at least one way there; NULL with a failed check.
artModel *random_loop_machine(uint64_t *seed);

// The same with a drive of this formula wherever a joint can take it.
artModel *random_driven_machine(uint64_t *seed, const char *formula);

#endif
