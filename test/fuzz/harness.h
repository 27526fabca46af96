// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Fuzz targets share files with given bytes, and the command in this process.
#ifndef FUZZ_HARNESS_H
#define FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The function that libFuzzer, or replay.c, calls with every input.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(x)                                                                                 \
  do {                                                                                             \
    if (!(x)) fuzz_broken(#x, __FILE__, __LINE__);                                                 \
  } while (0)
void fuzz_broken(const char *what, const char *file, int line);

enum { FUZZ_PATH_LENGTH = 256 };

// The path of a file in a folder of this process, which goes when the process ends. Returns the buffer.
char *fuzz_path(char path[FUZZ_PATH_LENGTH], const char *name);

// A file in that folder with these bytes; its path as above.
char *fuzz_write(char path[FUZZ_PATH_LENGTH], const char *name, const void *bytes, size_t size);

// The bytes of a file with a zero behind them, for free(); REQUIREs that it is there.
char *fuzz_read(const char *path, size_t *size);

// REQUIREs that a file is UTF-8 without control characters but ends of lines (base/plain.h).
void fuzz_check_plain(const char *path);

// `articula WORD ...`, the list ending with NULL, silently: its exit status, which is 0, 1 or 2.
// Its output goes to files `out` and `err` of the folder.
int fuzz_command(const char *const *words);

// A short result in the folder: a run of the pendulum, made at the first call.
char *fuzz_result(char path[FUZZ_PATH_LENGTH]);

// A pendulum with a parameter m.
extern const char fuzz_pendulum[];

// A copy of the input with a zero behind it, for free().
char *fuzz_text(const uint8_t *data, size_t size);

// A copy of bytes, changed where the input says: of three bytes two say where, the third how.
char *fuzz_change(const char *bytes, size_t length, const uint8_t *data, size_t size);

#endif
