// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reader of tyre property files.
#include "tyre/tir.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/unit.h"

// a piece of a line
typedef struct tirSpan {
  const char *at;
  size_t n;
} tirSpan;

typedef struct tirReader {
  tirFile *file;
  const char *section;
  int line;
  artError *error;
} tirReader;


static int is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}


static tirSpan trim_tir_span(tirSpan s)
{
  while (s.n && is_blank(s.at[0])) s = (tirSpan){s.at + 1, s.n - 1};
  while (s.n && is_blank(s.at[s.n - 1])) s.n--;
  return s;
}


// the part before the first comment sign outside quotes
static tirSpan without_comment(tirSpan s)
{
  int quoted = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (s.at[i] == '\'') quoted = !quoted;
    if (!quoted && (s.at[i] == '$' || s.at[i] == '!')) return trim_tir_span((tirSpan){s.at, i});
  }
  return trim_tir_span(s);
}


artPlace tir_place(const tirFile *file, int line)
{
  return (artPlace){.file = file->name, .line = line, .column = 1};
}


static artStatus fail_at_tir_line(const tirReader *r, const char *what, tirSpan found)
{
  return base_fail(r->error, ART_BAD_INPUT, tir_place(r->file, r->line), "%s: '%.*s'", what,
                   (int) (found.n < 60 ? found.n : 60), found.at);
}


static artStatus keep_tir_value(tirReader *r, artTyreValue value)
{
  tirFile *f = r->file;
  value.section = r->section;
  value.line = r->line;
  if (!value.key || !value.text) return base_no_memory(r->error);
  if (!mem_grow((void **) &f->values, f->nvalue, &f->value_capacity, sizeof *f->values)) {
    return base_no_memory(r->error);
  }
  f->values[f->nvalue++] = value;
  return ART_OK;
}


// Only an exponent may follow a number; Fortran's D is accepted.
static int scan_number(tirSpan s, double *number)
{
  enum { MAX_NUMBER_LENGTH = 400 };
  char copy[MAX_NUMBER_LENGTH + 1];
  if (s.n == 0 || s.n > MAX_NUMBER_LENGTH) return 0;
  for (size_t i = 0; i < s.n; i++) copy[i] = s.at[i] == 'd' || s.at[i] == 'D' ? 'e' : s.at[i];
  copy[s.n] = '\0';

  const int sign = copy[0] == '-' || copy[0] == '+';
  const int length = unit_scan_number(copy + sign, number);
  if (copy[0] == '-') *number = -*number;
  return length > 0 && (size_t) (length + sign) == s.n;
}


static artStatus read_section(tirReader *r, tirSpan s)
{
  if (s.n < 3 || s.at[s.n - 1] != ']') {
    return fail_at_tir_line(r, "a section is written [NAME], found", s);
  }
  const tirSpan name = trim_tir_span((tirSpan){s.at + 1, s.n - 2});
  r->section = arena_text_n(&r->file->texts, name.at, name.n);
  return r->section ? ART_OK : base_no_memory(r->error);
}


static artStatus read_tir_pair(tirReader *r, tirSpan s, size_t equals)
{
  const tirSpan key = trim_tir_span((tirSpan){s.at, equals});
  tirSpan text = trim_tir_span((tirSpan){s.at + equals + 1, s.n - equals - 1});
  if (key.n == 0) return fail_at_tir_line(r, "a key is missing before '=', found", s);
  if (text.n == 0) return fail_at_tir_line(r, "a value is missing after '=', found", s);

  artTyreValue value = {0};
  if (text.at[0] == '\'' || text.at[0] == '"') {
    if (text.n < 2 || text.at[text.n - 1] != text.at[0]) {
      return fail_at_tir_line(r, "a quote is not closed", text);
    }
    text = (tirSpan){text.at + 1, text.n - 2};
  } else {
    value.is_number = scan_number(text, &value.number);
    if (!value.is_number) value.number = 0;
  }
  value.key = arena_text_n(&r->file->texts, key.at, key.n);
  value.text = arena_text_n(&r->file->texts, text.at, text.n);
  return keep_tir_value(r, value);
}


static artStatus read_line(tirReader *r, tirSpan line)
{
  const tirSpan s = without_comment(line);
  if (s.n == 0) return ART_OK;
  if (memchr(s.at, '\0', s.n))
    return fail_at_tir_line(r, "there is a zero byte in the text after", s);
  if (s.at[0] == '[') return read_section(r, s);

  const char *equals = memchr(s.at, '=', s.n);
  if (equals) return read_tir_pair(r, s, (size_t) (equals - s.at));

  // headers and rows of tables, such as [SHAPE], are stored as they are
  if (s.at[0] == '{' || strchr("+-.0123456789", s.at[0])) {
    return keep_tir_value(
        r, (artTyreValue){.key = "", .text = arena_text_n(&r->file->texts, s.at, s.n)});
  }
  return fail_at_tir_line(
      r, "expected KEY = value, [SECTION], a row of a table or a $ comment, found", s);
}


artStatus tir_parse(tirFile *file, const char *text, size_t size, const char *name, artError *error)
{
  file->name = arena_text(&file->texts, name);
  if (!file->name) return base_no_memory(error);

  tirReader r = {.file = file, .section = "", .error = error};
  artStatus status = ART_OK;
  for (size_t at = 0; at < size && status == ART_OK;) {
    const char *end = memchr(text + at, '\n', size - at);
    const size_t n = end ? (size_t) (end - text) - at : size - at;
    r.line++;
    status = read_line(&r, (tirSpan){text + at, n});
    at += n + 1;
  }
  return status;
}


void tir_free(tirFile *file)
{
  mem_free(file->values);
  mem_free(file->notes);
  arena_free(&file->texts);
}


int tir_note(tirFile *file, artTyreNoteKind kind, const char *key, int line)
{
  if (!mem_grow((void **) &file->notes, file->nnote, &file->note_capacity, sizeof *file->notes)) {
    return 0;
  }
  file->notes[file->nnote++] = (artTyreNote){kind, key, line};
  return 1;
}


static int lower_case_letter(char c)
{
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}


int tir_same(const char *a, const char *b)
{
  while (*a && lower_case_letter(*a) == lower_case_letter(*b)) a++, b++;
  return lower_case_letter(*a) == lower_case_letter(*b);
}


const artTyreValue *tir_find(const tirFile *file, const char *section, const char *key)
{
  for (int i = file->nvalue - 1; i >= 0; i--) {
    const artTyreValue *v = &file->values[i];
    if (tir_same(v->key, key) && (!section || tir_same(v->section, section))) return v;
  }
  return NULL;
}
