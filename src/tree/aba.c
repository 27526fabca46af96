// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forward dynamics in O(n) by articulated bodies (Featherstone 2008, chapter 7), formulated with
// the accelerations of the links' origins instead of spatial ones, so that no linear velocity is
// needed.
//
// For the subtree of link i, the force through its joint is linear in the acceleration of the link:
//     f = I a + p,      I = [A B; B^T C]
// and a = R (a_p + alpha_p x p_i + e) + c + S qdd.  Eliminating qdd with S^T f = tau gives the
// force on the parent: I' = I - U D^-1 U^T, p' = p + I' c + U D^-1 u, with U = I S, D = S^T U, u =
// tau - S^T p. The centripetal acceleration e is in the parent's axes: I' e is added after I' has
// been rotated.
#include "tree/tree.h"

#ifdef ART_SYMBOLIC
#include "sym/turn.h"
#endif


//---- outward: velocities -------------------------------------------------------------------------

// acceleration due to the velocity of the joint, and angular velocity of the link
static motion velocity_terms(const treeLink *link, const treePose *pose, const real *v,
                             v3 omega_parent, v3 *omega)
{
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  const v3 omega_p = m3_mul(pose->R, omega_parent);
  motion c = {zero, zero};
  *omega = omega_p;

  switch (link->kind) {
  case LINK_FIXED: break;
  case LINK_REVOLUTE:
    *omega = v3_add_z(omega_p, v[0]);
    c.ang = v3_cross_z(omega_p, v[0]);
    break;
  case LINK_PRISMATIC: c.lin = v3_cross_z(omega_p, r_mul(r_const(2), v[0])); break;
  case LINK_SCREW:
    *omega = v3_add_z(omega_p, v[0]);
    c.ang = v3_cross_z(omega_p, v[0]);
    c.lin = v3_cross_z(omega_p, r_mul(r_const(2), r_mul(link->pitch, v[0])));
    break;
  case LINK_FREE: {
    const v3 slide = m3_mul(pose->R, m3_back(link->R, v3_make(v[0], v[1], v[2])));
    c.lin = v3_scale(r_const(2), v3_cross(omega_p, slide));
    v += 3;
  }
  // fall through
  case LINK_SPHERICAL: {
    const v3 spin = v3_make(v[0], v[1], v[2]);
    *omega = v3_add(omega_p, spin);
    c.ang = v3_cross(omega_p, spin);
    break;
  }
  }
  return c;
}


// joint forces of a ball or free link as a wrench on the link
static wrench ball_joint_wrench(const treeLink *link, const treePose *pose, const real *tau)
{
  ART_ASSERT(link->kind == LINK_SPHERICAL || link->kind == LINK_FREE);
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  if (link->kind == LINK_SPHERICAL) return (wrench){v3_make(tau[0], tau[1], tau[2]), zero};
  return (wrench){v3_make(tau[3], tau[4], tau[5]),
                  m3_mul(pose->R, m3_back(link->R, v3_make(tau[0], tau[1], tau[2])))};
}


// contribution of the link alone: its inertia, gyroscopic and applied forces
static void start_link(const treeLink *link, v3 omega, const wrench *f_ext, treeArticulated *b)
{
  const real o = r_const(0);
  const v3 h = link->h;
  b->A = link->J;
  b->B = (m3){{o, r_neg(h.z), h.y}, {h.z, o, r_neg(h.x)}, {r_neg(h.y), h.x, o}};
  b->C = (s3){link->mass, link->mass, link->mass, o, o, o};

  // p = (omega x J omega, omega x (omega x h)) - f_ext
  const wrench gyroscopic = {v3_cross(omega, s3_mul(link->J, omega)),
                             v3_cross(omega, v3_cross(omega, h))};
  b->p = f_ext ? wr_sub(gyroscopic, *f_ext) : gyroscopic;
}


//---- inward: articulated inertia -----------------------------------------------------------------

static wrench articulated_force(const treeArticulated *b, motion a)
{
  // (A alpha + B a, B^T alpha + C a)
  return (wrench){v3_add(s3_mul(b->A, a.ang), m3_mul(b->B, a.lin)),
                  v3_add(m3_back(b->B, a.ang), s3_mul(b->C, a.lin))};
}


// subtract 1/D U U^T from the inertia
static void take_off_joint_inertia(treeArticulated *b, wrench U, wrench V)
{
  b->A = (s3){r_sub(b->A.xx, r_mul(U.ang.x, V.ang.x)), r_sub(b->A.yy, r_mul(U.ang.y, V.ang.y)),
              r_sub(b->A.zz, r_mul(U.ang.z, V.ang.z)), r_sub(b->A.xy, r_mul(U.ang.x, V.ang.y)),
              r_sub(b->A.xz, r_mul(U.ang.x, V.ang.z)), r_sub(b->A.yz, r_mul(U.ang.y, V.ang.z))};
  b->B = (m3){v3_sub(b->B.x, v3_scale(U.ang.x, V.lin)), v3_sub(b->B.y, v3_scale(U.ang.y, V.lin)),
              v3_sub(b->B.z, v3_scale(U.ang.z, V.lin))};
  b->C = (s3){r_sub(b->C.xx, r_mul(U.lin.x, V.lin.x)), r_sub(b->C.yy, r_mul(U.lin.y, V.lin.y)),
              r_sub(b->C.zz, r_mul(U.lin.z, V.lin.z)), r_sub(b->C.xy, r_mul(U.lin.x, V.lin.y)),
              r_sub(b->C.xz, r_mul(U.lin.x, V.lin.z)), r_sub(b->C.yz, r_mul(U.lin.y, V.lin.z))};
}


// U = I S, D = S.U and u = tau - S.p of a one-dof link
static void take_axis(const treeLink *link, real tau, treeArticulated *b)
{
  ART_ASSERT(link->nv == 1);
  const wrench turn = {{b->A.xz, b->A.yz, b->A.zz}, b->B.z};
  const wrench slide = {{b->B.x.z, b->B.y.z, b->B.z.z}, {b->C.xz, b->C.yz, b->C.zz}};
  switch (link->kind) {
  case LINK_PRISMATIC:
    b->U = slide;
    b->D = slide.lin.z;
    b->u = r_sub(tau, b->p.lin.z);
    break;
  case LINK_SCREW:
    b->U = (wrench){v3_add(turn.ang, v3_scale(link->pitch, slide.ang)),
                    v3_add(turn.lin, v3_scale(link->pitch, slide.lin))};
    b->D = r_add(b->U.ang.z, r_mul(link->pitch, b->U.lin.z));
    b->u = r_sub(tau, r_add(b->p.ang.z, r_mul(link->pitch, b->p.lin.z)));
    break;
  default: // it rotates about z
    b->U = turn;
    b->D = turn.ang.z;
    b->u = r_sub(tau, b->p.ang.z);
    break;
  }
  if (link->has_rotor) b->D = r_add(b->D, link->rotor);
}


// I' and p' of an undriven one-dof link
static void release_axis(treeArticulated *b, s3 *A, m3 *B, s3 *C, wrench *p)
{
  const real inverse = r_div(r_const(1), b->D);
  const wrench V = {v3_scale(inverse, b->U.ang), v3_scale(inverse, b->U.lin)};
  treeArticulated rest = *b;
  take_off_joint_inertia(&rest, b->U, V);
  const wrench lost = articulated_force(&rest, b->c);
  *A = rest.A;
  *B = rest.B;
  *C = rest.C;
  *p = wr_add(wr_add(b->p, lost), (wrench){v3_scale(b->u, V.ang), v3_scale(b->u, V.lin)});
}


// inverse of a symmetric positive definite matrix by cofactors; *det is its determinant
static s3 s3_inverse(s3 a, real *det)
{
  const real cxx = r_sub(r_mul(a.yy, a.zz), r_mul(a.yz, a.yz));
  const real cxy = r_sub(r_mul(a.xz, a.yz), r_mul(a.xy, a.zz));
  const real cxz = r_sub(r_mul(a.xy, a.yz), r_mul(a.xz, a.yy));
  *det = r_add(r_add(r_mul(a.xx, cxx), r_mul(a.xy, cxy)), r_mul(a.xz, cxz));
  const real s = r_div(r_const(1), *det);
  return (s3){r_mul(s, cxx),
              r_mul(s, r_sub(r_mul(a.xx, a.zz), r_mul(a.xz, a.xz))),
              r_mul(s, r_sub(r_mul(a.xx, a.yy), r_mul(a.xy, a.xy))),
              r_mul(s, cxy),
              r_mul(s, cxz),
              r_mul(s, r_sub(r_mul(a.xy, a.xz), r_mul(a.xx, a.yz)))};
}


static s3 s3_sub(s3 a, s3 b)
{
  return (s3){r_sub(a.xx, b.xx), r_sub(a.yy, b.yy), r_sub(a.zz, b.zz),
              r_sub(a.xy, b.xy), r_sub(a.xz, b.xz), r_sub(a.yz, b.yz)};
}


// a ball joint transmits only its own moment: C' = C - B^T A^-1 B, F' likewise
static void release_ball(treeArticulated *b, s3 *A, m3 *B, s3 *C, wrench *p)
{
  const real o = r_const(0);
  const v3 zero = {o, o, o};
  const s3 inverse = s3_inverse(b->A, &b->D);
  *A = (s3){o, o, o, o, o, o};
  *B = (m3){zero, zero, zero};
  *C = s3_sub(b->C, s3_product(b->B, s3_mul_m3(inverse, b->B)));
  const v3 alpha = s3_mul(inverse, v3_sub(b->U.ang, b->p.ang));
  p->ang = b->U.ang;
  p->lin = v3_add(v3_add(b->p.lin, m3_back(b->B, alpha)), s3_mul(*C, b->c.lin));
}


// add what a link transmits, transformed to the parent's origin and axes
static void carry_to_parent(treeArticulated *parent, const treePose *pose, v3 e, s3 A, m3 B1, s3 C1,
                            wrench p)
{
  const v3 r = pose->p;

  // B' = B + r x C
  const m3 shift = {v3_sub(v3_scale(r.y, v3_make(C1.xz, C1.yz, C1.zz)),
                           v3_scale(r.z, v3_make(C1.xy, C1.yy, C1.yz))),
                    v3_sub(v3_scale(r.z, v3_make(C1.xx, C1.xy, C1.xz)),
                           v3_scale(r.x, v3_make(C1.xz, C1.yz, C1.zz))),
                    v3_sub(v3_scale(r.x, v3_make(C1.xy, C1.yy, C1.yz)),
                           v3_scale(r.y, v3_make(C1.xx, C1.xy, C1.xz)))};
  const m3 B2 = m3_add(B1, shift);

  // A' = A - B [r x] - (B' [r x])^T; the rows are cross products with r; on the diagonal both
  // products combine to one with B + B'
  const m3 G = {v3_cross(B1.x, r), v3_cross(B1.y, r), v3_cross(B1.z, r)};
  const m3 H = {v3_cross(B2.x, r), v3_cross(B2.y, r), v3_cross(B2.z, r)};
  const m3 both = m3_add(B1, B2);
  const s3 moved = {
      r_sub(A.xx, v3_cross(both.x, r).x), r_sub(A.yy, v3_cross(both.y, r).y),
      r_sub(A.zz, v3_cross(both.z, r).z), r_sub(A.xy, r_add(G.x.y, H.y.x)),
      r_sub(A.xz, r_add(G.x.z, H.z.x)),   r_sub(A.yz, r_add(G.y.z, H.z.y)),
  };

  parent->A = s3_add(parent->A, moved);
  parent->B = m3_add(parent->B, B2);
  parent->C = s3_add(parent->C, C1);

  // p' = p + (B e, C e), then its moment about the parent's origin
  const v3 force = v3_add(m3_back(pose->R, p.lin), s3_mul(C1, e));
  const v3 moment = v3_add(m3_back(pose->R, p.ang), m3_mul(B1, e));
  parent->p = wr_add(parent->p, (wrench){v3_add(moment, v3_cross(r, force)), force});
}


// articulated inertia in the parent's axes
typedef struct turnedInertia {
  s3 A;
  m3 B;
  s3 C;
} turnedInertia;


// R^T a^T b R for row vectors: u (x) v
static m3 outer_product(v3 u, v3 v)
{
  return (m3){v3_scale(u.x, v), v3_scale(u.y, v), v3_scale(u.z, v)};
}


// general case; symbols rewritten for fewer operations use sym/turn.h
static turnedInertia turn_any(const treeLink *link, const treeData *d, const treePose *pose, s3 A,
                              m3 B, s3 C)
{
#ifdef ART_SYMBOLIC
  if (turn_is_split(link)) {
    return (turnedInertia){turn_s3_to_parent(link, d, pose, A), turn_m3_to_parent(link, d, pose, B),
                           turn_s3_to_parent(link, d, pose, C)};
  }
#endif
  (void) link;
  (void) d;
  const m3 R = pose->R;
  return (turnedInertia){s3_back(R, A), m3_mul_m3(m3_transpose(R), m3_mul_m3(B, R)), s3_back(R, C)};
}


// undriven link with one rotation about z: row and column z are zero, so rows x and y of R suffice
static turnedInertia turn_released(const treeLink *link, const treeData *d, const treePose *pose,
                                   real xx, real xy, real yy, v3 Bx, v3 By, s3 C)
{
#ifdef ART_SYMBOLIC
  const real o = r_const(0);
  if (turn_is_split(link)) {
    return turn_any(link, d, pose, (s3){xx, yy, o, xy, o, o}, (m3){Bx, By, {o, o, o}}, C);
  }
#endif
  (void) link;
  (void) d;
  const m3 R = pose->R;
  const v3 Tx = v3_add(v3_scale(xx, R.x), v3_scale(xy, R.y));
  const v3 Ty = v3_add(v3_scale(xy, R.x), v3_scale(yy, R.y));
  const m3 A = m3_add(outer_product(R.x, Tx), outer_product(R.y, Ty));
  const m3 B = m3_add(outer_product(R.x, m3_back(R, Bx)), outer_product(R.y, m3_back(R, By)));
  return (turnedInertia){{A.x.x, A.y.y, A.z.z, A.x.y, A.x.z, A.y.z}, B, s3_back(R, C)};
}


// undriven link with one rotation about z, no rotor: row and column z of I' are zero, which saves a
// third of the work
static void pass_revolute(const treeLink *link, const treeData *d, treeArticulated *parent,
                          const treePose *pose, treeArticulated *b)
{
  ART_ASSERT(link->kind == LINK_REVOLUTE && !link->is_driven);
  const real inverse = r_div(r_const(1), b->D);
  const v3 Ua = b->U.ang, Ul = b->U.lin;
  const real Vx = r_mul(inverse, Ua.x), Vy = r_mul(inverse, Ua.y);
  const v3 Vl = v3_scale(inverse, Ul);

  const real xx = r_sub(b->A.xx, r_mul(Ua.x, Vx)), xy = r_sub(b->A.xy, r_mul(Ua.x, Vy));
  const real yy = r_sub(b->A.yy, r_mul(Ua.y, Vy));
  const v3 Bx = v3_sub(b->B.x, v3_scale(Vx, Ul)), By = v3_sub(b->B.y, v3_scale(Vy, Ul));
  const s3 C = {r_sub(b->C.xx, r_mul(Ul.x, Vl.x)), r_sub(b->C.yy, r_mul(Ul.y, Vl.y)),
                r_sub(b->C.zz, r_mul(Ul.z, Vl.z)), r_sub(b->C.xy, r_mul(Ul.x, Vl.y)),
                r_sub(b->C.xz, r_mul(Ul.x, Vl.z)), r_sub(b->C.yz, r_mul(Ul.y, Vl.z))};

  // p' = p + I' c + U u / D; its z component is the joint force
  const v3 c = b->c.ang;
  const wrench p = {
      {r_add(r_add(b->p.ang.x, r_mul(b->u, Vx)), r_add(r_mul(xx, c.x), r_mul(xy, c.y))),
       r_add(r_add(b->p.ang.y, r_mul(b->u, Vy)), r_add(r_mul(xy, c.x), r_mul(yy, c.y))),
       r_add(b->p.ang.z, b->u)},
      v3_add(v3_add(b->p.lin, v3_scale(b->u, Vl)), v3_add(v3_scale(c.x, Bx), v3_scale(c.y, By))),
  };

  const turnedInertia turned = turn_released(link, d, pose, xx, xy, yy, Bx, By, C);
  carry_to_parent(parent, pose, b->e, turned.A, turned.B, turned.C, p);
}


// any other link: compute I' and p', then rotate them
static void pass_other(const treeLink *link, const treeData *d, treeArticulated *parent,
                       const treePose *pose, treeArticulated *b, const real *a)
{
  s3 A = b->A, C = b->C;
  m3 B = b->B;
  wrench p;
  if (link->kind == LINK_SPHERICAL) {
    release_ball(b, &A, &B, &C, &p);
  } else if (link->nv == 1 && !link->is_driven) {
    release_axis(b, &A, &B, &C, &p);
  } else {
    // fixed or driven: the full inertia, with the given acceleration
    motion c = b->c;
    if (link->kind == LINK_REVOLUTE || link->kind == LINK_SCREW) c.ang = v3_add_z(c.ang, a[0]);
    if (link->kind == LINK_PRISMATIC) c.lin = v3_add_z(c.lin, a[0]);
    if (link->kind == LINK_SCREW) c.lin = v3_add_z(c.lin, r_mul(link->pitch, a[0]));
    p = wr_add(b->p, articulated_force(b, c));
  }
  const turnedInertia turned = turn_any(link, d, pose, A, B, C);
  carry_to_parent(parent, pose, b->e, turned.A, turned.B, turned.C, p);
}


//---- outward: accelerations ----------------------------------------------------------------------

// alpha and a at which the articulated body needs the wrench f
static motion free_acceleration(treeArticulated *b, wrench f)
{
  const s3 mass_inverse = s3_inverse(b->C, &b->u);
  const m3 K = s3_mul_m3(mass_inverse, m3_transpose(b->B)); // C^-1 B^T
  const m3 Bt = m3_transpose(b->B);
  const s3 schur = s3_sub(b->A, s3_product(Bt, K));
  const s3 inverse = s3_inverse(schur, &b->D);

  // alpha = (A - B C^-1 B^T)^-1 (N - B C^-1 F),  a = C^-1 (F - B^T alpha)
  const v3 alpha = s3_mul(inverse, v3_sub(f.ang, m3_back(K, f.lin)));
  return (motion){alpha, v3_sub(s3_mul(mass_inverse, f.lin), m3_mul(K, alpha))};
}


static motion link_acceleration(const treeLink *link, const treePose *pose, treeArticulated *b,
                                motion acc, real *a)
{
  switch (link->kind) {
  case LINK_FIXED: break;

  case LINK_REVOLUTE:
  case LINK_PRISMATIC:
  case LINK_SCREW:
    // qdd = (u - U.a) / D; 1/D does not depend on a, so it can be computed early
    if (!link->is_driven) {
      a[0] = r_mul(r_div(r_const(1), b->D), r_sub(b->u, mot_dot(acc, b->U)));
    }
    if (link->kind != LINK_PRISMATIC) acc.ang = v3_add_z(acc.ang, a[0]);
    if (link->kind == LINK_PRISMATIC) acc.lin = v3_add_z(acc.lin, a[0]);
    if (link->kind == LINK_SCREW) acc.lin = v3_add_z(acc.lin, r_mul(link->pitch, a[0]));
    break;

  case LINK_SPHERICAL: {
    // A (alpha + qdd) + B a + N = tau
    const v3 rest = v3_sub(v3_sub(b->U.ang, b->p.ang), m3_mul(b->B, acc.lin));
    const v3 alpha = s3_mul(s3_inverse(b->A, &b->D), rest);
    const v3 own = v3_sub(alpha, acc.ang);
    a[0] = own.x;
    a[1] = own.y;
    a[2] = own.z;
    acc.ang = alpha;
    break;
  }

  case LINK_FREE: {
    const motion all = free_acceleration(b, wr_sub(b->U, b->p));
    const v3 lin = m3_mul(link->R, m3_back(pose->R, v3_sub(all.lin, acc.lin)));
    const v3 ang = v3_sub(all.ang, acc.ang);
    a[0] = lin.x;
    a[1] = lin.y;
    a[2] = lin.z;
    a[3] = ang.x;
    a[4] = ang.y;
    a[5] = ang.z;
    acc = all;
    break;
  }
  }
  return acc;
}


//---- the three sweeps ----------------------------------------------------------------------------

void tree_aba(const treeModel *t, treeData *d, const real *v, const real *tau, real *a)
{
  ART_ASSERT((v && tau && a) || t->nv == 0);
  const v3 zero = {r_const(0), r_const(0), r_const(0)};
  d->body[0] = (treeBody){.acc = {zero, v3_neg(t->gravity)}};
  tree_aba_velocities(t, d, v, tau, 1, t->n);
  tree_aba_inward(t, d, tau, a, 1, t->n);
  tree_aba_outward(t, d, a, 1, t->n);
  d->has_body = 1;
}


void tree_aba_velocities(const treeModel *t, treeData *d, const real *v, const real *tau, int first,
                         int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= t->n);
  const treeLink *restrict links = t->link;
  const treePose *restrict poses = d->pose;
  treeBody *restrict bodies = d->body;
  treeArticulated *restrict arts = d->art;
  for (int i = first; i < end; i++) {
    const treeLink *link = &links[i];
    const treePose *pose = &poses[i];
    const v3 omega_p = bodies[link->parent].omega;
    treeArticulated *b = &arts[i];

    // e = omega_p x (omega_p x p)
    b->e = v3_cross(omega_p, v3_cross(omega_p, pose->p));
    b->c = velocity_terms(link, pose, v + link->v0, omega_p, &bodies[i].omega);
    start_link(link, bodies[i].omega, d->f_ext ? &d->f_ext[i] : NULL, b);
    if (link->nv > 1) b->U = ball_joint_wrench(link, pose, tau + link->v0);
  }
}


void tree_aba_inward(const treeModel *t, treeData *d, const real *tau, const real *a, int first,
                     int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= t->n);
  const treeLink *restrict links = t->link;
  const treePose *restrict poses = d->pose;
  treeArticulated *restrict arts = d->art;
  for (int i = end - 1; i >= first; i--) {
    const treeLink *link = &links[i];
    const treePose *pose = &poses[i];
    treeArticulated *b = &arts[i];
    treeArticulated *parent = &arts[link->parent];
    if (link->nv == 1) take_axis(link, tau[link->v0], b);
    if (link->parent == 0) continue;

    if (link->kind == LINK_REVOLUTE && !link->is_driven && !link->has_rotor) {
      pass_revolute(link, d, parent, pose, b);
    } else if (link->kind == LINK_FREE) {
      // a free link transmits only its joint forces
      parent->p = wr_add(parent->p, wr_back(pose->R, pose->p, b->U));
    } else {
      pass_other(link, d, parent, pose, b, a + link->v0);
    }
  }
}


void tree_aba_outward(const treeModel *t, treeData *d, real *a, int first, int end)
{
  ART_ASSERT(first >= 1 && first <= end && end <= t->n);
  const treeLink *restrict links = t->link;
  const treePose *restrict poses = d->pose;
  treeBody *restrict bodies = d->body;
  treeArticulated *restrict arts = d->art;
  for (int i = first; i < end; i++) {
    const treeLink *link = &links[i];
    const treePose *pose = &poses[i];
    const motion *parent = &bodies[link->parent].acc;

    // a' = R (a_p + e + alpha_p x p) + c
    const v3 turning = v3_cross(parent->ang, pose->p);
    const motion carried = {
        m3_mul(pose->R, parent->ang),
        m3_mul(pose->R, v3_add(v3_add(parent->lin, arts[i].e), turning)),
    };
    bodies[i].acc =
        link_acceleration(link, pose, &arts[i], mot_add(carried, arts[i].c), a + link->v0);
  }
}
