// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A stack: memory of a known size that is taken once, for work that gives its blocks back in the reverse order, or
// nearly so. While it is in use on a thread (mem_use), mem_alloc and its like take from it there.
#ifndef BASE_STACK_H
#define BASE_STACK_H

#include <stddef.h>

#include "base/memory.h"

typedef struct memStack memStack;

// Room for so many bytes of blocks; NULL when memory ran out. A stack of no bytes is good for nothing but to ask the
// allocator.
memStack *stack_create(size_t bytes);
void stack_free(memStack *stack); // accepts NULL

// Where blocks come from. A block that finds no room comes from the allocator, and goes back there.
memSource *stack_source(memStack *stack);

size_t stack_bytes(const memStack *stack); // that it has asked the allocator for at its creation

#endif
