// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Convex hulls by adding one point after the other: triangles that see it give way to those between
// it and the rim of what they leave.
#include "show/hull.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "spatial/spatial.h"

typedef struct hullFace {
  int corner[3];
  v3 normal;
  double distance; // of its plane along the normal
  int is_seen;
} hullFace;

typedef struct hullWork {
  int n;
  v3 *point;
  int nface, capacity;
  hullFace *face;
  double tolerance;
} hullWork;


//---- faces ---------------------------------------------------------------------------------------

static int add_face(hullWork *w, int a, int b, int c)
{
  void *faces = w->face;
  if (!mem_grow(&faces, w->nface, &w->capacity, sizeof *w->face)) return 0;
  w->face = faces;
  const v3 cross = v3_cross(v3_sub(w->point[b], w->point[a]), v3_sub(w->point[c], w->point[a]));
  const double length = sqrt(v3_dot(cross, cross));
  const v3 normal = v3_scale(length > 0 ? 1 / length : 0, cross);
  w->face[w->nface++] = (hullFace){{a, b, c}, normal, v3_dot(normal, w->point[a]), 0};
  return 1;
}


// does a face that sees the point have the edge from a to b?
static int is_edge_seen(const hullWork *w, int a, int b)
{
  for (int f = 0; f < w->nface; f++) {
    if (!w->face[f].is_seen) continue;
    const int *c = w->face[f].corner;
    for (int k = 0; k < 3; k++) {
      if (c[k] == a && c[(k + 1) % 3] == b) return 1;
    }
  }
  return 0;
}


static int close_rim(hullWork *w, int i)
{
  const int old = w->nface;
  for (int f = 0; f < old; f++) {
    if (!w->face[f].is_seen) continue;
    for (int k = 0; k < 3; k++) {
      const int a = w->face[f].corner[k], b = w->face[f].corner[(k + 1) % 3];
      if (!is_edge_seen(w, b, a) && !add_face(w, a, b, i)) return 0;
    }
  }
  int left = 0;
  for (int f = 0; f < w->nface; f++) {
    if (!w->face[f].is_seen) w->face[left++] = w->face[f];
  }
  w->nface = left;
  return 1;
}


static int add_point(hullWork *w, int i)
{
  int seen = 0;
  for (int f = 0; f < w->nface; f++) {
    w->face[f].is_seen =
        (v3_dot(w->face[f].normal, w->point[i]) - w->face[f].distance) > w->tolerance;
    seen += w->face[f].is_seen;
  }
  return seen ? close_rim(w, i) : 1;
}


// the first ball holds a tetrahedron: four of its corners
static int start(hullWork *w)
{
  // corners (+++), (+--), (-+-), (--+) of hull_direction
  static const int corner[4] = {6, 9, 11, 12};
  const int a = corner[0], b = corner[1], c = corner[2], d = corner[3];
  const v3 n = v3_cross(v3_sub(w->point[b], w->point[a]), v3_sub(w->point[c], w->point[a]));
  const int is_out = v3_dot(n, v3_sub(w->point[d], w->point[a])) > 0;
  const int p = is_out ? c : b, q = is_out ? b : c;
  return add_face(w, a, p, q) && add_face(w, a, q, d) && add_face(w, q, p, d) &&
         add_face(w, p, a, d);
}


//---- balls ---------------------------------------------------------------------------------------

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


static int place_balls(hullWork *w, int n, const double *point, double radius)
{
  w->n = DIRECTIONS * n;
  w->point = MEM_ARRAY(v3, w->n);
  if (!w->point) return 0;
  for (int i = 0; i < n; i++) {
    const v3 centre = {point[3 * i], point[3 * i + 1], point[3 * i + 2]};
    for (int k = 0; k < DIRECTIONS; k++) {
      w->point[DIRECTIONS * i + k] = v3_add(centre, v3_scale(radius, direction(k, i)));
    }
  }
  w->tolerance = 1e-6 * radius;
  return 1;
}


// points that no triangle uses are left out
static int keep(const hullWork *w, ioHull *hull, baseArena *arena)
{
  int *number = MEM_ARRAY(int, w->n);
  hull->triangle = arena_alloc(arena, 3 * (size_t) w->nface, sizeof *hull->triangle);
  hull->vertex = arena_alloc(arena, 3 * (size_t) w->n, sizeof *hull->vertex);
  if (!number || !hull->triangle || !hull->vertex) {
    mem_free(number);
    return 0;
  }
  for (int f = 0; f < w->nface; f++) {
    for (int k = 0; k < 3; k++) {
      const int i = w->face[f].corner[k];
      if (!number[i]) {
        const v3 p = w->point[i];
        const float numbers[3] = {(float) p.x, (float) p.y, (float) p.z};
        memcpy(hull->vertex + 3 * (size_t) hull->nvertex, numbers, sizeof numbers);
        number[i] = ++hull->nvertex;
      }
      hull->triangle[3 * (size_t) f + (size_t) k] = number[i] - 1;
    }
  }
  hull->ntriangle = w->nface;
  mem_free(number);
  return 1;
}


int hull_around(ioHull *hull, int n, const double *point, double radius, baseArena *arena)
{
  hullWork w = {0};
  *hull = (ioHull){0};
  int is_good = place_balls(&w, n, point, radius) && start(&w);
  for (int i = 0; i < w.n && is_good; i++) is_good = add_point(&w, i);
  is_good = is_good && keep(&w, hull, arena);
  mem_free(w.point);
  mem_free(w.face);
  return is_good;
}
