// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Surfaces that take shape, place and orientation from a solid or a visual of their body. Its numbers are copied with the
// formulas that they come from. A turned shape has a frame of its own, "body.SURFACE/shape".
#include <math.h>
#include <string.h>

#include "base/error_recovery.h"
#include "contact/surface_hull.h"
#include "model/define/records.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"
#include "model/solid/solid.h"
#include "spatial/pose.h"

typedef struct surfaceShape {
  artBuilder *b;
  const char *body; // whole name
  const fieldCheck *check;
  artSurfaceDef *def;
  artPose pose;
} surfaceShape;


static void copy_numbers(artBuilder *b, int n, const double *from, double *to)
{
  memcpy(to, from, (size_t) n * sizeof *to);
  for (int i = 0; i < n; i++) (void) live_copy(b, &from[i], &to[i]);
}


// the shape of that number, of `count`; 0: the only one
static int choose_shape(const surfaceShape *x, const char *what, int count)
{
  const int number = x->def->number;
  if (count == 0) {
    field_refuse(x->check, "on", "'%s' has no %s, of which surface '%s' takes its shape", x->body,
                 what, x->check->name);
  }
  if (number > count) {
    field_refuse(x->check, "number", "surface '%s' takes the shape of %s %d of '%s', which has %d",
                 x->check->name, what, number, x->body, count);
  }
  if (number == 0 && count > 1) {
    field_refuse_all(x->check,
                     "'%s' has %d %ss; say by 'number' of which one surface '%s' takes its shape",
                     x->body, count, what, x->check->name);
  }
  return number > 0 ? number - 1 : 0;
}


static _Noreturn void refuse_mesh(const surfaceShape *x, const char *what, const char *why)
{
  field_refuse_all(x->check, "surface '%s' takes the shape of a %s %s", x->check->name, what, why);
}


// Vertices of a mesh that differ; returns their number, at most MAX_HULL_POINTS + 1.
static int find_corners(int n, const double *vertex, double *corner)
{
  int count = 0;
  for (int i = 0; i < n && count <= MAX_HULL_POINTS; i++) {
    const double *v = vertex + 3 * (size_t) i;
    int is_new = 1;
    for (int k = 0; k < count && is_new; k++) {
      const double *c = corner + 3 * k, size = 1e-6 * (fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
      is_new = fabs(v[0] - c[0]) + fabs(v[1] - c[1]) + fabs(v[2] - c[2]) > size;
    }
    if (is_new) memcpy(corner + 3 * count++, v, 3 * sizeof *v);
  }
  return count;
}


// a mesh touches as the hull of its vertices, which it must be
static void take_mesh(surfaceShape *x, const char *what, int n, const double *vertex)
{
  static const double DENT = 1e-3;
  double *corner = arena_alloc(&x->b->arena, 3 * (MAX_HULL_POINTS + 1), sizeof *corner);
  const int count = find_corners(n, vertex, corner);
  if (count > MAX_HULL_POINTS)
    refuse_mesh(x, what, "that is a mesh of more than 100 vertices; simplify it");
  baseArena scratch = {.leaves = 1};
  const contactHull *hull = count > 3 ? hull_of_points(&scratch, count, corner) : NULL;
  const double dent = hull ? hull_dent(hull, count, corner) : 0;
  arena_free(&scratch);
  if (!hull)
    refuse_mesh(x, what, "that is a mesh without volume, or nothing, which touches nothing");
  if (dent > DENT)
    refuse_mesh(x, what, "that is a mesh which is not convex; split it into convex parts");
  x->def->type = ART_SURFACE_HULL;
  x->def->points = (artNumbers){3 * count, corner};
}


static void take_solid(surfaceShape *x)
{
  static const artSurfaceType types[] = {[ART_SOLID_BOX] = ART_SURFACE_BOX,
                                         [ART_SOLID_CYLINDER] = ART_SURFACE_CYLINDER,
                                         [ART_SOLID_SPHERE] = ART_SURFACE_SPHERE,
                                         [ART_SOLID_TUBE] = ART_SURFACE_CYLINDER,
                                         [ART_SOLID_CONE] = ART_SURFACE_CONE,
                                         [ART_SOLID_CAPSULE] = ART_SURFACE_CAPSULE,
                                         [ART_SOLID_ELLIPSOID] = ART_SURFACE_ELLIPSOID};
  artBuilder *b = x->b;
  const artBodyDef *body = NULL;
  for (int i = 0; i < b->bodies.count && !body; i++) {
    const artBodyDef *def = &RECORD(b->bodies, bodyRecord, i)->def;
    if (strcmp(def->name, x->body) == 0) body = def;
  }
  const int k = choose_shape(x, "solid", body ? body->nsolid : 0);
  const artSolidDef *solid = &body->solid[k];
  if (solid->type == ART_SOLID_MESH) {
    const size_t n = 3 * (size_t) solid->nvertex;
    double *vertex = arena_alloc(&b->arena, n + 1, sizeof *vertex);
    for (size_t i = 0; i < n; i++) vertex[i] = solid->scale * solid->vertex[i];
    take_mesh(x, "solid", solid->nvertex, vertex);
  } else {
    x->def->type = types[solid->type];
  }
  x->def->number = k + 1;
  copy_numbers(b, 3, solid->size, x->def->size);
  copy_numbers(b, 1, &solid->radius, &x->def->radius);
  copy_numbers(b, 1, &solid->length, &x->def->length);
  copy_numbers(b, 1, &solid->top, &x->def->top);
  x->pose = pose_to_art(solid_pose(solid));
  copy_numbers(b, 3, solid->pose.position, x->pose.position);
  const bool is_along_z = solid->axis[0] == 0 && solid->axis[1] == 0 && solid->axis[2] > 0;
  if (is_along_z) copy_numbers(b, 4, solid->pose.rotation, x->pose.rotation);
  for (int i = 0; i < 3; i++) {
    double copy;
    if (!live_copy(b, &solid->axis[i], &copy)) continue;
    live_forget(b, &copy);
    field_refuse_all(x->check,
                     "the axis of the solid of which surface '%s' takes its shape depends on a "
                     "parameter; give the solid an orientation instead",
                     x->check->name);
  }
}


static const artVisualDef *find_visual(const artBuilder *b, const char *body, int k, int *count)
{
  const artVisualDef *found = NULL;
  *count = 0;
  for (int i = 0; i < b->visuals.count; i++) {
    const visualRecord *record = RECORD(b->visuals, visualRecord, i);
    if (strcmp(record->body, body) != 0 || record->def.type == ART_VISUAL_NONE) continue;
    if ((*count)++ == k) found = &record->def;
  }
  return found;
}


static void take_visual(surfaceShape *x)
{
  static const artSurfaceType types[] = {[ART_VISUAL_BOX] = ART_SURFACE_BOX,
                                         [ART_VISUAL_CYLINDER] = ART_SURFACE_CYLINDER,
                                         [ART_VISUAL_SPHERE] = ART_SURFACE_SPHERE,
                                         [ART_VISUAL_CAPSULE] = ART_SURFACE_CAPSULE};
  int count;
  (void) find_visual(x->b, x->body, 0, &count);
  const int k = choose_shape(x, "visual", count);
  const artVisualDef *visual = find_visual(x->b, x->body, k, &count);
  if (visual->type == ART_VISUAL_MESH) {
    const size_t n = 3 * (size_t) visual->nvertex;
    double *vertex = arena_alloc(&x->b->arena, n + 1, sizeof *vertex);
    for (size_t i = 0; i < n; i++) vertex[i] = visual->vertex[i];
    take_mesh(x, "visual", visual->nvertex, vertex);
  } else {
    x->def->type = types[visual->type];
  }
  x->def->number = k + 1;
  copy_numbers(x->b, 3, visual->size, x->def->size);
  copy_numbers(x->b, 1, &visual->radius, &x->def->radius);
  copy_numbers(x->b, 1, &visual->length, &x->def->length);
  copy_numbers(x->b, 3, visual->pose.position, x->pose.position);
  copy_numbers(x->b, 4, visual->pose.rotation, x->pose.rotation);
}


static void take_shape(void *context)
{
  surfaceShape *x = context;
  if (x->def->number < 0) {
    field_refuse(x->check, "number", "the number of surface '%s' is %d, expected one from 1 on",
                 x->check->name, x->def->number);
  }
  if (strchr(x->body, '.')) {
    field_refuse(x->check, "on",
                 "surface '%s' takes its shape of a body, with its place: give the body alone, "
                 "without a frame",
                 x->check->name);
  }
  if (x->def->type == ART_SURFACE_SOLID) {
    take_solid(x);
  } else {
    take_visual(x);
  }
}


// now, or by a parameter
static bool is_turned(const artBuilder *b, const artPose *pose)
{
  const double *q = pose->rotation;
  bool turns = q[1] != 0 || q[2] != 0 || q[3] != 0;
  for (int k = 0; k < 4; k++) turns |= live_find(b, &q[k]) != NULL;
  return turns;
}


// the frame of the surface that was added last
static artStatus add_shape_frame(artBuilder *b, const artPose *pose)
{
  surfaceRecord *own = RECORD(b->surfaces, surfaceRecord, b->surfaces.count - 1);
  frameRecord frame = {.head = own->head, .body = own->def.on, .pose = *pose};
  frame.name = arena_format(&b->arena, "%s.%s/shape", own->def.on, own->def.name);
  if (!frame.name) return base_no_memory(&b->error);
  own->def.on = frame.name;
  return builder_add_frame(b, &frame, pose);
}


artStatus art_add_surface(artBuilder *b, const artSurfaceDef *def)
{
  const bool takes = def && (def->type == ART_SURFACE_SOLID || def->type == ART_SURFACE_VISUAL);
  if (!takes || builder_error(b)->status != ART_OK || !def->on)
    return builder_add_item(b, &item_surface, def);
  artSurfaceDef own = *def;
  const fieldWhere where = builder_next_place(b);
  const fieldCheck check = {def->name ? def->name : "", &where};
  surfaceShape x = {b, builder_full_name(b, def->on), &check, &own, art_default_pose()};
  if (builder_attempt(b, take_shape, &x)) return b->error.status;
  const bool has_frame = is_turned(b, &x.pose);
  if (!has_frame) {
    memcpy(own.position, x.pose.position, sizeof own.position);
    live_move(b, x.pose.position, own.position, sizeof own.position);
  }
  const int before = b->surfaces.count;
  const artStatus status = builder_add_item(b, &item_surface, &own);
  if (status != ART_OK || b->surfaces.count == before || !has_frame) return status;
  return add_shape_frame(b, &x.pose);
}
