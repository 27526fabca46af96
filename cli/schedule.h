// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the verb `schedule` works with.
#ifndef CLI_SCHEDULE_H
#define CLI_SCHEDULE_H

#include "generate.h"
#include "sched/binary.h"
#include "sched/ring.h"
#include "sched/search.h"

// What a ring of some modules came to, by the schedule of the thesis and by ours.
typedef struct cliRing {
  int modules;
  int steps;         // of the thesis's schedule
  int blind, cycles; // until the ring is done, by that schedule and by the best found
  double busy;
  int transfers, hops, memory;
} cliRing;

typedef struct cliSchedule {
  cliWork *w;
  const char *form;
  eqnProgram *program;
  eqnList *list;
  schedBinary *binary;
  schedMachine machine; // what the call says; counts all 0: to be searched
  int has_units;
  schedBounds bounds;

  schedSearch search;           // without --units
  schedSchedule rule[2];        // by each schedRule, on the machine of the call or the one found
  const schedSchedule *shorter; // of these

  int nring; // with --modules
  cliRing *ring;
  schedRing *program_of_ring; // of the last
  schedSchedule begun;        // cycles in which its operations really begin
} cliSchedule;

// The report: text, or JSON where the call asks for it.
void schedule_tell(const cliSchedule *job);

// The table of operations, or the program of the ring, as CSV.
void schedule_write_csv(const cliSchedule *job, FILE *out);

#endif
