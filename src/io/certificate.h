// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The certificate of a run: what was computed from what, how, and how well, as JSON (doc/results.md).
#ifndef IO_CERTIFICATE_H
#define IO_CERTIFICATE_H

#include "articula/study.h"
#include "io/json.h"
#include "loop/profile.h"

typedef struct ioCertificate {
  const char *status;    // "finished", "interrupted", "failed"
  const char *file;      // of the model
  const char *directory; // of the results
  const artModel *model;
  const artData *data; // of the run: knows redundant rows by name; may be NULL
  const artStudyDef *study;
  long rows; // of results.csv
  artCertificate numbers;
  const loopProfile *profile; // where the time went; NULL: nobody asked
  artError error;             // of a run that failed
} ioCertificate;

// Write it as one object.
void certificate_write(ioJson *json, const ioCertificate *certificate);

// Write it to a file, which is replaced at once.
artStatus certificate_save(const char *path, const ioCertificate *certificate, artError *error);

#endif
