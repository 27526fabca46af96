// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names that a file leaves to the file that includes it: what they represent.
#include "model/read/reader.h"

#include <string.h>

#include "base/error_recovery.h"


// the section is a list of names
static void check_section(const yamlNode *section)
{
  if (section->kind != NODE_SEQUENCE) {
    reader_wrong_shape(section, "a list of names, like [steer]");
  }
  for (const yamlNode *item = section->first; item; item = item->next) {
    if (item->kind != NODE_SCALAR) reader_wrong_shape(item, "a name");
    const yamlNode name = {.key = item->text, .key_place = item->place};
    reader_check_name(&name, "what an including file gives", false);
  }
}


void reader_read_names(modelReader *reader, const readerFile *file, const yamlNode *given)
{
  const yamlNode *section = yaml_find(file->root, "names");
  if (section) check_section(section);
  if (given) reader_check_mapping(given, "names and what they mean");
  for (const yamlNode *item = section ? section->first : NULL; item; item = item->next) {
    if (given && yaml_find(given, item->text)) continue;
    error_refuse(given ? given->place : item->place,
                 "'%s' does not define '%s': include it with "
                 "'names: {%s: ..}'",
                 file->name, item->text, item->text);
  }
  if (!given) return;
  if (strcmp(file->prefix, file->parent->prefix) == 0) {
    if (recovery_is_spoilt()) recovery_drop(); // the prefix may be what is wrong
    error_refuse(given->place, "names need a prefix, to belong to '%s' alone", file->name);
  }
  reader_built(reader, builder_scope(reader->builder, file->parent->prefix));
  for (const yamlNode *item = given->first; item; item = item->next) {
    const yamlNode *wanted = section ? section->first : NULL;
    baseNearest nearest = {.word = item->key};
    for (; wanted && strcmp(wanted->text, item->key) != 0; wanted = wanted->next) {
      base_consider(&nearest, wanted->text);
    }
    if (!wanted) {
      char hint[BASE_HINT_LENGTH];
      error_refuse(item->key_place, "'%s' does not ask for the name '%.60s'%s", file->name,
                   item->key, base_hint(&nearest, hint));
    }
    const char *target = NULL;
    reader_read_text(item, &target);
    const char *name = arena_format(&reader->arena, "%s/%s", file->prefix, item->key);
    reader_built(reader, builder_alias(reader->builder, name, target));
  }
}
