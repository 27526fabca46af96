// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A checker of functional mock-up units: what both versions of the standard ask for behind one face.
#ifndef SUPPORT_UNIT_CHECKER_H
#define SUPPORT_UNIT_CHECKER_H

#include <stdio.h>

#include "fmi/fmu_archive.h"

typedef struct checkReport {
  int checks, failures;
  double worst_derivative; // against differences, relative to 1 + its size
} checkReport;

// Read the description against the schema in the folder (by xmllint where it is there), call every function in every state of an instance where it is allowed
// and where it is not, set and get values, go back to states, also by their bytes and in another instance, compare derivatives with differences, feed
// numbers that are none, take resources away, go behind the end of the experiment, and let two threads work at two instances. Failures are told to `out`, or to nobody.
checkReport checker_check(const char *path, const char *schemas, FILE *out);

//---- inside --------------------------------------------------------------------------------------


// States of an instance, as bits.
enum {
  AT_START = 1,
  AT_INITIALISATION = 2,
  AT_EVENT = 4,
  AT_CONTINUOUS = 8,
  AT_STEP = 16,
  AT_END = 32,
  AT_ERROR = 64, // after a call that was answered by an error
  AT_ALL = 127,
  AT_EXCHANGE = AT_ALL & ~AT_STEP,
  AT_SIMULATION = AT_ALL & ~(AT_EVENT | AT_CONTINUOUS)
};

// Functions of one kind alone: instances of the other refuse them in all states.
typedef enum checkKind { OF_BOTH, OF_EXCHANGE, OF_SIMULATION } checkKind;

// An instance and what it has said.
typedef struct checkInstance {
  fmuFile *unit;
  bool is_exchange;
  void *component;
  int messages;          // of status warning and worse
  double from, until;    // until: NAN, the end is not said
  const char *resources; // their folder; NULL: none
  fmi2CallbackFunctions functions;
} checkInstance;

// A function in a call that is right as far as its arguments go; the states where it is allowed, and those where it is not. States in neither
// list are left open by the standard, or depend on abilities.
typedef struct checkTrial {
  const char *name;
  int allowed, forbidden;
  int (*call)(checkInstance *c);
  checkKind kind;
} checkTrial;

// Functions of one version; all return statuses of the standard: 0 all right, 1 warning, 2 discard, 3 error, 4 fatal.
typedef struct checkFace {
  void (*create)(checkInstance *c, const char *token);
  void (*end)(checkInstance *c);
  int (*go)(checkInstance *c, int state); // from the start
  int (*reset)(checkInstance *c);
  int (*say)(checkInstance *c, int is_on,
             const char *category); // messages of all categories, or of one
  int (*get)(checkInstance *c, unsigned reference, double *value);
  int (*set)(checkInstance *c, unsigned reference, double value);
  int (*step)(checkInstance *c, double t, double h);
  int (*save)(checkInstance *c, void **state);
  int (*restore)(checkInstance *c, void *state);
  int (*drop)(checkInstance *c, void **state);
  int (*size)(checkInstance *c, void *state, size_t *size);
  int (*write)(checkInstance *c, void *state, void *bytes, size_t size);
  int (*read)(checkInstance *c, const void *bytes, size_t size, void **state);
  int (*put_states)(checkInstance *c, const double *x, size_t n);
  int (*take_states)(checkInstance *c, double *x, size_t n);
  int (*take_rates)(checkInstance *c, double *rate, size_t n);
  int (*directional)(checkInstance *c, unsigned unknown, unsigned known, double *value);
  int (*adjoint)(checkInstance *c, unsigned unknown, unsigned known, double *value);
  const checkTrial *trial; // ends with a name NULL
} checkFace;

extern const checkFace checker_face2, checker_face3;

#endif
