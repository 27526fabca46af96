// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// C compilers: the system's, and others by name.
#ifndef LOAD_COMPILER_H
#define LOAD_COMPILER_H

#include "articula/base.h"

// The words of the environment variable CC, or "cc".
const char *compiler_name(void);

// What tells a version of the compiler that a command starts from another one: size and time of its file, which an update changes.
// "" where the file is not found. Returns the text.
enum { COMPILER_VERSION_LENGTH = 80 };
const char *compiler_version(const char *command, char text[COMPILER_VERSION_LENGTH]);

// Run a command, NULL for that compiler, with words of its call, NULL behind the last, to make a file; what it says goes to the file `log`.
// ART_UNSUPPORTED where there is none, or where it does not take `what`: the message says its first line, then `remedy`. ART_STOPPED after a signal.
artStatus compiler_run(const char *command, const char *const *words, const char *made,
                       const char *log, const char *what, const char *remedy, artError *error);

// How many numbers vectors of this processor hold, 2, 4 (AVX2 and FMA) or 8 (AVX-512 besides).
int compiler_best_lanes(void);

#endif
