// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A control loop around generated code: computed-torque control of the three arms of a delta robot.
//
// The build writes delta.c and delta.h by  articula generate --product machine --name delta  from
// models/loops/delta-rods.yaml (see CMakeLists.txt). Articula is not linked: the generated source
// contains the machine with its loops, its integration steps and its inverse dynamics.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "delta.h"

enum { ARMS = delta_NACTUATOR };

int main(void)
{
  static delta_machine robot, model; // the robot, and the controller's model of it
  double begin[delta_NQ], force[ARMS], a[delta_NV], worst = 0;
  int arm[ARMS] = {0}; // indices of the motor coordinates
  delta_start(&robot);
  memcpy(begin, robot.q, sizeof begin);
  for (int k = 0; k < ARMS; k++) {
    while (strcmp(delta_about.velocities[arm[k]].name, delta_about.actuators[k].name)) arm[k]++;
  }

  // every millisecond: desired positions, accelerations that track them, and the required torques
  const double w = 2 * 3.14159265358979323846, gain = 40;
  for (int i = 0; i < 2000; i++) {
    const double t = robot.t;
    model = robot;
    memset(model.tau, 0, sizeof model.tau);
    memset(a, 0, sizeof a);
    for (int k = 0; k < ARMS; k++) {
      const double swing = 0.1 * (k + 1), wanted = begin[arm[k]] + swing * (1 - cos(w * t));
      const double error = wanted - robot.q[arm[k]],
                   slip = swing * w * sin(w * t) - robot.v[arm[k]];
      a[arm[k]] = swing * w * w * cos(w * t) + 2 * gain * slip + gain * gain * error;
      if (t > 0.5) worst = fmax(worst, fabs(error));
    }
    if (delta_inverse(&model, a, force)) return 1;
    for (int k = 0; k < ARMS; k++) robot.tau[arm[k]] = force[k];
    if (delta_step(&robot, 1e-3)) {
      printf("the loop of joints %s cannot be closed at %g s\n", robot.failed, robot.t);
      return 1;
    }
  }
  printf("%s: %d arms are within %.2g rad of their motion, from 0.5 to %g s\n", delta_about.title,
         ARMS, worst, robot.t);
  return worst < 1e-3 ? 0 : 1;
}
