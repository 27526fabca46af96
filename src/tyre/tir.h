// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyre property files (.tir): sections of KEY = value, $ comments, quoted texts, tables.
#ifndef TYRE_TIR_H
#define TYRE_TIR_H

#include <stddef.h>

#include "articula/tyre.h"
#include "base/arena.h"

// A parsed file: its lines in order, and notes on them. Start from {0}.
typedef struct tirFile {
  const char *name;
  int nvalue, value_capacity;
  artTyreValue *values;
  int nnote, note_capacity;
  artTyreNote *notes;
  baseArena texts;
} tirFile;

artStatus tir_parse(tirFile *file, const char *text, size_t size, const char *name,
                    artError *error);
void tir_free(tirFile *file);

// Add a note; 0 if memory runs out.
int tir_note(tirFile *file, artTyreNoteKind kind, const char *key, int line);

// The last value of a key, or NULL; section NULL: any section.
const artTyreValue *tir_find(const tirFile *file, const char *section, const char *key);

// 1 if the strings are equal up to the case of ASCII letters.
int tir_same(const char *a, const char *b);

// The place of a line.
artPlace tir_place(const tirFile *file, int line);

#endif
