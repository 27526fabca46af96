// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rows of velocities of what rolls without slip:  A v = 0. They are not rates of functions of the
// positions, so that positions stay independent where velocities do not.
//
// A row is the velocity of the body at the point of contact in one direction: along and across of a
// disc or ball, across of a knife edge. Its multiplier is the force on the body in that direction.
#ifndef LOOP_ROLL_ROWS_H
#define LOOP_ROLL_ROWS_H

#include "data/work.h"

// A[nroll_row nv] by rows.                                     reads tree.world, S
void rolling_rows(const artModel *m, const artData *d, double *A);

// is_kept[nroll_row]: whether a row is independent of those before, where loops are closed and drives lead.
// ART_BAD_INPUT, with the name and place of a joint, where other rows are independent at positions nearby.
artStatus rolling_independent(const artModel *m, const artData *d, char *is_kept, artError *error);

// second[nroll_row]: d(A v)/dt at the accelerations of tree_rne, for states with A v = 0.
//                                                              reads tree.world, S, v, body
void rolling_second(const artModel *m, const artData *d, double *second);

// The largest of them.
double rolling_second_gap(const artModel *m, const artData *d);

// The largest |A v|, m/s.                                      reads tree.world, S, v
double rolling_slip(const artModel *m, const artData *d);

// ART_BAD_INPUT, with its name and place, where a disc lies flat on its plane, or the direction across a
// blade stands upright: neither then heads anywhere.
artStatus rolling_check(const artModel *m, const artData *d, artError *error);

// The same where the contact with a curved surface, which is touched, is not one point.
artStatus rolling_check_touches(const artModel *m, const artData *d, artError *error);

#endif
