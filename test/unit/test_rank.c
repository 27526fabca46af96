// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rank and redundant rows: planted ranks, rows that follow, drives that say too much.
#include <math.h>

#include "articula/base.h"
#include "loop/rank.h"
#include "support/check.h"
#include "support/full.h"
#include "support/heap.h"

enum { MOST = 40 };

//---- help ----------------------------------------------------------------------------------------

// the error of row other[k] against its combination, in the columns that are not driven
static double unexplained(const loopRank *rank, int k, const double *J, const bool *driven)
{
  double worst = 0;
  for (int j = 0; j < rank->n; j++) {
    if (driven && driven[j]) continue;
    double left = J[rank->other[k] * rank->n + j];
    for (int e = rank->start[k]; e < rank->start[k + 1]; e++) {
      left -= rank->coefficient[e] * J[rank->source[e] * rank->n + j];
    }
    worst = check_larger(worst, fabs(left));
  }
  return worst;
}


// m x n of the given rank, the first rows independent, rows of very different size
static void plant(uint64_t *seed, int m, int n, int r, double *J)
{
  for (int i = 0; i < m; i++) {
    double weight[MOST];
    for (int k = 0; k < r; k++) weight[k] = check_uniform(seed, -1, 1);
    for (int j = 0; j < n; j++) {
      J[i * n + j] = i < r ? check_uniform(seed, -1, 1) : 0;
      for (int k = 0; k < r && i >= r; k++) J[i * n + j] += weight[k] * J[k * n + j];
    }
  }
}


static void resize_rows(uint64_t *seed, int m, int n, double *size, double *J)
{
  for (int i = 0; i < m; i++) {
    size[i] = pow(10, check_uniform(seed, -3, 3));
    for (int j = 0; j < n; j++) J[i * n + j] *= size[i];
  }
}

//---- tests ---------------------------------------------------------------------------------------

TEST(planted_ranks_are_found_and_explained)
{
  uint64_t seed = 7;
  for (int trial = 0; trial < 200; trial++) {
    const int m = (int) check_uniform(&seed, 1, MOST), n = (int) check_uniform(&seed, 1, MOST);
    const int r = (int) check_uniform(&seed, 0, 1 + 0.8 * fmin(m, n));
    double J[MOST * MOST], size[MOST];
    plant(&seed, m, n, r, J);
    resize_rows(&seed, m, n, size, J);

    loopRank rank;
    if (!CHECK_EQ_INT(rank_find(&rank, full_matrix(m, n, J), NULL, NULL, NULL), ART_OK)) return;
    CHECK_EQ_INT(rank.rank, r);
    CHECK_EQ_INT(rank.other_count, m - r);
    CHECK(rank.weakest > LOOP_RANK_TOLERANCE && rank.weakest <= 1);
    for (int i = 0; i < rank.rank; i++)
      CHECK(rank.kind[rank.independent[i]] == LOOP_ROW_INDEPENDENT);
    for (int k = 0; k < rank.other_count; k++) {
      CHECK(rank.kind[rank.other[k]] == LOOP_ROW_REDUNDANT);
      CHECK(unexplained(&rank, k, J, NULL) < 1e-10 * size[rank.other[k]]);
    }
    rank_free(&rank);
  }
}


TEST(earlier_rows_are_preferred)
{
  double J[] = {
      1, 2,  0, // first
      2, 4,  0, // twice the first
      0, 1,  1, // second
      1, 3,  1, // first + second
      1, -1, 5, // third
  };
  const int independent[] = {0, 2, 4}, other[] = {1, 3};
  loopRank rank;
  if (!CHECK_EQ_INT(rank_find(&rank, full_matrix(5, 3, J), NULL, NULL, NULL), ART_OK)) return;
  CHECK_EQ_INT(rank.rank, 3);
  CHECK(memcmp(rank.independent, independent, sizeof independent) == 0);
  CHECK(memcmp(rank.other, other, sizeof other) == 0);

  // row 1 = 2 row 0; row 3 = row 0 + row 2
  const int start[] = {0, 1, 3}, source[] = {0, 0, 2};
  const double coefficient[] = {2, 1, 1};
  CHECK(memcmp(rank.start, start, sizeof start) == 0);
  CHECK(memcmp(rank.source, source, sizeof source) == 0);
  CHECK_NEAR(rank.coefficient, coefficient, 3, 1e-14);
  rank_free(&rank);
}


TEST(a_weak_row_waits_for_sound_ones)
{
  double J[] = {1, 0, 0, 1, 1e-5, 0, 0, 1, 0, 1, 1, 1e-7};
  const int independent[] = {0, 2, 3};
  loopRank rank;
  if (!CHECK_EQ_INT(rank_find(&rank, full_matrix(4, 3, J), NULL, NULL, NULL), ART_OK)) return;

  // row 1 would do beside row 0, but follows from rows 0 and 2; row 3 is weak and needed
  CHECK_EQ_INT(rank.rank, 3);
  CHECK(memcmp(rank.independent, independent, sizeof independent) == 0);
  CHECK_CLOSE(rank.weakest, 1e-7, 1e-15);
  CHECK_EQ_INT(rank.start[1], 2);
  CHECK(unexplained(&rank, 0, J, NULL) < 1e-15);
  rank_free(&rank);
}


TEST(rows_of_zeros_and_of_rounding_follow_from_none)
{
  double J[] = {0, 0, 0, 3, 1, 0, 1e-16, -2e-17, 1e-16, 0, 0, 1};
  loopRank rank;
  if (!CHECK_EQ_INT(rank_find(&rank, full_matrix(4, 3, J), NULL, NULL, NULL), ART_OK)) return;
  CHECK_EQ_INT(rank.rank, 2);
  CHECK_EQ_INT(rank.other[0], 0);
  CHECK_EQ_INT(rank.other[1], 2);
  CHECK_EQ_INT(rank.start[2], 0);
  CHECK(rank.kind[0] == LOOP_ROW_REDUNDANT && rank.kind[2] == LOOP_ROW_REDUNDANT);
  rank_free(&rank);
}


TEST(a_row_on_driven_columns_alone_is_overdriven)
{
  const bool driven[] = {true, false, false, true};
  double J[] = {
      1, 0, 0, 2, // a condition on the drives
      1, 1, 0, 0, // independent
      0, 1, 2, 0, // independent
      1, 2, 2, 0, // the sum of the two
      0, 2, 2, 0, // the same, but for the drives
  };
  loopRank rank;
  if (!CHECK_EQ_INT(rank_find(&rank, full_matrix(5, 4, J), driven, NULL, NULL), ART_OK)) return;
  CHECK_EQ_INT(rank.rank, 2);
  CHECK(rank.kind[0] == LOOP_ROW_OVERDRIVEN && rank.start[1] == 0);
  CHECK(rank.kind[3] == LOOP_ROW_REDUNDANT);
  CHECK(rank.kind[4] == LOOP_ROW_OVERDRIVEN);
  for (int k = 0; k < 3; k++) CHECK(unexplained(&rank, k, J, driven) < 1e-14);
  rank_free(&rank);
}


TEST(crank_and_rocker_cannot_both_be_driven)
{
  // four-bar, two rows over crank, coupler, rocker
  const bool driven[] = {true, false, true};
  double J[] = {-0.7, -0.4, 0.9, 1.3, 1.1, -0.2};
  loopRank rank;
  if (!CHECK_EQ_INT(rank_find(&rank, full_matrix(2, 3, J), driven, NULL, NULL), ART_OK)) return;
  CHECK_EQ_INT(rank.rank, 1);
  CHECK(rank.kind[1] == LOOP_ROW_OVERDRIVEN);
  CHECK_EQ_INT(rank.source[0], 0);
  CHECK_CLOSE(rank.coefficient[0], -1.1 / 0.4, 1e-14);
  rank_free(&rank);
}


TEST(an_empty_matrix_has_rank_zero)
{
  double J[] = {0};
  loopRank rank;
  CHECK_EQ_INT(rank_find(&rank, full_matrix(0, 3, J), NULL, NULL, NULL), ART_OK);
  CHECK(rank.rank == 0 && rank.other_count == 0);
  rank_free(&rank);
  CHECK_EQ_INT(rank_find(&rank, full_matrix(1, 0, J), NULL, NULL, NULL), ART_OK);
  CHECK(rank.rank == 0 && rank.other_count == 1);
  rank_free(&rank);
}

//---- memory --------------------------------------------------------------------------------------

TEST(memory_that_runs_out_is_reported_and_given_back)
{
  double J[] = {1, 2, 3, 2, 4, 6, 0, 0, 1};
  artStatus status = ART_NO_MEMORY;
  for (long failing = 1; status && failing < 100; failing++) {
    heap_fail_at(failing);
    loopRank rank;
    artError error = {0};
    status = rank_find(&rank, full_matrix(3, 3, J), NULL, NULL, &error);
    CHECK(status == ART_OK || (status == ART_NO_MEMORY && error.status == ART_NO_MEMORY));
    if (!status) rank_free(&rank);
    CHECK_EQ_INT(heap_live(), 0);
  }
  CHECK_EQ_INT(status, ART_OK);
  heap_unwatch();
}
