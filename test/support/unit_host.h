// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A unit of FMI 2.0 that a test has written, compiled and loaded.
#ifndef SUPPORT_UNIT_HOST_H
#define SUPPORT_UNIT_HOST_H

#include "articula/articula.h"
#include "fmi/fmi2.h"

#define HOST_FIELD(type, name, arguments) name##TYPE *name;
typedef struct hostUnit {
  artModel *m;
  artData *d; // assembled, at the beginning
  artRunDef study;
  void *library;
  FMI2_FUNCTIONS(HOST_FIELD)
  char token[64];
  int nx, nindicator; // continuous states, event indicators
  int messages;       // that instances have logged
  fmi2CallbackFunctions call;
} hostUnit;
#undef HOST_FIELD

// Write the model of this file as a unit and load it; 0: it is refused, for which there is a reason. Freed when the test
// ends, or opens the same one again.
int host_open(hostUnit *unit, const char *path, artError *error);

// The same with derivatives, by version 2 or 3 of the standard; functions of version 3 are to be found in the library.
int host_open_version(hostUnit *unit, const char *path, int version, artError *error);

// The data as it was when the unit was written.
artStatus host_restart(hostUnit *unit, artError *error);

// An instance that is instantiated, or has been initialised from t on.
fmi2Component host_instance(hostUnit *unit, fmi2Type type);
fmi2Component host_begin(hostUnit *unit, fmi2Type type, double t);

// Reference of a variable by its name, -1: there is none.
int host_reference(const hostUnit *unit, const char *name);

// The number of outputs.
int host_outputs(const hostUnit *unit);

// The reference of the first output; references of others follow.
int host_first_output(const hostUnit *unit);

#endif
