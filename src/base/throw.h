// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Non-local exit from nested work.
#ifndef BASE_THROW_H
#define BASE_THROW_H

#include <stdbool.h>

// Run the work; returns false if it called error_throw. The innermost call on the thread catches.
bool error_catch(void (*work)(void *context), void *context);
_Noreturn void error_throw(void);

#endif
