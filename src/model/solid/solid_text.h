// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass, centre and inertia of solids, on the scalar of src/spatial: each shape in closed form, several together by the
// parallel axis theorem. A part of lay_text.h.

// moments of a shape filled with density 1: in its own axes, then in the axes of the body
typedef struct solidMoments {
  real volume;
  v3 centre;
  s3 inertia; // tensor about the centre
} solidMoments;


static inline real solid_times(double factor, real x)
{
  return r_mul(r_const(factor), x);
}


static inline real solid_square(real x)
{
  return r_mul(x, x);
}


static inline s3 solid_scale(real f, s3 a)
{
  return (s3){r_mul(f, a.xx), r_mul(f, a.yy), r_mul(f, a.zz),
              r_mul(f, a.xy), r_mul(f, a.xz), r_mul(f, a.yz)};
}


// of a shape that is symmetric to its centre, with its moments about x, y, z
static inline solidMoments solid_symmetric(real volume, real x, real y, real z)
{
  const real none = r_const(0);
  return (solidMoments){volume, v3_numbers(0, 0, 0), {x, y, z, none, none, none}};
}


// V (b^2 + c^2)/n with edges and n = 12 of a box, with diameters and n = 20 of an ellipsoid
static inline solidMoments solid_of_size(double factor, v3 size, double n)
{
  const real a = solid_square(size.x), b = solid_square(size.y), c = solid_square(size.z);
  const real volume = solid_times(factor, r_mul(r_mul(size.x, size.y), size.z));
  const real part = r_div(volume, r_const(n));
  return solid_symmetric(volume, r_mul(part, r_add(b, c)), r_mul(part, r_add(a, c)),
                         r_mul(part, r_add(a, b)));
}


// V = pi (R^2 - r^2) L, J_z = V (R^2 + r^2)/2, J_x = V (3 (R^2 + r^2) + L^2)/12
static inline solidMoments solid_of_tube(real R, real r, real L)
{
  const real volume = solid_times(LAY_PI, r_mul(r_mul(r_sub(R, r), r_add(R, r)), L));
  const real squares = r_add(solid_square(R), solid_square(r));
  const real across = r_add(solid_times(3, squares), solid_square(L));
  const real x = r_mul(volume, r_div(across, r_const(12)));
  return solid_symmetric(volume, x, x, r_mul(volume, solid_times(0.5, squares)));
}


// A frustum with the radius r = a (1 - u) + b u at z = (u - 1/2) L: integrals over u of
//   r^2 = (a^2 + a b + b^2)/3,  r^2 u = (a^2 + 2 a b + 3 b^2)/12,  r^2 u^2 = (a^2 + 3 a b + 6 b^2)/30,
//   r^4 = (a^4 + a^3 b + a^2 b^2 + a b^3 + b^4)/5
static inline solidMoments solid_of_cone(real a, real b, real L)
{
  const real aa = solid_square(a), ab = r_mul(a, b), bb = solid_square(b), none = r_const(0);
  const real squares = r_div(r_add(r_add(aa, ab), bb), r_const(3));
  const real first = r_div(r_add(r_add(aa, solid_times(2, ab)), solid_times(3, bb)), r_const(12));
  const real second = r_div(r_add(r_add(aa, solid_times(3, ab)), solid_times(6, bb)), r_const(30));
  const real mixed = r_mul(ab, r_add(r_add(aa, ab), bb));
  const real fourth = r_div(r_add(r_add(solid_square(aa), mixed), solid_square(bb)), r_const(5));

  // the centre at u, and J_x = pi L (r^4/4 + L^2 (r^2 u^2 - u r^2 u))
  const real u = r_div(first, squares), length = solid_times(LAY_PI, L);
  const real along = r_mul(solid_square(L), r_sub(second, r_mul(u, first)));
  const real x = r_mul(length, r_add(solid_times(0.25, fourth), along));
  return (solidMoments){
      .volume = r_mul(length, squares),
      .centre = {none, none, r_mul(L, r_sub(u, r_const(0.5)))},
      .inertia = {x, x, r_mul(length, solid_times(0.5, fourth)), none, none, none}};
}


// a cylinder and two half balls, whose centres are 3/8 r beyond its ends and which have J_x = 83/320 m r^2 about them
static inline solidMoments solid_of_capsule(real r, real L)
{
  const solidMoments rod = solid_of_tube(r, r_const(0), L);
  const real square = solid_square(r), ball = solid_times(4 * LAY_PI / 3, r_mul(square, r));
  const real arm = r_add(solid_times(0.5, L), solid_times(0.375, r));
  const real caps = r_mul(ball, r_add(solid_times(83.0 / 320, square), solid_square(arm)));
  const real x = r_add(rod.inertia.xx, caps);
  return solid_symmetric(r_add(rod.volume, ball), x, x,
                         r_add(rod.inertia.zz, solid_times(0.4, r_mul(ball, square))));
}


// moments of a mesh grow with powers of its scale
static inline solidMoments solid_of_mesh(const meshMoments *m, real scale)
{
  const real third = r_mul(solid_square(scale), scale), fifth = r_mul(third, solid_square(scale));
  const double *I = m->inertia, *c = m->centre;
  const s3 J = {r_const(I[0]), r_const(I[1]), r_const(I[2]),
                r_const(I[3]), r_const(I[4]), r_const(I[5])};
  return (solidMoments){solid_times(m->volume, third),
                        v3_scale(scale, v3_numbers(c[0], c[1], c[2])), solid_scale(fifth, J)};
}


static inline solidMoments lay_shape(const laying *l, const artSolidDef *s, const meshMoments *mesh)
{
  const real r = lay_number(l, &s->radius), L = lay_number(l, &s->length);
  const real two = solid_times(2, r);
  switch (s->type) {
  case ART_SOLID_CYLINDER: return solid_of_tube(r, r_const(0), L);
  case ART_SOLID_TUBE: return solid_of_tube(r, lay_number(l, &s->inner), L);
  case ART_SOLID_CONE: return solid_of_cone(r, lay_number(l, &s->top), L);
  case ART_SOLID_CAPSULE: return solid_of_capsule(r, L);
  case ART_SOLID_SPHERE: return solid_of_size(LAY_PI / 6, (v3){two, two, two}, 20);
  case ART_SOLID_ELLIPSOID: return solid_of_size(LAY_PI / 6, lay_vector(l, s->size), 20);
  case ART_SOLID_MESH: return solid_of_mesh(mesh, lay_number(l, &s->scale));
  default: return solid_of_size(1, lay_vector(l, s->size), 12);
  }
}


// the frame of a solid in the body, with its own z axis
static inline modelPose lay_solid_pose(const laying *l, const artSolidDef *s)
{
  const v3 none = v3_numbers(0, 0, 0);
  const modelPose own = {lay_turned(l, lay_vector(l, s->axis), none), none};
  return lay_neat(l, pose_compose(lay_pose(l, &s->pose), own));
}


static inline solidMoments lay_solid(const laying *l, const laySolids *list, int i)
{
  const solidMoments own = lay_shape(l, &list->solid[i], &list->mesh[i]);
  const modelPose pose = lay_solid_pose(l, &list->solid[i]);
  return (solidMoments){own.volume, v3_add(pose.r, m3_back(pose.R, own.centre)),
                        s3_back(pose.R, own.inertia)};
}


// density of a solid by itself, at the volume that it has without holes; `before`: of the last one that is not a hole
static inline real lay_density(const laying *l, const artSolidDef *s, real volume, real before)
{
  if (s->is_hole) return before;
  if (s->mass > 0) return r_div(lay_number(l, &s->mass), volume);
  return s->density > 0 ? lay_number(l, &s->density) : r_const(1);
}


// c = sum of m_i c_i / m, J = sum of (J_i + m_i (|d|^2 1 - d d^T)) with d = c_i - c; masses of holes are negative
static inline laidInertia lay_solids(const laying *l, const laySolids *list)
{
  v3 first = v3_numbers(0, 0, 0);
  real sum = r_const(0), density = r_const(1);
  for (int i = 0; i < list->n; i++) {
    const solidMoments own = lay_solid(l, list, i);
    density = lay_density(l, &list->solid[i], own.volume, density);
    const real mass = r_mul(list->solid[i].is_hole ? r_neg(density) : density, own.volume);
    sum = r_add(sum, mass);
    first = v3_add(first, v3_scale(mass, own.centre));
  }
  const v3 centre = v3_scale(r_div(r_const(1), sum), first);
  const real whole = *list->mass > 0 ? lay_number(l, list->mass) : sum;
  const real scale = *list->mass > 0 ? r_div(whole, sum) : r_const(1), none = r_const(0);
  s3 J = {none, none, none, none, none, none};
  for (int i = 0; i < list->n; i++) {
    const solidMoments own = lay_solid(l, list, i);
    density = lay_density(l, &list->solid[i], own.volume, density);
    const real factor = r_mul(scale, list->solid[i].is_hole ? r_neg(density) : density);
    const s3 about_own = solid_scale(factor, own.inertia);
    J = s3_add(J, s3_shift(about_own, r_mul(factor, own.volume), v3_sub(own.centre, centre)));
  }
  return (laidInertia){whole, centre, J};
}
