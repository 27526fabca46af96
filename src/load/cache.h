// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Texts in C compiled once and kept: a folder of shared libraries, named by the hash of what they were
// made from.
#ifndef LOAD_CACHE_H
#define LOAD_CACHE_H

#include <stdio.h>

#include "articula/base.h"
#include "base/file.h"

// A compiler: its command in words between spaces, NULL for the system's, $CC; flags of all texts, ended by NULL;
// advice where it cannot be started or does not take a text, behind what is said about $CC.
typedef struct cacheTool {
  const char *command;
  const char *const *flags;
  const char *advice;
  const char *language; // word of -x; NULL: c
  // Makes a file from a text by the same words, in the place of a command that is run; `command` is its name; NULL: there is none.
  artStatus (*make)(const char *command, const char *source, const char *const *words,
                    const char *made, const char *advice, artError *error);
} cacheTool;

// A text on its way into the cache; write it to `out`.
typedef struct cacheText {
  FILE *out;
  char folder[FILE_PATH_LENGTH];
  char source[FILE_PATH_LENGTH]; // where it stands for now
  const char *const *more;       // flags besides the flags of all texts, ended by NULL; NULL: none
  const cacheTool *tool;         // NULL: a shared library by the compiler of the system
} cacheText;

// ART_UNSUPPORTED when there is no folder that is ours alone.
artStatus cache_begin(cacheText *text, artError *error);

// The library of the text: found, or compiled now. Ends the text, whatever comes of it.
artStatus cache_compile(cacheText *text, char library[FILE_PATH_LENGTH], artError *error);

// The bytes that the compiler made, for mem_free.
artStatus cache_read(const char *library, char **bytes, size_t *size, artError *error);

// Leave nothing behind of a text that was begun.
void cache_abandon(cacheText *text);

#endif
