// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// YAML (and so JSON) text as a tree of nodes that know where they stand.
//
// The tree is typed by its shape alone: a scalar is its text, and what `1e3`, `yes` or `= m*L` mean
// is decided by whoever reads it. Of YAML we take what a model needs. Anchors, aliases, tags, merge
// keys, several documents and keys that are not plain words are refused, and so is anything that
// could make a small file expensive: more than 64 MiB or 64 levels, or more nodes than a call may read (base/budget.h).
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

  // in a mapping: the key of this value; otherwise NULL
  const char *key;
  artPlace key_place;

  // of a scalar: UTF-8 without zero bytes, ended by one
  const char *text;
  size_t length;
  bool quoted;

  // of a sequence or a mapping: its values in the order of the file
  yamlNode *first;
  int count;

  yamlNode *next; // the sibling
};

// Read a document of `length` bytes; `name` stands for the file in messages. The tree lives in the
// arena, which is left for the caller to free also when reading fails.
artStatus yaml_read_text(baseArena *arena, const char *name, const char *text, size_t length,
                         yamlNode **root, artError *error);

// The two parts of it: a tree in which keys may stand twice in a mapping, and whether one does.
artStatus yaml_read_tree(baseArena *arena, const char *name, const char *text, size_t length,
                         yamlNode **root, artError *error);
artStatus yaml_check_keys(const yamlNode *root, artError *error);

// Read a file. ART_IO when it cannot be read, ART_BAD_INPUT when its contents are wrong.
artStatus yaml_read_file(baseArena *arena, const char *path, yamlNode **root, artError *error);

// The value under a key of a mapping, or NULL.
yamlNode *yaml_find(const yamlNode *mapping, const char *key);

// Words for a node, for "found ...": "'abc'", "an empty value", "a list of 3 items", "a mapping".
// Long texts are cut and unprintable characters replaced. Returns the buffer.
enum { YAML_PHRASE_LENGTH = 80 };
const char *yaml_describe(const yamlNode *node, char buffer[YAML_PHRASE_LENGTH]);

//---- the bytes under a tree (yaml_text.c) --------------------------------------------------------

enum { YAML_LARGEST_FILE = 64 << 20 };

// All bytes of a regular file, ended by a zero that `length` does not count; free with mem_free.
// Directories, devices, pipes and files over YAML_LARGEST_FILE are refused before any byte is read.
artStatus yaml_load_text(const char *path, char **text, size_t *length, artError *error);

// Is this UTF-8 without control characters, not empty, and not too large?
artStatus yaml_check_text(const char *file, const char *text, size_t length, artError *error);

// Bytes of the UTF-8 byte order mark at the start: 3 or 0.
size_t yaml_byte_order_mark(const char *text, size_t length);

// A copy for messages that fits in `size` bytes: control characters become '?', a long text ends
// in "...".
void yaml_printable(const char *text, char *shown, size_t size);

#endif
