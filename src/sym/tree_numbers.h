// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of a compiled tree in plain C types. In files compiled for symbols the structs of
// src/model and src/spatial contain nodes; numbers reach them through these types.
#ifndef SYM_TREE_NUMBERS_H
#define SYM_TREE_NUMBERS_H

struct treeModel;

typedef struct treeNumbers {
  int n, nq, nv;
  double gravity[3];
  const int *dof_link, *dof_parent, *dof_run, *anchor; // as in the model
} treeNumbers;

// Same layout as treeLink.
typedef struct linkNumbers {
  int parent, kind, q0, v0, nv, is_driven, has_rotor;
  double R[9], p[3], pitch, rotor;
  double mass, h[3], J[6];
} linkNumbers;

// Numbers of a numeric tree, and of its link i.
treeNumbers tree_numbers(const struct treeModel *t);
linkNumbers tree_link_numbers(const struct treeModel *t, int i);

#endif
