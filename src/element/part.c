// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The list of parts of an item.
#include "element/part.h"


void part_add(partContext *c, const elementPart *part)
{
  c->part = arena_grow(c->lists, c->part, c->n, &c->capacity, sizeof *part);
  c->part[c->n++] = *part;
}


void part_require(partContext *c, const partRule *rule)
{
  if (!rule->text && rule->need != PART_INSIDE) return;
  c->rule = arena_grow(c->lists, c->rule, c->nrule, &c->rule_capacity, sizeof *rule);
  c->rule[c->nrule++] = *rule;
}


void part_add_signal(partContext *c, const char *tail, const char *unit, const char *text)
{
  part_add(c, &(elementPart){.type = PART_SIGNAL,
                             .tail = tail,
                             .unit = unit,
                             .text = text,
                             .mark = tail,
                             .is_shown = true});
}


void part_add_state(partContext *c, const char *tail, const char *unit, double initial,
                    const char *text)
{
  part_add(c, &(elementPart){.type = PART_STATE,
                             .tail = tail,
                             .unit = unit,
                             .initial = initial,
                             .text = text,
                             .mark = tail,
                             .is_shown = unit != NULL});
}


// z1 = x, z2 = z1, ...: each reads the old value of the previous one; a shift register
void part_add_delayed(partContext *c, const elementPart *value, int n)
{
  elementPart last = *value;
  for (int i = 1; i <= n; i++) {
    elementPart memory = last;
    memory.tail = arena_compose(c->arena, "%s%sdelay%d", value->tail ? value->tail : "",
                                value->tail ? "_" : "", i);
    memory.is_memory = true;
    memory.is_shown = false;
    part_add(c, &memory);
    last.text = arena_compose(c->arena, "%s.%s", c->self, memory.tail);
    last.is_own = last.is_checked = false;
  }
  part_add(c, &last);
}

//---- numbers -------------------------------------------------------------------------------------

int part_is_live(const partNumbers *numbers, const double *x)
{
  return numbers->find && numbers->find(numbers->context, x) >= 0;
}


const char *part_number(const partNumbers *numbers, baseArena *arena, const double *x)
{
  if (!part_is_live(numbers, x)) return arena_compose(arena, "%-24.17g", *x);
  return arena_compose(arena, "'/%c%d'", PART_LIVE, numbers->find(numbers->context, x));
}
