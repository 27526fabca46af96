// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Stewart platform under control (models/plant/stewart-pid.yaml): the poses that are wanted are reached and held, whose leg lengths
// are found by hand from where feet and heads are; forces keep to their limits; methods agree.
#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/simulate.h"

static const double PI = 3.14159265358979323846, LIMIT = 2000; // N


// How much longer leg i is at a pose than as drawn, m.
static double stroke_of(int i, double heave, double yaw, double surge)
{
  static const double foot[6] = {-10, 10, 110, 130, 230, 250};
  static const double head[6] = {-50, 50, 70, 170, 190, 290};
  double length[2];
  for (int k = 0; k < 2; k++) {
    const double a = head[i] * PI / 180 + k * yaw, b = foot[i] * PI / 180;
    const double x = 0.05 + k * surge + 0.6 * cos(a) - cos(b), y = 0.02 + 0.6 * sin(a) - sin(b);
    length[k] = sqrt(x * x + y * y + pow(1.1 + k * heave, 2));
  }
  return length[1] - length[0];
}


static void check_pose(const simulation *s, double heave, double yaw, double surge, double close)
{
  CHECK_CLOSE(simulation_output(s, "heave_of"), heave, close);
  CHECK_CLOSE(simulation_output(s, "yaw_of"), yaw, close);
  CHECK_CLOSE(simulation_output(s, "surge_of"), surge, close);
  for (int i = 0; i < 6; i++) {
    char name[20];
    snprintf(name, sizeof name, "stroke%d", i + 1);
    CHECK_CLOSE(simulation_output(s, name), stroke_of(i, heave, yaw, surge), close);
  }
}


TEST(wanted_poses_are_reached_and_held)
{
  simulation s = {0};
  if (!simulation_start(&s, "plant/stewart-pid", ART_AUTOMATIC, ART_DOPRI5, 1e-8)) return;
  double most = 0;
  for (int k = 1; k <= 400 && simulation_go(&s, k * 0.01); k++) {
    for (int i = 0; i < 6; i++) {
      char name[20];
      snprintf(name, sizeof name, "force%d", i + 1);
      most = check_larger(most, fabs(simulation_output(&s, name)));
    }
    if (k == 100) check_pose(&s, 0.04, 0, 0, 2e-5);
    if (k == 200) check_pose(&s, 0.04, 0.08, 0, 2e-5);
    if (k == 300) check_pose(&s, 0.04, 0.08, 0.03, 2e-5);
    if (k == 400) check_pose(&s, 0.04, 0.08, 0.03, 2e-5); // under the weight
  }
  CHECK(most <= LIMIT && most > 0.9 * LIMIT);
}


TEST(methods_agree)
{
  static const artMethod methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
  double force[3];
  for (int k = 0; k < 3; k++) {
    simulation s = {0};
    if (!simulation_start(&s, "plant/stewart-pid", methods[k], ART_DOPRI5, 1e-10)) return;
    if (!simulation_go(&s, 0.3)) return;
    force[k] = simulation_output(&s, "force6");
  }
  CHECK_CLOSE(force[1], force[0], 1e-5);
  CHECK_CLOSE(force[2], force[0], 1e-5);
}
