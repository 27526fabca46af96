// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass matrix by composite bodies (Walker, Orin 1982) in ground axes about one point per tree, so that
// an entry is a dot product of two six-vectors; and its factors from the leaves (Featherstone 2008,
// section 6.5), which keep the zeros between branches.
#include "tree/tree.h"


motion tree_axis(const treeAxes *S, int k)
{
  return (motion){{S->ax[k], S->ay[k], S->az[k]}, {S->lx[k], S->ly[k], S->lz[k]}};
}


static void put_axis(const treeAxes *S, int k, v3 ang, v3 lin)
{
  S->ax[k] = ang.x;
  S->ay[k] = ang.y;
  S->az[k] = ang.z;
  S->lx[k] = lin.x;
  S->ly[k] = lin.y;
  S->lz[k] = lin.z;
}


// turning about the axis e through a point that lies at d from the anchor
static void put_turning(const treeAxes *S, int k, v3 e, v3 d)
{
  put_axis(S, k, e, v3_cross(d, e));
}


static void put_sliding(const treeAxes *S, int k, v3 e)
{
  put_axis(S, k, v3_make(r_const(0), r_const(0), r_const(0)), e);
}


void tree_axes(const treeModel *t, treeData *d)
{
  tree_axes_some(t, d, 1, t->n);
}


void tree_axes_some(const treeModel *t, treeData *d, int first, int end)
{
  const treeAxes S = d->S;
  for (int i = first; i < end; i++) {
    const treeLink *link = &t->link[i];
    const m3 axes = d->world[i].R; // rows: axes of the link in ground
    const v3 arm = v3_sub(d->world[i].o, d->world[t->anchor[i]].o);
    int k = link->v0;

    switch (link->kind) {
    case LINK_FIXED:
      break;
    case LINK_REVOLUTE:
      put_turning(&S, k, axes.z, arm);
      break;
    case LINK_PRISMATIC:
      put_sliding(&S, k, axes.z);
      break;
    case LINK_SCREW:
      put_axis(&S, k, axes.z, v3_add(v3_cross(arm, axes.z), v3_scale(link->pitch, axes.z)));
      break;
    case LINK_FREE: {
      const m3 joint = m3_mul_m3(link->R, d->world[link->parent].R);
      put_sliding(&S, k, joint.x);
      put_sliding(&S, k + 1, joint.y);
      put_sliding(&S, k + 2, joint.z);
      k += 3;
    }
    // fall through
    case LINK_SPHERICAL:
      put_turning(&S, k, axes.x, arm);
      put_turning(&S, k + 1, axes.y, arm);
      put_turning(&S, k + 2, axes.z, arm);
      break;
    }
  }
}


// inertia of a link in ground axes, about a point from which its origin lies at d
static treeInertia link_inertia(const treeLink *link, m3 R, v3 d)
{
  const v3 h = m3_back(R, link->h);
  const s3 J = s3_back(R, link->J);

  // J' = J + 2 (d.k) 1 - k d^T - d k^T  with  k = h + m d / 2
  const v3 md = v3_scale(link->mass, d);
  const v3 k = v3_add(h, v3_scale(r_const(0.5), md));
  const v3 kk = v3_add(k, k);
  const real kx = r_mul(kk.x, d.x), ky = r_mul(kk.y, d.y), kz = r_mul(kk.z, d.z);
  const s3 shifted = {
      r_add(J.xx, r_add(ky, kz)),
      r_add(J.yy, r_add(kx, kz)),
      r_add(J.zz, r_add(kx, ky)),
      r_sub(J.xy, r_add(r_mul(k.x, d.y), r_mul(k.y, d.x))),
      r_sub(J.xz, r_add(r_mul(k.x, d.z), r_mul(k.z, d.x))),
      r_sub(J.yz, r_add(r_mul(k.y, d.z), r_mul(k.z, d.y))),
  };
  return (treeInertia){link->mass, v3_add(h, md), shifted};
}


// momentum of a group that moves by S
static wrench group_momentum(const treeInertia *g, motion S)
{
  // N = J w + h x v,  F = m v - h x w
  return (wrench){v3_add(s3_mul(g->J, S.ang), v3_cross(g->h, S.lin)),
                  v3_sub(v3_scale(g->m, S.lin), v3_cross(g->h, S.ang))};
}


// Is the link's own inertia felt along its joint axis alone, where it is constant? It is when nothing
// but ground carries the link.
static int is_felt_alone(const treeLink *link)
{
  return link->parent == 0 && link->nv <= 1;
}


// S.I S of such a link
static real own_inertia(const treeLink *link)
{
  if (link->kind == LINK_REVOLUTE) return link->J.zz;
  if (link->kind == LINK_PRISMATIC) return link->mass;
  return r_add(link->J.zz, r_mul(r_mul(link->pitch, link->pitch), link->mass));
}


// inertia that each link carries, itself included where it is felt by others
static void compose_groups(const treeModel *t, treeData *d)
{
  const treeLink *restrict links = t->link;
  const treeWorld *restrict world = tree_in_ground(d, 0);
  treeInertia *restrict group = d->group;
  const treeInertia nothing = {0};
  for (int i = 1; i < t->n; i++) {
    const v3 arm = v3_sub(world[i].o, world[t->anchor[i]].o);
    group[i] = is_felt_alone(&links[i]) ? nothing : link_inertia(&links[i], world[i].R, arm);
  }
  for (int i = t->n - 1; i > 0; i--) {
    const int p = links[i].parent;
    if (p == 0) continue;
    group[p].m = r_add(group[p].m, group[i].m);
    group[p].h = v3_add(group[p].h, group[i].h);
    group[p].J = s3_add(group[p].J, group[i].J);
  }
}


// row[j] = S_j . f for consecutive coordinates
static void mass_row(real *restrict row, const treeAxes *S, int first, int last, wrench f)
{
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


void tree_mass(const treeModel *t, treeData *d, const long *place, real *M)
{
  compose_groups(t, d);

  // M_kj = S_j . I_k S_k for every coordinate j that carries k, run by run of the way to ground
  for (int k = 0; k < t->nv; k++) {
    const treeLink *link = &t->link[t->dof_link[k]];
    const wrench momentum = group_momentum(&d->group[t->dof_link[k]], tree_axis(&d->S, k));
    real *row = M + (place ? place[k] : (long) k * t->nv);
    for (int j = k; j >= 0; j = t->dof_parent[t->dof_run[j]]) {
      mass_row(row, &d->S, t->dof_run[j], j, momentum);
    }
    if (is_felt_alone(link)) row[k] = r_add(row[k], own_inertia(link));
    if (link->has_rotor) row[k] = r_add(row[k], link->rotor);
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
      // L_ki = M_ki / D_k, then take L_k^T D_k L_k off the rows of k's ancestors
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
