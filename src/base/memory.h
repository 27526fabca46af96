// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Memory for the whole library, through the allocator that the host chose.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

// count * size bytes set to zero; NULL when there are none left or the product overflows.
void *mem_alloc(size_t count, size_t size);

// Resize a block to count * size bytes, contents kept; NULL leaves the old block alive.
void *mem_resize(void *block, size_t count, size_t size);

// Accepts NULL.
void mem_free(void *block);

// Memory of this thread from somewhere else (base/pool.h), until further notice; NULL: from the allocator. Returns the
// source that was in use. Blocks are resized and freed while the source that they come from is in use.
typedef struct memSource memSource;
struct memSource {
  void *(*resize)(memSource *source, void *block, size_t bytes);
  void (*release)(memSource *source, void *block);
};
memSource *mem_use(memSource *source);

// n zeroed elements of type T
#define MEM_ARRAY(T, n) ((T *) mem_alloc((size_t) (n), sizeof(T)))

// Room for one more element in a growing array: *items has *capacity elements, *count are used.
// Returns 0 when memory ran out, the array unharmed.
int mem_grow(void **items, int count, int *capacity, size_t size);

#endif
