// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The checkpoint of an interrupted run: its state, the length of its results, and its origin, so
// that only the same run can continue from it.
#ifndef SHOW_CHECKPOINT_H
#define SHOW_CHECKPOINT_H

#include "articula/study.h"

enum { CHECKPOINT_NAME_LENGTH = 64 };

typedef struct ioCheckpoint {
  // origin
  char version[16];
  char study[CHECKPOINT_NAME_LENGTH];
  unsigned long long model, outputs; // hashes
  int method, integrator;
  double from, until, step, interval, tolerance;

  // progress
  long long rows;            // of results.csv
  unsigned long long values; // hash of the last row, which detects outputs with another meaning
  long long length;          // of results.csv in bytes
  double time;

  // state of the run; after checkpoint_load it is freed by checkpoint_free
  size_t size;
  void *state;
} ioCheckpoint;

// Fill in the origin.
ioCheckpoint checkpoint_describe(const artModel *model, const artStudyDef *study);

// A hash of n numbers.
unsigned long long checkpoint_sum(int n, const double *values);

// Save to a file, which is replaced atomically; load it. ART_BAD_INPUT for a file that is not a
// checkpoint, is damaged, or comes from another kind of machine.
artStatus checkpoint_save(const char *path, const ioCheckpoint *checkpoint, artError *error);
artStatus checkpoint_load(const char *path, ioCheckpoint *checkpoint, artError *error);
void checkpoint_free(ioCheckpoint *checkpoint);

// Check that `saved` and `now` have the same origin. ART_BAD_INPUT with a description of the first
// difference.
artStatus checkpoint_compare(const char *path, const ioCheckpoint *saved, const ioCheckpoint *now,
                             artError *error);

#endif
