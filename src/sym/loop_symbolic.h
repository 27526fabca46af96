// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops on symbols: constraint rows of cut joints, recorded in a pool of expressions.
//
// The kinematics of both sides is relative to their closest common ancestor, so coordinates that
// move both sides equally do not appear.
#ifndef SYM_LOOP_SYMBOLIC_H
#define SYM_LOOP_SYMBOLIC_H

#include "sym/tree_symbolic.h"

// A cut joint in plain C types.
typedef struct cutNumbers {
  int number;              // index of the cut, for the names of its parameters
  int link[2];             // of `from` and `to`
  double R[2][9], r[2][3]; // joint frame in the link: v_frame = R v_link; its origin
  double axis2[3], pitch, length;
  int roll;            // rollKind of model/define/joint_kind.h
  int surface;         // rollShape of model/roll_surface.h, on which it rolls
  double sense;        // 1 outside, -1 inside
  double curvature[3]; // radius of the surface, sine and cosine of its half angle
  // [12] nodes of the frame of `from`, its axes and its origin; NULL: use the numbers
  const int *held;
  // closing rows: sum up levers from the joint inwards, instead of taking differences of points
  int from_tip;
} cutNumbers;

// Names of their parameters: axes and origin of the joint frame on both sides; second axis, pitch,
// length of a rod or radius of what rolls, two thirds of the mass of a rod, and the surface on which it rolls: radius, sine and
// cosine of the half angle.
enum { CUT_SIDE = 12, CUT_PLACE = 9, CUT_AXIS2 = 24, CUT_SURFACE = 30, CUT_NAMES = 33 };
extern const char *const sym_cut_name[CUT_NAMES];

// Record rows of these kinds (rowKind of loop/row.h):
//   phi[nrow]     constraint violation
//   J[nrow * nv]  by rows; structural zeros are not written (node 0)
//   gamma[nrow]   right-hand side of J a = gamma with all accelerations on the left, -J' v
//   action[9 * nrow] (NULL: not wanted) force u and torque t on `to` in ground axes for a unit
//                 multiplier, and their point; the opposite acts on `from`
// The angle of a screw is the one that fits the sliding best.
void sym_record_cut(symTree *s, const cutNumbers *cut, int nrow, const int *kind, int *phi, int *J,
                    int *gamma, int *action);

// Record cheaper rows that are equivalent where the loops are closed, for the kept rows (nrow of
// these kinds, ascending). Coincident points are compared along the axes of the common ancestor, if
// `mixes` allows combining the sliding rows of the cut. Bodies that do not rotate relative to each
// other (`is_stiff`) use the difference of their angular velocities as rates of rotation rows.
void sym_record_closing(symTree *s, const cutNumbers *cut, int nrow, const int *kind, int mixes,
                        int is_stiff, int *phi, int *J, int *gamma);

// Record what rolls without slip at a cut:
//   J[2 * nv]  rows of velocities, two or one; structural zeros are not written
//   gamma[2]   right-hand side of J a = gamma where nothing slips
//   place[12]  in ground axes: normal, directions along and across, point of contact
void sym_record_rolling(symTree *s, const cutNumbers *cut, int *J, int *gamma, int *place);

#endif
