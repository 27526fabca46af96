// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Earliest finish with transfers in view.
#ifndef SCHED_AWARE_H
#define SCHED_AWARE_H

#include "sched/list_schedule.h"

// Fill a schedule that has room; returns 0 when memory ran out.
int aware_place(schedSchedule *schedule, const schedGraph *graph, const schedMachine *machine);

#endif
