// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A sphere, or a point, on a road.
//
// The point (x, y, h) of the road that is nearest to the centre c solves
//   F = (x - c_x, y - c_y) + (h - c_z) grad h = 0
// The road has one solution within 1/valley over it, where `valley` is its largest curvature in valleys: no normal of a graph points
// at another one, so that its reach is that of its curvature alone (Federer). On the way up from the point below the centre, the
// solution is followed in steps that are small for the curvature. A last correction on dual numbers or symbols gives its rates.
#ifndef CONTACT_ROAD_BALL_H
#define CONTACT_ROAD_BALL_H

#include "contact/contact_body.h"
#include "road/road_bend.h"

// Height, slopes and second derivatives; the latter lead Newton's method and need no rates.
typedef struct groundJet {
  real z, x, y, xx, xy, yy;
} groundJet;

#ifdef ART_SYMBOLIC
groundJet ground_jet(const contactBody *a, real x, real y); // src/gen/element/port_symbolic.c
#elif defined ART_DUAL
static inline groundJet ground_jet(const contactBody *a, real x, real y)
{
  double z[6];
  road_derivatives(a->road, x.x, y.x, z);
  return (groundJet){{z[0], z[1] * x.d + z[2] * y.d},
                     {z[1], z[3] * x.d + z[4] * y.d},
                     {z[2], z[4] * x.d + z[5] * y.d},
                     {z[3], 0},
                     {z[4], 0},
                     {z[5], 0}};
}
#else
static inline groundJet ground_jet(const contactBody *a, real x, real y)
{
  double z[6];
  road_derivatives(a->road, x, y, z);
  return (groundJet){z[0], z[1], z[2], z[3], z[4], z[5]};
}
#endif

typedef struct groundStep {
  real x, y;
  real square; // |F|^2
} groundStep;


// The correction -F'^-1 F. Where the distance is not a minimum along the road, F' without second derivatives leads downhill.
static inline groundStep ground_step(const groundJet *f, real x, real y, v3 c)
{
  const real one = r_const(1), zero = r_const(0), up = r_sub(f->z, c.z);
  const real fx = r_add(r_sub(x, c.x), r_mul(up, f->x));
  const real fy = r_add(r_sub(y, c.y), r_mul(up, f->y));
  const real gxx = r_add(one, r_mul(f->x, f->x)), gyy = r_add(one, r_mul(f->y, f->y));
  const real gxy = r_mul(f->x, f->y);
  const real bxx = r_add(gxx, r_mul(up, f->xx)), byy = r_add(gyy, r_mul(up, f->yy));
  const real bxy = r_add(gxy, r_mul(up, f->xy)), least = r_const(1e-3);
  const real small = r_min(r_min(bxx, byy), r_sub(r_mul(bxx, byy), r_mul(bxy, bxy)));
  const real use = r_select(r_less(least, small), one, zero);
  const real hxx = r_add(gxx, r_mul(use, r_sub(bxx, gxx)));
  const real hyy = r_add(gyy, r_mul(use, r_sub(byy, gyy)));
  const real hxy = r_add(gxy, r_mul(use, r_sub(bxy, gxy)));
  const real det = r_sub(r_mul(hxx, hyy), r_mul(hxy, hxy));
  return (groundStep){r_div(r_sub(r_mul(hxy, fy), r_mul(hyy, fx)), det),
                      r_div(r_sub(r_mul(hxy, fx), r_mul(hxx, fy)), det),
                      r_add(r_mul(fx, fx), r_mul(fy, fy))};
}


#ifdef ART_SYMBOLIC

// Corrections of fixed number, for a centre that is lowered to half the radius of the valleys over the road: balls of half of this are
// generated, and touch slopes up to 60 degrees. Returns by how much it is lowered.
static inline real find_ground(const contactBody *a, v3 *c, real *x, real *y)
{
  enum { SYMBOLIC_STEPS = 5 };
  real lowered = r_const(0);
  *x = c->x, *y = c->y;
  for (int i = 0; i < SYMBOLIC_STEPS && a->bend > 0; i++) {
    const groundJet f = ground_jet(a, *x, *y);
    if (i == 0) {
      lowered = r_max(r_sub(r_sub(c->z, f.z), r_const(0.5 / a->bend)), r_const(0));
      c->z = r_sub(c->z, lowered);
    }
    const groundStep step = ground_step(&f, *x, *y, *c);
    *x = r_add(*x, step.x);
    *y = r_add(*y, step.y);
  }
  return lowered;
}

#else

// Newton's method with steps that are halved until F falls
static inline void correct_ground(const contactBody *a, v3 c, int most, double *x, double *y)
{
  static const double ROUNDING = 4e-16;
  groundJet f = ground_jet(a, r_const(*x), r_const(*y));
  groundStep step = ground_step(&f, r_const(*x), r_const(*y), c);
  for (int i = 0; i < most; i++) {
    const double dx = contact_number(step.x), dy = contact_number(step.y);
    const double square = contact_number(step.square);
    double scale = 1, next = square;
    for (int k = 0; k < 8 && (k == 0 || next > square); k++, scale *= 0.5) {
      const real u = r_const(*x + scale * dx), v = r_const(*y + scale * dy);
      f = ground_jet(a, u, v);
      step = ground_step(&f, u, v, c);
      next = contact_number(step.square);
    }
    const int is_there = fabs(dx) + fabs(dy) <= ROUNDING * (fabs(*x) + fabs(*y));
    if (!(next < square) || is_there) return; // rounding
    *x += 2 * scale * dx, *y += 2 * scale * dy;
  }
}


static inline real find_ground(const contactBody *a, v3 *centre, real *x, real *y)
{
  enum { MAX_RISE = 4, RISE_STEPS = 1, MAX_STEPS = 40 };
  static const double RISE = 2; // in a radius of the valleys
  const v3 c = *centre;
  double u = contact_number(c.x), v = contact_number(c.y);
  const real below = ground_jet(a, r_const(u), r_const(v)).z;
  const real height = r_sub(c.z, below);
  const double steps = RISE * a->bend * fabs(contact_number(height));
  const int rise = steps < MAX_RISE ? 1 + (int) steps : MAX_RISE;
  for (int i = 1; i < rise; i++) {
    v3 on_way = c;
    on_way.z = r_add(below, r_mul(r_const((double) i / rise), height));
    correct_ground(a, on_way, RISE_STEPS, &u, &v);
  }
  correct_ground(a, c, MAX_STEPS, &u, &v);
  *x = r_const(u), *y = r_const(v);
  return r_const(0);
}

#endif


#ifndef ART_SYMBOLIC
// Far above hills Newton's method may end anywhere: the point below is near enough to something that touches nothing.
static inline int is_far_above(const contactBody *a, v3 n, v3 span, real height)
{
  static const double FAR = 0.5, ALONG = 1 - 1e-12; // of a radius of the hills; cosine
  const double distance = sqrt(contact_number(v3_dot(span, span)));
  const int is_foot = contact_number(v3_dot(n, span)) >= ALONG * distance;
  return contact_number(height) * a->bend > FAR && !(is_foot && distance <= contact_number(height));
}
#endif


// in the axes of the road; gap = n.(c - p) - r, and more by n_z if c has been lowered
static inline contactPoint contact_road_ball(const contactBody *a, const contactBody *b)
{
  v3 c = m3_mul(a->axes, v3_sub(b->at, a->at));
  real x, y;
  const real lowered = find_ground(a, &c, &x, &y);
  groundJet f = ground_jet(a, x, y);
  const groundStep step = ground_step(&f, x, y, c);
  x = r_add(x, step.x), y = r_add(y, step.y);
  f = ground_jet(a, x, y);
  const v3 up = v3_make(r_neg(f.x), r_neg(f.y), r_const(1));
  const v3 n = v3_scale(r_div(r_const(1), r_sqrt(v3_dot(up, up))), up);
  const v3 span = v3_sub(c, v3_make(x, y, f.z)), normal = m3_back(a->axes, n);
#ifndef ART_SYMBOLIC
  const real height = r_sub(c.z, ground_jet(a, c.x, c.y).z);
  if (is_far_above(a, n, span, height))
    return contact_of_spheres(v3_sub(b->at, v3_scale(height, a->axes.z)), r_const(0), b->at,
                              b->radius);
#endif
  const real gap = r_add(r_sub(v3_dot(n, span), b->radius), r_mul(lowered, n.z));
  const real depth = r_add(b->radius, r_mul(r_const(0.5), gap));
  return (contactPoint){gap, normal, v3_sub(b->at, v3_scale(depth, normal))};
}

#endif
