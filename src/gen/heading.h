// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Attitude and motion of a vehicle as expressions.
#ifndef GEN_HEADING_H
#define GEN_HEADING_H

#include "gen/port.h"

// Yaw, pitch or roll of a frame; part of a vector in ground along its heading or to the left, or the angle to it.
int gen_heading_angle(genBuild *b, int frame, int c);
int gen_heading_part(genBuild *b, int frame, node3 a, int c);

#endif
