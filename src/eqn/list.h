// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equation lists: a function of a program as assignments in order, each with a name, ready to be printed,
// counted, evaluated or cut into tasks.
#ifndef EQN_LIST_H
#define EQN_LIST_H

#include "eqn/program.h"

// Passes in the order in which they are applied, each of which can be switched.
typedef enum eqnPass {
  PASS_DUPLICATE, // equal expressions once (always true of a pool; counted all the same)
  PASS_USEFUL,    // only what outputs need (always true of a list; counted all the same)
  PASS_CONSTANT,  // combinations of parameters ahead of time
  PASS_FACTOR,    // common factors of sums, where that saves operations
  PASS_SIGN,      // changes of sign stand where they are used and have no variables of their own
  PASS_INLINE,    // expressions used once stand where they are used
  PASS_RECYCLE,   // names of variables are used again
  PASS_ALIKE, // equations of branches that are built alike stand side by side, for loops; not with recycling
  EQN_PASSES
} eqnPass;

typedef struct eqnOptions {
  unsigned passes; // bit 1 << pass
  int readable;    // variables are called after what they are, where that is known
  // above so many equations these stand subtree by subtree (by_subtree.c) and so that few variables wait for their readers
  // (register_pressure.c), but for loops over branches; sums come in another order then; 0: never
  int for_registers;
} eqnOptions;
eqnOptions eqn_default_options(void); // all but the last two

// Passes of functions that are written by themselves: those that a text names, "constants, factors" or "none"; NULL: all
// but recycling. Messages name `who` asks for them.
artStatus eqn_read_passes(eqnOptions *options, const char *text, const char *who, artError *error);

// name = expression of node. An expression is printed from its node: an argument whose equation_of is
// not -1 by the name of that equation, any other in place. Elements of calls are always in place.
typedef struct eqnEquation {
  int node;
  const char *name; // variable; NULL where an output is written directly; of a call, a vector
  int variable;     // number of the name, the same for equations that share it
  int stage;        // of the function, -1: constants, evaluated once from the parameters
  int ahead; // goes before the iterations of its stage, in which it keeps its value, or its condition
  int group;
  int link;             // of the program whose title stands above it, 0: that of the one before
  int owner;            // the link that it speaks of, 0: none
  int nparent, *parent; // equations whose variables it reads
  int nchild, *child;   // that read its variable
  int depth;            // operations in the longest chain that leads to it
  int operations;       // its own
  int loop;             // over branches alike that it stands in, counted from 1; 0: none
  int copy;             // the branch of that loop
} eqnEquation;

// Equations, constants or coordinates that the branches of a family have in the same place. In a loop the equations
// of a set follow one another, in the order of the first branch.
typedef struct eqnSet {
  int n, *node;
} eqnSet;

// Effect of a pass, for reports.
typedef struct eqnEffect {
  int equations, operations; // after it
  double seconds;
} eqnEffect;

// Operations the thesis's way: additions and subtractions, products, quotients, functions; calls of
// external functions are not counted, changes of sign neither.
typedef struct eqnCount {
  int add, mul, div, trig, function; // trig: sine and cosine; function: square roots and the like
  int total;
} eqnCount;

// A symbol of a list's pool that has the value of a parameter.
typedef struct eqnRead {
  int node, parameter;
} eqnRead;

// A constant that an equation defines.
typedef struct listDefined {
  int node, definition, equation; // its symbol, and what defines it
} listDefined;

typedef struct eqnList {
  const eqnProgram *program;
  exprPool *pool; // its own, with what the function needs; the program must live longer
  const eqnFunction *function; // a copy whose vectors and stages name nodes of this pool
  int nconstant, *constant;    // symbols that are constant: parameters, and what they define
  int nread;                   // symbols that are read as parameters: these themselves, and ...
  eqnRead *read;               // [nread] ... constants that are defined as one and no more
  int ndefined;                // symbols that have the values of ...
  listDefined *defined;        // [ndefined] ... the first equations
  int n;
  eqnEquation *equation; // in order: constants, then stage by stage, those ahead of a stage first
  int *equation_of;      // [nnode] equation of a node, -1: written in place
  int nnode;             // of the pool
  int nname;             // variables after recycling
  int nset;              // sets that loops know
  eqnSet *set;           // [nset + 1] from 1 on

  // [nnode] set of equations of all branches, of constants and coordinates of the first; 0: none; NULL: no sets
  int *set_of;
  eqnEffect before; // as recorded, equal expressions not yet made one
  eqnEffect effect[EQN_PASSES];
  eqnCount group[EQN_GROUPS], constants, total; // total without constants
  baseArena arena;
} eqnList;

// NULL when memory ran out. Time and memory are in proportion to the nodes that the function needs.
eqnList *eqn_list_create(const eqnProgram *program, const eqnFunction *function,
                         const eqnOptions *options);
void eqn_list_free(eqnList *list);

// Whether a node is the symbol of a parameter, or of a constant that parameters define.
int eqn_is_constant(const eqnList *list, int node);

// The last link whose symbols stand in the expression of a node, 0: none.
int eqn_last_link(const eqnList *list, int node);

// Mark the nodes of the list's pool that follow from the parameters k with is_meant[k].
void eqn_mark_followers(const eqnList *list, const unsigned char *is_meant,
                        unsigned char *is_marked);

// Evaluate with numbers, for tests and for checks: input[i] and output[i] are the function's vectors,
// parameters as given (NULL: the values of the model). Returns 1 when Newton's method did not converge, 2 when a test is not
// met, -1 without memory. external may be NULL when the program has no external functions.
typedef void eqnCall(void *context, int external, const double *arguments, double *result);
int eqn_evaluate(const eqnList *list, const double *parameters, double *const *input,
                 double *const *output, eqnCall *external, void *context);

//---- differentiation -----------------------------------------------------------------------------

// Derivatives of nodes with respect to symbols, by rows: result[i * nsymbol + j] = d node[i] / d symbol[j].
// `given` symbols depend on the others by known derivatives: given[k].d[j] (nodes), as dependent
// coordinates of loops do; without symbols (NULL) nothing moves but these. External functions bring in the functions of their derivatives, see
// eqn_complete_externals. Floor, sign and comparisons have the derivative 0, min, max and select that of
// the branch taken. The scratch is empty before and behind; it leaves (base/leave.h) as the pool does.
typedef struct eqnDependent {
  int symbol;
  const int *d;
} eqnDependent;
void eqn_differentiate(exprPool *pool, int nnode, const int *node, int nsymbol, const int *symbol,
                       int ngiven, const eqnDependent *given, int *result, baseArena *scratch);

// After differentiation: name the functions of derivatives in the program ("f" brings "f_derivative").
void eqn_complete_externals(eqnProgram *program);

//---- registers (spill.c) -----------------------------------------------------------------------

// Variables of a list that wait in memory for their readers, so that a thread's registers hold the others.
typedef struct eqnSpill {
  int *place;    // [n] 1 + the place where the variable of an equation waits, 0: it does not
  char *is_late; // [n] it is put there when the iterations that find it end, not where it is found
  int *first;    // [n + 1] what is read from memory before equation e is ...
  int *load;  // ... load[first[e]] to load[first[e + 1]]: equations, then n + ordinals of symbols
  int nplace; // the first ones, `nfast` or fewer, are those that pay most
  baseArena room; // of all above
} eqnSpill;

// Returns 0 when memory ran out; the plan has to be forgotten all the same.
int eqn_plan_spills(const eqnList *list, int nfast, eqnSpill *plan);
void eqn_forget_spills(eqnSpill *plan);

#endif
