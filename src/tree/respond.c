// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Response of an articulated tree to additional forces at the same positions and velocities, after
// tree_aba, whose articulated inertias I = [A B; B^T C] are used (Featherstone 2008, chapter 7).
//
//   inward    u = tau + S^T f,   f' = f - U D^-1 u      generalised force, wrench on the parent
//   outward   qdd = D^-1 (u - U^T a)
//
// with U = I S and D = S^T U. Joints of three and six coordinates have a matrix D = L E L^T.
#include "tree/tree.h"

//---- articulated inertia of a joint --------------------------------------------------------------

enum { MAX_DOF = 6 };

// D = L E L^T: unit lower L, and 1/E
typedef struct jointFactors {
  int n;
  real L[MAX_DOF][MAX_DOF];
  real inverse[MAX_DOF];
} jointFactors;


// D of a ball link (moments) or of a free link (moments, forces), lower triangle
static int joint_inertia(const treeLink *link, const treeArticulated *b, real D[][MAX_DOF])
{
  const s3 A = b->A, C = b->C;
  D[0][0] = A.xx;
  D[1][0] = A.xy, D[1][1] = A.yy;
  D[2][0] = A.xz, D[2][1] = A.yz, D[2][2] = A.zz;
  if (link->kind != LINK_FREE) return 3;

  const m3 B = b->B;
  D[3][0] = B.x.x, D[3][1] = B.y.x, D[3][2] = B.z.x, D[3][3] = C.xx;
  D[4][0] = B.x.y, D[4][1] = B.y.y, D[4][2] = B.z.y, D[4][3] = C.xy, D[4][4] = C.yy;
  D[5][0] = B.x.z, D[5][1] = B.y.z, D[5][2] = B.z.z, D[5][3] = C.xz, D[5][4] = C.yz, D[5][5] = C.zz;
  return 6;
}


static void factor_joint(const treeLink *link, const treeArticulated *b, jointFactors *f)
{
  ART_ASSERT(link->kind == LINK_SPHERICAL || link->kind == LINK_FREE);
  real g[MAX_DOF];
  f->n = joint_inertia(link, b, f->L);
  for (int k = 0; k < f->n; k++) {
    real *row = f->L[k];
    for (int j = 0; j < k; j++) {
      g[j] = row[j];
      for (int i = 0; i < j; i++) g[j] = r_sub(g[j], r_mul(f->L[j][i], g[i]));
    }
    real pivot = row[k];
    for (int j = 0; j < k; j++) {
      row[j] = r_mul(g[j], f->inverse[j]);
      pivot = r_sub(pivot, r_mul(row[j], g[j]));
    }
    f->inverse[k] = r_div(r_const(1), pivot);
  }
}


// x = L^-1 x
static void reduce_by_factors(const jointFactors *f, real *x)
{
  for (int k = 1; k < f->n; k++) {
    for (int j = 0; j < k; j++) x[k] = r_sub(x[k], r_mul(f->L[k][j], x[j]));
  }
}


// x = D^-1 x
static void divide_by_factors(const jointFactors *f, real *x)
{
  reduce_by_factors(f, x);
  for (int k = 0; k < f->n; k++) x[k] = r_mul(x[k], f->inverse[k]);
  for (int k = f->n - 1; k > 0; k--) {
    for (int j = 0; j < k; j++) x[j] = r_sub(x[j], r_mul(f->L[k][j], x[k]));
  }
}


void tree_weigh(const treeLink *link, const treeArticulated *b, int count, real *u, real *weight)
{
  ART_ASSERT(link->nv > 0 && !link->is_driven && count >= 0);
  if (link->nv == 1) {
    weight[0] = r_div(r_const(1), b->D);
    return;
  }
  jointFactors f;
  factor_joint(link, b, &f);
  for (int i = 0; i < count; i++) reduce_by_factors(&f, u + i * f.n);
  for (int k = 0; k < f.n; k++) weight[k] = f.inverse[k];
}


//---- inward --------------------------------------------------------------------------------------

// S.f of a one-dof link
static real along_axis(const treeLink *link, wrench f)
{
  ART_ASSERT(link->nv == 1);
  if (link->kind == LINK_REVOLUTE) return f.ang.z;
  if (link->kind == LINK_PRISMATIC) return f.lin.z;
  return r_add(f.ang.z, r_mul(link->pitch, f.lin.z));
}


static void put_u(real *u, v3 a)
{
  u[0] = a.x;
  u[1] = a.y;
  u[2] = a.z;
}


static wrench release_one(const treeLink *link, const treeArticulated *b, wrench f, real tau,
                          real *u)
{
  u[0] = r_add(tau, along_axis(link, f));
  const real x = r_div(u[0], b->D);
  return wr_sub(f, (wrench){v3_scale(x, b->U.ang), v3_scale(x, b->U.lin)});
}


// a ball joint transmits only the opposite of its own moment
static wrench release_three(const treeLink *link, const treeArticulated *b, wrench f, v3 tau,
                            real *u)
{
  jointFactors factors;
  factor_joint(link, b, &factors);
  put_u(u, v3_add(tau, f.ang));
  real alpha[3] = {u[0], u[1], u[2]};
  divide_by_factors(&factors, alpha);
  return (wrench){v3_neg(tau), v3_sub(f.lin, m3_back(b->B, v3_make(alpha[0], alpha[1], alpha[2])))};
}


// a free joint transmits only the opposite of its joint forces
static wrench release_six(wrench f, wrench tau, real *u)
{
  put_u(u, v3_add(tau.ang, f.ang));
  put_u(u + 3, v3_add(tau.lin, f.lin));
  return (wrench){v3_neg(tau.ang), v3_neg(tau.lin)};
}


wrench tree_release(const treeLink *link, const treePose *pose, const treeArticulated *b, wrench f,
                    const real *tau, real *u)
{
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  if (link->nv == 0 || link->is_driven) return f;
  if (link->nv == 1) return release_one(link, b, f, tau ? tau[0] : r_const(0), u);
  if (link->kind == LINK_SPHERICAL) {
    return release_three(link, b, f, tau ? v3_make(tau[0], tau[1], tau[2]) : zero, u);
  }
  if (!tau) return release_six(f, (wrench){zero, zero}, u);
  const v3 push = m3_mul(pose->R, m3_back(link->R, v3_make(tau[0], tau[1], tau[2])));
  return release_six(f, (wrench){v3_make(tau[3], tau[4], tau[5]), push}, u);
}


//---- outward -------------------------------------------------------------------------------------

// acceleration of the link, given the part acc due to its parent; adds to a
static motion accelerate_link(const treeLink *link, const treePose *pose, const treeArticulated *b,
                              const real *u, motion acc, real *a)
{
  if (link->nv == 0 || link->is_driven) return acc;
  if (link->nv == 1) {
    // qdd = (u - U.a) / D
    const real own = r_div(r_sub(u[0], mot_dot(acc, b->U)), b->D);
    if (link->kind != LINK_PRISMATIC) acc.ang = v3_add_z(acc.ang, own);
    if (link->kind == LINK_PRISMATIC) acc.lin = v3_add_z(acc.lin, own);
    if (link->kind == LINK_SCREW) acc.lin = v3_add_z(acc.lin, r_mul(link->pitch, own));
    a[0] = r_add(a[0], own);
    return acc;
  }

  jointFactors f;
  factor_joint(link, b, &f);
  if (link->kind == LINK_SPHERICAL) {
    // A alpha + B a = u
    const v3 carried = m3_mul(b->B, acc.lin);
    real x[3] = {r_sub(u[0], carried.x), r_sub(u[1], carried.y), r_sub(u[2], carried.z)};
    divide_by_factors(&f, x);
    const v3 alpha = v3_make(x[0], x[1], x[2]), own = v3_sub(alpha, acc.ang);
    a[0] = r_add(a[0], own.x);
    a[1] = r_add(a[1], own.y);
    a[2] = r_add(a[2], own.z);
    return (motion){alpha, acc.lin};
  }

  real x[6] = {u[0], u[1], u[2], u[3], u[4], u[5]};
  divide_by_factors(&f, x);
  const motion all = {v3_make(x[0], x[1], x[2]), v3_make(x[3], x[4], x[5])};
  const v3 lin = m3_mul(link->R, m3_back(pose->R, v3_sub(all.lin, acc.lin)));
  const v3 ang = v3_sub(all.ang, acc.ang);
  a[0] = r_add(a[0], lin.x);
  a[1] = r_add(a[1], lin.y);
  a[2] = r_add(a[2], lin.z);
  a[3] = r_add(a[3], ang.x);
  a[4] = r_add(a[4], ang.y);
  a[5] = r_add(a[5], ang.z);
  return all;
}


void tree_respond(const treeModel *t, treeData *d, wrench *f, real *tau, real *a)
{
  ART_ASSERT(d->has_body); // set by tree_aba
  tree_respond_inward(t, d, f, tau, 1, t->n);

  // the wrenches are no longer needed; f now holds the additional accelerations
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  f[0] = (wrench){zero, zero};
  tree_respond_outward(t, d, f, tau, a, 1, t->n);
}


void tree_respond_inward(const treeModel *t, const treeData *d, wrench *f, real *tau, int first,
                         int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= t->n);
  for (int i = end - 1; i >= first; i--) {
    const treeLink *link = &t->link[i];
    const treePose *pose = &d->pose[i];
    const wrench rest = tree_release(link, pose, &d->art[i], f[i], tau + link->v0, tau + link->v0);
    if (link->parent == 0) continue;
    f[link->parent] = wr_add(f[link->parent], wr_back(pose->R, pose->p, rest));
  }
}


void tree_respond_outward(const treeModel *t, treeData *d, wrench *f, const real *tau, real *a,
                          int first, int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= t->n);
  for (int i = first; i < end; i++) {
    const treeLink *link = &t->link[i];
    const treePose *pose = &d->pose[i];
    const wrench *parent = &f[link->parent];

    // a' = R (a_p + alpha_p x p)
    const motion carried = {m3_mul(pose->R, parent->ang),
                            m3_mul(pose->R, v3_add(parent->lin, v3_cross(parent->ang, pose->p)))};
    const motion acc =
        accelerate_link(link, pose, &d->art[i], tau + link->v0, carried, a + link->v0);
    d->body[i].acc = mot_add(d->body[i].acc, acc);
    f[i] = (wrench){acc.ang, acc.lin};
  }
}
