// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Memory is not locked: the system does that for privileged users alone.
#ifndef WINDOWS_SYS_MMAN_H
#define WINDOWS_SYS_MMAN_H

enum { MCL_CURRENT };
#define mlockall(flags) (-1)

#endif
