// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pools: chunks that blocks are cut off, and lists of blocks that came back, by size.
#include "base/pool.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum { ALIGNMENT = 16, CHUNK = 1 << 18, CLASSES = 240, WORD = sizeof(uintptr_t) };

typedef struct poolChunk poolChunk;
struct poolChunk {
  poolChunk *next;
  size_t used, size; // in bytes, of what follows the header
};

// a block, in front of its bytes
typedef struct poolBlock poolBlock;
struct poolBlock {
  size_t size;     // of its bytes
  poolBlock *next; // of its class, while it is free; else itself
};

struct memPool {
  memSource source; // first, so that one is the other
  poolChunk *first, *now;
  poolBlock *free[CLASSES];
};

static const size_t HEADER = (sizeof(poolChunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;


memPool *pool_use(memPool *pool)
{
  return (void *) mem_use(pool ? &pool->source : NULL);
}


static void *resize(memSource *source, void *old, size_t bytes);
static void release(memSource *source, void *old);


memPool *pool_create(void)
{
  memPool *outer = pool_use(NULL);
  memPool *pool = mem_alloc(1, sizeof *pool);
  pool_use(outer);
  if (pool) pool->source = (memSource){resize, release};
  return pool;
}


void pool_free(memPool *pool)
{
  if (!pool) return;
  memPool *outer = pool_use(NULL);
  for (poolChunk *chunk = pool->first, *next; chunk; chunk = next) {
    next = chunk->next;
    mem_free(chunk);
  }
  mem_free(pool);
  pool_use(outer);
}


void pool_clear(memPool *pool)
{
  for (poolChunk *chunk = pool->first; chunk; chunk = chunk->next) {
    memset((char *) chunk + HEADER, 0, chunk->used);
    chunk->used = 0;
  }
  pool->now = pool->first;
  memset(pool->free, 0, sizeof pool->free);
}


//---- blocks --------------------------------------------------------------------------------------

// Four classes from each power of two to the next; *size becomes that of the class.
static int class_of(size_t *size)
{
  int power = 6;
  while (*size > (size_t) 1 << power) power++;
  const size_t step = ((size_t) 1 << power) / 8;
  const size_t quarters = power == 6 ? (*size + 15) / 16 : (*size + step - 1) / step;
  *size = power == 6 ? 16 * quarters : step * quarters;
  return 4 * (power - 6) + (int) (power == 6 ? quarters : quarters - 4);
}


static poolChunk *add_chunk(memPool *pool, size_t bytes)
{
  const size_t size = bytes > CHUNK ? bytes : CHUNK;
  memPool *outer = pool_use(NULL);
  poolChunk *chunk = mem_alloc(1, HEADER + size);
  pool_use(outer);
  if (!chunk) return NULL;
  *chunk = (poolChunk){.size = size};
  poolChunk **place = pool->now ? &pool->now->next : &pool->first;
  chunk->next = *place;
  *place = chunk;
  return chunk;
}


struct memSource *pool_source(memPool *pool)
{
  return &pool->source;
}


size_t pool_used(const memPool *pool)
{
  size_t bytes = 0;
  for (const poolChunk *chunk = pool->first; chunk; chunk = chunk->next) bytes += chunk->used;
  return bytes;
}


int pool_reserve(memPool *pool, size_t bytes)
{
  const poolChunk *now = pool->now;
  if (now && now->size - now->used >= bytes) return 1;
  poolChunk *added = add_chunk(pool, bytes);
  if (added && !now) pool->now = added;
  return added != NULL;
}


static int is_inside(const memPool *pool, const void *block)
{
  const uintptr_t at = (uintptr_t) block;
  for (const poolChunk *chunk = pool->first; chunk; chunk = chunk->next) {
    const uintptr_t begin = (uintptr_t) chunk + HEADER;
    if (at >= begin && at < begin + chunk->size) return 1;
  }
  return 0;
}


static poolBlock *cut_block(memPool *pool, size_t size)
{
  const size_t bytes = sizeof(poolBlock) + size;
  poolChunk *chunk = pool->now;
  while (chunk && chunk->size - chunk->used < bytes) {
    poolChunk *next = chunk->next;
    if (!next || next->size < bytes) break;
    chunk = pool->now = next;
  }
  if (!chunk || chunk->size - chunk->used < bytes) {
    chunk = add_chunk(pool, bytes);
    if (!chunk) return NULL;
    pool->now = chunk;
  }
  poolBlock *block = (void *) ((char *) chunk + HEADER + chunk->used);
  chunk->used += bytes;
  block->size = size;
  return block;
}


static void *resize(memSource *source, void *old, size_t bytes)
{
  memPool *pool = (void *) source;
  poolBlock *before = old ? (poolBlock *) old - 1 : NULL;
  if (bytes > SIZE_MAX / 4) return NULL;
  if (bytes == 0) bytes = 1;
  if (before && before->size >= bytes) return old;
  const int class = class_of(&bytes);
  poolBlock *block = pool->free[class];
  if (block) {
    pool->free[class] = block->next;
  } else {
    block = cut_block(pool, bytes);
  }
  if (!block) return NULL;
  block->next = block;
  if (before) {
    memcpy(block + 1, old, before->size);
    release(source, old);
  }
  return block + 1;
}


static void release(memSource *source, void *old)
{
  memPool *pool = (void *) source;
  if (!is_inside(pool, old)) {
    memPool *outer = pool_use(NULL);
    mem_free(old);
    pool_use(outer);
    return;
  }
  poolBlock *block = (poolBlock *) old - 1;
  size_t size = block->size;
  const int class = class_of(&size);
  block->next = pool->free[class];
  pool->free[class] = block;
}


//---- the same work in two pools ------------------------------------------------------------------

// an address in `from` as the one in `to`; any other word as it is
static uintptr_t moved(const memPool *to, const memPool *from, uintptr_t word, int *is_address)
{
  const poolChunk *a = to->first;
  *is_address = 0;
  for (const poolChunk *b = from->first; b; b = b->next, a = a->next) {
    const uintptr_t begin = (uintptr_t) b + HEADER;
    if (word - begin > b->used) continue;
    *is_address = 1;
    return (uintptr_t) a + HEADER + (word - begin);
  }
  return word;
}


// Words of `to` become those of `from` where they differ; the first pass only asks whether every address stands in its
// place.
static int copy_words(const memPool *to, uintptr_t *a, const memPool *from, const uintptr_t *b,
                      size_t count, int is_asking)
{
  for (size_t i = 0; i < count; i++) {
    int is_address;
    if (a[i] == b[i]) continue;
    const uintptr_t word = moved(to, from, b[i], &is_address);
    if (a[i] == word) continue;
    if (is_address) return 0;
    if (!is_asking) a[i] = word;
  }
  return 1;
}


// Visit the blocks in use of two pools that are laid out alike; returns the sum of the visits, or -1 where they are not.
typedef long poolVisit(const memPool *one, poolBlock *x, const memPool *two, const poolBlock *y);

static long visit_blocks(const memPool *one, const memPool *two, poolVisit *visit)
{
  poolChunk *a = one->first;
  const poolChunk *b = two->first;
  long sum = 0;
  for (; a && b && a->used == b->used && a->size == b->size; a = a->next, b = b->next) {
    for (size_t at = 0; at < b->used;) {
      poolBlock *x = (void *) ((char *) a + HEADER + at);
      const poolBlock *y = (const void *) ((const char *) b + HEADER + at);
      if (x->size != y->size || (x->next == x) != (y->next == y)) return -1;
      if (y->next == y) sum += visit(one, x, two, y);
      at += sizeof *y + y->size;
    }
  }
  return a || b ? -1 : sum;
}


static long ask_block(const memPool *to, poolBlock *x, const memPool *from, const poolBlock *y)
{
  return !copy_words(to, (void *) (x + 1), from, (const void *) (y + 1), y->size / WORD, 1);
}


static long copy_block(const memPool *to, poolBlock *x, const memPool *from, const poolBlock *y)
{
  return !copy_words(to, (void *) (x + 1), from, (const void *) (y + 1), y->size / WORD, 0);
}


static long compare_block(const memPool *one, poolBlock *x, const memPool *two, const poolBlock *y)
{
  (void) one;
  (void) two;
  const double *a = (const void *) (x + 1), *b = (const void *) (y + 1);
  long n = 0;
  for (size_t i = 0; i < y->size / sizeof *b; i++) {
    n += memcmp(&a[i], &b[i], sizeof *b) != 0 && (isnormal(a[i]) || isnormal(b[i]));
  }
  return n;
}


int pool_copy(memPool *to, void *to_root, const memPool *from, const void *from_root, size_t size)
{
  if (visit_blocks(to, from, ask_block) != 0) return 0;
  if (!copy_words(to, to_root, from, from_root, size / WORD, 1)) return 0;
  (void) visit_blocks(to, from, copy_block);
  (void) copy_words(to, to_root, from, from_root, size / WORD, 0);
  return 1;
}


long pool_differences(const memPool *one, const memPool *two)
{
  return visit_blocks(one, two, compare_block);
}
