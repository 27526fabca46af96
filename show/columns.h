// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reader of result tables: columns of numbers with names and units, as written by csv.h.
#ifndef SHOW_COLUMNS_H
#define SHOW_COLUMNS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/unit.h"

typedef struct ioColumn {
  const char *name, *unit; // of "name [unit]"; unit is "" if missing
  double *value;           // [rows]
  int text_line;           // the first line with text in this column, 0: none
} ioColumn;

// Start from {0}.
typedef struct ioColumns {
  char path[FILE_PATH_LENGTH];
  int count;
  long rows;
  ioColumn *column; // [count]
  bool takes_text;  // accept columns of text, as NaN
  baseArena arena;
} ioColumns;

// Read a file, or results.csv of a directory. An incomplete last line, as a running run may leave
// it, is ignored. Free with columns_free, also after a failure.
artStatus columns_read(ioColumns *columns, const char *path, artError *error);
void columns_free(ioColumns *columns);

// The column of this name; -1 if there is none.
int columns_find(const ioColumns *columns, const char *name);

//---- tables for inputs: FILE.csv, or FILE.csv:COLUMN ---------------------------------------------

// True if the string names a table.
bool record_is_named(const char *text);
// length of its path
size_t record_path_length(const char *text);

// Read the table for an input of this name. Its first column is the time, converted to s; *k is the
// column that the string names, that of the input's name, or the only other one. Other columns may
// contain text. Free with columns_free, also after a failure.
artStatus record_read(ioColumns *columns, const char *name, const char *text, int *k,
                      artError *error);

// Convert a column to SI; its unit must agree with the dimension. A column without unit is not
// changed.
artStatus record_convert(const ioColumns *columns, int k, baseDimension expected, artError *error);

#endif
