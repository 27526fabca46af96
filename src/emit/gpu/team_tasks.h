// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions as tasks of a team: warps of a block that share the equations of its instances, one in each lane.
//
// The plan of split/split.h has the tasks, each one function; values that cross between them are in a column that all see.
// Text: AT_q(3) for elements of vectors, AT_s(7) for these values, SEND(2) and RECEIVE(2) around messages; the file with the
// functions defines them.
#ifndef EMIT_TEAM_TASKS_H
#define EMIT_TEAM_TASKS_H

#include "emit/file_job.h"

typedef struct emitTeam {
  int tasks; // asked for; then those that have something to do, 0: no team is worth it, or has room
  int nplace; // numbers that cross: for how many there is room; then how many there are
  int nmessage;
} emitTeam;

// NAME_FUNCTION_task_0(TEAM_ARGUMENTS), ... of a list, each of which returns 0 or why it failed, and NAME_FUNCTION_task(task,
// TEAM_ARGUMENTS) that calls them. Returns 0 when memory ran out.
int team_print(const emitJob *job, FILE *out, const emitSyntax *syntax, const eqnList *list,
               emitTeam *team);

// A function without iterations, of whose results each task finds its share, NAME_FUNCTION_share(task, TEAM_ARGUMENTS).
int team_print_shares(const emitJob *job, FILE *out, const emitSyntax *syntax, const eqnList *list,
                      int tasks);

#endif
