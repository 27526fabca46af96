// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Orientations of ball and free joints as rotation vectors, for polynomials (singular_path.h). With
// unit vectors e1, e2, e3,
//
//   Q = base exp(x1 e1 + x2 e2 + x3 e3)        or        Q = base exp(x1 e1 + x2 e2) exp(x3 e3).
//
// The second form is used where rotating the link about its own direction e3 leaves the rows of all
// loops unchanged, as for a bar between two ball joints. Then x3 is the idle spin, and x1 and x2
// are the direction of the bar. Angular velocities are in the axes of the link.
#ifndef LOOP_ROTATION_VECTOR_H
#define LOOP_ROTATION_VECTOR_H

typedef struct loopTurn {
  int q, v;          // index of its quaternion in q, and of its angular velocity in v
  int idle;          // component of the angular velocity along the idle spin; -1: none
  double axis[3][3]; // e1, e2, e3
} loopTurn;

// Motion along a curve x(u) with a free idle spin x3. Angular velocity and acceleration are
//   w = along u' + e3 x3',   w' = along u'' + e3 x3'' + bend u'^2 + twist u' x3'.
typedef struct turnMotion {
  double along[3], bend[3], twist[3];
} turnMotion;

// Set the axes for an idle spin about s (in axes of the link); s = 0: there is none.
void turn_set_axes(loopTurn *turn, const double s[3]);

// Index of the x that belongs to a component of the angular velocity; 2 (x3) for the idle one.
int turn_slot(const loopTurn *turn, int component);

// Convert a quaternion to x and x to a quaternion; of the two signs, turn_put takes the one nearer
// to the previous e.
void turn_read(const loopTurn *turn, const double base[4], const double e[4], double x[3]);
void turn_put(const loopTurn *turn, const double base[4], const double x[3], double e[4]);

// dx/dt from the angular velocity w.
void turn_rates(const loopTurn *turn, const double x[3], const double w[3], double dx[3]);

// Motion along a curve, from the derivatives of x (of x1 and x2 if there is an idle spin).
void turn_along(const loopTurn *turn, const double x[3], const double dx[3], const double ddx[3],
                turnMotion *motion);

// Rotation vector from a to b, in the axes of a.
void turn_between(const double a[4], const double b[4], double u[3]);

#endif
