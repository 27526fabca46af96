// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A JSON reader (RFC 8259), which builds a tree of nodes in an arena.
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
  int count;        // number of items
  const char *key;  // in an object; else NULL
  const char *text; // UTF-8
  double number;    // also 0 or 1 for a bool
  jsonNode *first, *next;
};

// Parse n bytes; *root is NULL after a failure, whose place has the line. `name` replaces the file
// name in messages.
artStatus json_read(const jsonNode **root, const char *text, size_t n, const char *name,
                    baseArena *arena, artError *error);

//---- queries -------------------------------------------------------------------------------------

// The value of a key, or NULL; `node` may be NULL.
const jsonNode *json_find(const jsonNode *node, const char *key);

// Values of keys, or `otherwise` if they are missing or of another kind.
double json_find_number(const jsonNode *node, const char *key, double otherwise);
const char *json_find_text(const jsonNode *node, const char *key, const char *otherwise);
bool json_find_bool(const jsonNode *node, const char *key);
int json_find_index(const jsonNode *node, const char *key, int otherwise);           // an integer
int json_find_numbers(const jsonNode *node, const char *key, int n, double *values); // 1: all there
int json_find_count(const jsonNode *node, const char *key);

#endif
