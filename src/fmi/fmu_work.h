// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An instance from inside, for the files that make its steps.
#ifndef FMI_UNIT_WORK_H
#define FMI_UNIT_WORK_H

#include <limits.h>

#include "fmi/fmu_archive.h"
#include "fmi/fmu_signal.h"

// A message of a unit. The standard has its status: 0 all right, 1 a warning, 2 a step discarded, 3 an error, 4 the end.
typedef void fmiLogger(void *context, const char *instance, int status, const char *category,
                       const char *message);

// The outcome of a step: done; not done; the unit asks for the end.
typedef enum fmiOutcome { FMI_DONE, FMI_DISCARDED, FMI_ENDED } fmiOutcome;

typedef struct fmiExchange fmiExchange;

typedef struct fmiInstance {
  fmuFile *unit;
  const fmiDescription *d;
  char name[64];
  void *component; // the unit's own
  bool is_exchange, has_begun, is_broken;
  double time, saved_time;
  double instant, saved_instant; // next event in time of co-simulation, infinite without
  bool wants_end;                // an event has asked for the end
  void *saved;                   // a state of the unit
  double *value;                 // [nvariable] of elements of arrays, as they were set
  void *room;                    // for the longest array
  fmiExchange *exchange;
  fmiSignal *signals; // that inputs follow within a step
  fmi2CallbackFunctions functions;
  fmiLogger *logger;
  void *context;
  char said[500]; // the last complaint
} fmiInstance;

// Leave the work (base/error.h) where a function of the unit has answered with a bad status of the standard, or with UNIT_LACKS:
// the message names function, instance and the unit's last complaint.
enum { UNIT_LACKS = INT_MIN }; // the binary has no such function; no unit answers so
void instance_check(fmiInstance *f, const char *function, int status);

#endif
