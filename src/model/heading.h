// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How a vehicle is seen: attitude by yaw, pitch and roll, motion along and across its heading.
#ifndef MODEL_HEADING_H
#define MODEL_HEADING_H

#include "spatial/spatial.h"

// Yaw, pitch or roll (c = 0, 1, 2) of a frame, of which the rows of R are the axes in ground:
// turns about z, the new y and the newest x, in this order. Yaw is zero while x is vertical.
real R_NAME(heading_angle)(m3 R, int c);

// The part of a vector in ground along the heading, or to the left of it (c = 0, 1): level, the
// heading being the x axis of the frame seen from above. c = 2: the angle from the heading to the vector, to the
// left, the sideslip angle of a velocity; zero at standstill.
real R_NAME(heading_part)(m3 R, v3 a, int c);

#endif
