// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Foreign files as texts of our own format, for the reader of model files.
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <stddef.h>

#include "articula/import.h"
#include "base/arena.h"

// The text of a model file that stands for the foreign one, for mem_free.
artStatus import_load_text(const char *path, char **text, size_t *length, artError *error);

// Places of the foreign file that comments of such a text name, line by line. `path` lives as long as they.
typedef struct importSource {
  const char *path, *at; // the text from the line on
  int line;              // of the text
  artPlace place;        // in the foreign file
} importSource;
importSource import_source(const char *path, const char *text);

// The place for a line of the text, which is not before the last one that was asked for; names of other files are in
// the arena.
artPlace import_source_place(importSource *source, int line, baseArena *arena);

#endif
