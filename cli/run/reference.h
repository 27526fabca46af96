// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The reference of a benchmark problem as a file of text: lines "# problem:", "# source:", "# norm:", "# limit:", then
// the names of outputs and their values at some instants.
#ifndef CLI_REFERENCE_H
#define CLI_REFERENCE_H

#include "base/file.h"

enum { REFERENCE_COLUMNS = 64 }; // at most

typedef enum referenceNorm {
  NORM_LARGEST,  // largest |y - r|
  NORM_RELATIVE, // largest |y - r| / max(|r|, 1e-3)
  NORM_IFTOMM,   // root mean square of |y - r| / max(|r|, 1e-3)
  NORMS,
} referenceNorm;
extern const char *const reference_norms[NORMS]; // "largest", "relative", "iftomm"

typedef struct cliReference {
  char path[FILE_PATH_LENGTH];
  char *text; // owns the text that the others point into
  const char *problem, *source;
  referenceNorm norm;
  double limit;
  int columns; // besides time
  const char *name[REFERENCE_COLUMNS];
  int output[REFERENCE_COLUMNS]; // of the model
  long rows;
  double *value; // [rows (1 + columns)] time first
} cliReference;

// Read the file of r->path. Free text and value with mem_free, also after a failure.
artStatus reference_read(cliReference *r, artError *error);

#endif
