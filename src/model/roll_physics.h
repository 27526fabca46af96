// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where discs, balls and blades touch the planes that they roll or glide on, and the rates of their rows of
// velocities. One text for numbers and symbols.
#ifndef MODEL_ROLL_PHYSICS_H
#define MODEL_ROLL_PHYSICS_H

#include "model/define/joint_kind.h"
#include "spatial/spatial.h"

// The point of contact and its directions. Along: where a disc or blade heads, which is axis x normal; of a ball, and
// of a disc that lies flat, the x axis of the plane. Across: to the left.
typedef struct rollPlace {
  v3 point, normal, along, across;
  v3 centre, axis;   // of the disc; of a ball and a blade the point is fixed below the centre
  real cosine, sine; // between normal and axis; 0 and 1 of a ball
} rollPlace;


// on the plane of these axes
static inline rollPlace roll_ball_place(const m3 *plane, v3 centre, real radius)
{
  const v3 point = v3_sub(centre, v3_scale(radius, plane->z));
  return (rollPlace){.point = point,
                     .normal = plane->z,
                     .along = plane->x,
                     .across = plane->y,
                     .centre = centre,
                     .axis = plane->y,
                     .cosine = r_const(0),
                     .sine = r_const(1)};
}


// the place where the axis a is tilted, with c = n.a, s = sqrt(1 - c^2):  along = (a x n) / s,  across = (a - c n) / s,
// and the rim is nearest to the plane at  centre - r (n - c a) / s; a blade has no radius
static inline rollPlace roll_tilted_place(const m3 *plane, v3 centre, v3 axis, real radius)
{
  rollPlace p = roll_ball_place(plane, centre, r_const(0));
  p.axis = axis;
  p.cosine = v3_dot(p.normal, axis);
  const v3 ahead = v3_cross(axis, p.normal);
  p.sine = r_sqrt(v3_dot(ahead, ahead));
  p.along = v3_scale(r_div(r_const(1), p.sine), ahead);
  p.across = v3_cross(p.normal, p.along);
  const v3 up = v3_sub(p.normal, v3_scale(p.cosine, axis));
  p.point = v3_sub(centre, v3_scale(r_div(radius, p.sine), up));
  return p;
}


// the directions of rows; returns their number
static inline int roll_directions(rollKind kind, const rollPlace *p, v3 u[2])
{
  u[0] = kind == ROLL_EDGE ? p->across : p->along;
  u[1] = p->across;
  return kind == ROLL_EDGE ? 1 : 2;
}


// c' = n.a',  s' = -c c' / s  at the rate a' of the axis
static inline real roll_cosine_rate(const rollPlace *p, v3 turn)
{
  return v3_dot(p->normal, turn);
}


static inline real roll_sine_rate(const rollPlace *p, v3 turn)
{
  return r_neg(r_div(r_mul(p->cosine, roll_cosine_rate(p, turn)), p->sine));
}


// Rate of the vector from the centre of a disc to its point of contact,  -r (n - c a) / s,  in the axes of the plane, with
// the angular velocity omega relative to it and  a' = omega x a
static inline v3 roll_point_rate(const rollPlace *p, real radius, v3 omega)
{
  const v3 turn = v3_cross(omega, p->axis), up = v3_sub(p->normal, v3_scale(p->cosine, p->axis));
  const real c = roll_cosine_rate(p, turn), s = roll_sine_rate(p, turn);
  const v3 up_rate = v3_neg(v3_add(v3_scale(c, p->axis), v3_scale(p->cosine, turn)));
  return v3_scale(r_div(radius, p->sine), v3_sub(v3_scale(r_div(s, p->sine), up), up_rate));
}


// rate of the direction across a blade,  (a - c n) / s,  in the axes of the plane
static inline v3 roll_across_rate(const rollPlace *p, v3 omega)
{
  const v3 turn = v3_cross(omega, p->axis);
  const real c = roll_cosine_rate(p, turn), s = roll_sine_rate(p, turn);
  const v3 change = v3_sub(turn, v3_scale(c, p->normal));
  return v3_scale(r_div(r_const(1), p->sine), v3_sub(change, v3_scale(s, p->across)));
}


// the body that carries the plane, with the acceleration of the plane's origin, and the one that rolls, with that of its centre
typedef struct rollBody {
  v3 omega, alpha, a, r;
} rollBody;

// how a body rolls on another: relative to it, with velocities of the centre and of the point of contact
typedef struct rollMotion {
  rollBody plane, body;
  v3 centre_rate, point_rate;
} rollMotion;


// Acceleration of the centre less that of the plane there, and what the rate of the plane's velocity has by the way of the
// centre:  a_c - a_o - alpha x d - omega x (omega x d) - omega x v_c
static inline v3 roll_centre_acceleration(const rollMotion *m)
{
  const v3 w = m->plane.omega, d = v3_sub(m->body.r, m->plane.r);
  const v3 around = v3_add(v3_cross(w, d), m->centre_rate);
  const v3 carried = v3_add(v3_cross(m->plane.alpha, d), v3_cross(w, around));
  return v3_sub(v3_sub(m->body.a, m->plane.a), carried);
}


// With rho from the centre to the point of contact and omega, alpha relative to the plane, which turns by w:
//   u.(a + alpha x rho + omega x (w x rho + rho')).  A disc and a ball have no velocity at that point in any direction, so
// that the rate of u adds nothing there; a blade moves along.
static inline void roll_row_rates(rollKind kind, const rollPlace *p, real radius,
                                  const rollMotion *m, real rate[2])
{
  const v3 w = m->plane.omega, rho = v3_sub(p->point, p->centre);
  const v3 omega = v3_sub(m->body.omega, w), alpha = v3_sub(m->body.alpha, m->plane.alpha);
  v3 a = v3_add(roll_centre_acceleration(m), v3_cross(alpha, rho));
  if (kind == ROLL_EDGE) {
    const v3 turn = v3_add(v3_cross(w, p->across), roll_across_rate(p, omega));
    rate[0] = r_add(v3_dot(p->across, a), v3_dot(turn, m->point_rate));
    return;
  }
  v3 way = v3_cross(w, rho);
  if (kind == ROLL_DISC) way = v3_add(way, roll_point_rate(p, radius, omega));
  a = v3_add(a, v3_cross(omega, way));
  rate[0] = v3_dot(p->along, a);
  rate[1] = v3_dot(p->across, a);
}

#endif
