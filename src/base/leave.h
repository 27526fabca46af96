// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A work that may be left from its depth.
#ifndef BASE_LEAVE_H
#define BASE_LEAVE_H

#include <stdbool.h>

// Do the work; false when it was left, the innermost of those that a thread is at.
bool leave_attempt(void (*work)(void *context), void *context);
_Noreturn void leave_work(void);

#endif
