// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names that a file leaves to the file that includes it: what they stand for.
#include "model/reader.h"

#include <string.h>


static const yamlNode *find_wanted(const yamlNode *section, const char *name)
{
  const yamlNode *item = section ? section->first : NULL;
  while (item && strcmp(item->text, name) != 0) item = item->next;
  return item;
}


// the section is a list of names
static artStatus check_section(modelReader *reader, const yamlNode *section)
{
  char found[YAML_PHRASE_LENGTH];
  if (section->kind != NODE_SEQUENCE) {
    return READER_FAIL(reader, section->place, "found %s, expected a list of names, like [steer]",
                       yaml_describe(section, found));
  }
  for (const yamlNode *item = section->first; item; item = item->next) {
    if (item->kind != NODE_SCALAR) {
      return READER_FAIL(reader, item->place, "found %s, expected a name",
                         yaml_describe(item, found));
    }
    const yamlNode name = {.key = item->text, .key_place = item->place};
    const artStatus status =
        reader_check_name(reader, &name, "what an including file gives", false);
    if (status) return status;
  }
  return ART_OK;
}


static artStatus check_all_given(modelReader *reader, const readerFile *file,
                                 const yamlNode *section, const yamlNode *given)
{
  for (const yamlNode *item = section ? section->first : NULL; item; item = item->next) {
    if (given && yaml_find(given, item->text)) continue;
    return READER_FAIL(reader, given ? given->place : item->place,
                       "'%s' has to be told what '%s' stands for: include it with "
                       "'names: {%s: ..}'",
                       file->name, item->text, item->text);
  }
  return ART_OK;
}


static artStatus unknown_name(modelReader *reader, const readerFile *file, const yamlNode *section,
                              const yamlNode *item)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = item->key};
  for (const yamlNode *n = section ? section->first : NULL; n; n = n->next) {
    base_consider(&nearest, n->text);
  }
  return READER_FAIL(reader, item->key_place, "'%s' does not ask for the name '%.60s'%s",
                     file->name, item->key, base_hint(&nearest, hint));
}


static artStatus add_name(modelReader *reader, const readerFile *file, const yamlNode *item)
{
  const char *target = NULL;
  const artStatus status = reader_read_text(reader, item, &target);
  if (status) return status;
  const char *name = arena_format(&reader->arena, "%s/%s", file->prefix, item->key);
  return name ? builder_alias(reader->builder, name, target) : base_no_memory(reader->error);
}


artStatus reader_read_names(modelReader *reader, const readerFile *file, const yamlNode *given)
{
  const yamlNode *section = yaml_find(file->root, "names");
  artStatus status = section ? check_section(reader, section) : ART_OK;
  if (!status && given)
    status = reader_check_mapping(reader, given, "names and what they stand for");
  if (!status) status = check_all_given(reader, file, section, given);
  if (status || !given) return status;
  if (strcmp(file->prefix, file->parent->prefix) == 0) {
    return READER_FAIL(reader, given->place, "names need a prefix, to be those of '%s' alone",
                       file->name);
  }
  status = builder_scope(reader->builder, file->parent->prefix);
  for (const yamlNode *item = given->first; item && !status; item = item->next) {
    status = find_wanted(section, item->key) ? add_name(reader, file, item)
                                             : unknown_name(reader, file, section, item);
  }
  return status;
}
