// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Archives of the format zip, unpacked into a folder.
#ifndef SHOW_UNZIP_H
#define SHOW_UNZIP_H

#include "articula/base.h"

enum { UNZIP_MOST_FILES = 20000, UNZIP_MOST_BYTES = 1 << 30 };

// Write all files of an archive below a folder, which is there and empty. Names that lead out of the folder, links, names that stand
// twice, files beyond the limits above or larger than they say, damaged and encrypted ones are refused, ART_BAD_INPUT; files
// written before that stay.
artStatus unzip_into(const char *archive, const char *folder, artError *error);

#endif
