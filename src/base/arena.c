// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An arena: many small allocations, all freed at once.
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/throw.h"

enum { ALIGNMENT = 16, BLOCK_SIZE = 16384 };

struct arenaBlock {
  arenaBlock *older;
  size_t used, size; // in bytes, without the header
};

static const size_t HEADER = (sizeof(arenaBlock) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;


// set the arena's own source; returns the previous one
static memSource *use_own(const baseArena *arena)
{
  memSource *outer = mem_use(NULL);
  mem_use(arena->source ? arena->source : outer);
  return outer;
}


// the first spare block if it is large enough, else NULL
static arenaBlock *take_spare_block(baseArena *arena, size_t size)
{
  arenaBlock *block = arena->spare;
  if (!block || block->size < size) return NULL;
  arena->spare = block->older;
  return block;
}


static arenaBlock *add_arena_block(baseArena *arena, size_t size)
{
  arenaBlock *spare = take_spare_block(arena, size);
  if (spare) {
    *spare = (arenaBlock){arena->newest, 0, spare->size};
    return arena->newest = spare;
  }
  memSource *outer = use_own(arena);
  arenaBlock *block = mem_alloc(1, HEADER + size);
  mem_use(outer);
  if (!block) return NULL;
  *block = (arenaBlock){arena->newest, 0, size};
  arena->newest = block;
  return block;
}


static void *take_arena_piece(baseArena *arena, size_t count, size_t size)
{
  if (size && count > SIZE_MAX / 4 / size) return NULL;
  const size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  arenaBlock *block = arena->newest;
  if (!block || block->size - block->used < bytes) {
    block = add_arena_block(arena, bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE);
    if (!block) return NULL;
  }
  void *piece = (char *) block + HEADER + block->used;
  block->used += bytes;
  return piece;
}


// return an allocation; on failure set has_run_out, or throw
static void *answer_with_piece(baseArena *arena, void *piece)
{
  if (!piece) arena->has_run_out = 1;
  if (!piece && arena->leaves) error_throw();
  return piece;
}


void *arena_alloc(baseArena *arena, size_t count, size_t size)
{
  return answer_with_piece(arena, take_arena_piece(arena, count, size));
}


void *arena_copy(baseArena *arena, const void *data, size_t count, size_t size)
{
  ART_ASSERT(data || count == 0 || size == 0);
  void *copy = arena_alloc(arena, count, size);
  if (copy && count > 0 && size > 0) memcpy(copy, data, count * size);
  return copy;
}


void *arena_grow(baseArena *arena, void *list, int n, int *capacity, size_t size)
{
  ART_ASSERT(n >= 0 && n <= *capacity);
  ART_ASSERT(list || n == 0);
  if (n < *capacity) return list;
  const int more = *capacity ? 2 * *capacity : 16;
  void *longer = arena_alloc(arena, (size_t) more, size);
  if (longer && n > 0) {
    memcpy(longer, list, (size_t) n * size);
    memset(list, 0, (size_t) n * size); // unused memory must not differ between two models
  }
  if (longer) *capacity = more;
  return longer;
}


char *arena_text_n(baseArena *arena, const char *text, size_t n)
{
  char *copy = arena_alloc(arena, n + 1, 1);
  if (copy) memcpy(copy, text, n);
  return copy;
}


char *arena_text(baseArena *arena, const char *text)
{
  return arena_text_n(arena, text, strlen(text));
}


static char *print_in_arena(baseArena *arena, const char *format, va_list args)
{
  va_list again;
  va_copy(again, args);
  const int length = format_text_list(NULL, 0, format, args);
  char *text = length < 0 ? NULL : take_arena_piece(arena, (size_t) length + 1, 1);
  if (text) format_text_list(text, (size_t) length + 1, format, again);
  va_end(again);
  return text;
}


char *arena_format_list(baseArena *arena, const char *format, va_list args)
{
  return answer_with_piece(arena, print_in_arena(arena, format, args));
}


char *arena_format(baseArena *arena, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = arena_format_list(arena, format, args);
  va_end(args);
  return text;
}


const char *arena_compose(baseArena *arena, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = print_in_arena(arena, format, args);
  va_end(args);
  return answer_with_piece(arena, text) ? text : "";
}


void *arena_begin_row(baseArena *arena, size_t bytes)
{
  arenaBlock *block = arena->newest;
  if (!block || block->size - block->used < bytes) block = add_arena_block(arena, BLOCK_SIZE);
  return answer_with_piece(arena, block ? (char *) block + HEADER + block->used : NULL);
}


size_t arena_row(const baseArena *arena, const void *begin)
{
  const arenaBlock *block = arena->newest;
  ART_ASSERT(block); // arena_begin_row must be called first
  const uintptr_t first = (uintptr_t) block + HEADER, end = first + block->used;
  const uintptr_t at = (uintptr_t) begin;
  return at >= first && at <= end ? (size_t) (end - at) : 0;
}


void *arena_only_block(const baseArena *arena, size_t bytes)
{
  arenaBlock *block = arena->newest;
  return block && !block->older && block->used == bytes ? (char *) block + HEADER : NULL;
}


int arena_copy_all(baseArena *to, const baseArena *from)
{
  ART_ASSERT(to != from);
  arenaBlock *a = to->newest;
  const arenaBlock *b = from->newest;
  for (; a && b && a->used == b->used; a = a->older, b = b->older) {
    memcpy((char *) a + HEADER, (const char *) b + HEADER, b->used);
  }
  return !a && !b;
}


size_t arena_bytes(const baseArena *arena)
{
  size_t bytes = 0;
  for (const arenaBlock *b = arena->newest; b; b = b->older) bytes += HEADER + b->size;
  for (const arenaBlock *b = arena->spare; b; b = b->older) bytes += HEADER + b->size;
  return bytes;
}


// spare blocks keep the order of allocation
void arena_clear(baseArena *arena)
{
  arena->has_run_out = 0;
  while (arena->newest) {
    arenaBlock *block = arena->newest;
    arena->newest = block->older;
    memset((char *) block + HEADER, 0, block->used);
    block->older = arena->spare;
    arena->spare = block;
  }
}


// free the blocks newer than `last`
static void free_blocks(arenaBlock **newest, const arenaBlock *last)
{
  while (*newest != last) {
    arenaBlock *older = (*newest)->older;
    mem_free(*newest);
    *newest = older;
  }
}


arenaPlace arena_place(const baseArena *arena)
{
  return (arenaPlace){arena->newest, arena->newest ? arena->newest->used : 0};
}


void arena_return(baseArena *arena, arenaPlace place)
{
  ART_ASSERT(!place.newest || place.used <= place.newest->used);
  memSource *outer = use_own(arena);
  free_blocks(&arena->newest, place.newest);
  mem_use(outer);
  if (!place.newest) return;
  memset((char *) place.newest + HEADER + place.used, 0, place.newest->used - place.used);
  place.newest->used = place.used;
}


void arena_free(baseArena *arena)
{
  memSource *outer = use_own(arena);
  free_blocks(&arena->newest, NULL);
  free_blocks(&arena->spare, NULL);
  arena->has_run_out = 0;
  mem_use(outer);
}
