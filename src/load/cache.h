// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Cache of compiled C sources: a folder of shared libraries, named by the hash of their inputs.
#ifndef LOAD_CACHE_H
#define LOAD_CACHE_H

#include <stdio.h>

#include "articula/base.h"
#include "base/file.h"

// A compiler: its command with arguments separated by spaces, NULL for the system compiler, $CC;
// flags for all sources, NULL-terminated; advice appended to the error message if it cannot be
// started or rejects a source.
typedef struct cacheTool {
  const char *command;
  const char *const *flags;
  const char *advice;
  const char *language; // argument of -x; NULL: c
  // Compile in this process with the same arguments, instead of running a command; `command` is
  // then only a name; NULL: run the command.
  artStatus (*make)(const char *command, const char *source, const char *const *words,
                    const char *made, const char *advice, artError *error);
} cacheTool;

// A source to be compiled and cached; write it to `out`.
typedef struct cacheText {
  FILE *out;
  char folder[FILE_PATH_LENGTH];
  char source[FILE_PATH_LENGTH]; // temporary path
  const char *const *more;       // additional flags, NULL-terminated, or NULL
  const cacheTool *tool;         // NULL: a shared library by the system compiler
} cacheText;

// ART_UNSUPPORTED if there is no folder that belongs only to the user.
artStatus cache_begin(cacheText *text, artError *error);

// The library of the source: found in the cache, or compiled now. Ends the use of `text` in any
// case.
artStatus cache_compile(cacheText *text, char library[FILE_PATH_LENGTH], artError *error);

// The bytes of the library; free with mem_free.
artStatus cache_read(const char *library, char **bytes, size_t *size, artError *error);

// Remove all files of a source that was begun.
void cache_abandon(cacheText *text);

#endif
