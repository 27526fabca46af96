// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Eigenvalues and modes of a linearised machine.
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/max_nan.h"
#include "base/numbers.h"
#include "num/dense.h"

// of entries of A, relative, and what they move of an eigenvalue that is known from zero, relative
static const double ROUNDING = 1e-12, KNOWN = 0.1;

typedef struct modeWork {
  double *A;       // [N N] by columns
  double *re, *im; // [N] as LAPACK orders them
  double *V;       // [N N] their vectors
  int *order;      // [N] which of them comes where
  double *modulus; // [N] of the eigenvalues when entries of A are rounded otherwise, ascending
} modeWork;


// by modulus, then by imaginary part; the members of a pair have the same modulus to the last bit
static int eigenvalue_comes_before(const modeWork *w, int i, int j)
{
  const double a = hypot(w->re[i], w->im[i]), b = hypot(w->re[j], w->im[j]);
  return a != b ? a < b : w->im[i] < w->im[j];
}


static void sort_eigenvalues(modeWork *w, int n2)
{
  for (int i = 0; i < n2; i++) {
    int place = i;
    for (; place > 0 && eigenvalue_comes_before(w, i, w->order[place - 1]); place--) {
      w->order[place] = w->order[place - 1];
    }
    w->order[place] = i;
  }
}


// a real eigenvalue does not oscillate
static void put_value(artLinear *lin, int row, double re, double im)
{
  ART_ASSERT(row >= 0 && row < lin->order);
  const double modulus = hypot(re, im), turn = 2 * acos(-1.0);
  lin->real[row] = re;
  lin->imaginary[row] = im;
  lin->frequency[row] = im != 0 ? modulus / turn : 0;
  lin->damping[row] = modulus > 0 ? -re / modulus : 0;
}


//---- rounding ------------------------------------------------------------------------------------

// the square of the largest rate at which axes turn: -W is at the top of A
static double square_turning_rate(const artLinear *lin)
{
  double most = 0;
  for (long e = 0; e < (long) lin->n * lin->n; e++) {
    most = fmax(most, fabs(lin->A[e / lin->n * lin->order + e % lin->n]));
  }
  return most * most;
}


// numbers between 0.5 and 1 of either sign, the same each time
static double next_part(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  const double part = 0.5 + 0.5 * (*seed >> 9) / (1u << 23);
  return *seed & 256u ? part : -part;
}


// rows below dq/dt, by displacements: differences of accelerations such as this one
static double floor_of(const artLinear *lin, long i, long j, double acceleration)
{
  ART_ASSERT(i >= 0 && i < lin->order && j >= 0 && j < lin->order);
  return i >= lin->n && i < lin->n + lin->nspeed && j < lin->n ? acceleration : 0;
}


// A by columns. Mere rounding is left out: the solution balances rows against columns, and a displacement on which
// nothing depends but by rounding would be scaled until its own rounding outgrew every mode.
static void put_matrix(modeWork *w, const artLinear *lin, double acceleration)
{
  const long n2 = lin->order;
  for (long i = 0; i < n2; i++) {
    for (long j = 0; j < n2; j++) {
      const double entry = lin->A[i * n2 + j];
      const int counts = fabs(entry) > ROUNDING * floor_of(lin, i, j, acceleration);
      w->A[j * n2 + i] = counts ? entry : 0;
    }
  }
}


// Moduli of the eigenvalues with other rounding in the rows below dq/dt: of the entries, and of the
// accelerations whose differences are the entries of displacements.
static void round_otherwise(modeWork *w, const artLinear *lin, double acceleration)
{
  const long n = lin->n, n2 = lin->order;
  unsigned seed = 1;
  for (long i = 0; i < n2; i++) {
    for (long j = 0; j < n2; j++) {
      const double entry = lin->A[i * n2 + j], floor = floor_of(lin, i, j, acceleration);
      const double change = ROUNDING * next_part(&seed) * (fabs(entry) + floor);
      const int is_exact = i < n && lin->nspeed == lin->n;
      w->A[j * n2 + i] = is_exact ? entry : entry + change;
    }
  }
  error_check(num_eigenvalues(lin->order, w->A, w->re, w->im, w->V, error_current()));
  for (long i = 0; i < n2; i++) w->modulus[i] = hypot(w->re[i], w->im[i]);
  qsort(w->modulus, (size_t) n2, sizeof *w->modulus, base_order_doubles);
}


//---- vectors -------------------------------------------------------------------------------------

// the displacement part of eigenvector i; a pair shares two columns, real and imaginary part
static void put_vector(const modeWork *w, long n2, int n, int i, double *re, double *im)
{
  if (w->im[i] == 0) {
    memcpy(re, w->V + i * n2, (size_t) n * sizeof *re);
    memset(im, 0, (size_t) n * sizeof *im);
    return;
  }
  const int first = w->im[i] > 0 ? i : i - 1;
  const double sign = w->im[i] > 0 ? 1 : -1;
  for (int k = 0; k < n; k++) {
    re[k] = w->V[first * n2 + k];
    im[k] = sign * w->V[(first + 1) * n2 + k];
  }
}


// divide by the largest component; of equals, by the first
static void normalise_mode(int n, double *re, double *im)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = max_nan(most, hypot(re[k], im[k]));
  if (most == 0) return;
  int first = 0;
  while (hypot(re[first], im[first]) < (1 - 1e-6) * most) first++;

  // (a + ib) / (c + id) = (a + ib) (c - id) / (c^2 + d^2)
  const double c = re[first], d = im[first], square = c * c + d * d;
  for (int k = 0; k < n; k++) {
    const double a = re[k], b = im[k];
    re[k] = (a * c + b * d) / square;
    im[k] = (b * c - a * d) / square;
  }
}


// share_k = Re conj(x_k) (M x)_k / (x^H M x): velocities go as the displacements.
// M has rows of length nv; of them those in `which` count (NULL: the first n)
static void find_mode_shares(int n, const int *which, int nv, const double *M, const double *re,
                             const double *im, double *share)
{
  double total = 0;
  for (int k = 0; k < n; k++) {
    const double *row = M + (long) (which ? which[k] : k) * nv;
    double p = 0, q = 0;
    for (int j = 0; j < n; j++) {
      const double entry = row[which ? which[j] : j];
      p += entry * re[j];
      q += entry * im[j];
    }
    share[k] = re[k] * p + im[k] * q;
    total += share[k];
  }
  for (int k = 0; k < n && total > 0; k++) share[k] /= total;
}


// the mode in all coordinates: x_all = R x
static void put_shape(artLinear *lin, int row, int nv, const double *mass)
{
  const int n = lin->n;
  const double *x = lin->mode_real + (long) row * n, *y = lin->mode_imaginary + (long) row * n;
  double *re = lin->shape_real + (long) row * lin->nall;
  double *im = lin->shape_imaginary + (long) row * lin->nall;
  for (int k = 0; k < lin->nall; k++) {
    const double *R = lin->R + (long) k * n;
    re[k] = im[k] = 0;
    for (int i = 0; i < n; i++) {
      re[k] += R[i] * x[i];
      im[k] += R[i] * y[i];
    }
  }
  normalise_mode(lin->nall, re, im);
  find_mode_shares(lin->nall, lin->all, nv, mass, re, im,
                   lin->shape_share + (long) row * lin->nall);
}


void mode_find(artLinear *lin, double weight, int nv, const double *mass, baseArena *arena)
{
  modeWork work, *w = &work;
  ART_ASSERT(lin->order >= lin->n + lin->nspeed);
  const int n = lin->n, n2 = lin->order;
  const size_t square = (size_t) n2 * (size_t) n2;
  ARENA_TAKE(arena, w->A, square);
  ARENA_TAKE(arena, w->V, square);
  ARENA_TAKE(arena, w->re, n2);
  ARENA_TAKE(arena, w->im, n2);
  ARENA_TAKE(arena, w->modulus, n2);
  ARENA_TAKE(arena, w->order, n2);
  const double acceleration = weight + square_turning_rate(lin);
  round_otherwise(w, lin, acceleration);
  put_matrix(w, lin, acceleration);
  error_check(num_eigenvalues(n2, w->A, w->re, w->im, w->V, error_current()));

  sort_eigenvalues(w, n2);
  for (int row = 0; row < n2; row++) {
    const int i = w->order[row];
    double *re = lin->mode_real + (long) row * n, *im = lin->mode_imaginary + (long) row * n;

    // an eigenvalue that other rounding moves by more than a part of itself is not known from zero; chains of
    // two or three zeros, as free bodies and vehicles have them, are moved by roots of the rounding.
    const double modulus = hypot(w->re[i], w->im[i]);
    const int is_zero = !(fabs(modulus - w->modulus[row]) <= KNOWN * modulus);

    put_value(lin, row, is_zero ? 0 : w->re[i], is_zero ? 0 : w->im[i]);
    put_vector(w, n2, n, i, re, im);
    normalise_mode(n, re, im);
    find_mode_shares(n, NULL, n, lin->M, re, im, lin->share + (long) row * n);
    put_shape(lin, row, nv, mass);
  }
}
