// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "emit/machine/language.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/throw.h"
#include "emit/write/writer.h"

static const eqnProgram *program_of(const languageText *t)
{
  return &t->machine->parts->part[0].program;
}


void language_section(const languageText *t, const char *section, const char *function,
                      const char *word, const char *other)
{
  const int has_values = function || word || other || !t->language->is_plain;
  template_print(t->out, t->language->text, section,
                 &(templateValues){.name = has_values ? t->name : NULL,
                                   .function = function,
                                   .word = word,
                                   .other = other,
                                   .conditions = t->machine->where});
}

//---- values --------------------------------------------------------------------------------------

const char *language_integer(const languageText *t, int i)
{
  return arena_format(t->arena, "%d", i);
}


const char *language_number(const languageText *t, double x)
{
  char text[64] = "";
  if (isinf(x)) return t->language->limits[x > 0];
  FILE *out = fmemopen(text, sizeof text, "w");
  if (!out) error_throw();
  emit_number(out, &t->language->syntax->dialect, x);
  fclose(out);
  return arena_text(t->arena, text);
}


static void list_put(valueList *l, char c)
{
  l->value = arena_grow(l->text->arena, l->value, l->length + 1, &l->capacity, 1);
  l->value[l->length++] = c;
  l->value[l->length] = 0;
}


static void list_append(valueList *l, const char *text)
{
  for (; *text; text++) list_put(l, *text);
}


valueList list_open(const languageText *t)
{
  return (valueList){.text = t, .value = arena_text(t->arena, ""), .capacity = 1, .column = 30};
}


void list_add(valueList *l, const char *value)
{
  const emitSyntax *syntax = l->text->language->syntax;
  const char *line = strrchr(value, '\n');
  const size_t first = strcspn(value, "\n"), width = (size_t) syntax->width - strlen(syntax->more);
  if (l->n++ > 0) list_put(l, ',');
  if (l->n > 1 && l->column + first + 3 > width) {
    list_append(l, syntax->more);
    list_append(l, "\n        ");
    l->column = 8;
  } else if (l->n > 1) {
    list_put(l, ' ');
  }
  list_append(l, value);
  l->column = line ? strlen(line) : l->column + first + 2;
}


// long strings are cut into pieces where the language has short lines
const char *language_quote(const languageText *t, const char *string)
{
  enum { PIECE = 60 };
  const machineLanguage *l = t->language;
  valueList out = list_open(t);
  list_put(&out, l->quote);
  int column = 0;
  for (const char *c = string ? string : ""; *c; c++) {
    const int is_begin = ((unsigned char) *c & 0xC0) != 0x80; // of a character in UTF-8
    if (l->joint && ++column > PIECE && is_begin) {
      list_put(&out, l->quote);
      list_append(&out, l->joint);
      list_put(&out, l->quote);
      column = 1;
    }
    if (strchr(l->escaped, *c)) list_put(&out, l->escape);
    list_put(&out, (unsigned char) *c < ' ' ? ' ' : *c);
  }
  list_put(&out, l->quote);
  return out.value;
}

//---- the machine in data -------------------------------------------------------------------------

static size_t longer(size_t length, const char *text)
{
  return text && strlen(text) > length ? strlen(text) : length;
}


static int longest_text(const languageText *t)
{
  const machineText *m = t->machine;
  const emitSimulation *s = m->simulation;
  size_t length = longer(longer(100, program_of(t)->title), program_of(t)->source);
  for (int k = 0; k < MACHINE_LISTS; k++) {
    emitEntry e;
    for (int i = 0; machine_entry(m, k, i, &e); i++) {
      length = longer(longer(longer(length, e.name), e.unit), e.remark);
    }
  }
  for (int i = 0; i < m->parts->n; i++) {
    const eqnFunction *strain = eqn_function(&m->parts->part[i].program, EQN_STRAIN);
    for (int k = 0; strain && k < strain->output[0].n; k++) {
      length = longer(length, s->joints[i][k]);
    }
  }
  return (int) length;
}


void language_sizes(const languageText *t)
{
  for (int i = 0; i < MACHINE_SIZES; i++) {
    language_section(t, "size", machine_sizes[i].what, machine_sizes[i].name,
                     language_integer(t, machine_size(t->machine, i)));
  }
  language_section(t, "inner size", NULL, "NTEXT", language_integer(t, longest_text(t)));
}


void language_about(const languageText *t)
{
  const eqnProgram *p = program_of(t);
  language_section(t, "about", language_quote(t, t->name), language_quote(t, p->title),
                   language_quote(t, p->source));
}


static const char *entry_text(const languageText *t, const emitEntry *e)
{
  valueList l = list_open(t);
  list_add(&l, language_quote(t, e->name));
  list_add(&l, language_quote(t, e->unit));
  list_add(&l, language_quote(t, e->remark));
  list_add(&l, language_number(t, e->value));
  list_add(&l, language_number(t, e->lower));
  list_add(&l, language_number(t, e->upper));
  return l.value;
}


void language_lists(const languageText *t)
{
  const int first = t->language->syntax->dialect.first;
  for (int k = 0; k < MACHINE_LISTS; k++) {
    emitEntry e;
    int n = 0;
    while (machine_entry(t->machine, k, n, &e)) n++;
    language_section(t, "list", language_integer(t, n), machine_lists[k], NULL);
    for (int i = 0; i < n && machine_entry(t->machine, k, i, &e); i++) {
      language_section(t, "entry", language_integer(t, i + first), machine_lists[k],
                       entry_text(t, &e));
    }
    language_section(t, "list end", language_integer(t, n), machine_lists[k], NULL);
  }
}


void language_parameters(const languageText *t)
{
  emitJob job = t->machine->parts->part[0].job;
  job.program = t->machine->simulation->program[0];
  job.out = t->out;
  job.suffix = "";
  if (!t->language->declare(&job)) error_throw();
}


void language_provenance(const languageText *t)
{
  emit_provenance(t->out, program_of(t), t->language->syntax->comment);
}


static int is_identifier(const char *name)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return *name && strspn(name, letters) == strlen(name) && !strchr("0123456789", *name);
}


artStatus language_name(languageText *t, artError *error)
{
  const char *file = t->machine->simulation->name;
  const emitSyntax *syntax = t->language->syntax;
  const int is_of_file = syntax == &matlab_syntax || syntax == &java_syntax;
  const emitLanguage language = syntax == &java_syntax      ? EMIT_JAVA
                                : syntax == &fortran_syntax ? EMIT_FORTRAN
                                                            : EMIT_MATLAB;
  t->name = is_of_file && file && is_identifier(file) ? file : t->machine->name;
  if (language == EMIT_FORTRAN) t->name = arena_format(t->arena, "%.50s", t->name);
  return t->name ? job_check_name(t->name, language, error) : base_no_memory(error);
}
