// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Archives in the format ZIP, written file by file, and unpacked.
#ifndef SHOW_ZIP_H
#define SHOW_ZIP_H

#include <stddef.h>
#include <stdio.h>

#include "articula/base.h"
#include "base/arena.h"

// An archive on its way into a stream. Start from {.out = stream}.
typedef struct zipWriter {
  FILE *out;
  int n;
  struct zipEntry *entry; // as the list at the end has them
  baseArena arena;
} zipWriter;

// Add a file under a path within the archive, folders between slashes: deflated where zlib is there and that is shorter.
artStatus zip_add(zipWriter *zip, const char *path, const void *bytes, size_t n, artError *error);

// Write the list of all files. Call it or zip_close in any case.
artStatus zip_finish(zipWriter *zip, artError *error);
void zip_close(zipWriter *zip);

//---- archives unpacked into a folder -------------------------------------------------------------

enum { UNZIP_MOST_FILES = 20000 };

// Write all files of an archive below a folder, which is there and empty. Names that lead out of the folder, links, names that stand
// twice, files beyond the limit above and the budget of the call (base/budget.h) or larger than they say, damaged and encrypted ones are refused, ART_BAD_INPUT; files
// written before that stay.
artStatus unzip_into(const char *archive, const char *folder, artError *error);

#endif
