// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinematics of the links on demand, at the state in the data.
#ifndef DATA_PLACE_H
#define DATA_PLACE_H

#include "data/work.h"

// Place links in their parents at the present positions, and forget where they were in ground and how they
// moved: whoever changes positions calls it, or art_update, before anything is read.
void data_place(const artModel *m, artData *d);

// Make sure that links are placed in ground, and that their velocities are known (both, then).
void data_need_world(const artModel *m, const artData *d);
void data_need_velocity(const artModel *m, const artData *d);

// The same, and the tree to read them from.
const treeData *data_world(const artModel *m, const artData *d);
const treeData *data_velocity(const artModel *m, const artData *d);

// Links accelerate as the present accelerations say: after art_accelerate, or a recursion for these.
const treeData *data_motion(const artModel *m, const artData *d);

// Whoever finds velocities of links at the present velocities, or their accelerations at the present accelerations, says so.
void data_note_velocities(const artModel *m, const artData *d);
void data_note_motion(const artModel *m, const artData *d);

// art_position_rates inside the library, where arguments need no check.
void data_position_rates(const artModel *m, const artData *d, double *qdot);

// At the public interface: is there such a frame? Without one the outputs of length n, which may be NULL, are not
// numbers.
int data_has_frame(const char *function, const artModel *m, const artData *d, int frame, int n,
                   double *one, double *two);

// Axes in ground of a frame that R turns in its link. Most are turned by nothing; the third row of a rotation follows
// from the others.
static inline m3 data_axes(const m3 *R, const treeWorld *link)
{
  const int is_unit =
      R->x.x == 1 && R->y.y == 1 && R->x.y == 0 && R->x.z == 0 && R->y.x == 0 && R->y.z == 0;
  return is_unit ? link->R : m3_mul_m3(*R, link->R);
}

// A vector for the public interface; nowhere where out is NULL.
static inline void data_put3(double out[3], v3 a)
{
  if (out) out[0] = a.x, out[1] = a.y, out[2] = a.z;
}

#endif
