// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Dense linear algebra: LAPACK for matrices by columns, workspace from our own memory. Threads of the BLAS.
#ifndef NUM_DENSE_H
#define NUM_DENSE_H

#include "articula/base.h"

// A = U diag(s) Vt, all n x n by columns, s descending. Destroys A.
artStatus num_singular_values(int n, double *A, double *U, double *s, double *Vt, artError *error);

// Eigenvalues and right eigenvectors. The vectors stand in the columns of V: one column of a real
// eigenvalue; of a complex pair, the one with the positive imaginary part comes first, and the two
// columns hold real and imaginary part of its vector. Destroys A.
artStatus num_eigenvalues(int n, double *A, double *re, double *im, double *V, artError *error);

// Solve M X = B for a positive definite M; B and X have m columns. Destroys M.
// ART_SINGULAR when M is not positive definite.
artStatus num_solve_positive(int n, double *M, int m, double *B, artError *error);

// Solve A x = b, in the place of b; A becomes its factors, pivot has length n. The least pivot as a part of the largest:
// 0 of a singular matrix, whose b is spoilt.
double num_solve_square(int n, double *A, int *pivot, double *b);

// Solve Z X = B with complex entries, real and imaginary parts in turn; by columns, B and X have m of them.
// Destroys Z; pivot has length n. ART_SINGULAR when Z is singular.
artStatus num_solve_complex(int n, double *Z, int m, double *B, int *pivot, artError *error);

//---- threads of the BLAS -------------------------------------------------------------------------

// Keep OpenBLAS, if that is the BLAS, from sharing its work out: our matrices are small, and what calls it may
// run in threads of its own. A user who has set OPENBLAS_NUM_THREADS keeps that. Concerns the whole process.
void num_use_one_thread(void);

// Let OpenBLAS take the memory now that its calls from n threads at the same time need. It keeps that. It never returns
// where there is no more memory, nor would those calls.
void num_take_room(int n);

#endif
