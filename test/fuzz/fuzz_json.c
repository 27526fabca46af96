// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as JSON, as certificates and heads of scenes are. All nodes can be visited.
#include <string.h>

#include "base/plain.h"
#include "harness.h"
#include "show/json_read.h"


static void visit(const jsonNode *node)
{
  int count = 0;
  REQUIRE(node->kind != JSON_TEXT || node->text);
  if (node->text) REQUIRE(strlen(node->text) < 1u << 30);
  for (const jsonNode *child = node->first; child; child = child->next, count++) {
    REQUIRE((node->kind == JSON_OBJECT) == (child->key != NULL));
    if (child->key) REQUIRE(json_find(node, child->key));
    visit(child);
  }
  REQUIRE(count == node->count);
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const jsonNode *root = NULL;
  baseArena arena = {0};
  artError error = {0};
  const artStatus status = json_read(&root, (const char *) data, size, "fuzz.json", &arena, &error);
  REQUIRE((status == ART_OK) == (root != NULL) && (status == ART_OK) == !error.text[0]);
  if (root) visit(root);
  arena_free(&arena);
  return 0;
}
