// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass, centre and inertia of solids: shapes against integrals over slices, meshes against closed forms and quadrature,
// parts against the whole, and everything that is not a solid.
#include <stdio.h>
#include <stdlib.h>

#include "articula/articula.h"
#include "base/arena.h"
#include "mesh/mesh.h"
#include "support/check.h"
#include "support/keep.h"

static const double PI = 3.14159265358979323846;


static artSolidInertia weigh(int n, const artSolidDef *solid, double mass)
{
  artSolidInertia out;
  CHECK_WORKS(art_solid_inertia(n, solid, mass, &out, &check_error));
  return out;
}


static void refuse(int n, const artSolidDef *solid, double mass, const char *words)
{
  artSolidInertia out;
  CHECK_FAILS(art_solid_inertia(n, solid, mass, &out, &check_error), ART_BAD_INPUT, words);
  CHECK(out.mass == 0);
}


static void check_equal(const artSolidInertia *a, const artSolidInertia *b, double tol)
{
  const double size = sqrt((b->inertia[0] + b->inertia[1] + b->inertia[2]) / b->mass);
  CHECK_CLOSE_REL(a->volume, b->volume, tol);
  CHECK_CLOSE_REL(a->mass, b->mass, tol);
  CHECK_NEAR(a->com, b->com, 3, tol * size);
  CHECK_NEAR(a->inertia, b->inertia, 6, tol * b->mass * size * size);
}


// a solid of density 1
static artSolidDef solid_of(artSolidType type)
{
  artSolidDef s = art_default_solid();
  s.type = type;
  s.density = 1;
  return s;
}


static artSolidDef box_of(double a, double b, double c)
{
  artSolidDef s = solid_of(ART_SOLID_BOX);
  s.size[0] = a, s.size[1] = b, s.size[2] = c;
  return s;
}


static artSolidDef round_of(artSolidType type, double radius, double length)
{
  artSolidDef s = solid_of(type);
  s.radius = radius, s.length = length;
  return s;
}


static artSolidDef at(artSolidDef s, double x, double y, double z)
{
  s.pose.position[0] = x, s.pose.position[1] = y, s.pose.position[2] = z;
  return s;
}


static artSolidDef hole(artSolidDef s)
{
  s.density = 0, s.is_hole = 1;
  return s;
}


//---- shapes --------------------------------------------------------------------------------------

// the radius, and that of the bore, at a height
static void outline(const artSolidDef *s, double z, double *outer, double *inner)
{
  const double u = z / s->length + 0.5, beyond = check_larger(0, fabs(z) - s->length / 2);
  *inner = s->type == ART_SOLID_TUBE ? s->inner : 0;
  *outer = s->radius;
  if (s->type == ART_SOLID_CONE) *outer = s->radius * (1 - u) + s->top * u;
  if (s->type == ART_SOLID_SPHERE) *outer = sqrt(s->radius * s->radius - z * z);
  if (s->type == ART_SOLID_CAPSULE) *outer = sqrt(s->radius * s->radius - beyond * beyond);
}


// discs dz thick: dV = pi r^2 dz, dJ_z = r^2/2 dV, dJ_x = (r^2/4 + z^2) dV; by the midpoints of many
static artSolidInertia slice(const artSolidDef *s, double half)
{
  enum { SLICES = 400000 };
  artSolidInertia sum = {0};
  for (int i = 0; i < SLICES; i++) {
    const double z = half * (2 * (i + 0.5) / SLICES - 1);
    double R, r;
    outline(s, z, &R, &r);
    const double dV = PI * (R * R - r * r) * 2 * half / SLICES, squares = R * R + r * r;
    sum.volume += dV;
    sum.com[2] += z * dV;
    sum.inertia[0] += (squares / 4 + z * z) * dV;
    sum.inertia[2] += squares / 2 * dV;
  }
  sum.mass = sum.volume;
  sum.com[2] /= sum.mass;
  sum.inertia[0] -= sum.mass * sum.com[2] * sum.com[2];
  sum.inertia[1] = sum.inertia[0];
  return sum;
}


TEST(round_shapes_have_the_moments_of_their_slices)
{
  artSolidDef all[] = {round_of(ART_SOLID_CYLINDER, 0.3, 1.2), round_of(ART_SOLID_TUBE, 0.4, 0.9),
                       round_of(ART_SOLID_CONE, 0.5, 1.1),     round_of(ART_SOLID_CONE, 0.2, 0.7),
                       round_of(ART_SOLID_CAPSULE, 0.25, 0.8), round_of(ART_SOLID_SPHERE, 0.6, 1)};
  all[1].inner = 0.3;
  all[3].top = 0.35;
  for (int i = 0; i < 6; i++) {
    double half = all[i].length / 2;
    if (all[i].type == ART_SOLID_CAPSULE) half += all[i].radius;
    if (all[i].type == ART_SOLID_SPHERE) half = all[i].radius;
    const artSolidInertia got = weigh(1, &all[i], 0), want = slice(&all[i], half);
    check_equal(&got, &want, 1e-7);
  }
}


TEST(boxes_and_ellipsoids_have_the_moments_of_the_textbook)
{
  artSolidDef s = box_of(1, 2, 3);
  s.density = 100;
  const artSolidInertia box = weigh(1, &s, 0);
  const double of_box[6] = {600 * 13.0 / 12, 600 * 10.0 / 12, 600 * 5.0 / 12, 0, 0, 0};
  CHECK_CLOSE_REL(box.mass, 600, 1e-14);
  CHECK_REL(box.inertia, of_box, 3, 1e-14);
  CHECK_NEAR(box.inertia + 3, of_box + 3, 3, 0);

  // m (b^2 + c^2)/5 with half axes
  s.type = ART_SOLID_ELLIPSOID;
  const artSolidInertia round = weigh(1, &s, 0);
  const double m = 100 * 4 * PI / 3 * 0.5 * 1 * 1.5;
  const double of_round[3] = {m * 3.25 / 5, m * 2.5 / 5, m * 1.25 / 5};
  CHECK_CLOSE_REL(round.mass, m, 1e-14);
  CHECK_REL(round.inertia, of_round, 3, 1e-14);
}


TEST(an_axis_is_an_orientation_and_turns_the_tensor)
{
  artSolidDef along = round_of(ART_SOLID_CONE, 0.2, 0.7), turned = along;
  along.axis[0] = 2, along.axis[2] = 0;
  turned.pose.rotation[0] = turned.pose.rotation[2] = 5; // 90 degrees about y: z becomes x
  const artSolidInertia a = weigh(1, &along, 0), b = weigh(1, &turned, 0);
  check_equal(&a, &b, 1e-14);
  CHECK(a.com[0] < -0.1);

  // J = R diag R^T about z by an angle, with Ixy = -integral of x y
  artSolidDef box = box_of(1, 2, 3);
  const double angle = 0.3, c = cos(angle), s = sin(angle);
  box.pose.rotation[0] = cos(angle / 2), box.pose.rotation[3] = sin(angle / 2);
  const artSolidInertia got = weigh(1, &box, 0);
  const double A = 6.5, B = 5, C = 2.5;
  const double want[6] = {c * c * A + s * s * B, s * s * A + c * c * B, C, c * s * (A - B), 0, 0};
  CHECK_NEAR(got.inertia, want, 6, 1e-14 * A);
}


//---- parts and the whole -------------------------------------------------------------------------

TEST(parts_weigh_what_the_whole_weighs)
{
  const artSolidDef whole = at(box_of(1, 2, 3), 0.5, -0.2, 4);
  const artSolidDef parts[] = {at(box_of(0.25, 2, 3), 0.125, -0.2, 4),
                               at(box_of(0.75, 0.5, 3), 0.625, -0.95, 4),
                               at(box_of(0.75, 1.5, 3), 0.625, 0.05, 4)};
  const artSolidInertia a = weigh(3, parts, 0), b = weigh(1, &whole, 0);
  check_equal(&a, &b, 1e-14);
}


TEST(a_hole_takes_away_what_a_tube_or_a_frustum_lacks)
{
  artSolidDef tube = round_of(ART_SOLID_TUBE, 0.4, 0.9);
  tube.inner = 0.3;
  const artSolidDef drilled[] = {round_of(ART_SOLID_CYLINDER, 0.4, 0.9),
                                 hole(round_of(ART_SOLID_CYLINDER, 0.3, 0.9))};
  const artSolidInertia a = weigh(1, &tube, 0), b = weigh(2, drilled, 0);
  check_equal(&a, &b, 1e-14);

  // a cone of twice the length without its upper half
  artSolidDef frustum = at(round_of(ART_SOLID_CONE, 0.4, 0.5), 0, 0, 0.25);
  frustum.top = 0.2;
  const artSolidDef cut[] = {at(round_of(ART_SOLID_CONE, 0.4, 1), 0, 0, 0.5),
                             hole(at(round_of(ART_SOLID_CONE, 0.2, 0.5), 0, 0, 0.75))};
  const artSolidInertia c = weigh(1, &frustum, 0), d = weigh(2, cut, 0);
  check_equal(&c, &d, 1e-14);
}


TEST(the_mass_of_the_whole_scales_densities)
{
  artSolidDef parts[] = {box_of(1, 1, 1), at(box_of(1, 1, 1), 2, 0, 0),
                         hole(at(box_of(0.5, 0.5, 0.5), 2, 0, 0))};
  parts[1].density = 8;
  const artSolidInertia plain = weigh(3, parts, 0), scaled = weigh(3, parts, 4);
  CHECK_CLOSE_REL(plain.mass, 1 + 8 - 1, 1e-14);
  CHECK_CLOSE_REL(plain.com[0], 2 * 7 / 8.0, 1e-14);
  CHECK(scaled.mass == 4);
  CHECK_NEAR(scaled.com, plain.com, 3, 1e-14);
  for (int k = 0; k < 6; k++) CHECK_CLOSE(scaled.inertia[k], plain.inertia[k] / 2, 1e-13);

  // without densities all are equal; a mass of its own is a density
  artSolidDef even[] = {box_of(1, 1, 1), at(box_of(1, 1, 3), 2, 0, 0)};
  even[0].density = even[1].density = 0;
  CHECK_CLOSE_REL(weigh(2, even, 8).com[0], 1.5, 1e-14);
  even[0].mass = 3, even[1].mass = 1;
  CHECK_CLOSE_REL(weigh(2, even, 0).com[0], 0.5, 1e-14);
  CHECK_CLOSE_REL(weigh(2, even, 0).mass, 4, 1e-14);
}


//---- meshes --------------------------------------------------------------------------------------

enum { MOST = 40000 };

typedef struct surface {
  int nvertex, ntriangle;
  double vertex[3 * MOST];
  int triangle[3 * MOST];
} surface;

// corners of a box by the bits of their number
static const int box_triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                     2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};


static void add_box(surface *s, const double low[3], const double high[3], int is_void)
{
  for (int k = 0; k < 36; k++) {
    const int corner = is_void ? box_triangle[k / 3 * 3 + 2 - k % 3] : box_triangle[k];
    s->triangle[3 * s->ntriangle + k] = s->nvertex + corner;
  }
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) {
      s->vertex[3 * (s->nvertex + i) + k] = i >> k & 1 ? high[k] : low[k];
    }
  }
  s->nvertex += 8;
  s->ntriangle += 12;
}


static artSolidDef mesh_of(const surface *s)
{
  artSolidDef mesh = solid_of(ART_SOLID_MESH);
  mesh.nvertex = s->nvertex, mesh.vertex = s->vertex;
  mesh.ntriangle = s->ntriangle, mesh.triangle = s->triangle;
  return mesh;
}


TEST(the_mesh_of_a_box_is_the_box_wherever_it_stands)
{
  static surface s;
  for (int far = 0; far < 2; far++) {
    const double a = far ? 1000 : 0, low[3] = {a, -1, 2}, high[3] = {a + 1, 1, 5};
    s.nvertex = s.ntriangle = 0;
    add_box(&s, low, high, 0);
    const artSolidDef mesh = mesh_of(&s), box = at(box_of(1, 2, 3), a + 0.5, 0, 3.5);
    const artSolidInertia got = weigh(1, &mesh, 0), want = weigh(1, &box, 0);
    check_equal(&got, &want, far ? 1e-12 : 1e-14);
    CHECK_EQ_INT(got.turned, 0);
  }
}


TEST(a_mesh_takes_scale_pose_and_the_turn_of_its_triangles)
{
  static surface s;
  const double low[3] = {0, 0, 0}, high[3] = {100, 200, 300};
  s.nvertex = s.ntriangle = 0;
  add_box(&s, low, high, 1); // inside out
  artSolidDef mesh = at(mesh_of(&s), 1, 2, 3);
  mesh.scale = 0.001;
  mesh.pose.rotation[0] = mesh.pose.rotation[3] = 1; // 90 degrees about z
  const artSolidDef box = at(box_of(0.2, 0.1, 0.3), 0.9, 2.05, 3.15);
  const artSolidInertia got = weigh(1, &mesh, 0), want = weigh(1, &box, 0);
  check_equal(&got, &want, 1e-13);
  CHECK_EQ_INT(got.turned, 1);
}


TEST(a_void_in_a_mesh_is_a_hole)
{
  static surface s;
  const double low[3] = {0, 0, 0}, high[3] = {1, 2, 3}, in[3] = {0.2, 0.3, 0.4},
               out[3] = {0.7, 1.3, 2.4};
  s.nvertex = s.ntriangle = 0;
  add_box(&s, low, high, 0);
  add_box(&s, in, out, 1);
  const artSolidDef mesh = mesh_of(&s);
  const artSolidDef drilled[] = {at(box_of(1, 2, 3), 0.5, 1, 1.5),
                                 hole(at(box_of(0.5, 1, 2), 0.45, 0.8, 1.4))};
  const artSolidInertia got = weigh(1, &mesh, 0), want = weigh(2, drilled, 0);
  check_equal(&got, &want, 1e-14);
}


TEST(random_tetrahedra_agree_with_quadrature)
{
  static surface s;
  static const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const double near = (5 + 3 * sqrt(5)) / 20, far = (5 - sqrt(5)) / 20; // exact for squares
  uint64_t seed = 5;
  for (int trial = 0; trial < 50; trial++) {
    double edge[3][3], sum[6] = {0}, com[3] = {0};
    s.nvertex = s.ntriangle = 4;
    for (int k = 0; k < 12; k++)
      s.vertex[k] = check_uniform(&seed, -1, 1), s.triangle[k] = faces[k];
    for (int i = 0; i < 9; i++) edge[i / 3][i % 3] = s.vertex[3 + i] - s.vertex[i % 3];
    double det = 0;
    for (int k = 0; k < 3; k++) {
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      det += edge[0][k] * (edge[1][p] * edge[2][q] - edge[1][q] * edge[2][p]);
    }
    const double volume = fabs(det) / 6;
    for (int k = 0; k < 12; k++) com[k % 3] += s.vertex[k] / 4;
    for (int i = 0; i < 4; i++) {
      double x[3];
      for (int k = 0; k < 3; k++) {
        x[k] = 4 * far * com[k] + (near - far) * s.vertex[3 * i + k] - com[k];
      }
      for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        sum[k] += volume / 4 * (x[p] * x[p] + x[q] * x[q]);
        sum[5 - k] -= volume / 4 * x[p] * x[q];
      }
    }
    const artSolidDef mesh = mesh_of(&s);
    const artSolidInertia got = weigh(1, &mesh, 0);
    CHECK_CLOSE_REL(got.volume, volume, 1e-12);
    CHECK_NEAR(got.com, com, 3, 1e-13);
    CHECK_NEAR(got.inertia, sum, 6, 1e-13 * (1 + volume));
    CHECK_EQ_INT(got.turned, det < 0);
  }
}


static int middle_of(surface *s, int a, int b)
{
  double p[3], norm = 0;
  for (int k = 0; k < 3; k++) {
    p[k] = s->vertex[3 * a + k] + s->vertex[3 * b + k];
    norm += p[k] * p[k];
  }
  for (int k = 0; k < 3; k++) p[k] /= sqrt(norm);
  for (int i = 0; i < s->nvertex; i++) {
    const double *q = &s->vertex[3 * i];
    if (fabs(q[0] - p[0]) + fabs(q[1] - p[1]) + fabs(q[2] - p[2]) < 1e-9) return i;
  }
  memcpy(&s->vertex[3 * s->nvertex], p, sizeof p);
  return s->nvertex++;
}


// every triangle into four, new corners on the unit sphere
static void refine(surface *s)
{
  const int n = s->ntriangle;
  for (int t = 0; t < n; t++) {
    int *own = &s->triangle[3 * t], mid[3];
    for (int k = 0; k < 3; k++) mid[k] = middle_of(s, own[k], own[(k + 1) % 3]);
    const int add[9] = {own[0], mid[0], mid[2], mid[0], own[1], mid[1], mid[2], mid[1], own[2]};
    memcpy(&s->triangle[3 * s->ntriangle], add, sizeof add);
    memcpy(own, mid, sizeof mid);
    s->ntriangle += 3;
  }
}


// vertices on the unit sphere
static void make_icosahedron(surface *s)
{
  static const int faces[60] = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                                4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                                6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
  const double g = (1 + sqrt(5)) / 2, norm = sqrt(1 + g * g), one = 1 / norm, phi = g / norm;
  const double corner[36] = {-one, phi,  0,    one, phi, 0,   -one, -phi, 0,    one,  -phi, 0,
                             0,    -one, phi,  0,   one, phi, 0,    -one, -phi, 0,    one,  -phi,
                             phi,  0,    -one, phi, 0,   one, -phi, 0,    -one, -phi, 0,    one};
  memcpy(s->vertex, corner, sizeof corner);
  memcpy(s->triangle, faces, sizeof faces);
  s->nvertex = 12, s->ntriangle = 20;
}


TEST(an_icosahedron_is_exact_and_finer_meshes_tend_to_the_ball_by_second_order)
{
  static surface s;
  make_icosahedron(&s);
  artSolidDef mesh = mesh_of(&s);
  const double g = (1 + sqrt(5)) / 2, edge = 2 / sqrt(1 + g * g);
  const artSolidInertia solid = weigh(1, &mesh, 0);
  const double volume = 5.0 / 12 * (3 + sqrt(5)) * edge * edge * edge;
  const double moment = volume * g * g * edge * edge / 10;
  const double want[6] = {moment, moment, moment, 0, 0, 0};
  CHECK_CLOSE_REL(solid.volume, volume, 1e-14);
  CHECK_NEAR(solid.inertia, want, 6, 1e-14);

  const artSolidDef unit = round_of(ART_SOLID_SPHERE, 1, 0);
  const artSolidInertia ball = weigh(1, &unit, 0);
  double before = 0;
  for (int level = 0; level < 5; level++) {
    const artSolidInertia now = weigh(1, &mesh, 0);
    const double error = 1 - now.inertia[0] / ball.inertia[0];
    if (level > 2) CHECK(before / error > 3.7 && before / error < 4.1);
    before = error;
    refine(&s);
    mesh = mesh_of(&s);
  }
  CHECK(before < 0.01);
}


//---- files ---------------------------------------------------------------------------------------

static const double unit_low[3] = {0, 0, 0}, unit_high[3] = {0.1, 0.2, 0.3};


static artSolidInertia weigh_text(const char *name, const char *text, size_t n, int nvertex)
{
  baseArena arena = {0};
  modelMesh own;
  CHECK_WORKS(mesh_parse(&own, text, n, name, (artPlace){0}, &arena, &check_error));
  CHECK_EQ_INT(own.nvertex, nvertex);
  artSolidDef mesh = solid_of(ART_SOLID_MESH);
  mesh.nvertex = own.nvertex, mesh.vertex = own.vertex;
  mesh.ntriangle = own.ntriangle, mesh.triangle = own.triangle;
  const artSolidInertia out = weigh(1, &mesh, 0);
  arena_free(&arena);
  return out;
}


TEST(stl_and_obj_files_of_a_box_are_the_box)
{
  static surface s;
  char text[8192], binary[84 + 50 * 12] = {0};
  size_t n = 0;
  s.nvertex = s.ntriangle = 0;
  add_box(&s, unit_low, unit_high, 0);
  const artSolidDef box = at(box_of(0.1, 0.2, 0.3), 0.05, 0.1, 0.15);
  const artSolidInertia want = weigh(1, &box, 0);

  n = (size_t) snprintf(text, sizeof text, "solid a\n");
  binary[80] = 12;
  for (int i = 0; i < 36; i++) {
    const double *p = &s.vertex[3 * s.triangle[i]];
    const float single[3] = {(float) p[0], (float) p[1], (float) p[2]};
    n += (size_t) snprintf(text + n, sizeof text - n, "vertex %.17g %.17g %.17g\n", p[0], p[1],
                           p[2]);
    memcpy(binary + 84 + 50 * (i / 3) + 12 * (i % 3 + 1), single, sizeof single);
  }
  artSolidInertia got = weigh_text("a.stl", text, n, 8);
  check_equal(&got, &want, 1e-14);
  got = weigh_text("b.stl", binary, sizeof binary, 8);
  check_equal(&got, &want, 1e-7);

  // corners of OBJ files may be listed for every face
  n = 0;
  for (int i = 0; i < 36; i++) {
    const double *p = &s.vertex[3 * s.triangle[i]];
    n += (size_t) snprintf(text + n, sizeof text - n, "v %.17g %.17g %.17g\n", p[0], p[1], p[2]);
    if (i % 3 == 2) n += (size_t) snprintf(text + n, sizeof text - n, "f -3 -2 -1\n");
  }
  got = weigh_text("c.obj", text, n, 8);
  check_equal(&got, &want, 1e-14);
}


//---- no solids -----------------------------------------------------------------------------------

TEST(surfaces_that_bound_nothing_are_refused)
{
  static surface s;
  const double other_low[3] = {2, 0, 0}, other_high[3] = {3, 1, 1};
  const double in[3] = {0.02, 0.02, 0.02}, out[3] = {0.05, 0.05, 0.05};
  s.nvertex = s.ntriangle = 0;
  add_box(&s, unit_low, unit_high, 0);
  artSolidDef mesh = mesh_of(&s);
  mesh.file = "a.stl";
  mesh.ntriangle = 11;
  refuse(1, &mesh, 0,
         "mesh 'a.stl' is not closed: 3 of its 18 edges belong to one triangle alone, the first "
         "between (0.1, 0.2, 0) and (0.1, 0, 0.3)");

  mesh.ntriangle = 12;
  s.triangle[0] = 2, s.triangle[1] = 0;
  refuse(1, &mesh, 0, "is twisted along 3 of its 18 edges");

  // all flat
  s.triangle[0] = 0, s.triangle[1] = 2;
  for (int i = 0; i < 8; i++) s.vertex[3 * i + 2] = 0;
  refuse(1, &mesh, 0, "encloses no volume");

  // two shells side by side, one of them turned; then one inside of the other, both wound alike
  s.nvertex = s.ntriangle = 0;
  add_box(&s, other_low, other_high, 0);
  add_box(&s, unit_low, unit_high, 1);
  mesh = mesh_of(&s);
  refuse(1, &mesh, 0, "has a shell at (0.1, 0, 0) that is inside out");
  s.nvertex = s.ntriangle = 0;
  add_box(&s, unit_low, unit_high, 0);
  add_box(&s, in, out, 0);
  mesh = mesh_of(&s);
  refuse(1, &mesh, 0, "has a shell at (0.02, 0.02, 0.02) that lies inside another");

  // side by side both count
  s.nvertex = s.ntriangle = 0;
  add_box(&s, other_low, other_high, 0);
  add_box(&s, unit_low, unit_high, 0);
  mesh = mesh_of(&s);
  CHECK_CLOSE_REL(weigh(1, &mesh, 0).volume, 1.006, 1e-14);
  s.triangle[4] = 16;
  refuse(1, &mesh, 0, "has the vertex 16, of which there are 16");
}


TEST(holes_stay_inside_of_their_solid)
{
  artSolidDef plate[] = {box_of(1, 1, 0.1), hole(round_of(ART_SOLID_CYLINDER, 0.2, 0.1))};
  CHECK_CLOSE_REL(weigh(2, plate, 0).volume, 0.1 - PI * 0.04 * 0.1, 1e-13);
  plate[1].length = 0.2;
  refuse(2, plate, 0, "the hole reaches 0.05 m beyond the box that it is in");
  plate[1].length = 0.1;
  plate[1].pose.position[1] = 0.4;
  refuse(2, plate, 0, "the hole reaches 0.1 m beyond the box that it is in");
  refuse(1, &plate[1], 0, "a hole comes before all solids");

  // on the rim of a disc, in a direction between the axes
  artSolidDef disc[] = {round_of(ART_SOLID_CYLINDER, 1, 0.1),
                        hole(round_of(ART_SOLID_CYLINDER, 0.2, 0.1))};
  disc[1].pose.position[0] = 0.9 * cos(1), disc[1].pose.position[1] = 0.9 * sin(1);
  refuse(2, disc, 0, "beyond the cylinder");
}


TEST(masses_and_densities_are_given_once)
{
  artSolidDef s[] = {box_of(1, 1, 1), box_of(1, 1, 1)};
  s[1].density = 0;
  refuse(2, s, 0, "neither 'density' nor 'mass'");
  refuse(2, s, 3, "this solid has no density, unlike solid 1");
  s[1].mass = 2;
  refuse(2, s, 3, "this solid has a mass, and so has the whole");
  s[1].density = 2;
  refuse(2, s, 0, "'density' and 'mass' exclude each other");
  s[1].is_hole = 1, s[1].mass = 0;
  refuse(2, s, 0, "a hole has the density of the solid before it");
  s[1].density = 0;
  refuse(2, s, 0, "the solids have the mass 0 kg");
  s[0] = round_of(ART_SOLID_TUBE, 1, 1);
  s[0].inner = 1;
  refuse(1, s, 0, "'inner' is 1, expected less than the radius 1");
  s[0] = box_of(1e150, 1e150, 1e150);
  refuse(1, s, 0, "a finite number is wanted");
}


//---- bodies --------------------------------------------------------------------------------------

TEST(a_body_of_solids_moves_as_one_with_their_inertia)
{
  const artModel *of_solid = keep_file("test/models/good/solid.yaml");
  artBodyPart part;
  CHECK(art_get_body(of_solid, 1, &part));
  const artModel *of_numbers = keep_text_of(
      "articula: 1\nbodies: {arm: {mass: %.17g, com: [%.17g, %.17g, %.17g], inertia: [%.17g, "
      "%.17g, %.17g, %.17g, %.17g, %.17g]}}\n"
      "joints: {pin: {type: spherical, from: ground, to: arm}}\n",
      part.mass, part.com[0], part.com[1], part.com[2], part.inertia[0], part.inertia[1],
      part.inertia[2], part.inertia[3], part.inertia[4], part.inertia[5]);
  const artModel *both[2] = {of_solid, of_numbers};
  double a[2][3];
  for (int i = 0; i < 2; i++) {
    artData *d = keep_fresh_data(both[i]);
    for (int k = 0; k < 3; k++) d->v[k] = k + 1;
    CHECK(art_accelerate(both[i], d, ART_AUTOMATIC, NULL) == ART_OK);
    memcpy(a[i], d->a, sizeof a[i]);
  }
  CHECK_NEAR(a[0], a[1], 3, 0);
  CHECK(part.mass > 0);

  // drawn by its solids, holes left out
  int body, n = 0;
  while (art_get_visual(of_solid, n, &body)) n++;
  CHECK_EQ_INT(n, 8);
  CHECK(!art_get_visual(of_numbers, 0, &body));
}
