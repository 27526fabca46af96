// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Oracles of schedules and splits: whether they can be carried out, and the values that operations give.
#ifndef TEST_SUPPORT_LEGAL_H
#define TEST_SUPPORT_LEGAL_H

#include "sched/binary.h"
#include "sched/schedule.h"
#include "split/split_plan.h"

// Whether every unit is computed, all that units read has been made or received before, and no task waits for
// ever; else the unit or message at fault is named in `what`.
int split_plan_is_legal(const splitPlan *plan, char what[100]);

// Whether parents are done and their results have arrived, and no unit does two at a time.
int schedule_is_legal(const schedSchedule *schedule, const schedGraph *graph,
                      const schedMachine *machine);

// Evaluate with numbers as eqn_evaluate does, operation by operation in the order given (NULL: as they stand). Loops
// must be closed: no stage of Newton's method is iterated, and no stage may have a condition. Returns 0 when
// memory ran out.
int binary_evaluate(const schedBinary *binary, const int *order, const double *parameters,
                    double *const *input, double *const *output, eqnCall *external, void *context);

#endif
