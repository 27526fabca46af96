// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equation lists: a function of a program as a sequence of named assignments, ready to be printed,
// counted, evaluated or partitioned into tasks.
#ifndef EQN_LIST_H
#define EQN_LIST_H

#include "eqn/program.h"

// Optimisation passes in the order of application; each can be switched off.
typedef enum eqnPass {
  PASS_DUPLICATE, // common subexpressions (always done by the pool; counted as a pass)
  PASS_USEFUL,    // dead-code elimination (always done by the list; counted as a pass)
  PASS_CONSTANT,  // precompute combinations of parameters
  PASS_FACTOR,    // extract common factors of sums if that saves operations
  PASS_SIGN,      // write negations where they are used, without variables of their own
  PASS_INLINE,    // inline expressions that are used once
  PASS_RECYCLE,   // reuse names of variables
  // arrange equations of isomorphic branches side by side, for loops; excludes PASS_RECYCLE
  PASS_ALIKE,
  EQN_PASSES
} eqnPass;

typedef struct eqnOptions {
  unsigned passes; // bit 1 << pass
  int readable;    // name variables after their quantities where known
  // above this number of equations, order them subtree by subtree (by_subtree.c), and so that few
  // variables are live at once (register_pressure.c), except for loops over branches; changes the
  // order of sums; 0: never
  int for_registers;
} eqnOptions;
eqnOptions eqn_default_options(void); // all passes except the last two

// Passes for functions that are generated directly: those listed in `text`, "constants, factors" or
// "none"; NULL: all except recycling. `who` is the option named in messages.
artStatus eqn_read_passes(eqnOptions *options, const char *text, const char *who, artError *error);

// name = expression of node. In an expression, an argument with equation_of != -1 is printed as the
// name of that equation, any other argument inline. Elements of calls are always inline.
typedef struct eqnEquation {
  int node;
  // variable; NULL if an output is assigned directly; for a call, the name of a vector
  const char *name;
  int variable; // index of the name; equations may share it
  int stage;    // of the function, -1: constants, evaluated once from the parameters
  // evaluated before the iterations of its stage (so constant in them), or before its condition
  int ahead;
  int group;
  int link;             // link of the program whose title precedes it, 0: the previous one
  int owner;            // the link to which it belongs, 0: none
  int nparent, *parent; // equations whose variables it reads
  int nchild, *child;   // equations that read its variable
  int depth;            // operations in the longest chain leading to it
  int operations;       // its own operations
  int loop;             // loop over isomorphic branches that contains it, counted from 1; 0: none
  int copy;             // branch within that loop
} eqnEquation;

// Corresponding equations, constants or coordinates of the branches of a family. In a loop the
// equations of a set are consecutive, in the order of the first branch.
typedef struct eqnSet {
  int n, *node;
} eqnSet;

// Effect of a pass, for reports.
typedef struct eqnEffect {
  int equations, operations; // after it
  double seconds;
} eqnEffect;

// Operation count as in the thesis: additions and subtractions, products, quotients, functions;
// excludes calls of external functions and negations.
typedef struct eqnCount {
  int add, mul, div, trig, function; // trig: sine and cosine; function: square roots and the like
  int total;
} eqnCount;

// A symbol of a list's pool that has the value of a parameter.
typedef struct eqnRead {
  int node, parameter;
} eqnRead;

// A constant that is defined by an equation.
typedef struct listDefined {
  int node, definition, equation; // its symbol, definition and equation
} listDefined;

typedef struct eqnList {
  const eqnProgram *program;
  exprPool *pool; // owned; contains the nodes of the function; the program must outlive the list
  const eqnFunction *function; // a copy whose vectors and stages name nodes of this pool
  int nconstant, *constant;    // constant symbols: parameters, and symbols defined by them
  int nread;                   // symbols read as parameters: the parameters, and
  eqnRead *read;               // [nread] constants whose definition is a single parameter
  int ndefined;                // symbols with the values of
  listDefined *defined;        // [ndefined] the first equations
  int n;
  // in order: constants, then stage by stage, those before the iterations first
  eqnEquation *equation;
  int *equation_of; // [nnode] equation of a node, -1: inline
  int nnode;        // nodes of the pool
  int nname;        // number of variables after recycling
  int nset;         // sets used by loops
  eqnSet *set;      // [nset + 1] from 1 on

  // [nnode] set of the equations of all branches, and of constants and coordinates of the first
  // branch; 0: none; NULL: no sets
  int *set_of;
  eqnEffect before; // as recorded, before merging equal expressions
  eqnEffect effect[EQN_PASSES];
  eqnCount group[EQN_GROUPS], constants, total; // total without constants
  baseArena arena;
} eqnList;

// NULL when memory ran out. Time and memory are proportional to the number of nodes that the
// function needs.
eqnList *eqn_list_create(const eqnProgram *program, const eqnFunction *function,
                         const eqnOptions *options);
void eqn_list_free(eqnList *list);

// Is the node the symbol of a parameter, or of a constant defined by parameters?
int eqn_is_constant(const eqnList *list, int node);

// The last link with a symbol in the expression of a node, 0: none.
int eqn_last_link(const eqnList *list, int node);

// Mark the nodes of the list's pool that depend on the parameters k with is_meant[k].
void eqn_mark_followers(const eqnList *list, const unsigned char *is_meant,
                        unsigned char *is_marked);

// Evaluate numerically, for tests and checks: input[i] and output[i] are the function's vectors;
// parameters NULL: values of the model. Returns 1 when Newton's method did not converge, 2 when a
// test failed, -1 when memory ran out. external may be NULL if the program has no external
// functions.
typedef void eqnCall(void *context, int external, const double *arguments, double *result);
int eqn_evaluate(const eqnList *list, const double *parameters, double *const *input,
                 double *const *output, eqnCall *external, void *context);

//---- differentiation -----------------------------------------------------------------------------

// Derivatives of nodes with respect to symbols, by rows: result[i * nsymbol + j] = d node[i] / d
// symbol[j]. The symbols `given` depend on the others with known derivatives given[k].d[j] (nodes),
// like dependent coordinates of loops; without symbols (NULL) only these vary. External functions
// introduce the functions of their derivatives, see eqn_complete_externals. Floor, sign and
// comparisons have derivative 0; min, max and select that of the branch taken. The scratch arena
// must be empty, is empty afterwards, and throws (base/throw.h) like the pool.
typedef struct eqnDependent {
  int symbol;
  const int *d;
} eqnDependent;
void eqn_differentiate(exprPool *pool, int nnode, const int *node, int nsymbol, const int *symbol,
                       int ngiven, const eqnDependent *given, int *result, baseArena *scratch);

// Call after differentiation: adds the functions of derivatives to the program ("f" brings
// "f_derivative").
void eqn_complete_externals(eqnProgram *program);

//---- registers (spill.c) -------------------------------------------------------------------------

// Register spills: variables of a list that are stored in memory, so that a thread's registers can
// hold the others.
typedef struct eqnSpill {
  // [n] 1 + slot in which the variable of an equation is stored, 0: it stays in a register
  int *place;
  char *is_late;  // [n] stored after the Newton loop that computes it, instead of immediately
  int *first;     // [n + 1] reloads before equation e are
  int *load;      // load[first[e]] to load[first[e + 1] - 1]: equations, or n + ordinals of symbols
  int nplace;     // slots; the first ones, at most `nfast`, are the most used
  baseArena room; // of all arrays above
} eqnSpill;

// Returns 0 when memory ran out; call eqn_forget_spills in any case.
int eqn_plan_spills(const eqnList *list, int nfast, eqnSpill *plan);
void eqn_forget_spills(eqnSpill *plan);

#endif
