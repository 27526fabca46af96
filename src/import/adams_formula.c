// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Conversion of ADAMS expressions to formulas.
#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "import/adams.h"

//---- expressions as trees ------------------------------------------------------------------------

// Sums, products, powers by **, calls with numbers, names and expressions as arguments. A colon
// follows the first argument of IF.

enum { DEEPEST = 60, MAX_NODES = 2000 };

typedef struct exprReader {
  admReader *r;
  const char *text, *at;
  artPlace place;
  int depth, count;
} exprReader;


static _Noreturn void fail_in_expression(exprReader *x, const char *what)
{
  import_fail(x->r->w, x->place, "the expression '%.80s' %s at '%.20s'", x->text, what, x->at);
}


static char peek_character(exprReader *x)
{
  while (ascii_is_space((unsigned char) *x->at)) x->at++;
  return *x->at;
}


static bool accept_character(exprReader *x, char c)
{
  if (peek_character(x) != c) return false;
  x->at++;
  return true;
}


static admExpr *add_expression_node(exprReader *x, char type, admExpr *a, admExpr *b)
{
  if (++x->count > MAX_NODES) fail_in_expression(x, "is too long");
  admExpr *e = import_take(x->r->w, 1, sizeof *e);
  e->type = type;
  e->narg = (a != NULL) + (b != NULL);
  e->arg[0] = a;
  e->arg[1] = b;
  return e;
}


static admExpr *read_sum(exprReader *x);


// NAME or NAME(arguments)
static admExpr *read_adams_call(exprReader *x)
{
  const char *start = x->at;
  admExpr *e = add_expression_node(x, 'c', NULL, NULL);
  while (ascii_is_word((unsigned char) *x->at) || *x->at == '_') x->at++;
  char *name = import_format(x->r->w, "%.*s", (int) (x->at - start), start);
  for (char *c = name; *c; c++) *c = (char) ascii_upper((unsigned char) *c);
  e->name = name;
  if (!accept_character(x, '(')) return e;
  if (accept_character(x, ')')) return e;
  do {
    if (e->narg == ADM_ARGUMENTS) fail_in_expression(x, "has too many arguments");
    e->arg[e->narg++] = read_sum(x);
  } while (accept_character(x, ',') || accept_character(x, ':'));
  if (!accept_character(x, ')')) fail_in_expression(x, "lacks a ')'");
  return e;
}


static admExpr *read_factor(exprReader *x)
{
  const char c = peek_character(x);
  if (accept_character(x, '(')) {
    admExpr *e = read_sum(x);
    if (!accept_character(x, ')')) fail_in_expression(x, "lacks a ')'");
    return e;
  }
  if (ascii_is_letter((unsigned char) c)) return read_adams_call(x);
  admExpr *e = add_expression_node(x, 'n', NULL, NULL);
  const char *end = c == '+' || c == '-' ? NULL : adm_read_number(x->at, &e->number);
  if (!end) fail_in_expression(x, "has no number or name");
  // ambiguous: a power of ten, or degrees minus a number
  for (const char *at = x->at; at + 1 < end; at++) {
    if (ascii_upper((unsigned char) *at) == 'D' && strchr("+-", at[1])) {
      fail_in_expression(
          x, "has a D before a sign, which may be degrees or a power (set a space or write E)");
    }
  }
  x->at = end;
  return e;
}


// a power binds more tightly than a preceding minus, and is right-associative
static admExpr *read_power(exprReader *x)
{
  if (++x->depth > DEEPEST) fail_in_expression(x, "is too deep");
  admExpr *e = NULL;
  if (accept_character(x, '-')) {
    e = add_expression_node(x, 'm', read_power(x), NULL);
  } else if (accept_character(x, '+')) {
    e = read_power(x);
  } else {
    e = read_factor(x);
    if (peek_character(x) == '*' && x->at[1] == '*') {
      x->at += 2;
      e = add_expression_node(x, '^', e, read_power(x));
    }
  }
  x->depth--;
  return e;
}


static admExpr *read_adams_product(exprReader *x)
{
  admExpr *e = read_power(x);
  while (peek_character(x) == '*' || *x->at == '/') {
    const char type = *x->at++;
    // a unary minus applies to the whole product
    const bool is_minus = e->type == 'm';
    e = add_expression_node(x, type, is_minus ? e->arg[0] : e, read_power(x));
    if (is_minus) e = add_expression_node(x, 'm', e, NULL);
  }
  return e;
}


static admExpr *read_sum(exprReader *x)
{
  if (++x->depth > DEEPEST) fail_in_expression(x, "is too deep");
  admExpr *e = read_adams_product(x);
  while (peek_character(x) == '+' || *x->at == '-') {
    const char type = *x->at++;
    e = add_expression_node(x, type, e, read_adams_product(x));
  }
  x->depth--;
  return e;
}


admExpr *adm_parse(admReader *r, const char *text, artPlace place)
{
  exprReader x = {.r = r, .text = text, .at = text, .place = place};
  admExpr *e = read_sum(&x);
  if (peek_character(&x)) fail_in_expression(&x, "does not end");
  return e;
}


static const admExpr *adm_minus(admReader *r, const admExpr *e)
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


enum { MAX_TEXT_LENGTH = 20000 };

static const char *adm_factor(admFormula *f, const admExpr *e);


static const char *adm_checked(admReader *r, artPlace place, const char *text)
{
  if (strlen(text) > MAX_TEXT_LENGTH) import_fail(r->w, place, "an expression becomes too long");
  return text;
}


//---- functions of numbers: Fortran's, steps, series, contact -------------------------------------

// arguments as factors
typedef struct arguments {
  const char *x[ADM_ARGUMENTS];
} arguments;


// (x - x0)/(x1 - x0), limited to 0 .. 1
static const char *share_between_text(importWork *w, const char *x, const char *x0, const char *x1)
{
  if (strcmp(x0, "0") == 0) return import_format(w, "clamp(%s/%s, 0, 1)", x, x1);
  return import_format(w, "clamp((%s - %s)/(%s - %s), 0, 1)", x, x0, x1, x0);
}


// h0 + (h1 - h0) (3 u^2 - 2 u^3)
static const char *cubic_step(importWork *w, const char *x, const char *x0, const char *h0,
                              const char *x1, const char *h1)
{
  const char *u = share_between_text(w, x, x0, x1);
  if (strcmp(h0, "0") == 0) return import_format(w, "(%s*%s^2*(3 - 2*%s))", h1, u, u);
  return import_format(w, "(%s + (%s - %s)*%s^2*(3 - 2*%s))", h0, h1, h0, u, u);
}


// k d^e - c d' STEP(d, 0, 0, border, 1), limited to be repulsive; d is the depth
static const char *impact_text(importWork *w, const char *depth, const char *rate, const char *k,
                               const char *e, const char *c, const char *border)
{
  const char *damping = cubic_step(w, depth, "0", "0", border, "1");
  return import_format(w, "if(%s > 0, max(0, %s*max(0, %s)^%s - %s*%s*%s), 0)", depth, k, depth, e,
                       c, rate, damping);
}


// T_n as a polynomial in d: T_n = 2 d T_(n-1) - T_(n-2)
static const char *chebyshev_text(importWork *w, int n, const char *d)
{
  ART_ASSERT(n >= 0 && n < ADM_ARGUMENTS);
  double t[3][ADM_ARGUMENTS] = {{1}, {0, 1}};
  for (int k = 2; k <= n; k++) {
    for (int i = 0; i <= k; i++)
      t[k % 3][i] = (i > 0 ? 2 * t[(k - 1) % 3][i - 1] : 0) - t[(k - 2) % 3][i];
  }
  const char *text = n % 2 ? "0" : import_number(w, t[n % 3][0]);
  for (int i = n % 2 ? 1 : 2; i <= n; i += 2)
    text = import_format(w, "%s + (%s)*%s^%d", text, import_number(w, t[n % 3][i]), d, i);
  return import_format(w, "(%s)", text);
}


static const char *series_text(admFormula *f, const admExpr *e, const arguments *a)
{
  importWork *w = f->r->w;
  const bool is_fourier = strncmp(e->name, "FOR", 3) == 0;
  const char *wave = strcmp(e->name, "FORSIN") == 0 ? "sin" : "cos";
  const int first = is_fourier ? 3 : 2;
  const char *d = import_format(w, "(%s - %s)", a->x[0], a->x[1]);
  const char *text = a->x[first];
  for (int k = first + 1; k < e->narg; k++) {
    const int n = k - first;
    const char *part = is_fourier ? import_format(w, "%s(%d*%s*%s)", wave, n, a->x[2], d)
                       : strcmp(e->name, "CHEBY") == 0 ? chebyshev_text(w, n, d)
                                                       : import_format(w, "%s^%d", d, n);
    text = adm_checked(f->r, f->place, import_format(w, "%s + %s*%s", text, a->x[k], part));
  }
  return import_format(w, "(%s)", text);
}


typedef struct mathFunction {
  const char *name, *ours; // name of the function here; NULL: see number_function
  int least, most;
} mathFunction;

static const mathFunction functions[] = {
    {"ABS", "abs", 1, 1},    {"ACOS", "acos", 1, 1},   {"ASIN", "asin", 1, 1},
    {"ATAN", "atan", 1, 1},  {"ATAN2", "atan2", 2, 2}, {"COS", "cos", 1, 1},
    {"SIN", "sin", 1, 1},    {"TAN", "tan", 1, 1},     {"COSH", "cosh", 1, 1},
    {"SINH", "sinh", 1, 1},  {"TANH", "tanh", 1, 1},   {"EXP", "exp", 1, 1},
    {"LOG", "log", 1, 1},    {"LOG10", "log10", 1, 1}, {"SQRT", "sqrt", 1, 1},
    {"MAX", "max", 2, 2},    {"MIN", "min", 2, 2},     {"STEP5", "smooth", 5, 5},
    {"MOD", NULL, 2, 2},     {"SIGN", NULL, 2, 2},     {"DIM", NULL, 2, 2},
    {"AINT", NULL, 1, 1},    {"ANINT", NULL, 1, 1},    {"STEP", NULL, 5, 5},
    {"HAVSIN", NULL, 5, 5},  {"IF", NULL, 4, 4},       {"IMPACT", NULL, 7, 7},
    {"BISTOP", NULL, 8, 8},  {"POLY", NULL, 3, 32},    {"CHEBY", NULL, 3, 32},
    {"FORSIN", NULL, 4, 33}, {"FORCOS", NULL, 4, 33},  {"SHF", NULL, 6, 6}};


static const char *number_function(admFormula *f, const admExpr *e, const arguments *a)
{
  importWork *w = f->r->w;
  const char *const *x = a->x, *name = e->name;
  if (strcmp(name, "MOD") == 0) {
    return import_format(w, "sign(%s)*mod(abs(%s), abs(%s))", x[0], x[0], x[1]);
  }
  if (strcmp(name, "SIGN") == 0) return import_format(w, "abs(%s)*if(%s < 0, -1, 1)", x[0], x[1]);
  if (strcmp(name, "DIM") == 0) return import_format(w, "max(%s - %s, 0)", x[0], x[1]);
  if (strcmp(name, "AINT") == 0) return import_format(w, "sign(%s)*floor(abs(%s))", x[0], x[0]);
  if (strcmp(name, "ANINT") == 0) {
    return import_format(w, "sign(%s)*floor(abs(%s) + 0.5)", x[0], x[0]);
  }
  if (strcmp(name, "STEP") == 0) return cubic_step(w, x[0], x[1], x[2], x[3], x[4]);
  if (strcmp(name, "HAVSIN") == 0) {
    const char *u = share_between_text(w, x[0], x[1], x[3]);
    return import_format(w, "(%s + (%s - %s)*(1 - cos(pi*%s))/2)", x[2], x[4], x[2], u);
  }
  if (strcmp(name, "IF") == 0) {
    return import_format(w, "if(%s < 0, %s, if(%s > 0, %s, %s))", x[0], x[1], x[0], x[3], x[2]);
  }
  if (strcmp(name, "SHF") == 0) {
    return import_format(w, "(%s*sin(%s*(%s - %s) - %s) + %s)", x[2], x[3], x[0], x[1], x[4], x[5]);
  }
  if (strcmp(name, "IMPACT") == 0) {
    const char *depth = import_format(w, "(%s - %s)", x[2], x[0]);
    return impact_text(w, depth, x[1], x[3], x[4], x[5], x[6]);
  }
  if (strcmp(name, "BISTOP") == 0) {
    const char *low = import_format(w, "(%s - %s)", x[2], x[0]),
               *high = import_format(w, "(%s - %s)", x[0], x[3]);
    return import_format(
        w, "(%s - %s)", impact_text(w, low, x[1], x[4], x[5], x[6], x[7]),
        impact_text(w, high, import_format(w, "(-%s)", x[1]), x[4], x[5], x[6], x[7]));
  }
  return series_text(f, e, a);
}


static const char *adm_math_function(admFormula *f, const admExpr *e)
{
  admReader *r = f->r;
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
    const mathFunction *known = &functions[k];
    if (strcmp(known->name, e->name) != 0) continue;
    if (e->narg < known->least || e->narg > known->most) {
      import_fail(r->w, f->place, "%s has %d arguments", e->name, e->narg);
    }
    arguments a;
    for (int i = 0; i < e->narg; i++) {
      a.x[i] = known->ours ? adm_formula(f, e->arg[i]) : adm_factor(f, e->arg[i]);
    }
    if (!known->ours) return number_function(f, e, &a);
    const char *text = a.x[0];
    for (int i = 1; i < e->narg; i++) text = import_format(r->w, "%s, %s", text, a.x[i]);
    return import_format(r->w, "%s(%s)", known->ours, text);
  }
  return NULL;
}


//---- errors and arguments ------------------------------------------------------------------------

const char *adm_refuse(admFormula *f, const char *why)
{
  if (!f->is_output) import_fail(f->r->w, f->place, "%s", why);
  if (!f->why) f->why = why;
  return "0";
}


// argument k as a marker; NULL: ground
const admMarker *adm_marker_at(admFormula *f, const admExpr *e, int k)
{
  ART_ASSERT(k >= 0);
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
  ART_ASSERT(k >= 0);
  if (k < e->narg && e->arg[k]->type == 'n' && fabs(e->arg[k]->number) < 2e9) {
    return (int) e->arg[k]->number;
  }
  import_fail(f->r->w, f->place, "%s expects a number as argument %d", e->name, k + 1);
}


//---- expressions ---------------------------------------------------------------------------------

static const char *adams_name_text(admFormula *f, const admExpr *e)
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


static const char *adams_call_text(admFormula *f, const admExpr *e)
{
  const char *text = e->narg == 0 ? adams_name_text(f, e) : NULL;
  if (!text) text = adm_math_function(f, e);
  if (!text) text = adm_signal(f, e);
  if (!text) text = adm_load_function(f, e);
  if (!text) text = adm_marker_function(f, e);
  if (!text) {
    text = adm_refuse(f, import_format(f->r->w, "the function %.40s is not known here", e->name));
  }
  return adm_checked(f->r, f->place, text);
}


// a + b or a - b; a unary minus of b is merged into the operator
static const char *adams_sum_text(admFormula *f, const admExpr *e)
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
  if (e->type == 'c') return adams_call_text(f, e);
  if (e->type == 'm') {
    const bool is_product = e->arg[0]->type == '*' || e->arg[0]->type == '/';
    text =
        import_format(w, "-%s", is_product ? adm_formula(f, e->arg[0]) : adm_factor(f, e->arg[0]));
  } else if (e->type == '+' || e->type == '-') {
    text = adams_sum_text(f, e);
  } else {
    const bool is_row = e->arg[0]->type == '*' && e->type != '^';
    text = import_format(w, "%s%c%s", is_row ? adm_formula(f, e->arg[0]) : adm_factor(f, e->arg[0]),
                         e->type, adm_factor(f, e->arg[1]));
  }
  return adm_checked(f->r, f->place, text);
}


// true if the text is in one pair of parentheses, or has no operator
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


// the expression as a factor of a product
static const char *adm_factor(admFormula *f, const admExpr *e)
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
