// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// User functions that model files name (doc/reference/user-functions.md): their inputs and results.
// This header has no dependencies: a library of such functions needs nothing else, and generated
// code calls the same functions as user_NAME.
//
// All have the same form: a vector of inputs and a vector of results.
//
//   C        void shock(const double *x, double *y, void *user)
//   Fortran  subroutine shock(x, y)
//
// `user` is passed on by the caller of generated code; it is NULL in studies of Articula. The
// inputs below are followed by the parameters of the element in the model file, then by the values
// of its arguments, which are formulas, for instance of states and inputs. Functions are pure: the
// same inputs give the same results in any thread. A function that has no result returns NAN, and
// the study stops with the name of the element. SI units, radians.
#ifndef ARTICULA_USER_H
#define ARTICULA_USER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef void artUserFunction(const double *x, double *y, void *user);

// Force along the line between two points:  y[0] = F(Z, Zd, t), positive if it pulls them together.
enum {
  ART_LINK_LENGTH, // Z, distance of the points
  ART_LINK_RATE,   // Zd, its rate
  ART_LINK_TIME,
  ART_LINK_PARAMETER // the first parameter
};

// Force or torque along a joint coordinate, positive along it:  y[0] = Q(q, qd, t).
enum { ART_JOINT_POSITION, ART_JOINT_RATE, ART_JOINT_TIME, ART_JOINT_PARAMETER };

// Force and moment at a point of a body, in ground axes:  y[0..2] force, y[3..5] moment.
enum {
  ART_POINT_POSITION = 0, // 3 components, of the point in ground
  ART_POINT_VELOCITY = 3, // 3
  ART_POINT_ROTATION = 6, // 9, by rows: R[i][j] = x[6 + 3*i + j]; its columns are the axes of the
                          // point's frame in ground
  ART_POINT_OMEGA = 15,   // 3, angular velocity, in ground axes
  ART_POINT_TIME = 18,
  ART_POINT_PARAMETER = 19
};

// Tyre:  y = Fx, Fy, Fz, Mx, My, Mz on the wheel at the contact point, in contact axes: x forward,
// y to the left, z along the normal of the road.
enum {
  ART_TYRE_SLIP,       // kappa = -Vsx / |Vx|: positive when driving
  ART_TYRE_SLIP_ANGLE, // alpha: positive if the wheel slides to its left
  ART_TYRE_CAMBER,     // gamma: positive if the top leans to the right, seen from behind
  ART_TYRE_LOAD,       // force of the tyre's spring and damper, never negative; 0 in the air
  ART_TYRE_DEPTH,      // deflection; negative in the air
  ART_TYRE_APPROACH,   // velocity of the contact point into the road
  ART_TYRE_SPIN,       // of the wheel about its axle
  ART_TYRE_SPEED,      // Vx, of the contact point along x, without spin
  ART_TYRE_TIME,
  ART_TYRE_PARAMETER
};

// Ground under tyres:  y = z, dz/dx, dz/dy at the point (x, y).
enum { ART_GROUND_X, ART_GROUND_Y, ART_GROUND_PARAMETER };
enum { ART_GROUND_HEIGHT, ART_GROUND_SLOPE_X, ART_GROUND_SLOPE_Y, ART_GROUND_RESULTS };

// Constraint h(q) = 0 between n coordinates q, in the order of the model file, by two functions.
//   NAME:       q[n], parameters to  h, dh/dq[n]
//   NAME_bias:  q[n], qd[n], parameters to  the part of d2h/dt2 that remains at zero accelerations

#ifdef __cplusplus
}
#endif

#endif
