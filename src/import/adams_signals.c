// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names in ADAMS expressions other than markers: variables and transfer functions as blocks,
// differential equations as states, splines as curves. Each is written when an expression first
// uses it.
#include <string.h>

#include "import/adams.h"

enum { MAX_POINTS = 100000, DEEPEST = 100 };


static admStatement *find_called_statement(admFormula *f, const char *verb, const admExpr *e, int k,
                                           int *number)
{
  const admExpr *a = k < e->narg ? e->arg[k] : NULL;
  if (!a || a->type != 'n' || a->number < 0 || a->number > 2e9) {
    import_fail(f->r->w, f->place, "%s expects the number of a %s", e->name, verb);
  }
  *number = adm_find(f->r, verb, (long) a->number);
  if (*number < 0) {
    import_fail(f->r->w, f->place, "%s asks for %s/%ld, which is not defined", e->name, verb,
                (long) a->number);
  }
  return &f->r->statement[*number];
}


// increase the nesting depth of references
static void go_deeper(admReader *r, const admStatement *s)
{
  if (++r->depth > DEEPEST) {
    import_fail(r->w, s->place, "%s/%ld depends on too many others, or on itself", s->verb, s->id);
  }
}


static const char *adm_variable(admReader *r, int number)
{
  ART_ASSERT(number >= 0 && number < r->nstatement);
  admStatement *s = &r->statement[number];
  if (r->written[number]) return r->written[number];
  go_deeper(r, s);
  const char *name = r->written[number] = adm_name(r, s, "block");
  import_add_item(r->w, "blocks", name, s->place, "{type: formula, value: \"= %s\"}",
                  adm_scaled(r, adm_need_function(r, s), 1, USE_MOTION));
  r->depth--;
  return name;
}


// Outputs may read more than forces, so the expression of a variable is inserted into them.
static const char *inline_function(admFormula *f, int number)
{
  admStatement *s = &f->r->statement[number];
  const admField *function = adm_need_function(f->r, s);
  go_deeper(f->r, s);
  const char *text = adm_formula(f, adm_parse(f->r, function->value, function->place));
  f->r->depth--;
  return import_format(f->r->w, "(%s)", text);
}


static const char *inline_variable(admFormula *f, int number)
{
  return f->r->written[number] ? f->r->written[number] : inline_function(f, number);
}


static void refuse_implicit(admReader *r, admStatement *s)
{
  if (adm_has(s, "IMPLICIT", 2))
    import_fail(r->w, s->place, "DIFF/%ld is implicit, which is not known here", s->id);
}


static const char *write_adams_state(admReader *r, int number)
{
  ART_ASSERT(number >= 0 && number < r->nstatement);
  admStatement *s = &r->statement[number];
  if (r->written[number]) return r->written[number];
  refuse_implicit(r, s);
  double start[2] = {0};
  admField *ic = adm_field(s, "IC", 2);
  if (ic) adm_numbers(r, ic, 2, start);
  go_deeper(r, s);
  const char *name = r->written[number] = adm_name(r, s, "state");
  import_add_item(r->w, "states", name, s->place, "{initial: %s, rate: \"= %s\"}",
                  import_number(r->w, start[0]),
                  adm_scaled(r, adm_need_function(r, s), 1 / r->time, USE_MOTION));
  r->depth--;
  return name;
}


//---- splines -------------------------------------------------------------------------------------

static int count_listed_numbers(const char *text)
{
  int n = 1;
  for (; *text; text++) n += *text == ',';
  return n;
}


static const char *write_spline_curve(admReader *r, int number)
{
  ART_ASSERT(number >= 0 && number < r->nstatement);
  importWork *w = r->w;
  admStatement *s = &r->statement[number];
  if (r->written[number]) return r->written[number];
  admField *field[2] = {adm_field(s, "X", 1), adm_field(s, "Y", 1)};
  double *x[2];
  int n[2];
  if (adm_has(s, "Z", 1) || adm_has(s, "FILE", 2)) {
    import_fail(w, s->place, "SPLINE/%ld is a surface or a file, which is not known here", s->id);
  }
  for (int k = 0; k < 2; k++) {
    if (!field[k]) import_fail(w, s->place, "SPLINE/%ld has no X and Y", s->id);
    n[k] = count_listed_numbers(field[k]->value);
    if (n[k] > MAX_POINTS) import_fail(w, s->place, "SPLINE/%ld has too many points", s->id);
    x[k] = import_take(w, (size_t) n[k], sizeof **x);
    n[k] = adm_numbers(r, field[k], n[k], x[k]);
  }
  if (n[0] != n[1] || n[0] < 2) {
    import_fail(w, s->place, "SPLINE/%ld has %d values X and %d values Y", s->id, n[0], n[1]);
  }
  char *points = import_take(w, 60 * (size_t) n[0] + 1, 1), *at = points;
  for (int k = 0; k < n[0]; k++) {
    const char *one = import_format(w, "%s[%s, %s]", k ? ", " : "", import_number(w, x[0][k]),
                                    import_number(w, x[1][k]));
    strcpy(at, one);
    at += strlen(one);
  }
  char *name = import_text(w, adm_name(r, s, "curve"));
  for (char *c = name; *c; c++) *c = *c == '-' ? '_' : *c;
  import_note_motion(w, s->place,
                     "splines are natural cubic ones here and continue straight beyond their ends");
  import_add_item(w, "curves", name, s->place, "{table: [%s]}", points);
  return r->written[number] = name;
}


// AKISPL(x, z, id, order)
static const char *spline_text(admFormula *f, const admExpr *e)
{
  int number;
  if (e->narg < 3 || e->narg > 4) {
    import_fail(f->r->w, f->place, "%s has %d arguments", e->name, e->narg);
  }
  for (int k = 1; k < 4; k += 2) {
    if (k < e->narg && (e->arg[k]->type != 'n' || (e->arg[k]->number != 0))) {
      import_fail(f->r->w, f->place, "%s of a surface, or a derivative, is not known here",
                  e->name);
    }
  }
  find_called_statement(f, "SPLINE", e, 2, &number);
  return import_format(f->r->w, "%s(%s)", write_spline_curve(f->r, number),
                       adm_formula(f, e->arg[0]));
}


//---- transfer functions --------------------------------------------------------------------------

// ADAMS lists coefficients by rising powers of s, here they are falling; s is in 1/time of the deck
static const char *transfer_coefficients(admReader *r, admStatement *s, const char *key)
{
  double given[11], x[11], scale = 1;
  admField *field = adm_field(s, key, 3);
  if (!field) import_fail(r->w, s->place, "TFSISO/%ld has no %s", s->id, key);
  const int n = adm_numbers(r, field, 11, given);
  for (int k = 0; k < n; k++, scale *= r->time) x[n - 1 - k] = given[k] * scale;
  return import_list(r->w, n, x);
}


static const char *write_adams_transfer(admReader *r, int number)
{
  admStatement *s = &r->statement[number];
  if (r->written[number]) return r->written[number];
  admField *u = adm_field(s, "U", 1);
  const int array = u ? adm_find(r, "ARRAY", adm_id(r, u)) : -1;
  admField *of = array >= 0 ? adm_field(&r->statement[array], "VARIABLES", 3) : NULL;
  const int variable = of ? adm_find(r, "VARIABLE", adm_id(r, of)) : -1;
  if (variable < 0) import_fail(r->w, s->place, "TFSISO/%ld has no input variable", s->id);
  const char *input = adm_variable(r, variable);
  const char *name = r->written[number] = adm_name(r, s, "block");
  import_add_item(r->w, "blocks", name, s->place,
                  "{type: transfer-function, input: \"= %s\", numerator: %s, denominator: %s}",
                  input, transfer_coefficients(r, s, "NUMERATOR"),
                  transfer_coefficients(r, s, "DENOMINATOR"));
  return name;
}


//---- linear state equations, x' = A x + B u, y = C x + D u: one state vector, outputs as sums ----

enum { MAX_ORDER = 20 };

typedef struct lseSystem {
  admStatement *s;
  int n, nu, ny;
  double A[MAX_ORDER][MAX_ORDER], B[MAX_ORDER][MAX_ORDER], C[MAX_ORDER][MAX_ORDER],
      D[MAX_ORDER][MAX_ORDER];
  const char *input[MAX_ORDER];
} lseSystem;


// the statement that a field refers to
static admStatement *statement_named_by(admReader *r, admStatement *s, const char *key,
                                        const char *verb)
{
  admField *field = adm_field(s, key, (int) strlen(key));
  const int found = field ? adm_find(r, verb, adm_id(r, field)) : -1;
  if (field && found < 0) {
    import_fail(r->w, field->place, "LSE/%ld names %s/%.20s, which is not defined", s->id, verb,
                field->value);
  }
  return field ? &r->statement[found] : NULL;
}


// Read a full matrix stored by rows or columns, and its numbers of rows and columns. A missing
// matrix is zero.
static void read_adams_matrix(admReader *r, admStatement *s, const char *key,
                              double x[MAX_ORDER][MAX_ORDER], int *rows, int *columns)
{
  admStatement *matrix = statement_named_by(r, s, key, "MATRIX");
  double values[MAX_ORDER * MAX_ORDER];
  *rows = *columns = 0;
  if (!matrix) return;
  admField *full = adm_field(matrix, "FULL", 2), *numbers = adm_field(matrix, "VALUES", 1);
  const int m = (int) adm_whole(adm_number(r, matrix, "M", 1, 0)),
            n = (int) adm_whole(adm_number(r, matrix, "N", 1, 0));
  if (!full || !numbers || m < 1 || m > MAX_ORDER || n < 1 || n > MAX_ORDER) {
    import_fail(r->w, matrix->place, "MATRIX/%ld is not a full one of at most %d rows and columns",
                matrix->id, MAX_ORDER);
  }
  if (adm_numbers(r, numbers, m * n, values) != m * n) {
    import_fail(r->w, numbers->place, "MATRIX/%ld needs %d values", matrix->id, m * n);
  }
  const bool by_columns = full->value[0] == 'C' || full->value[0] == 'c';
  for (int a = 0; a < m; a++) {
    for (int b = 0; b < n; b++) x[a][b] = values[by_columns ? b * m + a : a * n + b];
  }
  *rows = m;
  *columns = n;
}


// input variables
static void read_inputs(admReader *r, lseSystem *l)
{
  admStatement *u = statement_named_by(r, l->s, "U", "ARRAY");
  admField *variables = u ? adm_field(u, "VARIABLES", 3) : NULL;
  double id[MAX_ORDER];
  l->nu = variables ? adm_numbers(r, variables, MAX_ORDER, id) : 0;
  for (int k = 0; k < l->nu; k++) {
    const int number = adm_find(r, "VARIABLE", adm_whole(id[k]));
    if (number < 0) {
      import_fail(r->w, variables->place, "there is no VARIABLE/%g", id[k]);
    }
    l->input[k] = adm_variable(r, number);
  }
}


// append the products of a row of numbers and names
static const char *add_row_products(importWork *w, const char *text, int n, const double *x,
                                    const char *const *name)
{
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) continue;
    text = import_format(w, "%s%s(%s)*%s", text, text[0] ? " + " : "", import_number(w, x[k]),
                         name[k]);
  }
  return text;
}


static void name_adams_states(importWork *w, const char *name, int n, const char *state[MAX_ORDER])
{
  ART_ASSERT(n >= 0 && n <= MAX_ORDER);
  for (int k = 0; k < n; k++) state[k] = n == 1 ? name : import_format(w, "%s.%d", name, k + 1);
}


static const char *write_states(admReader *r, const lseSystem *l)
{
  importWork *w = r->w;
  double start[MAX_ORDER] = {0};
  admStatement *ic = statement_named_by(r, l->s, "IC", "ARRAY");
  admField *numbers = ic ? adm_field(ic, "NUMBERS", 3) : NULL;
  if (numbers && adm_numbers(r, numbers, l->n, start) != l->n) {
    import_fail(w, numbers->place, "LSE/%ld needs %d initial values", l->s->id, l->n);
  }
  const char *name = adm_name(r, l->s, "state"), *state[MAX_ORDER], *rates = "";
  name_adams_states(w, name, l->n, state);
  for (int a = 0; a < l->n; a++) {
    const char *rate = add_row_products(w, add_row_products(w, "", l->n, l->A[a], state), l->nu,
                                        l->B[a], l->input);
    rates = import_format(w, "%s%s\"= (%s)/%s\"", rates, a ? ", " : "", rate[0] ? rate : "0",
                          import_number(w, r->time));
  }
  import_add_item(w, "states", name, l->s->place,
                  l->n == 1 ? "{initial: %s, rate: %s}" : "{initial: %s, rate: [%s]}",
                  l->n == 1 ? import_number(w, start[0]) : import_list(w, l->n, start), rates);
  return name;
}


static const char *adm_lse(admReader *r, int number, bool is_output, int component)
{
  importWork *w = r->w;
  lseSystem l = {.s = &r->statement[number]};
  const char *state[MAX_ORDER];
  read_inputs(r, &l);
  int rows[4], columns[4];
  read_adams_matrix(r, l.s, "A", l.A, &rows[0], &columns[0]);
  read_adams_matrix(r, l.s, "B", l.B, &rows[1], &columns[1]);
  read_adams_matrix(r, l.s, "C", l.C, &rows[2], &columns[2]);
  read_adams_matrix(r, l.s, "D", l.D, &rows[3], &columns[3]);
  l.n = rows[0];
  l.ny = rows[2] > 0 ? rows[2] : rows[3];
  const bool is_good = l.n > 0 && columns[0] == l.n && (rows[1] == 0 || rows[1] == l.n) &&
                       (rows[2] == 0 || columns[2] == l.n) &&
                       (rows[2] == 0 || rows[3] == 0 || rows[2] == rows[3]) &&
                       (rows[1] == 0 || columns[1] == l.nu) && (rows[3] == 0 || columns[3] == l.nu);
  if (!is_good) import_fail(r->w, l.s->place, "matrices of LSE/%ld do not fit", l.s->id);
  if (!r->written[number]) r->written[number] = write_states(r, &l);
  name_adams_states(w, r->written[number], l.n, state);
  if (component < 1 || component > (is_output ? l.ny : l.n)) {
    import_fail(w, l.s->place, "LSE/%ld has no component %d", l.s->id, component);
  }
  if (!is_output) return state[component - 1];
  const char *text = add_row_products(w, "", l.n, l.C[component - 1], state);
  text = add_row_products(w, text, l.nu, l.D[component - 1], l.input);
  return import_format(w, "(%s)", text[0] ? text : "0");
}


//---- values of functions --------------------------------------------------------------------------

// ARYVAL(id, component): output of a transfer function, states or outputs of linear equations
static const char *array_text(admFormula *f, const admExpr *e)
{
  admReader *r = f->r;
  int number;
  const long id = find_called_statement(f, "ARRAY", e, 0, &number)->id;
  for (int k = 0; k < r->nstatement; k++) {
    admStatement *s = &r->statement[k];
    const bool is_lse = strcmp(s->verb, "LSE") == 0, is_one = strcmp(s->verb, "TFSISO") == 0;
    admField *y = is_lse || is_one ? adm_field(s, "Y", 1) : NULL,
             *x = is_lse ? adm_field(s, "X", 1) : NULL;
    const bool is_output = y && adm_id(r, y) == id;
    if (!is_output && !(x && adm_id(r, x) == id)) continue;
    if (is_one) return write_adams_transfer(r, k);
    go_deeper(r, s);
    const char *text = adm_lse(r, k, is_output, adm_number_at(f, e, 1));
    r->depth--;
    return text;
  }
  import_fail(r->w, f->place, "ARRAY/%ld is not of a TFSISO or LSE", id);
}


const char *adm_signal(admFormula *f, const admExpr *e)
{
  static const char *const names[] = {"VARVAL", "DIF", "ARYVAL", "DIF1", "AKISPL", "CUBSPL", NULL};
  int kind = 0, number;
  while (names[kind] && strcmp(names[kind], e->name) != 0) kind++;
  if (!names[kind]) return NULL;
  if (kind >= 4) return spline_text(f, e);
  if (f->use == USE_TIME) import_fail(f->r->w, f->place, "motions may depend on TIME alone here");
  if (kind == 2) return array_text(f, e);
  find_called_statement(f, kind == 0 ? "VARIABLE" : "DIFF", e, 0, &number);
  if (kind == 3) refuse_implicit(f->r, &f->r->statement[number]);
  if (kind == 3) return inline_function(f, number); // the rate is the expression itself
  if (kind > 0) return write_adams_state(f->r, number);
  return f->use == USE_ALL ? inline_variable(f, number) : adm_variable(f->r, number);
}
