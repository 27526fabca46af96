// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Single drives at any time, in modes of the caller's.
#ifndef FORCE_DRIVE_H
#define FORCE_DRIVE_H

#include "force/force.h"

// The branches of drive k just behind t.
void drive_set_branches(const artModel *m, artWork *w, int k, double t, int *mode);

// What it prescribes at t in these branches.
formulaJet drive_jet(const artModel *m, artWork *w, int k, double t, const int *mode);

// By how much the rate jumps from one side of t to the other; 0 when that is rounding.
double drive_rate_jump(double t, formulaJet before, formulaJet after);

// Fails with the status when the value jumps.
artStatus drive_check_jump(const artModel *m, int k, double t, formulaJet before, formulaJet after,
                           artStatus status, artError *error);

#endif
