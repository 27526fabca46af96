// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// SRDF beside a URDF file (STEM.srdf, or ../srdf/STEM.srdf): loops, joints without motors, and states.
//
//    <loop_constraint frame1 frame2 mask="x z pitch"/>    links that coincide, along and about these axes of frame1
//    <passive_joint name/>                                without a motor
//    <group_state name><joint name value/></group_state>  where it starts
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "import/urdf.h"

enum { X_SLIDE, Y_SLIDE, Z_SLIDE, X_TURN, Y_TURN, Z_TURN, MOTIONS };


//---- loops ---------------------------------------------------------------------------------------

// which motions of the six a loop holds; all where there is no mask
static void read_mask(importWork *w, xmlNode *node, bool holds[MOTIONS])
{
  static const char *const names[MOTIONS] = {"x", "y", "z", "roll", "pitch", "yaw"};
  const char *at = xml_get(node, "mask");
  for (int k = 0; k < MOTIONS; k++) holds[k] = !at;
  while (at && *(at += strspn(at, " \t\r\n,"))) {
    const size_t n = strcspn(at, " \t\r\n,");
    int k = 0;
    while (k < MOTIONS && (strlen(names[k]) != n || strncmp(names[k], at, n) != 0)) k++;
    if (k == MOTIONS)
      import_fail(w, node->place, "'mask' holds '%.*s', expected x y z roll pitch yaw",
                  (int) (n < 40 ? n : 40), at);
    holds[k] = true;
    at += n;
  }
}


static importJoint *add_step(urdfReader *r, const char *name, artJointType type, int step, int from,
                             artPlace place)
{
  static const char *const ending[MOTIONS] = {"x", "y", "z", "rx", "ry", "rz"};
  importWork *w = r->w;
  const char *own = type == ART_PRISMATIC || type == ART_REVOLUTE
                        ? import_fresh(w, "%s_%s", name, ending[step])
                        : import_fresh(w, "%s", name);
  importJoint *joint = import_add_joint(w, own, type, from, -1, place);
  for (int i = 0; i < 3; i++) joint->axis[i] = i == step % 3;
  joint->is_follower = true; // it stays in the tree, and nothing holds it
  return joint;
}


// What the loop does not hold is a row of joints with bodies without mass between them, the last one cut.
static void read_constraint(urdfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const char *names[2] = {import_need(w, node, "frame1"), import_need(w, node, "frame2")};
  int end[2];
  bool holds[MOTIONS];
  for (int k = 0; k < 2; k++) {
    end[k] = import_find_body(w, names[k]);
    if (end[k] < 0)
      import_fail(w, node->place, "there is no link '%.80s' in the URDF file", names[k]);
  }
  if (end[0] == end[1]) import_fail(w, node->place, "a loop joins a link with itself");
  read_mask(w, node, holds);
  const char *name = import_format(w, "closes_%s", w->machine.body[end[1]].name);
  const bool is_ball = !holds[X_TURN] && !holds[Y_TURN] && !holds[Z_TURN];
  int from = end[0], last = -1;
  for (int k = 0; k < (is_ball ? X_TURN : MOTIONS); k++) {
    if (!holds[k]) last = k;
  }
  for (int k = 0; k < (is_ball ? X_TURN : MOTIONS); k++) {
    if (holds[k] || (k == last && !is_ball)) continue;
    importJoint *joint =
        add_step(r, name, k < X_TURN ? ART_PRISMATIC : ART_REVOLUTE, k, from, node->place);
    const int number = (int) (joint - w->machine.joint);
    import_add_body(w, import_fresh(w, "%s_%d", name, k + 1), base_nowhere());
    w->machine.joint[number].to = from = w->machine.nbody - 1;
  }
  const artJointType type = is_ball         ? ART_SPHERICAL
                            : last < 0      ? ART_FIXED
                            : last < X_TURN ? ART_PRISMATIC
                                            : ART_REVOLUTE;
  importJoint *cut = add_step(r, name, type, last < 0 ? 0 : last, from, node->place);
  cut->to = end[1];
  cut->is_cut = true;
}


//---- motors and states ---------------------------------------------------------------------------

static void read_passive(urdfReader *r, xmlNode *node)
{
  const int found = table_find(&r->joints, import_need(r->w, node, "name"));
  if (found >= 0) r->w->machine.joint[found].effort = 0;
}


static void read_state(urdfReader *r, xmlNode *state)
{
  importWork *w = r->w;
  for (xmlNode *n = xml_child(state, "joint"); n; n = xml_next(n)) {
    const int found = table_find(&r->joints, import_need(w, n, "name"));
    importJoint *joint = found < 0 ? NULL : &w->machine.joint[found];
    if (!joint || joint->is_follower || !import_has_one(joint)) continue;
    import_need_numbers(w, n, "value", 1, &joint->start);
    joint->initial = import_start_at(w, joint, joint->start);
  }
}


// the state of the call, or where loops are closed the first one, for loops have several ways to be closed
static void choose_state(urdfReader *r, xmlNode *root, bool has_loops)
{
  importWork *w = r->w;
  for (xmlNode *n = xml_child(root, "group_state"); n; n = xml_next(n)) {
    const char *name = import_need(w, n, "name");
    if (w->def->key ? strcmp(name, w->def->key) != 0 : !has_loops) continue;
    if (!w->def->key)
      import_note(w, n->place, "joints start near the state '%.80s', where loops are closed", name);
    read_state(r, n);
    return;
  }
  if (w->def->key) import_fail(w, root->place, "there is no <group_state> '%.80s'", w->def->key);
}


//---- the file ------------------------------------------------------------------------------------

void urdf_read_srdf(urdfReader *r)
{
  importWork *w = r->w;
  const char *slash = strrchr(w->path, '/'), *stem = slash ? slash + 1 : w->path;
  const char *dot = strrchr(stem, '.');
  const int folder = (int) (stem - w->path), n = (int) (dot ? (size_t) (dot - stem) : strlen(stem));
  const char *path = import_format(w, "%.*s%.*s.srdf", folder, w->path, n, stem);
  if (!file_is_regular(path))
    path = import_format(w, "%.*s../srdf/%.*s.srdf", folder, w->path, n, stem);
  if (!file_is_regular(path)) {
    if (w->def->key)
      import_fail(w, (artPlace){.file = w->path},
                  "--key names a state of an SRDF file beside the URDF file, and there is none");
    return;
  }
  xmlNode *root = import_xml(w, path);
  bool has_loops = false;
  for (xmlNode *c = xml_child(root, "loop_constraint"); c; c = xml_next(c), has_loops = true)
    read_constraint(r, c);
  for (xmlNode *p = xml_child(root, "passive_joint"); p; p = xml_next(p)) read_passive(r, p);
  choose_state(r, root, has_loops);
}
