// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Frames of SDF (sdformat.org, "Pose Frame Semantics"): each has a pose relative to another one, by
// default its model, and is attached to a link.
#include "import/sdf_frames.h"
#include "base/ascii.h"

#include <math.h>
#include <string.h>


//---- texts ---------------------------------------------------------------------------------------

bool sdf_is_true(const char *text)
{
  return text && (ascii_compare(text, "true") == 0 || strcmp(text, "1") == 0);
}


bool sdf_flag(xmlNode *node, const char *name)
{
  return sdf_is_true(import_child_text(node, name));
}


//---- names ---------------------------------------------------------------------------------------

const char *sdf_bare_name(const sdfReader *r, int entity)
{
  const char *key = r->entity[entity].key;
  const size_t n = r->model ? strlen(r->model) : 0;
  return n > 0 && strncmp(key, r->model, n) == 0 && strncmp(key + n, "::", 2) == 0 ? key + n + 2
                                                                                   : key;
}


static const char *sdf_entity_key(sdfReader *r, int scope, const char *name)
{
  ART_ASSERT(scope >= 0 && scope < r->count);
  const char *outer = r->entity[scope].key;
  return outer[0] ? import_format(r->w, "%s::%s", outer, name) : name;
}


static int enter_sdf_entity(sdfReader *r, sdfKind kind, xmlNode *node, int scope)
{
  importWork *w = r->w;
  const char *name = xml_get(node, "name");
  if (kind == SDF_MODEL && !(name && name[0])) {
    name = import_fresh(w, "model_%d", r->count);
    import_note_mended(w, node->place, "a <model> without a name is called '%s'", name);
  }
  if (!name || !name[0]) name = import_need(w, node, "name");
  const char *key = sdf_entity_key(r, scope, name);
  if (table_find(&r->names, key) >= 0) {
    import_fail(w, node->place, "the name '%.80s' is given twice in one model", name);
  }
  import_grow(w, (void **) &r->entity, r->count, &r->capacity, sizeof *r->entity);
  r->entity[r->count] = (sdfEntity){.kind = kind,
                                    .node = node,
                                    .scope = scope,
                                    .key = key,
                                    .is_static = r->entity[scope].is_static,
                                    .body = -1,
                                    .joint = -1};
  import_enter(w, &r->names, key, r->count);
  return r->count++;
}


static void collect_inside(sdfReader *r, xmlNode *node, int scope)
{
  static const struct {
    const char *name;
    sdfKind kind;
  } kinds[] = {{"link", SDF_LINK}, {"frame", SDF_FRAME}, {"joint", SDF_JOINT}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (xmlNode *n = xml_child(node, kinds[k].name); n; n = xml_next(n)) {
      enter_sdf_entity(r, kinds[k].kind, n, scope);
    }
  }
  for (xmlNode *n = xml_child(node, "model"); n; n = xml_next(n)) {
    const int model = enter_sdf_entity(r, SDF_MODEL, n, scope);
    if (sdf_flag(n, "static")) r->entity[model].is_static = true;
    collect_inside(r, n, model);
  }
}


void sdf_collect(sdfReader *r, xmlNode *world)
{
  import_grow(r->w, (void **) &r->entity, 0, &r->capacity, sizeof *r->entity);
  r->entity[0] = (sdfEntity){.kind = SDF_WORLD, .node = world, .key = "", .body = -1, .joint = -1};
  r->count = 1;
  collect_inside(r, world, 0);
}


int sdf_find(sdfReader *r, int scope, const char *name, artPlace place)
{
  static const char own[] = "__model__";
  const size_t n = strlen(name), tail = sizeof own - 1;
  if (strcmp(name, own) == 0) return scope;
  if (strcmp(name, "world") == 0) return 0;
  if (n > tail + 2 && strcmp(name + n - tail - 2, "::__model__") == 0) {
    name = import_format(r->w, "%.*s", (int) (n - tail - 2), name);
  }
  const int found = table_find(&r->names, sdf_entity_key(r, scope, name));
  if (found >= 0) return found;
  import_fail(r->w, place, "there is no link, frame, joint or model '%.80s' in '%.80s'", name,
              r->entity[scope].key[0] ? r->entity[scope].key : "world");
}


//---- poses ---------------------------------------------------------------------------------------

static importPose by_numbers(sdfReader *r, xmlNode *pose)
{
  const char *format = xml_get(pose, "rotation_format"), *degrees = xml_get(pose, "degrees");
  double x[7] = {0};
  if (format && strcmp(format, "quat_xyzw") == 0) {
    import_numbers(r->w, pose->place, "pose", pose->text, 7, x);
    const double q[4] = {x[6], x[3], x[4], x[5]};
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0)) {
      import_fail(r->w, pose->place, "the quaternion of a pose is zero");
    }
    return import_by_quaternion(x, q);
  }
  if (format && strcmp(format, "euler_rpy") != 0) {
    import_fail(r->w, pose->place, "a pose has the rotation_format '%.40s'", format);
  }
  import_numbers(r->w, pose->place, "pose", pose->text, 6, x);
  for (int i = 3; i < 6 && sdf_is_true(degrees); i++) x[i] *= PI / 180;
  return import_by_angles(x, x + 3);
}


importPose sdf_local(sdfReader *r, xmlNode *node)
{
  xmlNode *pose = xml_child(node, "pose");
  return pose && pose->text[0] ? by_numbers(r, pose) : import_identity();
}


int sdf_base(sdfReader *r, xmlNode *node, int scope, int otherwise)
{
  xmlNode *pose = xml_child(node, "pose");
  const char *name = pose ? xml_get(pose, "relative_to") : NULL;
  // before version 1.7
  if (pose && (!name || !name[0])) name = xml_get(pose, "frame");
  return name && name[0] ? sdf_find(r, scope, name, pose->place) : otherwise;
}


static int attached_entity(sdfReader *r, int e)
{
  const char *name = xml_get(r->entity[e].node, "attached_to");
  const int scope = r->entity[e].scope;
  return name && name[0] ? sdf_find(r, scope, name, r->entity[e].node->place) : scope;
}


int sdf_end(sdfReader *r, int e, const char *which)
{
  xmlNode *node = r->entity[e].node;
  const char *name = import_child_text(node, which);
  if (!name) import_fail(r->w, node->place, "joint '%.80s' has no <%s>", r->entity[e].key, which);
  return sdf_find(r, r->entity[e].scope, name, node->place);
}


static int base_of(sdfReader *r, int e)
{
  ART_ASSERT(e >= 0 && e < r->count);
  sdfEntity *entity = &r->entity[e];
  if (entity->has_base) return entity->base;
  int otherwise = entity->scope;
  if (entity->kind == SDF_FRAME) otherwise = attached_entity(r, e);
  if (entity->kind == SDF_JOINT) otherwise = sdf_end(r, e, "child");
  entity->base = sdf_base(r, entity->node, entity->scope, otherwise);
  entity->has_base = true;
  return entity->base;
}


static modelPose pose_from(sdfReader *r, int e, int outer);

// The pose of a model may be that of a frame inside it: then X = X_frame inv(X_frame in the model).
static modelPose local_of(sdfReader *r, int e)
{
  ART_ASSERT(e >= 0 && e < r->count);
  if (!r->entity[e].has_local) {
    importPose local = sdf_local(r, r->entity[e].node);
    xmlNode *node = r->entity[e].node;
    const char *placed = r->entity[e].kind == SDF_MODEL ? xml_get(node, "placement_frame") : NULL;
    if (placed && placed[0]) {
      const modelPose inside = pose_from(r, sdf_find(r, e, placed, node->place), e);
      local = import_pose(pose_compose(local.in, pose_inverse(inside)));
    }
    r->entity[e].local = local;
    r->entity[e].has_local = true;
  }
  return r->entity[e].local.in;
}


static modelPose pose_from(sdfReader *r, int e, int outer)
{
  modelPose pose = pose_identity();
  const int first = e;
  for (int k = 0; e != outer; k++) {
    if (e == 0 || k > r->count) {
      import_fail(r->w, r->entity[first].node->place,
                  "the pose of '%.80s' refers to itself, or to frames outside of its model",
                  r->entity[first].key);
    }
    pose = pose_compose(local_of(r, e), pose);
    e = base_of(r, e);
  }
  return pose;
}


modelPose sdf_pose(sdfReader *r, int entity)
{
  return pose_from(r, entity, 0);
}


// set a number to 0 if it is a rounding error relative to `size`
static double tidy_rounding(double x, double size)
{
  return fabs(x) < 4e-16 * size ? 0 : x;
}


// along the frames that lead to the link, or through the world
modelPose sdf_pose_on(sdfReader *r, int entity, int body)
{
  modelPose pose = pose_identity();
  if (body < 0) return sdf_pose(r, entity);
  int at = entity;
  for (int k = 0; k <= r->count && at != 0; k++, at = base_of(r, at)) {
    if (at == r->link[body]) return pose;
    pose = pose_compose(local_of(r, at), pose);
  }
  const modelPose in_world = sdf_pose(r, entity);
  const double size = 1 + sqrt(v3_dot(in_world.r, in_world.r));
  pose = pose_compose(pose_inverse(sdf_pose(r, r->link[body])), in_world);
  pose.r = v3_make(tidy_rounding(pose.r.x, size), tidy_rounding(pose.r.y, size),
                   tidy_rounding(pose.r.z, size));
  return pose;
}


//---- bodies --------------------------------------------------------------------------------------

// the canonical link of a model: the named one, its first, or that of its first nested model
static int sdf_canonical_link(sdfReader *r, int model)
{
  const char *name = xml_get(r->entity[model].node, "canonical_link");
  if (name && name[0]) return sdf_find(r, model, name, r->entity[model].node->place);
  for (int i = model + 1; i < r->count; i++) {
    const sdfEntity *e = &r->entity[i];
    if (e->scope == model && (e->kind == SDF_LINK || e->kind == SDF_MODEL)) return i;
  }
  import_fail(r->w, r->entity[model].node->place, "model '%.80s' has no link",
              r->entity[model].key);
}


int sdf_body(sdfReader *r, int entity)
{
  const int first = entity;
  for (int k = 0; k <= r->count; k++) {
    const sdfEntity *e = &r->entity[entity];
    if (e->is_static || e->kind == SDF_WORLD) return -1;
    if (e->kind == SDF_LINK) return e->body;
    entity = e->kind == SDF_FRAME   ? attached_entity(r, entity)
             : e->kind == SDF_JOINT ? sdf_end(r, entity, "child")
                                    : sdf_canonical_link(r, entity);
  }
  import_fail(r->w, r->entity[first].node->place, "'%.80s' is attached to itself",
              r->entity[first].key);
}
