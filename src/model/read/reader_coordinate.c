// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The joints of all files, to know which unit a value has that belongs to a coordinate.
#include "model/read/reader.h"

#include <stdio.h>
#include <string.h>


//---- joints by name ------------------------------------------------------------------------------

void reader_add_joint(modelReader *reader, const char *name, artJointType type)
{
  // a leading '/' means: as written; else as the builder completes it, by prefix and aliases
  const char *prefix = reader->file->prefix, *full = name + (name[0] == '/');
  if (prefix[0] && full == name) {
    size_t own = 0;
    full = arena_format(&reader->arena, "%s/%s", prefix, name);
    const char *target = builder_find_alias(reader->builder, full, &own);
    if (target) full = arena_format(&reader->arena, "%s%s", target, full + own);
  }
  table_add(&reader->joints, &reader->arena, full, (int) type);
}


enum { LONGEST_LOOKUP = 1024 };


// the first n characters of a name, completed, in a buffer; NULL when it is longer than any joint's
static const char *looked_up(const modelReader *reader, const char *name, size_t n,
                             char buffer[LONGEST_LOOKUP])
{
  const char *prefix = name[0] == '/' ? "" : reader->file->prefix;
  const char *rest = name[0] == '/' ? name + 1 : name;
  const int count = (int) (n - (size_t) (rest - name));
  const int length =
      snprintf(buffer, LONGEST_LOOKUP, "%s%s%.*s", prefix, prefix[0] ? "/" : "", count, rest);
  if (length >= LONGEST_LOOKUP) return NULL;

  // only names of an included file represent others
  size_t own = 0;
  const char *target = prefix[0] ? builder_find_alias(reader->builder, buffer, &own) : NULL;
  if (!target) return buffer;
  const size_t other = strlen(target);
  if ((size_t) length - own + other >= LONGEST_LOOKUP) return NULL;
  memmove(buffer + other, buffer + own, (size_t) length - own + 1);
  memcpy(buffer, target, other);
  return buffer;
}


static int find_reader_joint(const modelReader *reader, const char *name, size_t n)
{
  char buffer[LONGEST_LOOKUP];
  const char *full = n > 0 && n < LONGEST_LOOKUP ? looked_up(reader, name, n, buffer) : NULL;
  return full ? table_find(&reader->joints, full) : -1;
}


int reader_find_joint(const modelReader *reader, const char *name)
{
  return find_reader_joint(reader, name, strlen(name));
}


//---- length or angle -----------------------------------------------------------------------------

static fieldAxis coordinate_axis_kind(const jointCoordinate *coordinate)
{
  return coordinate->quantity == Q_LENGTH || coordinate->quantity == Q_VELOCITY ? AXIS_LINEAR
                                                                                : AXIS_ANGULAR;
}


fieldAxis reader_axis_of(const modelReader *reader, const char *coordinate)
{
  const int whole = reader_find_joint(reader, coordinate);
  if (whole >= 0) {
    const jointCoordinate *list = joint_kinds[whole].coordinate;
    const bool has_one = list[0].name && list[0].is_position && !list[1].is_position;
    return has_one ? coordinate_axis_kind(&list[0]) : AXIS_UNKNOWN;
  }

  const char *dot = strrchr(coordinate, '.');
  if (!dot) return AXIS_UNKNOWN;
  const int type = find_reader_joint(reader, coordinate, (size_t) (dot - coordinate));
  if (type < 0) return AXIS_UNKNOWN;

  for (const jointCoordinate *c = joint_kinds[type].coordinate; c->name; c++) {
    if (strcmp(c->name, dot + 1) == 0) return coordinate_axis_kind(c);
  }
  return AXIS_UNKNOWN;
}
