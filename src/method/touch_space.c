// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "method/touch_space.h"

#include <math.h>
#include <string.h>

#include "force/force.h"


static int has_loops(const touchSpace *s)
{
  return s->m->nrow > 0;
}


int touch_take(touchSpace *s, const artModel *m, baseArena *a)
{
  const size_t nv = (size_t) m->tree.nv;
  s->m = m;
  if (!ARENA_TAKE(a, s->row, nv)) return 0;
  if (has_loops(s)) {
    if (!space_take(&s->loops, m, a) || !ARENA_TAKE(a, s->all, nv)) return 0;
    for (int j = 0; j < m->tree.nv; j++) s->all[j] = j;
    return 1;
  }
  if (!ARENA_TAKE(a, s->place, nv) || !ARENA_TAKE(a, s->scale, nv)) return 0;
  long count = 0;
  for (int k = 0; k < m->tree.nv; k++) {
    int first = k;
    while (m->tree.dof_parent[first] >= 0) first = m->tree.dof_parent[first];
    s->place[k] = count - first;
    count += k - first + 1;
  }
  return ARENA_TAKE(a, s->mass, count) != NULL;
}


// M = L^T D L of the coordinates that no drive prescribes
static artStatus factor_tree(touchSpace *s, const artData *d, artError *error)
{
  const treeModel *t = &s->m->tree;
  for (int k = t->nv - 1; k >= 0; k--) {
    double *row = s->mass + s->place[k];
    const int is_driven = t->link[t->dof_link[k]].is_driven;
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) {
      if (is_driven || t->link[t->dof_link[i]].is_driven) row[i] = 0;
    }
    if (!is_driven && !(row[k] > 0)) {
      return base_fail(error, ART_SINGULAR, base_nowhere(),
                       "the forces of rigid contacts cannot be found at t = %.9g s: something "
                       "moves that has no inertia",
                       d->time);
    }
    s->scale[k] = is_driven ? 0 : 1 / sqrt(row[k]);
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) {
      // L_ki = M_ki/D_k; then the rows of the ancestors lose L_k^T D_k L_k
      const double l = row[i] == 0 ? 0 : row[i] / row[k];
      for (int j = i; j >= 0 && l != 0; j = t->dof_parent[j]) {
        s->mass[s->place[i] + j] -= l * row[j];
      }
      row[i] = l;
    }
  }
  return ART_OK;
}


artStatus touch_find(touchSpace *s, artData *d, artError *error)
{
  const artModel *m = s->m;
  s->n = m->tree.nv;
  data_need_world(m, d);
  if (has_loops(s)) {
    const artStatus status = space_find(m, d, &s->loops, "rigid contacts", error);
    s->n = s->loops.n;
    if (status == ART_OK) tree_axes(&m->tree, &d->work->tree);
    return status;
  }
  tree_axes(&m->tree, &d->work->tree);
  tree_mass(&m->tree, &d->work->tree, s->place, s->mass);
  return factor_tree(s, d, error);
}


int touch_last(const artModel *m, int link)
{
  const treeModel *t = &m->tree;
  while (link > 0 && t->link[link].nv == 0) link = t->link[link].parent;
  return link > 0 ? t->link[link].v0 + t->link[link].nv - 1 : -1;
}


int touch_list(const touchSpace *s, const int last[2], int *at)
{
  const int *parent = s->m->tree.dof_parent;
  if (has_loops(s)) {
    if (at) memcpy(at, s->all, (size_t) s->n * sizeof *at);
    return s->n;
  }
  int count = 0;
  for (int i = last[0], k = last[1]; i >= 0 || k >= 0; count++) {
    const int j = i > k ? i : k;
    if (at) at[count] = j;
    if (i == j) i = parent[i];
    if (k == j) k = parent[k];
  }
  return count;
}


// S_j.w for the wrench of a force at a point
static double axis_row(const artModel *m, const artData *d, int j, v3 point, v3 force, v3 torque)
{
  const treeAxes *S = &d->work->tree.S;
  const v3 origin = tree_in_ground(&d->work->tree, m->tree.anchor[m->tree.dof_link[j]])->o;
  const v3 moment = v3_add(torque, v3_cross(v3_sub(point, origin), force));
  return S->ax[j] * moment.x + S->ay[j] * moment.y + S->az[j] * moment.z + S->lx[j] * force.x +
         S->ly[j] * force.y + S->lz[j] * force.z;
}


// the row of the velocity along an axis; coordinates that move both bodies have nothing of it
static void put_row(const touchSpace *s, const artData *d, const int last[2], v3 point,
                    const rigidAxis *axis, double *row)
{
  const rigidAxis back = {v3_neg(axis->force), v3_neg(axis->torque)};
  const int *parent = s->m->tree.dof_parent;
  for (int i = last[0], k = last[1]; i >= 0 || k >= 0;) {
    const int j = i > k ? i : k;
    const rigidAxis *own = k == j ? axis : &back;
    row[j] = i == k ? 0 : axis_row(s->m, d, j, point, own->force, own->torque);
    if (i == j) i = parent[i];
    if (k == j) k = parent[k];
  }
}


// z = D^-1/2 L^-T row, from the leaves
static void solve_upper(const touchSpace *s, int count, const int *at, double *row, double *z)
{
  const treeModel *t = &s->m->tree;
  for (int e = 0; e < count; e++) {
    if (t->link[t->dof_link[at[e]]].is_driven) row[at[e]] = 0;
  }
  for (int e = 0; e < count; e++) {
    const int k = at[e];
    const double *L = s->mass + s->place[k], x = row[k];
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) row[j] -= L[j] * x;
    z[e] = x * s->scale[k];
  }
}


void touch_row(touchSpace *s, const artData *d, const int last[2], v3 point, const rigidAxis *axis,
               int count, const int *at, double *z)
{
  if (has_loops(s)) memset(s->row, 0, (size_t) s->m->tree.nv * sizeof *s->row);
  put_row(s, d, last, point, axis, s->row);
  if (has_loops(s)) {
    (void) space_row(&s->loops, s->row, z);
  } else {
    solve_upper(s, count, at, s->row, z);
  }
}


void touch_add_velocities(touchSpace *s, double *x, double *v)
{
  if (has_loops(s)) {
    space_add_velocities(&s->loops, x, v);
    return;
  }
  const treeModel *t = &s->m->tree;
  for (int k = 0; k < t->nv; k++) {
    const double *L = s->mass + s->place[k];
    x[k] *= s->scale[k];
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) x[k] -= L[j] * x[j];
    v[k] += x[k];
  }
}
