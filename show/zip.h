// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Archives in the format ZIP, written file by file.
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

#endif
