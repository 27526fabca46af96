// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Untrusted files are read in a separate process, the helper articula-parse (cli/parse.c). It may
// read files in a few folders and write its answer, nothing else: no network, no other files, no
// programs, limited memory and CPU time. This side starts the helper and validates its answer.
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include <stddef.h>
#include <stdio.h>

#include "articula/base.h"

//---- the calling process -------------------------------------------------------------------------

// Shall the helper read untrusted files (art_set_sandbox)? *is_on = 0: this process reads them.
artStatus sandbox_choose(int *is_on, artError *error);

// Answer to a task: fields in the order in which the helper wrote them.
typedef struct sandboxAnswer {
  char *bytes;
  size_t length, at;
  int is_damaged; // a missing field was read
} sandboxAnswer;

// Run a task in the helper: a NULL-terminated list of command and arguments, and n bytes on
// standard input. If the helper does not finish, returns an error that names the file.
artStatus sandbox_ask(sandboxAnswer *answer, const char *const *words, const void *input, size_t n,
                      const char *file, artError *error);
void sandbox_forget(sandboxAnswer *answer);

// Read the next field: bytes, a string without zeros ("" if missing), or an integer from `least` to
// `most`.
const char *sandbox_bytes(sandboxAnswer *answer, size_t *n);
const char *sandbox_text(sandboxAnswer *answer);
int sandbox_number(sandboxAnswer *answer, int least, int most);

// Read the fields of sandbox_put_status: ART_OK, or an error with its message.
artStatus sandbox_status(sandboxAnswer *answer, artError *error);

// ART_OK if every field was present and none is left over.
artStatus sandbox_check(const sandboxAnswer *answer, const char *file, artError *error);

// Path of another helper, for tests; NULL: the helper of the library.
void sandbox_use(const char *helper);

//---- the helper ----------------------------------------------------------------------------------

// Drop all rights except reading in these folders and writing to open files (confine.c). Returns
// the list of restrictions that are active: "limits landlock seccomp".
const char *sandbox_confine(int nfolder, const char *const *folder);

void sandbox_put(FILE *out, const void *bytes, size_t n);
void sandbox_put_text(FILE *out, const char *text); // NULL: ""
void sandbox_put_number(FILE *out, int number);
void sandbox_put_status(FILE *out, artStatus status, const artError *error);

// Last field of every answer.
void sandbox_put_end(FILE *out);

#endif
