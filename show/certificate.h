// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The certificate of a run: what was computed from what, how, and how well, as JSON (doc/reference/results.md).
#ifndef SHOW_CERTIFICATE_H
#define SHOW_CERTIFICATE_H

#include "articula/study.h"
#include "data/profile.h"
#include "show/json.h"

// How a run kept pace with the wall clock, s.
typedef struct ioRealtime {
  long frames, missed;           // rows, and those that came after their time
  double worst_frame, sum_frame; // computing a row
  double worst_late;             // behind its time
  double worst_wake;             // between the time at which a frame should begin and its beginning
} ioRealtime;

typedef struct ioCertificate {
  const char *status;    // "finished", "interrupted", "failed"
  const char *file;      // of the model
  const char *directory; // of the results
  const artModel *model;
  const artData *data; // of the run: knows redundant rows by name; may be NULL
  const artStudyDef *study;
  long rows; // of results.csv
  artCertificate numbers;
  const dataProfile *profile; // where the time went; NULL: nobody asked
  const ioRealtime *realtime; // NULL: the run did not wait for the clock
  artError error;             // of a run that failed
} ioCertificate;

// What the last assembly moved, as a list "moves" of {coordinate, from, to, unit}; data may be NULL.
void certificate_write_moves(ioJson *json, const artModel *model, const artData *data);

// Members "verdict" and "reasons" of the open object.
void certificate_write_verdict(ioJson *json, const artJudgement *judgement);

// Write it as one object.
void certificate_write(ioJson *json, const ioCertificate *certificate);

// Write it to a file, which is replaced at once.
artStatus certificate_save(const char *path, const ioCertificate *certificate, artError *error);

#endif
