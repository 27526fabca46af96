// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Memory allocation for the whole library, by the allocator of the host.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

// Allocate count * size bytes set to zero; NULL when memory ran out or the product overflows.
void *mem_alloc(size_t count, size_t size);

// Resize a block to count * size bytes, preserving its contents; on failure returns NULL and keeps
// the old block.
void *mem_resize(void *block, size_t count, size_t size);

// Accepts NULL.
void mem_free(void *block);

// Set the memory source of this thread (base/pool.h); NULL: the allocator. Returns the previous
// source. Blocks must be resized and freed while their source is set.
typedef struct memSource memSource;
struct memSource {
  void *(*resize)(memSource *source, void *block, size_t bytes);
  void (*release)(memSource *source, void *block);
};
memSource *mem_use(memSource *source);

// n zeroed elements of type T
#define MEM_ARRAY(T, n) ((T *) mem_alloc((size_t) (n), sizeof(T)))

// Ensure capacity for one more element: *items has *capacity elements, of which *count are used.
// Returns 0 when memory ran out; the array is then unchanged.
int mem_grow(void **items, int count, int *capacity, size_t size);

#endif
