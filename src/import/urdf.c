// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reader of URDF, the robot format of ROS (wiki.ros.org/urdf/XML), with the joints of Drake and
// common extensions for closed loops: <loop_joint>, and <joint> within <gazebo>.
//
// A joint and its child have the same frame; at zero it is at `origin` in the frame of the parent.
#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "import/contacts.h"
#include "import/urdf.h"


static importPose read_urdf_pose(importWork *w, xmlNode *node)
{
  double xyz[3] = {0}, rpy[3] = {0};
  import_get(w, node, "xyz", 3, xyz);
  import_get(w, node, "rpy", 3, rpy);
  return import_by_angles(xyz, rpy);
}


static importPose read_origin(importWork *w, xmlNode *node)
{
  xmlNode *origin = xml_child(node, "origin");
  return origin ? read_urdf_pose(w, origin) : import_identity();
}


//---- appearance ----------------------------------------------------------------------------------

static int read_urdf_colour(importWork *w, xmlNode *material)
{
  xmlNode *colour = xml_child(material, "color");
  const char *text = colour ? xml_get(colour, "rgba") : NULL;
  double rgba[4];
  int words = 0;
  if (!text) return -1;
  for (const char *c = text; *c; c++) words += *c > ' ' && (c == text || c[-1] <= ' ');
  if (words < 3) {
    import_note_mended(w, colour->place, "a colour without numbers is left out");
    return -1;
  }
  import_numbers(w, colour->place, "rgba", text, words == 3 ? 3 : 4, rgba);
  return import_colour(rgba);
}


static void read_materials(urdfReader *r)
{
  for (xmlNode *m = xml_child(r->root, "material"); m; m = xml_next(m)) {
    const char *name = xml_get(m, "name");
    const int colour = read_urdf_colour(r->w, m);
    if (name && colour >= 0) import_enter(r->w, &r->materials, name, colour);
  }
}


static importShape *read_urdf_mesh(importWork *w, importShape **list, xmlNode *mesh)
{
  double scale[3] = {1, 1, 1};
  import_get(w, mesh, "scale", 3, scale);
  const char *name = import_need(w, mesh, "filename");
  return import_add_mesh(w, list, name, NULL, scale, mesh->place);
}


static void read_visual(urdfReader *r, importShape **list, xmlNode *visual)
{
  xmlNode *material = xml_child(visual, "material"), *geometry = xml_child(visual, "geometry");
  xml_get(visual, "name");
  int colour = material ? read_urdf_colour(r->w, material) : -1;
  const char *name = material ? xml_get(material, "name") : NULL;
  if (colour < 0 && name) colour = table_find(&r->materials, name);
  const importPose pose = read_origin(r->w, visual);
  if (!geometry) return;
  xmlNode *mesh = xml_child(geometry, "mesh");
  importShape *shape =
      mesh ? read_urdf_mesh(r->w, list, mesh) : import_read_shape(r->w, list, geometry, import_get);
  if (!shape) return;
  shape->pose = pose;
  shape->colour = colour;
  import_show(r->w, shape, visual->place);
}


static void read_urdf_surface(importWork *w, int body, xmlNode *collision)
{
  xmlNode *geometry = xml_child(collision, "geometry");
  importShape *shape = NULL;
  if (!geometry) return;
  import_read_shape(w, &shape, geometry, import_get);
  if (!import_add_surface(w, body, shape, read_origin(w, collision), NULL, collision->place))
    import_note_untouched(w, collision->place, geometry->first ? geometry->first->name : "none");
}


// Without contact, collision shapes are only shown, if there is no readable visual shape.
static void read_collisions(urdfReader *r, importShape **list, xmlNode *link)
{
  importWork *w = r->w;
  const bool is_seen = *list != NULL;
  for (xmlNode *c = xml_child(link, "collision"); c; c = xml_next(c)) {
    if (w->def->contact)
      read_urdf_surface(w, w->machine.nbody - 1, c);
    else
      import_note(w, c->place, "<collision>: bodies do not collide here");
    if (!is_seen) read_visual(r, list, c);
    xml_skip(c);
  }
}


//---- links ---------------------------------------------------------------------------------------

static void read_urdf_inertial(importWork *w, importBody *body, xmlNode *inertial)
{
  static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const importPose frame = read_origin(w, inertial);
  xmlNode *mass = xml_child(inertial, "mass"), *inertia = xml_child(inertial, "inertia");
  double tensor[6] = {0};
  if (!mass)
    import_fail(w, inertial->place, "<inertial> of link '%.80s' has no <mass>", body->name);
  import_need_numbers(w, mass, "value", 1, &body->mass);
  if (body->mass < 0) {
    import_fail(w, mass->place, "link '%.80s' has the mass %g kg", body->name, body->mass);
  }
  for (int i = 0; i < 6 && inertia; i++) import_get(w, inertia, names[i], 1, &tensor[i]);
  import_set_inertia(body, frame.in, import_is_turned(&frame), tensor);
}


static void read_urdf_link(urdfReader *r, xmlNode *link)
{
  importWork *w = r->w;
  importBody *body = import_add_body(w, import_need(w, link, "name"), link->place);
  xmlNode *inertial = xml_child(link, "inertial");
  if (inertial) read_urdf_inertial(w, body, inertial);
  for (xmlNode *v = xml_child(link, "visual"); v; v = xml_next(v)) read_visual(r, &body->visual, v);
  read_collisions(r, &body->visual, link);
}


//---- joints --------------------------------------------------------------------------------------

static int find_link(importWork *w, xmlNode *node, const char *attribute)
{
  const char *name = import_need(w, node, attribute);
  const int body = import_find_body(w, name);
  if (body >= 0 || strcmp(name, "world") == 0) return body >= 0 ? body : -1;
  import_fail(w, node->place, "there is no link '%.80s'", name);
}


// true for a joint that refers to a link that the file does not have
static bool has_lost_link(importWork *w, const char *name, xmlNode *parent, xmlNode *child)
{
  const char *from = import_need(w, parent, "link"), *to = import_need(w, child, "link");
  const bool lacks[2] = {import_find_body(w, from) < 0 && strcmp(from, "world") != 0,
                         import_find_body(w, to) < 0};
  if (!lacks[0] && !lacks[1]) return false;
  import_note_motion(w, parent->place, "joint '%.80s' is left out: the file has no link '%.80s'",
                     name, lacks[0] ? from : to);
  return true;
}


static artJointType joint_type(importWork *w, xmlNode *node)
{
  static const struct {
    const char *name;
    artJointType type;
  } types[] = {{"revolute", ART_REVOLUTE},   {"continuous", ART_REVOLUTE},
               {"prismatic", ART_PRISMATIC}, {"fixed", ART_FIXED},
               {"floating", ART_FREE},       {"planar", ART_PLANAR},
               {"ball", ART_SPHERICAL},      {"spherical", ART_SPHERICAL},
               {"universal", ART_UNIVERSAL}, {"screw", ART_SCREW}};
  const char *type = import_need(w, node, "type");
  const int found = NAMED_FIND(types, type);
  if (found >= 0) return types[found].type;
  import_fail(w, node->place, "a joint is of type '%.60s', which is none of URDF", type);
}


static void read_urdf_axis(importWork *w, xmlNode *node, importJoint *joint)
{
  xmlNode *axis = xml_child(node, "axis");
  joint->axis[0] = 1;
  joint->axis[1] = joint->axis[2] = 0;
  if (axis) import_get(w, axis, "xyz", 3, joint->axis);
  const bool needs = joint->type != ART_FIXED && joint->type != ART_FREE &&
                     joint->type != ART_SPHERICAL && joint->type != ART_UNIVERSAL;
  if (needs && joint->axis[0] == 0 && joint->axis[1] == 0 && joint->axis[2] == 0) {
    import_fail(w, axis->place, "the axis of joint '%.80s' is zero", joint->name);
  }
  if (joint->type != ART_UNIVERSAL) return;
  const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  memcpy(joint->axis, x, sizeof x);
  memcpy(joint->axis2, y, sizeof y);
}


// a limit; inf means none
static bool read_urdf_bound(importWork *w, xmlNode *limit, const char *attribute, double *x)
{
  const char *text = xml_get(limit, attribute);
  if (!text) return false;
  const bool has_sign = text[0] == '-' || text[0] == '+';
  if (ascii_compare(text + has_sign, "inf") != 0 && ascii_compare(text + has_sign, "infinity") != 0)
    return import_get(w, limit, attribute, 1, x);
  *x = text[0] == '-' ? -INFINITY : INFINITY;
  return true;
}


// range, effort and velocity; continuous joints have no range
static void read_urdf_limit(importWork *w, xmlNode *node, importJoint *joint)
{
  xmlNode *limit = xml_child(node, "limit");
  double lower = 0, upper = 0, velocity = 0;
  if (!limit) return;
  const bool is_endless = strcmp(xml_get(node, "type"), "continuous") == 0;
  const int given =
      read_urdf_bound(w, limit, "lower", &lower) + read_urdf_bound(w, limit, "upper", &upper);
  read_urdf_bound(w, limit, "effort", &joint->effort);
  if (read_urdf_bound(w, limit, "velocity", &velocity) && isfinite(velocity)) {
    import_note(w, limit->place, "velocity of <limit>: speeds of joints have no bound here");
  }
  if (given == 0 || is_endless) return;
  // exporters write zeros if no limit was set
  const bool is_unset = lower == 0 && upper == 0 && velocity == 0 && joint->effort == 0;
  if (lower == upper && isfinite(lower) && !is_unset) {
    joint->is_held = true;
    joint->start = lower;
    return;
  }
  if (lower >= upper) {
    import_note_motion(w, limit->place, "the range of joint '%.80s' has no inside and is left out",
                       joint->name);
    return;
  }
  joint->lower = isfinite(lower) ? lower : NAN;
  joint->upper = isfinite(upper) ? upper : NAN;
  import_start_inside(w, joint, limit->place);
}


static void read_urdf_dynamics(importWork *w, xmlNode *node, importJoint *joint)
{
  xmlNode *dynamics = xml_child(node, "dynamics");
  if (!dynamics) return;
  import_get(w, dynamics, "damping", 1, &joint->damping);
  import_get(w, dynamics, "friction", 1, &joint->friction);
  import_check_losses(w, joint, dynamics->place);
}


// Exporters of CAD models write <joint_properties friction="0.0"/>, which nothing reads: it is noted
// if it has a number that is not zero.
static void skip_zero_properties(importWork *w, xmlNode *joint)
{
  xmlNode *properties = xml_child(joint, "joint_properties");
  double damping = 0, friction = 0;
  if (!properties) return;
  import_get(w, properties, "damping", 1, &damping);
  import_get(w, properties, "friction", 1, &friction);
  if (damping == 0 && friction == 0) return;
  import_note_motion(w, properties->place, "<joint_properties> of <joint> is left out");
}


// mark elements as read that have no meaning for a fixed joint
static void skip_motion(xmlNode *joint)
{
  static const char *const names[] = {"axis", "limit", "dynamics", "safety_controller"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    xmlNode *child = xml_child(joint, names[i]);
    if (child) xml_skip(child);
  }
}


static void read_urdf_joint(urdfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const char *name = import_need(w, node, "name");
  if (table_find(&r->joints, name) >= 0) {
    import_fail(w, node->place, "the name '%.80s' is given to two joints", name);
  }
  xmlNode *parent = xml_child(node, "parent"), *child = xml_child(node, "child");
  if (!parent || !child) {
    import_fail(w, node->place, "joint '%.80s' has no %s", name, parent ? "<child>" : "<parent>");
  }
  if (has_lost_link(w, name, parent, child)) {
    xml_skip(node);
    return;
  }
  const int from = find_link(w, parent, "link"), to = find_link(w, child, "link");
  importJoint *joint = import_add_joint(w, name, joint_type(w, node), from, to, node->place);
  const int number = w->machine.njoint - 1;
  import_enter(w, &r->joints, name, number);
  if (to >= 0 && r->parent[to] >= 0) {
    import_fail(w, child->place,
                "link '%.80s' has two parents, by joints '%.80s' and '%.80s'; loops are closed by "
                "pairs of links that coincide (--close)",
                w->machine.body[to].name, w->machine.joint[r->parent[to]].name, name);
  }
  if (to >= 0) r->parent[to] = number;
  joint->from_pose = read_origin(w, node);
  read_urdf_axis(w, node, joint);
  skip_zero_properties(w, node);
  if (import_has_one(joint)) {
    read_urdf_limit(w, node, joint);
    read_urdf_dynamics(w, node, joint);
  } else if (joint->type == ART_FIXED) {
    skip_motion(node);
  }
  xmlNode *pitch = xml_child(node, "drake:screw_thread_pitch");
  if (joint->type == ART_SCREW) {
    if (!pitch)
      import_fail(w, node->place, "joint '%.80s' is a screw without <drake:screw_thread_pitch>",
                  name);
    import_get(w, pitch, "value", 1, &joint->pitch);
    joint->pitch /= 2 * PI; // given per revolution
  }
}


// joint = multiplier * other + offset
static void read_urdf_mimic(urdfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  xmlNode *mimic = xml_child(node, "mimic");
  if (!mimic) return;
  const int own = table_find(&r->joints, xml_get(node, "name"));
  if (own < 0) return; // the joint was left out
  importJoint *joint = &w->machine.joint[own];
  const char *name = import_need(w, mimic, "joint");
  const int found = table_find(&r->joints, name);
  double multiplier = 1, offset = 0;
  import_get(w, mimic, "multiplier", 1, &multiplier);
  import_get(w, mimic, "offset", 1, &offset);
  const importJoint *other = found < 0 ? NULL : &w->machine.joint[found];
  if (joint->type == ART_FIXED) {
    import_note_mended(w, mimic->place, "joint '%.80s' is fixed and mimics nothing", joint->name);
    return;
  }
  if (!other || other == joint) {
    import_fail(w, mimic->place, "joint '%.80s' mimics '%.80s', which is not another joint",
                joint->name, name);
  }
  if (other->type == ART_FIXED && import_has_one(joint)) {
    import_note_mended(w, mimic->place,
                       "joint '%.80s' mimics '%.80s', which is fixed: it is held at its offset",
                       joint->name, name);
    joint->is_held = true;
    joint->start = offset;
    return;
  }
  if (!import_has_one(joint) || !import_has_one(other)) {
    import_fail(w, mimic->place, "joint '%.80s' mimics '%.80s'; both must have one coordinate",
                joint->name, name);
  }
  import_parameter_map(w, joint, found, multiplier, offset,
                       joint->type == other->type && multiplier != 0, mimic->place);
}


//---- the tree ------------------------------------------------------------------------------------

// check that the links form a tree: each path of parents ends at a root or at a link already
// checked
static void check_link_tree(urdfReader *r)
{
  const importMachine *m = &r->w->machine;
  int *seen = import_take(r->w, (size_t) m->nbody + 1, sizeof *seen);
  for (int i = 0; i < m->nbody; i++) {
    int at = i;
    while (at >= 0 && r->parent[at] >= 0 && !seen[at]) {
      seen[at] = i + 1;
      at = m->joint[r->parent[at]].from;
    }
    if (at >= 0 && r->parent[at] >= 0 && seen[at] == i + 1) {
      import_fail(r->w, m->body[i].place,
                  "link '%.80s' is reached from no root: its joints form a circle",
                  m->body[i].name);
    }
  }
}


static bool has_nothing(const importBody *body)
{
  return body->mass == 0 && !body->visual && body->com[0] == 0 && body->com[1] == 0 &&
         body->com[2] == 0;
}


// Links without a parent are on ground; one called world without contents is ground itself.
static void set_urdf_base(urdfReader *r)
{
  importWork *w = r->w;
  importMachine *m = &w->machine;
  int nroot = 0;
  for (int i = 0; i < m->nbody; i++) {
    if (r->parent[i] >= 0) continue;
    nroot++;
    const bool is_ground = strcmp(m->body[i].name, "world") == 0 && has_nothing(&m->body[i]);
    const bool is_free = w->def->base == ART_BASE_FREE && !is_ground;
    import_add_joint(w, is_ground ? "world_base" : "base", is_free ? ART_FREE : ART_FIXED, -1, i,
                     base_nowhere());
  }
  if (m->nbody == 0) import_fail(w, r->root->place, "the robot has no link");
  if (nroot > 1)
    import_note(w, r->root->place, "the robot has %d roots, each of which is fixed to ground",
                nroot);
}


// the pose of a link relative to its root, with all joints at zero
static modelPose pose_at_zero(const urdfReader *r, int body)
{
  modelPose pose = pose_identity();
  while (body >= 0 && r->parent[body] >= 0) {
    const importJoint *joint = &r->w->machine.joint[r->parent[body]];
    pose = pose_compose(joint->from_pose.in, pose);
    body = joint->from;
  }
  return pose;
}


//---- loops ---------------------------------------------------------------------------------------

// <loop_joint type><link1 link xyz rpy/><link2 .../><axis/></loop_joint>
static void read_loop_joint(urdfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  xmlNode *link[2] = {xml_child(node, "link1"), xml_child(node, "link2")};
  if (!link[0] || !link[1])
    import_fail(w, node->place, "<loop_joint> has no %s", link[0] ? "<link2>" : "<link1>");
  const int from = find_link(w, link[0], "link"), to = find_link(w, link[1], "link");
  importJoint *joint =
      import_add_joint(w, import_need(w, node, "name"), joint_type(w, node), from, to, node->place);
  joint->from_pose = read_urdf_pose(w, link[0]);
  joint->to_pose = read_urdf_pose(w, link[1]);
  joint->is_cut = true;
  read_urdf_axis(w, node, joint);
}


static int linked_text(importWork *w, xmlNode *joint, const char *name)
{
  const char *link = import_child_text(joint, name);
  const int body = link ? import_find_body(w, link) : -2;
  if (body < -1)
    import_fail(w, joint->place, "<joint> of <gazebo> names no link of the file as its <%s>", name);
  return body;
}


// <gazebo><joint> of SDF between two links of the tree: its frame is given in the child
static void read_gazebo_joint(urdfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const int from = linked_text(w, node, "parent"), to = linked_text(w, node, "child");
  importJoint *joint =
      import_add_joint(w, import_need(w, node, "name"), joint_type(w, node), from, to, node->place);
  double pose[6] = {0};
  import_child_numbers(w, node, "pose", 6, pose);
  joint->is_cut = true;
  joint->to_pose = import_by_angles(pose, pose + 3);
  const modelPose at = pose_compose(pose_at_zero(r, to), joint->to_pose.in);
  joint->from_pose = import_pose(pose_compose(pose_inverse(pose_at_zero(r, from)), at));
  xmlNode *axis = xml_child(node, "axis");
  if (axis) import_child_numbers(w, axis, "xyz", 3, joint->axis);
}


// <mu1>1</mu1> or <mu1 value="1"/>; NAN if missing
static double gazebo_number(importWork *w, xmlNode *gazebo, const char *name)
{
  xmlNode *node = xml_child(gazebo, name);
  const char *value = node ? xml_get(node, "value") : NULL;
  double x = NAN;
  if (node && !value) value = node->text;
  if (value && value[0]) import_numbers(w, node->place, name, value, 1, &x);
  return x;
}


// friction, stiffness and damping of the collision shapes of a link
static void read_gazebo_surface(importWork *w, xmlNode *gazebo, int body)
{
  const double friction = gazebo_number(w, gazebo, "mu1"),
               stiffness = gazebo_number(w, gazebo, "kp"), damping = gazebo_number(w, gazebo, "kd");
  for (int i = 0; i < w->machine.nsurface; i++) {
    importSurface *surface = &w->machine.surface[i];
    if (surface->body == body)
      import_set_surface(w, surface, friction, stiffness, damping, gazebo->place);
  }
}


static void read_gazebo(urdfReader *r, xmlNode *node)
{
  for (xmlNode *j = xml_child(node, "joint"); j; j = xml_next(j)) read_gazebo_joint(r, j);
  const char *name = xml_get(node, "reference");
  const int body = name ? import_find_body(r->w, name) : -1;
  if (r->w->def->contact && body >= 0) read_gazebo_surface(r->w, node, body);
  for (xmlNode *child = node->first; child; child = child->next) {
    if (child->is_read) continue;
    import_note_part(r->w, node, child->place, child->name, "<%.60s> of <gazebo> is left out",
                     child->name);
    xml_skip(child);
  }
}


int urdf_find_frame(const urdfReader *r, const char *name)
{
  const int body = import_find_body(r->w, name), joint = table_find(&r->joints, name);
  return body >= 0 || joint < 0 ? body : r->w->machine.joint[joint].to;
}


void urdf_close(urdfReader *r, const char *from, const char *to, bool is_point, artPlace place)
{
  importWork *w = r->w;
  const int a = urdf_find_frame(r, from), b = urdf_find_frame(r, to);
  if (a < 0 || b < 0)
    import_fail(w, place,
                "cannot close the loop between '%.80s' and '%.80s': the file has no link or joint "
                "'%.80s'",
                from, to, a < 0 ? from : to);
  if (a == b)
    import_fail(w, place,
                "cannot close the loop between '%.80s' and '%.80s': both are the link '%.80s'",
                from, to, w->machine.body[a].name);
  const char *name = import_format(w, "closes_%s", w->machine.body[b].name);
  import_add_joint(w, name, is_point ? ART_SPHERICAL : ART_FIXED, a, b, place)->is_cut = true;
}


static void add_closures(urdfReader *r)
{
  for (int i = 0; i < r->w->def->nclosure; i++) {
    const artClosureDef *c = &r->w->def->closure[i];
    urdf_close(r, c->from, c->to, c->is_point, (artPlace){.file = r->w->path});
  }
}


// with loops, initial values are guesses
static void guess_starts(importMachine *m)
{
  bool has_loops = false;
  for (int i = 0; i < m->njoint; i++) has_loops = has_loops || m->joint[i].is_cut;
  for (int i = 0; i < m->njoint && has_loops; i++) m->joint[i].is_guess = true;
}


//---- transmissions -------------------------------------------------------------------------------

// the geared rotor of a motor, with the inertia J G^2 at the joint (Drake)
static void read_transmission(urdfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  xmlNode *named = xml_child(node, "joint"), *actuator = xml_child(node, "actuator");
  const char *name = named ? xml_get(named, "name") : NULL;
  const int found = name ? table_find(&r->joints, name) : -1;
  double inertia = 0, ratio = 1;
  xmlNode *rotor = actuator ? xml_child(actuator, "drake:rotor_inertia") : NULL;
  xmlNode *gear = actuator ? xml_child(actuator, "drake:gear_ratio") : NULL;
  if (rotor) import_get(w, rotor, "value", 1, &inertia);
  if (gear) import_get(w, gear, "value", 1, &ratio);
  import_note(w, node->place, "<transmission>: inputs are the efforts of the joints themselves");
  xml_skip(node);
  if (found >= 0 && inertia > 0) w->machine.joint[found].rotor = inertia * ratio * ratio;
}


void urdf_read(importWork *w, xmlNode *root)
{
  urdfReader r = {.w = w, .root = root};
  static const char *const kinds[] = {"joint", "drake:joint"};
  w->machine.title = xml_get(root, "name");
  xml_get(root, "version");
  read_materials(&r);
  for (xmlNode *n = xml_child(root, "link"); n; n = xml_next(n)) read_urdf_link(&r, n);
  r.parent = import_take(w, (size_t) w->machine.nbody + 1, sizeof *r.parent);
  for (int i = 0; i < w->machine.nbody; i++) r.parent[i] = -1;
  for (int k = 0; k < 2; k++) {
    for (xmlNode *n = xml_child(root, kinds[k]); n; n = xml_next(n)) read_urdf_joint(&r, n);
  }
  for (int k = 0; k < 2; k++) {
    for (xmlNode *n = xml_child(root, kinds[k]); n; n = xml_next(n)) read_urdf_mimic(&r, n);
  }
  check_link_tree(&r);
  set_urdf_base(&r);
  for (xmlNode *n = xml_child(root, "loop_joint"); n; n = xml_next(n)) read_loop_joint(&r, n);
  for (xmlNode *n = xml_child(root, "gazebo"); n; n = xml_next(n)) read_gazebo(&r, n);
  for (xmlNode *n = xml_child(root, "transmission"); n; n = xml_next(n)) read_transmission(&r, n);
  add_closures(&r);
  urdf_read_loops(&r);
  urdf_read_srdf(&r);
  guess_starts(&w->machine);
}
