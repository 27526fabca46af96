// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine whose generated accelerations are evaluated by one thread and by a team, and what the split predicts.
#ifndef BENCH_TEAM_TIMES_H
#define BENCH_TEAM_TIMES_H

#include "articula/articula.h"
#include "eqn/program.h"
#include "split/split_way.h"

typedef struct teamMachine {
  artModel *m;
  artData *d;
  eqnProgram *program;
  artGenerated *code;
  int nq;
  double *start, *rate;        // [nq] a state with closed loops, and where positions go from there
  unsigned char *is_dependent; // [nq] the loops find it
  double power;
} teamMachine;

// Generate, split, compile and load; the model is taken over. Returns 0, with the reason in error. Close in any case.
int team_open(teamMachine *machine, artModel *m, const splitChoice *split, artError *error);
void team_close(teamMachine *machine);

// Seconds of an evaluation, the middle of many and the shortest.
typedef struct teamTimes {
  double middle, shortest;
} teamTimes;

// One thread and the team by turns, in bursts. Free positions go to and fro by what they move in a millisecond, so
// that the loops have to be closed as they have in a run. NAN where an evaluation fails.
void team_time(teamMachine *machine, teamTimes *serial, teamTimes *team);

typedef struct teamPrediction {
  int operations, tasks, messages, values;
  double addition; // seconds, from the time of one thread
  double without_transfers,
      as_compiled;    // speed-up by the split that is compiled, transfers at no cost and at the one
                      // it was made for
  double as_measured; // the same, transfers as they are measured here
} teamPrediction;
teamPrediction team_predict(const teamMachine *machine, const splitChoice *split, double transfer,
                            double serial);

// Seconds from a store in one thread to the load that sees it in another: half of the middle round trip.
double team_transfer(void);

// Keep the caller on the first of the cores that it has and what it starts from now on on the others; then let the
// caller have its own. Without this the kernel may leave both on one core of a busy machine.
void team_pin_workers(void);
void team_pin_caller(void);

#endif
