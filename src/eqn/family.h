// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Isomorphic branches (families): branches of a tree that are attached to the same link and consist
// of the same links, such as the legs of an animal. A member of a family may consist of several
// branches, such as the links of a car's wheel, if they occur repeatedly in the same order. Whether
// members really have isomorphic equations is decided by comparing the equations (alike.c).
#ifndef EQN_FAMILY_H
#define EQN_FAMILY_H

#include <stdint.h>

#include "eqn/program.h"

typedef struct familyTree {
  int n;     // number of families, counted from 1
  int *size; // [n + 1] members of each
  int *of;   // [nlink] family of each link; 0: none
  int *copy; // [nlink] member of that family
} familyTree;

// Find the outermost families of a program's tree, in which parents have smaller numbers. The arena
// must throw.
void family_find(familyTree *tree, const eqnProgram *program, baseArena *arena);

// Classification of the nodes of a pool by the branch on which they depend; quantities common to
// all branches are ignored.
typedef struct familyNodes {
  const familyTree *tree;
  const eqnProgram *program;
  const exprPool *pool;
  int *family, *copy; // [nodes] family 0: depends on several branches, or on none
  // [nodes] structural hash; equal for nodes of different branches that may be counterparts
  uint64_t *colour;
} familyNodes;
void family_open_nodes(familyNodes *nodes, size_t n, baseArena *arena);

// family_find_branch: branch of a node, after its arguments; external functions may depend on
// anything. family_colour: structural hash of an operation, or of a node without a branch, from
// those of its arguments.
void family_find_branch(familyNodes *nodes, int node);
uint64_t family_colour(const familyNodes *nodes, int node);
uint64_t family_mix(uint64_t hash, uint64_t x);

// Nodes of branches, sorted by family, colour and branch. family_count_alike: number of nodes from
// the first on with the same family and colour.
typedef struct familyMember {
  int family, copy, node;
  uint64_t colour;
} familyMember;
familyMember family_member(const familyNodes *nodes, int node);
void family_sort_members(int n, familyMember *member);
int family_count_alike(const familyMember *member, int n);

#endif
