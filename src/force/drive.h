// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Single drives at any time, in modes of the caller's.
#ifndef FORCE_DRIVE_H
#define FORCE_DRIVE_H

#include "force/force.h"

// A little later than t: what begins at t has begun, whatever rounding has made of its instant.
double drive_behind(double t);

// The branches of a drive just after t.
void drive_set_branches(const artModel *m, artWorkspace *w, const modelDrive *drive, double t,
                        int *mode);

// The motion that it prescribes at t in these branches.
formulaJet drive_jet(const artModel *m, artWorkspace *w, const modelDrive *drive, double t,
                     const int *mode);

// The two sides of an instant: the rate before it and by how much it jumps, 0 when that is rounding.
typedef struct driveSides {
  double rate_before, rate_jump;
} driveSides;

// Fails with `refusal` where the value jumps or the rate is infinite.
artStatus drive_sides(const artModel *m, artWorkspace *w, const modelDrive *drive, double t,
                      const int *mode_before, const int *mode_after, artStatus refusal,
                      driveSides *sides, artError *error);

#endif
