// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An arena: many small pieces taken one by one, all given back at once.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct arenaBlock arenaBlock;

// Start from {0}, or with a source of its own, whatever source is in use (base/memory.h).
typedef struct baseArena {
  arenaBlock *newest, *spare;
  struct memSource *source;
  int has_run_out; // of memory, once
  int leaves;      // where memory runs out, the work (base/leave.h) is left: pieces are never NULL
} baseArena;

// Zeroed memory, aligned for any type; NULL when there is none left. Lives until arena_free.
void *arena_alloc(baseArena *arena, size_t count, size_t size);

// p = room for so many of what it points to; NULL when there is none left.
#define ARENA_TAKE(arena, p, count) ((p) = arena_alloc(arena, (size_t) (count), sizeof *(p)))

// A copy of the text (or of its first n bytes, ended by a zero).
char *arena_text(baseArena *arena, const char *text);
char *arena_text_n(baseArena *arena, const char *text, size_t n);

// A copy of count * size bytes.
void *arena_copy(baseArena *arena, const void *data, size_t count, size_t size);

// Room for one more item in a list of n; NULL: there is none. The old list stays behind in the arena; it doubles, so no
// more than one list's worth is lost.
void *arena_grow(baseArena *arena, void *list, int n, int *capacity, size_t size);

// printf into the arena.
char *arena_format(baseArena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_format_list(baseArena *arena, const char *format, va_list args);

// The same for texts that are made of others: "" where memory ran out and the arena does not leave, which has_run_out
// tells when all are made.
const char *arena_compose(baseArena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// All pieces of an arena into another one of which the same pieces were taken in the same order; 0: they were not.
int arena_copy_all(baseArena *to, const baseArena *from);

// Where the next piece will stand, and with it all that take so many bytes together; NULL when memory ran out.
void *arena_begin_row(baseArena *arena, size_t bytes);

// The bytes of all pieces since then, 0: they do not stand in a row.
size_t arena_row(const baseArena *arena, const void *begin);

// The pieces of an arena that takes so many bytes, all in one block; NULL: it takes others.
void *arena_only_block(const baseArena *arena, size_t bytes);

// Bytes that it has asked the allocator for.
size_t arena_bytes(const baseArena *arena);

// Where an arena stands; and give all pieces back that were taken since then.
typedef struct arenaPlace {
  arenaBlock *newest;
  size_t used;
} arenaPlace;
arenaPlace arena_place(const baseArena *arena);
void arena_return(baseArena *arena, arenaPlace place);

// Give all pieces back and keep the memory: whoever takes the same pieces again asks the allocator for nothing.
void arena_clear(baseArena *arena);

// Give everything back; the arena is empty again.
void arena_free(baseArena *arena);

#endif
