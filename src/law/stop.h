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

// 1 for the segments beyond the upper limit, -1 below the lower one, 0 inside; whether the stop pushes there.
int stop_side(stopSegment segment);
int stop_is_pushing(stopSegment segment);

// How far x is beyond the limit of a side, and the mean of that between a and b, where it is not negative.
double stop_depth(const forceStop *stop, int side, double x);
double stop_mean_depth(const forceStop *stop, int side, double a, double b);

// Positive while the segment holds: between the limits the distances from both, beyond one of them the depth, and whether it
// still pushes or not. Each is smooth: the least of them would have dips that the ends of a step do not show. And the segment to
// go to when one of them has become negative.
enum { STOP_MARGINS = 2 };
void stop_margins(const forceStop *stop, stopSegment segment, double x, double v,
                  double g[STOP_MARGINS]);
stopSegment stop_next(stopSegment segment, int i);

#endif
