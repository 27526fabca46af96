// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The numbers of a compiled tree in plain C types. In files that are compiled for symbols the structs
// of src/model and src/spatial hold nodes; this is how numbers reach them.
#ifndef SYM_TREE_NUMBERS_H
#define SYM_TREE_NUMBERS_H

struct treeModel;

typedef struct treeNumbers {
  int n, nq, nv;
  double gravity[3];
  const int *dof_link, *dof_parent, *dof_run, *anchor; // as in the model
} treeNumbers;

// As treeLink, field by field.
typedef struct linkNumbers {
  int parent, kind, q0, v0, nv, is_driven, has_rotor;
  double R[9], p[3], pitch, rotor;
  double mass, h[3], J[6];
} linkNumbers;

// Numbers of a tree that was compiled for numbers, and of its link i.
treeNumbers tree_numbers(const struct treeModel *t);
linkNumbers tree_link_numbers(const struct treeModel *t, int i);

#endif
