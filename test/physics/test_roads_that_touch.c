// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads as surfaces: planes, distances from hills against a search, a ball in a valley, and what is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81;

// z = 0.05 sin(4 x) + 0.08 sin(2 (y cos 20 - x sin 20)), curvature at most 1.12 1/m
#define HILLS                                                                                      \
  "roads:\n"                                                                                       \
  "  wave: {type: sine, amplitude: = 0.05*size, wavelength: = 1.5707963267948966*size}\n"          \
  "  cross: {type: sine, amplitude: = 0.08*size, wavelength: = 3.141592653589793*size}\n"          \
  "  turned: {type: placed, road: cross, heading: 110 deg}\n"                                      \
  "  road: {type: sum, parts: [wave, turned]}\n"


static const artModel *on_road(double size, const char *roads, const char *surface)
{
  return keep_text_of("articula: 1\n"
                      "parameters: {size: %.17g m}\n"
                      "%s"
                      "bodies: {b: {mass: 1, inertia: [0.016, 0.016, 0.016]}}\n"
                      "joints: {f: {type: free, from: ground, to: b}}\n"
                      "surfaces:\n"
                      "  hills: {type: road, body: ground, road: road}\n"
                      "  own: {body: b, %s}\n"
                      "forces: {touch: {type: contact, between: [hills, own], stiffness: 1e5}}\n"
                      "outputs: {gap: %s, rate: %s, nx: %s, ny: %s, nz: %s}\n",
                      size, roads, surface, "touch.gap", "touch.rate", "touch.up_x", "touch.up_y",
                      "touch.up_z");
}


TEST(a_straight_road_is_a_plane)
{
  const artModel *m =
      on_road(1, "roads: {road: {type: plane, height: 0.1, grade: 0.3, bank: -0.2}}\n",
              "type: sphere, radius: 0.2");
  artData *d = keep_fresh_data(m);
  const double up = 1 / sqrt(1 + 0.09 + 0.04);
  for (int i = 0; i < 100; i++) {
    const double x = 3 * sin(1.7 * i), y = 2 * sin(2.9 * i + 1), z = 2 * sin(0.7 * i);
    d->q[0] = x, d->q[1] = y, d->q[2] = z;
    for (int k = 0; k < 3; k++) d->v[k] = sin(i + k);
    art_update(m, d);
    CHECK_CLOSE(output_named(m, d, "gap"), up * (z - 0.1 - 0.3 * x + 0.2 * y) - 0.2, 2e-15);
    CHECK_CLOSE(output_named(m, d, "rate"), up * (d->v[2] - 0.3 * d->v[0] + 0.2 * d->v[1]), 2e-15);
    CHECK_CLOSE(output_named(m, d, "nx"), -0.3 * up, 1e-15);
  }
}


//---- hills ---------------------------------------------------------------------------------------

static double height(double size, double x, double y)
{
  const double s = (y * cos(0x1.657184ae74487p-2) - x * sin(0x1.657184ae74487p-2)) / size;
  return size * (0.05 * sin(4 * x / size) + 0.08 * sin(2 * s));
}


// the least distance of the ground from c, on grids that become finer
static double search(double size, const double c[3])
{
  double at[2] = {c[0], c[1]}, width = 1.2 * size, least = INFINITY;
  for (int round = 0; round < 12; round++, width *= 0.12) {
    double best[2] = {at[0], at[1]};
    for (int i = -40; i <= 40; i++) {
      for (int k = -40; k <= 40; k++) {
        const double x = at[0] + width * i / 40, y = at[1] + width * k / 40;
        const double dx = x - c[0], dy = y - c[1], dz = height(size, x, y) - c[2];
        const double distance = sqrt(dx * dx + dy * dy + dz * dz);
        if (distance < least) least = distance, best[0] = x, best[1] = y;
      }
    }
    memcpy(at, best, sizeof at);
  }
  return least;
}


// in metres and in micrometres, above and below the ground
TEST(distances_from_hills_are_those_of_a_search)
{
  for (int scale = 0; scale < 2; scale++) {
    const double size = scale ? 1e-6 : 1;
    const artModel *m = on_road(size, HILLS, "type: sphere, radius: = 0.1*size");
    artData *d = keep_fresh_data(m);
    for (int i = 0; i < 60; i++) {
      const double x = size * 3 * sin(1.7 * i), y = size * 2 * sin(2.9 * i + 1);
      const double above = size * (0.3 + 0.5 * sin(0.7 * i));
      const double c[3] = {x, y, height(size, x, y) + above};
      memcpy(d->q, c, sizeof c);
      art_update(m, d);
      const double distance = copysign(search(size, c), above);
      CHECK_CLOSE(output_named(m, d, "gap"), distance - 0.1 * size, 1e-12 * size);
    }
  }
}


// far above, any distance that is found is positive
TEST(a_ball_far_above_hills_does_not_touch)
{
  const artModel *m = on_road(1, HILLS, "type: sphere, radius: 0.1");
  artData *d = keep_fresh_data(m);
  for (int i = 0; i < 200; i++) {
    d->q[0] = 3 * sin(1.7 * i), d->q[1] = 2 * sin(2.9 * i + 1), d->q[2] = 0.5 + 0.1 * i;
    art_update(m, d);
    const double gap = output_named(m, d, "gap");
    CHECK(gap >= d->q[2] - 0.13 - 0.1 && gap <= d->q[2] + 0.13 - 0.1);
  }
}


TEST(rates_of_gaps_over_hills_are_their_differences)
{
  const artModel *m = on_road(1, HILLS, "type: sphere, radius: 0.1, position: [0.02, 0.03, -0.05]");
  artData *d = keep_fresh_data(m);
  for (int i = 0; i < 40; i++) {
    const double at[3] = {3 * sin(1.7 * i), 2 * sin(2.9 * i + 1), 0.2 + 0.1 * sin(0.7 * i)};
    double gap[2];
    for (int k = 0; k < 3; k++) d->v[k] = sin(3 * i + k), d->v[3 + k] = 0;
    for (int side = 0; side < 2; side++) {
      const double h = side ? 1e-5 : -1e-5;
      for (int k = 0; k < 3; k++) d->q[k] = at[k] + h * d->v[k];
      art_update(m, d);
      gap[side] = output_named(m, d, "gap");
    }
    memcpy(d->q, at, sizeof at);
    art_update(m, d);
    CHECK_CLOSE(output_named(m, d, "rate"), (gap[1] - gap[0]) / 2e-5, 1e-8);
  }
}


//---- motion --------------------------------------------------------------------------------------

static const char valley[] =
    "roads: {road: {type: sine, amplitude: 0.1, wavelength: 4, phase: -90 deg}}\n";

// the centre of a ball that touches the bottom of this valley at x
static void rest_on_valley(double r, double x, double q[3])
{
  const double k = 0x1.921fb54442d18p0, slope = 0.1 * k * sin(k * x),
               up = 1 / sqrt(1 + slope * slope);
  q[0] = x - r * slope * up;
  q[1] = 0;
  q[2] = -0.1 * cos(k * x) + r * up;
}


static artData *roll_in_valley(const char *contact, artIntegrator integrator, double start,
                               double t, const artModel **model)
{
  const artModel *m = *model =
      keep_text_of("articula: 1\n%sbodies: {b: {mass: 1, inertia: [0.016, 0.016, 0.016]}}\n"
                   "joints: {f: {type: free, from: ground, to: b}}\n"
                   "surfaces:\n"
                   "  hills: {type: road, body: ground, road: road}\n"
                   "  own: {body: b, type: sphere, radius: 0.2}\n"
                   "forces: {touch: {between: [own, hills], %s}}\n"
                   "outputs: {gap: touch.gap}\n",
                   valley, contact);
  artRunDef study = art_default_run();
  study.until = t;
  study.tolerance = 1e-10;
  study.integrator = integrator;
  if (integrator == ART_MOREAU) study.step = 1e-3;
  artData *d = keep_fresh_data(m);
  rest_on_valley(0.2, start, d->q);
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK(run && art_run_to(run, t, &check_error) == ART_OK)) puts(check_error.text);
  return d;
}


// A solid ball has the frequency sqrt(5/7 g k/(1 - r k)) for small amplitudes, with the curvature k of the valley.
TEST(a_ball_swings_in_a_valley_by_its_closed_form)
{
  const double k = 0.1 * 0x1.921fb54442d18p0 * 0x1.921fb54442d18p0, t = 3;
  const double w = sqrt(5.0 / 7 * G * k / (1 - 0.2 * k));
  const struct {
    const char *contact;
    artIntegrator integrator;
    double error;
  } by[] = {{"type: rigid-contact, friction: 0.5", ART_DOPRI5, 1e-6},
            {"type: rigid-contact, friction: 0.5", ART_MOREAU, 1e-5},
            {"type: contact, stiffness: 1e6, damping: 500, friction: 0.5, retardation: 1e-4",
             ART_DOPRI5, 1e-4}};
  for (int i = 0; i < 3; i++) {
    const artModel *m;
    artData *d = roll_in_valley(by[i].contact, by[i].integrator, 1e-3, t, &m);
    double start[3];
    rest_on_valley(0.2, 1e-3, start);
    if (!CHECK_CLOSE(d->q[0] / start[0], cos(w * t), by[i].error)) puts(by[i].contact);
    CHECK(fabs(d->q[1]) < 1e-12);
    art_update(m, d);
    if (i < 2) CHECK_CLOSE(output_named(m, d, "gap"), 0, i ? 1e-9 : 1e-13);
  }
}


// without friction, from side to side of the valley
TEST(a_ball_in_a_valley_keeps_its_energy)
{
  for (int i = 0; i < 2; i++) {
    const artModel *m;
    artData *d = roll_in_valley(i ? "type: contact, stiffness: 1e4" : "type: rigid-contact",
                                ART_DOPRI5, 0.7, 2, &m);
    double start[3];
    rest_on_valley(0.2, 0.7, start);
    const artEnergy energy = art_energy(m, d);
    const double gap = output_named(m, d, "gap"), depth = gap < 0 ? -gap : 0;
    const double stored = i ? 0.5e4 * depth * depth : 0;
    CHECK_CLOSE(energy.kinetic + G * d->q[2] + stored, G * start[2], 1e-7);
    CHECK(energy.kinetic > 1e-3);
  }
}


//---- other shapes --------------------------------------------------------------------------------

TEST(boxes_capsules_and_hulls_touch_a_road_in_corners_and_ends)
{
  static const char *const shape[] = {
      "type: box, size: [0.2, 0.2, 0.2]", "type: capsule, radius: 0.05, length: 0.3",
      "type: hull, points: [[0, 0.1, -0.1], [0.1, -0.1, -0.1], [-0.1, -0.1, -0.1], [0, 0, 0.1]]"};
  static const int count[] = {8, 2, 4};
  for (int i = 0; i < 3; i++) {
    const artModel *m = keep_text_of(
        "articula: 1\nparameters: {size: 1 m}\n" HILLS
        "bodies: {b: {mass: 1, inertia: [0.01, 0.01, 0.01]}}\n"
        "joints: {f: {type: free, from: ground, to: b}}\n"
        "surfaces:\n"
        "  hills: {type: road, body: ground, road: road}\n"
        "  own: {body: b, %s}\n"
        "forces: {touch: {type: contact, between: [hills, own], stiffness: 1e4, damping: 100, "
        "friction: 1}}\n"
        "initial: {f: {z: 0.4, x: 0.3}}\n"
        "outputs: {last: \"= 'touch/%d'.gap\"}\n",
        shape[i], count[i]);
    artRunDef study = art_default_run();
    study.until = 3;
    artData *d = keep_fresh_data(m);
    artRun *run = keep_started_run(m, d, &study);
    if (!CHECK(run && art_run_to(run, 3, &check_error) == ART_OK)) puts(check_error.text);
    CHECK(d->q[2] - height(1, d->q[0], d->q[1]) < 0.2);
    art_update(m, d);
    CHECK(output_named(m, d, "last") > -1e-2);
  }
}


//---- refusals ------------------------------------------------------------------------------------

static void refused(const char *roads, const char *surface, const char *words)
{
  char text[2000];
  snprintf(text, sizeof text,
           "articula: 1\n%sbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
           "joints: {f: {type: free, from: ground, to: b}}\n"
           "surfaces:\n  hills: {type: road, body: ground, road: road}\n  own: {body: b, %s}\n"
           "forces: {touch: {type: contact, between: [hills, own], stiffness: 1e5}}\n",
           roads, surface);
  artModel *m = NULL;
  CHECK(art_read_model(&m, text, strlen(text), "road.yaml", &check_error) != ART_OK);
  CHECK_CONTAINS(check_error.text, words);
}


TEST(what_does_not_fit_a_road_is_refused)
{
  refused(valley, "type: sphere, radius: 4.1", "is not below 4.05");
  refused("roads: {road: {type: stairs, start: 1, count: 3, rise: 0.1, tread: 0.3, riser: 0.02, "
          "radius: 0.02}}\n",
          "type: capsule, radius: 0.02, length: 1",
          "the radius 0.02 m of one of 'hills' and 'own' is not below 0.02 m");
  refused("roads: {flat: {type: plane}, road: {type: tracks, blend: 0.1, tracks: [{from: 0, to: 1, "
          "road: flat}]}}\n",
          "type: sphere, radius: 0.1", "how sharply a road of tracks bends");
  refused(valley, "type: ellipsoid, size: [1, 1, 2]", "no geometry");
  refused(valley, "type: road, road: road", "no geometry");
}
