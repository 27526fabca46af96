// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A small reader of JSON (RFC 8259): a text becomes a tree of nodes in an arena.
#ifndef SHOW_JSON_READ_H
#define SHOW_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "articula/base.h"
#include "base/arena.h"

typedef enum jsonKind {
  JSON_NULL,
  JSON_BOOL,
  JSON_NUMBER,
  JSON_TEXT,
  JSON_ARRAY,
  JSON_OBJECT
} jsonKind;

typedef struct jsonNode jsonNode;
struct jsonNode {
  jsonKind kind;
  int count;        // of items
  const char *key;  // in an object; else NULL
  const char *text; // UTF-8
  double number;    // of a bool 0 or 1
  jsonNode *first, *next;
};

// Read a text of n bytes; *root is NULL after a failure, which has the line in its place. `name` stands for
// the text in messages.
artStatus json_read(const jsonNode **root, const char *text, size_t n, const char *name,
                    baseArena *arena, artError *error);

//---- asking --------------------------------------------------------------------------------------

// The value of a key, or NULL; `node` may be NULL.
const jsonNode *json_find(const jsonNode *node, const char *key);

// Values of keys, or `otherwise` where they are missing or of another kind.
double json_find_number(const jsonNode *node, const char *key, double otherwise);
const char *json_find_text(const jsonNode *node, const char *key, const char *otherwise);
bool json_find_bool(const jsonNode *node, const char *key);
int json_find_index(const jsonNode *node, const char *key, int otherwise); // a whole number
int json_find_numbers(const jsonNode *node, const char *key, int n, double *values); // 1: all there

// How many items an array has under a key; 0 when it is no array.
int json_find_count(const jsonNode *node, const char *key);

#endif
