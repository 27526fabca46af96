// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass matrix by composite bodies (composite.h) in ground axes about one point per tree, so that an
// entry is a dot product of two six-vectors. Factorisation from the leaves (Featherstone 2008,
// section 6.5), which preserves the zeros between branches.
#include "tree/tree.h"

#include "tree/composite.h"
#include "tree/joint_axis.h"


motion tree_axis(const treeAxes *S, int k)
{
  return (motion){{S->ax[k], S->ay[k], S->az[k]}, {S->lx[k], S->ly[k], S->lz[k]}};
}


static void put_axis(const treeAxes *S, int k, motion axis)
{
  S->ax[k] = axis.ang.x;
  S->ay[k] = axis.ang.y;
  S->az[k] = axis.ang.z;
  S->lx[k] = axis.lin.x;
  S->ly[k] = axis.lin.y;
  S->lz[k] = axis.lin.z;
}


void tree_axes(const treeModel *t, treeData *d)
{
  ART_ASSERT(d->has_world);
  tree_axes_some(t, d, 1, t->n);
}


void tree_axes_some(const treeModel *t, treeData *d, int first, int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= t->n);
  const treeAxes S = d->S;
  for (int i = first; i < end; i++) {
    const treeLink *link = &t->link[i];
    const m3 *own = &d->world[i].R;
    const v3 arm = v3_sub(d->world[i].o, d->world[t->anchor[i]].o);
    if (link->nv == 1) { // most links; the sliding axes of a free joint are not needed
      const jointAxis axis = joint_axis(link, own, own, 0);
      put_axis(&S, link->v0, joint_carried(link, axis, arm));
      continue;
    }
    m3 room;
    const m3 *slides = joint_slides(link, &d->world[link->parent].R, &room);
    for (int k = 0; k < link->nv; k++)
      put_axis(&S, link->v0 + k, joint_carried(link, joint_axis(link, own, slides, k), arm));
  }
}


// Does only the link's own joint see its inertia, which is then constant? True for links attached
// to ground with at most one coordinate.
static int is_felt_alone(const treeLink *link)
{
  return link->parent == 0 && link->nv <= 1;
}


// S.I S of such a link
static real own_inertia(const treeLink *link)
{
  ART_ASSERT(is_felt_alone(link) && link->nv == 1);
  if (link->kind == LINK_REVOLUTE) return link->J.zz;
  if (link->kind == LINK_PRISMATIC) return link->mass;
  return r_add(link->J.zz, r_mul(r_mul(link->pitch, link->pitch), link->mass));
}


// in ground axes about the anchor
static inline treeInertia group_of_link(const treeModel *t, const treeData *d, int i)
{
  const treeLink *link = &t->link[i];
  const treeWorld *world = tree_in_ground(d, i);
  const treeInertia nothing = {0};
  if (is_felt_alone(link)) return nothing;
  const treeInertia own = {link->mass, m3_back(world->R, link->h), s3_back(world->R, link->J)};
  return inertia_about(own, v3_sub(world->o, tree_in_ground(d, t->anchor[i])->o));
}


static inline treeInertia group_in_parent(const treeModel *t, const treeData *d, int i)
{
  (void) t;
  return d->group[i];
}


static inline motion group_axis(const treeModel *t, const treeData *d, int k)
{
  (void) t;
  return tree_axis(&d->S, k);
}


// row[j] = S_j . f for consecutive coordinates
static void mass_row(real *restrict row, const treeAxes *S, int first, int last, wrench f)
{
  ART_ASSERT(first >= 0 && first <= last);
  const real *restrict ax = S->ax, *restrict ay = S->ay, *restrict az = S->az;
  const real *restrict lx = S->lx, *restrict ly = S->ly, *restrict lz = S->lz;
  for (int j = first; j <= last; j++) {
    const real angular =
        r_add(r_add(r_mul(f.ang.x, ax[j]), r_mul(f.ang.y, ay[j])), r_mul(f.ang.z, az[j]));
    const real linear =
        r_add(r_add(r_mul(f.lin.x, lx[j]), r_mul(f.lin.y, ly[j])), r_mul(f.lin.z, lz[j]));
    row[j] = r_add(angular, linear);
  }
}


// for each consecutive run of coordinates on the path to ground
static inline void group_row(const treeModel *t, const treeData *d, int k, wrench f, real *row)
{
  const treeLink *link = &t->link[t->dof_link[k]];
  for (int j = k; j >= 0; j = t->dof_parent[t->dof_run[j]]) {
    mass_row(row, &d->S, t->dof_run[j], j, f);
  }
  if (is_felt_alone(link)) row[k] = r_add(row[k], own_inertia(link));
}


void tree_mass(const treeModel *t, treeData *d, const long *place, real *M)
{
  ART_ASSERT(M || t->nv == 0);
  compose_groups(t, d);
  for (int k = 0; k < t->nv; k++) {
    fill_mass_row(t, d, k, M + (place ? place[k] : (long) k * t->nv));
  }
}


//---- factors -------------------------------------------------------------------------------------


// above[j] -= l row[j] for consecutive coordinates
static void take_off_row(real *restrict above, const real *restrict row, int first, int last,
                         real l)
{
  for (int j = first; j <= last; j++) above[j] = r_sub(above[j], r_mul(l, row[j]));
}


void tree_factor(const treeModel *t, real *M)
{
  const int n = t->nv;
  for (int k = n - 1; k >= 0; k--) {
    real *row = M + (long) k * n;
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) {
      // L_ki = M_ki / D_k; then subtract L_k^T D_k L_k from the rows of k's ancestors
      const real l = r_div(row[i], row[k]);
      for (int j = i; j >= 0; j = t->dof_parent[t->dof_run[j]]) {
        take_off_row(M + (long) i * n, row, t->dof_run[j], j, l);
      }
      row[i] = l;
    }
  }
}


void tree_solve(const treeModel *t, const real *LDL, real *x)
{
  const int n = t->nv;

  // L^T y = b
  for (int k = n - 1; k >= 0; k--) {
    const real *row = LDL + (long) k * n;
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[t->dof_run[j]]) {
      take_off_row(x, row, t->dof_run[j], j, x[k]);
    }
  }

  // D L x = y
  for (int k = 0; k < n; k++) {
    const real *row = LDL + (long) k * n;
    x[k] = r_div(x[k], row[k]);
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      x[k] = r_sub(x[k], r_mul(row[j], x[j]));
    }
  }
}
