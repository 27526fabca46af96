// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations as nodes of a task graph that can be assigned to tasks.
//
// A node (taskUnit) is an equation, an assignment of one symbol, or a whole stage that must not be
// divided: the Newton iterations for a block of unknowns, or the equations under a condition. Nodes
// are in the order of the list, so parents come before children. Constants, which depend on
// parameters only, are available in every task.
#ifndef SPLIT_TASK_H
#define SPLIT_TASK_H

#include "eqn/list.h"

typedef enum taskKind {
  TASK_EQUATION,
  TASK_ASSIGN,  // one unknown of an assignment
  TASK_NEWTON,  // all iterations of a stage
  TASK_WHEN,    // a stage under a condition, with its assignments
  TASK_RESULTS, // the last node: results for the caller; always in task 0
} taskKind;

// Address of equations after the thesis of Postiau (2004), 4.3.2, with six fields.
typedef struct taskMark {
  int branch;   // of the tree, 0: none
  int part;     // sub-sequence: number of the link
  int sequence; // within its section: the group of operations
  int block;    // of the Jacobian of dependent coordinates, 0: none
  int section;
  int task;
} taskMark;

// Sections in their order.
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
  int unknown;          // assignment: index of the unknown in the stage
  int operations;       // counted for a single iteration
  double cost;          // in additions, including iterations and slow operations
  int is_call;          // calls a user function
  taskMark mark;        //
  int nparent, *parent; // nodes whose values it reads
  int *reads;           // number of values read from each
  int nchild, *child;   //
} taskUnit;

typedef struct taskGraph {
  const eqnList *list;
  int n;
  taskUnit *unit;
  int *unit_of; // [list->n] node of an equation, -1: a constant
  // [symbol_count] the node that writes the final value of a symbol, -1: an input
  int *symbol_of;
  int operations;       // of all nodes
  double cost;          //
  double longest_chain; // cost of the longest chain
  baseArena arena;
} taskGraph;

// Assumed number of Newton corrections per evaluation.
#define TASK_ITERATIONS 2

// Assumed fraction of evaluations in which a condition holds.
#define TASK_SELDOM 0.1

// Create the graph of a list, without marks; the list must outlive it. NULL when memory ran out.
taskGraph *task_graph_create(const eqnList *list);
void task_graph_free(taskGraph *graph);

// Visit the values that a node reads, including those of its own equations: either an equation or
// the ordinal of a symbol; the other argument is -1. A value may be visited more than once.
typedef void taskVisit(void *context, int equation, int symbol);
void task_for_reads(const taskGraph *graph, int unit, taskVisit *visit, void *context);

// Does the node write unknown i of its stage?
int task_writes(const taskGraph *graph, int unit, int i);

#endif
