// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Hash table from names to numbers, for bodies, joints and so on.
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/arena.h"

typedef struct tableEntry {
  const char *name; // NULL marks an empty slot
  int value;
} tableEntry;

// Initialise with {0}; entries are allocated in the arena given to table_add; names belong to the
// caller.
typedef struct baseTable {
  tableEntry *entry;
  int count, size;
} baseTable;

// Add a new name. Returns 0 when memory ran out.
int table_add(baseTable *table, baseArena *arena, const char *name, int value);

// Number of a name, or -1.
int table_find(const baseTable *table, const char *name);

#endif
