// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shapes of surfaces against closed forms: distances, the ellipsoid that rocks, the disc on a circle, the rattleback.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81, PI = 3.14159265358979323846;

//---- distances -----------------------------------------------------------------------------------

// a surface on ground, and a sphere or plane on a free body
static const artModel *pair_model(const char *shape, const char *other)
{
  return keep_text_of("articula: 1\n"
                      "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                      "joints: {f: {type: free, from: ground, to: b}}\n"
                      "surfaces:\n"
                      "  shape: {body: b, position: [0.1, -0.2, 0.3], %s}\n"
                      "  other: {body: ground, %s}\n"
                      "forces: {touch: {type: contact, between: [shape, other], stiffness: 1}}\n"
                      "outputs:\n"
                      "  gap: touch.gap\n"
                      "  nx: touch.nx\n  ny: touch.ny\n  nz: touch.nz\n"
                      "  x: touch.x\n  y: touch.y\n  z: touch.z\n",
                      shape, other);
}


// Put the sphere on ground, of radius 0.03, at the point (off, 0, z) turned about z, in axes of the shape.
static void place_sphere(const artModel *m, artData *d, double off, double z, double turn)
{
  const double q[4] = {0.5, 0.1, -0.7, sqrt(1 - 0.25 - 0.01 - 0.49)};
  const double p[3] = {0.1 + off * cos(turn), -0.2 + off * sin(turn), 0.3 + z};
  double R[3][3];
  const double w = q[0], x = q[1], y = q[2], u = q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + u * u), 2 * (x * y - w * u), 2 * (x * u + w * y)},
                             {2 * (x * y + w * u), 1 - 2 * (x * x + u * u), 2 * (y * u - w * x)},
                             {2 * (x * u - w * y), 2 * (y * u + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(R, rows, sizeof R);
  for (int i = 0; i < 3; i++) {
    d->q[i] = -(R[i][0] * p[0] + R[i][1] * p[1] + R[i][2] * p[2]);
  }
  memcpy(d->q + 3, q, sizeof q);
  art_update(m, d);
}


// the least distance of a point (off, z) from points of a meridian
static double nearest(int n, const double (*edge)[2], double off, double z)
{
  enum { PIECES = 20000 };
  double least = INFINITY;
  for (int k = 0; k + 1 < n; k++) {
    for (int i = 0; i <= PIECES; i++) {
      const double s = (double) i / PIECES;
      const double r = edge[k][0] + s * (edge[k + 1][0] - edge[k][0]);
      const double h = edge[k][1] + s * (edge[k + 1][1] - edge[k][1]);
      least = fmin(least, hypot(off - r, z - h));
    }
  }
  return least;
}


static void check_meridian(const char *shape, double radius, double top, double length)
{
  const artModel *m = pair_model(shape, "type: sphere, radius: 0.03");
  artData *d = keep_fresh_data(m);
  const double h = 0.5 * length;
  const double edge[4][2] = {{0, -h}, {radius, -h}, {top, h}, {0, h}};
  for (int i = 0; i < 60; i++) {
    const double off = 0.01 + 0.5 * fabs(sin(3.7 * i)), z = 0.5 * sin(1.3 * i + 0.2);
    const double inside = (top - radius) * (z + h) / length + radius - off;
    const int is_in = inside > 0 && fabs(z) < h;
    place_sphere(m, d, off, z, i);
    const double distance = (is_in ? -1 : 1) * nearest(4, edge, off, z);
    if (!CHECK_CLOSE(output_named(m, d, "gap"), distance - 0.03, 2e-7))
      printf("  %s at %g, %g\n", shape, off, z);

    // the normal leads to the sphere, and the point is in the middle of the overlap
    const double n[3] = {output_named(m, d, "nx"), output_named(m, d, "ny"),
                         output_named(m, d, "nz")};
    const double at[3] = {output_named(m, d, "x"), output_named(m, d, "y"),
                          output_named(m, d, "z")};
    const double reach = 0.03 + 0.5 * output_named(m, d, "gap");
    for (int k = 0; k < 3; k++) CHECK(fabs(at[k] + reach * n[k]) < 1e-12);
  }
}


TEST(spheres_touch_cylinders_and_cones_at_their_nearest_point)
{
  check_meridian("type: cylinder, radius: 0.2, length: 0.3", 0.2, 0.2, 0.3);
  check_meridian("type: cone, radius: 0.25, length: 0.3", 0.25, 0, 0.3);
  check_meridian("type: cone, radius: 0.1, top: 0.3, length: 0.2", 0.1, 0.3, 0.2);
}


TEST(spheres_touch_tori_at_their_nearest_point)
{
  const artModel *m =
      pair_model("type: torus, radius: 0.3, tube: 0.05", "type: sphere, radius: 0.03");
  artData *d = keep_fresh_data(m);
  for (int i = 0; i < 40; i++) {
    const double off = i == 0 ? 0 : 0.5 * fabs(sin(3.7 * i)), z = 0.4 * sin(1.3 * i + 0.2);
    place_sphere(m, d, off, z, i);
    CHECK_CLOSE(output_named(m, d, "gap"), hypot(off - 0.3, z) - 0.08, 1e-13);
  }
}


// turned about y by an angle, with the centre at (0, 0, 1)
static double gap_of(const artModel *m, double angle, const char *name)
{
  artData *d = keep_fresh_data(m);
  const double q[7] = {0, 0, 1, cos(0.5 * angle), 0, sin(0.5 * angle), 0};
  memcpy(d->q, q, sizeof q);
  art_update(m, d);
  return output_named(m, d, name);
}


TEST(planes_touch_ellipsoids_tori_and_cones_at_their_lowest_points)
{
  static const char text[] =
      "articula: 1\n"
      "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {f: {type: free, from: ground, to: b}}\n"
      "surfaces: {floor: {type: plane, body: ground}, shape: {body: b, %s}}\n"
      "forces: {touch: {type: contact, between: [floor, shape], "
      "stiffness: 1}}\n"
      "outputs: {gap: \"= '%s'.gap\", x: \"= '%s'.x\"}\n";
  const artModel *egg =
      keep_text_of(text, "type: ellipsoid, size: [0.6, 0.4, 0.2]", "touch", "touch");
  const artModel *wheel =
      keep_text_of(text, "type: torus, radius: 0.3, tube: 0.05", "touch", "touch");
  const char *const cone = "type: cone, radius: 0.3, top: 0.1, length: 0.4";
  const artModel *lower = keep_text_of(text, cone, "touch/1", "touch/1");
  const artModel *upper = keep_text_of(text, cone, "touch/2", "touch/2");
  for (int i = 0; i <= 20; i++) {
    const double a = 0.15 * i, s = sin(a), c = cos(a), support = hypot(0.3 * s, 0.1 * c);
    CHECK_CLOSE(gap_of(egg, a, "gap"), 1 - support, 1e-14);
    CHECK(fabs(gap_of(egg, a, "x") - (0.09 - 0.01) * s * c / support) < 1e-14);
    // rims are rounded by r e^2/(2 s)
    CHECK_CLOSE(gap_of(wheel, a, "gap"), 1 - 0.3 * fabs(s) - 0.05, 1.2e-6);
    CHECK_CLOSE(gap_of(lower, a, "gap"), 1 - 0.2 * c - 0.3 * fabs(s), 1.2e-6);
    CHECK_CLOSE(gap_of(upper, a, "gap"), 1 + 0.2 * c - 0.1 * fabs(s), 1.2e-6);
  }
}


//---- shapes of solids and visuals ----------------------------------------------------------------

// Surfaces have shape, place and orientation of their solids and visuals, also when parameters change.
TEST(surfaces_take_shapes_of_solids_and_visuals)
{
  artModel *m = keep_text(
      "articula: 1\n"
      "parameters: {r: 0.1 m, tip: 0 deg}\n"
      "bodies:\n"
      "  can: {solid: {type: cylinder, radius: = r, length: 0.1, density: 1000, position: [0, 0, "
      "= r/5], orientation: {axis: x, angle: = tip}}}\n"
      "  log: {solid: [{type: box, size: [0.1, 0.2, 0.3], density: 500}, {type: cone, axis: x, "
      "radius: 0.1, length: 0.2, density: 500}]}\n"
      "  pea: {mass: 1, inertia: [1, 1, 1], visual: {type: sphere, radius: = r/2, position: [0, 0, "
      "0.1]}}\n"
      "joints: {f1: {type: free, from: ground, to: can}, f2: {type: free, from: ground, to: log}, "
      "f3: {type: free, from: ground, to: pea}}\n"
      "surfaces:\n"
      "  floor: {type: plane, body: ground}\n"
      "  ends: {type: solid, body: can}\n"
      "  hat: {type: solid, body: log, number: 2}\n"
      "  dot: {type: visual, body: pea}\n"
      "forces:\n"
      "  a: {type: contact, between: [floor, ends], stiffness: 1e5}\n"
      "  b: {type: contact, between: [floor, hat], stiffness: 1e5}\n"
      "  c: {type: contact, between: [floor, dot], stiffness: 1e5}\n"
      "initial: {f1: {z: 1}, f2: {z: 1}, f3: {z: 1}}\n"
      "outputs: {a: \"= 'a/1'.gap\", lower: \"= 'b/1'.gap\", upper: \"= 'b/2'.gap\", c: c.gap}\n");
  artData *d = keep_assembled_data(m);
  CHECK_CLOSE(output_named(m, d, "a"), 1 + 0.02 - 0.05, 1e-14);
  CHECK_CLOSE(output_named(m, d, "lower"), 1 - 0.1, 1e-6);
  CHECK_CLOSE(output_named(m, d, "upper"), 1, 1e-6);
  CHECK_CLOSE(output_named(m, d, "c"), 1 + 0.1 - 0.05, 1e-14);
  CHECK_WORKS(art_set_parameter(m, "r", 0.2, &check_error));
  CHECK_WORKS(art_set_parameter(m, "tip", 0.5 * PI, &check_error));
  d = keep_assembled_data(m);
  CHECK_CLOSE(output_named(m, d, "a"), 1 + 0.04 - 0.2, 1e-6);
  CHECK_CLOSE(output_named(m, d, "c"), 1 + 0.1 - 0.1, 1e-14);
}


//---- motions -------------------------------------------------------------------------------------

static artRun *start(const artModel *m, artData **d, double until)
{
  artRunDef study = art_default_run();
  study.until = until;
  study.tolerance = 1e-10;
  *d = keep_fresh_data(m);
  return keep_started_run(m, *d, &study);
}


// Small rocking about the short axis c, rolling: w^2 = m g (a^2/c - c)/(I + m c^2). Without damping the centre has the height
// of the support function, and energy goes nowhere.
TEST(an_ellipsoid_rocks_by_the_radius_of_its_curvature)
{
  const artModel *m =
      keep_text("articula: 1\n"
                "bodies: {egg: {mass: 2, inertia: [0.02, 0.03, 0.04]}}\n"
                "joints: {fly: {type: free, from: ground, to: egg}}\n"
                "surfaces:\n"
                "  floor: {type: plane, body: ground}\n"
                "  skin: {type: ellipsoid, body: egg, size: [0.6, 0.4, 0.4]}\n"
                "forces: {touch: {type: contact, between: [floor, skin], stiffness: 1e7, "
                "friction: 1}}\n"
                "initial: {fly: {z: \"= 0.2[m] - 2*9.81/1e7*1[m]\", vx: 0.002, wy: 0.01}}\n"
                "outputs: {turn: = fly.wy, height: touch.z, energy: = energy.total + "
                "touch.stored, gap: touch.gap}\n");
  const double a = 0.3, c = 0.2, w = sqrt(2 * G * (a * a / c - c) / (0.03 + 2 * c * c));
  const double period = 2 * PI / w;
  artData *d;
  artRun *run = start(m, &d, 3 * period);
  const double energy = output_named(m, d, "energy");
  for (int i = 1; i <= 24; i++) {
    const double t = period * i / 8;
    CHECK_WORKS(art_run_to(run, t, &check_error));
    CHECK_CLOSE(output_named(m, d, "turn"), 0.01 * cos(w * t), 1e-5);
    CHECK_CLOSE(output_named(m, d, "energy"), energy, 1e-9);
    const double angle = 2 * asin(d->q[5]);
    CHECK_CLOSE(d->q[2] - output_named(m, d, "gap"), hypot(a * sin(angle), c * cos(angle)), 1e-12);
  }
}


// A disc leans by 5 degrees and rolls on a circle of 0.5 m (Le Saux, Leine and Glocker 2005).
TEST(a_disc_rolls_on_a_steady_circle)
{
  const double r = 0.05, b = 5 * PI / 180, R = 0.5, rho = r / R;
  const double spin = sqrt(4 * (G / r) * sin(b) / ((6 - 5 * rho * sin(b)) * rho * cos(b)));
  const double turn = rho * spin, period = 2 * PI / turn;
  CHECK_CLOSE(spin, 10.736498163, 1e-9);
  const artModel *m = keep_text_of(
      "articula: 1\n"
      "parameters: {b: 5 deg, spin: %.15g 1/s, turn: %.15g 1/s}\n"
      "bodies: {disc: {mass: 0.3, inertia: [= 0.3*0.05^2/4, = 0.3*0.05^2/4, = "
      "0.3*0.05^2/2]}}\n"
      "joints: {fly: {type: free, from: ground, to: disc}}\n"
      "surfaces:\n"
      "  floor: {type: plane, body: ground}\n"
      "  edge: {type: torus, body: disc, radius: 0.05}\n"
      "forces: {touch: {type: contact, between: [floor, edge], stiffness: 1e6, "
      "damping: 100, friction: 0.5}}\n"
      "initial:\n"
      "  fly:\n"
      "    position: [\"= 1[m]*(0.5 - 0.05*sin(b))\", 0, \"= 1[m]*(0.05*cos(b) - 0.3*9.81/1e6)\"]\n"
      "    orientation: {axis: y, angle: \"= 90[deg] - b\"}\n"
      "    velocity: [0, \"= turn*1[m]*(0.5 - 0.05*sin(b))\", 0]\n"
      "    angular_velocity: [= -turn*cos(b), 0, = turn*sin(b) - spin]\n"
      "outputs: {x: touch.x, y: touch.y, slope: = fly.z}\n",
      spin, turn);
  artData *d;
  artRun *run = start(m, &d, period);
  for (int i = 1; i <= 8; i++) {
    const double t = period * i / 8;
    CHECK_WORKS(art_run_to(run, t, &check_error));
    CHECK_CLOSE(output_named(m, d, "x"), R * cos(turn * t), 2e-3);
    CHECK_CLOSE(output_named(m, d, "y"), R * sin(turn * t), 2e-3);
    CHECK_CLOSE(output_named(m, d, "slope"), r * cos(b), 2e-5);
  }
}


// Two bodies fall on ground and on each other: compiled equations have the same motion.
TEST(compiled_equations_have_all_shapes)
{
  const artModel *m = keep_text(
      "articula: 1\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "  b: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "joints: {fa: {type: free, from: ground, to: a}, fb: {type: free, from: ground, "
      "to: b}}\n"
      "surfaces:\n"
      "  floor: {type: plane, body: ground}\n"
      "  post: {type: cylinder, body: ground, radius: 0.05, length: 0.1}\n"
      "  peak: {type: cone, body: ground, radius: 0.1, length: 0.2, position: [1, 0, "
      "0]}\n"
      "  ring: {type: torus, body: a, radius: 0.1, tube: 0.02}\n"
      "  egg: {type: ellipsoid, body: b, size: [0.1, 0.2, 0.15]}\n"
      "  ball: {type: sphere, body: a, radius: 0.05}\n"
      "  hat: {type: cone, body: b, radius: 0.05, top: 0.02, length: 0.3}\n"
      "  pea: {type: sphere, body: b, radius: 0.04}\n"
      "forces:\n"
      "  c1: {type: contact, between: [floor, ring], stiffness: 1e4, damping: 10, friction: 0.3}\n"
      "  c2: {type: contact, between: [floor, egg], stiffness: 1e4, damping: 10}\n"
      "  c3: {type: contact, between: [ball, post], stiffness: 1e4, damping: 10, friction: 0.3}\n"
      "  c4: {type: contact, between: [peak, pea], stiffness: 1e4, damping: 10}\n"
      "  c5: {type: contact, between: [hat, floor], stiffness: 1e4, damping: 10, friction: 0.2}\n"
      "  c6: {type: contact, between: [pea, ring], stiffness: 1e4, damping: 10}\n"
      "initial:\n"
      "  fa: {z: 0.15, x: 0.02, wx: 3, wy: 1}\n"
      "  fb: {z: 0.2, x: 0.9, vx: 0.1, wy: 2, wx: 1}\n");
  static const int ways[] = {ART_AUTOMATIC, MODEL_GENERATED};
  artData *d[2];
  for (int i = 0; i < 2; i++) {
    artRunDef study = art_default_run();
    study.until = 0.4;
    study.tolerance = 1e-10;
    model_set_way(&study, ways[i]);
    d[i] = keep_fresh_data(m);
    CHECK_WORKS(art_run_to(keep_started_run(m, d[i], &study), 0.4, &check_error));
  }
  CHECK_NEAR(d[1]->q, d[0]->q, 14, 1e-7);
}


// Spun against its sense it begins to rattle, and turns back with more than half of its speed.
TEST(a_rattleback_reverses_its_spin)
{
  const artModel *m = keep_machine("contact/rattleback");
  artData *d;
  artRun *run = start(m, &d, 5);
  CHECK_WORKS(art_run_to(run, 5, &check_error));
  CHECK(output_named(m, d, "spin") > 2.5);
  CHECK(fabs(output_named(m, d, "balance")) < 1e-7);
}
