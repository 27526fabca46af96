// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pictures of schedules: a row for each unit, a box for each operation, cycles to the right; as SVG.
#ifndef SCHED_GANTT_H
#define SCHED_GANTT_H

#include <stdio.h>

#include "sched/binary.h"
#include "sched/schedule.h"

// Boxes are as wide as their units are taken; what pipelines still take is drawn pale. The longest chain has dark
// frames where it waits for nobody; names stand in boxes that have room for them, and all show what they do
// under a pointer. Failures of the stream are left in ferror. Returns 0 when memory ran out.
int gantt_write(FILE *out, const char *title, const schedBinary *binary,
                const schedSchedule *schedule, const schedMachine *machine);

#endif
