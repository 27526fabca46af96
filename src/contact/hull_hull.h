// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Two convex polyhedra. The axis that separates them most, or along which they overlap least, is the normal of a face or across two
// edges. Over a face, the face of the other one that looks at it is clipped to it, and four points touch: those furthest in four
// directions, so that a box stands on a box, and each knows its place from instant to instant. Across edges one point touches.
#ifndef CONTACT_HULL_HULL_H
#define CONTACT_HULL_HULL_H

#include <math.h>

#include "contact/hull_nearest.h"

enum { HULL_CLIPPED = 2 * MAX_HULL_POINTS + 4 };

// Both in the axes of the first: vertices of the second, and its axes.
typedef struct hullPair {
  const contactHull *h[2];
  v3 at, axes[3]; // origin and axes of the second
  int side, face; // face that separates most; side 1: of the second
  int edge[2];    // edges that do; -1: faces do
  double gap;     // along this axis
} hullPair;

typedef struct hullPolygon {
  int n;
  v3 at[HULL_CLIPPED];
} hullPolygon;


// a vector of a body in the axes of the first
static inline v3 hull_turned(const hullPair *p, int side, v3 x)
{
  if (side == 0) return x;
  return v3_add(v3_add(v3_scale(x.x, p->axes[0]), v3_scale(x.y, p->axes[1])),
                v3_scale(x.z, p->axes[2]));
}


static inline v3 hull_vertex(const hullPair *p, int side, int i)
{
  const v3 x = hull_turned(p, side, hull_vector(p->h[side]->vertex[i]));
  return side ? v3_add(p->at, x) : x;
}


static inline v3 hull_normal(const hullPair *p, int side, int f)
{
  return hull_turned(p, side, hull_vector(p->h[side]->face[f].normal));
}


// the plane of a face: n.x = offset
static inline real hull_offset(const hullPair *p, int side, int f)
{
  const real own = r_const(p->h[side]->face[f].offset);
  return side ? r_add(own, v3_dot(hull_normal(p, side, f), p->at)) : own;
}


static inline double face_separation(const hullPair *p, int side, int f)
{
  const v3 n = hull_normal(p, side, f);
  const double offset = contact_number(hull_offset(p, side, f));
  double least = 1e300;
  for (int i = 0; i < p->h[!side]->nvertex; i++) {
    least = fmin(least, contact_number(v3_dot(n, hull_vertex(p, !side, i))) - offset);
  }
  return least;
}


// Do the arcs of normals of both edges cross on the sphere, those of the second reversed (Gregorius 2013)? Then they may separate.
static inline int do_edges_face(const hullPair *p, const hullEdge *e, const hullEdge *f)
{
  const v3 a = hull_normal(p, 0, e->face[0]), b = hull_normal(p, 0, e->face[1]);
  const v3 c = v3_neg(hull_normal(p, 1, f->face[0])), d = v3_neg(hull_normal(p, 1, f->face[1]));
  const v3 ba = v3_cross(b, a), dc = v3_cross(d, c);
  const double cba = contact_number(v3_dot(c, ba)), dba = contact_number(v3_dot(d, ba));
  const double adc = contact_number(v3_dot(a, dc)), bdc = contact_number(v3_dot(b, dc));
  return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}


// The unit vector across two edges, from the first body to the second; returns 0: they are parallel.
static inline int edge_axis(const hullPair *p, const hullEdge *e, const hullEdge *f, v3 *axis)
{
  const v3 a = hull_vertex(p, 0, e->end[0]), u = v3_sub(hull_vertex(p, 0, e->end[1]), a);
  const v3 b = hull_vertex(p, 1, f->end[0]), w = v3_sub(hull_vertex(p, 1, f->end[1]), b);
  const v3 n = v3_cross(u, w);
  const double square = contact_number(v3_dot(n, n));
  if (!(square > 1e-12 * contact_number(v3_dot(u, u)) * contact_number(v3_dot(w, w)))) return 0;
  const v3 out = v3_add(hull_normal(p, 0, e->face[0]), hull_normal(p, 0, e->face[1]));
  const real length = r_sqrt(v3_dot(n, n));
  const double sign = contact_number(v3_dot(n, out)) < 0 ? -1 : 1;
  *axis = v3_scale(r_div(r_const(sign), length), n);
  return 1;
}


// Faces go first, those of the second body before those of the first, unless others separate clearly more: what rests on a face
// keeps to it. So does what leans on it a little: axes across edges within 11 degrees of that of a face are left to it.
static inline void find_hull_axis(hullPair *p)
{
  static const double ALONG_FACE = 0.98;
  const double clear = 1e-6 * (p->h[0]->thickness + p->h[1]->thickness);
  double best[2] = {-1e300, -1e300};
  int face[2] = {0, 0};
  for (int side = 0; side < 2; side++) {
    for (int f = 0; f < p->h[side]->nface; f++) {
      const double own = face_separation(p, side, f);
      if (own > best[side]) best[side] = own, face[side] = f;
    }
  }
  p->side = !(best[0] > best[1] + clear);
  p->face = face[p->side];
  p->gap = best[p->side];
  p->edge[0] = -1;
  const v3 faces[2] = {hull_normal(p, 0, face[0]), hull_normal(p, 1, face[1])};
  double most = p->gap + clear;
  for (int i = 0; i < p->h[0]->nedge; i++) {
    for (int k = 0; k < p->h[1]->nedge; k++) {
      const hullEdge *e = &p->h[0]->edge[i], *f = &p->h[1]->edge[k];
      v3 n;
      if (!do_edges_face(p, e, f) || !edge_axis(p, e, f, &n)) continue;
      if (fabs(contact_number(v3_dot(n, faces[0]))) > ALONG_FACE ||
          fabs(contact_number(v3_dot(n, faces[1]))) > ALONG_FACE)
        continue;
      const v3 span = v3_sub(hull_vertex(p, 1, f->end[0]), hull_vertex(p, 0, e->end[0]));
      const double own = contact_number(v3_dot(n, span));
      if (own > most) most = p->gap = own, p->edge[0] = i, p->edge[1] = k;
    }
  }
}


//---- points --------------------------------------------------------------------------------------

// the part of a polygon behind the plane n.x = offset
static inline void clip_polygon(hullPolygon *polygon, v3 n, real offset, double slack)
{
  hullPolygon out;
  out.n = 0;
  for (int i = 0; i < polygon->n; i++) {
    const v3 a = polygon->at[i], b = polygon->at[(i + 1) % polygon->n];
    const real da = r_sub(v3_dot(n, a), offset), db = r_sub(v3_dot(n, b), offset);
    const int is_in = contact_number(da) <= slack, next_in = contact_number(db) <= slack;
    if (is_in && out.n < HULL_CLIPPED) out.at[out.n++] = a;
    if (is_in == next_in || out.n == HULL_CLIPPED) continue;
    out.at[out.n++] = v3_add(a, v3_scale(r_div(da, r_sub(da, db)), v3_sub(b, a)));
  }
  *polygon = out;
}


// the face of the other body that looks at the face most, clipped to it
static inline void clip_face(const hullPair *p, hullPolygon *polygon)
{
  const contactHull *own = p->h[p->side], *other = p->h[!p->side];
  const v3 n = hull_normal(p, p->side, p->face);
  const double slack = 1e-9 * (own->size + other->size);
  int facing = 0;
  double least = 2;
  for (int f = 0; f < other->nface; f++) {
    const double along = contact_number(v3_dot(n, hull_normal(p, !p->side, f)));
    if (along < least - 1e-9) least = along, facing = f;
  }
  const contactFace *in = &other->face[facing], *face = &own->face[p->face];
  polygon->n = in->count;
  for (int i = 0; i < in->count; i++) {
    polygon->at[i] = hull_vertex(p, !p->side, other->corner[in->first + i]);
  }
  for (int i = 0; i < face->count; i++) {
    const v3 a = hull_vertex(p, p->side, own->corner[face->first + i]);
    const v3 b = hull_vertex(p, p->side, own->corner[face->first + (i + 1) % face->count]);
    const v3 out = v3_cross(v3_sub(b, a), n),
             u = v3_scale(r_div(r_const(1), r_sqrt(v3_dot(out, out))), out);
    clip_polygon(polygon, u, v3_dot(u, a), slack);
  }
}


// the point of the polygon furthest in one of four directions across the normal of a face, which is not furthest in one before
static inline int choose_point(const hullPair *p, const hullPolygon *polygon, int number)
{
  static const double FIRST = 0.9, QUARTER = 1.5707963267948966; // off the diagonals of boxes
  const contactHull *own = p->h[p->side];
  const contactFace *face = &own->face[p->face];
  const v3 n = hull_normal(p, p->side, p->face);
  const v3 a = hull_vertex(p, p->side, own->corner[face->first]);
  const v3 side = v3_sub(hull_vertex(p, p->side, own->corner[face->first + 1]), a);
  const v3 u = v3_scale(r_const(1 / sqrt(contact_number(v3_dot(side, side)))), side);
  const v3 w = v3_cross(n, u);
  int chosen[HULL_POINTS] = {0};
  for (int k = 0; k <= number; k++) {
    const double angle = FIRST + k * QUARTER, c = cos(angle), s = sin(angle);
    double most = -1e300;
    for (int i = 0; i < polygon->n; i++) {
      const double x = contact_number(v3_dot(u, polygon->at[i]));
      const double y = contact_number(v3_dot(w, polygon->at[i]));
      if (c * x + s * y > most) most = c * x + s * y, chosen[k] = i;
    }
  }
  for (int k = 0; k < number; k++) {
    const v3 span = v3_sub(polygon->at[chosen[k]], polygon->at[chosen[number]]);
    const double near = 1e-9 * own->size;
    if (contact_number(v3_dot(span, span)) <= near * near) return -1;
  }
  return chosen[number];
}


// across edges: where their lines are nearest
static inline contactPoint edge_point(const hullPair *p)
{
  const hullEdge *e = &p->h[0]->edge[p->edge[0]], *f = &p->h[1]->edge[p->edge[1]];
  const v3 a = hull_vertex(p, 0, e->end[0]), u = v3_sub(hull_vertex(p, 0, e->end[1]), a);
  const v3 b = hull_vertex(p, 1, f->end[0]), w = v3_sub(hull_vertex(p, 1, f->end[1]), b);
  const v3 d = v3_sub(a, b);
  v3 n = u;
  (void) edge_axis(p, e, f, &n);
  const real uu = v3_dot(u, u), ww = v3_dot(w, w), uw = v3_dot(u, w);
  const real ud = v3_dot(u, d), wd = v3_dot(w, d);
  const real s = r_div(r_sub(r_mul(uw, wd), r_mul(ww, ud)), r_sub(r_mul(uu, ww), r_mul(uw, uw)));
  const real gap = r_neg(v3_dot(n, d));
  const v3 at = v3_add(a, v3_scale(s, u));
  return (contactPoint){gap, n, v3_add(at, v3_scale(r_mul(r_const(0.5), gap), n))};
}


static inline contactPoint face_point(const hullPair *p, int number)
{
  hullPolygon polygon;
  clip_face(p, &polygon);
  const v3 n = hull_normal(p, p->side, p->face);
  const v3 normal = p->side ? v3_neg(n) : n;
  const int i = polygon.n > 0 ? choose_point(p, &polygon, number) : -1;
  if (i < 0) {
    const double away = p->gap > 0 ? p->gap : p->h[0]->size + p->h[1]->size;
    return (contactPoint){r_const(away), normal, v3_scale(r_const(0.5), p->at)};
  }
  const v3 at = polygon.at[i];
  const real gap = r_sub(v3_dot(n, at), hull_offset(p, p->side, p->face));
  return (contactPoint){gap, normal, v3_sub(at, v3_scale(r_mul(r_const(0.5), gap), n))};
}


// in the axes of the first body until the end
static inline contactPoint contact_hull_hull(const contactBody *a, const contactBody *b)
{
  hullPair p = {.h = {a->hull, b->hull}, .at = m3_mul(a->axes, v3_sub(b->at, a->at))};
  p.axes[0] = m3_mul(a->axes, b->axes.x);
  p.axes[1] = m3_mul(a->axes, b->axes.y);
  p.axes[2] = m3_mul(a->axes, b->axes.z);
  find_hull_axis(&p);
  const int number = a->chain;
  contactPoint own;
  if (p.edge[0] < 0) {
    own = face_point(&p, number);
  } else {
    own = edge_point(&p);
    if (number > 0) own.gap = r_const(p.h[0]->size + p.h[1]->size);
  }
  return (contactPoint){own.gap, m3_back(a->axes, own.normal),
                        v3_add(a->at, m3_back(a->axes, own.point))};
}

#endif
