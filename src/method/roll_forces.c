// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What rolls without slip, by any method of loops. With the rows A v = 0 and the accelerations a0 that the
// method finds without the forces mu of these rows,
//   a = a0 + P A^T mu,   A P A^T mu = -d(A v)/dt at a0
// where P takes forces into accelerations of the machine with closed loops, J P = 0. With M = L L^T, the
// rows of Y = L^-1 J^T made orthonormal, and Z = L^-1 A^T without its part along Y,
//   A P A^T = Z^T Z = T T^T,  Z = Q T^T
// row by row (Gram and Schmidt, twice); rows that depend on those before have no force. The method
// itself then finds accelerations and multipliers with the forces mu applied to the bodies.
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/numbers.h"
#include "force/force.h"
#include "force/roll_place.h"
#include "loop/loop.h"
#include "loop/roll_rows.h"
#include "method/force_space.h"
#include "method/method.h"
#include "num/dense.h"

enum { MAX_CORRECTIONS = 4 };

static const double ROUNDED = 1e-13; // of the terms of a row


struct rollWork {
  forceSpace space;
  char *is_kept;     // [nroll_row] no force for the others
  double *A;         // [nroll_row nv]
  double *Q;         // [nroll_row nv]
  double *T;         // [nroll_row nroll_row] lower triangle
  double *rate;      // [nroll_row]
  double *mu;        // [nroll_row] forces
  int nfollow;       // chosen by method_roll_choose:
  int *row, *follow; // [nroll_row] rows, and velocities that they determine
  int *pivot;        // [nroll_row]
};


static struct rollWork *roll_work(const artModel *m, artData *d)
{
  struct methodWork *own = method_work(d);
  if (!own || own->roll) return own ? own->roll : NULL;
  const size_t nv = (size_t) m->tree.nv, n = (size_t) m->nroll_row;
  baseArena *a = &own->arena;
  struct rollWork *w;
  if (!ARENA_TAKE(a, w, 1) || !space_take(&w->space, m, a) || !ARENA_TAKE(a, w->is_kept, n) ||
      !ARENA_TAKE(a, w->A, n * nv) || !ARENA_TAKE(a, w->Q, n * nv) || !ARENA_TAKE(a, w->T, n * n) ||
      !ARENA_TAKE(a, w->rate, n) || !ARENA_TAKE(a, w->mu, n) || !ARENA_TAKE(a, w->row, n) ||
      !ARENA_TAKE(a, w->follow, n) || !ARENA_TAKE(a, w->pivot, n))
    return NULL;
  return own->roll = w;
}


//---- the space of forces -------------------------------------------------------------------------

static void find_roll_rows(const artModel *m, struct rollWork *w)
{
  const int n = m->nroll_row, nfree = w->space.n;
  memset(w->T, 0, (size_t) n * (size_t) n * sizeof *w->T);
  for (int k = 0; k < n; k++) {
    double *q = w->Q + (long) k * nfree, *row = w->T + (long) k * n;
    const double size = space_row(&w->space, w->A + (long) k * m->tree.nv, q);
    for (int turn = 0; turn < 2; turn++) space_take_out(nfree, k, w->Q, q, row);
    row[k] = space_make_unit(nfree, q, SPACE_DEPENDENT * size);
    w->is_kept[k] = row[k] > 0;
  }
}


// Q and T at the present positions
static artStatus find_roll_space(const artModel *m, artData *d, struct rollWork *w, artError *error)
{
  const artStatus status = space_find(m, d, &w->space, "what rolls", error);
  if (status != ART_OK) return status;
  rolling_rows(m, d, w->A);
  find_roll_rows(m, w);
  return ART_OK;
}


// x = T^-1 x, rows that are not kept zero
static void solve_rows(int n, const struct rollWork *w, double *x)
{
  for (int k = 0; k < n; k++) {
    const double *row = w->T + (long) k * n;
    x[k] = w->is_kept[k] ? (x[k] - base_dot(k, row, x)) / row[k] : 0;
  }
}


// x = T^-T x
static void solve_rows_transposed(int n, const struct rollWork *w, double *x)
{
  for (int k = n - 1; k >= 0; k--) {
    for (int i = k + 1; i < n; i++) x[k] -= w->T[(long) i * n + k] * x[i];
    x[k] = w->is_kept[k] ? x[k] / w->T[(long) k * n + k] : 0;
  }
}


//---- accelerations -------------------------------------------------------------------------------

static void put_roll_forces(const artModel *m, artData *d, const double *mu)
{
  data_need_world(m, d);
  for (int i = 0; i < m->nroll; i++) {
    const modelRoll *roll = &m->roll[i];
    const rollPlace p = roll_place(m, d, i);
    const double *f = mu + roll->row0;
    const v3 along = v3_scale(roll->nrow == 2 ? f[0] : 0, p.along);
    d->work->force->roll[i] =
        (rollForce){v3_add(along, v3_scale(f[roll->nrow - 1], p.across)), p.point};
  }
}


// d(A v)/dt at the accelerations found, of rows that are kept; its largest value relative to that of its terms
static double find_roll_rates(const artModel *m, artData *d, struct rollWork *w)
{
  double most = 0, size = 0;
  tree_rne(&m->tree, &d->work->tree, d->v, d->a, d->work->scratch);
  rolling_second(m, d, w->rate);
  for (int k = 0; k < m->nroll_row; k++) {
    const double *row = w->A + (long) k * m->tree.nv;
    for (int j = 0; j < m->tree.nv; j++) size = max_nan(size, fabs(row[j] * d->a[j]));
    if (w->is_kept[k]) most = max_nan(most, fabs(w->rate[k]));
  }
  return size > 0 ? most / size : most;
}


artStatus method_roll(const artModel *m, artData *d, const methodKind *kind, artError *error)
{
  struct rollWork *w = roll_work(m, d);
  if (!w) return base_no_memory(error);
  const int n = m->nroll_row;
  double gap = HUGE_VAL;
  memset(w->mu, 0, (size_t) n * sizeof *w->mu);
  put_roll_forces(m, d, w->mu);
  artStatus status = kind->solve(m, d, error);
  if (status == ART_OK) status = find_roll_space(m, d, w, error);
  for (int i = 0; i < MAX_CORRECTIONS && status == ART_OK; i++) {
    const double before = gap;
    gap = find_roll_rates(m, d, w);
    if (i > 0 && (gap <= ROUNDED || !(gap < 0.1 * before))) break;
    solve_rows(n, w, w->rate);
    solve_rows_transposed(n, w, w->rate);
    for (int k = 0; k < n; k++) w->mu[k] -= w->rate[k];
    put_roll_forces(m, d, w->mu);
    status = kind->solve(m, d, error);
  }
  return status;
}


//---- velocities ----------------------------------------------------------------------------------

// v + M^-1 forces of loops and rows, with J dv = 0:  dv = L^-T Q T^-1 (-A v)
artStatus method_roll_velocities(const artModel *m, artData *d, artError *error)
{
  if (m->nroll == 0) return ART_OK;
  struct rollWork *w = roll_work(m, d);
  if (!w) return base_no_memory(error);
  const artStatus status = find_roll_space(m, d, w, error);
  if (status != ART_OK) return status;
  const long n = w->space.n;
  double *x = w->space.x;
  for (int turn = 0; turn < 2; turn++) {
    for (int k = 0; k < m->nroll_row; k++) {
      w->rate[k] = -base_dot(m->tree.nv, w->A + (long) k * m->tree.nv, d->v);
    }
    solve_rows(m->nroll_row, w, w->rate);
    memset(x, 0, (size_t) n * sizeof *x);
    for (int k = 0; k < m->nroll_row; k++) {
      for (long j = 0; j < n; j++) x[j] += w->rate[k] * w->Q[k * n + j];
    }
    space_add_velocities(&w->space, x, d->v);
  }
  tree_forget_velocities(&d->work->tree);
  return ART_OK;
}


//---- independent velocities ----------------------------------------------------------------------

// rows of A over the independent coordinates of the loops, by R^T A^T, into Q
static void reduce_roll_rows(const artModel *m, artData *d, struct rollWork *w)
{
  const long nv = m->tree.nv;
  for (long k = 0; k < m->nroll_row; k++) {
    double *row = memcpy(w->Q + k * nv, w->A + k * nv, (size_t) nv * sizeof *row);
    blocks_project(d->work->loop->blocks, row);
  }
}


// the largest entry of the rows left, in columns that are free; 0: none
static double find_roll_pivot(const artModel *m, const artData *d, const struct rollWork *w,
                              const char *is_used, int *row, int *column)
{
  const loopPartition *p = &d->work->loop->partition;
  double most = 0;
  for (int k = 0; k < m->nroll_row; k++) {
    for (int i = 0; i < p->nf && !is_used[k]; i++) {
      const double x = fabs(w->Q[(long) k * m->tree.nv + p->free[i]]);
      if (x > most) most = x, *row = k, *column = p->free[i];
    }
  }
  return most;
}


// by full pivoting among the rows that are independent of those before
artStatus method_roll_choose(const artModel *m, artData *d, int *nspeed, artError *error)
{
  struct rollWork *w = roll_work(m, d);
  const long nv = m->tree.nv;
  if (!w) return base_no_memory(error);
  const artStatus status = find_roll_space(m, d, w, error);
  if (status != ART_OK) return status;
  blocks_couple(d->work->loop->blocks);
  reduce_roll_rows(m, d, w);
  char *is_used = w->is_kept; // of rows that are not kept, and of those taken
  int rank = 0, row = 0, column = 0;
  for (int k = 0; k < m->nroll_row; k++) {
    rank += is_used[k];
    is_used[k] = !is_used[k];
  }
  for (w->nfollow = 0; w->nfollow < rank; w->nfollow++) {
    if (find_roll_pivot(m, d, w, is_used, &row, &column) == 0) break;
    w->row[w->nfollow] = row;
    w->follow[w->nfollow] = column;
    is_used[row] = 1;
    for (long k = 0; k < m->nroll_row; k++) {
      const double factor = is_used[k] ? 0 : w->Q[k * nv + column] / w->Q[row * nv + column];
      for (long j = 0; j < nv && factor != 0; j++) w->Q[k * nv + j] -= factor * w->Q[row * nv + j];
      if (!is_used[k]) w->Q[k * nv + column] = 0;
    }
  }
  *nspeed = d->work->loop->partition.nf - w->nfollow;
  return ART_OK;
}


int method_roll_follows(const artData *d, int k)
{
  const struct rollWork *w = d->work->method->roll;
  for (int i = 0; i < w->nfollow; i++) {
    if (w->follow[i] == k) return 1;
  }
  return 0;
}


// A_v dv_v = -A v, twice for its rounding
artStatus method_roll_follow(const artModel *m, artData *d, artError *error)
{
  struct rollWork *w = roll_work(m, d);
  if (!w) return base_no_memory(error);
  const artStatus status = loop_close(m, d, error);
  if (status != ART_OK) return status;
  const long n = w->nfollow, nv = m->tree.nv;
  rolling_rows(m, d, w->A);
  for (int turn = 0; turn < 2; turn++) {
    reduce_roll_rows(m, d, w);
    for (long i = 0; i < n; i++) {
      w->rate[i] = -base_dot((int) nv, w->A + w->row[i] * nv, d->v);
      for (long j = 0; j < n; j++) w->T[j * n + i] = w->Q[w->row[i] * nv + w->follow[j]];
    }
    if (!(num_solve_square((int) n, w->T, w->pivot, w->rate) > 0)) {
      return base_fail(error, ART_SINGULAR, base_nowhere(),
                       "what rolls does not determine the same velocities any more at t = %.9g s",
                       d->time);
    }
    for (long i = 0; i < n; i++) d->v[w->follow[i]] += w->rate[i];
    loop_move(d);
  }
  return ART_OK;
}
