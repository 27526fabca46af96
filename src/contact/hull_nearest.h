// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A convex polyhedron and a sphere, or a point. Features are chosen by numbers: generated code has no such contacts.
#ifndef CONTACT_HULL_NEAREST_H
#define CONTACT_HULL_NEAREST_H

#include "contact/contact_body.h"
#include "contact/surface_hull.h"

static inline v3 hull_vector(const double x[3])
{
  return v3_make(r_const(x[0]), r_const(x[1]), r_const(x[2]));
}


// is a point over a face, within its edges?
static inline int is_over_face(const contactHull *h, const contactFace *face, v3 p)
{
  const v3 n = hull_vector(face->normal);
  for (int i = 0; i < face->count; i++) {
    const v3 a = hull_vector(h->vertex[h->corner[face->first + i]]);
    const v3 b = hull_vector(h->vertex[h->corner[face->first + (i + 1) % face->count]]);
    if (contact_number(v3_dot(v3_cross(n, v3_sub(b, a)), v3_sub(p, a))) < 0) return 0;
  }
  return 1;
}


// the point of an edge that is nearest
static inline v3 nearest_of_edge(const contactHull *h, const hullEdge *edge, v3 p)
{
  const v3 a = hull_vector(h->vertex[edge->end[0]]);
  const v3 u = v3_sub(hull_vector(h->vertex[edge->end[1]]), a);
  const real s = r_div(v3_dot(u, v3_sub(p, a)), v3_dot(u, u));
  return v3_add(a, v3_scale(r_min(r_max(s, r_const(0)), r_const(1)), u));
}


// Outside over a face, or inside, the face with the largest distance; otherwise the nearest edge.
static inline contactPoint contact_hull_ball(const contactBody *a, const contactBody *b)
{
  const contactHull *h = a->hull;
  const v3 p = m3_mul(a->axes, v3_sub(b->at, a->at));
  int top = 0;
  double most = -1e300;
  for (int f = 0; f < h->nface; f++) {
    const double off =
        contact_number(v3_dot(hull_vector(h->face[f].normal), p)) - h->face[f].offset;
    if (off > most) most = off, top = f;
  }
  if (most > 0 && !is_over_face(h, &h->face[top], p)) {
    double least = 1e300;
    v3 near = p;
    for (int e = 0; e < h->nedge; e++) {
      const v3 at = nearest_of_edge(h, &h->edge[e], p), span = v3_sub(p, at);
      const double square = contact_number(v3_dot(span, span));
      if (square < least) least = square, near = at;
    }
    return contact_of_spheres(v3_add(a->at, m3_back(a->axes, near)), r_const(0), b->at, b->radius);
  }
  const v3 n = hull_vector(h->face[top].normal), normal = m3_back(a->axes, n);
  const real gap = r_sub(r_sub(v3_dot(n, p), r_const(h->face[top].offset)), b->radius);
  const real depth = r_add(b->radius, r_mul(r_const(0.5), gap));
  return (contactPoint){gap, normal, v3_sub(b->at, v3_scale(depth, normal))};
}

#endif
