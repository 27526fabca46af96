// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sections of templates, with marks replaced and lines under conditions.
#include "emit/write/template.h"

#include <string.h>

#include "base/error.h"

static const char rule[] = "==== ", chapter_rule[] = "//---- ";


void emit_lines(FILE *out, const char *const *lines)
{
  for (; *lines; lines++) fprintf(out, "%s\n", *lines);
}


static int is_chapter(const char *line)
{
  return strncmp(line, chapter_rule, sizeof chapter_rule - 1) == 0;
}


void emit_chapter(FILE *out, const char *const *lines, const char *chapter, const char *linkage)
{
  static const char own[] = EMIT_INLINE;
  const size_t n = sizeof chapter_rule - 1, length = strlen(chapter);
  while (*lines && !(is_chapter(*lines) && strncmp(*lines + n, chapter, length) == 0)) lines++;
  ART_ASSERT(*lines);
  do {
    const int is_function = strncmp(*lines, own, sizeof own - 1) == 0;
    fprintf(out, "%s%s\n", is_function ? linkage : "", *lines + (is_function ? sizeof own - 1 : 0));
    lines++;
  } while (*lines && !is_chapter(*lines));
}


static const char *template_value_of(const templateValues *v, char mark)
{
  return mark == '@'   ? v->name
         : mark == '$' ? v->function
         : mark == '~' ? v->word
         : mark == '^' ? v->other
                       : NULL;
}


// Skip the conditions that a line begins with, of which "[no loops]" is the contrary of "[loops]"; returns whether all of them hold.
static int skip_conditions(const char **line, const templateCondition *list)
{
  static const char contrary[] = "[no ";
  int holds = 1;
  for (const templateCondition *c = list; **line == '[' && c && c->name;) {
    const int is_contrary = strncmp(*line, contrary, sizeof contrary - 1) == 0;
    const char *word = *line + (is_contrary ? sizeof contrary - 1 : 1);
    const size_t n = strlen(c->name + 1);
    if (strncmp(word, c->name + 1, n) != 0) {
      c++;
      continue;
    }
    holds &= is_contrary ? !c->holds : c->holds;
    *line = word + n;
    c = list;
  }
  return holds;
}


const char *const *template_section(const char *const *text, const char *section)
{
  const size_t n = sizeof rule - 1;
  while (*text && (strncmp(*text, rule, n) != 0 || strcmp(*text + n, section) != 0)) text++;
  ART_ASSERT(*text);
  return text + 1;
}


int template_is_end(const char *line)
{
  return strncmp(line, rule, sizeof rule - 1) == 0;
}


const char *template_line(const char *line, const templateCondition *conditions)
{
  return skip_conditions(&line, conditions) ? line : NULL;
}


void template_print(FILE *out, const char *const *text, const char *section,
                    const templateValues *values)
{
  for (text = template_section(text, section); !template_is_end(*text); text++) {
    const char *line = template_line(*text, values->conditions);
    if (!line) continue;
    for (; *line; line++) {
      const char *value = template_value_of(values, *line);
      if (value) {
        fputs(value, out);
      } else {
        fputc(*line, out);
      }
    }
    fputc('\n', out);
  }
}
