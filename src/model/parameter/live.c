// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Live numbers: where they are, from the reader's definitions to the builder's records.
#include "model/parameter/live.h"

#include <stdint.h>

#include "base/error_recovery.h"
#include "base/memory.h"
#include "model/define/records.h"
#include "model/model.h"


artStatus live_add(artBuilder *b, const liveNumber *number)
{
  recordList *list = &b->live;
  if (recovery_list()) return ART_OK; // a file with mistakes has no parameters to change
  if (!mem_grow(&list->items, list->count, &list->capacity, sizeof *number)) {
    return base_no_memory(&b->error);
  }
  *RECORD(*list, liveNumber, list->count++) = *number;
  return ART_OK;
}


void live_begin(artBuilder *b)
{
  for (int i = b->live_pending; i < b->live.count; i++) {
    liveNumber *own = RECORD(b->live, liveNumber, i);
    if (!own->is_settled) own->number = NULL;
  }
  b->live_pending = b->live.count;
}


// those among first ... last that are in the bytes from `from` on are in those from `to` on
static void move_live_numbers(artBuilder *b, int first, const void *from, void *to, size_t size,
                              int settles)
{
  ART_ASSERT(first >= 0 && first <= b->live.count);
  const uintptr_t begin = (uintptr_t) from;
  for (int i = first; i < b->live.count; i++) {
    liveNumber *own = RECORD(b->live, liveNumber, i);
    const uintptr_t at = (uintptr_t) own->number;
    if (!own->number || at < begin || at - begin >= size) continue;
    own->number = (double *) (void *) ((char *) to + (at - begin));
    if (settles) own->is_settled = 1;
  }
}


void live_move(artBuilder *b, const void *from, void *to, size_t size)
{
  move_live_numbers(b, b->live_pending, from, to, size, 0);
}


void live_settle(artBuilder *b, const void *from, void *to, size_t size)
{
  move_live_numbers(b, b->live_pending, from, to, size, 1);
}


int live_known(const artBuilder *b, const double *number)
{
  for (int i = 0; i < b->live.count; i++) {
    if (RECORD(b->live, liveNumber, i)->number == number) return 1;
  }
  return 0;
}


int live_copy(artBuilder *b, const double *from, double *to)
{
  const int count = b->live.count;
  for (int i = 0; i < count; i++) {
    liveNumber own = *RECORD(b->live, liveNumber, i);
    if (own.number != from) continue;
    own.number = to;
    own.is_settled = 0;
    (void) live_add(b, &own);
    return 1;
  }
  return 0;
}


void live_rebase(artBuilder *b, const void *from, void *to, size_t size)
{
  if (from && from != to) move_live_numbers(b, 0, from, to, size, 0);
}


const liveNumber *live_find(const artBuilder *b, const double *number)
{
  for (int i = b->live.count - 1; i >= b->live_pending; i--) {
    const liveNumber *own = RECORD(b->live, liveNumber, i);
    if (own->number == number && !own->is_settled) return own;
  }
  return NULL;
}


void live_forget(artBuilder *b, const double *number)
{
  int kept = b->live_pending;
  for (int i = kept; i < b->live.count; i++) {
    const liveNumber *own = RECORD(b->live, liveNumber, i);
    if (own->number == number && !own->is_settled) continue;
    *RECORD(b->live, liveNumber, kept++) = *own;
  }
  b->live.count = kept;
}


int live_place(const artModel *m, const double *number)
{
  for (int i = 0; m->live && i < m->live->count; i++) {
    const liveNumber *own = RECORD(*m->live, liveNumber, i);
    if (own->number == number && own->formula) return i;
  }
  return -1;
}


const formula *model_live(const artModel *m, const double *number)
{
  if (!m->records || !number) return NULL;
  for (int i = 0; i < m->records->live.count; i++) {
    const liveNumber *own = RECORD(m->records->live, liveNumber, i);
    if (own->number == number) return own->formula;
  }
  return NULL;
}
