// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The initial state of ADAMS decks: a spanning tree of the joints (the others are cut), free joints
// for unconnected parts, ball joints directed away from ground, initial values that are fixed, and
// guesses that loops may change.

#include "import/adams.h"
#include "spatial/pose.h"


//---- the tree ------------------------------------------------------------------------------------

// union-find groups of bodies connected by joints, by bodies + 1; 0 is the group of ground
typedef struct admGraph {
  int *of;
  bool *has_loop;
} admGraph;


static int find_group(int *of, int i)
{
  while (of[i] != i) {
    of[i] = of[of[i]];
    i = of[i];
  }
  return i;
}


static bool is_thin(const importMachine *m, int body)
{
  const double *I = body >= 0 ? m->body[body].inertia : NULL;
  return I && (I[0] == 0 || I[1] == 0 || I[2] == 0);
}


// A joint within a group closes a loop. It is cut, unless it is driven or coupled; spherical joints
// of thin bars are left to the reader of model files, which replaces them by rods.
static void connect_joint(importMachine *m, admGraph *g, importJoint *joint)
{
  const int a = find_group(g->of, joint->from + 1), b = find_group(g->of, joint->to + 1);
  const bool is_bar =
      joint->type == ART_SPHERICAL && (is_thin(m, joint->from) || is_thin(m, joint->to));
  if (a == b) {
    g->has_loop[a] = true;
    joint->is_cut = !joint->is_follower && !is_bar;
    return;
  }
  const int kept = a < b ? a : b, gone = a < b ? b : a;
  g->of[gone] = kept;
  g->has_loop[kept] = g->has_loop[kept] || g->has_loop[gone];
}


// joints whose coordinates are used first, balls last
static int joint_rank(const importJoint *joint)
{
  return joint->is_follower ? 0 : joint->type == ART_SPHERICAL ? 2 : 1;
}


static admGraph connect_all(importWork *w)
{
  importMachine *m = &w->machine;
  const size_t n = (size_t) m->nbody + 1;
  admGraph g = {import_take(w, n, sizeof *g.of), import_take(w, n, sizeof *g.has_loop)};
  for (size_t i = 0; i < n; i++) g.of[i] = (int) i;
  for (int order = 0; order < 3; order++) {
    for (int k = 0; k < m->njoint; k++) {
      importJoint *joint = &m->joint[k];
      if (joint->type != ART_ROD && joint_rank(joint) == order) connect_joint(m, &g, joint);
    }
  }
  for (int k = 0; k < m->njoint; k++) {
    if (m->joint[k].type != ART_ROD) continue;
    g.has_loop[find_group(g.of, m->joint[k].from + 1)] = true;
    g.has_loop[find_group(g.of, m->joint[k].to + 1)] = true;
  }
  return g;
}


//---- unconnected parts ---------------------------------------------------------------------------

static void add_flight(admReader *r, const admPart *part)
{
  importWork *w = r->w;
  const importBody *body = &w->machine.body[part->body];
  const char *name = import_fresh(w, "%s_free", body->name);
  importJoint *joint = import_add_joint(w, name, ART_FREE, -1, part->body, base_nowhere());
  const v3 omega = {part->omega[0], part->omega[1], part->omega[2]};
  const v3 arm = v3_sub(part->pose.r, (v3){part->cm[0], part->cm[1], part->cm[2]});
  const v3 v = v3_add((v3){part->velocity[0], part->velocity[1], part->velocity[2]},
                      v3_cross(omega, arm)),
           o = m3_mul(part->pose.R, omega);
  const double x[3] = {part->pose.r.x, part->pose.r.y, part->pose.r.z};
  double q[4];
  pose_quaternion(part->pose.R, q);
  const bool is_home = x[0] == 0 && x[1] == 0 && x[2] == 0 && q[0] == 1 && !part->has_velocity;
  if (is_home) return;
  const char *text = import_format(w, "position: %s", import_list(w, 3, x));
  if (q[0] < 1 - 1e-15) text = import_format(w, "%s, orientation: %s", text, import_list(w, 4, q));
  if (part->has_velocity) {
    text = import_format(w, "%s, velocity: %s, angular_velocity: %s", text,
                         import_list(w, 3, (double[3]){v.x, v.y, v.z}),
                         import_list(w, 3, (double[3]){o.x, o.y, o.z}));
  }
  joint->initial = text;
}


//---- ball joints ---------------------------------------------------------------------------------

static void turn_balls(admReader *r)
{
  importWork *w = r->w;
  // number of tree joints between ground and each body, by bodies + 1
  const importMachine *m = &w->machine;
  int *depth = import_take(w, (size_t) m->nbody + 1, sizeof *depth);
  for (int i = 1; i <= m->nbody; i++) depth[i] = m->nbody + 1;
  for (bool changes = true; changes;) {
    changes = false;
    for (int k = 0; k < m->njoint; k++) {
      if (m->joint[k].type == ART_ROD || m->joint[k].is_cut) continue;
      int *a = &depth[m->joint[k].from + 1], *b = &depth[m->joint[k].to + 1];
      int *far = *a > *b ? a : b;
      const int near = *a > *b ? *b : *a;
      if (*far <= near + 1 || near > m->nbody) continue;
      *far = near + 1;
      changes = true;
    }
  }
  for (int k = 0; k < r->njoint; k++) {
    importJoint *joint = &w->machine.joint[r->joint[k].number];
    const bool is_against = depth[joint->from + 1] > depth[joint->to + 1];
    if (joint->type == ART_SPHERICAL && is_against) {
      // coordinates of a ball joint describe the outer body relative to the inner one, so it must lead
      // away from ground
      admJoint *kept = &r->joint[k];
      const importJoint given = *joint;
      kept->is_swapped = true;
      if (kept->is_row) kept->has_reaction = false; // it acts on a body of the chain
      joint->from = given.to;
      joint->to = given.from;
      joint->from_frame = given.to_frame;
      joint->to_frame = given.from_frame;
      joint->from_pose = given.to_pose;
      joint->to_pose = given.from_pose;
      joint->initial = adm_ball_start(w, kept->j, kept->i, adm_relative(kept->j, kept->i).R);
    }
  }
}


//---- initial values ------------------------------------------------------------------------------

void adm_read_start(admReader *r)
{
  importWork *w = r->w;
  w->machine.is_graph = true;
  admGraph g = connect_all(w);
  bool *is_held = import_take(r->w, (size_t) r->w->machine.nbody + 1, sizeof *is_held);
  is_held[0] = true;
  for (int i = 0; i < r->npart; i++) {
    if (r->part[i].body < 0) continue;
    const int group = find_group(g.of, r->part[i].body + 1);
    if (is_held[group]) continue;
    is_held[group] = true;
    add_flight(r, &r->part[i]);
  }
  turn_balls(r);
  // drives define the values of their coordinates
  for (int k = 0; k < r->njoint; k++) {
    const admJoint *kept = &r->joint[k];
    importJoint *joint = &r->w->machine.joint[kept->number];
    if (!kept->slide_driven && !kept->angle_driven) continue;
    const bool is_free = joint->type == ART_CYLINDRICAL && kept->slide_driven != kept->angle_driven;
    joint->initial = !is_free             ? NULL
                     : kept->slide_driven ? adm_start(r->w, "angle", kept->angle, 0)
                                          : adm_start(r->w, "slide", kept->slide, 0);
  }
  bool *is_given = import_take(w, (size_t) w->machine.njoint + 1, sizeof *is_given);
  for (int k = 0; k < r->njoint; k++) is_given[r->joint[k].number] = r->joint[k].has_start;
  for (int k = 0; k < w->machine.njoint; k++) {
    importJoint *joint = &w->machine.joint[k];
    const int end = joint->to >= 0 ? joint->to : joint->from;
    // an initial value would give a cut joint unnecessary coordinates
    if (joint->is_cut && !is_given[k]) joint->initial = NULL;
    joint->is_guess = g.has_loop[find_group(g.of, end + 1)] && !is_given[k];
  }
}
