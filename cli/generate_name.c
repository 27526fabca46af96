// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of machines, and of files that MATLAB calls by these names: blocks of Simulink, and simulators.
#include "verb_generate.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

// words of MATLAB and of C
static const char *const keywords[] = {
    "auto",    "break",    "case",      "catch",      "char",     "classdef", "const",  "continue",
    "default", "do",       "double",    "else",       "elseif",   "end",      "enum",   "extern",
    "float",   "for",      "function",  "global",     "goto",     "if",       "inline", "int",
    "long",    "parfor",   "otherwise", "persistent", "register", "restrict", "return", "short",
    "signed",  "sizeof",   "spmd",      "static",     "struct",   "switch",   "try",    "typedef",
    "union",   "unsigned", "void",      "volatile",   "while"};


void generate_stem(const char *path, char name[FILE_PATH_LENGTH])
{
  const char *slash = strrchr(path, '/');
  snprintf(name, FILE_PATH_LENGTH, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot) *dot = 0;
}


static int is_keyword(const char *name)
{
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    if (strcmp(name, keywords[i]) == 0) return 1;
  }
  return 0;
}


artStatus generate_check_word(const char *word, artError *error)
{
  enum { LONGEST = 40 };
  if (!word) return ART_OK;
  const int is_word = *word && strchr(letters, *word) && strspn(word, others) == strlen(word);
  if (is_word && strlen(word) <= LONGEST) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--name is '%.60s', expected letters, digits and underscores, a letter first, "
                   "%d of them at most",
                   word, LONGEST);
}


artStatus generate_check_stem(const char *path, artError *error)
{
  enum { LONGEST = 63 };
  char name[FILE_PATH_LENGTH];
  generate_stem(path, name);
  const int is_name = *name && strchr(letters, *name) && strspn(name, others) == strlen(name);
  if (!is_name || strlen(name) > LONGEST) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "'%.100s' cannot be called from MATLAB: its name must be of letters, digits "
                     "and underscores, begin with a letter, and have at most %d of them; choose "
                     "another with -o",
                     name, LONGEST);
  }
  if (!is_keyword(name)) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "'%s' cannot be called from MATLAB: it is a word of MATLAB or C; choose another "
                   "name with -o",
                   name);
}


// whether a function of this name, a call of one, or what C defines outside of functions stands in a line; comments and members of
// structures do not count
static int uses(const char *line, size_t length, const char *name)
{
  const size_t n = strlen(name);
  const char *from = line + strspn(line, " ");
  const int is_defined =
      strncmp(line, "static ", 7) == 0 || strncmp(line, "enum ", 5) == 0 || *line == '}';
  if (*from == '%' || *from == '/') return 0;
  for (const char *at = from; at + n < line + length; at++) {
    if (strncmp(at, name, n) != 0 || !strchr(is_defined ? "([; " : "(", at[n])) continue;
    if (at == from || (!strchr(others, at[-1]) && !strchr(".>", at[-1]))) return 1;
  }
  return 0;
}


artStatus generate_check_calls(const char *name, const char *text, artError *error)
{
  const char *line = text + strcspn(text, "\n");
  while (*line) {
    line++;
    const size_t length = strcspn(line, "\n");
    if (uses(line, length, name)) {
      return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "'%s' is a name that the text itself uses; choose another with -o", name);
    }
    line += length;
  }
  return ART_OK;
}
