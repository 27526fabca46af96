// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Velocities, accelerations and Jacobians of frames, against differences of positions that are
// composed by hand.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/naive.h"

// frame "f" of body i at nine instants of a path
static void follow(const sampleScene *s, int i, const double *v, const double *a, double h,
                   naiveFrame path[9])
{
  double q[SAMPLE_Q];
  naiveFrame body[SAMPLE_BODIES + 1];
  for (int k = 0; k < 9; k++) {
    naive_path(&s->tree, s->d->q, v, a, (k - 4) * h, q);
    naive_place(&s->tree, q, body);
    path[k] = naive_named_frame(&s->tree, body, i);
  }
}


// derivatives of entry (r, c) of the frame
static double entry_rate(const naiveFrame path[9], int r, int c, double h)
{
  double f[9];
  for (int k = 0; k < 9; k++) f[k] = path[k].T[r][c];
  return naive_first(f, h);
}


static double entry_second(const naiveFrame path[9], int r, int c, double h)
{
  double f[9];
  for (int k = 0; k < 9; k++) f[k] = path[k].T[r][c];
  return naive_second(f, h);
}


// the vector of the skew part of D R^T: angular velocity when D = dR/dt, and angular acceleration
// when D = d2R/dt2, for the square of the skew matrix is symmetric
static void vector_of(double D[3][3], const naiveFrame *R, double out[3])
{
  double W[3][3] = {{0}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) W[i][j] += D[i][k] * R->T[j][k];
    }
  }
  out[0] = (W[2][1] - W[1][2]) / 2;
  out[1] = (W[0][2] - W[2][0]) / 2;
  out[2] = (W[1][0] - W[0][1]) / 2;
}


static void frame_rates(const naiveFrame path[9], double h, double linear[3], double angular[3])
{
  double D[3][3];
  for (int i = 0; i < 3; i++) {
    linear[i] = entry_rate(path, i, 3, h);
    for (int j = 0; j < 3; j++) D[i][j] = entry_rate(path, i, j, h);
  }
  vector_of(D, &path[4], angular);
}


static void frame_seconds(const naiveFrame path[9], double h, double linear[3], double angular[3])
{
  double D[3][3];
  for (int i = 0; i < 3; i++) {
    linear[i] = entry_second(path, i, 3, h);
    for (int j = 0; j < 3; j++) D[i][j] = entry_second(path, i, j, h);
  }
  vector_of(D, &path[4], angular);
}


static int frame_of(const sampleScene *s, int i)
{
  char name[64];
  snprintf(name, sizeof name, "%s.f", s->tree.body[i].name);
  return art_find_frame(s->m, name);
}


//---- tests ---------------------------------------------------------------------------------------


TEST(velocities_are_differences_of_positions)
{
  uint64_t seed = 31;
  for (int trial = 0; trial < 60; trial++) {
    sampleScene s = sample_open((sampleOptions){.n = 7, .has_massless = 1}, NULL, &seed);
    for (int i = 0; i <= s.tree.n; i++) {
      naiveFrame path[9];
      double linear[3], angular[3], want_linear[3], want_angular[3];
      follow(&s, i, s.d->v, NULL, 0.01, path);
      frame_rates(path, 0.01, want_linear, want_angular);
      art_frame_velocity(s.m, s.d, frame_of(&s, i), linear, angular);
      CHECK_NEAR(linear, want_linear, 3, 2e-10);
      CHECK_NEAR(angular, want_angular, 3, 2e-10);
    }
  }
}


TEST(each_column_of_the_jacobian_is_what_its_coordinate_does)
{
  uint64_t seed = 41;
  for (int trial = 0; trial < 20; trial++) {
    static double J[6 * SAMPLE_V];
    sampleScene s = sample_open((sampleOptions){.n = 6, .has_massless = trial % 2}, NULL, &seed);
    for (int i = 0; i <= s.tree.n; i++) {
      art_frame_jacobian(s.m, s.d, frame_of(&s, i), J);
      for (int k = 0; k < s.nv; k++) {
        naiveFrame path[9];
        double unit[SAMPLE_V] = {0}, want[6], column[6];
        unit[k] = 1;
        follow(&s, i, unit, NULL, 0.01, path);
        frame_rates(path, 0.01, want + 3, want);
        for (int r = 0; r < 6; r++) column[r] = J[r * s.nv + k];
        CHECK_NEAR(column, want, 6, 2e-10);
      }
    }
  }
}


// with the accelerations of the machine itself, found by either method, driven joints included
static void check_accelerations(artMethod method, uint64_t seed)
{
  for (int trial = 0; trial < 40; trial++) {
    const sampleOptions options = {
        .n = 6, .has_massless = 1, .has_rotors = 1, .has_drives = trial % 2};
    sampleScene s = sample_open(options, NULL, &seed);
    CHECK(art_accelerate(s.m, s.d, method, NULL) == ART_OK);
    double size = 1;
    for (int k = 0; k < s.nv; k++) size = check_larger(size, fabs(s.d->a[k]));
    for (int i = 0; i <= s.tree.n; i++) {
      naiveFrame path[9];
      double linear[3], angular[3], want_linear[3], want_angular[3];
      const double h = 0.01 / sqrt(size);
      follow(&s, i, s.d->v, s.d->a, h, path);
      frame_seconds(path, h, want_linear, want_angular);
      art_frame_acceleration(s.m, s.d, frame_of(&s, i), linear, angular);
      CHECK_NEAR(linear, want_linear, 3, 2e-9 * size);
      CHECK_NEAR(angular, want_angular, 3, 2e-9 * size);
    }
  }
}


TEST(accelerations_are_second_differences_of_positions)
{
  check_accelerations(ART_ORDER_N, 43);
  check_accelerations(ART_MASS_MATRIX, 47);
}


TEST(frames_of_ground_and_of_welded_bodies_have_their_jacobians)
{
  artModel *m = keep_text("articula: 1\n"
                          "bodies:\n"
                          "  arm: {mass: 1, inertia: [1, 1, 1], points: {end: [2, 0, 0]}}\n"
                          "  tool: {mass: 1, inertia: [1, 1, 1]}\n"
                          "  wall: {mass: 1, inertia: [1, 1, 1]}\n"
                          "joints:\n"
                          "  pin: {type: revolute, axis: z, from: ground, to: arm}\n"
                          "  weld: {type: fixed, from: arm.end, to: tool}\n"
                          "  anchor: {type: fixed, from: ground, to: wall}\n");
  artData *d = keep_fresh_data(m);
  double J[6];
  art_frame_jacobian(m, d, art_find_frame(m, "tool"), J);
  CHECK_NEAR(J, ((double[6]){0, 0, 1, 0, 2, 0}), 6, 1e-15);
  art_frame_jacobian(m, d, art_find_frame(m, "wall"), J);
  CHECK_NEAR(J, ((double[6]){0}), 6, 0);
  art_frame_jacobian(m, d, art_find_frame(m, "ground"), J);
  CHECK_NEAR(J, ((double[6]){0}), 6, 0);
}
