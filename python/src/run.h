// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs in Python: rows in memory, and files if a folder is given.
#ifndef PYTHON_RUN_H
#define PYTHON_RUN_H

#include "module.h"
#include "show/certificate.h"
#include "show/checkpoint.h"
#include "show/csv.h"
#include "show/scene_file.h"

// Files of a run, as `articula run` writes them. Start from {0}.
typedef struct pyFiles {
  char *directory; // NULL: none
  baseLock lock;
  ioCsv csv;
  ioScene scene;
  ioSceneFile scene_file;
  int is_resumed;          // continues an interrupted run
  ioCheckpoint checkpoint; // of the last row, for runs that cannot be interrupted between two rows
} pyFiles;

typedef struct pyRun {
  PyObject ob_base;
  pyModel *owner;
  PyObject *options; // owns the strings of the study
  PyObject *file;    // path of the model file, for certificates,
  const char *path;  // and its string
  PyObject *progress;
  artStudyDef study;
  artData *data;
  artRun *run;
  int is_busy;

  // [room width] time and outputs in the first columns, then q and v; blocks used by views are kept
  // until the end
  double *rows;
  long count, room;
  int columns, width, is_seen;
  void **old;
  int nold;

  pyFiles files;
  artError error;   // of a failed run
  double last_look; // last check for signals, s of wall-clock time
  int is_stopped;   // an exception requests it
} pyRun;

// Grow `rows` by one row.
int run_grow(pyRun *r);

artStatus files_begin(pyRun *r, artError *error);
artStatus files_add_row(pyRun *r, const double *row, artError *error);

// A run with samplers cannot be interrupted between two rows: its state is saved after each row,
// and restored on interruption.
artStatus files_keep_row(pyRun *r, artError *error);
artStatus files_go_back(pyRun *r, artError *error);
artStatus files_end(pyRun *r, artError *error);
void files_free(pyFiles *files);

// The certificate; status "finished", "interrupted" or "failed".
ioCertificate run_certificate(const pyRun *r);

#endif
