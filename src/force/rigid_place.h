// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where two rigid surfaces touch, and the rows of velocities there.
#ifndef FORCE_RIGID_PLACE_H
#define FORCE_RIGID_PLACE_H

#include "force/force_work.h"

// In ground axes. The normal points from the first surface of the contact to the second; u[0] is the normal, u[1] and
// u[2] lie in the plane of contact. Velocity and acceleration are those of the second surface relative to the first, at
// the point of contact, which moves over both.
typedef struct rigidPlace {
  double gap;
  v3 u[3], point;
  v3 velocity;
  double
      speed; // of what carries the surfaces: the larger of their velocities, and of a turn over their size
  v3 normal_rate, point_rate;
} rigidPlace;

// reads tree.world and vel
rigidPlace rigid_place(const artModel *m, const artData *d, int i);

// d/dt of the rows of place->velocity along u; normal: of the rate of the gap. Reads tree.body, too.
void rigid_rates(const artModel *m, const artData *d, int i, const rigidPlace *place,
                 double rate[3]);

// row[nv] of the velocity along a direction. Reads tree.S.
void rigid_row(const artModel *m, const artData *d, int i, const rigidPlace *place, v3 along,
               double *row);

// The first three of them alone, of any pair of surfaces in these frames.
typedef struct rigidGap {
  double gap;
  v3 normal, point;
} rigidGap;

rigidGap rigid_gap(const artModel *m, const artData *d, const int frame[2],
                   const contactPair *pair); // reads tree.world and vel

// u[1], u[2]: two directions across u[0], by the axis that is furthest from it
void rigid_tangents(v3 u[3]);

// The part of the velocity that slips; how slow it is where errors of steps may be all of it; what counts as no velocity.
v3 rigid_slip(const rigidPlace *place);
double rigid_slow(const artModel *m, int i, const rigidPlace *place);
double rigid_still(const artModel *m, int i, const rigidPlace *place);

// of slow slip: below, the direction of slip is that of before
#define RIGID_STEADY 0.1

#endif
