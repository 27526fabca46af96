// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Internals of a symbolic tree, for files compiled with nodes as scalars. Include it before
// anything of src/spatial, src/model or src/tree: with ART_SYMBOLIC their `real` is a node;
// renaming avoids conflicts with the numeric build.
#ifndef SYM_TREE_INSIDE_H
#define SYM_TREE_INSIDE_H

#define ART_SYMBOLIC
#define ART_SYMBOLIC_MODEL
#define treeModel               symModel
#define tree_start              sym_start
#define tree_take_constants     sym_take_constants
#define tree_place              sym_place
#define tree_axis               sym_axis
#define tree_world              sym_world
#define tree_velocity           sym_velocity
#define tree_rne                sym_rne
#define tree_second_moments     sym_second_moments
#define tree_inertia_force      sym_inertia_force
#define tree_joint_force        sym_joint_force
#define tree_axes               sym_axes
#define tree_mass               sym_mass
#define tree_factor             sym_factor
#define tree_solve              sym_solve
#define tree_aba                sym_aba
#define tree_place_some         sym_place_some
#define tree_world_some         sym_world_some
#define tree_velocity_some      sym_velocity_some
#define tree_axes_some          sym_axes_some
#define tree_aba_velocities     sym_aba_velocities
#define tree_aba_inward         sym_aba_inward
#define tree_aba_outward        sym_aba_outward
#define tree_kinetic            sym_kinetic
#define tree_potential          sym_potential
#define tree_momentum           sym_momentum
#define tree_point              sym_point
#define tree_point_velocity     sym_point_velocity
#define tree_point_acceleration sym_point_acceleration
#define tree_jacobian           sym_jacobian

#include "tree/tree.h"

#undef treeModel

_Static_assert(sizeof(real) == sizeof(int), "arrays of nodes are copied as they are");

struct symInside {
  symModel model;
  treeData data;
  real *q, *v, *a, *tau;
  real *M;     // [nv * nv]
  real *spare; // [nv] joint forces that are not requested
};

#endif
