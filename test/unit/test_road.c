// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads against closed forms, their derivatives against differences, random ones against ISO 8608.
#include "articula/road.h"

#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/heap.h"
#include "support/keep.h"
#include "support/mallocs.h"

// a road that lives until the test ends
static artRoad *made;
#define MAKE(create, ...)                                                                          \
  (made = NULL, CHECK_WORKS(create(&made, __VA_ARGS__, &check_error)), keep_road(made))

#define TURN 6.283185307179586

//---- one road of every kind ----------------------------------------------------------------------

static const double table_x[] = {0, 2, 3, 5, 9, 10};
static const double table_z[] = {0.1, 0.4, 0.3, -0.2, 0, 0.2};

static const artPlaneRoad plane_def = {.height = 0.3, .grade = 0.08, .bank = -0.03};
static const artBumpRoad bump_def = {.start = 2, .length = 0.9, .height = 0.07};
static const artBumpRoad row_def = {
    .start = 1, .length = 0.5, .height = 0.05, .count = 4, .spacing = 2};
static const artRampRoad ramp_def = {
    .start = 1, .up = 3, .plateau = 2, .down = 1.5, .height = 0.6, .radius = 0.8};
static const artStairsRoad stairs_def = {
    .start = 1, .count = 5, .rise = 0.15, .tread = 0.6, .riser = 0.1, .radius = 0.06};
static const artSineRoad sine_def = {.amplitude = 0.02, .wavelength = 3, .phase = 0.4};
static const artSineRoad sweep_def = {.amplitude = 0.03,
                                      .wavelength = 4,
                                      .last_wavelength = 0.5,
                                      .start = 1,
                                      .length = 9,
                                      .blend = 1.5};
static const artRandomRoad random_def = {
    .iso_class = 'C', .seed = 7, .track = 1.5, .coherence = 0.6, .start = 1, .blend = 2};
static const artTableRoad cubic_def = {.count = 6, .distance = table_x, .height = table_z};
static const artTableRoad linear_def = {
    .count = 6, .distance = table_x, .height = table_z, .curve = ART_ROAD_LINEAR};

enum {
  PLANE,
  BUMP,
  ROW,
  RAMP,
  STAIRS,
  SINE,
  SWEEP,
  RANDOM,
  CUBIC,
  LINEAR,
  TRACKS,
  SUM,
  PLACED,
  KINDS
};


// the first that fails leaves the others out
static artStatus create_roads(artRoad *r[KINDS], artError *error)
{
  memset(r, 0, KINDS * sizeof *r);
  artStatus status = art_create_plane_road(&r[PLANE], &plane_def, error);
  if (!status) status = art_create_bump_road(&r[BUMP], &bump_def, error);
  if (!status) status = art_create_bump_road(&r[ROW], &row_def, error);
  if (!status) status = art_create_ramp_road(&r[RAMP], &ramp_def, error);
  if (!status) status = art_create_stairs_road(&r[STAIRS], &stairs_def, error);
  if (!status) status = art_create_sine_road(&r[SINE], &sine_def, error);
  if (!status) status = art_create_sine_road(&r[SWEEP], &sweep_def, error);
  if (!status) status = art_create_random_road(&r[RANDOM], &random_def, error);
  if (!status) status = art_create_table_road(&r[CUBIC], &cubic_def, error);
  if (!status) status = art_create_table_road(&r[LINEAR], &linear_def, error);
  if (status) return status;

  const artRoadTrack tracks[] = {{-INFINITY, -1, r[SINE]}, {-1, 0, r[RAMP]}, {1, 2, r[RANDOM]}};
  status = art_create_tracks_road(
      &r[TRACKS], &(artTracksRoad){.count = 3, .tracks = tracks, .blend = 0.4, .ground = r[PLANE]},
      error);
  const artRoad *const parts[] = {r[PLANE], r[TRACKS], r[CUBIC]};
  if (!status) {
    status = art_create_sum_road(&r[SUM], &(artSumRoad){.count = 3, .parts = parts}, error);
  }
  if (!status) {
    status = art_create_placed_road(
        &r[PLACED], &(artPlacedRoad){.road = r[SUM], .position = {2, -1, 0.5}, .heading = 0.6},
        error);
  }
  return status;
}


static void free_roads(artRoad *r[KINDS])
{
  for (int i = KINDS - 1; i >= 0; i--) art_free_road(r[i]);
}


static artRoadPoint at(const artRoad *road, double x, double y)
{
  artRoadPoint point;
  art_evaluate_road(road, x, y, &point);
  return point;
}


// height, slope and second derivative along x, with nothing across
static void check_along(const artRoad *road, double x, double z, double slope, double second,
                        double tol)
{
  const artRoadPoint p = at(road, x, 0.7);
  const double got[] = {p.z, p.gradient[0], p.gradient[1], p.second[0], p.second[1], p.second[2]};
  const double want[] = {z, slope, 0, second, 0, 0};
  CHECK_NEAR(got, want, 6, tol);
}

//---- closed forms --------------------------------------------------------------------------------


TEST(a_plane_has_its_slopes_and_its_normal)
{
  artRoad *road = MAKE(art_create_plane_road, &plane_def);
  const artRoadPoint p = at(road, 10, -2);
  const double length = sqrt(1 + 0.08 * 0.08 + 0.03 * 0.03);
  const double got[] = {p.z, p.gradient[0], p.gradient[1], p.normal[0], p.normal[1], p.normal[2]};
  const double want[] = {1.16, 0.08, -0.03, -0.08 / length, 0.03 / length, 1 / length};
  CHECK_NEAR(got, want, 6, 1e-15);

  road = MAKE(art_create_plane_road, &(artPlaneRoad){.height = 0});
  check_along(road, 1e6, 0, 0, 0, 0);
  CHECK(at(road, 3, 4).normal[2] == 1);
}


TEST(bumps_are_cosines_with_level_ground_between)
{
  artRoad *road = MAKE(art_create_bump_road, &row_def);
  const double w = TURN / 0.5;
  for (int k = 0; k < 4; k++) {
    for (double s = 0.01; s < 0.5; s += 0.07) {
      check_along(road, 1 + 2 * k + s, 0.025 * (1 - cos(w * s)), 0.025 * w * sin(w * s),
                  0.025 * w * w * cos(w * s), 1e-12);
    }
    check_along(road, 1 + 2 * k + 0.25, 0.05, 0, -0.025 * w * w, 1e-12);
    check_along(road, 1 + 2 * k + 1.2, 0, 0, 0, 0);
  }
  check_along(road, 0.99, 0, 0, 0, 0);
  check_along(road, 9.25, 0, 0, 0, 0);
  check_along(road, 1e9, 0, 0, 0, 0);
}


// z'' / (1 + z'^2)^(3/2)
static double curvature(artRoadPoint p)
{
  return p.second[0] * pow(1 + p.gradient[0] * p.gradient[0], -1.5);
}


// at every point it is a line or an arc of the stated radius; returns how many points are on arcs
static int check_curvature(const artRoad *road, double radius, double from, double to)
{
  int arcs = 0;
  for (int i = 0; i <= 5000; i++) {
    const double c = curvature(at(road, from + (to - from) * i / 5000, 0));
    const double sign = c > 0 ? 1 : -1;
    CHECK_CLOSE(c, c == 0 ? 0 : sign / radius, 1e-9 / radius);
    arcs += c != 0;
  }
  return arcs;
}


TEST(a_ramp_is_straight_between_arcs_of_its_radius)
{
  artRoad *road = MAKE(art_create_ramp_road, &ramp_def);
  check_along(road, 0, 0, 0, 0, 0);
  check_along(road, 2.5, 0.3, 0.2, 0, 1e-15);
  check_along(road, 5, 0.6, 0, 0, 1e-15);
  check_along(road, 6.75, 0.3, -0.4, 0, 1e-15);
  check_along(road, 8, 0, 0, 0, 1e-15);

  // the arc at the foot: reach R tan(t/2), above the corner by R (1/cos(t/2) - 1) along the bisector
  const double t = atan(0.2), reach = 0.8 * tan(t / 2), R = 0.8;
  const double u = 0.05, x = 1 - reach + u;
  check_along(road, x, R - sqrt(R * R - u * u), u / sqrt(R * R - u * u),
              R * R * pow(R * R - u * u, -1.5), 1e-12);
  CHECK(check_curvature(road, 0.8, 0, 9) > 100);
}


TEST(a_ramp_without_a_way_down_stays_up)
{
  const artRampRoad def = {.start = 0, .up = 10, .height = -1, .radius = 2};
  artRoad *road = MAKE(art_create_ramp_road, &def);
  check_along(road, 5, -0.5, -0.1, 0, 1e-15);
  check_along(road, 1e4, -1, 0, 0, 1e-15);
}


TEST(stairs_have_level_treads_and_rounded_edges)
{
  artRoad *road = MAKE(art_create_stairs_road, &stairs_def);
  check_along(road, 0.5, 0, 0, 0, 0);
  for (int k = 0; k < 5; k++) {
    check_along(road, 1.05 + 0.6 * k, 0.15 * (k + 0.5), 1.5, 0, 1e-13);
    check_along(road, 1.35 + 0.6 * k, 0.15 * (k + 1), 0, 0, 1e-13);
  }
  check_along(road, 50, 0.75, 0, 0, 1e-13);
  CHECK(check_curvature(road, 0.06, 0.9, 4) > 100);
}


TEST(waves_and_sweeps_follow_their_phase)
{
  artRoad *road = MAKE(art_create_sine_road, &sine_def);
  const double k = TURN / 3;
  for (double x = -20; x < 20; x += 1.7) {
    const double p = k * x + 0.4;
    check_along(road, x, 0.02 * sin(p), 0.02 * k * cos(p), -0.02 * k * k * sin(p), 1e-14);
  }

  road = MAKE(art_create_sine_road, &sweep_def);
  for (double s = 1.5; s <= 7.5; s += 0.1) {
    // wave numbers from 1/4 to 2 over 9 m
    const double p = TURN * (0.25 * s + 1.75 * s * s / 18), dp = TURN * (0.25 + 1.75 * s / 9);
    check_along(road, 1 + s, 0.03 * sin(p), 0.03 * dp * cos(p),
                0.03 * (TURN * 1.75 / 9 * cos(p) - dp * dp * sin(p)), 1e-12);
  }
  check_along(road, 1, 0, 0, 0, 0);
  check_along(road, 10, 0, 0, 0, 0);

  // half way through the blend the waves have half their height
  const double half = 0.5 * 0.03 * sin(TURN * 0.75 * (0.25 + 1.75 / 24));
  CHECK_CLOSE(at(road, 1.75, 0).z, half, 1e-15);
}

//---- tables --------------------------------------------------------------------------------------


TEST(a_cubic_table_passes_through_its_points_and_is_level_at_its_ends)
{
  artRoad *road = MAKE(art_create_table_road, &cubic_def);
  for (int i = 0; i < 6; i++) {
    CHECK_CLOSE(at(road, table_x[i], 0).z, table_z[i], 1e-15);

    // twice continuously differentiable inside
    const double before = at(road, table_x[i] - 1e-9, 0).second[0];
    const double after = at(road, table_x[i] + 1e-9, 0).second[0];
    if (i > 0 && i < 5) CHECK_CLOSE(before, after, 1e-7);
  }
  const double ends[] = {at(road, 0, 0).gradient[0], at(road, 10 - 1e-12, 0).gradient[0]};
  CHECK_NEAR(ends, ((double[]){0, 0}), 2, 1e-10);
  check_along(road, -100, 0.1, 0, 0, 0);
  check_along(road, 100, 0.2, 0, 0, 0);
}


TEST(a_cubic_table_comes_nearer_to_a_cosine_with_the_fourth_order)
{
  double x[65], z[65], worst[2] = {0};
  for (int pass = 0; pass < 2; pass++) {
    const int n = pass ? 65 : 33;
    for (int i = 0; i < n; i++) {
      x[i] = TURN * i / (n - 1);
      z[i] = cos(x[i]);
    }
    const artTableRoad def = {.count = n, .distance = x, .height = z};
    artRoad *road = MAKE(art_create_table_road, &def);
    for (double s = 0; s < TURN; s += 0.01) {
      worst[pass] = check_larger(worst[pass], fabs(at(road, s, 0).z - cos(s)));
    }
  }
  CHECK(worst[1] < 3e-7);
  CHECK(worst[0] / worst[1] > 15 && worst[0] / worst[1] < 17);
}


TEST(a_linear_table_is_straight_between_its_corners)
{
  artRoad *road = MAKE(art_create_table_road, &linear_def);
  for (int i = 0; i < 5; i++) {
    const double slope = (table_z[i + 1] - table_z[i]) / (table_x[i + 1] - table_x[i]);
    for (double share = 0.25; share <= 0.75; share += 0.125) {
      const double x = table_x[i] + share * (table_x[i + 1] - table_x[i]);
      const artRoadPoint p = at(road, x, 0);
      const double got[] = {p.z, p.gradient[0]};
      const double want[] = {table_z[i] + slope * (x - table_x[i]), slope};
      CHECK_NEAR(got, want, 2, 1e-14);
    }
  }
  check_along(road, -1, 0.1, 0, 0, 0);
  check_along(road, 11, 0.2, 0, 0, 1e-16);
}


TEST(points_in_line_make_no_corner)
{
  const double x[] = {0, 1, 2, 3, 4}, z[] = {0, 0, 0.5, 1, 1};
  const artTableRoad def = {
      .count = 5, .distance = x, .height = z, .curve = ART_ROAD_LINEAR, .radius = 0.5};
  artRoad *road = MAKE(art_create_table_road, &def);
  check_along(road, 2, 0.5, 0.5, 0, 1e-15);
  check_along(road, 0, 0, 0, 0, 0);
  CHECK(check_curvature(road, 0.5, -1, 5) > 100);
}

//---- roads made of others ------------------------------------------------------------------------


TEST(tracks_keep_to_their_widths_and_touching_ones_leave_no_ground)
{
  artRoad *low = MAKE(art_create_plane_road, &(artPlaneRoad){.height = 1, .grade = 0.1});
  artRoad *high = MAKE(art_create_plane_road, &(artPlaneRoad){.height = 3, .grade = 0.1});
  artRoad *ground = MAKE(art_create_plane_road, &(artPlaneRoad){.height = 50});
  const artRoadTrack tracks[] = {{-2, 0, low}, {0, 1, high}};
  const artTracksRoad def = {.count = 2, .tracks = tracks, .blend = 0.5, .ground = ground};
  artRoad *road = MAKE(art_create_tracks_road, &def);

  const double y[] = {-5, -2.25, -1.75, -0.25, 0, 0.25, 0.75, 1, 1.25, 9};
  const double want[] = {50, 50, 2, 2, 3, 4, 4, 27, 50, 50};
  for (int i = 0; i < 10; i++) {
    CHECK_CLOSE(at(road, 10, y[i]).z, want[i], 1e-13);
  }
  // (1 + w) 10 m on: half way between touching tracks the slope across is 15/8 of the mean one
  const artRoadPoint p = at(road, 10, 0);
  const double got[] = {p.gradient[0], p.gradient[1], p.second[2]};
  CHECK_NEAR(got, ((double[]){0.1, 2 / 0.5 * 15 / 8, 0}), 3, 1e-12);
}


TEST(a_sum_adds_and_a_placed_road_turns)
{
  artRoad *r[KINDS];
  CHECK(create_roads(r, NULL) == ART_OK);
  const double parts =
      at(r[PLANE], 3.3, 0.4).z + at(r[TRACKS], 3.3, 0.4).z + at(r[CUBIC], 3.3, 0.4).z;
  CHECK_CLOSE(at(r[SUM], 3.3, 0.4).z, parts, 1e-15);

  // a bump laid across at 90 degrees to the left of (5, 1): its x is our y - 1, its slope is ours across
  const artPlacedRoad def = {.road = r[BUMP], .position = {5, 1, 2}, .heading = TURN / 4};
  artRoad *road = MAKE(art_create_placed_road, &def);
  const artRoadPoint got = at(road, 123, 3.3), want = at(r[BUMP], 2.3, 0);
  CHECK(want.z > 0.05);
  const double a[] = {got.z, got.gradient[0], got.gradient[1], got.second[0], got.second[2]};
  const double b[] = {2 + want.z, 0, want.gradient[0], 0, want.second[0]};
  CHECK_NEAR(a, b, 5, 1e-13);
  free_roads(r);
}

//---- calculus, on every kind ---------------------------------------------------------------------


TEST(derivatives_agree_with_differences_on_every_road)
{
  artRoad *r[KINDS];
  CHECK(create_roads(r, NULL) == ART_OK);
  uint64_t seed = 11;
  const double h = 1e-6;
  for (int i = 0; i < KINDS; i++) {
    for (int k = 0; k < 400; k++) {
      const double x = check_uniform(&seed, -2, 12), y = check_uniform(&seed, -3, 3);
      const artRoadPoint p = at(r[i], x, y);
      const artRoadPoint e = at(r[i], x + h, y), w = at(r[i], x - h, y);
      const artRoadPoint n = at(r[i], x, y + h), s = at(r[i], x, y - h);
      const double first[] = {(e.z - w.z) / (2 * h), (n.z - s.z) / (2 * h)};
      CHECK_NEAR(p.gradient, first, 2, 1e-8);

      // as a share of the largest, since an arc of 6 cm bends by 70 per metre
      const double most = 1 + fabs(p.second[0]) + fabs(p.second[2]), share = 1 / (2 * h * most);
      const double got[] = {p.second[0] / most, p.second[1] / most, p.second[1] / most,
                            p.second[2] / most};
      const double second[] = {
          (e.gradient[0] - w.gradient[0]) * share, (n.gradient[0] - s.gradient[0]) * share,
          (e.gradient[1] - w.gradient[1]) * share, (n.gradient[1] - s.gradient[1]) * share};
      CHECK_NEAR(got, second, 4, 1e-8);

      const double product[] = {p.normal[0] + p.gradient[0] * p.normal[2],
                                p.normal[1] + p.gradient[1] * p.normal[2],
                                hypot(hypot(p.normal[0], p.normal[1]), p.normal[2]) - 1};
      CHECK_NEAR(product, ((double[]){0, 0, 0}), 3, 1e-15);
    }
  }
  free_roads(r);
}


// how much height and gradient change between two points of a straight walk
static double change(const artRoad *road, double a, double b)
{
  const artRoadPoint p = at(road, a, -2.5 + 0.4 * a), q = at(road, b, -2.5 + 0.4 * b);
  return fabs(q.z - p.z) + fabs(q.gradient[0] - p.gradient[0]) +
         fabs(q.gradient[1] - p.gradient[1]);
}


// follow the larger change down to an interval of 1e-12: a jump would stay
static double smallest_change(const artRoad *road, double a, double b)
{
  while (b - a > 1e-12) {
    const double middle = 0.5 * (a + b);
    if (change(road, a, middle) > change(road, middle, b)) {
      b = middle;
    } else {
      a = middle;
    }
  }
  return change(road, a, b);
}


TEST(height_and_gradient_are_continuous_on_every_road)
{
  artRoad *r[KINDS];
  CHECK(create_roads(r, NULL) == ART_OK);
  for (int i = 0; i < KINDS; i++) {
    double worst = 0;
    for (double x = -2; x < 12; x += 0.02)
      worst = check_larger(worst, smallest_change(r[i], x, x + 0.02));
    CHECK_CLOSE(worst, 0, 1e-9);
  }
  free_roads(r);
}

//---- random roads --------------------------------------------------------------------------------

enum { SAMPLES = 20000 }; // in 1024 m, not at the points of the spline


static artRoad *random_road(artRandomRoad def)
{
  return MAKE(art_create_random_road, &def);
}


static void sample(const artRoad *road, double y, double z[SAMPLES])
{
  for (int j = 0; j < SAMPLES; j++) z[j] = at(road, 1024.0 * j / SAMPLES, y).z;
}


// harmonic k of the samples, with real and imaginary part
static void harmonic(const double z[SAMPLES], int k, double c[2])
{
  c[0] = c[1] = 0;
  for (int j = 0; j < SAMPLES; j++) {
    const double angle = TURN * (double) ((long long) k * j % SAMPLES) / SAMPLES;
    c[0] += z[j] * cos(angle) / SAMPLES;
    c[1] -= z[j] * sin(angle) / SAMPLES;
  }
}


// one-sided density at n = k / 1024 m:  G = 2 |c|^2 / dn
static double density(const double z[SAMPLES], int k)
{
  double c[2];
  harmonic(z, k, c);
  return 2 * (c[0] * c[0] + c[1] * c[1]) * 1024;
}


TEST(the_density_of_each_class_has_level_and_slope_of_iso_8608)
{
  static double z[SAMPLES];
  for (char letter = 'A'; letter <= 'H'; letter++) {
    artRoad *road = random_road((artRandomRoad){.iso_class = letter, .seed = 42});
    sample(road, 0, z);

    // the line log G = level + slope log(n / n0) that fits best
    double s1 = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (double k = 12; k < 2890; k *= 1.4) {
      const double x = log((int) k / 1024.0 / 0.1), y = log(density(z, (int) k));
      s1 += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double slope = (s1 * sxy - sx * sy) / (s1 * sxx - sx * sx),
                 level = (sy - slope * sx) / s1;
    const double want = 16e-6 * pow(4, letter - 'A');
    CHECK_CLOSE(slope, -2, 0.002);
    CHECK_CLOSE_REL(exp(level), want, 0.005);

    // outside of the band there is nothing, measured by the density that would stand there
    const double outside[] = {density(z, 8) / (want * 164), density(z, 3500) / (want * 8.6e-4)};
    CHECK_NEAR(outside, ((double[]){0, 0}), 2, 1e-7);
  }
}


// The mean density in a band as an analyst finds it, who knows nothing of the period: pieces of 200 m
// that overlap by half, each weighted by a Hann window (whose mean square is 3/8)
static double measured_density(const artRoad *road, double n)
{
  double sum = 0;
  int pieces = 0;
  for (double from = 3; from < 820; from += 100, pieces++) {
    double re = 0, im = 0;
    for (int j = 0; j < 4000; j++) {
      const double s = 0.05 * j, w = 0.5 - 0.5 * cos(TURN * s / 200);
      const double z = w * at(road, from + s, 0).z;
      re += z * cos(TURN * n * s) * 0.05;
      im += z * sin(TURN * n * s) * 0.05;
    }
    sum += 2 * (re * re + im * im) / (200 * 0.375);
  }
  return sum / pieces;
}


TEST(an_analyst_who_does_not_know_the_period_finds_the_class)
{
  artRoad *road = random_road((artRandomRoad){.iso_class = 'B', .seed = 3});
  double sum = 0, slope = 0, squares = 0;
  int count = 0;
  for (int octave = -2; octave <= 2; octave++) {
    for (int k = 0; k < 12; k++, count++) {
      const double x = log(2) * (octave + k / 12.0), n = 0.1 * exp(x);
      const double y = log(measured_density(road, n) / (64e-6 * pow(n / 0.1, -2)));
      sum += y;
      slope += y * x;
      squares += x * x;
    }
  }
  // of 60 lines in 8 pieces: within 10 % of the level and 0.1 of the slope
  const double got[] = {sum / count, slope / squares};
  CHECK_NEAR(got, ((double[]){0, 0}), 2, 0.1);
}


TEST(the_variance_is_the_area_under_the_density)
{
  static double z[SAMPLES];
  artRoad *road = random_road((artRandomRoad){.roughness = 100e-6, .seed = 1});
  sample(road, 0, z);
  double mean = 0, square = 0;
  for (int j = 0; j < SAMPLES; j++) {
    mean += z[j] / SAMPLES;
    square += z[j] * z[j] / SAMPLES;
  }
  // integral of Gd(n0) n0^2 / n^2 over the lines, which begin half a line below 12/1024
  CHECK_CLOSE(mean, 0, 1e-12);
  CHECK_CLOSE_REL(square, 100e-6 * 0.01 * (1024 / 11.5 - 1 / 2.83), 2e-3);
}


TEST(left_and_right_tracks_have_the_given_coherence)
{
  static double left[SAMPLES], right[SAMPLES];
  for (double g = 0; g < 1.01; g += 0.25) {
    artRoad *road = random_road(
        (artRandomRoad){.iso_class = 'D', .seed = 5, .track = 1.6, .coherence = fmin(g, 1)});
    sample(road, 0.8, left);
    sample(road, -0.8, right);

    // |G_lr| / sqrt(G_ll G_rr) in bands of 100 lines, and both densities by themselves
    for (int first = 100; first <= 700; first += 300) {
      double re = 0, im = 0, ll = 0, rr = 0;
      for (int k = first; k < first + 100; k++) {
        double a[2], b[2];
        harmonic(left, k, a);
        harmonic(right, k, b);
        re += (a[0] * b[0] + a[1] * b[1]) * k * k;
        im += (a[1] * b[0] - a[0] * b[1]) * k * k;
        ll += (a[0] * a[0] + a[1] * a[1]) * k * k;
        rr += (b[0] * b[0] + b[1] * b[1]) * k * k;
      }
      // its real part is exact, the imaginary one the mean of 100 tosses
      const double got[] = {re / ll, rr / ll, im / ll};
      CHECK_NEAR(got, ((double[]){g, 1}), 2, 1e-6);
      CHECK_NEAR(got + 2, ((double[]){0}), 1, 0.25 * sqrt(fmax(0, 1 - g * g)) + 1e-9);
    }
  }
}


TEST(wheels_that_wander_stay_on_their_track)
{
  artRoad *road = random_road((artRandomRoad){.iso_class = 'C', .seed = 9, .track = 1.6});
  CHECK(at(road, 77, 0.4).z == at(road, 77, 5).z);
  CHECK(at(road, 77, -0.4).z == at(road, 77, -5).z);
  CHECK(at(road, 77, 0.4).z != at(road, 77, -0.4).z);
  CHECK_CLOSE(at(road, 77, 0).z, 0.5 * (at(road, 77, 1).z + at(road, 77, -1).z), 1e-16);
}


TEST(the_profile_repeats_after_its_period_and_may_begin_flat)
{
  artRoad *road = random_road((artRandomRoad){.iso_class = 'C', .seed = 9, .period = 100});
  const double a[] = {at(road, 12.34, 0).z, at(road, -3, 0).z};
  const double b[] = {at(road, 712.34, 0).z, at(road, 97, 0).z};
  CHECK_NEAR(a, b, 2, 1e-14);

  artRoad *flat = random_road(
      (artRandomRoad){.iso_class = 'C', .seed = 9, .period = 100, .start = 20, .blend = 5});
  check_along(flat, 20, 0, 0, 0, 0);
  check_along(flat, -1e5, 0, 0, 0, 0);
  road = random_road((artRandomRoad){.iso_class = 'C', .seed = 9, .period = 100});
  CHECK(at(flat, 25, 0).z == at(road, 25, 0).z);
  CHECK_CLOSE(at(flat, 22.5, 0).z, at(road, 22.5, 0).z / 2, 1e-17);
}


TEST(the_same_seed_gives_the_same_bits)
{
  artRoad *road =
      random_road((artRandomRoad){.iso_class = 'C', .seed = 2024, .track = 1.5, .coherence = 0.7});
  const artRoadPoint p = at(road, 100.25, 0.75), q = at(road, 731.125, -0.75);
  const double got[] = {p.z, p.gradient[0], q.z, q.gradient[0]};
  const double want[] = {-0x1.9240f51f40d4cp-8, -0x1.0aef40ebb584p-7, 0x1.41fe628e880dp-10,
                         0x1.6377c9083dbep-7};
  for (int i = 0; i < 4; i++) {
    if (!CHECK(got[i] == want[i])) printf("  number %d is %a\n", i, got[i]);
  }

  artRoad *other =
      random_road((artRandomRoad){.iso_class = 'C', .seed = 2025, .track = 1.5, .coherence = 0.7});
  CHECK(fabs(at(other, 100.25, 0.75).z - p.z) > 1e-3);
}

//---- mistakes ------------------------------------------------------------------------------------

#define CHECK_REFUSED(create, def, part)                                                           \
  do {                                                                                             \
    artRoad *refused = (artRoad *) &check_error;                                                   \
    CHECK_FAILS(create(&refused, &(def), &check_error), ART_BAD_INPUT, part);                      \
    CHECK(refused == NULL);                                                                        \
  } while (0)


TEST(mistakes_are_named_and_located)
{
  const artRoadLabel label = {"hill", {"car.yaml", 12, 3}};

  const artPlaneRoad plane = {.label = label, .grade = NAN};
  CHECK_REFUSED(art_create_plane_road, plane,
                "car.yaml:12:3: road 'hill': grade is nan, expected a finite number");
  const artBumpRoad bump = {.length = 0, .height = 1};
  CHECK_REFUSED(art_create_bump_road, bump, "road: length is 0, expected a finite number above 0");
  const artBumpRoad dense = {.length = 2, .height = 1, .count = 3, .spacing = 1};
  CHECK_REFUSED(art_create_bump_road, dense, "bumps of length 2 are 1 apart");
  const artBumpRoad negative = {.length = 2, .height = 1, .count = -3, .spacing = 3};
  CHECK_REFUSED(art_create_bump_road, negative, "count is -3, expected 1 or more");
  const artRampRoad sharp = {.up = 1, .plateau = 1, .down = 1, .height = 1};
  CHECK_REFUSED(art_create_ramp_road, sharp, "radius is 0");
  const artStairsRoad none = {.rise = 0.1, .tread = 0.3, .riser = 0.05, .radius = 0.01};
  CHECK_REFUSED(art_create_stairs_road, none, "count is 0, expected 1 to");
  const artStairsRoad flat = {.count = 2, .rise = 0.1, .tread = 0.3, .riser = 0.3, .radius = 0.01};
  CHECK_REFUSED(art_create_stairs_road, flat, "riser is 0.3, expected less than the tread 0.3");
  const artSineRoad endless = {.amplitude = 1, .wavelength = 1, .last_wavelength = 2};
  CHECK_REFUSED(art_create_sine_road, endless, "expected a sweep to have a length");
  const artSineRoad wide = {.amplitude = 1, .wavelength = 1, .length = 3, .blend = 2};
  CHECK_REFUSED(art_create_sine_road, wide, "blend is 2, expected at most half of the length 3");
  const artSumRoad empty = {.label = label};
  CHECK_REFUSED(art_create_sum_road, empty, "road 'hill': found 0 parts, expected at least one");
  const artPlacedRoad missing = {.heading = 1};
  CHECK_REFUSED(art_create_placed_road, missing, "found no road to place");
}


TEST(a_radius_that_does_not_fit_is_refused_with_the_largest_that_does)
{
  artRampRoad ramp = ramp_def;
  ramp.radius = 20;
  CHECK_REFUSED(
      art_create_ramp_road, ramp,
      "arcs of radius 20 do not fit on the line from x = 1 to x = 4, expected a radius of "
      "at most 15.4");

  // the way down is shorter and steeper, so it decides: its length over two tangents of half its angle
  const double most = hypot(1.5, 0.6) / (2 * tan(atan(0.4) / 2));
  ramp.radius = most * (1 + 1e-9);
  CHECK_REFUSED(art_create_ramp_road, ramp, "from x = 6 to x = 7.5");
  ramp.radius = most * (1 - 1e-9);
  MAKE(art_create_ramp_road, &ramp);
}


TEST(wrong_random_roads_are_refused)
{
  CHECK_REFUSED(art_create_random_road, ((artRandomRoad){.seed = 1}), "found no iso_class");
  CHECK_REFUSED(art_create_random_road, ((artRandomRoad){.iso_class = 'J'}),
                "iso_class is 'J', expected 'A' to 'H'");
  CHECK_REFUSED(art_create_random_road, ((artRandomRoad){.iso_class = 'A', .roughness = 1e-6}),
                "expected one of the two");
  CHECK_REFUSED(art_create_random_road,
                ((artRandomRoad){.iso_class = 'A', .track = 1, .coherence = 1.1}),
                "coherence is 1.1, expected 0 to 1");
  CHECK_REFUSED(art_create_random_road, ((artRandomRoad){.iso_class = 'A', .period = 0.1}),
                "holds no wave that repeats after 0.1 m");
  CHECK_REFUSED(art_create_random_road, ((artRandomRoad){.iso_class = 'A', .period = 1e9}),
                "expected a shorter period");
}


TEST(wrong_tables_and_tracks_are_refused)
{
  const double x[] = {0, 1, 1}, z[] = {0, INFINITY, 0};
  CHECK_REFUSED(art_create_table_road, ((artTableRoad){.count = 1, .distance = x, .height = x}),
                "found 1 point, expected at least two");
  CHECK_REFUSED(art_create_table_road, ((artTableRoad){.count = 3, .distance = x, .height = z}),
                "point 2 is (1, inf)");
  CHECK_REFUSED(art_create_table_road, ((artTableRoad){.count = 3, .distance = x, .height = x}),
                "point 3 has distance 1 after 1, expected distances to increase");

  artRoad *road = MAKE(art_create_plane_road, &plane_def);
  const artRoadTrack narrow = {0, 0.1, road}, overlap[] = {{0, 1, road}, {0.9, 2, road}};
  const artRoadTrack hollow = {0, 1, NULL};
  CHECK_REFUSED(art_create_tracks_road,
                ((artTracksRoad){.count = 1, .tracks = &narrow, .blend = 0.2}),
                "expected it to be at least as wide as the blend 0.2");
  CHECK_REFUSED(art_create_tracks_road,
                ((artTracksRoad){.count = 2, .tracks = overlap, .blend = 0.2}),
                "track 2 begins at y = 0.9 inside track 1");
  CHECK_REFUSED(art_create_tracks_road,
                ((artTracksRoad){.count = 1, .tracks = &hollow, .blend = 0.2}),
                "track 1 has no road");
}

//---- memory and extremes -------------------------------------------------------------------------


TEST(evaluation_takes_no_memory)
{
  artRoad *r[KINDS];
  heap_watch();
  CHECK(create_roads(r, NULL) == ART_OK);
  const long taken = heap_taken(), before = mallocs;
  double sum = 0;
  for (int i = 0; i < KINDS; i++) {
    for (int k = 0; k < 1000; k++) sum += at(r[i], 0.02 * k - 5, 0.01 * k - 5).z;
  }
  CHECK(isfinite(sum));
  CHECK_EQ_INT(heap_taken(), taken);
  CHECK_EQ_INT(mallocs, before);
  free_roads(r);
  CHECK_EQ_INT(heap_live(), 0);
  heap_unwatch();
}


TEST(memory_that_runs_out_ends_in_a_clean_error)
{
  artRoad *r[KINDS];
  artStatus status = ART_NO_MEMORY;
  int n = 0;
  while (status == ART_NO_MEMORY && n < 1000) {
    artError error = {0};
    heap_fail_at(++n);
    status = create_roads(r, &error);
    if (status) CHECK_TEXT(error.text, "out of memory");
    free_roads(r);
    CHECK_EQ_INT(heap_live(), 0);
  }
  CHECK_EQ_INT(status, ART_OK);
  CHECK(n > 20);
  heap_unwatch();
}


TEST(points_far_away_and_points_that_are_none)
{
  artRoad *r[KINDS];
  CHECK(create_roads(r, NULL) == ART_OK);
  for (int i = 0; i < KINDS; i++) {
    for (double x = 1; x < 1e300; x *= 1e3) {
      CHECK(isfinite(at(r[i], x, -x).z) && isfinite(at(r[i], -x, x).z));
    }
    const artRoadPoint p = at(r[i], NAN, 0), q = at(r[i], 0, -INFINITY);
    CHECK(isnan(p.z) && isnan(p.gradient[1]) && isnan(q.second[0]) && isnan(q.normal[2]));
  }
  free_roads(r);
  art_free_road(NULL);
}
