// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What depends on time and held numbers alone in the equations of a machine, as rows of operations that generated code evaluates
// on intervals (step_look.h).
#ifndef EMIT_LOOK_H
#define EMIT_LOOK_H

#include "emit/file_job.h"

typedef struct lookText {
  int nrow, nsignal, nmargin, nconstant; // no signals and margins: there is nothing to look at
  int (*row)[4];                         // operation and its arguments
  int *signal, *margin;
  double *constant;
  int is_long; // it has more rows than texts take: they do not look
} lookText;

// Of the equations of a choice, whose lists the job has. Returns 0 when memory ran out.
int look_collect(lookText *look, const emitJob *job, baseArena *arena);

// Its data in C.
void look_print(FILE *out, const lookText *look);

#endif
