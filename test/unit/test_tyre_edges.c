// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Wheels on steps and edges: closed forms, energy, and that nothing jumps.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/tyre.h"
#include "support/check.h"
#include "support/keep.h"

static const double R = 0.36, K = 2e5, pi = 3.14159265358979323846;


static artTyre *radial_tyre(double damping)
{
  artTyre *tyre = NULL;
  const artRadialTyre def = {.radius = R, .stiffness = K, .damping = damping, .load = 4000};
  CHECK(art_create_radial_tyre(&tyre, &def, NULL) == ART_OK);
  return tyre;
}


// a step up at x = 0, nearly vertical
static artRoad *step(double rise, double radius)
{
  artRoad *road = NULL;
  const artStairsRoad def = {
      .start = 0, .count = 1, .rise = rise, .tread = 1, .riser = 1e-9, .radius = radius};
  CHECK_WORKS(art_create_stairs_road(&road, &def, &check_error));
  return road;
}


static artTyreAnswer press(const artTyre *tyre, const artRoad *road, const artWheel *w)
{
  artTyreAnswer a = {0};
  const artGround ground = art_ground_of_road(road);
  CHECK(art_put_tyre_on_road(tyre, &ground, w, NULL, &a) == ART_OK);
  return a;
}


static artTyreAnswer press_at(const artTyre *tyre, const artRoad *road, double x, double z)
{
  const artWheel w = {.centre = {x, 0, z}, .axis = {0, 1, 0}};
  return press(tyre, road, &w);
}

//---- closed forms --------------------------------------------------------------------------------

// An edge of radius e at (0, h), its arc around (e, h - e): the wheel whose centre lies at the angle u before
// the vertical through that point, and at the distance R + e - d, is pressed by K d along the line between them.
TEST(a_wheel_on_an_edge_is_pressed_along_the_line_to_it)
{
  const double e = 0.004, h = 0.15;
  artTyre *tyre = keep_tyre(radial_tyre(0));
  artRoad *road = keep_road(step(h, e));
  for (double u = -0.85; u < 0.3; u += 0.05) {
    for (double d = 0.001; d < 0.02; d += 0.003) {
      const double D = R + e - d, x = e + D * sin(u), z = h - e + D * cos(u);
      const double tread = R - z, top = x > e ? R + h - z : 0;
      const artTyreAnswer a = press_at(tyre, road, x, z);
      const double up = K * (fmax(tread, 0) + (x > e ? fmax(top, 0) : d * cos(u)));
      const double want[3] = {x > e ? 0 : K * d * sin(u), 0, up};
      if (!CHECK_NEAR(a.world_force, want, 3, 1e-5 * K * d)) printf("  u %g, d %g\n", u, d);
    }
  }
}


// Quasi-static: a wheel under the load W that is pushed over a step by a force H at its centre. While it stands on the
// edge alone the force of the edge balances both, so that H = W tan u, u from 0 above the edge to
// acos((R - d - h)/(R - d)) where it leaves the lower tread, and the centre moves on a circle around the edge.
TEST(a_wheel_is_pushed_over_a_step_on_a_circle)
{
  const double e = 0.002, h = 0.12, W = 3000;
  artTyre *tyre = keep_tyre(radial_tyre(0));
  artRoad *road = keep_road(step(h, e));
  for (double u = 0.02; u < 0.8; u += 0.06) {
    // K d cos u = W
    const double d = W / (K * cos(u)), D = R + e - d, x = e - D * sin(u), z = h - e + D * cos(u);
    const artTyreAnswer a = press_at(tyre, road, x, z);
    const double want[3] = {-W * tan(u), 0, W};
    CHECK(z > R);
    CHECK_NEAR(a.world_force, want, 3, 1e-5 * W);
    CHECK_NEAR(a.contact.point, ((double[]){e - e * sin(u), 0, h - e + e * cos(u)}), 3, 1e-6);
  }
}


// In the corner both tread and riser are touched, or tread and edge; far from each other they add.
TEST(tread_and_riser_carry_together)
{
  artTyre *tyre = keep_tyre(radial_tyre(0));
  artRoad *wall = keep_road(step(0.6, 0.01)), *kerb = keep_road(step(0.2, 0.01));
  const artTyreAnswer a = press_at(tyre, wall, -R + 0.02, R - 0.03);
  CHECK_NEAR(a.world_force, ((double[]){-K * 0.02, 0, K * 0.03}), 3, 1e-2);
  CHECK_NEAR(&a.force.Fz, ((double[]){K * hypot(0.02, 0.03)}), 1, 1e-2);

  const double x = -0.3, z = R - 0.01, dx = x - 0.01, dz = z - 0.19, D = hypot(dx, dz);
  const double d = R + 0.01 - D;
  const artTyreAnswer b = press_at(tyre, kerb, x, z);
  CHECK(d > 0.01);
  CHECK_NEAR(b.world_force, ((double[]){K * d * dx / D, 0, K * (0.01 + d * dz / D)}), 3, 1e-2);
}


// A step that is lower than the tyre's deflection is no second road: as it shrinks, nothing is left of it.
TEST(a_low_step_is_hardly_felt)
{
  artTyre *tyre = keep_tyre(radial_tyre(0));
  for (double h = 1e-3; h > 1e-7; h /= 10) {
    artRoad *road = keep_road(step(h, 0.2 * h));
    for (double x = -0.2; x < 0.2; x += 0.013) {
      const artTyreAnswer a = press_at(tyre, road, x, R - 0.02);
      CHECK_NEAR(a.world_force, ((double[]){0, 0, K * 0.02}), 3, 1.2 * K * h);
    }
  }
}

//---- energy and continuity -----------------------------------------------------------------------

static artRoad *stairs(double rise, double tread, double riser, double radius)
{
  artRoad *road = NULL;
  const artStairsRoad def = {
      .start = 0, .count = 4, .rise = rise, .tread = tread, .riser = riser, .radius = radius};
  CHECK_WORKS(art_create_stairs_road(&road, &def, &check_error));
  return road;
}


// the work of the force along a straight way, by Gauss-Legendre of two points on n intervals
static double work_along(const artTyre *tyre, const artRoad *road, const double from[2],
                         const double to[2], int n)
{
  double work = 0;
  for (int i = 0; i < 2 * n; i++) {
    const double t = (i / 2 + 0.5 + (i % 2 ? 0.5 : -0.5) / sqrt(3)) / n;
    const artTyreAnswer a =
        press_at(tyre, road, from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]));
    work += (a.world_force[0] * (to[0] - from[0]) + a.world_force[2] * (to[1] - from[1])) / (2 * n);
  }
  return work;
}


// without a damper the force has a potential: no work around closed ways, wherever they lead
TEST(no_work_is_done_around_a_closed_way)
{
  const double form[][4] = {{0.15, 0.4, 1e-3, 0.01},  {-0.15, 0.4, 1e-3, 0.01},
                            {0.02, 0.1, 1e-2, 0.005}, {0.1, 0.5, 0.1, 0.15},
                            {-0.05, 0.3, 0.02, 0.02}, {0.1, 0.25, 0.2, 0.1}};
  artTyre *tyre = keep_tyre(radial_tyre(0));
  for (size_t i = 0; i < sizeof form / sizeof *form; i += CHECK_CASES(1, 3)) {
    artRoad *road = keep_road(stairs(form[i][0], form[i][1], form[i][2], form[i][3]));
    for (double x = -0.4; x < 1.2; x += 0.11) {
      const double x1 = x + 0.13;
      artRoadPoint p, p1;
      art_evaluate_road(road, x, 0, &p);
      art_evaluate_road(road, x1, 0, &p1);
      const double low = fmax(p.z, p1.z) + 0.75 * R, high = low + 0.4 * R;
      const double way[4][2] = {{x, low}, {x1, low}, {x1, high}, {x, high}};
      double work = 0, size = 0;
      for (int k = 0; k < 4; k++) {
        const double part = work_along(tyre, road, way[k], way[(k + 1) % 4], 4000);
        work += part;
        size = fmax(size, fabs(part));
      }
      if (!CHECK(fabs(work) < 2e-5 * (size + 1)))
        printf("  form %zu, x %g: %g of %g\n", i, x, work, size);
    }
  }
}


// the largest change of the force over a way of so many steps, in a way that is twice as fine it halves
static double largest_jump(const artTyre *tyre, const artRoad *road, int n, double yaw, double lean)
{
  double largest = 0;
  artTyreAnswer last = {0};
  for (int i = 0; i <= n; i++) {
    const double x = -0.3 + 1.6 * i / n;
    artRoadPoint p;
    art_evaluate_road(road, x, 0, &p);
    const artWheel w = {.centre = {x, 0.05 * sin(3 * x), 0.27 + 0.42 * fmin(fmax(x, 0), 1.2)},
                        .axis = {-sin(yaw) * cos(lean), cos(yaw) * cos(lean), sin(lean)},
                        .velocity = {1, 0.1, -0.2},
                        .omega = {0, 3, 0}};
    const artTyreAnswer a = press(tyre, road, &w);
    double jump = 0;
    for (int k = 0; i > 0 && k < 3; k++) {
      jump = check_larger(jump, fabs(a.world_force[k] - last.world_force[k]));
    }
    largest = check_larger(largest, jump);
    last = a;
  }
  return largest;
}


TEST(the_force_changes_without_jumps)
{
  artTyre *tyre = keep_tyre(radial_tyre(2000));
  const double form[][4] = {
      {0.15, 0.4, 1e-3, 0.01}, {0.02, 0.1, 1e-2, 0.005}, {0.1, 0.3, 0.1, 0.1}};
  for (size_t i = 0; i < sizeof form / sizeof *form; i += CHECK_CASES(1, 3)) {
    artRoad *road = keep_road(stairs(form[i][0], form[i][1], form[i][2], form[i][3]));
    for (int k = 0; k < 4; k++) {
      const double yaw = k == 3 ? 3 : 0.4 * k, lean = 0.06 * k;
      const double coarse = largest_jump(tyre, road, 20000, yaw, lean);
      const double fine = largest_jump(tyre, road, 80000, yaw, lean);
      if (!CHECK(fine < 0.5 * coarse && coarse < 500))
        printf("  form %zu, yaw %g: %g, %g\n", i, yaw, coarse, fine);
    }
  }
}

//---- against smooth roads ------------------------------------------------------------------------

// Where the road is as smooth as the wheel, both ways find the same contact: arcs a little rounder than the
// wheel beside arcs a little sharper, of which the wheel touches one place.
TEST(one_contact_is_that_of_smooth_roads)
{
  artTyre *tyre = keep_tyre(radial_tyre(1500));
  artRoad *smooth = NULL, *sharp = NULL;
  artRampRoad def = {.start = 0, .up = 2, .height = 0.3, .radius = R * 1.0000001};
  CHECK(art_create_ramp_road(&smooth, &def, NULL) == ART_OK);
  def.radius = R * 0.9999999;
  CHECK(art_create_ramp_road(&sharp, &def, NULL) == ART_OK);
  for (double x = -0.5; x < 2.6; x += 0.07) {
    artRoadPoint p;
    art_evaluate_road(smooth, x, 0, &p);
    const artWheel w = {.centre = {x, 0.3, p.z + 0.34},
                        .axis = {-sin(0.3) * cos(0.1), cos(0.3) * cos(0.1), sin(0.1)},
                        .velocity = {3, 0.4, -0.1},
                        .omega = {0.1, 9, 0.2}};
    const artTyreAnswer a = press(tyre, smooth, &w), b = press(tyre, sharp, &w);
    CHECK_NEAR(b.world_force, a.world_force, 3, 0.02);
    CHECK_NEAR(b.world_moment, a.world_moment, 3, 0.01);
    CHECK_NEAR(b.contact.point, a.contact.point, 3, 2e-7);
    CHECK_CLOSE(b.contact.Vx, a.contact.Vx, 1e-6);
  }
  art_free_road(smooth);
  art_free_road(sharp);
}


// the sum of a ramp and of stairs on its plateau is one profile, and a placed one is turned
TEST(sums_and_placed_roads_have_their_edges)
{
  artTyre *tyre = keep_tyre(radial_tyre(0));
  artRoad *ramp, *down, *sum, *placed;
  CHECK(art_create_ramp_road(&ramp,
                             &(artRampRoad){.start = -9, .up = 4, .height = 0.5, .radius = 3},
                             NULL) == ART_OK);
  CHECK(art_create_stairs_road(
            &down,
            &(artStairsRoad){
                .start = 0, .count = 3, .rise = -0.15, .tread = 0.4, .riser = 1e-3, .radius = 0.01},
            NULL) == ART_OK);
  const artRoad *parts[2] = {ramp, down};
  CHECK(art_create_sum_road(&sum, &(artSumRoad){.count = 2, .parts = parts}, NULL) == ART_OK);
  CHECK(art_create_placed_road(
            &placed, &(artPlacedRoad){.road = sum, .position = {1, 2, 0.3}, .heading = 0.5 * pi},
            NULL) == ART_OK);
  for (double x = -0.4; x < 1.4; x += 0.03) {
    const double z = R - 0.02 - 0.35 * fmin(fmax(x, 0), 1.2);
    artTyreAnswer plain = press_at(tyre, down, x, z), lifted = press_at(tyre, sum, x, z + 0.5);
    const artWheel w = {.centre = {1, 2 + x, z + 0.8}, .axis = {-1, 0, 0}};
    const artTyreAnswer turned = press(tyre, placed, &w);
    CHECK_NEAR(lifted.world_force, plain.world_force, 3, 1e-8);
    CHECK_CLOSE(turned.world_force[1], plain.world_force[0], 1e-8);
    CHECK_CLOSE(turned.world_force[2], plain.world_force[2], 1e-8);
  }
  art_free_road(placed);
  art_free_road(sum);
  art_free_road(down);
  art_free_road(ramp);
}


// level ground at the height of the road below the centre presses it up; places that are none have no contact
TEST(a_wheel_sunk_to_its_hub_is_pressed_up)
{
  artTyre *tyre = keep_tyre(radial_tyre(0));
  artRoad *road = keep_road(step(0.15, 0.01));
  const double x[3] = {-1, -0.2, 0.1}, z[3] = {-0.01, -0.03, 0.14}, ground[3] = {0, 0, 0.15};
  for (int i = 0; i < 3; i++) {
    const artTyreAnswer a = press_at(tyre, road, x[i], z[i]);
    CHECK_NEAR(a.world_force, ((double[]){0, 0, K * (R + ground[i] - z[i])}), 3, 1e-8);
  }
  const artGround under = art_ground_of_road(road);
  const artWheel wrong[] = {{.centre = {0, 0, NAN}, .axis = {0, 1, 0}},
                            {.centre = {INFINITY, 0, 1}, .axis = {0, 1, 0}},
                            {.centre = {0, 0, 1}, .axis = {0, 0, 1}}};
  for (int i = 0; i < 3; i++) {
    artTyreAnswer a;
    CHECK(art_put_tyre_on_road(tyre, &under, &wrong[i], NULL, &a) == ART_NO_CONVERGENCE);
  }
}
