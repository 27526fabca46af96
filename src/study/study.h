// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the studies share: the coordinates that are free, and the balance of joint forces.
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "base/arena.h"
#include "base/error.h"
#include "force/work.h"

// The velocity coordinates that no drive prescribes, in ascending order; returns their number.
// list may be NULL.
int study_free_velocities(const artModel *m, int *list);

// The same of positions.
int study_free_positions(const artModel *m, int *list);

// Is velocity coordinate k a rotation (rad), or else a displacement (m)?
int study_is_angular(const artModel *m, int k);

// The joint forces g[nv] that are missing for the accelerations a (NULL: zero) at the updated state:
//   g = M a + h - tau, with tau all that the elements do
artStatus study_missing_forces(const artModel *m, artData *d, const double *a, double *g,
                               artError *error);

// Closed loops are for later: ART_UNSUPPORTED with the joint named.
artStatus study_refuse_loops(const artModel *m, artData *d, artError *error);

#endif
