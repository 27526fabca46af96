// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What an input follows over time in a result table: FILE.csv, or FILE.csv:COLUMN.
#ifndef SHOW_RECORD_H
#define SHOW_RECORD_H

#include <stdbool.h>

#include "base/unit.h"
#include "show/columns.h"

// Does the text name a table?
bool record_is_named(const char *text);

// Read the table for an input of this name. Its first column is the time and comes in s; *k is the column that the text
// names, that of the input's name, or the only other one. Free with columns_free, also after a failure.
artStatus record_read(ioColumns *columns, const char *name, const char *text, int *k,
                      artError *error);

// Numbers of a column in SI, which must agree with the dimension; those of a column without a unit stay.
artStatus record_convert(const ioColumns *columns, int k, baseDimension expected, artError *error);

#endif
