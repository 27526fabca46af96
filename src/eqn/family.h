// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Families: branches of a tree that hang on the same link and consist of the same links, as the legs of an animal. A
// member of a family may also be several branches, as the links of a car's wheel: these then come in the same order
// again and again. Whether members are built alike in all that matters, equations tell (alike.c).
#ifndef EQN_FAMILY_H
#define EQN_FAMILY_H

#include <stdint.h>

#include "eqn/program.h"

typedef struct familyTree {
  int n;     // families, counted from 1
  int *size; // [n + 1] members of each
  int *of;   // [nlink] the family that a link belongs to; 0: none
  int *copy; // [nlink] and to which member
} familyTree;

// The outermost families of a program's tree, whose links have larger numbers than their parents. The arena is one that
// leaves.
void family_find(familyTree *tree, const eqnProgram *program, baseArena *arena);

// Nodes of a pool by the branches that they depend on, besides what all branches share.
typedef struct familyNodes {
  const familyTree *tree;
  const eqnProgram *program;
  const exprPool *pool;
  int *family, *copy; // [nodes] family 0: it depends on several branches, or on none
  uint64_t *colour;   // [nodes] the same of nodes that different branches may have in common
} familyNodes;
void family_open_nodes(familyNodes *nodes, size_t n, baseArena *arena);

// The branch of a node, once its arguments have theirs; external functions may depend on anything. And the colour of
// an operation, or of a node without a branch, by the colours of its arguments.
void family_find_branch(familyNodes *nodes, int node);
uint64_t family_colour(const familyNodes *nodes, int node);
uint64_t family_mix(uint64_t hash, uint64_t x);

// Nodes of branches, in the order of families, colours, branches; and how many from the first on have its family and colour.
typedef struct familyMember {
  int family, copy, node;
  uint64_t colour;
} familyMember;
familyMember family_member(const familyNodes *nodes, int node);
void family_sort_members(int n, familyMember *member);
int family_count_alike(const familyMember *member, int n);

#endif
