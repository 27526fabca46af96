// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small tables of names: strings, or structures whose first member is a string.
#ifndef BASE_NAMED_H
#define BASE_NAMED_H

#include <stddef.h>
#include <string.h>

// Index of the entry with this name; -1: none.
#define NAMED_FIND(table, name) named_find(table, sizeof(table), sizeof *(table), name)

static inline int named_find(const void *table, size_t size, size_t entry, const char *name)
{
  for (size_t at = 0; at < size; at += entry) {
    const char *own;
    memcpy(&own, (const char *) table + at, sizeof own);
    if (strcmp(own, name) == 0) return (int) (at / entry);
  }
  return -1;
}

#endif
