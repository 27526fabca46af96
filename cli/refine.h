// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A comparison at equal error: methods whose steps are given are run again with shorter ones until they meet a limit.
#ifndef CLI_REFINE_H
#define CLI_REFINE_H

#include "trial.h"

// A method may spend so many times the time of the quickest on it, and so many seconds at most.
enum { REFINE_TIMES = 100, REFINE_SECONDS = 60 };

typedef struct refineGoal {
  double limit;    // of the error
  double budget;   // wall clock, s; 0: nothing is refined
  double patience; // of the first run, before anything is refined, s; 0: without end
  // Take a trial that has just been opened through its way; its error, NAN when it ended early.
  double (*follow)(void *context, cliTrial *trial);
  void *context;
} refineGoal;

// Whether steps of a method are given, by a length or by limits of energy.
bool refine_is_possible(const artRunDef *study, int way);

// The time that a method may spend after n others: REFINE_TIMES times the time of the quickest of them that finished.
double refine_budget(int n, const cliTrial *trials);

// Open a trial by `way` and follow it, with shorter steps while its error is above the limit and time is left; the
// trial is then the best of them. Returns its error.
double refine_trial(cliTrial *trial, const artModel *model, const artRunDef *study, trialWay way,
                    const refineGoal *goal);

// Below a table: who missed the limit, and how long steps were refined.
void refine_print_missed(int n, const cliTrial *trials, const double *error, double limit);

#endif
