// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Demands of studies on equations that are generated.
#ifndef STUDY_ASK_H
#define STUDY_ASK_H

#include "gen/gen.h"

// Do the independent coordinates, by name, or the study of type run say how coordinates are partitioned? And tell the data
// for its next assembly.
int study_asks_partition(const artModel *m, const char *study, const char *independent);
artStatus study_ask_partition(const artModel *m, artData *d, const char *study,
                              const char *independent, artError *error);

// Is the study, if one is named, of type run or inverse? Messages name `who` asks for it, and the file.
artStatus study_check_asked(const artModel *m, const char *study, const char *who, const char *file,
                            artError *error);

// The actuators of the study of this name, if it is of type inverse, else of the first such study, into the options; names
// are the arena's.
artStatus study_ask_actuators(const artModel *m, const char *study, genOptions *options,
                              baseArena *arena, artError *error);

#endif
