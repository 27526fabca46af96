// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Incremental convex hull: the triangles visible from a new point are replaced by those between the
// point and their rim. The point is off the plane of every triangle it sees, so no new triangle is
// degenerate.
#include "spatial/hull.h"

#include <math.h>
#include <string.h>

typedef struct hullWork {
  const v3 *point;
  int nface, room;
  hullFace *face;
} hullWork;


static double hull_vector_length(v3 x)
{
  return sqrt(v3_dot(x, x));
}


static int add_face(hullWork *w, int a, int b, int c)
{
  if (w->nface == w->room) return 0;
  const v3 cross = v3_cross(v3_sub(w->point[b], w->point[a]), v3_sub(w->point[c], w->point[a]));
  const double length = hull_vector_length(cross);
  const v3 normal = v3_scale(length > 0 ? 1 / length : 0, cross);
  w->face[w->nface++] = (hullFace){{a, b, c}, normal, v3_dot(normal, w->point[a])};
  return 1;
}


// does one of the faces [first, end), which are visible from the point, have the edge from a to b?
static int is_edge_seen(const hullWork *w, int first, int end, int a, int b)
{
  for (int f = first; f < end; f++) {
    const int *c = w->face[f].corner;
    for (int k = 0; k < 3; k++) {
      if (c[k] == a && c[(k + 1) % 3] == b) return 1;
    }
  }
  return 0;
}


// Replace the visible faces, from `first` on, by triangles between point i and their rim.
static int close_rim(hullWork *w, int first, int i)
{
  const int old = w->nface;
  for (int f = first; f < old; f++) {
    for (int k = 0; k < 3; k++) {
      const int a = w->face[f].corner[k], b = w->face[f].corner[(k + 1) % 3];
      if (!is_edge_seen(w, first, old, b, a) && !add_face(w, a, b, i)) return 0;
    }
  }
  w->nface -= old - first;
  memmove(w->face + first, w->face + old, (size_t) (w->nface - first) * sizeof *w->face);
  return 1;
}


// moves the faces visible from the point to the end
static int add_hull_point(hullWork *w, int i, double tolerance)
{
  int first = w->nface;
  for (int f = 0; f < first;) {
    const hullFace face = w->face[f];
    if (v3_dot(face.normal, w->point[i]) - face.distance > tolerance) {
      w->face[f] = w->face[--first];
      w->face[first] = face;
    } else {
      f++;
    }
  }
  return first < w->nface ? close_rim(w, first, i) : 1;
}


// distance of a point from the first point, from the line through two, or from the plane through
// three
static double distance_from(const v3 *point, const int *corner, int n, int i)
{
  const v3 x = v3_sub(point[i], point[corner[0]]);
  if (n == 1) return hull_vector_length(x);
  const v3 a = v3_sub(point[corner[1]], point[corner[0]]);
  if (n == 2) return hull_vector_length(v3_cross(a, x)) / hull_vector_length(a);
  const v3 normal = v3_cross(a, v3_sub(point[corner[2]], point[corner[0]]));
  return fabs(v3_dot(normal, x)) / hull_vector_length(normal);
}


// choose a tetrahedron: each corner is the point farthest from the previous ones; 0: there is none
static int start_tetrahedron(hullWork *w, int n, double tolerance)
{
  int c[4] = {0};
  for (int k = 1; k < 4; k++) {
    double most = tolerance;
    int farthest = -1;
    for (int i = 0; i < n; i++) {
      const double distance = distance_from(w->point, c, k, i);
      if (distance <= most) continue;
      most = distance;
      farthest = i;
    }
    if (farthest < 0) return 0;
    c[k] = farthest;
  }
  const v3 *p = w->point, a = p[c[0]];
  const v3 normal = v3_cross(v3_sub(p[c[1]], a), v3_sub(p[c[2]], a));
  const int is_out = v3_dot(normal, v3_sub(p[c[3]], a)) > 0;
  const int i = c[is_out ? 2 : 1], j = c[is_out ? 1 : 2];
  return add_face(w, c[0], i, j) && add_face(w, c[0], j, c[3]) && add_face(w, j, i, c[3]) &&
         add_face(w, i, c[0], c[3]);
}


int hull_find(int n, const v3 *point, double tolerance, hullFace *face)
{
  hullWork w = {.point = point, .room = (int) HULL_ROOM(n), .face = face};
  if (n < 4 || !start_tetrahedron(&w, n, tolerance)) return 0;
  for (int i = 0; i < n; i++) {
    if (!add_hull_point(&w, i, tolerance)) return 0;
  }
  return w.nface;
}
