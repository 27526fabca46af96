// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bodies that are bars: between two ball joints, thin and uniform or without mass. Nothing resists or
// determines their spin, and their ends say where they are; where a loop runs through one it becomes a
// rod, one row in place of three and no coordinates. Whoever wants it a body says so at its joints.
#include <math.h>
#include <string.h>

#include "model/compile/lay_numbers.h"
#include "model/link_pose.h"
#include "model/model.h"

// of lengths and moments
static const double NOTHING = 1e-9;

// a body as a candidate for a rod
typedef struct barPlan {
  int njoint;            // that name it
  int joint[2], side[2]; // the first two, and its side of them
  int is_bar;
  int is_removed;
  v3 end[2]; // in its own axes
  const char *note;
} barPlan;

typedef struct barWork {
  const artBuilder *b;
  artModel *m;
  baseArena *scratch;
  int nbody, nframe, njoint;
  baseTable bodies, frames, joints;
  int *frame_body;  // [nframe] the first frames are the bodies' own
  modelPose *frame; // [nframe] in their bodies
  int *end_frame;   // [2 njoint]
  int *group;       // [nbody] for joining bodies
  barPlan *plan;    // [nbody]
  int nbar;
} barWork;

//---- the graph -----------------------------------------------------------------------------------


static const artJointDef *bar_joint_definition(const barWork *w, int j)
{
  return &RECORD(w->b->joints, jointRecord, j)->def;
}


static int body_at_joint_end(const barWork *w, int end)
{
  ART_ASSERT(end >= 0 && end < 2 * w->njoint);
  return w->frame_body[w->end_frame[end]];
}


static int add_bar_name(barWork *w, baseTable *table, const char *name, int value)
{
  return table_find(table, name) < 0 && table_add(table, w->scratch, name, value);
}


static int name_bar_bodies(barWork *w)
{
  for (int i = 0; i < w->nbody; i++) {
    const char *name = i ? RECORD(w->b->bodies, bodyRecord, i - 1)->def.name : "ground";
    w->frame_body[i] = i;
    w->frame[i] = pose_identity();
    if (!add_bar_name(w, &w->bodies, name, i) || !add_bar_name(w, &w->frames, name, i)) return 0;
  }
  for (int i = w->nbody; i < w->nframe; i++) {
    const frameRecord *record = RECORD(w->b->frames, frameRecord, i - w->nbody);
    w->frame_body[i] = table_find(&w->bodies, record->body);
    w->frame[i] = pose_from_art(&record->pose);
    if (w->frame_body[i] < 0 || !add_bar_name(w, &w->frames, record->name, i)) return 0;
  }
  return 1;
}


// 0 where a name is not known, which is for those to say who compile the model
static int name_bar_joints(barWork *w)
{
  for (int j = 0; j < w->njoint; j++) {
    const artJointDef *def = bar_joint_definition(w, j);
    if (!add_bar_name(w, &w->joints, def->name, j)) return 0;
    for (int side = 0; side < 2; side++) {
      const int frame = table_find(&w->frames, side ? def->to : def->from);
      if (frame < 0) return 0;
      w->end_frame[2 * j + side] = frame;
      barPlan *plan = &w->plan[w->frame_body[frame]];
      if (plan->njoint < 2) plan->joint[plan->njoint] = j, plan->side[plan->njoint] = side;
      plan->njoint++;
    }
  }
  return 1;
}


//---- what a bar is -------------------------------------------------------------------------------


// addresses of the numbers of a bar between the two joints of its plan
static layBar bar_of(const barWork *w, int body)
{
  ART_ASSERT(body > 0 && body < w->nbody);
  const barPlan *plan = &w->plan[body];
  const artBodyDef *own = &RECORD(w->b->bodies, bodyRecord, body - 1)->def;
  layBar bar = {.pose = &own->pose, .mass = &own->mass};
  for (int k = 0; k < 2; k++) {
    const artJointDef *def = bar_joint_definition(w, plan->joint[k]);
    const int frame = w->end_frame[2 * plan->joint[k] + plan->side[k]];
    bar.frame[k] =
        frame < w->nbody ? NULL : &RECORD(w->b->frames, frameRecord, frame - w->nbody)->pose;
    bar.offset[k] = plan->side[k] ? &def->to_offset : &def->from_offset;
    bar.outer[k] = plan->side[k] ? &def->from_offset : &def->to_offset;
    bar.at[k] = def->in_ground ? def->at : NULL;
  }
  return bar;
}


// massless, or with its centre in the middle and the inertia m l^2/12 (1 - e e^T)
static int is_body_thin_bar(const artBodyDef *def, v3 p, v3 q)
{
  const v3 d = v3_sub(q, p), com = {def->com[0], def->com[1], def->com[2]};
  const double square = v3_dot(d, d), moment = def->mass * square / 12;
  const v3 off = v3_sub(com, v3_scale(0.5, v3_add(p, q)));
  if (!(square > 0) || def->nsolid > 0) return 0;
  if (def->mass > 0 && v3_dot(off, off) > NOTHING * NOTHING * square) return 0;

  const double k = moment / square;
  const double thin[6] = {moment - k * d.x * d.x, moment - k * d.y * d.y, moment - k * d.z * d.z,
                          -k * d.x * d.y,         -k * d.x * d.z,         -k * d.y * d.z};
  for (int i = 0; i < 6; i++) {
    if (!(fabs(def->inertia[i] - thin[i]) <= NOTHING * moment)) return 0;
  }
  return 1;
}


static int bar_neighbour(const barWork *w, const barPlan *plan, int k)
{
  return body_at_joint_end(w, 2 * plan->joint[k] + 1 - plan->side[k]);
}


static void find_bars(barWork *w)
{
  for (int i = 1; i < w->nbody; i++) {
    barPlan *plan = &w->plan[i];
    if (plan->njoint != 2 || plan->joint[0] == plan->joint[1]) continue;

    // two ball joints of which nobody has said whether they are cut, to two other bodies
    const artJointDef *a = bar_joint_definition(w, plan->joint[0]),
                      *b = bar_joint_definition(w, plan->joint[1]);
    const int are_balls = joint_is_ball(a->type) && joint_is_ball(b->type);
    if (!are_balls || a->keep != 0 || b->keep != 0 || a->in_ground != b->in_ground) continue;
    if (bar_neighbour(w, plan, 0) == bar_neighbour(w, plan, 1)) continue;
    const layBar bar = bar_of(w, i);
    for (int k = 0; k < 2; k++) plan->end[k] = lay_ball(NULL, &bar, k);
    const artBodyDef *def = &RECORD(w->b->bodies, bodyRecord, i - 1)->def;
    plan->is_bar = is_body_thin_bar(def, plan->end[0], plan->end[1]);
  }
}


//---- who needs it as a body ----------------------------------------------------------------------


// is a point of the bar on its line, and where? 0 at the first end, 1 at the second
static int is_on_line(const barPlan *plan, v3 r, double *s)
{
  const v3 d = v3_sub(plan->end[1], plan->end[0]), arm = v3_sub(r, plan->end[0]);
  *s = v3_dot(arm, d) / v3_dot(d, d);
  const v3 off = v3_sub(arm, v3_scale(*s, d));
  return v3_dot(off, off) <= NOTHING * NOTHING * v3_dot(d, d);
}


static void keep_body(barWork *w, barPlan *plan, const modelUse *use)
{
  if (!plan->is_bar || plan->note) return;
  const char *article = strchr("aeiou", use->kind[0]) ? "an" : "a";
  plan->note =
      use->name[0]
          ? arena_format(&w->m->arena, "%s '%s' names '%s'", use->kind, use->name, use->reference)
          : arena_format(&w->m->arena, "%s %s names '%s'", article, use->kind, use->reference);
}


static void look_at_frame(barWork *w, const modelUse *use, int frame, const char *component)
{
  ART_ASSERT(frame >= 0 && frame < w->nframe);
  barPlan *plan = &w->plan[w->frame_body[frame]];
  double s;
  if (!plan->is_bar) return;

  const int is_near = is_on_line(plan, w->frame[frame].r, &s);
  if (!use->is_value || !component || model_bar_lacks(component, is_near)) keep_body(w, plan, use);
}


static void look_at_joint(barWork *w, const modelUse *use, int j, const char *component)
{
  if (component && use->is_value && model_is_reaction(component)) return;
  for (int side = 0; side < 2; side++)
    keep_body(w, &w->plan[body_at_joint_end(w, 2 * j + side)], use);
}


// "bar", "bar.tip", "bar.tip.x", "ball", "ball.fx"
static void look_at_use(void *context, const modelUse *use)
{
  barWork *w = context;
  const char *dot = strrchr(use->reference, '.');
  const int frame = table_find(&w->frames, use->reference);
  const int joint = table_find(&w->joints, use->reference);
  if (frame >= 0) look_at_frame(w, use, frame, NULL);
  if (joint >= 0) look_at_joint(w, use, joint, NULL);
  char head[300];
  if (frame >= 0 || joint >= 0 || !dot || dot - use->reference >= (int) sizeof head) return;
  memcpy(head, use->reference, (size_t) (dot - use->reference));
  head[dot - use->reference] = '\0';
  const int of_frame = table_find(&w->frames, head), of_joint = table_find(&w->joints, head);
  if (of_frame >= 0) look_at_frame(w, use, of_frame, dot + 1);
  if (of_joint >= 0) look_at_joint(w, use, of_joint, dot + 1);
}


//---- loops ---------------------------------------------------------------------------------------


static int body_group_leader(const barWork *w, int body)
{
  while (w->group[body] != body) body = w->group[body] = w->group[w->group[body]];
  return body;
}


// are its neighbours held together without it, by joints that may stay in the tree?
static int is_bar_in_loop(const barWork *w, int bar)
{
  for (int i = 0; i < w->nbody; i++) w->group[i] = i;
  for (int j = 0; j < w->njoint; j++) {
    const int a = body_at_joint_end(w, 2 * j), b = body_at_joint_end(w, 2 * j + 1);
    const artJointDef *def = bar_joint_definition(w, j);
    if (joint_is_rod(def->type) || def->keep < 0 || a == bar || b == bar) continue;
    if (w->plan[a].is_removed || w->plan[b].is_removed) continue;
    w->group[body_group_leader(w, a)] = body_group_leader(w, b);
  }
  const barPlan *plan = &w->plan[bar];
  return body_group_leader(w, bar_neighbour(w, plan, 0)) ==
         body_group_leader(w, bar_neighbour(w, plan, 1));
}


static void choose_bars(barWork *w)
{
  for (int i = 1; i < w->nbody; i++) {
    barPlan *plan = &w->plan[i];
    if (!plan->is_bar || plan->note) continue;
    plan->is_removed = is_bar_in_loop(w, i);
    w->nbar += plan->is_removed;
    if (!plan->is_removed) plan->note = "no other chain of joints leads past it";
  }
}


//---- the builder without them --------------------------------------------------------------------


static jointRecord rod_of(const barWork *w, int body)
{
  ART_ASSERT(w->plan[body].is_bar);
  const barPlan *plan = &w->plan[body];
  const jointRecord *first = RECORD(w->b->joints, jointRecord, plan->joint[0]);
  const artJointDef *a = &first->def, *b = bar_joint_definition(w, plan->joint[1]);
  const artBodyDef *own = &RECORD(w->b->bodies, bodyRecord, body - 1)->def;
  jointRecord rod = {.head = first->head, .def = art_default_joint(), .is_bar = 1};
  rod.def.name = own->name;
  rod.def.type = ART_ROD;
  rod.def.from = plan->side[0] ? a->from : a->to;
  rod.def.from_offset = plan->side[0] ? a->from_offset : a->to_offset;
  rod.def.to = plan->side[1] ? b->from : b->to;
  rod.def.to_offset = plan->side[1] ? b->from_offset : b->to_offset;
  rod.def.in_ground = a->in_ground;
  rod.def.length = lay_distance(plan->end[0], plan->end[1]);
  rod.def.mass = own->mass;
  rod.def.keep = -1;
  memcpy(rod.def.at, a->at, sizeof rod.def.at);
  memcpy(rod.far, b->at, sizeof rod.far);
  const layBar bar = bar_of(w, body);
  rod.bar = arena_copy(&w->m->arena, &bar, 1, sizeof bar);
  return rod;
}


static void copy_bodies_and_frames(const barWork *w, artBuilder *out)
{
  bodyRecord *body = arena_alloc(w->scratch, (size_t) w->nbody, sizeof *body);
  frameRecord *frame = arena_alloc(w->scratch, (size_t) w->nframe, sizeof *frame);
  out->bodies.count = out->frames.count = 0;
  out->bodies.items = body;
  out->frames.items = frame;
  for (int i = 1; i < w->nbody; i++) {
    if (w->plan[i].is_removed) continue;
    *body = *RECORD(w->b->bodies, bodyRecord, i - 1);
    body->origin = RECORD(w->b->bodies, bodyRecord, i - 1);
    body++->bar_note = w->plan[i].note;
    out->bodies.count++;
  }
  for (int i = w->nbody; i < w->nframe; i++) {
    if (w->plan[w->frame_body[i]].is_removed) continue;
    *frame = *RECORD(w->b->frames, frameRecord, i - w->nbody);
    frame++->origin = RECORD(w->b->frames, frameRecord, i - w->nbody);
    out->frames.count++;
  }
}


// the rod takes the place of its first joint
static void copy_joints(const barWork *w, artBuilder *out)
{
  jointRecord *list = arena_alloc(w->scratch, (size_t) w->njoint, sizeof *list);
  out->joints.count = 0;
  for (int j = 0; j < w->njoint; j++) {
    int bar = 0;
    for (int side = 0; side < 2; side++) {
      if (w->plan[body_at_joint_end(w, 2 * j + side)].is_removed)
        bar = body_at_joint_end(w, 2 * j + side);
    }
    if (bar && w->plan[bar].joint[1] == j) continue;
    jointRecord *own = &list[out->joints.count++];
    *own = bar ? rod_of(w, bar) : *RECORD(w->b->joints, jointRecord, j);
    if (!bar) own->origin = RECORD(w->b->joints, jointRecord, j);
  }
  out->joints.items = list;
}


//---- names that stay known -----------------------------------------------------------------------


static void remember_bars(const barWork *w)
{
  artModel *m = w->m;
  m->bar = arena_alloc(&m->arena, (size_t) w->nbar, sizeof *m->bar);
  m->bar_point = arena_alloc(&m->arena, (size_t) w->nframe, sizeof *m->bar_point);
  for (int i = 1; i < w->nbody; i++) {
    const barPlan *plan = &w->plan[i];
    if (!plan->is_removed) continue;
    modelBar *bar = &m->bar[m->nbar];
    bar->name = arena_text(&m->arena, RECORD(w->b->bodies, bodyRecord, i - 1)->def.name);
    for (int k = 0; k < 2; k++) {
      bar->joint[k] = arena_text(&m->arena, bar_joint_definition(w, plan->joint[k])->name);
      bar->leads[k] = plan->side[k] == 1;
    }
    for (int f = 0; f < w->nframe; f++) {
      double s;
      if (w->frame_body[f] != i) continue;
      if (!is_on_line(plan, w->frame[f].r, &s)) s = NAN;
      const char *name =
          f < w->nbody
              ? bar->name
              : arena_text(&m->arena, RECORD(w->b->frames, frameRecord, f - w->nbody)->name);
      m->bar_point[m->nbar_point++] = (modelBarPoint){name, m->nbar, s};
    }
    m->nbar++;
  }
}


void model_remove_bars(artModel *m, const artBuilder *b, artBuilder *out)
{
  baseArena *scratch = &m->scratch;
  *out = *b;
  barWork w = {.b = b,
               .m = m,
               .scratch = scratch,
               .nbody = b->bodies.count + 1,
               .nframe = b->bodies.count + 1 + b->frames.count,
               .njoint = b->joints.count};
  const size_t nb = (size_t) w.nbody, nf = (size_t) w.nframe, nj = (size_t) w.njoint;
  w.frame_body = arena_alloc(scratch, nf, sizeof *w.frame_body);
  w.frame = arena_alloc(scratch, nf, sizeof *w.frame);
  w.end_frame = arena_alloc(scratch, 2 * nj, sizeof *w.end_frame);
  w.group = arena_alloc(scratch, nb, sizeof *w.group);
  w.plan = arena_alloc(scratch, nb, sizeof *w.plan);
  if (!name_bar_bodies(&w) || !name_bar_joints(&w)) return;
  find_bars(&w);
  model_each_use(b, look_at_use, &w, scratch);
  choose_bars(&w);
  copy_bodies_and_frames(&w, out);
  copy_joints(&w, out);
  remember_bars(&w);
}
