// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From bodies and joints to the tree: frames, spanning tree, links, coordinates, initial values.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/ends.h"
#include "model/reader.h"

typedef struct treeWork {
  const artBuilder *b;
  artModel *m;
  artError *error;
  jointEnds *ends;      // [njoint]
  int *first, *next;    // joints at each body: ends 2j + side, chained
  spanUse *use;         // [njoint] of their coordinates
  spanJoint *graph;     // [njoint]
  int *tree_joint;      // [nbody] joint that leads to the body
  int *order;           // [nbody + njoint] bodies, parents before children
  int *twin_side;       // [njoint] the body that has a twin at the joint: 0 from, 1 to, -1 none
  modelPose *reference; // [nbody] in ground
  modelPose *link_in_body;
  double size; // of the machine
  int nlink;
} treeWork;

//---- names ---------------------------------------------------------------------------------------


static artStatus name_bodies(artModel *m, const artBuilder *b, artError *error)
{
  m->nbody = b->bodies.count + 1;
  m->body = arena_alloc(&m->arena, (size_t) m->nbody, sizeof *m->body);
  if (!m->body) return base_no_memory(error);
  m->body[0] = (modelBody){.name = "ground", .reference = art_default_pose()};
  for (int i = 1; i < m->nbody; i++) {
    const bodyRecord *record = RECORD(b->bodies, bodyRecord, i - 1);
    m->body[i] = (modelBody){.name = arena_text(&m->arena, record->def.name),
                             .mass = record->def.mass,
                             .bar_note = record->bar_note,
                             .reference = record->def.pose};
    if (!m->body[i].name) return base_no_memory(error);
    memcpy(m->body[i].com, record->def.com, sizeof m->body[i].com);
    memcpy(m->body[i].inertia, record->def.inertia, sizeof m->body[i].inertia);
  }
  for (int i = 0; i < m->nbody; i++) {
    if (!table_add(&m->bodies, &m->arena, m->body[i].name, i)) return base_no_memory(error);
  }
  return ART_OK;
}


// frames are kept in their bodies until the links are laid
static artStatus name_frames(artModel *m, const artBuilder *b, artError *error)
{
  m->nframe = m->nbody + b->frames.count;
  m->frame = arena_alloc(&m->arena, (size_t) m->nframe, sizeof *m->frame);
  if (!m->frame) return base_no_memory(error);
  for (int i = 0; i < m->nbody; i++) {
    m->frame[i] = (modelFrame){.name = m->body[i].name, .body = i, .R = m3_identity()};
  }
  for (int i = 0; i < b->frames.count; i++) {
    const frameRecord *record = RECORD(b->frames, frameRecord, i);
    const artPlace place = field_place(&record->head.where, "name");
    const int body = table_find(&m->bodies, record->body);
    if (body < 0) {
      char hint[BASE_HINT_LENGTH];
      baseNearest nearest = {.word = record->body, .context = "body name"};
      for (int k = 0; k < m->nbody; k++) base_consider(&nearest, m->body[k].name);
      return base_fail(error, ART_BAD_INPUT, place,
                       "a frame names the body '%s', which is not defined%s", record->body,
                       base_hint(&nearest, hint));
    }
    if (table_find(&m->frames, record->name) >= 0) {
      return base_fail(error, ART_BAD_INPUT, place, "frame '%s' is given twice", record->name);
    }
    const modelPose pose = pose_from_art(&record->pose);
    modelFrame *frame = &m->frame[m->nbody + i];
    *frame = (modelFrame){
        .name = arena_text(&m->arena, record->name), .body = body, .R = pose.R, .r = pose.r};
    if (!frame->name || !table_add(&m->frames, &m->arena, frame->name, m->nbody + i)) {
      return base_no_memory(error);
    }
  }
  for (int i = 0; i < m->nbody; i++) {
    if (!table_add(&m->frames, &m->arena, m->frame[i].name, i)) return base_no_memory(error);
  }
  return ART_OK;
}


int model_find_frame(const artModel *m, const char *name, artPlace place, const char *what,
                     artError *error)
{
  const int i = table_find(&m->frames, name);
  if (i >= 0) return i;
  baseNearest nearest = {.word = name, .context = "body name"};
  for (int k = 0; k < m->nframe; k++) base_consider(&nearest, m->frame[k].name);
  char hint[BASE_HINT_LENGTH];
  const char *kind = strchr(name, '.') ? "frame or point" : "body";
  base_fail(error, ART_BAD_INPUT, place, "%s names the %s '%s', which is not defined%s", what, kind,
            name, base_hint(&nearest, hint));
  return -1;
}


//---- joints as a graph ---------------------------------------------------------------------------


static artStatus name_joints(treeWork *w)
{
  artModel *m = w->m;
  m->njoint = w->b->joints.count;
  m->joint = arena_alloc(&m->arena, (size_t) m->njoint, sizeof *m->joint);
  if (!m->joint) return base_no_memory(w->error);

  for (int j = 0; j < m->njoint; j++) {
    const jointRecord *record = RECORD(w->b->joints, jointRecord, j);
    const artJointDef *def = &record->def;
    const char *ends[2] = {def->from, def->to};
    static const char *const keys[2] = {"from", "to"};
    char what[200];
    snprintf(what, sizeof what, "joint '%.150s'", def->name);

    for (int side = 0; side < 2; side++) {
      const artPlace place = field_place(&record->head.where, keys[side]);
      const int frame = model_find_frame(m, ends[side], place, what, w->error);
      if (frame < 0) return ART_BAD_INPUT;
      w->ends[j].body[side] = m->frame[frame].body;
      w->ends[j].end[side] = (modelPose){m->frame[frame].R, m->frame[frame].r};
    }
    if (w->ends[j].body[0] == w->ends[j].body[1]) {
      return base_fail(w->error, ART_BAD_INPUT, field_place(&record->head.where, "to"),
                       "joint '%s' connects '%s' with itself", def->name,
                       m->body[w->ends[j].body[0]].name);
    }
    modelJoint *joint = &m->joint[j];
    *joint = (modelJoint){.name = arena_text(&m->arena, def->name),
                          .type = def->type,
                          .from = w->ends[j].body[0],
                          .to = w->ends[j].body[1],
                          .is_cut = 1,
                          .place = record->head.where.place};
    if (!joint->name || !model_keep_place(m, &joint->place) ||
        !table_add(&m->joints, &m->arena, joint->name, j)) {
      return base_no_memory(w->error);
    }
  }
  return ART_OK;
}


static int body_has_inertia(const modelBody *body)
{
  return body->mass > 0 || body->inertia[0] > 0 || body->inertia[1] > 0 || body->inertia[2] > 0;
}


// A joint that closes a loop keeps its coordinates where something names them: its links lead from `from`
// to a massless twin of `to`, and the loop is closed by welding the twin to `to`. The twin is one of `from`
// where that alone has inertia, since some methods share it out among body and twins.
static void choose_twin(treeWork *w, int j)
{
  modelJoint *joint = &w->m->joint[j];
  const int has_coordinates = joint->type != ART_ROD && joint->type != ART_FIXED;
  w->twin_side[j] = -1;
  if (!joint->is_cut || !has_coordinates || w->use[j] == SPAN_UNUSED) return;
  const int is_directed = joint->type == ART_SPHERICAL || joint->type == ART_FREE;
  const modelBody *body = w->m->body;
  joint->is_reversed =
      !is_directed && !body_has_inertia(&body[joint->to]) && body_has_inertia(&body[joint->from]);
  joint->is_cut = 0;
  w->twin_side[j] = !joint->is_reversed;
}


// choose the joints of the tree; the others close loops
static artStatus span(treeWork *w)
{
  artModel *m = w->m;
  artStatus status = model_joint_uses(m, w->b, w->use, w->error);
  if (status != ART_OK) return status;
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    const int keep = RECORD(w->b->joints, jointRecord, j)->def.keep;
    w->graph[j] = (spanJoint){joint->type, {joint->from, joint->to}, keep, w->use[j]};
  }
  const spanGraph graph = {m->nbody, m->njoint, w->graph};
  const int reached = span_find(&graph, w->tree_joint, w->order);
  if (reached < 0) return base_no_memory(w->error);

  for (int i = 0; i < m->nbody; i++) {
    const int j = m->body[i].joint = w->tree_joint[i];
    if (j < 0) continue;
    m->joint[j].is_cut = 0;
    m->joint[j].is_reversed = m->joint[j].from == i;
  }
  for (int j = 0; j < m->njoint; j++) choose_twin(w, j);
  return ART_OK;
}


// every body is reached, joints that are to be kept are in the tree, and ball joints lead away from ground
static artStatus check_span(const treeWork *w)
{
  const artModel *m = w->m;
  for (int i = 1; i < m->nbody; i++) {
    if (w->tree_joint[i] >= 0) continue;
    const bodyRecord *record = RECORD(w->b->bodies, bodyRecord, i - 1);
    return base_fail(
        w->error, ART_BAD_INPUT, record->head.where.place,
        w->first[i] >= 0
            ? "body '%s' hangs on nothing: no chain of joints leads from it to ground; "
              "add a joint (type: free for a body that flies)"
            : "body '%s' hangs on nothing: no joint names it; add a joint (type: free "
              "for a body that flies)",
        m->body[i].name);
  }
  for (int j = 0; j < m->njoint; j++) {
    const jointRecord *record = RECORD(w->b->joints, jointRecord, j);
    const modelJoint *joint = &m->joint[j];
    const int is_directed = joint->type == ART_SPHERICAL || joint->type == ART_FREE;
    if (record->def.keep <= 0 || !joint->is_cut) continue;
    const artPlace place = field_place(&record->head.where, "keep");
    if (!is_directed) {
      return base_fail(w->error, ART_BAD_INPUT, place,
                       "joint '%s' cannot be kept in the tree: the other kept joints close a loop "
                       "with it",
                       joint->name);
    }
    return base_fail(w->error, ART_BAD_INPUT, place,
                     "%s joint '%s' cannot be kept in the tree, which reaches '%s' before '%s'; "
                     "swap its 'from' and 'to', or keep other joints",
                     art_joint_type_name(joint->type), joint->name, m->body[joint->to].name,
                     m->body[joint->from].name);
  }
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    const int is_directed = joint->type == ART_SPHERICAL || joint->type == ART_FREE;
    if (!joint->is_reversed || joint->is_cut || !is_directed) continue;
    return base_fail(w->error, ART_BAD_INPUT, joint->place,
                     "%s joint '%s' leads from '%s' towards ground; swap its 'from' and 'to', for "
                     "its coordinates describe 'to' as seen from 'from'",
                     art_joint_type_name(joint->type), joint->name, m->body[joint->from].name);
  }
  return ART_OK;
}


//---- reference configuration and joint frames ----------------------------------------------------


// axes of the joint's frame, z along the axis where there is one
static m3 joint_axes(const artJointDef *def)
{
  static const double none[3] = {0, 0, 0};
  if (def->type == ART_FIXED || def->type == ART_SPHERICAL || def->type == ART_FREE) {
    return m3_identity();
  }
  return pose_align(def->axis, def->type == ART_PLANAR ? def->axis2 : none);
}


// the joint's frame in the body on one side: from the frame that was named, its offset and the axis, or from ground
// once that body's reference pose is known
static void lay_end(treeWork *w, int j, int side)
{
  const jointRecord *record = RECORD(w->b->joints, jointRecord, j);
  const artJointDef *def = &record->def;
  modelPose *end = &w->ends[j].end[side];
  if (def->in_ground) {
    const double *at = record->is_bar && side == 1 ? record->far : def->at;
    const modelPose joint = {joint_axes(def), {at[0], at[1], at[2]}};
    *end = pose_compose(pose_inverse(w->reference[w->ends[j].body[side]]), joint);
  } else {
    const modelPose offset = pose_from_art(side == 0 ? &def->from_offset : &def->to_offset);
    const modelPose axis = {joint_axes(def), {0, 0, 0}};
    *end = pose_compose(pose_compose(*end, offset), axis);
  }
}


// where the tree's joint puts a body when its coordinates are zero: the two frames coincide
static modelPose placed_by_joint(const treeWork *w, int body)
{
  const int j = w->tree_joint[body];
  const int side = w->ends[j].body[1] == body; // the child's side
  const modelPose parent = w->reference[w->ends[j].body[1 - side]];
  const modelPose joint = pose_compose(parent, w->ends[j].end[1 - side]);
  return pose_compose(joint, pose_inverse(w->ends[j].end[side]));
}


// the size of the machine: the farthest stated position, or joint's frame in its body
static double machine_size(const treeWork *w)
{
  double square = 0;
  for (int i = 1; i < w->m->nbody; i++) {
    const v3 r = pose_from_art(&RECORD(w->b->bodies, bodyRecord, i - 1)->def.pose).r;
    square = fmax(square, v3_dot(r, r));
  }
  for (int e = 0; e < 2 * w->m->njoint; e++) {
    const v3 r = w->ends[e / 2].end[e % 2].r;
    square = fmax(square, v3_dot(r, r));
  }
  return sqrt(square);
}


// two places are one, to the digits that files have
static int is_same_place(const treeWork *w, v3 a, v3 b)
{
  const v3 gap = v3_sub(a, b);
  return sqrt(v3_dot(gap, gap)) <= 1e-5 * w->size;
}


// A joint without `at` puts its body where its frames say. A pose that the body states besides must
// be the same one, to the digits that files have.
static artStatus check_stated(const treeWork *w, int body, modelPose placed)
{
  const bodyRecord *record = RECORD(w->b->bodies, bodyRecord, body - 1);
  const modelPose stated = pose_from_art(&record->def.pose);
  const artPlace place = field_place(&record->head.where, "pose");
  const char *joint = w->m->joint[w->tree_joint[body]].name;
  if (!is_same_place(w, stated.r, placed.r)) {
    return base_fail(w->error, ART_BAD_INPUT, place,
                     "body '%s' states the position (%.6g, %.6g, %.6g), but joint '%s' has no 'at' "
                     "and puts it at (%.6g, %.6g, %.6g) when its coordinates are zero; give the "
                     "joint 'at', or leave position and orientation out and give frames or "
                     "initial values",
                     record->def.name, stated.r.x, stated.r.y, stated.r.z, joint, placed.r.x,
                     placed.r.y, placed.r.z);
  }
  // R_placed R_stated^T is a turn by the angle a: its quaternion has the vector part sin(a/2)
  double q[4];
  pose_quaternion(m3_mul_m3(placed.R, m3_transpose(stated.R)), q);
  const double angle = 2 * asin(fmin(1, sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])));
  if (angle <= 1e-5) return ART_OK;
  return base_fail(w->error, ART_BAD_INPUT, place,
                   "body '%s' states an attitude that is turned by %.6g deg against the one that "
                   "joint '%s', which has no 'at', gives it when its coordinates are zero; give "
                   "the joint 'at', or leave position and orientation out and give frames or "
                   "initial values",
                   record->def.name, angle * 180 / acos(-1.0), joint);
}


// Place the bodies at the reference configuration, outward along the tree: by the frames of the
// joint, or where the joint is given in ground as the body states. A body that states nothing then
// has the frame of ground.
static artStatus place_references(treeWork *w)
{
  for (int k = 1; k < w->m->nbody; k++) {
    const int body = w->order[k], j = w->tree_joint[body];
    const artBodyDef *def = &RECORD(w->b->bodies, bodyRecord, body - 1)->def;
    const artJointDef *joint = &RECORD(w->b->joints, jointRecord, j)->def;
    if (joint->in_ground) {
      const double *at = joint->at;
      w->reference[body] = pose_from_art(&def->pose);
      w->m->body[body].is_as_ground = !def->has_pose && (at[0] != 0 || at[1] != 0 || at[2] != 0);
      continue;
    }
    w->reference[body] = placed_by_joint(w, body);
    if (!def->has_pose) continue;
    const artStatus status = check_stated(w, body, w->reference[body]);
    if (status != ART_OK) return status;
  }
  return ART_OK;
}


// A body that has the frame of ground for want of a position cannot also hang on the frames of
// another joint that closes a loop, unless these put it in the same place.
static artStatus check_as_ground(const treeWork *w, int j)
{
  const jointRecord *record = RECORD(w->b->joints, jointRecord, j);
  if (record->def.in_ground || record->def.type == ART_ROD || !w->m->joint[j].is_cut) return ART_OK;
  const jointEnds *ends = &w->ends[j];
  modelPose end[2];
  int silent = 0;
  for (int side = 0; side < 2; side++) {
    end[side] = pose_compose(w->reference[ends->body[side]], ends->end[side]);
    if (w->m->body[ends->body[side]].is_as_ground) silent = ends->body[side];
  }
  if (silent == 0 || is_same_place(w, end[0].r, end[1].r)) return ART_OK;
  const v3 gap = v3_sub(end[1].r, end[0].r);
  const char *name = w->m->body[silent].name;
  return base_fail(w->error, ART_BAD_INPUT, record->head.where.place,
                   "joint '%s' has no 'at' and body '%s' no position: joint '%s', which has an "
                   "'at', takes the frame of ground for it, where the ends of '%s' are %.6g m "
                   "apart; give the body a position",
                   record->def.name, name, w->m->joint[w->tree_joint[silent]].name,
                   record->def.name, sqrt(v3_dot(gap, gap)));
}


//---- links ---------------------------------------------------------------------------------------

// an elementary joint of a compound one: its kind and its z axis in the joint's frame
typedef struct elementary {
  linkKind kind;
  m3 align;
} elementary;


// the chain of elementary joints, from `from` to `to`; returns their number
static int decompose(const artJointDef *def, elementary chain[3])
{
  static const double none[3] = {0, 0, 0};
  static const struct {
    int n;
    linkKind kind[3];
  } chains[ART_JOINT_TYPES] = {
      [ART_FIXED] = {1, {LINK_FIXED}},
      [ART_REVOLUTE] = {1, {LINK_REVOLUTE}},
      [ART_PRISMATIC] = {1, {LINK_PRISMATIC}},
      [ART_SCREW] = {1, {LINK_SCREW}},
      [ART_CYLINDRICAL] = {2, {LINK_PRISMATIC, LINK_REVOLUTE}},
      [ART_UNIVERSAL] = {2, {LINK_REVOLUTE, LINK_REVOLUTE}},
      [ART_PLANAR] = {3, {LINK_PRISMATIC, LINK_PRISMATIC, LINK_REVOLUTE}},
      [ART_SPHERICAL] = {1, {LINK_SPHERICAL}},
      [ART_FREE] = {1, {LINK_FREE}},
      [ART_ROD] = {1, {LINK_FIXED}},
  };
  const int n = chains[def->type].n;
  for (int k = 0; k < n; k++) {
    chain[k] = (elementary){chains[def->type].kind[k], m3_identity()};
  }
  if (def->type == ART_UNIVERSAL) {
    // the joint's frame has z along the first axis; the second in that frame
    const m3 first = pose_align(def->axis, none);
    const v3 second = m3_mul(first, (v3){def->axis2[0], def->axis2[1], def->axis2[2]});
    chain[1].align = pose_align((double[3]){second.x, second.y, second.z}, none);
  }
  if (def->type == ART_PLANAR) {
    chain[0].align = pose_align((double[3]){1, 0, 0}, none);
    chain[1].align = pose_align((double[3]){0, 1, 0}, none);
  }
  return n;
}


// seen from `to`, the chain runs backwards and its axes point the other way
static void reverse(elementary chain[3], int n)
{
  const m3 flip = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  const elementary last = chain[n - 1];
  chain[n - 1] = chain[0];
  chain[0] = last;
  for (int k = 0; k < n; k++) chain[k].align = m3_mul_m3(flip, chain[k].align);
}


// The names of a joint's coordinates, in its own order: the links of a chain that is seen from `to` stand in the
// opposite one. Quaternions are no integrals of velocities.
static artStatus name_coordinates(artModel *m, int j, artError *error)
{
  const modelJoint *joint = &m->joint[j];
  const int is_ball = joint->type == ART_SPHERICAL || joint->type == ART_FREE;
  int count[2] = {0, 0};
  for (const readerCoordinate *c = reader_coordinates(joint->type); c->name; c++) {
    const int nth = count[c->is_position]++;
    const int at = joint->is_reversed && joint->nlink > 1 ? joint->nlink - 1 - nth : nth;
    const int has_partner = is_ball ? joint->type == ART_FREE && nth < 3 : 1;
    const int k = (c->is_position ? joint->q0 : joint->v0) + at;
    const int partner = (c->is_position ? joint->v0 : joint->q0) + at;
    const char *full = arena_format(&m->arena, "%s.%s", joint->name, c->name);
    baseTable *table = c->is_position ? &m->positions : &m->velocities;
    if (!full || !table_add(table, &m->arena, full, k)) return base_no_memory(error);
    (c->is_position ? m->position : m->velocity)[k] = (modelCoordinate){
        full, j, field_dimension(c->quantity, AXIS_LINEAR), has_partner ? partner : -1};
  }
  return ART_OK;
}


// mass, first and second moment of a body about the origin and in the axes of its link
static void lay_inertia(treeLink *link, const artBodyDef *def, modelPose link_in_body)
{
  const v3 com = {def->com[0], def->com[1], def->com[2]};
  const v3 c = m3_mul(link_in_body.R, v3_sub(com, link_in_body.r));
  const double *I = def->inertia, m = def->mass;
  const s3 about_com = {I[0], I[1], I[2], I[3], I[4], I[5]};
  link->mass = m;
  link->h = v3_scale(m, c);
  link->J = s3_shift(s3_back(m3_transpose(link_in_body.R), about_com), m, c);
}


// append the links of a joint, seen from the body on one side; the number of the last goes into *last
static artStatus lay_chain(treeWork *w, int j, int parent, const elementary *chain, int n,
                           int *last)
{
  static const int positions[] = {0, 1, 1, 1, 4, 7}, velocities[] = {0, 1, 1, 1, 3, 6};
  artModel *m = w->m;
  modelJoint *joint = &m->joint[j];
  const artJointDef *def = &RECORD(w->b->joints, jointRecord, j)->def;
  const int side = w->ends[j].body[1] == parent;
  joint->link = w->nlink;
  joint->nlink = n;
  joint->q0 = m->tree.nq;
  joint->v0 = m->tree.nv;

  // the joint's frame in the link of the parent body
  modelPose base = pose_compose(pose_inverse(w->link_in_body[parent]), w->ends[j].end[side]);
  *last = m->body[parent].link;
  for (int k = 0; k < n; k++) {
    const modelPose aligned = {m3_mul_m3(chain[k].align, base.R), base.r};
    treeLink *link = &m->tree.link[w->nlink];
    *link = (treeLink){.parent = *last,
                       .kind = chain[k].kind,
                       .q0 = m->tree.nq,
                       .v0 = m->tree.nv,
                       .nv = velocities[chain[k].kind],
                       .R = aligned.R,
                       .p = aligned.r,
                       .pitch = def->pitch,
                       .rotor = def->rotor,
                       .has_rotor = def->rotor > 0};
    m->tree.nq += positions[chain[k].kind];
    m->tree.nv += link->nv;

    // the next joint frame in this link
    base = (modelPose){m3_transpose(chain[k].align), {0, 0, 0}};
    *last = w->nlink++;
  }
  joint->nq = m->tree.nq - joint->q0;
  joint->nv = m->tree.nv - joint->v0;
  return name_coordinates(m, j, w->error);
}


// the elementary joints of a joint in the direction of the tree; returns their number
static int see_chain(const treeWork *w, int j, elementary chain[3])
{
  const int n = decompose(&RECORD(w->b->joints, jointRecord, j)->def, chain);
  if (w->m->joint[j].is_reversed) reverse(chain, n);
  return n;
}


// append the links of the joint that leads to a body
static artStatus lay_body(treeWork *w, int body)
{
  artModel *m = w->m;
  const int j = w->tree_joint[body], child = m->joint[j].is_reversed ? 0 : 1;
  elementary chain[3];
  const int n = see_chain(w, j, chain);
  const artStatus status =
      lay_chain(w, j, w->ends[j].body[1 - child], chain, n, &m->body[body].link);
  if (status != ART_OK) return status;

  // the frame of the last link in the body behind it: the joint's frame on the body's side
  w->link_in_body[body] =
      pose_compose(w->ends[j].end[child], (modelPose){chain[n - 1].align, {0, 0, 0}});
  lay_inertia(&m->tree.link[m->body[body].link], &RECORD(w->b->bodies, bodyRecord, body - 1)->def,
              w->link_in_body[body]);
  return ART_OK;
}


// append the links of a joint that closes a loop, up to the massless twin
static artStatus lay_twin(treeWork *w, int j)
{
  elementary chain[3];
  const int n = see_chain(w, j, chain);
  return lay_chain(w, j, w->ends[j].body[1 - w->twin_side[j]], chain, n, &w->m->joint[j].twin);
}


// the successor of a body in the tree across the end e of a joint: a body, a twin as ~joint, or 0
static int next_across(const treeWork *w, int body, int e)
{
  const int j = e / 2, other = w->ends[j].body[1 - e % 2];
  if (w->twin_side[j] >= 0) return e % 2 != w->twin_side[j] ? ~j : 0;
  return other > 0 && w->tree_joint[other] == j && w->tree_joint[body] != j ? other : 0;
}


// depth first in the order of the file, so that each branch has consecutive links
static artStatus lay_all_links(treeWork *w, int *stack)
{
  artModel *m = w->m;
  int depth = 0;
  stack[depth++] = 0;
  m->tree.link[0] = (treeLink){.R = m3_identity()};
  w->nlink = 1;
  w->link_in_body[0] = pose_identity();

  while (depth > 0) {
    const int next = stack[--depth];
    const artStatus status = next < 0 ? lay_twin(w, ~next) : next > 0 ? lay_body(w, next) : ART_OK;
    if (status != ART_OK) return status;
    if (next < 0) continue;

    // push the children in reverse, so that the first of the file is taken first
    const int bottom = depth;
    for (int e = w->first[next]; e >= 0; e = w->next[e]) {
      const int child = next_across(w, next, e);
      if (child != 0) stack[depth++] = child;
    }
    for (int a = bottom, z = depth - 1; a < z; a++, z--) {
      const int swap = stack[a];
      stack[a] = stack[z];
      stack[z] = swap;
    }
  }
  m->tree.n = w->nlink;
  return ART_OK;
}


// which coordinate comes before which on the way to ground
static artStatus index_coordinates(artModel *m, artError *error)
{
  treeModel *t = &m->tree;
  t->dof_link = arena_alloc(&m->arena, (size_t) t->nv, sizeof *t->dof_link);
  t->dof_parent = arena_alloc(&m->arena, (size_t) t->nv, sizeof *t->dof_parent);
  t->dof_run = arena_alloc(&m->arena, (size_t) t->nv, sizeof *t->dof_run);
  int *last = arena_alloc(&m->arena, (size_t) t->n, sizeof *last); // coordinate that moves a link
  if (!t->dof_link || !t->dof_parent || !t->dof_run || !last) return base_no_memory(error);

  last[0] = -1;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    last[i] = last[link->parent];
    for (int k = link->v0; k < link->v0 + link->nv; k++) {
      t->dof_link[k] = i;
      t->dof_parent[k] = last[i];
      t->dof_run[k] = k > 0 && last[i] == k - 1 ? t->dof_run[k - 1] : k;
      last[i] = k;
    }
  }
  return ART_OK;
}


// one reference point per tree: its first link with mass, near the bodies wherever they travel
static artStatus choose_anchors(artModel *m, artError *error)
{
  treeModel *t = &m->tree;
  t->anchor = arena_alloc(&m->arena, (size_t) t->n, sizeof *t->anchor);
  int *root = arena_alloc(&m->arena, (size_t) t->n, sizeof *root);
  int *heavy = arena_alloc(&m->arena, (size_t) t->n, sizeof *heavy); // of a root; 0: not yet found
  if (!t->anchor || !root || !heavy) return base_no_memory(error);

  for (int i = 1; i < t->n; i++) {
    const int p = t->link[i].parent;
    root[i] = p == 0 ? i : root[p];
    if (t->link[i].mass > 0 && heavy[root[i]] == 0) heavy[root[i]] = i;
  }
  for (int i = 1; i < t->n; i++) t->anchor[i] = heavy[root[i]] ? heavy[root[i]] : root[i];
  return ART_OK;
}


// frames move from the axes of their bodies to the axes of the links
static void move_frames(treeWork *w)
{
  artModel *m = w->m;
  for (int i = 0; i < m->nframe; i++) {
    modelFrame *frame = &m->frame[i];
    const modelPose in_link =
        pose_compose(pose_inverse(w->link_in_body[frame->body]), (modelPose){frame->R, frame->r});
    frame->R = in_link.R;
    frame->r = in_link.r;
    frame->link = m->body[frame->body].link;
  }
  for (int i = 0; i < m->nbody; i++) m->body[i].reference = pose_to_art(w->reference[i]);
}


// a rod without a length has that of the reference configuration
static artStatus measure_rod(treeWork *w, modelCut *cut)
{
  if (cut->type != ART_ROD || cut->length > 0) return ART_OK;
  const jointEnds *ends = &w->ends[cut->joint];
  const modelPose from = pose_compose(w->reference[ends->body[0]], ends->end[0]);
  const modelPose to = pose_compose(w->reference[ends->body[1]], ends->end[1]);
  const v3 span = v3_sub(to.r, from.r);
  cut->length = sqrt(v3_dot(span, span));
  if (cut->length > 0) return ART_OK;
  const modelJoint *joint = &w->m->joint[cut->joint];
  return base_fail(w->error, ART_BAD_INPUT, joint->place,
                   "rod '%s' has no length: its ends coincide at the reference configuration; give "
                   "'length', or make it a spherical joint",
                   joint->name);
}


// where the joint's frame is on one side of a cut, in the axes of the link there
static cutSide lay_side(const treeWork *w, int j, int side)
{
  const int of_twin = w->twin_side[j];
  if (side == 0 && of_twin >= 0) {
    elementary chain[3];
    const int n = see_chain(w, j, chain);
    return (cutSide){.link = w->m->joint[j].twin, .R = m3_transpose(chain[n - 1].align)};
  }
  const int at = of_twin >= 0 ? of_twin : side, body = w->ends[j].body[at];
  const modelPose end = pose_compose(pose_inverse(w->link_in_body[body]), w->ends[j].end[at]);
  return (cutSide){.link = w->m->body[body].link, .R = end.R, .r = end.r};
}


// cuts keep the joint's frame on both sides, in the axes of the links
static artStatus keep_cuts(treeWork *w)
{
  artModel *m = w->m;
  m->cut = arena_alloc(&m->arena, (size_t) m->ncut, sizeof *m->cut);
  if (!m->cut) return base_no_memory(w->error);
  modelCut *cut = m->cut;
  for (int j = 0; j < m->njoint; j++) {
    if (!model_closes_loop(&m->joint[j])) continue;
    m->joint[j].cut = (int) (cut - m->cut);
    const jointRecord *record = RECORD(w->b->joints, jointRecord, j);
    const artJointDef *def = &record->def;
    *cut = (modelCut){.joint = j,
                      .type = w->twin_side[j] >= 0 ? ART_FIXED : def->type,
                      .reason = record->is_bar ? SPAN_BAR : span_reason(&w->graph[j]),
                      .pitch = def->pitch,
                      .length = def->length,
                      .mass = def->type == ART_ROD ? def->mass : 0};
    for (int side = 0; side < 2; side++) {
      cut->side[side] = lay_side(w, j, side);
      treeLink *link = &m->tree.link[cut->side[side].link];
      if (link == m->tree.link) continue;

      // a sixth of a rod's mass at the point of a link where it ends (data/rod.h)
      const double sixth = cut->mass / 6;
      const v3 r = cut->side[side].r;
      link->mass += sixth;
      link->h = v3_add(link->h, v3_scale(sixth, r));
      link->J = s3_shift(link->J, sixth, r);
    }
    cut->axis2 = m->joint[j].axis2;
    const artStatus status = measure_rod(w, cut);
    if (status != ART_OK) return status;
    cut++;
  }
  return ART_OK;
}


//---- all together --------------------------------------------------------------------------------


static artStatus take_memory(treeWork *w, baseArena *scratch)
{
  artModel *m = w->m;
  const size_t nb = (size_t) m->nbody, nj = (size_t) w->b->joints.count;
  w->ends = arena_alloc(scratch, nj, sizeof *w->ends);
  w->first = arena_alloc(scratch, nb, sizeof *w->first);
  w->next = arena_alloc(scratch, 2 * nj, sizeof *w->next);
  w->use = arena_alloc(scratch, nj, sizeof *w->use);
  w->graph = arena_alloc(scratch, nj, sizeof *w->graph);
  w->tree_joint = arena_alloc(scratch, nb, sizeof *w->tree_joint);
  w->order = arena_alloc(scratch, nb + nj, sizeof *w->order);
  w->twin_side = arena_alloc(scratch, nj, sizeof *w->twin_side);
  w->reference = arena_alloc(scratch, nb, sizeof *w->reference);
  w->link_in_body = arena_alloc(scratch, nb, sizeof *w->link_in_body);

  // no joint has more than three links, seven positions and six velocities
  m->tree.link = arena_alloc(&m->arena, 3 * nj + 1, sizeof *m->tree.link);
  m->position = arena_alloc(&m->arena, 7 * nj, sizeof *m->position);
  m->velocity = arena_alloc(&m->arena, 6 * nj, sizeof *m->velocity);
  const int complete = w->ends && w->first && w->next && w->use && w->graph && w->tree_joint &&
                       w->order && w->twin_side && w->reference && w->link_in_body &&
                       m->tree.link && m->position && m->velocity;
  return complete ? ART_OK : base_no_memory(w->error);
}


// where joints are in their bodies, for whoever draws them
static void keep_ends(treeWork *w)
{
  for (int j = 0; j < w->m->njoint; j++) {
    const artJointDef *def = &RECORD(w->b->joints, jointRecord, j)->def;
    modelJoint *joint = &w->m->joint[j];
    for (int side = 0; side < 2; side++) joint->end[side] = pose_to_art(w->ends[j].end[side]);
    const m3 first = pose_align(def->axis, (double[3]){0});
    joint->axis2 = m3_mul(first, (v3){def->axis2[0], def->axis2[1], def->axis2[2]});
  }
}


static artStatus lay_tree(treeWork *w)
{
  artModel *m = w->m;

  // chain the joints at each body, in the order of the file
  for (int i = 0; i < m->nbody; i++) w->first[i] = -1;
  for (int e = 2 * m->njoint - 1; e >= 0; e--) {
    const int body = w->ends[e / 2].body[e % 2];
    w->next[e] = w->first[body];
    w->first[body] = e;
  }
  artStatus status = span(w);
  if (status == ART_OK) status = check_span(w);
  if (status != ART_OK) return status;

  // frames given in bodies first: the reference poses follow from them
  for (int e = 0; e < 2 * m->njoint; e++) {
    if (!RECORD(w->b->joints, jointRecord, e / 2)->def.in_ground) lay_end(w, e / 2, e % 2);
  }
  w->reference[0] = pose_identity();
  w->size = machine_size(w);
  status = place_references(w);
  for (int j = 0; j < m->njoint && status == ART_OK; j++) status = check_as_ground(w, j);
  if (status != ART_OK) return status;
  for (int e = 0; e < 2 * m->njoint; e++) {
    if (RECORD(w->b->joints, jointRecord, e / 2)->def.in_ground) lay_end(w, e / 2, e % 2);
  }
  for (int j = 0; j < m->njoint; j++) m->ncut += m->joint[j].is_cut || w->twin_side[j] >= 0;
  status = model_align_ends(m, w->ends, w->tree_joint, w->order, w->error);
  if (status != ART_OK) return status;
  keep_ends(w);
  return lay_all_links(w, w->order);
}


artStatus model_compile_tree(artModel *m, const artBuilder *b, artError *error)
{
  baseArena scratch = {0};
  treeWork w = {.b = b, .m = m, .error = error};
  m->tree.gravity = (v3){b->gravity[0], b->gravity[1], b->gravity[2]};

  artStatus status = name_bodies(m, b, error);
  if (status == ART_OK) status = name_frames(m, b, error);
  if (status == ART_OK) status = take_memory(&w, &scratch);
  if (status == ART_OK) status = name_joints(&w);
  if (status == ART_OK) status = lay_tree(&w);
  if (status == ART_OK) status = index_coordinates(m, error);
  if (status == ART_OK) status = choose_anchors(m, error);
  if (status == ART_OK) move_frames(&w);
  if (status == ART_OK) status = keep_cuts(&w);
  arena_free(&scratch);
  return status;
}


//---- initial values ------------------------------------------------------------------------------


static artStatus set_initial(artModel *m, const initialRecord *record, artError *error)
{
  const artPlace place = record->head.where.place;
  const int q = table_find(&m->positions, record->coordinate);
  const int v = table_find(&m->velocities, record->coordinate);
  if (q < 0 && v < 0) {
    const int cut = model_cut_named(m, record->coordinate);
    if (cut >= 0) {
      return base_fail(error, ART_BAD_INPUT, place,
                       "an initial value is given for '%s', but joint '%s' closes a loop and has "
                       "no coordinates of its own; leave it out, or keep the joint in the tree",
                       record->coordinate, m->joint[cut].name);
    }
    baseNearest nearest = {.word = record->coordinate};
    for (int k = 0; k < m->tree.nq; k++) base_consider(&nearest, m->position[k].name);
    for (int k = 0; k < m->tree.nv; k++) base_consider(&nearest, m->velocity[k].name);
    char hint[BASE_HINT_LENGTH];
    return base_fail(error, ART_BAD_INPUT, place,
                     "an initial value is given for '%s', which is no coordinate%s",
                     record->coordinate, base_hint(&nearest, hint));
  }
  const int partner = q >= 0 ? m->position[q].partner : v;
  if (partner >= 0 && m->tree.link[m->tree.dof_link[partner]].is_driven) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "an initial value is given for '%s', whose motion is prescribed by a drive; "
                     "remove one of them",
                     record->coordinate);
  }
  if (q >= 0) {
    m->q_initial[q] = record->value;
    m->is_given_q[q] = (char) !record->is_guess;
  } else {
    m->v_initial[v] = record->value;
    m->is_given_v[v] = (char) !record->is_guess;
  }
  return ART_OK;
}


// quaternions start as (1, 0, 0, 0), and are brought to length one once all values are in
static artStatus settle_quaternions(artModel *m, int finish, artError *error)
{
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    if (link->kind != LINK_SPHERICAL && link->kind != LINK_FREE) continue;
    const int first = link->q0 + (link->kind == LINK_FREE ? 3 : 0);
    double *e = m->q_initial + first;
    if (!finish) {
      e[0] = 1;
      continue;
    }
    const double norm = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    if (!(norm > 1e-100 && norm < 1e100)) {
      return base_fail(error, ART_BAD_INPUT, m->joint[m->position[first].joint].place,
                       "the initial quaternion of joint '%s' is (%g, %g, %g, %g), which has no "
                       "direction",
                       m->joint[m->position[first].joint].name, e[0], e[1], e[2], e[3]);
    }
    for (int k = 0; k < 4; k++) e[k] /= norm;
  }
  return ART_OK;
}


artStatus model_compile_initial(artModel *m, const artBuilder *b, artError *error)
{
  m->q_initial = arena_alloc(&m->arena, (size_t) m->tree.nq, sizeof *m->q_initial);
  m->v_initial = arena_alloc(&m->arena, (size_t) m->tree.nv, sizeof *m->v_initial);
  m->is_given_q = arena_alloc(&m->arena, (size_t) m->tree.nq, 1);
  m->is_given_v = arena_alloc(&m->arena, (size_t) m->tree.nv, 1);
  if (!m->q_initial || !m->v_initial || !m->is_given_q || !m->is_given_v) {
    return base_no_memory(error);
  }
  settle_quaternions(m, 0, error);
  for (int i = 0; i < b->initials.count; i++) {
    const artStatus status = set_initial(m, RECORD(b->initials, initialRecord, i), error);
    if (status != ART_OK) return status;
  }
  return settle_quaternions(m, 1, error);
}
