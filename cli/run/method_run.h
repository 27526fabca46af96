// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One method at work on a model, and what it comes to: what `compare` and `bench` have in common.
#ifndef CLI_METHOD_RUN_H
#define CLI_METHOD_RUN_H

#include "command_report.h"

enum { TRIALS_MOST = 10, TRIAL_NAME_LENGTH = 32 };

// A method, and how it solves where there is a choice.
typedef struct trialWay {
  int method; // or back end: a way of model/methods.h
  artAlgebra algebra;
} trialWay;

typedef struct cliMethodRun {
  trialWay way;
  artRunDef study; // with that way
  artData *data;
  artRun *run;
  artError error;  // why it ended early; status ART_OK when it did not
  double patience; // wall clock after which it is given up, s; 0: never
} cliMethodRun;

// The ways that apply to the model, the usual one first, compiled ones only with `has_native`; returns their number.
int method_run_ways(const artModel *model, bool has_native, trialWay ways[TRIALS_MOST]);

// Go on. A trial that cannot begin or go on keeps its error and stands still.
void method_run_go(cliMethodRun *trial, double t);

// The same to the next row that `run` would write.
void method_run_next(cliMethodRun *trial);
void method_run_close(cliMethodRun *trial);

// A figure that a trial is compared by. As a column of a table it is left out where the trial ended early.
typedef struct trialFigure {
  const char *key;
  double value;
  bool is_met;      // its limit
  bool has_verdict; // the table has a column for the verdict on the run
} trialFigure;

// A table of trials, or the list "methods", which json_end closes; `what` heads the last columns.
void method_run_report_head(cliReport *report, const char *what);
void method_run_report(cliReport *report, const cliMethodRun *trial, const trialFigure *figure);

// The verdict on its run as far as it came.
artJudgement method_run_judge(const cliMethodRun *trial);

// Below the table: the steps of those in natural coordinates.
void method_run_print_steps(int n, const cliMethodRun *trials);

// And why those that are not good are not.
void method_run_print_reasons(int n, const cliMethodRun *trials);

// The end of a title: "rk4, step 0.001 s" and a line feed.
void method_run_print_accuracy(const artRunDef *study);

//---- comparisons at equal error: methods whose steps are given are run again with shorter ones until they meet a limit

// Limits of refinement: a multiple of the time of the quickest method, and seconds.
enum { REFINE_TIMES = 100, REFINE_SECONDS = 60 };

typedef struct refineGoal {
  double limit;    // of the error
  double budget;   // wall clock, s; 0: nothing is refined
  double patience; // of the first run, before anything is refined, s; 0: without end
  // Take a trial that has just been opened through its way; its error, NAN when it ended early.
  double (*follow)(void *context, cliMethodRun *trial);
  void *context;
} refineGoal;

// The time that a method may spend after n others: REFINE_TIMES times the time of the quickest of them that finished.
double refine_budget(int n, const cliMethodRun *trials);

// Open a trial by `way` and follow it, with shorter steps while its error is above the limit and time is left; the
// trial is then the best of them. Returns its error.
double refine_trial(cliMethodRun *trial, const artModel *model, const artRunDef *study,
                    trialWay way, const refineGoal *goal);

// Below a table: who missed the limit, and how long steps were refined.
void refine_print_missed(int n, const cliMethodRun *trials, const double *error, double limit);

#endif
