// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Subtrees of links for ordering equations: chains of links without forks; chains whose coordinates
// are found by the same Newton stage form one subtree, such as the bars of a suspension. Subtrees
// form a tree. A node that depends on one subtree and its carriers belongs there; a node that
// depends on several belongs where they meet.
#ifndef EQN_SUBTREE_H
#define EQN_SUBTREE_H

#include "eqn/program.h"

typedef struct subtreeMap {
  const eqnProgram *program;
  const eqnFunction *function;
  const exprPool *pool;
  int *subtree; // [nlink] subtree of each link
  int n;        // number of subtrees, counted from 0 (ground)
  int *parent;  // [n] carrying subtree, which has a smaller number; that of 0 is 0
  int *last;    // [n] position in an order in which subtrees follow everything they carry
  int *place;   // [nodes] twice the subtree, plus 1 if several meet there
} subtreeMap;

// Nodes created later have no place. The arena must throw.
void subtree_find(subtreeMap *tree, const eqnProgram *program, const eqnFunction *function,
                  const exprPool *pool, baseArena *room);

// Place of a node that depends on both.
int subtree_meet(const subtreeMap *tree, int place, int other);

// Position of the subtree after which the node is known.
static inline int subtree_turn(const subtreeMap *tree, int place)
{
  return tree->last[place / 2];
}

#endif
