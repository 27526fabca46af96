// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Families: branches of a tree that hang on the same link and consist of the same links, as the legs of an animal. A
// member of a family may also be several branches, as the links of a car's wheel: these then come in the same order
// again and again. Whether members are built alike in all that matters, equations tell (alike.c).
#ifndef EQN_FAMILY_H
#define EQN_FAMILY_H

#include "base/arena.h"
#include "eqn/program.h"

typedef struct familyTree {
  int n;     // families, counted from 1
  int *size; // [n + 1] members of each
  int *of;   // [nlink] the family that a link belongs to; 0: none
  int *copy; // [nlink] and to which member
} familyTree;

// The outermost families of a program's tree, whose links have larger numbers than their parents. Returns 0 when memory
// ran out.
int family_find(familyTree *tree, const eqnProgram *program, baseArena *arena);

#endif
