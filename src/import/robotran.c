// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reader of Robotran files .mbs of MBsysPad (root element mbsDescR7): bodies, each after a chain of
// joints that rotate about or slide along x, y or z (R1 R2 R3 T1 T2 T3), anchor points, cuts of the
// three kinds (ball, rod, solid), natures of coordinates. Force laws are functions of the project
// and not in the file.
#include <string.h>

#include "import/import_work.h"

typedef struct mbsReader {
  importWork *w;
  baseTable points; // "body/point" -> index in `point`
  int npoint, point_capacity;
  double (*point)[3];
} mbsReader;


static const char *mbs_text(importWork *w, xmlNode *node, const char *name)
{
  const char *text = import_child_text(node, name);
  if (text) return text;
  import_fail(w, node->place, "<%.60s> has no <%s>", node->name, name);
}


static double mbs_number(importWork *w, xmlNode *node, const char *name, double otherwise)
{
  double x = otherwise;
  import_child_numbers(w, node, name, 1, &x);
  return x;
}


// <coordinates><x/><y/><z/></coordinates>
static void read_vector(importWork *w, xmlNode *node, double x[3])
{
  static const char *const names[3] = {"x", "y", "z"};
  xmlNode *inside = node ? xml_child(node, "coordinates") : NULL;
  for (int i = 0; i < 3; i++) x[i] = inside ? mbs_number(w, inside, names[i], 0) : 0;
}


//---- points --------------------------------------------------------------------------------------

static void add_anchor_point(mbsReader *r, const char *body, const char *name, const double x[3])
{
  importWork *w = r->w;
  const char *key = import_format(w, "%s/%s", body, name);
  import_grow(w, (void **) &r->point, r->npoint, &r->point_capacity, sizeof *r->point);
  memcpy(r->point[r->npoint], x, sizeof *r->point);
  if (table_find(&r->points, key) < 0) import_enter(w, &r->points, key, r->npoint++);
}


// sensors of a point measure its position; its velocity follows
static void read_mbs_sensor(importWork *w, xmlNode *point, const char *body, const char *frame)
{
  xmlNode *sensor = xml_child(point, "sensor"), *force = xml_child(point, "extforce");
  const char *name = sensor ? xml_get(sensor, "name") : NULL;
  if (sensor) {
    import_add_item(w, "sensors", import_name(w, name ? name : frame, "sensor", sensor->place),
                    sensor->place, "{type: position, frame: %s.%s}", body, frame);
    import_note_look(w, sensor->place, "of a sensor its position is read");
    xml_skip(sensor);
  }
  if (!force) return;
  import_note_motion(w, force->place,
                     "an external force is left out: its law is in a function of the project");
  xml_skip(force);
}


static void read_mbs_points(mbsReader *r, xmlNode *node, const char *foreign, const char *body,
                            importFrame **list)
{
  importWork *w = r->w;
  const double zero[3] = {0}, level[3] = {0};
  add_anchor_point(r, foreign, "origin", zero);
  for (xmlNode *n = xml_child(node, "point"); n; n = xml_next(n)) {
    const char *name = mbs_text(w, n, "pointname");
    double x[3];
    read_vector(w, n, x);
    if (table_find(&r->points, import_format(w, "%s/%s", foreign, name)) >= 0) continue;
    add_anchor_point(r, foreign, name, x);
    const importFrame *frame =
        import_add_frame(w, list, import_spell(w, name), import_by_angles(x, level));
    read_mbs_sensor(w, n, body, frame->name);
  }
}


// resolve a reference to a point into a body and a pose
static int find_point(mbsReader *r, xmlNode *node, importPose *pose)
{
  importWork *w = r->w;
  const char *body = mbs_text(w, node, "bodyname"), *point = mbs_text(w, node, "pointname");
  const int number = strcmp(body, "base") == 0 ? -1 : import_find_body(w, body);
  const int found = table_find(&r->points, import_format(w, "%s/%s", body, point));
  const double level[3] = {0};
  if (number < -1) import_fail(w, node->place, "there is no body '%.80s'", body);
  if (found < 0) import_fail(w, node->place, "body '%.80s' has no point '%.80s'", body, point);
  *pose = import_by_angles(r->point[found], level);
  return number;
}


//---- bodies --------------------------------------------------------------------------------------

static void read_mbs_body(mbsReader *r, xmlNode *node)
{
  static const char *const names[6] = {"Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"};
  importWork *w = r->w;
  const char *name = mbs_text(w, node, "bodyname");
  importBody *body = import_add_body(w, name, node->place);
  xmlNode *com = xml_child(node, "com"), *inertia = xml_child(node, "inertia");
  body->mass = mbs_number(w, node, "mass", 0);
  if (body->mass < 0)
    import_fail(w, node->place, "body '%.80s' has the mass %g kg", name, body->mass);
  read_vector(w, com, body->com);
  for (int i = 0; i < 6 && inertia; i++) body->inertia[i] = mbs_number(w, inertia, names[i], 0);
  read_mbs_points(r, node, name, body->name, &body->frame);
}


//---- joints --------------------------------------------------------------------------------------

// R1 ... T3
static artJointType read_type(importWork *w, xmlNode *node, double axis[3])
{
  const char *type = mbs_text(w, node, "type");
  if (strlen(type) != 2 || !strchr("RT", type[0]) || type[1] < '1' || type[1] > '3') {
    import_fail(w, node->place, "a joint is of type '%.20s', expected R1 to R3 or T1 to T3", type);
  }
  for (int i = 0; i < 3; i++) axis[i] = i == type[1] - '1';
  return type[0] == 'R' ? ART_REVOLUTE : ART_PRISMATIC;
}


// driven coordinates become drives; dependent ones may move when loops are closed
static void read_nature(importWork *w, xmlNode *node, importJoint *joint)
{
  const char *said = import_child_text(node, "nature"), *nature = said ? said : "independent";
  xmlNode *start = xml_child(node, "initialvalue");
  const char *coordinate = import_coordinate(joint);
  const double rate = start ? mbs_number(w, start, "qd", 0) : 0;
  joint->start = start ? mbs_number(w, start, "q", 0) : 0;
  if (strcmp(nature, "driven") == 0) {
    import_note_motion(
        w, joint->place,
        "driven joints keep their initial value: laws of drives are in functions of the project");
    import_add_item(
        w, "drives",
        import_name(w, import_fresh(w, "%s_driven", joint->name), "drive", joint->place),
        joint->place, "{coordinate: %s, value: %s}", joint->name, import_number(w, joint->start));
    joint->is_follower = true;
    return;
  }
  joint->is_guess = strcmp(nature, "dependent") == 0;
  if (joint->start == 0 && rate == 0) return;
  joint->initial =
      import_format(w, "%s: %s%s%s", coordinate, import_number(w, joint->start),
                    rate == 0 ? "" : ", rate: ", rate == 0 ? "" : import_number(w, rate));
}


static void read_motor(importWork *w, xmlNode *node, const importJoint *joint)
{
  if (!xml_child(node, "actuated")) return;
  const char *name = import_text(w, joint->name);
  const char *input = import_name(w, import_fresh(w, "%s_effort", name), "input", joint->place);
  import_add_item(w, "inputs", input, joint->place, "{unit: %s}",
                  joint->type == ART_PRISMATIC ? "N" : "N m");
  import_add_joint_force(w,
                         import_name(w, import_fresh(w, "%s_motor", name), "motor", joint->place),
                         base_nowhere(), name, import_quoted(w, input));
}


// the chain of joints from the point of the parent, with massless bodies between them
static void read_mbs_joints(mbsReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const int body = import_find_body(w, mbs_text(w, node, "bodyname"));
  xmlNode *parent = xml_child(node, "parent");
  if (!parent) import_fail(w, node->place, "<body> has no <parent>");
  importPose at;
  int from = find_point(r, parent, &at);
  int k = 0;
  for (xmlNode *n = xml_child(node, "joint"); n; n = xml_next(n), k++) {
    double axis[3];
    const artJointType type = read_type(w, n, axis);
    const bool is_last = !xml_next(n);
    int to = body;
    if (!is_last) {
      import_add_body(w, import_fresh(w, "%s_%d", w->machine.body[body].name, k + 1),
                      base_nowhere());
      to = w->machine.nbody - 1;
    }
    importJoint *joint = import_add_joint(w, mbs_text(w, n, "jointname"), type, from, to, n->place);
    memcpy(joint->axis, axis, sizeof axis);
    if (k == 0) joint->from_pose = at;
    read_nature(w, n, joint);
    read_motor(w, n, joint);
    from = to;
  }
  if (k > 0) return;
  importJoint *weld = import_add_joint(w, import_fresh(w, "%s_weld", w->machine.body[body].name),
                                       ART_FIXED, from, body, node->place);
  weld->from_pose = at;
}


//---- cuts ----------------------------------------------------------------------------------------

static void read_cut(mbsReader *r, xmlNode *node, artJointType type)
{
  importWork *w = r->w;
  xmlNode *end[2] = {xml_child(node, "endpoint1"), xml_child(node, "endpoint2")};
  if (!end[0] || !end[1]) import_fail(w, node->place, "a cut has not two end points");
  importPose pose[2];
  const int from = find_point(r, end[0], &pose[0]), to = find_point(r, end[1], &pose[1]);
  importJoint *joint = import_add_joint(w, mbs_text(w, node, "name"), type, from, to, node->place);
  joint->from_pose = pose[0];
  joint->to_pose = pose[1];
  joint->is_cut = true;
  if (type == ART_ROD) joint->length = mbs_number(w, node, "length", 0);
  if (xml_child(node, "ignore")) {
    import_note_look(
        w, node->place,
        "rows of a cut that the file ignores are kept: those that follow from others are "
        "found here");
    xml_skip(node);
  }
}


static void read_cuts(mbsReader *r, xmlNode *cuts)
{
  static const struct {
    const char *name;
    artJointType type;
  } kinds[] = {{"ball", ART_SPHERICAL}, {"rod", ART_ROD}, {"solid", ART_FIXED}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    for (xmlNode *n = xml_child(cuts, kinds[i].name); n; n = xml_next(n))
      read_cut(r, n, kinds[i].type);
  }
}


//---- links ---------------------------------------------------------------------------------------

// the name of a point in the written file
static const char *mbs_point_text(mbsReader *r, xmlNode *node)
{
  importWork *w = r->w;
  importPose pose;
  const int body = find_point(r, node, &pose);
  const char *point = mbs_text(w, node, "pointname");
  return import_frame_text(w, body, strcmp(point, "origin") == 0 ? NULL : import_spell(w, point));
}


// a force along the line between two points, positive if it pulls; its law is a function of the
// project
static void read_mbs_link(mbsReader *r, xmlNode *node)
{
  importWork *w = r->w;
  xmlNode *end[2] = {xml_child(node, "endpoint1"), xml_child(node, "endpoint2")};
  if (!end[0] || !end[1]) import_fail(w, node->place, "a link has not two end points");
  const char *name = import_name(w, mbs_text(w, node, "name"), "link", node->place);
  const char *input = import_name(w, import_fresh(w, "%s_tension", name), "input", node->place);
  import_add_item(w, "inputs", input, node->place, "{unit: N}");
  import_add_item(w, "forces", name, node->place,
                  "{type: link-force, between: [%s, %s], value: \"= %s\"}",
                  mbs_point_text(r, end[0]), mbs_point_text(r, end[1]), import_quoted(w, input));
  import_note_motion(w, node->place,
                     "the law of a link is in a function of the project: its tension is an input");
}


//---- the file ------------------------------------------------------------------------------------

// skip graphics, and the parameters that only functions of the project use
static void skip_pictures(importWork *w, xmlNode *node)
{
  for (xmlNode *n = node->first; n; n = n->next) {
    if (strcmp(n->name, "graphics") == 0 || strcmp(n->name, "x3D") == 0 ||
        strcmp(n->name, "symbols") == 0) {
      xml_skip(n);
    } else {
      skip_pictures(w, n);
    }
  }
}


void robotran_read(importWork *w, xmlNode *root)
{
  mbsReader r = {.w = w};
  importMachine *m = &w->machine;
  xmlNode *base = xml_child(root, "base"), *tree = xml_child(root, "bodytree");
  xmlNode *name = xml_child(root, "mbsname"), *version = xml_child(root, "mbsyspad_version");
  if (!base || !tree)
    import_fail(w, root->place, "the file has no %s", base ? "<bodytree>" : "<base>");
  if (name) m->title = name->text;
  if (version) xml_skip(version);
  skip_pictures(w, root);
  xmlNode *gravity = xml_child(base, "gravity"), *own = xml_child(base, "baseBodyName");
  if (own) xml_skip(own);
  read_vector(w, gravity, m->gravity);
  m->has_gravity = true;
  read_mbs_points(&r, base, "base", "ground", &m->ground_frame);
  for (xmlNode *n = xml_child(tree, "body"); n; n = xml_next(n)) read_mbs_body(&r, n);
  for (xmlNode *n = xml_child(tree, "body"); n; n = xml_next(n)) read_mbs_joints(&r, n);
  xmlNode *cuts = xml_child(root, "cuts");
  if (cuts) read_cuts(&r, cuts);
  xmlNode *links = xml_child(root, "links");
  for (xmlNode *n = links ? xml_child(links, "link") : NULL; n; n = xml_next(n))
    read_mbs_link(&r, n);
}
