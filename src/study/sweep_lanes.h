// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs that advance together: generated code over lanes steps several machines of one build, each with parameters
// of its own, by the method of Runge and Kutta with one step for all.
//
// A machine comes to the same numbers whoever runs beside it. Machines with functions of the host's or with another
// integrator run alone, and so do those whose loops leave the coordinates that the code has built in.
#ifndef STUDY_SWEEP_LANES_H
#define STUDY_SWEEP_LANES_H

#include <pthread.h>
#include <stdint.h>

#include "articula/study.h"
#include "eqn/program.h"

enum { SWEEP_MOST_LANES = 8 };

// A machine that is ready to run.
typedef struct sweepLane {
  const artModel *m;
  artData *d;
  artRunDef study;     // whose method is not generated: that of rows
  artRun *run;         // at the beginning
  eqnProgram *program; // its equations ...
  uint64_t build; // ... and what they have in common with those of others that may run beside it
} sweepLane;

// Can a study run in lanes, as far as it knows? And how many lanes has this processor?
int lanes_suit(const artRunDef *study);
int lanes_count(void);

// Make the program of a lane; 0 when the machine has to run alone.
int lanes_open(sweepLane *lane);
void lanes_close(sweepLane *lane);

// Code of one build, which a worker keeps for the lanes that follow.
typedef struct sweepCode sweepCode;
void lanes_free_code(sweepCode *code);

// Run n lanes of one build, n <= lanes_count(): row(context, k, t) for each output instant of lane k, with the
// data there. is_out[k] is set where lane k has to run alone after all. Failures of memory or of the compiler
// set all of them. Code is made by one thread at a time, under the lock: the next one finds it in the cache.
typedef void (*lanesRow)(void *context, int k, double t);
typedef struct lanesUser {
  lanesRow row;
  int (*is_stopped)(void *context);
  void *context;
  pthread_mutex_t *lock;
} lanesUser;
void lanes_run(sweepCode **code, int n, sweepLane *const *lane, const lanesUser *user, int *is_out);

#endif
