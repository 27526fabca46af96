// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of machines, and of files that MATLAB calls by these names.
#ifndef CLI_GENERATE_NAME_H
#define CLI_GENERATE_NAME_H

#include "articula/base.h"
#include "base/file.h"

// The name of a file without its folders and what stands behind its dot.
void generate_stem(const char *path, char name[FILE_PATH_LENGTH]);

// Refuses a word of --name that is no name in some language, with all that may stand behind it; NULL: there is none.
artStatus generate_check_word(const char *word, artError *error);

// Refuses names that MATLAB does not know as names, and words of MATLAB and C.
artStatus generate_check_stem(const char *path, artError *error);

// Refuses names of functions that a text of MATLAB or C has behind its first line, or calls.
artStatus generate_check_calls(const char *name, const char *text, artError *error);

#endif
