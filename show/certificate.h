// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The certificate of a run as JSON: inputs, methods and accuracy of the results
// (doc/reference/results.md).
#ifndef SHOW_CERTIFICATE_H
#define SHOW_CERTIFICATE_H

#include "articula/study.h"
#include "base/sha256.h"
#include "show/json.h"

typedef struct ioCertificate {
  const char *status;    // "finished", "interrupted", "failed"
  const char *file;      // of the model
  const char *directory; // of the results
  const artModel *model;
  const artData *data; // of the run, for the names of redundant rows; may be NULL
  const artStudyDef *study;
  long rows;                  // of results.csv
  char sha256[SHA256_LENGTH]; // of results.csv; "": unknown
  artCertificate numbers;
  artError error; // of a failed run

  // Writes additional members of the caller, after all others; NULL: none.
  void (*more)(ioJson *json, const void *context);
  const void *context;
} ioCertificate;

// Write coordinates that the last assembly moved, as a list "moves" of {coordinate, from, to,
// unit}; data may be NULL.
void certificate_write_moves(ioJson *json, const artModel *model, const artData *data);

// Write members "verdict" and "reasons" of the open object.
void certificate_write_verdict(ioJson *json, const artJudgement *judgement);

// Write it as an object.
void certificate_write(ioJson *json, const ioCertificate *certificate);

// Write it to a file, which is replaced atomically.
artStatus certificate_save(const char *path, const ioCertificate *certificate, artError *error);

#endif
