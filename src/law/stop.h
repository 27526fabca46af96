// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A stop: a one-sided spring and damper beyond the limits of a coordinate.
//
// With the depth d = x - upper > 0 (or lower - x > 0) and its rate d', the stop pushes back with
//   F = k d (1 + c d')    while 1 + c d' > 0,   else 0
// (Hunt and Crossley 1975, exponent 1). Damping increases with depth, so the force starts
// continuously, and it never pulls. c has the unit of 1/d'.
#ifndef LAW_STOP_H
#define LAW_STOP_H

// lower < upper, stiffness > 0, damping >= 0 (ensured by the builder)
typedef struct forceStop {
  double lower, upper; // infinite where there is no limit
  double stiffness;    // k
  double damping;      // c
} forceStop;

typedef enum stopSegment {
  STOP_INSIDE,
  STOP_BELOW,      // pushing up
  STOP_ABOVE,      // pushing down
  STOP_LEFT_BELOW, // beyond the limit, but retreating faster than the stop can follow
  STOP_LEFT_ABOVE,
} stopSegment;

stopSegment stop_segment(const forceStop *stop, double x, double v);

// stop_side: 1 for segments beyond the upper limit, -1 below the lower one, 0 inside.
// stop_is_pushing: does the stop push in this segment?
int stop_side(stopSegment segment);
int stop_is_pushing(stopSegment segment);

// Depth of x beyond the limit on a side, and the mean of its positive part between a and b.
double stop_depth(const forceStop *stop, int side, double x);
double stop_mean_depth(const forceStop *stop, int side, double a, double b);

// Event functions of a segment, positive while it is valid: between the limits the distances to
// both; beyond a limit the depth, and whether the stop still pushes (or still does not). Each is
// smooth; their minimum would have interior minima that a step's end points do not show. stop_next:
// the segment after event function i has become negative.
enum { STOP_MARGINS = 2 };
void stop_margins(const forceStop *stop, stopSegment segment, double x, double v,
                  double g[STOP_MARGINS]);
stopSegment stop_next(stopSegment segment, int i);

#endif
