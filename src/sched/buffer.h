// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How many results wait to be used: what a machine must be able to keep.
#ifndef SCHED_BUFFER_H
#define SCHED_BUFFER_H

#include "sched/schedule.h"

// A result is kept, by the unit that made it, from the cycle after it is there to the last one in which another
// operation that reads it begins; results that nobody reads leave at once. size[unit] is the most that are kept at the
// same time. Returns how many are kept by all units together at most, -1 when memory ran out.
int buffer_sizes(const schedSchedule *schedule, const schedGraph *graph,
                 const schedMachine *machine, int *size);

// The last cycle in which a result is read, 0 when it is not.
int buffer_last_use(const schedSchedule *schedule, const schedGraph *graph, int i);

#endif
