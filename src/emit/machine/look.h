// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What depends on time and held numbers alone in the equations of a machine, and formulas of the motion over what they read, the
// paths, as rows of operations that generated code evaluates on intervals (step_look.h).
#ifndef EMIT_LOOK_H
#define EMIT_LOOK_H

#include "emit/file_job.h"

typedef struct lookText {
  int nrow, nsignal, nmargin, nconstant; // no signals and margins: there is nothing to look at
  int (*row)[5];                         // operation, its arguments, and whether it stays as it is
  unsigned long long *roots;             // [nrow] see lookRow
  int *signal, *margin;
  double *constant;
  int npath, nleaf,
      *leaf;   // of formulas of the motion: what they read, and rows that read what may change
  int is_long; // it has more rows than texts take: they do not look
} lookText;

// Of the equations of a choice, whose lists the job has. Returns 0 when memory ran out.
int look_collect(lookText *look, const emitJob *job, baseArena *arena);

// Of the formulas of the motion of a program, over their paths.
int look_collect_motion(lookText *look, const eqnProgram *program, baseArena *arena);

// Its data in C: tables whose names begin with a word, and their sizes.
void look_print(FILE *out, const lookText *look, const char *word, const char *size);

#endif
