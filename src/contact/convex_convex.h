// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Two convex shapes: hulls, capsules, cylinders, cones, ellipsoids, spheres. What lies on a flat touches in several points; otherwise
// the nearest features touch in one.
#ifndef CONTACT_CONVEX_CONVEX_H
#define CONTACT_CONVEX_CONVEX_H

#include "contact/convex_flat.h"


// is a shape a line, or does a cylinder or cone turn its side to the flat?
static inline int lies_as_line(const convexPair *p)
{
  const convexShape *s = &p->s[!p->axis.flat.side];
  const double *n = p->axis.flat.normal, *u = s->axes + 6;
  if (s->shape == CONTACT_SEGMENT) return 1;
  return s->shape == CONTACT_FRUSTUM && fabs(n[0] * u[0] + n[1] * u[1] + n[2] * u[2]) < 0.7;
}


// The number of a single contact of a line: the end that touches, or the one that is further down from the flat.
static inline int single_number(const convexPair *p, const convexTouch *t)
{
  for (int side = 0; side < 2; side++) {
    if (p->shape[side] != CONTACT_SEGMENT) continue;
    const convexShape *s = &p->s[side];
    if (t->count[side] == 1) return t->generator[side][0];
    const double *n = p->axis.flat.normal, *u = s->axes + 6;
    if (p->axis.flat.face < 0 || p->axis.flat.side == side) return t->place[side] > 0.5;
    return n[0] * u[0] + n[1] * u[1] + n[2] * u[2] < 0;
  }
  return 0;
}


// a contact that there is not
static inline contactPoint no_contact(const convexPair *p)
{
  const double size = p->s[0].size + p->s[1].size;
  const double away = (p->axis.gap > 0 ? p->axis.gap : 0) + size;
  return (contactPoint){r_const(away), hull_vector(p->axis.normal),
                        v3_scale(r_const(0.5), p->at[1])};
}


// an ellipsoid over a flat touches it in its lowest point
static inline int lowest_point(const convexPair *p, contactPoint *at)
{
  const int other = !p->axis.flat.side;
  const flatPlane plane = flat_plane(p);
  const v3 x = convex_generator(p, other, 0, v3_neg(plane.normal));
  const double still[3] = {0, 0, 0};
  double from[3];
  convex_numbers(x, from);
  const linePart part = part_over_flat(p, from, still);
  if (!(part.s[0] <= part.s[1])) return 0;
  *at = flat_point(p, &plane, x);
  return 1;
}


// The point of that number over the flat; 0: nothing is over it, -1: there are fewer points.
static inline int on_flat(const convexPair *p, int number, contactPoint *at)
{
  if (!lies_as_line(p)) return face_points(p, number, at);
  const int found = line_point(p, number > 1 ? 0 : number, at);
  return number > 1 && found ? -1 : found;
}


// Beside the flat another feature may be nearest. Its contact is that of the next point over the flat.
static inline contactPoint nearest_at(const convexPair *p, int number, contactPoint own)
{
  convexTouch t;
  const contactPoint nearest =
      convex_find_touch(p->s, &p->axis, &t) ? touch_point(p, &t) : axis_point(p);
  int next = -1;
  double least = INFINITY;
  for (int i = 0; i < HULL_POINTS; i++) {
    contactPoint at;
    if (on_flat(p, i, &at) <= 0) continue;
    const v3 span = v3_sub(at.point, nearest.point);
    const double square = contact_number(v3_dot(span, span));
    if (square < least) least = square, next = i;
  }
  return number == next ? nearest : own;
}


static inline contactPoint convex_place(const convexPair *p, int number)
{
  static const double ON_FLAT = 0.98, AT_FLAT = 1 - 1e-9;
  const int has_flat = p->axis.flat.face >= 0, is_at = has_flat && p->axis.along > AT_FLAT;
  const int is_round = p->shape[0] == CONTACT_ELLIPSOID || p->shape[1] == CONTACT_ELLIPSOID;
  contactPoint at;
  if (is_round && is_at && lowest_point(p, &at)) return at;
  if (has_flat && !is_round && p->axis.along > ON_FLAT) {
    const int found = on_flat(p, number, &at);
    if (found && !is_at) return nearest_at(p, number, found > 0 ? at : no_contact(p));
    if (found) return found > 0 ? at : no_contact(p);
  }
  convexTouch t;
  const int is_found = convex_find_touch(p->s, &p->axis, &t);
  if (number != (is_found && !is_round ? single_number(p, &t) : 0)) return no_contact(p);
  return is_found ? touch_point(p, &t) : axis_point(p);
}


static inline contactPoint contact_convex(contactShape a, contactShape b, const contactBody body[2])
{
  const v3 span = v3_sub(body[1].at, body[0].at);
  convexPair p = {.shape = {a, b}, .body = {&body[0], &body[1]}};
  p.at[0] = v3_scale(r_const(0), span);
  p.at[1] = span;
  for (int k = 0; k < 2; k++) p.s[k] = convex_shape(p.shape[k], p.body[k], p.at[k]);
  convex_find_axis(p.s, &p.axis);
  contactPoint own = convex_place(&p, body[0].chain);
  own.point = v3_add(body[0].at, own.point);
  return own;
}

#endif
