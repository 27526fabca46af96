// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations as units of work that can be dealt out to tasks.
//
// A unit is an equation, an assignment of one symbol, or a whole stage that must stay together: the iterations
// of Newton's method for a block of unknowns, or the work under a condition. Units stand in the order of the
// list, so parents come before children. Constants, which depend on parameters alone, are known to every task.
#ifndef SPLIT_TASK_H
#define SPLIT_TASK_H

#include "eqn/list.h"

typedef enum taskKind {
  TASK_EQUATION,
  TASK_ASSIGN,  // one unknown of an assignment
  TASK_NEWTON,  // all iterations of a stage
  TASK_WHEN,    // a stage under a condition, with its assignments
  TASK_RESULTS, // the last unit: results for the caller; always in task 0
} taskKind;

// Where equations belong, after the thesis of Postiau (2004), 4.3.2: six fields as an address has them.
typedef struct taskMark {
  int branch;   // of the tree, 0: none
  int part;     // sub-sequence: the link
  int sequence; // within its section: the group of operations
  int block;    // of the Jacobian of dependent coordinates, 0: none
  int section;
  int task;
} taskMark;

// Sections follow one another.
typedef enum taskSection {
  SECTION_DRIVES,
  SECTION_CONSTRAINTS,
  SECTION_FORCES,
  SECTION_DYNAMICS,
  SECTION_REDUCTION,
  SECTION_SOLUTION,
  TASK_SECTIONS
} taskSection;

typedef struct taskUnit {
  taskKind kind;
  int stage;
  int first, end;       // its equations in the list
  int unknown;          // of an assignment: which of the stage
  int operations;       // as they are counted: one iteration
  double cost;          // in additions: iterations and slow operations counted
  int is_call;          // calls a function of the user
  taskMark mark;        //
  int nparent, *parent; // units whose values it reads
  int *reads;           // how many values of each
  int nchild, *child;   //
} taskUnit;

typedef struct taskGraph {
  const eqnList *list;
  int n;
  taskUnit *unit;
  int *unit_of;         // [list->n] of an equation, -1: a constant
  int *symbol_of;       // [symbol_count] the unit that gives a symbol its last value, -1: an input
  int operations;       // of all units
  double cost;          //
  double longest_chain; // its cost
  baseArena arena;
} taskGraph;

// How many corrections by Newton's method an evaluation is taken to need.
#define TASK_ITERATIONS 2

// How often equations under a condition are evaluated.
#define TASK_SELDOM 0.1

// The graph of a list, without marks; the list must live longer. NULL when memory ran out.
taskGraph *task_graph_create(const eqnList *list);
void task_graph_free(taskGraph *graph);

// Visit the values that a unit reads, its own equations included: variables of equations or symbols by their
// ordinals, the other is -1. Values may be visited several times.
typedef void taskVisit(void *context, int equation, int symbol);
void task_for_reads(const taskGraph *graph, int unit, taskVisit *visit, void *context);

// Whether a unit gives unknown i of its stage a value.
int task_writes(const taskGraph *graph, int unit, int i);

// The cost of an operation, in additions.
double task_operation_cost(exprOp op);

#endif
