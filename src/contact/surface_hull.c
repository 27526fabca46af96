// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "contact/surface_hull.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

// of the size: points that coincide, or lie in one plane
static const double FLAT = 1e-6;

typedef struct hullDraft {
  int n, nface, ncorner;
  double (*at)[3], size;
  contactFace *face;
  int *corner;
} hullDraft;


static void subtract(const double a[3], const double b[3], double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}


static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}


static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}


// points that differ
static void take_points(hullDraft *d, int n, const double *points)
{
  for (int i = 0; i < n; i++) d->size = fmax(d->size, sqrt(dot(points + 3 * i, points + 3 * i)));
  for (int i = 0; i < n; i++) {
    int is_new = 1;
    for (int k = 0; k < d->n && is_new; k++) {
      double span[3];
      subtract(points + 3 * i, d->at[k], span);
      is_new = dot(span, span) > FLAT * FLAT * d->size * d->size;
    }
    if (is_new) memcpy(d->at[d->n++], points + 3 * i, sizeof *d->at);
  }
}


static int is_known_face(const hullDraft *d, const int point[3])
{
  for (int f = 0; f < d->nface; f++) {
    int inside = 0;
    for (int k = 0; k < 3; k++) {
      inside += dot(d->face[f].normal, d->at[point[k]]) > d->face[f].offset - FLAT * d->size;
    }
    if (inside == 3) return 1;
  }
  return 0;
}


// the plane through three points, outward, if all others are behind it
static int find_plane(const hullDraft *d, const int point[3], contactFace *face)
{
  double a[3], b[3];
  subtract(d->at[point[1]], d->at[point[0]], a);
  subtract(d->at[point[2]], d->at[point[0]], b);
  cross(a, b, face->normal);
  const double length = sqrt(dot(face->normal, face->normal));
  if (!(length > FLAT * d->size * d->size)) return 0;
  for (int k = 0; k < 3; k++) face->normal[k] /= length;
  face->offset = dot(face->normal, d->at[point[0]]);
  double high = 0, low = 0;
  for (int i = 0; i < d->n; i++) {
    const double off = dot(face->normal, d->at[i]) - face->offset;
    high = fmax(high, off);
    low = fmin(low, off);
  }
  const double slack = FLAT * d->size;
  if (high > slack && low < -slack) return 0;
  if (high <= slack && low >= -slack) return 0;
  if (high > slack) {
    for (int k = 0; k < 3; k++) face->normal[k] = -face->normal[k];
    face->offset = -face->offset;
  }
  return 1;
}


// the corner that follows: no point of the plane is to the right of the way there; of several in line the furthest
static int next_corner(const hullDraft *d, const contactFace *face, int at)
{
  const double slack = FLAT * d->size;
  int next = -1;
  double way[3] = {0, 0, 0}, far = 0;
  for (int i = 0; i < d->n; i++) {
    if (i == at || dot(face->normal, d->at[i]) < face->offset - slack) continue;
    double span[3], turned[3];
    subtract(d->at[i], d->at[at], span);
    cross(way, span, turned);
    const double length = sqrt(dot(span, span)), side = dot(turned, face->normal);
    const int is_in_line = fabs(side) <= slack * far;
    if (next >= 0 && side >= -slack * far && !(is_in_line && length > far)) continue;
    next = i, far = length;
    memcpy(way, span, sizeof way);
  }
  return next;
}


// from the point of the plane that is furthest from another one
static void find_corners(hullDraft *d, contactFace *face, int other)
{
  int start = other, at;
  double far = 0;
  for (int i = 0; i < d->n; i++) {
    double span[3];
    subtract(d->at[i], d->at[other], span);
    if (dot(face->normal, d->at[i]) < face->offset - FLAT * d->size || dot(span, span) <= far)
      continue;
    far = dot(span, span);
    start = i;
  }
  face->first = d->ncorner;
  at = start;
  for (int turn = 0; turn < d->n && (turn == 0 || at != start); turn++) {
    d->corner[d->ncorner++] = at;
    at = next_corner(d, face, at);
  }
  face->count = d->ncorner - face->first;
}


static void find_faces(hullDraft *d)
{
  int p[3];
  for (p[0] = 0; p[0] < d->n; p[0]++) {
    for (p[1] = p[0] + 1; p[1] < d->n; p[1]++) {
      for (p[2] = p[1] + 1; p[2] < d->n; p[2]++) {
        contactFace face = {.first = 0};
        if (is_known_face(d, p) || !find_plane(d, p, &face)) continue;
        find_corners(d, &face, p[0]);
        d->face[d->nface++] = face;
      }
    }
  }
}


// vertices that are corners, with new numbers
static void take_vertices(contactHull *hull, baseArena *arena, const hullDraft *d, int *corner)
{
  int *number = arena_alloc(arena, (size_t) d->n + 1, sizeof *number);
  double(*vertex)[3] = arena_alloc(arena, (size_t) d->n + 1, sizeof *vertex);
  for (int i = 0; i < d->n; i++) number[i] = -1;
  for (int i = 0; i < d->ncorner; i++) {
    const int at = d->corner[i];
    if (number[at] < 0) {
      number[at] = hull->nvertex;
      memcpy(vertex[hull->nvertex++], d->at[at], sizeof *vertex);
    }
    corner[i] = number[at];
  }
  hull->vertex = (const double(*)[3]) vertex;
}


static void find_edges(contactHull *hull, baseArena *arena, const hullDraft *d, const int *corner)
{
  hullEdge *edge = arena_alloc(arena, (size_t) d->ncorner + 1, sizeof *edge);
  for (int f = 0; f < d->nface; f++) {
    const contactFace *face = &d->face[f];
    for (int i = 0; i < face->count; i++) {
      const int a = corner[face->first + i], b = corner[face->first + (i + 1) % face->count];
      int k = 0;
      while (k < hull->nedge && !(edge[k].end[0] == b && edge[k].end[1] == a)) k++;
      if (k < hull->nedge) {
        edge[k].face[1] = f;
      } else {
        edge[hull->nedge++] = (hullEdge){{a, b}, {f, f}};
      }
    }
  }
  hull->edge = edge;
}


static double least_width(const hullDraft *d)
{
  double least = 2 * d->size;
  for (int f = 0; f < d->nface; f++) {
    double low = 0;
    for (int i = 0; i < d->n; i++) {
      low = fmin(low, dot(d->face[f].normal, d->at[i]) - d->face[f].offset);
    }
    least = fmin(least, -low);
  }
  return least;
}


const contactHull *hull_of_points(baseArena *arena, int n, const double *points)
{
  ART_ASSERT(n <= MAX_HULL_POINTS);
  hullDraft d = {.n = 0};
  const size_t most =
      2 * (size_t) n + 4; // faces by Euler's formula, and twice as many corners again
  d.at = arena_alloc(arena, (size_t) n + 1, sizeof *d.at);
  d.face = arena_alloc(arena, most, sizeof *d.face);
  d.corner = arena_alloc(arena, 16 * most, sizeof *d.corner);
  take_points(&d, n, points);
  find_faces(&d);
  if (d.nface < 4) return NULL;
  contactHull *hull = arena_alloc(arena, 1, sizeof *hull);
  *hull = (contactHull){.nface = d.nface, .face = d.face, .size = d.size};
  hull->thickness = 0.5 * least_width(&d);
  int *corner = arena_alloc(arena, (size_t) d.ncorner, sizeof *corner);
  take_vertices(hull, arena, &d, corner);
  hull->corner = corner;
  find_edges(hull, arena, &d, corner);
  return hull;
}


const contactHull *hull_make(baseArena *arena, const artSurfaceDef *def)
{
  if (def->type == ART_SURFACE_HULL)
    return hull_of_points(arena, def->points.count / 3, def->points.value);
  double corner[24];
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) corner[3 * i + k] = (i >> k & 1 ? 0.5 : -0.5) * def->size[k];
  }
  return hull_of_points(arena, 8, corner);
}


double hull_dent(const contactHull *hull, int n, const double *points)
{
  double most = 0;
  for (int i = 0; i < n; i++) {
    double off = -INFINITY;
    for (int f = 0; f < hull->nface; f++) {
      off = fmax(off, dot(hull->face[f].normal, points + 3 * i) - hull->face[f].offset);
    }
    most = fmax(most, -off);
  }
  return most / hull->size;
}
