// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A pool: memory for work that is repeated. While it is set on a thread, mem_alloc and related
// functions take memory from it. Equal requests give blocks at equal offsets, so the contents of
// two pools after the same work can be compared and copied word by word. A reused pool needs no
// allocator.
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

typedef struct memPool memPool;

memPool *pool_create(void);    // NULL when memory ran out
void pool_free(memPool *pool); // frees all blocks; accepts NULL

// Set the pool of this thread, or none (NULL); returns the previous one. Blocks of the pool must be
// resized and freed while it is set; blocks from the allocator may be freed then as well.
memPool *pool_use(memPool *pool);

// Give an empty pool the same chunks as another one; 0 when memory ran out.
int pool_reserve_like(memPool *pool, const memPool *other);

// The pool as a source for mem_use and arenas.
struct memSource *pool_source(memPool *pool);

// pool_used: bytes used by its blocks. pool_reserve: reserve memory for `bytes` more; 0 when memory
// ran out.
size_t pool_used(const memPool *pool);
int pool_reserve(memPool *pool, size_t bytes);

// Does the pool contain this address?
int pool_holds(const memPool *pool, const void *address);

// Free all blocks; the pool keeps its memory.
void pool_clear(memPool *pool);

// Mark the words that are addresses in the pool `own`, both in the pool and in the structure at
// *root. `twin` is the counterpart: it contains the result of the same work at other addresses, so
// the words that differ are exactly the addresses. Returns 0 if the two pools have different
// layouts. Marks are dropped when a block of the pool is allocated, resized or freed.
int pool_mark_addresses(memPool *own, const void *root, const memPool *twin, const void *twin_root,
                        size_t size);
int pool_has_marks(const memPool *pool);
void pool_drop_marks(memPool *pool);

// Copy `from` and *from_root to `to`, which has marks, and *to_root; addresses in `from` become the
// corresponding addresses in `to`. Returns 0, and changes nothing, if the layouts differ or an
// unmarked word might be an address.
int pool_copy(memPool *to, void *to_root, const memPool *from, const void *from_root, size_t size);

// Copy the words of a structure rebuilt in the pool `work` into a structure in the pool `own`,
// which has marks; addresses are kept. Returns 0 if an address replaces what is, or may be, a
// number, or vice versa.
int pool_take(const memPool *own, const memPool *work, void *to, const void *from, size_t size);

// The same for a whole block and all blocks to which it refers.
int pool_take_all(const memPool *own, const memPool *work, void *to, const void *from);

// Overwrite a contiguous row in the pool `own`, which has marks, with bytes rebuilt elsewhere.
// Addresses within these bytes, and in a structure to be stored at `place`, are relocated to the
// row. Returns 0 and leaves the row unchanged if an unmarked word might be an address; `made` and
// `root` may then be relocated in part.
int pool_move_row(const memPool *own, void *row, void *made, size_t bytes, const void *place,
                  void *root, size_t size);

// Number of words in which two pools differ and which can be numbers but not addresses or counts;
// -1: different layouts.
long pool_differences(const memPool *one, const memPool *two);
#endif
