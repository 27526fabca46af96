// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Partitions and block forms: the published patterns (Postiau 2004, sections 2.3 and 2.7), random
// patterns against their definition, choices that do not fit.
#include <math.h>
#include <stdio.h>

#include "articula/base.h"
#include "base/numbers.h"
#include "loop/match.h"
#include "loop/partition.h"
#include "support/check.h"
#include "support/full.h"
#include "support/heap.h"

enum { MOST = 16 };

//---- machines as patterns ------------------------------------------------------------------------

// rows as text, 'x' for an entry
typedef struct machine {
  int m, n;
  const char *row[MOST];
} machine;

// clang-format off
static const machine seven_bodies = {6, 7, {
  "xxx....",
  "xxx....",
  "x...xx.",
  "x...xx.",
  ".x.xx.x",
  ".x.xx.x"}};

// 3-RRR robot, models 1 and 2: base cut, or platform cut
static const machine robot_12 = {6, 9, {
  "xxxxx....",
  "xxxxx....",
  "xxxxxx...",
  "xxx...xx.",
  "xxx...xx.",
  "xxx...xxx"}};

// model 3: platform on a chain of its own, reference points at the joints
static const machine robot_3_joints = {9, 12, {
  "xx.......x.x",
  "xx........xx",
  "xxx........x",
  "...xx....x.x",
  "...xx.....xx",
  "...xxx.....x",
  "......xx.x.x",
  "......xx..xx",
  "......xxx..x"}};

// model 3, reference point at the centre
static const machine robot_3_centre = {9, 12, {
  "xxx......x..",
  "xxx.......x.",
  "xxx........x",
  "...xxx...x..",
  "...xxx....x.",
  "...xxx.....x",
  "......xxxx..",
  "......xxx.x.",
  "......xxx..x"}};

// model 4: joints cut at the platform
static const machine robot_4 = {6, 9, {
  "xx....x.x",
  "xx.....xx",
  "..xx..x.x",
  "..xx...xx",
  "....xxx.x",
  "....xx.xx"}};

// low-floor tram bogie, dependent columns 23 21 22 7 8 11 12
static const machine bogie = {7, 7, {
  "x......",
  ".x.....",
  "x.xxx..",
  "x.xxx..",
  ".x.xx..",
  "..x..x.",
  "x.xxx.x"}};
// clang-format on


typedef struct numbers {
  double J[MOST * MOST];
  bool pattern[MOST * MOST];
} numbers;


// values that are neither small nor alike
static void fill(const machine *a, uint64_t seed, numbers *x)
{
  for (int i = 0; i < a->m; i++) {
    for (int j = 0; j < a->n; j++) {
      const double value = check_uniform(&seed, 0.5, 2), sign = check_uniform(&seed, -1, 1);
      x->pattern[i * a->n + j] = a->row[i][j] == 'x';
      x->J[i * a->n + j] = a->row[i][j] == 'x' ? copysign(value, sign) : 0;
    }
  }
}


static artStatus divide(const machine *a, numbers *x, partitionRequest request,
                        loopPartition *partition, artError *error)
{
  loopRank rank;
  const loopMatrix *J = full_matrix(a->m, a->n, x->J);
  artStatus status = rank_find(&rank, J, request.driven, NULL, error);
  if (status) return status;
  request.J = J, request.pattern = x->pattern;
  request.rank = &rank;
  status = partition_find(partition, &request, error);
  rank_free(&rank);
  return status;
}

//---- checks --------------------------------------------------------------------------------------

// "3 1 6 5 4 7", counted from 1 as in the thesis
static const char *listed(int count, const int *items, char *text, size_t size)
{
  text[0] = 0;
  for (int k = 0; k < count; k++) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%d", k ? " " : "", items[k] + 1);
  }
  return text;
}


static void check_sizes(const loopPartition *p, const char *sizes)
{
  int size[MOST];
  char text[100];
  for (int k = 0; k < p->block_count; k++) size[k] = p->block_start[k + 1] - p->block_start[k] - 1;
  CHECK_TEXT(listed(p->block_count, size, text, sizeof text), sizes);
}


// nothing right of the diagonal blocks, and every row and column there once
static void check_triangular(const loopPartition *p, const numbers *x)
{
  bool known[MOST] = {false}, solved[MOST] = {false};
  for (int k = 0; k < p->nf; k++) known[p->free[k]] = true;
  for (int k = 0; k < p->nc; k++) known[p->driven[k]] = true;

  for (int b = 0; b < p->block_count; b++) {
    for (int e = p->block_start[b]; e < p->block_start[b + 1]; e++) {
      CHECK(!known[p->block_column[e]]);
      known[p->block_column[e]] = true;
    }
    for (int e = p->block_start[b]; e < p->block_start[b + 1]; e++) {
      const int i = p->block_row[e];
      CHECK(!solved[i]);
      solved[i] = true;
      for (int j = 0; j < p->n; j++) CHECK(known[j] || !x->pattern[i * p->n + j]);
    }
  }
  for (int j = 0; j < p->n; j++) CHECK(known[j]);
}


static void check_symbolic(const machine *a, const char *dependent, const char *independent,
                           const char *sizes)
{
  numbers x;
  char text[100];
  for (uint64_t seed = 1; seed <= 5; seed++) {
    loopPartition p;
    fill(a, seed, &x);
    if (!CHECK_WORKS(divide(a, &x, (partitionRequest){0}, &p, &check_error))) return;
    CHECK(p.choice == LOOP_SYMBOLIC);
    CHECK(p.condition >= 1 && p.condition < 1e6);
    CHECK_TEXT(listed(p.nd, p.dependent, text, sizeof text), dependent);
    CHECK_TEXT(listed(p.nf, p.free, text, sizeof text), independent);
    for (int i = 0; i < p.nd; i++) CHECK(x.pattern[p.row[i] * p.n + p.dependent[i]]);
    check_sizes(&p, sizes);
    check_triangular(&p, &x);
    partition_free(&p);
  }
}


// independent columns from 1, ended by 0
static void check_by_hand(const machine *a, const int *independent, const char *sizes)
{
  numbers x;
  int hand[MOST], count = 0;
  for (; independent[count]; count++) hand[count] = independent[count] - 1;
  fill(a, 3, &x);

  loopPartition p;
  const partitionRequest request = {.choice = LOOP_BY_HAND, .hand_count = count, .hand = hand};
  if (!CHECK_WORKS(divide(a, &x, request, &p, &check_error))) return;
  CHECK(p.choice == LOOP_BY_HAND && p.nf == count);
  CHECK(memcmp(p.free, hand, (size_t) count * sizeof *hand) == 0);
  check_sizes(&p, sizes);
  check_triangular(&p, &x);
  partition_free(&p);
}

//---- published partitions ------------------------------------------------------------------------

TEST(the_symbolic_method_finds_the_published_partitions)
{
  check_symbolic(&seven_bodies, "3 1 6 5 4 7", "2", "2 2 2");
  check_symbolic(&robot_12, "4 5 6 7 8 9", "1 2 3", "2 1 2 1");
  check_symbolic(&robot_3_joints, "1 2 3 4 5 6 7 8 9", "10 11 12", "2 1 2 1 2 1");
  check_symbolic(&robot_3_centre, "10 11 12 4 5 6 7 8 9", "1 2 3", "1 1 1 3 3");
  check_symbolic(&robot_4, "1 2 3 4 5 6", "7 8 9", "2 2 2");
}


TEST(seven_bodies_by_hand)
{
  check_by_hand(&seven_bodies, (int[]){1, 0}, "2 2 2");
  check_by_hand(&seven_bodies, (int[]){2, 0}, "2 2 2");
  check_by_hand(&seven_bodies, (int[]){4, 0}, "6");
}


TEST(robots_by_hand)
{
  // model 1, partitions 1 to 3
  check_by_hand(&robot_12, (int[]){1, 6, 9, 0}, "6");
  check_by_hand(&robot_12, (int[]){3, 4, 7, 0}, "4 1 1");
  check_by_hand(&robot_12, (int[]){1, 2, 3, 0}, "2 1 2 1");

  // model 2
  check_by_hand(&robot_12, (int[]){1, 4, 7, 0}, "4 1 1");
  check_by_hand(&robot_12, (int[]){3, 6, 9, 0}, "6");

  // models 3 and 4, platform independent
  check_by_hand(&robot_3_centre, (int[]){10, 11, 12, 0}, "3 3 3");
  check_by_hand(&robot_3_joints, (int[]){10, 11, 12, 0}, "2 1 2 1 2 1");
  check_by_hand(&robot_4, (int[]){7, 8, 9, 0}, "2 2 2");
}


TEST(the_tram_bogie_has_five_blocks)
{
  numbers x;
  fill(&bogie, 1, &x);
  int row[7], column[7], start[8];
  char text[100];
  CHECK_EQ_INT(match_blocks(full_pattern(7, 7, x.pattern), row, column, start), 5);
  CHECK_TEXT(listed(7, row, text, sizeof text), "1 2 3 4 5 6 7");
  CHECK_TEXT(listed(7, column, text, sizeof text), "1 2 3 4 5 6 7");
  CHECK_TEXT(listed(6, start, text, sizeof text), "1 2 3 6 7 8");
}

//---- factors -------------------------------------------------------------------------------------

// A block triangular matrix in a random order of rows and columns: solutions, and the condition next to the exact one.
TEST(factors_by_blocks_solve_and_tell_the_condition)
{
  enum { N = 12 };
  unsigned seed = 11;
  for (int round = 0; round < 20; round++) {
    double A[N * N] = {0}, b[N], x[N], inverse = 0, norm = 0, room[2 * N];
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) {
        const int r = (5 * i + round) % N, c = (7 * j + 2 * round) % N;
        const int is_inside = j / 3 < i / 3 ? base_scatter(&seed) > 0.4 : j / 3 == i / 3;
        if (is_inside) A[r * N + c] = base_scatter(&seed) + (i == j ? 1.5 : 0);
      }
    }
    int start[N + 1] = {0}, column[N * N], count = 0;
    double value[N * N];
    for (int e = 0; e < N * N; e++) {
      if (A[e] != 0) column[count] = e % N, value[count++] = A[e];
      start[e / N + 1] = count;
    }
    loopSquare f;
    const loopMatrix M = {N, N, start, column, value};
    if (!CHECK(square_factor(&f, &M))) return;
    CHECK(f.is_regular && f.count >= N / 3);
    for (int k = 0; k < N; k++) {
      for (int i = 0; i < N; i++) b[i] = A[i * N + k], x[i] = k == i;
      square_solve(&f, b);
      CHECK_NEAR(b, x, N, 1e-12);
      for (int i = 0; i < N; i++) b[i] = A[k * N + i];
      square_solve_transposed(&f, b);
      CHECK_NEAR(b, x, N, 1e-12);
    }

    // rows of the inverse solve the transposed
    for (int k = 0; k < N; k++) {
      double sum = 0, row = 0;
      for (int i = 0; i < N; i++) x[i] = k == i;
      square_solve_transposed(&f, x);
      for (int i = 0; i < N; i++) sum += fabs(x[i]), row += fabs(A[k * N + i]);
      inverse = check_larger(inverse, sum);
      norm = check_larger(norm, row);
    }
    const double found = square_condition(&f, room);
    CHECK(found <= norm * inverse * (1 + 1e-12) && found >= norm * inverse / 3);
    square_free(&f);
  }
  double singular[4] = {1, 2, 2, 4}, room[4];
  loopSquare f;
  CHECK(square_factor(&f, full_matrix(2, 2, singular)));
  CHECK(!f.is_regular && isinf(square_condition(&f, room)));
  square_free(&f);
}

//---- other choices -------------------------------------------------------------------------------

TEST(driven_columns_are_never_dependent)
{
  const bool driven[7] = {[2] = true};
  numbers x;
  fill(&seven_bodies, 2, &x);
  for (int choice = LOOP_SYMBOLIC; choice <= LOOP_NUMERIC; choice++) {
    loopPartition p;
    const partitionRequest request = {.driven = driven, .choice = (loopChoice) choice};
    if (!CHECK_EQ_INT(divide(&seven_bodies, &x, request, &p, NULL), ART_OK)) return;
    CHECK(p.nd == 6 && p.nf == 0 && p.nc == 1 && p.driven[0] == 2);
    check_triangular(&p, &x);
    partition_free(&p);
  }
}


TEST(redundant_rows_are_left_out)
{
  // the seven-body mechanism with its first two rows doubled and mixed at the end
  machine a = seven_bodies;
  a.m = 8;
  a.row[6] = a.row[7] = a.row[0];
  numbers x;
  fill(&a, 4, &x);
  for (int j = 0; j < 7; j++) {
    x.J[6 * 7 + j] = x.J[j] + 2 * x.J[7 + j];
    x.J[7 * 7 + j] = x.J[j] - x.J[7 + j];
  }
  loopPartition p;
  char text[100];
  if (!CHECK_EQ_INT(divide(&a, &x, (partitionRequest){0}, &p, NULL), ART_OK)) return;
  CHECK_TEXT(listed(p.nd, p.row, text, sizeof text), "1 2 3 4 5 6");
  CHECK_TEXT(listed(p.nd, p.dependent, text, sizeof text), "3 1 6 5 4 7");
  check_sizes(&p, "2 2 2");
  check_triangular(&p, &x);
  partition_free(&p);
}


TEST(the_numeric_choice_takes_the_largest_pivots)
{
  static const machine a = {2, 4, {"xxxx", "xxxx"}};
  numbers x;
  fill(&a, 1, &x);
  const double J[] = {1, 2, -8, 0.5, 1, 1, 7, 3};
  memcpy(x.J, J, sizeof J);

  // rows are compared by their own size: -8 stands for 1/2, 7 for 7/8; then row 0 has
  // 1 + 8/7, 2 + 8/7, 0, 0.5 + 24/7
  loopPartition p;
  char text[100];
  if (!CHECK_EQ_INT(divide(&a, &x, (partitionRequest){.choice = LOOP_NUMERIC}, &p, NULL), ART_OK)) {
    return;
  }
  CHECK(p.choice == LOOP_NUMERIC);
  CHECK_TEXT(listed(p.nd, p.dependent, text, sizeof text), "4 3");
  CHECK_TEXT(listed(p.nf, p.free, text, sizeof text), "1 2");

  // the block stands in the order of its pivots
  CHECK_TEXT(listed(p.nd, p.block_row, text, sizeof text), "2 1");
  CHECK_TEXT(listed(p.nd, p.block_column, text, sizeof text), "3 4");
  const double scale[] = {16, 8};
  CHECK_NEAR(p.scale, scale, 2, 0);
  partition_free(&p);
}


static void check_exchange(const machine *a, const double *J, const char *dependent,
                           const char *sizes)
{
  numbers x;
  loopPartition p;
  char text[100];
  fill(a, 1, &x);
  memcpy(x.J, J, (size_t) (a->m * a->n) * sizeof *J);
  if (!CHECK_EQ_INT(divide(a, &x, (partitionRequest){.flat = true}, &p, NULL), ART_OK)) return;
  CHECK(p.choice == LOOP_SYMBOLIC);
  CHECK_TEXT(listed(p.nd, p.dependent, text, sizeof text), dependent);
  check_sizes(&p, sizes);
  check_triangular(&p, &x);
  partition_free(&p);
}


TEST(followers_that_outrun_their_leaders_change_places)
{
  // the pattern takes columns 1 and 2, of which 2 would move 20 times, or 8 times, as fast as 3
  static const machine alike = {2, 3, {"xxx", "xxx"}};
  check_exchange(&alike, (double[]){1, 0.02, 0.5, 0, 0.05, 1}, "1 3", "2");
  check_exchange(&alike, (double[]){1, 0.02, 0.5, 0, 0.125, 1}, "1 2", "2");

  // here the same exchange makes one block of two, which is done for 20 times, not for 12.5 times
  static const machine apart = {2, 3, {"x.x", "xxx"}};
  check_exchange(&apart, (double[]){1, 0, 0.5, 0.5, 0.05, 1.25}, "1 3", "2");
  check_exchange(&apart, (double[]){1, 0, 0.5, 0.5, 0.08, 1.25}, "1 2", "1 1");
}


TEST(a_badly_conditioned_pattern_choice_gives_way)
{
  // the pattern asks for column 1, where row 0 has next to nothing
  static const machine a = {2, 3, {"xx.", "x.x"}};
  numbers x;
  fill(&a, 1, &x);
  const double J[] = {1, 1e-5, 0, 1, 0, 1};
  memcpy(x.J, J, sizeof J);
  loopPartition p;
  char text[100];
  if (!CHECK_EQ_INT(divide(&a, &x, (partitionRequest){0}, &p, NULL), ART_OK)) return;
  CHECK(p.choice == LOOP_NUMERIC && p.condition < 10);
  CHECK_TEXT(listed(p.nd, p.dependent, text, sizeof text), "1 3");
  check_sizes(&p, "1 1");
  partition_free(&p);

  // a little worse than the best is no reason
  x.J[1] = 0.05;
  if (!CHECK_EQ_INT(divide(&a, &x, (partitionRequest){0}, &p, NULL), ART_OK)) return;
  CHECK(p.choice == LOOP_SYMBOLIC);
  CHECK_TEXT(listed(p.nd, p.dependent, text, sizeof text), "2 3");
  partition_free(&p);
}


TEST(a_pattern_choice_stays_where_none_is_much_better)
{
  // two rows that are nearly parallel: the best partition is half as bad as the first
  static const machine a = {2, 3, {"xxx", "xxx"}};
  numbers x;
  fill(&a, 1, &x);
  const double J[] = {1, 1, 1, 1, 1 + 1e-4, 1 + 2e-4};
  memcpy(x.J, J, sizeof J);
  loopPartition p;
  char text[100];
  if (!CHECK_EQ_INT(divide(&a, &x, (partitionRequest){0}, &p, NULL), ART_OK)) return;
  CHECK(p.choice == LOOP_SYMBOLIC && p.condition > PARTITION_GOOD_CONDITION);
  CHECK_TEXT(listed(p.nd, p.dependent, text, sizeof text), "1 2");
  partition_free(&p);

  if (!CHECK_EQ_INT(divide(&a, &x, (partitionRequest){.choice = LOOP_NUMERIC}, &p, NULL), ART_OK)) {
    return;
  }
  CHECK_TEXT(listed(p.nd, p.dependent, text, sizeof text), "1 3");
  partition_free(&p);
}


TEST(the_condition_is_that_of_the_scaled_matrix)
{
  // rows scaled to (1/2, 1/4), (1/8, 1/2): row sums up to 3/4, inverse up to 24/7
  static const machine a = {2, 2, {"xx", "xx"}};
  numbers x;
  fill(&a, 1, &x);
  const double J[] = {1, 0.5, 1024, 4096};
  memcpy(x.J, J, sizeof J);
  loopPartition p;
  if (!CHECK_EQ_INT(divide(&a, &x, (partitionRequest){0}, &p, NULL), ART_OK)) return;
  CHECK_CLOSE(p.condition, 0.75 * 24 / 7, 1e-13);
  partition_free(&p);
}


TEST(rows_make_room_along_augmenting_paths)
{
  static const machine a = {4, 5, {"xx...", "x....", ".xx..", ".xxxx"}};
  numbers x;
  fill(&a, 1, &x);
  int column[4];
  char text[100];

  // row 0 takes column 0, which row 1 cannot do without
  CHECK_EQ_INT(match_columns(full_pattern(4, 5, x.pattern), column), 4);
  CHECK_TEXT(listed(4, column, text, sizeof text), "2 1 3 4");

  // two rows with one column between them
  static const machine b = {3, 3, {"x..", "x..", ".xx"}};
  fill(&b, 1, &x);
  CHECK_EQ_INT(match_columns(full_pattern(3, 3, x.pattern), column), 2);
  CHECK_EQ_INT(column[1], -1);
  int row[3], blocks[3], start[4];
  CHECK_EQ_INT(match_blocks(full_pattern(3, 3, x.pattern), row, blocks, start), 0);
}

//---- random patterns -----------------------------------------------------------------------------

// whether positions a and b of a square matrix with a full diagonal must be solved together
static void close_paths(int n, bool *path)
{
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        path[i * n + j] = path[i * n + j] || (path[i * n + k] && path[k * n + j]);
      }
    }
  }
}


TEST(blocks_are_the_strong_components)
{
  uint64_t seed = 11;
  for (int trial = 0; trial < 300; trial++) {
    const int n = (int) check_uniform(&seed, 1, MOST + 1);
    const double density = check_uniform(&seed, 0, 3.0 / n);
    bool entry[MOST * MOST], path[MOST * MOST];
    int row[MOST], column[MOST], start[MOST + 1], block[MOST];

    // the matching is i with n - 1 - i, so that the diagonal says nothing
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        const bool here = check_uniform(&seed, 0, 1) < density || i == j;
        path[i * n + j] = here;
        entry[i * n + n - 1 - j] = here;
      }
    }
    close_paths(n, path);

    const int count = match_blocks(full_pattern(n, n, entry), row, column, start);
    if (!CHECK(count > 0 && start[count] == n)) return;
    for (int b = 0; b < count; b++) {
      for (int p = start[b]; p < start[b + 1]; p++) block[row[p]] = b;
    }
    for (int b = 0; b < count; b++) {
      for (int p = start[b]; p < start[b + 1]; p++) CHECK_EQ_INT(block[n - 1 - column[p]], b);
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        CHECK((block[i] == block[j]) == (path[i * n + j] && path[j * n + i]));
        CHECK(!path[i * n + j] || block[j] <= block[i]);
      }
    }
  }
}

//---- choices that do not fit ---------------------------------------------------------------------

static void refuse(int count, const int *hand, const bool *driven, const char *part)
{
  static const char *const name[] = {"q1", "q2", "q3", "q4", "q5", "q6", "q7"};
  numbers x;
  fill(&seven_bodies, 1, &x);
  const partitionRequest request = {.driven = driven,
                                    .choice = LOOP_BY_HAND,
                                    .hand_count = count,
                                    .hand = hand,
                                    .name = name,
                                    .place = {"press.yaml", 7, 3}};
  loopPartition p;
  CHECK_FAILS(divide(&seven_bodies, &x, request, &p, &check_error), ART_BAD_INPUT,
              "press.yaml:7:3: ");
  CHECK_CONTAINS(check_error.text, part);
}


TEST(choices_that_do_not_fit_are_refused_by_name)
{
  const bool driven[7] = {[5] = true};
  refuse(2, (int[]){1, 1}, NULL, "'q2' is chosen twice");
  refuse(2, (int[]){1, 5}, driven, "'q6' is driven");
  refuse(1, (int[]){1}, driven, "leave 0 coordinates free");
  refuse(1, (int[]){1}, driven, "these follow from the others, leave them out: 'q2'");
  refuse(2, (int[]){1, 0}, NULL, "leave 1 coordinates free");
  refuse(2, (int[]){1, 0}, NULL, "these follow from the others, leave them out: 'q");
  refuse(0, NULL, NULL, "these are left undetermined, choose them too: 'q");
}


TEST(a_free_column_of_zeros_must_be_chosen)
{
  // column 2 takes part in nothing, and 0 and 1 decide each other
  static const machine a = {1, 3, {"xx."}};
  numbers x;
  fill(&a, 1, &x);
  loopPartition p;
  const partitionRequest wrong = {
      .choice = LOOP_BY_HAND, .hand_count = 2, .hand = (const int[]){0, 1}};
  CHECK_FAILS(divide(&a, &x, wrong, &p, &check_error), ART_BAD_INPUT,
              "follow from the others, leave them out: column ");
  CHECK_CONTAINS(check_error.text, "undetermined, choose them too: column 2");

  const partitionRequest right = {
      .choice = LOOP_BY_HAND, .hand_count = 2, .hand = (const int[]){0, 2}};
  CHECK_WORKS(divide(&a, &x, right, &p, &check_error));
  CHECK_EQ_INT(p.dependent[0], 1);
  partition_free(&p);
}


TEST(without_constraints_all_is_independent)
{
  static const machine a = {0, 3, {0}};
  numbers x = {0};
  loopPartition p;
  for (int choice = LOOP_SYMBOLIC; choice <= LOOP_NUMERIC; choice++) {
    const partitionRequest request = {.choice = (loopChoice) choice};
    if (!CHECK_EQ_INT(divide(&a, &x, request, &p, NULL), ART_OK)) return;
    CHECK(p.nd == 0 && p.nf == 3 && p.block_count == 0 && p.block_start[0] == 0);
    partition_free(&p);
  }
}

//---- memory --------------------------------------------------------------------------------------

static void fail_every_allocation(const partitionRequest *request)
{
  numbers x;
  fill(&seven_bodies, 1, &x);
  artStatus status = ART_NO_MEMORY;
  for (long failing = 1; status && failing < 200; failing++) {
    heap_fail_at(failing);
    loopPartition p;
    artError error = {0};
    status = divide(&seven_bodies, &x, *request, &p, &error);
    CHECK(status == ART_OK || (status == ART_NO_MEMORY && error.status == ART_NO_MEMORY));
    if (!status) partition_free(&p);
    CHECK_EQ_INT(heap_live(), 0);
  }
  CHECK_EQ_INT(status, ART_OK);
}


TEST(memory_that_runs_out_is_reported_and_given_back)
{
  fail_every_allocation(&(partitionRequest){.choice = LOOP_SYMBOLIC});
  fail_every_allocation(&(partitionRequest){.choice = LOOP_NUMERIC});
  fail_every_allocation(
      &(partitionRequest){.choice = LOOP_BY_HAND, .hand_count = 1, .hand = (const int[]){3}});
  heap_unwatch();
}
