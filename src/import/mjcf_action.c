// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Elements of MJCF between bodies: equalities as exact closures and couplings, sensors, keyframes;
// tendons and actuators are in other files.
#include <string.h>

#include "import/mjcf.h"


//---- references ----------------------------------------------------------------------------------

// the index of the item that an attribute names
static int find_mjcf_named(mjcfReader *r, xmlNode *node, const char *attribute,
                           const baseTable *table, const char *what)
{
  const char *name = mjcf_get(r, node, attribute);
  const int found = name ? table_find(table, name) : -1;
  if (found < 0) import_fail(r->w, node->place, "there is no %s '%.80s'", what, name ? name : "");
  return found;
}


const mjcfJoint *mjcf_find_joint(mjcfReader *r, xmlNode *node, const char *attribute)
{
  return &r->joint[find_mjcf_named(r, node, attribute, &r->joints, "joint")];
}


// a joint of one coordinate
const importJoint *mjcf_one_coordinate(mjcfReader *r, xmlNode *node, const mjcfJoint *j)
{
  const importJoint *joint = &r->w->machine.joint[j->joint];
  if (import_has_one(joint)) return joint;
  import_fail(r->w, node->place, "joint '%.80s' has not one coordinate", joint->name);
}


int mjcf_find_body(mjcfReader *r, xmlNode *node, const char *attribute)
{
  const char *name = mjcf_get(r, node, attribute);
  if (!name || strcmp(name, "world") == 0) return -1;
  const int body = import_find_body(r->w, name);
  if (body < 0) import_fail(r->w, node->place, "there is no body '%.80s'", name);
  return body;
}


const mjcfSite *mjcf_find_site(mjcfReader *r, xmlNode *node, const char *attribute)
{
  return &r->site[find_mjcf_named(r, node, attribute, &r->sites, "site")];
}


mjcfTendon *mjcf_find_tendon(mjcfReader *r, xmlNode *node, const char *attribute)
{
  return &r->tendon[find_mjcf_named(r, node, attribute, &r->tendons, "tendon")];
}


modelPose mjcf_body_pose(const mjcfReader *r, int body)
{
  ART_ASSERT(body < r->nbody);
  return body < 0 ? pose_identity() : r->pose[body];
}


const char *mjcf_name(mjcfReader *r, xmlNode *node, const char *kind)
{
  const char *name = xml_get(node, "name");
  return import_name(r->w, name ? name : import_fresh(r->w, "%s", kind), kind, node->place);
}


//---- equalities ----------------------------------------------------------------------------------

static void close_loop(mjcfReader *r, xmlNode *node, artJointType type, int from,
                       modelPose from_pose, int to, modelPose to_pose)
{
  const char *name = xml_get(node, "name");
  importJoint *joint = import_add_joint(r->w, name ? name : import_fresh(r->w, "%s", node->name),
                                        type, from, to, node->place);
  joint->from_pose = import_pose(from_pose);
  joint->to_pose = import_pose(to_pose);
  joint->is_cut = true;
  r->has_loops = true;
}


static bool close_between_sites(mjcfReader *r, xmlNode *node, artJointType type)
{
  if (!mjcf_get(r, node, "site1")) return false;
  const mjcfSite *a = mjcf_find_site(r, node, "site1"), *b = mjcf_find_site(r, node, "site2");
  close_loop(r, node, type, a->body, a->pose, b->body, b->pose);
  return true;
}


// Two connects between the same bodies at different points are a hinge, and a third one off its
// axis welds them. Spherical joints at each point would give redundant rows that contradict each
// other through rounding in the file.
static bool join_connects(mjcfReader *r, xmlNode *node, int from, int to, v3 at)
{
  importMachine *m = &r->w->machine;
  for (int i = 0; i < m->njoint; i++) {
    importJoint *joint = &m->joint[i];
    const bool is_ball = joint->type == ART_SPHERICAL, is_hinge = joint->type == ART_REVOLUTE;
    if (!joint->is_anchor || joint->from != from || joint->to != to) continue;
    const v3 arm = v3_sub(at, joint->from_pose.in.r);
    const v3 beside = is_hinge ? v3_cross(import_v3(joint->axis), arm) : arm;
    const double size = is_hinge ? v3_dot(import_v3(joint->axis), import_v3(joint->axis)) : 1;
    const double off = sqrt(v3_dot(beside, beside) / size);
    import_note(r->w, node->place,
                "points in which the same two bodies are connected are one hinge or weld");
    if (off < 1e-6 || !(is_ball || is_hinge)) return true;
    if (is_ball) import_store(joint->axis, arm);
    joint->type = is_ball ? ART_REVOLUTE : ART_FIXED;
    return true;
  }
  return false;
}


// a point of the first body, joined to the point of the second body that coincides with it at the
// configuration of the file
static void read_connect(mjcfReader *r, xmlNode *node)
{
  if (close_between_sites(r, node, ART_SPHERICAL)) return;
  const int from = mjcf_find_body(r, node, "body1"), to = mjcf_find_body(r, node, "body2");
  double at[3];
  if (!mjcf_numbers(r, node, "anchor", 3, at))
    import_fail(r->w, node->place, "<connect> has no 'anchor'");
  if (join_connects(r, node, from, to, import_v3(at))) return;
  const modelPose anchor = {m3_identity(), import_v3(at)};
  const modelPose in_ground = pose_compose(mjcf_body_pose(r, from), anchor);
  close_loop(r, node, ART_SPHERICAL, from, anchor, to,
             pose_compose(pose_inverse(mjcf_body_pose(r, to)), in_ground));
  r->w->machine.joint[r->w->machine.njoint - 1].is_anchor = true;
}


static void read_weld(mjcfReader *r, xmlNode *node)
{
  if (close_between_sites(r, node, ART_FIXED)) return;
  const int from = mjcf_find_body(r, node, "body1"), to = mjcf_find_body(r, node, "body2");
  double x[7] = {0}, anchor[3];
  mjcf_numbers(r, node, "relpose", 7, x);
  mjcf_numbers(r, node, "anchor", 3, anchor); // the weight of the torque does not matter for a
                                              // rigid weld
  const bool is_given = x[3] != 0 || x[4] != 0 || x[5] != 0 || x[6] != 0;
  const modelPose between =
      is_given ? import_by_quaternion(x, x + 3).in
               : pose_compose(pose_inverse(mjcf_body_pose(r, from)), mjcf_body_pose(r, to));
  close_loop(r, node, ART_FIXED, from, between, to, pose_identity());
}


// first = a0 + a1 second + a2 second^2 + ..., with values relative to the configuration of the
// file; returns the number of coefficients
static int read_mjcf_polynomial(mjcfReader *r, xmlNode *node, double a[5])
{
  const double usual[5] = {0, 1, 0, 0, 0};
  int n = 5;
  memcpy(a, usual, sizeof usual);
  mjcf_some(r, node->place, "polycoef", mjcf_get(r, node, "polycoef"), 5, a);
  while (n > 2 && a[n - 1] == 0) n--;
  return n;
}


static const char *polynomial_text(importWork *w, const char *one, const char *two, int n,
                                   const double *a)
{
  const char *list = import_number(w, a[0]);
  for (int k = 1; k < n; k++) list = import_format(w, "%s, %s", list, import_number(w, a[k]));
  return import_format(w, "{type: polynomial, coordinates: [%s, %s], coefficients: [%s]}", one, two,
                       list);
}


static void read_joint_equality(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const importJoint *one = mjcf_one_coordinate(r, node, mjcf_find_joint(r, node, "joint1"));
  const bool has_two = mjcf_get(r, node, "joint2") != NULL;
  const importJoint *two =
      has_two ? mjcf_one_coordinate(r, node, mjcf_find_joint(r, node, "joint2")) : NULL;
  double a[5];
  const int n = read_mjcf_polynomial(r, node, a);
  const char *text = two && n > 2
                         ? polynomial_text(w, one->name, two->name, n, a)
                         : import_line_text(w, one->name, two ? two->name : NULL, a[1], a[0]);
  importJoint *follower = &w->machine.joint[one - w->machine.joint];
  // a joint that follows by two equalities couples the joints that it follows
  if (follower->is_follower) r->has_loops = true;
  follower->is_follower = follower->is_guess = true;
  follower->leader = two ? (int) (two - w->machine.joint) : -1;
  import_add_item(w, "couplings", mjcf_name(r, node, "equality"), node->place, "%s", text);
}


static void read_tendon_equality(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const mjcfTendon *one = mjcf_find_tendon(r, node, "tendon1");
  if (mjcf_get(r, node, "tendon2") || !one->terms)
    import_fail(w, node->place,
                "an equality of two tendons, or of one through points, is not read");
  double a[5];
  read_mjcf_polynomial(r, node, a);
  const char *value = a[0] == 0 ? "" : import_format(w, ", value: %s", import_number(w, a[0]));
  import_add_item(w, "couplings", mjcf_name(r, node, "equality"), node->place,
                  "{type: linear, terms: {%s}%s}", one->terms, value);
  r->has_loops = true;
}


static void read_equality(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  node->is_read = true;
  if (mjcf_is(r, node, "active", "false")) {
    import_note_look(w, node->place, "an equality that is not active is left out");
    xml_skip(node);
    return;
  }
  if (strcmp(node->name, "connect") == 0)
    read_connect(r, node);
  else if (strcmp(node->name, "weld") == 0)
    read_weld(r, node);
  else if (strcmp(node->name, "joint") == 0)
    read_joint_equality(r, node);
  else if (strcmp(node->name, "tendon") == 0)
    read_tendon_equality(r, node);
  else
    import_fail(w, node->place, "an equality <%.40s> is not read", node->name);
  if (mjcf_get(r, node, "solref") || mjcf_get(r, node, "solimp"))
    import_note(w, node->place, "solref, solimp of an equality: it is exact here");
  xml_skip(node);
}


//---- sensors -------------------------------------------------------------------------------------

// the site or body that 'objname' or 'refname' names (a body by the frame 'xbody'); NULL: something
// else
static const char *object_text(mjcfReader *r, xmlNode *node, const char *type, const char *name)
{
  importWork *w = r->w;
  const char *kind = xml_get(node, type);
  if (kind && strcmp(kind, "site") == 0) {
    const mjcfSite *site = mjcf_find_site(r, node, name);
    return import_frame_text(w, site->body, site->name);
  }
  return kind && strcmp(kind, "xbody") == 0
             ? import_frame_text(w, mjcf_find_body(r, node, name), NULL)
             : NULL;
}


// position and velocity of a frame relative to another one
static void read_frame_sensor(mjcfReader *r, xmlNode *node, const char *type)
{
  importWork *w = r->w;
  const char *object = object_text(r, node, "objtype", "objname");
  const bool has_reference = xml_get(node, "reftype") != NULL;
  const char *reference = has_reference ? object_text(r, node, "reftype", "refname") : "ground";
  if (!object || !reference) return;
  node->is_read = true;
  const char *seen = has_reference
                         ? import_format(w, ", relative: %s, axes: %s", reference, reference)
                     : strcmp(type, "gyro") == 0 ? ", axes: ground"
                                                 : "";
  import_add_item(w, "sensors", mjcf_name(r, node, node->name), node->place,
                  "{type: %s, frame: %s%s}", type, object, seen);
}


// at a site, in its axes
static void read_site_sensor(mjcfReader *r, xmlNode *node, const char *type)
{
  importWork *w = r->w;
  const mjcfSite *site = mjcf_find_site(r, node, "site");
  const char *frame = import_frame_text(w, site->body, site->name);
  const char *axes = strcmp(type, "velocity") == 0 ? import_format(w, ", axes: %s", frame) : "";
  node->is_read = true;
  import_add_item(w, "sensors", mjcf_name(r, node, node->name), node->place,
                  "{type: %s, frame: %s%s}", type, frame, axes);
}


static void add_mjcf_quantity(mjcfReader *r, xmlNode *node, const char *value, double bias)
{
  importWork *w = r->w;
  node->is_read = true;
  import_add_item(w, "sensors", mjcf_name(r, node, node->name), node->place,
                  "{type: quantity, value: \"= %s\"%s}", value,
                  bias == 0 ? "" : import_format(w, ", bias: %s", import_number(w, bias)));
}


static void read_tendon_sensor(mjcfReader *r, xmlNode *node, bool is_rate)
{
  mjcfTendon *t = mjcf_find_tendon(r, node, "tendon");
  if (!t->terms && !t->span) return;
  mjcf_measure_tendon(r, t);
  add_mjcf_quantity(r, node, is_rate ? t->rate : t->length, is_rate || !t->terms ? 0 : t->start);
}


// unsupported sensors are noted at the end
static void read_mjcf_sensor(mjcfReader *r, xmlNode *node)
{
  static const struct {
    const char *name, *type;
    void (*read)(mjcfReader *r, xmlNode *node, const char *type);
  } kinds[] = {{"gyro", "gyro", read_site_sensor},
               {"accelerometer", "acceleration", read_site_sensor},
               {"velocimeter", "velocity", read_site_sensor},
               {"framepos", "position", read_frame_sensor},
               {"framelinvel", "velocity", read_frame_sensor},
               {"frameangvel", "gyro", read_frame_sensor}};
  const bool is_rate = strcmp(node->name, "jointvel") == 0 || strcmp(node->name, "tendonvel") == 0;
  if (is_rate || strcmp(node->name, "jointpos") == 0 || strcmp(node->name, "tendonpos") == 0) {
    if (node->name[0] == 'j') {
      importWork *w = r->w;
      const mjcfJoint *j = mjcf_find_joint(r, node, "joint");
      const importJoint *joint = mjcf_one_coordinate(r, node, j);
      const char *q = import_quoted(w, joint->name);
      add_mjcf_quantity(r, node,
                        import_format(w, "%s.%s", q, is_rate ? "rate" : import_coordinate(joint)),
                        is_rate ? 0 : j->ref);
    } else
      read_tendon_sensor(r, node, is_rate);
  }
  const int found = NAMED_FIND(kinds, node->name);
  if (found >= 0) kinds[found].read(r, node, kinds[found].type);
}


//---- keyframes -----------------------------------------------------------------------------------

// number of coordinates of a joint in keyframes: 7 for a free joint, 4 for a ball, else 1
static int mjcf_width_of(const importJoint *joint)
{
  return joint->type == ART_FREE ? 7 : joint->type == ART_SPHERICAL ? 4 : 1;
}


// velocities have one entry less for each quaternion
static int mjcf_rates_of(const importJoint *joint)
{
  return joint->type == ART_FREE ? 6 : joint->type == ART_SPHERICAL ? 3 : 1;
}


static void add_start(importWork *w, importJoint *joint, const char *text)
{
  joint->initial = joint->initial ? import_format(w, "%s, %s", joint->initial, text) : text;
}


static void start_mjcf_joint(importWork *w, importJoint *joint, double ref, const double *x)
{
  joint->initial = NULL;
  if (joint->type == ART_FREE) {
    add_start(w, joint,
              import_format(w, "position: %s, orientation: %s", import_list(w, 3, x),
                            import_list(w, 4, x + 3)));
  } else if (joint->type == ART_SPHERICAL) {
    add_start(w, joint, import_format(w, "orientation: %s", import_list(w, 4, x)));
  } else {
    joint->start = x[0] - ref;
    add_start(w, joint, import_start_at(w, joint, joint->start));
  }
}


static void move_joint(importWork *w, importJoint *joint, const double *v)
{
  if (joint->type == ART_FREE)
    add_start(w, joint, import_format(w, "velocity: %s", import_list(w, 3, v)));
  if (joint->type == ART_FREE || joint->type == ART_SPHERICAL)
    add_start(w, joint,
              import_format(w, "angular_velocity: %s",
                            import_list(w, 3, joint->type == ART_FREE ? v + 3 : v)));
  else
    add_start(w, joint, import_format(w, "rate: %s", import_number(w, v[0])));
}


static void start_at(mjcfReader *r, xmlNode *key)
{
  importWork *w = r->w;
  int nq = 0, nv = 0, at = 0, rate = 0;
  for (int i = 0; i < r->njoint; i++) {
    nq += mjcf_width_of(&w->machine.joint[r->joint[i].joint]);
    nv += mjcf_rates_of(&w->machine.joint[r->joint[i].joint]);
  }
  double *q = import_take(w, (size_t) nq + 1, sizeof *q),
         *v = import_take(w, (size_t) nv + 1, sizeof *v);
  const bool has_q = import_get(w, key, "qpos", nq, q), has_v = import_get(w, key, "qvel", nv, v);
  for (int i = 0; i < r->njoint; i++) {
    importJoint *joint = &w->machine.joint[r->joint[i].joint];
    if (has_q) start_mjcf_joint(w, joint, r->joint[i].ref, q + at);
    if (has_v) move_joint(w, joint, v + rate);
    at += mjcf_width_of(joint);
    rate += mjcf_rates_of(joint);
  }
}


// read all elements in the sections of a name
static void read_mjcf_sections(mjcfReader *r, const char *name,
                               void (*read)(mjcfReader *, xmlNode *))
{
  for (xmlNode *s = xml_child(r->root, name); s; s = xml_next(s)) {
    for (xmlNode *n = s->first; n; n = n->next) read(r, n);
  }
}


static void count_actuator(mjcfReader *r, xmlNode *node)
{
  const char *name = mjcf_get(r, node, "joint");
  const int found = name ? table_find(&r->joints, name) : -1;
  if (found >= 0) r->joint[found].nactuator++;
}


void mjcf_read_actions(mjcfReader *r)
{
  for (xmlNode *s = xml_child(r->root, "tendon"); s; s = xml_next(s)) mjcf_read_tendons(r, s);
  read_mjcf_sections(r, "equality", read_equality);
  read_mjcf_sections(r, "actuator", count_actuator);
  // the inputs of all actuators at the requested keyframe
  importWork *w = r->w;
  int n = 0;
  for (xmlNode *s = xml_child(r->root, "actuator"); s; s = xml_next(s)) {
    for (const xmlNode *a = s->first; a; a = a->next) n++;
  }
  for (xmlNode *s = xml_child(r->root, "keyframe"); s && w->def->key; s = xml_next(s)) {
    for (xmlNode *key = xml_child(s, "key"); key && !r->control; key = xml_next(key)) {
      const char *name = xml_get(key, "name");
      double *control = import_take(w, (size_t) n + 1, sizeof *control);
      if (name && strcmp(name, w->def->key) == 0 && import_get(w, key, "ctrl", n, control))
        r->control = control;
    }
  }
  read_mjcf_sections(r, "actuator", mjcf_read_actuator);
  mjcf_pull_tendons(r);
  read_mjcf_sections(r, "sensor", read_mjcf_sensor);
  for (xmlNode *s = xml_child(r->root, "keyframe"); s; s = xml_next(s)) {
    // the initial state is the configuration of the file, or the requested keyframe
    for (xmlNode *key = xml_child(s, "key"); key; key = xml_next(key)) {
      const char *name = xml_get(key, "name");
      if (r->w->def->key && name && strcmp(name, r->w->def->key) == 0 && !r->has_key) {
        r->has_key = true;
        start_at(r, key);
        continue;
      }
      import_note_look(r->w, key->place,
                       "keyframe '%.80s' is left out; --key chooses one to start at",
                       name ? name : "");
      xml_skip(key);
    }
  }
  if (r->w->def->key && !r->has_key) {
    import_fail(r->w, (artPlace){.file = r->w->path}, "there is no keyframe '%.80s'",
                r->w->def->key);
  }
  // with loops all initial values are guesses; with equalities of joints only those of followers
  for (int i = 0; i < r->w->machine.njoint && r->has_loops; i++)
    r->w->machine.joint[i].is_guess = true;
}
