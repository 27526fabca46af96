// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Making a system in natural coordinates: coordinates, forms, rows, masses, and the pattern they leave.
#include "natural/system.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/memory.h"
#include "base/numbers.h"

// m x.y between the components of two forms
typedef struct draftMass {
  double m;
  int x, y; // forms; -1 in y: x is a coordinate
} draftMass;

typedef struct builderWeight {
  v3 force;
  int form;
} builderWeight;

// a set of coordinates that meet in the tangent
typedef struct builderPatch {
  int n, *q;
} builderPatch;

struct naturalDraft {
  int form_capacity, row_capacity; // forms: of components
  int nmass, mass_capacity;
  draftMass *mass;
  int nweight, weight_capacity;
  builderWeight *weight;
  int npatch, patch_capacity;
  builderPatch *patch;
  naturalPatch *built; // [npatch]
};


naturalSystem *natural_begin(void)
{
  naturalSystem *s = mem_alloc(1, sizeof *s);
  if (!s) return NULL;
  ARENA_TAKE(&s->arena, s->draft, 1);
  s->arena.leaves = 1;
  if (s->draft) return s;
  mem_free(s);
  return NULL;
}


void natural_free(naturalSystem *s)
{
  if (!s) return;
  arena_free(&s->arena);
  mem_free(s);
}


//---- coordinates and forms -----------------------------------------------------------------------

int natural_add_coordinates(naturalSystem *s, int count)
{
  ART_ASSERT(count > 0 && s->draft);
  const int first = s->n;
  s->n += count;
  return first;
}


// coefficients below this part of the largest are rounding
#define NOTHING 1e-15


// terms sorted by coordinate, equal ones joined, zeros gone
static int settle_terms(int n, naturalTerm *term)
{
  double most = 0;
  for (int i = 1; i < n; i++) {
    const naturalTerm t = term[i];
    int k = i;
    for (; k > 0 && term[k - 1].q > t.q; k--) term[k] = term[k - 1];
    term[k] = t;
  }
  int kept = 0;
  for (int i = 0; i < n; i++) {
    most = max_nan(most, fabs(term[i].c));
    if (kept > 0 && term[kept - 1].q == term[i].q) {
      term[kept - 1].c += term[i].c;
    } else {
      term[kept++] = term[i];
    }
  }
  n = 0;
  for (int i = 0; i < kept; i++) {
    if (fabs(term[i].c) > NOTHING * most) term[n++] = term[i];
  }
  return n;
}


int natural_add_form(naturalSystem *s, const naturalComponent component[3])
{
  for (int k = 0; k < 3; k++) {
    const naturalComponent *from = &component[k];
    naturalComponent to = {.constant = from->constant};
    to.term = arena_copy(&s->arena, from->term, (size_t) from->n, sizeof *to.term);
    to.n = settle_terms(from->n, to.term);
    s->form = arena_grow(&s->arena, s->form, 3 * s->nform + k, &s->draft->form_capacity, sizeof to);
    s->form[3 * s->nform + k] = to;
  }
  return s->nform++;
}


int natural_add_sum(naturalSystem *s, int count, const int *form, const double *factor, v3 constant)
{
  naturalComponent sum[3] = {
      {.constant = constant.x}, {.constant = constant.y}, {.constant = constant.z}};
  for (int k = 0; k < 3; k++) {
    int n = 0;
    for (int i = 0; i < count; i++) n += s->form[3 * form[i] + k].n;
    ARENA_TAKE(&s->arena, sum[k].term, n);
    for (int i = 0; i < count; i++) {
      const naturalComponent *c = &s->form[3 * form[i] + k];
      sum[k].constant += factor[i] * c->constant;
      for (int j = 0; j < c->n; j++) {
        sum[k].term[sum[k].n++] = (naturalTerm){c->term[j].q, factor[i] * c->term[j].c};
      }
    }
  }
  return natural_add_form(s, sum);
}


int natural_add_span(naturalSystem *s, int from, int to)
{
  ART_ASSERT(from < s->nform && to < s->nform);
  return natural_add_sum(s, 2, (int[]){to, from}, (double[]){1, -1}, (v3){0, 0, 0});
}


// two numbers that differ by rounding, on the scale of one
static int is_same_but_rounding(double a, double b)
{
  return fabs(a - b) <= 1e-12 * fmax(1, fabs(a));
}


int natural_same_forms(const naturalSystem *s, int a, int b)
{
  for (int k = 0; k < 3; k++) {
    const naturalComponent *x = &s->form[3 * a + k], *y = &s->form[3 * b + k];
    if (x->n != y->n || !is_same_but_rounding(x->constant, y->constant)) return 0;
    for (int i = 0; i < x->n; i++) {
      if (x->term[i].q != y->term[i].q || !is_same_but_rounding(x->term[i].c, y->term[i].c))
        return 0;
    }
  }
  return 1;
}


//---- rows, masses, forces ------------------------------------------------------------------------

// does a product contain no coordinate?
static int is_product_empty(const naturalSystem *s, const naturalRow *row)
{
  int n = row->nlinear;
  for (int k = 0; k < 3 && row->x >= 0; k++) {
    const naturalComponent *x = &s->form[3 * row->x + k], *y = &s->form[3 * row->y + k];
    const int is_zero =
        (x->n == 0 && fabs(x->constant) < 1e-12) || (y->n == 0 && fabs(y->constant) < 1e-12);
    if (!is_zero) n += x->n + y->n;
  }
  return n == 0;
}


int natural_add_row(naturalSystem *s, const naturalRow *row)
{
  ART_ASSERT((row->x < 0) == (row->y < 0));
  ART_ASSERT(row->kind != NATURAL_ANGLE || (row->x >= 0 && row->w >= 0));
  naturalRow copy = *row;
  copy.name = arena_text(&s->arena, row->name);
  copy.linear = arena_copy(&s->arena, row->linear, (size_t) row->nlinear, sizeof *copy.linear);
  if (row->kind == NATURAL_PRODUCT) {
    copy.nlinear = settle_terms(row->nlinear, copy.linear);
    if (is_product_empty(s, &copy)) return -2;
  }
  s->row = arena_grow(&s->arena, s->row, s->nrow, &s->draft->row_capacity, sizeof *s->row);
  s->row[s->nrow] = copy;
  return s->nrow++;
}


int natural_add_product(naturalSystem *s, const naturalRow *row)
{
  naturalRow product = *row;
  product.kind = NATURAL_PRODUCT;
  product.w = product.drive = -1;
  return natural_add_row(s, &product);
}


static void add_mass(naturalSystem *s, draftMass mass)
{
  struct naturalDraft *d = s->draft;
  if (mass.m == 0) return;
  d->mass = arena_grow(&s->arena, d->mass, d->nmass, &d->mass_capacity, sizeof mass);
  d->mass[d->nmass++] = mass;
}


void natural_add_mass(naturalSystem *s, double m, int x, int y)
{
  ART_ASSERT(x >= 0 && x < s->nform && y >= 0 && y < s->nform);
  add_mass(s, (draftMass){m, x, y});
}


void natural_add_inertia(naturalSystem *s, double m, int q)
{
  ART_ASSERT(q >= 0 && q < s->n);
  add_mass(s, (draftMass){m, q, -1});
}


void natural_add_weight(naturalSystem *s, v3 force, int form)
{
  ART_ASSERT(form >= 0 && form < s->nform);
  struct naturalDraft *d = s->draft;
  d->weight = arena_grow(&s->arena, d->weight, d->nweight, &d->weight_capacity, sizeof *d->weight);
  d->weight[d->nweight++] = (builderWeight){force, form};
}


//---- patches -------------------------------------------------------------------------------------

static int sort_unique(int n, int *q)
{
  base_sort_ints(n, q);
  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (kept == 0 || q[kept - 1] != q[i]) q[kept++] = q[i];
  }
  return kept;
}


static int count_terms(const naturalSystem *s, int form)
{
  int n = 0;
  for (int k = 0; k < 3 && form >= 0; k++) n += s->form[3 * form + k].n;
  return n;
}


// the coordinates of some forms and linear terms, ascending
static builderPatch collect_coordinates(naturalSystem *s, int count, const int *form, int nlinear,
                                        const naturalTerm *linear)
{
  int n = nlinear;
  for (int i = 0; i < count; i++) n += count_terms(s, form[i]);
  int *q = arena_alloc(&s->arena, (size_t) n, sizeof *q);
  n = 0;
  for (int i = 0; i < nlinear; i++) q[n++] = linear[i].q;
  for (int i = 0; i < 3 * count; i++) {
    if (form[i / 3] < 0) continue;
    const naturalComponent *c = &s->form[3 * form[i / 3] + i % 3];
    for (int k = 0; k < c->n; k++) q[n++] = c->term[k].q;
  }
  return (builderPatch){sort_unique(n, q), q};
}


int natural_add_patch(naturalSystem *s, int count, const int *form, int nlinear,
                      const naturalTerm *linear)
{
  struct naturalDraft *d = s->draft;
  d->patch = arena_grow(&s->arena, d->patch, d->npatch, &d->patch_capacity, sizeof *d->patch);
  d->patch[d->npatch] = collect_coordinates(s, count, form, nlinear, linear);
  return d->npatch++;
}


const naturalPatch *natural_patch(const naturalSystem *s, int number)
{
  ART_ASSERT(number >= 0 && number < s->draft->npatch && s->draft->built);
  return &s->draft->built[number];
}


//---- the pattern ---------------------------------------------------------------------------------

int natural_entry(const numPattern *p, int a, int b)
{
  ART_ASSERT(a >= 0 && a < p->n && b >= 0 && b < p->n);
  const int i = a > b ? a : b, j = a > b ? b : a;
  int low = p->start[j], high = p->start[j + 1] - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (p->row[middle] < i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  ART_ASSERT(p->row[low] == i);
  return low;
}


// the lower triangle of all patches and of the diagonal, by columns
static void lay_pattern(naturalSystem *s, int count, const builderPatch *patch)
{
  const int n = s->n;
  size_t most = (size_t) n;
  for (int i = 0; i < count; i++) most += (size_t) patch[i].n * (size_t) (patch[i].n + 1) / 2;

  // entries of all patches by columns, many of them more than once
  int *start, *next;
  numPattern *p = &s->pattern;
  p->n = n;
  ARENA_TAKE(&s->arena, p->start, n + 1);
  ARENA_TAKE(&s->arena, start, n + 1);
  ARENA_TAKE(&s->arena, next, n + 1);
  int *row = ARENA_TAKE(&s->arena, p->row, most);
  for (int j = 0; j < n; j++) start[j + 1] = 1;
  for (int i = 0; i < count; i++) {
    for (int b = 0; b < patch[i].n; b++) start[patch[i].q[b] + 1] += patch[i].n - b;
  }
  for (int j = 0; j < n; j++) start[j + 1] += start[j];
  memcpy(next, start, ((size_t) n + 1) * sizeof *next);
  for (int j = 0; j < n; j++) row[next[j]++] = j;
  for (int i = 0; i < count; i++) {
    for (int b = 0; b < patch[i].n; b++) {
      for (int a = b; a < patch[i].n; a++) row[next[patch[i].q[b]]++] = patch[i].q[a];
    }
  }
  for (int j = 0; j < n; j++) {
    const int kept = sort_unique(start[j + 1] - start[j], row + start[j]);
    memmove(row + p->start[j], row + start[j], (size_t) kept * sizeof *row);
    p->start[j + 1] = p->start[j] + kept;
  }
}


static void build_patch(naturalSystem *s, const builderPatch *draft, naturalPatch *patch)
{
  const size_t n = (size_t) draft->n;
  *patch = (naturalPatch){draft->n, draft->q,
                          arena_alloc(&s->arena, n * (n + 1) / 2, sizeof *patch->place)};
  int k = 0;
  for (int a = 0; a < draft->n; a++) {
    for (int b = 0; b <= a; b++)
      patch->place[k++] = natural_entry(&s->pattern, draft->q[a], draft->q[b]);
  }
}


//---- the Jacobian --------------------------------------------------------------------------------

// coordinates of every row, and what of them is constant
static void lay_rows(naturalSystem *s, builderPatch *patch)
{
  size_t total = 0;
  ARENA_TAKE(&s->arena, s->row_start, s->nrow + 1);
  for (int r = 0; r < s->nrow; r++) {
    const naturalRow *row = &s->row[r];
    const int forms[3] = {row->x, row->y, row->w};
    patch[r] = collect_coordinates(s, 3, forms, row->nlinear, row->linear);
    total += (size_t) patch[r].n;
    s->row_start[r + 1] = (int) total;
  }
  ARENA_TAKE(&s->arena, s->column, total);
  ARENA_TAKE(&s->arena, s->fixed, total);
  for (int r = 0; r < s->nrow; r++) {
    memcpy(s->column + s->row_start[r], patch[r].q, (size_t) patch[r].n * sizeof *s->column);
  }
}


static int place_in_row(const naturalSystem *s, int r, int q)
{
  ART_ASSERT(r >= 0 && r < s->nrow);
  int k = s->row_start[r];
  while (s->column[k] != q) k++;
  return k;
}


// d(x.y)/dq = y_k dx_k/dq + x_k dy_k/dq, and the same of an angle, whose factors are found anew
static void lay_entries(naturalSystem *s)
{
  size_t total = 0;
  for (int r = 0; r < s->nrow; r++) {
    if (s->row[r].kind != NATURAL_PRODUCT) continue;
    total += (size_t) (count_terms(s, s->row[r].x) + count_terms(s, s->row[r].y));
  }
  ARENA_TAKE(&s->arena, s->entry_start, s->nrow + 1);
  ARENA_TAKE(&s->arena, s->entry, total);

  int n = 0;
  for (int r = 0; r < s->nrow; r++) {
    const naturalRow *row = &s->row[r];
    if (row->kind == NATURAL_PRODUCT) {
      for (int i = 0; i < row->nlinear; i++) {
        s->fixed[place_in_row(s, r, row->linear[i].q)] += row->scale * row->linear[i].c;
      }
      for (int k = 0; k < 3 && row->x >= 0; k++) {
        const int pair[2] = {3 * row->x + k, 3 * row->y + k};
        for (int side = 0; side < 2; side++) {
          const naturalComponent *own = &s->form[pair[side]], *other = &s->form[pair[1 - side]];
          for (int i = 0; i < own->n; i++) {
            const int place = place_in_row(s, r, own->term[i].q);
            const double c = row->scale * own->term[i].c;
            if (other->n == 0) {
              s->fixed[place] += c * other->constant;
            } else {
              s->entry[n++] = (naturalEntry){place, pair[1 - side], c};
            }
          }
        }
      }
    }
    s->entry_start[r + 1] = n;
  }
}


// the second derivative of x_k y_k joins each term of x_k with each of y_k
static void lay_curves(naturalSystem *s)
{
  size_t total = 0;
  for (int r = 0; r < s->nrow; r++) {
    const naturalRow *row = &s->row[r];
    for (int k = 0; k < 3 && row->kind == NATURAL_PRODUCT && row->x >= 0; k++) {
      total += (size_t) (s->form[3 * row->x + k].n * s->form[3 * row->y + k].n);
    }
  }
  ARENA_TAKE(&s->arena, s->curve_start, s->nrow + 1);
  ARENA_TAKE(&s->arena, s->curve, total);

  int n = 0;
  for (int r = 0; r < s->nrow; r++) {
    const naturalRow *row = &s->row[r];
    for (int k = 0; k < 3 && row->kind == NATURAL_PRODUCT && row->x >= 0; k++) {
      const naturalComponent *x = &s->form[3 * row->x + k], *y = &s->form[3 * row->y + k];
      for (int i = 0; i < x->n; i++) {
        for (int j = 0; j < y->n; j++) {
          const int a = x->term[i].q, b = y->term[j].q;
          const double c = row->scale * x->term[i].c * y->term[j].c;
          const int place = natural_entry(&s->pattern, a, b);
          s->curve[n++] = (naturalTerm){place, a == b ? 2 * c : c};
        }
      }
    }
    s->curve_start[r + 1] = n;
  }
}


// the terms of all forms in one piece, and the components that rows use
static void lay_terms(naturalSystem *s)
{
  const int count = 3 * s->nform;
  baseArena *arena = &s->arena;
  char *used;
  ARENA_TAKE(arena, s->term_start, count + 1);
  ARENA_TAKE(arena, s->constant, count);
  for (int c = 0; c < count; c++) {
    s->term_start[c + 1] = s->term_start[c] + s->form[c].n;
    s->constant[c] = s->form[c].constant;
  }
  ARENA_TAKE(arena, s->term, s->term_start[count]);
  ARENA_TAKE(arena, s->hot, count);
  ARENA_TAKE(arena, used, s->nform);
  for (int r = 0; r < s->nrow; r++) {
    const int forms[3] = {s->row[r].x, s->row[r].y, s->row[r].w};
    for (int i = 0; i < 3; i++) {
      if (forms[i] >= 0) used[forms[i]] = 1;
    }
  }
  for (int c = 0; c < count; c++) {
    const naturalComponent *form = &s->form[c];
    if (form->n > 0) {
      memcpy(s->term + s->term_start[c], form->term, (size_t) form->n * sizeof *s->term);
    }
    if (used[c / 3]) s->hot[s->nhot++] = c;
  }
}


//---- mass and weight -----------------------------------------------------------------------------

static void add_mass_product(naturalSystem *s, double m, const naturalComponent *x,
                             const naturalComponent *y)
{
  for (int i = 0; i < x->n; i++) {
    for (int j = 0; j < y->n; j++) {
      const int a = x->term[i].q, b = y->term[j].q;
      if (a < b) continue;
      s->M[natural_entry(&s->pattern, a, b)] += m * x->term[i].c * y->term[j].c;
    }
  }
}


static void fill_mass(naturalSystem *s)
{
  for (int i = 0; i < s->draft->nmass; i++) {
    const draftMass *mass = &s->draft->mass[i];
    if (mass->y < 0) {
      s->M[s->pattern.start[mass->x]] += mass->m;
      continue;
    }
    for (int k = 0; k < 3; k++) {
      const naturalComponent *x = &s->form[3 * mass->x + k], *y = &s->form[3 * mass->y + k];
      add_mass_product(s, mass->m, x, y);
      if (mass->x != mass->y) add_mass_product(s, mass->m, y, x);
    }
  }
}


static void fill_weight(naturalSystem *s)
{
  for (int i = 0; i < s->draft->nweight; i++) {
    const builderWeight *w = &s->draft->weight[i];
    const double force[3] = {w->force.x, w->force.y, w->force.z};
    for (int k = 0; k < 3; k++) {
      const naturalComponent *c = &s->form[3 * w->form + k];
      s->weight_0 -= force[k] * c->constant;
      for (int j = 0; j < c->n; j++) s->weight[c->term[j].q] += force[k] * c->term[j].c;
    }
  }
}


// the geometric mean of what coordinates with mass feel; that of a thin bar about its line is rounding
static double typical_mass(const naturalSystem *s)
{
  double sum = 0, largest = 0;
  int n = 0;
  for (int i = 0; i < s->n; i++) largest = max_nan(largest, s->M[s->pattern.start[i]]);
  for (int i = 0; i < s->n; i++) {
    const double m = s->M[s->pattern.start[i]];
    if (!(m > 1e-9 * largest)) continue;
    sum += log(m);
    n++;
  }
  return n > 0 ? exp(sum / n) : 1;
}


//---- finish --------------------------------------------------------------------------------------

void natural_finish(naturalSystem *s)
{
  struct naturalDraft *d = s->draft;
  const int count = s->nrow + d->npatch + d->nmass;
  baseArena *arena = &s->arena;
  builderPatch *patch;
  ARENA_TAKE(arena, patch, count);
  ARENA_TAKE(arena, s->patch, s->nrow);
  ARENA_TAKE(arena, d->built, d->npatch);
  ARENA_TAKE(arena, s->weight, s->n);
  ARENA_TAKE(arena, s->unit, s->n);
  lay_rows(s, patch);

  // patches: of the rows, of the elements, of the masses
  const int npatch = d->npatch;
  for (int i = 0; i < d->nmass; i++) {
    const int forms[2] = {d->mass[i].x, d->mass[i].y}, alone = d->mass[i].y < 0;
    const naturalTerm own = {d->mass[i].x, 1};
    natural_add_patch(s, alone ? 0 : 2, forms, alone, &own);
  }
  for (int i = 0; i < npatch + d->nmass; i++) patch[s->nrow + i] = d->patch[i];
  d->npatch = npatch;
  lay_pattern(s, count, patch);
  for (int r = 0; r < s->nrow; r++) build_patch(s, &patch[r], &s->patch[r]);
  for (int i = 0; i < npatch; i++) build_patch(s, &d->patch[i], &d->built[i]);
  ARENA_TAKE(arena, s->M, s->pattern.start[s->n]);
  lay_entries(s);
  lay_curves(s);
  lay_terms(s);
  fill_mass(s);
  fill_weight(s);
  s->mass = typical_mass(s);
  if (!(s->length > 0)) s->length = 1;
  for (int i = 0; i < s->n; i++) s->unit[i] = s->length;
  s->arena.leaves = 0;
}
