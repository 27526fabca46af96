// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recursions of src/tree on symbols: the equations of a tree, recorded in a pool of expressions.
//
// Every function gives nodes of the pool (sym/expr.h), in the order in which the numeric recursion
// gives numbers. Entries of link i start at 3 i, 6 i or 12 i; link 0 is ground. Whether memory
// ran out is asked once, at the end, with expr_failed.
#ifndef SYM_TREE_SYMBOLIC_H
#define SYM_TREE_SYMBOLIC_H

#include "base/arena.h"
#include "sym/expr.h"

struct treeModel;

// Treatment of the constants of the model: masses, lengths, directions, gravity.
typedef enum symConstants {
  SYM_NUMBERS, // numbers, folded where they meet

  // Named symbols, so that one set of equations serves many machines of the same build; but 0, 1
  // and -1 stay numbers where no parameter defines them, since they come from the build of the machine rather than from a measurement,
  // and equal principal moments of a link are one symbol, of the first axis.
  SYM_PARAMETERS,
} symConstants;

enum { SYM_NOTHING = -2 };

typedef struct symOptions {
  symConstants kind;
  int (*is_frozen)(void *context, const char *name, int index); // stays a number; NULL: none does
  // whether two parameters of a name are of one kind and become one if their values are equal; NULL: none do
  int (*is_alike)(void *context, const char *name, int i, int j);
  // what defines a constant by parameters, as a number that tells definitions apart; -1: none does; SYM_NOTHING: it is 0 whatever
  // they are; NULL: none of any. A constant that is defined is a symbol whatever its value is
  int (*define)(void *context, const char *name, int index);
  void *context;
} symOptions;

// A constant that shares the parameter of another one, by its index.
typedef struct symShared {
  int parameter; // its place among the parameters
  int index;
} symShared;

typedef struct symTree {
  exprPool *pool;
  int n, nq, nv; // links with ground, position coordinates, velocity coordinates

  // input symbols: coordinates, velocities, accelerations, joint forces; applied force on each link
  // as moment and force at its origin, in its axes
  int *q, *v, *a, *tau, *f_ext;

  // with SYM_PARAMETERS: the symbols of the constants and their values in the model
  symOptions constants;
  int parameter_count, parameter_capacity[3];
  int *parameter;
  double *parameter_value;
  int *parameter_definition; // -1: none
  int shared_count, shared_capacity;
  symShared *shared;

  struct symInside *inside; // links and results of the recursions, as nodes
  baseArena memory;
} symTree;

// Make the symbols of a tree that was compiled for numbers and record its kinematics. NULL when there
// is no memory; from then on it leaves (base/leave.h) where its pool does. The model and the pool must outlive the tree.
symTree *sym_tree_create(exprPool *pool, const struct treeModel *numeric,
                         const symOptions *constants);
void sym_tree_free(symTree *s);

// From here on gravity is the only force applied to links.
void sym_tree_unforced(symTree *s);

// A symbol with a definition, made at the first call.
int sym_defined(symTree *s, double value, const char *name, int index, int definition);

// A constant of the machine: a number, or the parameter of that name and index, made at the first call.
int sym_parameter(symTree *s, double value, const char *name, int index);

// From now on these nodes act as joint forces and applied forces, tau[nv] and f_ext[6 n], and these are
// the accelerations, a[nv], in the place of the symbols.
void sym_tree_forces(symTree *s, const int *tau, const int *f_ext);
void sym_tree_accelerations(symTree *s, const int *a);

// A value for each symbol q and v of the pool, by ordinal, and for parameters, which take the values of the model.
void sym_tree_values(const symTree *s, const double *q, const double *v, double *symbols);

//---- equations -----------------------------------------------------------------------------------

// Every link in ground: three rows of R, with v_link = R v_ground, then the origin.       world[12 n]
void sym_record_world(symTree *s, int *world);

// Velocity of every link at its origin in its own axes, angular then linear.                vel[6 n]
void sym_record_velocity(symTree *s, int *vel);

// Joint forces for the accelerations a, and on request what each parent does to its link through the
// joint, moment then force.                                  tau[nv], reaction[6 n] (NULL: not wanted)
void sym_record_inverse(symTree *s, int *tau, int *reaction);

// Accelerations in O(n) by articulated bodies; driven joints have the symbols a.               a[nv]
void sym_record_forward(symTree *s, int *a);

// Kinetic energy, potential energy of gravity; momentum about the ground's origin.
int sym_record_kinetic(symTree *s);
int sym_record_potential(symTree *s);
void sym_record_momentum(symTree *s, int momentum[6]);

// Position, velocity and acceleration of the point r (nodes) of link i, one after the other, in ground axes.
void sym_record_point(symTree *s, int i, const int r[3], int motion_of_point[9]);

// Jacobian of that point by rows, angular then linear velocity.                             J[6 * nv]
void sym_record_jacobian(symTree *s, int i, const int r[3], int *J);

#endif
