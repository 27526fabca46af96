// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Results as CSV (RFC 4180, lines ended by a line feed): a head of names with units, rows of numbers
// with 17 significant digits, which read back to the same bits.
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
  baseFile part;  // that takes the place of the path when it is closed; of csv_begin
} ioCsv;

// A table that is in its place when it is whole, at csv_close, or not at all.
artStatus csv_begin(ioCsv *csv, const char *path, artError *error);

// A new file in the place of an old one.
artStatus csv_create(ioCsv *csv, const char *path, artError *error);

// Go on with a file of which the first `length` bytes are good; the rest is cut off.
artStatus csv_resume(ioCsv *csv, const char *path, long long length, artError *error);

// Cells of a line, then its end: there a failure of anything before is reported, and again where the table is closed.
void csv_name(ioCsv *csv, const char *name, const char *unit); // "name [unit]"; unit may be NULL
void csv_number(ioCsv *csv, double value);
void csv_numbers(ioCsv *csv, int n, const double *values);
artStatus csv_end_line(ioCsv *csv, artError *error);

// Bring everything onto the disk; `length` (may be NULL) receives the bytes there.
artStatus csv_flush(ioCsv *csv, long long *length, artError *error);

// Close; harmless when nothing is open.
artStatus csv_close(ioCsv *csv, artError *error);

// SHA-256 of all bytes written so far, those kept by csv_resume included; "" where no file was opened.
void csv_digest(const ioCsv *csv, char sha256[SHA256_LENGTH]);

// Count the rows after the head of a file, and take the SHA-256 of all its bytes.
artStatus csv_sum(const char *path, long *rows, char sha256[SHA256_LENGTH], artError *error);

// After a failure: cut off a last line that is not complete, then count and sum what is left; sha256 is "" where that fails.
artStatus csv_settle(const char *path, long *rows, char sha256[SHA256_LENGTH], artError *error);

#endif
