// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs as Python holds them: rows in memory, and files beside them where somebody asks for a folder.
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
  int is_resumed;          // they come from an interrupted run
  ioCheckpoint checkpoint; // where a run goes on that cannot be left between two rows
} pyFiles;

typedef struct pyRun {
  PyObject ob_base;
  pyModel *owner;
  PyObject *options; // whose texts the study holds
  PyObject *file;    // of the model, for certificates,
  const char *path;  // and its text
  PyObject *progress;
  artStudyDef study;
  artData *data;
  artRun *run;
  int is_busy;

  // [room width] time and outputs in the first columns, then q and v; blocks that views may see stay until the end
  double *rows;
  long count, room;
  int columns, width, is_seen;
  void **old;
  int nold;

  pyFiles files;
  artError error;   // of a run that failed
  double last_look; // at signals, s of wall clock
  int is_stopped;   // an exception asks for it
} pyRun;

// Room for one more row.
int run_grow(pyRun *r);

artStatus files_begin(pyRun *r, artError *error);
artStatus files_add_row(pyRun *r, const double *row, artError *error);

// A run with samplers cannot be left between two rows: its state is kept behind each, and it goes back there when it is stopped.
artStatus files_keep_row(pyRun *r, artError *error);
artStatus files_go_back(pyRun *r, artError *error);
artStatus files_end(pyRun *r, artError *error);
void files_free(pyFiles *files);

// The certificate; status "finished", "interrupted" or "failed".
ioCertificate run_certificate(const pyRun *r);

#endif
