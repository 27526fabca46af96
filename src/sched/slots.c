// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Free cycles of units, with ways that shorten as they are walked.
#include "sched/slots.h"

#include "base/memory.h"


int slots_create(schedSlots *slots, const schedMachine *machine)
{
  *slots = (schedSlots){.nunit = machine_units(machine)};
  slots->unit = MEM_ARRAY(schedUnitSlots, slots->nunit + 1);
  if (!slots->unit) return 0;
  for (int kind = 0, u = 0; kind < SCHED_KINDS; kind++) {
    for (int k = 0; k < machine->count[kind]; k++)
      slots->unit[u++].interval = machine->interval[kind];
  }
  return 1;
}


void slots_free(schedSlots *slots)
{
  for (int u = 0; slots->unit && u < slots->nunit; u++) mem_free(slots->unit[u].next);
  mem_free(slots->unit);
  *slots = (schedSlots){0};
}


static int reach(schedUnitSlots *unit, int cycle)
{
  if (cycle < unit->capacity) return 1;
  int capacity = unit->capacity ? unit->capacity : 64;
  while (capacity <= cycle) capacity *= 2;
  int *next = mem_resize(unit->next, (size_t) capacity, sizeof(int));
  if (!next) return 0;
  for (int t = unit->capacity; t < capacity; t++) next[t] = t;
  unit->next = next;
  unit->capacity = capacity;
  return 1;
}


// the first free cycle from t on, or the end of what is known
static int look_on(schedUnitSlots *unit, int t)
{
  int end = t;
  while (end < unit->capacity && unit->next[end] != end) end = unit->next[end];
  for (int next; t < unit->capacity && t != end; t = next) {
    next = unit->next[t];
    unit->next[t] = end;
  }
  return end;
}


int slots_first_free(schedSlots *slots, int unit, int from)
{
  schedUnitSlots *x = &slots->unit[unit];
  const int interval = x->interval;
  for (int t = look_on(x, from);;) {
    if (!reach(x, t + interval)) return -1;
    int busy = interval - 1;
    while (busy > 0 && x->next[t + busy] == t + busy) busy--;
    if (busy == 0) return t;
    t = look_on(x, t + busy);
  }
}


void slots_take(schedSlots *slots, int unit, int cycle)
{
  const int interval = slots->unit[unit].interval;
  for (int k = 0; k < interval; k++) slots->unit[unit].next[cycle + k] = cycle + interval;
}
