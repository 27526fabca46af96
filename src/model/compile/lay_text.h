// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The arithmetic of lay.h, on the scalar of src/spatial. Included once by each file that lays a tree.

static inline v3 lay_vector(const laying *l, const double x[3])
{
  return (v3){lay_number(l, x), lay_number(l, x + 1), lay_number(l, x + 2)};
}


// a pose of a definition; NULL: none
static inline modelPose lay_pose(const laying *l, const artPose *pose)
{
  if (!pose) return pose_identity();
  real e[4];
  for (int k = 0; k < 4; k++) e[k] = lay_number(l, &pose->rotation[k]);
  return lay_neat(l, pose_by_quaternion(e, lay_vector(l, pose->position)));
}


//---- joint frames and the reference configuration ------------------------------------------------

// axes of the joint's frame, z along the axis where there is one
static inline m3 lay_axes(const laying *l, const layJoint *joint)
{
  const jointKind *kind = &joint_kinds[joint->type];
  if (!kind->has_axis) return m3_identity();
  return lay_turned(l, lay_vector(l, joint->axis),
                    kind->has_x ? lay_vector(l, joint->axis2) : v3_numbers(0, 0, 0));
}


// the second axis of a universal joint, in its frame
static inline v3 lay_axis2(const laying *l, const layJoint *joint)
{
  const m3 first = lay_turned(l, lay_vector(l, joint->axis), v3_numbers(0, 0, 0));
  return m3_mul(first, lay_vector(l, joint->axis2));
}


// the joint's frame in the body on one side: from the frame that was named, its offset and the axis, or from ground
// once that body's reference pose is known
static inline modelPose lay_end(const laying *l, int j, int side)
{
  const layJoint *joint = &l->plan->joint[j];
  if (joint->in_ground) {
    const modelPose at = {lay_axes(l, joint), lay_vector(l, joint->at[side])};
    return lay_neat(l, pose_compose(pose_inverse(l->reference[joint->body[side]]), at));
  }
  const modelPose axis = {lay_axes(l, joint), v3_numbers(0, 0, 0)};
  const modelPose named = lay_pose(l, joint->frame[side]);
  const modelPose offset = lay_pose(l, joint->offset[side]);
  return lay_neat(l, pose_compose(pose_compose(named, offset), axis));
}


// where the tree's joint puts a body when its coordinates are zero: the two frames coincide
static inline modelPose lay_placed(const laying *l, int body)
{
  const int j = l->plan->body[body].joint;
  const jointEnds *ends = &l->ends[j];
  const int side = ends->body[1] == body; // the child's side
  const modelPose joint = pose_compose(l->reference[ends->body[1 - side]], ends->end[1 - side]);
  return lay_neat(l, pose_compose(joint, pose_inverse(ends->end[side])));
}


//---- bars that have become rods ------------------------------------------------------------------

// where ball k sits in the bar, in its axes
static inline v3 lay_ball(const laying *l, const layBar *bar, int k)
{
  if (!bar->at[k]) {
    return pose_compose(lay_pose(l, bar->frame[k]), lay_pose(l, bar->offset[k])).r;
  }
  const modelPose at = {m3_identity(), lay_vector(l, bar->at[k])};
  return pose_compose(pose_inverse(lay_pose(l, bar->pose)), at).r;
}


static inline real lay_distance(v3 a, v3 b)
{
  const v3 span = v3_sub(b, a);
  return r_sqrt(v3_dot(span, span));
}


//---- links ---------------------------------------------------------------------------------------

// an elementary joint of a compound one: its kind and its z axis in the joint's frame
typedef struct elementary {
  linkKind kind;
  m3 align;
} elementary;


// the chain of elementary joints, from `from` to `to`; returns their number
static inline int lay_decompose(const laying *l, const layJoint *joint, elementary chain[3])
{
  const jointKind *kind = &joint_kinds[joint->type];
  const v3 none = v3_numbers(0, 0, 0);

  // the joint's frame has z along the first axis
  for (int k = 0; k < kind->nlink; k++) {
    m3 align = m3_identity();
    if (kind->along[k] == LINK_ALONG_X) align = lay_turned(l, v3_numbers(1, 0, 0), none);
    if (kind->along[k] == LINK_ALONG_Y) align = lay_turned(l, v3_numbers(0, 1, 0), none);
    if (kind->along[k] == LINK_ALONG_AXIS2) align = lay_turned(l, lay_axis2(l, joint), none);
    chain[k] = (elementary){kind->link[k], align};
  }
  return kind->nlink;
}


// seen from `to`, the chain runs backwards and its axes point the other way
static inline void lay_reverse(elementary chain[3], int n)
{
  const m3 flip = {v3_numbers(1, 0, 0), v3_numbers(0, -1, 0), v3_numbers(0, 0, -1)};
  const elementary last = chain[n - 1];
  chain[n - 1] = chain[0];
  chain[0] = last;
  for (int k = 0; k < n; k++) chain[k].align = m3_mul_m3(flip, chain[k].align);
}


// the elementary joints of a joint in the direction of the tree; returns their number
static inline int lay_chain(const laying *l, int j, elementary chain[3])
{
  const layJoint *joint = &l->plan->joint[j];
  const int n = lay_decompose(l, joint, chain);
  if (joint->is_reversed) lay_reverse(chain, n);
  return n;
}


// place, pitch and rotor of the n links of a joint, seen from a body
static inline void lay_links(const laying *l, int j, int parent, const elementary *chain, int n,
                             treeLink *link)
{
  const layJoint *joint = &l->plan->joint[j];
  const int side = l->ends[j].body[1] == parent;

  // the joint's frame in the link of the parent body
  modelPose base = pose_compose(pose_inverse(l->link_in_body[parent]), l->ends[j].end[side]);
  for (int k = 0; k < n; k++) {
    const modelPose aligned = lay_neat(l, (modelPose){m3_mul_m3(chain[k].align, base.R), base.r});
    link[k].R = aligned.R;
    link[k].p = aligned.r;
    link[k].pitch = lay_number(l, joint->pitch);
    link[k].rotor = lay_number(l, joint->rotor);

    // the next joint frame in this link
    base = (modelPose){m3_transpose(chain[k].align), v3_numbers(0, 0, 0)};
  }
}


#include "model/solid/solid_text.h"


// mass, centre and inertia of a body as its definition has them, or its solids give them
static inline laidInertia lay_weight(const laying *l, const layBody *own)
{
  if (own->solids.n > 0) return lay_solids(l, &own->solids);
  const double *I = own->inertia;
  return (laidInertia){lay_number(l, own->mass),
                       lay_vector(l, own->com),
                       {lay_number(l, I), lay_number(l, I + 1), lay_number(l, I + 2),
                        lay_number(l, I + 3), lay_number(l, I + 4), lay_number(l, I + 5)}};
}


// mass, first and second moment of a body about the origin and in the axes of its link
static inline void lay_inertia(const laying *l, int body, treeLink *link)
{
  const laidInertia own = lay_weight(l, &l->plan->body[body]);
  const modelPose in_body = l->link_in_body[body];
  const v3 c = m3_mul(in_body.R, v3_sub(own.com, in_body.r));
  link->mass = own.mass;
  link->h = v3_scale(own.mass, c);
  link->J = s3_shift(s3_back(m3_transpose(in_body.R), own.inertia), own.mass, c);
}


// the links of the joint that leads to a body, and the last of them in the body: the joint's frame on the body's side
static inline void lay_body(laying *l, int body, const elementary *chain, int n, treeLink *link)
{
  const int j = l->plan->body[body].joint, child = l->plan->joint[j].is_reversed ? 0 : 1;
  lay_links(l, j, l->ends[j].body[1 - child], chain, n, link);
  const modelPose align = {chain[n - 1].align, v3_numbers(0, 0, 0)};
  l->link_in_body[body] = lay_neat(l, pose_compose(l->ends[j].end[child], align));
  lay_inertia(l, body, &link[n - 1]);
}


//---- frames and cuts -----------------------------------------------------------------------------

// a pose in a body, in the axes of its link
static inline modelPose lay_in_link(const laying *l, int body, modelPose in_body)
{
  return lay_neat(l, pose_compose(pose_inverse(l->link_in_body[body]), in_body));
}


// where the joint's frame is on one side of a cut
static inline laidSide lay_side(const laying *l, int j, int side)
{
  const layJoint *joint = &l->plan->joint[j];
  if (side == 0 && joint->twin_side >= 0) {
    elementary chain[3];
    const int n = lay_chain(l, j, chain);
    return (laidSide){1, 0, m3_transpose(chain[n - 1].align), v3_numbers(0, 0, 0)};
  }
  const int at = joint->twin_side >= 0 ? joint->twin_side : side, body = joint->body[at];
  const modelPose end = lay_in_link(l, body, l->ends[j].end[at]);
  return (laidSide){0, body, end.R, end.r};
}


// a sixth of a rod's mass at the point of a link where it ends (data/rod.h)
static inline void lay_rod_share(treeLink *link, real mass, v3 r)
{
  const real sixth = r_div(mass, r_const(6));
  link->mass = r_add(link->mass, sixth);
  link->h = v3_add(link->h, v3_scale(sixth, r));
  link->J = s3_shift(link->J, sixth, r);
}


// the distance of the ends of a joint at the reference configuration
static inline real lay_span(const laying *l, int j)
{
  const jointEnds *ends = &l->ends[j];
  const modelPose from = pose_compose(l->reference[ends->body[0]], ends->end[0]);
  const modelPose to = pose_compose(l->reference[ends->body[1]], ends->end[1]);
  return lay_distance(from.r, to.r);
}
