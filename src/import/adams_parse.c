// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions of ADAMS as trees: sums, products, powers by **, calls with numbers, names and expressions in them. The
// first argument of IF ends with a colon.
#include <ctype.h>
#include <string.h>

#include "import/adams.h"

enum { DEEPEST = 60, MOST_NODES = 2000 };

typedef struct exprReader {
  admReader *r;
  const char *text, *at;
  artPlace place;
  int depth, count;
} exprReader;


static _Noreturn void fail(exprReader *x, const char *what)
{
  import_fail(x->r->w, x->place, "the expression '%.80s' %s at '%.20s'", x->text, what, x->at);
}


static char peek(exprReader *x)
{
  while (isspace((unsigned char) *x->at)) x->at++;
  return *x->at;
}


static bool accept(exprReader *x, char c)
{
  if (peek(x) != c) return false;
  x->at++;
  return true;
}


static admExpr *node(exprReader *x, char type, admExpr *a, admExpr *b)
{
  if (++x->count > MOST_NODES) fail(x, "is too long");
  admExpr *e = import_take(x->r->w, 1, sizeof *e);
  e->type = type;
  e->narg = (a != NULL) + (b != NULL);
  e->arg[0] = a;
  e->arg[1] = b;
  return e;
}


static admExpr *read_sum(exprReader *x);


// NAME or NAME(arguments)
static admExpr *read_call(exprReader *x)
{
  const char *start = x->at;
  admExpr *e = node(x, 'c', NULL, NULL);
  while (isalnum((unsigned char) *x->at) || *x->at == '_') x->at++;
  char *name = import_format(x->r->w, "%.*s", (int) (x->at - start), start);
  for (char *c = name; *c; c++) *c = (char) toupper((unsigned char) *c);
  e->name = name;
  if (!accept(x, '(')) return e;
  if (accept(x, ')')) return e;
  do {
    if (e->narg == ADM_ARGUMENTS) fail(x, "has too many arguments");
    e->arg[e->narg++] = read_sum(x);
  } while (accept(x, ',') || accept(x, ':'));
  if (!accept(x, ')')) fail(x, "lacks a ')'");
  return e;
}


static admExpr *read_factor(exprReader *x)
{
  const char c = peek(x);
  if (accept(x, '(')) {
    admExpr *e = read_sum(x);
    if (!accept(x, ')')) fail(x, "lacks a ')'");
    return e;
  }
  if (isalpha((unsigned char) c)) return read_call(x);
  admExpr *e = node(x, 'n', NULL, NULL);
  const char *end = c == '+' || c == '-' ? NULL : adm_read_number(x->at, &e->number);
  if (!end) fail(x, "has no number or name");
  // a power of ten, or degrees less a number?
  for (const char *at = x->at; at + 1 < end; at++) {
    if (toupper((unsigned char) *at) == 'D' && strchr("+-", at[1])) {
      fail(x, "has a D before a sign, which may be degrees or a power (set a space or write E)");
    }
  }
  x->at = end;
  return e;
}


// a power binds more tightly than a minus before it, and from the right
static admExpr *read_power(exprReader *x)
{
  if (++x->depth > DEEPEST) fail(x, "is too deep");
  admExpr *e = NULL;
  if (accept(x, '-')) {
    e = node(x, 'm', read_power(x), NULL);
  } else if (accept(x, '+')) {
    e = read_power(x);
  } else {
    e = read_factor(x);
    if (peek(x) == '*' && x->at[1] == '*') {
      x->at += 2;
      e = node(x, '^', e, read_power(x));
    }
  }
  x->depth--;
  return e;
}


static admExpr *read_product(exprReader *x)
{
  admExpr *e = read_power(x);
  while (peek(x) == '*' || *x->at == '/') {
    const char type = *x->at++;
    // a minus stands before the whole product
    const bool is_minus = e->type == 'm';
    e = node(x, type, is_minus ? e->arg[0] : e, read_power(x));
    if (is_minus) e = node(x, 'm', e, NULL);
  }
  return e;
}


static admExpr *read_sum(exprReader *x)
{
  if (++x->depth > DEEPEST) fail(x, "is too deep");
  admExpr *e = read_product(x);
  while (peek(x) == '+' || *x->at == '-') {
    const char type = *x->at++;
    e = node(x, type, e, read_product(x));
  }
  x->depth--;
  return e;
}


admExpr *adm_parse(admReader *r, const char *text, artPlace place)
{
  exprReader x = {.r = r, .text = text, .at = text, .place = place};
  admExpr *e = read_sum(&x);
  if (peek(&x)) fail(&x, "does not end");
  return e;
}


const admExpr *adm_minus(admReader *r, const admExpr *e)
{
  if (e->type == 'm') return e->arg[0];
  admExpr *turned = import_take(r->w, 1, sizeof *turned);
  *turned = (admExpr){.type = 'm', .narg = 1, .arg = {(admExpr *) e}};
  if (e->type != '+' && e->type != '-') return turned;
  *turned = *e;
  turned->type = e->type == '+' ? '-' : '+';
  turned->arg[0] = (admExpr *) adm_minus(r, e->arg[0]);
  return turned;
}
