// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a YAML document.
#include <stdint.h>
#include <stdlib.h>

#include "base/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


// visit everything, so that the sanitizers see bad pointers
static size_t weigh(const yamlNode *node)
{
  char phrase[YAML_PHRASE_LENGTH];
  size_t sum = node->length + (yaml_describe(node, phrase)[0] != '\0');
  for (size_t i = 0; i < node->length; i++) sum += node->text[i] != '\0';

  int count = 0;
  for (const yamlNode *child = node->first; child; child = child->next, count++) {
    if (child->key && yaml_find(node, child->key) != child) abort();
    sum += weigh(child);
  }
  if (count != node->count) abort();
  return sum;
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  baseArena arena = {0};
  artError error = {0};
  yamlNode *root = NULL;
  const artStatus status = yaml_read_text(&arena, "fuzz", (const char *) data, size, &root, &error);
  if ((status == ART_OK) != (root != NULL)) abort();
  if (root && weigh(root) == 0 && size > YAML_LARGEST_FILE) abort();
  arena_free(&arena);
  return 0;
}
