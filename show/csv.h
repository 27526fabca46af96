// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Results as CSV (RFC 4180, lines end with a newline): a header of names with units, rows of
// numbers with 17 significant digits, which are exact when read back.
#ifndef SHOW_CSV_H
#define SHOW_CSV_H

#include <stdio.h>

#include "base/file.h"
#include "base/sha256.h"

// Start from {0}.
typedef struct ioCsv {
  FILE *stream;
  char path[FILE_PATH_LENGTH];
  int cells;      // in the line so far
  baseSha256 sha; // of all bytes so far
  baseFile part;  // csv_begin: the temporary file that replaces the path on closing
} ioCsv;

// Begin a table that appears at its path only when it is complete, at csv_close.
artStatus csv_begin(ioCsv *csv, const char *path, artError *error);

// Create a file, replacing an old one.
artStatus csv_create(ioCsv *csv, const char *path, artError *error);

// Continue a file whose first `length` bytes are valid; the rest is truncated.
artStatus csv_resume(ioCsv *csv, const char *path, long long length, artError *error);

// Write the cells of a line, then its end, which reports failures of all earlier writes; so does
// closing.
void csv_name(ioCsv *csv, const char *name, const char *unit); // "name [unit]"; unit may be NULL
void csv_number(ioCsv *csv, double value);
void csv_numbers(ioCsv *csv, int n, const double *values);
artStatus csv_end_line(ioCsv *csv, artError *error);

// Write all data to disk; `length` (may be NULL) receives the file size.
artStatus csv_flush(ioCsv *csv, long long *length, artError *error);

// Close; does nothing if no file is open.
artStatus csv_close(ioCsv *csv, artError *error);

// SHA-256 of all bytes written so far, including those kept by csv_resume; "" if no file was
// opened.
void csv_digest(const ioCsv *csv, char sha256[SHA256_LENGTH]);

// Count the rows after the header of a file, and compute the SHA-256 of its bytes.
artStatus csv_sum(const char *path, long *rows, char sha256[SHA256_LENGTH], artError *error);

// After a failure: remove an incomplete last line, then count and hash the rest; sha256 is "" if
// that fails.
artStatus csv_settle(const char *path, long *rows, char sha256[SHA256_LENGTH], artError *error);

#endif
