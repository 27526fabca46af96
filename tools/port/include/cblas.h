// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The routines of the BLAS that the library calls (../blas.c).
#ifndef PORT_CBLAS_H
#define PORT_CBLAS_H

enum CBLAS_ORDER { CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };

int cblas_idamax(int n, const double *x, int dx);
void cblas_dswap(int n, double *x, int dx, double *y, int dy);
void cblas_dscal(int n, double a, double *x, int dx);

// A += a x y^T
void cblas_dger(enum CBLAS_ORDER order, int m, int n, double a, const double *x, int dx,
                const double *y, int dy, double *A, int lda);

// C = a op(A) op(B) + b C
void cblas_dgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE ta, enum CBLAS_TRANSPOSE tb, int m,
                 int n, int k, double a, const double *A, int lda, const double *B, int ldb,
                 double b, double *C, int ldc);

#endif
