// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a call of `generate`, or a study, asks of the machine.
#ifndef CLI_GENERATE_ASK_H
#define CLI_GENERATE_ASK_H

#include "generate.h"

// The model anew, with its loops cut where --cut says.
artStatus generate_ask_cuts(cliGenerate *job, baseArena *arena, artError *error);

// Whether --independent or the study of type run say how coordinates are partitioned; and tell the data of a model, the one
// of the job or one with other cuts, for its next assembly.
bool generate_asks_partition(const cliGenerate *job);
artStatus generate_ask_partition(const cliGenerate *job, const artModel *m, artData *d,
                                 artError *error);

// Actuators and their weights, of the call or of the study of type inverse, into the options; once forms are known.
artStatus generate_ask_actuators(cliGenerate *job, baseArena *arena, artError *error);

#endif
