// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How the joints of a machine move its bodies, for pages without a program.
#ifndef CLI_JOINT_CHAIN_H
#define CLI_JOINT_CHAIN_H

#include "joint_jog.h"

// As JSON, for free; NULL: no memory.
//
//   {"coordinates": [as joint_jog_list],
//    "tree": {"moves": [{"twist": [6], "by": [n], ...}, ...], "chains": [[k, ...], ...]}}
//
// The pose of body b is exp(s_1 x_1) exp(s_2 x_2) ... pose at the start, over the moves of its chain from ground on: s is
// the twist, angular velocity and then velocity of the ground's origin, and x = sum of by[i] (value i - value i at the start).
// A move with stops has the name of its coordinate, the value at the start and the limits too.
// Machines with loops have no such form, and no coordinates: {"coordinates": [], "tree": {"reason": "..."}}.
char *joint_chain_create(cliJointJog *jog);

#endif
