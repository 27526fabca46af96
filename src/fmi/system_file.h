// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A coupled simulation read from a file: named FMUs and machines, connections from outputs to
// inputs, and a study.
#ifndef FMI_SYSTEM_FILE_H
#define FMI_SYSTEM_FILE_H

#include "fmi/master.h"

typedef struct fmiSystem {
  baseArena arena;
  const char *title; // or NULL
  fmiMaster master;
  double interval; // between rows of results, s
  bool is_single;  // a single FMU without a system file: variable names have no prefix
} fmiSystem;

// True for a coupled-simulation file, which has a section `units`.
bool system_is_file(const char *path);

// FMUs whose native code the caller allows to run; a .fmu file that is opened directly is one of
// them.
typedef struct fmiNatives {
  int count;
  const char *const *path;
} fmiNatives;

// Read the file, or create a system of a single FMU (.fmu); open all parts and connect them. An FMU
// that the file names but the caller does not allow is rejected before its archive is read. The
// logger may be NULL. Start from {0}; call system_free in any case. Errors are thrown
// (base/error.h), here and below. Unspecified times are NAN until system_finish.
void system_open(fmiSystem *s, const char *path, fmiNatives natives, fmiLogger *logger,
                 void *context);

// Set a start value, "NAME=VALUE" or "UNIT.NAME=VALUE".
void system_set(fmiSystem *s, const char *words);

// Set an input, "NAME=..." or "UNIT.NAME=...": a start value, or a signal, FILE.csv[:COLUMN] or a
// formula of time.
void system_input(fmiSystem *s, const char *words);

// Replace times that are NAN by those of the FMU or defaults, and check all of them.
void system_finish(fmiSystem *s);

void system_free(fmiSystem *s);

#endif
