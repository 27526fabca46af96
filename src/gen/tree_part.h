// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions that the makers of tree forms share.
#ifndef GEN_TREE_PART_H
#define GEN_TREE_PART_H

#include "gen/build.h"

// Inputs of a function by their letters, in this order: positions q, velocities v, accelerations a, joint forces t,
// applied wrenches f.
void gen_put_inputs(genBuild *b, eqnFunction *f, const char *letters);

// A function of one straight stage with such inputs.
eqnFunction *gen_add_plain(genBuild *b, const char *name, const char *what, const char *letters,
                           int noutput, eqnGroup group);

// Position, motion and Jacobian of every frame that moves.
void gen_add_frames(genBuild *b);

// A constant vector as parameters; the point of a frame in its link.
node3 gen_constant_vector(genBuild *b, v3 x, const char *const name[3], int index);
node3 gen_point_in_link(genBuild *b, int frame);

// Axis k of a frame in its link, of numbers where no parameter defines them.
node3 gen_frame_row(genBuild *b, int frame, int k);

// Place, velocity and acceleration of the point r of a link, whose accelerations acc[6 n] leave gravity out. All in
// ground axes.
node3 gen_link_point(genBuild *b, int link, node3 r);
node3 gen_link_point_velocity(genBuild *b, int link, node3 r);
node3 gen_point_acceleration(genBuild *b, int link, node3 r, const int *acc);

// Force and torque on `to` of a joint of the tree, at the joint, in ground axes; all[6 n] is what parents
// do to links.
void gen_joint_reaction(genBuild *b, const modelJoint *joint, const int *all, int out[6]);

// Energy and momentum.
void gen_add_energy(genBuild *b);

// Reactions: forces and torques of joints on the bodies they lead to.
void gen_add_reactions(genBuild *b);

#endif
