// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pools: chunks from which blocks are cut, and free lists by size class.
#include "base/pool.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum {
  ALIGNMENT = 16,
  CHUNK = 1 << 18,
  MAX_CHUNK = 1 << 24,
  CLASSES = 240,
  WORD = sizeof(uintptr_t),
  // maximum size in bytes of a structure outside the pool that contains addresses of the pool
  MAX_ROOT = 16384
};

typedef struct poolChunk poolChunk;
struct poolChunk {
  poolChunk *next;
  size_t used, size; // in bytes, without the header; followed by the marks of its words
};

// header of a block
typedef struct poolBlock poolBlock;
struct poolBlock {
  size_t size;     // without the header
  poolBlock *next; // next free block of its size class; itself while in use
};

struct memPool {
  memSource source; // first member, so that pointers can be converted
  poolChunk *first, *now;
  poolBlock *free[CLASSES];
  int is_marked; // every address word in the pool and in the root has a mark
  unsigned char root_mark[MAX_ROOT / WORD / 8];
};

static const size_t HEADER = (sizeof(poolChunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;


memPool *pool_use(memPool *pool)
{
  return (void *) mem_use(pool ? &pool->source : NULL);
}


static void *pool_resize(memSource *source, void *old, size_t bytes);
static void pool_release(memSource *source, void *old);


memPool *pool_create(void)
{
  memPool *outer = pool_use(NULL);
  memPool *pool = mem_alloc(1, sizeof *pool);
  pool_use(outer);
  if (pool) pool->source = (memSource){pool_resize, pool_release};
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


// one bit per word of a chunk
static unsigned char *marks_of(const poolChunk *chunk)
{
  return (unsigned char *) (uintptr_t) chunk + HEADER + chunk->size;
}


static size_t mark_bytes(size_t size)
{
  return (size / WORD + 7) / 8;
}


static int has_mark(const unsigned char *marks, size_t word)
{
  return marks[word / 8] >> word % 8 & 1;
}


static void set_mark(unsigned char *marks, size_t word)
{
  marks[word / 8] |= (unsigned char) (1U << word % 8);
}


int pool_has_marks(const memPool *pool)
{
  return pool->is_marked;
}


void pool_drop_marks(memPool *pool)
{
  if (pool->is_marked) {
    for (poolChunk *chunk = pool->first; chunk; chunk = chunk->next)
      memset(marks_of(chunk), 0, mark_bytes(chunk->used));
    memset(pool->root_mark, 0, sizeof pool->root_mark);
  }
  pool->is_marked = 0;
}


void pool_clear(memPool *pool)
{
  ART_ASSERT(pool);
  pool_drop_marks(pool);
  for (poolChunk *chunk = pool->first; chunk; chunk = chunk->next) {
    memset((char *) chunk + HEADER, 0, chunk->used);
    chunk->used = 0;
  }
  pool->now = pool->first;
  memset(pool->free, 0, sizeof pool->free);
}


//---- blocks --------------------------------------------------------------------------------------

// Four size classes per power of two; *size becomes that of the class.
static int size_class_of(size_t *size)
{
  ART_ASSERT(*size > 0 && *size <= SIZE_MAX / 4);
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
  poolChunk *chunk = mem_alloc(1, HEADER + size + mark_bytes(size));
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


int pool_reserve_like(memPool *pool, const memPool *other)
{
  ART_ASSERT(!pool->first); // must be empty
  for (const poolChunk *chunk = other->first; chunk; chunk = chunk->next) {
    poolChunk *added = add_chunk(pool, chunk->size);
    if (!added) return 0;
    pool->now = added;
  }
  pool->now = pool->first;
  return 1;
}


static const poolChunk *chunk_of(const memPool *pool, uintptr_t address)
{
  const poolChunk *chunk = pool->first;
  while (chunk && address - ((uintptr_t) chunk + HEADER) >= chunk->size) chunk = chunk->next;
  return chunk;
}


int pool_holds(const memPool *pool, const void *address)
{
  return chunk_of(pool, (uintptr_t) address) != NULL;
}


// of the chunk after one: chunks grow, for a release looks through all of them
static size_t next_size(const poolChunk *chunk, size_t bytes)
{
  const size_t grown = chunk ? chunk->size + chunk->size / 4 : 0;
  const size_t size = grown < MAX_CHUNK ? grown : MAX_CHUNK;
  return bytes > size ? bytes : size;
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
    chunk = add_chunk(pool, next_size(chunk, bytes));
    if (!chunk) return NULL;
    pool->now = chunk;
  }
  poolBlock *block = (void *) ((char *) chunk + HEADER + chunk->used);
  chunk->used += bytes;
  block->size = size;
  return block;
}


static void *pool_resize(memSource *source, void *old, size_t bytes)
{
  memPool *pool = (void *) source;
  pool_drop_marks(pool);
  poolBlock *before = old ? (poolBlock *) old - 1 : NULL;
  if (bytes > SIZE_MAX / 4) return NULL;
  if (bytes == 0) bytes = 1;
  if (before && before->size >= bytes) return old;
  const int class = size_class_of(&bytes);
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
    pool_release(source, old);
  }
  return block + 1;
}


static void pool_release(memSource *source, void *old)
{
  memPool *pool = (void *) source;
  if (!pool_holds(pool, old)) {
    memPool *outer = pool_use(NULL);
    mem_free(old);
    pool_use(outer);
    return;
  }
  pool_drop_marks(pool);
  poolBlock *block = (poolBlock *) old - 1;
  size_t size = block->size;
  const int class = size_class_of(&size);
  memset(old, 0, block->size); // unused memory must not differ between two pools
  block->next = pool->free[class];
  pool->free[class] = block;
}


//---- copying between pools with equal layouts ----------------------------------------------------
//
// A word does not tell whether it is an address: a number can have the same bits. But if the same
// work has been done in two pools at different addresses, exactly the words that contain addresses
// of the pool differ. This marks the addresses of a pool.

enum { MAX_CHANGES = 1024 };

// a copy in progress, word by word
typedef struct poolCopy {
  const memPool *to, *from;
  // cache: the chunk of the last address, and its counterpart in `to`
  const poolChunk *near, *near_to;
  int is_asking; // list the changes instead of making them
  int count;     // number of words that differ; only MAX_CHANGES are listed
  struct {
    uintptr_t *at, word;
  } change[MAX_CHANGES];
} poolCopy;


static int is_in_chunk(const poolChunk *chunk, uintptr_t word)
{
  return word - ((uintptr_t) chunk + HEADER) <= chunk->used;
}


// convert an address in `from` to the corresponding address in `to`; other words are returned
// unchanged
static uintptr_t moved_address(poolCopy *c, uintptr_t word, int *can_be_address)
{
  const poolChunk *a = c->near_to, *b = c->near;
  if (!b || !is_in_chunk(b, word)) {
    a = c->to->first;
    b = c->from->first;
    for (; a && b && !is_in_chunk(b, word); b = b->next) a = a->next;
  }
  *can_be_address = a && b; // chunks without a counterpart are empty
  if (!*can_be_address) return word;
  c->near = b;
  c->near_to = a;
  return word - (uintptr_t) b + (uintptr_t) a;
}


// Compare words of `to` with those of `from`; `first` is the mark index of the first word. Returns
// 0 if an address refers to a different object than before, or a word that was not an address may
// now be one.
static int compare_words(poolCopy *c, uintptr_t *a, const uintptr_t *b, size_t count,
                         unsigned char *marks, size_t first)
{
  for (size_t i = 0; i < count; i++) {
    int can_be_address;
    if (a[i] == b[i]) continue;
    uintptr_t word = moved_address(c, b[i], &can_be_address);
    if (has_mark(marks, first + i)) {
      if (a[i] == word) continue;
      if (can_be_address && a[i]) return 0; // one of them may have been NULL
    } else if (can_be_address) {
      return 0;
    }
    if (!c->is_asking) {
      a[i] = word;
    } else if (c->count++ < MAX_CHANGES) {
      c->change[c->count - 1].at = &a[i];
      c->change[c->count - 1].word = word;
    }
  }
  return 1;
}


static int mark_words(poolCopy *c, const uintptr_t *a, const uintptr_t *b, size_t count,
                      unsigned char *marks, size_t first)
{
  for (size_t i = 0; i < count; i++) {
    int can_be_address;
    if (a[i] != b[i] && moved_address(c, b[i], &can_be_address) == a[i]) set_mark(marks, first + i);
  }
  return 1;
}


// Does this chunk or a later one contain blocks? Reserved chunks may be empty.
static int is_chunk_used(const poolChunk *chunk)
{
  while (chunk && chunk->used == 0) chunk = chunk->next;
  return chunk != NULL;
}


// Visit the used blocks of two pools with equal layouts; returns the sum of the visits, or -1 if
// the layouts differ.
typedef long poolVisit(poolCopy *copy, const poolChunk *chunk, poolBlock *x, const poolBlock *y);

static long visit_blocks(const memPool *one, const memPool *two, poolVisit *visit, poolCopy *copy)
{
  poolChunk *a = one->first;
  const poolChunk *b = two->first;
  long sum = 0;
  for (; a && b && a->used == b->used && a->size == b->size; a = a->next, b = b->next) {
    for (size_t at = 0; at < b->used;) {
      poolBlock *x = (void *) ((char *) a + HEADER + at);
      const poolBlock *y = (const void *) ((const char *) b + HEADER + at);
      if (x->size != y->size || (x->next == x) != (y->next == y)) return -1;
      if (y->next == y) sum += visit(copy, a, x, y);
      at += sizeof *y + y->size;
    }
  }
  return is_chunk_used(a) || is_chunk_used(b) ? -1 : sum;
}


// index of a word in its chunk
static size_t word_number(const poolChunk *chunk, const void *address)
{
  return ((uintptr_t) address - ((uintptr_t) chunk + HEADER)) / WORD;
}


static long copy_block(poolCopy *c, const poolChunk *chunk, poolBlock *x, const poolBlock *y)
{
  return !compare_words(c, (void *) (x + 1), (const void *) (y + 1), y->size / WORD,
                        marks_of(chunk), word_number(chunk, x + 1));
}


static long mark_pool_block(poolCopy *c, const poolChunk *chunk, poolBlock *x, const poolBlock *y)
{
  return !mark_words(c, (const void *) (x + 1), (const void *) (y + 1), y->size / WORD,
                     marks_of(chunk), word_number(chunk, x + 1));
}


static long compare_block(poolCopy *copy, const poolChunk *chunk, poolBlock *x, const poolBlock *y)
{
  (void) copy, (void) chunk;
  const double *a = (const void *) (x + 1), *b = (const void *) (y + 1);
  long n = 0;
  for (size_t i = 0; i < y->size / sizeof *b; i++) {
    n += memcmp(&a[i], &b[i], sizeof *b) != 0 && (isnormal(a[i]) || isnormal(b[i]));
  }
  return n;
}


int pool_mark_addresses(memPool *own, const void *root, const memPool *twin, const void *twin_root,
                        size_t size)
{
  ART_ASSERT(own != twin && size % WORD == 0 && size <= MAX_ROOT);
  poolCopy c;
  c.to = own, c.from = twin, c.near = c.near_to = NULL;
  pool_drop_marks(own);
  own->is_marked = 1;
  if (visit_blocks(own, twin, mark_pool_block, &c) == 0) {
    mark_words(&c, root, twin_root, size / WORD, own->root_mark, 0);
    return 1;
  }
  pool_drop_marks(own);
  return 0;
}


int pool_copy(memPool *to, void *to_root, const memPool *from, const void *from_root, size_t size)
{
  ART_ASSERT(to != from && size % WORD == 0);
  poolCopy c;
  c.to = to, c.from = from, c.near = c.near_to = NULL, c.is_asking = 1, c.count = 0;
  if (!to->is_marked || visit_blocks(to, from, copy_block, &c) != 0) return 0;
  if (!compare_words(&c, to_root, from_root, size / WORD, to->root_mark, 0)) return 0;
  if (c.count <= MAX_CHANGES) {
    for (int i = 0; i < c.count; i++) *c.change[i].at = c.change[i].word;
    return 1;
  }
  c.is_asking = 0;
  (void) visit_blocks(to, from, copy_block, &c);
  (void) compare_words(&c, to_root, from_root, size / WORD, to->root_mark, 0);
  return 1;
}


// Is the word at this place in the pool marked as an address?
static int is_marked_address(const memPool *pool, const void *place)
{
  const poolChunk *chunk = chunk_of(pool, (uintptr_t) place);
  ART_ASSERT(chunk);
  return has_mark(marks_of(chunk), word_number(chunk, place));
}


int pool_take(const memPool *own, const memPool *work, void *to, const void *from, size_t size)
{
  ART_ASSERT(own != work && own->is_marked && size % WORD == 0);
  uintptr_t *a = to;
  const uintptr_t *b = from;
  for (size_t i = 0; i < size / WORD; i++) {
    if (a[i] == b[i]) continue;
    const int is_address = a[i] && is_marked_address(own, &a[i]);
    if (is_address != pool_holds(work, (const void *) b[i])) return 0;
    if (!is_address) a[i] = b[i];
  }
  return 1;
}


// Is it the address of a block of the pool?
static int is_pool_block(const memPool *pool, uintptr_t address)
{
  const poolChunk *chunk = chunk_of(pool, address);
  if (!chunk) return 0;
  uintptr_t at = (uintptr_t) chunk + HEADER;
  while (at + sizeof(poolBlock) < address) at += sizeof(poolBlock) + ((const poolBlock *) at)->size;
  return at + sizeof(poolBlock) == address;
}


// Blocks that replace others, each with everything it refers to.
enum { MAX_TAKEN = 64 };
typedef struct takenBlock {
  void *to;
  const void *from;
  size_t size;
} takenBlock;


static int list_taken(const memPool *own, const memPool *work, void *to, const void *from,
                      takenBlock *taken, int *n)
{
  const uintptr_t *a = to, *b = from;
  const size_t size = ((const poolBlock *) from - 1)->size;
  if (((const poolBlock *) to - 1)->size != size || *n == MAX_TAKEN) return 0;
  taken[(*n)++] = (takenBlock){to, from, size};
  for (size_t i = 0; i < size / WORD; i++) {
    if (a[i] == b[i]) continue;
    const int is_address = a[i] && is_marked_address(own, &a[i]);
    if (is_address != pool_holds(work, (const void *) b[i])) return 0;
    if (!is_address || !is_pool_block(work, b[i])) continue;
    if (!list_taken(own, work, (void *) a[i], (const void *) b[i], taken, n)) return 0;
  }
  return 1;
}


// Addresses into blocks (such as lists in an arena) are kept: are their offsets equal to the new
// ones?
static int are_as_far(const memPool *own, const takenBlock *block, const takenBlock *taken, int n)
{
  const uintptr_t *a = block->to, *b = block->from;
  for (size_t i = 0; i < block->size / WORD; i++) {
    if (a[i] == b[i] || !is_marked_address(own, &a[i])) continue;
    int k = 0;
    while (k < n && b[i] - (uintptr_t) taken[k].from > taken[k].size) k++;
    if (k == n || a[i] - (uintptr_t) taken[k].to != b[i] - (uintptr_t) taken[k].from) return 0;
  }
  return 1;
}


int pool_take_all(const memPool *own, const memPool *work, void *to, const void *from)
{
  takenBlock taken[MAX_TAKEN];
  int n = 0, is_done = list_taken(own, work, to, from, taken, &n);
  for (int k = 0; k < n && is_done; k++) is_done = are_as_far(own, &taken[k], taken, n);
  for (int k = 0; k < n && is_done; k++) {
    is_done = pool_take(own, work, taken[k].to, taken[k].from, taken[k].size);
  }
  return is_done;
}


// Relocate: every word in [from, from + bytes) is shifted by to - from. Returns 0 if such a word is
// not marked as an address.
static int move_words(const memPool *own, const void *place, uintptr_t *word, size_t size,
                      uintptr_t from, size_t bytes, uintptr_t to)
{
  const uintptr_t *at = place;
  for (size_t i = 0; i < size / WORD; i++) {
    if (word[i] - from >= bytes) continue;
    if (!is_marked_address(own, &at[i])) return 0;
    word[i] = word[i] - from + to;
  }
  return 1;
}


int pool_move_row(const memPool *own, void *row, void *made, size_t bytes, const void *place,
                  void *root, size_t size)
{
  ART_ASSERT(own->is_marked && size % WORD == 0 && bytes % WORD == 0);
  const uintptr_t from = (uintptr_t) made, to = (uintptr_t) row;
  if (!move_words(own, place, root, size, from, bytes, to) ||
      !move_words(own, row, made, bytes, from, bytes, to))
    return 0;
  memcpy(row, made, bytes);
  return 1;
}


long pool_differences(const memPool *one, const memPool *two)
{
  return visit_blocks(one, two, compare_block, NULL);
}
