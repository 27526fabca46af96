// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the verb `schedule` works with.
#ifndef CLI_VERB_SCHEDULE_H
#define CLI_VERB_SCHEDULE_H

#include "sched/schedule_job.h"
#include "verb_generate.h"

typedef struct cliSchedule {
  cliWork *w;
  const char *form;
  int has_units; // by the call
  schedJob made;
} cliSchedule;

// The report: text, or JSON where the call asks for it.
void schedule_tell(const cliSchedule *job);

// The table of operations, or the program of the ring, as CSV.
void schedule_write_csv(const cliSchedule *job, FILE *out);

#endif
