// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Choosing the dependent coordinates: from the pattern, by the largest pivots, or by hand.
#include "loop/partition.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/larger.h"
#include "base/memory.h"
#include "loop/match.h"
#include "loop/pivot.h"

// pivots that count when the rank is known already
static const double LEAST_PIVOT = 1e-3 * LOOP_RANK_TOLERANCE;

// a partition in the making
typedef struct maker {
  const partitionRequest *request;
  loopPartition *result;
  artError *error;
  bool *entry;    // nd x n: pattern of the independent rows without driven columns
  bool *usable;   // nd x n: those that are non-zero in J
  double *A;      // nd x n: the independent rows, scaled; work of eliminations
  double *square; // nd x nd
  bool *square_entry;
  int *pivot_row; // nd
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


static size_t place_of(const partitionRequest *q, int i, int j)
{
  return (size_t) i * (size_t) q->n + (size_t) j;
}


static bool in_pattern(const partitionRequest *q, int i, int j)
{
  return q->pattern ? q->pattern[place_of(q, i, j)] : q->J[place_of(q, i, j)] != 0;
}


// entry (i, j) of the scaled independent rows
static double scaled(const maker *k, int i, int j)
{
  const int row = k->result->row[i];
  return k->request->J[place_of(k->request, row, j)] / k->result->scale[row];
}

//---- preparation ---------------------------------------------------------------------------------

static int *take_ints(loopPartition *p, int count)
{
  return arena_alloc(&p->memory, (size_t) count + 1, sizeof(int));
}


static bool take_result(loopPartition *p, const partitionRequest *q)
{
  *p = (loopPartition){.m = q->m, .n = q->n, .nd = q->rank->rank, .choice = q->choice};
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


static bool take_work(maker *k)
{
  const size_t nd = (size_t) k->result->nd, n = (size_t) k->request->n;
  k->entry = MEM_ARRAY(bool, nd *n + 1);
  k->usable = MEM_ARRAY(bool, nd *n + 1);
  k->A = MEM_ARRAY(double, nd *n + 1);
  k->square = MEM_ARRAY(double, nd *nd + 1);
  k->square_entry = MEM_ARRAY(bool, nd *nd + 1);
  k->pivot_row = MEM_ARRAY(int, nd + 1);
  k->pivot_column = MEM_ARRAY(int, nd + 1);
  k->rank_of = MEM_ARRAY(int, n + nd + 1);
  k->other = MEM_ARRAY(int, nd + n + 1);
  return k->entry && k->usable && k->A && k->square && k->square_entry && k->pivot_row &&
         k->pivot_column && k->rank_of && k->other;
}


static void free_work(maker *k)
{
  mem_free(k->entry);
  mem_free(k->usable);
  mem_free(k->A);
  mem_free(k->square);
  mem_free(k->square_entry);
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
  loopPartition *p = k->result;
  memcpy(p->row, q->rank->independent, (size_t) p->nd * sizeof(int));
  for (int i = 0; i < p->m; i++) p->scale[i] = scale_of(p->n, q->J + place_of(q, i, 0));

  for (int i = 0; i < p->nd; i++) {
    for (int j = 0; j < p->n; j++) {
      const size_t at = place_of(q, i, j);
      k->entry[at] = !is_fixed(q, j) && in_pattern(q, p->row[i], j);
      k->usable[at] = k->entry[at] && fabs(scaled(k, i, j)) > LOOP_RANK_TOLERANCE;
    }
  }
}


static void load_rows(maker *k)
{
  for (int i = 0; i < k->result->nd; i++) {
    for (int j = 0; j < k->request->n; j++) k->A[place_of(k->request, i, j)] = scaled(k, i, j);
  }
}

// the pattern of J_v
static void lay_entries(maker *k)
{
  const loopPartition *p = k->result;
  const size_t nd = (size_t) p->nd;
  for (int i = 0; i < p->nd; i++) {
    for (int j = 0; j < p->nd; j++) {
      const size_t from = place_of(k->request, i, p->dependent[j]);
      k->square_entry[(size_t) i * nd + (size_t) j] = k->entry[from];
    }
  }
}

//---- condition -----------------------------------------------------------------------------------

// infinity-norm condition of the scaled J_v, estimated; INFINITY when it is singular
static artStatus find_condition(maker *k, const int *dependent, double *condition)
{
  const lapack_int nd = k->result->nd;
  const size_t size = (size_t) nd;
  *condition = 1;
  if (nd == 0) return ART_OK;

  // by rows for us is the transposed by columns for LAPACK, whose 1-norm is our infinity norm
  double norm = 0;
  for (int i = 0; i < nd; i++) {
    double sum = 0;
    for (int j = 0; j < nd; j++) {
      k->square[(size_t) i * size + (size_t) j] = scaled(k, i, dependent[j]);
      sum += fabs(scaled(k, i, dependent[j]));
    }
    norm = base_larger(norm, sum);
  }

  double *work = MEM_ARRAY(double, 4 * size);
  lapack_int *integers = MEM_ARRAY(lapack_int, size);
  const bool ready = work && integers;
  double reciprocal = 0;
  if (ready && LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, nd, nd, k->square, nd, integers) == 0) {
    LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', nd, k->square, nd, norm, &reciprocal, work,
                        integers);
  }
  mem_free(work);
  mem_free(integers);
  *condition = reciprocal > 0 ? 1 / reciprocal : INFINITY;
  return ready ? ART_OK : base_no_memory(k->error);
}

//---- choices -------------------------------------------------------------------------------------

static artStatus choose_numeric(maker *k, int *dependent)
{
  const partitionRequest *q = k->request;
  const int nd = k->result->nd;
  load_rows(k);
  for (int j = 0; j < q->n; j++) {
    k->rank_of[j] = is_fixed(q, j) ? -1 : q->prefer ? q->prefer[j] : 0;
  }
  const int count = pivot_choose(nd, q->n, k->A, q->prefer ? PARTITION_RANKS : 1, k->rank_of,
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

// X = J_v^-1 J_u over the free columns, nd x nf by columns in k->A; false when J_v is singular
static bool find_followers(maker *k, int nf, const int *free)
{
  const lapack_int nd = k->result->nd;
  const size_t size = (size_t) nd;
  for (int i = 0; i < nd; i++) {
    for (int j = 0; j < nd; j++) {
      k->square[(size_t) j * size + (size_t) i] = scaled(k, i, k->result->dependent[j]);
    }
    for (int j = 0; j < nf; j++) k->A[(size_t) j * size + (size_t) i] = scaled(k, i, free[j]);
  }
  return LAPACKE_dgesv(LAPACK_COL_MAJOR, nd, nf, k->square, nd, k->pivot_row, k->A, nd) == 0;
}


// work of solving block by block, in cubes of sizes; -1 when memory ran out
static double block_work(maker *k)
{
  loopPartition *p = k->result;
  lay_entries(k);
  const int count =
      match_blocks(p->nd, k->square_entry, p->block_row, p->block_column, p->block_start);
  double work = count > 0 ? 0 : count == 0 ? INFINITY : -1;
  for (int b = 0; b < count; b++) work += pow(p->block_start[b + 1] - p->block_start[b], 3);
  return work;
}


// the largest entry of X below a limit, as a place in it; -1 when none outruns its leader
static int fastest_follower(const maker *k, int count, double below)
{
  int best = -1;
  for (int e = 0; e < count; e++) {
    const double x = fabs(k->A[e]);
    if (x < below && x > (best < 0 ? PARTITION_FASTEST : fabs(k->A[best]))) best = e;
  }
  return best;
}


// One exchange of the fastest follower with its leader, which multiplies |det J_v| by that entry;
// those that would make solving dearer are passed over, unless digits are at stake. Sets `done` when there is none.
static artStatus exchange_follower(maker *k, int nf, int *free, double *work, bool *done)
{
  int *dependent = k->result->dependent;
  const int nd = k->result->nd;
  *done = !find_followers(k, nf, free);
  double below = INFINITY;
  while (!*done) {
    const int e = fastest_follower(k, nd * nf, below);
    if (e < 0) break;
    below = fabs(k->A[e]);
    const int follower = dependent[e % nd], leader = free[e / nd];
    dependent[e % nd] = leader;
    const double other = block_work(k);
    if (other < 0) return base_no_memory(k->error);
    if (other <= *work || (below > PARTITION_STEEPEST && isfinite(other))) {
      free[e / nd] = follower, *work = other;
      return ART_OK;
    }
    dependent[e % nd] = follower;
  }
  *done = true;
  return ART_OK;
}


static artStatus exchange_followers(maker *k)
{
  const loopPartition *p = k->result;
  int nf = 0, *free = k->other + p->nd;
  for (int j = 0; j < p->n; j++) {
    bool is_free = !is_fixed(k->request, j);
    for (int i = 0; i < p->nd; i++) is_free = is_free && p->dependent[i] != j;
    if (is_free) free[nf++] = j;
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
  const matchPattern pattern = {p->nd, p->n, k->entry, k->usable};
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
  for (int j = 0; j < q->n; j++) k->rank_of[j] = is_driven(q, j) ? -1 : 0;

  for (int e = 0; e < q->hand_count; e++) {
    const int j = q->hand[e];
    ART_ASSERT(j >= 0 && j < q->n);
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
  for (int j = 0; j < q->n; j++) {
    if (k->rank_of[j] == 0) add_name(q, j, &open);
  }
  return base_fail(
      k->error, ART_BAD_INPUT, q->place,
      "the constraints leave %d coordinates free, and the choice of independent ones "
      "does not fit%s%s%s%s",
      q->n - k->result->nd - k->result->nc,
      follow.text[0] ? "; these follow from the others, leave them out: " : "", end_names(&follow),
      open.text[0] ? "; these are left undetermined, choose them too: " : "", end_names(&open));
}


static artStatus choose_by_hand(maker *k)
{
  const partitionRequest *q = k->request;
  loopPartition *r = k->result;
  const artStatus status = rank_hand(k);
  if (status) return status;

  load_rows(k);
  const int count = pivot_choose(r->nd, q->n, k->A, 2, k->rank_of, LOOP_RANK_TOLERANCE,
                                 k->pivot_row, k->pivot_column);
  if (count < 0) return base_no_memory(k->error);

  bool fits = count == r->nd && r->nd + r->nc + q->hand_count == q->n;
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


// order rows and columns of a block as full pivoting takes them; both number into row and dependent
static artStatus order_block(maker *k, int size, int *row, int *column)
{
  for (int i = 0; i < size; i++) {
    k->rank_of[i] = 0;
    for (int j = 0; j < size; j++) {
      k->square[i * size + j] = scaled(k, row[i], k->result->dependent[column[j]]);
    }
  }
  int *pivot_row = k->pivot_row, *pivot_column = k->pivot_column;
  const int count = pivot_choose(size, size, k->square, 1, k->rank_of, 0, pivot_row, pivot_column);
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

  lay_entries(k);
  p->block_count =
      match_blocks(p->nd, k->square_entry, p->block_row, p->block_column, p->block_start);
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
  ART_ASSERT(request->rank->m == request->m && request->rank->n == request->n);
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
