// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Random numbers of the system.
#ifndef WINDOWS_SYS_RANDOM_H
#define WINDOWS_SYS_RANDOM_H

#include <sys/types.h>

ssize_t getrandom(void *bytes, size_t n, unsigned flags);

#endif
