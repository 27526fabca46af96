// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The few routines of the BLAS, for systems without the library: matrices of machines have an order of a hundred.
#include <cblas.h>
#include <math.h>


int cblas_idamax(int n, const double *x, int dx)
{
  int best = 0;
  for (int i = 1; i < n; i++) {
    if (fabs(x[i * dx]) > fabs(x[best * dx])) best = i;
  }
  return best;
}


void cblas_dswap(int n, double *x, int dx, double *y, int dy)
{
  for (int i = 0; i < n; i++) {
    const double kept = x[i * dx];
    x[i * dx] = y[i * dy];
    y[i * dy] = kept;
  }
}


void cblas_dscal(int n, double a, double *x, int dx)
{
  for (int i = 0; i < n; i++) x[i * dx] *= a;
}


void cblas_dger(enum CBLAS_ORDER order, int m, int n, double a, const double *x, int dx,
                const double *y, int dy, double *A, int lda)
{
  (void) order;
  for (int j = 0; j < n; j++) {
    const double factor = a * y[j * dy];
    for (int i = 0; i < m; i++) A[i + j * lda] += x[i * dx] * factor;
  }
}


void cblas_dgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE ta, enum CBLAS_TRANSPOSE tb, int m,
                 int n, int k, double a, const double *A, int lda, const double *B, int ldb,
                 double b, double *C, int ldc)
{
  (void) order;
  const int ai = ta == CblasTrans ? lda : 1, al = ta == CblasTrans ? 1 : lda;
  const int bl = tb == CblasTrans ? ldb : 1, bj = tb == CblasTrans ? 1 : ldb;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < m; i++) {
      double sum = 0;
      for (int l = 0; l < k; l++) sum += A[i * ai + l * al] * B[l * bl + j * bj];
      C[i + j * ldc] = a * sum + (b == 0 ? 0 : b * C[i + j * ldc]);
    }
  }
}
