// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Orientations of ball and free joints as rotation vectors, for polynomials (singular_path.h): with unit vectors
// e1, e2, e3,
//
//   Q = base exp(x1 e1 + x2 e2 + x3 e3)        or        Q = base exp(x1 e1 + x2 e2) exp(x3 e3),
//
// the second where the rows of all loops stay as they are when the link turns about its own direction e3, as a bar
// between two ball joints does about the line through them: its idle spin is x3, and x1 and x2 say where the line
// points. Angular velocities are in the axes of the link.
#ifndef LOOP_ROTATION_VECTOR_H
#define LOOP_ROTATION_VECTOR_H

typedef struct loopTurn {
  int q, v; // where its quaternion begins in q, and its angular velocity in v
  int idle; // component of the angular velocity that the idle spin is free by; -1: there is none
  double axis[3][3]; // e1, e2, e3
} loopTurn;

// The motion along a curve x(u), while the idle spin x3 is free. Angular velocity and acceleration are
//   w = along u' + e3 x3',   w' = along u'' + e3 x3'' + bend u'^2 + twist u' x3'.
typedef struct turnMotion {
  double along[3], bend[3], twist[3];
} turnMotion;

// The axes with an idle spin about s, in the axes of the link; s of no length: there is none.
void turn_set_axes(loopTurn *turn, const double s[3]);

// The number of x that belongs to a component of the angular velocity; x3 where it is the idle one.
int turn_slot(const loopTurn *turn, int component);

// x of a quaternion, and the quaternion of x; of two of opposite sign the one nearer to what stood there.
void turn_read(const loopTurn *turn, const double base[4], const double e[4], double x[3]);
void turn_put(const loopTurn *turn, const double base[4], const double x[3], double e[4]);

// dx of an angular velocity w.
void turn_rates(const loopTurn *turn, const double x[3], const double w[3], double dx[3]);

// The motion along a curve with these derivatives of x, of x1 and x2 where there is an idle spin.
void turn_along(const loopTurn *turn, const double x[3], const double dx[3], const double ddx[3],
                turnMotion *motion);

// The rotation vector from a to b, in the axes of a.
void turn_between(const double a[4], const double b[4], double u[3]);

#endif
