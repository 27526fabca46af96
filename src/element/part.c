// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The list of parts of an item.
#include "element/part.h"

#include <string.h>

#include "base/error.h"


// the old list stays behind in the arena; it doubles, so no more than one list's worth is lost
artStatus part_add(partContext *c, const elementPart *part)
{
  if (!part->text) return base_no_memory(c->error);
  if (c->n == c->capacity) {
    const int capacity = c->capacity ? 2 * c->capacity : 8;
    elementPart *list = arena_alloc(c->arena, (size_t) capacity, sizeof *list);
    if (!list) return base_no_memory(c->error);
    if (c->n > 0) memcpy(list, c->part, (size_t) c->n * sizeof *list);
    c->part = list;
    c->capacity = capacity;
  }
  c->part[c->n++] = *part;
  return ART_OK;
}


// z1 = x, z2 = z1, ... each reads the one before it as it was: a register that shifts by one at every instant
artStatus part_add_delay(partContext *c, const elementPart *first, int n, const char **last)
{
  elementPart part = *first;
  part.is_memory = true;
  artStatus status = ART_OK;
  for (int i = 1; i <= n && status == ART_OK; i++) {
    part.tail = arena_format(c->arena, "delay%d", i);
    *last = arena_format(c->arena, "%s.delay%d", c->self, i);
    if (!part.tail || !*last) return base_no_memory(c->error);
    status = part_add(c, &part);
    part.text = *last;
    part.is_checked = false;
    part.is_shown = false;
  }
  return status;
}
