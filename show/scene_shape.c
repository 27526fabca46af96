// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Default shapes of a machine: its size, bodies, tyres, and joints.
#include "show/scene_shape.h"

#include <math.h>
#include <string.h>

#include "articula/import.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/max_nan.h"
#include "base/memory.h"

//---- similar bodies, which get one colour: legs of a platform, corners of a car ------------------

enum { STEM = 64 };


// remove prefixes and side suffixes: "fl/arm2" and "fr/arm1" become arm, "tie_rl" becomes tie
static void stem_of(const char *name, char stem[STEM])
{
  static const char *const SIDES[] = {"_fl", "_fr", "_rl", "_rr", "_l", "_r", "_left", "_right"};
  const char *slash = strrchr(name, '/');
  int n = 0;
  for (const char *c = slash ? slash + 1 : name; *c && n < STEM - 1; c++) {
    if (!ascii_is_digit((unsigned char) *c)) stem[n++] = *c;
  }
  stem[n] = '\0';
  for (size_t i = 0; i < sizeof SIDES / sizeof SIDES[0]; i++) {
    const int m = (int) strlen(SIDES[i]);
    if (n > m && strcmp(stem + n - m, SIDES[i]) == 0) {
      stem[n - m] = '\0';
      return;
    }
  }
}


// links of a chain are similar too, but are attached to each other: their parents must be similar
// as well
static bool is_alike_body(const ioScene *scene, const int *kind, int i, int j)
{
  const sceneBody *a = &scene->body[i], *b = &scene->body[j];
  if (a->is_rod != b->is_rod || !(fabs(a->mass - b->mass) <= 1e-6 * fabs(a->mass))) return false;
  if ((a->parent < 0 ? -1 : kind[a->parent]) != (b->parent < 0 ? -1 : kind[b->parent]))
    return false;
  char stem[2][STEM];
  stem_of(a->name, stem[0]);
  stem_of(b->name, stem[1]);
  return strcmp(stem[0], stem[1]) == 0;
}


// kind[nbody]: the first similar body, whose colour is used
static void shape_find_kinds(const ioScene *scene, int *kind)
{
  enum { LOOK_BACK = 200 }; // bodies; similar bodies are close to each other in a file
  for (int i = 0; i < scene->nbody; i++) kind[i] = i;
  // a parent may follow its children: two passes are enough for two such levels
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < scene->nbody; i++) {
      for (int j = i > LOOK_BACK ? i - LOOK_BACK : 0; j < i && kind[i] == i; j++) {
        if (is_alike_body(scene, kind, i, j)) kind[i] = kind[j];
      }
    }
  }
}


static const unsigned PALETTE[] = {0x3b7dd8, 0xe08a2c, 0x3fa66b, 0xc8553d,
                                   0x7d6bc4, 0x2fa3a8, 0xb8962e, 0xa85d8f};
enum { COLOURS = sizeof PALETTE / sizeof *PALETTE };
static const unsigned ROD = 0x8a8f98, TYRE = 0x2e2f33, PIN = 0x4a4e55, GROUND = 0x7a7f87;

// links of robots whose meshes are missing, in turn, and how much thicker than bars they are
static const unsigned LINKS[] = {0xc6ccd2, 0x98a2ad};
static const double LINK = 2;


//---- attachment points ---------------------------------------------------------------------------

// free, planar and fixed joints have no definite position
static bool is_placed_joint(const sceneJoint *joint)
{
  return joint->slides != 3 && !shape_leaves(joint, 2, 1) && !shape_leaves(joint, 0, 0);
}


static bool shape_slides(const sceneJoint *joint)
{
  return joint->slides == 1;
}


// list all ends by body: first pass counts, second pass fills
static void list_holds(ioScene *scene)
{
  const int ends = 2 * (scene->njoint + scene->nforce);
  ARENA_TAKE(&scene->arena, scene->hold0, scene->nbody + 3);
  ARENA_TAKE(&scene->arena, scene->hold, ends);
  for (int pass = 0; pass < 2; pass++) {
    for (int e = 0; e < ends; e++) {
      const int f = e / 2 - scene->njoint;
      if (f >= 0 && e % 2 >= scene->force[f].nend) continue;
      const int body = f < 0 ? scene->joint[e / 2].body[e % 2] : scene->force[f].body[e % 2];
      if (pass == 0) {
        scene->hold0[body + 2]++;
      } else {
        scene->hold[scene->hold0[body + 1]++] = e;
      }
    }
    // convert counts to start indices; the second pass has moved each start to its end, the next
    // start
    for (int i = 0; i <= scene->nbody + 1 && pass == 0; i++) scene->hold0[i + 1] += scene->hold0[i];
    for (int i = scene->nbody + 1; i > 0 && pass == 1; i--) scene->hold0[i] = scene->hold0[i - 1];
    if (pass == 1) scene->hold0[0] = 0;
  }
}


// joints and forces attached to a body: the first, and one after the last
static const int *first_hold(const ioScene *scene, int body)
{
  ART_ASSERT(body >= -1 && body < scene->nbody);
  return scene->hold + scene->hold0[body + 1];
}


static const int *end_hold(const ioScene *scene, int body)
{
  ART_ASSERT(body >= -1 && body < scene->nbody);
  return scene->hold + scene->hold0[body + 2];
}


// the force of an end, or NULL
static const sceneForce *held_force(const ioScene *scene, int e)
{
  return e / 2 < scene->njoint ? NULL : &scene->force[e / 2 - scene->njoint];
}


static bool has_matter(const sceneBody *body)
{
  return body->mass > 0 || body->inertia[0] + body->inertia[1] + body->inertia[2] > 0;
}


// an auxiliary body: without mass, and with all its joints at one point
static bool is_ghost(const ioScene *scene, int body)
{
  shapePoints points;
  if (body < 0 || has_matter(&scene->body[body])) return false;
  shape_collect(scene, body, 0.01 * scene->size, &points);
  return points.n < 2;
}


void shape_collect(const ioScene *scene, int body, double near, shapePoints *points)
{
  points->n = 0;
  const int *end = end_hold(scene, body);
  for (const int *e = first_hold(scene, body); e < end && points->n < SHAPE_POINTS; e++) {
    const sceneForce *force = held_force(scene, *e);
    if (force ? force->nend != 2 : !is_placed_joint(&scene->joint[*e / 2])) continue;
    if (body < 0 && !force && is_ghost(scene, scene->joint[*e / 2].body[1 - *e % 2])) continue;
    const double *at = force ? force->point[*e % 2] : scene->joint[*e / 2].end[*e % 2].position;
    bool is_new = true;
    for (int k = 0; k < points->n && is_new; k++) {
      const v3 d = v3_sub(shape_v3(points->at[k]), shape_v3(at));
      is_new = !(v3_dot(d, d) <= near * near);
    }
    if (is_new) memcpy(points->at[points->n++], at, sizeof points->at[0]);
  }
}


//---- size ----------------------------------------------------------------------------------------

typedef struct sizeBox {
  v3 low, high;
} sizeBox;


static void include_in_size(sizeBox *box, v3 at, double radius)
{
  const v3 low = {at.x - radius, at.y - radius, at.z - radius};
  const v3 high = {at.x + radius, at.y + radius, at.z + radius};
  box->low = (v3){fmin(box->low.x, low.x), fmin(box->low.y, low.y), fmin(box->low.z, low.z)};
  box->high = (v3){fmax(box->high.x, high.x), fmax(box->high.y, high.y), fmax(box->high.z, high.z)};
}


// the pose of a body, or of ground
static artPose scene_body_pose(const ioScene *scene, const artData *data, int body)
{
  ART_ASSERT(body >= -1 && body < scene->nbody);
  artPose pose;
  art_body_pose(scene->model, data, body + 1, &pose);
  return pose;
}


static v3 place_in_ground(const artPose *pose, const double at[3])
{
  const modelPose body = pose_from_art(pose);
  return v3_add(body.r, m3_back(body.R, shape_v3(at)));
}


// of a body with inertia
static double gyration_radius(const sceneBody *body)
{
  const double sum = body->inertia[0] + body->inertia[1] + body->inertia[2];
  return body->mass > 0 && sum > 0 ? sqrt(sum / 2 / body->mass) : 0;
}


// the bounding box of the machine's points
static sizeBox measure_points(const ioScene *scene, const artData *data)
{
  const double far = HUGE_VAL;
  sizeBox box = {{far, far, far}, {-far, -far, -far}};
  shapePoints points;
  for (int i = 0; i < scene->nbody; i++) {
    const artPose pose = scene_body_pose(scene, data, i);
    const sceneBody *body = &scene->body[i];
    shape_collect(scene, i, 0, &points);
    for (int k = 0; k < points.n; k++)
      include_in_size(&box, place_in_ground(&pose, points.at[k]), 0);
    if (points.n < 2 && body->mass > 0) {
      include_in_size(&box, place_in_ground(&pose, body->com),
                      points.n == 0 ? gyration_radius(body) : 0);
    }
    for (const int *e = first_hold(scene, i); e < end_hold(scene, i); e++) {
      const sceneForce *force = held_force(scene, *e);
      if (!force || !(force->width > 0)) continue;
      include_in_size(&box, place_in_ground(&pose, force->point[0]), force->radius);
    }
  }
  shape_collect(scene, -1, 0, &points);
  for (int k = 0; k < points.n; k++) include_in_size(&box, shape_v3(points.at[k]), 0);
  return box;
}


static void take_size(ioScene *scene, sizeBox box)
{
  if (!(box.low.x <= box.high.x)) box = (sizeBox){0};
  const v3 span = v3_sub(box.high, box.low);
  const v3 centre = v3_scale(0.5, v3_add(box.high, box.low));
  const double size = sqrt(v3_dot(span, span));
  scene->size = size > 0 && isfinite(size) ? size : 1;
  memcpy(scene->centre, (double[]){centre.x, centre.y, centre.z}, sizeof scene->centre);
}


static void measure_shape(const artPose *body, const sceneShape *shape, sizeBox *box)
{
  // half the edges of the bounding box of a shape other than a mesh, in axes of its pose
  const double r = shape->radius, half = 0.5 * shape->length;
  const v3 h = shape->type == SHAPE_BOX       ? v3_scale(0.5, shape_v3(shape->size))
               : shape->type == SHAPE_SPHERE  ? (v3){r, r, r}
               : shape->type == SHAPE_CAPSULE ? (v3){r, r, half + r}
                                              : (v3){r, r, half};
  const bool is_mesh = shape->type == SHAPE_MESH;
  for (int k = 0; k < (is_mesh ? shape->nvertex : 8); k++) {
    double corner[3] = {k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z};
    for (int i = 0; i < 3 && is_mesh; i++)
      corner[i] = (double) shape->vertex[3 * (size_t) k + (size_t) i];
    const v3 at = place_in_ground(&shape->pose, corner);
    include_in_size(box, place_in_ground(body, (double[]){at.x, at.y, at.z}), 0);
  }
}


// radius of the bars of a body: that of the machine, less for small bodies
static double thickness_of(const ioScene *scene, int body)
{
  shapePoints points;
  shape_collect(scene, body, 0, &points);
  double most = 0;
  for (int k = 1; k < points.n; k++) {
    const v3 d = v3_sub(shape_v3(points.at[k]), shape_v3(points.at[0]));
    most = max_nan(most, sqrt(v3_dot(d, d)));
  }
  if (points.n == 1 && body >= 0 && scene->body[body].mass > 0) {
    const v3 d = v3_sub(shape_v3(scene->body[body].com), shape_v3(points.at[0]));
    most = fmax(sqrt(v3_dot(d, d)), gyration_radius(&scene->body[body]));
  }
  return most > 1e-3 * scene->size ? fmin(scene->thickness, 0.07 * most) : scene->thickness / 2;
}


//---- joints --------------------------------------------------------------------------------------

static void add_ball_joint(shapeList *list, const artPose *end, double radius)
{
  shape_add(list, (sceneShape){
                      .type = SHAPE_SPHERE, .radius = 1.6 * radius, .pose = *end, .colour = PIN});
}


// a sleeve on one side and a rod on the other, long enough for their present displacement
static void add_slider(shapeList *list, const artPose *end, int side, double apart, double radius)
{
  const v3 z = shape_axis(end), at = shape_v3(end->position);
  const double length = fmax(6 * radius, 0.65 * fabs(apart));
  const double way = apart == 0 ? 0 : (side == 0 ? 0.5 : -0.5) * copysign(length, apart);
  shape_add(list, (sceneShape){.type = side == 0 ? SHAPE_BOX : SHAPE_CYLINDER,
                               .size = {2.6 * radius, 2.6 * radius, length},
                               .radius = radius,
                               .length = 1.2 * length,
                               .pose = shape_along(v3_add(at, v3_scale(way, z)), z)});
  if (side == 0)
    memcpy(list->shape[list->n - 1].pose.rotation, end->rotation, sizeof end->rotation);
}


static bool rolls_on_tyre(const ioScene *scene, int body)
{
  for (const int *e = first_hold(scene, body); e < end_hold(scene, body); e++) {
    const sceneForce *force = held_force(scene, *e);
    if (force && force->width > 0) return true;
  }
  return false;
}


double shape_way_apart(const ioScene *scene, const artData *data, const sceneJoint *joint)
{
  const artPose a = scene_body_pose(scene, data, joint->body[0]),
                b = scene_body_pose(scene, data, joint->body[1]);
  const v3 from = place_in_ground(&a, joint->end[0].position);
  const v3 to = place_in_ground(&b, joint->end[1].position);
  const v3 z = m3_back(pose_from_art(&a).R, shape_axis(&joint->end[0]));
  return v3_dot(v3_sub(to, from), z);
}


static void add_joint_shape(shapeList *list, const artData *data, const sceneJoint *joint, int side)
{
  const ioScene *scene = list->scene;
  const int body = joint->body[side];
  const double radius =
      fmin(thickness_of(scene, joint->body[0]), thickness_of(scene, joint->body[1]));
  const artPose *end = &joint->end[side];
  double pin[3];
  if (shape_slides(joint) && body >= 0 && shape_find_piston(scene, body, pin) == joint) return;
  if (shape_slides(joint) && shape_find_telescope(scene, data, body).slide == joint) return;
  const bool is_owner = (side == 1) == (joint->body[1] >= 0); // draw pins and balls on one side
                                                              // only
  if (shape_slides(joint)) add_slider(list, end, side, shape_way_apart(scene, data, joint), radius);
  if (shape_leaves(joint, 0, 1) && is_owner && !rolls_on_tyre(scene, body)) {
    shape_add(list, (sceneShape){.type = SHAPE_CYLINDER,
                                 .radius = 1.5 * radius,
                                 .length = 3.4 * radius,
                                 .pose = *end,
                                 .colour = PIN});
  }
  if (joint->slides == 0 && joint->turns > 1 && is_owner) {
    add_ball_joint(list, end, radius);
  }
  if (shape_leaves(joint, 2, 3) && body >= 0) add_ball_joint(list, end, 0.8 * radius);
}


// chains of auxiliary bodies, such as those that carry a vehicle, are not drawn
static void add_joint_shapes(shapeList *list, const artData *data, int body)
{
  const ioScene *scene = list->scene;
  for (const int *e = first_hold(scene, body); e < end_hold(scene, body); e++) {
    if (held_force(scene, *e)) continue;
    const sceneJoint *joint = &scene->joint[*e / 2];
    const bool is_hidden =
        (joint->body[0] < 0 || is_ghost(scene, joint->body[0])) && is_ghost(scene, joint->body[1]);
    if (!is_hidden) add_joint_shape(list, data, joint, *e % 2);
  }
}


//---- bodies --------------------------------------------------------------------------------------

static void add_tyres(shapeList *list, int body)
{
  const ioScene *scene = list->scene;
  for (const int *e = first_hold(scene, body); e < end_hold(scene, body); e++) {
    const sceneForce *force = held_force(scene, *e);
    if (!force || !(force->width > 0)) continue;
    const v3 at = shape_v3(force->point[0]);
    shape_add(list, (sceneShape){.type = SHAPE_TYRE,
                                 .radius = force->radius,
                                 .length = force->width,
                                 .pose = shape_along(at, shape_v3(force->axle)),
                                 .colour = TYRE});
    shapePoints points;
    shape_collect(scene, body, 0.3 * force->radius, &points);
    for (int k = 0; k < points.n; k++) {
      const v3 arm = v3_sub(shape_v3(points.at[k]), at);
      if (v3_dot(arm, arm) < 0.1 * force->radius * force->radius) continue;
      shape_add_bar(list, at, shape_v3(points.at[k]), 0.1 * force->radius);
    }
  }
}


static void add_body_shapes(shapeList *list, const artData *data, int i)
{
  const ioScene *scene = list->scene;
  const sceneBody *body = &scene->body[i];
  if (body->is_rod) {
    const double radius = fmin(scene->thickness, 0.05 * body->length);
    shape_add_bar(list, (v3){0, 0, 0}, (v3){0, 0, body->length}, 0.7 * radius);
    return;
  }
  if (rolls_on_tyre(scene, i)) {
    add_tyres(list, i);
    return;
  }
  double pin[3];
  const sceneJoint *guide = shape_find_piston(scene, i, pin);
  if (guide) {
    shape_add_piston(list, guide, i, pin);
    return;
  }
  const shapeTelescope telescope = shape_find_telescope(scene, data, i);
  if (telescope.slide) {
    shape_add_telescope(list, data, &telescope, telescope.slide->body[1] == i);
    return;
  }
  const double thickness = thickness_of(scene, i);
  shapePoints points;
  shape_collect(scene, i, thickness, &points);
  if (scene->lost_meshes > 0 && (has_matter(body) || points.n > 1)) {
    shape_add_link(list, body, &points, (i % 2 ? 0.95 : 1) * LINK * scene->thickness);
  } else if (has_matter(body)) {
    shape_add_body(list, body, &points, thickness);
  } else if (points.n > 1) {
    shape_add_body(list, body, &points, 0.5 * thickness);
  }
}


// the range of a driven slide on ground during the study
static void follow_slide_drive(const ioScene *scene, artData *scratch, const sceneJoint *joint,
                               double way[2])
{
  enum { LOOKS = 200 };
  const artRunDef *study = &scene->study.def.run;
  for (int k = 0; k <= LOOKS; k++) {
    scratch->time = study->from + k * (study->until - study->from) / LOOKS;
    art_update(scene->model, scratch);
    const double apart = shape_way_apart(scene, scratch, joint);
    way[0] = fmin(way[0], apart);
    way[1] = fmax(way[1], apart);
  }
}


// The range of a slide on ground: that of its drive, else most of the machine's size around its
// present position.
static void find_travel(const ioScene *scene, const artData *data, const sceneJoint *joint,
                        double way[2])
{
  const double now = shape_way_apart(scene, data, joint);
  artData *scratch = art_create_data(scene->model);
  way[0] = way[1] = now;
  if (scratch && scene->study.def.type == ART_RUN &&
      art_copy_data(scene->model, scratch, data, NULL) == ART_OK) {
    follow_slide_drive(scene, scratch, joint, way);
  }
  art_free_data(scratch);
  if (way[1] - way[0] > 1e-9 * scene->size) return;
  const double reach = fmax(0.4 * scene->size, 1.1 * fabs(now));
  way[0] -= reach;
  way[1] += reach;
}


// blocks and rails for joints on ground
static void add_foundations(shapeList *list, const artData *data)
{
  const ioScene *scene = list->scene;
  for (int j = 0; j < scene->njoint; j++) {
    const sceneJoint *joint = &scene->joint[j];
    const int side = joint->body[0] < 0 ? 0 : 1;
    const artPose *end = &joint->end[side];
    if (joint->body[side] >= 0 || !is_placed_joint(joint)) continue;
    if (is_ghost(scene, joint->body[1 - side])) continue;
    double pin[3];
    if (shape_find_piston(scene, joint->body[1 - side], pin) == joint) {
      const artPose pose = scene_body_pose(scene, data, joint->body[1 - side]);
      const v3 at = place_in_ground(&pose, pin);
      shape_add_rails(list, joint, (double[]){at.x, at.y, at.z});
      continue;
    }
    const double r = thickness_of(scene, joint->body[1 - side]);
    sceneShape block = {.type = SHAPE_BOX, .size = {3.6 * r, 3.6 * r, 2.4 * r}, .pose = *end};
    if (shape_slides(joint)) {
      double way[2];
      find_travel(scene, data, joint, way);
      const v3 z = shape_axis(end);
      const double sign = side == 0 ? 1 : -1;
      block.size[0] = block.size[1] = 1.2 * r;
      block.size[2] = way[1] - way[0] + 8 * r;
      block.pose = shape_along(
          v3_add(shape_v3(end->position), v3_scale(sign * (way[0] + way[1]) / 2, z)), z);
    }
    shape_add(list, block);
  }
  shape_add_base(list);
}


// shapes of the model file; 0 if there are none
static int add_visuals(shapeList *list, int body)
{
  static const sceneShapeType TYPE[ART_VISUAL_TYPES] = {[ART_VISUAL_BOX] = SHAPE_BOX,
                                                        [ART_VISUAL_CYLINDER] = SHAPE_CYLINDER,
                                                        [ART_VISUAL_SPHERE] = SHAPE_SPHERE,
                                                        [ART_VISUAL_CAPSULE] = SHAPE_CAPSULE,
                                                        [ART_VISUAL_MESH] = SHAPE_MESH};
  const artVisualDef *def;
  int count = 0, owner;
  for (int i = 0; (def = art_get_visual(list->scene->model, i, &owner)); i++) {
    if (owner != body + 1) continue;
    count++;
    if (def->type == ART_VISUAL_NONE) continue;
    sceneShape shape = {.type = TYPE[def->type],
                        .size = {def->size[0], def->size[1], def->size[2]},
                        .radius = def->radius,
                        .length = def->length,
                        .nvertex = def->nvertex,
                        .vertex = def->vertex,
                        .ntriangle = def->ntriangle,
                        .triangle = def->triangle,
                        .pose = pose_to_art(pose_from_art(&def->pose)),
                        .colour = def->colour < 0   ? 0
                                  : def->colour > 0 ? (unsigned) def->colour
                                                    : 1};
    shape_add(list, shape);
    list->shape[list->n - 1].is_default = false;
  }
  return count;
}


// meshes of imported files that are not shown; their bodies have default shapes
static int count_lost_meshes(const artModel *model)
{
  int lost = 0;
  artNoteLevel level;
  const char *note;
  for (int i = 0; (note = art_model_note(model, i, &level, NULL)); i++) {
    lost += level == ART_NOTE_LOOK && strstr(note, "the mesh '") != NULL;
  }
  return lost;
}


void scene_add_shapes(ioScene *scene, artData *data)
{
  scene->lost_meshes = count_lost_meshes(scene->model);
  list_holds(scene);
  sizeBox box = measure_points(scene, data);
  take_size(scene, box);
  scene->thickness = 0.015 * scene->size;
  // coil radii for springs, from the machine and the springs
  for (int f = 0; f < scene->nelement; f++) {
    sceneForce *force = &scene->force[f];
    if (force->nend != 2 || force->glyph == ART_GLYPH_NONE) continue;
    v3 end[2];
    for (int k = 0; k < 2; k++) {
      const artPose pose = scene_body_pose(scene, data, force->body[k]);
      end[k] = place_in_ground(&pose, force->point[k]);
    }
    const v3 span = v3_sub(end[1], end[0]);
    force->radius = fmin(scene->thickness, 0.07 * sqrt(v3_dot(span, span)));
  }
  int *kind = arena_alloc(&scene->arena, (size_t) scene->nbody, sizeof *kind);
  shape_find_kinds(scene, kind);
  for (int i = 0, colours = 0; i < scene->nbody; i++) {
    sceneBody *body = &scene->body[i];
    // from here on kind[i] is the colour index
    kind[i] = kind[i] == i ? colours++ % COLOURS : kind[kind[i]];
    shapeList list = {.scene = scene,
                      .colour = body->is_rod             ? ROD
                                : scene->lost_meshes > 0 ? LINKS[i % 2]
                                                         : PALETTE[kind[i]]};
    if (body->is_rod || !add_visuals(&list, i)) {
      add_body_shapes(&list, data, i);
      add_joint_shapes(&list, data, i);
    }
    body->nshape = list.n;
    body->shape = list.shape;
  }
  shapeList list = {.scene = scene, .colour = GROUND};
  if (!add_visuals(&list, -1)) add_foundations(&list, data);

  // update the size with the shapes of bodies; shapes of ground are excluded
  for (int i = 0; i < scene->nbody; i++) {
    const artPose pose = scene_body_pose(scene, data, i);
    for (int k = 0; k < scene->body[i].nshape; k++) {
      measure_shape(&pose, &scene->body[i].shape[k], &box);
    }
  }
  take_size(scene, box);
  scene->nground = list.n;
  scene->ground = list.shape;
}
