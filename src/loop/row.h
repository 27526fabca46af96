// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Single constraint rows of cut joints: value, wrench and second derivative. Written on the scalar
// type of src/spatial, so that the same source serves numbers (rows.c) and symbolic expressions
// (src/sym).
#ifndef LOOP_ROW_H
#define LOOP_ROW_H

#include "model/define/joint_kind.h"
#include "model/roll_surface.h"
#include "spatial/spatial.h"

// A row of a cut at the present positions: force along u through point r and torque t, acting on
// `to`.
typedef struct loopRow {
  v3 u, t, r;
} loopRow;

// the joint frame on one side of a cut
typedef struct cutFrame {
  m3 e; // rows: its axes
  v3 r; // its origin
} cutFrame;

// both joint frames of a cut in ground axes, and the vector between their origins
typedef struct cutState {
  cutFrame from, to;
  v3 span; // from the origin of `from` to that of `to`
} cutState;

// motion of the body that carries a joint frame: angular velocity and acceleration, acceleration of
// the frame's origin
typedef struct cutMotion {
  v3 omega, alpha, a;
} cutMotion;

// Derivatives of the span d. With w its rate relative to the axes of `from`:  d' = w + omega x d.
typedef struct spanMotion {
  v3 rate, second; // d', d''
  v3 slide;        // d'' relative to the axes of `from`, used by the sliding rows u.d
} spanMotion;

// constants of a cut
typedef struct rowShape {
  v3 axis2; // universal: second axis, in the joint frame of `to`; rolling disc: its axis there
  real pitch, length;
} rowShape;

//---- positions -----------------------------------------------------------------------------------

// `to` does not slide along the axis u fixed in `from`:  phi = u.d
static inline real row_slide(const cutState *s, v3 u, loopRow *row)
{
  row->u = u;
  return v3_dot(u, s->span);
}


// axis a of `from` stays perpendicular to axis b of `to`:  phi = a.b
static inline real row_square(v3 a, v3 b, loopRow *row)
{
  row->t = v3_cross(b, a);
  return v3_dot(a, b);
}


// The k-th of three orthogonal axes fixed in `from` that make equal angles with its z axis: each
// has the component 1/sqrt(3) along z, so that the three rows are equally well conditioned.
static inline v3 row_tilted_axis(const m3 *e, int k)
{
  static const double along[3] = {0.816496580927726, -0.408248290463863, -0.408248290463863};
  static const double across[3] = {0, 0.7071067811865476, -0.7071067811865476};
  const v3 tilted = {r_const(along[k]), r_const(across[k]), r_const(0.5773502691896258)};
  return m3_back(*e, tilted);
}


// the unit vectors z of `from` and `to` have equal components along a tilted axis f:  phi = f.(z_to
// - z_from)
static inline real row_equal(const m3 *from, v3 z_to, int k, loopRow *row)
{
  const v3 f = row_tilted_axis(from, k);
  row->t = v3_cross(z_to, f);
  return v3_dot(f, v3_sub(z_to, from->z));
}


// the distance of the ends is constant:  phi = (d.d - l^2) / 2 l; its multiplier is the axial force
static inline real row_length(const cutState *s, real length, loopRow *row)
{
  row->u = v3_scale(r_div(r_const(1), length), s->span);
  const real excess = r_sub(v3_dot(s->span, s->span), r_mul(length, length));
  return r_div(r_mul(r_const(0.5), excess), length);
}


// screw: sliding is proportional to rotation:  phi = z.d - pitch angle
static inline real row_thread(const cutState *s, real pitch, real angle, loopRow *row)
{
  row->u = s->from.e.z;
  row->t = v3_scale(r_neg(pitch), s->from.e.z);
  return r_sub(v3_dot(s->from.e.z, s->span), r_mul(pitch, angle));
}


// A disc of radius r stands on the x-y plane of `from`. With its axis a, normal z, c = z.a, s =
// sqrt(1 - c^2):  phi = z.d - r s.  It acts at the point of contact, by (r c/s) a x z from the centre.
static inline real row_disc(const cutState *s, v3 a, real radius, loopRow *row)
{
  const v3 z = s->from.e.z;
  const real c = v3_dot(z, a), sine = r_sqrt(r_sub(r_const(1), r_mul(c, c)));
  row->u = z;
  row->t = v3_scale(r_div(r_mul(radius, c), sine), v3_cross(a, z));
  return r_sub(v3_dot(z, s->span), r_mul(radius, sine));
}


// a ball of radius r lies on that plane:  phi = z.d - r
static inline real row_ball(const cutState *s, real radius, loopRow *row)
{
  row->u = s->from.e.z;
  return r_sub(v3_dot(s->from.e.z, s->span), radius);
}


// What rolls on a curved surface touches:  phi = its gap, along the normal at the point of contact (row_curved.c).
real R_NAME(row_curved)(const rowShape *shape, const rollSurface *on, const cutState *s,
                        loopRow *row);
rollBodyPlace R_NAME(row_roll_body)(const rowShape *shape, const cutState *s);


// Value of a row of this kind, which is none of a curved surface. Writes only those members of *row that are not always zero. `angle`:
// rotation of a screw.
static inline real row_position(const rowShape *shape, rowKind kind, const cutState *s, real angle,
                                loopRow *row)
{
  const m3 *a = &s->from.e, *b = &s->to.e;
  row->r = s->to.r;
  switch (kind) {
  case SLIDE_X: return row_slide(s, a->x, row);
  case SLIDE_Y: return row_slide(s, a->y, row);
  case SLIDE_Z: return row_slide(s, a->z, row);
  case TURN_X: // z of `to` stays parallel to z of `from`
    return row_square(a->y, b->z, row);
  case TURN_Y: return row_square(a->x, b->z, row);
  case TURN_Z: return row_square(a->x, b->y, row);
  case EQUAL_1:
  case EQUAL_2:
  case EQUAL_3: return row_equal(a, b->z, (int) (kind - EQUAL_1), row);
  case SQUARE: return row_square(a->z, m3_back(*b, shape->axis2), row);
  case DISC_GAP: return row_disc(s, m3_back(*b, shape->axis2), shape->length, row);
  case THREAD: return row_thread(s, shape->pitch, angle, row);
  case BALL_GAP: return row_ball(s, shape->length, row);
  case CURVED_GAP: // row_curved
  case LENGTH: break;
  }
  return row_length(s, shape->length, row);
}


//---- second derivatives --------------------------------------------------------------------------

// second derivative of a vector fixed in a body
static inline v3 row_turned_twice(const cutMotion *body, v3 u)
{
  return v3_add(v3_cross(body->alpha, u), v3_cross(body->omega, v3_cross(body->omega, u)));
}


static inline spanMotion row_span(const cutState *s, const cutMotion *a, const cutMotion *b, v3 w)
{
  // d'' - alpha x d - omega x (2 w + omega x d)
  const v3 around = v3_cross(a->omega, s->span), second = v3_sub(b->a, a->a);
  const v3 carried = v3_add(v3_cross(a->alpha, s->span),
                            v3_cross(a->omega, v3_add(v3_scale(r_const(2), w), around)));
  return (spanMotion){v3_add(w, around), second, v3_sub(second, carried)};
}


static inline real row_square_second(v3 u, v3 w, const cutMotion *a, const cutMotion *b)
{
  // u''.w + 2 u'.w' + u.w''
  const real twice = r_mul(r_const(2), v3_dot(v3_cross(a->omega, u), v3_cross(b->omega, w)));
  return r_add(r_add(v3_dot(row_turned_twice(a, u), w), twice), v3_dot(u, row_turned_twice(b, w)));
}


static inline real row_length_second(const cutState *s, real length, const spanMotion *d)
{
  // (d'.d' + d.d'') / l
  return r_div(r_add(v3_dot(d->rate, d->rate), v3_dot(s->span, d->second)), length);
}


static inline real row_thread_second(const cutState *s, real pitch, const cutMotion *a,
                                     const cutMotion *b, const spanMotion *d)
{
  // the rate of the angle is z.(w_to - w_from)
  const v3 z = s->from.e.z, spin = v3_sub(b->omega, a->omega);
  const real turn =
      r_add(v3_dot(z, v3_sub(b->alpha, a->alpha)), v3_dot(v3_cross(a->omega, z), spin));
  return r_sub(v3_dot(z, d->slide), r_mul(pitch, turn));
}


// With c' = (z.a)', s' = -c c'/s:  z.d'' + r (c'^2 + c c'' + s'^2) / s, d'' relative to the plane
static inline real row_disc_second(const cutState *s, v3 a, real radius, const cutMotion *plane,
                                   const cutMotion *body, const spanMotion *d)
{
  const v3 z = s->from.e.z;
  const real c = v3_dot(z, a), sine = r_sqrt(r_sub(r_const(1), r_mul(c, c)));
  const v3 omega = v3_sub(body->omega, plane->omega);
  const real rate = v3_dot(z, v3_cross(omega, a)), fall = r_div(r_mul(c, rate), sine);
  const real second = r_mul(c, row_square_second(z, a, plane, body));
  const real sum = r_add(r_add(r_mul(rate, rate), second), r_mul(fall, fall));
  return r_add(v3_dot(z, d->slide), r_div(r_mul(radius, sum), sine));
}


real R_NAME(row_curved_second)(const rowShape *shape, const rollSurface *on, const cutState *s,
                               const cutMotion *plane, const cutMotion *body, const spanMotion *d);


static inline real row_second(const rowShape *shape, rowKind kind, const cutState *s,
                              const cutMotion *a, const cutMotion *b, const spanMotion *d)
{
  const m3 *e = &s->from.e, *f = &s->to.e;
  switch (kind) {
  case SLIDE_X: return v3_dot(e->x, d->slide);
  case SLIDE_Y: return v3_dot(e->y, d->slide);
  case SLIDE_Z: return v3_dot(e->z, d->slide);
  case TURN_X: return row_square_second(e->y, f->z, a, b);
  case TURN_Y: return row_square_second(e->x, f->z, a, b);
  case TURN_Z: return row_square_second(e->x, f->y, a, b);
  case EQUAL_1:
  case EQUAL_2:
  case EQUAL_3: // f.z_from is constant
    return row_square_second(row_tilted_axis(e, (int) (kind - EQUAL_1)), f->z, a, b);
  case SQUARE: return row_square_second(e->z, m3_back(*f, shape->axis2), a, b);
  case DISC_GAP: return row_disc_second(s, m3_back(*f, shape->axis2), shape->length, a, b, d);
  case THREAD: return row_thread_second(s, shape->pitch, a, b, d);
  case BALL_GAP: return v3_dot(e->z, d->slide);
  case CURVED_GAP: // row_curved
  case LENGTH: break;
  }
  return row_length_second(s, shape->length, d);
}

#endif
