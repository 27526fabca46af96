// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A coupled simulation from its file: units and machines by name, connections from outputs to inputs, and a study.
#ifndef FMI_SYSTEM_FILE_H
#define FMI_SYSTEM_FILE_H

#include "fmi/master.h"

typedef struct fmiSystem {
  baseArena arena;
  const char *title; // or NULL
  fmiMaster master;
  double interval; // between rows of results, s
  bool is_single;  // one unit without a file around it: names stand without the unit's
} fmiSystem;

// Is this a file of a coupled simulation, which has a section `units`?
bool system_is_file(const char *path);

// The FMUs whose native code a call lets run; a path that ends in .fmu and is opened itself is one of them.
typedef struct fmiNatives {
  int count;
  const char *const *path;
} fmiNatives;

// Read the file, or make one of a single unit (.fmu); open all parts and connect them. An FMU that the file names and the call
// does not is refused before its archive is read. The logger may be NULL.
// Start from {0}; system_free in any case. Failures leave the work (base/error.h), here and below. Times that nobody says are
// NAN: system_finish fills them in.
void system_open(fmiSystem *s, const char *path, fmiNatives natives, fmiLogger *logger,
                 void *context);

// Another start value, "NAME=VALUE" or "UNIT.NAME=VALUE".
void system_set(fmiSystem *s, const char *words);

// An input, "NAME=..." or "UNIT.NAME=...": a start value, or a signal over time, FILE.csv[:COLUMN] or a formula.
void system_input(fmiSystem *s, const char *words);

// Times that are NAN become the unit's, or a default, and all of them are checked.
void system_finish(fmiSystem *s);

void system_free(fmiSystem *s);

#endif
