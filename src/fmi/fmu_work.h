// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Private definition of an instance, for the files that implement its steps.
#ifndef FMI_UNIT_WORK_H
#define FMI_UNIT_WORK_H

#include <limits.h>

#include "fmi/fmu_archive.h"
#include "fmi/fmu_signal.h"

// A message of an FMU. Status of the standard: 0 ok, 1 warning, 2 discard, 3 error, 4 fatal.
typedef void fmiLogger(void *context, const char *instance, int status, const char *category,
                       const char *message);

// Outcome of a step: done; discarded; the FMU requests termination.
typedef enum fmiOutcome { FMI_DONE, FMI_DISCARDED, FMI_ENDED } fmiOutcome;

typedef struct fmiExchange fmiExchange;

typedef struct fmiInstance {
  fmuFile *unit;
  const fmiDescription *d;
  char name[64];
  void *component; // handle of the FMU
  bool is_exchange, has_begun, is_broken;
  double time, saved_time;
  double instant, saved_instant; // co-simulation: next time event, infinite if none
  bool wants_end;                // an event has requested termination
  void *saved;                   // a saved FMU state
  double *value;                 // [nvariable] last values of array elements
  void *room;                    // buffer for the longest array
  fmiExchange *exchange;
  fmiSignal *signals; // signals of inputs within a step
  fmi2CallbackFunctions functions;
  fmiLogger *logger;
  void *context;
  char said[500]; // the last error message
} fmiInstance;

// Throw an error (base/error.h) if a function of the FMU has returned a bad status of the standard,
// or UNIT_LACKS: the message names function, instance and the FMU's last message.
enum { UNIT_LACKS = INT_MIN }; // the binary has no such function; no FMU returns this value
void instance_check(fmiInstance *f, const char *function, int status);

#endif
