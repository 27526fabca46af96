// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names that a file leaves to the file that includes it: what they stand for.
#include "model/reader.h"

#include <string.h>


// the section is a list of names
static artStatus check_section(modelReader *reader, const yamlNode *section)
{
  if (section->kind != NODE_SEQUENCE) {
    return reader_wrong_shape(reader, section, "a list of names, like [steer]");
  }
  for (const yamlNode *item = section->first; item; item = item->next) {
    if (item->kind != NODE_SCALAR) {
      return reader_wrong_shape(reader, item, "a name");
    }
    const yamlNode name = {.key = item->text, .key_place = item->place};
    const artStatus status =
        reader_check_name(reader, &name, "what an including file gives", false);
    if (status) return status;
  }
  return ART_OK;
}


artStatus reader_read_names(modelReader *reader, const readerFile *file, const yamlNode *given)
{
  const yamlNode *section = yaml_find(file->root, "names");
  artStatus status = section ? check_section(reader, section) : ART_OK;
  if (!status && given) {
    status = reader_check_mapping(reader, given, "names and what they stand for");
  }
  if (status) return status;
  for (const yamlNode *item = section ? section->first : NULL; item; item = item->next) {
    if (given && yaml_find(given, item->text)) continue;
    return READER_FAIL(reader, given ? given->place : item->place,
                       "'%s' has to be told what '%s' stands for: include it with "
                       "'names: {%s: ..}'",
                       file->name, item->text, item->text);
  }
  if (!given) return ART_OK;
  if (strcmp(file->prefix, file->parent->prefix) == 0) {
    return READER_FAIL(reader, given->place, "names need a prefix, to be those of '%s' alone",
                       file->name);
  }
  status = builder_scope(reader->builder, file->parent->prefix);
  for (const yamlNode *item = given->first; item && !status; item = item->next) {
    const yamlNode *wanted = section ? section->first : NULL;
    baseNearest nearest = {.word = item->key};
    for (; wanted && strcmp(wanted->text, item->key) != 0; wanted = wanted->next) {
      base_consider(&nearest, wanted->text);
    }
    if (!wanted) {
      char hint[BASE_HINT_LENGTH];
      return READER_FAIL(reader, item->key_place, "'%s' does not ask for the name '%.60s'%s",
                         file->name, item->key, base_hint(&nearest, hint));
    }
    const char *target = NULL;
    status = reader_read_text(reader, item, &target);
    if (status) return status;
    const char *name = arena_format(&reader->arena, "%s/%s", file->prefix, item->key);
    status = name ? builder_alias(reader->builder, name, target) : base_no_memory(reader->error);
  }
  return status;
}
