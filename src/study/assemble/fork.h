// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines that start in a singular position, where loops have lost rows and could go on in several
// ways: which rows these are, whether the given velocities choose one of the ways, and which ones there
// are.
//
// A row that follows from others, n^T J = 0, wherever the machine stands gives n^T gamma(v) = 0 for all v
// with J v = 0, gamma = -(dJ/dt) v. One that follows from others at this position alone does not; then
// v is tangent to a branch of the motion where n^T gamma(v) vanishes as well.
#ifndef STUDY_FORK_H
#define STUDY_FORK_H

#include "articula/study.h"
#include "study/assemble/loop_names.h"

// After assembly, at the positions and velocities in the data: is this a singular position? The row that
// is lost there, or -1.
int study_find_fork(const artModel *m, artData *d);

// At the start of a run: nothing where the position is not singular. Where it is and the velocities
// choose a branch, coordinates are chosen on that branch. ART_BAD_INPUT when they do not, with the ways
// that there are.
artStatus study_choose_branch(const artModel *m, artData *d, artError *error);

// After assembly, for what cannot start there: ART_BAD_INPUT with the joints where the position is singular.
artStatus study_refuse_fork(const artModel *m, artData *d, artError *error);

#endif
