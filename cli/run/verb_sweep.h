// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A sweep: its cases, the results that are kept of each, its files.
#ifndef CLI_VERB_SWEEP_H
#define CLI_VERB_SWEEP_H

#include "base/arena.h"
#include "command.h"
#include "show/columns.h"
#include "show/journal.h"

// A parameter that varies.
typedef struct sweepParameter {
  const char *name;
  char unit[64]; // SI; "" when the model does not say
  artRange range;
} sweepParameter;

typedef struct sweepCases {
  const cliCall *call;
  const artModel *model;
  ioColumns table; // of --cases
  int nparameter;
  sweepParameter *parameter;
  const char **name; // [nparameter]
  long n;
  double *value; // [n nparameter]
  baseArena arena;
} sweepCases;

// The cases of a call: grid, samples or a file. Mistakes leave the work (base/error.h), here and below.
void sweep_find_cases(sweepCases *cases);

// Results that --result asks for: FUNCTION:OUTPUT, with wildcards; without, the final values of all outputs.
typedef struct sweepResults {
  int n;
  artResultDef *def;
} sweepResults;
void sweep_find_results(sweepResults *results, baseArena *arena, const cliCall *call,
                        const artModel *model);

//---- the sweep -----------------------------------------------------------------------------------

typedef struct cliSweep {
  const cliCall *call;
  artModel *model; // of the file as it is
  artStudyDef study;
  int nfixed; // settings that --set and --input give all cases
  artSetting *fixed;
  sweepCases cases;
  sweepResults results;
  int threads;

  char directory[FILE_PATH_LENGTH], table_path[FILE_PATH_LENGTH];
  char failures_path[FILE_PATH_LENGTH], doubts_path[FILE_PATH_LENGTH];
  char journal_path[FILE_PATH_LENGTH];
  baseLock lock; // on the directory
  ioJournal journal;

  char *is_done; // [cases.n]
  char **row;    // [cases.n] of the table
  char **why;    // [cases.n] the reasons of its verdict; NULL: it is good
  long done, failed, doubtful, resumed;
  bool is_lost;  // a rank has died or hangs: the others cannot be told in order
  long in_lanes; // of those done by this call
  int lanes;
  artBatchDef batch;
  long on_device;    // of those done by this call
  double apart;      // of those that ran by themselves as well; NAN: there are none
  double step_error; // the largest estimate that is finite; NAN: there is none
  double rounding;   // of accelerations at the beginning on the device; NAN: nobody ran there
  char device[160], aside[ART_ERROR_LENGTH];
  double begun, shown; // wall clock, s
  baseArena arena;
} cliSweep;

// All that art_run_sweep needs.
artSweepDef sweep_definition(cliSweep *sweep);

// A case that is done as a line of the journal, for free(), or NULL; and the line into the journal and the table.
char *sweep_line(const cliSweep *sweep, const artCase *c, artError *error);
artStatus sweep_keep(cliSweep *sweep, const char *line, artError *error);

//---- ranks of MPI (sweep_ranks.c) ----------------------------------------------------------------

// Rank 0 tells the others whether there is work, which all return; then it hands out cases and keeps what comes
// back, and runs cases itself. The others serve until there is nothing left; returns an exit status.
int sweep_begin_ranks(int goes_on);
artStatus sweep_lead_ranks(cliSweep *sweep, artError *error);
int sweep_serve(cliSweep *sweep);

#endif
