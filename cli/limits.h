// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Limits that the system sets to the program.
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include <stdbool.h>

// Is there room for what OpenBLAS takes when it is first called, and waits for otherwise?
bool limits_leave_room(void);

#endif
