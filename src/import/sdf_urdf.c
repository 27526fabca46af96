// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Conversion of an included URDF robot to an SDF model: links in the frames of their joints.
#include <string.h>

#include "import/sdf_frames.h"


// append a new element with a text
static xmlNode *add_element(importWork *w, xmlNode *parent, const char *name, const char *text,
                            artPlace place)
{
  xmlNode *node = import_take(w, 1, sizeof *node);
  *node = (xmlNode){.name = name, .text = text ? text : "", .place = place, .parent = parent};
  if (parent->last)
    parent->last->next = node;
  else
    parent->first = node;
  return parent->last = node;
}


// convert an attribute of URDF, if present, to an element of SDF
static void add_value(importWork *w, xmlNode *to, const char *name, xmlNode *from,
                      const char *attribute)
{
  const char *text = from ? xml_get(from, attribute) : NULL;
  if (text) add_element(w, to, name, text, from->place);
}


static xmlNode *add_pose_of(importWork *w, xmlNode *to, xmlNode *origin)
{
  const char *xyz = origin ? xml_get(origin, "xyz") : NULL;
  const char *rpy = origin ? xml_get(origin, "rpy") : NULL;
  return add_element(w, to, "pose",
                     import_format(w, "%s %s", xyz ? xyz : "0 0 0", rpy ? rpy : "0 0 0"),
                     to->place);
}


// a link without inertia has no mass in URDF, and 1 kg in SDF
static void add_inertial(importWork *w, xmlNode *to, xmlNode *from)
{
  static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  xmlNode *inertial = add_element(w, to, "inertial", NULL, to->place);
  xmlNode *mass = from ? xml_child(from, "mass") : NULL,
          *tensor = from ? xml_child(from, "inertia") : NULL;
  const char *value = mass ? xml_get(mass, "value") : NULL;
  add_pose_of(w, inertial, from ? xml_child(from, "origin") : NULL);
  add_element(w, inertial, "mass", value ? value : "0", to->place);
  xmlNode *inertia = add_element(w, inertial, "inertia", NULL, to->place);
  for (int i = 0; i < 6; i++) {
    const char *text = tensor ? xml_get(tensor, names[i]) : NULL;
    add_element(w, inertia, names[i], text ? text : "0", to->place);
  }
}


// visual and collision shapes
static void add_shapes(importWork *w, xmlNode *to, xmlNode *link, const char *kind)
{
  static const char *const sizes[] = {"size", "radius", "length", "scale"};
  for (xmlNode *n = xml_child(link, kind); n; n = xml_next(n)) {
    xmlNode *from = xml_child(n, "geometry"), *shape = from ? from->first : NULL;
    if (!shape) continue;
    xmlNode *made = add_element(w, to, kind, NULL, n->place);
    import_set(w, made, "name", kind);
    add_pose_of(w, made, xml_child(n, "origin"));
    xmlNode *geometry = add_element(w, made, "geometry", NULL, n->place);
    xmlNode *own = add_element(w, geometry, shape->name, NULL, shape->place);
    for (int i = 0; i < 4; i++) add_value(w, own, sizes[i], shape, sizes[i]);
    add_value(w, own, "uri", shape, "filename");
  }
}


static void add_axis(importWork *w, xmlNode *to, xmlNode *joint, bool is_endless)
{
  static const char *const limits[] = {"effort", "velocity", "lower", "upper"};
  xmlNode *given = xml_child(joint, "axis"), *limit = xml_child(joint, "limit"),
          *dynamics = xml_child(joint, "dynamics"), *mimic = xml_child(joint, "mimic");
  const char *xyz = given ? xml_get(given, "xyz") : NULL;
  xmlNode *axis = add_element(w, to, "axis", NULL, to->place);
  add_element(w, axis, "xyz", xyz ? xyz : "1 0 0", to->place);
  if (limit) {
    xmlNode *own = add_element(w, axis, "limit", NULL, limit->place);
    for (int i = 0; i < (is_endless ? 2 : 4); i++) add_value(w, own, limits[i], limit, limits[i]);
  }
  if (dynamics) {
    xmlNode *own = add_element(w, axis, "dynamics", NULL, dynamics->place);
    add_value(w, own, "damping", dynamics, "damping");
    add_value(w, own, "friction", dynamics, "friction");
  }
  if (!mimic) return;
  xmlNode *own = add_element(w, axis, "mimic", NULL, mimic->place);
  import_set(w, own, "joint", import_need(w, mimic, "joint"));
  add_value(w, own, "multiplier", mimic, "multiplier");
  add_value(w, own, "offset", mimic, "offset");
}


static xmlNode *find_named(xmlNode *model, const char *kind, const char *name)
{
  for (xmlNode *n = xml_child(model, kind); n; n = xml_next(n)) {
    const char *own = xml_get(n, "name");
    if (own && strcmp(own, name) == 0) return n;
  }
  return NULL;
}


// The child link has the frame of the joint, which is given relative to the parent.
static void add_joint(importWork *w, xmlNode *model, xmlNode *joint)
{
  static const char *const known[] = {"revolute", "continuous", "prismatic", "fixed", "floating"};
  const char *name = import_need(w, joint, "name"), *type = import_need(w, joint, "type");
  xmlNode *parent = xml_child(joint, "parent"), *child = xml_child(joint, "child");
  if (NAMED_FIND(known, type) < 0 || !parent || !child)
    import_fail(w, joint->place,
                "joint '%.80s' of an included URDF file is of type '%.40s', or without its links",
                name, type);
  const char *from = import_need(w, parent, "link"), *to = import_need(w, child, "link");
  xmlNode *link = find_named(model, "link", to);
  if (!link) import_fail(w, child->place, "there is no link '%.80s'", to);
  xmlNode *pose = add_pose_of(w, link, xml_child(joint, "origin"));
  if (strcmp(from, "world") != 0)
    import_set(w, pose, "relative_to", from); // otherwise relative to
                                              // the model
  if (strcmp(type, "floating") == 0) return;
  xmlNode *made = add_element(w, model, "joint", NULL, joint->place);
  import_set(w, made, "name",
             find_named(model, "link", name) ? import_format(w, "%s_joint", name) : name);
  import_set(w, made, "type", type);
  add_element(w, made, "parent", from, joint->place);
  add_element(w, made, "child", to, joint->place);
  if (strcmp(type, "fixed") != 0) add_axis(w, made, joint, strcmp(type, "continuous") == 0);
}


xmlNode *sdf_from_urdf(importWork *w, xmlNode *robot)
{
  xmlNode *model = import_take(w, 1, sizeof *model);
  *model = (xmlNode){.name = "model", .text = "", .place = robot->place, .is_read = true};
  const char *name = xml_get(robot, "name");
  import_set(w, model, "name", name && name[0] ? name : "robot");
  for (xmlNode *n = xml_child(robot, "link"); n; n = xml_next(n)) {
    const char *own = import_need(w, n, "name");
    if (strcmp(own, "world") == 0) continue; // a predefined frame of SDF
    xmlNode *link = add_element(w, model, "link", NULL, n->place);
    import_set(w, link, "name", own);
    add_inertial(w, link, xml_child(n, "inertial"));
    add_shapes(w, link, n, "visual");
    add_shapes(w, link, n, "collision");
  }
  for (xmlNode *n = xml_child(robot, "joint"); n; n = xml_next(n)) add_joint(w, model, n);
  for (xmlNode *n = robot->first; n; n = n->next) {
    if (!n->is_read)
      import_note_part(w, robot, n->place, n->name, "<%.60s> of <robot> is left out", n->name);
  }
  return model;
}
