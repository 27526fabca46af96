// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of a machine, decomposed and scheduled on parallel units or on rings of modules:
// implements the C interface and the command.
#ifndef SCHED_SCHEDULE_JOB_H
#define SCHED_SCHEDULE_JOB_H

#include <stdio.h>

#include "articula/schedule.h"
#include "sched/binary.h"
#include "sched/ring.h"
#include "sched/search.h"

enum { SCHED_MODULES = 64 };

// Result for a ring with some modules, with the schedule of the thesis and with ours.
typedef struct schedRingResult {
  int modules;
  int steps;         // of the thesis's schedule
  int blind, cycles; // cycles with that schedule, and with the best one found
  double busy;
  int transfers, hops, memory;
} schedRingResult;

typedef struct schedJob {
  eqnProgram *program;
  eqnList *list;
  schedBinary *binary;
  schedMachine machine; // given; all counts 0: to be searched
  schedBounds bounds;

  schedSearch search;           // if no units are given
  schedRule searched_by;        // rule used by the search
  schedSchedule rule[2];        // by each schedRule, on the given or found machine
  const schedSchedule *shorter; // the shorter of these
  int nchain, *chain;           // operations of the critical path
  int least;                    // lower bound of the cycles of any schedule
  // maximum number of buffered results for the shorter schedule: in total, and [unit]
  int kept, *buffer;

  int nring; // rings of 1 .. nring modules; 0: parallel units
  schedRingResult *ring;
  const schedRing *program_of_ring; // of the last ring
  schedSchedule begun;              // actual start cycles of its operations
} schedJob;

// Decompose the function of one form (GEN_..., artForm) for the machine of the job. `missing`:
// message if there is no such function. Call sched_job_free in any case.
artStatus sched_job_open(schedJob *job, const artModel *m, artData *d, unsigned form,
                         int barycentric, int balanced, const char *missing, artError *error);

// A kind of operation without a unit; -1: none.
int sched_job_missing_kind(const schedJob *job);

// Find the smallest number of units with minimal time, using schedules of a rule, and set them in
// the machine.
artStatus sched_job_search(schedJob *job, schedRule rule, artError *error);

// Create schedules by both rules on the machine.
artStatus sched_job_schedule(schedJob *job, artError *error);

// Then compute critical path, bound and buffers.
artStatus sched_job_measure(schedJob *job, artError *error);

// Simulate rings of 1 .. nring modules, each with the units of the machine.
artStatus sched_job_run_rings(schedJob *job, artError *error);

// Draw a schedule as SVG.
artStatus sched_job_draw(const schedJob *job, const schedSchedule *schedule, FILE *out,
                         artError *error);

void sched_job_free(schedJob *job);

//---- charts of schedules (gantt.c) ---------------------------------------------------------------

// SVG chart with one row per unit and one box per operation; cycles run to the right. A box covers
// the cycles in which its unit is occupied; remaining pipeline cycles are pale. Operations of the
// longest chain have dark frames. Names appear in boxes that are wide enough; tooltips show all
// operations. Check ferror for failures of the stream. Returns 0 when memory ran out.
int gantt_write(FILE *out, const char *title, const schedBinary *binary,
                const schedSchedule *schedule, const schedMachine *machine);

#endif
