// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Linear state equations of ADAMS, x' = A x + B u, y = C x + D u: states under one name, outputs as sums.
#include <string.h>

#include "import/adams.h"

enum { LARGEST = 20 };

typedef struct lseSystem {
  admStatement *s;
  int n, nu, ny;
  double A[LARGEST][LARGEST], B[LARGEST][LARGEST], C[LARGEST][LARGEST], D[LARGEST][LARGEST];
  const char *input[LARGEST];
} lseSystem;


// the statement that a field names
static admStatement *named(admReader *r, admStatement *s, const char *key, const char *verb)
{
  admField *field = adm_field(s, key, (int) strlen(key));
  const int found = field ? adm_find(r, verb, adm_id(r, field)) : -1;
  if (field && found < 0) {
    import_fail(r->w, field->place, "LSE/%ld names %s/%.20s, which is not defined", s->id, verb,
                field->value);
  }
  return field ? &r->statement[found] : NULL;
}


// A full matrix by rows or columns; its numbers of rows and columns. No matrix is zero.
static void read_matrix(admReader *r, admStatement *s, const char *key, double x[LARGEST][LARGEST],
                        int *rows, int *columns)
{
  admStatement *matrix = named(r, s, key, "MATRIX");
  double values[LARGEST * LARGEST];
  *rows = *columns = 0;
  if (!matrix) return;
  admField *full = adm_field(matrix, "FULL", 2), *numbers = adm_field(matrix, "VALUES", 1);
  const int m = (int) adm_whole(adm_number(r, matrix, "M", 1, 0)),
            n = (int) adm_whole(adm_number(r, matrix, "N", 1, 0));
  if (!full || !numbers || m < 1 || m > LARGEST || n < 1 || n > LARGEST) {
    import_fail(r->w, matrix->place, "MATRIX/%ld is not a full one of at most %d rows and columns",
                matrix->id, LARGEST);
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


// variables that go in
static void read_inputs(admReader *r, lseSystem *l)
{
  admStatement *u = named(r, l->s, "U", "ARRAY");
  admField *variables = u ? adm_field(u, "VARIABLES", 3) : NULL;
  double id[LARGEST];
  l->nu = variables ? adm_numbers(r, variables, LARGEST, id) : 0;
  for (int k = 0; k < l->nu; k++) {
    const int number = adm_find(r, "VARIABLE", adm_whole(id[k]));
    if (number < 0) {
      import_fail(r->w, variables->place, "there is no VARIABLE/%g", id[k]);
    }
    l->input[k] = adm_variable(r, number);
  }
}


static void read_system(admReader *r, lseSystem *l)
{
  int rows[4], columns[4];
  read_matrix(r, l->s, "A", l->A, &rows[0], &columns[0]);
  read_matrix(r, l->s, "B", l->B, &rows[1], &columns[1]);
  read_matrix(r, l->s, "C", l->C, &rows[2], &columns[2]);
  read_matrix(r, l->s, "D", l->D, &rows[3], &columns[3]);
  l->n = rows[0];
  l->ny = rows[2] > 0 ? rows[2] : rows[3];
  const bool is_good = l->n > 0 && columns[0] == l->n && (rows[1] == 0 || rows[1] == l->n) &&
                       (rows[2] == 0 || columns[2] == l->n) &&
                       (rows[2] == 0 || rows[3] == 0 || rows[2] == rows[3]) &&
                       (rows[1] == 0 || columns[1] == l->nu) &&
                       (rows[3] == 0 || columns[3] == l->nu);
  if (!is_good) import_fail(r->w, l->s->place, "matrices of LSE/%ld do not fit", l->s->id);
}


// row of numbers times names, added up
static const char *add_products(importWork *w, const char *text, int n, const double *x,
                                const char *const *name)
{
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) continue;
    text = import_format(w, "%s%s(%s)*%s", text, text[0] ? " + " : "", import_number(w, x[k]),
                         name[k]);
  }
  return text;
}


static void name_states(importWork *w, const char *name, int n, const char *state[LARGEST])
{
  for (int k = 0; k < n; k++) state[k] = n == 1 ? name : import_format(w, "%s.%d", name, k + 1);
}


static const char *write_states(admReader *r, const lseSystem *l)
{
  importWork *w = r->w;
  double start[LARGEST] = {0};
  admStatement *ic = named(r, l->s, "IC", "ARRAY");
  admField *numbers = ic ? adm_field(ic, "NUMBERS", 3) : NULL;
  if (numbers && adm_numbers(r, numbers, l->n, start) != l->n) {
    import_fail(w, numbers->place, "LSE/%ld needs %d initial values", l->s->id, l->n);
  }
  const char *name = adm_name(r, l->s, "state"), *state[LARGEST], *rates = "";
  name_states(w, name, l->n, state);
  for (int a = 0; a < l->n; a++) {
    const char *rate =
        add_products(w, add_products(w, "", l->n, l->A[a], state), l->nu, l->B[a], l->input);
    rates = import_format(w, "%s%s\"= (%s)/%s\"", rates, a ? ", " : "", rate[0] ? rate : "0",
                          import_number(w, r->time));
  }
  import_add_item(w, "states", name, l->s->place,
                  l->n == 1 ? "{initial: %s, rate: %s}" : "{initial: %s, rate: [%s]}",
                  l->n == 1 ? import_number(w, start[0]) : import_list(w, l->n, start), rates);
  return name;
}


const char *adm_lse(admReader *r, int number, bool is_output, int component)
{
  importWork *w = r->w;
  lseSystem l = {.s = &r->statement[number]};
  const char *state[LARGEST];
  read_inputs(r, &l);
  read_system(r, &l);
  if (!r->written[number]) r->written[number] = write_states(r, &l);
  name_states(w, r->written[number], l.n, state);
  if (component < 1 || component > (is_output ? l.ny : l.n)) {
    import_fail(w, l.s->place, "LSE/%ld has no component %d", l.s->id, component);
  }
  if (!is_output) return state[component - 1];
  const char *text = add_products(w, "", l.n, l.C[component - 1], state);
  text = add_products(w, text, l.nu, l.D[component - 1], l.input);
  return import_format(w, "(%s)", text[0] ? text : "0");
}
