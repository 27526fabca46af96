// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops on symbols: constraint rows of cut joints, recorded in a pool of expressions.
//
// Kinematics of the two sides is seen from their closest common ancestor, so that coordinates
// which move both alike do not appear.
#ifndef SYM_LOOP_SYMBOLIC_H
#define SYM_LOOP_SYMBOLIC_H

#include "sym/tree_symbolic.h"

// A cut joint in plain C types.
typedef struct cutNumbers {
  int number;              // among the cuts, for the names of its parameters
  int link[2];             // of `from` and `to`
  double R[2][9], r[2][3]; // joint frame in the link: v_frame = R v_link; its origin
  double axis2[3], pitch, length;
  const int
      *held; // [12] nodes of the frame of `from`, its axes and its origin; NULL: these are numbers
  int from_tip; // of closing rows: whether points are summed up from the joint inwards, as levers are
} cutNumbers;

// Names of their parameters: of both sides the axes and the place of the joint's frame; second axis, pitch, length of a rod
// and two thirds of its mass.
enum { CUT_SIDE = 12, CUT_PLACE = 9, CUT_AXIS2 = 24, CUT_NAMES = 30 };
extern const char *const sym_cut_name[CUT_NAMES];

// Rows of these kinds (rowKind of loop/row.h), nrow of them:
//   phi[nrow]     how far they are open
//   J[nrow * nv]  by rows; entries that are always zero stay as they are, node 0
//   gamma[nrow]   right-hand side of J a = gamma with all accelerations on the left, J' v = -gamma
//   action[9 * nrow] (NULL: not wanted) force u and torque t on `to` in ground axes, and where: of a
//                 multiplier one, its opposite on `from`
// The angle of a thread is the one nearest to the angle that fits the slide.
void sym_record_cut(symTree *s, const cutNumbers *cut, int nrow, const int *kind, int *phi, int *J,
                    int *gamma, int *action);

// The same loops by rows that are cheaper and mean the same where the loops are closed, for the rows kept
// (nrow of these kinds, in ascending order): points that coincide are compared along the axes of the
// common ancestor, if `mixes` allows to mix the sliding rows of the cut; bodies that do not turn against
// each other (`is_stiff`) have the difference of their angular velocities for the rates of turning rows.
void sym_record_closing(symTree *s, const cutNumbers *cut, int nrow, const int *kind, int mixes,
                        int is_stiff, int *phi, int *J, int *gamma);

#endif
