// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass in the equations of motion.
#include "data/rod_inertia.h"

#include <string.h>

#include "data/place.h"
#include "data/rod.h"
#include "model/rod_physics.h"


int rods_start(rodInertia *rods, const artModel *m, baseArena *arena)
{
  ART_ASSERT(m->nrod <= m->most_rods);
  const size_t n = (size_t) m->most_rods, nv = (size_t) m->tree.nv;
  return ARENA_TAKE(arena, rods->S, 3 * n * nv) && ARENA_TAKE(arena, rods->s, n) &&
         ARENA_TAKE(arena, rods->P, 3 * nv);
}


double rods_scale(const artModel *m, int rod)
{
  ART_ASSERT(rod >= 0 && rod < m->nrod);
  return m->cut[m->rod[rod]].mass / 6;
}


double *rods_rows(const artModel *m, const rodInertia *rods, int rod)
{
  ART_ASSERT(rod >= 0 && rod < m->most_rods);
  return rods->S + 3L * rod * m->tree.nv;
}


// add the derivatives of one end's velocity to the three rows
static void add_rod_end(const artModel *m, const artData *d, const cutSide *side, double *S)
{
  const treeData *t = &d->work->tree;
  const long nv = m->tree.nv;
  const v3 r = tree_point(t, side->link, side->r);
  const v3 arm = v3_sub(r, tree_in_ground(t, m->tree.anchor[side->link])->o);
  for (int k = model_last_dof(&m->tree, side->link); k >= 0; k = m->tree.dof_parent[k]) {
    const motion axis = tree_axis(&t->S, k);
    const v3 v = v3_add(axis.lin, v3_cross(axis.ang, arm));
    S[k] += v.x;
    S[nv + k] += v.y;
    S[2 * nv + k] += v.z;
  }
}


void rods_positions(const artModel *m, const artData *d, rodInertia *rods)
{
  if (m->nrod == 0) return;
  memset(rods->S, 0, 3 * (size_t) m->nrod * (size_t) m->tree.nv * sizeof *rods->S);
  for (int i = 0; i < m->nrod; i++) {
    const modelCut *cut = &m->cut[m->rod[i]];
    for (int side = 0; side < 2; side++) add_rod_end(m, d, &cut->side[side], rods_rows(m, rods, i));
  }
}


// y += S^T f
static void add_transposed(const artModel *m, const double *S, v3 f, double *y)
{
  const long nv = m->tree.nv;
  for (long k = 0; k < nv; k++) y[k] += S[k] * f.x + S[nv + k] * f.y + S[2 * nv + k] * f.z;
}


static v3 multiply_rod_rows(const artModel *m, const double *S, const double *x)
{
  const long nv = m->tree.nv;
  v3 sum = {0, 0, 0};
  for (long k = 0; k < nv; k++) {
    sum.x += S[k] * x[k];
    sum.y += S[nv + k] * x[k];
    sum.z += S[2 * nv + k] * x[k];
  }
  return sum;
}


void rods_motion(const artModel *m, const artData *d, rodInertia *rods)
{
  for (int i = 0; i < m->nrod; i++) rods->s[i] = rod_accelerations(m, d, i);
}


void rods_bias(const artModel *m, const artData *d, rodInertia *rods, double *h)
{
  rods_motion(m, d, rods);
  for (int i = 0; i < m->nrod; i++) {
    add_transposed(m, rods_rows(m, rods, i), v3_scale(rods_scale(m, i), rods->s[i]), h);
  }
}


void rods_multiply(const artModel *m, const rodInertia *rods, const double *x, double *y)
{
  ART_ASSERT(x != y);
  for (int i = 0; i < m->nrod; i++) {
    const double *S = rods_rows(m, rods, i);
    add_transposed(m, S, v3_scale(rods_scale(m, i), multiply_rod_rows(m, S, x)), y);
  }
}


void rods_add_mass(const artModel *m, const rodInertia *rods, const bool *skip, double *M,
                   long down, long across)
{
  const long nv = m->tree.nv;
  for (int i = 0; i < m->nrod; i++) {
    const double *x = rods_rows(m, rods, i), *y = x + nv, *z = y + nv;
    for (long k = 0; k < nv; k++) {
      const v3 f = v3_scale(rods_scale(m, i), (v3){x[k], y[k], z[k]});
      if ((f.x == 0 && f.y == 0 && f.z == 0) || (skip && skip[k])) continue;
      for (long j = 0; j <= k; j++) {
        if (skip && skip[j]) continue;
        M[k * down + j * across] += f.x * x[j] + f.y * y[j] + f.z * z[j];
      }
    }
  }
}


void rods_clear_mass(const artModel *m, double *M)
{
  ART_ASSERT(M || m->tree.nv == 0);
  const long nv = m->tree.nv;
  for (int i = 0; i < m->nrod; i++) {
    const cutSide *side = m->cut[m->rod[i]].side;
    for (int a = 0; a < side[0].n; a++) {
      for (int b = 0; b < side[1].n; b++) {
        const int k = side[0].dof[a], j = side[1].dof[b];
        M[k > j ? k * nv + j : j * nv + k] = 0;
      }
    }
  }
}


void rods_react(const artModel *m, artData *d, const rodInertia *rods, const double *x)
{
  for (int i = 0; i < m->nrod; i++) {
    v3 sum = rods->s[i];
    if (x) sum = v3_add(sum, multiply_rod_rows(m, rods_rows(m, rods, i), x));
    d->work->rod_force[i] = rod_pull(m->cut[m->rod[i]].mass, sum);
  }
}


void rods_add(const artModel *m, artData *d, double *tau)
{
  if (m->nrod == 0) return;
  data_need_world(m, d);
  tree_axes(&m->tree, &d->work->tree);
  rods_positions(m, d, &d->work->rods);
  rods_bias(m, d, &d->work->rods, tau);
}
