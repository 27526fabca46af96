// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The broad phase of contacts: boxes against all pairs of them, spheres about surfaces against their gaps, and runs that leave contacts
// out against runs that must look at all of them, bit for bit.
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/broad_phase.h"
#include "contact/contact_gap.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static uint64_t seed = 20;


static double between(double low, double high)
{
  return check_uniform(&seed, low, high);
}


//---- boxes ---------------------------------------------------------------------------------------

enum { BOXES = 40, PAIRS = BOXES * (BOXES - 1) / 2 };


static broadBox random_box(double at, double size)
{
  broadBox box;
  for (int k = 0; k < 3; k++) {
    const double half = size * between(0, 1) * (between(0, 1) < 0.2 ? 0 : 1);
    const double middle = at + size * between(-3, 3);
    box.low[k] = middle - half;
    box.high[k] = middle + half;
  }
  const double odd = between(0, 1);
  if (odd < 0.02) box.low[0] = NAN;
  if (odd > 0.98) box.high[1] = INFINITY;
  return box;
}


static int boxes_overlap(const broadBox *a, const broadBox *b)
{
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += a->low[k] + a->high[k] + b->low[k] + b->high[k];
  int apart = 0;
  for (int k = 0; k < 3; k++) apart |= a->low[k] > b->high[k] || b->low[k] > a->high[k];
  return !isfinite(sum) || !apart;
}


// of a large place one, of any size, and again with the order of the search before
TEST(a_search_finds_the_pairs_of_boxes_that_overlap)
{
  static const double SIZE[] = {1, 1e-6, 1e3}, PLACE[] = {0, 0, 1e6};
  int pair[PAIRS][2], n = 0;
  for (int i = 0; i < BOXES; i++) {
    for (int k = 0; k < i; k++) pair[n][0] = i, pair[n++][1] = k;
  }
  for (int round = 0; round < 60; round++) {
    baseArena arena = {.leaves = 0};
    broadPhase b;
    CHECK(broad_take(&b, &arena, BOXES, PAIRS));
    broad_set_pairs(&b, BOXES, PAIRS, (const int(*)[2]) pair);
    for (int again = 0; again < 3; again++) {
      for (int i = 0; i < BOXES; i++) b.box[i] = random_box(PLACE[round % 3], SIZE[round % 3]);
      broadBox as_given[BOXES];
      memcpy(as_given, b.box, sizeof as_given);
      broad_find(&b);
      int k = 0;
      for (int i = 0; i < PAIRS; i++) {
        const int found = k < b.nfound && b.found[k] == i;
        CHECK_EQ_INT(found, boxes_overlap(&as_given[pair[i][0]], &as_given[pair[i][1]]));
        k += found;
      }
      CHECK_EQ_INT(k, b.nfound);
    }
    arena_free(&arena);
  }
}


// places and rates at both ends determine the cubic; a is its value
TEST(the_box_of_a_sphere_holds_the_cubic_through_both_ends)
{
  for (int round = 0; round < 400; round++) {
    double a[3], da[3], b[3], db[3];
    const double h = pow(10, between(-6, 1)), size = pow(10, between(-6, 6));
    for (int k = 0; k < 3; k++) {
      a[k] = size * between(-1, 1), b[k] = size * between(-1, 1);
      da[k] = size / h * between(-9, 9), db[k] = size / h * between(-9, 9);
    }
    const double radius = size * between(0, 1);
    const broadBox box = broad_sphere_box(a, da, b, db, h, radius);
    for (int i = 0; i <= 100; i++) {
      const double x = i / 100.0, y = 1 - x;
      for (int k = 0; k < 3; k++) {
        const double at = y * y * (1 + 2 * x) * a[k] + h * x * y * y * da[k] +
                          x * x * (1 + 2 * y) * b[k] - h * x * x * y * db[k];
        CHECK(at - radius >= box.low[k] && at + radius <= box.high[k]);
      }
    }
  }
  const double zero[3] = {0}, none[3] = {0, NAN, 0};
  CHECK(isnan(broad_sphere_box(zero, zero, none, zero, 1, 1).low[1]));
  CHECK(isnan(broad_sphere_box(zero, none, zero, zero, 1, 1).high[1]));
}


//---- spheres about surfaces ----------------------------------------------------------------------

static void random_rotation(double R[9])
{
  double q[4], sum = 0;
  for (int k = 0; k < 4; k++) q[k] = between(-1, 1), sum += q[k] * q[k];
  for (int k = 0; k < 4; k++) q[k] /= sqrt(sum);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double all[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
                         2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                         2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
  memcpy(R, all, sizeof all);
}


static surfaceMotion random_motion(const contactSide *side, double far)
{
  surfaceMotion m = {.shape = side->shape,
                     .radius = side->radius,
                     .top = side->top,
                     .tube = side->tube,
                     .chain = side->chain,
                     .hull = side->hull};
  memcpy(m.half, side->half, sizeof m.half);
  random_rotation(m.axes);
  for (int k = 0; k < 3; k++) m.at[k] = far * between(-1, 1);
  return m;
}


// Surfaces whose spheres are apart have a gap.
TEST(surfaces_whose_spheres_are_apart_have_a_gap)
{
  static const artSurfaceType TYPE[] = {
      ART_SURFACE_SPHERE, ART_SURFACE_CAPSULE, ART_SURFACE_BOX, ART_SURFACE_CYLINDER,
      ART_SURFACE_CONE,   ART_SURFACE_TORUS,   ART_SURFACE_HULL};
  static const double POINTS[] = {0, 0, 0, 0.3, 0, 0, 0, 0.2, 0.1, 0.05, 0.1, 0.4};
  enum { TYPES = sizeof TYPE / sizeof *TYPE };
  int apart = 0;
  for (int round = 0; round < 20000; round++) {
    baseArena arena = {.leaves = 1};
    const double s = round % 2 ? 1 : 1e-6;
    double point[12];
    for (int k = 0; k < 12; k++) point[k] = s * POINTS[k];
    artSurfaceDef def[2];
    for (int k = 0; k < 2; k++) {
      def[k] = art_default_surface();
      def[k].type = TYPE[(k ? round / TYPES : round) % TYPES];
      def[k].radius = s * between(0, 0.3), def[k].top = s * between(0, 0.3);
      def[k].tube = s * between(0, 0.1), def[k].length = s * between(0.1, 0.6);
      for (int i = 0; i < 3; i++) def[k].size[i] = s * between(0.05, 0.5);
      if (def[k].type == ART_SURFACE_HULL) def[k].points = (artNumbers){12, point};
    }
    const int parts = contact_count(&def[0], &def[1]);
    if (parts > 0) {
      contactPair pair;
      contact_make(&arena, &pair, &def[0], &def[1], round % parts);
      const contactSide *side[2] = {&pair.side[pair.first], &pair.side[!pair.first]};
      const surfaceMotion both[2] = {random_motion(side[0], s * 0.5),
                                     random_motion(side[1], s * 0.5)};
      double square = 0;
      for (int k = 0; k < 3; k++) square += pow(both[1].at[k] - both[0].at[k], 2);
      if (sqrt(square) > contact_bound(side[0]) + contact_bound(side[1])) {
        CHECK(contact_gap(both).gap > 0);
        apart++;
      }
    }
    arena_free(&arena);
  }
  CHECK(apart > 1000);
}


//---- runs ----------------------------------------------------------------------------------------

enum { TEXT = 100000 };
static const char *const SHAPES[] = {
    "type: sphere, radius: %g",
    "type: capsule, radius: %g, length: 0.1",
    "type: box, size: [0.1, 0.12, %g]",
    "type: cylinder, radius: %g, length: 0.08",
    "type: torus, radius: 0.06, tube: %g",
    "type: point%.0s",
    "type: cone, radius: %g, length: 0.1",
    "type: hull, points: [[0, 0, 0], [%g, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]",
    "type: sphere, radius: 0.03%.0s"};
enum { BODIES = 9 };


static void append(char text[TEXT], const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const size_t length = strlen(text);
  vsnprintf(text + length, TEXT - length, format, list);
  va_end(list);
}


// Bodies of all shapes that fall onto a floor and onto each other; `value` is the force on a slider aside.
static void write_cloud(char text[TEXT], const char *law, const double place[3], const char *value)
{
  text[0] = '\0';
  append(text, "articula: 1\nbodies:\n  aside: {mass: 1 kg, inertia: [1, 1, 1]}\n");
  for (int i = 0; i < BODIES; i++)
    append(text, "  b%d: {mass: 1 kg, inertia: [0.002, 0.002, 0.002]}\n", i);
  append(text, "joints:\n  slide: {type: prismatic, axis: x, from: ground, to: aside}\n");
  for (int i = 0; i < BODIES; i++)
    append(text, "  f%d: {type: free, from: ground, to: b%d}\n", i, i);
  append(text, "surfaces:\n  floor: {type: plane, body: ground, position: [%.17g, %.17g, %.17g]}\n",
         place[0], place[1], place[2]);
  for (int i = 0; i < BODIES; i++) {
    append(text, "  s%d: {body: b%d, position: [0, 0, %g], ", i, i, i % 3 ? 0 : 0.01);
    append(text, SHAPES[i], between(0.03, 0.1));
    append(text, "}\n");
  }
  append(text, "forces:\n  all_of_them: {type: contact, between: [all, all], %s}\n", law);
  append(text, "  still: {type: joint-force, coordinate: slide, value: \"= 0[N]%s\"}\n", value);
  append(text, "outputs: {x: slide.slide}\n");
}


static void write_start(char text[TEXT], const double place[3])
{
  append(text, "initial:\n");
  for (int i = 0; i < BODIES; i++) {
    append(text, "  f%d: {x: %.9g, y: %.9g, z: %.9g, vx: %g, vy: %g, vz: %g, wx: %g, wy: %g}\n", i,
           place[0] + between(-0.2, 0.2), place[1] + between(-0.2, 0.2), place[2] + 0.15 + 0.13 * i,
           between(-1, 1), between(-1, 1), between(-3, 0), between(-5, 5), between(-5, 5));
  }
}


// The sum of all gaps, so that something reads each contact.
static void write_readers(char text[TEXT], const artModel *m)
{
  artForcePart part;
  text[0] = '\0';
  for (int i = 0; art_get_force(m, i, &part); i++) {
    if (part.is_contact) append(text, " + 0[N/m]*'%s'.gap", part.name);
  }
}


static artData *run_of(const artModel *m, const artRunDef *study, artCertificate *c)
{
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  CHECK(art_create_run(&run, m, d, study, &check_error) == ART_OK);
  if (run) CHECK(art_run_to(run, study->until, &check_error) == ART_OK);
  if (run) *c = art_certify(run);
  art_free_run(run);
  return d;
}


// The same run of two models, the second of which reads all contacts.
static void compare_runs(const char *text, const char *all_read, const artRunDef *study,
                         int least_events)
{
  const artModel *m = keep_text(text), *all = keep_text(all_read);
  artCertificate one = {0}, two = {0};
  const artData *a = run_of(m, study, &one), *b = run_of(all, study, &two);
  CHECK_EQ_INT((int) one.events, (int) two.events);
  CHECK_EQ_INT((int) one.steps, (int) two.steps);
  CHECK(one.events >= least_events);
  CHECK(memcmp(a->q, b->q, (size_t) art_count(m).nq * sizeof *a->q) == 0);
  CHECK(memcmp(a->v, b->v, (size_t) art_count(m).nv * sizeof *a->v) == 0);
  CHECK(memcmp(a->s, b->s, (size_t) art_count(m).states * sizeof *a->s) == 0);
}


static void compare_cloud(const char *law, const double place[3], artIntegrator integrator,
                          uint64_t number)
{
  static char cloud[TEXT], all[TEXT], start[TEXT], readers[TEXT];
  start[0] = '\0';
  seed = number;
  write_start(start, place);
  const uint64_t after_start = seed;
  write_cloud(cloud, law, place, "");
  append(cloud, "%s", start);
  write_readers(readers, keep_text(cloud));
  seed = after_start;
  write_cloud(all, law, place, readers);
  append(all, "%s", start);
  artRunDef study = art_default_run();
  study.until = 0.12;
  study.integrator = integrator;
  study.step = 2e-4;
  study.tolerance = 1e-8;
  compare_runs(cloud, all, &study, 3);
}


TEST(a_cloud_of_all_shapes_moves_to_the_last_bit_as_if_all_pairs_were_evaluated)
{
  static const double HERE[3] = {0, 0, 0}, FAR[3] = {1e6, -1e6, 1e6};
  static const char LAW[] = "stiffness: 2e4, friction: 0.4, rolling: 1 mm, spinning: 2 mm";
  compare_cloud(LAW, HERE, ART_RK4, 11);
  compare_cloud(LAW, HERE, ART_DOPRI5, 21);
  compare_cloud(LAW, FAR, ART_RK4, 31);
}


// A small ball passes ten others, which it touches, within a step of any length that free flight allows.
static void write_passage(char text[TEXT], double s, const char *value)
{
  text[0] = '\0';
  append(text,
         "articula: 1\ngravity: [0, 0, 0]\nbodies: {ball: {mass: 1 kg, inertia: [%g, %g, %g]}, "
         "aside: {mass: 1}}\n",
         1e-3 * s * s, 1e-3 * s * s, 1e-3 * s * s);
  append(text,
         "joints:\n  fly: {type: free, from: ground, to: ball}\n"
         "  slide: {type: prismatic, axis: x, from: ground, to: aside}\nsurfaces:\n"
         "  skin: {type: sphere, body: ball, radius: %.17g}\n",
         0.0502 * s);
  for (int i = 0; i < 10; i++) {
    append(
        text,
        "  s%d: {type: sphere, body: ground, position: [%.17g, 0, 0], radius: %.17g, group: row}\n",
        i, s * (i + 1), 0.1 * s);
  }
  append(text,
         "forces:\n  touch: {type: contact, between: [row, skin], stiffness: 100, friction: 0.2}\n"
         "  still: {type: joint-force, coordinate: slide, value: \"= 0[N]%s\"}\n"
         "initial: {fly: {x: %.17g, y: %.17g, vx: %.17g}}\noutputs: {x: fly.x}\n",
         value, -5 * s, 0.15 * s, 100 * s);
}


TEST(a_small_body_touches_all_that_it_passes_within_a_step)
{
  static char text[TEXT], all[TEXT], readers[TEXT];
  for (int k = 0; k < 2; k++) {
    const double s = k ? 1e-6 : 1;
    write_passage(text, s, "");
    write_readers(readers, keep_text(text));
    write_passage(all, s, readers);
    artRunDef study = art_default_run();
    study.until = 0.3;
    study.tolerance = 1e-9;
    compare_runs(text, all, &study, 20);
  }
}


// A ball that grows in a run lies on the floor by its new radius, and on a ball that it had not reached before.
TEST(a_parameter_that_changes_in_a_run_changes_what_is_in_reach)
{
  artModel *m = keep_text(
      "articula: 1\nparameters: {r: 0.05 m}\n"
      "bodies: {a: {mass: 1, inertia: [1e-2, 1e-2, 1e-2]}}\n"
      "joints: {up: {type: prismatic, axis: z, from: ground, to: a}}\n"
      "surfaces: {floor: {type: plane, body: ground, position: [0, 0, -1]},\n"
      "  low: {type: sphere, body: ground, radius: 0.1 m},\n"
      "  skin: {type: sphere, body: a, radius: = r, position: [0.3, 0, 0]}}\n"
      "forces: {touch: {type: contact, between: [all, all], stiffness: 1e5, damping: 300}}\n"
      "initial: {up: {slide: 0.5}}\noutputs: {z: up.slide}\n");
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.until = 3;
  artRun *run = keep_started_run(m, d, &study);
  CHECK(run && art_run_to(run, 0.1, &check_error) == ART_OK);
  CHECK(art_set_parameter(m, "r", 0.25, &check_error) == ART_OK);
  CHECK(run && art_run_to(run, 3, &check_error) == ART_OK);

  // 0.35 m apart but for the overlap u:  1e5 u z/(0.35 - u) = m g
  const double z = d->q[0], apart = hypot(z, 0.3);
  CHECK(z > 0.15 && z < 0.2);
  CHECK_CLOSE(1e5 * (0.35 - apart) * z / apart, 9.81, 1e-5);
}
