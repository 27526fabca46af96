// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A stack: a fixed amount of memory for work that frees its blocks in reverse order, or nearly so.
// While it is set on a thread (mem_use), mem_alloc and related functions take memory from it.
#ifndef BASE_STACK_H
#define BASE_STACK_H

#include <stddef.h>

#include "base/memory.h"

typedef struct memStack memStack;

// Create a stack for `bytes` bytes of blocks; NULL when memory ran out. With 0 bytes, all blocks
// come from the allocator.
memStack *stack_create(size_t bytes);
void stack_free(memStack *stack); // accepts NULL

// The stack as a memory source. Blocks that do not fit come from the allocator.
memSource *stack_source(memStack *stack);

size_t stack_bytes(const memStack *stack); // bytes requested from the allocator at creation

#endif
