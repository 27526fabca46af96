// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A work that may be left from its depth.
#ifndef IMPORT_LEAVE_H
#define IMPORT_LEAVE_H

#include <stdbool.h>

// Do the work; false when it was left. One at a time in a thread.
bool leave_attempt(void (*work)(void *context), void *context);
_Noreturn void leave_work(void);

#endif
