// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Linearisation about a state, at rest or moving.
//
// With the missing joint forces  r(q, v) = M a0 + h - tau  at the accelerations a0 of the state,
//   M da + R_v dv + R_q dq = 0,   R_q = dr/dq,  R_v = dr/dv  by differences.
// dq are displacements along the velocity coordinates. For ball and free joints they are rotation
// vectors in the axes of the link: from  R' = R exp(dq x)  follows  omega' = omega + ddq/dt + omega x dq,
//   ddq/dt = dv - W dq,   W = omega x  in the blocks of these joints, 0 elsewhere.
// Hence A, and with dv taken out  C = R_v + M W,  K = R_q + R_v W + M dW/dt.
#include <math.h>
#include <string.h>

#include "articula/study.h"
#include "base/memory.h"
#include "num/dense.h"
#include "study/difference.h"
#include "study/mode.h"
#include "study/study.h"

typedef struct linearWork {
  const artModel *m;
  artData *d;
  baseArena arena;
  artLinear *lin;
  int column, moves_velocity;
  double *q, *v, *a; // [nq], [nv], [nv] the state
  double *move;      // [nv]
  double *all;       // [nv] joint forces
  double *mass;      // [nv nv]
  double *slope;     // [n]
  double *space;     // [4 n]
  double *Rq, *Rv;   // [n n] by rows
  double *W, *dW;    // [n n] by rows
  double *solved;    // [n 2n] by columns: M^-1 (R_q R_v)
  double *factor;    // [n n]
} linearWork;

//---- memory --------------------------------------------------------------------------------------

void art_free_linear(artLinear *lin)
{
  if (!lin) return;
  mem_free(lin->coordinate);
  mem_free(lin->M);
  mem_free(lin);
}


// one block of numbers, cut into the pieces
static int take_result(artLinear *lin, int n)
{
  const size_t nn = (size_t) n * (size_t) n, n2 = 2 * (size_t) n;
  lin->n = n;
  lin->coordinate = MEM_ARRAY(int, n);
  double *next = MEM_ARRAY(double, 7 * nn + 4 * n2 + 3 * n2 * (size_t) n);
  lin->M = next;
  if (!next || !lin->coordinate) return 0;
  lin->C = next += nn;
  lin->K = next += nn;
  lin->A = next += nn;
  lin->real = next += 4 * nn;
  lin->imaginary = next += n2;
  lin->frequency = next += n2;
  lin->damping = next += n2;
  lin->mode_real = next += n2;
  lin->mode_imaginary = next += n2 * (size_t) n;
  lin->share = next + n2 * (size_t) n;
  return 1;
}


static int take_work(linearWork *w)
{
  baseArena *a = &w->arena;
  const size_t nq = (size_t) w->m->tree.nq, nv = (size_t) w->m->tree.nv, size = sizeof(double);
  const size_t n = (size_t) w->lin->n;
  return (w->q = arena_alloc(a, nq, size)) && (w->v = arena_alloc(a, nv, size)) &&
         (w->a = arena_alloc(a, nv, size)) && (w->move = arena_alloc(a, nv, size)) &&
         (w->all = arena_alloc(a, nv, size)) && (w->mass = arena_alloc(a, nv * nv, size)) &&
         (w->slope = arena_alloc(a, n, size)) && (w->space = arena_alloc(a, 4 * n, size)) &&
         (w->Rq = arena_alloc(a, n * n, size)) && (w->Rv = arena_alloc(a, n * n, size)) &&
         (w->W = arena_alloc(a, n * n, size)) && (w->dW = arena_alloc(a, n * n, size)) &&
         (w->solved = arena_alloc(a, 2 * n * n, size)) && (w->factor = arena_alloc(a, n * n, size));
}


//---- the matrices --------------------------------------------------------------------------------

static void put_state(const linearWork *w)
{
  const treeModel *t = &w->m->tree;
  memcpy(w->d->q, w->q, (size_t) t->nq * sizeof *w->q);
  memcpy(w->d->v, w->v, (size_t) t->nv * sizeof *w->v);
}


static artStatus missing_along_column(void *context, double s, double *r, artError *error)
{
  linearWork *w = context;
  const artLinear *lin = w->lin;
  const int k = lin->coordinate[w->column];
  put_state(w);
  if (w->moves_velocity) {
    w->d->v[k] += s;
  } else {
    w->move[k] = s;
    art_move(w->m, w->d->q, w->move);
    w->move[k] = 0;
  }
  art_update(w->m, w->d);
  const artStatus status = study_missing_forces(w->m, w->d, w->a, w->all, error);
  for (int i = 0; i < lin->n; i++) r[i] = w->all[lin->coordinate[i]];
  return status;
}


// dr/dq or dr/dv, by rows
static artStatus find_slopes(linearWork *w, int moves_velocity, double *R, artError *error)
{
  const int n = w->lin->n;
  const differenceFunction f = {n, missing_along_column, w};
  w->moves_velocity = moves_velocity;
  artStatus status = ART_OK;
  for (w->column = 0; w->column < n && status == ART_OK; w->column++) {
    status = difference_slope(&f, w->space, w->slope, error);
    for (int i = 0; i < n; i++) R[(long) i * n + w->column] = w->slope[i];
  }
  return status;
}


// the mass matrix of the free coordinates
static void find_mass(linearWork *w)
{
  artLinear *lin = w->lin;
  const long n = lin->n, nv = w->m->tree.nv;
  art_mass_matrix(w->m, w->d, w->mass);
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      lin->M[i * n + j] = w->mass[lin->coordinate[i] * nv + lin->coordinate[j]];
    }
  }
}


// x -> omega x x on rows and columns first, first + 1, first + 2
static void put_cross(double *W, long n, long first, const double *omega)
{
  static const int NEXT[] = {1, 2, 0};
  for (int i = 0; i < 3; i++) {
    const int j = NEXT[i], k = NEXT[j];
    W[(first + k) * n + first + j] = omega[i];
    W[(first + j) * n + first + k] = -omega[i];
  }
}


// W of ball and free joints, and its rate
static void find_turning(linearWork *w)
{
  const artLinear *lin = w->lin;
  for (int i = 0; i < lin->n; i++) {
    const int k = lin->coordinate[i];
    const treeLink *link = &w->m->tree.link[w->m->tree.dof_link[k]];
    const int spin = link->v0 + (link->kind == LINK_FREE ? 3 : 0);
    if ((link->kind != LINK_SPHERICAL && link->kind != LINK_FREE) || k != spin) continue;
    put_cross(w->W, lin->n, i, w->v + k);
    put_cross(w->dW, lin->n, i, w->a + k);
  }
}


// sum += A B, n x n by rows
static void add_product(int n, const double *A, const double *B, double *sum)
{
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < n; k++) {
      if (A[i * n + k] == 0) continue;
      for (long j = 0; j < n; j++) sum[i * n + j] += A[i * n + k] * B[k * n + j];
    }
  }
}


// M ddq'' + C ddq' + K dq = 0
static void second_order_form(linearWork *w)
{
  artLinear *lin = w->lin;
  const size_t bytes = (size_t) lin->n * (size_t) lin->n * sizeof *lin->C;
  memcpy(lin->C, w->Rv, bytes);
  memcpy(lin->K, w->Rq, bytes);
  add_product(lin->n, lin->M, w->W, lin->C);
  add_product(lin->n, w->Rv, w->W, lin->K);
  add_product(lin->n, lin->M, w->dW, lin->K);
}


// A = [-W  1; -M^-1 R_q  -M^-1 R_v]
static artStatus first_order_form(linearWork *w, artError *error)
{
  artLinear *lin = w->lin;
  const long n = lin->n;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      w->factor[j * n + i] = lin->M[i * n + j];
      w->solved[j * n + i] = w->Rq[i * n + j];
      w->solved[(n + j) * n + i] = w->Rv[i * n + j];
    }
  }
  const artStatus status = num_solve_positive(lin->n, w->factor, 2 * lin->n, w->solved, error);
  if (status != ART_OK) return status;

  for (long i = 0; i < n; i++) {
    double *above = lin->A + i * 2 * n, *below = lin->A + (n + i) * 2 * n;
    for (long j = 0; j < n; j++) above[j] = -w->W[i * n + j];
    above[n + i] = 1;
    for (long j = 0; j < 2 * n; j++) below[j] = -w->solved[j * n + i];
  }
  return ART_OK;
}


static artStatus find_matrices(linearWork *w, artError *error)
{
  find_mass(w);
  find_turning(w);
  w->d->work->is_frozen = 1;
  artStatus status = find_slopes(w, 0, w->Rq, error);
  if (status == ART_OK) status = find_slopes(w, 1, w->Rv, error);
  if (status != ART_OK) return status;
  second_order_form(w);
  return first_order_form(w, error);
}


//---- all -----------------------------------------------------------------------------------------

static artStatus linearise(linearWork *w, artMethod method, artError *error)
{
  artData *d = w->d;
  const treeModel *t = &w->m->tree;
  if (!take_result(w->lin, study_free_velocities(w->m, NULL)) || !take_work(w)) {
    return base_no_memory(error);
  }
  study_free_velocities(w->m, w->lin->coordinate);
  const int was_frozen = d->work->is_frozen;
  art_normalise(w->m, d->q);
  art_update(w->m, d);
  artStatus status = art_accelerate(w->m, d, method, error);
  if (status != ART_OK) return status;
  memcpy(w->q, d->q, (size_t) t->nq * sizeof *w->q);
  memcpy(w->v, d->v, (size_t) t->nv * sizeof *w->v);
  memcpy(w->a, d->a, (size_t) t->nv * sizeof *w->a);

  status = find_matrices(w, error);
  if (status == ART_OK) status = mode_find(w->lin, error);

  // the data as it was
  put_state(w);
  art_update(w->m, d);
  d->work->is_frozen = was_frozen;
  const artStatus again = art_accelerate(w->m, d, method, status == ART_OK ? error : NULL);
  return status == ART_OK ? again : status;
}


artStatus art_linearise(const artModel *m, artData *d, artMethod method, artLinear **out,
                        artError *error)
{
  *out = NULL;
  linearWork w = {.m = m, .d = d, .lin = mem_alloc(1, sizeof *w.lin)};
  if (!w.lin) return base_no_memory(error);
  const artStatus status = linearise(&w, method, error);
  arena_free(&w.arena);
  if (status != ART_OK) {
    art_free_linear(w.lin);
    return status;
  }
  *out = w.lin;
  return ART_OK;
}
