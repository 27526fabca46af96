// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files by a word with wildcards in its last part.
#ifndef WINDOWS_GLOB_H
#define WINDOWS_GLOB_H

#include <stddef.h>

typedef struct glob_t {
  size_t gl_pathc;
  char **gl_pathv;
} glob_t;

int glob(const char *pattern, int flags, void *none, glob_t *files);
void globfree(glob_t *files);

#endif
