// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recorded machine in vectors of nodes: frames, forces, rods and reactions. Include it before anything of src/spatial
// or src/model: from here on `real` is a node, and constants of the compiled model are numbers.
#ifndef GEN_VECTORS_H
#define GEN_VECTORS_H

#ifdef SPATIAL_SCALAR_H
#error "scalars are numbers already"
#endif
#define ART_SYMBOLIC

#include "gen/build.h"
#include "tree/point.h"

// Three nodes as a vector, and back; returns the place after them.
static inline v3 v3_nodes(const int x[3])
{
  return (v3){{x[0]}, {x[1]}, {x[2]}};
}

static inline int *v3_put(int *to, v3 x)
{
  to[0] = x.x.node;
  to[1] = x.y.node;
  to[2] = x.z.node;
  return to + 3;
}

//---- force_equations.c ---------------------------------------------------------------------------

// A constant vector as parameters; the point of a frame in its link.
v3 gen_constant_vector(genBuild *b, v3c x, const char *const name[3], int index);
v3 gen_point_in_link(genBuild *b, int frame);

// Position and velocity of the point of a frame, and angular velocity of its link, in ground axes.
v3 gen_point(genBuild *b, int frame);
v3 gen_point_velocity(genBuild *b, int frame);
v3 gen_angular_velocity(genBuild *b, int frame);

// A force at the point of a frame and a torque on its link, both in ground axes.
void gen_force_at(genBuild *b, int frame, v3 force);
void gen_torque_on(genBuild *b, int frame, v3 torque);

//---- port_symbolic.c -----------------------------------------------------------------------------

// Displacement c of the port of an element, or its rate; direction of a line's last span, in ground axes.
real gen_displacement(genBuild *b, const modelElement *e, int c, int is_rate);
v3 gen_last_direction(genBuild *b, const modelElement *e);
v3 gen_contact_point(genBuild *b, const modelElement *e);

//---- tree_frame.c --------------------------------------------------------------------------------

// Axes of a frame in ground, by rows; axis k in its link, of numbers where no parameter defines them.
m3 gen_frame_axes(genBuild *b, int frame);
v3 gen_frame_row(genBuild *b, int frame, int k);

// Acceleration of the point r of a link, in ground axes, by accelerations acc[n] of links that leave gravity out.
v3 gen_gravity(genBuild *b);
v3 gen_point_acceleration(genBuild *b, int link, v3 r, const motion *acc);

// The wrench on `to` of a joint of the tree, at the joint, in ground axes; all[n] is what parents do to links.
wrench gen_joint_reaction(genBuild *b, const modelJoint *joint, const wrench *all);

//---- rod_equations.c -----------------------------------------------------------------------------

// Rods with mass one by one, -1 after the last: the mass of one; place, velocity and acceleration of an end. Forces on the
// bodies at its ends, by the multiplier alone on entry; returns the one on both ends alike.
int gen_rod(genBuild *b, int i);
int gen_rod_has_mass(genBuild *b, int cut);
real gen_rod_mass(genBuild *b, int cut);
v3 gen_rod_end(genBuild *b, int cut, int side, int order);
v3 gen_rod_forces(genBuild *b, int cut, v3 *from, v3 *to);

//---- reactions.c ---------------------------------------------------------------------------------

// The wrench on `to` of a joint, at the joint, in ground axes.
wrench gen_settled_reaction(genBuild *b, int joint);

//---- name.c --------------------------------------------------------------------------------------

// Names of a vector, with _x, _y and _z after them; of one of a frame.
void gen_name_vector(genBuild *b, v3 node, const char *owner, const char *quantity);
void gen_name_frame(genBuild *b, int frame, v3 node, const char *quantity);

#endif
