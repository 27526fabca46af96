// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An arena: many small allocations, all freed at once.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct arenaBlock arenaBlock;

// Initialise with {0}, or with a source that is used instead of the current one (base/memory.h).
typedef struct baseArena {
  arenaBlock *newest, *spare;
  struct memSource *source;
  int has_run_out; // an allocation has failed
  int leaves;      // throw (base/throw.h) when memory runs out: pointers are never NULL
} baseArena;

// Zeroed memory, aligned for any type, valid until arena_free; NULL when memory ran out.
void *arena_alloc(baseArena *arena, size_t count, size_t size);

// p = array of `count` items of its type; NULL when memory ran out.
#define ARENA_TAKE(arena, p, count) ((p) = arena_alloc(arena, (size_t) (count), sizeof *(p)))

// Copy of a string (arena_text_n: of its first n bytes, with a terminating zero).
char *arena_text(baseArena *arena, const char *text);
char *arena_text_n(baseArena *arena, const char *text, size_t n);

// Copy of count * size bytes.
void *arena_copy(baseArena *arena, const void *data, size_t count, size_t size);

// Ensure capacity for one more item in a list of n; returns the list, or NULL when memory ran out.
// The old list stays in the arena unused; since the capacity doubles, at most the size of one list
// is wasted.
void *arena_grow(baseArena *arena, void *list, int n, int *capacity, size_t size);

// printf into the arena.
char *arena_format(baseArena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_format_list(baseArena *arena, const char *format, va_list args);

// The same for strings composed of others: returns "" when memory ran out and the arena does not
// throw; check has_run_out at the end.
const char *arena_compose(baseArena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Copy all allocations of an arena into another one with the same sequence of allocations; returns
// 0 if the sequences differ.
int arena_copy_all(baseArena *to, const baseArena *from);

// Reserve `bytes` contiguous bytes for the next allocations; returns the address of the first, NULL
// when memory ran out.
void *arena_begin_row(baseArena *arena, size_t bytes);

// Total size of the allocations since then, 0 if they are not contiguous.
size_t arena_row(const baseArena *arena, const void *begin);

// Start of the allocations of an arena whose only block uses exactly `bytes`; NULL otherwise.
void *arena_only_block(const baseArena *arena, size_t bytes);

// Bytes requested from the allocator.
size_t arena_bytes(const baseArena *arena);

// A mark; arena_return frees all allocations made since the mark.
typedef struct arenaPlace {
  arenaBlock *newest;
  size_t used;
} arenaPlace;
arenaPlace arena_place(const baseArena *arena);
void arena_return(baseArena *arena, arenaPlace place);

// Free all allocations but keep the memory: the same sequence of allocations then needs no
// allocator.
void arena_clear(baseArena *arena);

// Free everything; the arena is empty afterwards.
void arena_free(baseArena *arena);

#endif
