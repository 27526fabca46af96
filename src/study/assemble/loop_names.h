// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loops by the names of their joints, for messages.
#ifndef STUDY_LOOP_NAMES_H
#define STUDY_LOOP_NAMES_H

#include "articula/study.h"
#include "loop/loop.h"

// The closure of the loop of a row: a cut joint or a relation, and its rows.
typedef struct loopClosure {
  const char *kind, *name; // "joint", "relation"
  artPlace place;
  int row0, nrow;
} loopClosure;

loopClosure study_closure(const artModel *m, int row);

// Does a row depend on a velocity coordinate?
int study_row_depends(const artModel *m, const artData *d, int row, int velocity);

// The joints of the loops of a row, "qa, qe, ef and fa".
enum { FORK_NAMES = ART_JOINTS_LENGTH };
const char *study_fork_joints(const artModel *m, const artData *d, int row, char text[FORK_NAMES]);

// The same of a block of dependent coordinates and its input.
const char *study_block_joints(const artModel *m, const artData *d, int block,
                               char text[FORK_NAMES]);

#endif
