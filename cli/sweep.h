// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A sweep: its cases, the results that are kept of each, its files.
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "base/arena.h"
#include "command.h"
#include "io/journal.h"

// What varies.
typedef struct sweepParameter {
  const char *name;
  char unit[64]; // SI; "" when the model does not say
  artRange range;
} sweepParameter;

typedef struct sweepCases {
  int nparameter;
  sweepParameter *parameter;
  const char **name; // [nparameter]
  long n;
  double *value; // [n nparameter]
  baseArena arena;
} sweepCases;

// The cases of a call: grid, samples or a file.
artStatus sweep_find_cases(sweepCases *cases, const cliCall *call, const artModel *model,
                           artError *error);

// What --result asks for: FUNCTION:OUTPUT, with wildcards; without, the final values of all outputs.
typedef struct sweepResults {
  int n;
  artResultDef *def;
} sweepResults;
artStatus sweep_find_results(sweepResults *results, baseArena *arena, const cliCall *call,
                             const artModel *model, artError *error);

#endif
