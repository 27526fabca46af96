// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Times factors and solution of symmetric positive definite systems: ours, dense and sparse, compared with
// LAPACK, KLU and, where it is installed, CHOLMOD. The matrices are tangents M + a J^T J of natural
// coordinates with a = 1e7: plane chains of four-bars (2 points each) and chains of bodies in space
// with revolute joints (1 point and 3 vectors each); and random ones, N being the percentage of pairs
// of unknowns that meet.
//   positive          the table: entries of the lower triangles of A and L, and what the automatic rule
//                     chooses; microseconds of one factorisation and one solution by our sparse
//                     factors, the ratios of the others to it; the largest residual
//                     |A x - b| / (|A| |x|) of all
// LAPACK may use several threads: OPENBLAS_NUM_THREADS=1 compares like with like.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lapacke.h>
#include <suitesparse/klu.h>
#ifdef BENCH_CHOLMOD
#include <suitesparse/cholmod.h>
#endif

#include "num/positive.h"

static const double penalty = 1e7;

// a batch is long enough for the clock; a solver ends with its share of time or of rounds
static const double batch_us = 200, share_us = 1e5;
static const int rounds = 2000;


//---- matrices ------------------------------------------------------------------------------------

// A as a full matrix by columns while it is made, then its lower triangle
typedef struct benchMatrix {
  numPattern pattern;
  double *value; // [start[n]]
  double *full;  // [n * n]
  double *b;     // [n] right side
} benchMatrix;


// A += weight * r r^T of a row with few columns
static void add_row(benchMatrix *A, int count, const int *column, const double *row, double weight)
{
  const size_t n = (size_t) A->pattern.n;
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      if (column[i] < 0 || column[j] < 0) continue;
      A->full[(size_t) column[j] * n + (size_t) column[i]] += weight * row[i] * row[j];
    }
  }
}


// a uniform bar of mass 1 between two points of the plane, by the number of x; -1: fixed
static void add_bar(benchMatrix *A, int p, int q, double angle)
{
  const int column[4] = {p, p < 0 ? -1 : p + 1, q, q < 0 ? -1 : q + 1};
  const double c = cos(angle), s = sin(angle);
  add_row(A, 4, column, (const double[]){c, s, -c, -s}, penalty);

  // M = (1/6) [2 1; 1 2], as (1/4) of the ends' sum squared and (1/12) of their difference squared
  for (int k = 0; k < 2; k++) {
    const int ends[2] = {column[k], column[2 + k]};
    add_row(A, 2, ends, (const double[]){1, 1}, 1.0 / 4);
    add_row(A, 2, ends, (const double[]){1, -1}, 1.0 / 12);
  }
}


// windows side by side on fixed ground: each adds an upright, a free joint on top of it and its lintel
static void fill_plane(benchMatrix *A, int N)
{
  for (int k = 0; k < N; k++) {
    const int left = 4 * k, right = left + 2;
    add_bar(A, -1, left, 1.2 + 0.1 * sin(k));
    add_bar(A, left, right, 0.1 * cos(3 * k));
    add_bar(A, right, -1, 1.4 + 0.2 * sin(2 * k));
    if (k > 0) add_bar(A, left - 2, left, 0.2 * sin(5 * k));
  }
}


// numbers in [-1, 1] that look random
static double noise(int k)
{
  return sin(12.9898 * k + 0.37 * k * (k % 7));
}


// the six scalar products of a body's three vectors
static void add_rigid(benchMatrix *A, int body)
{
  const int first = 12 * body + 3;
  for (int u = 0; u < 3; u++) {
    for (int v = u; v < 3; v++) {
      int column[6];
      double row[6];
      for (int k = 0; k < 3; k++) {
        column[k] = first + 3 * u + k;
        column[3 + k] = first + 3 * v + k;
        row[k] = (v == k) + 0.2 * noise(first + 3 * v + k);
        row[3 + k] = (u == k) + 0.2 * noise(first + 3 * u + k);
      }
      add_row(A, u == v ? 3 : 6, column, row, penalty);
    }
  }
}


// a revolute joint with the body before: three rows of points, two of directions
static void add_revolute(benchMatrix *A, int body)
{
  const int now = 12 * body, before = now - 12;
  for (int k = 0; k < 3; k++) {
    const int column[3] = {now + k, before < 0 ? -1 : before + k, before < 0 ? -1 : before + 3 + k};
    add_row(A, 3, column, (const double[]){1, -1, -1}, penalty);
  }
  for (int v = 0; v < 2; v++) {
    int column[6];
    double row[6];
    for (int k = 0; k < 3; k++) {
      column[k] = now + 9 + k;
      column[3 + k] = before < 0 ? -1 : before + 3 + 3 * v + k;
      row[k] = (k == v) + 0.2 * noise(now + v + k);
      row[3 + k] = (k == 2) + 0.2 * noise(now + 3 * v + k + 50);
    }
    add_row(A, 6, column, row, penalty);
  }
}


static void fill_space(benchMatrix *A, int N)
{
  for (int body = 0; body < N; body++) {
    add_rigid(A, body);
    add_revolute(A, body);
    // mass matrix: S kron E
    for (int k = 0; k < 3; k++) {
      const int column[4] = {12 * body + k, 12 * body + 3 + k, 12 * body + 6 + k,
                             12 * body + 9 + k};
      add_row(A, 4, column, (const double[]){1, 0.5, 0, 0}, 1);
      for (int v = 1; v < 4; v++) add_row(A, 1, column + v, (const double[]){1}, 0.1);
    }
  }
}


// unknowns that meet each other at random, `percent` of all pairs
static void fill_random(benchMatrix *A, int percent)
{
  const int n = A->pattern.n;
  for (int i = 0; i < n; i++) {
    add_row(A, 1, &i, (const double[]){1}, 1);
    for (int j = 0; j < i; j++) {
      if (fmod(1000 * fabs(noise(n * i + 3 * j)), 1) >= 0.01 * percent) continue;
      add_row(A, 2, (const int[]){i, j}, (const double[]){1, noise(i + 5 * j)}, penalty);
    }
  }
}


static int open_matrix(benchMatrix *A, int n, void (*fill)(benchMatrix *A, int N), int N)
{
  const size_t size = (size_t) n;
  *A = (benchMatrix){.pattern = {.n = n}, .full = calloc(size * size, sizeof *A->full)};
  A->pattern.start = calloc(size + 1, sizeof *A->pattern.start);
  A->b = calloc(size, sizeof *A->b);
  if (!A->full || !A->pattern.start || !A->b) return 0;
  fill(A, N);

  size_t nonzeros = 0;
  for (size_t k = 0; k < size * size; k++) nonzeros += A->full[k] != 0;
  A->pattern.row = calloc(nonzeros, sizeof *A->pattern.row);
  A->value = calloc(nonzeros, sizeof *A->value);
  if (!A->pattern.row || !A->value) return 0;
  int p = 0;
  for (int c = 0; c < n; c++) {
    A->b[c] = noise(c + 3);
    for (int r = c; r < n; r++) {
      const double entry = A->full[(size_t) c * size + (size_t) r];
      if (entry == 0) continue;
      A->pattern.row[p] = r;
      A->value[p++] = entry;
    }
    A->pattern.start[c + 1] = p;
  }
  return 1;
}


static void close_matrix(benchMatrix *A)
{
  free(A->pattern.start);
  free(A->pattern.row);
  free(A->value);
  free(A->full);
  free(A->b);
}


// |A x - b| / (|A| |x|) by largest entries
static double residual(const benchMatrix *A, const double *x)
{
  const int n = A->pattern.n;
  double largest = 0, entry = 0, unknown = 0;
  for (int r = 0; r < n; r++) {
    double left = -A->b[r];
    for (int c = 0; c < n; c++) {
      const double a = A->full[(size_t) c * (size_t) n + (size_t) r];
      left += a * x[c];
      entry = fmax(entry, fabs(a));
    }
    largest = fmax(largest, fabs(left));
    unknown = fmax(unknown, fabs(x[r]));
  }
  return largest / (entry * unknown);
}


//---- solvers -------------------------------------------------------------------------------------

typedef struct benchSolver {
  const char *name;
  int longest; // system that is tried
  void *(*open)(const benchMatrix *A);
  void (*solve)(void *state, const benchMatrix *A, double *x); // factor, then x = A^-1 x
  void (*close)(void *state);
} benchSolver;


static void *open_ours(const benchMatrix *A, numPositiveKind kind)
{
  numPositive *f;
  return positive_create(&f, &A->pattern, kind, NULL) == ART_OK ? f : NULL;
}


static void *open_sparse(const benchMatrix *A)
{
  return open_ours(A, POSITIVE_SPARSE);
}


static void *open_dense(const benchMatrix *A)
{
  return open_ours(A, POSITIVE_DENSE);
}


static void solve_ours(void *state, const benchMatrix *A, double *x)
{
  int worst;
  if (positive_factor(state, A->value, &worst) == ART_OK) positive_solve(state, x);
}


static void close_ours(void *state)
{
  positive_free(state);
}


static void *open_lapack(const benchMatrix *A)
{
  return calloc((size_t) A->pattern.n * (size_t) A->pattern.n, sizeof(double));
}


static void solve_lapack(void *state, const benchMatrix *A, double *x)
{
  const int n = A->pattern.n;
  double *full = state;
  memset(full, 0, (size_t) n * (size_t) n * sizeof *full);
  for (int c = 0; c < n; c++) {
    for (int p = A->pattern.start[c]; p < A->pattern.start[c + 1]; p++) {
      full[(size_t) c * (size_t) n + (size_t) A->pattern.row[p]] = A->value[p];
    }
  }
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, full, n) == 0) {
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, full, n, x, n);
  }
}


// both triangles by columns, taken from the full matrix once
typedef struct kluState {
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  int n, *start, *row;
  double *value;
} kluState;


static void *open_klu(const benchMatrix *A)
{
  kluState *k = calloc(1, sizeof *k);
  const size_t n = (size_t) A->pattern.n;
  const size_t nonzeros = 2 * (size_t) A->pattern.start[n];
  klu_defaults(&k->common);
  k->n = (int) n;
  k->start = calloc(n + 1, sizeof *k->start);
  k->row = calloc(nonzeros, sizeof *k->row);
  k->value = calloc(nonzeros, sizeof *k->value);
  int p = 0;
  for (size_t c = 0; c < n; c++) {
    for (size_t r = 0; r < n; r++) {
      if (A->full[c * n + r] == 0) continue;
      k->row[p] = (int) r;
      k->value[p++] = A->full[c * n + r];
    }
    k->start[c + 1] = p;
  }
  k->symbolic = klu_analyze(k->n, k->start, k->row, &k->common);
  k->numeric = klu_factor(k->start, k->row, k->value, k->symbolic, &k->common);
  return k;
}


static void solve_klu(void *state, const benchMatrix *A, double *x)
{
  kluState *k = state;
  (void) A;
  klu_refactor(k->start, k->row, k->value, k->symbolic, k->numeric, &k->common);
  klu_solve(k->symbolic, k->numeric, k->n, 1, x, &k->common);
}


static void close_klu(void *state)
{
  kluState *k = state;
  klu_free_numeric(&k->numeric, &k->common);
  klu_free_symbolic(&k->symbolic, &k->common);
  free(k->start);
  free(k->row);
  free(k->value);
  free(k);
}


#ifdef BENCH_CHOLMOD
typedef struct cholmodState {
  cholmod_common common;
  cholmod_sparse *A;
  cholmod_factor *L;
  cholmod_dense *b, *x, *y, *e;
} cholmodState;


static void *open_cholmod(const benchMatrix *A, int supernodal)
{
  cholmodState *s = calloc(1, sizeof *s);
  const size_t n = (size_t) A->pattern.n, nonzeros = (size_t) A->pattern.start[n];
  cholmod_start(&s->common);
  s->common.supernodal = supernodal;
  s->common.nmethods = 1;
  s->common.method[0].ordering = CHOLMOD_AMD;
  s->common.postorder = 1;
  s->A = cholmod_allocate_sparse(n, n, nonzeros, 1, 1, -1, CHOLMOD_REAL, &s->common);
  memcpy(s->A->p, A->pattern.start, (n + 1) * sizeof(int));
  memcpy(s->A->i, A->pattern.row, nonzeros * sizeof(int));
  memcpy(s->A->x, A->value, nonzeros * sizeof(double));
  s->b = cholmod_zeros(n, 1, CHOLMOD_REAL, &s->common);
  s->L = cholmod_analyze(s->A, &s->common);
  return s;
}


static void *open_simplicial(const benchMatrix *A)
{
  return open_cholmod(A, CHOLMOD_SIMPLICIAL);
}


static void *open_supernodal(const benchMatrix *A)
{
  return open_cholmod(A, CHOLMOD_SUPERNODAL);
}


static void solve_cholmod(void *state, const benchMatrix *A, double *x)
{
  cholmodState *s = state;
  const size_t size = (size_t) A->pattern.n * sizeof *x;
  cholmod_factorize(s->A, s->L, &s->common);
  memcpy(s->b->x, x, size);
  cholmod_solve2(CHOLMOD_A, s->L, s->b, NULL, &s->x, NULL, &s->y, &s->e, &s->common);
  memcpy(x, s->x->x, size);
}


static void close_cholmod(void *state)
{
  cholmodState *s = state;
  cholmod_free_dense(&s->b, &s->common);
  cholmod_free_dense(&s->x, &s->common);
  cholmod_free_dense(&s->y, &s->common);
  cholmod_free_dense(&s->e, &s->common);
  cholmod_free_factor(&s->L, &s->common);
  cholmod_free_sparse(&s->A, &s->common);
  cholmod_finish(&s->common);
  free(s);
}
#endif


static const benchSolver solvers[] = {
    {"sparse", 1 << 20, open_sparse, solve_ours, close_ours},
    {"dense", 1200, open_dense, solve_ours, close_ours},
    {"lapack", 1200, open_lapack, solve_lapack, free},
    {"klu", 1 << 20, open_klu, solve_klu, close_klu},
#ifdef BENCH_CHOLMOD
    {"simplicial", 1 << 20, open_simplicial, solve_cholmod, close_cholmod},
    {"supernodal", 1 << 20, open_supernodal, solve_cholmod, close_cholmod},
#endif
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };


//---- timing --------------------------------------------------------------------------------------

static double now_us(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double) t.tv_sec + 1e-3 * (double) t.tv_nsec;
}


static double time_batch(const benchSolver *s, void *state, const benchMatrix *A, double *x,
                         int calls)
{
  const size_t size = (size_t) A->pattern.n * sizeof *x;
  const double start = now_us();
  for (int k = 0; k < calls; k++) {
    memcpy(x, A->b, size);
    s->solve(state, A, x);
  }
  return now_us() - start;
}


// microseconds of one factorisation and one solution, smallest of many batches
static double time_solver(const benchSolver *s, void *state, const benchMatrix *A, double *x)
{
  int calls = 1;
  double best = INFINITY, spent = 0;
  while (time_batch(s, state, A, x, calls) < batch_us) calls *= 2;
  for (int round = 0; round < rounds && spent < share_us; round++) {
    const double batch = time_batch(s, state, A, x, calls);
    spent += batch;
    best = fmin(best, batch / calls);
  }
  return best;
}


static void print_row(const char *name, int N, const benchMatrix *A)
{
  const int n = A->pattern.n;
  double *x = calloc((size_t) n, sizeof *x);
  double ours = 0, worst = 0;
  numPositive *f = open_ours(A, POSITIVE_SPARSE), *chosen = open_ours(A, POSITIVE_AUTOMATIC);
  printf("%-6s %4d %5d %7d %7ld %-6s", name, N, n, A->pattern.start[n], positive_fill(f),
         positive_kind(chosen) == POSITIVE_DENSE ? "dense" : "sparse");
  positive_free(f);
  positive_free(chosen);
  for (int k = 0; k < SOLVERS; k++) {
    if (n > solvers[k].longest) {
      printf(" %10s", "-");
      continue;
    }
    void *state = solvers[k].open(A);
    const double us = time_solver(&solvers[k], state, A, x);
    if (k == 0) ours = us;
    printf(" %10.2f", k == 0 ? us : us / ours);
    worst = fmax(worst, residual(A, x));
    solvers[k].close(state);
  }
  printf("  %8.1e\n", worst);
  fflush(stdout);
  free(x);
}


static int print_rows(const char *name, int unknowns, void (*fill)(benchMatrix *A, int N))
{
  static const int lengths[] = {1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 50, 100, 200};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    benchMatrix A;
    if (!open_matrix(&A, unknowns * lengths[i], fill, lengths[i])) return 1;
    print_row(name, lengths[i], &A);
    close_matrix(&A);
  }
  return 0;
}


static int print_random_rows(void)
{
  static const int unknowns[] = {8, 16, 32, 64, 128, 256};
  static const int percents[] = {2, 5, 10, 20, 40, 60, 100};
  for (size_t i = 0; i < sizeof unknowns / sizeof *unknowns; i++) {
    for (size_t k = 0; k < sizeof percents / sizeof *percents; k++) {
      benchMatrix A;
      if (!open_matrix(&A, unknowns[i], fill_random, percents[k])) return 1;
      print_row("random", percents[k], &A);
      close_matrix(&A);
    }
  }
  return 0;
}


int main(void)
{
  printf("%-6s %4s %5s %7s %7s %-6s", "chain", "N", "n", "A", "L", "chosen");
  for (int k = 0; k < SOLVERS; k++) printf(" %10s", solvers[k].name);
  printf("  %8s\n", "residual");
  return print_rows("plane", 4, fill_plane) || print_rows("space", 12, fill_space) ||
         print_random_rows();
}
