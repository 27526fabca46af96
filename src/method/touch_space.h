// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What forces between two bodies do to a machine, at a cost that follows the joints between them and ground.
//
// A tree has  M = L^T D L  without fill-in (tree/mass.c), and a row A of velocities becomes  z = D^-1/2 L^-T A^T, which is zero but for
// the coordinates that lead to its bodies. With loops, z is that of force_space.h. Forces p of rows Z cause
// velocities L^-1 D^-1/2 Z^T p, and the rows then have Z Z^T p.
#ifndef METHOD_TOUCH_SPACE_H
#define METHOD_TOUCH_SPACE_H

#include "force/rigid_place.h"
#include "method/force_space.h"

typedef struct touchSpace {
  const artModel *m;
  int n;                // length of x
  long *place;          // [nv] where column 0 of a row of M would be in `mass`
  double *mass, *scale; // L with D on its diagonal; [nv] D^-1/2, 0 of drives
  double *row;          // [nv] scratch
  int *all;             // [nv] 0 1 2 ...
  forceSpace loops;
} touchSpace;

int touch_take(touchSpace *s, const artModel *m, baseArena *arena);

// At the present positions.
artStatus touch_find(touchSpace *s, artData *d, artError *error);

// The last velocity coordinate that leads to a link, or -1.
int touch_last(const artModel *m, int link);

// Where the rows of two bodies are not zero, by their last coordinates; at[nv]: NULL, or where to put these. Returns their number.
int touch_list(const touchSpace *s, const int last[2], int *at);

// The row of the wrench of an axis at a point on the body of last[1], and against it on the other: z[count] on the coordinates
// of touch_list.
void touch_row(touchSpace *s, const artData *d, const int last[2], v3 point, const rigidAxis *axis,
               int count, const int *at, double *z);

// v + the velocities of x = Z^T p, which is lost.
void touch_add_velocities(touchSpace *s, double *x, double *v);

#endif
