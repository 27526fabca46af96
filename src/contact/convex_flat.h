// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A convex shape on a flat of another one, a face of a hull or an end of a cylinder or cone: a line touches in both ends of its part
// over the flat, an end or a face in four points.
#ifndef CONTACT_CONVEX_FLAT_H
#define CONTACT_CONVEX_FLAT_H

#include "contact/convex_point.h"
#include "contact/hull_hull.h"

enum { CIRCLE_POINTS = 16 };

// slope below which the lowest point of a rim or face is none of its own
static const double UPRIGHT = 1e-7;

typedef struct flatPlane {
  v3 normal; // outward
  real offset;
} flatPlane;

// The part of a line between s[0] and s[1] of its generators, and what ends it: -1: its end, otherwise the edge of the face, or 0 the
// circle.
typedef struct linePart {
  double s[2];
  int by[2];
} linePart;


static inline flatPlane flat_plane(const convexPair *p)
{
  const int side = p->axis.flat.side, f = p->axis.flat.face;
  const contactBody *b = p->body[side];
  if (p->shape[side] == CONTACT_HULL) {
    const v3 n = m3_back(b->axes, hull_vector(b->hull->face[f].normal));
    return (flatPlane){n, r_add(r_const(b->hull->face[f].offset), v3_dot(n, p->at[side]))};
  }
  const v3 n = f ? b->axes.z : v3_neg(b->axes.z);
  return (flatPlane){n, r_add(b->half[2], v3_dot(n, p->at[side]))};
}


// the contact of a point of the other shape, without its radius, with the plane
static inline contactPoint flat_point(const convexPair *p, const flatPlane *plane, v3 x)
{
  const v3 n = plane->normal;
  const real r = convex_radius(p, !p->axis.flat.side), half = r_const(0.5);
  const real gap = r_sub(r_sub(v3_dot(n, x), plane->offset), r);
  return (contactPoint){gap, p->axis.flat.side ? v3_neg(n) : n,
                        v3_sub(x, v3_scale(r_add(r, r_mul(half, gap)), n))};
}


// The outline of the flat, counterclockwise from outside; of a circle points on it.
static inline void flat_outline(const convexPair *p, hullPolygon *outline)
{
  const int side = p->axis.flat.side, f = p->axis.flat.face;
  const contactBody *b = p->body[side];
  const v3 none = v3_scale(r_const(0), p->at[1]);
  outline->n = CIRCLE_POINTS;
  if (p->shape[side] == CONTACT_HULL) {
    const contactFace *face = &b->hull->face[f];
    outline->n = face->count;
    for (int i = 0; i < face->count; i++)
      outline->at[i] = convex_generator(p, side, b->hull->corner[face->first + i], none);
    return;
  }
  for (int i = 0; i < CIRCLE_POINTS; i++) {
    const double angle = (f ? 1 : -1) * 6.283185307179586 * i / CIRCLE_POINTS;
    const v3 to =
        v3_add(v3_scale(r_const(cos(angle)), b->axes.x), v3_scale(r_const(sin(angle)), b->axes.y));
    outline->at[i] = convex_generator(p, side, f, to);
  }
}


//---- lines ---------------------------------------------------------------------------------------

static inline void limit_part(linePart *part, double low, double high, int by)
{
  if (low > part->s[0]) part->s[0] = low, part->by[0] = by;
  if (high < part->s[1]) part->s[1] = high, part->by[1] = by;
}


static inline linePart part_over_circle(const convexPair *p, const double x[3], const double way[3])
{
  linePart part = {{0, 1}, {-1, -1}};
  const convexShape *s = &p->s[p->axis.flat.side];
  const double r = p->axis.flat.face ? s->top : s->radius;
  double u[2] = {0, 0}, v[2] = {0, 0};
  for (int k = 0; k < 6; k++) {
    u[k / 3] += s->axes[k] * (x[k % 3] - s->at[k % 3]);
    v[k / 3] += s->axes[k] * way[k % 3];
  }
  const double a = v[0] * v[0] + v[1] * v[1], b = u[0] * v[0] + u[1] * v[1];
  const double root = b * b - a * (u[0] * u[0] + u[1] * u[1] - r * r);
  if (!(a > 0)) {
    if (!(u[0] * u[0] + u[1] * u[1] <= r * r)) part.s[1] = -1;
    return part;
  }
  if (!(root >= 0)) return (linePart){{0, -1}, {-1, -1}};
  limit_part(&part, (-b - sqrt(root)) / a, (-b + sqrt(root)) / a, 0);
  return part;
}


// s[0] > s[1]: no part is over the flat
static inline linePart part_over_flat(const convexPair *p, const double x[3], const double way[3])
{
  linePart part = {{0, 1}, {-1, -1}};
  if (p->shape[p->axis.flat.side] != CONTACT_HULL) return part_over_circle(p, x, way);
  hullPolygon outline;
  flat_outline(p, &outline);
  const double *n = p->axis.flat.normal;
  for (int i = 0; i < outline.n; i++) {
    double a[3], b[3];
    convex_numbers(outline.at[i], a);
    convex_numbers(outline.at[(i + 1) % outline.n], b);
    const double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double out[3] = {e[1] * n[2] - e[2] * n[1], e[2] * n[0] - e[0] * n[2],
                           e[0] * n[1] - e[1] * n[0]};
    double off = 0, rate = 0;
    for (int k = 0; k < 3; k++) off += out[k] * (x[k] - a[k]), rate += out[k] * way[k];
    if (rate > 0) limit_part(&part, -1, -off / rate, i);
    if (rate < 0) limit_part(&part, -off / rate, 2, i);
    if (rate == 0 && off > 0) part.s[1] = -1;
  }
  return part;
}


// Where a line crosses the outline, the edge or rim there and the line are nearest; returns 0: they are parallel.
static inline int crossing_point(const convexPair *p, int by, contactPoint *at)
{
  static const double STEEP = 0.92;
  const int side = p->axis.flat.side, f = p->axis.flat.face;
  convexTouch t = {.count = {2, 2}, .generator = {{0, 1}, {0, 1}}};
  if (p->shape[side] == CONTACT_HULL) {
    const contactHull *h = p->body[side]->hull;
    const contactFace *face = &h->face[f];
    t.generator[side][0] = h->corner[face->first + by];
    t.generator[side][1] = h->corner[face->first + (by + 1) % face->count];
  } else {
    t.count[side] = 1;
    t.generator[side][0] = f;
  }
  const double *n = p->axis.flat.normal;
  for (int k = 0; k < 3; k++) t.normal[k] = side ? -n[k] : n[k];
  if (!convex_solve(p->s, &t)) return 0;
  double along = 0;
  for (int k = 0; k < 3; k++) along += (side ? -1 : 1) * n[k] * t.normal[k];
  if (along < STEEP) return 0;
  for (int k = 0; k < 2; k++) {
    if (t.count[k] > 1 && !(t.place[k] >= 0 && t.place[k] <= 1)) return 0;
  }
  *at = touch_point(p, &t);
  return 1;
}


// where the line passes the outline, on `real`: one correction of a place that numbers have found
static inline real crossing_place(const convexPair *p, const linePart *part, int number, v3 x,
                                  v3 way)
{
  const int side = p->axis.flat.side;
  const contactBody *b = p->body[side];
  const real s = r_const(part->s[number]);
  const v3 at = v3_add(x, v3_scale(s, way));
  if (p->shape[side] != CONTACT_HULL) {
    const v3 from = m3_mul(b->axes, v3_sub(at, p->at[side])), to = m3_mul(b->axes, way);
    const real r = p->axis.flat.face ? b->top : b->radius, two = r_const(2);
    const real off = r_sub(r_add(r_mul(from.x, from.x), r_mul(from.y, from.y)), r_mul(r, r));
    const real rate = r_mul(two, r_add(r_mul(from.x, to.x), r_mul(from.y, to.y)));
    return r_sub(s, r_div(off, rate));
  }
  hullPolygon outline;
  flat_outline(p, &outline);
  const v3 a = outline.at[part->by[number]], e = outline.at[(part->by[number] + 1) % outline.n];
  const v3 out = v3_cross(v3_sub(e, a), flat_plane(p).normal);
  return r_sub(s, r_div(v3_dot(out, v3_sub(at, a)), v3_dot(out, way)));
}


// The end `number` of a line, or of the side of a cylinder or cone; returns 0: it is not over the flat.
static inline int line_point(const convexPair *p, int number, contactPoint *at)
{
  const int other = !p->axis.flat.side;
  const flatPlane plane = flat_plane(p);
  const v3 down = v3_neg(plane.normal);
  const v3 x[2] = {convex_generator(p, other, 0, down), convex_generator(p, other, 1, down)};
  const v3 way = v3_sub(x[1], x[0]);
  double from[3], to[3];
  convex_numbers(x[0], from);
  convex_numbers(way, to);
  const linePart part = part_over_flat(p, from, to);
  if (!(part.s[0] <= part.s[1])) return 0;
  if (part.by[number] < 0) {
    *at = flat_point(p, &plane, x[number]);
  } else if (!crossing_point(p, part.by[number], at)) {
    const real s = crossing_place(p, &part, number, x[0], way);
    *at = flat_point(p, &plane, v3_add(x[0], v3_scale(s, way)));
  }
  return 1;
}


//---- ends and faces ------------------------------------------------------------------------------

// Points on the rim that looks at the flat, from its lowest one on; upright, from its own x axis on.
static inline void rim_outline(const convexPair *p, hullPolygon *outline, double facing[3])
{
  const int other = !p->axis.flat.side;
  const contactBody *b = p->body[other];
  const v3 n = flat_plane(p).normal, u = b->axes.z;
  const real along = v3_dot(n, u);
  const v3 across = v3_sub(v3_scale(along, u), n);
  const real slope = r_sqrt(v3_dot(across, across));
  const int is_upright = !(contact_number(slope) > UPRIGHT);
  const v3 low = is_upright ? b->axes.x : v3_scale(r_div(r_const(1), slope), across);
  const v3 left = v3_cross(u, low);
  const int end = contact_number(along) < 0;
  convex_flat_normal(&p->s[other], end, facing);
  outline->n = CIRCLE_POINTS;
  for (int i = 0; i < CIRCLE_POINTS; i++) {
    const double angle = 6.283185307179586 * i / CIRCLE_POINTS;
    const v3 to = v3_add(v3_scale(r_const(cos(angle)), low), v3_scale(r_const(sin(angle)), left));
    outline->at[i] = convex_generator(p, other, end, to);
  }
}


// the face of a hull that looks at the flat most
static inline void facing_outline(const convexPair *p, hullPolygon *outline,
                                  double facing_normal[3])
{
  const int other = !p->axis.flat.side;
  const contactHull *h = p->body[other]->hull;
  const double *n = p->axis.flat.normal;
  const v3 none = v3_scale(r_const(0), p->at[1]);
  int facing = 0;
  double least = 2;
  for (int f = 0; f < h->nface; f++) {
    double own[3];
    convex_flat_normal(&p->s[other], f, own);
    const double along = n[0] * own[0] + n[1] * own[1] + n[2] * own[2];
    if (along < least - 1e-9) least = along, facing = f;
  }
  convex_flat_normal(&p->s[other], facing, facing_normal);
  outline->n = h->face[facing].count;
  for (int i = 0; i < outline->n; i++)
    outline->at[i] = convex_generator(p, other, h->corner[h->face[facing].first + i], none);
}


// the part over the flat; returns whether anything is cut off
static inline int clip_to_flat(const convexPair *p, const flatPlane *plane, hullPolygon *outline)
{
  hullPolygon flat;
  flat_outline(p, &flat);
  const double slack = 1e-9 * (p->s[0].size + p->s[1].size);
  int cuts = 0;
  for (int i = 0; i < flat.n && outline->n > 0; i++) {
    const v3 a = flat.at[i], b = flat.at[(i + 1) % flat.n];
    const v3 out = v3_cross(v3_sub(b, a), plane->normal);
    const v3 u = v3_scale(r_div(r_const(1), r_sqrt(v3_dot(out, out))), out);
    const real offset = v3_dot(u, a);
    for (int k = 0; k < outline->n; k++)
      cuts |= contact_number(v3_dot(u, outline->at[k])) > contact_number(offset) + slack;
    clip_polygon(outline, u, offset, slack);
  }
  return cuts;
}


// The unit vector across the flat in which an outline with the outward normal `facing` descends most; level, returns 0 and an axis of
// the flat's shape.
static inline int find_descent(const convexPair *p, const double facing[3], double u[3])
{
  const double *n = p->axis.flat.normal, *axes = p->s[p->axis.flat.side].axes;
  const double along = n[0] * facing[0] + n[1] * facing[1] + n[2] * facing[2];
  double square = 0;
  for (int k = 0; k < 3; k++) u[k] = along * n[k] - facing[k], square += u[k] * u[k];
  const int descends = square > UPRIGHT * UPRIGHT;
  int least = 0;
  double dots[3], length = 0;
  for (int k = 0; k < 3; k++) {
    const double *e = axes + 3 * k;
    dots[k] = n[0] * e[0] + n[1] * e[1] + n[2] * e[2];
    if (fabs(dots[k]) < fabs(dots[least]) - 1e-3) least = k;
  }
  for (int k = 0; k < 3 && !descends; k++) u[k] = axes[3 * least + k] - dots[least] * n[k];
  for (int k = 0; k < 3; k++) length += u[k] * u[k];
  for (int k = 0; k < 3; k++) u[k] /= sqrt(length);
  return descends;
}


// the corner furthest in one of four directions across the flat, the first of them downhill, that no direction before has found
static inline int corner_towards(const convexPair *p, const hullPolygon *outline,
                                 const double facing[3], int number)
{
  static const double FIRST = 0.9, QUARTER = 1.5707963267948966; // off the diagonals of boxes
  const double near = 1e-9 * (p->s[0].size + p->s[1].size);
  const double *n = p->axis.flat.normal;
  int chosen[HULL_POINTS] = {0};
  double u[3], w[3];
  const double first = find_descent(p, facing, u) ? 0 : FIRST;
  for (int k = 0; k < 3; k++)
    w[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
  for (int k = 0; k <= number; k++) {
    const double c = cos(first + k * QUARTER), d = sin(first + k * QUARTER);
    double most = -INFINITY;
    for (int i = 0; i < outline->n; i++) {
      double x[3], far = 0;
      convex_numbers(outline->at[i], x);
      for (int j = 0; j < 3; j++) far += (c * u[j] + d * w[j]) * x[j];
      if (far > most) most = far, chosen[k] = i;
    }
  }
  for (int k = 0; k < number; k++) {
    const v3 span = v3_sub(outline->at[chosen[k]], outline->at[chosen[number]]);
    if (contact_number(v3_dot(span, span)) <= near * near) return -1;
  }
  return chosen[number];
}


// of the end with the outward normal `facing`
static inline double facing_radius(const convexPair *p, const double facing[3])
{
  const convexShape *s = &p->s[!p->axis.flat.side];
  const double *u = s->axes + 6;
  return facing[0] * u[0] + facing[1] * u[1] + facing[2] * u[2] > 0 ? s->top : s->radius;
}


// Returns 0: nothing is over the flat; -1: fewer points are.
static inline int face_points(const convexPair *p, int number, contactPoint *at)
{
  const int is_rim = p->shape[!p->axis.flat.side] == CONTACT_FRUSTUM;
  const flatPlane plane = flat_plane(p);
  hullPolygon outline;
  double facing[3];
  if (is_rim) {
    rim_outline(p, &outline, facing);
  } else {
    facing_outline(p, &outline, facing);
  }
  const int is_tip = is_rim && facing_radius(p, facing) == 0;
  const int is_cut = clip_to_flat(p, &plane, &outline);
  if (outline.n == 0) return 0;
  if (is_tip && number > 0) return -1;
  const int i = is_rim && !is_cut ? number * CIRCLE_POINTS / HULL_POINTS
                                  : corner_towards(p, &outline, facing, number);
  if (i < 0) return -1;
  *at = flat_point(p, &plane, outline.at[i]);
  return 1;
}

#endif
