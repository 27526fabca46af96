// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of an included file that represent things of the file that includes it.
#include "model/read/alias.h"

#include <string.h>

#include "model/define/records.h"


const char *alias_find(const recordList *aliases, const char *name, size_t *length)
{
  for (int i = 0; aliases && i < aliases->count; i++) {
    const modelAlias *alias = RECORD(*aliases, modelAlias, i);
    const size_t n = strlen(alias->name);
    if (strncmp(name, alias->name, n) != 0 || !strchr("./", name[n])) continue;
    *length = n;
    return alias->target;
  }
  return NULL;
}


const char *alias_replace(const recordList *aliases, baseArena *arena, const char *name)
{
  size_t n = 0;
  const char *target = alias_find(aliases, name, &n);
  return target ? arena_format(arena, "%s%s", target, name + n) : name;
}
