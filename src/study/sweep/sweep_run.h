// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of a sweep: its cases, its workers, and what each way of running cases needs of the others.
#ifndef STUDY_SWEEP_RUN_H
#define STUDY_SWEEP_RUN_H

#include <pthread.h>
#include <stdint.h>

#include "eqn/program.h"
#include "study/run/run.h"

// rows of a run so far; sums are integrals over time
typedef struct sweepDigest {
  long rows;
  double time, start;
  double last, least, largest, sum, squares;
} sweepDigest;

// the memory of a worker from case to case
typedef struct sweepWorker {
  artSetting *setting;    // [nparameter + nfixed]
  double *value;          // [nresult]
  double *output;         // of the model
  int noutput;            // room in it
  struct sweepCode *code; // that lanes have used last (sweep_lanes.h)
  artModel *m;            // of its last case on a device
} sweepWorker;

// a case at the beginning of its run
typedef struct sweepMember {
  long number;
  artModel *m;
  int is_lent; // the model belongs to a worker
  artData *d;
  artRunDef study; // whose method is not generated in lanes and on devices: that of rows
  artRun *run;
  const double *q, *v; // where it begins, known already; NULL: to be found
  sweepDigest *digest; // [nresult]

  // in a lane
  eqnProgram *program; // its equations ...
  uint64_t build;      // ... and their hash, which cases that may run together with it share
  int is_ready;        // to run there
  int is_out;          // it has to run alone after all
} sweepMember;

typedef struct sweepRun {
  const artSweepDef *def;
  sweepWorker *worker;
  int width;                    // cases that a worker takes at a time
  pthread_mutex_t lock, making; // of what is handed over; of code
  artError error;               // that ended the sweep
  int is_begun;                 // something has been handed over
  const char *aside;            // why cases are not on the device that was asked for
} sweepRun;

int sweep_is_stopped(const artSweepDef *def);
artStatus sweep_choose_study(const artSweepDef *def, const artModel *m, artRunDef *study,
                             artError *error);

// A row into a digest; the outputs of a case into its own.
void sweep_add_row(sweepDigest *d, double t, double x);
void sweep_note_row(const artSweepDef *def, sweepWorker *w, const sweepMember *x, double t);

// A case at the beginning of its run; sweep_close_case in any case. In lanes and on devices rows are by numbers;
// ART_UNSUPPORTED where the study is not for lanes.
typedef enum sweepWay { SWEEP_ALONE, SWEEP_IN_LANE, SWEEP_ON_DEVICE } sweepWay;
artStatus sweep_open_case(const artSweepDef *def, sweepWorker *w, long number, sweepWay way,
                          sweepMember *x, artError *error);
void sweep_close_case(sweepMember *x);

// The model of a case on a device, which stays that of the worker; NULL: it cannot be read.
const artModel *sweep_model_of(const artSweepDef *def, sweepWorker *w, long number);

// The result of a case; its values are not known after an error.
artCase sweep_result(const artSweepDef *def, const sweepWorker *w, const sweepMember *x,
                     const artError *error);

// To the user, one at a time; returns whether to go on.
int sweep_hand_over(sweepRun *run, const artCase *c);

// A case by itself, with its values in the worker; 0: somebody has stopped it.
int sweep_run_alone(const artSweepDef *def, sweepWorker *w, long number, artCase *c);

// All cases on the device of def->batch, in portions (sweep_device.c).
artStatus sweep_on_device(sweepRun *run, int threads, artError *error);

#endif
