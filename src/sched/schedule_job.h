// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of a machine taken apart and scheduled, on units side by side or on rings of modules: the work of the C
// interface and of the command.
#ifndef SCHED_SCHEDULE_JOB_H
#define SCHED_SCHEDULE_JOB_H

#include <stdio.h>

#include "articula/schedule.h"
#include "sched/binary.h"
#include "sched/ring.h"
#include "sched/search.h"

enum { SCHED_MODULES = 64 };

// Result of a ring of some modules, by the schedule of the thesis and by ours.
typedef struct schedRingResult {
  int modules;
  int steps;         // of the thesis's schedule
  int blind, cycles; // until the ring is done, by that schedule and by the best found
  double busy;
  int transfers, hops, memory;
} schedRingResult;

typedef struct schedJob {
  eqnProgram *program;
  eqnList *list;
  schedBinary *binary;
  schedMachine machine; // given; counts all 0: to be searched
  schedBounds bounds;

  schedSearch search;           // where no units are given
  schedRule searched_by;        // and the rule of its schedules
  schedSchedule rule[2];        // by each schedRule, on the machine that is given or found
  const schedSchedule *shorter; // of these
  int nchain, *chain;           // operations of the critical path
  int least;                    // cycles that no schedule can do without
  int kept, *buffer; // results that wait at most where the shorter one is carried out: all, [unit]

  int nring; // rings of 1 .. nring modules; 0: units side by side
  schedRingResult *ring;
  const schedRing *program_of_ring; // of the last
  schedSchedule begun;              // cycles in which its operations really begin
} schedJob;

// Take the function of one form (GEN_..., artForm) apart, for the machine of the job. `missing`: the message where the
// machine has no such function. Freed by sched_job_free in any case.
artStatus sched_job_open(schedJob *job, const artModel *m, artData *d, unsigned form,
                         int barycentric, int balanced, const char *missing, artError *error);

// A kind of operations without a unit; -1: there is none.
int sched_job_missing_kind(const schedJob *job);

// Find the fewest units that take minimal time, by schedules of a rule, and take them for the machine.
artStatus sched_job_search(schedJob *job, schedRule rule, artError *error);

// Schedules by both rules on the machine.
artStatus sched_job_schedule(schedJob *job, artError *error);

// Then: critical path, bound and buffers.
artStatus sched_job_measure(schedJob *job, artError *error);

// Rings of 1 .. nring modules, each with the units of the machine.
artStatus sched_job_run_rings(schedJob *job, artError *error);

// The picture of a schedule as SVG.
artStatus sched_job_draw(const schedJob *job, const schedSchedule *schedule, FILE *out,
                         artError *error);

void sched_job_free(schedJob *job);

//---- pictures of schedules (gantt.c) --------------------------------------------------------------

// A row for each unit, a box for each operation, cycles to the right; as SVG.
// Boxes are as wide as their units are taken; cycles of pipelines are drawn pale. The longest chain has dark
// frames where it waits for nobody; names stand in boxes that have room for them, and all show operations
// under a pointer. Failures of the stream are left in ferror. Returns 0 when memory ran out.
int gantt_write(FILE *out, const char *title, const schedBinary *binary,
                const schedSchedule *schedule, const schedMachine *machine);

#endif
