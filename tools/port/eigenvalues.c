// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Eigenvalues and right eigenvectors of a real matrix, for systems without LAPACK: balanced, brought to
// Hessenberg's form by reflections, to Schur's by the double QR step of Francis, and back (Wilkinson and Reinsch 1971,
// procedures balance, orthes and hqr2).
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

#define H(i, j) w->H[(i) + (long) (j) *w->n]
#define V(i, j) w->V[(i) + (long) (j) *w->n]

typedef struct schur {
  int n;
  double *H, *V; // A = V H V^T
  double *re, *im;
  double shift; // what was taken from the diagonal so far
} schur;

//---- balance and Hessenberg's form -----------------------------------------------------------------

// D^-1 A D with powers of two, so that rows are as large as columns
static void balance(const schur *w, double *scale)
{
  const int n = w->n;
  int is_done = 0;
  for (int i = 0; i < n; i++) scale[i] = 1;
  for (int pass = 0; !is_done && pass < 100; pass++) {
    is_done = 1;
    for (int i = 0; i < n; i++) {
      double row = 0, column = 0, f = 1;
      for (int j = 0; j < n; j++) {
        row += j == i ? 0 : fabs(H(i, j));
        column += j == i ? 0 : fabs(H(j, i));
      }
      if (!(row > 0) || !(column > 0)) continue;
      const double sum = row + column;
      while (column < row / 2) f *= 2, column *= 2, row /= 2;
      while (column > row * 2) f /= 2, column /= 2, row *= 2;
      if (!(row + column < 0.95 * sum)) continue;
      is_done = 0;
      scale[i] *= f;
      for (int j = 0; j < n; j++) H(i, j) /= f;
      for (int j = 0; j < n; j++) H(j, i) *= f;
    }
  }
}


// x -= 2 u (u^T x) for columns from..n-1 of H, for all its rows, and for all rows of V
static void reflect(const schur *w, int first, const double *u)
{
  const int n = w->n;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = first; i < n; i++) sum += u[i] * H(i, j);
    for (int i = first; i < n; i++) H(i, j) -= 2 * sum * u[i];
  }
  for (int i = 0; i < n; i++) {
    double sum = 0, turned = 0;
    for (int j = first; j < n; j++) sum += H(i, j) * u[j], turned += V(i, j) * u[j];
    for (int j = first; j < n; j++) H(i, j) -= 2 * sum * u[j], V(i, j) -= 2 * turned * u[j];
  }
}


static void make_hessenberg(const schur *w, double *u)
{
  const int n = w->n;
  for (int k = 0; k + 2 < n; k++) {
    double most = 0, square = 0;
    for (int i = k + 1; i < n; i++) most = fmax(most, fabs(H(i, k)));
    if (most == 0) continue;
    for (int i = k + 1; i < n; i++) {
      u[i] = H(i, k) / most;
      square += u[i] * u[i];
    }
    u[k + 1] += copysign(sqrt(square), u[k + 1]);
    square = 0;
    for (int i = k + 1; i < n; i++) square += u[i] * u[i];
    for (int i = k + 1; i < n; i++) u[i] /= sqrt(square);
    reflect(w, k + 1, u);
    for (int i = k + 2; i < n; i++) H(i, k) = 0;
  }
}


//---- Schur's form ----------------------------------------------------------------------------------

// where the block that ends at e begins: its subdiagonal entry above is nothing
static int find_start(const schur *w, int e, double norm)
{
  int l = e;
  for (; l > 0; l--) {
    const double around = fabs(H(l - 1, l - 1)) + fabs(H(l, l));
    if (fabs(H(l, l - 1)) < DBL_EPSILON * (around == 0 ? norm : around)) break;
  }
  return l;
}


static void turn(const schur *w, int a, int b, double p, double q)
{
  for (int j = a; j < w->n; j++) {
    const double z = H(a, j);
    H(a, j) = q * z + p * H(b, j);
    H(b, j) = q * H(b, j) - p * z;
  }
  for (int i = 0; i <= b; i++) {
    const double z = H(i, a);
    H(i, a) = q * z + p * H(i, b);
    H(i, b) = q * H(i, b) - p * z;
  }
  for (int i = 0; i < w->n; i++) {
    const double z = V(i, a);
    V(i, a) = q * z + p * V(i, b);
    V(i, b) = q * V(i, b) - p * z;
  }
}


// the two eigenvalues of a block that ends at e; a real pair becomes a triangle
static void split_pair(schur *w, int e)
{
  const int a = e - 1;
  const double cross = H(e, a) * H(a, e), p = (H(a, a) - H(e, e)) / 2, q = p * p + cross;
  double z = sqrt(fabs(q));
  H(e, e) += w->shift;
  H(a, a) += w->shift;
  const double x = H(e, e);
  if (q < 0) {
    w->re[a] = w->re[e] = x + p;
    w->im[a] = z;
    w->im[e] = -z;
    return;
  }
  z = p + copysign(z, p);
  w->re[a] = x + z;
  w->re[e] = z == 0 ? w->re[a] : x - cross / z;
  w->im[a] = w->im[e] = 0;
  const double below = H(e, a), sum = fabs(below) + fabs(z);
  const double s = below / sum, c = z / sum, r = hypot(s, c);
  turn(w, a, e, s / r, c / r);
  H(e, a) = 0;
}


// the shifts of a step: the sum of both is x + y, their product x y - cross
typedef struct shifts {
  double x, y, cross;
} shifts;


static shifts choose_shifts(schur *w, int e, int count)
{
  shifts s = {H(e, e), H(e - 1, e - 1), H(e, e - 1) * H(e - 1, e)};
  if (count == 10 || count == 20) {
    // out of a cycle
    w->shift += s.x;
    for (int i = 0; i <= e; i++) H(i, i) -= s.x;
    const double size = fabs(H(e, e - 1)) + (e > 1 ? fabs(H(e - 1, e - 2)) : 0);
    s = (shifts){0.75 * size, 0.75 * size, -0.4375 * size * size};
  }
  return s;
}


// the row at which the step can begin, and the first column there: two small entries in a row
static int begin_step(const schur *w, int l, int e, shifts shift, double v[3])
{
  int m = e - 2;
  for (;; m--) {
    const double z = H(m, m), r = shift.x - z, s = shift.y - z;
    v[0] = (r * s - shift.cross) / H(m + 1, m) + H(m, m + 1);
    v[1] = H(m + 1, m + 1) - z - r - s;
    v[2] = H(m + 2, m + 1);
    const double sum = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
    for (int i = 0; i < 3; i++) v[i] /= sum;
    if (m == l) break;
    const double left = fabs(H(m, m - 1)) * (fabs(v[1]) + fabs(v[2]));
    const double right = fabs(v[0]) * (fabs(H(m - 1, m - 1)) + fabs(z) + fabs(H(m + 1, m + 1)));
    if (left < DBL_EPSILON * right) break;
  }
  for (int i = m + 2; i <= e; i++) {
    H(i, i - 2) = 0;
    if (i > m + 2) H(i, i - 3) = 0;
  }
  return m;
}


// I - u v^T of two or three rows from k on, applied to H from both sides and to V
static void apply_step(const schur *w, int k, int e, const double u[3], const double v[3], int size)
{
  const int last = k + 3 < e ? k + 3 : e;
  for (int j = k; j < w->n; j++) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += v[i] * H(k + i, j);
    for (int i = 0; i < size; i++) H(k + i, j) -= sum * u[i];
  }
  for (int i = 0; i <= last; i++) {
    double sum = 0;
    for (int j = 0; j < size; j++) sum += u[j] * H(i, k + j);
    for (int j = 0; j < size; j++) H(i, k + j) -= sum * v[j];
  }
  for (int i = 0; i < w->n; i++) {
    double sum = 0;
    for (int j = 0; j < size; j++) sum += u[j] * V(i, k + j);
    for (int j = 0; j < size; j++) V(i, k + j) -= sum * v[j];
  }
}


static void francis_step(const schur *w, int l, int m, int e, double p[3])
{
  for (int k = m; k < e; k++) {
    const int size = k == e - 1 ? 2 : 3;
    double x = 1;
    if (k != m) {
      for (int i = 0; i < 3; i++) p[i] = i < size ? H(k + i, k - 1) : 0;
      x = fabs(p[0]) + fabs(p[1]) + fabs(p[2]);
      if (x == 0) continue;
      for (int i = 0; i < 3; i++) p[i] /= x;
    }
    const double s = copysign(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), p[0]);
    if (s == 0) continue;
    if (k != m) {
      H(k, k - 1) = -s * x;
    } else if (l != m) {
      H(k, k - 1) = -H(k, k - 1);
    }
    const double top = p[0] + s;
    const double u[3] = {top / s, p[1] / s, p[2] / s}, v[3] = {1, p[1] / top, p[2] / top};
    apply_step(w, k, e, u, v, size);
  }
}


static int make_schur(schur *w)
{
  enum { MAX_STEPS = 60 };
  double norm = 0;
  for (int j = 0; j < w->n; j++) {
    for (int i = 0; i <= j + 1 && i < w->n; i++) norm += fabs(H(i, j));
  }
  for (int e = w->n - 1, count = 0; e >= 0;) {
    const int l = find_start(w, e, norm);
    if (l == e) {
      w->re[e] = H(e, e) += w->shift;
      w->im[e] = 0;
      e -= 1;
      count = 0;
    } else if (l == e - 1) {
      split_pair(w, e);
      e -= 2;
      count = 0;
    } else {
      double p[3];
      if (count == MAX_STEPS) return e + 1;
      const shifts shift = choose_shifts(w, e, count++);
      francis_step(w, l, begin_step(w, l, e, shift, p), e, p);
    }
  }
  return 0;
}


//---- eigenvectors ----------------------------------------------------------------------------------

// x of (H - lambda) x = 0 with x_k = 1 and nothing below, in Schur's form, from below up
static void solve_back(const schur *w, int k, double complex lambda, double norm, double complex *x)
{
  const int top = k; // the block of a pair is of rows k - 1 and k
  for (int i = 0; i < w->n; i++) x[i] = 0;
  x[k] = 1;
  int i = k - 1;
  if (w->im[k] != 0) {
    // row k of the block: h_k,k-1 x_k-1 + (h_kk - lambda) x_k = 0
    x[k - 1] = -(H(k, k) - lambda) / H(k, k - 1);
    i = k - 2;
  }
  for (; i >= 0; i--) {
    double complex r = 0;
    for (int j = i + 1; j <= top; j++) r -= H(i, j) * x[j];
    if (w->im[i] == 0) {
      double complex d = H(i, i) - lambda;
      if (cabs(d) < DBL_EPSILON * norm) d = DBL_EPSILON * norm;
      x[i] = r / d;
    } else {
      // two rows at a time
      double complex above = 0;
      for (int j = i + 1; j <= top; j++) above -= H(i - 1, j) * x[j];
      const double complex a = H(i - 1, i - 1) - lambda, d = H(i, i) - lambda;
      double complex det = a * d - H(i - 1, i) * H(i, i - 1);
      if (cabs(det) < DBL_EPSILON * norm * DBL_EPSILON * norm)
        det = DBL_EPSILON * norm * DBL_EPSILON * norm;
      x[i - 1] = (d * above - H(i - 1, i) * r) / det;
      x[i] = (a * r - H(i, i - 1) * above) / det;
      i--;
    }
    // keep it from overflow
    double most = 0;
    for (int j = i; j <= top; j++) most = fmax(most, cabs(x[j]));
    for (int j = i; j <= top && most > 1e100; j++) x[j] /= most;
  }
}


// V x, scaled back, of norm one; the largest entry of a complex one is real, as LAPACK has it
static void write_vector(const schur *w, const double *scale, const double complex *x,
                         double complex *y)
{
  double norm = 0;
  int largest = 0;
  for (int i = 0; i < w->n; i++) {
    y[i] = 0;
    for (int j = 0; j < w->n; j++) y[i] += V(i, j) * x[j];
    y[i] *= scale[i];
    norm = hypot(norm, cabs(y[i]));
  }
  for (int i = 0; i < w->n; i++) largest = cabs(y[i]) > cabs(y[largest]) ? i : largest;
  const double complex factor = conj(y[largest]) / cabs(y[largest]) / norm;
  const int is_real = cimag(y[largest]) == 0;
  for (int i = 0; i < w->n; i++) y[i] *= is_real ? 1 / norm : factor;
}


static void find_vectors(const schur *w, const double *scale, double complex *x, double *out,
                         int ldv)
{
  double norm = 0;
  for (int j = 0; j < w->n; j++) {
    for (int i = 0; i <= j; i++) norm = fmax(norm, fabs(H(i, j)));
  }
  for (int k = 0; k < w->n; k++) {
    const int is_pair = w->im[k] > 0; // the first of it
    const int end = is_pair ? k + 1 : k;
    solve_back(w, end, w->re[k] + I * w->im[k], norm > 0 ? norm : 1, x);
    write_vector(w, scale, x, x + w->n);
    for (int i = 0; i < w->n; i++) {
      out[i + (long) k * ldv] = creal(x[w->n + i]);
      if (is_pair) out[i + (long) (k + 1) * ldv] = cimag(x[w->n + i]);
    }
    k = end;
  }
}


lapack_int LAPACKE_dgeev_work(int layout, char left, char right, int n, double *A, int lda,
                              double *re, double *im, double *VL, int ldvl, double *out, int ldv,
                              double *work, int size)
{
  (void) layout, (void) left, (void) right, (void) VL, (void) ldvl;
  if (size == -1) {
    *work = 2.0 * n * n + 6.0 * n;
    return 0;
  }
  schur own = {.n = n, .H = work + 4L * n, .V = work + 4L * n + (long) n * n, .re = re, .im = im};
  schur *w = &own;
  double *scale = work + 4L * n + 2L * n * n, *u = scale + n;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      H(i, j) = A[i + (long) j * lda];
      V(i, j) = i == j;
      if (!isfinite(H(i, j))) return -5;
    }
  }
  balance(w, scale);
  make_hessenberg(w, u);
  const int failed = make_schur(w);
  if (!failed) find_vectors(w, scale, (double complex *) work, out, ldv);
  return failed;
}
