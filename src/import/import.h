// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Foreign files as texts of our own format, for the reader of model files.
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <stddef.h>
#include <stdio.h>

#include "articula/import.h"
#include "base/arena.h"

// Settings that the process reads models of other programs with, from then on, wherever it finds them; NULL: those of
// art_default_import. What it points to stays; no model may be read meanwhile. The command calls it once, for its options.
void import_use(const artImportDef *def);
const artImportDef *import_in_use(void);

// The text of a model file for the foreign one, for mem_free.
artStatus import_load_text(const char *path, char **text, size_t *length, artError *error);

// The next note of such a text from *at on, in the arena, without its line's end: "line 3: ... (2 times)"; NULL: none, or
// no memory. Begin with *at at import_notes(text).
const char *import_notes(const char *text);
const char *import_next_note(const char **at, artNoteLevel *level, baseArena *arena);

//---- by the helper articula-parse (import_sandbox.c) ---------------------------------------------

// Its part: a task is a path and settings. Folders that it may read; whether it needs a library for meshes; the work itself.
enum { IMPORT_TASK_MOST = 64 };
int import_task_folders(int n, char *const *word, const char *folder[IMPORT_TASK_MOST]);
int import_task_wants_scenes(int n, char *const *word);
void import_do_task(int n, char *const *word, FILE *out);

//---- places --------------------------------------------------------------------------------------

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
