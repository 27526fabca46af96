// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dense linear algebra: LAPACK for matrices by columns, with workspace from our allocator; and BLAS
// threads.
#ifndef NUM_DENSE_H
#define NUM_DENSE_H

#include "articula/base.h"

// A = U diag(s) Vt, all n x n by columns, s descending. Overwrites A.
artStatus num_singular_values(int n, double *A, double *U, double *s, double *Vt, artError *error);

// Eigenvalues and right eigenvectors, in the columns of V: one column per real eigenvalue. Of a
// complex pair, the eigenvalue with positive imaginary part comes first, and the two columns are
// the real and the imaginary part of its vector. Overwrites A.
artStatus num_eigenvalues(int n, double *A, double *re, double *im, double *V, artError *error);

// Solve M X = B for a positive definite M; B and X have m columns. Overwrites M.
// ART_SINGULAR when M is not positive definite.
artStatus num_solve_positive(int n, double *M, int m, double *B, artError *error);

// Solve A x = b in place of b; overwrites A by its factors; pivot has length n. Returns the ratio
// of the smallest to the largest pivot: 0 for a singular matrix, for which b is undefined.
double num_solve_square(int n, double *A, int *pivot, double *b);

// Solve Z X = B with complex entries (real and imaginary parts interleaved) by columns; B and X
// have m columns. Overwrites Z; pivot has length n. ART_SINGULAR when Z is singular.
artStatus num_solve_complex(int n, double *Z, int m, double *B, int *pivot, artError *error);

//---- threads of the BLAS -------------------------------------------------------------------------

// Make OpenBLAS (if it is the BLAS) single-threaded: our matrices are small, and callers may run in
// threads of their own. Respects a user's OPENBLAS_NUM_THREADS. Affects the whole process.
void num_use_one_thread(void);

// Make OpenBLAS allocate now, and keep, the memory for calls from n concurrent threads. If there is
// not enough memory it never returns; neither would those calls.
void num_take_room(int n);

#endif
