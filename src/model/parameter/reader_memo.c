// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values of formulas of parameters. Memory comes from the allocator, for a reading works in a pool.
#include "model/parameter/reader_memo.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"


// enough for the program of a formula and what its parser takes on the way
enum { SCRATCH_BYTES = 1 << 17 };


int memo_start(readerMemo *memo, int is_kept)
{
  *memo = (readerMemo){.is_kept = is_kept, .at = -1, .scratch = stack_create(SCRATCH_BYTES)};
  return memo->scratch != NULL;
}


static int is_memo_entry_of(const memoEntry *entry, const char *text, baseDimension expected)
{
  return entry->text == text && memcmp(&entry->expected, &expected, sizeof expected) == 0;
}


const memoEntry *memo_ask(readerMemo *memo, const char *text, baseDimension expected)
{
  int i = memo->next;
  memo->pending = 0;
  while (memo->is_complete && i < memo->nentry &&
         !is_memo_entry_of(&memo->entry[i], text, expected))
    i++;
  memo->at = memo->is_kept && !(memo->is_complete && i == memo->nentry) ? i : -1;
  if (memo->at < 0) return NULL;
  memo->next = i + 1;
  return i < memo->nentry && is_memo_entry_of(&memo->entry[i], text, expected) ? &memo->entry[i]
                                                                               : NULL;
}


void memo_put_off(readerMemo *memo)
{
  if (memo->at >= 0) memo->next = memo->at;
}


// room for n; 0 when memory ran out
static int make_memo_room(void **items, int n, int *capacity, size_t size)
{
  ART_ASSERT(n >= 0);
  memSource *outer = mem_use(NULL);
  int is_there = 1;
  while (n > *capacity && is_there) is_there = mem_grow(items, *capacity, capacity, size);
  mem_use(outer);
  return is_there;
}


void memo_use(readerMemo *memo, memoUse use)
{
  const int at = memo->nuse + memo->pending;
  if (memo->at < 0 || memo->pending < 0) return;
  if (!make_memo_room((void **) &memo->use, at + 1, &memo->use_capacity, sizeof *memo->use)) {
    memo->pending = -1;
    return;
  }
  memo->use[at] = use;
  memo->pending++;
}


// the uses of a formula where they stood, or after the others, with room for the next one there; 0 when memory ran out
static int place_uses(readerMemo *memo, memoEntry *entry)
{
  const int count = memo->pending;
  if (entry->text && entry->count == count) {
    if (count > 0) {
      memcpy(memo->use + entry->first, memo->use + memo->nuse, (size_t) count * sizeof *memo->use);
    }
    return 1;
  }
  entry->first = memo->nuse;
  entry->count = count;
  memo->nuse += count;
  if (count > memo->most) memo->most = count;
  return make_memo_room((void **) &memo->use, memo->nuse + memo->most, &memo->use_capacity,
                        sizeof *memo->use);
}


int memo_keep(readerMemo *memo, const char *text, baseDimension expected, baseDimension found,
              double value)
{
  const int i = memo->at;
  memo->evaluated++;
  if (i < 0) return 1;
  if (memo->pending < 0) return 0;
  if (!make_memo_room((void **) &memo->entry, i + 1, &memo->entry_capacity, sizeof *memo->entry)) {
    return 0;
  }
  while (memo->nentry <= i) memo->entry[memo->nentry++] = (memoEntry){.text = NULL};
  memoEntry *entry = &memo->entry[i];
  const int is_placed = place_uses(memo, entry);
  *entry = (memoEntry){text, expected, found, value, entry->first, entry->count, NULL, -1};
  return is_placed;
}


void memo_give(readerMemo *memo, const void *parameter, int item)
{
  if (memo->at < 0 || memo->at >= memo->nentry) return;
  memoEntry *entry = &memo->entry[memo->at];
  entry->parameter = parameter;
  entry->item = item;
}


void memo_free(readerMemo *memo)
{
  stack_free(memo->scratch);
  mem_free(memo->entry);
  mem_free(memo->use);
}
