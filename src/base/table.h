// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A table from names to numbers, for looking up bodies, joints and the like.
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/arena.h"

typedef struct tableEntry {
  const char *name; // NULL marks an empty place
  int value;
} tableEntry;

// Start from {0}; entries live in the arena given to table_add, names belong to the caller.
typedef struct baseTable {
  tableEntry *entry;
  int count, size;
} baseTable;

// Add a name that is not there yet. Returns 0 when memory ran out.
int table_add(baseTable *table, baseArena *arena, const char *name, int value);

// The number of a name, or -1.
int table_find(const baseTable *table, const char *name);

#endif
