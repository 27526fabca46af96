// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bodies of MJCF with their joints, geoms and sites.
//
// Several joints of a body act in series, the first one outermost: each leads to a massless
// auxiliary body that has the pose of the body at the configuration of the file.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/mjcf.h"

// Prevents inlining into the recursion over nested bodies, so that 256 levels fit on a stack of 256
// kB.
#define KEPT_APART __attribute__((noinline))
#include "spatial/pose.h"

static void read_children(mjcfReader *r, xmlNode *node, int body, modelPose within,
                          bool has_inertial);


//---- sites ---------------------------------------------------------------------------------------


KEPT_APART static void read_site(mjcfReader *r, xmlNode *node, int body, modelPose within)
{
  importWork *w = r->w;
  const char *name = xml_get(node, "name");
  double ends[6];
  modelPose pose = mjcf_pose(r, node);
  if (mjcf_numbers(r, node, "fromto", 6, ends)) {
    pose.r = v3_make((ends[0] + ends[3]) / 2, (ends[1] + ends[4]) / 2, (ends[2] + ends[5]) / 2);
  }
  pose = pose_compose(within, pose);
  xml_skip(node);
  if (!name) return;
  importMachine *m = &w->machine;
  const importFrame *frame =
      import_add_frame(w, body < 0 ? &m->ground_frame : &m->body[body].frame,
                       import_name(w, name, "site", node->place), import_pose(pose));
  import_grow(w, (void **) &r->site, r->nsite, &r->site_capacity, sizeof *r->site);
  r->site[r->nsite] = (mjcfSite){body, frame->name, pose};
  import_enter(w, &r->sites, name, r->nsite);
  r->nsite++;
}


//---- geoms ---------------------------------------------------------------------------------------

static int mjcf_colour_of(mjcfReader *r, xmlNode *node)
{
  double rgba[4];
  const char *material = mjcf_get(r, node, "material");
  if (mjcf_some(r, node->place, "rgba", mjcf_get(r, node, "rgba"), 4, rgba) >= 3)
    return import_colour(rgba);
  return material ? table_find(&r->materials, material) : -1;
}


static int find_mesh(mjcfReader *r, xmlNode *geom)
{
  const char *name = mjcf_get(r, geom, "mesh");
  const int found = name ? table_find(&r->meshes, name) : -1;
  if (found < 0) {
    import_fail(r->w, geom->place, "there is no mesh '%.80s'", name ? name : "");
  }
  return found;
}


// all numbers of an attribute of a mesh
static double *mjcf_mesh_numbers(mjcfReader *r, xmlNode *mesh, const char *attribute, int *n)
{
  const char *text = xml_get(mesh, attribute);
  const size_t room = text ? strlen(text) / 2 + 1 : 1;
  double *x = import_take(r->w, room, sizeof *x);
  *n = mjcf_some(r, mesh->place, attribute, text, (int) room, x);
  if (*n % 3 != 0)
    import_fail(r->w, mesh->place, "'%s' has %d numbers, not three for each point or face",
                attribute, *n);
  return x;
}


// The triangles of a mesh from its file or its vertices, in the units of the file; none for
// vertices without faces. False, with a reason, if they cannot be read.
static bool mjcf_triangles(mjcfReader *r, xmlNode *mesh, modelMesh *t, artError *error)
{
  importWork *w = r->w;
  const char *file = xml_get(mesh, "file"), *own = xml_get(mesh, MJCF_FOLDER);
  int n, nface;
  *t = (modelMesh){0};
  if (file) {
    const char *path = import_file(w, file, own ? own : r->meshdir);
    if (path) return import_read_triangles(w, path, mesh->place, t, error);
    base_fail(error, ART_BAD_INPUT, mesh->place, "its file '%.100s' is not there", file);
    return false;
  }
  double *x = mjcf_mesh_numbers(r, mesh, "vertex", &n);
  const double *face = mjcf_mesh_numbers(r, mesh, "face", &nface);
  *t = (modelMesh){.nvertex = n / 3, .vertex = x, .ntriangle = nface / 3};
  t->triangle = import_take(w, (size_t) nface + 1, sizeof *t->triangle);
  for (int i = 0; i < nface; i++) {
    if (!(face[i] >= 0 && face[i] < n / 3 && face[i] == floor(face[i])))
      import_fail(w, mesh->place, "a face of a mesh names vertex %g, of which there are %d",
                  face[i], n / 3);
    t->triangle[i] = (int) face[i];
  }
  if (n > 0) return true;
  base_fail(error, ART_BAD_INPUT, mesh->place, "it has neither a file nor vertices");
  return false;
}


// The frame of a mesh in the units and axes of its file: refpos and refquat.
static modelPose mjcf_mesh_frame(mjcfReader *r, xmlNode *mesh)
{
  double at[3] = {0}, q[4] = {1, 0, 0, 0};
  mjcf_numbers(r, mesh, "refpos", 3, at);
  mjcf_numbers(r, mesh, "refquat", 4, q);
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
    import_fail(r->w, mesh->place, "'refquat' is zero");
  return pose_by_quaternion(q, import_v3(at));
}


static importFill mjcf_fill(mjcfReader *r, xmlNode *mesh, bool has_faces)
{
  static const char *const words[] = {[FILL_CLOSED] = "exact",
                                      [FILL_HULL] = "convex",
                                      [FILL_SHELL] = "shell",
                                      [FILL_PYRAMIDS] = "legacy"};
  const char *text = mjcf_get(r, mesh, "inertia");
  const int found = text ? NAMED_FIND(words, text) : (int) r->mesh_fill;
  if (found < 0)
    import_fail(r->w, mesh->place,
                "'inertia' of a mesh is '%.40s', expected legacy, exact, convex or shell", text);
  return has_faces ? (importFill) found : FILL_HULL;
}


// Transform vertices from the units and axes of the file to those of the mesh; mirrored faces are
// reversed.
static void place_vertices(mjcfReader *r, xmlNode *mesh, modelMesh *t)
{
  double scale[3] = {1, 1, 1};
  const modelPose frame = pose_inverse(mjcf_mesh_frame(r, mesh));
  mjcf_numbers(r, mesh, "scale", 3, scale);
  for (int i = 0; i < t->nvertex; i++) {
    double *p = t->vertex + 3 * (size_t) i;
    import_store(p, pose_compose(frame, (modelPose){m3_identity(), import_v3(p)}).r);
    for (int k = 0; k < 3; k++) p[k] *= scale[k];
  }
  for (int i = 0; i < t->ntriangle && scale[0] * scale[1] * scale[2] < 0; i++) {
    int *c = t->triangle + 3 * (size_t) i, first = c[0];
    c[0] = c[1];
    c[1] = first;
  }
}


// The moments of a mesh of unit density, computed once; NULL, with a reason, if they cannot be
// found.
static const meshMoments *weigh_mjcf_mesh(mjcfReader *r, int number, artError *error)
{
  xmlNode *mesh = r->mesh_node[number];
  const char *name = xml_get(mesh, "name");
  modelMesh t;
  if (r->mesh_weight[number]) return r->mesh_weight[number];
  if (!mjcf_triangles(r, mesh, &t, error)) return NULL;
  place_vertices(r, mesh, &t);
  const artSolidDef triangles = {
      .nvertex = t.nvertex, .vertex = t.vertex, .ntriangle = t.ntriangle, .triangle = t.triangle};
  const meshMoments *weight =
      import_weigh_mesh(r->w, &triangles, mjcf_fill(r, mesh, t.ntriangle > 0),
                        name ? name : mjcf_bare_name(r->w, xml_get(mesh, "file")), mesh->place);
  if (!weight) base_fail(error, ART_BAD_INPUT, mesh->place, "it has no area");
  return r->mesh_weight[number] = weight;
}


// A mesh is shown if its file can be read and its scale is uniform.
static void show_mjcf_mesh(mjcfReader *r, importShape **list, xmlNode *geom, modelPose pose)
{
  importWork *w = r->w;
  xmlNode *mesh = r->mesh_node[find_mesh(r, geom)];
  const char *file = xml_get(mesh, "file"), *own = xml_get(mesh, MJCF_FOLDER);
  double scale[3] = {1, 1, 1};
  mjcf_numbers(r, mesh, "scale", 3, scale);
  importShape *shape =
      file ? import_add_mesh(w, list, file, own ? own : r->meshdir, scale, mesh->place) : NULL;
  if (!file)
    import_note_look(w, mesh->place, "the mesh '%.80s' has no file and is not seen",
                     mjcf_get(r, geom, "mesh"));
  modelPose frame = pose_inverse(mjcf_mesh_frame(r, mesh));
  frame.r = v3_scale(scale[0], frame.r);
  xml_skip(mesh);
  if (!shape) return;
  shape->pose = import_pose(pose_compose(pose, frame));
  shape->colour = mjcf_colour_of(r, geom);
}


// the mass of a mesh as a shape; NULL, with a reason, if it has none
static importShape *add_mesh_weight(mjcfReader *r, importShape **list, xmlNode *geom,
                                    artError *error)
{
  const meshMoments *weight = weigh_mjcf_mesh(r, find_mesh(r, geom), error);
  if (!weight) return NULL;
  importShape *shape = import_add_shape(r->w, list, SHAPE_POLYHEDRON);
  shape->volume = weight;
  return shape;
}


// sizes in MJCF are half lengths
static importShape *add_geom(mjcfReader *r, importShape **list, xmlNode *geom, const char *type,
                             bool is_heavy, artError *error)
{
  static const struct {
    const char *name;
    importShapeType type;
    int needs;
  } types[] = {{"sphere", SHAPE_SPHERE, 1},
               {"capsule", SHAPE_CAPSULE, 2},
               {"cylinder", SHAPE_CYLINDER, 2},
               {"ellipsoid", SHAPE_ELLIPSOID, 3},
               {"box", SHAPE_BOX, 3}};
  importWork *w = r->w;
  double size[3] = {0}, ends[6];
  if (strcmp(type, "mesh") == 0) return is_heavy ? add_mesh_weight(r, list, geom, error) : NULL;
  const int k = NAMED_FIND(types, type);
  if (k < 0) {
    import_note(w, geom->place, "a geom of type %.40s is left out", type);
    return NULL;
  }
  if (mjcf_get(r, geom, "mesh")) {
    snprintf(error->text, sizeof error->text, "it is fitted to a mesh, which is not done here");
    import_note(w, geom->place, "a geom of type %.40s that is fitted to a mesh is left out", type);
    return NULL;
  }
  const int given = mjcf_some(r, geom->place, "size", mjcf_get(r, geom, "size"), 3, size);
  const bool is_line = mjcf_numbers(r, geom, "fromto", 6, ends);
  if (is_line) {
    const double half =
        sqrt(pow(ends[3] - ends[0], 2) + pow(ends[4] - ends[1], 2) + pow(ends[5] - ends[2], 2)) / 2;
    if (types[k].type == SHAPE_BOX || types[k].type == SHAPE_ELLIPSOID) {
      if (given < 2) size[1] = size[0];
      size[2] = half;
    } else {
      size[1] = half;
    }
  }
  bool has_extent = is_line || given >= types[k].needs;
  for (int i = 0; i < types[k].needs; i++) has_extent = has_extent && size[i] > 0;
  if (!has_extent) {
    if (is_heavy)
      snprintf(error->text, sizeof error->text, "its %d sizes must be given and above zero",
               types[k].needs);
    else
      import_note_mended(w, geom->place, "a geom of type %s without sizes above zero is not shown",
                         type);
    return NULL;
  }
  importShape *shape = import_add_shape(w, list, types[k].type);
  for (int i = 0; i < 3; i++) shape->size[i] = 2 * size[i];
  shape->radius = size[0];
  shape->length = 2 * size[1];
  return shape;
}


// a shape given by its end points has z from the first to the second
static modelPose geom_pose(mjcfReader *r, xmlNode *geom)
{
  double e[6];
  modelPose pose = mjcf_pose(r, geom);
  if (!mjcf_numbers(r, geom, "fromto", 6, e)) return pose;
  // z points from the second end to the first, as in MuJoCo
  const double z[3] = {e[0] - e[3], e[1] - e[4], e[2] - e[5]};
  const double zero[3] = {0}, square = hypot(z[0], z[1]), angle = atan2(square, z[2]);
  const double s = sin(angle / 2),
               up[2] = {square > 0 ? -z[1] / square : 1, square > 0 ? z[0] / square : 0};
  const double q[4] = {cos(angle / 2), s * up[0], s * up[1], 0};
  pose = import_by_quaternion(zero, q).in;
  pose.r = v3_make((e[0] + e[3]) / 2, (e[1] + e[4]) / 2, (e[2] + e[5]) / 2);
  return pose;
}


// true for a body welded to ground, whose mass has no effect
static bool is_part_of_ground(const importMachine *m, int body)
{
  for (int i = m->njoint - 1; i >= 0 && body >= 0; i--) {
    if (m->joint[i].to != body) continue;
    if (m->joint[i].type != ART_FIXED) return false;
    body = m->joint[i].from;
  }
  return body < 0;
}


// note a geom that should give a body its mass but cannot
static void lose_mass(mjcfReader *r, const xmlNode *geom, int body, const char *type,
                      const char *why)
{
  importWork *w = r->w;
  const char *name = w->machine.body[body].name;
  if (is_part_of_ground(&w->machine, body))
    import_note_look(w, geom->place,
                     "a geom of type %.40s of '%.80s', which is fixed, is left out: %s", type, name,
                     why);
  else
    import_fail(w, geom->place,
                "the mass of body '%.80s' comes from a geom of type %.40s that cannot be read: %s",
                name, type, why);
}


// A plane or a height field is not shown, and has no mass.
static void read_flat_geom(mjcfReader *r, xmlNode *geom, int body, modelPose within,
                           const char *type)
{
  importWork *w = r->w;
  if (w->def->contact)
    mjcf_add_surface(r, geom, body, type, NULL, pose_compose(within, geom_pose(r, geom)));
  else
    import_note(w, geom->place, "a geom of type %s is left out", type);
  xml_skip(geom);
}


// A geom is shown, and gives the body its mass unless that is given explicitly.
KEPT_APART static void read_geom(mjcfReader *r, xmlNode *geom, int body, modelPose within,
                                 bool has_inertial)
{
  importWork *w = r->w;
  importMachine *m = &w->machine;
  const char *type = mjcf_get(r, geom, "type");
  if (!type) type = mjcf_get(r, geom, "mesh") ? "mesh" : "sphere";
  if (!w->def->contact) import_note(w, geom->place, "contact of geoms: bodies do not collide here");
  const double density = mjcf_number(r, geom, "density", 1000),
               mass = mjcf_number(r, geom, "mass", -1);
  const bool has_shape = strcmp(type, "plane") != 0 && strcmp(type, "hfield") != 0;
  if (!has_shape) {
    read_flat_geom(r, geom, body, within, type);
    return;
  }
  const double group = mjcf_number(r, geom, "group", 0);
  const bool is_heavy = body >= 0 && !has_inertial && (mass > 0 || (mass < 0 && density > 0)) &&
                        group >= r->groups[0] && group <= r->groups[1];
  const modelPose pose = pose_compose(within, geom_pose(r, geom));
  const bool is_mesh = strcmp(type, "mesh") == 0;
  const bool is_thin = mjcf_is(r, geom, "shellinertia", "true");
  const int colour = mjcf_colour_of(r, geom);
  importShape **seen = body < 0 ? &m->ground_visual : &m->body[body].visual;
  artError why = {.text = "there is no such shape here"};
  if (is_mesh && is_thin && is_heavy)
    import_note_look(
        w, geom->place,
        "shellinertia of a mesh has no effect, as in MuJoCo: <mesh inertia=\"shell\"> has");
  if (is_mesh) show_mjcf_mesh(r, seen, geom, pose);
  importShape *shape =
      add_geom(r, is_heavy ? &m->body[body].solid : seen, geom, type, is_heavy, &why);
  if (!shape && is_heavy) lose_mass(r, geom, body, type, why.text);
  if (w->def->contact) mjcf_add_surface(r, geom, body, type, shape, pose);
  xml_skip(geom);
  if (!shape) return;
  shape->pose = import_pose(pose);
  shape->colour = colour;
  if (!is_heavy) {
    import_show(w, shape, geom->place);
    return;
  }
  shape->is_shell = is_thin && !is_mesh;
  if (mass > 0)
    shape->mass = mass;
  else
    shape->density = density;
}


//---- inertia -------------------------------------------------------------------------------------

static void read_mjcf_inertial(mjcfReader *r, xmlNode *node, importBody *body)
{
  importWork *w = r->w;
  double diagonal[3], full[6], tensor[6] = {0};
  const modelPose frame = mjcf_pose(r, node);
  import_need(w, node, "mass");
  body->mass = mjcf_number(r, node, "mass", 0);
  if (body->mass < 0)
    import_fail(w, node->place, "body '%.80s' has the mass %g kg", body->name, body->mass);
  if (mjcf_numbers(r, node, "fullinertia", 6, full))
    memcpy(tensor, full, sizeof full);
  else if (mjcf_numbers(r, node, "diaginertia", 3, diagonal))
    memcpy(tensor, diagonal, sizeof diagonal);
  if (r->balance && !import_is_solid(tensor)) {
    const double mean = (tensor[0] + tensor[1] + tensor[2]) / 3;
    import_note(w, node->place, "the inertia of '%.80s' is balanced ('balanceinertia')",
                body->name);
    memcpy(tensor, (double[6]){mean, mean, mean}, sizeof tensor);
  }
  import_set_inertia(body, frame, frame.R.x.x != 1 || frame.R.y.y != 1, tensor);
}


//---- joints --------------------------------------------------------------------------------------

static void add_joint_name(mjcfReader *r, const char *name, int joint, double ref)
{
  importWork *w = r->w;
  import_grow(w, (void **) &r->joint, r->njoint, &r->joint_capacity, sizeof *r->joint);
  r->joint[r->njoint] = (mjcfJoint){.joint = joint, .ref = ref, .bound = {NAN, NAN}};
  if (name) import_enter(w, &r->joints, name, r->njoint);
  r->njoint++;
}


static void read_mjcf_coordinate(mjcfReader *r, xmlNode *node, importJoint *joint)
{
  importWork *w = r->w;
  const double unit = joint->type == ART_REVOLUTE ? r->degree : 1;
  const double ref = unit * mjcf_number(r, node, "ref", 0);
  double range[2], pair[2] = {0};
  joint->rotor = mjcf_number(r, node, "armature", 0);
  joint->damping = mjcf_number(r, node, "damping", 0);
  joint->friction = mjcf_number(r, node, "frictionloss", 0);
  joint->stiffness = mjcf_number(r, node, "stiffness", 0);
  joint->rest = unit * mjcf_number(r, node, "springref", 0) - ref;
  if (joint->rotor < 0 || joint->damping < 0 || joint->friction < 0) {
    import_fail(w, node->place, "armature, damping or frictionloss of joint '%.80s' is negative",
                joint->name);
  }
  mjcf_numbers(r, node, "springdamper", 2, pair);
  // start at the configuration of the file, or at the nearest limit
  if (mjcf_limits(r, node, "range", "limited", range)) {
    joint->lower = unit * range[0] - ref;
    joint->upper = unit * range[1] - ref;
    import_start_inside(w, joint, node->place);
  }
  add_joint_name(r, xml_get(node, "name"), (int) (joint - w->machine.joint), ref);
  memcpy(r->joint[r->njoint - 1].spring_times, pair, sizeof pair);
}


// d (w_to - w_from), or d (v_to - v_from), along one axis of ground, as a formula
static const char *slip_text(importWork *w, const importJoint *joint, double factor, char what,
                             char axis)
{
  const importBody *body = w->machine.body;
  const char *to = import_quoted(w, body[joint->to].name);
  const char *from =
      joint->from < 0
          ? ""
          : import_format(w, " - %s.%c%c", import_quoted(w, body[joint->from].name), what, axis);
  return import_format(w, "\"= %s*(%s.%c%c%s)\"", import_number(w, factor), to, what, axis, from);
}


// a torque or force against the relative motion of two bodies
static void resist_body_motion(importWork *w, const importJoint *joint, int on, double factor,
                               char what)
{
  const char *body = w->machine.body[on].name;
  const bool turns = what == 'w';
  const char *name = import_fresh(w, "%s_%s_on_%s", joint->name, turns ? "damper" : "drag", body);
  import_add_item(w, "forces", import_name(w, name, "force", joint->place), joint->place,
                  "{type: %s, value: [%s, %s, %s]}",
                  import_format(w, turns ? "torque, body: %s" : "force, point: %s", body),
                  slip_text(w, joint, factor, what, 'x'), slip_text(w, joint, factor, what, 'y'),
                  slip_text(w, joint, factor, what, 'z'));
}


// torque -d w on the body of a ball joint, d w on its parent; for a free joint also a force from
// its velocity
static void damp_ball(importWork *w, const importJoint *joint, double damping)
{
  if (damping == 0) return;
  resist_body_motion(w, joint, joint->to, -damping, 'w');
  if (joint->from >= 0) resist_body_motion(w, joint, joint->from, damping, 'w');
  if (joint->type == ART_FREE) resist_body_motion(w, joint, joint->to, -damping, 'v');
}


// A torque -k r with the rotation vector r from the configuration of the file; for a free joint
// also a force -k x.
static void spring_ball(mjcfReader *r, const importJoint *joint, modelPose rest, double stiffness)
{
  importWork *w = r->w;
  importMachine *m = &w->machine;
  if (stiffness == 0) return;
  const char *k = import_number(w, stiffness), *slide = joint->type == ART_FREE ? k : "0";
  const char *names[2];
  const char *stem = joint->name;
  for (int i = 0; i < 2; i++)
    names[i] =
        import_name(w, import_fresh(w, i ? "%s_end" : "%s_rest", stem), "frame", joint->place);
  import_add_frame(w, joint->from < 0 ? &m->ground_frame : &m->body[joint->from].frame, names[0],
                   import_pose(rest));
  import_add_frame(w, &m->body[joint->to].frame, names[1], joint->to_pose);
  import_add_item(w, "forces",
                  import_name(w, import_fresh(w, "%s_spring", stem), "force", joint->place),
                  joint->place, "{type: %s, from: %s, to: %s, stiffness: [%s, %s, %s, %s, %s, %s]}",
                  import_six_axis_spring, import_frame_text(w, joint->from, names[0]),
                  import_frame_text(w, joint->to, names[1]), slide, slide, slide, k, k, k);
}


static void read_ball(mjcfReader *r, xmlNode *node, const importJoint *joint, modelPose rest)
{
  importWork *w = r->w;
  const double armature = mjcf_number(r, node, "armature", 0);
  if (mjcf_number(r, node, "frictionloss", 0) > 0)
    import_note_motion(w, node->place, "frictionloss of a ball or free joint is left out");
  if (armature > 0 && joint->from >= 0)
    import_note_motion(w, node->place,
                       "armature of a ball joint between two bodies that move is left out");
  double range[2];
  if (mjcf_limits(r, node, "range", "limited", range) && joint->type == ART_SPHERICAL)
    import_note_motion(w, node->place, "the range of a ball joint is left out");
  (void) mjcf_get(r, node, "ref"); // MuJoCo ignores these for ball joints too
  (void) mjcf_get(r, node, "springref");
  damp_ball(w, joint, mjcf_number(r, node, "damping", 0));
  spring_ball(r, joint, rest, mjcf_number(r, node, "stiffness", 0));
  add_joint_name(r, xml_get(node, "name"), (int) (joint - w->machine.joint), 0);
  if (joint->from < 0) r->joint[r->njoint - 1].armature = armature;
}


static artJointType mjcf_joint_type(mjcfReader *r, xmlNode *node)
{
  const char *type = strcmp(node->name, "freejoint") == 0 ? "free" : mjcf_get(r, node, "type");
  if (!type || strcmp(type, "hinge") == 0) return ART_REVOLUTE;
  if (strcmp(type, "slide") == 0) return ART_PRISMATIC;
  if (strcmp(type, "ball") == 0) return ART_SPHERICAL;
  if (strcmp(type, "free") == 0) return ART_FREE;
  import_fail(r->w, node->place, "a joint is of type '%.40s', which is none of MJCF", type);
}


// one joint between successive bodies, in a frame of the body
static void read_mjcf_joint(mjcfReader *r, xmlNode *node, int from, int to, modelPose pose,
                            modelPose frame)
{
  importWork *w = r->w;
  const char *name = xml_get(node, "name");
  importJoint *joint =
      import_add_joint(w, name ? name : import_fresh(w, "%s_joint", w->machine.body[to].name),
                       mjcf_joint_type(r, node), from, to, node->place);
  double at[3] = {0};
  if (joint->type != ART_FREE) mjcf_numbers(r, node, "pos", 3, at);
  const v3 place_in_body = v3_add(frame.r, m3_back(frame.R, import_v3(at)));
  const modelPose anchor = {m3_identity(),
                            joint->type == ART_FREE ? v3_make(0, 0, 0) : place_in_body};
  joint->from_pose = import_pose(pose_compose(pose, anchor));
  joint->to_pose = import_pose(anchor);
  if (import_has_one(joint)) {
    mjcf_numbers(r, node, "axis", 3, joint->axis);
    const v3 axis = m3_back(frame.R, import_v3(joint->axis));
    import_store(joint->axis, axis);
    if (joint->axis[0] == 0 && joint->axis[1] == 0 && joint->axis[2] == 0)
      import_fail(w, node->place, "the axis of a joint is zero");
    read_mjcf_coordinate(r, node, joint);
    return;
  }
  read_ball(r, node, joint, joint->from_pose.in);
  if (joint->type != ART_FREE) return;
  // its coordinates are the pose of the body in ground
  if (from >= 0) import_fail(w, node->place, "a free joint belongs to a body of the world alone");
  double place[3], q[4];
  import_store(place, pose.r);
  pose_quaternion(pose.R, q);
  joint->from_pose = import_identity();
  joint->initial =
      import_format(w, "position: %s%s%s", import_list(w, 3, place),
                    q[0] == 1 ? "" : ", orientation: ", q[0] == 1 ? "" : import_list(w, 4, q));
}


static bool is_joint(const xmlNode *node)
{
  return strcmp(node->name, "joint") == 0 || strcmp(node->name, "freejoint") == 0;
}


// the chain of joints of a body, through massless bodies
typedef struct jointRow {
  int from, body, count, total;
  modelPose pose; // of the body
} jointRow;

static int count_joints(const xmlNode *node)
{
  int n = 0;
  for (const xmlNode *child = node->first; child; child = child->next) {
    n += is_joint(child) + (strcmp(child->name, "frame") == 0 ? count_joints(child) : 0);
  }
  return n;
}


// store axis and point of the last joint in ground, and its actuator limits
static void keep_axis(mjcfReader *r, int body, xmlNode *node)
{
  ART_ASSERT(r->njoint > 0);
  mjcfJoint *j = &r->joint[r->njoint - 1];
  const importJoint *joint = &r->w->machine.joint[j->joint];
  const v3 axis = m3_back(r->pose[body].R, import_v3(joint->axis));
  double bound[2];
  j->point = pose_compose(r->pose[body], joint->to_pose.in).r;
  j->axis = v3_scale(1 / sqrt(v3_dot(axis, axis)), axis);
  if (mjcf_limits(r, node, "actuatorfrcrange", "actuatorfrclimited", bound))
    memcpy(j->bound, bound, sizeof bound);
}


static void add_to_row(mjcfReader *r, jointRow *row, xmlNode *node, modelPose frame)
{
  importWork *w = r->w;
  int to = row->body;
  node->is_read = true;
  if (++row->count < row->total) {
    const importBody *between = import_add_body(
        w, import_fresh(w, "%s_%d", w->machine.body[row->body].name, row->count), base_nowhere());
    to = (int) (between - w->machine.body);
  }
  read_mjcf_joint(r, node, row->from, to, row->count == 1 ? row->pose : pose_identity(), frame);
  keep_axis(r, row->body, node);
  row->from = to;
}


// add joints in file order, including those in frames of the body
static void read_joint_row(mjcfReader *r, jointRow *row, xmlNode *node, modelPose frame)
{
  for (xmlNode *child = node->first; child; child = child->next) {
    if (is_joint(child)) add_to_row(r, row, child, frame);
    if (strcmp(child->name, "frame") == 0 && count_joints(child) > 0) {
      read_joint_row(r, row, child, pose_compose(frame, mjcf_pose(r, child)));
    }
  }
}


KEPT_APART static void read_mjcf_joints(mjcfReader *r, xmlNode *node, int parent, int body,
                                        modelPose pose)
{
  importWork *w = r->w;
  jointRow row = {.from = parent, .body = body, .total = count_joints(node), .pose = pose};
  read_joint_row(r, &row, node, pose_identity());
  if (row.total > 0) return;
  importJoint *weld = import_add_joint(w, import_fresh(w, "%s_weld", w->machine.body[body].name),
                                       ART_FIXED, parent, body, base_nowhere());
  weld->from_pose = import_pose(pose);
}


//---- bodies --------------------------------------------------------------------------------------

static void keep_pose(mjcfReader *r, int body, modelPose pose)
{
  ART_ASSERT(body >= 0);
  importWork *w = r->w;
  while (r->nbody <= body) {
    import_grow(w, (void **) &r->pose, r->nbody, &r->body_capacity, sizeof *r->pose);
    r->pose[r->nbody++] = pose;
  }
  r->pose[body] = pose;
}


// true if there are geoms that could give the body its mass
static bool has_geoms(mjcfReader *r, xmlNode *node)
{
  for (xmlNode *n = node->first; n; n = n->next) {
    if (strcmp(n->name, "frame") == 0 && has_geoms(r, n)) return true;
    if (strcmp(n->name, "geom") != 0) continue;
    const double group = mjcf_number(r, n, "group", 0);
    if (group >= r->groups[0] && group <= r->groups[1]) return true;
  }
  return false;
}


// the part of a body before its children; returns its index
KEPT_APART static int begin_mjcf_body(mjcfReader *r, xmlNode *node, int parent, modelPose within,
                                      bool *has_inertial)
{
  importWork *w = r->w;
  const char *name = xml_get(node, "name");
  const modelPose pose = pose_compose(within, mjcf_pose(r, node));
  const int body = w->machine.nbody;
  import_add_body(w, name ? name : import_fresh(w, "body_%d", body + 1), node->place);
  keep_pose(r, body, pose_compose(parent < 0 ? pose_identity() : r->pose[parent], pose));
  xml_get(node, "childclass");
  if (mjcf_is(r, node, "mocap", "true"))
    import_note_motion(w, node->place, "a body that the program moves ('mocap') does not move");
  xmlNode *inertial = xml_child(node, "inertial");
  if (inertial && r->from_geoms && has_geoms(r, node)) {
    xml_skip(inertial);
    inertial = NULL;
  }
  if (inertial) read_mjcf_inertial(r, inertial, &w->machine.body[body]);
  read_mjcf_joints(r, node, parent, body, pose);
  keep_pose(r, w->machine.nbody - 1, r->pose[body]); // also for auxiliary bodies between its joints
  *has_inertial = inertial != NULL;
  return body;
}


static void read_mjcf_body(mjcfReader *r, xmlNode *node, int parent, modelPose within)
{
  bool has_inertial;
  const int body = begin_mjcf_body(r, node, parent, within, &has_inertial);
  read_children(r, node, body, pose_identity(), has_inertial);
  importWork *w = r->w;
  const double share = mjcf_number(r, node, "gravcomp", 0);
  import_state_weight(&w->machine.body[body]);
  if (share != 0 && (r->total_mass > 0 || r->least_mass > 0))
    import_fail(w, node->place, "'gravcomp' is given together with 'settotalmass' or 'boundmass'");
  if (share != 0) import_take_weight(w, &w->machine.body[body], share);
}


// read the elements of a body or a frame
static void read_children(mjcfReader *r, xmlNode *node, int body, modelPose within,
                          bool has_inertial)
{
  importWork *w = r->w;
  for (xmlNode *n = node->first; n; n = n->next) {
    const char *name = n->name;
    if (strcmp(name, "geom") == 0 || strcmp(name, "site") == 0 || strcmp(name, "body") == 0 ||
        strcmp(name, "frame") == 0)
      n->is_read = true;
    if (strcmp(name, "geom") == 0)
      read_geom(r, n, body, within, has_inertial);
    else if (strcmp(name, "site") == 0)
      read_site(r, n, body, within);
    else if (strcmp(name, "body") == 0)
      read_mjcf_body(r, n, body, within);
    else if (strcmp(name, "frame") == 0) {
      if (body < 0 && count_joints(n) > 0)
        import_fail(w, n->place, "a <frame> of the world holds a joint");
      xml_get(n, "name");
      xml_get(n, "childclass");
      read_children(r, n, body, pose_compose(within, mjcf_pose(r, n)), has_inertial);
    } else if (strcmp(name, "camera") == 0 || strcmp(name, "light") == 0) {
      xml_skip(n);
    } else if (strcmp(name, "composite") == 0 || strcmp(name, "flexcomp") == 0) {
      import_fail(w, n->place,
                  "<%s> makes bodies that deform or a row of them, which is not done here: let "
                  "MuJoCo write the file out (mj_saveLastXML)",
                  name);
    }
  }
}


//---- settings for all masses ---------------------------------------------------------------------

static void scale_body(importBody *body, double factor)
{
  body->mass *= factor;
  for (int i = 0; i < 6; i++) body->inertia[i] *= factor;
  for (importShape *s = body->solid; s; s = s->next) {
    s->mass *= factor;
    s->density *= factor;
  }
}


static void set_total_mass(mjcfReader *r)
{
  importMachine *m = &r->w->machine;
  double sum = 0;
  if (!(r->total_mass > 0)) return;
  for (int i = 0; i < m->nbody; i++) sum += import_weigh(&m->body[i]).mass;
  if (!(sum > 0)) import_fail(r->w, r->root->place, "'settotalmass' scales bodies without mass");
  for (int i = 0; i < m->nbody; i++) scale_body(&m->body[i], r->total_mass / sum);
}


// Apply lower bounds to given values; a body with geoms must satisfy them by itself.
static void bound_masses(mjcfReader *r)
{
  importMachine *m = &r->w->machine;
  for (int i = 0; i < m->nbody && (r->least_mass > 0 || r->least_inertia > 0); i++) {
    importBody *body = &m->body[i];
    const importWeight weight = import_weigh(body);
    if (!body->place.line) continue;  // auxiliary body between joints
    double least = weight.inertia[0]; // lower bound of the principal moments
    for (int k = 0; k < 3; k++) {
      const double *I = weight.inertia;
      const double beside = fabs(I[k == 0 ? 3 : k == 1 ? 3 : 4]) + fabs(I[k == 0 ? 4 : 5]);
      least = fmin(least, I[k] - beside);
    }
    if (weight.mass >= r->least_mass && least >= r->least_inertia) continue;
    const double *I = body->inertia;
    if (body->solid || I[3] != 0 || I[4] != 0 || I[5] != 0)
      import_fail(
          r->w, body->place,
          "'boundmass' or 'boundinertia' changes body '%.80s' of geoms or with a full tensor, "
          "which is not done here",
          body->name);
    body->mass = fmax(body->mass, r->least_mass);
    for (int k = 0; k < 3; k++) body->inertia[k] = fmax(body->inertia[k], r->least_inertia);
  }
}


void mjcf_read_bodies(mjcfReader *r)
{
  for (xmlNode *n = xml_child(r->root, "worldbody"); n; n = xml_next(n))
    read_children(r, n, -1, pose_identity(), false);
  bound_masses(r);
  set_total_mass(r);
  mjcf_settle_inertia(r);
}
