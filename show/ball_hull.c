// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Convex hulls of balls about points.
#include "show/scene_shape.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "spatial/hull.h"

enum { DIRECTIONS = 14 };


// six along the axes, eight to the corners; a little uneven, so that no four points lie in a plane
static v3 direction(int k, int of)
{
  static const signed char sign[DIRECTIONS][3] = {
      {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0}, {0, 0, 1},   {0, 0, -1},  {1, 1, 1},
      {1, 1, -1}, {1, -1, 1}, {1, -1, -1}, {-1, 1, 1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}};
  const signed char *s = sign[k];
  const double length = sqrt((double) (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]));
  const double uneven = 1 + 2e-3 * sin(12.9898 * k + 78.233 * of);
  return v3_scale(uneven / length, (v3){s[0], s[1], s[2]});
}


static void place_balls(v3 *out, int n, const double *point, double radius)
{
  for (int i = 0; i < n; i++) {
    const v3 centre = {point[3 * i], point[3 * i + 1], point[3 * i + 2]};
    for (int k = 0; k < DIRECTIONS; k++) {
      out[DIRECTIONS * i + k] = v3_add(centre, v3_scale(radius, direction(k, i)));
    }
  }
}


// points that no triangle uses are left out; number[point] is zero
static void keep(ioHull *hull, const v3 *point, const hullFace *face, int *number)
{
  for (int f = 0; f < hull->ntriangle; f++) {
    for (int k = 0; k < 3; k++) {
      const int i = face[f].corner[k];
      if (!number[i]) {
        const v3 p = point[i];
        const float numbers[3] = {(float) p.x, (float) p.y, (float) p.z};
        memcpy(hull->vertex + 3 * (size_t) hull->nvertex, numbers, sizeof numbers);
        number[i] = ++hull->nvertex;
      }
      hull->triangle[3 * (size_t) f + (size_t) k] = number[i] - 1;
    }
  }
}


int hull_around(ioHull *hull, int n, const double *point, double radius, baseArena *arena)
{
  const int nball = DIRECTIONS * n;
  v3 *ball = MEM_ARRAY(v3, nball);
  int *number = MEM_ARRAY(int, nball);
  hullFace *face = MEM_ARRAY(hullFace, HULL_ROOM(nball));
  *hull = (ioHull){.vertex = arena_alloc(arena, 3 * (size_t) nball, sizeof *hull->vertex)};
  int is_good = ball && number && face && hull->vertex;
  if (is_good) {
    place_balls(ball, n, point, radius);
    hull->ntriangle = hull_find(nball, ball, 1e-6 * radius, face);
    hull->triangle = arena_alloc(arena, 3 * (size_t) hull->ntriangle, sizeof *hull->triangle);
    is_good = hull->triangle != NULL;
  }
  if (is_good) keep(hull, ball, face, number);
  mem_free(ball);
  mem_free(number);
  mem_free(face);
  return is_good;
}
