// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints of SDF. The frame of a joint is given in its child; at zero both links have the pose of
// the file. A joint between links that are already connected closes a loop, exactly.
#include "import/sdf_frames.h"

#include <math.h>
#include <string.h>

typedef struct jointReader {
  sdfReader *r;
  importWork *w;
  bool *is_used; // [joint] its coordinate is used
  int *group;    // [body + 1] union-find parent; the root is the first of the group, or ground
} jointReader;


//---- axes ----------------------------------------------------------------------------------------

// set components to zero that are rounding errors
static v3 tidy_vector(v3 a)
{
  const double least = 4e-16 * sqrt(v3_dot(a, a));
  return v3_make(fabs(a.x) < least ? 0 : a.x, fabs(a.y) < least ? 0 : a.y,
                 fabs(a.z) < least ? 0 : a.z);
}


// the frame of an axis: that of the joint, or of the model in old files
static int axis_frame(sdfReader *r, int e, xmlNode *axis, xmlNode *xyz)
{
  const char *name = xyz ? xml_get(xyz, "expressed_in") : NULL;
  const int scope = r->entity[e].scope;
  const bool of_model = xml_child(axis, "use_parent_model_frame")
                            ? sdf_flag(axis, "use_parent_model_frame")
                            : r->version < 5;
  if (name && name[0]) return sdf_find(r, scope, name, xyz->place);
  return r->version < 7 && of_model ? scope : e;
}


static void read_sdf_axis(sdfReader *r, int e, const char *kind, double axis[3])
{
  importWork *w = r->w;
  xmlNode *node = xml_child(r->entity[e].node, kind);
  if (!node) {
    import_fail(w, r->entity[e].node->place, "joint '%.80s' has no <%s>", r->entity[e].key, kind);
  }
  xmlNode *xyz = xml_child(node, "xyz");
  double x[3] = {0, 0, 1};
  if (xyz) import_numbers(w, xyz->place, "xyz", xyz->text, 3, x);
  v3 a = import_v3(x);
  if (!(v3_dot(a, a) > 0)) {
    import_fail(w, node->place, "the axis of joint '%.80s' is zero", r->entity[e].key);
  }
  const int frame = axis_frame(r, e, node, xyz);
  // from the axes of the frame to the world, then to the axes of the joint
  if (frame != e) {
    a = tidy_vector(m3_mul(sdf_pose(r, e).R, m3_back(sdf_pose(r, frame).R, a)));
  }
  import_store(axis, a);
}


//---- along an axis -------------------------------------------------------------------------------

// a limit; inf and values beyond 1e16 mean none
static double read_sdf_bound(importWork *w, xmlNode *limit, const char *name)
{
  const char *text = import_child_text(limit, name);
  double x = NAN;
  if (!text || strstr(text, "inf") || strstr(text, "Inf") || strstr(text, "INF")) return NAN;
  import_numbers(w, limit->place, name, text, 1, &x);
  return fabs(x) >= 1e16 ? NAN : x;
}


static void read_sdf_limit(importWork *w, xmlNode *limit, importJoint *joint, bool is_endless)
{
  const double lower = read_sdf_bound(w, limit, "lower"), upper = read_sdf_bound(w, limit, "upper");
  const double effort = read_sdf_bound(w, limit, "effort");
  if (effort > 0) joint->effort = effort;
  if (!isnan(read_sdf_bound(w, limit, "velocity"))) {
    import_note(w, limit->place, "velocity of <limit>: speeds of joints have no bound here");
  }
  if (is_endless) return;
  joint->is_held = lower == upper;
  if (joint->is_held) joint->start = lower;
  if (lower > upper) {
    import_note_motion(w, limit->place, "the range of joint '%.80s' has no inside and is left out",
                       joint->name);
    return;
  }
  if (joint->is_held) return;
  joint->lower = lower;
  joint->upper = upper;
}


static void read_sdf_dynamics(importWork *w, xmlNode *dynamics, importJoint *joint)
{
  import_child_numbers(w, dynamics, "damping", 1, &joint->damping);
  import_child_numbers(w, dynamics, "friction", 1, &joint->friction);
  import_child_numbers(w, dynamics, "spring_stiffness", 1, &joint->stiffness);
  import_child_numbers(w, dynamics, "spring_reference", 1, &joint->rest);
  import_check_losses(w, joint, dynamics->place);
}


static void read_sdf_start(importWork *w, xmlNode *axis, importJoint *joint)
{
  if (!import_child_numbers(w, axis, "initial_position", 1, &joint->start))
    import_start_inside(w, joint, axis->place);
  if (joint->start != 0) joint->initial = import_start_at(w, joint, joint->start);
}


static void read_along(jointReader *j, int e, const char *kind, int number)
{
  importWork *w = j->w;
  xmlNode *axis = xml_child(j->r->entity[e].node, kind);
  importJoint *joint = &w->machine.joint[number];
  const char *type = xml_get(j->r->entity[e].node, "type");
  xmlNode *limit = xml_child(axis, "limit"), *dynamics = xml_child(axis, "dynamics");
  if (limit) read_sdf_limit(w, limit, joint, strcmp(type, "continuous") == 0);
  if (dynamics) read_sdf_dynamics(w, dynamics, joint);
  read_sdf_start(w, axis, joint);
}


static bool has_action(const importJoint *joint)
{
  return joint->effort > 0 || joint->stiffness != 0 || joint->damping > 0 || joint->friction > 0 ||
         !isnan(joint->lower) || !isnan(joint->upper) || joint->initial || joint->is_held;
}


//---- joints --------------------------------------------------------------------------------------

static const struct {
  const char *name;
  artJointType type;
  int naxis;
} types[] = {{"revolute", ART_REVOLUTE, 1},   {"continuous", ART_REVOLUTE, 1},
             {"prismatic", ART_PRISMATIC, 1}, {"screw", ART_SCREW, 1},
             {"ball", ART_SPHERICAL, 0},      {"fixed", ART_FIXED, 0},
             {"universal", ART_UNIVERSAL, 2}, {"revolute2", ART_UNIVERSAL, 2},
             {"planar", ART_PLANAR, 0}};


// the frame of the joint in a body, in the form of the file if possible
static importPose pose_on(sdfReader *r, int e, int body)
{
  const importPose local = sdf_local(r, r->entity[e].node);
  const int child = sdf_end(r, e, "child");
  const int base = sdf_base(r, r->entity[e].node, r->entity[e].scope, child);
  if (r->entity[base].kind == SDF_LINK && r->entity[base].body == body && body >= 0) return local;
  return import_pose(sdf_pose_on(r, e, body));
}


// thread_pitch is in rad per metre, with the opposite sign
static double read_pitch(sdfReader *r, xmlNode *node)
{
  double turn = 1, thread = 0;
  if (import_child_numbers(r->w, node, "screw_thread_pitch", 1, &turn)) return turn / (2 * PI);
  if (!import_child_numbers(r->w, node, "thread_pitch", 1, &thread)) return turn / (2 * PI);
  if (thread == 0) import_fail(r->w, node->place, "<thread_pitch> is zero");
  return -1 / thread;
}


static int add_sdf_joint(jointReader *j, int e, const char *name, artJointType type, int from,
                         int to)
{
  import_add_joint(j->w, name, type, from, to, j->r->entity[e].node->place);
  const int number = j->w->machine.njoint - 1;
  if (j->r->entity[e].joint < 0) j->r->entity[e].joint = number;
  return number;
}


// two axes that are not perpendicular, or that forces act on, become two joints with a body between
// them
static void split_axes(jointReader *j, int e, int first)
{
  importWork *w = j->w;
  const char *name = sdf_bare_name(j->r, e);
  import_add_body(w, import_fresh(w, "%s_between", name), base_nowhere());
  const int between = w->machine.nbody - 1;
  const int second = add_sdf_joint(j, e, import_fresh(w, "%s_2", name), ART_REVOLUTE, between,
                                   w->machine.joint[first].to);
  importJoint *a = &w->machine.joint[first], *b = &w->machine.joint[second];
  a->type = ART_REVOLUTE;
  b->to_pose = a->to_pose;
  a->to = between;
  a->to_pose = import_identity();
  memcpy(b->axis, a->axis2, sizeof b->axis);
  read_along(j, e, "axis", first);
  read_along(j, e, "axis2", second);
  import_note_look(w, a->place,
                   "a joint with two axes is two joints with a body without mass between");
}


static void read_two_axes(jointReader *j, int e, int number)
{
  importWork *w = j->w;
  importJoint *joint = &w->machine.joint[number];
  read_sdf_axis(j->r, e, "axis2", joint->axis2);
  const v3 a = import_v3(joint->axis);
  const v3 b = import_v3(joint->axis2), n = v3_cross(a, b);
  const double size = v3_dot(a, a) * v3_dot(b, b), cosine = v3_dot(a, b);
  if (v3_dot(n, n) < 1e-12 * size) {
    import_fail(w, joint->place, "the two axes of joint '%.80s' are parallel", joint->name);
  }
  bool acts = false;
  for (int k = 0; k < 2; k++) {
    xmlNode *axis = xml_child(j->r->entity[e].node, k ? "axis2" : "axis");
    importJoint trial = {.name = joint->name, .lower = NAN, .upper = NAN};
    xmlNode *limit = xml_child(axis, "limit"), *dynamics = xml_child(axis, "dynamics");
    if (limit) read_sdf_limit(w, limit, &trial, false);
    if (dynamics) read_sdf_dynamics(w, dynamics, &trial);
    acts = acts || has_action(&trial) || xml_child(axis, "initial_position") ||
           xml_child(axis, "mimic");
  }
  if (acts || cosine * cosine > 1e-24 * size) split_axes(j, e, number);
}


// Drake's planar joint in the plane normal to z of its frame, with dampers along x, along y and
// about z
static void read_sdf_planar(importWork *w, xmlNode *node, int number)
{
  static const char *const coordinates[] = {"x", "y", "angle"};
  const char *name = w->machine.joint[number].name;
  double damping[3] = {0};
  memcpy(w->machine.joint[number].axis, (double[3]){0, 0, 1}, 3 * sizeof(double));
  memcpy(w->machine.joint[number].axis2, (double[3]){1, 0, 0}, 3 * sizeof(double));
  import_child_numbers(w, node, "damping", 3, damping);
  for (int k = 0; k < 3; k++) {
    if (damping[k] == 0) continue;
    const char *own = import_fresh(w, "%s_%s_damper", name, coordinates[k]);
    import_add_joint_spring(w, import_name(w, own, "damper", node->place), node->place,
                            import_format(w, "%s.%s", name, coordinates[k]), NULL, NULL,
                            import_number(w, damping[k]));
  }
}


static void read_sdf_joint(jointReader *j, int e)
{
  sdfReader *r = j->r;
  importWork *w = j->w;
  xmlNode *node = r->entity[e].node;
  const char *name = import_need(w, node, "type");
  const int type = NAMED_FIND(types, name);
  if (strcmp(name, "gearbox") == 0) return;
  if (type < 0)
    import_fail(w, node->place, "a joint is of type '%.60s', which is none of SDF", name);
  const int from = sdf_body(r, sdf_end(r, e, "parent")), to = sdf_body(r, sdf_end(r, e, "child"));
  if (from < 0 && to < 0) {
    import_note_look(w, node->place, "joints between parts that do not move are left out");
    xml_skip(node);
    return;
  }
  if (from == to)
    import_fail(w, node->place, "joint '%.80s' joins a link with itself", r->entity[e].key);
  const int number = add_sdf_joint(j, e, sdf_bare_name(r, e), types[type].type, from, to);
  importJoint *joint = &w->machine.joint[number];
  joint->from_pose = pose_on(r, e, from);
  joint->to_pose = pose_on(r, e, to);
  if (types[type].naxis > 0) read_sdf_axis(r, e, "axis", joint->axis);
  if (joint->type == ART_SCREW) joint->pitch = read_pitch(r, node);
  if (joint->type == ART_PLANAR) read_sdf_planar(w, node, number);
  if (types[type].naxis == 1) read_along(j, e, "axis", number);
  if (types[type].naxis == 2) read_two_axes(j, e, number);
}


//---- couplings -----------------------------------------------------------------------------------


// q = multiplier (leader - reference) + offset
static void read_sdf_mimic(jointReader *j, int e, const char *kind, int number)
{
  importWork *w = j->w;
  sdfReader *r = j->r;
  xmlNode *axis = xml_child(r->entity[e].node, kind);
  xmlNode *mimic = axis ? xml_child(axis, "mimic") : NULL;
  if (!mimic) return;
  const int leader = sdf_find(r, r->entity[e].scope, import_need(w, mimic, "joint"), mimic->place);
  const char *which = xml_get(mimic, "axis");
  const bool is_second = which && strcmp(which, "axis2") == 0;
  const int other = r->entity[leader].joint < 0 ? -1 : r->entity[leader].joint + is_second;
  double multiplier = 1, offset = 0, reference = 0;
  import_child_numbers(w, mimic, "multiplier", 1, &multiplier);
  import_child_numbers(w, mimic, "offset", 1, &offset);
  import_child_numbers(w, mimic, "reference", 1, &reference);
  if (other < 0 || other == number || !import_has_one(&w->machine.joint[number]) ||
      (is_second && !xml_child(r->entity[leader].node, "axis2")) ||
      !import_has_one(&w->machine.joint[other])) {
    import_fail(w, mimic->place, "joint '%.80s' mimics '%.80s'; both must have one coordinate",
                r->entity[e].key, r->entity[leader].key);
  }
  importJoint *joint = &w->machine.joint[number];
  import_parameter_map(w, joint, other, multiplier, offset - multiplier * reference, false,
                       mimic->place);
  j->is_used[number] = j->is_used[other] = true;
}


// The joint between the reference of a gear and a link that rotates about the axis. sign: +1 if its
// angle is that of the link relative to the reference about the axis, -1 if opposite.
static int find_gear_turn(jointReader *j, int e, int reference, int link, v3 axis, double *sign)
{
  importWork *w = j->w;
  for (int i = 1; i < j->r->count; i++) {
    const sdfEntity *entity = &j->r->entity[i];
    if (entity->kind != SDF_JOINT || entity->joint < 0) continue;
    const importJoint *joint = &w->machine.joint[entity->joint];
    const bool is_along = joint->from == reference && joint->to == link;
    if (joint->type != ART_REVOLUTE ||
        (!is_along && (joint->from != link || joint->to != reference)))
      continue;
    const v3 own = m3_back(sdf_pose(j->r, i).R, import_v3(joint->axis));
    const double dot = v3_dot(own, axis), size = sqrt(v3_dot(own, own) * v3_dot(axis, axis));
    if (fabs(dot) < (1 - 1e-9) * size) break;
    *sign = (dot > 0 ? 1 : -1) * (is_along ? 1 : -1);
    return entity->joint;
  }
  import_fail(
      w, j->r->entity[e].node->place,
      "the gearbox '%.80s' needs revolute joints between its <gearbox_reference_body> and its "
      "links, about its axes",
      j->r->entity[e].key);
}


// theta_2 = -ratio theta_1, with theta_1 of the parent relative to the reference about the axis,
// and theta_2 of the child about axis2
static void read_gearbox(jointReader *j, int e)
{
  sdfReader *r = j->r;
  importWork *w = j->w;
  xmlNode *node = r->entity[e].node;
  const int reference = sdf_body(r, sdf_end(r, e, "gearbox_reference_body"));
  const int body[2] = {sdf_body(r, sdf_end(r, e, "parent")), sdf_body(r, sdf_end(r, e, "child"))};
  double ratio = 1, sign[2];
  int joint[2];
  import_child_numbers(w, node, "gearbox_ratio", 1, &ratio);
  for (int k = 0; k < 2; k++) {
    double axis[3];
    read_sdf_axis(r, e, k ? "axis2" : "axis", axis);
    const v3 about = m3_back(sdf_pose(r, e).R, import_v3(axis));
    joint[k] = find_gear_turn(j, e, reference, body[k], about, &sign[k]);
    j->is_used[joint[k]] = true;
    xml_skip(xml_child(node, k ? "axis2" : "axis"));
  }
  if (ratio == 0 || joint[0] == joint[1])
    import_fail(w, node->place, "the gearbox '%.80s' has a ratio of zero, or one link",
                r->entity[e].key);
  import_add_item(w, "couplings", import_name(w, sdf_bare_name(r, e), "gearbox", node->place),
                  node->place, "{type: gear, joints: [%s, %s], ratio: %s}",
                  w->machine.joint[joint[0]].name, w->machine.joint[joint[1]].name,
                  import_number(w, -ratio * sign[0] * sign[1]));
  w->machine.joint[joint[1]].is_guess = w->machine.joint[joint[1]].is_follower = true;
}


//---- loops ---------------------------------------------------------------------------------------

static int joined_group(const jointReader *j, int body)
{
  int at = body + 1;
  while (j->group[at] != at) at = j->group[at] = j->group[j->group[at]];
  return at;
}


static bool do_join(jointReader *j, int a, int b)
{
  const int first = joined_group(j, a), second = joined_group(j, b);
  if (first == second) return false;
  // ground, and the body with the lowest index, remain roots
  j->group[first > second ? first : second] = first > second ? second : first;
  return true;
}


// A closing joint whose coordinate is used leads to a massless body, which a closure welds to the
// link.
static void cut_behind(jointReader *j, int number)
{
  importWork *w = j->w;
  const char *name = w->machine.joint[number].name;
  import_add_body(w, import_fresh(w, "%s_end", name), base_nowhere());
  importJoint *weld =
      import_add_joint(w, import_format(w, "%s_closed", name), ART_FIXED, w->machine.nbody - 1,
                       w->machine.joint[number].to, w->machine.joint[number].place);
  importJoint *joint = &w->machine.joint[number];
  weld->to_pose = joint->to_pose;
  weld->is_cut = true;
  joint->to = weld->from;
  joint->to_pose = import_identity();
}


// spanning tree: fixed joints first, then those whose coordinates are used, so that others are cut
static void close_sdf_loops(jointReader *j)
{
  importMachine *m = &j->w->machine;
  const int n = m->njoint;
  bool has_loop = false;
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 0; i < n; i++) {
      const int turn = m->joint[i].type == ART_FIXED ? 0 : j->is_used[i] ? 1 : 2;
      if (turn != pass || do_join(j, m->joint[i].from, m->joint[i].to)) continue;
      has_loop = true;
      if (j->is_used[i])
        cut_behind(j, i);
      else
        m->joint[i].is_cut = true;
    }
  }
  for (int i = 0; i < n && has_loop; i++) m->joint[i].is_guess = true;
}


//---- ground --------------------------------------------------------------------------------------

// In each group of bodies without connection to ground, one is free, or fixed if the caller asks
// for it: the first that is not a child, else the first.
static void set_sdf_base(jointReader *j, int nlink)
{
  importWork *w = j->w;
  importMachine *m = &w->machine;
  int nbase = 0;
  bool *is_child = import_take(w, (size_t) m->nbody + 1, sizeof *is_child);
  for (int i = 0; i < m->njoint; i++) {
    if (m->joint[i].to >= 0 && !m->joint[i].is_cut) is_child[m->joint[i].to] = true;
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < nlink; i++) {
      if ((pass == 0 && is_child[i]) || !do_join(j, -1, i)) continue;
      const bool is_free = w->def->base != ART_BASE_FIXED;
      const char *name = nbase++ ? import_format(w, "%s_base", m->body[i].name) : "base";
      importJoint *base =
          import_add_joint(w, name, is_free ? ART_FREE : ART_FIXED, -1, i, base_nowhere());
      base->from_pose = import_pose(sdf_pose(j->r, j->r->link[i]));
      if (is_free) continue;
      import_note(w, m->body[i].place,
                  "link '%.80s' is free in SDF and fixed to ground here (--base fixed)",
                  m->body[i].name);
    }
  }
}


void sdf_read_joints(sdfReader *r)
{
  importWork *w = r->w;
  jointReader j = {.r = r, .w = w};
  const int nlink = w->machine.nbody;
  for (int i = 1; i < r->count; i++) {
    if (r->entity[i].kind == SDF_JOINT) read_sdf_joint(&j, i);
  }
  const int n = w->machine.njoint;
  j.is_used = import_take(w, (size_t) n + 1, sizeof *j.is_used);
  for (int i = 0; i < n; i++) j.is_used[i] = has_action(&w->machine.joint[i]);
  for (int i = 1; i < r->count; i++) {
    const sdfEntity *e = &r->entity[i];
    if (e->kind != SDF_JOINT) continue;
    if (strcmp(xml_get(e->node, "type"), "gearbox") == 0) read_gearbox(&j, i);
    if (e->joint < 0) continue;
    read_sdf_mimic(&j, i, "axis", e->joint);
    read_sdf_mimic(&j, i, "axis2", e->joint + 1);
  }
  const int room = w->machine.nbody + n + 1;
  j.group = import_take(w, (size_t) room, sizeof *j.group);
  for (int i = 0; i < room; i++) j.group[i] = i;
  close_sdf_loops(&j);
  set_sdf_base(&j, nlink);
}
