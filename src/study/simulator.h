// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stand-alone simulators as C text.
#ifndef STUDY_SIMULATOR_H
#define STUDY_SIMULATOR_H

#include <stdio.h>

#include "articula/study.h"
#include "gen/gen.h"

// A simulator that begins at the state in the data, which is assembled, and does what the study says; of
// the options, what becomes of constants counts. Machines with loops are run once by the numeric method to see
// which independent coordinates they need. With two tasks or more as many threads share accelerations where that pays.
artStatus study_write_simulator(const artModel *model, artData *data, const artStudyDef *study,
                                const genOptions *options, int tasks, FILE *out, artError *error);

#endif
