// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recursions over the tree, one per file. They read a treeModel and write a treeData, allocate
// nothing, branch on topology only, and use only the arithmetic of src/spatial: compiled with
// doubles they compute numbers, compiled with expression nodes (src/sym) they record their own
// equations.
//
// Notation (doc/theory/notation.md): link i, its parent p; R_i converts components from the
// parent's axes to the link's axes. All vectors of link i are in its own axes and refer to its
// origin. Accelerations are classical (not spatial) and exclude gravity: ground accelerates by -g,
// so links need no weight.
#ifndef TREE_TREE_H
#define TREE_TREE_H

#if defined ART_SYMBOLIC && !defined ART_SYMBOLIC_MODEL
#error "recursions run on models whose constants are scalars of theirs"
#endif

#include "base/arena.h"
#include "base/error.h"
#include "model/links.h"
#include "tree/point.h"

// position of a link relative to its parent
typedef struct treePose {
  m3 R; // v_link = R v_parent
  v3 p; // origin, in the parent's axes
} treePose;

// inertia of a rigid or composite body about a point
typedef struct treeInertia {
  real m;
  v3 h; // first moment
  s3 J; // second moment
} treeInertia;

// articulated-body inertia [A B; B^T C] on (angular, linear) acceleration, and related quantities
typedef struct treeArticulated {
  s3 A;
  m3 B;
  s3 C;
  wrench p;  // force at zero acceleration
  wrench U;  // one-dof links: I S; ball and free links: joint force as a wrench
  real D, u; // one-dof links: S.I S, and the remaining force S.(tau - p)
  motion c;  // acceleration due to the joint's velocity
  v3 e;      // centripetal acceleration of the link's origin, in the parent's axes
} treeArticulated;

// motion of link i and the wrench on it
typedef struct treeBody {
  v3 omega;   // angular velocity, by tree_rne, tree_aba
  motion acc; // minus gravity, by tree_rne, tree_aba
  m3 B;       // by tree_rne: B x = alpha x x + omega x (omega x x)
  wrench f;   // by tree_rne: wrench of the parent on the link through the joint
  s3 K;       // by tree_start: second moments of mass, tr(J)/2 1 - J
} treeBody;

// Motion subspace of each velocity coordinate: the motion that it causes outward, at the anchor of
// its tree, in ground axes. One array per component, so that a mass-matrix row is a simple loop.
typedef struct treeAxes {
  real *ax, *ay, *az; // [nv] angular
  real *lx, *ly, *lz; // [nv] linear
} treeAxes;

// Everything that the recursions write; one entry per link unless noted.
typedef struct treeData {
  real *none;           // [nv] zeros, used for velocities and accelerations that are not given
  real *sine, *cosine;  // [nq] by tree_place: of every position coordinate, angle or not
  treePose *pose;       // by tree_place
  treeWorld *world;     // by tree_world; read by tree_in_ground
  motion *vel;          // by tree_velocity: of the link's origin; read by tree_motion
  int has_world;        // world is up to date with pose: tree_place clears it, tree_world sets it
  int has_velocity;     // vel is up to date; cleared when pose or velocities change
  treeBody *body;       // by tree_rne, tree_aba; read by tree_body
  int has_body;         // body is up to date with pose and velocities
  const wrench *f_ext;  // input: applied forces without gravity and joint forces; NULL: none
  treeArticulated *art; // by tree_aba
  treeAxes S;           // by tree_axes

  // by tree_mass: composite inertia of the subtree, ground axes, about the anchor; without the link
  // itself if only its own joint moves it
  treeInertia *group;
#ifdef ART_SYMBOLIC_MODEL
  struct genView *view; // [n] axes in which src/gen describes links; NULL: their own
#endif
} treeData;

// Allocate everything from the arena and write the constant parts of pose and body. No forces are
// applied until f_ext is set. Returns 0 when memory ran out.
int tree_start(const treeModel *t, treeData *d, baseArena *arena);

// Call after constants of the tree (fixed parts of pose and body) have changed.
void tree_take_constants(const treeModel *t, treeData *d);

// Position of every link relative to its parent.           reads q; writes pose
void tree_place(const treeModel *t, treeData *d, const real *q);

// Position of every link in ground.                         reads pose; writes world
void tree_world(const treeModel *t, treeData *d);

// Velocity of every link.                                   reads pose, v; writes vel
void tree_velocity(const treeModel *t, treeData *d, const real *v);

// Call after velocities have changed: invalidates vel and body.
static inline void tree_forget_velocities(treeData *d)
{
  d->has_velocity = d->has_body = 0;
}

// Pose, velocity and acceleration of link i from the last recursion. Asserts that they are up to
// date.
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

// Parts of tree_rne. tree_second_moments: K = tr(J)/2 1 - J. tree_inertia_force: inertia wrench at
// the link's origin, with B as in treeBody and a minus gravity. tree_joint_force: generalised
// forces of a wrench at the link's origin on the coordinates of its joint.
s3 tree_second_moments(s3 J);
wrench tree_inertia_force(const treeLink *link, s3 K, m3 B, v3 a);
void tree_joint_force(const treeLink *link, const treePose *pose, wrench f, real *tau);

// Motion subspace of each velocity coordinate at the anchor of its tree, in ground axes.
//                                                           reads pose, world; writes S
void tree_axes(const treeModel *t, treeData *d);

// Motion subspace of coordinate k.
motion tree_axis(const treeAxes *S, int k);

// Mass matrix by rows, lower triangle. Does not touch entries between coordinates of different
// branches, which are always zero. place[nv]: index of column 0 of each row, possibly virtual
// (NULL: nv x nv).
//                                                           reads S, world; writes group, M
void tree_mass(const treeModel *t, treeData *d, const long *place, real *M);

// M = L^T D L, in place and without fill-in (from the leaves to the root): D on the diagonal, L
// below.
void tree_factor(const treeModel *t, real *M);

// Solve L^T D L x = b in place.
void tree_solve(const treeModel *t, const real *LDL, real *x);

// Forward dynamics in O(n) by articulated bodies. On entry a holds the accelerations of driven
// coordinates, on exit all accelerations.
//                                          reads pose, f_ext, v, tau, a; writes body, art, a
void tree_aba(const treeModel *t, treeData *d, const real *v, const real *tau, real *a);

// Response to additional forces at the same positions and velocities, after tree_aba: f holds a
// wrench on every link, tau the joint forces; both are overwritten. Driven coordinates do not
// respond.
//                                          reads pose, art, f, tau; adds to body's acc, a
void tree_respond(const treeModel *t, treeData *d, wrench *f, real *tau, real *a);

// The same for one link: u[nv] is the generalised force of a wrench f and of joint forces tau
// (NULL: none; may be u), moments first for a free link. Returns the wrench on the parent, in the
// link's axes. Fixed or driven links transmit all of f and do not write u.
wrench tree_release(const treeLink *link, const treePose *pose, const treeArticulated *b, wrench f,
                    const real *tau, real *u);

// Transform `count` vectors u of a link's joint so that u_r . D^-1 u_s becomes the sum of weight[k]
// u_r[k] u_s[k], where D is the articulated inertia at the joint.
void tree_weigh(const treeLink *link, const treeArticulated *b, int count, real *u, real *weight);

// The same for links in [first, end) only, for callers that process the tree in parts: parents
// before children outward, after them inward. Values of ground must have been written by a full
// recursion. An inward pass adds to the parent of a link; parts with the same parent must run one
// after the other.
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

// Momentum about the origin of ground, in ground axes: angular part, linear part.
wrench tree_momentum(const treeModel *t, const treeData *d); // reads world, vel

// Position, velocity and acceleration of the point r of link i, in ground axes.
v3 tree_point(const treeData *d, int i, v3 r);                                  // reads world
v3 tree_point_velocity(const treeData *d, int i, v3 r);                         // + vel
v3 tree_point_acceleration(const treeModel *t, const treeData *d, int i, v3 r); // + body

// Jacobian of point r of link i in ground axes, 6 x nv by rows: angular, then linear velocity.
//                                                           reads S, world
void tree_jacobian(const treeModel *t, const treeData *d, int i, v3 r, real *J);

#endif
