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
