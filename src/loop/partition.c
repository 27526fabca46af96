// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Choosing the dependent coordinates: from the pattern, by the largest pivots, or by hand.
#include "loop/partition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "loop/match.h"

// smallest pivot to accept when the rank is already known
static const double MIN_PIVOT = 1e-3 * LOOP_RANK_TOLERANCE;

// a partition under construction
typedef struct maker {
  const partitionRequest *request;
  loopPartition *result;
  artError *error;
  // nd x n: independent rows, scaled, without driven columns, by the entries of the pattern
  loopMatrix rows;
  bool *usable;      // which of these entries are nonzero in J
  loopMatrix square; // nd x nd: J_v, columns numbered by the present choice
  loopMatrix block;  // one of its diagonal blocks
  int *place_of;     // n: 1 + index of a column in it
  int *pivot_row;    // nd
  int *pivot_column;
  int *rank_of;   // max(n, nd)
  int *other;     // nd + n: an alternative choice of columns, followed by the free ones
  double *number; // 2 nd
  baseArena memory;
} maker;

//---- preparation ---------------------------------------------------------------------------------

static bool is_column_driven(const partitionRequest *q, int j)
{
  return q->driven && q->driven[j];
}


// must the column stay independent?
static bool is_column_fixed(const partitionRequest *q, int j)
{
  return is_column_driven(q, j) || (q->idle && q->idle[j]);
}


static int *take_ints(baseArena *memory, int count)
{
  return arena_alloc(memory, (size_t) count + 1, sizeof(int));
}


static bool take_matrix(baseArena *memory, loopMatrix *A, int m, int n, int count)
{
  ART_ASSERT(m >= 0 && n >= 0 && count >= 0);
  *A = (loopMatrix){.m = m, .n = n};
  A->start = take_ints(memory, m);
  A->column = take_ints(memory, count);
  A->value = arena_alloc(memory, (size_t) count + 1, sizeof *A->value);
  return A->start && A->column && A->value;
}


static bool take_partition_memory(maker *k)
{
  const partitionRequest *q = k->request;
  loopPartition *p = k->result;
  *p = (loopPartition){.m = q->J->m,
                       .n = q->J->n,
                       .nd = q->rank->rank,
                       .choice = q->choice,
                       .memory = {.source = q->keep}};
  baseArena *a = &p->memory, *own = &k->memory;
  const int nd = p->nd, n = p->n, count = matrix_count(q->J);
  return (p->row = take_ints(a, nd)) && (p->dependent = take_ints(a, nd)) &&
         (p->free = take_ints(a, n)) && (p->driven = take_ints(a, n)) &&
         (p->block_start = take_ints(a, nd + 1)) && (p->block_row = take_ints(a, nd)) &&
         (p->block_column = take_ints(a, nd)) && ARENA_TAKE(a, p->scale, p->m + 1) &&
         ARENA_TAKE(own, k->usable, count + 1) && (k->place_of = take_ints(own, n)) &&
         (k->pivot_row = take_ints(own, nd)) && (k->pivot_column = take_ints(own, nd)) &&
         (k->rank_of = take_ints(own, n + nd)) && (k->other = take_ints(own, nd + n)) &&
         ARENA_TAKE(own, k->number, 2 * (size_t) nd + 1) &&
         take_matrix(own, &k->rows, nd, n, count) && take_matrix(own, &k->square, nd, nd, count) &&
         take_matrix(own, &k->block, nd, nd, count);
}


// the power of two just above the largest entry of a row, so that scaling is exact
static double row_power_scale(int n, const double *row)
{
  const double largest = max_magnitude(n, row);
  if (!(largest > 0) || !isfinite(largest)) return 1;
  int exponent;
  frexp(largest, &exponent);
  return ldexp(1, exponent);
}


static void prepare_partition(maker *k)
{
  const partitionRequest *q = k->request;
  const loopMatrix *J = q->J;
  loopPartition *p = k->result;
  int count = 0;
  memcpy(p->row, q->rank->independent, (size_t) p->nd * sizeof(int));
  for (int i = 0; i < p->m; i++) {
    p->scale[i] = row_power_scale(J->start[i + 1] - J->start[i], J->value + J->start[i]);
  }
  for (int i = 0; i < p->nd; i++) {
    const int row = p->row[i];
    k->rows.start[i] = count;
    for (int e = J->start[row]; e < J->start[row + 1]; e++) {
      const bool is_used = q->pattern ? q->pattern[e] : J->value[e] != 0;
      if (is_column_fixed(q, J->column[e]) || !is_used) continue;
      k->rows.column[count] = J->column[e];
      k->rows.value[count] = J->value[e] / p->scale[row];
      k->usable[count] = fabs(k->rows.value[count]) > LOOP_RANK_TOLERANCE;
      count++;
    }
  }
  k->rows.start[p->nd] = count;
  for (int j = 0; j < p->n; j++) {
    if (is_column_driven(q, j)) p->driven[p->nc++] = j;
  }
}


// extract rows of a matrix (NULL: all) and the columns with a number from 1
static void lay_part(const loopMatrix *from, int m, const int *row, const int *number,
                     loopMatrix *A)
{
  int count = 0;
  A->m = A->n = m;
  for (int i = 0; i < m; i++) {
    const int r = row ? row[i] : i;
    A->start[i] = count;
    for (int e = from->start[r]; e < from->start[r + 1]; e++) {
      if (number[from->column[e]] == 0) continue;
      A->column[count] = number[from->column[e]] - 1;
      A->value[count++] = from->value[e];
    }
  }
  A->start[m] = count;
}


// J_v for a choice of columns
static void lay_square(maker *k, const int *dependent)
{
  memset(k->place_of, 0, (size_t) k->rows.n * sizeof *k->place_of);
  for (int j = 0; j < k->result->nd; j++) k->place_of[dependent[j]] = j + 1;
  lay_part(&k->rows, k->result->nd, NULL, k->place_of, &k->square);
}

//---- factors -------------------------------------------------------------------------------------

// returns false when memory ran out
static bool factor_square(maker *k, const int *dependent, loopSquare *f)
{
  lay_square(k, dependent);
  return square_factor(f, &k->square);
}


// estimated infinity-norm condition number of the scaled J_v; INFINITY when it is singular
static artStatus find_condition(maker *k, const int *dependent, double *condition)
{
  loopSquare f;
  *condition = 1;
  if (k->result->nd == 0) return ART_OK;
  if (!factor_square(k, dependent, &f)) return base_no_memory(k->error);
  const double found = square_condition(&f, k->number);
  *condition = isfinite(found) ? found : INFINITY;
  square_free(&f);
  return ART_OK;
}

//---- numeric choice: full pivoting ---------------------------------------------------------------

static artStatus choose_numeric(maker *k, int *dependent)
{
  const partitionRequest *q = k->request;
  const int nd = k->result->nd;
  for (int j = 0; j < k->rows.n; j++) {
    k->rank_of[j] = is_column_fixed(q, j) ? -1 : q->prefer ? q->prefer[j] : 0;
  }
  const int count = pivot_choose(&k->rows, nd, NULL, q->prefer ? PARTITION_RANKS : 1, k->rank_of,
                                 MIN_PIVOT, k->pivot_row, k->pivot_column);
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

//---- symbolic choice -----------------------------------------------------------------------------

// an entry of X = J_v^-1 J_u with magnitude above 1: a dependent column that moves faster than a
// free one
typedef struct follower {
  int place, leader; // indices of the dependent column and of the free one
  double size;
} follower;

typedef struct followers {
  int n, room;
  follower *item;
} followers;


// finds none where J_v is singular; returns false when memory ran out
static bool find_followers(maker *k, int nf, const int *free, followers *found)
{
  loopSquare f;
  const int nd = k->result->nd;
  double *x = k->number;
  bool ok = factor_square(k, k->result->dependent, &f);
  if (!ok) return false;
  for (int j = 0; j < nf && ok && f.is_regular; j++) {
    for (int i = 0; i < nd; i++) x[i] = matrix_at(&k->rows, i, free[j]);
    square_solve(&f, x);
    for (int i = 0; i < nd && ok; i++) {
      if (!(fabs(x[i]) > PARTITION_FASTEST)) continue;
      ok = mem_grow((void **) &found->item, found->n, &found->room, sizeof *found->item);
      if (ok) found->item[found->n++] = (follower){i, j, fabs(x[i])};
    }
  }
  square_free(&f);
  return ok;
}


static int match_square(maker *k)
{
  loopPartition *p = k->result;
  lay_square(k, p->dependent);
  const matchPattern pattern = {p->nd, p->nd, k->square.start, k->square.column, NULL};
  return match_blocks(&pattern, p->block_row, p->block_column, p->block_start);
}


// cost of solving block by block: sum of size^3; -1 when memory ran out
static double block_work(maker *k)
{
  const loopPartition *p = k->result;
  const int count = match_square(k);
  double work = count > 0 ? 0 : count == 0 ? INFINITY : -1;
  for (int b = 0; b < count; b++) work += pow(p->block_start[b + 1] - p->block_start[b], 3);
  return work;
}


// the fastest follower below a limit, ties to the first; NULL: none
static const follower *fastest_follower_below(const followers *f, double below)
{
  const follower *best = NULL;
  for (int e = 0; e < f->n; e++) {
    const double x = f->item[e].size;
    if (x < below && (!best || x > best->size)) best = &f->item[e];
  }
  return best;
}


// Exchange the fastest follower with its leader, which multiplies |det J_v| by that entry of X.
// Skips exchanges that increase the cost of solving, unless PARTITION_STEEPEST is exceeded. Sets
// `done` when there is nothing to exchange.
static artStatus exchange_fastest(maker *k, const followers *found, int *free, double *work,
                                  bool *done)
{
  int *dependent = k->result->dependent;
  const follower *fast;
  for (double below = INFINITY; (fast = fastest_follower_below(found, below)); below = fast->size) {
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


static artStatus exchange_followers(maker *k)
{
  const loopPartition *p = k->result;
  int nf = 0, *free = k->other + p->nd;
  memset(k->rank_of, 0, (size_t) p->n * sizeof *k->rank_of);
  for (int i = 0; i < p->nd; i++) k->rank_of[p->dependent[i]] = 1;
  for (int j = 0; j < p->n; j++) {
    if (!is_column_fixed(k->request, j) && !k->rank_of[j]) free[nf++] = j;
  }
  double work = block_work(k);
  if (work < 0) return base_no_memory(k->error);
  bool done = p->nd == 0 || nf == 0;
  artStatus status = ART_OK;
  for (int round = 0; round < p->n && !done && status == ART_OK; round++) {
    followers found = {.n = 0};
    status = find_followers(k, nf, free, &found) ? exchange_fastest(k, &found, free, &work, &done)
                                                 : base_no_memory(k->error);
    mem_free(found.item);
  }
  return status;
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
  if (status || p->condition <= PARTITION_GOOD_CONDITION) return status;

  // use the numeric choice instead if it is clearly better conditioned
  double condition;
  status = choose_numeric(k, k->other);
  if (!status) status = find_condition(k, k->other, &condition);
  if (status || p->condition <= PARTITION_WORSE_CONDITION * condition) return status;
  memcpy(p->dependent, k->other, (size_t) p->nd * sizeof(int));
  p->condition = condition;
  p->choice = LOOP_NUMERIC;
  return ART_OK;
}

//---- choice by hand ------------------------------------------------------------------------------

enum { LIST_LENGTH = 320, WORD_LENGTH = 80 };

static const char *quoted_column_name(const partitionRequest *q, int j, char word[WORD_LENGTH])
{
  if (q->name) {
    snprintf(word, WORD_LENGTH, "'%s'", q->name[j]);
  } else {
    snprintf(word, WORD_LENGTH, "column %d", j);
  }
  return word;
}


// a list of names as long as fits, and the number of names omitted
typedef struct nameList {
  char text[LIST_LENGTH];
  int more;
} nameList;


static void add_column_name(const partitionRequest *q, int j, nameList *list)
{
  char word[WORD_LENGTH];
  const size_t used = strlen(list->text), room = LIST_LENGTH - used;
  if (list->more > 0 || room < WORD_LENGTH + 20) {
    list->more++;
  } else {
    snprintf(list->text + used, room, "%s%s", used ? ", " : "", quoted_column_name(q, j, word));
  }
}


static const char *end_column_names(nameList *list)
{
  const size_t used = strlen(list->text);
  if (list->more > 0) {
    snprintf(list->text + used, LIST_LENGTH - used, " and %d more", list->more);
  }
  return list->text;
}


// rank 1 for columns of the choice, 0 for others, -1 for driven ones
static artStatus rank_hand(maker *k)
{
  const partitionRequest *q = k->request;
  char word[WORD_LENGTH];
  for (int j = 0; j < k->rows.n; j++) k->rank_of[j] = is_column_driven(q, j) ? -1 : 0;

  for (int e = 0; e < q->hand_count; e++) {
    const int j = q->hand[e];
    ART_ASSERT(j >= 0 && j < k->rows.n);
    if (is_column_driven(q, j)) {
      return base_fail(k->error, ART_BAD_INPUT, q->place,
                       "%s is driven and cannot be chosen as independent; leave it out",
                       quoted_column_name(q, j, word));
    }
    if (k->rank_of[j] == 1) {
      return base_fail(k->error, ART_BAD_INPUT, q->place,
                       "%s is chosen twice as independent coordinate",
                       quoted_column_name(q, j, word));
    }
    k->rank_of[j] = 1;
  }
  return ART_OK;
}


// Report a choice that does not fit: pivots fell on chosen columns, or other columns got no pivot.
static artStatus refuse_hand(maker *k, int count)
{
  const partitionRequest *q = k->request;
  nameList follow = {"", 0}, open = {"", 0};
  for (int p = 0; p < count; p++) {
    const int j = k->pivot_column[p];
    if (k->rank_of[j] == 1) add_column_name(q, j, &follow);
    k->rank_of[j] = -1;
  }
  for (int j = 0; j < k->rows.n; j++) {
    if (k->rank_of[j] == 0) add_column_name(q, j, &open);
  }
  return base_fail(k->error, ART_BAD_INPUT, q->place,
                   "the constraints leave %d coordinates free, and the choice of independent ones "
                   "does not fit%s%s%s%s",
                   k->rows.n - k->result->nd - k->result->nc,
                   follow.text[0] ? "; these follow from the others, leave them out: " : "",
                   end_column_names(&follow),
                   open.text[0] ? "; these are left undetermined, choose them too: " : "",
                   end_column_names(&open));
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

//---- all together --------------------------------------------------------------------------------

// order rows and columns of a block by full pivoting; row and column are index lists
static artStatus order_block_by_pivots(maker *k, int size, int *row, int *column)
{
  ART_ASSERT(size >= 1);
  int *pivot_row = k->pivot_row, *pivot_column = k->pivot_column, *number = k->other;
  if (size == 1) return ART_OK;
  for (int j = 0; j < size; j++) number[column[j]] = j + 1;
  lay_part(&k->square, size, row, number, &k->block);
  for (int j = 0; j < size; j++) number[column[j]] = 0;
  memset(k->rank_of, 0, (size_t) size * sizeof *k->rank_of);
  const int count = pivot_choose(&k->block, size, NULL, 1, k->rank_of, 0, pivot_row, pivot_column);
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


static artStatus find_partition_blocks(maker *k)
{
  loopPartition *p = k->result;
  if (p->nd == 0) return ART_OK;
  p->block_count = match_square(k);
  if (p->block_count < 0) return base_no_memory(k->error);
  if (p->block_count == 0) {
    return base_fail(k->error, ART_SINGULAR, base_nowhere(),
                     "the pattern of the constraints has no regular partition");
  }
  memset(k->other, 0, (size_t) p->nd * sizeof *k->other);
  for (int b = 0; b < p->block_count; b++) {
    const int first = p->block_start[b], size = p->block_start[b + 1] - first;
    const artStatus status =
        order_block_by_pivots(k, size, p->block_row + first, p->block_column + first);
    if (status) return status;
  }
  for (int i = 0; i < p->nd; i++) {
    p->block_row[i] = p->row[p->block_row[i]];
    p->block_column[i] = p->dependent[p->block_column[i]];
  }
  return ART_OK;
}


static artStatus make_partition(maker *k)
{
  loopPartition *p = k->result;
  artStatus status = ART_OK;
  prepare_partition(k);
  switch (k->request->choice) {
  case LOOP_SYMBOLIC: status = choose_symbolic(k); break;
  case LOOP_BY_HAND: status = choose_by_hand(k); break;
  case LOOP_NUMERIC:
    status = choose_numeric(k, p->dependent);
    if (!status) status = find_condition(k, p->dependent, &p->condition);
    break;
  }
  if (status) return status;

  for (int j = 0; j < p->n; j++) k->rank_of[j] = is_column_driven(k->request, j);
  for (int i = 0; i < p->nd; i++) k->rank_of[p->dependent[i]] = 1;
  for (int j = 0; j < p->n; j++) {
    if (!k->rank_of[j]) p->free[p->nf++] = j;
  }
  return find_partition_blocks(k);
}


artStatus partition_find(loopPartition *partition, const partitionRequest *request, artError *error)
{
  ART_ASSERT(request->rank->m == request->J->m && request->rank->n == request->J->n);
  maker k = {.request = request, .result = partition, .error = error};
  const artStatus status = take_partition_memory(&k) ? make_partition(&k) : base_no_memory(error);
  arena_free(&k.memory);
  if (status) partition_free(partition);
  return status;
}


void partition_free(loopPartition *partition)
{
  arena_free(&partition->memory);
  *partition = (loopPartition){0};
}
