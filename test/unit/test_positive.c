// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Positive definite systems of all kinds against the products they must give back, and against each
// other.
#include "num/positive.h"

#include <math.h>
#include <string.h>

#include "num/dense.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/mallocs.h"

enum { MOST = 120, KINDS = 3 };

static const numPositiveKind kinds[KINDS] = {POSITIVE_AUTOMATIC, POSITIVE_DENSE, POSITIVE_SPARSE};

// a full matrix and its lower triangle
typedef struct matrix {
  double full[MOST * MOST];
  int start[MOST + 1], row[MOST * (MOST + 1) / 2];
  double value[MOST * (MOST + 1) / 2];
  numPattern pattern;
} matrix;

static matrix A; // large, and one at a time


//---- matrices ------------------------------------------------------------------------------------

static double *at(int r, int c)
{
  return &A.full[c * A.pattern.n + r];
}


static void clear(int n)
{
  memset(&A, 0, sizeof A);
  A.pattern = (numPattern){n, A.start, A.row};
}


// A += weight * v v^T of a vector with few entries
static void add_product(int count, const int *k, const double *v, double weight)
{
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) *at(k[i], k[j]) += weight * v[i] * v[j];
  }
}


// the lower triangle of what is not zero, and the diagonal
static void pack(void)
{
  int p = 0;
  for (int c = 0; c < A.pattern.n; c++) {
    A.start[c] = p;
    for (int r = c; r < A.pattern.n; r++) {
      if (r > c && *at(r, c) == 0) continue;
      A.row[p] = r;
      A.value[p++] = *at(r, c);
    }
  }
  A.start[A.pattern.n] = p;
}


// unknowns coupled in `groups` random groups of up to five
static void make_random(int n, int groups, double weight, uint64_t *seed)
{
  clear(n);
  for (int k = 0; k < n; k++) *at(k, k) = check_uniform(seed, 1, 2);
  for (int g = 0; g < groups; g++) {
    int k[5];
    double v[5];
    const int count = 2 + check_pick(seed, 4), first = check_pick(seed, n),
              stride = 1 + check_pick(seed, n);
    int used = 0;
    for (int i = 0; i < count; i++) {
      const int next = (first + i * stride) % n;
      int known = 0;
      for (int j = 0; j < used; j++) known |= k[j] == next;
      if (known) continue;
      k[used] = next;
      v[used++] = check_uniform(seed, -1, 1);
    }
    add_product(used, k, v, weight);
  }
  pack();
}


static void multiply(const double *x, double *b)
{
  for (int r = 0; r < A.pattern.n; r++) {
    b[r] = 0;
    for (int c = 0; c < A.pattern.n; c++) b[r] += *at(r, c) * x[c];
  }
}


static numPositive *create(numPositiveKind kind)
{
  numPositive *f = NULL;
  CHECK_EQ_INT(positive_create(&f, &A.pattern, kind, NULL), ART_OK);
  return f;
}


//---- tests ---------------------------------------------------------------------------------------

TEST(random_patterns_agree_with_a_dense_solution)
{
  uint64_t seed = 1;
  for (int trial = 0; trial < 300; trial++) {
    const int n = 1 + check_pick(&seed, MOST);
    make_random(n, check_pick(&seed, n + n / 2), 1, &seed);
    double b[MOST], want[MOST], x[MOST];
    static double full[MOST * MOST];
    for (int k = 0; k < n; k++) b[k] = check_uniform(&seed, -2, 2);
    memcpy(full, A.full, sizeof full);
    memcpy(want, b, sizeof want);
    if (!CHECK(num_solve_positive(n, full, 1, want, NULL) == ART_OK)) return;

    for (int k = 0; k < KINDS; k++) {
      int worst = 0;
      numPositive *f = create(kinds[k]);
      if (!f) return;
      memcpy(x, b, sizeof x);
      CHECK_EQ_INT(positive_factor(f, A.value, &worst), ART_OK);
      CHECK_EQ_INT(worst, -1);
      positive_solve(f, x);
      CHECK_NEAR(x, want, n, 1e-13);
      positive_free(f);
    }
  }
}


TEST(a_pattern_serves_many_values)
{
  uint64_t seed = 2;
  make_random(60, 50, 1, &seed);
  for (int k = 0; k < KINDS; k++) {
    numPositive *f = create(kinds[k]);
    if (!f) return;
    for (int again = 0; again < 5; again++) {
      int worst;
      double want[MOST], x[MOST];
      for (int i = 0; i < 60; i++) {
        *at(i, i) += 0.5;
        want[i] = check_uniform(&seed, -2, 2);
      }
      pack();
      multiply(want, x);
      CHECK_EQ_INT(positive_factor(f, A.value, &worst), ART_OK);
      for (int second = 0; second < 2; second++) {
        multiply(want, x);
        positive_solve(f, x);
        CHECK_NEAR(x, want, 60, 1e-13);
      }
    }
    positive_free(f);
  }
}


// M + a J^T J with a = 1e7: as many digits as the condition leaves, and small residuals
TEST(large_penalties_leave_small_residuals)
{
  uint64_t seed = 3;
  for (int trial = 0; trial < 50; trial++) {
    make_random(100, 60, 1e7, &seed);
    double want[MOST], b[MOST], x[MOST], again[MOST], largest = 0;
    for (int i = 0; i < 100; i++) {
      want[i] = check_uniform(&seed, -2, 2);
      for (int j = 0; j < 100; j++) largest = check_larger(largest, fabs(*at(i, j)));
    }
    multiply(want, b);
    for (int k = 0; k < KINDS; k++) {
      int worst;
      numPositive *f = create(kinds[k]);
      if (!f) return;
      memcpy(x, b, sizeof x);
      CHECK_EQ_INT(positive_factor(f, A.value, &worst), ART_OK);
      positive_solve(f, x);
      multiply(x, again);
      CHECK_NEAR(again, b, 100, 1e-14 * largest);
      CHECK_NEAR(x, want, 100, 1e-7);
      positive_free(f);
    }
  }
}


// an arrow with its head first would fill up in the order given
TEST(the_order_of_pivots_keeps_an_arrow_sparse)
{
  clear(50);
  for (int k = 0; k < 50; k++) {
    *at(k, k) = 60;
    *at(k, 0) = *at(0, k) = k == 0 ? 60 : 1;
  }
  pack();
  numPositive *f = create(POSITIVE_AUTOMATIC), *dense = create(POSITIVE_DENSE);
  if (f && dense) {
    CHECK_EQ_INT(positive_kind(f), POSITIVE_SPARSE);
    CHECK(positive_fill(f) <= 50 + 49 + 10);
    CHECK_EQ_INT(positive_kind(dense), POSITIVE_DENSE);
    CHECK_EQ_INT(positive_fill(dense), 50 * 51 / 2);
  }
  positive_free(f);
  positive_free(dense);
}


// 99 entries without fill, of the stored ones three quarters at least
TEST(blocks_of_a_band_hold_few_zeros)
{
  clear(50);
  for (int k = 0; k < 50; k++) {
    *at(k, k) = 3;
    if (k > 0) *at(k, k - 1) = *at(k - 1, k) = 1;
  }
  pack();
  numPositive *f = create(POSITIVE_SPARSE);
  if (f) CHECK(positive_fill(f) >= 99 && positive_fill(f) <= 132);
  positive_free(f);
}


TEST(a_full_matrix_is_kept_dense)
{
  clear(20);
  for (int r = 0; r < 20; r++) {
    for (int c = 0; c < 20; c++) *at(r, c) = r == c ? 21 : 1;
  }
  pack();
  numPositive *f = create(POSITIVE_AUTOMATIC), *sparse = create(POSITIVE_SPARSE);
  if (f) CHECK_EQ_INT(positive_kind(f), POSITIVE_DENSE);
  if (sparse) CHECK_EQ_INT(positive_fill(sparse), 20 * 21 / 2);
  positive_free(f);
  positive_free(sparse);
}


// unknowns of an isolated pair of which one follows from the other, or more than that
TEST(a_pivot_that_is_not_positive_is_named)
{
  static const double corner[] = {4, 4.000000000000001, 3.9, -1, 0, NAN};
  uint64_t seed = 4;
  for (int n = 30; n <= 100; n += 70) {
    for (size_t c = 0; c < sizeof corner / sizeof *corner; c++) {
      make_random(n, n / 2, 1, &seed);
      for (int k = 0; k < n; k++) {
        for (int pair = 11; pair <= 17; pair += 6) *at(pair, k) = *at(k, pair) = 0;
      }
      *at(11, 11) = 1, *at(11, 17) = *at(17, 11) = 2, *at(17, 17) = corner[c];
      pack();
      for (int k = 0; k < KINDS; k++) {
        int worst = -1;
        numPositive *f = create(kinds[k]);
        if (!f) return;
        CHECK_EQ_INT(positive_factor(f, A.value, &worst), ART_SINGULAR);
        CHECK(worst == 11 || worst == 17);

        // and it is no harm for what follows
        *at(17, 17) = 5;
        pack();
        double x[MOST] = {0};
        x[11] = 5, x[17] = 12;
        CHECK_EQ_INT(positive_factor(f, A.value, &worst), ART_OK);
        CHECK_EQ_INT(worst, -1);
        positive_solve(f, x);
        CHECK_NEAR(((double[2]){x[11], x[17]}), ((double[2]){1, 2}), 2, 1e-14);
        *at(17, 17) = corner[c];
        pack();
        positive_free(f);
      }
    }
  }
}


TEST(what_is_within_rounding_of_singular_is_singular)
{
  clear(3);
  const double third = 1.0 / 3;
  add_product(3, (const int[]){0, 1, 2}, (const double[]){third, 0.7, -0.1}, 3);
  add_product(3, (const int[]){0, 1, 2}, (const double[]){0.3, third, 0.9}, 5e6);
  pack();
  for (int k = 0; k < KINDS; k++) {
    int worst = -1;
    numPositive *f = create(kinds[k]);
    if (!f) return;
    CHECK_EQ_INT(positive_factor(f, A.value, &worst), ART_SINGULAR);
    CHECK(worst >= 0 && worst < 3);
    positive_free(f);
  }
}


TEST(none_and_one_unknown_are_systems_too)
{
  for (int k = 0; k < KINDS; k++) {
    int worst = 0;
    double x = 6;
    clear(0);
    A.pattern.row = NULL;
    numPositive *f = create(kinds[k]);
    if (!f) return;
    CHECK_EQ_INT(positive_factor(f, NULL, &worst), ART_OK);
    CHECK_EQ_INT(worst, -1);
    positive_solve(f, NULL);
    CHECK_EQ_INT(positive_fill(f), 0);
    positive_free(f);

    clear(1);
    pack();
    if (!(f = create(kinds[k]))) return;
    CHECK_EQ_INT(positive_factor(f, &(double){4}, &worst), ART_OK);
    positive_solve(f, &x);
    CHECK_CLOSE(x, 1.5, 0);
    CHECK_EQ_INT(positive_factor(f, &(double){0}, &worst), ART_SINGULAR);
    CHECK_EQ_INT(worst, 0);
    positive_free(f);
  }
}


TEST(factors_and_solutions_take_no_memory)
{
  uint64_t seed = 5;
  make_random(100, 60, 1, &seed);
  for (int k = 0; k < KINDS; k++) {
    int worst;
    double x[MOST] = {1};
    numPositive *f = create(kinds[k]);
    if (!f) return;
    const long before = mallocs;
    for (int again = 0; again < 10; again++) {
      positive_factor(f, A.value, &worst);
      positive_solve(f, x);
    }
    CHECK_EQ_INT(mallocs, before);
    positive_free(f);
  }
}


TEST(memory_that_runs_out_is_said_and_given_back)
{
  uint64_t seed = 6;
  make_random(100, 100, 1, &seed);
  for (int k = 0; k < KINDS; k++) {
    artStatus status = ART_NO_MEMORY;
    for (long n = 1; status != ART_OK && n < 1000; n++) {
      artError error = {0};
      numPositive *f = NULL;
      heap_fail_at(n);
      status = positive_create(&f, &A.pattern, kinds[k], &error);
      CHECK(status == ART_OK ? f != NULL : f == NULL && error.status == ART_NO_MEMORY);
      positive_free(f);
      CHECK_EQ_INT(heap_live(), 0);
    }
    heap_unwatch();
    CHECK_EQ_INT(status, ART_OK);
  }
}
