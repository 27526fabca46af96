// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes of a scene as triangles: boxes, and surfaces of revolution about z.
#include "show/triangles.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "spatial/pose.h"

static const double PI = 3.14159265358979323846;
enum { MAX_PROFILE = 32 };

// radius and height from one end to the other; the surface faces larger radii
typedef struct profile {
  int n;
  double r[MAX_PROFILE], z[MAX_PROFILE];
} profile;


static void take_triangles(ioSolid *solid, int nvertex, int ntriangle, baseArena *arena)
{
  *solid = (ioSolid){.nvertex = nvertex, .ntriangle = ntriangle};
  solid->vertex = arena_alloc(arena, 3 * (size_t) nvertex, sizeof *solid->vertex);
  solid->triangle = arena_alloc(arena, 3 * (size_t) ntriangle, sizeof *solid->triangle);
}


static void put_vertex(ioSolid *solid, int i, double x, double y, double z)
{
  ART_ASSERT(i >= 0 && i < solid->nvertex);
  const float at[3] = {(float) x, (float) y, (float) z};
  memcpy(solid->vertex + 3 * i, at, sizeof at);
}


static void put_triangle(ioSolid *solid, int i, int a, int b, int c)
{
  ART_ASSERT(i >= 0 && i < solid->ntriangle);
  const int corner[3] = {a, b, c};
  memcpy(solid->triangle + 3 * i, corner, sizeof corner);
}


//---- surfaces of revolution ----------------------------------------------------------------------

static void add_profile_point(profile *p, double r, double z)
{
  p->r[p->n] = r;
  p->z[p->n++] = z;
}


// a quarter circle about height z: from the axis below (side -1) or to the axis above (1)
static void add_cap(profile *p, double radius, double z, int side, int steps)
{
  for (int k = 0; k <= steps; k++) {
    const double angle = PI / 2 * (side < 0 ? 1 - (double) k / steps : (double) k / steps);
    add_profile_point(p, radius * cos(angle), z + side * radius * sin(angle));
  }
}


static profile profile_of(const sceneShape *shape, int around)
{
  const double R = shape->radius, h = shape->length / 2;
  const int steps = around / 4 < 2 ? 2 : around / 4 > 8 ? 8 : around / 4;
  profile p = {0};
  if (shape->type == SHAPE_CYLINDER || shape->type == SHAPE_COIL) {
    add_profile_point(&p, 0, -h);
    add_profile_point(&p, R, -h);
    add_profile_point(&p, R, h);
    add_profile_point(&p, 0, h);
  } else if (shape->type == SHAPE_TYRE) {
    // a recessed rim, side walls, a tread with rounded shoulders
    static const double r[] = {0, 0.5, 0.6, 0.9, 1, 1, 0.9, 0.6, 0.5, 0};
    static const double z[] = {-0.55, -0.55, -0.9, -1, -0.75, 0.75, 1, 0.9, 0.55, 0.55};
    for (int k = 0; k < 10; k++) add_profile_point(&p, r[k] * R, z[k] * h);
  } else {
    const double half = shape->type == SHAPE_CAPSULE ? h : 0;
    add_cap(&p, R, -half, -1, steps);
    if (half == 0) p.n--;
    add_cap(&p, R, half, 1, steps);
  }
  return p;
}


static void turn_profile(ioSolid *solid, const profile *p, int around, baseArena *arena)
{
  take_triangles(solid, p->n * around, 2 * (p->n - 1) * around, arena);
  int t = 0;
  for (int k = 0; k < p->n; k++) {
    for (int i = 0; i < around; i++) {
      const double angle = 2 * PI * i / around;
      put_vertex(solid, k * around + i, p->r[k] * cos(angle), p->r[k] * sin(angle), p->z[k]);
    }
  }
  for (int k = 0; k + 1 < p->n; k++) {
    for (int i = 0; i < around; i++) {
      const int j = (i + 1) % around, low = k * around, high = low + around;
      if (p->r[k] > 0) put_triangle(solid, t++, low + i, low + j, high + j);
      if (p->r[k + 1] > 0) put_triangle(solid, t++, low + i, high + j, high + i);
    }
  }
  solid->ntriangle = t;
}


//---- others --------------------------------------------------------------------------------------

static void make_box(ioSolid *solid, const double size[3], baseArena *arena)
{
  static const int face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  take_triangles(solid, 8, 12, arena);
  for (int i = 0; i < 8; i++) {
    put_vertex(solid, i, (i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1],
               (i & 4 ? 0.5 : -0.5) * size[2]);
  }
  memcpy(solid->triangle, face, sizeof face);
}


static void move_solid(ioSolid *solid, const artPose *pose)
{
  const modelPose p = pose_from_art(pose);
  for (int i = 0; i < solid->nvertex; i++) {
    const float *v = solid->vertex + 3 * i;
    const v3 at = v3_add(p.r, m3_back(p.R, (v3){(double) v[0], (double) v[1], (double) v[2]}));
    put_vertex(solid, i, at.x, at.y, at.z);
  }
}


void solid_make(ioSolid *solid, const sceneShape *shape, int around, baseArena *arena)
{
  ART_ASSERT(around >= 3);
  if (shape->type == SHAPE_BOX) {
    make_box(solid, shape->size, arena);
  } else if (shape->type == SHAPE_MESH) {
    const size_t vertices = 3 * (size_t) shape->nvertex, corners = 3 * (size_t) shape->ntriangle;
    *solid = (ioSolid){.nvertex = shape->nvertex, .ntriangle = shape->ntriangle};
    solid->vertex = arena_copy(arena, shape->vertex, vertices, sizeof *solid->vertex);
    solid->triangle = arena_copy(arena, shape->triangle, corners, sizeof *solid->triangle);
  } else {
    const profile p = profile_of(shape, around);
    turn_profile(solid, &p, around, arena);
  }
  move_solid(solid, &shape->pose);
}


void solid_make_coil(ioSolid *solid, int turns, double wire, baseArena *arena)
{
  ART_ASSERT(turns >= 1);
  const int rings = 12 * turns + 1;
  take_triangles(solid, 3 * rings, 6 * (rings - 1), arena);
  for (int i = 0; i < rings; i++) {
    const double angle = 2 * PI * turns * i / (rings - 1), z = (double) i / (rings - 1);
    for (int k = 0; k < 3; k++) {
      const double out = wire * cos(2 * PI * k / 3), up = wire * sin(2 * PI * k / 3);
      put_vertex(solid, 3 * i + k, (1 + out) * cos(angle), (1 + out) * sin(angle), z + 0.3 * up);
    }
  }
  int t = 0;
  for (int i = 0; i + 1 < rings; i++) {
    for (int k = 0; k < 3; k++) {
      const int a = 3 * i + k, b = 3 * i + (k + 1) % 3;
      put_triangle(solid, t++, a, a + 3, b + 3);
      put_triangle(solid, t++, a, b + 3, b);
    }
  }
}
