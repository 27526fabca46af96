// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass (model/rod_physics.h) in a data block.
#ifndef DATA_ROD_H
#define DATA_ROD_H

#include "data/work.h"

// Position, velocity, or acceleration minus gravity (order 0, 1, 2) of one end, in ground axes.
// rod_accelerations: sum of the accelerations of both ends.
v3 rod_end(const artData *d, const cutSide *side,
           int order); // reads tree.world, tree.vel, tree.body
v3 rod_accelerations(const artModel *m, const artData *d, int rod);

// Energy and momentum of all rods, minus the parts already included in the links.
double rod_kinetic(const artModel *m, const artData *d);
double rod_potential(const artModel *m, const artData *d);
wrench rod_momentum(const artModel *m, const artData *d);

#endif
