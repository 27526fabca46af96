// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A list under construction: properties of each node while equations are chosen. Throws when memory
// runs out (base/throw.h).
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
  eqnFunction *function; // copy owned by the list

  // arrays over nodes
  int n;
  unsigned char *needed;
  unsigned char *constant; // depends on parameters and numbers only
  int *stage;              // -1: constants
  unsigned char *ahead;    // before the iterations of its stage
  int *uses;               // number of readers, with negations inlined
  int *size;               // operations of its expression as printed
  unsigned char *is_equation;
  int ndefinition; // the last nodes of the pool are definitions of constants
  // loop over isomorphic branches that contains an equation, 0: none; NULL: there are no loops
  int *loop;
  int *copy; // branch within that loop
} listBuilder;

// Create the list's own pool with a copy of the function.
void list_builder_copy(listBuilder *d);

// list_builder_define: append definitions of the constants that the function needs to the list's
// pool. list_builder_place_definitions: once node properties exist, mark these definitions as
// needed and place them before all constants.
void list_builder_define(listBuilder *d);
void list_builder_place_definitions(listBuilder *d);

// Once equations exist: find the equations of the constants.
void list_builder_bind_definitions(listBuilder *d);

// Leaves are printed inline: numbers, symbols, elements of calls.
int list_builder_is_leaf(const exprPool *pool, int node);

// Number of operations of a node: 1, or 0 for leaves, calls and negations.
int list_builder_operations(const exprPool *pool, int node);

// Mark the nodes that the function needs, or the nodes that depend on parameters and numbers only.
// The arrays have pool->count elements, initially zero.
void list_builder_mark_needed(const exprPool *pool, const eqnFunction *function,
                              unsigned char *needed);
void list_builder_mark_constant(const exprPool *pool, int nparameter, const int *parameter,
                                unsigned char *constant);

// Allocate the properties of nodes, and determine which nodes are needed or constant, and their
// stages.
void list_builder_survey(listBuilder *d, baseArena *arena);

// Decide which nodes are equations.
void list_builder_choose_equations(listBuilder *d);

// Sort key of equations: constants, then stages; within a stage, equations before the iterations
// first.
static inline int list_builder_bucket(const listBuilder *d, int node)
{
  return 2 * (d->stage[node] + 1) + !d->ahead[node];
}

// Arrange the equations of isomorphic branches side by side in loops; the nodes are in the order of
// their buckets.
void list_builder_arrange(listBuilder *d, int n, int *sequence);

// Order equations within their buckets so that few variables are live at once
// (register_pressure.c).
void list_builder_order_for_registers(const listBuilder *d, int n, int *sequence);

// After list_builder_survey: rebuild the function in an order in which one subtree is finished
// before the next begins (by_subtree.c). Invalidates the survey.
void list_builder_group_by_subtree(listBuilder *d);

// The same for its sums only (subtree_sums.c).
void list_builder_sum_by_subtree(const listBuilder *d);

// Find the link to which each equation belongs.
void list_builder_find_links(listBuilder *d);

// Name all equations; names are shared with PASS_RECYCLE.
void list_builder_name(listBuilder *d);

// Extract common factors in the expressions of the list's function, if its pool simplifies.
void list_builder_factor(listBuilder *d);

// Iterate over the nodes that a function refers to, stages first, then outputs: for (builderRoot r
// = {0}; list_builder_next_root(f, &r);).
typedef struct builderRoot {
  int *node;
  int stage, is_output;
  // evaluated in its stage even if nothing else needs it; not just a root of a straight stage
  int is_forced;
  int vector, index; // of the next root
} builderRoot;
int list_builder_next_root(const eqnFunction *function, builderRoot *root);

//---- rows (alike.c) ------------------------------------------------------------------------------

// A row consists of corresponding equations of the branches of a family, one per branch, which
// differ only in coordinates and parameters. Found on a draft whose equations are chosen but not
// yet ordered.
typedef struct alikeRows {
  familyTree tree;
  int n, *family; // number of rows, counted from 1; [n + 1] family of each
  int **node;     // [n + 1] [size of the family] equations of each row
  int *of, *copy; // [nodes] row of an equation, 0: none; its position in the row

  // for a constant or coordinate that the first branch reads, its counterpart in each branch
  int **twin;       // [nodes] [size of the family]
  int *twin_family; // [nodes]
  baseArena *arena;
} alikeRows;

// Finds no rows if there are no isomorphic branches.
void alike_find_rows(alikeRows *rows, const listBuilder *draft, baseArena *arena);

#endif
