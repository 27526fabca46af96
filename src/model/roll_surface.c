// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rolling on spheres, cylinders, cones and roads, for numbers and symbols.
#include "model/roll_surface.h"

//---- surfaces ------------------------------------------------------------------------------------

// x and y turned with z into the normal by the least turn, or with -z where the normal points down:
//   x - n_x/(1 + |n_z|) (s z + n),  s the sign of n_z
static void turn_tangents(rollField *f)
{
  const v3 n = f->normal;
  const real sign = n.z < 0 ? -1 : 1, part = -1 / (sign + n.z);
  const real mixed = n.x * n.y * part;
  f->along = v3_make(1 + sign * n.x * n.x * part, sign * mixed, -sign * n.x);
  f->across = v3_cross(n, f->along);
}


// d = |x| - R,  H = (1 - n n^T)/|x|
static rollField sphere_field(const rollSurface *on, v3 x)
{
  const real sense = r_const(on->sense), out = r_sqrt(v3_dot(x, x));
  rollField f = {.distance = sense * (out - on->radius)};
  f.normal = v3_scale(sense / out, x);
  f.xx = sense / out;
  f.yy = f.xx;
  turn_tangents(&f);
  return f;
}


// With rho from the axis and e = (x, y)/rho, and the sine s and cosine c of the half angle of a cone:
//   d = c rho - s z - R,  n = c e - s z,  along = s e + c z
// where a cone has R = 0 and a cylinder s = 0. Around the axis n turns by  c/rho.
static rollField turned_field(const rollSurface *on, v3 x)
{
  const real sense = r_const(on->sense), rho = r_sqrt(x.x * x.x + x.y * x.y);
  const real s = on->sine, c = on->cosine, ex = x.x / rho, ey = x.y / rho;
  rollField f = {.distance = sense * (c * rho - s * x.z - on->radius)};
  f.normal = v3_scale(sense, v3_make(c * ex, c * ey, -s));
  f.along = v3_make(s * ex, s * ey, c);
  f.across = v3_cross(f.normal, f.along);
  f.yy = sense * c / rho;
  return f;
}


rollField R_NAME(roll_field)(const rollSurface *on, v3 x)
{
  if (on->shape == ROLL_ON_ROAD) return roll_road_field(on, x);
  if (on->shape == ROLL_ON_SPHERE) return sphere_field(on, x);
  return turned_field(on, x);
}


//---- contacts ------------------------------------------------------------------------------------

// at a point in the axes in common
static rollField field_at(const rollSurface *on, const rollBodyPlace *body, v3 x)
{
  rollField f = R_NAME(roll_field)(on, m3_mul(body->surface, v3_sub(x, body->origin)));
  f.normal = m3_back(body->surface, f.normal);
  f.along = m3_back(body->surface, f.along);
  f.across = m3_back(body->surface, f.across);
  return f;
}


// H u
static v3 bend_along(const rollField *f, v3 u)
{
  const real x = v3_dot(f->along, u), y = v3_dot(f->across, u);
  return v3_add(v3_scale(f->xx * x + f->xy * y, f->along),
                v3_scale(f->xy * x + f->yy * y, f->across));
}


// Of the rim, which has the axis a and is seen with the normal n from its centre, the direction nearest to the surface is
// -(n - (n.a) a), made a unit vector: on planes and spheres the nearest, on others a guess.
static v3 rim_direction(const rollSurface *on, const rollBodyPlace *body)
{
  const rollField f = field_at(on, body, body->centre);
  const v3 down = v3_sub(v3_scale(v3_dot(f.normal, body->axis), body->axis), f.normal);
  const v3 unit = v3_scale(1 / r_sqrt(v3_dot(down, down)), down);
  if (roll_has_rim(on->shape)) return unit;
  return roll_search_rim(on, body, unit);
}


// headings of what is tilted, as on a plane (roll_tilted_place)
static void head_along(rollPlace *p, v3 axis)
{
  const v3 ahead = v3_cross(axis, p->normal);
  p->axis = axis;
  p->cosine = v3_dot(p->normal, axis);
  p->sine = r_sqrt(v3_dot(ahead, ahead));
  p->along = v3_scale(1 / p->sine, ahead);
  p->across = v3_cross(p->normal, p->along);
}


rollTouch R_NAME(roll_touch)(const rollSurface *on, const rollBodyPlace *body)
{
  v3 x = body->centre;
  if (on->kind == ROLL_DISC) x = v3_add(x, v3_scale(body->radius, rim_direction(on, body)));
  const rollField f = field_at(on, body, x);
  rollTouch t = {.gap = f.distance};
  t.place = (rollPlace){.point = x,
                        .normal = f.normal,
                        .along = f.along,
                        .across = f.across,
                        .centre = body->centre,
                        .axis = f.across,
                        .cosine = r_const(0),
                        .sine = r_const(1)};
  if (on->kind == ROLL_BALL) {
    t.gap = f.distance - body->radius;
    t.place.point = v3_sub(x, v3_scale(body->radius, f.normal));
  } else {
    head_along(&t.place, body->axis);
  }
  t.bend[0] = bend_along(&f, t.place.along);
  t.bend[1] = bend_along(&f, t.place.across);
  return t;
}


//---- rates ---------------------------------------------------------------------------------------

// H u
static v3 normal_rate(const rollTouch *t, v3 u)
{
  return v3_add(v3_scale(v3_dot(u, t->place.along), t->bend[0]),
                v3_scale(v3_dot(u, t->place.across), t->bend[1]));
}


// Rates relative to the surface and in its axes: of the point x whose distance counts, and of its vector rho from the centre.
// The body has there the velocity V and turns by omega. The point of a rim moves along it, relative to its material, by w,
// so that the rim stays square to the normal:
//   w (s + r along.H along)/r = -along.(H V) - (omega x along).n
typedef struct touchRates {
  v3 point, arm;
} touchRates;


static touchRates point_rates(rollKind kind, const rollTouch *t, real radius, v3 omega, v3 V)
{
  const rollPlace *p = &t->place;
  const v3 rho = v3_sub(p->point, p->centre), turned = v3_cross(omega, rho);
  touchRates x = {.point = V};
  if (kind == ROLL_EDGE) return x;
  if (kind == ROLL_BALL) {
    x.point = v3_sub(V, turned);
    x.arm = v3_scale(-radius, normal_rate(t, x.point));
    return x;
  }
  const real lean = v3_dot(v3_cross(omega, p->along), p->normal);
  const real sum = lean + v3_dot(p->along, normal_rate(t, V));
  const real w = -radius * sum / (p->sine + radius * v3_dot(p->along, t->bend[0]));
  const v3 slide = v3_scale(w, p->along);
  x.point = v3_add(V, slide);
  x.arm = v3_add(turned, slide);
  return x;
}


// of the direction across a blade,  (a - c n)/s,  where its normal turns by n'
static v3 across_rate(const rollPlace *p, v3 omega, v3 turn)
{
  const v3 a = v3_cross(omega, p->axis);
  const real c = v3_dot(turn, p->axis) + v3_dot(p->normal, a), s = -p->cosine * c / p->sine;
  const v3 change = v3_sub(v3_sub(a, v3_scale(c, p->normal)), v3_scale(p->cosine, turn));
  return v3_scale(1 / p->sine, v3_sub(change, v3_scale(s, p->across)));
}


// With V the velocity of the body at the point of contact, relative to the surface, which turns by w, and rho from the centre,
//   V' = a + alpha x rho + omega x (w x rho + rho'),   gap'' = n.V' + n'.V
// and u.V' of the rows of a ball and a disc, which have V = 0 (roll_row_rates); a blade moves along.
void R_NAME(roll_touch_rates)(rollKind kind, const rollTouch *t, real radius, const rollMotion *m,
                              real rate[3])
{
  const rollPlace *p = &t->place;
  const v3 w = m->plane.omega, rho = v3_sub(p->point, p->centre);
  const v3 omega = v3_sub(m->body.omega, w), alpha = v3_sub(m->body.alpha, m->plane.alpha);
  const touchRates x = point_rates(kind, t, radius, omega, m->point_rate);
  const v3 way = v3_cross(omega, v3_add(v3_cross(w, rho), x.arm));
  const v3 own = v3_add(v3_cross(alpha, rho), way);
  const v3 a = v3_add(roll_centre_acceleration(m), own), turn = normal_rate(t, x.point);
  rate[0] = v3_dot(p->normal, a) + v3_dot(v3_add(v3_cross(w, p->normal), turn), m->point_rate);
  rate[1] = v3_dot(p->along, a);
  rate[2] = v3_dot(p->across, a);
  if (kind != ROLL_EDGE) return;
  const v3 across = v3_add(v3_cross(w, p->across), across_rate(p, omega, turn));
  rate[1] = rate[2] + v3_dot(across, m->point_rate);
}
