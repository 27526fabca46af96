// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dense linear algebra through LAPACK.
#include "num/dense.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"


static artStatus not_found(artError *error, const char *what, int n)
{
  return base_fail(error, ART_NO_CONVERGENCE, base_nowhere(),
                   "the %s of a matrix of order %d could not be found: its entries may be too far "
                   "apart in size, or not finite",
                   what, n);
}


artStatus num_singular_values(int n, double *A, double *U, double *s, double *Vt, artError *error)
{
  ART_ASSERT(n >= 0);
  if (n == 0) return ART_OK;
  double best = 0;
  lapack_int *integers = MEM_ARRAY(lapack_int, 8 * n);
  if (!integers) return base_no_memory(error);

  // workspace query
  LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'A', n, n, A, n, s, U, n, Vt, n, &best, -1, integers);
  double *space = MEM_ARRAY(double, best);
  lapack_int info = 0;
  if (space) {
    info = LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'A', n, n, A, n, s, U, n, Vt, n, space,
                               (lapack_int) best, integers);
  }
  const int had_space = space != NULL;
  mem_free(space);
  mem_free(integers);
  if (!had_space) return base_no_memory(error);
  return info == 0 ? ART_OK : not_found(error, "singular values", n);
}


artStatus num_eigenvalues(int n, double *A, double *re, double *im, double *V, artError *error)
{
  ART_ASSERT(n >= 0);
  if (n == 0) return ART_OK;
  double best = 0;
  LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, A, n, re, im, NULL, n, V, n, &best, -1);
  double *space = MEM_ARRAY(double, best);
  if (!space) return base_no_memory(error);
  const lapack_int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, A, n, re, im, NULL, n,
                                             V, n, space, (lapack_int) best);
  mem_free(space);
  return info == 0 ? ART_OK : not_found(error, "eigenvalues", n);
}


artStatus num_solve_positive(int n, double *M, int m, double *B, artError *error)
{
  ART_ASSERT(n >= 0 && m >= 0);
  if (n == 0) return ART_OK;
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, M, n) != 0) {
    return base_fail(error, ART_SINGULAR, base_nowhere(),
                     "a matrix of order %d that should be positive definite is not", n);
  }
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, m, M, n, B, n);
  return ART_OK;
}


double num_solve_square(int n, double *A, int *pivot, double *b)
{
  ART_ASSERT(n > 0);
  if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, A, n, pivot, b, n) != 0) return 0;
  double least = HUGE_VAL, most = 0;
  for (int k = 0; k < n; k++) {
    if (!isfinite(A[(long) k * n + k])) return 0;
    least = fmin(least, fabs(A[(long) k * n + k]));
    most = fmax(most, fabs(A[(long) k * n + k]));
  }
  return least / most;
}


artStatus num_solve_complex(int n, double *Z, int m, double *B, int *pivot, artError *error)
{
  ART_ASSERT(n >= 0 && m >= 0);
  if (n == 0) return ART_OK;
  const lapack_int info = LAPACKE_zgesv_work(LAPACK_COL_MAJOR, n, m, (lapack_complex_double *) Z, n,
                                             pivot, (lapack_complex_double *) B, n);
  if (info == 0) return ART_OK;
  return base_fail(error, ART_SINGULAR, base_nowhere(), "a complex matrix of order %d is singular",
                   n);
}


//---- threads -------------------------------------------------------------------------------------

// defined by OpenBLAS only
extern void openblas_set_num_threads(int n) __attribute__((weak));
extern void *blas_memory_alloc(int kind) __attribute__((weak));
extern void blas_memory_free(void *memory) __attribute__((weak));


void num_use_one_thread(void)
{
  if (openblas_set_num_threads && !getenv("OPENBLAS_NUM_THREADS")) openblas_set_num_threads(1);
}


void num_take_room(int n)
{
  ART_ASSERT(n >= 0);
  if (n == 0 || !blas_memory_alloc || !blas_memory_free) return;
  void *memory = blas_memory_alloc(0);
  if (!memory) return;
  num_take_room(n - 1);
  blas_memory_free(memory);
}
