// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers that closed loops keep from step to step: where and how the independent coordinates
// were chosen, and couplings that are continued at singular positions. With the same numbers motion
// goes on to the same bits.
#ifndef LOOP_STATE_H
#define LOOP_STATE_H

#include "data/work.h"

// How many numbers, whatever the partition.
size_t state_count(const artModel *m);

// The numbers are zeros before, or the numbers of an earlier call.
void state_save(const artModel *m, const artData *d, double *numbers);

// Partition as it was; moves d->q.
artStatus state_load(const artModel *m, artData *d, const double *numbers, artError *error);

// The same from one data block to another of the same variant, with the settings of loops and the values of their rows.
// Takes memory and moves to->q unless both chose their coordinates at the same positions in the same way.
artStatus state_copy(artData *to, const artData *from, artError *error);

#endif
