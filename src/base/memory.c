// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Memory allocation for the whole library, by the allocator of the host.
#include "base/memory.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "articula/base.h"
#include "base/error.h"


static void *malloc_resize(void *context, void *block, size_t size)
{
  (void) context;
  return realloc(block, size);
}


static void malloc_release(void *context, void *block)
{
  (void) context;
  free(block);
}


static const artAllocator malloc_allocator = {malloc_resize, malloc_release, NULL};
static _Thread_local memSource *in_use;
static artAllocator allocator = {malloc_resize, malloc_release, NULL};


void art_set_allocator(const artAllocator *chosen)
{
  ART_REQUIRE_OR(!chosen || (chosen->resize && chosen->release), );
  allocator = chosen ? *chosen : malloc_allocator;
}


memSource *mem_use(memSource *source)
{
  memSource *before = in_use;
  in_use = source;
  return before;
}


void *mem_resize(void *block, size_t count, size_t size)
{
  if (size && count > SIZE_MAX / 2 / size) return NULL;
  const size_t bytes = count * size;
  if (in_use) return in_use->resize(in_use, block, bytes);
  return allocator.resize(allocator.context, block, bytes ? bytes : 1);
}


void *mem_alloc(size_t count, size_t size)
{
  void *block = mem_resize(NULL, count, size);
  if (block) memset(block, 0, count * size);
  return block;
}


void mem_free(void *block)
{
  if (!block) return;
  if (in_use) {
    in_use->release(in_use, block);
  } else {
    allocator.release(allocator.context, block);
  }
}


int mem_grow(void **items, int count, int *capacity, size_t size)
{
  ART_ASSERT(*items || *capacity == 0);
  if (count < *capacity) return 1;
  if (*capacity > INT_MAX / 2) return 0;

  const int wanted = *capacity ? 2 * *capacity : 8;
  ART_ASSERT(count >= 0 && count < wanted);
  void *grown = mem_resize(*items, (size_t) wanted, size);
  if (!grown) return 0;
  *items = grown;
  *capacity = wanted;
  return 1;
}
