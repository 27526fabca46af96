// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run from model to result files, and the messages about it.
#ifndef CLI_VERB_RUN_H
#define CLI_VERB_RUN_H

#include "command_report.h"
#include "loop/loop.h"
#include "server.h"
#include "show/certificate.h"
#include "show/checkpoint.h"
#include "show/csv.h"
#include "show/scene_file.h"

// How a run kept pace with the wall clock, s.
typedef struct runPace {
  long frames, missed;           // rows, and those that came after their time
  double worst_frame, sum_frame; // computing a row
  double worst_late;             // after its time
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
  ioCheckpoint checkpoint, saved; // the second is what an interrupted run has left
  bool has_checkpoint;
  double last_saved, last_shown; // s of wall clock: checkpoint, scene
  bool has_stepped;              // since the last checkpoint
  bool is_chatty, has_told_stiff;
  cliProgress progress;
  cliServer *server;          // of --view, or NULL
  long row, rows;             // written, in all
  char sha256[SHA256_LENGTH]; // of results.csv at the end
  bool has_ranks;             // that serve it
  dataProfile profile;
  double *kept; // in real time: the rows, time first
  runPace pace;
} cliRun;

typedef enum runEnd { RUN_FINISHED, RUN_INTERRUPTED, RUN_FAILED } runEnd;

// The certificate of the run as it is.
ioCertificate run_certificate(const cliRun *job, runEnd end, const artError *error);

// Tell the user how it ended; returns the exit status.
int run_report(const cliRun *job, runEnd end, const artError *error);

//---- functional mock-up units (run_fmus.c) ------------------------------------------------------

// Does the call name a unit, or a file with a section `units`?
bool units_are_called(const cliCall *call);

// Returns the exit status.
int run_units(const cliCall *call);

//---- at the pace of the wall clock (run_realtime.c) ----------------------------------------------

// Room for all rows, taken and touched before the clock starts; refused when it would be absurd.
void realtime_prepare(cliRun *job);

// Every row at its time of the clock, until the end or an interruption. Rows are kept, and written after the
// loop, which takes no memory and calls nothing of the system but the clock.
artStatus realtime_advance(cliRun *job, artError *error);

//---- several threads, or several ranks under mpirun (run_workers.c) ---------------------------------

// Give the data of a run the threads of the call, or the other ranks; leaves the work where the method has no use for
// them.
void workers_join(cliRun *job);

// At the end, before the data is freed. False when a worker or a rank was lost: it may still look at
// model and data, which must stay; all ranks are ended.
bool workers_leave(const cliRun *job);

// Their share in the run: a line of the summary, or a member of the certificate; nothing where nobody asked.
void workers_report(cliReport *report, const cliRun *job);

// Take part as one of the processes that mpirun has started: on rank 0 `run` is called and its exit status returned, the
// others serve it.
int workers_launch(const cliCall *call, int (*run)(const cliCall *call));

#endif
