// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass: uniform bars of mass m between a point j of one link and a point k of another, which
// have no coordinates of their own. All that moves is linear between the ends, so
//
//   T = m/6 (v_j.v_j + v_j.v_k + v_k.v_k) = m/12 (v_j.v_j + v_k.v_k) + m/12 |v_j + v_k|^2
//
// The first part is that of point masses m/6 at the ends, which the compiled links carry already
// (compile_tree.c); what follows is about the second, which couples them.
#ifndef DATA_ROD_H
#define DATA_ROD_H

#include "data/work.h"

// Both ends of one rod together, in ground axes: sum of positions, of velocities, and of
// accelerations less gravity.
v3 rod_places(const artModel *m, const artData *d, int rod);        // reads tree.world
v3 rod_velocities(const artModel *m, const artData *d, int rod);    // + tree.vel
v3 rod_accelerations(const artModel *m, const artData *d, int rod); // reads tree.world, tree.body

// Energy and momentum of all rods, less what the links have of them.
double rod_kinetic(const artModel *m, const artData *d);
double rod_potential(const artModel *m, const artData *d);
wrench rod_momentum(const artModel *m, const artData *d);

// Tension in the middle of a rod with or without mass, from its multiplier.
double rod_tension(const artData *d, const modelCut *cut);

// Of a bar that has become a rod: component 0 to 14 is place, velocity, acceleration, angular velocity
// and acceleration of a point on its line, x y z each. Its spin, which nothing determines, is none.
double rod_bar_value(const artModel *m, const artData *d, const modelBarPoint *point,
                     int component);

// The reaction of a ball joint that a bar had; 0 when there is none of that name.
int rod_bar_reaction(const artModel *m, const artData *d, const char *joint, v3 *force);

// After tree_rne and with work->rod_force known: forces on bodies at both ends of every rod with mass,
// into work->cut_force and work->from_force.
void rod_end_forces(const artModel *m, artData *d);

#endif
