// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The dense algebra for systems without LAPACK (tools/port), beside LAPACK on the same matrices.
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

// the routines of the module under names of their own
#define OWN(routine) own_##routine
static lapack_int OWN(dgesdd)(int, char, int, int, double *, int, double *, double *, int, double *,
                              int, double *, int, int *);
static lapack_int OWN(dgeev)(int, char, char, int, double *, int, double *, double *, double *, int,
                             double *, int, double *, int);
static lapack_int OWN(dpotrf)(int, char, int, double *, int);
static lapack_int OWN(dpotrs)(int, char, int, int, const double *, int, double *, int);
static lapack_int OWN(dsysv)(int, char, int, int, double *, int, int *, double *, int, double *,
                             int);
static lapack_int OWN(dgesv)(int, int, int, double *, int, int *, double *, int);
static lapack_int OWN(zgesv)(int, int, int, lapack_complex_double *, int, int *,
                             lapack_complex_double *, int);
#define LAPACKE_dgesdd_work OWN(dgesdd)
#define LAPACKE_dgeev_work  OWN(dgeev)
#define LAPACKE_dpotrf_work OWN(dpotrf)
#define LAPACKE_dpotrs_work OWN(dpotrs)
#define LAPACKE_dsysv_work  OWN(dsysv)
#define LAPACKE_dgesv_work  OWN(dgesv)
#define LAPACKE_zgesv_work  OWN(zgesv)
#include "../../tools/port/eigenvalues.c"
#include "../../tools/port/lapack.c"
#undef LAPACKE_dgesdd_work
#undef LAPACKE_dgeev_work
#undef LAPACKE_dpotrf_work
#undef LAPACKE_dpotrs_work
#undef LAPACKE_dsysv_work
#undef LAPACKE_dgesv_work
#undef LAPACKE_zgesv_work
#undef H
#undef V
#undef AT

enum { MOST = 24, KINDS = 4, SPACE = 4 * MOST * MOST + 100 * MOST };

static unsigned seed = 1;


// uniform in -1..1
static double draw(void)
{
  seed = seed * 1664525u + 1013904223u;
  return seed / 2147483648.0 - 1;
}


// plain, badly scaled, of lower rank, skew-symmetric with one more
static void make_matrix(int kind, int n, double *A)
{
  for (int i = 0; i < n * n; i++) A[i] = draw();
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (kind == 1) A[i + j * n] *= pow(10, (i - j) % 5);
      if (kind == 2 && j == n - 1 && n > 1) A[i + j * n] = A[i];
      if (kind == 3) A[i + j * n] = i == j ? 1 : i > j ? A[i + j * n] : -A[j + i * n];
    }
  }
  for (int i = 0; i < n && kind == 3; i++) {
    for (int j = i + 1; j < n; j++) A[i + j * n] = -A[j + i * n];
  }
}


static double farthest(int n, const double *x, const double *y)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = x[i] == y[i] ? most : check_larger(most, fabs(x[i] - y[i]));
  return most;
}


TEST(singular_values_are_those_of_lapack_and_vectors_give_the_matrix_back)
{
  static double A[MOST * MOST], B[MOST * MOST], U[MOST * MOST], Vt[MOST * MOST], space[SPACE];
  double s[MOST], own[MOST];
  int integers[8 * MOST];
  for (int n = 1; n <= MOST; n++) {
    for (int kind = 0; kind < KINDS; kind++) {
      make_matrix(kind, n, A);
      memcpy(B, A, sizeof B);
      CHECK(LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'A', n, n, B, n, s, U, n, Vt, n, space, SPACE,
                                integers) == 0);
      memcpy(B, A, sizeof B);
      CHECK(own_dgesdd(LAPACK_COL_MAJOR, 'A', n, n, B, n, own, U, n, Vt, n, space, SPACE,
                       integers) == 0);
      const double limit = 1e-14 * n * s[0];
      CHECK(farthest(n, s, own) <= limit);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          double a = 0, u = 0, v = 0;
          for (int k = 0; k < n; k++) {
            a += U[i + k * n] * own[k] * Vt[k + j * n];
            u += U[k + i * n] * U[k + j * n];
            v += Vt[i + k * n] * Vt[j + k * n];
          }
          CHECK(fabs(a - A[i + j * n]) <= limit);
          CHECK(fabs(u - (i == j)) < 1e-13 && fabs(v - (i == j)) < 1e-13);
        }
      }
    }
  }
}


// |A x - lambda x| of the pair or the single one at k
static double residual(int n, const double *A, const double *V, int k, double complex lambda)
{
  const int is_pair = cimag(lambda) != 0;
  double most = 0;
  for (int i = 0; i < n; i++) {
    double complex sum = 0;
    for (int j = 0; j < n; j++) {
      const double complex x = V[j + k * n] + (is_pair ? I * V[j + (k + 1) * n] : 0);
      sum += (A[i + j * n] - (i == j ? lambda : 0)) * x;
    }
    most = check_larger(most, cabs(sum));
  }
  return most;
}


// the eigenvalue of the list that is next to one, taken out of it
static double complex take_next(int n, double *re, double *im, double complex lambda)
{
  int best = 0;
  for (int k = 1; k < n; k++) {
    if (!(cabs(re[k] + I * im[k] - lambda) >= cabs(re[best] + I * im[best] - lambda))) best = k;
  }
  const double complex found = re[best] + I * im[best];
  re[best] = im[best] = INFINITY;
  return found;
}


TEST(eigenvalues_are_those_of_lapack_and_vectors_belong_to_them)
{
  static double A[MOST * MOST], B[MOST * MOST], V[MOST * MOST], space[SPACE];
  double re[MOST], im[MOST], own_re[MOST], own_im[MOST];
  for (int n = 1; n <= MOST; n++) {
    for (int kind = 0; kind < KINDS; kind++) {
      make_matrix(kind, n, A);
      memcpy(B, A, sizeof B);
      CHECK(own_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, B, n, own_re, own_im, NULL, n, V, n, space,
                      SPACE) == 0);
      const double size = check_largest(n * n, A);
      for (int k = 0; k < n; k += own_im[k] != 0 ? 2 : 1) {
        CHECK(own_im[k] == 0 || (own_im[k] > 0 && own_im[k + 1] == -own_im[k]));
        CHECK(residual(n, A, V, k, own_re[k] + I * own_im[k]) <= 1e-13 * n * size);
        double norm = 0;
        for (int i = 0; i < n; i++) {
          norm = hypot(norm, hypot(V[i + k * n], own_im[k] != 0 ? V[i + (k + 1) * n] : 0));
        }
        CHECK(fabs(norm - 1) < 1e-13);
      }
      if (kind == 1) continue; // eigenvalues there depend on rounding
      memcpy(B, A, sizeof B);
      CHECK(LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, B, n, re, im, NULL, n, V, n, space,
                               SPACE) == 0);
      for (int k = 0; k < n; k++) {
        const double complex lambda = own_re[k] + I * own_im[k];
        CHECK(cabs(take_next(n, re, im, lambda) - lambda) < 1e-11 * size);
      }
    }
  }
}


TEST(solutions_are_those_of_lapack)
{
  static double A[MOST * MOST], B[MOST * MOST], C[MOST * MOST], space[SPACE];
  static double complex Z[MOST * MOST], Y[MOST * MOST];
  double x[MOST], y[MOST];
  double complex p[MOST], q[MOST];
  int pivot[MOST];
  for (int n = 1; n <= MOST; n++) {
    // indefinite, with zeros on the diagonal
    make_matrix(0, n, A);
    for (int i = 0; i < n; i++) {
      if (n > 1 && i % 2) A[i + i * n] = 0;
      x[i] = y[i] = draw();
    }
    memcpy(B, A, sizeof B);
    CHECK(own_dsysv(LAPACK_COL_MAJOR, 'L', n, 1, A, n, pivot, x, n, space, SPACE) == 0);
    CHECK(LAPACKE_dsysv_work(LAPACK_COL_MAJOR, 'L', n, 1, B, n, pivot, y, n, space, SPACE) == 0);
    CHECK(farthest(n, x, y) <= 1e-10 * check_largest(n, y));

    // positive: A^T A and one more
    for (int i = 0; i < n * n; i++) A[i] = draw();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        B[i + j * n] = i == j;
        for (int k = 0; k < n; k++) B[i + j * n] += A[k + i * n] * A[k + j * n];
      }
    }
    for (int upper = 0; upper < 2; upper++) {
      const char uplo = upper ? 'U' : 'L';
      for (int i = 0; i < n; i++) x[i] = y[i] = draw();
      memcpy(A, B, sizeof A);
      memcpy(C, B, sizeof C);
      CHECK(own_dpotrf(LAPACK_COL_MAJOR, uplo, n, A, n) == 0);
      CHECK(LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, uplo, n, C, n) == 0);
      CHECK(farthest(n * n, A, C) <= 1e-12 * check_largest(n * n, C));
      own_dpotrs(LAPACK_COL_MAJOR, uplo, n, 1, A, n, x, n);
      LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, uplo, n, 1, C, n, y, n);
      CHECK(farthest(n, x, y) <= 1e-11 * check_largest(n, y));
    }
    B[n * n - 1] = -1;
    CHECK(own_dpotrf(LAPACK_COL_MAJOR, 'L', n, B, n) == n);

    for (int i = 0; i < n * n; i++) A[i] = C[i] = draw();
    for (int i = 0; i < n; i++) x[i] = y[i] = draw();
    CHECK(own_dgesv(LAPACK_COL_MAJOR, n, 1, A, n, pivot, x, n) == 0);
    CHECK(LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, C, n, pivot, y, n) == 0);
    CHECK(farthest(n * n, A, C) <= 1e-10 * check_largest(n * n, C));
    CHECK(farthest(n, x, y) <= 1e-10 * check_largest(n, y));

    for (int i = 0; i < n * n; i++) Z[i] = Y[i] = draw() + I * draw();
    for (int i = 0; i < n; i++) p[i] = q[i] = draw() + I * draw();
    CHECK(own_zgesv(LAPACK_COL_MAJOR, n, 1, Z, n, pivot, p, n) == 0);
    CHECK(LAPACKE_zgesv_work(LAPACK_COL_MAJOR, n, 1, Y, n, pivot, q, n) == 0);
    CHECK(farthest(2 * n, (double *) p, (double *) q) <=
          1e-10 * check_largest(2 * n, (double *) q));
  }
  double complex none[4] = {1, 2, 2, 4}, side[2] = {1, 1};
  CHECK(own_zgesv(LAPACK_COL_MAJOR, 2, 1, none, 2, pivot, side, 2) == 2);
}
