// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Recursive Newton-Euler inverse dynamics (Luh, Walker, Paul 1980), moments about the links' origins.
#include "tree/tree.h"


// B with B x = alpha x x + omega x (omega x x): acceleration of a point x of a turning body
static m3 turning_matrix(v3 alpha, v3 omega)
{
  const real xx = r_mul(omega.x, omega.x), yy = r_mul(omega.y, omega.y);
  const real zz = r_mul(omega.z, omega.z), xy = r_mul(omega.x, omega.y);
  const real xz = r_mul(omega.x, omega.z), yz = r_mul(omega.y, omega.z);
  return (m3){
      {r_neg(r_add(yy, zz)), r_sub(xy, alpha.z), r_add(xz, alpha.y)},
      {r_add(xy, alpha.z), r_neg(r_add(xx, zz)), r_sub(yz, alpha.x)},
      {r_sub(xz, alpha.y), r_add(yz, alpha.x), r_neg(r_add(xx, yy))},
  };
}


// add the joint's own motion to what the parent gives: omega_p, alpha and a are in the link's axes
static void add_joint_motion(const treeLink *link, const treePose *pose, const real *v,
                             const real *a, v3 omega_p, v3 *omega, motion *acc)
{
  const v3 two_omega = v3_scale(r_const(2), omega_p);
  switch (link->kind) {
  case LINK_FIXED:
    break;

  case LINK_REVOLUTE:
    // alpha += omega_p x z v + z a
    *omega = v3_add_z(omega_p, v[0]);
    acc->ang = v3_add_z(v3_add(acc->ang, v3_cross_z(omega_p, v[0])), a[0]);
    break;

  case LINK_PRISMATIC:
    // a += 2 omega_p x z v + z a
    acc->lin = v3_add_z(v3_add(acc->lin, v3_cross_z(two_omega, v[0])), a[0]);
    break;

  case LINK_SCREW: {
    const real slide = r_mul(link->pitch, v[0]);
    *omega = v3_add_z(omega_p, v[0]);
    acc->ang = v3_add_z(v3_add(acc->ang, v3_cross_z(omega_p, v[0])), a[0]);
    acc->lin = v3_add_z(v3_add(acc->lin, v3_cross_z(two_omega, slide)), r_mul(link->pitch, a[0]));
    break;
  }

  case LINK_FREE: {
    // velocity and acceleration are along the axes of the joint's frame, which the parent carries
    const v3 slide = m3_mul(pose->R, m3_back(link->R, v3_make(v[0], v[1], v[2])));
    const v3 pull = m3_mul(pose->R, m3_back(link->R, v3_make(a[0], a[1], a[2])));
    acc->lin = v3_add(acc->lin, v3_add(v3_cross(two_omega, slide), pull));
    v += 3;
    a += 3;
  }
  // fall through
  case LINK_SPHERICAL: {
    const v3 spin = v3_make(v[0], v[1], v[2]);
    *omega = v3_add(omega_p, spin);
    acc->ang = v3_add(v3_add(acc->ang, v3_cross(omega_p, spin)), v3_make(a[0], a[1], a[2]));
    break;
  }
  }
}


// force and moment about the origin that the motion of the link takes
static wrench inertia_force(const treeLink *link, v3 omega, const m3 *B, motion acc)
{
  // F = m a + B h,  N = J alpha + omega x J omega + h x a
  const v3 gyroscopic = v3_cross(omega, s3_mul(link->J, omega));
  return (wrench){
      v3_add(v3_add(s3_mul(link->J, acc.ang), gyroscopic), v3_cross(link->h, acc.lin)),
      v3_add(v3_scale(link->mass, acc.lin), m3_mul(*B, link->h)),
  };
}


// the part of a joint's wrench that does work on its coordinates
static void joint_force(const treeLink *link, const treePose *pose, wrench f, real *tau)
{
  switch (link->kind) {
  case LINK_FIXED:
    break;
  case LINK_REVOLUTE:
    tau[0] = f.ang.z;
    break;
  case LINK_PRISMATIC:
    tau[0] = f.lin.z;
    break;
  case LINK_SCREW:
    tau[0] = r_add(f.ang.z, r_mul(link->pitch, f.lin.z));
    break;
  case LINK_FREE: {
    const v3 force = m3_mul(link->R, m3_back(pose->R, f.lin));
    tau[0] = force.x;
    tau[1] = force.y;
    tau[2] = force.z;
    tau += 3;
  }
  // fall through
  case LINK_SPHERICAL:
    tau[0] = f.ang.x;
    tau[1] = f.ang.y;
    tau[2] = f.ang.z;
    break;
  }
}


void tree_rne(const treeModel *t, treeData *d, const real *v, const real *a, real *tau)
{
  const real o = r_const(0);
  const real none[6] = {o, o, o, o, o, o};
  const v3 zero = {o, o, o};

  // ground accelerates upward in place of gravity
  d->omega[0] = zero;
  d->acc[0] = (motion){zero, v3_neg(t->gravity)};
  d->B[0] = (m3){zero, zero, zero};

  // outward: motion of each link, and the force that motion takes
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const treePose *pose = &d->pose[i];
    const int p = link->parent;

    // omega_i = R omega_p,  alpha_i = R alpha_p,  a_i = R (a_p + B_p p), plus the joint's motion
    const v3 omega_p = m3_mul(pose->R, d->omega[p]);
    v3 omega = omega_p;
    motion acc = {m3_mul(pose->R, d->acc[p].ang),
                  m3_mul(pose->R, v3_add(d->acc[p].lin, m3_mul(d->B[p], pose->p)))};
    add_joint_motion(link, pose, v ? v + link->v0 : none, a ? a + link->v0 : none, omega_p, &omega,
                     &acc);

    d->omega[i] = omega;
    d->acc[i] = acc;
    d->B[i] = turning_matrix(acc.ang, omega);
    d->f[i] = wr_sub(inertia_force(link, omega, &d->B[i], acc), d->f_ext[i]);
  }

  // inward: read off the joint force, hand the rest to the parent
  for (int i = t->n - 1; i > 0; i--) {
    const treeLink *link = &t->link[i];
    const treePose *pose = &d->pose[i];
    if (tau) joint_force(link, pose, d->f[i], tau + link->v0);
    if (tau && a && link->has_rotor) {
      tau[link->v0] = r_add(tau[link->v0], r_mul(link->rotor, a[link->v0]));
    }
    if (link->parent > 0) {
      wrench *f_p = &d->f[link->parent];
      *f_p = wr_add(*f_p, wr_back(pose->R, pose->p, d->f[i]));
    }
  }
}
