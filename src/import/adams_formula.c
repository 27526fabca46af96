// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions of ADAMS as formulas of ours.
#include <math.h>
#include <string.h>

#include "import/adams.h"

enum { LONGEST = 20000 };


//---- failures and arguments ----------------------------------------------------------------------

const char *adm_checked(admReader *r, artPlace place, const char *text)
{
  if (strlen(text) > LONGEST) import_fail(r->w, place, "an expression becomes too long");
  return text;
}


const char *adm_refuse(admFormula *f, const char *why)
{
  if (!f->is_output) import_fail(f->r->w, f->place, "%s", why);
  if (!f->why) f->why = why;
  return "0";
}


// a marker as argument k; NULL: ground
const admMarker *adm_marker_at(admFormula *f, const admExpr *e, int k)
{
  if (k >= e->narg) return NULL;
  const admExpr *a = e->arg[k];
  if (a->type != 'n' || a->number < 0 || a->number > 2e9) {
    import_fail(f->r->w, f->place, "%s expects numbers of markers", e->name);
  }
  if (a->number == 0) return NULL;
  const admMarker *m = adm_marker_by_id(f->r, (long) a->number, f->place);
  if (m->is_floating) {
    import_fail(f->r->w, f->place, "%s asks for MARKER/%ld, which floats", e->name, m->s->id);
  }
  return m;
}


int adm_number_at(admFormula *f, const admExpr *e, int k)
{
  if (k < e->narg && e->arg[k]->type == 'n' && fabs(e->arg[k]->number) < 2e9) {
    return (int) e->arg[k]->number;
  }
  import_fail(f->r->w, f->place, "%s expects a number as argument %d", e->name, k + 1);
}


//---- expressions ---------------------------------------------------------------------------------

static const char *name_text(admFormula *f, const admExpr *e)
{
  admReader *r = f->r;
  if (strcmp(e->name, "TIME") == 0) {
    return r->time == 1 ? "time"
                        : import_format(r->w, "(time*%s)", import_number(r->w, 1 / r->time));
  }
  if (strcmp(e->name, "PI") == 0) return "pi";
  if (strcmp(e->name, "DTOR") == 0) return "(pi/180)";
  if (strcmp(e->name, "RTOD") == 0) return "(180/pi)";
  return NULL;
}


static const char *call_text(admFormula *f, const admExpr *e)
{
  const char *text = e->narg == 0 ? name_text(f, e) : NULL;
  if (!text) text = adm_math_function(f, e);
  if (!text) text = adm_signal(f, e);
  if (!text) text = adm_load_function(f, e);
  if (!text) text = adm_marker_function(f, e);
  if (!text) {
    text = adm_refuse(f, import_format(f->r->w, "the function %.40s is not known here", e->name));
  }
  return adm_checked(f->r, f->place, text);
}


// a + b or a - b, where a minus of b changes the sign between them
static const char *sum_text(admFormula *f, const admExpr *e)
{
  const admExpr *b = e->arg[1];
  const bool is_minus = b->type == 'm';
  const char sign = (e->type == '-') != is_minus ? '-' : '+';
  if (is_minus) b = b->arg[0];
  const char *left = adm_formula(f, e->arg[0]);
  if (b->type == 'n' && b->number == 0) return left;
  const char *right =
      b->type == '+' || b->type == '-' || b->type == 'm' ? adm_factor(f, b) : adm_formula(f, b);
  return import_format(f->r->w, "%s %c %s", left, sign, right);
}


const char *adm_formula(admFormula *f, const admExpr *e)
{
  importWork *w = f->r->w;
  const char *text = NULL;
  if (e->type == 'n') return import_number(w, e->number);
  if (e->type == 'c') return call_text(f, e);
  if (e->type == 'm') {
    const bool is_product = e->arg[0]->type == '*' || e->arg[0]->type == '/';
    text =
        import_format(w, "-%s", is_product ? adm_formula(f, e->arg[0]) : adm_factor(f, e->arg[0]));
  } else if (e->type == '+' || e->type == '-') {
    text = sum_text(f, e);
  } else {
    const bool is_row = e->arg[0]->type == '*' && e->type != '^';
    text = import_format(w, "%s%c%s", is_row ? adm_formula(f, e->arg[0]) : adm_factor(f, e->arg[0]),
                         e->type, adm_factor(f, e->arg[1]));
  }
  return adm_checked(f->r, f->place, text);
}


// is all of it in one pair of parentheses, or has it no operator?
static bool is_factor(const char *text)
{
  const size_t n = strlen(text);
  int depth = 0;
  bool is_plain = true;
  for (size_t i = 0; i < n; i++) {
    is_plain = is_plain && !strchr(" +-*/^", text[i]);
    if (text[i] == '(') depth++;
    if (text[i] == ')') depth--;
    if (depth == 0 && i + 1 < n && text[0] == '(') return false;
  }
  return is_plain || text[0] == '(';
}


// the expression as a factor
const char *adm_factor(admFormula *f, const admExpr *e)
{
  const char *text = adm_formula(f, e);
  if (e->type == 'n' || (e->type == 'c' && is_factor(text))) return text;
  return adm_checked(f->r, f->place, import_format(f->r->w, "(%s)", text));
}


const char *adm_scaled(admReader *r, admField *field, double factor, admUse use)
{
  admFormula f = {.r = r, .place = field->place, .use = use};
  const admExpr *e = adm_parse(r, field->value, field->place);
  if (factor < 0) e = adm_minus(r, e);
  if (fabs(factor) == 1) return adm_formula(&f, e);
  return import_format(r->w, "%s*%s", import_number(r->w, fabs(factor)), adm_factor(&f, e));
}
