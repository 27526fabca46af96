// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From bodies and joints to the tree: frames, spanning tree, links, coordinates, initial values.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error_recovery.h"
#include "base/max_nan.h"
#include "base/throw.h"
#include "model/compile/ends.h"
#include "model/compile/lay_numbers.h"
#include "model/read/reader.h"
#include "model/solid/solid.h"
#include "spatial/pose.h"

typedef struct treeWork {
  const artBuilder *b;
  artModel *m;
  layPlan *plan;
  laying lay;
  int *first, *next; // joints at each body: ends 2j + side, chained
  spanUse *use;      // [njoint] of their coordinates
  spanJoint *graph;  // [njoint]
  int *tree_joint;   // [nbody] joint that leads to the body
  int *order;        // [nbody + njoint] bodies, parents before children
  double size;       // of the machine
  int nlink;
} treeWork;

//---- names ---------------------------------------------------------------------------------------


static void weigh_solids(modelBody *body, const artBodyDef *def)
{
  artSolidInertia found;
  const solidList list = {def->nsolid, def->solid};
  error_check(solid_mass_properties(list, def->mass, &found, error_current()));
  body->nsolid = def->nsolid;
  body->nturned = found.turned;
  body->mass = found.mass;
  memcpy(body->com, found.com, sizeof body->com);
  memcpy(body->inertia, found.inertia, sizeof body->inertia);
}


static void name_tree_bodies(artModel *m, const artBuilder *b)
{
  m->nbody = b->bodies.count + 1;
  m->body = arena_alloc(&m->arena, (size_t) m->nbody, sizeof *m->body);
  m->body[0] = (modelBody){.name = "ground", .reference = art_default_pose()};
  for (int i = 1; i < m->nbody; i++) {
    const bodyRecord *record = RECORD(b->bodies, bodyRecord, i - 1);
    m->body[i] = (modelBody){.name = arena_text(&m->arena, record->def.name),
                             .mass = record->def.mass,
                             .bar_note = record->bar_note,
                             .reference = record->def.pose};
    memcpy(m->body[i].com, record->def.com, sizeof m->body[i].com);
    memcpy(m->body[i].inertia, record->def.inertia, sizeof m->body[i].inertia);
    if (record->def.nsolid > 0) weigh_solids(&m->body[i], &record->def);
  }
  for (int i = 0; i < m->nbody; i++) {
    table_add(&m->bodies, &m->arena, m->body[i].name, i);
  }
}


static void name_frames(artModel *m, const artBuilder *b)
{
  m->nframe = m->nbody + b->frames.count;
  m->frame = arena_alloc(&m->arena, (size_t) m->nframe, sizeof *m->frame);
  for (int i = 0; i < m->nbody; i++) {
    m->frame[i] = (modelFrame){.name = m->body[i].name, .body = i};
  }
  for (int i = 0; i < b->frames.count; i++) {
    const frameRecord *record = RECORD(b->frames, frameRecord, i);
    const artPlace place = field_place(&record->head.where, "name");
    const int body = table_find(&m->bodies, record->body);
    if (body < 0) {
      char hint[BASE_HINT_LENGTH];
      baseNearest nearest = {.word = record->body, .context = "body name"};
      for (int k = 0; k < m->nbody; k++) base_consider(&nearest, m->body[k].name);
      error_refuse(place, "a frame names the body '%s', which is not defined%s", record->body,
                   base_hint(&nearest, hint));
    }
    if (table_find(&m->frames, record->name) >= 0) {
      recovery_note(RECOVERY_PLAIN, place, "frame '%s' is given twice", record->name);
    }
    modelFrame *frame = &m->frame[m->nbody + i];
    *frame = (modelFrame){.name = arena_text(&m->arena, record->name), .body = body};
    table_add(&m->frames, &m->arena, frame->name, m->nbody + i);
  }
  for (int i = 0; i < m->nbody; i++) {
    table_add(&m->frames, &m->arena, m->frame[i].name, i);
  }
}


int model_find_frame(const artModel *m, const char *name, artPlace place, const char *kind,
                     const char *item)
{
  const int i = table_find(&m->frames, name);
  if (i >= 0) return i;
  baseNearest nearest = {.word = name, .context = "body name"};
  recovery_pass(name);
  for (int k = 0; k < m->nframe; k++) base_consider(&nearest, m->frame[k].name);
  char hint[BASE_HINT_LENGTH];
  recovery_note(RECOVERY_PLAIN, place, "%s '%.150s' names the %s '%s', which is not defined%s",
                kind, item, strchr(name, '.') ? "frame or point" : "body", name,
                base_hint(&nearest, hint));
  if (!base_guess(&nearest)) recovery_drop();
  return table_find(&m->frames, base_guess(&nearest));
}


//---- joints as a graph ---------------------------------------------------------------------------


static void name_joint(void *context, int j)
{
  treeWork *w = context;
  artModel *m = w->m;
  const jointRecord *record = RECORD(w->b->joints, jointRecord, j);
  const artJointDef *def = &record->def;
  for (int side = 0; side < 2; side++) {
    const artPlace place = field_place(&record->head.where, side ? "to" : "from");
    const int frame = model_find_frame(m, side ? def->to : def->from, place, "joint", def->name);
    w->lay.ends[j].body[side] = m->frame[frame].body;
    w->plan->joint[j].body[side] = m->frame[frame].body;
    w->plan->joint[j].frame[side] = w->plan->frame[frame].pose;
    w->lay.ends[j].end[side] = lay_pose(&w->lay, w->plan->frame[frame].pose);
  }
  if (w->lay.ends[j].body[0] == w->lay.ends[j].body[1]) {
    error_refuse(field_place(&record->head.where, "to"), "joint '%s' connects '%s' with itself",
                 def->name, m->body[w->lay.ends[j].body[0]].name);
  }
  modelJoint *joint = &m->joint[j];
  *joint = (modelJoint){.name = arena_text(&m->arena, def->name),
                        .type = def->type,
                        .from = w->lay.ends[j].body[0],
                        .to = w->lay.ends[j].body[1],
                        .is_cut = 1,
                        .place = record->head.where.place};
  model_keep_place(m, &joint->place);
  table_add(&m->joints, &m->arena, joint->name, j);
}


static void name_tree_joints(treeWork *w)
{
  artModel *m = w->m;
  m->njoint = w->b->joints.count;
  const size_t room = (size_t) (m->njoint + w->b->latches.count);
  m->joint = arena_alloc(&m->arena, room, sizeof *m->joint);
  MODEL_EACH(w->b->joints, jointRecord, def.name, name_joint, w);
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
  ART_ASSERT(j >= 0 && j < w->m->njoint);
  modelJoint *joint = &w->m->joint[j];
  const int has_coordinates = joint_kinds[joint->type].coordinate->name != NULL;
  w->plan->joint[j].twin_side = -1;
  if (!joint->is_cut || !has_coordinates || w->use[j] == SPAN_UNUSED) return;
  const modelBody *body = w->m->body;
  joint->is_reversed = !joint_is_directed(joint->type) && !body_has_inertia(&body[joint->to]) &&
                       body_has_inertia(&body[joint->from]);
  joint->is_cut = 0;
  w->plan->joint[j].twin_side = !joint->is_reversed;
}


// choose the joints of the tree; the others close loops
static void span_joint_graph(treeWork *w)
{
  artModel *m = w->m;
  model_joint_uses(m, w->b, w->use);
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    const int keep = RECORD(w->b->joints, jointRecord, j)->def.keep;
    w->graph[j] = (spanJoint){joint->type, {joint->from, joint->to}, keep, w->use[j]};
  }
  const spanGraph graph = {m->nbody, m->njoint, w->graph};
  const int reached = span_find(&graph, w->tree_joint, w->order);
  if (reached < 0) error_throw();

  for (int i = 0; i < m->nbody; i++) {
    const int j = m->body[i].joint = w->tree_joint[i];
    if (j < 0) continue;
    m->joint[j].is_cut = 0;
    m->joint[j].is_reversed = m->joint[j].from == i;
  }
  for (int j = 0; j < m->njoint; j++) choose_twin(w, j);
}


// Where mistakes are collected: a body, and all that it leads to, hang on nothing.
static void leave_hanging(const treeWork *w, int body)
{
  int n = 0;
  recovery_hang(recovery_list(), w->m->body[body].name);
  w->tree_joint[w->order[n++] = body] = 0;
  while (n > 0) {
    for (int e = w->first[w->order[--n]]; e >= 0; e = w->next[e]) {
      const int other = w->lay.ends[e / 2].body[1 - e % 2];
      if (w->tree_joint[other] < 0) w->tree_joint[w->order[n++] = other] = 0;
    }
  }
}


// every body is reached
static void check_reached(const treeWork *w)
{
  const artModel *m = w->m;
  for (int i = 1; i < m->nbody; i++) {
    if (w->tree_joint[i] >= 0) continue;
    const bodyRecord *record = RECORD(w->b->bodies, bodyRecord, i - 1);
    if (!recovery_list() || !recovery_list()->has_lost_joints) {
      recovery_note(RECOVERY_ALWAYS, record->head.where.place,
                    w->first[i] >= 0
                        ? "body '%s' hangs on nothing: no chain of joints leads from it to ground; "
                          "add a joint (type: free for a body that flies)"
                        : "body '%s' hangs on nothing: no joint names it; add a joint (type: free "
                          "for a body that flies)",
                    m->body[i].name);
    }
    leave_hanging(w, i);
  }
  if (recovery_list() && recovery_list()->nhanging > 0) recovery_drop();
}


// joints that are to be kept are in the tree, and ball joints lead away from ground
static void check_span(const treeWork *w)
{
  const artModel *m = w->m;
  const bool has_lost_joints = recovery_list() && recovery_list()->has_lost_joints;
  bool is_sound = true;
  for (int j = 0; j < m->njoint; j++) {
    const jointRecord *record = RECORD(w->b->joints, jointRecord, j);
    const modelJoint *joint = &m->joint[j];
    if (record->def.keep <= 0 || !joint->is_cut || has_lost_joints) continue;
    const artPlace place = field_place(&record->head.where, "keep");
    if (!joint_is_directed(joint->type)) {
      recovery_note(RECOVERY_PLAIN, place,
                    "joint '%s' cannot be kept in the tree: the other kept joints close a loop "
                    "with it",
                    joint->name);
      continue;
    }
    recovery_note(RECOVERY_PLAIN, place,
                  "%s joint '%s' cannot be kept in the tree, which reaches '%s' before '%s'; "
                  "swap its 'from' and 'to', or keep other joints",
                  art_joint_type_name(joint->type), joint->name, m->body[joint->to].name,
                  m->body[joint->from].name);
  }
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (!joint->is_reversed || joint->is_cut || !joint_is_directed(joint->type)) continue;
    if (!has_lost_joints) {
      recovery_note(RECOVERY_PLAIN, joint->place,
                    "%s joint '%s' leads from '%s' towards ground; swap its 'from' and 'to', for "
                    "its coordinates describe 'to' as seen from 'from'",
                    art_joint_type_name(joint->type), joint->name, m->body[joint->from].name);
    }
    recovery_lose(joint->name);
    is_sound = false;
  }
  if (!is_sound) recovery_drop();
}


//---- reference configuration and joint frames ----------------------------------------------------


// the size of the machine: the farthest stated position, or joint's frame in its body
static double machine_size(const treeWork *w)
{
  double square = 0;
  for (int i = 1; i < w->m->nbody; i++) {
    const v3 r = pose_from_art(&RECORD(w->b->bodies, bodyRecord, i - 1)->def.pose).r;
    square = fmax(square, v3_dot(r, r));
  }
  for (int e = 0; e < 2 * w->m->njoint; e++) {
    const v3 r = w->lay.ends[e / 2].end[e % 2].r;
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
static void check_stated(const treeWork *w, int body, modelPose placed)
{
  ART_ASSERT(body > 0 && body < w->m->nbody);
  const bodyRecord *record = RECORD(w->b->bodies, bodyRecord, body - 1);
  const modelPose stated = pose_from_art(&record->def.pose);
  const artPlace place = field_place(&record->head.where, "pose");
  const char *joint = w->m->joint[w->tree_joint[body]].name;
  if (!is_same_place(w, stated.r, placed.r)) {
    recovery_note(RECOVERY_PLAIN, place,
                  "body '%s' states the position (%.6g, %.6g, %.6g), but joint '%s' has no 'at' "
                  "and puts it at (%.6g, %.6g, %.6g) when its coordinates are zero; give the "
                  "joint 'at', or leave position and orientation out and give frames or "
                  "initial values",
                  record->def.name, stated.r.x, stated.r.y, stated.r.z, joint, placed.r.x,
                  placed.r.y, placed.r.z);
    return;
  }
  // R_placed R_stated^T is a turn by the angle a: its quaternion has the vector part sin(a/2)
  double q[4];
  pose_quaternion(m3_mul_m3(placed.R, m3_transpose(stated.R)), q);
  const double angle = 2 * asin(fmin(1, sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])));
  if (angle <= 1e-5) return;
  recovery_note(RECOVERY_PLAIN, place,
                "body '%s' states an attitude that is turned by %.6g deg against the one that "
                "joint '%s', which has no 'at', gives it when its coordinates are zero; give "
                "the joint 'at', or leave position and orientation out and give frames or "
                "initial values",
                record->def.name, angle * 180 / acos(-1.0), joint);
}


// Place the bodies at the reference configuration, outward along the tree: by the frames of the
// joint, or where the joint is given in ground as the body states. A body that states nothing then
// has the frame of ground.
static void place_references(treeWork *w)
{
  for (int k = 1; k < w->m->nbody; k++) {
    const int body = w->order[k], j = w->tree_joint[body];
    const artBodyDef *def = &RECORD(w->b->bodies, bodyRecord, body - 1)->def;
    const artJointDef *joint = &RECORD(w->b->joints, jointRecord, j)->def;
    if (joint->in_ground) {
      const double *at = joint->at;
      w->lay.reference[body] = lay_pose(&w->lay, w->plan->body[body].pose);
      w->m->body[body].is_as_ground = !def->has_pose && (at[0] != 0 || at[1] != 0 || at[2] != 0);
      continue;
    }
    w->lay.reference[body] = lay_placed(&w->lay, body);
    if (!def->has_pose) continue;
    check_stated(w, body, w->lay.reference[body]);
  }
}


// A body that has the frame of ground for want of a position cannot also hang on the frames of
// another joint that closes a loop, unless these put it in the same place.
static void check_as_ground(const treeWork *w, int j)
{
  const jointRecord *record = RECORD(w->b->joints, jointRecord, j);
  if (record->def.in_ground || joint_only_closes(record->def.type) || !w->m->joint[j].is_cut)
    return;
  const jointEnds *ends = &w->lay.ends[j];
  modelPose end[2];
  int silent = 0;
  for (int side = 0; side < 2; side++) {
    end[side] = pose_compose(w->lay.reference[ends->body[side]], ends->end[side]);
    if (w->m->body[ends->body[side]].is_as_ground) silent = ends->body[side];
  }
  if (silent == 0 || is_same_place(w, end[0].r, end[1].r)) return;
  const v3 gap = v3_sub(end[1].r, end[0].r);
  const char *name = w->m->body[silent].name;
  recovery_note(RECOVERY_PLAIN, record->head.where.place,
                "joint '%s' has no 'at' and body '%s' no position: joint '%s', which has an "
                "'at', takes the frame of ground for it, where the ends of '%s' are %.6g m "
                "apart; give the body a position",
                record->def.name, name, w->m->joint[w->tree_joint[silent]].name, record->def.name,
                sqrt(v3_dot(gap, gap)));
}


//---- links ---------------------------------------------------------------------------------------

// The names of a joint's coordinates, in its own order: the links of a chain that is seen from `to` are in the
// opposite one. Quaternions are no integrals of velocities.
static void name_joint_coordinates(artModel *m, int j)
{
  ART_ASSERT(j >= 0 && j < m->njoint);
  const modelJoint *joint = &m->joint[j];
  const int is_directed = joint_is_directed(joint->type);
  int count[2] = {0, 0};
  for (const jointCoordinate *c = joint_kinds[joint->type].coordinate; c->name; c++) {
    const int nth = count[c->is_position]++;
    const int at = joint->is_reversed && joint->nlink > 1 ? joint->nlink - 1 - nth : nth;
    const int has_partner = !is_directed || c->quantity == Q_LENGTH || c->quantity == Q_VELOCITY;
    const int k = (c->is_position ? joint->q0 : joint->v0) + at;
    const int partner = (c->is_position ? joint->v0 : joint->q0) + at;
    const char *full = arena_format(&m->arena, "%s.%s", joint->name, c->name);
    baseTable *table = c->is_position ? &m->positions : &m->velocities;
    table_add(table, &m->arena, full, k);
    (c->is_position ? m->position : m->velocity)[k] = (modelCoordinate){
        full, j, field_dimension(c->quantity, AXIS_LINEAR), has_partner ? partner : -1};
  }
}


// append the n links of a joint to that of a body; the number of the last goes into *last
static void append_links(treeWork *w, int j, int parent, const elementary *chain, int n, int *last)
{
  ART_ASSERT(n >= 1 && n <= 3 && parent >= 0 && parent < w->m->nbody);
  static const int positions[] = {0, 1, 1, 1, 4, 7}, velocities[] = {0, 1, 1, 1, 3, 6};
  artModel *m = w->m;
  modelJoint *joint = &m->joint[j];
  w->plan->joint[j].link = joint->link = w->nlink;
  w->plan->joint[j].nlink = joint->nlink = n;
  joint->q0 = m->tree.nq;
  joint->v0 = m->tree.nv;
  *last = m->body[parent].link;
  for (int k = 0; k < n; k++) {
    treeLink *link = &m->tree.link[w->nlink];
    *link = (treeLink){.parent = *last,
                       .kind = chain[k].kind,
                       .q0 = m->tree.nq,
                       .v0 = m->tree.nv,
                       .nv = velocities[chain[k].kind],
                       .has_rotor = *w->plan->joint[j].rotor > 0};
    m->tree.nq += positions[chain[k].kind];
    m->tree.nv += link->nv;
    *last = w->nlink++;
  }
  joint->nq = m->tree.nq - joint->q0;
  joint->nv = m->tree.nv - joint->v0;
  name_joint_coordinates(m, j);
}


// append the links of the joint that leads to a body
static void append_body(treeWork *w, int body)
{
  ART_ASSERT(w->tree_joint[body] >= 0);
  artModel *m = w->m;
  const int j = w->tree_joint[body], child = m->joint[j].is_reversed ? 0 : 1;
  elementary chain[3];
  const int n = lay_chain(&w->lay, j, chain), first = w->nlink;
  append_links(w, j, w->lay.ends[j].body[1 - child], chain, n, &m->body[body].link);
  w->plan->body[body].link = m->body[body].link;
  lay_body(&w->lay, body, chain, n, &m->tree.link[first]);
}


// append the links of a joint that closes a loop, up to the massless twin
static void append_twin(treeWork *w, int j)
{
  elementary chain[3];
  const int n = lay_chain(&w->lay, j, chain), first = w->nlink;
  const int parent = w->lay.ends[j].body[1 - w->plan->joint[j].twin_side];
  append_links(w, j, parent, chain, n, &w->m->joint[j].twin);
  lay_links(&w->lay, j, parent, chain, n, &w->m->tree.link[first]);
}


// the successor of a body in the tree across the end e of a joint: a body, a twin as ~joint, or 0
static int next_across(const treeWork *w, int body, int e)
{
  const int j = e / 2, other = w->lay.ends[j].body[1 - e % 2];
  if (w->plan->joint[j].twin_side >= 0) return e % 2 != w->plan->joint[j].twin_side ? ~j : 0;
  return other > 0 && w->tree_joint[other] == j && w->tree_joint[body] != j ? other : 0;
}


// depth first in the order of the file, so that each branch has consecutive links
static void lay_all_links(treeWork *w, int *stack)
{
  artModel *m = w->m;
  int depth = 0;
  stack[depth++] = 0;
  m->tree.link[0] = (treeLink){.R = m3_identity()};
  w->nlink = 1;
  w->lay.link_in_body[0] = pose_identity();

  while (depth > 0) {
    const int next = stack[--depth];
    if (next > 0) append_body(w, next);
    if (next < 0) {
      append_twin(w, ~next);
      continue;
    }

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
}


// which coordinate comes before which on the way to ground
static void index_coordinates(artModel *m)
{
  treeModel *t = &m->tree;
  t->dof_link = arena_alloc(&m->arena, (size_t) t->nv, sizeof *t->dof_link);
  t->dof_parent = arena_alloc(&m->arena, (size_t) t->nv, sizeof *t->dof_parent);
  t->dof_run = arena_alloc(&m->arena, (size_t) t->nv, sizeof *t->dof_run);
  int *last = arena_alloc(&m->arena, (size_t) t->n, sizeof *last); // coordinate that moves a link

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
}


// one reference point per tree: its first link with mass, near the bodies where they travel
static void choose_anchors(artModel *m)
{
  treeModel *t = &m->tree;
  t->anchor = arena_alloc(&m->arena, (size_t) t->n, sizeof *t->anchor);
  int *root = arena_alloc(&m->arena, (size_t) t->n, sizeof *root);
  int *heavy = arena_alloc(&m->arena, (size_t) t->n, sizeof *heavy); // of a root; 0: not yet found

  for (int i = 1; i < t->n; i++) {
    const int p = t->link[i].parent;
    root[i] = p == 0 ? i : root[p];
    if (t->link[i].mass > 0 && heavy[root[i]] == 0) heavy[root[i]] = i;
  }
  for (int i = 1; i < t->n; i++) t->anchor[i] = heavy[root[i]] ? heavy[root[i]] : root[i];
}


// frames move from the axes of their bodies to the axes of the links
static void move_frames(treeWork *w)
{
  artModel *m = w->m;
  for (int i = 0; i < m->nframe; i++) {
    modelFrame *frame = &m->frame[i];
    const modelPose in_link =
        lay_in_link(&w->lay, frame->body, lay_pose(&w->lay, w->plan->frame[i].pose));
    frame->R = in_link.R;
    frame->r = in_link.r;
    frame->link = m->body[frame->body].link;
  }
  for (int i = 0; i < m->nbody; i++) m->body[i].reference = pose_to_art(w->lay.reference[i]);
}


// A shorter rod has no direction that rounding of its ends, at these distances from their links, would leave.
static double shortest_rod(const treeWork *w, const modelCut *cut)
{
  const v3 a = cut->side[0].r, b = cut->side[1].r;
  const double ends = sqrt(max_nan(v3_dot(a, a), v3_dot(b, b)));
  return 1e-12 * max_nan(ends, lay_span(&w->lay, cut->joint));
}


// a rod without a length has that of the reference configuration
static void measure_rod(treeWork *w, modelCut *cut)
{
  if (!joint_is_rod(cut->type)) return;
  const modelJoint *joint = &w->m->joint[cut->joint];
  const double shortest = shortest_rod(w, cut);
  if (!(cut->length > 0)) cut->length = lay_span(&w->lay, cut->joint);
  if (cut->length > 0 && cut->length < shortest) {
    recovery_note(
        RECOVERY_PLAIN, joint->place,
        "rod '%s' is %.3g m long: rounding of the places of its ends hides its direction, "
        "which takes at least %.3g m here; make it a spherical joint",
        joint->name, cut->length, shortest);
  }
  if (cut->length > 0) return;
  recovery_note(RECOVERY_PLAIN, joint->place,
                "rod '%s' has no length: its ends coincide at the reference configuration; give "
                "'length', or make it a spherical joint",
                joint->name);
}


// cuts keep the joint's frame on both sides, in the axes of the links
static void keep_cuts(treeWork *w)
{
  artModel *m = w->m;
  const size_t room = (size_t) (m->ncut + w->b->latches.count);
  m->cut = arena_alloc(&m->arena, room, sizeof *m->cut);
  modelCut *cut = m->cut;
  for (int j = 0; j < m->njoint; j++) {
    if (!model_closes_loop(&m->joint[j])) continue;
    w->plan->cut[w->plan->ncut] = j;
    m->joint[j].cut = w->plan->ncut++;
    const jointRecord *record = RECORD(w->b->joints, jointRecord, j);
    const artJointDef *def = &record->def;
    *cut = (modelCut){.joint = j,
                      .type = w->plan->joint[j].twin_side >= 0 ? ART_FIXED : def->type,
                      .reason = record->is_bar ? SPAN_BAR : span_reason(&w->graph[j]),
                      .pitch = def->pitch,
                      .length = def->length,
                      .mass = joint_is_rod(def->type) ? def->mass : 0};
    for (int side = 0; side < 2; side++) {
      const laidSide laid = lay_side(&w->lay, j, side);
      const int link = laid.of_twin ? m->joint[j].twin : m->body[laid.body].link;
      cut->side[side] = (cutSide){.link = link, .R = laid.R, .r = laid.r};
      if (link > 0) lay_rod_share(&m->tree.link[link], cut->mass, laid.r);
    }
    cut->axis2 = m->joint[j].axis2;
    if (joint_roll(cut->type)) {
      const v3 a = cut->axis2;
      const double size = sqrt(v3_dot(a, a));
      if (size > 0) cut->axis2 = v3_scale(1 / size, a);
      model_take_surface(w->b, record, &cut->on);
    }
    artJointDef closing = *def;
    closing.type = cut->type;
    cut->kind = joint_closing_rows(&closing, &cut->nrow);
    measure_rod(w, cut);
    cut++;
  }
}


//---- the plan ------------------------------------------------------------------------------------


static layJoint plan_joint(const jointRecord *record)
{
  const jointRecord *own = record->origin ? record->origin : record;
  const artJointDef *def = &own->def;
  const layBar *bar = record->bar;
  return (layJoint){
      .type = record->def.type,
      .in_ground = record->def.in_ground != 0,
      .offset = {bar ? bar->outer[0] : &def->from_offset, bar ? bar->outer[1] : &def->to_offset},
      .at = {bar ? bar->at[0] : def->at, bar ? bar->at[1] : def->at},
      .axis = def->axis,
      .axis2 = def->axis2,
      .pitch = &def->pitch,
      .rotor = &def->rotor,
      .length = &def->length,
      .surface_radius = &def->surface_radius,
      .half_angle = &def->half_angle,
      .mass = bar ? bar->mass : &def->mass,
      .bar = bar};
}


// addresses of all numbers that the tree is laid from
static void make_lay_plan(treeWork *w)
{
  baseArena *arena = &w->m->arena;
  const artBuilder *b = w->b;
  layPlan *plan = w->plan = arena_alloc(arena, 1, sizeof *plan);
  plan->nbody = b->bodies.count + 1;
  plan->njoint = b->joints.count;
  plan->nframe = plan->nbody + b->frames.count;
  plan->body = arena_alloc(arena, (size_t) plan->nbody, sizeof *plan->body);
  plan->joint = arena_alloc(arena, (size_t) plan->njoint, sizeof *plan->joint);
  plan->frame = arena_alloc(arena, (size_t) plan->nframe, sizeof *plan->frame);
  plan->order = arena_alloc(arena, (size_t) plan->nbody, sizeof *plan->order);
  plan->cut = arena_alloc(arena, (size_t) plan->njoint, sizeof *plan->cut);
  w->lay.plan = plan;
  for (int i = 0; i < plan->nbody; i++) plan->frame[i].body = i;
  for (int i = 1; i < plan->nbody; i++) {
    const bodyRecord *record = RECORD(b->bodies, bodyRecord, i - 1);
    const artBodyDef *def = record->origin ? &record->origin->def : &record->def;
    plan->body[i] =
        (layBody){.mass = &def->mass, .com = def->com, .inertia = def->inertia, .pose = &def->pose};
    if (def->nsolid > 0) solid_plan(def, arena, &plan->body[i].solids);
  }
  for (int i = plan->nbody; i < plan->nframe; i++) {
    const frameRecord *record = RECORD(b->frames, frameRecord, i - plan->nbody);
    const artPose *pose = record->origin ? &record->origin->pose : &record->pose;
    plan->frame[i] = (layFrame){w->m->frame[i].body, pose};
  }
  for (int j = 0; j < plan->njoint; j++) {
    plan->joint[j] = plan_joint(RECORD(b->joints, jointRecord, j));
  }
}


//---- all together --------------------------------------------------------------------------------


static void take_tree_memory(treeWork *w)
{
  artModel *m = w->m;
  baseArena *scratch = &m->scratch;
  const size_t nb = (size_t) m->nbody, nj = (size_t) w->b->joints.count;
  w->lay.ends = arena_alloc(scratch, nj, sizeof *w->lay.ends);
  w->first = arena_alloc(scratch, nb, sizeof *w->first);
  w->next = arena_alloc(scratch, 2 * nj, sizeof *w->next);
  w->use = arena_alloc(scratch, nj, sizeof *w->use);
  w->graph = arena_alloc(scratch, nj, sizeof *w->graph);
  w->tree_joint = arena_alloc(scratch, nb, sizeof *w->tree_joint);
  w->order = arena_alloc(scratch, nb + nj, sizeof *w->order);
  w->lay.reference = arena_alloc(scratch, nb, sizeof *w->lay.reference);
  w->lay.link_in_body = arena_alloc(scratch, nb, sizeof *w->lay.link_in_body);

  // no joint has more than three links, seven positions and six velocities
  m->tree.link = arena_alloc(&m->arena, 3 * nj + 1, sizeof *m->tree.link);
  m->position = arena_alloc(&m->arena, 7 * nj, sizeof *m->position);
  m->velocity = arena_alloc(&m->arena, 6 * nj, sizeof *m->velocity);
}


// where joints are in their bodies, for whoever draws them
static void keep_ends(treeWork *w)
{
  for (int j = 0; j < w->m->njoint; j++) {
    modelJoint *joint = &w->m->joint[j];
    for (int side = 0; side < 2; side++) joint->end[side] = pose_to_art(w->lay.ends[j].end[side]);
    joint->axis2 = lay_axis2(&w->lay, &w->plan->joint[j]);
  }
}


// frames of joints that are given in bodies, or of those that are given in ground
static void lay_ends(treeWork *w, int in_ground)
{
  for (int e = 0; e < 2 * w->m->njoint; e++) {
    const int j = e / 2, side = e % 2;
    if (w->plan->joint[j].in_ground != in_ground) continue;
    w->lay.ends[j].end[side] = lay_end(&w->lay, j, side);
  }
}


// R_after = R_before T, r_after = r_before + s
static void note_correction(layJoint *joint, int side, modelPose before, modelPose after)
{
  ART_ASSERT(side == 0 || side == 1);
  const v3 shift = v3_sub(after.r, before.r);
  const m3 turn = m3_mul_m3(m3_transpose(before.R), after.R);
  joint->is_turned[side] = memcmp(&before.R, &after.R, sizeof after.R) != 0;
  joint->is_shifted[side] = memcmp(&before.r, &after.r, sizeof after.r) != 0;
  memcpy(joint->turn[side], &turn, sizeof joint->turn[side]);
  memcpy(joint->shift[side], &shift, sizeof joint->shift[side]);
}


static void align_ends(treeWork *w)
{
  const size_t n = (size_t) w->m->njoint;
  const jointEnds *before = arena_copy(&w->m->scratch, w->lay.ends, n, sizeof *before);
  model_align_ends(w->m, w->lay.ends, w->tree_joint, w->order);
  for (int e = 0; e < 2 * w->m->njoint; e++) {
    note_correction(&w->plan->joint[e / 2], e % 2, before[e / 2].end[e % 2],
                    w->lay.ends[e / 2].end[e % 2]);
  }
}


static void lay_tree(treeWork *w)
{
  artModel *m = w->m;

  // chain the joints at each body, in the order of the file
  for (int i = 0; i < m->nbody; i++) w->first[i] = -1;
  for (int e = 2 * m->njoint - 1; e >= 0; e--) {
    const int body = w->lay.ends[e / 2].body[e % 2];
    w->next[e] = w->first[body];
    w->first[body] = e;
  }
  span_joint_graph(w);
  check_reached(w);
  check_span(w);

  for (int i = 0; i < m->nbody; i++) {
    w->plan->body[i].joint = w->tree_joint[i];
    w->plan->order[i] = w->order[i];
  }
  for (int j = 0; j < m->njoint; j++) w->plan->joint[j].is_reversed = m->joint[j].is_reversed;

  // frames given in bodies first: the reference poses follow from them
  lay_ends(w, 0);
  w->lay.reference[0] = pose_identity();
  w->size = machine_size(w);
  place_references(w);
  for (int j = 0; j < m->njoint; j++) check_as_ground(w, j);
  lay_ends(w, 1);
  for (int j = 0; j < m->njoint; j++)
    m->ncut += m->joint[j].is_cut || w->plan->joint[j].twin_side >= 0;
  align_ends(w);
  keep_ends(w);
  lay_all_links(w, w->order);
}


void model_compile_tree(artModel *m, const artBuilder *b)
{
  treeWork w = {.b = b, .m = m};
  m->tree.gravity = (v3){b->gravity[0], b->gravity[1], b->gravity[2]};

  name_tree_bodies(m, b);
  name_frames(m, b);
  take_tree_memory(&w);
  make_lay_plan(&w);
  name_tree_joints(&w);
  lay_tree(&w);
  index_coordinates(m);
  choose_anchors(m);
  move_frames(&w);
  keep_cuts(&w);
  m->plan = w.plan;
}


//---- initial values ------------------------------------------------------------------------------


static void compile_initial(void *context, int i)
{
  artModel *m = ((const modelWork *) context)->m;
  const artBuilder *b = ((const modelWork *) context)->b;
  const initialRecord *record = RECORD(b->initials, initialRecord, i);
  const artPlace place = record->head.where.place;
  const int q = table_find(&m->positions, record->coordinate);
  const int v = table_find(&m->velocities, record->coordinate);
  if (q < 0 && v < 0) {
    const int cut = model_cut_named(m, record->coordinate);
    recovery_pass(record->coordinate);
    if (cut >= 0) {
      if (!joint_is_rod(m->joint[cut].type)) recovery_pass_joints();
      error_refuse(place,
                   "an initial value is given for '%s', but joint '%s' closes a loop and has "
                   "no coordinates of its own; leave it out, or keep the joint in the tree",
                   record->coordinate, m->joint[cut].name);
    }
    baseNearest nearest = {.word = record->coordinate};
    for (int k = 0; k < m->tree.nq; k++) base_consider(&nearest, m->position[k].name);
    for (int k = 0; k < m->tree.nv; k++) base_consider(&nearest, m->velocity[k].name);
    char hint[BASE_HINT_LENGTH];
    error_refuse(place, "an initial value is given for '%s', which is not a coordinate%s",
                 record->coordinate, base_hint(&nearest, hint));
  }
  const int partner = q >= 0 ? m->position[q].partner : v;
  if (partner >= 0 && m->tree.link[m->tree.dof_link[partner]].is_driven) {
    error_refuse(place,
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
}


// quaternions start as (1, 0, 0, 0), and are brought to length one once all values are in
static void settle_quaternions(artModel *m, int finish)
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
      recovery_note(RECOVERY_PLAIN, m->joint[m->position[first].joint].place,
                    "the initial quaternion of joint '%s' is (%g, %g, %g, %g), which has no "
                    "direction",
                    m->joint[m->position[first].joint].name, e[0], e[1], e[2], e[3]);
      continue;
    }
    for (int k = 0; k < 4; k++) e[k] /= norm;
  }
}


void model_compile_initial(artModel *m, const artBuilder *b)
{
  m->q_initial = arena_alloc(&m->arena, (size_t) m->tree.nq, sizeof *m->q_initial);
  m->v_initial = arena_alloc(&m->arena, (size_t) m->tree.nv, sizeof *m->v_initial);
  m->is_given_q = arena_alloc(&m->arena, (size_t) m->tree.nq, 1);
  m->is_given_v = arena_alloc(&m->arena, (size_t) m->tree.nv, 1);
  settle_quaternions(m, 0);
  modelWork w = {m, b};
  model_each(&b->initials, sizeof(initialRecord), 0, compile_initial, &w);
  settle_quaternions(m, 1);
}
