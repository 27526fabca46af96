// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of an included file that represent things of the file that includes it.
#ifndef MODEL_ALIAS_H
#define MODEL_ALIAS_H

#include "base/arena.h"

typedef struct modelAlias {
  const char *name, *target; // both whole
} modelAlias;

typedef struct recordList recordList;

// The name for the beginning of another one, up to its end or to a '.' or '/', and its length; NULL:
// nothing does. The list, of modelAlias, may be NULL.
const char *alias_find(const recordList *aliases, const char *name, size_t *length);

// The name with its beginning replaced: "turn/car.vx" is "chassis.vx" where "turn/car" is "chassis". Itself
// where nothing represents it; NULL when memory ran out.
const char *alias_replace(const recordList *aliases, baseArena *arena, const char *name);

#endif
