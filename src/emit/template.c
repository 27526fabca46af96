// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sections of templates, with marks replaced and lines under conditions.
#include "emit/template.h"

#include <string.h>

#include "base/error.h"

static const char rule[] = "==== ";


void emit_lines(FILE *out, const char *const *lines)
{
  for (; *lines; lines++) fprintf(out, "%s\n", *lines);
}


static const char *value_of(const templateValues *v, char mark)
{
  return mark == '@'   ? v->name
         : mark == '$' ? v->function
         : mark == '~' ? v->word
         : mark == '^' ? v->other
                       : NULL;
}


// Skip the conditions that a line begins with; returns whether all of them hold.
static int skip_conditions(const char **line, const templateCondition *list)
{
  int holds = 1;
  for (const templateCondition *c = list; **line == '[' && c && c->name;) {
    const size_t n = strlen(c->name);
    if (strncmp(*line, c->name, n) != 0) {
      c++;
      continue;
    }
    holds &= c->holds;
    *line += n;
    c = list;
  }
  return holds;
}


void template_print(FILE *out, const char *const *text, const char *section,
                    const templateValues *values)
{
  const size_t n = sizeof rule - 1;
  while (*text && (strncmp(*text, rule, n) != 0 || strcmp(*text + n, section) != 0)) text++;
  ART_ASSERT(*text);
  for (text++; strncmp(*text, rule, n) != 0; text++) {
    const char *line = *text;
    if (!skip_conditions(&line, values->conditions)) continue;
    for (; *line; line++) {
      const char *value = value_of(values, *line);
      if (value) {
        fputs(value, out);
      } else {
        fputc(*line, out);
      }
    }
    fputc('\n', out);
  }
}
