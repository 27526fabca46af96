// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Result tables read back: columns of numbers with names and units, as csv.h writes them.
#ifndef SHOW_COLUMNS_H
#define SHOW_COLUMNS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/unit.h"

typedef struct ioColumn {
  const char *name, *unit; // of "name [unit]"; unit is "" when there is none
  double *value;           // [rows]
  int text_line;           // the first line with a text in this column, 0: there is none
} ioColumn;

// Start from {0}.
typedef struct ioColumns {
  char path[FILE_PATH_LENGTH];
  int count;
  long rows;
  ioColumn *column; // [count]
  bool takes_text;  // columns of texts are passed over, as NaN
  baseArena arena;
} ioColumns;

// Read a file, or results.csv of a directory. A last line that is not complete, as a run that goes on
// may leave it, is passed over. Free with columns_free, also after a failure.
artStatus columns_read(ioColumns *columns, const char *path, artError *error);
void columns_free(ioColumns *columns);

// The column of this name; -1 when there is none.
int columns_find(const ioColumns *columns, const char *name);

//---- columns that inputs follow: FILE.csv, or FILE.csv:COLUMN ------------------------------------

// Does the text name a table?
bool record_is_named(const char *text);
// and how long its path is
size_t record_path_length(const char *text);

// Read the table for an input of this name. Its first column is the time and comes in s; *k is the column that the text
// names, that of the input's name, or the only other one. Other columns may have texts. Free with columns_free, also after a failure.
artStatus record_read(ioColumns *columns, const char *name, const char *text, int *k,
                      artError *error);

// Numbers of a column in SI, which must agree with the dimension; a column without a unit stays.
artStatus record_convert(const ioColumns *columns, int k, baseDimension expected, artError *error);

#endif
