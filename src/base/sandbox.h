// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Foreign files are read in a process of their own, the helper articula-parse (cli/parse.c), which may open files of a few
// folders for reading and write its answer, and nothing else: no network, no other files, no programs, limited memory and CPU
// time. This side starts it and reads the answer, in which nothing is trusted.
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include <stddef.h>
#include <stdio.h>

#include "articula/base.h"

//---- the process that asks -----------------------------------------------------------------------

// Shall the helper read foreign files (art_set_sandbox)? ART_OK with *is_on 0 where they are read in this process.
artStatus sandbox_choose(int *is_on, artError *error);

// The answer to a task: fields in the order in which the helper has put them.
typedef struct sandboxAnswer {
  char *bytes;
  size_t length, at;
  int is_damaged; // a field was asked for that is not there
} sandboxAnswer;

// Let the helper do a task, `word` and what belongs to it, NULL after the last, with bytes at its standard input. A helper that
// does not come to its end is a failure, whose message names the file.
artStatus sandbox_ask(sandboxAnswer *answer, const char *const *words, const void *input, size_t n,
                      const char *file, artError *error);
void sandbox_forget(sandboxAnswer *answer);

// The next field: bytes, a text without zeros ("" where there is none), a whole number from `least` to `most`.
const char *sandbox_bytes(sandboxAnswer *answer, size_t *n);
const char *sandbox_text(sandboxAnswer *answer);
int sandbox_number(sandboxAnswer *answer, int least, int most);

// The fields that sandbox_put_status wrote: ART_OK, or a failure with its message.
artStatus sandbox_status(sandboxAnswer *answer, artError *error);

// ART_OK where every field was there, and none is left.
artStatus sandbox_check(const sandboxAnswer *answer, const char *file, artError *error);

// Another helper, for tests; NULL: the one that belongs to the library.
void sandbox_use(const char *helper);

//---- the helper ----------------------------------------------------------------------------------

// Give up all rights but reading below these folders and writing to open files (confine.c). What it could not give up is not
// in the list that it returns: "limits landlock seccomp".
const char *sandbox_confine(int nfolder, const char *const *folder);

void sandbox_put(FILE *out, const void *bytes, size_t n);
void sandbox_put_text(FILE *out, const char *text); // NULL: ""
void sandbox_put_number(FILE *out, int number);
void sandbox_put_status(FILE *out, artStatus status, const artError *error);

// The last field of every answer.
void sandbox_put_end(FILE *out);

#endif
