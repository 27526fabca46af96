// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A list in the making: properties of each node while equations are chosen. Where memory runs out, the work is left
// (base/leave.h).
#ifndef EQN_LIST_BUILDER_H
#define EQN_LIST_BUILDER_H

#include "eqn/family.h"
#include "eqn/list.h"

typedef struct listBuilder {
  eqnList *list;
  exprPool *pool;
  baseArena *scratch; // empty between passes
  unsigned passes;
  int readable, for_registers;
  eqnFunction *function; // the list's copy

  // of each node
  int n;
  unsigned char *needed;
  unsigned char *constant; // follows from parameters and numbers alone
  int *stage;              // -1: constants
  unsigned char *ahead;    // of the iterations of its stage
  int *uses;               // how often it is read when changes of sign stand in place
  int *size;               // operations of its expression as it is printed
  unsigned char *is_equation;
  int ndefinition; // the last nodes of the pool are definitions of constants
  int *loop; // over branches alike that an equation stands in, 0: none; NULL: there are no loops
  int *copy; // of which branch it is there
} listBuilder;

// Give the list a pool of its own with a copy of its function over it.
void list_builder_copy(listBuilder *d);

// Definitions of the constants that the function needs, as nodes of the list's pool behind all others. Once there are
// properties of nodes, they are needed and stand ahead of all constants.
void list_builder_define(listBuilder *d);
void list_builder_place_definitions(listBuilder *d);

// Once there are equations: the equations of the constants.
void list_builder_bind_definitions(listBuilder *d);

// Leaves are read as they are: numbers, symbols, elements of calls.
int list_builder_is_leaf(const exprPool *pool, int node);

// Operations that count: 1, or 0 for leaves, calls and changes of sign.
int list_builder_operations(const exprPool *pool, int node);

// Nodes that the function needs; nodes that follow from parameters and numbers alone. needed and constant have
// pool->count elements, zero at the beginning.
void list_builder_mark_needed(const exprPool *pool, const eqnFunction *function,
                              unsigned char *needed);
void list_builder_mark_constant(const exprPool *pool, int nparameter, const int *parameter,
                                unsigned char *constant);

// Take room for the properties of nodes, and find those that the function needs, those that are constant and their
// stages.
void list_builder_survey(listBuilder *d, baseArena *arena);

// Decide which nodes are equations.
void list_builder_choose_equations(listBuilder *d);

// Place among the equations: constants, then stages, equations ahead of iterations first.
static inline int list_builder_bucket(const listBuilder *d, int node)
{
  return 2 * (d->stage[node] + 1) + !d->ahead[node];
}

// Put the equations of branches that are built alike side by side, in loops: nodes in the order of their buckets.
void list_builder_arrange(listBuilder *d, int n, int *sequence);

// Equations such that few variables wait for their readers at once, within their buckets (register_pressure.c).
void list_builder_order_for_registers(const listBuilder *d, int n, int *sequence);

// With a survey of a list: its function in an order in which one subtree is done before the next begins
// (by_subtree.c); the survey is of the past then.
void list_builder_group_by_subtree(listBuilder *d);

// The same of its sums alone (subtree_sums.c).
void list_builder_sum_by_subtree(const listBuilder *d);

// Which link each equation speaks of.
void list_builder_find_links(listBuilder *d);

// Names for all equations, shared ones with PASS_RECYCLE.
void list_builder_name(listBuilder *d);

// Take out common factors in the expressions of the list's function, if its pool is one that simplifies.
void list_builder_factor(listBuilder *d);

// The nodes that a function names, stages first, then outputs: for (builderRoot r = {0}; list_builder_next_root(f, &r);).
typedef struct builderRoot {
  int *node;
  int stage, is_output;
  int is_forced; // evaluated in its stage even if nothing else needs it: not a mere root of a straight stage
  int vector, index; // of the next one
} builderRoot;
int list_builder_next_root(const eqnFunction *function, builderRoot *root);

//---- rows (alike.c) ------------------------------------------------------------------------------

// Equations that branches of a family have in common but for their coordinates and parameters, one for each branch. Found
// on a draft whose equations are chosen and not yet in order.
typedef struct alikeRows {
  familyTree tree;
  int n, *family; // rows, counted from 1; [n + 1] the family of each
  int **node;     // [n + 1] [size of the family] its equations
  int *of, *copy; // [nodes] the row of an equation, 0: none, and its place there

  // of a constant or coordinate that the first branch reads, what each branch reads in its place
  int **twin;       // [nodes] [size of the family]
  int *twin_family; // [nodes]
  baseArena *arena;
} alikeRows;

// No rows where there are no branches alike.
void alike_find_rows(alikeRows *rows, const listBuilder *draft, baseArena *arena);

#endif
