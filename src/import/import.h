// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Conversion of files of other programs to the text of a model file, for the reader of model files.
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include <stddef.h>
#include <stdio.h>

#include "articula/import.h"
#include "base/arena.h"

// Set the import settings of the process for models that are read from now on; NULL: those of
// art_default_import. The settings are not copied; no model may be read at the same time. The
// command calls it once, with its options.
void import_use(const artImportDef *def);
const artImportDef *import_in_use(void);

// The text of a model file converted from the file; free with mem_free.
artStatus import_load_text(const char *path, char **text, size_t *length, artError *error);

// Return the next note of such a text from *at on, in the arena, without newline: "line 3: ... (2
// times)"; NULL: no more notes, or no memory. Start with *at = import_notes(text).
const char *import_notes(const char *text);
const char *import_next_note(const char **at, artNoteLevel *level, baseArena *arena);

//---- by the helper articula-parse (import_sandbox.c) ---------------------------------------------

// In the helper; a task is a path and settings. import_task_folders: folders that it may read.
// import_task_wants_scenes: 1 if it needs the mesh library. import_do_task: do the import.
enum { IMPORT_TASK_MOST = 64 };
int import_task_folders(int n, char *const *word, const char *folder[IMPORT_TASK_MOST]);
int import_task_wants_scenes(int n, char *const *word);
void import_do_task(int n, char *const *word, FILE *out);

//---- places --------------------------------------------------------------------------------------

// Maps lines of a converted text to places in the original file, from comments in the text. `path`
// must outlive it.
typedef struct importSource {
  const char *path, *at; // rest of the text, from the current line
  int line;              // current line of the text
  artPlace place;        // in the original file
} importSource;
importSource import_source(const char *path, const char *text);

// The place of a line, which must not precede the line of the last call; names of other files are
// stored in the arena.
artPlace import_source_place(importSource *source, int line, baseArena *arena);

#endif
