// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Words with the wildcards * ? [...].
#ifndef WINDOWS_FNMATCH_H
#define WINDOWS_FNMATCH_H

int fnmatch(const char *pattern, const char *word, int flags);

#endif
