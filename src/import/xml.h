// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// XML text as a tree of elements that know where they stand and whether somebody has looked at them.
//
// Whoever reads an element or an attribute marks it by asking for it; what nobody asked for is told to the user
// (import/import_work.h). Entities are refused, and so is what could make a small file expensive.
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
  const char *text; // all of it, without space at both ends
  artPlace place;
  bool is_read;
  int number; // for the reader of the format
  xmlAttribute *attribute;
  struct xmlNode *parent, *first, *last, *next;
} xmlNode;

// Read a document; `name` stands for the file in messages and must live as long as the tree, which is in the arena.
// ART_UNSUPPORTED in a build without libexpat.
artStatus xml_read(baseArena *arena, const char *name, const char *text, size_t length,
                   xmlNode **root, artError *error);

// The same by the helper articula-parse, for which the text is a `kind` ("description" of an FMU, or any other "xml"), where there
// is one (base/sandbox.h); and its part: the tree as fields of the answer.
artStatus xml_read_apart(baseArena *arena, const char *kind, const char *name, const char *text,
                         size_t length, xmlNode **root, artError *error);
void xml_put(FILE *out, const xmlNode *node);

// An attribute, or NULL; its value, which counts as read.
xmlAttribute *xml_attribute(const xmlNode *node, const char *name);
const char *xml_get(const xmlNode *node, const char *attribute);

// The first element of this name inside, or NULL; the next one of the same name. They count as read.
xmlNode *xml_child(xmlNode *node, const char *name);
xmlNode *xml_next(xmlNode *node);

// The level of an element; that of the root is 1.
int xml_level(const xmlNode *node);

// Ends of lines in a text.
int xml_count_lines(const char *from, const char *to);

// Take all of an element as read.
void xml_skip(xmlNode *node);

#endif
