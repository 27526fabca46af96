// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines as data in languages other than C: names, units, sizes and lists of numbers, printed by sections of a template.
#ifndef EMIT_LANGUAGE_H
#define EMIT_LANGUAGE_H

#include "base/arena.h"
#include "emit/machine/machine.h"

typedef struct machineLanguage {
  const emitSyntax *syntax;
  const char *const *text; // the template
  int (*declare)(
      const emitJob *job); // parameters and functions of the user; returns 0 when memory ran out
  char quote, escape;      // around strings, and before characters ...
  const char *escaped;     // ... of these
  const char *joint;       // between pieces of long strings; NULL: they are not cut
  const char *limits[2];   // minus and plus infinity
  int is_plain;            // sections without values keep @, which is an operator there
} machineLanguage;

typedef struct languageText {
  const machineLanguage *language;
  const machineText *machine;
  const char *name; // of the machine in this language
  FILE *out;
  baseArena *arena; // throws when memory runs out
} languageText;

// Values that are separated by commas; lines break between values.
typedef struct valueList {
  const languageText *text;
  char *value;
  int length, capacity, n;
  size_t column;
} valueList;
valueList list_open(const languageText *text);
void list_add(valueList *list, const char *value);

void language_section(const languageText *text, const char *section, const char *function,
                      const char *word, const char *other);
const char *language_integer(const languageText *text, int i);
const char *language_number(const languageText *text, double x);
const char *language_quote(const languageText *text, const char *string);

// Sections "size" and "inner size" for all lengths; "about"; "list", "entry" and "list end" for all lists; parameters and functions of
// the user; comments on the origin of the file.
void language_sizes(const languageText *text);
void language_about(const languageText *text);
void language_lists(const languageText *text);
void language_parameters(const languageText *text);
void language_provenance(const languageText *text);

// The name of the machine in the language: MATLAB and Java use the name of the file.
artStatus language_name(languageText *text, artError *error);

#endif
