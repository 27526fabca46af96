// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass on the open tree: joint forces, and accelerations in O(n) for a fixed number of
// rods. With M the inertia of the links and a_0 the accelerations without the forces p of the rods
// on their ends (data/rod_inertia.h),
//
//   (S M^-1 S^T + 6/m) p = -s(a_0),   a = a_0 + M^-1 S^T p
#include <string.h>

#include "force/force.h"
#include "method/method.h"
#include "num/dense.h"

typedef struct methodRods {
  double *A;      // [3 nrod 3 nrod]
  double *p;      // [3 nrod]
  double *column; // [nv]
  double *tau;    // [nv] zeros
  wrench *f;      // [links]
} methodRods;


artStatus method_start_rods(const artModel *m, artData *d, artError *error)
{
  struct methodWork *own = d->work->method;
  baseArena *arena = &own->arena;
  const size_t n = 3 * (size_t) m->nrod, nv = (size_t) m->tree.nv;
  methodRods *r = arena_alloc(arena, 1, sizeof *r);
  const int taken = r && ARENA_TAKE(arena, r->A, n * n) && ARENA_TAKE(arena, r->p, n) &&
                    ARENA_TAKE(arena, r->column, nv) && ARENA_TAKE(arena, r->tau, nv) &&
                    ARENA_TAKE(arena, r->f, m->tree.n);
  if (!taken) return base_no_memory(error);
  own->part[ART_ORDER_N] = r;
  return ART_OK;
}


// add the effect of forces p on all rods to the accelerations a and to the link motion
static void respond_to_rod_forces(const artModel *m, artData *d, const double *p, double *a)
{
  methodRods *r = method_part(d, ART_ORDER_N);
  const treeData *t = &d->work->tree;
  memset(r->f, 0, (size_t) m->tree.n * sizeof *r->f);
  for (int i = 0; i < m->nrod; i++) {
    const cutSide *side = m->cut[m->rod[i]].side;
    const v3 force = {p[3 * i], p[3 * i + 1], p[3 * i + 2]};
    for (int k = 0; k < 2; k++) {
      const wrench own = point_wrench(tree_in_ground(t, side[k].link), side[k].r, force);
      if (side[k].link > 0) r->f[side[k].link] = wr_add(r->f[side[k].link], own);
    }
  }
  tree_respond(&m->tree, &d->work->tree, r->f, r->tau, a);
  memset(r->tau, 0, (size_t) m->tree.nv * sizeof *r->tau);
}


// one column of S M^-1 S^T + 6/m
static void find_rod_column(const artModel *m, artData *d, int j)
{
  ART_ASSERT(j >= 0 && j < 3 * m->nrod);
  methodRods *r = method_part(d, ART_ORDER_N);
  const long n = 3L * m->nrod, nv = m->tree.nv;
  memset(r->p, 0, (size_t) n * sizeof *r->p);
  memset(r->column, 0, (size_t) nv * sizeof *r->column);
  r->p[j] = 1;
  respond_to_rod_forces(m, d, r->p, r->column);
  for (long i = 0; i < n; i++) {
    const double *S = d->work->rods.S + i * nv;
    double sum = i == j ? 6 / m->cut[m->rod[j / 3]].mass : 0;
    for (long k = 0; k < nv; k++) sum += S[k] * r->column[k];
    r->A[j * n + i] = sum;
  }
}


artStatus method_free_rods(const artModel *m, artData *d, double *a, artError *error)
{
  if (m->nrod == 0) return ART_OK;
  artStatus status = method_start(m, d, ART_ORDER_N, error);
  if (status != ART_OK) return status;
  methodRods *r = method_part(d, ART_ORDER_N);
  const int n = 3 * m->nrod;
  data_need_world(m, d);
  tree_axes(&m->tree, &d->work->tree);
  rods_positions(m, d, &d->work->rods);
  rods_motion(m, d, &d->work->rods);
  for (int j = 0; j < n; j++) find_rod_column(m, d, j);
  for (int i = 0; i < m->nrod; i++) {
    const v3 s = d->work->rods.s[i];
    r->p[3 * i] = -s.x, r->p[3 * i + 1] = -s.y, r->p[3 * i + 2] = -s.z;
  }
  status = num_solve_positive(n, r->A, 1, r->p, error);
  if (status != ART_OK) return status;
  respond_to_rod_forces(m, d, r->p, a);
  return ART_OK;
}
