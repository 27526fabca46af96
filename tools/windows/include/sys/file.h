// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Locks of files.
#ifndef WINDOWS_SYS_FILE_H
#define WINDOWS_SYS_FILE_H

#include <posix.h>

#endif
