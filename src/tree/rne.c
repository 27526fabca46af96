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


// angular velocity and acceleration of a link
typedef struct linkMotion {
  v3 omega;
  motion acc;
} linkMotion;


static inline linkMotion given_by_parent(const treePose *pose, const treeBody *parent)
{
  // omega_i = R omega_p,  alpha_i = R alpha_p,  a_i = R (a_p + B_p p)
  return (linkMotion){
      m3_mul(pose->R, parent->omega),
      {m3_mul(pose->R, parent->acc.ang),
       m3_mul(pose->R, v3_add(parent->acc.lin, m3_mul(parent->B, pose->p)))},
  };
}


// ground does not turn
static inline linkMotion given_by_ground(const treePose *pose, v3 a)
{
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  return (linkMotion){zero, {zero, m3_mul(pose->R, a)}};
}


// add the joint's own motion to what the parent gives, all in the link's axes
static linkMotion turn_joint(linkMotion given, real v, real a)
{
  // omega += z v,  alpha += omega_p x z v + z a
  return (linkMotion){
      v3_add_z(given.omega, v),
      {v3_add_z(v3_add(given.acc.ang, v3_cross_z(given.omega, v)), a), given.acc.lin},
  };
}


static linkMotion slide_joint(linkMotion given, v3 omega_p, real v, real a)
{
  // a += 2 omega_p x z v + z a
  const v3 coriolis = v3_cross_z(v3_scale(r_const(2), omega_p), v);
  given.acc.lin = v3_add_z(v3_add(given.acc.lin, coriolis), a);
  return given;
}


static linkMotion spin_joint(linkMotion given, v3 v, v3 a)
{
  // omega += v,  alpha += omega_p x v + a
  const v3 alpha = v3_add(v3_add(given.acc.ang, v3_cross(given.omega, v)), a);
  return (linkMotion){v3_add(given.omega, v), {alpha, given.acc.lin}};
}


static linkMotion move_joint(const treeLink *link, const treePose *pose, linkMotion given,
                             const real *v, const real *a)
{
  const v3 omega_p = given.omega;
  switch (link->kind) {
  case LINK_FIXED:
    return given;
  case LINK_REVOLUTE:
    return turn_joint(given, v[0], a[0]);
  case LINK_PRISMATIC:
    return slide_joint(given, omega_p, v[0], a[0]);
  case LINK_SCREW:
    return slide_joint(turn_joint(given, v[0], a[0]), omega_p, r_mul(link->pitch, v[0]),
                       r_mul(link->pitch, a[0]));
  case LINK_SPHERICAL:
    return spin_joint(given, v3_make(v[0], v[1], v[2]), v3_make(a[0], a[1], a[2]));
  case LINK_FREE: {
    // velocity and acceleration are along the axes of the joint's frame, which the parent carries
    const v3 slide = m3_mul(pose->R, m3_back(link->R, v3_make(v[0], v[1], v[2])));
    const v3 pull = m3_mul(pose->R, m3_back(link->R, v3_make(a[0], a[1], a[2])));
    const v3 coriolis = v3_cross(v3_scale(r_const(2), omega_p), slide);
    given.acc.lin = v3_add(given.acc.lin, v3_add(coriolis, pull));
    return spin_joint(given, v3_make(v[3], v[4], v[5]), v3_make(a[3], a[4], a[5]));
  }
  }
  return given;
}


// a.x b.x + a.y b.y + a.z b.z for a row of B and a column of K
static real row_column(v3 a, real x, real y, real z)
{
  return r_add(r_add(r_mul(a.x, x), r_mul(a.y, y)), r_mul(a.z, z));
}


// force and moment about the origin that the motion of the link takes
wrench tree_inertia_force(const treeLink *link, s3 K, m3 B, v3 a)
{
  // N = h x a + integral r x B r dm, and the integral is the axial vector of B K
  const v3 turning = {
      r_sub(row_column(B.z, K.xy, K.yy, K.yz), row_column(B.y, K.xz, K.yz, K.zz)),
      r_sub(row_column(B.x, K.xz, K.yz, K.zz), row_column(B.z, K.xx, K.xy, K.xz)),
      r_sub(row_column(B.y, K.xx, K.xy, K.xz), row_column(B.x, K.xy, K.yy, K.yz)),
  };

  // F = m a + B h
  return (wrench){v3_add(turning, v3_cross(link->h, a)),
                  v3_add(v3_scale(link->mass, a), m3_mul(B, link->h))};
}


// the part of a joint's wrench that does work on its coordinates
void tree_joint_force(const treeLink *link, const treePose *pose, wrench f, real *tau)
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


// outward: motion of each link, and the force that motion takes
static void find_motion(const treeModel *t, treeData *d, const real *v, const real *a)
{
  const treeLink *restrict links = t->link;
  const treePose *restrict poses = d->pose;
  treeBody *restrict bodies = d->body;

  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &links[i];
    const treePose *pose = &poses[i];
    const treeBody *parent = &bodies[link->parent];
    treeBody *body = &bodies[i];

    // motion of the parent, plus the joint's motion
    const linkMotion given =
        link->parent == 0 ? given_by_ground(pose, parent->acc.lin) : given_by_parent(pose, parent);
    const int k = link->v0;
    const linkMotion moved = link->kind == LINK_REVOLUTE
                                 ? turn_joint(given, v[k], a[k])
                                 : move_joint(link, pose, given, v + k, a + k);

    const m3 B = turning_matrix(moved.acc.ang, moved.omega);
    body->f = tree_inertia_force(link, body->K, B, moved.acc.lin);
    body->omega = moved.omega;
    body->acc = moved.acc;
    body->B = B;
  }
}


static void take_off_applied(const treeModel *t, treeData *d)
{
  for (int i = 1; i < t->n; i++) d->body[i].f = wr_sub(d->body[i].f, d->f_ext[i]);
}


// inward: read off the joint force, hand the rest to the parent; ground takes what is left
static void collect_forces(const treeModel *t, treeData *d, const real *a, real *tau)
{
  const treeLink *restrict links = t->link;
  const treePose *restrict poses = d->pose;
  treeBody *restrict bodies = d->body;
  for (int i = t->n - 1; i > 0; i--) {
    const treeLink *link = &links[i];
    const treePose *pose = &poses[i];
    const wrench f = bodies[i].f;
    const int k = link->v0;
    if (link->kind == LINK_REVOLUTE) {
      tau[k] = f.ang.z;
    } else if (link->kind != LINK_FIXED) {
      tree_joint_force(link, pose, f, tau + k);
    }
    if (link->has_rotor) tau[k] = r_add(tau[k], r_mul(link->rotor, a[k]));
    treeBody *parent = &bodies[link->parent];
    parent->f = wr_add(parent->f, wr_back(pose->R, pose->p, f));
  }
}


void tree_rne(const treeModel *t, treeData *d, const real *v, const real *a, real *tau)
{
  // ground accelerates upward in place of gravity
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  d->body[0] = (treeBody){.acc = {zero, v3_neg(t->gravity)}};
  find_motion(t, d, v ? v : d->none, a ? a : d->none);
  if (d->f_ext) take_off_applied(t, d);
  collect_forces(t, d, a ? a : d->none, tau);
  d->has_body = 1;
}
