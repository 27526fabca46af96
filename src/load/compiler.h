// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// C compilers: the system compiler, and others by name.
#ifndef LOAD_COMPILER_H
#define LOAD_COMPILER_H

#include "articula/base.h"

// The value of the environment variable CC, or "cc".
const char *compiler_name(void);

// A version string for the compiler that a command runs: size and time of its file, which an update
// changes. "" if the file is not found. Returns the buffer.
enum { COMPILER_VERSION_LENGTH = 80 };
const char *compiler_version(const char *command, char text[COMPILER_VERSION_LENGTH]);

// Run `command` (NULL: the system compiler) with a NULL-terminated argument list; its output goes
// to the file `log`. Fails unless the file `made` exists afterwards. ART_UNSUPPORTED if there is no
// such compiler, or it rejects `what`: the message has its first error line, then `remedy`.
// ART_STOPPED after a signal.
artStatus compiler_run(const char *command, const char *const *words, const char *made,
                       const char *log, const char *what, const char *remedy, artError *error);

// Vector width of this CPU in doubles: 2, 4 (AVX2 and FMA) or 8 (also AVX-512).
int compiler_best_lanes(void);

#endif
