// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run from model to result files, and what is said about it.
#ifndef CLI_VERB_RUN_H
#define CLI_VERB_RUN_H

#include "loop/loop.h"
#include "show/certificate.h"
#include "show/checkpoint.h"
#include "show/csv.h"
#include "show/scene_file.h"
#include "tell.h"

// How a run kept pace with the wall clock, s.
typedef struct runPace {
  long frames, missed;           // rows, and those that came after their time
  double worst_frame, sum_frame; // computing a row
  double worst_late;             // behind its time
  double worst_wake;             // between the time at which a frame should begin and its beginning
} runPace;

typedef struct cliRun {
  const cliCall *call;
  artModel *model;
  artData *data;
  artStudyDef study;
  artRun *run;
  double *values; // [outputs]

  char directory[FILE_PATH_LENGTH];
  char csv_path[FILE_PATH_LENGTH], certificate_path[FILE_PATH_LENGTH];
  char checkpoint_path[FILE_PATH_LENGTH], scene_path[FILE_PATH_LENGTH];
  baseLock lock; // on the directory
  ioCsv csv;
  ioScene scene;
  ioSceneFile scene_file;
  ioCheckpoint checkpoint;
  bool has_checkpoint;
  double last_saved, last_shown; // s of wall clock: checkpoint, scene
  bool has_stepped;              // since the last checkpoint
  long row, rows;                // written, in all
  bool has_ranks;                // that serve it
  dataProfile profile;
  double *kept; // in real time: the rows, time first
  runPace pace;
} cliRun;

typedef enum runEnd { RUN_FINISHED, RUN_INTERRUPTED, RUN_FAILED } runEnd;

// The certificate of the run as it stands.
ioCertificate run_certificate(const cliRun *job, runEnd end, const artError *error);

// Tell the user how it ended; returns the exit status.
int run_report(const cliRun *job, runEnd end, const artError *error);

#endif
