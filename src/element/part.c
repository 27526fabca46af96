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


artStatus part_add_signal(partContext *c, const char *tail, const char *unit, const char *text)
{
  return part_add(c, &(elementPart){.type = PART_SIGNAL,
                                    .tail = tail,
                                    .unit = unit,
                                    .text = text,
                                    .mark = tail,
                                    .is_shown = true});
}


artStatus part_add_state(partContext *c, const char *tail, const char *unit, double initial,
                         const char *text)
{
  return part_add(c, &(elementPart){.type = PART_STATE,
                                    .tail = tail,
                                    .unit = unit,
                                    .initial = initial,
                                    .text = text,
                                    .mark = tail,
                                    .is_shown = unit != NULL});
}


// z1 = x, z2 = z1, ... each reads the one before it as it was: a register that shifts by one at every instant
artStatus part_add_delayed(partContext *c, const elementPart *value, int n)
{
  elementPart last = *value;
  artStatus status = ART_OK;
  for (int i = 1; i <= n && status == ART_OK; i++) {
    elementPart memory = last;
    memory.tail = arena_format(c->arena, "%s%sdelay%d", value->tail ? value->tail : "",
                               value->tail ? "_" : "", i);
    if (!memory.tail) return base_no_memory(c->error);
    memory.is_memory = true;
    memory.is_shown = false;
    status = part_add(c, &memory);
    last.text = arena_format(c->arena, "%s.%s", c->self, memory.tail);
    last.is_checked = false;
  }
  return status ? status : part_add(c, &last);
}
