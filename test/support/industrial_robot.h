// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The full industrial robot of the Modelica Standard Library, integrated by hand: a reference for models/plant/industrial-robot.yaml
// that shares nothing with the library. Description and numbers come from Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot,
// version 4.0.0, and its components (github.com/modelica/ModelicaStandardLibrary, BSD 3-clause).
#ifndef SUPPORT_INDUSTRIAL_ROBOT_H
#define SUPPORT_INDUSTRIAL_ROBOT_H

enum { ROBOT_AXES = 6 };

typedef struct robotState {
  double q[ROBOT_AXES], w[ROBOT_AXES];         // joints, rad, rad/s
  double motor[ROBOT_AXES], speed[ROBOT_AXES]; // rotors: axes 4 to 6 turn with their joints
  double current[ROBOT_AXES],
      command[ROBOT_AXES];   // A; output of the current controller's integrator, V
  double memory[ROBOT_AXES]; // of the speed controllers, rad/s
  int slides[ROBOT_AXES];    // -1, 0 (stuck) or 1
} robotState;

// The robot stands still. Bearings that stick can carry a part of its weight: the description leaves open how much. They carry this share
// of the most that they can here, motors all of the rest.
robotState robot_at_rest(double share);

// Go from time t to `until` in steps of h, shorter to meet the corners of the path and the instants at which bearings stick or
// break away. Returns how often they did.
int robot_go(robotState *s, double t, double until, double h);

// The time at which the wanted motion ends, s.
double robot_path_end(void);

#endif
