// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Profiles: distances against densely sampled outlines, pins and profiles on each other by closed forms, the Geneva drive, and bad
// profiles.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "base/error.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81, PI = 3.14159265358979323846;

//---- distances -----------------------------------------------------------------------------------

// a wheel of three lobes with square grooves: lines, arcs of both kinds, corners of both kinds
#define LOBES                                                                                      \
  "type: profile, copies: 3, points: [[1.0, -0.1], [0.6, -0.1], [0.6, 0.1], [1.0, 0.1, 0.7], "     \
  "[0.5, 0.9, -0.8]]"
// a drop: half a circle and a corner
#define DROP "type: profile, points: [[0, -0.2, 0.2], [0, 0.2], [-0.5, 0]]"

typedef struct outline {
  int n;
  double at[40000][2];
} outline;


static void add_line(outline *o, double ax, double ay, double bx, double by)
{
  for (int i = 0; i < 1000; i++, o->n++) {
    const double s = i / 1000.0;
    o->at[o->n][0] = ax + s * (bx - ax);
    o->at[o->n][1] = ay + s * (by - ay);
  }
}


// an arc by rotation of the chord: independent of where profiles put its centre
static void add_arc(outline *o, double ax, double ay, double bx, double by, double radius)
{
  const double half = asin(0.5 * hypot(bx - ax, by - ay) / radius), c = cos(half), s = sin(half);
  const double mx = 0.5 * (ax + bx), my = 0.5 * (ay + by), t = c / s;
  const double cx = mx - 0.5 * t * (by - ay), cy = my + 0.5 * t * (bx - ax);
  for (int i = 0; i < 1000; i++, o->n++) {
    const double turn = 2 * half * i / 1000.0, x = ax - cx, y = ay - cy;
    o->at[o->n][0] = cx + cos(turn) * x - sin(turn) * y;
    o->at[o->n][1] = cy + sin(turn) * x + cos(turn) * y;
  }
}


static void sample_lobes(outline *o)
{
  o->n = 0;
  for (int k = 0; k < 3; k++) {
    const double c = cos(2 * PI * k / 3), s = sin(2 * PI * k / 3);
    const int first = o->n;
    add_line(o, 1, -0.1, 0.6, -0.1);
    add_line(o, 0.6, -0.1, 0.6, 0.1);
    add_line(o, 0.6, 0.1, 1, 0.1);
    add_arc(o, 1, 0.1, 0.5, 0.9, 0.7);
    const double nx = -0.5 * 1 + sqrt(0.75) * 0.1, ny = sqrt(0.75) * 1 + 0.5 * 0.1;
    add_arc(o, 0.5, 0.9, nx, ny, -0.8);
    for (int i = first; i < o->n; i++) {
      const double x = o->at[i][0], y = o->at[i][1];
      o->at[i][0] = c * x - s * y;
      o->at[i][1] = s * x + c * y;
    }
  }
}


static void sample_drop(outline *o)
{
  o->n = 0;
  add_arc(o, 0, -0.2, 0, 0.2, 0.2 * (1 + 1e-15));
  add_line(o, 0, 0.2, -0.5, 0);
  add_line(o, -0.5, 0, 0, -0.2);
}


// from the polygon of its samples
static double distance_to(const outline *o, double x, double y)
{
  double least = INFINITY;
  for (int i = 0; i < o->n; i++) {
    const double *a = o->at[i], *b = o->at[(i + 1) % o->n];
    const double u = b[0] - a[0], v = b[1] - a[1], square = u * u + v * v;
    const double along = ((x - a[0]) * u + (y - a[1]) * v) / fmax(square, 1e-300);
    const double s = fmin(1, fmax(0, along));
    least = fmin(least, hypot(a[0] + s * u - x, a[1] + s * v - y));
  }
  return least;
}


static bool is_inside(const outline *o, double x, double y)
{
  bool inside = false;
  for (int i = 0, k = o->n - 1; i < o->n; k = i++) {
    const double *a = o->at[i], *b = o->at[k];
    if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
      inside = !inside;
  }
  return inside;
}


// Two bodies in the xy-plane whose surfaces touch in n points; the output `gap` is the least of these.
static const artModel *planar_pair(const char *one, const char *other, int n)
{
  char least[1000] = "";
  for (int i = 0; i < n; i++)
    base_append(least, sizeof least, i + 1 < n ? "min('touch/%d'.gap, " : "'touch/%d'.gap", i + 1);
  for (int i = 0; i + 1 < n; i++) base_append(least, sizeof least, ")");
  return keep_text_of("articula: 1\n"
                      "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                      "joints: {f: {type: planar, axis: z, x: x, from: ground, to: b}}\n"
                      "surfaces:\n"
                      "  one: {body: ground, position: [0.05, -0.02, 0.3], %s}\n"
                      "  other: {body: b, %s}\n"
                      "forces: {touch: {type: contact, between: [one, other], stiffness: 1}}\n"
                      "outputs: {gap: \"= %s\"}\n",
                      one, other, n > 1 ? least : "touch.gap");
}


static double gap_at(const artModel *m, artData *d, double x, double y, double angle)
{
  const double q[3] = {x, y, angle};
  memcpy(d->q, q, sizeof q);
  art_update(m, d);
  return output_named(m, d, "gap");
}


TEST(pins_are_as_far_from_a_profile_as_from_its_outline)
{
  static outline o;
  sample_lobes(&o);
  const artModel *m = planar_pair(LOBES, "type: cylinder, radius: 0.05, length: 1", 6);
  artData *d = keep_fresh_data(m);
  int inside = 0;
  for (int i = 0; i < 400; i++) {
    const double *at = o.at[37 * i % o.n], shrink = i % 3 ? 1 : 0.99;
    const double x = i % 2 ? shrink * at[0] : 1.3 * sin(1.7 * i);
    const double y = i % 2 ? shrink * at[1] : 1.3 * cos(2.9 * i + 0.3);
    const double distance = distance_to(&o, x, y);
    const bool is_in = is_inside(&o, x, y);
    inside += is_in && distance < 0.02;
    if (is_in && distance > 0.02) continue;
    if (!CHECK_CLOSE(gap_at(m, d, x + 0.05, y - 0.02, 0), (is_in ? -distance : distance) - 0.05,
                     5e-6))
      printf("  at %g, %g\n", x, y);
  }
  CHECK(inside > 3);
}


TEST(profiles_are_as_far_from_each_other_as_their_outlines)
{
  static outline o, p;
  sample_lobes(&o);
  sample_drop(&p);
  const artModel *m = planar_pair(LOBES, DROP, 9);
  artData *d = keep_fresh_data(m);
  int outside = 0;
  for (int i = 0; i < 60; i++) {
    const double x = 1.6 * sin(1.7 * i), y = 1.6 * cos(2.9 * i + 0.3), turn = 0.7 * i;
    double least = INFINITY;
    bool overlap = is_inside(&o, x, y);
    for (int k = 0; k < p.n && !overlap; k += 10) {
      const double u = x + cos(turn) * p.at[k][0] - sin(turn) * p.at[k][1];
      const double v = y + sin(turn) * p.at[k][0] + cos(turn) * p.at[k][1];
      overlap = is_inside(&o, u, v);
      least = fmin(least, distance_to(&o, u, v));
    }
    if (overlap) continue;
    outside++;
    if (!CHECK_CLOSE(gap_at(m, d, x + 0.05, y - 0.02, turn), least, 1e-3))
      printf("  at %g, %g, %g\n", x, y, turn);
  }
  CHECK(outside > 20);
}


// smooth points of a circle are that circle, for pins and planes, in any order
TEST(smooth_points_of_a_circle_are_the_circle)
{
  for (int order = -1; order <= 1; order += 2) {
    char points[2000] = "type: profile, smooth: true, points: [";
    for (int i = 0; i < 12; i++) {
      const double angle = order * 2 * PI * i / 12;
      base_append(points, sizeof points, "%s[%.17g, %.17g]", i ? ", " : "", 0.3 * cos(angle),
                  0.3 * sin(angle));
    }
    base_append(points, sizeof points, "]");
    const artModel *m = planar_pair(points, "type: cylinder, radius: 0.05, length: 1", 1);
    artData *d = keep_fresh_data(m);
    for (int i = 0; i < 50; i++) {
      const double r = 0.2 + 0.01 * i;
      CHECK_CLOSE(gap_at(m, d, 0.05 + r * cos(3.0 * i), -0.02 + r * sin(3.0 * i), 0),
                  r - 0.3 - 0.05, 1e-14);
    }
  }
}


TEST(a_profile_touches_a_plane_by_its_lowest_point)
{
  static outline o;
  sample_lobes(&o);
  const artModel *m =
      keep_text_of("articula: 1\n"
                   "ground: {frames: {floor: {orientation: {axis: x, angle: -90 deg}}}}\n"
                   "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                   "joints: {f: {type: planar, axis: z, x: x, from: ground, to: b}}\n"
                   "surfaces:\n"
                   "  one: {body: ground.floor, type: plane}\n"
                   "  other: {body: b, %s}\n"
                   "forces: {touch: {type: contact, between: [one, other], stiffness: 1}}\n"
                   "outputs: {gap: touch.gap}\n",
                   LOBES);
  artData *d = keep_fresh_data(m);
  for (int i = 0; i < 40; i++) {
    const double turn = 0.31 * i;
    double lowest = INFINITY;
    for (int k = 0; k < o.n; k++)
      lowest = fmin(lowest, sin(turn) * o.at[k][0] + cos(turn) * o.at[k][1]);
    CHECK_CLOSE(gap_at(m, d, 0.4, 1.5, turn), 1.5 + lowest, 2e-6);
  }
}


//---- motion --------------------------------------------------------------------------------------

static artRunDef accurate(double until)
{
  artRunDef study = art_default_run();
  study.until = until;
  study.tolerance = 1e-11;
  return study;
}


static artData *data_at(const artModel *m, const artRunDef *study, double t)
{
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, study);
  if (!CHECK(run && art_run_to(run, t, &check_error) == ART_OK)) puts(check_error.text);
  return d;
}


// a block on a planar joint in the vertical plane of ground, with a pin that touches a profile of ground
static const artModel *block_with_pin(const char *profile, const char *pin, const char *initial)
{
  return keep_text_of("articula: 1\n"
                      "gravity: [0, -9.81, 0]\n"
                      "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
                      "joints: {f: {type: planar, axis: z, x: x, from: ground, to: b}}\n"
                      "surfaces:\n"
                      "  rail: {body: ground, type: profile, %s}\n"
                      "  pin: {body: b, type: cylinder, radius: 0.05, length: 0.1, %s}\n"
                      "forces: {touch: {type: rigid-contact, between: [rail, pin]}}\n"
                      "initial: {f: {%s}}\n",
                      profile, pin, initial);
}


// Without friction a pin leaves a round hump of radius 1 at the height 2/3 of its way: cos(a) = 2/3 + v0^2/(3 g R).
TEST(a_pin_leaves_a_hump_where_its_closed_form_says)
{
  const double R = 1.05, a0 = 0.2;
  char initial[100];
  snprintf(initial, sizeof initial, "x: %.17g, y: %.17g", R * sin(a0), R * cos(a0));
  const artModel *m =
      block_with_pin("points: [[-1, 0], [1, 0, 1]]", "position: [0, 0, 0]", initial);
  artRunDef study = accurate(2);
  study.tolerance = 1e-9;
  const artData *d = data_at(m, &study, 1);
  const double off = hypot(d->q[0], d->q[1]), away = acos(2.0 / 3 * cos(a0));
  CHECK(off > R * (1 + 1e-3));

  // from there on it flies: position and velocity at 1 s lead back to it
  const double speed = sqrt(G * R * cos(away)), vx = d->v[0];
  CHECK_CLOSE(vx, speed * cos(away), 1e-8);
  const double vy = d->v[1] + speed * sin(away), flight = -vy / G;
  CHECK_CLOSE(d->q[0], R * sin(away) + vx * flight, 1e-7);
  CHECK_CLOSE(d->q[1], R * cos(away) - speed * sin(away) * flight - 0.5 * G * flight * flight,
              1e-7);
}


// In a round hollow it swings as a pendulum of the length R - r.
TEST(a_pin_in_a_hollow_swings_as_a_pendulum)
{
  const artModel *m = block_with_pin(
      "points: [[-1, 0, -1], [1, 0], [1.2, 0], [1.2, -1.2], [-1.2, -1.2], [-1.2, 0]]",
      "position: [0, 0, 0]", "x: 0.95 m");
  const artRunDef study = accurate(3);

  // a quarter of the period: K(1/2) sqrt(L/g), from 90 degrees; there it passes the lowest point
  const double quarter = 1.8540746773013719 * sqrt(0.95 / G);
  const artData *d = data_at(m, &study, 5 * quarter);
  CHECK_CLOSE(d->q[0], 0, 1e-8);
  CHECK_CLOSE(d->q[1], -0.95, 1e-11);
  CHECK_CLOSE(fabs(d->v[0]), sqrt(2 * G * 0.95), 1e-8);
}


// In a groove of 90 degrees a pin touches both sides, each with m g/sqrt(2).
TEST(a_pin_rests_on_both_sides_of_a_groove)
{
  const char *groove = "points: [[-1, 1], [-1, -1], [1, -1], [1, 1], [0, 0]]";
  char initial[100];
  snprintf(initial, sizeof initial, "y: %.17g", 0.05 * sqrt(2) + 1e-3);
  const artModel *m = block_with_pin(groove, "position: [0, 0, 0]", initial);
  const artRunDef study = accurate(3);
  artData *d = data_at(m, &study, 3);
  CHECK_CLOSE(d->q[0], 0, 1e-13);
  CHECK_CLOSE(d->q[1], 0.05 * sqrt(2), 1e-13);
  CHECK_WORKS(art_accelerate(m, d, ART_AUTOMATIC, &check_error));
  for (int i = 1; i <= 2; i++) {
    char name[40];
    snprintf(name, sizeof name, "touch/%d.normal", i);
    CHECK_CLOSE(output_named(m, d, name), 2 * G / sqrt(2), 1e-10);
  }
}


//---- the Geneva drive ----------------------------------------------------------------------------

// While the pin is in a slot the wheel stands as its centre line says, but for the play on one side of it: with the axes c apart
// and the pin at the angle p on the radius a, the slot leads to the pin at atan2(a sin p, a cos p - c), rho away.
TEST(a_geneva_wheel_turns_by_its_closed_form_and_dwells)
{
  const artModel *m = keep_machine("contact/rigid/geneva-drive");
  const double c = 0.1, a = c * sin(PI / 4), play = 0.02e-3;
  artRunDef study = accurate(3);
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  const double slack =
      play / (c * sin(43 * PI / 180)); // in its arc the disc reaches 43.4 degrees to either side
  int pushed = 0, dwelt = 0;
  for (int i = 1; i <= 600; i++) {
    const double t = i * 0.005;
    if (!CHECK_WORKS(art_run_to(run, t, &check_error))) return;
    const double p = d->q[0], wheel = d->q[1];
    const double x = a * cos(p) - c, y = a * sin(p), rho = hypot(x, y);
    const double turns = floor(t + 0.5); // quarters begun
    const double phase = t - floor(t);
    if (phase > 0.376 && phase < 0.624) {
      const double off = remainder(wheel - atan2(y, x), PI / 2);
      CHECK(fabs(off) <= asin(play / rho) + 1e-12);
      if (output_named(m, d, "touch") == 0) continue;
      pushed++;
      CHECK_CLOSE(fabs(off), asin(play / rho), 1e-11);
    } else if (phase < 0.25 || phase > 0.75) {
      dwelt++;
      CHECK(fabs(wheel + PI / 4 + turns * PI / 2) < slack);
    }
  }
  CHECK(pushed > 120 && dwelt > 250);
}


//---- bad profiles --------------------------------------------------------------------------------

static void check_refused(const char *profile, const char *part)
{
  char text[2000];
  artModel *m = NULL;
  snprintf(text, sizeof text,
           "articula: 1\n"
           "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
           "joints: {f: {type: free, from: ground, to: b}}\n"
           "surfaces:\n"
           "  shape: {type: profile, body: b, %s}\n",
           profile);
  check_error = (artError){.status = ART_OK};
  CHECK(art_read_model(&m, text, strlen(text), "cam.yaml", &check_error) != ART_OK);
  CHECK_CONTAINS(check_error.text, part);
  CHECK_CONTAINS(check_error.text, "cam.yaml:5:");
  art_free_model(m);
}


TEST(bad_profiles_are_refused_with_their_place)
{
  check_refused("points: [[0, 0], [1, 0]]", "needs three points");
  check_refused("points: [[0, 0], [1, 0], [1, 0], [0, 1]]",
                "points 2 and 3 of profile 'shape' coincide");
  check_refused("points: [[0, 0], [1, 0], [0, 1], [0, 0]]", "points 4 and 1");
  check_refused("points: [[0, 0, 0.4], [1, 0], [0, 1]]", "from point 1 to 2 has a radius below");
  check_refused("points: [[0, 0], [1, 1], [1, 0], [0, 1]]", "crosses or touches itself");
  check_refused("points: [[0, 0], [0.8, 0, -1.01], [0.8, 2], [0, 2]]", "crosses or touches itself");
  check_refused("points: [[0, 0], [1, 0], [2, 0]]", "encloses nothing");
  check_refused("points: [[0, 0], [1, 0, 3], [0, 1]], smooth: true", "remove one");
  check_refused("points: [[0, 0], [1, 0], [0, 1]], copies: 900", "more than 2000");
  check_refused("points: [[0, 0], [1, 0], [0]]", "a point [x, y] or [x, y, radius]");
  check_refused("points: 3", "points");
}
