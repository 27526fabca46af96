// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which equations for the accelerations of a machine are the cheapest.
#ifndef CLI_GENERATE_CHOICE_H
#define CLI_GENERATE_CHOICE_H

#include "generate.h"
#include "show/json.h"

enum { CHOICE_TRIALS = 120, CHOICE_CUTS = 64 };

// One way of writing them.
typedef struct cliTrial {
  char what[256];
  char why_not[256]; // when it could not be made
  int operations;    // of `accelerate`, one iteration of Newton's method counted; -1: not made
  int blocks, largest;
  double
      steeper;   // than the first: how many times as fast dependent coordinates move; 0: not at all
  bool is_recut; // other joints are cut than without being told
} cliTrial;

typedef struct cliChoice {
  int n, best;
  cliTrial trial[CHOICE_TRIALS];
  bool is_late;    // trials were left out, for the time was over
  artModel *model; // of the best: that of the job, or one with other cuts
  artData *data;   // assembled, with the partition of the best
  genParameters parameters;
  genForward forward;
} cliChoice;

// Try them: parameters, ways through the tree, partitions; cuts of loops as well if they are to be counted. They are
// taken, and with them other coordinates, if the call says --recut. Takes a few seconds at most.
artStatus generate_choose(cliGenerate *job, bool with_cuts, cliChoice *choice, artError *error);

// The table of trials, and which was chosen.
void generate_print_choice(const cliGenerate *job, const cliChoice *choice);
void generate_write_choice(ioJson *json, const cliChoice *choice);

// Free what the job does not have.
void generate_forget_choice(const cliGenerate *job, cliChoice *choice);

#endif
