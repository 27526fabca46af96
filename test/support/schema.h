// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The model format described from the reader's own tables: JSON Schema and tables for people.
#ifndef SUPPORT_SCHEMA_H
#define SUPPORT_SCHEMA_H

#include "model/read/reader.h"

// A JSON Schema (draft 7, which editors understand) of model files; NULL when memory ran out. It knows
// shapes, keys and words, but not units, names of other items or arithmetic. Free with free.
char *schema_create_text(void);

// The keys of a form as a table in Markdown; those that it shares with others of its family by their names. Likewise.
char *schema_create_keys(const fieldForm *form);

// The keys that several types of a family share, as such a table; NULL for a family that shares none.
char *schema_create_shared(const char *name);

// The keys of all types of a family as one table, each with the types that have it; NULL for an unknown family.
char *schema_create_family(const char *name);

// The form with this name and type (NULL when it has none), or NULL.
const fieldForm *schema_find_form(const char *name, const char *type);

#endif
