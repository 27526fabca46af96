// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Work by blocks against dense solutions: both directions, coupling, singular blocks, memory.
#include <lapacke.h>
#include <math.h>

#include "articula/base.h"
#include "loop/blocks.h"
#include "loop/lu.h"
#include "support/check.h"
#include "support/full.h"
#include "support/heap.h"

enum { MOST = 48 };

// a Jacobian with everything that is made from it
typedef struct problem {
  int m, n;
  double J[MOST * MOST];
  bool pattern[MOST * MOST];
  bool driven[MOST];
  loopRank rank;
  loopPartition partition;
  loopBlocks *blocks;
} problem;

//---- problems ------------------------------------------------------------------------------------

static void put(problem *x, int i, int j, double value)
{
  x->pattern[i * x->n + j] = true;
  x->J[i * x->n + j] = value;
}


static bool open_problem(problem *x, loopChoice choice)
{
  const loopMatrix *J = full_matrix(x->m, x->n, x->J);
  if (rank_find(&x->rank, J, x->driven, NULL, NULL)) return false;
  const partitionRequest request = {
      .J = J, .pattern = x->pattern, .driven = x->driven, .rank = &x->rank, .choice = choice};
  artStatus status = partition_find(&x->partition, &request, NULL);
  if (!status) {
    status = blocks_create(&x->blocks, &x->partition, J, x->pattern, NULL, NULL);
    if (status) partition_free(&x->partition);
  }
  if (status) rank_free(&x->rank);
  return status == ART_OK;
}


static void close_problem(problem *x)
{
  blocks_free(x->blocks);
  partition_free(&x->partition);
  rank_free(&x->rank);
}


// groups of 1 to 8 rows with as many columns of their own, sparse or full, which lean on some
// columns of earlier groups and on some of the last columns; then rows that repeat others
static void random_problem(uint64_t *seed, problem *x)
{
  *x = (problem){0};
  const int nd = (int) check_uniform(seed, 1, 31), nu = (int) check_uniform(seed, 0, 8);
  const int repeats = (int) check_uniform(seed, 0, 5);
  x->m = nd + repeats;
  x->n = nd + nu;

  for (int first = 0, size; first < nd; first += size) {
    size = (int) check_uniform(seed, 1, 9);
    if (size > nd - first) size = nd - first;
    for (int i = first; i < first + size; i++) {
      const double unit = pow(10, check_uniform(seed, -3, 3));
      for (int j = 0; j < x->n; j++) {
        const bool mine = j >= first && j < first + size, later = j >= first + size && j < nd;
        const double chance = i == j ? 1 : mine ? 0.6 : later ? 0 : 0.2;
        const double value = check_uniform(seed, -1, 1) + (i == j ? 3 : 0);
        if (check_uniform(seed, 0, 1) < chance) put(x, i, j, unit * value);
      }
    }
  }
  for (int i = nd; i < x->m; i++) {
    const int other = (int) check_uniform(seed, 0, nd);
    for (int j = 0; j < x->n; j++) {
      if (x->pattern[other * x->n + j]) put(x, i, j, -2 * x->J[other * x->n + j]);
    }
  }
  if (nu > 0) x->driven[nd + (int) check_uniform(seed, 0, nu)] = true;
}


// another configuration: every entry of the pattern changes somewhat
static void disturb(uint64_t *seed, problem *x)
{
  for (int e = 0; e < x->m * x->n; e++) x->J[e] *= check_uniform(seed, 0.9, 1.1);
}

//---- dense oracle --------------------------------------------------------------------------------

// J_v x = b or J_v^T x = b by LAPACK, rows as in block_row and columns as in block_column, all rows
// scaled; returns the reciprocal condition
static double solve_dense(const problem *x, char transposed, double *b)
{
  const loopPartition *p = &x->partition;
  double A[MOST * MOST], work[4 * MOST], norm = 0, reciprocal = 0;
  lapack_int pivots[MOST], integers[MOST];
  for (int j = 0; j < p->nd; j++) {
    double sum = 0;
    for (int i = 0; i < p->nd; i++) {
      const int row = p->block_row[i];
      A[j * p->nd + i] = x->J[row * x->n + p->block_column[j]] / p->scale[row];
      sum += fabs(A[j * p->nd + i]);
    }
    norm = check_larger(norm, sum);
  }
  LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, p->nd, p->nd, A, p->nd, pivots);
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, transposed, p->nd, 1, A, p->nd, pivots, b, p->nd);
  LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', p->nd, A, p->nd, norm, &reciprocal, work, integers);
  return reciprocal;
}


// the entry of B for position p and independent column u, 0 where the pattern has none
static double coupling(const loopBlocks *blocks, int p, int u)
{
  const loopBlock *block = blocks_block(blocks, p);
  for (int e = 0; e < block->reach_count; e++) {
    if (block->reach[e] == u) return blocks_B_row(blocks, p)[e];
  }
  return 0;
}

//---- checks on a problem -------------------------------------------------------------------------

static void fill_random(uint64_t *seed, int n, double *v)
{
  for (int i = 0; i < n; i++) v[i] = check_uniform(seed, -1, 1);
}


static void check_solve(problem *x, uint64_t *seed)
{
  const loopPartition *p = &x->partition;
  double b[MOST], got[MOST] = {0}, want[MOST], full[MOST] = {0};
  fill_random(seed, x->m, b);
  for (int i = 0; i < p->nd; i++) want[i] = b[p->block_row[i]];
  for (int i = 0; i < x->m; i++) b[i] *= p->scale[i];
  solve_dense(x, 'N', want);
  for (int i = 0; i < p->nd; i++) full[p->block_column[i]] = want[i];

  blocks_solve(x->blocks, b, got);
  CHECK_NEAR(got, full, x->n, 1e-12);
}


static void check_solve_transposed(problem *x, uint64_t *seed)
{
  const loopPartition *p = &x->partition;
  double c[MOST], got[MOST] = {0}, want[MOST], full[MOST] = {0};
  fill_random(seed, x->n, c);
  for (int i = 0; i < p->nd; i++) want[i] = c[p->block_column[i]];
  solve_dense(x, 'T', want);

  // the dense solution is for scaled rows
  for (int i = 0; i < p->nd; i++) full[p->block_row[i]] = want[i];
  blocks_solve_transposed(x->blocks, c, got);
  for (int i = 0; i < x->m; i++) got[i] *= p->scale[i];
  CHECK_NEAR(got, full, x->m, 1e-12);
}


static void check_coupling(problem *x)
{
  const loopPartition *p = &x->partition;
  const loopBlocks *blocks = x->blocks;
  blocks_couple(x->blocks);
  for (int u = 0; u < blocks->nu; u++) {
    double got[MOST], want[MOST];
    for (int i = 0; i < p->nd; i++) {
      const int row = p->block_row[i];
      want[i] = -x->J[row * x->n + blocks->column_u[u]] / p->scale[row];
      got[i] = coupling(blocks, i, u);
    }
    solve_dense(x, 'N', want);
    CHECK_NEAR(got, want, p->nd, 1e-12);
  }
}


// J v = 0 for v = B v_u, and f . v = (f_u + B^T f_v) . v_u
static void check_products(problem *x, uint64_t *seed)
{
  const loopBlocks *blocks = x->blocks;
  double v[MOST], f[MOST], power = 0, projected = 0;
  fill_random(seed, x->n, v);
  fill_random(seed, x->n, f);
  blocks_multiply(blocks, v);
  for (int i = 0; i < x->partition.nd; i++) {
    const int row = x->partition.row[i];
    double sum = 0;
    for (int j = 0; j < x->n; j++) sum += x->J[row * x->n + j] * v[j];
    CHECK_CLOSE(sum / x->partition.scale[row], 0, 1e-12);
  }

  for (int j = 0; j < x->n; j++) power += f[j] * v[j];
  blocks_project(blocks, f);
  for (int u = 0; u < blocks->nu; u++) projected += f[blocks->column_u[u]] * v[blocks->column_u[u]];
  CHECK_CLOSE(projected, power, 1e-11);
}

//---- tests ---------------------------------------------------------------------------------------

TEST(solutions_agree_with_dense_ones)
{
  uint64_t seed = 5;
  int largest = 0, used = 0;
  for (int trial = 0; trial < 300; trial++) {
    problem x;
    random_problem(&seed, &x);
    if (!CHECK(open_problem(&x, trial % 4 ? LOOP_SYMBOLIC : LOOP_NUMERIC))) return;
    for (int state = 0; state < 3; state++) {
      // well-conditioned ones, so that every digit must be right
      double none[MOST] = {0};
      CHECK(blocks_factor(x.blocks, x.J) > 0);
      if (solve_dense(&x, 'N', none) > 1.0 / 500) {
        check_solve(&x, &seed);
        check_solve_transposed(&x, &seed);
        check_coupling(&x);
        check_products(&x, &seed);
        used++;
      }
      disturb(&seed, &x);
    }
    for (int k = 0; k < x.blocks->block_count; k++) {
      if (x.blocks->block[k].size > largest) largest = x.blocks->block[k].size;
    }
    close_problem(&x);
  }
  CHECK(used > 450 && largest >= 8);
}


TEST(small_factors_solve_both_ways)
{
  uint64_t seed = 3;
  for (int trial = 0; trial < 400; trial++) {
    const int n = 1 + trial % 6;
    double A[36], lu[36], x[6], b[6] = {0}, c[6] = {0}, B[6 * 3];
    int swap[6];
    fill_random(&seed, n * n, A);
    fill_random(&seed, n, x);
    memcpy(lu, A, sizeof A);
    if (lu_factor(n, lu, swap) < 0.05) continue;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        b[i] += A[i * n + j] * x[j];
        c[j] += A[i * n + j] * x[i];
      }
    }
    for (int i = 0; i < n; i++) {
      for (int e = 0; e < 3; e++) B[3 * i + e] = (e + 1) * b[i];
    }
    lu_solve(n, lu, swap, b);
    lu_solve_transposed(n, lu, swap, c);
    lu_solve_many(n, lu, swap, 3, B);
    CHECK_NEAR(b, x, n, 1e-12);
    CHECK_NEAR(c, x, n, 1e-12);
    for (int i = 0; i < n; i++) {
      const double want[] = {x[i], 2 * x[i], 3 * x[i]};
      CHECK_NEAR(B + 3 * i, want, 3, 1e-12);
    }
  }
}


// IFToMM's N four-bars in a row: loop k has two rows over rocker k, coupler k and rocker k + 1
static void chain_of_loops(problem *x, int loops, double bend)
{
  *x = (problem){.m = 2 * loops, .n = 2 * loops + 1};
  for (int k = 0; k < loops; k++) {
    const double angle = 0.4 + 0.01 * k;
    const int columns[] = {k, k + 1, loops + 1 + k};
    const double value[2][3] = {{cos(angle), -cos(angle + bend), sin(bend)},
                                {sin(angle), -sin(angle + bend), 0.9}};
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 3; j++) put(x, 2 * k + i, columns[j], value[i][j]);
    }
  }
}


TEST(a_chain_of_loops_costs_as_much_as_its_loops)
{
  problem x;
  chain_of_loops(&x, 20, 0.3);
  if (!CHECK(open_problem(&x, LOOP_SYMBOLIC))) return;
  CHECK(x.partition.choice == LOOP_SYMBOLIC);
  CHECK_EQ_INT(x.blocks->block_count, 20);
  for (int k = 0; k < 20; k++) {
    CHECK_EQ_INT(x.blocks->block[k].size, 2);
    CHECK_EQ_INT(x.blocks->block[k].reach_count, 1);
  }

  // the rocker before the last loop is free: two loops lean on it, the others on each other
  CHECK_EQ_INT(x.partition.free[0], 19);
  CHECK_EQ_INT(x.blocks->left_start[40], 2 * 18);
  CHECK_EQ_INT(x.blocks->right_start[40], 2 * 2);
  close_problem(&x);
}


TEST(a_block_reaches_only_what_it_depends_on)
{
  // a and b by themselves, c of a and u1, d of b, c and the drive; columns a b c d u0 u1 w drive
  problem x = {.m = 4, .n = 8, .driven = {[7] = true}};
  put(&x, 0, 0, 1), put(&x, 0, 4, 2);
  put(&x, 1, 1, 2), put(&x, 1, 6, 3);
  put(&x, 2, 2, 1), put(&x, 2, 0, -1), put(&x, 2, 5, 1);
  put(&x, 3, 3, 4), put(&x, 3, 1, 1), put(&x, 3, 2, 1), put(&x, 3, 7, 8);
  const loopMatrix *J = full_matrix(x.m, x.n, x.J);
  if (!CHECK(rank_find(&x.rank, J, x.driven, NULL, NULL) == ART_OK)) return;
  const int hand[] = {4, 5, 6};
  const partitionRequest request = {.J = J,
                                    .driven = x.driven,
                                    .rank = &x.rank,
                                    .choice = LOOP_BY_HAND,
                                    .hand_count = 3,
                                    .hand = hand};
  if (!CHECK(partition_find(&x.partition, &request, NULL) == ART_OK)) return;
  if (!CHECK(blocks_create(&x.blocks, &x.partition, J, NULL, NULL, NULL) == ART_OK)) return;

  const loopBlock *block = x.blocks->block;
  const int reach[4][4] = {{0}, {2}, {0, 1}, {0, 1, 2, 3}}, count[] = {1, 1, 2, 4};
  for (int k = 0; k < 4; k++) {
    CHECK_EQ_INT(block[k].reach_count, count[k]);
    CHECK_EQ_INT(block[k].free_count, k < 3 ? count[k] : 3);
    CHECK(memcmp(block[k].reach, reach[k], (size_t) count[k] * sizeof(int)) == 0);
  }

  // a = -2 u0, b = -1.5 w, c = a - u1, d = -(b + c)/4 - 2 drive
  CHECK(blocks_factor(x.blocks, x.J) == 0.25);
  blocks_couple(x.blocks);
  CHECK_NEAR(block[0].B, &(double){-2}, 1, 0);
  CHECK_NEAR(block[1].B, &(double){-1.5}, 1, 0);
  CHECK_NEAR(block[2].B, ((double[]){-2, -1}), 2, 0);
  CHECK_NEAR(block[3].B, ((double[]){0.5, 0.25, 0.375, -2}), 4, 0);
  close_problem(&x);
}


TEST(the_tram_bogie_keeps_its_prerequisites)
{
  static const char *const rows[] = {"x......", ".x.....", "x.xxx..", "x.xxx..",
                                     ".x.xx..", "..x..x.", "x.xxx.x"};
  problem x = {.m = 7, .n = 7};
  uint64_t seed = 1;
  for (int i = 0; i < 7; i++) {
    for (int j = 0; j < 7; j++) {
      const double value = check_uniform(&seed, 0.5, 1);
      if (rows[i][j] == 'x') put(&x, i, j, i == j ? 2 : value);
    }
  }
  if (!CHECK(open_problem(&x, LOOP_SYMBOLIC))) return;
  const loopBlocks *b = x.blocks;
  bool after[5][5] = {{false}};
  for (int p = 0; p < 7; p++) {
    for (int e = b->left_start[p]; e < b->left_start[p + 1]; e++) {
      after[b->block_of[p]][b->block_of[b->left[e].where]] = true;
    }
  }
  const bool want[5][5] = {[2] = {true, true}, [3] = {[2] = true}, [4] = {true, [2] = true}};
  CHECK_EQ_INT(b->block_count, 5);
  CHECK(memcmp(after, want, sizeof want) == 0);
  close_problem(&x);
}


TEST(a_singular_block_is_noticed)
{
  problem x;
  chain_of_loops(&x, 5, 0.3);
  if (!CHECK(open_problem(&x, LOOP_SYMBOLIC))) return;
  const double sound = blocks_factor(x.blocks, x.J);
  CHECK(sound > 0.1);

  // a dead point in block 3: its two columns become parallel
  const loopBlock *block = &x.blocks->block[3];
  const int *row = x.blocks->row + block->first, *column = x.blocks->column + block->first;
  for (int i = 0; i < 2; i++) x.J[row[i] * x.n + column[1]] = 2 * x.J[row[i] * x.n + column[0]];
  CHECK(blocks_factor(x.blocks, x.J) < 1e-15);
  for (int k = 0; k < 5; k++) CHECK(k == 3 || x.blocks->block[k].pivot >= sound);
  CHECK(block->pivot < 1e-15);

  // on the way there the pivot tells how near it is
  x.J[row[1] * x.n + column[1]] *= 1 + 1e-6;
  const double near = blocks_factor(x.blocks, x.J);
  CHECK(near > 1e-8 && near < 1e-5);

  // zeros and numbers that are none count as singular, and solutions stay finite for zeros
  double b[MOST], y[MOST] = {0};
  for (int i = 0; i < x.m; i++) b[i] = 1;
  for (int i = 0; i < 2; i++) x.J[row[i] * x.n + column[1]] = 0;
  CHECK(blocks_factor(x.blocks, x.J) == 0);
  blocks_solve(x.blocks, b, y);
  for (int j = 0; j < x.n; j++) CHECK(isfinite(y[j]));
  for (int i = 0; i < 2; i++) x.J[row[i] * x.n + column[1]] = NAN;
  CHECK(blocks_factor(x.blocks, x.J) == 0);
  close_problem(&x);
}


TEST(without_constraints_there_is_nothing_to_do)
{
  problem x = {.m = 0, .n = 3};
  double v[] = {1, 2, 3};
  if (!CHECK(open_problem(&x, LOOP_SYMBOLIC))) return;
  CHECK(blocks_factor(x.blocks, x.J) > 0);
  blocks_couple(x.blocks);
  blocks_multiply(x.blocks, v);
  blocks_project(x.blocks, v);
  CHECK_NEAR(v, ((double[]){1, 2, 3}), 3, 0);
  close_problem(&x);
  blocks_free(NULL);
}

//---- memory --------------------------------------------------------------------------------------

TEST(memory_is_taken_at_creation_alone)
{
  uint64_t seed = 9;
  problem x;
  double b[MOST], y[MOST];
  random_problem(&seed, &x);
  heap_watch();
  if (CHECK(open_problem(&x, LOOP_SYMBOLIC))) {
    const long taken = heap_taken();
    fill_random(&seed, MOST, b);
    blocks_factor(x.blocks, x.J);
    blocks_solve(x.blocks, b, y);
    blocks_solve_transposed(x.blocks, b, y);
    blocks_couple(x.blocks);
    blocks_multiply(x.blocks, b);
    blocks_project(x.blocks, b);
    CHECK_EQ_INT(heap_taken(), taken);
    close_problem(&x);
  }
  CHECK_EQ_INT(heap_live(), 0);
  heap_unwatch();
}


TEST(memory_that_runs_out_is_reported_and_given_back)
{
  uint64_t seed = 13;
  problem x;
  random_problem(&seed, &x);
  if (!CHECK(open_problem(&x, LOOP_SYMBOLIC))) return;
  blocks_free(x.blocks);

  artStatus status = ART_NO_MEMORY;
  for (long failing = 1; status && failing < 100; failing++) {
    heap_fail_at(failing);
    artError error = {0};
    status =
        blocks_create(&x.blocks, &x.partition, full_matrix(x.m, x.n, x.J), x.pattern, NULL, &error);
    CHECK(status == ART_OK || (error.status == ART_NO_MEMORY && !x.blocks));
    blocks_free(x.blocks);
    CHECK_EQ_INT(heap_live(), 0);
  }
  CHECK_EQ_INT(status, ART_OK);
  heap_unwatch();
  x.blocks = NULL;
  close_problem(&x);
}
