// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Copies of elements of MJCF under other names, for <replicate> and <attach>.
#ifndef IMPORT_MJCF_COPY_H
#define IMPORT_MJCF_COPY_H

#include "import/mjcf.h"

typedef struct mjcfCopy {
  mjcfReader *r;
  const char *before, *after; // what names begin and end with
  baseTable names;            // "kind:name" of what is copied
} mjcfCopy;

// The name of an element, or those of all within it too, belong to what is copied.
void mjcf_keep_name(mjcfCopy *job, const xmlNode *node);
void mjcf_keep_names(mjcfCopy *job, const xmlNode *node);

// How many names within an element refer to what is copied (`inside`), or to other things.
void mjcf_count_references(mjcfCopy *job, const xmlNode *node, int *inside, int *outside);

// A copy of an element, in which names and references to what is copied are changed.
xmlNode *mjcf_copy_node(mjcfCopy *job, const xmlNode *node, xmlNode *parent);

// A new element that counts as read, without a place in the one around it.
xmlNode *mjcf_new_node(importWork *w, const char *name, xmlNode *parent, artPlace place);

// Put an element at the end of another.
void mjcf_append(xmlNode *node, xmlNode *child);

// Numbers between spaces.
const char *mjcf_spaced(importWork *w, int n, const double *x);

// Sections behind the bodies whose elements refer to names, in the order in which they refer to each other.
enum { MJCF_SECTIONS = 5 };
extern const char *const mjcf_sections[MJCF_SECTIONS];

#endif
