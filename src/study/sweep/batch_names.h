// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sweeps know this much of a batch: its parameters, and the numbers that instances hold.
#ifndef STUDY_BATCH_NAMES_H
#define STUDY_BATCH_NAMES_H

#include "articula/batch.h"

// The parameter of the model file that entry k of ART_BATCH_PARAMETERS is, or NULL, where it is a constant of this value.
const char *batch_user_name(const artBatch *batch, int k);
double batch_constant(const artBatch *batch, int k);
int batch_is_own(const artBatch *batch, int k); // may it differ from instance to instance?

// Numbers after the inputs that each instance holds, [count n]: samples, places where latches hold, sides of relays and, last,
// of latches.
int batch_held_count(const artBatch *batch);
artStatus batch_get_held(const artBatch *batch, double *numbers, artError *error);

// All instances have come to t, which sums of steps miss by rounding; numbers: room for one of each.
artStatus batch_come_to(artBatch *batch, double t, double *numbers, artError *error);

// Instances with a number that is not 0 stay where they are until a new motion begins.
artStatus batch_stop(artBatch *batch, const int *stays, artError *error);

// A batch whose equations must follow these parameters; ART_UNSUPPORTED, before anything is compiled, where they cannot. Drives
// may read them: the caller sees to it that rates of drives jump in no instance, where the model's do not.
artStatus batch_create(artBatch **out, const artModel *model, const artRunDef *study,
                       const artBatchDef *def, int nvaried, const char *const *varied,
                       artError *error);

// The same instances once more, to be freed before, with numbers of their own, of which parameters are to be set; another thread may
// let them move in parallel with the batch. NULL: there is no memory for them, or the device does one thing at a time.
artBatch *batch_twin(const artBatch *batch);

#endif
