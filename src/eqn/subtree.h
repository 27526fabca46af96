// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Limbs: chains of links without forks; those whose coordinates one stage of Newton's method finds are one, as the bars of
// a suspension. They form a tree. A node that depends on one subtree and its carriers has its place there; one that
// depends on several has it where they meet.
#ifndef EQN_SUBTREE_H
#define EQN_SUBTREE_H

#include "eqn/program.h"

typedef struct subtreeMap {
  const eqnProgram *program;
  const eqnFunction *function;
  const exprPool *pool;
  int *subtree; // [nlink] of a link
  int n;        // subtrees, counted from 0, which is ground's
  int *parent;  // [n] the one that carries it, which has a smaller number; that of 0 is 0
  int *last;    // [n] its number among subtrees that come behind all that they carry
  int *place;   // [nodes] of expressions: twice the subtree, 1 more where several meet there
} subtreeMap;

// Expressions that are made later have no place. The room is one that leaves.
void subtree_find(subtreeMap *tree, const eqnProgram *program, const eqnFunction *function,
                  const exprPool *pool, baseArena *room);

// The place of a node that depends on both.
int subtree_meet(const subtreeMap *tree, int place, int other);

// The number of the subtree at which it is known at the latest.
static inline int subtree_turn(const subtreeMap *tree, int place)
{
  return tree->last[place / 2];
}

#endif
