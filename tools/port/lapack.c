// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The few routines of LAPACK, for systems without the library: textbook algorithms, on matrices column by column.
// Eigenvalues have a file of their own (eigenvalues.c). test/unit/test_module_lapack.c compares them with LAPACK.
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

//---- A = L L^T or U^T U --------------------------------------------------------------------------

// entry (i, j), i >= j, of L, wherever it is kept: U = L^T
static double *entry(double *A, int lda, char uplo, int i, int j)
{
  return uplo == 'L' ? A + i + (long) j * lda : A + j + (long) i * lda;
}


lapack_int LAPACKE_dpotrf_work(int layout, char uplo, int n, double *A, int lda)
{
  (void) layout;
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      double sum = *entry(A, lda, uplo, i, j);
      for (int k = 0; k < j; k++) sum -= *entry(A, lda, uplo, i, k) * *entry(A, lda, uplo, j, k);
      if (i == j && !(sum > 0)) return j + 1;
      *entry(A, lda, uplo, i, j) = i == j ? sqrt(sum) : sum / *entry(A, lda, uplo, j, j);
    }
  }
  return 0;
}


lapack_int LAPACKE_dpotrs_work(int layout, char uplo, int n, int m, const double *A, int lda,
                               double *B, int ldb)
{
  (void) layout;
  double *L = (double *) A;
  for (int c = 0; c < m; c++) {
    double *b = B + (long) c * ldb;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < i; k++) b[i] -= *entry(L, lda, uplo, i, k) * b[k];
      b[i] /= *entry(L, lda, uplo, i, i);
    }
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) b[i] -= *entry(L, lda, uplo, k, i) * b[k];
      b[i] /= *entry(L, lda, uplo, i, i);
    }
  }
  return 0;
}


//---- systems by elimination with partial pivoting ---------------------------------------------------

lapack_int LAPACKE_dgesv_work(int layout, int n, int m, double *A, int lda, int *pivot, double *B,
                              int ldb)
{
  (void) layout;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[i + (long) k * lda]) > fabs(A[best + (long) k * lda])) best = i;
    }
    pivot[k] = best + 1;
    if (A[best + (long) k * lda] == 0) return k + 1;
    for (int j = 0; j < n + m; j++) {
      double *column = j < n ? A + (long) j * lda : B + (long) (j - n) * ldb;
      const double kept = column[best];
      column[best] = column[k];
      column[k] = kept;
    }
    for (int i = k + 1; i < n; i++) A[i + (long) k * lda] /= A[k + (long) k * lda];
    for (int j = k + 1; j < n + m; j++) {
      double *column = j < n ? A + (long) j * lda : B + (long) (j - n) * ldb;
      for (int i = k + 1; i < n; i++) column[i] -= A[i + (long) k * lda] * column[k];
    }
  }
  for (int c = 0; c < m; c++) {
    double *b = B + (long) c * ldb;
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) b[i] -= A[i + (long) k * lda] * b[k];
      b[i] /= A[i + (long) i * lda];
    }
  }
  return 0;
}


lapack_int LAPACKE_zgesv_work(int layout, int n, int m, lapack_complex_double *A, int lda,
                              int *pivot, lapack_complex_double *B, int ldb)
{
  (void) layout;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (cabs(A[i + (long) k * lda]) > cabs(A[best + (long) k * lda])) best = i;
    }
    pivot[k] = best + 1;
    if (A[best + (long) k * lda] == 0) return k + 1;
    for (int j = 0; j < n + m; j++) {
      lapack_complex_double *column = j < n ? A + (long) j * lda : B + (long) (j - n) * ldb;
      const lapack_complex_double kept = column[best];
      column[best] = column[k];
      column[k] = kept;
    }
    for (int i = k + 1; i < n; i++) A[i + (long) k * lda] /= A[k + (long) k * lda];
    for (int j = k + 1; j < n + m; j++) {
      lapack_complex_double *column = j < n ? A + (long) j * lda : B + (long) (j - n) * ldb;
      for (int i = k + 1; i < n; i++) column[i] -= A[i + (long) k * lda] * column[k];
    }
  }
  for (int c = 0; c < m; c++) {
    lapack_complex_double *b = B + (long) c * ldb;
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) b[i] -= A[i + (long) k * lda] * b[k];
      b[i] /= A[i + (long) i * lda];
    }
  }
  return 0;
}


//---- a symmetric system, P A P^T = L D L^T with blocks of one and two (Bunch and Kaufman 1977) ------

#define AT(r, c) A[(r) + (long) (c) *lda]


static void swap(double *a, double *b)
{
  const double kept = *a;
  *a = *b;
  *b = kept;
}


// rows and columns i <= j of the lower triangle, and of L left of them, change places
static void swap_symmetric(double *A, int lda, int n, int i, int j)
{
  if (i == j) return;
  for (int k = 0; k < i; k++) swap(&AT(i, k), &AT(j, k));
  for (int k = i + 1; k < j; k++) swap(&AT(k, i), &AT(j, k));
  for (int k = j + 1; k < n; k++) swap(&AT(k, i), &AT(k, j));
  swap(&AT(i, i), &AT(j, j));
}


// the largest entry off the diagonal in column k of the matrix that is left, which begins at `from`
static double largest_beside(const double *A, int lda, int n, int from, int k, int *where)
{
  double most = 0;
  *where = k;
  for (int i = from; i < n; i++) {
    const double value = i == k ? 0 : fabs(i > k ? AT(i, k) : AT(k, i));
    if (value > most) {
      most = value;
      *where = i;
    }
  }
  return most;
}


// how many rows the pivot at place k has, and which row comes to its end
static int choose_pivot(const double *A, int lda, int n, int k, int *row)
{
  static const double SHARE = 0.6403882032022076; // (1 + sqrt 17) / 8
  int r, ignored;
  const double beside = largest_beside(A, lda, n, k, k, &r), own = fabs(AT(k, k));
  *row = k;
  if (own >= SHARE * beside) return 1;
  const double other = largest_beside(A, lda, n, k, r, &ignored);
  if (own * other >= SHARE * beside * beside) return 1;
  *row = r;
  return fabs(AT(r, r)) >= SHARE * other ? 1 : 2;
}


// [a b; b c] [x; y] = [p; q] with the block at place k, in the place of p and q
static void solve_two(const double *A, int lda, int k, double *p, double *q)
{
  const double b = AT(k + 1, k), a = AT(k, k) / b, c = AT(k + 1, k + 1) / b, d = (a * c - 1) * b;
  const double x = (c * *p - *q) / d, y = (a * *q - *p) / d;
  *p = x;
  *q = y;
}


// A_ij -= A_ik D^-1 A_jk; what was used of row j becomes L
static void eliminate(double *A, int lda, int n, int k, int size)
{
  for (int j = k + size; j < n; j++) {
    double x = AT(j, k), y = size == 2 ? AT(j, k + 1) : 0;
    if (size == 2) {
      solve_two(A, lda, k, &x, &y);
    } else {
      x /= AT(k, k);
    }
    for (int i = j; i < n; i++) AT(i, j) -= AT(i, k) * x + (size == 2 ? AT(i, k + 1) * y : 0);
    AT(j, k) = x;
    if (size == 2) AT(j, k + 1) = y;
  }
}


// pivot: the row that came to the end of a block, from 1 on; less than zero where a block of two begins, 0 at its end
static int factor_symmetric(double *A, int lda, int n, int *pivot)
{
  for (int k = 0, size; k < n; k += size) {
    int row;
    size = choose_pivot(A, lda, n, k, &row);
    swap_symmetric(A, lda, n, k + size - 1, row);
    if (size == 1 && !(fabs(AT(k, k)) > 0)) return k + 1;
    eliminate(A, lda, n, k, size);
    pivot[k] = size == 1 ? row + 1 : -(row + 1);
    if (size == 2) pivot[k + 1] = 0;
  }
  return 0;
}


static void swap_rows(const int *pivot, int k, double *b)
{
  if (pivot[k] > 0) swap(&b[k], &b[pivot[k] - 1]);
  if (pivot[k] < 0) swap(&b[k + 1], &b[-pivot[k] - 1]);
}


// x = P^T L^-T D^-1 L^-1 P b
static void solve_symmetric(const double *A, int lda, int n, const int *pivot, double *b)
{
  for (int k = 0; k < n; k++) swap_rows(pivot, k, b);
  for (int k = 0; k < n; k++) {
    for (int i = k + (pivot[k] < 0 ? 2 : 1); i < n; i++) b[i] -= AT(i, k) * b[k];
  }
  for (int k = 0; k < n; k++) {
    if (pivot[k] > 0) b[k] /= AT(k, k);
    if (pivot[k] < 0) solve_two(A, lda, k, &b[k], &b[k + 1]);
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int i = k + (pivot[k] < 0 ? 2 : 1); i < n; i++) b[k] -= AT(i, k) * b[i];
  }
  for (int k = n - 1; k >= 0; k--) swap_rows(pivot, k, b);
}


lapack_int LAPACKE_dsysv_work(int layout, char uplo, int n, int m, double *A, int lda, int *pivot,
                              double *B, int ldb, double *work, int size)
{
  (void) layout, (void) uplo;
  *work = 1; // none is needed
  if (size == -1) return 0;
  const int singular = factor_symmetric(A, lda, n, pivot);
  for (int c = 0; c < m && !singular; c++) {
    solve_symmetric(A, lda, n, pivot, B + (long) c * ldb);
  }
  return singular;
}


//---- singular values by rotations of columns from one side (Hestenes 1958) --------------------------

static double product(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}


static void rotate(int n, double *x, double *y, double c, double s)
{
  for (int i = 0; i < n; i++) {
    const double kept = x[i];
    x[i] = c * kept - s * y[i];
    y[i] = s * kept + c * y[i];
  }
}


// make columns p and q of U orthogonal, and turn V alike; 0 when they are so already
static int turn_pair(int n, double *U, double *V, int p, int q)
{
  double *x = U + (long) p * n, *y = U + (long) q * n;
  const double a = product(n, x, x), b = product(n, y, y), c = product(n, x, y);
  if (fabs(c) <= DBL_EPSILON * sqrt(a * b) || c == 0) return 0;
  const double zeta = (b - a) / (2 * c);
  const double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  const double cosine = 1 / sqrt(1 + t * t);
  rotate(n, x, y, cosine, cosine * t);
  rotate(n, V + (long) p * n, V + (long) q * n, cosine, cosine * t);
  return 1;
}


static void swap_columns(int n, double *U, int p, int q)
{
  for (int i = 0; i < n && p != q; i++) swap(&U[i + (long) p * n], &U[i + (long) q * n]);
}


// the largest first
static void sort_values(int n, double *U, double *V, double *s)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) best = s[i] > s[best] ? i : best;
    swap(&s[k], &s[best]);
    swap_columns(n, U, k, best);
    swap_columns(n, V, k, best);
  }
}


// column k of norm one and orthogonal to those before it: that unit vector of which most is left, twice
static void complete_column(int n, double *U, int k)
{
  double *u = U + (long) k * n, most = -1;
  int best = 0;
  for (int e = 0; e < n; e++) {
    double left = 1; // |e - U U^T e|^2
    for (int j = 0; j < k; j++) left -= U[e + (long) j * n] * U[e + (long) j * n];
    if (left > most) most = left, best = e;
  }
  memset(u, 0, (size_t) n * sizeof *u);
  u[best] = 1;
  for (int pass = 0; pass < 2; pass++) {
    for (int j = 0; j < k; j++) {
      const double *v = U + (long) j * n, c = product(n, u, v);
      for (int i = 0; i < n; i++) u[i] -= c * v[i];
    }
  }
  const double norm = sqrt(product(n, u, u));
  for (int i = 0; i < n; i++) u[i] /= norm;
}


lapack_int LAPACKE_dgesdd_work(int layout, char jobz, int m, int n, double *A, int lda, double *s,
                               double *U, int ldu, double *Vt, int ldvt, double *work, int size,
                               int *integers)
{
  enum { MAX_SWEEPS = 60 };
  (void) layout, (void) jobz, (void) m, (void) integers, (void) ldu, (void) ldvt;
  if (size == -1) {
    *work = (double) n * n;
    return 0;
  }
  // scaled by its largest entry, so that squares neither vanish nor overflow
  double *V = work, scale = 0;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      const double a = A[i + (long) j * lda];
      if (!isfinite(a)) return -4;
      scale = fmax(scale, fabs(a));
      V[i + (long) j * n] = i == j;
    }
  }
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) U[i + (long) j * n] = scale > 0 ? A[i + (long) j * lda] / scale : 0;
  }
  int turned = 1;
  for (int sweep = 0; turned && sweep < MAX_SWEEPS; sweep++) {
    turned = 0;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) turned += turn_pair(n, U, V, p, q);
    }
  }
  if (turned) return 1;
  for (int j = 0; j < n; j++) s[j] = sqrt(product(n, U + (long) j * n, U + (long) j * n));
  sort_values(n, U, V, s);
  const double nothing = n * DBL_EPSILON * s[0];
  for (int j = 0; j < n; j++) {
    double *u = U + (long) j * n;
    if (s[j] > nothing) {
      for (int i = 0; i < n; i++) u[i] /= s[j];
    } else {
      complete_column(n, U, j);
    }
    s[j] *= scale;
    for (int i = 0; i < n; i++) Vt[j + (long) i * n] = V[i + (long) j * n];
  }
  return 0;
}
