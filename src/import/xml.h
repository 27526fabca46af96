// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// XML text as a tree of elements that record their place and whether they were read.
//
// Asking for an element or an attribute marks it as read; unread ones are reported to the user
// (import/import_work.h). Entities are rejected, and so is anything that could make a small file
// expensive.
#ifndef IMPORT_XML_H
#define IMPORT_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "articula/base.h"
#include "base/arena.h"

enum { XML_DEEPEST = 256, XML_LARGEST_FILE = 64 << 20 };

typedef struct xmlAttribute {
  const char *name, *value;
  bool is_read;
  struct xmlAttribute *next;
} xmlAttribute;

typedef struct xmlNode {
  const char *name;
  const char *text; // without leading and trailing space
  artPlace place;
  bool is_read;
  int number; // for use by the reader of a format
  xmlAttribute *attribute;
  struct xmlNode *parent, *first, *last, *next;
} xmlNode;

// Parse a document; `name` replaces the file name in messages and must outlive the tree, which is
// in the arena. ART_UNSUPPORTED in a build without libexpat.
artStatus xml_read(baseArena *arena, const char *name, const char *text, size_t length,
                   xmlNode **root, artError *error);

// xml_read_apart: the same by the helper articula-parse, if available (base/sandbox.h); the `kind`
// of the text is "description" for an FMU, else "xml". xml_put: in the helper, write the tree as
// fields of the answer.
artStatus xml_read_apart(baseArena *arena, const char *kind, const char *name, const char *text,
                         size_t length, xmlNode **root, artError *error);
void xml_put(FILE *out, const xmlNode *node);

// An attribute, or NULL; its value, marked as read.
xmlAttribute *xml_attribute(const xmlNode *node, const char *name);
const char *xml_get(const xmlNode *node, const char *attribute);

// The first child of this name, or NULL; the next sibling of the same name. They are marked as
// read.
xmlNode *xml_child(xmlNode *node, const char *name);
xmlNode *xml_next(xmlNode *node);

// The nesting level of an element; the root has 1.
int xml_level(const xmlNode *node);

// Number of newlines in a text.
int xml_count_lines(const char *from, const char *to);

// Mark an element and its contents as read.
void xml_skip(xmlNode *node);

#endif
