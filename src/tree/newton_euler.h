// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Recursive Newton-Euler inverse dynamics (Luh, Walker, Paul 1980), moments about the origins of
// the links. The same source serves numbers and recorded symbols (rne.c) and symbols with fewer
// operations (gen/tree/tree_recursion.c). An including file first defines the axes of a link:
//
//   v3 axes_to_link(t, d, i, pose, x), axes_to_parent(...)   convert between axes of the parent and
//   of the link
//   v3 axes_origin(t, d, i, pose)                            origin of the link, in the parent's
//   axes
//   m3 link_turning(t, d, i, a, moved)                       B below; may rewrite moved->acc.ang
//   wrench link_inertia_force(t, d, i, a, B, moved)          inertia force and moment about the
//   origin
//   void link_joint_force(t, d, i, pose, f, a, tau)          generalised force of the wrench on the
//   joint

// angular velocity and acceleration of a link
typedef struct linkMotion {
  v3 omega;
  motion acc;
} linkMotion;

static inline v3 axes_to_link(const treeModel *t, const treeData *d, int i, const treePose *pose,
                              v3 x);
static inline v3 axes_to_parent(const treeModel *t, const treeData *d, int i, const treePose *pose,
                                v3 x);
static inline v3 axes_origin(const treeModel *t, const treeData *d, int i, const treePose *pose);
static inline m3 link_turning(const treeModel *t, const treeData *d, int i, const real *a,
                              linkMotion *moved);
static inline wrench link_inertia_force(const treeModel *t, const treeData *d, int i, const real *a,
                                        m3 B, const linkMotion *moved);
static inline void link_joint_force(const treeModel *t, const treeData *d, int i,
                                    const treePose *pose, wrench f, const real *a, real *tau);


// products of the components of an angular velocity
typedef struct products {
  real xx, yy, zz, xy, xz, yz;
} products;


static inline products products_of(v3 w)
{
  return (products){r_mul(w.x, w.x), r_mul(w.y, w.y), r_mul(w.z, w.z),
                    r_mul(w.x, w.y), r_mul(w.x, w.z), r_mul(w.y, w.z)};
}


// B with B x = alpha x x + omega x (omega x x): acceleration of a point x of a turning body
static inline m3 turning_matrix(v3 alpha, products w)
{
  return (m3){
      {r_neg(r_add(w.yy, w.zz)), r_sub(w.xy, alpha.z), r_add(w.xz, alpha.y)},
      {r_add(w.xy, alpha.z), r_neg(r_add(w.xx, w.zz)), r_sub(w.yz, alpha.x)},
      {r_sub(w.xz, alpha.y), r_add(w.yz, alpha.x), r_neg(r_add(w.xx, w.yy))},
  };
}


static inline linkMotion given_by_parent(const treeModel *t, const treeData *d, int i,
                                         const treePose *pose, const treeBody *parent)
{
  // omega_i = R omega_p,  alpha_i = R alpha_p,  a_i = R (a_p + B_p p)
  const v3 a = v3_add(parent->acc.lin, m3_mul(parent->B, axes_origin(t, d, i, pose)));
  return (linkMotion){
      axes_to_link(t, d, i, pose, parent->omega),
      {axes_to_link(t, d, i, pose, parent->acc.ang), axes_to_link(t, d, i, pose, a)},
  };
}


// ground does not rotate
static inline linkMotion given_by_ground(const treeModel *t, const treeData *d, int i,
                                         const treePose *pose, v3 a)
{
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  return (linkMotion){zero, {zero, axes_to_link(t, d, i, pose, a)}};
}


// add the motion of the joint to the motion given by the parent, in link axes
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
  const v3 coriolis = v3_cross_z(omega_p, r_mul(r_const(2), v));
  given.acc.lin = v3_add_z(v3_add(given.acc.lin, coriolis), a);
  return given;
}


static linkMotion spin_joint(linkMotion given, v3 v, v3 a)
{
  // omega += v,  alpha += omega_p x v + a
  const v3 alpha = v3_add(v3_add(given.acc.ang, v3_cross(given.omega, v)), a);
  return (linkMotion){v3_add(given.omega, v), {alpha, given.acc.lin}};
}


static linkMotion move_joint(const treeModel *t, const treeData *d, int i, const treePose *pose,
                             linkMotion given, const real *v, const real *a)
{
  const treeLink *link = &t->link[i];
  const v3 omega_p = given.omega;
  switch (link->kind) {
  case LINK_FIXED: return given;
  case LINK_REVOLUTE: return turn_joint(given, v[0], a[0]);
  case LINK_PRISMATIC: return slide_joint(given, omega_p, v[0], a[0]);
  case LINK_SCREW:
    return slide_joint(turn_joint(given, v[0], a[0]), omega_p, r_mul(link->pitch, v[0]),
                       r_mul(link->pitch, a[0]));
  case LINK_SPHERICAL:
    return spin_joint(given, v3_make(v[0], v[1], v[2]), v3_make(a[0], a[1], a[2]));
  case LINK_FREE: {
    // velocity and acceleration are along the axes of the joint frame, which is fixed in the parent
    const v3 own_v = m3_back(link->R, v3_make(v[0], v[1], v[2]));
    const v3 own_a = m3_back(link->R, v3_make(a[0], a[1], a[2]));
    const v3 slide = axes_to_link(t, d, i, pose, own_v), pull = axes_to_link(t, d, i, pose, own_a);
    const v3 coriolis = v3_cross(v3_scale(r_const(2), omega_p), slide);
    given.acc.lin = v3_add(given.acc.lin, v3_add(coriolis, pull));
    return spin_joint(given, v3_make(v[3], v[4], v[5]), v3_make(a[3], a[4], a[5]));
  }
  }
  return given;
}


// outward pass: motion of each link, and its inertia force
static void find_motion(const treeModel *t, treeData *d, const real *v, const real *a)
{
  const treeLink *restrict links = t->link;
  const treePose *restrict poses = d->pose;
  treeBody *bodies = d->body; // link_turning and link_inertia_force read this array too

  // ground accelerates upward instead of gravity
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  bodies[0] = (treeBody){.acc = {zero, v3_neg(t->gravity)}};
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &links[i];
    const treePose *pose = &poses[i];
    const treeBody *parent = &bodies[link->parent];
    treeBody *body = &bodies[i];

    // motion of the parent, plus the joint's motion
    const linkMotion given = link->parent == 0 ? given_by_ground(t, d, i, pose, parent->acc.lin)
                                               : given_by_parent(t, d, i, pose, parent);
    const int k = link->v0;
    linkMotion moved = link->kind == LINK_REVOLUTE ? turn_joint(given, v[k], a[k])
                                                   : move_joint(t, d, i, pose, given, v + k, a + k);

    const m3 B = link_turning(t, d, i, a, &moved);
    body->f = link_inertia_force(t, d, i, a, B, &moved);
    body->omega = moved.omega;
    body->acc = moved.acc;
    body->B = B;
  }
}


// inward pass: compute the joint force, transfer the wrench to the parent
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
    link_joint_force(t, d, i, pose, f, a, tau + k);
    if (link->has_rotor) tau[k] = r_add(tau[k], r_mul(link->rotor, a[k]));
    const v3 force = axes_to_parent(t, d, i, pose, f.lin);
    const v3 moment =
        v3_add(axes_to_parent(t, d, i, pose, f.ang), v3_cross(axes_origin(t, d, i, pose), force));
    treeBody *parent = &bodies[link->parent];
    parent->f = wr_add(parent->f, (wrench){moment, force});
  }
}


static void find_joint_forces(const treeModel *t, treeData *d, const real *v, const real *a,
                              real *tau)
{
  find_motion(t, d, v, a);
  for (int i = 1; d->f_ext && i < t->n; i++) d->body[i].f = wr_sub(d->body[i].f, d->f_ext[i]);
  collect_forces(t, d, a, tau);
}
