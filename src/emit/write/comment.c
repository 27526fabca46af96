// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Comments at the head of files and functions: words, vectors, parameters, operations.
#include "emit/write/comment.h"

#include <string.h>

#include "base/plain.h"

// Lines end here where the writer ends them: a backslash would join the next line in C and may be the start of
// any character in Java, two question marks may represent a backslash, and 'coding:' or 'coding=' in the first
// lines of Python names the bytes that all others are read by. A character that was cut becomes a question mark.
static void put_words(FILE *out, const char *text, size_t length)
{
  static const char cookie[] = "coding";
  const size_t n = sizeof cookie - 1;
  int is_question = 0; // the character before
  for (size_t i = 0, k; i < length; i += k) {
    unsigned c = '?';
    k = plain_decode((const unsigned char *) text + i, &c);
    if (k > 1 && !plain_is_odd(c)) {
      fwrite(text + i, 1, k, out);
      is_question = 0;
      continue;
    }
    if (k == 0) c = '?', k = 1;
    if (c == '?' && is_question) continue;
    if ((c == ':' || c == '=') && i >= n && memcmp(text + i - n, cookie, n) == 0) fputc(' ', out);
    fputc(c == '\\' ? '/' : plain_is_odd(c) ? ' ' : (int) c, out);
    is_question = c == '?';
  }
}


void emit_words(FILE *out, const char *text)
{
  put_words(out, text, strlen(text));
}


void emit_comment(FILE *out, const char *comment, int indent, const char *text)
{
  ART_ASSERT(indent >= 0 && text);
  char more[16];
  snprintf(more, sizeof more, "\n%*s%s", indent < 8 ? indent : 8, "", comment);
  fprintf(out, "%*s%s ", indent, "", comment);
  size_t room = 96 - (size_t) indent - strlen(comment), length = strlen(text);
  while (length > room) {
    const size_t k = statement_break(text, length, room);
    if (k == length) break;
    put_words(out, text, k - 1);
    fprintf(out, "%s ", more);
    text += k;
    length -= k;
  }
  emit_words(out, text);
  fputc('\n', out);
}


void emit_external(FILE *out, const eqnExternal *x, const char *call, const char *comment,
                   int indent)
{
  char text[1000];
  snprintf(text, sizeof text, "To be supplied as %s, %d arguments, %d results: '%s', %s.", call,
           x->narg, x->n, x->name, x->what);
  emit_comment(out, comment, indent, text);
}


void emit_provenance(FILE *out, const eqnProgram *p, const char *comment)
{
  char text[1000];
  snprintf(text, sizeof text, "%s: equations of motion.",
           p->title && *p->title ? p->title : p->name);
  emit_comment(out, comment, 0, text);
  fprintf(out, "%s\n", comment);
  snprintf(text, sizeof text, "Made by Articula from %s. This source is free of any licence.",
           p->source);
  emit_comment(out, comment, 0, text);
  emit_comment(out, comment, 0, "SI units, radians; quaternions (w, x, y, z).");
}


void emit_parameters(FILE *out, const emitSyntax *syntax, const eqnProgram *p, const char *head,
                     int has_value, int indent)
{
  for (int i = 0; i < p->parameter.n; i++) {
    const char *remark = p->remark ? p->remark[i] : NULL, *label = p->parameter.label[i];
    const size_t length = strlen(head) + strlen(label) + (has_value ? 28 : 1) + 4;
    const int fits = remark && (size_t) indent + length + strlen(remark) <= (size_t) syntax->width;
    if (remark && !fits) emit_comment(out, syntax->comment, indent, remark);
    fprintf(out, "%*s%s%s", indent, "", head, label);
    if (has_value) {
      fputs(" = ", out);
      emit_vector(out, &syntax->dialect, p->value[i]);
    }
    fputs(syntax->end, out);
    if (fits) {
      fprintf(out, " %s ", syntax->comment);
      emit_words(out, remark);
    }
    fputc('\n', out);
  }
}


static int is_stage_unknown(const eqnFunction *f, int node)
{
  for (int s = 0; s < f->nstage; s++) {
    for (int i = 0; i < f->stage[s].nunknown; i++) {
      if (f->stage[s].unknown[i] == node) return 1;
    }
  }
  return 0;
}


int emit_is_written(const eqnFunction *f, const eqnVector *v)
{
  for (int k = 0; k < v->n; k++) {
    if (is_stage_unknown(f, v->node[k])) return 1;
  }
  return 0;
}


// vectors and their labels; unknowns have a star
static void print_vectors(FILE *out, const char *comment, int indent, const char *what, int n,
                          const eqnVector *vector, const eqnFunction *f)
{
  for (int k = 0; k < n; k++) {
    const eqnVector *v = &vector[k];
    fprintf(out, "%*s%s   %s %s[%d]: %s%s", indent, "", comment, what, v->name, v->n, v->what,
            emit_is_written(f, v) ? "; those with a star are found and written back" : "");
    int column = 1000;
    for (int i = 0; v->label && i < v->n; i++) {
      const int length = (int) strlen(v->label[i]) + 2;
      if (column + length > 96) {
        fprintf(out, "\n%*s%s    ", indent, "", comment);
        column = indent + 6;
      }
      fputc(' ', out);
      emit_words(out, v->label[i]);
      if (is_stage_unknown(f, v->node[i])) fputc('*', out);
      column += length;
    }
    fputc('\n', out);
  }
}


void emit_about(FILE *out, const eqnList *l, const char *comment, int indent)
{
  const eqnFunction *f = l->function;
  char text[1000];
  snprintf(text, sizeof text, "%s: %s.", f->name, f->what);
  emit_comment(out, comment, indent, text);
  print_vectors(out, comment, indent, "in ", f->ninput, f->input, f);
  print_vectors(out, comment, indent, "out", f->noutput, f->output, f);
  snprintf(text, sizeof text,
           "%d operations: %d sums, %d products, %d quotients, %d sines and cosines, %d other "
           "functions; besides %d once for given parameters.",
           l->total.total, l->total.add, l->total.mul, l->total.div, l->total.trig,
           l->total.function, l->constants.total);
  emit_comment(out, comment, indent, text);
}
