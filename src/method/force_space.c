// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "method/force_space.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "loop/loop.h"


int space_take(forceSpace *s, const artModel *m, baseArena *a)
{
  const size_t nv = (size_t) m->tree.nv;
  return ARENA_TAKE(a, s->free, nv) && ARENA_TAKE(a, s->L, nv * nv) &&
         ARENA_TAKE(a, s->Y, (size_t) m->nrow * nv) && ARENA_TAKE(a, s->x, nv);
}


int space_take_cones(coulombProblem *q, int n, int nrow, baseArena *a)
{
  const size_t count = (size_t) nrow;
  return ARENA_TAKE(a, q->cone, n) && ARENA_TAKE(a, q->W, count * count) &&
         ARENA_TAKE(a, q->b, count) && ARENA_TAKE(a, q->p, count) && ARENA_TAKE(a, q->u, count) &&
         ARENA_TAKE(a, q->room, coulomb_room(nrow));
}


// L of the n free columns; returns 0 where the matrix is not positive definite
static int factor_mass(forceSpace *s)
{
  const long n = s->n;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j <= i; j++) {
      const double sum = s->L[i * n + j] - base_dot((int) j, s->L + i * n, s->L + j * n);
      if (i == j && !(sum > 0)) return 0;
      s->L[i * n + j] = i == j ? sqrt(sum) : sum / s->L[j * n + j];
    }
  }
  return 1;
}


// M of the free columns, and alpha J^T J, which changes nothing where loops are closed but makes it regular
// where massless links hang on them
static void gather_mass(const artModel *m, artData *d, forceSpace *s, double alpha)
{
  const struct loopWork *loop = d->work->loop;
  const long n = s->n, nv = m->tree.nv;
  art_mass_matrix(m, d, s->L);
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) s->L[i * n + j] = s->L[s->free[i] * nv + s->free[j]];
  }
  if (alpha == 0) return;
  const loopMatrix *J = &loop->rows.J;
  for (int i = 0; i < loop->rank.rank; i++) {
    memset(s->x, 0, (size_t) nv * sizeof *s->x);
    const int row = loop->rank.independent[i];
    for (int e = J->start[row]; e < J->start[row + 1]; e++) s->x[J->column[e]] = J->value[e];
    for (long j = 0; j < n; j++) {
      const double x = alpha * s->x[s->free[j]];
      for (long k = 0; k < n && x != 0; k++) s->L[j * n + k] += x * s->x[s->free[k]];
    }
  }
}


// L^-1 of a row over all columns
static void solve_lower(const forceSpace *s, const double *row, double *x)
{
  const long n = s->n;
  for (long i = 0; i < n; i++) {
    x[i] = (row[s->free[i]] - base_dot((int) i, s->L + i * n, x)) / s->L[i * n + i];
  }
}


void space_take_out(int n, int count, const double *rows, double *x, double *part)
{
  for (int k = 0; k < count; k++) {
    const double *q = rows + (long) k * n, dot = base_dot(n, q, x);
    for (int j = 0; j < n; j++) x[j] -= dot * q[j];
    if (part) part[k] += dot;
  }
}


double space_make_unit(int n, double *x, double least)
{
  const double size = sqrt(base_dot(n, x, x));
  for (int j = 0; j < n; j++) x[j] = size > least ? x[j] / size : 0;
  return size > least ? size : 0;
}


static void find_loop_rows(const artModel *m, const artData *d, forceSpace *s)
{
  const struct loopWork *loop = d->work->loop;
  const loopMatrix *J = &loop->rows.J;
  s->ny = 0;
  for (int i = 0; i < loop->rank.rank; i++) {
    const int row = loop->rank.independent[i];
    double *y = s->Y + (long) s->ny * s->n;
    memset(s->x, 0, (size_t) m->tree.nv * sizeof *s->x);
    for (int e = J->start[row]; e < J->start[row + 1]; e++) s->x[J->column[e]] = J->value[e];
    solve_lower(s, s->x, y);
    const double size = sqrt(base_dot(s->n, y, y));
    space_take_out(s->n, s->ny, s->Y, y, NULL);
    space_take_out(s->n, s->ny, s->Y, y, NULL);
    if (space_make_unit(s->n, y, SPACE_DEPENDENT * size) > 0) s->ny++;
  }
}


// columns that no drive prescribes
static void find_free_columns(const artModel *m, forceSpace *s)
{
  s->n = 0;
  for (int j = 0; j < m->tree.nv; j++) {
    if (!m->tree.link[m->tree.dof_link[j]].is_driven) s->free[s->n++] = j;
  }
}


artStatus space_find(const artModel *m, artData *d, forceSpace *s, const char *what,
                     artError *error)
{
  struct loopWork *loop = d->work->loop;
  const int has_loops = m->nrow > 0;
  artStatus status = has_loops && !loop->is_ready ? loop_partition(m, d, error) : ART_OK;
  if (status == ART_OK && has_loops) status = loop_rows(m, d, NULL, error);
  if (status != ART_OK) return status;
  find_free_columns(m, s);
  gather_mass(m, d, s, 0);
  if (!factor_mass(s)) {
    if (has_loops) gather_mass(m, d, s, fmax(m->mass, 1e-3));
    if (!has_loops || !factor_mass(s)) {
      return base_fail(
          error, ART_SINGULAR, base_nowhere(),
          "the forces of %s cannot be found at t = %.9g s: something moves that has no "
          "inertia",
          what, d->time);
    }
  }
  s->ny = 0;
  if (has_loops) find_loop_rows(m, d, s);
  return ART_OK;
}


double space_row(const forceSpace *s, const double *row, double *z)
{
  solve_lower(s, row, z);
  const double size = sqrt(base_dot(s->n, z, z));
  for (int turn = 0; turn < 2; turn++) space_take_out(s->n, s->ny, s->Y, z, NULL);
  return size;
}


void space_add_velocities(const forceSpace *s, double *x, double *v)
{
  const long n = s->n;
  for (long i = n - 1; i >= 0; i--) {
    for (long j = i + 1; j < n; j++) x[i] -= s->L[j * n + i] * x[j];
    x[i] /= s->L[i * n + i];
  }
  for (long i = 0; i < n; i++) v[s->free[i]] += x[i];
}
