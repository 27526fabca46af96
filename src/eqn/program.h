// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs: the functions of a generated model over one pool of expressions. Makers
// (src/gen) fill them, passes (src/eqn) turn a function into a list of equations, writers (src/emit)
// print the list in some language, and an evaluator runs it for tests.
//
// A function reads vectors of symbols and writes vectors of expressions. Its stages follow one another:
// a straight stage evaluates expressions once; a stage of Newton's method repeats
//   evaluate residual and corrections;  leave when residual <= tolerance^2;  unknown += correction
// with a tolerance of its own for unknowns that have not been corrected yet,
// so that after it all expressions hold at the converged unknowns; one without unknowns is a test, beyond which the
// function does not go; an assignment gives symbols of an
// input vector new values, with which all that follows is evaluated:  unknown = correction. One under a
// condition does so where the condition holds, and evaluates what nobody else needs there alone. An
// expression belongs to the first stage that needs it; expressions of parameters alone are evaluated
// ahead of all (see eqn/list.h).
#ifndef EQN_PROGRAM_H
#define EQN_PROGRAM_H

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "sym/expr.h"

// A vector that a function reads or writes.
typedef struct eqnVector {
  const char *name; // "q", "v", "tau": a word in every language
  const char *what; // for the reader: "positions, m or rad"
  int n;
  int *node;          // [n] symbols of an input, expressions of an output
  const char **label; // [n] what each is, "pin.angle"; NULL: no labels
} eqnVector;

// Groups of operations as the thesis of Postiau (2004) counts them.
typedef enum eqnGroup {
  GROUP_OTHER,
  GROUP_POSITION,     // constraints: dependent positions
  GROUP_VELOCITY,     // dependent velocities
  GROUP_ACCELERATION, // terms of dependent accelerations
  GROUP_FORCES,       // kinematics and forces of elements
  GROUP_CONTACT,      // of tyres and ground
  GROUP_TYRES,        // laws of tyres
  GROUP_FORWARD,      // recursion from ground to leaves
  GROUP_BACKWARD,     // recursion from leaves to ground
  GROUP_REDUCTION,    // to independent coordinates
  GROUP_SOLVE,        // linear systems
  EQN_GROUPS
} eqnGroup;

typedef enum eqnStageKind { STAGE_STRAIGHT, STAGE_NEWTON, STAGE_ASSIGN, STAGE_WHEN } eqnStageKind;

typedef struct eqnStage {
  const char *title; // "positions of loop 'closing'"
  eqnGroup group;
  eqnStageKind kind;
  int block;              // of dependent coordinates that it finds, counted from 1; 0: none
  int size;               // velocity coordinates that it finds
  const char *coordinate; // one of the velocity coordinates of that block
  int nroot; // straight: expressions that are evaluated here at the latest, if they are needed
  int *root;
  int nunknown;     // symbols of input vectors, which are written back, or of none
  int *unknown;     //
  int *correction;  // [nunknown] to be added to them, or their new values
  int residual;     // Newton: sum of squares; assignment under a condition: the condition, 0 or 1
  double tolerance; // Newton: of the root of the residual, once the unknowns have been corrected
  double first;     // of the unknowns as they are given, or 0: the same
  int meets;        // assignment: how often threads of an instance meet behind it (share.h)
  int most;         // iterations; beyond them the function returns 1 instead of 0, a test 2
} eqnStage;

// Functions of generated models that others look for, and the names that they have in every language.
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
  EQN_OTHER,  // has a name of its own, of a frame for instance
  EQN_BRANCH, // the part of a thread in `accelerate` (share.h)
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
  int nstage; // at least one; outputs that no stage names belong to the last
  eqnStage *stage;
  int given; // symbol that is not 0 here, so that choices by it are their first values; 0: none is known
} eqnFunction;

// An input of a function, by name; NULL: there is none.
static inline const eqnVector *eqn_input(const eqnFunction *f, const char *name)
{
  for (int i = 0; i < f->ninput; i++) {
    if (strcmp(f->input[i].name, name) == 0) return &f->input[i];
  }
  return NULL;
}

// A function that the user of the generated code supplies. Its arguments are numbers, its result has
// `n` components. Generated code calls  void name(const double *arguments, double *result, void *user).
typedef struct eqnExternal {
  const char *name, *what;
  int narg, n;
  int is_given; // the text has it, for its own use alone
} eqnExternal;

// A constant of the machine that has no parameter of its own.
typedef struct eqnShared {
  const char *label; // that its parameter would have
  int parameter;     // which one stands for it
} eqnShared;

// A constant of the equations that follows from parameters of the user.
typedef struct eqnDefined {
  int symbol;   // in the pool of the equations
  int node;     // in the pool of the definitions
  double value; // in the model
} eqnDefined;

// A parameter as the file of the model has it; limits are infinite where there are none.
typedef struct eqnUser {
  const char *name, *unit;
  double lower, upper;
  int link; // of a number of a body, 0: another
} eqnUser;

// A parameter of the user that is a number here, since it reaches one that no equation can follow.
typedef struct eqnFrozen {
  const char *name, *what;
} eqnFrozen;

typedef struct eqnProgram {
  exprPool *pool;
  const char *name;    // of the model, a word in every language
  const char *title;   // for people
  const char *source;  // file it was made from, and its fingerprint
  eqnVector parameter; // all parameters that are kept symbolic ...
  double *value;       // ... and their values in the model
  const double **at;   // where the compiled model has it, of constants of elements; or NULL
  eqnUser *user;       // [parameter.n] their names for users, units and limits; of these ...
  int nmodel;          // ... the first are parameters of the model file, ...
  int nuser;           // ... then come numbers of bodies and rods: nodes of both are symbols of ...
  exprPool *definitions; // ... expressions of these alone; NULL: there are none
  int ndefined;          // symbols of `pool` that are constant and no parameters: passes see ...
  eqnDefined *defined;   // [ndefined] ... them as such, and lists evaluate them ahead of all
  const char **remark;   // [parameter.n] what each is of: "body 'crank'"; NULL: not said
  int nfrozen;           // parameters of the user that had to become numbers
  eqnFrozen *frozen;     // [nfrozen]
  int nshared;           // constants that share a parameter with an equal one
  eqnShared *shared;     // [nshared]
  int nlink;             // blocks of equations are titled by the links that they speak of ...
  const char **link;     // [nlink] ... in these words: "body 'crank'"; NULL: no title
  const char **word;   // [nlink] what names of their quantities begin with, "crank"; NULL: nothing
  int *link_parent;    // [nlink] the links that they hang on, 0: ground
  unsigned *link_kind; // [nlink] the same of links with the same joint and the same parameters
  int nsymbol, *link_of; // [nsymbol] the link of a symbol by its ordinal, 0: none
  int nfree, *free;      // velocity coordinates that neither loops nor drives lead, once known
  int nside;             // the first switching functions, at whose zeros sides of corners turn
  double *rest;          // margins of relays on borders where they may stand, -1e30: nowhere
  int nfunction;
  eqnFunction *function;
  int nexternal;
  eqnExternal *external;
  baseArena arena; // owns everything but the pool
} eqnProgram;

// The name of a kind of functions from EQN_ACCELERATE on.
const char *eqn_function_name(eqnFunctionKind kind);

// The function of a program that is of this kind; NULL: there is none.
const eqnFunction *eqn_function(const eqnProgram *program, eqnFunctionKind kind);

// The link whose coordinate or constant a node is, of the program's pool or of a list's, where symbols of the definitions come
// after all others; 0: it is none.
static inline int eqn_link_of(const eqnProgram *p, const exprPool *pool, int node)
{
  const exprNode *n = &pool->nodes[node];
  if (n->op != EXPR_SYMBOL) return 0;
  const int own = n->a - p->pool->symbol_count;
  if (own >= 0) return own < p->nuser ? p->user[own].link : 0;
  return n->a < p->nsymbol ? p->link_of[n->a] : 0;
}

#endif
