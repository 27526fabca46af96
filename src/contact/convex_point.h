// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Convex shapes as numbers, whose features are chosen, and their contact point on `real`: one more of Newton's corrections of
// convex_touch.h has its rates.
#ifndef CONTACT_CONVEX_POINT_H
#define CONTACT_CONVEX_POINT_H

#include <math.h>

#include "contact/contact_body.h"
#include "contact/convex_touch.h"
#include "contact/hull_nearest.h"

typedef struct convexPair {
  contactShape shape[2];
  const contactBody *body[2];
  v3 at[2]; // reference points from that of the first, ground axes
  convexShape s[2];
  convexAxis axis;
} convexPair;


static inline void convex_numbers(v3 x, double out[3])
{
  out[0] = contact_number(x.x), out[1] = contact_number(x.y), out[2] = contact_number(x.z);
}


static inline convexShape convex_shape(contactShape shape, const contactBody *b, v3 at)
{
  convexShape s = {.shape = shape, .hull = b->hull};
  convex_numbers(at, s.at);
  convex_numbers(b->axes.x, s.axes);
  convex_numbers(b->axes.y, s.axes + 3);
  convex_numbers(b->axes.z, s.axes + 6);
  for (int k = 0; k < 3; k++) s.half[k] = contact_number(b->half[k]);
  s.radius = contact_number(b->radius), s.top = contact_number(b->top);
  if (shape == CONTACT_HULL) s.size = b->hull->size;
  if (shape == CONTACT_SEGMENT) s.size = s.half[2];
  if (shape == CONTACT_FRUSTUM) s.size = hypot(s.half[2], fmax(s.radius, s.top));
  if (shape == CONTACT_ELLIPSOID) s.size = fmax(fmax(s.half[0], s.half[1]), s.half[2]);
  return s;
}


// the radius about the generators
static inline real convex_radius(const convexPair *p, int side)
{
  const int is_round = p->shape[side] == CONTACT_SEGMENT || p->shape[side] == CONTACT_BALL;
  return is_round ? p->body[side]->radius : r_const(0);
}


// the point of generator i furthest along n, as convex_point_of
static inline v3 convex_generator(const convexPair *p, int side, int i, v3 n)
{
  const contactBody *b = p->body[side];
  const real zero = r_const(0);
  v3 own = {zero, zero, zero};
  const contactShape shape = p->shape[side];
  if (shape == CONTACT_HULL) own = hull_vector(b->hull->vertex[i]);
  if (shape == CONTACT_SEGMENT || shape == CONTACT_FRUSTUM)
    own.z = i ? b->half[2] : r_neg(b->half[2]);
  if (shape == CONTACT_FRUSTUM) {
    const v3 m = m3_mul(b->axes, n);
    const real off = r_sqrt(r_add(r_mul(m.x, m.x), r_mul(m.y, m.y)));
    const real scale = r_select(r_less(zero, off), r_div(i ? b->top : b->radius, off), zero);
    own.x = r_mul(scale, m.x), own.y = r_mul(scale, m.y);
  } else if (shape == CONTACT_ELLIPSOID) {
    const v3 m = m3_mul(b->axes, n);
    const v3 h = {r_mul(b->half[0], m.x), r_mul(b->half[1], m.y), r_mul(b->half[2], m.z)};
    const real inverse = r_div(r_const(1), r_sqrt(v3_dot(h, h)));
    own = v3_scale(inverse,
                   v3_make(r_mul(b->half[0], h.x), r_mul(b->half[1], h.y), r_mul(b->half[2], h.z)));
  }
  return v3_add(p->at[side], m3_back(b->axes, own));
}


static inline contactPoint convex_between(const convexPair *p, v3 n, v3 a, v3 b)
{
  const real ra = convex_radius(p, 0), rb = convex_radius(p, 1);
  const real gap = r_sub(v3_dot(n, v3_sub(b, a)), r_add(ra, rb));
  const real depth = r_add(ra, r_mul(r_const(0.5), gap));
  return (contactPoint){gap, n, v3_add(a, v3_scale(depth, n))};
}


// the point and the line of one side
static inline v3 touch_side(const convexPair *p, const convexTouch *t, int side, v3 n, real place,
                            v3 *line)
{
  const v3 to = side ? v3_neg(n) : n;
  const v3 first = convex_generator(p, side, t->generator[side][0], to);
  *line = v3_scale(r_const(0), n);
  if (t->count[side] < 2) return first;
  *line = v3_sub(convex_generator(p, side, t->generator[side][1], to), first);
  return v3_add(first, v3_scale(place, *line));
}


static inline contactPoint touch_point(const convexPair *p, const convexTouch *t)
{
  const v3 n = hull_vector(t->normal);
  const real per_size = r_const(1 / t->size);
  v3 point[2], line[2];
  for (int k = 0; k < 2; k++) point[k] = touch_side(p, t, k, n, r_const(t->place[k]), &line[k]);
  const v3 miss = v3_sub(v3_sub(point[1], point[0]), v3_scale(r_const(t->gap), n));
  const real half = r_const(0.5), one = r_const(1);
  const real F[TOUCH_UNKNOWNS] = {r_mul(per_size, miss.x),
                                  r_mul(per_size, miss.y),
                                  r_mul(per_size, miss.z),
                                  r_mul(half, r_sub(v3_dot(n, n), one)),
                                  r_mul(per_size, v3_dot(n, line[0])),
                                  r_mul(per_size, v3_dot(n, line[1]))};
  real x[TOUCH_UNKNOWNS];
  for (int i = 0; i < TOUCH_UNKNOWNS; i++) {
    x[i] = r_const(0);
    for (int k = 0; k < TOUCH_UNKNOWNS; k++)
      x[i] = r_sub(x[i], r_mul(r_const(t->inverse[i][k]), F[k]));
  }
  const v3 last = v3_add(n, v3_make(x[0], x[1], x[2]));
  for (int k = 0; k < 2; k++)
    point[k] = touch_side(p, t, k, last, r_add(r_const(t->place[k]), x[4 + k]), &line[k]);
  return convex_between(p, last, point[0], point[1]);
}


// Where features are not found, as of an edge that lies on a line, the axis is taken as it is.
static inline contactPoint axis_point(const convexPair *p)
{
  const double *n = p->axis.normal, back[3] = {-n[0], -n[1], -n[2]};
  double point[3];
  const int a = convex_support(&p->s[0], n, point), b = convex_support(&p->s[1], back, point);
  const v3 to = hull_vector(n);
  return convex_between(p, to, convex_generator(p, 0, a, to),
                        convex_generator(p, 1, b, v3_neg(to)));
}

#endif
