// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Languages of generated code: a caller of all functions of a program, how both are made, and how they run.
//
// A caller reads the file `in` of its folder, numbers as they are in memory: how many states there are, then
// for each state the vectors that functions read, each once (tongue_inputs). It answers on standard output,
// for each state and each function, with the vectors that the function has changed and those that it gives.
#ifndef SUPPORT_TONGUE_H
#define SUPPORT_TONGUE_H

#include <stdio.h>

#include "emit/emit.h"
#include "study/generate/product_writer.h"

enum { TONGUE_VECTORS = 40 };

typedef struct tongue {
  emitLanguage language;
  const char *needs;  // a program
  int is_extra;       // only when the variable ART_TEST_ALL is set
  const char *caller; // file
  void (*write)(FILE *out, const eqnProgram *p, const char *const *external);
  const char *make, *run; // commands; $NAME stands for the program, $LEVEL for optimisation
} tongue;

const tongue *tongue_of(emitLanguage language);

// Whether a program can be called, or a folder is there.
int tongue_is_installed(const char *program);

// Whether a language is there and to be tested; says so when it is not installed.
int tongue_is_spoken(const tongue *t);

// Write the program and its caller into the folder; compile them ("-O0").
void tongue_write(const tongue *t, const char *folder, const eqnProgram *p,
                  const emitOptions *options);
int tongue_make(const tongue *t, const char *folder, const eqnProgram *p, const char *level);

// Write a machine as a text of this form into a file of the process's folder.
artStatus tongue_write_simulator(const artModel *m, artData *d, const artRunDef *study,
                                 const genOptions *options, simulatorForm form, const char *file,
                                 artError *error);

// The answers to `in`, while they are being found; closing checks that the caller ended well.
FILE *tongue_open(const tongue *t, const char *folder, const eqnProgram *p);
void tongue_close(const tongue *t, const char *folder, FILE *answers);

// The vectors that functions of the program read, each name once; returns how many.
int tongue_inputs(const eqnProgram *p, const eqnVector **list);

// Sums of products, which the callers supply in the place of functions of the user.
void tongue_host(void *program, int external, const double *x, double *result);

#endif
