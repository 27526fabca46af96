// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes that draw solids: those that viewers know, and triangles for the others.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/solid/solid.h"
#include "spatial/pose.h"

enum { SEGMENTS = 32, CURVE = 17 };

// a point of an outline that turns about z
typedef struct shapePoint {
  double r, z;
} shapePoint;


// triangles of an outline that turns about z, counter-clockwise seen from outside when z rises along its outer side
static void revolve_outline(int n, const shapePoint *point, const double factor[2],
                            baseArena *arena, artVisualDef *shape)
{
  ART_ASSERT(n >= 2);
  const double turn = 2 * acos(-1.0) / SEGMENTS;
  float *vertex = arena_alloc(arena, 3 * SEGMENTS * (size_t) n, sizeof *vertex);
  int *triangle = arena_alloc(arena, 6 * SEGMENTS * (size_t) (n - 1), sizeof *triangle);
  *shape = (artVisualDef){.type = ART_VISUAL_MESH,
                          .nvertex = SEGMENTS * n,
                          .vertex = vertex,
                          .ntriangle = 2 * SEGMENTS * (n - 1),
                          .triangle = triangle};
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < SEGMENTS; k++) {
      *vertex++ = (float) (factor[0] * point[i].r * cos(turn * k));
      *vertex++ = (float) (factor[1] * point[i].r * sin(turn * k));
      *vertex++ = (float) point[i].z;
    }
  }
  for (int i = 0; i < SEGMENTS * (n - 1); i++) {
    const int row = i / SEGMENTS * SEGMENTS, next = row + (i + 1) % SEGMENTS;
    const int corners[6] = {i, next, i + SEGMENTS, next, next + SEGMENTS, i + SEGMENTS};
    memcpy(triangle, corners, sizeof corners);
    triangle += 6;
  }
}


static void draw_ellipsoid(const artSolidDef *s, baseArena *arena, artVisualDef *shape)
{
  shapePoint point[CURVE];
  for (int i = 0; i < CURVE; i++) {
    const double slope = acos(-1.0) * i / (CURVE - 1);
    point[i] = (shapePoint){sin(slope), -s->size[2] / 2 * cos(slope)};
  }
  revolve_outline(CURVE, point, (double[2]){s->size[0] / 2, s->size[1] / 2}, arena, shape);
}


static void draw_mesh(const artSolidDef *s, baseArena *arena, artVisualDef *shape)
{
  float *vertex = arena_alloc(arena, 3 * (size_t) s->nvertex, sizeof *vertex);
  shape->nvertex = s->nvertex;
  shape->vertex = vertex;
  shape->ntriangle = s->ntriangle;
  shape->triangle = arena_copy(arena, s->triangle, 3 * (size_t) s->ntriangle, sizeof *s->triangle);
  for (long i = 0; i < 3L * s->nvertex; i++) vertex[i] = (float) (s->scale * s->vertex[i]);
}


void solid_shape(const artSolidDef *s, baseArena *arena, artVisualDef *shape)
{
  static const artVisualType types[ART_SOLID_TYPES] = {
      [ART_SOLID_BOX] = ART_VISUAL_BOX,        [ART_SOLID_CYLINDER] = ART_VISUAL_CYLINDER,
      [ART_SOLID_SPHERE] = ART_VISUAL_SPHERE,  [ART_SOLID_TUBE] = ART_VISUAL_MESH,
      [ART_SOLID_CONE] = ART_VISUAL_MESH,      [ART_SOLID_CAPSULE] = ART_VISUAL_CAPSULE,
      [ART_SOLID_ELLIPSOID] = ART_VISUAL_MESH, [ART_SOLID_MESH] = ART_VISUAL_MESH};
  const double h = s->length / 2, one[2] = {1, 1};
  const shapePoint tube[] = {
      {s->inner, -h}, {s->radius, -h}, {s->radius, h}, {s->inner, h}, {s->inner, -h}};
  const shapePoint cone[] = {{0, -h}, {s->radius, -h}, {s->top, h}, {0, h}};
  *shape = (artVisualDef){.type = types[s->type], .radius = s->radius, .length = s->length};
  memcpy(shape->size, s->size, sizeof shape->size);
  if (s->type == ART_SOLID_TUBE) revolve_outline(5, tube, one, arena, shape);
  if (s->type == ART_SOLID_CONE) revolve_outline(4, cone, one, arena, shape);
  if (s->type == ART_SOLID_ELLIPSOID) draw_ellipsoid(s, arena, shape);
  if (s->type == ART_SOLID_MESH) draw_mesh(s, arena, shape);
  shape->pose = pose_to_art(solid_pose(s));
  shape->colour = s->colour;
}
