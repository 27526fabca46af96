// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A work that may be left from its depth.
#ifndef BASE_THROW_H
#define BASE_THROW_H

#include <stdbool.h>

// Do the work; false when it was left, the innermost of those that a thread is at.
bool error_catch(void (*work)(void *context), void *context);
_Noreturn void error_throw(void);

#endif
