// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A stop: a one-sided spring and damper beyond the limits of a coordinate.
//
// With the depth d = x - upper > 0 (or lower - x > 0) and its rate d', the stop pushes back with
//   F = k d (1 + c d')    while 1 + c d' > 0,   else 0
// (Hunt and Crossley 1975, exponent 1). The damping grows with the depth, so the force starts without
// a jump; it never pulls. c has the unit of 1/d'.
#ifndef LAW_STOP_H
#define LAW_STOP_H

// lower < upper, stiffness > 0, damping >= 0: the builder sees to it
typedef struct forceStop {
  double lower, upper; // infinite where there is no limit
  double stiffness;    // k
  double damping;      // c
} forceStop;

typedef enum stopSegment {
  STOP_INSIDE,
  STOP_BELOW,      // pushing up
  STOP_ABOVE,      // pushing down
  STOP_LEFT_BELOW, // beyond the limit, but leaving so fast that the stop does not follow
  STOP_LEFT_ABOVE,
} stopSegment;

stopSegment stop_segment(const forceStop *stop, double x, double v);

// Force on the coordinate (positive towards larger x) and its partial derivatives.
double stop_force(const forceStop *stop, stopSegment segment, double x, double v);
double stop_force_x(const forceStop *stop, stopSegment segment, double x, double v);
double stop_force_v(const forceStop *stop, stopSegment segment, double x, double v);

// The part of the force that the spring alone makes, also while the stop has been left, and its
// energy k d^2 / 2.
double stop_spring_force(const forceStop *stop, stopSegment segment, double x);
double stop_potential(const forceStop *stop, stopSegment segment, double x);

// Mean of the spring's force between a and b: (V(a) - V(b)) / (b - a), without its cancellation.
double stop_mean_spring_force(const forceStop *stop, double a, double b);

// Positive while the segment holds, and the segment to go to when it has become negative.
double stop_margin(const forceStop *stop, stopSegment segment, double x, double v);
stopSegment stop_next(const forceStop *stop, stopSegment segment, double x, double v);

#endif
