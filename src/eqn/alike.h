// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rows: equations that branches of a family have in common but for their coordinates and parameters, one for each
// branch. Found on a draft whose equations are chosen and not yet in order.
#ifndef EQN_ALIKE_H
#define EQN_ALIKE_H

#include "eqn/draft.h"
#include "eqn/family.h"

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
void alike_find_rows(alikeRows *rows, const eqnDraft *draft, baseArena *arena);

#endif
