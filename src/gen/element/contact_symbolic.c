// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where a wheel meets the road, as expressions, with the text of src/tyre/contact_axes.c on symbols.
//
// On a curved road the ray T3 = c e3 + s e1 of the wheel plane, c and s of an angle, and its length r solve
//   F = (P - r T3 - road)_z = 0,   g = T1 . N = 0,   T1 = c e1 - s e3,   N = (-z_x, -z_y, 1)
// With A = T3 . N, and H the second derivatives of the road,
//   dF/dr = -A,   dF/dangle = -r g,   dg/dr = T1^T H T3,   dg/dangle = -(A - r T1^T H T1)
// Since g vanishes, the length can be corrected first and the angle with it:
//   dr = F / A,   dangle = (g + T1^T H T3 dr) / (A - r T1^T H T1)
// The contact is taken from the ray after one more correction, which is exact to rounding then, and which brings in the
// derivatives of the solution when expressions are differentiated with the unknowns held.
#include "gen/element/road_equations.h"

// clang-format off
#include "lowered/tyre/contact_axes.c"
// clang-format on


void gen_tyre_at_contact(const symTyre *law, const wheelNodes *wheel, const discContact *c,
                         tyreNodes *x)
{
  const contactMotion v = contact_motion_symbolic(c, wheel->velocity, wheel->turning);
  x->radius = c->radius.node;
  x->sine = c->sine.node;
  x->cosine = c->cosine.node;
  x->gamma = contact_camber_symbolic(c).node;
  x->spin = wheel->spin.node;
  x->Vx = v.Vx.node;
  x->Vy = v.Vy.node;
  x->approach = v.approach.node;
  sym_tyre_press(law, x);
}

//---- planes --------------------------------------------------------------------------------------

// r = (P - road) . n / (T3 . n), where T3 . n is the cosine of camber
static discContact on_plane(v3 axis, v3 normal, real distance)
{
  discContact c = contact_on_plane_symbolic(axis, normal);
  reach_plane_symbolic(&c, axis, r_div(distance, c.cosine));
  return c;
}


//---- curved roads --------------------------------------------------------------------------------

// the wheel, and unit vectors of its plane: e1 level, e3 upward
typedef struct wheelPlane {
  genBuild *b;
  const artRoad *road;
  v3 centre, axis, e1, e3;
} wheelPlane;

typedef struct wheelRay {
  discRay turned;
  roadJet road; // at its end
  v3 N;
  real above; // the height of its end over the road
} wheelRay;


static wheelRay ray_of(const wheelPlane *w, const discRay *turned, real r)
{
  const v3 end = ray_end(w->centre, turned, r);
  const roadJet road = gen_road(w->b, w->road, end.x, end.y);
  return (wheelRay){*turned, road, road_normal(road.x, road.y), r_sub(end.z, road.z)};
}


static wheelRay shoot_wheel_ray(const wheelPlane *w, real angle, real r)
{
  const discRay turned = turn_ray_symbolic(w->e1, w->e3, angle);
  return ray_of(w, &turned, r);
}


// u^T H v
static real road_curvature(const roadJet *z, v3 u, v3 v)
{
  const real mixed = r_add(r_mul(u.x, v.y), r_mul(u.y, v.x));
  const real x = r_mul(z->xx, r_mul(u.x, v.x));
  const real y = r_mul(z->yy, r_mul(u.y, v.y));
  return r_add(r_add(x, y), r_mul(z->xy, mixed));
}


// the corrections at a ray, and how far it is off
static void find_corrections(const wheelRay *ray, genWheel *stage)
{
  const v3 T1 = ray->turned.T1, T3 = ray->turned.T3;
  const real r = {stage->unknown[1]};
  const rayMiss miss = miss_of_ray(&ray->turned, ray->above, ray->N);
  const real bend = road_curvature(&ray->road, T1, T1);
  const real slope = r_sub(miss.fall, r_mul(r, bend));
  const real turned = r_mul(road_curvature(&ray->road, T1, T3), miss.dr);
  stage->correction[0] = next_turn(r_add(miss.g, turned), slope).node;
  stage->correction[1] = miss.dr.node;
  stage->residual = r_add(r_mul(ray->above, ray->above), r_mul(miss.g, miss.g)).node;
}


// the ray on the tangent plane below the centre
static void guess_contact(const wheelPlane *w, genWheel *stage)
{
  const discRay upright = {w->e1, w->e3};
  const wheelRay ray = ray_of(w, &upright, r_const(0));
  const rayMiss miss = miss_of_ray(&upright, ray.above, ray.N);
  stage->guess[0] = r_div(miss.g, miss.fall).node;
  stage->guess[1] = miss.dr.node;
}


static discContact find_contact(genBuild *b, const artRoad *road, v3 centre, v3 axis,
                                genWheel *stage)
{
  const v3 up = {r_const(0), r_const(0), r_const(1)};
  if (!road) return on_plane(axis, up, centre.z);
  if (road->kind == ROAD_PLANE) {
    const planeRoad *plane = (const planeRoad *) road;
    const real grade = {gen_number_at(b, &plane->grade, "road")};
    const real bank = {gen_number_at(b, &plane->bank, "road")};
    const real height = {gen_number_at(b, &plane->height, "road")};
    const v3 N = road_normal(grade, bank), normal = unit_normal(N);
    const real above = r_sub(v3_dot(N, centre), height);
    return on_plane(axis, normal, r_mul(above, normal.z));
  }
  const v3 e1 = contact_on_plane_symbolic(axis, up).forward;
  const wheelPlane w = {b, road, centre, axis, e1, v3_cross(e1, axis)};
  stage->nunknown = 2;
  for (int k = 0; k < 2; k++) {
    stage->unknown[k] =
        expr_symbol(expr_used(), k ? "contact_radius" : "contact_angle", stage->element);
  }
  guess_contact(&w, stage);
  const real angle = {stage->unknown[0]}, r = {stage->unknown[1]};
  const wheelRay ray = shoot_wheel_ray(&w, angle, r);
  find_corrections(&ray, stage);

  const real last_angle = r_add(angle, (real){stage->correction[0]});
  const real radius = r_add(r, (real){stage->correction[1]});
  const wheelRay last = shoot_wheel_ray(&w, last_angle, radius);
  return contact_of_ray_symbolic(w.axis, &last.turned, last.N, radius);
}


discContact gen_contact(genBuild *b, const artRoad *road, const symTyre *law,
                        const wheelNodes *wheel, genWheel *stage, tyreNodes *x)
{
  const discContact c = find_contact(b, road, wheel->centre, wheel->axis, stage);
  gen_tyre_at_contact(law, wheel, &c, x);
  return c;
}
