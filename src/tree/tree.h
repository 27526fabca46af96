// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recursions over the tree, one a file. They read a treeModel and write a treeData, allocate
// nothing, branch on topology only, and use no arithmetic but that of src/spatial: compiled with
// doubles they compute, compiled with expression nodes (src/sym) they record their own equations.
//
// Notation (doc/theory/notation.md): link i, its parent p; R_i turns components of the parent's axes into the
// link's; all vectors of link i are in its own axes, taken at its origin. Accelerations are classical
// (not spatial) ones less gravity: ground accelerates by -g, so no link needs its weight.
#ifndef TREE_TREE_H
#define TREE_TREE_H

#if defined ART_SYMBOLIC && !defined ART_SYMBOLIC_MODEL
#error "recursions run on models whose constants are scalars of theirs"
#endif

#include "base/arena.h"
#include "base/error.h"
#include "model/links.h"
#include "tree/point.h"

// where link i is in its parent
typedef struct treePose {
  m3 R; // v_link = R v_parent
  v3 p; // origin, in the parent's axes
} treePose;

// inertia of a rigid body or group about one point
typedef struct treeInertia {
  real m;
  v3 h; // first moment
  s3 J; // second moment
} treeInertia;

// articulated-body inertia [A B; B^T C] on (angular, linear) acceleration, with what goes with it
typedef struct treeArticulated {
  s3 A;
  m3 B;
  s3 C;
  wrench p;  // force at zero acceleration
  wrench U;  // one-dof links: I S; ball and free links: the joint's force as a wrench
  real D, u; // one-dof links: S.I S and the force left over, S.(tau - p)
  motion c;  // acceleration due to the joint's velocity
  v3 e;      // centripetal acceleration of the link's origin, in the parent's axes
} treeArticulated;

// how link i moves and what moves it
typedef struct treeBody {
  v3 omega;   // angular velocity, by tree_rne, tree_aba
  motion acc; // less gravity, by tree_rne, tree_aba
  m3 B;       // by tree_rne: B x = alpha x x + omega x (omega x x)
  wrench f;   // by tree_rne: what the parent does to the link through the joint
  s3 K;       // by tree_start: second moments of mass, tr(J)/2 1 - J
} treeBody;

// Motions of the links that velocity coordinates carry: motions at the anchor of their tree, in ground
// axes, one array a component, so that rows of the mass matrix are plain loops.
typedef struct treeAxes {
  real *ax, *ay, *az; // [nv] angular
  real *lx, *ly, *lz; // [nv] linear
} treeAxes;

// Everything the recursions write, one block per link unless said.
typedef struct treeData {
  real *none;          // [nv] zeros, for velocities and accelerations that are not given
  real *sine, *cosine; // [nq] by tree_place: of every position coordinate, angle or not
  treePose *pose;      // by tree_place
  treeWorld *world;    // by tree_world; read by tree_in_ground
  motion *vel;         // by tree_velocity: of the link's origin; read by tree_motion
  int has_world; // world belongs to the present poses: tree_place ends it, tree_world restores it
  int has_velocity;     // vel to them and to the present velocities, whoever changes these ends it
  treeBody *body;       // by tree_rne, tree_aba; read by tree_body
  int has_body;         // body belongs to the present poses and velocities
  const wrench *f_ext;  // input: applied force, gravity and joint forces not counted; NULL: none
  treeArticulated *art; // by tree_aba
  treeAxes S;           // by tree_axes

  // by tree_mass: of the link and all it carries, ground axes, about the anchor; of links that only
  // their own joint feels, what they carry
  treeInertia *group;
#ifdef ART_SYMBOLIC_MODEL
  struct genView *view; // [n] axes in which src/gen sees links; NULL: their own
#endif
} treeData;

// Take all of it from the arena and write what never changes: parts of pose and body. No forces are
// applied until f_ext is set. Returns 0 when memory ran out.
int tree_start(const treeModel *t, treeData *d, baseArena *arena);

// The numbers of the tree that do not move have changed.
void tree_take_constants(const treeModel *t, treeData *d);

// Place every link in its parent.                           reads q; writes pose
void tree_place(const treeModel *t, treeData *d, const real *q);

// Place every link in ground.                               reads pose; writes world
void tree_world(const treeModel *t, treeData *d);

// Velocity of every link.                                   reads pose, v; writes vel
void tree_velocity(const treeModel *t, treeData *d, const real *v);

// Velocities have changed: what is known of them and of accelerations belongs to others.
static inline void tree_forget_velocities(treeData *d)
{
  d->has_velocity = d->has_body = 0;
}

// Pose, velocity and acceleration of link i in ground, as the last recursion was given them. Values of an earlier
// state are not given out.
static inline const treeWorld *tree_in_ground(const treeData *d, int i)
{
  ART_ASSERT(d->has_world);
  return &d->world[i];
}

static inline const motion *tree_motion(const treeData *d, int i)
{
  ART_ASSERT(d->has_velocity);
  return &d->vel[i];
}

static inline const treeBody *tree_body(const treeData *d, int i)
{
  ART_ASSERT(d->has_body);
  return &d->body[i];
}

// Inverse dynamics: joint forces for accelerations a (NULL: zero) at velocities v (NULL: zero).
//                                           reads pose, f_ext, v, a; writes body, tau
void tree_rne(const treeModel *t, treeData *d, const real *v, const real *a, real *tau);

// Parts of it. K = tr(J)/2 1 - J; the wrench at the origin of a link that its motion takes, B as in
// treeBody, a less gravity; what a wrench at a link's origin does to the coordinates of its joint.
s3 tree_second_moments(s3 J);
wrench tree_inertia_force(const treeLink *link, s3 K, m3 B, v3 a);
void tree_joint_force(const treeLink *link, const treePose *pose, wrench f, real *tau);

// Motion of the links that each velocity coordinate carries, at the anchor of its tree,
// in ground axes.                                           reads pose, world; writes S
void tree_axes(const treeModel *t, treeData *d);

// The motion of one coordinate.
motion tree_axis(const treeAxes *S, int k);

// Mass matrix by rows, lower triangle; entries between coordinates of different branches are
// not touched (they are zero and stay so). place[nv] says where column 0 of a row stands, or would stand
// if there were room for it (NULL: nv x nv).                reads S, world; writes group, M
void tree_mass(const treeModel *t, treeData *d, const long *place, real *M);

// M = L^T D L from the leaves to the root without fill-in, in place: D on the diagonal, L below.
void tree_factor(const treeModel *t, real *M);

// Solve L^T D L x = b in place.
void tree_solve(const treeModel *t, const real *LDL, real *x);

// Forward dynamics in O(n) by articulated bodies. a holds the given accelerations of driven
// coordinates on entry, all of them on exit.
//                                          reads pose, f_ext, v, tau, a; writes body, art, a
void tree_aba(const treeModel *t, treeData *d, const real *v, const real *tau, real *a);

// The response to forces that are added at the same positions and velocities, after tree_aba: f holds
// a wrench on every link, tau the joint forces; both are used up. Driven coordinates keep theirs.
//                                          reads pose, art, f, tau; adds to body's acc, a
void tree_respond(const treeModel *t, treeData *d, wrench *f, real *tau, real *a);

// The same for one link: u[nv] is what its joint feels of a wrench f and of joint forces tau (NULL:
// none; may be u), moments first for a free link; returns what the parent feels, in the link's axes.
// Links that are fixed or driven pass on all of f, and u is not touched.
wrench tree_release(const treeLink *link, const treePose *pose, const treeArticulated *b, wrench f,
                    const real *tau, real *u);

// Turn `count` vectors u of a link's joint into ones for which u_r . D^-1 u_s is the sum of
// weight[k] u_r[k] u_s[k], where D is the articulated inertia that the joint feels.
void tree_weigh(const treeLink *link, const treeArticulated *b, int count, real *u, real *weight);

// The same for links from first to before end alone, for those who go through the tree in parts: parents
// before children outward, after them inward. The values that whole recursions write for ground are there
// already. Passing inward adds to the parent of a link: parents of several parts take them one by one.
void tree_place_some(const treeModel *t, treeData *d, const real *q, int first, int end);
void tree_world_some(const treeModel *t, treeData *d, int first, int end);
void tree_velocity_some(const treeModel *t, treeData *d, const real *v, int first, int end);
void tree_axes_some(const treeModel *t, treeData *d, int first, int end);
void tree_aba_velocities(const treeModel *t, treeData *d, const real *v, const real *tau, int first,
                         int end);
void tree_aba_inward(const treeModel *t, treeData *d, const real *tau, const real *a, int first,
                     int end);
void tree_aba_outward(const treeModel *t, treeData *d, real *a, int first, int end);
void tree_respond_inward(const treeModel *t, const treeData *d, wrench *f, real *tau, int first,
                         int end);
void tree_respond_outward(const treeModel *t, treeData *d, wrench *f, const real *tau, real *a,
                          int first, int end);

// Kinetic energy; potential energy of gravity, zero at the ground's origin.
real tree_kinetic(const treeModel *t, const treeData *d, const real *v); // reads vel
real tree_potential(const treeModel *t, const treeData *d);              // reads world

// Momentum about the ground's origin, in ground axes: angular part, linear part.
wrench tree_momentum(const treeModel *t, const treeData *d); // reads world, vel

// Motion of the point r of link i, in ground axes.
v3 tree_point(const treeData *d, int i, v3 r);                                  // reads world
v3 tree_point_velocity(const treeData *d, int i, v3 r);                         // + vel
v3 tree_point_acceleration(const treeModel *t, const treeData *d, int i, v3 r); // + body

// Jacobian of point r of link i in ground axes, 6 x nv by rows: angular, then linear velocity.
//                                                           reads S, world
void tree_jacobian(const treeModel *t, const treeData *d, int i, v3 r, real *J);

#endif
