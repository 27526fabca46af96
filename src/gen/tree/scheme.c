// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinematics along the chain of links from ground to a frame.
//
// Progressive: from ground outward, all in ground axes; common parts of several frames are found once.
// Regressive: from the frame inward, motion relative to each link in the axes of that link.
// Hybrid: rotations outward, then arms to the frame inward in ground axes; velocities by the Jacobian.
#include "sym/tree_inside.h"

#include <string.h>

#include "gen/tree/scheme.h"
#include "tree/joint_axis.h"

// velocity and acceleration of a link against its parent
typedef struct jointMoves {
  motion vel, acc;
} jointMoves;

// motion of a point and of axes that it carries
typedef struct pointMotion {
  v3 x, xd, xdd, w, wd;
} pointMotion;


static v3 zero_node_vector(void)
{
  return v3_make(r_const(0), r_const(0), r_const(0));
}


static pointMotion at_rest(v3 x)
{
  return (pointMotion){x, zero_node_vector(), zero_node_vector(), zero_node_vector(),
                       zero_node_vector()};
}


// in the axes into which m3_back of `parent` turns the parent's axes, and m3_back of `own` the link's
static jointMoves moves_of(const symTree *s, int i, m3 parent, m3 own)
{
  const treeLink *link = &s->inside->model.link[i];
  const real *v = s->inside->v + link->v0, *a = s->inside->a + link->v0;
  m3 room;
  const m3 *slides = joint_slides(link, &parent, &room);
  return (jointMoves){joint_motion(link, &own, slides, v), joint_motion(link, &own, slides, a)};
}


// links from the first after ground to i; returns how many
static int find_link_chain(symTree *s, int i, int **chain)
{
  ART_ASSERT(i >= 0 && i < s->n);
  const treeLink *link = s->inside->model.link;
  int n = 0;
  for (int k = i; k > 0; k = link[k].parent) n++;
  *chain = arena_alloc(&s->memory, (size_t) n + 1, sizeof **chain);
  for (int k = i, at = n; k > 0; k = link[k].parent) (*chain)[--at] = k;
  return n;
}


static m3 parent_world(const symTree *s, int i)
{
  return s->inside->data.world[s->inside->model.link[i].parent].R;
}

//---- progressive ---------------------------------------------------------------------------------

// to a point at r from the point of h, with a joint between them; all in ground axes
static pointMotion carry_outward(pointMotion h, v3 r, const jointMoves *j)
{
  const v3 turning = v3_cross(h.w, r);
  pointMotion i;
  i.x = v3_add(h.x, r);
  i.w = v3_add(h.w, j->vel.ang);
  i.wd = v3_add(v3_add(h.wd, v3_cross(h.w, j->vel.ang)), j->acc.ang);

  // xd = xd_h + w_h x r + u
  i.xd = v3_add(v3_add(h.xd, turning), j->vel.lin);

  // xdd = xdd_h + wd_h x r + w_h x (w_h x r) + 2 w_h x u + ud
  const v3 coriolis = v3_scale(r_const(2), v3_cross(h.w, j->vel.lin));
  i.xdd = v3_add(v3_add(h.xdd, v3_cross(h.wd, r)), v3_cross(h.w, turning));
  i.xdd = v3_add(v3_add(i.xdd, coriolis), j->acc.lin);
  return i;
}


static pointMotion progressive_motion(const symTree *s, int n, const int *chain, v3 r)
{
  const treeData *d = &s->inside->data;
  const jointMoves none = {{zero_node_vector(), zero_node_vector()},
                           {zero_node_vector(), zero_node_vector()}};
  pointMotion m = at_rest(zero_node_vector());
  for (int k = 0; k < n; k++) {
    const m3 parent = parent_world(s, chain[k]);
    const jointMoves j = moves_of(s, chain[k], parent, d->world[chain[k]].R);
    m = carry_outward(m, m3_back(parent, d->pose[chain[k]].p), &j);
  }
  return n > 0 ? carry_outward(m, m3_back(d->world[chain[n - 1]].R, r), &none) : at_rest(r);
}

//---- regressive ----------------------------------------------------------------------------------

// from motion relative to link i, in its axes, to motion relative to its parent, in the parent's
static pointMotion carry_inward(const treePose *pose, pointMotion i, const jointMoves *j)
{
  const v3 r = m3_back(pose->R, i.x), v = m3_back(pose->R, i.xd), w = m3_back(pose->R, i.w);
  const v3 turning = v3_cross(j->vel.ang, r);
  pointMotion h;
  h.x = v3_add(r, pose->p);
  h.w = v3_add(w, j->vel.ang);
  h.wd = v3_add(v3_add(m3_back(pose->R, i.wd), v3_cross(j->vel.ang, w)), j->acc.ang);
  h.xd = v3_add(v3_add(v, turning), j->vel.lin);

  // xdd_h = R^T xdd_i + wd x r + 2 w x v + w x (w x r) + ud
  const v3 coriolis = v3_scale(r_const(2), v3_cross(j->vel.ang, v));
  h.xdd = v3_add(v3_add(m3_back(pose->R, i.xdd), v3_cross(j->acc.ang, r)), coriolis);
  h.xdd = v3_add(v3_add(h.xdd, v3_cross(j->vel.ang, turning)), j->acc.lin);
  return h;
}


// turns the axes e of the frame from the last link's axes into ground's, too
static pointMotion regressive_motion(const symTree *s, int n, const int *chain, v3 r, v3 e[3])
{
  pointMotion m = at_rest(r);
  for (int k = n - 1; k >= 0; k--) {
    const treePose *pose = &s->inside->data.pose[chain[k]];
    const jointMoves j = moves_of(s, chain[k], m3_identity(), pose->R);
    m = carry_inward(pose, m, &j);
    for (int c = 0; c < 3; c++) e[c] = m3_back(pose->R, e[c]);
  }
  return m;
}

//---- Jacobians -----------------------------------------------------------------------------------

// the motion by coordinate k of link i at the link's origin, in ground axes
static motion axis_in_ground(const symTree *s, int i, int k)
{
  ART_ASSERT(i > 0 && k >= 0 && k < s->inside->model.link[i].nv);
  const treeLink *link = &s->inside->model.link[i];
  const m3 parent = parent_world(s, i);
  m3 room;
  const m3 *slides = joint_slides(link, &parent, &room);
  return joint_unit(link, joint_axis(link, &s->inside->data.world[i].R, slides, k));
}


static motion jacobian_column(const symTree *s, const real *J, int k)
{
  const long n = s->nv;
  return (motion){v3_make(J[k], J[n + k], J[2 * n + k]),
                  v3_make(J[3 * n + k], J[4 * n + k], J[5 * n + k])};
}


static void set_column(const symTree *s, real *J, int k, motion m)
{
  ART_ASSERT(k >= 0 && k < s->nv);
  const long n = s->nv;
  J[k] = m.ang.x, J[n + k] = m.ang.y, J[2 * n + k] = m.ang.z;
  J[3 * n + k] = m.lin.x, J[4 * n + k] = m.lin.y, J[5 * n + k] = m.lin.z;
}


// columns of the links before number n of the chain, taken over to a point at r from their present one
static void carry_columns(const symTree *s, int n, const int *chain, v3 r, real *J)
{
  for (int k = 0; k < n; k++) {
    const treeLink *link = &s->inside->model.link[chain[k]];
    for (int c = link->v0; c < link->v0 + link->nv; c++) {
      motion m = jacobian_column(s, J, c);
      m.lin = v3_add(m.lin, v3_cross(m.ang, r));
      set_column(s, J, c, m);
    }
  }
}


static void jacobian_outward(const symTree *s, int n, const int *chain, v3 r, real *J)
{
  const treeData *d = &s->inside->data;
  for (int k = 0; k < n; k++) {
    const treeLink *link = &s->inside->model.link[chain[k]];
    carry_columns(s, k, chain, m3_back(parent_world(s, chain[k]), d->pose[chain[k]].p), J);
    for (int c = 0; c < link->nv; c++) {
      set_column(s, J, link->v0 + c, axis_in_ground(s, chain[k], c));
    }
  }
  if (n > 0) carry_columns(s, n, chain, m3_back(d->world[chain[n - 1]].R, r), J);
}


// gives the position of the point besides
static v3 jacobian_inward(const symTree *s, int n, const int *chain, v3 r, real *J)
{
  const treeData *d = &s->inside->data;
  v3 arm = n > 0 ? m3_back(d->world[chain[n - 1]].R, r) : r;
  for (int k = n - 1; k >= 0; k--) {
    const treeLink *link = &s->inside->model.link[chain[k]];
    for (int c = 0; c < link->nv; c++) {
      motion m = axis_in_ground(s, chain[k], c);
      m.lin = v3_add(m.lin, v3_cross(m.ang, arm));
      set_column(s, J, link->v0 + c, m);
    }
    arm = v3_add(arm, m3_back(parent_world(s, chain[k]), d->pose[chain[k]].p));
  }
  return arm;
}


static real *empty_jacobian(symTree *s)
{
  real *J = arena_alloc(&s->memory, 6 * (size_t) s->nv + 1, sizeof *J);
  for (int k = 0; k < 6 * s->nv; k++) J[k] = r_const(0);
  return J;
}

//---- hybrid --------------------------------------------------------------------------------------

// accelerations as the progressive scheme has them
static pointMotion hybrid_motion(symTree *s, int n, const int *chain, v3 r)
{
  real *J = empty_jacobian(s);
  pointMotion m = progressive_motion(s, n, chain, r);
  m.x = jacobian_inward(s, n, chain, r, J);
  m.xd = m.w = zero_node_vector();
  for (int k = 0; k < n; k++) {
    const treeLink *link = &s->inside->model.link[chain[k]];
    for (int c = link->v0; c < link->v0 + link->nv; c++) {
      const motion axis = jacobian_column(s, J, c);
      m.w = v3_add(m.w, v3_scale(s->inside->v[c], axis.ang));
      m.xd = v3_add(m.xd, v3_scale(s->inside->v[c], axis.lin));
    }
  }
  return m;
}

//---- all -----------------------------------------------------------------------------------------

static v3 vector_of_nodes(const int x[3])
{
  return (v3){{x[0]}, {x[1]}, {x[2]}};
}


static pointMotion record_by_scheme(symTree *s, genScheme scheme, int i, v3 r, v3 e[3])
{
  int *chain = NULL;
  const int n = find_link_chain(s, i, &chain);
  if (scheme == GEN_REGRESSIVE) return regressive_motion(s, n, chain, r, e);
  for (int c = 0; c < 3 && n > 0; c++) e[c] = m3_back(s->inside->data.world[i].R, e[c]);
  return scheme == GEN_HYBRID ? hybrid_motion(s, n, chain, r) : progressive_motion(s, n, chain, r);
}


void gen_record_frame(symTree *s, genScheme scheme, int i, const int r[3], const int axes[9],
                      genFrame *frame)
{
  exprPool *before = expr_use(s->pool);
  v3 e[3] = {vector_of_nodes(axes), vector_of_nodes(axes + 3), vector_of_nodes(axes + 6)};
  const pointMotion m = record_by_scheme(s, scheme, i, vector_of_nodes(r), e);
  expr_use(before);
  for (int c = 0; c < 3; c++) {
    frame->R[c] = e[c].x.node;
    frame->R[3 + c] = e[c].y.node;
    frame->R[6 + c] = e[c].z.node;
  }
  memcpy(frame->x, &m.x, sizeof frame->x);
  memcpy(frame->xd, &m.xd, sizeof frame->xd);
  memcpy(frame->xdd, &m.xdd, sizeof frame->xdd);
  memcpy(frame->omega, &m.w, sizeof frame->omega);
  memcpy(frame->alpha, &m.wd, sizeof frame->alpha);
}


void gen_record_frame_jacobian(symTree *s, genScheme scheme, int i, const int r[3], int *J)
{
  int *chain = NULL;
  exprPool *before = expr_use(s->pool);
  const int n = find_link_chain(s, i, &chain);
  real *columns = empty_jacobian(s);
  if (scheme == GEN_PROGRESSIVE) jacobian_outward(s, n, chain, vector_of_nodes(r), columns);
  if (scheme != GEN_PROGRESSIVE) (void) jacobian_inward(s, n, chain, vector_of_nodes(r), columns);
  memcpy(J, columns, 6 * (size_t) s->nv * sizeof *J);
  expr_use(before);
}
