// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which equations for the accelerations of a machine are the cheapest.
#ifndef STUDY_CHEAPEST_H
#define STUDY_CHEAPEST_H

#include <stdbool.h>

#include "gen/gen.h"

enum { CHEAPEST_TRIALS = 120, CHEAPEST_CUTS = 64 };

// One way of writing them.
typedef struct cheapestTrial {
  char what[256];
  artStatus status;
  char why_not[256]; // when it could not be made
  int operations;    // of `accelerate`, one iteration of Newton's method counted; -1: not made
  int blocks, largest;
  bool is_recut; // other joints are cut than without being told
} cheapestTrial;

// Demands of the caller. Loops are cut at other joints where a file is named that the model can be read from again: such
// trials are counted, and taken with the coordinates that they bring if may_recut is set.
typedef struct cheapestAsk {
  const char *study;       // of type run, whose partition counts; NULL: the first
  const char *independent; // coordinates instead of the study's; or NULL
  const char *file;
  bool may_recut;
  artStatus (*attach)(const void *context, artModel *m, artError *error); // functions of the user
  const void *context;
} cheapestAsk;

typedef struct cheapestForm {
  int n, best;
  cheapestTrial trial[CHEAPEST_TRIALS];
  bool is_late;          // trials were left out, for the time was over
  const artModel *model; // of the best: the one that was given, or ...
  artModel *recut;       // ... one with other cuts, else NULL
  artData *data;         // assembled, with the partition of the best
  genParameters parameters;
  genForward forward;
} cheapestForm;

// Try parameters, ways through the tree, partitions and cuts, for the machine where the data stands. Takes a few seconds at
// most and comes to the same end each time. Free the form in any case.
artStatus cheapest_find(cheapestForm *form, const artModel *m, const artData *d,
                        const genOptions *options, const cheapestAsk *ask, artError *error);
void cheapest_free(cheapestForm *form);

//---- demands of studies on equations that are generated -------------------------------------------

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
