// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinematics of the links on demand, for the state in the data block.
#ifndef DATA_PLACE_H
#define DATA_PLACE_H

#include "data/work.h"

// Compute link positions relative to their parents at the present q, and invalidate positions in
// ground and motion. Whoever changes positions must call this, or art_update, before anything is
// read.
void data_place(const artModel *m, artData *d);

// Make sure that link positions in ground (data_need_velocity: and link velocities) are up to date.
void data_need_world(const artModel *m, const artData *d);
void data_need_velocity(const artModel *m, const artData *d);

// The same, and return the tree to read them from.
const treeData *data_world(const artModel *m, const artData *d);
const treeData *data_velocity(const artModel *m, const artData *d);

// Return the tree; asserts that link accelerations belong to the present accelerations: after
// art_accelerate or a recursion with these.
const treeData *data_motion(const artModel *m, const artData *d);

// Record that link velocities belong to the present velocities, or link accelerations to the
// present accelerations.
void data_note_velocities(const artModel *m, const artData *d);
void data_note_motion(const artModel *m, const artData *d);

// art_position_rates without argument checks.
void data_position_rates(const artModel *m, const artData *d, double *qdot);

// For the public interface: is there such a frame? If not, fills the outputs of length n (may be
// NULL) with NaN.
int data_has_frame(const char *function, const artModel *m, const artData *d, int frame, int n,
                   double *one, double *two);

// Axes in ground of a frame with rotation R in its link. Most frames are not rotated, hence the
// shortcut; the third row of R follows from the others.
static inline m3 data_axes(const m3 *R, const treeWorld *link)
{
  const int is_unit =
      R->x.x == 1 && R->y.y == 1 && R->x.y == 0 && R->x.z == 0 && R->y.x == 0 && R->y.z == 0;
  return is_unit ? link->R : m3_mul_m3(*R, link->R);
}

// Return a vector through the public interface; out may be NULL.
static inline void data_put3(double out[3], v3 a)
{
  if (out) out[0] = a.x, out[1] = a.y, out[2] = a.z;
}

#endif
