// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Data of the verb `split`.
#ifndef CLI_VERB_SPLIT_H
#define CLI_VERB_SPLIT_H

#include "verb_generate.h"

// The thesis's ways beside the one that was chosen, by operations alone.
typedef struct splitOther {
  const char *name;
  int tasks;
  transferMeasures measures; // without arrays
} splitOther;
enum { SPLIT_OTHERS = SPLIT_WAYS };

typedef struct cliSplit {
  cliGenerate generate;
  cheapestForm chosen;
  splitChoice choice;
  emitSplit split;
  transferMeasures measures; // of the thesis's ways
  splitPlan *free;           // the search if transfers took no time
  int nother;
  splitOther other[SPLIT_OTHERS];
} cliSplit;

typedef struct taskFigures {
  int sent, received, values;
  double section[TASK_SECTIONS]; // time
} taskFigures;

extern const char *const split_sections[TASK_SECTIONS];

taskFigures split_figures(const splitPlan *plan, int task);

// A group of branches and blocks: its operations, and the task that does them, -1: several do, or none.
typedef struct groupFigures {
  int operations, task;
} groupFigures;
groupFigures split_group(const cliSplit *job, int group);

// Messages from a task to another; within a task, of the thesis, transfers from sequence to sequence.
int split_between(const cliSplit *job, int from, int to);

// A report on it: JSON into a stream, or with NULL text for people.
void split_tell(const cliSplit *job, FILE *json);
void split_write_csv(const cliSplit *job, FILE *out);

#endif
