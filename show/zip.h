// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// ZIP archives: writing file by file, and unpacking.
#ifndef SHOW_ZIP_H
#define SHOW_ZIP_H

#include <stddef.h>
#include <stdio.h>

#include "articula/base.h"
#include "base/arena.h"

// An archive being written to a stream. Start from {.out = stream}.
typedef struct zipWriter {
  FILE *out;
  int n;
  struct zipEntry *entry; // of the central directory
  baseArena arena;
} zipWriter;

// Add a file under a path in the archive, with / as separator: deflated if zlib is available and
// the result is shorter.
artStatus zip_add(zipWriter *zip, const char *path, const void *bytes, size_t n, artError *error);

// Write the central directory. Call it or zip_close in any case.
artStatus zip_finish(zipWriter *zip, artError *error);
void zip_close(zipWriter *zip);

//---- unpacking -----------------------------------------------------------------------------------

enum { UNZIP_MOST_FILES = 20000 };

// Unpack an archive into an existing empty folder. ART_BAD_INPUT for names that lead out of the
// folder, links, duplicate names, too many files, files beyond the budget of the call
// (base/budget.h) or larger than declared, damaged and encrypted ones; files written before remain.
artStatus unzip_into(const char *archive, const char *folder, artError *error);

#endif
