// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// YAML (and so JSON) text as a tree of nodes with their places.
//
// Nodes are typed by structure only: a scalar is its text, and the reader of the tree decides the
// meaning of `1e3`, `yes` or `= m*L`. Only the part of YAML that models need is accepted. Anchors,
// aliases, tags, merge keys, multiple documents and keys that are not plain words are refused, and
// so is anything that could make a small file expensive: more than 64 MiB, more than 64 levels, or
// more nodes than a call may read (base/budget.h).
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "articula/base.h"
#include "base/arena.h"

enum { YAML_DEEPEST = 64 };

typedef enum yamlKind { NODE_SCALAR, NODE_SEQUENCE, NODE_MAPPING } yamlKind;

typedef struct yamlNode yamlNode;
struct yamlNode {
  yamlKind kind;
  artPlace place;

  // the key of this value in a mapping, otherwise NULL
  const char *key;
  artPlace key_place;

  // scalar: UTF-8 without zero bytes, zero-terminated
  const char *text;
  size_t length;
  bool quoted;

  // sequence or mapping: its values in file order
  yamlNode *first;
  int count;

  yamlNode *next; // next sibling
};

// Parse a document of `length` bytes; `name` is the file name for messages. The tree is allocated
// in the arena, which the caller must free even on failure.
artStatus yaml_read_text(baseArena *arena, const char *name, const char *text, size_t length,
                         yamlNode **root, artError *error);

// The two parts of it: a tree that may contain duplicate keys, and the check for duplicates.
artStatus yaml_read_tree(baseArena *arena, const char *name, const char *text, size_t length,
                         yamlNode **root, artError *error);
artStatus yaml_check_keys(yamlNode *root, artError *error);
// Where mistakes are collected (base/error_recovery.h), the later of two values goes.

// Read a file. ART_IO when it cannot be read, ART_BAD_INPUT when its contents are wrong.
artStatus yaml_read_file(baseArena *arena, const char *path, yamlNode **root, artError *error);

// Value of a key in a mapping, or NULL.
yamlNode *yaml_find(const yamlNode *mapping, const char *key);

// Take a value out of a collection; later ones move up.
void yaml_remove(yamlNode *parent, const yamlNode *child);

// Description of a node for "found ...": "'abc'", "an empty value", "a list of 3 items", "a
// mapping". Truncates long texts and replaces unprintable characters. Returns the buffer.
enum { YAML_PHRASE_LENGTH = 80 };
const char *yaml_describe(const yamlNode *node, char buffer[YAML_PHRASE_LENGTH]);

//---- text of a YAML file (yaml_text.c) -----------------------------------------------------------

enum { YAML_LARGEST_FILE = 64 << 20 };

// Read a regular file; zero-terminated (not counted in `length`); free with mem_free. Refuses
// directories, devices, pipes and files over YAML_LARGEST_FILE before reading.
artStatus yaml_load_text(const char *path, char **text, size_t *length, artError *error);

// Check that it is UTF-8 without control characters, not empty, and not too large.
artStatus yaml_check_text(const char *file, const char *text, size_t length, artError *error);

// Length of the UTF-8 byte order mark at the start: 3 or 0.
size_t yaml_byte_order_mark(const char *text, size_t length);

// Copy for messages, at most `size` bytes: control characters become '?'; a long text ends with
// "...".
void yaml_printable(const char *text, char *shown, size_t size);

#endif
