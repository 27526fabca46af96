// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The list of parts of an item.
#include "element/part.h"

#include <string.h>

#include "base/error.h"


// the old list stays behind in the arena; it doubles, so no more than one list's worth is lost
static void *grow(baseArena *arena, void *list, int n, int *capacity, size_t size)
{
  if (n < *capacity) return list;
  *capacity = n > 0 ? 2 * n : 8;
  void *longer = arena_alloc(arena, (size_t) *capacity, size);
  if (longer && n > 0) memcpy(longer, list, (size_t) n * size);
  return longer;
}


artStatus part_add(partContext *c, const elementPart *part)
{
  if (!part->text) return base_no_memory(c->error);
  c->part = grow(c->arena, c->part, c->n, &c->capacity, sizeof *part);
  if (!c->part) return base_no_memory(c->error);
  c->part[c->n++] = *part;
  return ART_OK;
}


artStatus part_require(partContext *c, const partRule *rule)
{
  if (!rule->text && rule->need != PART_INSIDE) return ART_OK;
  c->rule = grow(c->arena, c->rule, c->nrule, &c->rule_capacity, sizeof *rule);
  if (!c->rule) return base_no_memory(c->error);
  c->rule[c->nrule++] = *rule;
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
    last.is_own = last.is_checked = false;
  }
  return status ? status : part_add(c, &last);
}

//---- numbers -------------------------------------------------------------------------------------

int part_is_live(const partNumbers *numbers, const double *x)
{
  return numbers->find && numbers->find(numbers->context, x) >= 0;
}


const char *part_number(const partNumbers *numbers, baseArena *arena, const double *x)
{
  if (!part_is_live(numbers, x)) return arena_format(arena, "%-24.17g", *x);
  return arena_format(arena, "'/%c%d'", PART_LIVE, numbers->find(numbers->context, x));
}
