// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Demands of a call of `generate`, or of a study, on the machine.
#ifndef CLI_GENERATE_ASK_H
#define CLI_GENERATE_ASK_H

#include "verb_generate.h"

// The model anew, with its loops cut where --cut says.
artStatus generate_ask_cuts(cliGenerate *job, baseArena *arena, artError *error);

// Tell the data how --independent or the study of type run partition coordinates, for its next assembly.
artStatus generate_ask_partition(const cliGenerate *job, artError *error);

// Actuators and their weights, of the call or of the study of type inverse, into the options; once forms are known.
artStatus generate_ask_actuators(cliGenerate *job, baseArena *arena, artError *error);

#endif
