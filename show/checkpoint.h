// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The checkpoint of a run that was interrupted: its state, how much of the results belongs to it, and
// its origin, so that another run does not go on with it by mistake.
#ifndef SHOW_CHECKPOINT_H
#define SHOW_CHECKPOINT_H

#include "articula/study.h"

enum { CHECKPOINT_NAME_LENGTH = 64 };

typedef struct ioCheckpoint {
  // the run that it was made from
  char version[16];
  char study[CHECKPOINT_NAME_LENGTH];
  unsigned long long model, outputs; // fingerprints
  int method, integrator;
  double from, until, step, interval, tolerance;

  // how far it came
  long long rows;            // of results.csv
  unsigned long long values; // fingerprint of the last row: outputs of another meaning show there
  long long length;          // of results.csv in bytes
  double time;

  // the run's own state; after checkpoint_load it is freed by checkpoint_free
  size_t size;
  void *state;
} ioCheckpoint;

// Fill the first part.
ioCheckpoint checkpoint_describe(const artModel *model, const artStudyDef *study);

// A fingerprint of n numbers.
unsigned long long checkpoint_sum(int n, const double *values);

// Write it to a file, which is replaced at once; read it back. ART_BAD_INPUT for a file that is no
// checkpoint, was damaged, or comes from another kind of machine.
artStatus checkpoint_save(const char *path, const ioCheckpoint *checkpoint, artError *error);
artStatus checkpoint_load(const char *path, ioCheckpoint *checkpoint, artError *error);
void checkpoint_free(ioCheckpoint *checkpoint);

// Was `saved` made from the same as `now`? ART_BAD_INPUT with the first difference in words.
artStatus checkpoint_compare(const char *path, const ioCheckpoint *saved, const ioCheckpoint *now,
                             artError *error);

#endif
