// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statements: wrapped, indented, put out; one equation after the other.
#include "emit/write/statement.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/throw.h"

// where to break a text of which `room` columns fit: after a comma or an operator and its space, after
// any space, or else after an operator
size_t statement_break(const char *text, size_t length, size_t room)
{
  ART_ASSERT(room <= length);
  const size_t least = room / 4;
  for (size_t k = room; k > least; k--) {
    if (text[k - 1] == ' ' && strchr(",+-=?:|", text[k - 2])) return k;
  }
  for (size_t k = room; k > least; k--) {
    if (text[k - 1] == ' ') return k;
  }
  for (size_t k = room; k > least; k--) {
    if (strchr("*/(", text[k - 1]) && text[k] != '*') return k;
  }
  for (size_t k = room; k < length; k++) {
    if (text[k - 1] == ' ') return k;
  }
  return length;
}


static void print_wrapped(FILE *out, const char *text, size_t length, size_t width, int indent,
                          int hanging, const char *more)
{
  fprintf(out, "%*s", indent, "");
  size_t used = (size_t) indent;
  while (used + length > width) {
    const size_t k = statement_break(text, length, width - used - strlen(more));
    if (k == length) break;
    const size_t shown = k > 0 && text[k - 1] == ' ' ? k - 1 : k;
    fprintf(out, "%.*s%s\n%*s", (int) shown, text, more, hanging, "");
    text += k;
    length -= k;
    used = (size_t) hanging;
  }
  fprintf(out, "%.*s\n", (int) length, text);
}


void writer_put(emitWriter *w, int depth, const char *text, size_t length)
{
  const int indent = depth * w->syntax->indent;
  print_wrapped(w->out, text, length, (size_t) w->syntax->width, indent, indent + 4,
                w->syntax->more);
}


void writer_end(emitWriter *w, int depth)
{
  ART_ASSERT(depth >= 0);
  if (fflush(w->statement) != 0 || ferror(w->statement)) error_throw();
  for (const char *line = w->text, *stop = w->text + w->length, *end; line <= stop;
       line = end + 1) {
    int deeper = 0;
    for (; line < stop && *line == '\t'; line++) deeper++;
    end = memchr(line, '\n', (size_t) (stop - line));
    if (!end) end = stop;
    if (w->roll) {
      roll_add(w->roll, depth + deeper, line, (size_t) (end - line));
    } else {
      writer_put(w, depth + deeper, line, (size_t) (end - line));
    }
  }
  rewind(w->statement);
}


void writer_say(emitWriter *w, int depth, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  format_stream_list(w->statement, format, arguments);
  va_end(arguments);
  writer_end(w, depth);
}


const char *writer_take(emitWriter *w)
{
  if (fflush(w->statement) != 0 || ferror(w->statement)) error_throw();
  const char *text = arena_text_n(&w->arena, w->text, w->length);
  rewind(w->statement);
  return text;
}


const char *writer_operand(emitWriter *w, int node)
{
  rewind(w->statement);
  emit_operand(&w->scope, node);
  return writer_take(w);
}


const char *writer_condition(emitWriter *w, int node)
{
  rewind(w->statement);
  emit_condition(&w->scope, node);
  return writer_take(w);
}


void writer_begin_aside(emitWriter *w)
{
  ART_ASSERT(!w->aside);
  free(w->body);
  w->body = NULL;
  FILE *lines = open_memstream(&w->body, &w->body_length);
  if (!lines) error_throw();
  w->aside = w->out;
  w->out = lines;
}


const char *writer_end_aside(emitWriter *w)
{
  const int is_whole = file_close_text(w->out, &w->body);
  w->out = w->aside;
  w->aside = NULL;
  if (!is_whole) error_throw();
  return w->body;
}


const eqnExternal *writer_called(const emitWriter *w, int e)
{
  ART_ASSERT(writer_is_call(w, e));
  return &w->program->external[expr_called(w->list->pool, w->list->equation[e].node)];
}


int writer_is_call(const emitWriter *w, int e)
{
  ART_ASSERT(e >= 0 && e < w->list->n);
  return w->list->pool->nodes[w->list->equation[e].node].op == EXPR_CALL;
}


int writer_is_local(const emitWriter *w, int e)
{
  if (writer_is_call(w, e)) return w->part[e] == 0 && !w->is_rolled;
  return w->scope.name[e] == w->list->equation[e].name;
}


int writer_must_declare(emitWriter *w, int e, int which)
{
  int *declared = &w->declared_in[w->list->equation[e].variable];
  if (w->part[e] != which || !writer_is_local(w, e) || *declared == which + 1) return 0;
  *declared = which + 1;
  return 1;
}


void writer_declare_recycled(emitWriter *w, int which, int depth)
{
  int count = 0;
  for (int e = w->nconst; w->is_recycled && which >= 0 && e < w->list->n; e++) {
    if (writer_is_call(w, e) || !writer_must_declare(w, e, which)) continue;
    fprintf(w->statement, "%s%s", count++ ? ", " : "double ", w->scope.name[e]);
  }
  if (count > 0) writer_say(w, depth, "%s", w->syntax->end);
}


void writer_arguments(emitWriter *w, int e)
{
  const exprPool *pool = w->list->pool;
  const int node = w->list->equation[e].node, n = expr_argument_count(pool, node);
  for (int k = 0; k < n; k++) {
    if (k > 0) fputs(", ", w->statement);
    emit_operand(&w->scope, expr_argument(pool, node, k));
  }
}


void writer_call_user(emitWriter *w, int e, int depth, const char *before, const char *after)
{
  const char *name = w->external[writer_called(w, e) - w->program->external];
  fprintf(w->statement, "%s = user.%s(%s", w->scope.vector[e], name, before);
  writer_arguments(w, e);
  writer_say(w, depth, "%s", after);
}


void writer_equation(emitWriter *w, int e, int depth, int is_new)
{
  if (w->is_written[e]) return;
  w->is_written[e] = 1;
  if (writer_is_call(w, e)) {
    w->syntax->call(w, e, depth, is_new);
    return;
  }
  if (w->syntax->before) w->syntax->before(w, e, depth);
  const int is_declared = !is_new || w->is_recycled || !writer_is_local(w, e);
  const char *local = is_declared ? "" : w->syntax->local;
  const emitDialect *usual = w->scope.dialect;
  if (w->is_narrow && w->is_narrow[e]) {
    w->scope.dialect = w->syntax->single;
    if (local[0]) local = "const single ";
  }
  fprintf(w->statement, "%s%s = ", local, w->scope.name[e]);
  emit_expression(&w->scope, w->list->equation[e].node);
  w->scope.dialect = usual;
  fputs(w->syntax->end, w->statement);
  writer_end(w, depth);
  if (w->syntax->after) w->syntax->after(w, e, depth);
}
