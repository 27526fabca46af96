// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs: the functions of a generated model over a common pool of expressions. Makers (src/gen)
// create them, passes (src/eqn) convert a function to a list of equations, writers (src/emit) print
// the list in some language, and an evaluator runs it for tests.
//
// A function reads vectors of symbols and writes vectors of expressions. Its stages run in order. A
// straight stage evaluates expressions once. A Newton stage repeats
//   evaluate residual and corrections;  leave when residual <= tolerance^2;  unknown += correction
// with a separate tolerance before the first correction, so that afterwards all expressions are
// evaluated at the converged unknowns. A Newton stage without unknowns is a test, at which the
// function may stop. An assignment gives symbols of an input vector new values for everything that
// follows:  unknown = correction.  A conditional assignment does so if its condition holds, and
// only then evaluates what nothing else needs. An expression belongs to the first stage that needs
// it; expressions of parameters only are evaluated before all stages (see eqn/list.h).
#ifndef EQN_PROGRAM_H
#define EQN_PROGRAM_H

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "sym/expr.h"

// A vector that a function reads or writes.
typedef struct eqnVector {
  const char *name; // "q", "v", "tau": a valid identifier in every language
  const char *what; // description: "positions, m or rad"
  int n;
  int *node;          // [n] symbols of an input, expressions of an output
  const char **label; // [n] description of each entry, "pin.angle"; NULL: none
} eqnVector;

// Groups of operations as counted in the thesis of Postiau (2004).
typedef enum eqnGroup {
  GROUP_OTHER,
  GROUP_POSITION,     // constraints: dependent positions
  GROUP_VELOCITY,     // dependent velocities
  GROUP_ACCELERATION, // terms of dependent accelerations
  GROUP_FORCES,       // kinematics and forces of elements
  GROUP_CONTACT,      // tyre-ground contact
  GROUP_TYRES,        // tyre models
  GROUP_FORWARD,      // outward recursion
  GROUP_BACKWARD,     // inward recursion
  GROUP_REDUCTION,    // to independent coordinates
  GROUP_SOLVE,        // linear systems
  EQN_GROUPS
} eqnGroup;

typedef enum eqnStageKind { STAGE_STRAIGHT, STAGE_NEWTON, STAGE_ASSIGN, STAGE_WHEN } eqnStageKind;

typedef struct eqnStage {
  const char *title; // "positions of loop 'closing'"
  eqnGroup group;
  eqnStageKind kind;
  int block;              // block of dependent coordinates that it solves, counted from 1; 0: none
  int size;               // number of velocity coordinates that it solves
  const char *coordinate; // one of the velocity coordinates of that block
  int nroot;              // straight: expressions evaluated here at the latest, if needed
  int *root;
  int nunknown;     // symbols of input vectors, which are written back, or free symbols
  int *unknown;     //
  int *correction;  // [nunknown] increments, or new values
  int residual;     // Newton: sum of squares; conditional assignment: the condition, 0 or 1
  double tolerance; // Newton: bound of the square root of the residual after the first correction
  double first;     // the same before the first correction; 0: equal
  // assignment: number of synchronisations of an instance's threads after it (share.h)
  int meets;
  int most; // maximum iterations; beyond it the function returns 1 (a test: 2) instead of 0
} eqnStage;

// Functions of generated models that callers look up, with their names in every language.
#define EQN_FUNCTIONS(F)                                                                           \
  F(ACCELERATE, "accelerate")                                                                      \
  F(OUTPUTS, "outputs")                                                                            \
  F(POSITION_RATES, "position_rates")                                                              \
  F(MACHINE_ENERGY, "machine_energy")                                                              \
  F(MULTIPLIERS, "multipliers")                                                                    \
  F(CONSTRAINTS, "constraints")                                                                    \
  F(STRAIN, "strain")                                                                              \
  F(AUGMENTED, "augmented")                                                                        \
  F(MACHINE_REACTIONS, "machine_reactions")                                                        \
  F(SWITCHES, "switches")                                                                          \
  F(RELAYS, "relays")                                                                              \
  F(SAMPLE, "sample")                                                                              \
  F(CLOCKS, "clocks")                                                                              \
  F(PACE, "pace")                                                                                  \
  F(PATHS, "paths")                                                                                \
  F(LAWS, "laws")                                                                                  \
  F(START, "start")                                                                                \
  F(MACHINE_INVERSE, "machine_inverse")                                                            \
  F(IMPLICIT, "implicit")                                                                          \
  F(INVERSE_REACTIONS, "machine_inverse_reactions")                                                \
  F(INVERSE, "inverse")                                                                            \
  F(INVERSE_LOADED, "inverse_loaded")                                                              \
  F(MASS_BIAS, "mass_bias")                                                                        \
  F(FORWARD, "forward")                                                                            \
  F(FORWARD_N, "forward_n")                                                                        \
  F(FORWARD_LOADED, "forward_loaded")                                                              \
  F(FORWARD_BEST, "forward_best")                                                                  \
  F(ENERGY, "energy")                                                                              \
  F(MOMENTUM, "momentum")                                                                          \
  F(REACTIONS, "reactions")                                                                        \
  F(REGRESSOR, "regressor")                                                                        \
  F(MINIMAL_PARAMETERS, "minimal_parameters")                                                      \
  F(ACCELERATE_TANGENT, "accelerate_tangent")                                                      \
  F(OUTPUTS_TANGENT, "outputs_tangent")
#define EQN_FUNCTION_NUMBER(number, name) EQN_##number,
typedef enum eqnFunctionKind {
  EQN_OTHER,  // has a name of its own, for example a function of a frame
  EQN_BRANCH, // part of one thread in `accelerate` (share.h)
  EQN_FUNCTIONS(EQN_FUNCTION_NUMBER) EQN_FUNCTION_KINDS
} eqnFunctionKind;

typedef struct eqnFunction {
  eqnFunctionKind kind;
  const char *name; // "accelerate"
  const char *what; // one sentence
  int ninput;
  eqnVector *input;
  int noutput;
  eqnVector *output;
  int nstage; // at least one; outputs that no stage refers to belong to the last one
  eqnStage *stage;
  // symbol that is nonzero here, so that selections by it take their first value; 0: none
  int given;
} eqnFunction;

// Input of a function by name; NULL: none.
static inline const eqnVector *eqn_input(const eqnFunction *f, const char *name)
{
  for (int i = 0; i < f->ninput; i++) {
    if (strcmp(f->input[i].name, name) == 0) return &f->input[i];
  }
  return NULL;
}

// A function supplied by the user of the generated code. Its arguments are numbers, its result has
// `n` components. Generated code calls  void name(const double *arguments, double *result, void
// *user).
typedef struct eqnExternal {
  const char *name, *what;
  int narg, n;
  int is_given; // included in the generated source, for its own use only
} eqnExternal;

// A constant of the machine without a parameter of its own.
typedef struct eqnShared {
  const char *label; // label that its own parameter would have
  int parameter;     // the parameter used instead
} eqnShared;

// A constant of the equations that depends on user parameters.
typedef struct eqnDefined {
  int symbol;   // in the pool of the equations
  int node;     // in the pool of the definitions
  double value; // value in the model
} eqnDefined;

// A parameter in the model file; unlimited sides are infinite.
typedef struct eqnUser {
  const char *name, *unit;
  double lower, upper;
  int link; // link, for a number of a body; 0: other parameters
} eqnUser;

// A user parameter that is fixed in the generated source, because it affects a number that
// equations cannot represent.
typedef struct eqnFrozen {
  const char *name, *what;
} eqnFrozen;

typedef struct eqnProgram {
  exprPool *pool;
  const char *name;      // name of the model, a valid identifier in every language
  const char *title;     // title for users
  const char *source;    // source file and its fingerprint
  eqnVector parameter;   // all symbolic parameters
  double *value;         // their values in the model
  const double **at;     // address in the compiled model, for constants of elements; or NULL
  eqnUser *user;         // [parameter.n] user names, units and limits
  int nmodel;            // the first of them are parameters of the model file,
  int nuser;             // followed by numbers of bodies and rods; both are symbols of
  exprPool *definitions; // expressions of these parameters only; NULL: none
  int ndefined;          // symbols of `pool` that are constant but not parameters;
  eqnDefined *defined;   // [ndefined] lists evaluate them first
  const char **remark;   // [parameter.n] owner of each: "body 'crank'"; NULL: not stated
  int nfrozen;           // user parameters fixed at their values
  eqnFrozen *frozen;     // [nfrozen]
  int ngeometry;         // the last of the outputs are numbers of the geometry,
  int *geometry;         // [ngeometry] these (gen/gen.h)
  int nshared;           // constants that share a parameter with an equal constant
  eqnShared *shared;     // [nshared]
  int nlink;             // blocks of equations are titled by link:
  const char **link;     // [nlink] "body 'crank'"; NULL: no title
  const char **word;     // [nlink] prefix of the names of their quantities, "crank"; NULL: none
  int *link_parent;      // [nlink] parent link, 0: ground
  unsigned *link_kind;   // [nlink] equal for links with the same joint and the same parameters
  int nsymbol, *link_of; // [nsymbol] link of a symbol by ordinal, 0: none
  // independent velocity coordinates (neither dependent nor driven), once known
  int nfree, *free;
  // the first event indicators are those at whose zeros modes of kinks change
  int nside;
  double *rest; // margins of hysteresis relays that may rest on a border; -1e30: none
  int nfunction;
  eqnFunction *function;
  int nexternal;
  eqnExternal *external;
  baseArena arena; // owns everything except the pool
} eqnProgram;

// Name of a kind of function, from EQN_ACCELERATE on.
const char *eqn_function_name(eqnFunctionKind kind);

// Function of this kind in a program; NULL: none.
const eqnFunction *eqn_function(const eqnProgram *program, eqnFunctionKind kind);

// Link of a coordinate or constant; the node is from the program's pool or a list's pool, in which
// symbols of the definitions follow all others. 0: none.
static inline int eqn_link_of(const eqnProgram *p, const exprPool *pool, int node)
{
  const exprNode *n = &pool->nodes[node];
  if (n->op != EXPR_SYMBOL) return 0;
  const int own = n->a - p->pool->symbol_count;
  if (own >= 0) return own < p->nuser ? p->user[own].link : 0;
  return n->a < p->nsymbol ? p->link_of[n->a] : 0;
}

#endif
