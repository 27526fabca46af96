// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reader of SDF, the format of Gazebo (sdformat.org/spec): worlds, nested models, links with their
// inertia and shapes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "import/contacts.h"
#include "import/sdf_frames.h"


//---- shapes --------------------------------------------------------------------------------------

// red, green, blue, and opacity, which is optional
static int read_sdf_colour(importWork *w, xmlNode *visual)
{
  xmlNode *material = xml_child(visual, "material");
  if (!material) return -1;
  const char *diffuse = import_child_text(material, "diffuse"),
             *ambient = import_child_text(material, "ambient");
  const char *text = diffuse ? diffuse : ambient;
  if (!text) return -1;
  int words = 0;
  for (const char *c = text; *c; c++) words += *c > ' ' && (c == text || c[-1] <= ' ');
  double rgba[4];
  import_numbers(w, material->place, "colour", text, words == 3 ? 3 : 4, rgba);
  return import_colour(rgba);
}


static importShape *read_sdf_mesh(importWork *w, importShape **list, xmlNode *mesh)
{
  double scale[3] = {1, 1, 1};
  const char *uri = import_child_text(mesh, "uri");
  import_child_numbers(w, mesh, "scale", 3, scale);
  if (!uri) import_fail(w, mesh->place, "<mesh> has no <uri>");
  return import_add_mesh(w, list, uri, NULL, scale, mesh->place);
}


static importShape *read_sdf_geometry(importWork *w, importShape **list, xmlNode *geometry)
{
  xmlNode *mesh = xml_child(geometry, "mesh");
  return mesh ? read_sdf_mesh(w, list, mesh)
              : import_read_shape(w, list, geometry, import_child_numbers);
}


// The pose of an element in its link: relative to the link, or to another frame.
static importPose pose_in_link(sdfReader *r, int link, xmlNode *node)
{
  const importPose local = sdf_local(r, node);
  const int base = sdf_base(r, node, r->entity[link].scope, link);
  if (base == link) return local;
  const modelPose at = pose_compose(sdf_pose(r, base), local.in);
  return import_pose(pose_compose(pose_inverse(sdf_pose(r, link)), at));
}


// Poses on static links are converted to the world.
static importPose pose_on_body(sdfReader *r, int link, importPose pose)
{
  ART_ASSERT(link >= 0 && link < r->count);
  if (!r->entity[link].is_static) return pose;
  return import_pose(pose_compose(sdf_pose(r, link), pose.in));
}


// returns true if there are any
static bool read_visuals(sdfReader *r, int link, const char *kind, importShape **list)
{
  importWork *w = r->w;
  bool has_any = false;
  for (xmlNode *n = xml_child(r->entity[link].node, kind); n; n = xml_next(n)) {
    xmlNode *geometry = xml_child(n, "geometry");
    xml_get(n, "name");
    importShape *shape = geometry ? read_sdf_geometry(w, list, geometry) : NULL;
    if (!shape) continue;
    shape->pose = pose_on_body(r, link, pose_in_link(r, link, n));
    shape->colour = read_sdf_colour(w, n);
    import_show(w, shape, n->place);
    has_any = true;
  }
  return has_any;
}


//---- collision shapes ----------------------------------------------------------------------------

// collide_bitmask: decimal or hexadecimal; two shapes touch if they have a bit in common
static void read_bitmask(importWork *w, xmlNode *contact, importSurface *surface)
{
  const char *text = import_child_text(contact, "collide_bitmask");
  char *end = NULL;
  if (!text) return;
  const unsigned long mask = strtoul(text, &end, 0);
  if (*end || text[0] == '-' || mask > 0xffffffffUL)
    import_fail(w, contact->place, "collide_bitmask is '%.40s', expected an integer of 32 bits",
                text);
  surface->contype = surface->conaffinity = (unsigned) mask;
}


// <surface>: <friction><ode><mu>, <contact><ode><kp>, <kd>
static void read_sdf_surface(importWork *w, xmlNode *node, importSurface *surface)
{
  xmlNode *friction = xml_child(node, "friction"), *contact = xml_child(node, "contact");
  xmlNode *slide = friction ? xml_child(friction, "ode") : NULL,
          *press = contact ? xml_child(contact, "ode") : NULL;
  double mu = NAN, kp = NAN, kd = NAN;
  if (slide) import_child_numbers(w, slide, "mu", 1, &mu);
  if (press) import_child_numbers(w, press, "kp", 1, &kp);
  if (press) import_child_numbers(w, press, "kd", 1, &kd);
  import_set_surface(w, surface, mu, kp, kd, node->place);
  if (contact) read_bitmask(w, contact, surface);
}


// a plane has z along its <normal>
static importPose plane_pose(importWork *w, xmlNode *plane, importPose pose)
{
  static const double zero[3] = {0}, about_x[4] = {0, 1, 0, 0};
  double n[3] = {0, 0, 1};
  import_child_numbers(w, plane, "normal", 3, n);
  const double across = hypot(n[0], n[1]), size = hypot(across, n[2]);
  if (!(size > 0 && isfinite(size)))
    import_fail(w, plane->place, "the normal of a plane is zero or too large");
  const bool is_vertical = across < 1e-12 * size;
  if (is_vertical && n[2] > 0) return pose;
  // the axis z x n, and half the angle between them
  const double turn[4] = {n[2] / size + 1, -n[1] / size, n[0] / size, 0};
  return import_pose(
      pose_compose(pose.in, import_by_quaternion(zero, is_vertical ? about_x : turn).in));
}


static void read_sdf_collision(sdfReader *r, int link, xmlNode *node)
{
  importWork *w = r->w;
  const int body = r->entity[link].body;
  xmlNode *geometry = xml_child(node, "geometry"), *surface = xml_child(node, "surface");
  xmlNode *plane = geometry ? xml_child(geometry, "plane") : NULL;
  const importPose pose = pose_on_body(r, link, pose_in_link(r, link, node));
  importShape *shape = NULL;
  if (!geometry) return;
  if (!plane) import_read_shape(w, &shape, geometry, import_child_numbers);
  importSurface *made =
      plane ? import_add_plane(w, body, plane_pose(w, plane, pose), NULL, node->place)
            : import_add_surface(w, body, shape, pose, NULL, node->place);
  if (!made)
    import_note_untouched(w, node->place, geometry->first ? geometry->first->name : "none");
  else if (surface)
    read_sdf_surface(w, surface, made);
}


// Without contact, collision shapes are only shown, if there is no readable visual shape.
static void read_sdf_shapes(sdfReader *r, int link, importShape **list)
{
  xmlNode *node = r->entity[link].node;
  if (!read_visuals(r, link, "visual", list)) read_visuals(r, link, "collision", list);
  for (xmlNode *c = xml_child(node, "collision"); c; c = xml_next(c)) {
    if (r->w->def->contact)
      read_sdf_collision(r, link, c);
    else
      import_note(r->w, c->place, "<collision>: bodies do not collide here");
    xml_skip(c);
  }
}


//---- inertia -------------------------------------------------------------------------------------

// The volume enclosed by a mesh, as an invisible shape; NULL if its file cannot be read, or it has
// no area.
static importShape *add_sdf_weight(importWork *w, importShape **list, xmlNode *mesh)
{
  double scale[3] = {1, 1, 1};
  const char *uri = import_child_text(mesh, "uri"), *path = uri ? import_file(w, uri, NULL) : NULL;
  artError error = {0};
  modelMesh t;
  import_child_numbers(w, mesh, "scale", 3, scale);
  if (!path || !import_read_triangles(w, path, mesh->place, &t, &error)) return NULL;
  for (int i = 0; i < 3 * t.nvertex; i++) t.vertex[i] *= scale[i % 3];
  const artSolidDef triangles = {
      .nvertex = t.nvertex, .vertex = t.vertex, .ntriangle = t.ntriangle, .triangle = t.triangle};
  const meshMoments *weight = import_weigh_mesh(w, &triangles, FILL_CLOSED, uri, mesh->place);
  if (!weight) return NULL;
  importShape *shape = import_add_shape(w, list, SHAPE_POLYHEDRON);
  shape->volume = weight;
  return shape;
}


// With `auto` the collision shapes are solids, of 1000 kg/m^3 unless a density is given.
static void read_solids(sdfReader *r, int link, xmlNode *inertial, importBody *body)
{
  importWork *w = r->w;
  double common = 1000;
  import_child_numbers(w, inertial, "density", 1, &common);
  if (xml_child(inertial, "mass")) {
    import_fail(w, inertial->place, "<inertial auto> of link '%.80s' states a mass besides",
                r->entity[link].key);
  }
  xml_skip(inertial);
  for (xmlNode *n = xml_child(r->entity[link].node, "collision"); n; n = xml_next(n)) {
    xmlNode *geometry = xml_child(n, "geometry");
    xmlNode *mesh = geometry ? xml_child(geometry, "mesh") : NULL;
    importShape *shape = mesh ? add_sdf_weight(w, &body->solid, mesh)
                         : geometry
                             ? import_read_shape(w, &body->solid, geometry, import_child_numbers)
                             : NULL;
    if (!shape) {
      import_fail(w, n->place, "the inertia of link '%.80s' comes from a shape that is not read",
                  r->entity[link].key);
    }
    shape->pose = pose_in_link(r, link, n);
    shape->density = common;
    import_child_numbers(w, n, "density", 1, &shape->density);
  }
  import_state_weight(body);
}


// Defaults are 1 kg and 1 kg m^2.
static void read_sdf_inertial(sdfReader *r, int link, importBody *body)
{
  static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  importWork *w = r->w;
  xmlNode *node = r->entity[link].node, *inertial = xml_child(node, "inertial");
  if (inertial && sdf_is_true(xml_get(inertial, "auto"))) {
    read_solids(r, link, inertial, body);
    return;
  }
  double tensor[6] = {1, 1, 1};
  body->mass = 1;
  xmlNode *inertia = inertial ? xml_child(inertial, "inertia") : NULL;
  const importPose frame = inertial ? pose_in_link(r, link, inertial) : import_identity();
  if (inertial) import_child_numbers(w, inertial, "mass", 1, &body->mass);
  if (!(body->mass >= 0))
    import_fail(w, node->place, "link '%.80s' has the mass %g kg", r->entity[link].key, body->mass);
  for (int i = 0; inertia && i < 6; i++) import_child_numbers(w, inertia, names[i], 1, &tensor[i]);
  if (!inertia || !xml_child(inertial, "mass")) {
    import_note(w, node->place, "a link without mass or inertia has the 1 kg and 1 kg m^2 of SDF");
  }
  import_set_inertia(body, frame.in, import_is_turned(&frame), tensor);
}


//---- links and frames ----------------------------------------------------------------------------

// the bare name, unless a body has it
static const char *sdf_short_name(const sdfReader *r, int entity)
{
  const char *bare = sdf_bare_name(r, entity);
  return import_find_body(r->w, bare) == -2 ? bare : r->entity[entity].key;
}


// For a link without gravity, cancel its weight by a force at the centre of mass.
static void hold_up(sdfReader *r, int link, importBody *body)
{
  importWork *w = r->w;
  const char *gravity = import_child_text(r->entity[link].node, "gravity");
  if (!gravity || (strcmp(gravity, "0") != 0 && strcmp(gravity, "false") != 0)) return;
  import_take_weight(w, body, 1);
}


// an inertial measurement unit: angular velocity and acceleration in the axes of its frame
static void read_imu(sdfReader *r, importBody *body, xmlNode *sensor)
{
  static const char *const kinds[] = {"gyro", "acceleration"};
  importWork *w = r->w;
  const char *name = import_need(w, sensor, "name");
  const xmlNode *place = xml_child(sensor, "pose");
  if (place && xml_attribute(place, "relative_to")) return; // noted as an unread sensor
  const importFrame *frame = import_first_frame(
      w, body, import_name(w, name, "frame", sensor->place), sdf_local(r, sensor));
  sensor->is_read = true;
  for (int i = 0; i < 2; i++) {
    const char *wanted = import_fresh(w, "%s_%s", frame->name, kinds[i]);
    import_add_item(w, "sensors", import_name(w, wanted, "sensor", sensor->place), sensor->place,
                    "{type: %s, frame: %s.%s}", kinds[i], body->name, frame->name);
  }
}


static void read_sensors(sdfReader *r, importBody *body, xmlNode *link)
{
  for (xmlNode *n = link->first; n; n = n->next) {
    if (strcmp(n->name, "sensor") != 0) continue;
    const char *type = xml_get(n, "type");
    if (type && strcmp(type, "imu") == 0) read_imu(r, body, n);
  }
}


static void read_sdf_link(sdfReader *r, int link)
{
  ART_ASSERT(link >= 0 && link < r->count);
  importWork *w = r->w;
  xmlNode *node = r->entity[link].node;
  if (r->entity[link].is_static) {
    read_sdf_shapes(r, link, &w->machine.ground_visual);
    xml_skip(node);
    return;
  }
  importBody *body = import_add_body(w, sdf_short_name(r, link), node->place);
  r->entity[link].body = w->machine.nbody - 1;
  r->link[w->machine.nbody - 1] = link;
  read_sdf_inertial(r, link, body);
  hold_up(r, link, body);
  read_sdf_shapes(r, link, &body->visual);
  read_sensors(r, body, node);
}


static void read_frame(sdfReader *r, int frame)
{
  ART_ASSERT(frame >= 0 && frame < r->count);
  importWork *w = r->w;
  const int body = sdf_body(r, frame);
  importFrame **list = body < 0 ? &w->machine.ground_frame : &w->machine.body[body].frame;
  const modelPose pose = sdf_pose_on(r, frame, body);
  const char *name = import_spell(w, sdf_short_name(r, frame));
  const char *whole = import_frame_text(w, body, name);
  if (table_find(&r->frames, whole) >= 0)
    import_note_look(w, r->entity[frame].node->place,
                     "frame '%.80s' is left out: there is one of its name", name);
  else
    import_add_frame(w, list, name, import_pose(pose));
  import_enter(w, &r->frames, whole, 0);
}


//---- the file ------------------------------------------------------------------------------------

// the world, or the root if the models have no world
static xmlNode *find_world(importWork *w, xmlNode *root)
{
  xmlNode *world = xml_child(root, "world");
  if (!world) return root;
  xml_get(world, "name");
  if (xml_next(world)) {
    import_fail(w, root->place, "the file has several worlds; leave one in it");
  }
  return world;
}


// the name of the only moving model of the world
static const char *only_model(const sdfReader *r)
{
  const char *found = NULL;
  for (int i = 1; i < r->count; i++) {
    const sdfEntity *e = &r->entity[i];
    if (e->kind != SDF_MODEL || e->scope != 0 || e->is_static) continue;
    if (found) return NULL;
    found = e->key;
  }
  return found;
}


static void check_version(sdfReader *r, xmlNode *root)
{
  const char *text = xml_get(root, "version");
  // versions 1.4 and 1.11 have the minor numbers 4 and 11
  const char *point = text ? strchr(text, '.') : NULL;
  r->version = point ? format_read(point + 1, NULL) : 99;
  if (text && strncmp(text, "1.", 2) != 0) {
    import_fail(r->w, root->place, "the file is of version '%.20s' of SDF, expected 1.x", text);
  }
}


// rename joints of Drake to those of SDF
static void rename_drake_joints(xmlNode *node)
{
  const bool is_joint = strcmp(node->name, "drake:joint") == 0;
  if (is_joint) node->name = "joint";
  for (xmlNode *n = node->first; n; n = n->next) {
    if (is_joint && strncmp(n->name, "drake:", 6) == 0) n->name += 6;
    rename_drake_joints(n);
  }
}


void sdf_read(importWork *w, xmlNode *root)
{
  sdfReader r = {.w = w};
  const double down[3] = {0, 0, -9.8};
  int files = 0;
  check_version(&r, root);
  xmlNode *world = find_world(w, root);
  memcpy(w->machine.gravity, down, sizeof down);
  xmlNode *physics = xml_child(world, "physics"); // its place before version 1.6
  if (!import_child_numbers(w, world, "gravity", 3, w->machine.gravity) && physics)
    import_child_numbers(w, physics, "gravity", 3, w->machine.gravity);
  w->machine.has_gravity = true;
  sdf_include(w, world, 0, &files);
  rename_drake_joints(world);
  sdf_collect(&r, world);
  r.link = import_take(w, (size_t) r.count, sizeof *r.link);
  w->machine.title = r.model = only_model(&r);
  for (int i = 1; i < r.count; i++) {
    if (r.entity[i].kind == SDF_LINK) read_sdf_link(&r, i);
  }
  if (w->machine.nbody == 0) import_fail(w, root->place, "the file has no link that moves");
  sdf_read_joints(&r);
  for (int i = 1; i < r.count; i++) {
    if (r.entity[i].kind == SDF_FRAME) read_frame(&r, i);
  }
}
