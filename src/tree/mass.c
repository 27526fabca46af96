// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass matrix by composite bodies (Walker, Orin 1982) in ground axes about one point per tree, so that
// an entry is a dot product of two six-vectors; and its factors from the leaves (Featherstone 2008,
// section 6.5), which keep the zeros between branches.
#include "tree/tree.h"


// turning about the axis e through a point that lies at d from the anchor
static motion turning(v3 e, v3 d)
{
  return (motion){e, v3_cross(d, e)};
}


static motion sliding(v3 e)
{
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  return (motion){zero, e};
}


void tree_axes(const treeModel *t, treeData *d)
{
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const m3 axes = d->world[i].R; // rows: axes of the link in ground
    const v3 arm = v3_sub(d->world[i].o, d->world[t->anchor[i]].o);
    motion *S = d->S + link->v0;

    switch (link->kind) {
    case LINK_FIXED:
      break;
    case LINK_REVOLUTE:
      S[0] = turning(axes.z, arm);
      break;
    case LINK_PRISMATIC:
      S[0] = sliding(axes.z);
      break;
    case LINK_SCREW:
      S[0] = mot_add(turning(axes.z, arm), mot_scale(link->pitch, sliding(axes.z)));
      break;
    case LINK_FREE: {
      const m3 joint = m3_mul_m3(link->R, d->world[link->parent].R);
      S[0] = sliding(joint.x);
      S[1] = sliding(joint.y);
      S[2] = sliding(joint.z);
      S += 3;
    }
    // fall through
    case LINK_SPHERICAL:
      S[0] = turning(axes.x, arm);
      S[1] = turning(axes.y, arm);
      S[2] = turning(axes.z, arm);
      break;
    }
  }
}


// inertia of link i in ground axes, about a point from which its origin lies at d
static treeInertia link_inertia(const treeLink *link, m3 R, v3 d)
{
  const v3 h = m3_back(R, link->h);
  const s3 J = s3_back(R, link->J);

  // J' = J + 2 (d.k) 1 - k d^T - d k^T  with  k = h + m d / 2
  const v3 md = v3_scale(link->mass, d);
  const v3 k = v3_add(h, v3_scale(r_const(0.5), md));
  const real kx = r_mul(k.x, d.x), ky = r_mul(k.y, d.y), kz = r_mul(k.z, d.z);
  const real two = r_const(2);
  const s3 shift = {
      r_mul(two, r_add(ky, kz)),
      r_mul(two, r_add(kx, kz)),
      r_mul(two, r_add(kx, ky)),
      r_neg(r_add(r_mul(k.x, d.y), r_mul(k.y, d.x))),
      r_neg(r_add(r_mul(k.x, d.z), r_mul(k.z, d.x))),
      r_neg(r_add(r_mul(k.y, d.z), r_mul(k.z, d.y))),
  };
  return (treeInertia){link->mass, v3_add(h, md), s3_add(J, shift)};
}


// momentum of a group that moves by S
static wrench group_momentum(const treeInertia *g, motion S)
{
  // N = J w + h x v,  F = m v - h x w
  return (wrench){v3_add(s3_mul(g->J, S.ang), v3_cross(g->h, S.lin)),
                  v3_sub(v3_scale(g->m, S.lin), v3_cross(g->h, S.ang))};
}


static void compose_groups(const treeModel *t, treeData *d)
{
  for (int i = 1; i < t->n; i++) {
    const v3 arm = v3_sub(d->world[i].o, d->world[t->anchor[i]].o);
    d->group[i] = link_inertia(&t->link[i], d->world[i].R, arm);
  }
  for (int i = t->n - 1; i > 0; i--) {
    const int p = t->link[i].parent;
    if (p == 0) continue;
    treeInertia *g = &d->group[p];
    g->m = r_add(g->m, d->group[i].m);
    g->h = v3_add(g->h, d->group[i].h);
    g->J = s3_add(g->J, d->group[i].J);
  }
}


void tree_mass(const treeModel *t, treeData *d, real *M)
{
  compose_groups(t, d);

  // M_kj = S_j . I_k S_k for every coordinate j that carries k
  for (int k = 0; k < t->nv; k++) {
    const wrench momentum = group_momentum(&d->group[t->dof_link[k]], d->S[k]);
    real *row = M + (long) k * t->nv;
    for (int j = k; j >= 0; j = t->dof_parent[j]) row[j] = mot_dot(d->S[j], momentum);

    const treeLink *link = &t->link[t->dof_link[k]];
    if (link->has_rotor) row[k] = r_add(row[k], link->rotor);
  }
}


void tree_factor(const treeModel *t, real *M)
{
  const int n = t->nv;
  for (int k = n - 1; k >= 0; k--) {
    real *row = M + (long) k * n;
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) {
      // L_ki = M_ki / D_k, then take L_k^T D_k L_k off the rows of k's ancestors
      const real l = r_div(row[i], row[k]);
      real *above = M + (long) i * n;
      for (int j = i; j >= 0; j = t->dof_parent[j]) above[j] = r_sub(above[j], r_mul(l, row[j]));
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
    for (int j = t->dof_parent[k]; j >= 0; j = t->dof_parent[j]) {
      x[j] = r_sub(x[j], r_mul(row[j], x[k]));
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
