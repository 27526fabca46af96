// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#ifndef FORCE_WHEEL_PACE_H
#define FORCE_WHEEL_PACE_H

#include "articula/data.h"

// The number of steps in a second that wheels need at the velocities of the data, to feel the shortest feature of their roads; 0: there is none.
double force_wheel_pace(const artModel *m, const artData *d);

#endif
