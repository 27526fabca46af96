// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The routines of LAPACK that the library calls, column by column (../lapack.c).
#ifndef PORT_LAPACKE_H
#define PORT_LAPACKE_H

#include <complex.h>

enum { LAPACK_COL_MAJOR = 102 };
typedef int lapack_int;
typedef double _Complex lapack_complex_double;

// A = U diag(s) V^T of a square matrix, jobz 'A'; the workspace is asked for with size = -1.
lapack_int LAPACKE_dgesdd_work(int layout, char jobz, int m, int n, double *A, int lda, double *s,
                               double *U, int ldu, double *Vt, int ldvt, double *work, int size,
                               int *integers);

// Eigenvalues and right eigenvectors of norm one, jobs 'N' and 'V'; a conjugate pair holds real and imaginary part.
lapack_int LAPACKE_dgeev_work(int layout, char left, char right, int n, double *A, int lda,
                              double *re, double *im, double *VL, int ldvl, double *V, int ldv,
                              double *work, int size);

// Cholesky's factors, in the triangle that uplo names, and solutions with them.
lapack_int LAPACKE_dpotrf_work(int layout, char uplo, int n, double *A, int lda);
lapack_int LAPACKE_dpotrs_work(int layout, char uplo, int n, int m, const double *A, int lda,
                               double *B, int ldb);

// A symmetric indefinite system, uplo 'L'.
lapack_int LAPACKE_dsysv_work(int layout, char uplo, int n, int m, double *A, int lda, int *pivot,
                              double *B, int ldb, double *work, int size);

// A system of any kind, real and complex.
lapack_int LAPACKE_dgesv_work(int layout, int n, int m, double *A, int lda, int *pivot, double *B,
                              int ldb);
lapack_int LAPACKE_zgesv_work(int layout, int n, int m, lapack_complex_double *A, int lda,
                              int *pivot, lapack_complex_double *B, int ldb);

#endif
