// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// All files below a folder, the folder last.
#ifndef WINDOWS_FTW_H
#define WINDOWS_FTW_H

#include <posix.h>

enum { FTW_DEPTH = 1, FTW_PHYS = 2, FTW_F = 0, FTW_DP = 5 };
struct FTW {
  int level;
};

typedef int ftwVisit(const char *path, const struct posix_stat *about, int kind, struct FTW *where);
int nftw(const char *path, ftwVisit *visit, int descriptors, int flags);

#endif
