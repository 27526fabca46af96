// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass (model/rod_physics.h) in a data block.
#ifndef DATA_ROD_H
#define DATA_ROD_H

#include "data/work.h"

// Place, velocity or acceleration less gravity (order 0, 1, 2) of one end, in ground axes; sum of the accelerations of both.
v3 rod_end(const artData *d, const cutSide *side,
           int order); // reads tree.world, tree.vel, tree.body
v3 rod_accelerations(const artModel *m, const artData *d, int rod);

// Energy and momentum of all rods, less what the links have of them.
double rod_kinetic(const artModel *m, const artData *d);
double rod_potential(const artModel *m, const artData *d);
wrench rod_momentum(const artModel *m, const artData *d);

#endif
