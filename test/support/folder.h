// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A folder of a test's own, and commands in it.
#ifndef SUPPORT_FOLDER_H
#define SUPPORT_FOLDER_H

#include <glob.h>
#include <stdio.h>

// The folder of this process, made at the first call; it goes with all that is in it when the process ends.
const char *folder_own(void);

// The path of a name in it; the last four answers stay.
const char *folder_path(const char *name);

// Open a file of the folder.
FILE *folder_open(const char *folder, const char *name, const char *mode);

// Write a text to a file.
void folder_write(const char *path, const char *text);

// Run a command in the folder, a check; what it says is shown when it fails.
int folder_run(const char *folder, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The compiler of C that is quickest with long texts, without optimisation.
#define FOLDER_QUICK_CC ART_SOURCE_DIR "/test/support/quick-cc"

// The compiler for a generated text of this process's folder: the quick one, which takes an eighth of the time, unless the text
// is short. Short ones have the same functions, so that warnings about values that nothing sets come with them.
const char *folder_compiler(const char *text);

// The sample models of the project: those in `models` and in folders down to this depth below it. The caller frees the
// list by globfree.
glob_t folder_models(int depth);

// Remove the folder with all that is in it; 0 when that failed.
int folder_remove(const char *folder);

#endif
