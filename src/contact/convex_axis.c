// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// With the difference D of both shapes, all vectors from a point of the first to one of the second, the separation along n is the
// least n.w over D: of shapes that are apart it is largest along the vector of D nearest to 0 (Gilbert, Johnson, Keerthi 1988). Shapes
// that overlap are moved apart along an axis; that of shapes moved so is the next one, and stays where it separates most. It begins
// with the best of their flats and the line of their middles.
#include "contact/convex_axis.h"

#include <math.h>
#include <string.h>

#include "base/error.h"


static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}


//---- shapes --------------------------------------------------------------------------------------

int convex_generators(const convexShape *s)
{
  if (s->shape == CONTACT_HULL) return s->hull->nvertex;
  return s->shape == CONTACT_SEGMENT || s->shape == CONTACT_FRUSTUM ? 2 : 1;
}


// in axes of the shape: R m/|m| of a rim, H^2 m/|H m| of an ellipsoid with the half diameters H
static void own_point(const convexShape *s, int i, const double m[3], double own[3])
{
  own[0] = own[1] = own[2] = 0;
  if (s->shape == CONTACT_HULL) memcpy(own, s->hull->vertex[i], 3 * sizeof *own);
  if (s->shape == CONTACT_SEGMENT || s->shape == CONTACT_FRUSTUM)
    own[2] = i ? s->half[2] : -s->half[2];
  if (s->shape == CONTACT_FRUSTUM) {
    const double off = sqrt(m[0] * m[0] + m[1] * m[1]), r = i ? s->top : s->radius;
    own[0] = off > 0 ? r * m[0] / off : 0;
    own[1] = off > 0 ? r * m[1] / off : 0;
  }
  if (s->shape != CONTACT_ELLIPSOID) return;
  const double h[3] = {s->half[0] * m[0], s->half[1] * m[1], s->half[2] * m[2]};
  const double support = sqrt(dot(h, h));
  for (int k = 0; k < 3; k++) own[k] = s->half[k] * h[k] / support;
}


static void to_own(const convexShape *s, const double n[3], double m[3])
{
  for (int k = 0; k < 3; k++) m[k] = dot(s->axes + 3 * k, n);
}


static void from_own(const convexShape *s, const double own[3], double out[3])
{
  for (int k = 0; k < 3; k++)
    out[k] = s->axes[k] * own[0] + s->axes[3 + k] * own[1] + s->axes[6 + k] * own[2];
}


void convex_point_of(const convexShape *s, int i, const double n[3], double point[3])
{
  double m[3], own[3];
  to_own(s, n, m);
  own_point(s, i, m, own);
  from_own(s, own, point);
  for (int k = 0; k < 3; k++) point[k] += s->at[k];
}


int convex_support(const convexShape *s, const double n[3], double point[3])
{
  double m[3], best[3] = {0, 0, 0}, most = -INFINITY;
  int furthest = 0;
  to_own(s, n, m);
  for (int i = 0; i < convex_generators(s); i++) {
    double own[3];
    own_point(s, i, m, own);
    const double far = dot(own, m);
    if (!(far > most)) continue;
    most = far, furthest = i;
    memcpy(best, own, sizeof best);
  }
  from_own(s, best, point);
  for (int k = 0; k < 3; k++) point[k] += s->at[k];
  return furthest;
}


// the point of D furthest against n
static void difference(const convexShape s[2], const double n[3], double w[3])
{
  const double back[3] = {-n[0], -n[1], -n[2]};
  double a[3];
  convex_support(&s[0], n, a);
  convex_support(&s[1], back, w);
  for (int k = 0; k < 3; k++) w[k] -= a[k];
}


double convex_separation(const convexShape s[2], const double n[3])
{
  double w[3];
  difference(s, n, w);
  return dot(n, w);
}


int convex_flats(const convexShape *s)
{
  if (s->shape == CONTACT_HULL) return s->hull->nface;
  if (s->shape != CONTACT_FRUSTUM) return 0;
  return s->top > 0 ? 2 : 1; // a tip is none
}


void convex_flat_normal(const convexShape *s, int face, double normal[3])
{
  const double end[3] = {0, 0, face ? 1 : -1};
  from_own(s, s->shape == CONTACT_HULL ? s->hull->face[face].normal : end, normal);
}


//---- the nearest point of a simplex --------------------------------------------------------------

typedef struct simplex {
  int n;
  double w[4][3];
  double near[3]; // its point nearest to 0
} simplex;


// The point of the plane or line through up to three points that is nearest to 0; returns 0 unless it is between them.
static int nearest_between(int n, const double *const w[3], double near[3])
{
  double u[3], v[3];
  memcpy(near, w[0], 3 * sizeof *near);
  if (n == 1) return 1;
  for (int k = 0; k < 3; k++) u[k] = w[1][k] - w[0][k], v[k] = n > 2 ? w[2][k] - w[0][k] : 0;
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), uw = dot(u, w[0]), vw = dot(v, w[0]);
  const double det = n > 2 ? uu * vv - uv * uv : uu;
  if (!(det > 1e-24 * (n > 2 ? uu * vv : dot(w[0], w[0])))) return 0;
  const double s = n > 2 ? (uv * vw - vv * uw) / det : -uw / det;
  const double t = n > 2 ? (uv * uw - uu * vw) / det : 0;
  if (!(s > 0 && t >= 0 && s + t < 1) || (n > 2 && !(t > 0))) return 0;
  for (int k = 0; k < 3; k++) near[k] += s * u[k] + t * v[k];
  return 1;
}


// keeps the points about the nearest one; 0 is taken to be outside
static void reduce(simplex *x)
{
  simplex best = {0};
  double least = INFINITY;
  for (int set = 1; set < 1 << x->n; set++) {
    const double *w[3] = {NULL, NULL, NULL};
    int n = 0;
    for (int i = 0; i < x->n; i++) {
      if (set >> i & 1 && n++ < 3) w[n - 1] = x->w[i];
    }
    double near[3];
    if (n > 3 || !nearest_between(n, w, near) || !(dot(near, near) < least)) continue;
    least = dot(near, near);
    best.n = n;
    for (int i = 0; i < n; i++) memcpy(best.w[i], w[i], sizeof best.w[i]);
    memcpy(best.near, near, sizeof near);
  }
  *x = best;
}


//---- axes ----------------------------------------------------------------------------------------

// The best axis of shapes of which the second is moved by `shift` along n, which it replaces.
static void separate(const convexShape s[2], double shift, double n[3])
{
  enum { MAX_STEPS = 60 };
  static const double NEAR = 1e-13;
  const double move[3] = {shift * n[0], shift * n[1], shift * n[2]};
  simplex x = {.n = 0};
  double least = INFINITY;
  for (int step = 0; step < MAX_STEPS; step++) {
    double w[3];
    difference(s, n, w);
    for (int k = 0; k < 3; k++) w[k] += move[k];
    const double square = dot(x.near, x.near);
    if (step > 0 && square - dot(x.near, w) <= NEAR * square) return;
    memcpy(x.w[x.n++], w, sizeof w);
    reduce(&x);
    const double next = dot(x.near, x.near);
    if (!(next < least) || !(next > 0)) return;
    least = next;
    for (int k = 0; k < 3; k++) n[k] = x.near[k] / sqrt(next);
  }
}


static void consider(const convexShape s[2], const double n[3], convexAxis *axis)
{
  const double gap = convex_separation(s, n);
  if (!(gap > axis->gap)) return;
  axis->gap = gap;
  memcpy(axis->normal, n, sizeof axis->normal);
}


enum { MAX_STARTS = 4 };


// insertion by the gap, the largest first
static void add_start(const convexShape s[2], const double n[3], convexFlat flat,
                      convexAxis start[MAX_STARTS])
{
  convexAxis own = {.gap = -INFINITY, .flat = flat};
  consider(s, n, &own);
  for (int i = 0; i < MAX_STARTS; i++) {
    if (!(own.gap > start[i].gap)) continue;
    const convexAxis moved = start[i];
    start[i] = own;
    own = moved;
  }
}


// flats, of which those of the second shape look against the axis
static void add_flats(const convexShape s[2], convexAxis start[MAX_STARTS])
{
  for (int side = 0; side < 2; side++) {
    for (int f = 0; f < convex_flats(&s[side]); f++) {
      convexFlat flat = {.side = side, .face = f};
      double n[3];
      convex_flat_normal(&s[side], f, flat.normal);
      for (int k = 0; k < 3; k++) n[k] = side ? -flat.normal[k] : flat.normal[k];
      add_start(s, n, flat, start);
    }
  }
}


// Is the point of the other shape that is nearest to a flat over it? Then no axis about its normal is better.
static int is_over_flat(const convexShape s[2], const convexAxis *axis)
{
  if (axis->flat.face < 0) return 0;
  const convexShape *own = &s[axis->flat.side];
  const double *n = axis->flat.normal, down[3] = {-n[0], -n[1], -n[2]};
  double point[3], x[3];
  convex_support(&s[!axis->flat.side], down, point);
  for (int k = 0; k < 3; k++) point[k] -= own->at[k];
  to_own(own, point, x);
  if (own->shape == CONTACT_FRUSTUM)
    return hypot(x[0], x[1]) <= (axis->flat.face ? own->top : own->radius);
  const contactFace *face = &own->hull->face[axis->flat.face];
  for (int i = 0; i < face->count; i++) {
    const double *a = own->hull->vertex[own->hull->corner[face->first + i]];
    const double *b = own->hull->vertex[own->hull->corner[face->first + (i + 1) % face->count]];
    double e[3], span[3], out = 0;
    for (int k = 0; k < 3; k++) e[k] = b[k] - a[k], span[k] = x[k] - a[k];
    for (int k = 0; k < 3; k++) {
      const int j = (k + 1) % 3, m = (k + 2) % 3;
      out += (e[j] * face->normal[m] - e[m] * face->normal[j]) * span[k];
    }
    if (out > 0) return 0;
  }
  return 1;
}


// Shapes that overlap or nearly touch are moved apart along each axis found: of shapes that are near, the nearest point is slow to find.
static void improve(const convexShape s[2], convexAxis *axis)
{
  enum { MAX_MOVES = 40 };
  static const double APART = 0.05, STILL = 1e-15;
  const double size = s[0].size + s[1].size;
  for (int move = 0; move < MAX_MOVES; move++) {
    const double was = axis->gap;
    double n[3];
    memcpy(n, axis->normal, sizeof n);
    const double shift = APART * size - was;
    separate(s, shift > 0 ? shift : 0, n);
    consider(s, n, axis);
    if (shift <= 0 || !(axis->gap > was + STILL * size)) break;
  }
}


// hulls before ends of cylinders, and the first shape before the second, unless another looks clearly more along the axis
static void find_flat(const convexShape s[2], convexAxis *axis)
{
  static const double CLEAR = 1e-6, HULL_FIRST = 1e-3;
  axis->along = 0;
  axis->flat = (convexFlat){.face = -1};
  for (int side = 0; side < 2; side++) {
    for (int f = 0; f < convex_flats(&s[side]); f++) {
      double n[3];
      convex_flat_normal(&s[side], f, n);
      const double along = (side ? -1 : 1) * dot(n, axis->normal);
      const int is_hull = s[side].shape == CONTACT_HULL;
      const double clear = axis->flat.face < 0                                   ? 0
                           : is_hull && s[axis->flat.side].shape != CONTACT_HULL ? -HULL_FIRST
                                                                                 : CLEAR;
      if (!(along > axis->along + clear)) continue;
      axis->along = along;
      axis->flat = (convexFlat){side, f, {n[0], n[1], n[2]}};
    }
  }
}


void convex_find_axis(const convexShape s[2], convexAxis *axis)
{
  static const double DEEP = 1e-3; // where several axes may be local
  convexAxis start[MAX_STARTS];
  double n[3] = {s[1].at[0] - s[0].at[0], s[1].at[1] - s[0].at[1], s[1].at[2] - s[0].at[2]};
  const double length = sqrt(dot(n, n));
  for (int k = 0; k < 3; k++) n[k] = length > 0 ? n[k] / length : k == 2;
  for (int i = 0; i < MAX_STARTS; i++) start[i] = (convexAxis){.gap = -INFINITY};
  add_start(s, n, (convexFlat){.face = -1}, start);
  add_flats(s, start);
  *axis = start[0];
  if (!is_over_flat(s, axis)) improve(s, axis);
  const double deep = -DEEP * (s[0].size + s[1].size);
  for (int i = 1; i < MAX_STARTS && axis->gap < deep && start[i].gap > -INFINITY; i++) {
    improve(s, &start[i]);
    if (start[i].gap > axis->gap) *axis = start[i];
  }
  find_flat(s, axis);
}
