// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recorded machine as quantities and rods see it. For files that are compiled with nodes as scalars, which must not
// see a compiled model.
#ifndef GEN_RECORDED_H
#define GEN_RECORDED_H

#include "gen/port_equations.h"
#include "model/quantity_kind.h"

//---- quantity_equations.c ----------------------------------------------------------------------------------

// Position, velocity or acceleration of a coordinate; the force along it; multiplier of a relation.
int gen_coordinate(const genBuild *b, int i, int order);
int gen_joint_force(genBuild *b, int i);
int gen_relation_multiplier(const genBuild *b, int relation);

// Acceleration of the point of a frame, angular acceleration of its link in ground, angular velocity along its own axes.
node3 gen_frame_acceleration(genBuild *b, int frame);
node3 gen_angular_acceleration(genBuild *b, int frame);
node3 gen_own_turn(genBuild *b, int frame);

const modelElement *gen_element(const genBuild *b, int i);
int gen_held(const genBuild *b, int i);
int gen_state(const genBuild *b, int i);
int gen_element_value(const genBuild *b, const modelElement *e, int c);

// Symbols of values that a run knows.
int gen_run(genBuild *b, quantityRun k);

// Energies and momentum of the tree, elements included.
int gen_tree_energy(genBuild *b, int is_potential);
void gen_tree_momentum(genBuild *b, int momentum[6]);
node3 gen_gravity(genBuild *b);

// Rods with mass one by one, -1 behind the last; of the rod at a cut its mass, length and multiplier, and place, velocity
// and acceleration of an end. Forces on the bodies at a cut.
int gen_rod(genBuild *b, int i);
int gen_rod_has_mass(genBuild *b, int cut);
int gen_rod_mass(genBuild *b, int cut);
int gen_rod_length(genBuild *b, int cut);
int gen_rod_thrust(const genBuild *b, int cut);
int gen_rod_is_on_ground(const genBuild *b, int cut, int side);
node3 gen_rod_end(genBuild *b, int cut, int side, int order);
void gen_cut_force(genBuild *b, int cut, int side, node3 *force, node3 *torque);

quantityBar gen_bar(const genBuild *b, int i);
quantityLatch gen_latch(const genBuild *b, int i, int frame[2]);
int gen_masked_quantity(const genBuild *b, const modelQuantity *quantity); // of a lock; -1: another

// Force and torque on `to` of a joint, at the joint, in ground axes.
void gen_settled_reaction(genBuild *b, int joint, int reaction[6]);

//---- quantity_symbolic.c -------------------------------------------------------------------------

// The value of a quantity, of which all that it reads is known.
int gen_quantity_value(genBuild *b, const modelQuantity *quantity);

// Energies and momentum of the whole machine, rods included.
int gen_kinetic(genBuild *b);
int gen_potential(genBuild *b);

// Forces on the bodies at the ends of a rod with mass, by its multiplier alone on entry; and on both ends alike.
node3 gen_rod_forces(genBuild *b, int cut, node3 *from, node3 *to);

// The wrench on the other side of a joint, which lies at -arm.
void gen_opposite(genBuild *b, node3 arm, node3 *force, node3 *torque);

#endif
