// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Choosing the dependent coordinates: from the pattern, by the largest pivots, or by hand.
#include "loop/partition.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "base/error.h"
#include "base/larger.h"
#include "base/memory.h"
#include "loop/match.h"
#include "loop/pivot.h"

// pivots that count when the rank is known already
static const double LEAST_PIVOT = 1e-3 * LOOP_RANK_TOLERANCE;

// The symbolic choice looks at the condition of J_v and at its inverse: by LAPACK up to so many rows,
// where full matrices are quicker, by KLU beyond.
enum { MOST_DENSE = 128 };

// a partition in the making
typedef struct maker {
  const partitionRequest *request;
  loopPartition *result;
  artError *error;
  loopMatrix
      rows; // nd x n: the independent rows, scaled, without driven columns: entries of the pattern
  bool *usable;      // those that are non-zero in J
  loopMatrix square; // nd x nd: J_v, by places in the present choice of columns
  int *place_of;     // n: 1 + the place of a column in it
  int *pivot_row;    // nd
  int *pivot_column;
  int *rank_of; // n, or nd if that is more
  int *other;   // nd + n: a second choice of columns; free ones behind it
} maker;

//---- access --------------------------------------------------------------------------------------

static bool is_driven(const partitionRequest *q, int j)
{
  return q->driven && q->driven[j];
}


// may a column depend on others?
static bool is_fixed(const partitionRequest *q, int j)
{
  return is_driven(q, j) || (q->idle && q->idle[j]);
}


static bool in_pattern(const partitionRequest *q, int e)
{
  return q->pattern ? q->pattern[e] : q->J->value[e] != 0;
}

//---- preparation ---------------------------------------------------------------------------------

static int *take_ints(loopPartition *p, int count)
{
  return arena_alloc(&p->memory, (size_t) count + 1, sizeof(int));
}


static bool take_result(loopPartition *p, const partitionRequest *q)
{
  *p = (loopPartition){.m = q->J->m, .n = q->J->n, .nd = q->rank->rank, .choice = q->choice};
  p->row = take_ints(p, p->nd);
  p->dependent = take_ints(p, p->nd);
  p->free = take_ints(p, p->n);
  p->driven = take_ints(p, p->n);
  p->block_start = take_ints(p, p->nd + 1);
  p->block_row = take_ints(p, p->nd);
  p->block_column = take_ints(p, p->nd);
  p->scale = arena_alloc(&p->memory, (size_t) p->m + 1, sizeof(double));
  return p->row && p->dependent && p->free && p->driven && p->block_start && p->block_row &&
         p->block_column && p->scale;
}


static bool take_matrix(loopMatrix *A, int m, int n, int count)
{
  A->m = m, A->n = n;
  A->start = MEM_ARRAY(int, m + 1);
  A->column = MEM_ARRAY(int, count + 1);
  A->value = MEM_ARRAY(double, count + 1);
  return A->start && A->column && A->value;
}


static void free_matrix(loopMatrix *A)
{
  mem_free(A->start);
  mem_free(A->column);
  mem_free(A->value);
}


static bool take_work(maker *k)
{
  const int nd = k->result->nd, n = k->result->n, count = matrix_count(k->request->J);
  k->usable = MEM_ARRAY(bool, count + 1);
  k->place_of = MEM_ARRAY(int, n + 1);
  k->pivot_row = MEM_ARRAY(int, nd + 1);
  k->pivot_column = MEM_ARRAY(int, nd + 1);
  k->rank_of = MEM_ARRAY(int, n + nd + 1);
  k->other = MEM_ARRAY(int, nd + n + 1);
  return take_matrix(&k->rows, nd, n, count) && take_matrix(&k->square, nd, nd, count) &&
         k->usable && k->place_of && k->pivot_row && k->pivot_column && k->rank_of && k->other;
}


static void free_work(maker *k)
{
  free_matrix(&k->rows);
  free_matrix(&k->square);
  mem_free(k->usable);
  mem_free(k->place_of);
  mem_free(k->pivot_row);
  mem_free(k->pivot_column);
  mem_free(k->rank_of);
  mem_free(k->other);
}


// the power of two just above the largest entry of a row, so that scaling is exact
static double scale_of(int n, const double *row)
{
  double largest = 0;
  for (int j = 0; j < n; j++) largest = base_larger(largest, fabs(row[j]));
  if (!(largest > 0) || !isfinite(largest)) return 1;

  int exponent;
  frexp(largest, &exponent);
  return ldexp(1, exponent);
}


static void prepare(maker *k)
{
  const partitionRequest *q = k->request;
  const loopMatrix *J = q->J;
  loopPartition *p = k->result;
  int count = 0;
  memcpy(p->row, q->rank->independent, (size_t) p->nd * sizeof(int));
  for (int i = 0; i < p->m; i++) {
    p->scale[i] = scale_of(J->start[i + 1] - J->start[i], J->value + J->start[i]);
  }
  for (int i = 0; i < p->nd; i++) {
    const int row = p->row[i];
    k->rows.start[i] = count;
    for (int e = J->start[row]; e < J->start[row + 1]; e++) {
      if (is_fixed(q, J->column[e]) || !in_pattern(q, e)) continue;
      k->rows.column[count] = J->column[e];
      k->rows.value[count] = J->value[e] / p->scale[row];
      k->usable[count] = fabs(k->rows.value[count]) > LOOP_RANK_TOLERANCE;
      count++;
    }
  }
  k->rows.start[p->nd] = count;
}


// J_v of a choice of columns
static void lay_square(maker *k, const int *dependent)
{
  const int nd = k->result->nd;
  int count = 0;
  memset(k->place_of, 0, (size_t) k->rows.n * sizeof *k->place_of);
  for (int j = 0; j < nd; j++) k->place_of[dependent[j]] = j + 1;
  for (int i = 0; i < nd; i++) {
    k->square.start[i] = count;
    for (int e = k->rows.start[i]; e < k->rows.start[i + 1]; e++) {
      const int place = k->place_of[k->rows.column[e]];
      if (place == 0) continue;
      k->square.column[count] = place - 1;
      k->square.value[count++] = k->rows.value[e];
    }
  }
  k->square.start[nd] = count;
}


// the same as a full matrix by rows
static double *full_square(const maker *k)
{
  const size_t nd = (size_t) k->square.m;
  double *full = MEM_ARRAY(double, nd *nd + 1);
  for (int i = 0; full && i < k->square.m; i++) {
    for (int e = k->square.start[i]; e < k->square.start[i + 1]; e++) {
      full[(size_t) i * nd + (size_t) k->square.column[e]] = k->square.value[e];
    }
  }
  return full;
}

//---- condition -----------------------------------------------------------------------------------

// largest sum of the sizes of a row's entries in the square
static double largest_sum(const loopMatrix *A)
{
  double norm = 0;
  for (int i = 0; i < A->m; i++) {
    double sum = 0;
    for (int e = A->start[i]; e < A->start[i + 1]; e++) sum += fabs(A->value[e]);
    norm = base_larger(norm, sum);
  }
  return norm;
}


// by rows for us is the transposed by columns for LAPACK, whose 1-norm is our infinity norm
static bool condition_dense(const maker *k, double *condition)
{
  const lapack_int nd = k->square.m;
  double *square = full_square(k);
  double *work = MEM_ARRAY(double, 4 * nd);
  lapack_int *integers = MEM_ARRAY(lapack_int, nd);
  const bool ready = square && work && integers;
  double reciprocal = 0;
  if (ready && LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, nd, nd, square, nd, integers) == 0) {
    LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', nd, square, nd, largest_sum(&k->square), &reciprocal,
                        work, integers);
  }
  mem_free(square);
  mem_free(work);
  mem_free(integers);
  *condition = reciprocal > 0 ? 1 / reciprocal : INFINITY;
  return ready;
}


// factors of the square's transposed by KLU; both NULL when it is singular
typedef struct sparseFactors {
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
} sparseFactors;


// false when memory ran out
static bool factor_sparse(maker *k, sparseFactors *f)
{
  loopMatrix *A = &k->square;
  *f = (sparseFactors){.symbolic = NULL};
  klu_defaults(&f->common);
  f->symbolic = klu_analyze(A->m, A->start, A->column, &f->common);
  if (!f->symbolic) return f->common.status == KLU_SINGULAR;
  f->numeric = klu_factor(A->start, A->column, A->value, f->symbolic, &f->common);
  return f->numeric || f->common.status == KLU_SINGULAR;
}


static void free_factors(sparseFactors *f)
{
  klu_free_numeric(&f->numeric, &f->common);
  klu_free_symbolic(&f->symbolic, &f->common);
}


static bool condition_sparse(maker *k, double *condition)
{
  sparseFactors f;
  const bool ready = factor_sparse(k, &f);
  *condition = INFINITY;
  if (ready && f.numeric &&
      klu_condest(k->square.start, k->square.value, f.symbolic, f.numeric, &f.common) &&
      isfinite(f.common.condest)) {
    *condition = f.common.condest;
  }
  free_factors(&f);
  return ready;
}


// infinity-norm condition of the scaled J_v, estimated; INFINITY when it is singular
static artStatus find_condition(maker *k, const int *dependent, double *condition)
{
  *condition = 1;
  if (k->result->nd == 0) return ART_OK;
  lay_square(k, dependent);
  const bool is_dense = k->result->nd <= MOST_DENSE;
  const bool ready = is_dense ? condition_dense(k, condition) : condition_sparse(k, condition);
  return ready ? ART_OK : base_no_memory(k->error);
}

//---- choices -------------------------------------------------------------------------------------

static artStatus choose_numeric(maker *k, int *dependent)
{
  const partitionRequest *q = k->request;
  const int nd = k->result->nd;
  for (int j = 0; j < k->rows.n; j++) {
    k->rank_of[j] = is_fixed(q, j) ? -1 : q->prefer ? q->prefer[j] : 0;
  }
  const int count = pivot_choose(&k->rows, nd, NULL, q->prefer ? PARTITION_RANKS : 1, k->rank_of,
                                 LEAST_PIVOT, k->pivot_row, k->pivot_column);
  if (count < 0) return base_no_memory(k->error);
  if (count < nd) {
    return base_fail(k->error, ART_SINGULAR, base_nowhere(),
                     "the constraints are nearly dependent here: %d or %d of them count; the "
                     "configuration is close to a singular one",
                     count, nd);
  }
  for (int p = 0; p < nd; p++) dependent[k->pivot_row[p]] = k->pivot_column[p];
  return ART_OK;
}


// the numeric choice instead of the symbolic one, when it is clearly better conditioned
static artStatus prefer_numeric(maker *k)
{
  loopPartition *p = k->result;
  double condition;
  artStatus status = choose_numeric(k, k->other);
  if (status) return status;
  status = find_condition(k, k->other, &condition);
  if (status || p->condition <= PARTITION_WORSE_CONDITION * condition) return status;

  memcpy(p->dependent, k->other, (size_t) p->nd * sizeof(int));
  p->condition = condition;
  p->choice = LOOP_NUMERIC;
  return ART_OK;
}


//---- followers that outrun their leaders ---------------------------------------------------------

// an entry of X = J_v^-1 J_u
typedef struct follower {
  int place, leader; // of the dependent column, of the free one
  double size;
} follower;

typedef struct followers {
  int n, room;
  follower *item;
} followers;


// dependent columns that outrun one free column; false when memory ran out
static bool list_fast(followers *f, int nd, int leader, const double *x)
{
  for (int i = 0; i < nd; i++) {
    if (!(fabs(x[i]) > PARTITION_FASTEST)) continue;
    if (!mem_grow((void **) &f->item, f->n, &f->room, sizeof *f->item)) return false;
    f->item[f->n++] = (follower){i, leader, fabs(x[i])};
  }
  return true;
}


// J_u by columns, and one column of it in full
typedef struct freeColumns {
  int *start; // nf + 1
  int *row;   // of the entries
  double *value;
} freeColumns;


static void free_columns(freeColumns *c)
{
  mem_free(c->start);
  mem_free(c->row);
  mem_free(c->value);
}


static bool lay_columns(maker *k, int nf, const int *free, freeColumns *c)
{
  const loopMatrix *A = &k->rows;
  int *number = k->rank_of;
  c->start = MEM_ARRAY(int, nf + 2);
  c->row = MEM_ARRAY(int, matrix_count(A) + 1);
  c->value = MEM_ARRAY(double, matrix_count(A) + 1);
  if (!c->start || !c->row || !c->value) return false;
  memset(number, 0, (size_t) A->n * sizeof *number);
  for (int j = 0; j < nf; j++) number[free[j]] = j + 1;
  for (int e = 0; e < matrix_count(A); e++) {
    if (number[A->column[e]] > 0) c->start[number[A->column[e]] + 1]++;
  }
  for (int j = 1; j <= nf; j++) c->start[j + 1] += c->start[j];
  for (int i = 0; i < A->m; i++) {
    for (int e = A->start[i]; e < A->start[i + 1]; e++) {
      if (number[A->column[e]] == 0) continue;
      const int to = c->start[number[A->column[e]]]++;
      c->row[to] = i;
      c->value[to] = A->value[e];
    }
  }
  return true;
}


static void put_column(const freeColumns *c, int j, int nd, double *x)
{
  memset(x, 0, (size_t) nd * sizeof *x);
  for (int e = c->start[j]; e < c->start[j + 1]; e++) x[c->row[e]] = c->value[e];
}


// of all free columns by LAPACK; none where J_v is singular. False when memory ran out.
static bool find_dense(maker *k, int nf, const freeColumns *c, followers *found)
{
  const lapack_int nd = k->square.m;
  double *square = full_square(k), *X = MEM_ARRAY(double, (size_t) nd *(size_t) nf + 1);
  bool ok = square && X;
  for (int j = 0; j < nf && ok; j++) put_column(c, j, nd, X + (size_t) j * (size_t) nd);

  // by columns for LAPACK
  for (int i = 0; i < nd && ok; i++) {
    for (int j = 0; j < i; j++) {
      const double x = square[i * nd + j];
      square[i * nd + j] = square[j * nd + i];
      square[j * nd + i] = x;
    }
  }
  if (ok && LAPACKE_dgesv(LAPACK_COL_MAJOR, nd, nf, square, nd, k->pivot_row, X, nd) == 0) {
    for (int j = 0; j < nf && ok; j++) ok = list_fast(found, nd, j, X + (size_t) j * (size_t) nd);
  }
  mem_free(square);
  mem_free(X);
  return ok;
}


static bool find_sparse(maker *k, int nf, const freeColumns *c, followers *found)
{
  sparseFactors f;
  const int nd = k->square.m;
  double *x = MEM_ARRAY(double, nd + 1);
  bool ok = factor_sparse(k, &f) && x;
  for (int j = 0; j < nf && ok && f.numeric; j++) {
    put_column(c, j, nd, x);
    ok = klu_tsolve(f.symbolic, f.numeric, nd, 1, x, &f.common) && list_fast(found, nd, j, x);
  }
  free_factors(&f);
  mem_free(x);
  return ok;
}


static bool find_followers(maker *k, int nf, const int *free, followers *found)
{
  freeColumns c = {.start = NULL};
  lay_square(k, k->result->dependent);
  const bool ok =
      lay_columns(k, nf, free, &c) &&
      (k->result->nd <= MOST_DENSE ? find_dense(k, nf, &c, found) : find_sparse(k, nf, &c, found));
  free_columns(&c);
  return ok;
}


static int match_square(maker *k)
{
  loopPartition *p = k->result;
  lay_square(k, p->dependent);
  const matchPattern pattern = {p->nd, p->nd, k->square.start, k->square.column, NULL};
  return match_blocks(&pattern, p->block_row, p->block_column, p->block_start);
}


// work of solving block by block, in cubes of sizes; -1 when memory ran out
static double block_work(maker *k)
{
  const loopPartition *p = k->result;
  const int count = match_square(k);
  double work = count > 0 ? 0 : count == 0 ? INFINITY : -1;
  for (int b = 0; b < count; b++) work += pow(p->block_start[b + 1] - p->block_start[b], 3);
  return work;
}


// the fastest below a limit, the first of equals; NULL when none outruns its leader
static const follower *fastest_follower(const followers *f, double below)
{
  const follower *best = NULL;
  for (int e = 0; e < f->n; e++) {
    const double x = f->item[e].size;
    if (x < below && (!best || x > best->size)) best = &f->item[e];
  }
  return best;
}


// One exchange of the fastest follower with its leader, which multiplies |det J_v| by that entry;
// those that would make solving dearer are passed over, unless digits are at stake. Sets `done` when there is none.
static artStatus exchange_fastest(maker *k, const followers *found, int *free, double *work,
                                  bool *done)
{
  int *dependent = k->result->dependent;
  const follower *fast;
  for (double below = INFINITY; (fast = fastest_follower(found, below)); below = fast->size) {
    const int column = dependent[fast->place], leader = free[fast->leader];
    dependent[fast->place] = leader;
    const double other = block_work(k);
    if (other < 0) return base_no_memory(k->error);
    if (other <= *work || (fast->size > PARTITION_STEEPEST && isfinite(other))) {
      free[fast->leader] = column, *work = other;
      return ART_OK;
    }
    dependent[fast->place] = column;
  }
  *done = true;
  return ART_OK;
}


static artStatus exchange_follower(maker *k, int nf, int *free, double *work, bool *done)
{
  followers found = {.n = 0};
  const artStatus status = find_followers(k, nf, free, &found)
                               ? exchange_fastest(k, &found, free, work, done)
                               : base_no_memory(k->error);
  mem_free(found.item);
  return status;
}


static artStatus exchange_followers(maker *k)
{
  const loopPartition *p = k->result;
  int nf = 0, *free = k->other + p->nd;
  memset(k->rank_of, 0, (size_t) p->n * sizeof *k->rank_of);
  for (int i = 0; i < p->nd; i++) k->rank_of[p->dependent[i]] = 1;
  for (int j = 0; j < p->n; j++) {
    if (!is_fixed(k->request, j) && !k->rank_of[j]) free[nf++] = j;
  }
  double work = block_work(k);
  if (work < 0) return base_no_memory(k->error);
  bool done = p->nd == 0 || nf == 0;
  for (int round = 0; round < p->n && !done; round++) {
    const artStatus status = exchange_follower(k, nf, free, &work, &done);
    if (status) return status;
  }
  return ART_OK;
}


static artStatus choose_symbolic(maker *k)
{
  loopPartition *p = k->result;
  const matchPattern pattern = {p->nd, p->n, k->rows.start, k->rows.column, k->usable};
  const int count = match_columns(&pattern, p->dependent);
  if (count < 0) return base_no_memory(k->error);

  p->condition = INFINITY;
  artStatus status = ART_OK;
  if (count == p->nd) status = find_condition(k, p->dependent, &p->condition);
  if (!status && k->request->flat && p->condition < 1 / LOOP_RANK_TOLERANCE) {
    status = exchange_followers(k);
    if (!status) status = find_condition(k, p->dependent, &p->condition);
  }
  if (status) return status;
  return p->condition <= PARTITION_GOOD_CONDITION ? ART_OK : prefer_numeric(k);
}

//---- by hand -------------------------------------------------------------------------------------

enum { LIST_LENGTH = 320, WORD_LENGTH = 80 };

static const char *name_of(const partitionRequest *q, int j, char word[WORD_LENGTH])
{
  if (q->name) {
    snprintf(word, WORD_LENGTH, "'%s'", q->name[j]);
  } else {
    snprintf(word, WORD_LENGTH, "column %d", j);
  }
  return word;
}


// names in a row, as many as have room, and how many more there are
typedef struct nameList {
  char text[LIST_LENGTH];
  int more;
} nameList;


static void add_name(const partitionRequest *q, int j, nameList *list)
{
  char word[WORD_LENGTH];
  const size_t used = strlen(list->text), room = LIST_LENGTH - used;
  if (list->more > 0 || room < WORD_LENGTH + 20) {
    list->more++;
  } else {
    snprintf(list->text + used, room, "%s%s", used ? ", " : "", name_of(q, j, word));
  }
}


static const char *end_names(nameList *list)
{
  const size_t used = strlen(list->text);
  if (list->more > 0) {
    snprintf(list->text + used, LIST_LENGTH - used, " and %d more", list->more);
  }
  return list->text;
}


// columns of the choice get rank 1, of the rest rank 0, driven ones -1
static artStatus rank_hand(maker *k)
{
  const partitionRequest *q = k->request;
  char word[WORD_LENGTH];
  for (int j = 0; j < k->rows.n; j++) k->rank_of[j] = is_driven(q, j) ? -1 : 0;

  for (int e = 0; e < q->hand_count; e++) {
    const int j = q->hand[e];
    ART_ASSERT(j >= 0 && j < k->rows.n);
    if (is_driven(q, j)) {
      return base_fail(k->error, ART_BAD_INPUT, q->place,
                       "%s is driven and cannot be chosen as independent; leave it out",
                       name_of(q, j, word));
    }
    if (k->rank_of[j] == 1) {
      return base_fail(k->error, ART_BAD_INPUT, q->place,
                       "%s is chosen twice as independent coordinate", name_of(q, j, word));
    }
    k->rank_of[j] = 1;
  }
  return ART_OK;
}


// a choice that does not fit: pivots fell on chosen columns, or other columns got none
static artStatus refuse_hand(maker *k, int count)
{
  const partitionRequest *q = k->request;
  nameList follow = {"", 0}, open = {"", 0};
  for (int p = 0; p < count; p++) {
    const int j = k->pivot_column[p];
    if (k->rank_of[j] == 1) add_name(q, j, &follow);
    k->rank_of[j] = -1;
  }
  for (int j = 0; j < k->rows.n; j++) {
    if (k->rank_of[j] == 0) add_name(q, j, &open);
  }
  return base_fail(
      k->error, ART_BAD_INPUT, q->place,
      "the constraints leave %d coordinates free, and the choice of independent ones "
      "does not fit%s%s%s%s",
      k->rows.n - k->result->nd - k->result->nc,
      follow.text[0] ? "; these follow from the others, leave them out: " : "", end_names(&follow),
      open.text[0] ? "; these are left undetermined, choose them too: " : "", end_names(&open));
}


static artStatus choose_by_hand(maker *k)
{
  const partitionRequest *q = k->request;
  loopPartition *r = k->result;
  const artStatus status = rank_hand(k);
  if (status) return status;

  const int count = pivot_choose(&k->rows, r->nd, NULL, 2, k->rank_of, LOOP_RANK_TOLERANCE,
                                 k->pivot_row, k->pivot_column);
  if (count < 0) return base_no_memory(k->error);

  bool fits = count == r->nd && r->nd + r->nc + q->hand_count == k->rows.n;
  for (int p = 0; p < count; p++) fits = fits && k->rank_of[k->pivot_column[p]] == 0;
  if (!fits) return refuse_hand(k, count);

  for (int p = 0; p < count; p++) r->dependent[k->pivot_row[p]] = k->pivot_column[p];
  return find_condition(k, r->dependent, &r->condition);
}

//---- independent columns and blocks --------------------------------------------------------------

static void list_driven(maker *k)
{
  loopPartition *p = k->result;
  for (int j = 0; j < p->n; j++) {
    if (is_driven(k->request, j)) p->driven[p->nc++] = j;
  }
}


static void list_free(maker *k)
{
  loopPartition *p = k->result;
  for (int j = 0; j < p->n; j++) k->rank_of[j] = is_driven(k->request, j);
  for (int i = 0; i < p->nd; i++) k->rank_of[p->dependent[i]] = 1;
  for (int j = 0; j < p->n; j++) {
    if (!k->rank_of[j]) p->free[p->nf++] = j;
  }
}


// a block of J_v with its columns numbered within it
static bool lay_block(const maker *k, int size, const int *row, const int *column, int *number,
                      loopMatrix *A)
{
  const loopMatrix *from = &k->square;
  int most = 0, count = 0;
  for (int i = 0; i < size; i++) most += from->start[row[i] + 1] - from->start[row[i]];
  if (!take_matrix(A, size, size, most)) return false;
  for (int j = 0; j < size; j++) number[column[j]] = j + 1;
  for (int i = 0; i < size; i++) {
    A->start[i] = count;
    for (int e = from->start[row[i]]; e < from->start[row[i] + 1]; e++) {
      if (number[from->column[e]] == 0) continue;
      A->column[count] = number[from->column[e]] - 1;
      A->value[count++] = from->value[e];
    }
  }
  A->start[size] = count;
  for (int j = 0; j < size; j++) number[column[j]] = 0;
  return true;
}


// order rows and columns of a block as full pivoting takes them; both number into row and dependent
static artStatus order_block(maker *k, int size, int *row, int *column)
{
  int *pivot_row = k->pivot_row, *pivot_column = k->pivot_column;
  if (size == 1) return ART_OK;
  loopMatrix A = {.m = size};
  memset(k->rank_of, 0, (size_t) size * sizeof *k->rank_of);
  const int count = lay_block(k, size, row, column, k->other, &A)
                        ? pivot_choose(&A, size, NULL, 1, k->rank_of, 0, pivot_row, pivot_column)
                        : -1;
  free_matrix(&A);
  if (count < 0) return base_no_memory(k->error);

  for (int p = 0; p < count; p++) {
    pivot_row[p] = row[pivot_row[p]];
    pivot_column[p] = column[pivot_column[p]];
  }
  // a block that is singular here keeps its order
  if (count == size) {
    memcpy(row, pivot_row, (size_t) size * sizeof(int));
    memcpy(column, pivot_column, (size_t) size * sizeof(int));
  }
  return ART_OK;
}


static artStatus order_blocks(maker *k)
{
  loopPartition *p = k->result;
  memset(k->other, 0, (size_t) p->nd * sizeof *k->other);
  for (int b = 0; b < p->block_count; b++) {
    const int first = p->block_start[b], size = p->block_start[b + 1] - first;
    const artStatus status = order_block(k, size, p->block_row + first, p->block_column + first);
    if (status) return status;
  }
  for (int i = 0; i < p->nd; i++) {
    p->block_row[i] = p->row[p->block_row[i]];
    p->block_column[i] = p->dependent[p->block_column[i]];
  }
  return ART_OK;
}


static artStatus find_blocks(maker *k)
{
  loopPartition *p = k->result;
  if (p->nd == 0) return ART_OK;

  p->block_count = match_square(k);
  if (p->block_count < 0) return base_no_memory(k->error);
  if (p->block_count == 0) {
    return base_fail(k->error, ART_SINGULAR, base_nowhere(),
                     "the pattern of the constraints has no regular partition");
  }
  return order_blocks(k);
}

//---- all together --------------------------------------------------------------------------------

static artStatus make(maker *k)
{
  prepare(k);
  list_driven(k);
  artStatus status = ART_OK;
  switch (k->request->choice) {
  case LOOP_SYMBOLIC:
    status = choose_symbolic(k);
    break;
  case LOOP_BY_HAND:
    status = choose_by_hand(k);
    break;
  case LOOP_NUMERIC:
    status = choose_numeric(k, k->result->dependent);
    if (!status) status = find_condition(k, k->result->dependent, &k->result->condition);
    break;
  }
  if (status) return status;

  list_free(k);
  return find_blocks(k);
}


artStatus partition_find(loopPartition *partition, const partitionRequest *request, artError *error)
{
  ART_ASSERT(request->rank->m == request->J->m && request->rank->n == request->J->n);
  maker k = {.request = request, .result = partition, .error = error};
  const bool ready = take_result(partition, request) && take_work(&k);
  const artStatus status = ready ? make(&k) : base_no_memory(error);

  free_work(&k);
  if (status) partition_free(partition);
  return status;
}


void partition_free(loopPartition *partition)
{
  arena_free(&partition->memory);
  *partition = (loopPartition){0};
}
