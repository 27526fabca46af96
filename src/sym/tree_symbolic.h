// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recursions of src/tree on symbols: the equations of a tree, recorded in a pool of
// expressions.
//
// Every function returns nodes of the pool (sym/expr.h) in the order of the numeric recursion.
// Entries of link i start at 3 i, 6 i or 12 i; link 0 is ground. Check expr_failed once at the end.
#ifndef SYM_TREE_SYMBOLIC_H
#define SYM_TREE_SYMBOLIC_H

#include "base/arena.h"
#include "sym/expr.h"

struct treeModel;

// Treatment of the model's constants: masses, lengths, directions, gravity.
typedef enum symConstants {
  SYM_NUMBERS, // numbers, folded where possible

  // Named symbols, so that one set of equations serves many machines with the same structure. But
  // 0, 1 and -1 remain numbers unless a parameter defines them, because they come from the
  // structure of the machine and not from a measurement. Equal principal moments of a link are one
  // symbol, named after the first axis.
  SYM_PARAMETERS,
} symConstants;

enum { SYM_NOTHING = -2 };

typedef struct symOptions {
  symConstants kind;
  // must the constant remain a number? NULL: none
  int (*is_frozen)(void *context, const char *name, int index);
  // may two parameters with this name become one if their values are equal? NULL: never
  int (*is_alike)(void *context, const char *name, int i, int j);
  // definition of a constant by parameters, as a number that identifies it; -1: none; SYM_NOTHING:
  // the constant is always 0; NULL: no constant is defined. A defined constant is a symbol whatever
  // its value
  int (*define)(void *context, const char *name, int index);
  void *context;
} symOptions;

// A constant with the index `index` that shares the parameter of another one.
typedef struct symShared {
  int parameter; // index among the parameters
  int index;
} symShared;

typedef struct symTree {
  exprPool *pool;
  int n, nq, nv; // links including ground, position coordinates, velocity coordinates

  // input symbols: coordinates, velocities, accelerations, joint forces; applied moment and force
  // on each link at its origin in link axes
  int *q, *v, *a, *tau, *f_ext;

  // with SYM_PARAMETERS: symbols of the constants, and their values in the model
  symOptions constants;
  int parameter_count, parameter_capacity[3];
  int *parameter;
  double *parameter_value;
  int *parameter_definition; // -1: none
  int shared_count, shared_capacity;
  symShared *shared;

  struct symInside *inside; // links and results of the recursions as nodes
  baseArena memory;
} symTree;

// Create the symbols of a numeric tree and record its kinematics. NULL when memory ran out; later
// functions throw (base/throw.h) if the pool does. The model and the pool must outlive the tree.
symTree *sym_tree_create(exprPool *pool, const struct treeModel *numeric,
                         const symOptions *constants);
void sym_tree_free(symTree *s);

// From now on gravity is the only force on links.
void sym_tree_unforced(symTree *s);

// Symbol of a definition, created at the first call.
int sym_defined(symTree *s, double value, const char *name, int index, int definition);

// A constant of the machine: a number, or the parameter with this name and index, created at the
// first call.
int sym_parameter(symTree *s, double value, const char *name, int index);

// From now on use these nodes as joint forces tau[nv], applied forces f_ext[6 n] and accelerations
// a[nv] instead of the symbols.
void sym_tree_forces(symTree *s, const int *tau, const int *f_ext);
void sym_tree_accelerations(symTree *s, const int *a);

// Write values by ordinal for the symbols q and v, and for parameters, which get the values of the
// model.
void sym_tree_values(const symTree *s, const double *q, const double *v, double *symbols);

//---- equations -----------------------------------------------------------------------------------

// Position of every link in ground: three rows of R with v_link = R v_ground, then the origin.
// world[12 n]
void sym_record_world(symTree *s, int *world);

// Velocity of every link at its origin in its own axes, angular then linear.                vel[6
// n]
void sym_record_velocity(symTree *s, int *vel);

// Joint forces for the accelerations a, and optionally the wrench of each parent on its link
// through the joint, moment then force.                             tau[nv], reaction[6 n] (NULL:
// not wanted)
void sym_record_inverse(symTree *s, int *tau, int *reaction);

// Accelerations in O(n) by articulated bodies; driven joints use the symbols a.
// a[nv]
void sym_record_forward(symTree *s, int *a);

// Kinetic energy; potential energy of gravity; momentum about the origin of ground.
int sym_record_kinetic(symTree *s);
int sym_record_potential(symTree *s);
void sym_record_momentum(symTree *s, int momentum[6]);

// Position, velocity and acceleration of the point r (nodes) of link i in ground axes, in this
// order.
void sym_record_point(symTree *s, int i, const int r[3], int motion_of_point[9]);

// Jacobian of that point by rows, angular then linear velocity.                             J[6 *
// nv]
void sym_record_jacobian(symTree *s, int i, const int r[3], int *J);

#endif
