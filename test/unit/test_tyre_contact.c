// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contact of wheel and road, slips in time, and the whole answer.
#include <math.h>
#include <stdio.h>

#include "articula/tyre.h"
#include "support/check.h"
#include "support/keep.h"

#define TYRE61 ART_SOURCE_DIR "/models/tyres/MagicFormula61_Parameters.tir"

static const double pi = 3.14159265358979323846;

//---- roads ---------------------------------------------------------------------------------------

// z = p[0] + p[1] x + p[2] y
static double plane(void *context, double x, double y, double slope[2])
{
  const double *p = context;
  slope[0] = p[1];
  slope[1] = p[2];
  return p[0] + p[1] * x + p[2] * y;
}


// the bump of the Iltis benchmark, without end
static double cosine(void *context, double x, double y, double slope[2])
{
  (void) context;
  (void) y;
  slope[0] = 0.1 * 2 * pi / 5 * sin(2 * pi * (x - 0.97) / 5);
  slope[1] = 0;
  return 0.1 * (1 - cos(2 * pi * (x - 0.97) / 5));
}


// hills both ways
static double egg_box(void *context, double x, double y, double slope[2])
{
  (void) context;
  slope[0] = 0.05 * 2 * cos(2 * x) * cos(1.5 * y);
  slope[1] = -0.05 * 1.5 * sin(2 * x) * sin(1.5 * y);
  return 0.05 * sin(2 * x) * cos(1.5 * y);
}


// an axis of yaw and camber: to the left, its left end up by gamma
static void set_axis(artWheel *w, double yaw, double gamma)
{
  const double axis[3] = {-sin(yaw) * cos(gamma), cos(yaw) * cos(gamma), sin(gamma)};
  memcpy(w->axis, axis, sizeof axis);
}

//---- geometry ------------------------------------------------------------------------------------

TEST(flat_ground_is_a_closed_form)
{
  for (double yaw = -3; yaw < 3; yaw += 0.5) {
    for (double gamma = -0.6; gamma < 0.61; gamma += 0.3) {
      artWheel w = {.centre = {1, 2, 0.29}};
      set_axis(&w, yaw, gamma);
      artContact c;
      if (!CHECK(art_find_contact(NULL, &w, &c) == ART_OK)) return;
      const double r = 0.29 / cos(gamma), out = r * sin(gamma);
      const double want[3] = {1 - out * sin(yaw), 2 + out * cos(yaw), 0};
      const double forward[3] = {cos(yaw), sin(yaw), 0}, left[3] = {-sin(yaw), cos(yaw), 0};
      CHECK_NEAR(c.point, want, 3, 1e-15);
      CHECK_NEAR(c.forward, forward, 3, 1e-15);
      CHECK_NEAR(c.left, left, 3, 1e-15);
      CHECK_CLOSE(c.radius, r, 1e-15);
      CHECK_CLOSE(c.gamma, gamma, 1e-15);
    }
  }
}


// A wheel at height h above an incline, along its normal, is a wheel at height h on flat ground in axes
// turned with the incline.
TEST(a_cambered_wheel_on_an_incline_is_one_on_flat_ground_turned)
{
  double p[3] = {0.4, 0.3, -0.2};
  const artGround road = {plane, p};
  const double length = sqrt(1 + 0.09 + 0.04), n[3] = {-0.3 / length, 0.2 / length, 1 / length};
  const double e1[3] = {1 / sqrt(1.09), 0, 0.3 / sqrt(1.09)};
  const double e2[3] = {n[1] * e1[2] - n[2] * e1[1], n[2] * e1[0] - n[0] * e1[2],
                        n[0] * e1[1] - n[1] * e1[0]};
  const double foot[3] = {1, 2, 0.4 + 0.3 - 0.4}, h = 0.31, yaw = 0.7, gamma = 0.15;

  artWheel flat = {0}, w = {0};
  set_axis(&flat, yaw, gamma);
  double point[3], forward[3];
  const double out = h * tan(gamma);
  for (int i = 0; i < 3; i++) {
    w.centre[i] = foot[i] + h * n[i];
    w.axis[i] = flat.axis[0] * e1[i] + flat.axis[1] * e2[i] + flat.axis[2] * n[i];
    forward[i] = cos(yaw) * e1[i] + sin(yaw) * e2[i];
    point[i] = foot[i] + out * (-sin(yaw) * e1[i] + cos(yaw) * e2[i]);
  }
  artContact c;
  if (!CHECK(art_find_contact(&road, &w, &c) == ART_OK)) return;
  const double radius = h / cos(gamma);
  CHECK_NEAR(c.point, point, 3, 1e-14);
  CHECK_NEAR(c.forward, forward, 3, 1e-14);
  CHECK_NEAR(c.normal, n, 3, 1e-15);
  CHECK_CLOSE(c.radius, radius, 1e-14);
  CHECK_CLOSE(c.gamma, gamma, 1e-14);
}


// the distance along a ray in the wheel plane, by bisection from the far end
static double ray_length(const artGround *road, const artWheel *w, const double e1[3],
                         const double e3[3], double angle)
{
  double low = 0, high = 1, slope[2];
  for (int k = 0; k < 60; k++) {
    const double r = 0.5 * (low + high);
    double q[3];
    for (int i = 0; i < 3; i++) q[i] = w->centre[i] - r * (cos(angle) * e3[i] + sin(angle) * e1[i]);
    if (q[2] > road->height(road->context, q[0], q[1], slope))
      low = r;
    else
      high = r;
  }
  return 0.5 * (low + high);
}


// the shortest ray of the wheel plane, by golden section
static double brute_radius(const artGround *road, const artWheel *w)
{
  const double *a = w->axis;
  const double s = sqrt(a[0] * a[0] + a[1] * a[1]);
  const double e1[3] = {a[1] / s, -a[0] / s, 0};
  const double e3[3] = {e1[1] * a[2], -e1[0] * a[2], e1[0] * a[1] - e1[1] * a[0]};
  const double golden = 0.6180339887498949;
  double low = -0.6, high = 0.6;
  while (high - low > 1e-9) {
    const double x = high - golden * (high - low), y = low + golden * (high - low);
    if (ray_length(road, w, e1, e3, x) < ray_length(road, w, e1, e3, y))
      high = y;
    else
      low = x;
  }
  return ray_length(road, w, e1, e3, 0.5 * (low + high));
}


static void check_against_brute_force(const artGround *road, double x, double y, double yaw,
                                      double gamma)
{
  double slope[2];
  artWheel w = {.centre = {x, y, 0.35 + road->height(road->context, x, y, slope)}};
  set_axis(&w, yaw, gamma);
  artContact c;
  if (!CHECK(art_find_contact(road, &w, &c) == ART_OK)) return;
  CHECK_CLOSE(c.radius, brute_radius(road, &w), 1e-12);

  // on the road, in the wheel plane, with axes that are orthonormal and tangent
  CHECK_CLOSE(c.point[2], road->height(road->context, c.point[0], c.point[1], slope), 1e-14);
  double plane_misfit = 0, tangent = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    plane_misfit += (c.point[i] - w.centre[i]) * w.axis[i];
    tangent += c.forward[i] * c.normal[i];
    square += c.left[i] * c.left[i];
  }
  CHECK(fabs(plane_misfit) < 1e-14 && fabs(tangent) < 1e-10 && fabs(square - 1) < 1e-9);
}


TEST(a_cosine_road_agrees_with_brute_force)
{
  const artGround road = {cosine, NULL};
  for (double x = 0; x < 6; x += 0.17) check_against_brute_force(&road, x, 0, 0, 0);
  for (double x = 0; x < 6; x += 0.43) check_against_brute_force(&road, x, 1, 0.4, -0.12);
}


TEST(hills_agree_with_brute_force)
{
  const artGround road = {egg_box, NULL};
  for (double x = 0; x < 6; x += 0.37) {
    for (double y = 0; y < 4; y += 0.61)
      check_against_brute_force(&road, x, y, x - y, 0.1 * sin(3 * x));
  }
}


// stairs with edges as sharp as the wheel, touched and from the air: always a point where the disc is tangent
TEST(stairs_have_a_contact_point_from_any_height)
{
  artRoad *road;
  const artStairsRoad def = {
      .start = 0, .count = 5, .rise = -0.16, .tread = 0.9, .riser = 0.35, .radius = 0.37};
  CHECK(art_create_stairs_road(&road, &def, NULL) == ART_OK);
  const artGround ground = art_ground_of_road(road);
  for (double x = -0.5; x < 5; x += 0.0137) {
    for (double height = 0.36; height < 1.6; height += height < 0.38 ? 3e-4 : 0.07) {
      artWheel w = {.centre = {x, 0.1, 0}, .axis = {0, 1, 0}};
      artRoadPoint below;
      artContact c;
      art_evaluate_road(road, x, 0.1, &below);
      w.centre[2] = below.z + height;
      if (!CHECK(art_find_contact(&ground, &w, &c) == ART_OK)) return;
      art_evaluate_road(road, c.point[0], c.point[1], &below);
      const double tangent = c.forward[0] * below.normal[0] + c.forward[2] * below.normal[2];
      if (!CHECK(fabs(tangent) < 1e-9 && fabs(c.point[2] - below.z) < 1e-12)) return;
    }
  }
  art_free_road(road);
}


// the library's own road in place of a function
TEST(a_road_serves_as_ground)
{
  artRoad *road;
  const artPlaneRoad def = {.height = 0.1};
  CHECK(art_create_plane_road(&road, &def, NULL) == ART_OK);
  const artGround ground = art_ground_of_road(road);
  const artWheel w = {.centre = {3, 0, 0.4}, .axis = {0, 1, 0}};
  artContact c;
  CHECK(art_find_contact(&ground, &w, &c) == ART_OK);
  const double want[3] = {3, 0, 0.1};
  CHECK_NEAR(c.point, want, 3, 1e-15);
  art_free_road(road);
}


TEST(a_wheel_that_lies_flat_has_no_contact_point)
{
  const artWheel w = {.centre = {0, 0, 0.3}, .axis = {0, 0, 1}};
  artContact c;
  CHECK(art_find_contact(NULL, &w, &c) == ART_NO_CONVERGENCE);
}


TEST(motion_at_the_contact_point_leaves_the_spin_out)
{
  // rolling at 10 m/s along x, sliding to the left by 1 m/s, sinking by 0.2 m/s, rolling over about x
  artWheel w = {
      .centre = {0, 0, 0.3}, .axis = {0, 1, 0}, .velocity = {10, 1, -0.2}, .omega = {0.5, 33, 0.7}};
  artContact c;
  CHECK(art_find_contact(NULL, &w, &c) == ART_OK);
  const double got[] = {c.Vx, c.Vy, c.approach, c.spin}, want[] = {10, 1 + 0.5 * 0.3, 0.2, 33};
  CHECK_NEAR(got, want, 4, 1e-14);
}

//---- on the road ---------------------------------------------------------------------------------

static artTyre *load(void)
{
  artTyre *tyre;
  CHECK(art_load_tyre(&tyre, TYRE61, NULL) == ART_OK);
  return tyre;
}


static artWheel rolling_wheel(double height, double speed, double spin)
{
  return (artWheel){.centre = {0, 0, height},
                    .axis = {0, 1, 0},
                    .velocity = {speed, 0, 0},
                    .omega = {0, spin, 0}};
}


TEST(the_answer_fits_its_parts)
{
  artTyre *tyre = keep_tyre(load());
  artWheel w = rolling_wheel(0.375, 20, 54);
  w.velocity[1] = 0.5;
  set_axis(&w, 0.1, 0.03);
  artTyreAnswer a;
  if (!CHECK(art_put_tyre_on_road(tyre, NULL, &w, NULL, &a) == ART_OK)) return;

  const artContact *c = &a.contact;
  // the damper has no part in the rolling radius
  const artTyreDeflection still = {.depth = a.depth, .spin = c->spin, .gamma = c->gamma};
  const double elastic = art_tyre_load(tyre, &still);
  const double Vsx = c->Vx - art_tyre_rolling_radius(tyre, elastic, c->spin, 0) * c->spin;
  const double got[] = {a.Vsx, a.input.kappa, tan(a.input.alpha), a.input.gamma, a.input.speed};
  const double want[] = {Vsx, -Vsx / c->Vx, c->Vy / c->Vx, 0.03, c->Vx};
  CHECK_NEAR(got, want, 5, 1e-14);

  // power at the wheel centre is power at the contact point: F.v_P + M.omega = F.v_Q + M_Q.omega
  double centre = 0, v[3], arm[3];
  for (int i = 0; i < 3; i++) arm[i] = c->point[i] - w.centre[i];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    v[i] = w.velocity[i] + w.omega[j] * arm[k] - w.omega[k] * arm[j];
    centre += a.world_force[i] * w.velocity[i] + a.world_moment[i] * w.omega[i];
  }
  double contact = 0;
  for (int i = 0; i < 3; i++) {
    contact += a.world_force[i] * v[i];
    contact += (a.force.Mx * c->forward[i] + a.force.My * c->left[i] + a.force.Mz * c->normal[i]) *
               w.omega[i];
  }
  CHECK_CLOSE_REL(centre, contact, 1e-11);
}


// A wheel that drives by two per cent keeps driving however fast it is pressed down or lifted: the load
// follows the damper, the rolling radius R - depth/3 and with it the slip do not.
TEST(the_damper_does_not_change_the_slip)
{
  const artLinearTyre def = {.radial = {0.3, 2e5, 5e4, 4000}, .slip = 40000, .cornering = 40000};
  artTyre *linear = NULL, *tyre[2] = {NULL, load()};
  CHECK(art_create_linear_tyre(&linear, &def, NULL) == ART_OK);
  tyre[0] = linear;
  for (int k = 0; k < 2; k++) {
    const double height = art_tyre_free_radius(tyre[k], 0) - 0.02;
    double slip[2];
    for (int i = 0; i < 41; i++) {
      artTyreAnswer a;
      artWheel w = rolling_wheel(height, 10, 0);
      w.omega[1] = 1.02 * 10 / (height + 0.04 / 3);
      w.velocity[2] = 0.25 * (i - 20);
      if (!CHECK(art_put_tyre_on_road(tyre[k], NULL, &w, NULL, &a) == ART_OK)) break;
      if (i == 0) slip[k] = a.input.kappa;
      CHECK_CLOSE(a.input.kappa, slip[k], 1e-12);
      CHECK(!(a.force.Fx < 0));
    }
    const double two_per_cent = 0.02;
    if (k == 0) CHECK_CLOSE(slip[0], two_per_cent, 1e-12);
    art_free_tyre(tyre[k]);
  }
}


TEST(in_the_air_there_is_no_force)
{
  artTyre *tyre = keep_tyre(load());
  const artWheel w = rolling_wheel(0.5, 20, 30);
  const double slip[2] = {0.2, -0.1};
  artTyreAnswer a;
  CHECK(art_put_tyre_on_road(tyre, NULL, &w, slip, &a) == ART_OK);
  const double got[] = {a.force.Fx, a.force.Fy, a.force.Fz, a.force.Mx, a.force.My, a.force.Mz},
               zero[6] = {0};
  CHECK_NEAR(got, zero, 6, 0);
  CHECK(a.depth < 0 && a.slip_rate[0] < 0 && a.slip_rate[1] > 0);
}


// integrate the slip states of a wheel that keeps its motion
static void settle(const artTyre *tyre, const artWheel *w, double time, double slip[2],
                   artTyreAnswer *a)
{
  const double h = 1e-4;
  for (int k = 0; k < (int) (time / h); k++) {
    CHECK(art_put_tyre_on_road(tyre, NULL, w, slip, a) == ART_OK);
    for (int i = 0; i < 2; i++) slip[i] += h * a->slip_rate[i];
  }
}


TEST(slip_states_settle_at_the_steady_slips)
{
  artTyre *tyre = keep_tyre(load());
  artWheel w = rolling_wheel(0.375, 15, 41);
  w.velocity[1] = -0.6;
  double slip[2] = {0, 0};
  artTyreAnswer steady, a;
  CHECK(art_put_tyre_on_road(tyre, NULL, &w, NULL, &steady) == ART_OK);
  settle(tyre, &w, 1.5, slip, &a);
  const double got[] = {slip[0], slip[1], a.force.Fx, a.force.Fy, a.force.Mz};
  const double want[] = {steady.input.kappa, tan(steady.input.alpha), steady.force.Fx,
                         steady.force.Fy, steady.force.Mz};
  CHECK_REL(got, want, 5, 1e-9);
}


// the state reaches 1 - 1/e of the slip on the way of a relaxation length
TEST(the_relaxation_length_is_the_way_of_the_lag)
{
  artTyre *tyre = keep_tyre(load());
  artWheel w = rolling_wheel(0.375, 15, 40);
  w.velocity[1] = -0.3;
  double slip[2] = {0, 0}, sigma[2];
  artTyreAnswer a;
  CHECK(art_put_tyre_on_road(tyre, NULL, &w, slip, &a) == ART_OK);
  art_tyre_relaxation(tyre, &a.input, sigma);
  settle(tyre, &w, sigma[1] / 15, slip, &a);
  CHECK_CLOSE(slip[1] / (-0.3 / 15), 1 - exp(-1), 2e-3);
}


TEST(a_wheel_that_slides_on_the_spot_keeps_bounded_slips)
{
  // wheel spin at standstill, and a wheel pushed sideways
  artTyre *tyre = keep_tyre(load());
  artWheel w = rolling_wheel(0.375, 0, 20);
  w.velocity[1] = 0.5;
  double slip[2] = {0, 0};
  artTyreAnswer a;
  settle(tyre, &w, 5, slip, &a);
  CHECK(slip[0] > 0.02 && slip[0] < 0.5 && slip[1] > 0.02 && slip[1] < 0.5);
  CHECK(a.force.Fx > 0.3 * a.force.Fz && a.force.Fy < -0.2 * a.force.Fz);
}


// A mass on the tyre, pushed forward with a locked wheel, comes to rest and is held by the carcass; with
// nothing but the rolling term it would swing without end.
TEST(a_parked_wheel_comes_to_rest)
{
  artTyre *tyre = keep_tyre(load());
  double v = 0.05, slip[2] = {0, 0};
  const double h = 1e-4, mass = 400, push = 500;
  artTyreAnswer a;
  for (int k = 0; k < 40000; k++) {
    const artWheel w = rolling_wheel(0.375, v, 0);
    CHECK(art_put_tyre_on_road(tyre, NULL, &w, slip, &a) == ART_OK);
    v += h * (a.force.Fx + push) / mass;
    for (int i = 0; i < 2; i++) slip[i] += h * a.slip_rate[i];
  }
  const double rest = -push;
  CHECK(fabs(v) < 1e-3);
  CHECK_CLOSE_REL(a.force.Fx, rest, 0.02);
}


// height, speed and spin swept through lift-off and standstill: ten times finer, ten times less
static double largest_step(const artTyre *tyre, const double *slip, int n)
{
  double worst = 0, last[6] = {0};
  for (int k = 0; k <= n; k++) {
    const double s = (double) k / n;
    artWheel w = rolling_wheel(0.37 + 0.04 * s, 4 * cos(3 * s), 12 * cos(4 * s));
    w.velocity[1] = 0.8 * sin(7 * s);
    w.velocity[2] = 1.5 * cos(5 * s);
    set_axis(&w, 0.2 * s, 0.1 * sin(6 * s));
    artTyreAnswer a;
    CHECK(art_put_tyre_on_road(tyre, NULL, &w, slip, &a) == ART_OK);
    const double f[6] = {a.force.Fx, a.force.Fy, a.force.Fz, a.force.Mx, a.force.My, a.force.Mz};
    CHECK(a.force.Fz >= 0);
    for (int i = 0; i < 6 && k > 0; i++) worst = check_larger(worst, fabs(f[i] - last[i]));
    memcpy(last, f, sizeof f);
  }
  return worst;
}


TEST(forces_are_continuous_through_standstill_and_lift_off)
{
  static const double state[2] = {0.05, -0.03};
  artTyre *tyre = keep_tyre(load());
  CHECK(largest_step(tyre, NULL, 40000) < 0.15 * largest_step(tyre, NULL, 4000));
  CHECK(largest_step(tyre, state, 40000) < 0.15 * largest_step(tyre, state, 4000));
}
