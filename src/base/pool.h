// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A pool: memory for a piece of work that is done again and again. While it is in use on a thread, mem_alloc and its
// like take from it there. The same requests give blocks at the same places of the pool, so what two pools hold after
// the same work can be compared and moved word by word. A pool that is used again asks the allocator for nothing.
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

typedef struct memPool memPool;

memPool *pool_create(void);    // NULL when memory ran out
void pool_free(memPool *pool); // all blocks with it; accepts NULL

// Use the pool on this thread, or none (NULL); returns the one that was in use. Blocks of the
// pool are resized and freed while it is in use; those that come from the allocator may be freed then as well.
memPool *pool_use(memPool *pool);

// An empty pool gets as much memory as another one has, in the same chunks; 0 when it ran out.
int pool_reserve_like(memPool *pool, const memPool *other);

// The source that the pool is for mem_use and arenas.
struct memSource *pool_source(memPool *pool);

// Bytes that its blocks take; room for so many more, which the pool keeps; 0 when memory ran out.
size_t pool_used(const memPool *pool);
int pool_reserve(memPool *pool, size_t bytes);

// Does an address stand in its memory?
int pool_holds(const memPool *pool, const void *address);

// All blocks are gone; memory stays with the pool.
void pool_clear(memPool *pool);

// Mark the words that are addresses in the pool `own`, in it and in the structure at *root. `twin` holds the same after the same
// work, at another place, so that all addresses and nothing but addresses differ. 0: the two are not laid out alike. Marks are
// dropped as soon as a block of the pool is taken, resized or released.
int pool_mark_addresses(memPool *own, const void *root, const memPool *twin, const void *twin_root,
                        size_t size);
int pool_has_marks(const memPool *pool);
void pool_drop_marks(memPool *pool);

// Let `to`, which has marks, and the structure at *to_root hold what `from` and *from_root hold, with addresses inside of `from`
// as those in `to`. 0, and nothing is changed, where the two are not laid out alike, or where a word that has no mark may be
// an address.
int pool_copy(memPool *to, void *to_root, const memPool *from, const void *from_root, size_t size);

// Words of a structure in the pool `own`, which has marks, become the words of one that was made anew in the pool `work`;
// addresses stay what they are. 0: an address is where a number was, or may be, or the other way.
int pool_take(const memPool *own, const memPool *work, void *to, const void *from, size_t size);

// The same of a whole block, and of all blocks whose addresses it holds.
int pool_take_all(const memPool *own, const memPool *work, void *to, const void *from);

// Bytes that were made anew elsewhere take the place of a row of the pool `own`, which has marks, and addresses in them, in these
// bytes and in a structure that is to have its place in the pool, become addresses in the row. 0, and the row is as it was:
// a word without a mark may be an address.
int pool_move_row(const memPool *own, void *row, void *made, size_t bytes, const void *place,
                  void *root, size_t size);

// The number of words in which two pools differ and that can be numbers, but no addresses or counts; -1: they are not
// laid out alike.
long pool_differences(const memPool *one, const memPool *two);
#endif
