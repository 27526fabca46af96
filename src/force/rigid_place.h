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
  v3 velocity, turn; // turn: relative angular velocity
  double
      speed; // of what carries the surfaces: the larger of their velocities, and of a turn over their size
  v3 normal_rate, point_rate;
} rigidPlace;

// reads tree.world and vel
rigidPlace rigid_place(const artModel *m, const artData *d, int i);

// Rows of a contact: the rate of its gap, the slip along u[1] and u[2], with resistance to spinning and rolling
//   e n.w,  b u1.w,  b u2.w
// with the relative angular velocity w. A row is force.velocity + torque.turn, and a unit of its force has this wrench.
typedef struct rigidAxis {
  v3 force, torque;
} rigidAxis;

int rigid_rows(rigidArms arms);
int rigid_slip_rows(rigidArms arms); // of these, without those of rolling
rigidAxis rigid_axis(const v3 u[3], rigidArms arms, int row);
double rigid_axis_rate(const rigidAxis *axis, v3 velocity, v3 turn);

// The forces p of its rows, as they are and in ground axes.
void rigid_put_force(rigidForce *f, const v3 u[3], rigidArms arms, const double *p);

// d/dt of the rows at the place. Reads tree.body, too.
void rigid_rates(const artModel *m, const artData *d, int i, const rigidPlace *place,
                 double *rate); // [rigid_rows]

// row[nv] of the velocity along an axis. Reads tree.S.
void rigid_row(const artModel *m, const artData *d, int i, const rigidPlace *place,
               const rigidAxis *axis, double *row);

// The first three of them alone, of any pair of surfaces in these frames.
typedef struct rigidGap {
  double gap;
  v3 normal, point;
} rigidGap;

rigidGap rigid_gap(const artModel *m, const artData *d, const int frame[2],
                   const contactPair *pair); // reads tree.world and vel

// u[1], u[2]: two directions across u[0], by the axis that is furthest from it
void rigid_tangents(v3 u[3]);

// The motion that a part resists; how slow it is where errors of steps may be all of it; what counts as none. Does a contact have
// this resistance?
rigidVector rigid_motion(const artModel *m, int i, const rigidPlace *place, rigidPart part);
double rigid_slow(const artModel *m, int i, const rigidPlace *place, rigidPart part);
double rigid_still(const artModel *m, int i, const rigidPlace *place, rigidPart part);
int rigid_resists(const artModel *m, int i, rigidPart part);

double rigid_dot(rigidVector a, rigidVector b);
double rigid_size(rigidVector a);
rigidVector rigid_scaled(double s, rigidVector a);

// rolling and spinning, compared with rows of velocity
double rigid_scale(const artModel *m, int i, rigidPart part);

// Has the point of a contact that touches jumped away from where it was? Polyhedra touch in points that are numbered by their place
// on a face; where another face looks at it, the same point has another number.
int rigid_has_jumped(const artModel *m, int i, double gap);

// modes of a contact that touches or asks, or is apart
int *rigid_mode(const artModel *m, const artData *d, int i, rigidPart part);
void rigid_put_modes(const artModel *m, artData *d, int i, int slip, int rolling);

// of slow slip: below, the direction of slip is that of before
#define RIGID_STEADY 0.1

#endif
