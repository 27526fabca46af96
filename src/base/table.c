// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Hash table from names to numbers: open addressing, at most half full.
#include "base/table.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"


static uint64_t name_hash_of(const char *name)
{
  // FNV-1a
  uint64_t hash = 14695981039346656037u;
  for (; *name; name++) hash = (hash ^ (unsigned char) *name) * 1099511628211u;
  return hash;
}


// slot of a name, or the empty slot where it belongs
static tableEntry *table_entry_place(const baseTable *table, const char *name)
{
  ART_ASSERT(2 * table->count <= table->size && table->size > 0); // there is an empty slot
  uint64_t i = name_hash_of(name);
  for (;; i++) {
    tableEntry *e = &table->entry[i & (uint64_t) (table->size - 1)]; // size is a power of two
    if (!e->name || strcmp(e->name, name) == 0) return e;
  }
}


static int grow_table(baseTable *table, baseArena *arena)
{
  baseTable larger = {.size = table->size ? 2 * table->size : 32, .count = table->count};
  larger.entry = arena_alloc(arena, (size_t) larger.size, sizeof *larger.entry);
  if (!larger.entry) return 0;
  for (int i = 0; i < table->size; i++) {
    if (table->entry[i].name) *table_entry_place(&larger, table->entry[i].name) = table->entry[i];
  }
  *table = larger;
  return 1;
}


int table_add(baseTable *table, baseArena *arena, const char *name, int value)
{
  ART_ASSERT(name && value >= 0);
  ART_ASSERT(table_find(table, name) < 0);
  if (2 * (table->count + 1) > table->size && !grow_table(table, arena)) return 0;
  *table_entry_place(table, name) = (tableEntry){name, value};
  table->count++;
  return 1;
}


int table_find(const baseTable *table, const char *name)
{
  if (table->count == 0) return -1;
  const tableEntry *e = table_entry_place(table, name);
  return e->name ? e->value : -1;
}
