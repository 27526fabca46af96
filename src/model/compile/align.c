// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Alignment of joints in closed loops. A planar loop moves only because rows of its joints follow from each
// other, and an axis that is off by a rounding of the file would lock it. All is looked at with every
// coordinate zero: there the axes of a planar loop are parallel, whether it is closed or not.
#include <math.h>

#include "base/max_nan.h"
#include "model/compile/ends.h"

// less is rounding of numbers, not of files
static const double EXACT = 1e-12;

typedef struct direction {
  v3 u;      // in ground
  int turns; // of an axis about which something turns, or else slides along it
} direction;

typedef struct aligner {
  artModel *m;
  jointEnds *ends;
  const int *tree_joint, *order;
  double size;
  modelPose *pose; // [nbody] in ground, all coordinates zero
  char *in_loop;   // [njoint]
  char *mark;      // [nbody]
  direction *list; // [njoint] the directions there are
  int count;
} aligner;


//---- the graph -----------------------------------------------------------------------------------


static int parent_body(const aligner *a, int body)
{
  ART_ASSERT(body > 0 && body < a->m->nbody);
  const jointEnds *e = &a->ends[a->tree_joint[body]];
  return e->body[0] == body ? e->body[1] : e->body[0];
}


// does the tree not go along this joint?
static int is_loop_closing_joint(const aligner *a, int j)
{
  const jointEnds *e = &a->ends[j];
  return a->tree_joint[e->body[0]] != j && a->tree_joint[e->body[1]] != j;
}


// the body where the ways from the two ends of a joint towards ground meet
static int meeting_of(const aligner *a, int j)
{
  int body = a->ends[j].body[0], meeting = a->ends[j].body[1];
  for (int b = body; b > 0; b = parent_body(a, b)) a->mark[b] = 1;
  a->mark[0] = 1;
  while (!a->mark[meeting]) meeting = parent_body(a, meeting);
  for (; body > 0; body = parent_body(a, body)) a->mark[body] = 0;
  a->mark[0] = 0;
  return meeting;
}


// call f for the tree joints around the loop that joint j closes, as long as it returns 1
static int for_joints_around(const aligner *a, int j,
                             int (*f)(const aligner *a, int j, void *context), void *context)
{
  const int meeting = meeting_of(a, j);
  for (int side = 0; side < 2; side++) {
    for (int b = a->ends[j].body[side]; b != meeting; b = parent_body(a, b)) {
      if (!f(a, a->tree_joint[b], context)) return 0;
    }
  }
  return 1;
}


static int mark_joint(const aligner *a, int j, void *context)
{
  (void) context;
  a->in_loop[j] = 1;
  return 1;
}


//---- axes ----------------------------------------------------------------------------------------


static v3 joint_end_axis(const aligner *a, int j, int side)
{
  ART_ASSERT(j >= 0 && j < a->m->njoint && (side == 0 || side == 1));
  const jointEnds *e = &a->ends[j];
  return m3_back(a->pose[e->body[side]].R, e->end[side].R.z);
}


static double vector_length(v3 a)
{
  return sqrt(v3_dot(a, a));
}


// the direction that an axis is meant to have; its own where there is none
static v3 meant_direction(const aligner *a, v3 axis, int is_slide)
{
  for (int i = 0; i < a->count; i++) {
    const v3 u = a->list[i].u;
    if (vector_length(v3_cross(axis, u)) <= MODEL_ALIGNED)
      return v3_dot(axis, u) < 0 ? v3_neg(u) : u;
  }
  for (int i = 0; i < a->count && is_slide; i++) {
    const v3 u = a->list[i].u;
    const double along = v3_dot(axis, u);
    if (!a->list[i].turns || fabs(along) > MODEL_ALIGNED) continue;
    const v3 square = v3_sub(axis, v3_scale(along, u));
    return v3_scale(1 / vector_length(square), square);
  }
  return axis;
}


// axes about which joints turn come first: slides are square to them
static void list_directions(aligner *a)
{
  for (int slides = 0; slides < 2; slides++) {
    for (int j = 0; j < a->m->njoint; j++) {
      const artJointType type = a->m->joint[j].type;
      if (!a->in_loop[j] || (slides ? !joint_is_slide(type) : !joint_turns_about_z(type))) continue;
      const v3 axis = joint_end_axis(a, j, 0), u = meant_direction(a, axis, slides);
      int is_new = 1;
      for (int i = 0; i < a->count; i++) {
        is_new &= vector_length(v3_cross(a->list[i].u, u)) > MODEL_ALIGNED;
      }
      if (is_new) a->list[a->count++] = (direction){u, !slides};
    }
  }
}


static void note_misalignment(aligner *a, int j, double angle, double offset)
{
  modelJoint *joint = &a->m->joint[j];
  joint->angle_off = max_nan(joint->angle_off, angle);
  joint->place_off = max_nan(joint->place_off, fabs(offset));
}


// turn an end by the least rotation that takes the direction p of ground into q
static void turn_end(aligner *a, int j, int side, v3 p, v3 q)
{
  ART_ASSERT(side == 0 || side == 1);
  const v3 c = v3_cross(p, q);
  const double cosine = v3_dot(p, q), sine = vector_length(c);
  jointEnds *e = &a->ends[j];
  const m3 R = a->pose[e->body[side]].R;
  m3 *axes = &e->end[side].R;
  v3 *row[3] = {&axes->x, &axes->y, &axes->z};
  for (int i = 0; i < 3; i++) {
    // v + c x v + c x (c x v) / (1 + cos)
    const v3 v = m3_back(R, *row[i]), cv = v3_cross(c, v);
    *row[i] = m3_mul(R, v3_add(v, v3_add(cv, v3_scale(1 / (1 + cosine), v3_cross(c, cv)))));
  }
  note_misalignment(a, j, sine, 0);
}


static void align_axes(aligner *a)
{
  for (int j = 0; j < a->m->njoint; j++) {
    const artJointType type = a->m->joint[j].type;
    if (!a->in_loop[j] || (!joint_is_slide(type) && !joint_turns_about_z(type))) continue;
    for (int side = 0; side < 2; side++) {
      const v3 axis = joint_end_axis(a, j, side),
               u = meant_direction(a, axis, joint_is_slide(type));
      if (vector_length(v3_cross(axis, u)) > EXACT) turn_end(a, j, side, axis, u);
    }
  }
}


//---- planar loops --------------------------------------------------------------------------------


// the direction about which all turns in a loop
typedef struct normal {
  v3 u;
  int is_known;
} normal;


// is the joint one of a planar loop? The first that turns says about which direction.
static int is_planar(const aligner *a, int j, void *context)
{
  normal *n = context;
  const artJointType type = a->m->joint[j].type;
  const v3 axis = joint_end_axis(a, j, 0);
  if (joint_is_rigid(type)) return 1;
  if (joint_is_slide(type)) return !n->is_known || fabs(v3_dot(axis, n->u)) <= EXACT;
  if (!joint_turns_in_plane(type)) return 0;
  if (!n->is_known) *n = (normal){axis, 1};
  return vector_length(v3_cross(axis, n->u)) <= EXACT;
}


// a slide or a rigid joint that closes a planar loop sees its normal alike from both ends
static void align_frame(aligner *a, int j, v3 u)
{
  const jointEnds *e = &a->ends[j];
  v3 seen[2];
  for (int side = 0; side < 2; side++) {
    seen[side] = m3_mul(e->end[side].R, m3_mul(a->pose[e->body[side]].R, u));
  }
  // the direction that `from` sees, in ground, by the axes of `to`
  const v3 other = m3_back(a->pose[e->body[1]].R, m3_back(e->end[1].R, seen[0]));
  const double off = vector_length(v3_cross(other, u));
  if (off > EXACT && off <= MODEL_ALIGNED) turn_end(a, j, 1, other, u);
}


// into the plane, along its normal
static void align_place(aligner *a, int j, v3 u)
{
  jointEnds *e = &a->ends[j];
  v3 at[2];
  for (int side = 0; side < 2; side++) {
    at[side] = pose_compose(a->pose[e->body[side]], e->end[side]).r;
  }
  const double off = v3_dot(v3_sub(at[1], at[0]), u);
  if (fabs(off) <= EXACT * a->size || fabs(off) > MODEL_ALIGNED * a->size) return;
  e->end[1].r = v3_sub(e->end[1].r, m3_mul(a->pose[e->body[1]].R, v3_scale(off, u)));
  note_misalignment(a, j, 0, off);
}


static void align_loop(aligner *a, int j)
{
  ART_ASSERT(is_loop_closing_joint(a, j));
  const artJointType type = a->m->joint[j].type;
  normal n = {.is_known = 0};
  if (joint_turns_in_plane(type)) n = (normal){joint_end_axis(a, j, 0), 1};

  // twice: slides before the first joint that turns are looked at again
  if (!for_joints_around(a, j, is_planar, &n) || !for_joints_around(a, j, is_planar, &n) ||
      !n.is_known)
    return;
  if (joint_holds(type, TURN_Z)) align_frame(a, j, n.u);
  if (joint_is_slide(type) || joint_holds(type, SLIDE_Z)) align_place(a, j, n.u);
}


//---- all together --------------------------------------------------------------------------------


void model_align_ends(artModel *m, jointEnds *ends, const int *tree_joint, const int *order)
{
  aligner a = {.m = m, .ends = ends, .tree_joint = tree_joint, .order = order};
  if (m->ncut == 0) return;
  a.pose = arena_alloc(&m->scratch, (size_t) m->nbody, sizeof *a.pose);
  a.mark = arena_alloc(&m->scratch, (size_t) m->nbody, 1);
  a.in_loop = arena_alloc(&m->scratch, (size_t) m->njoint, 1);
  a.list = arena_alloc(&m->scratch, (size_t) m->njoint, sizeof *a.list);

  // the size of the machine: the farthest end of a joint from its body's origin
  for (int e = 0; e < 2 * m->njoint; e++) {
    const v3 r = ends[e / 2].end[e % 2].r;
    a.size = max_nan(a.size, sqrt(v3_dot(r, r)));
  }
  a.pose[0] = pose_identity();
  for (int k = 1; k < m->nbody; k++) {
    const jointEnds *e = &ends[tree_joint[order[k]]];
    const int side = e->body[1] == order[k];
    const modelPose joint = pose_compose(a.pose[e->body[1 - side]], e->end[1 - side]);
    a.pose[order[k]] = pose_compose(joint, pose_inverse(e->end[side]));
  }
  for (int j = 0; j < m->njoint; j++) {
    if (!is_loop_closing_joint(&a, j)) continue;
    a.in_loop[j] = 1;
    for_joints_around(&a, j, mark_joint, NULL);
  }
  list_directions(&a);
  align_axes(&a);
  for (int j = 0; j < m->njoint; j++) {
    if (is_loop_closing_joint(&a, j)) align_loop(&a, j);
  }
}
