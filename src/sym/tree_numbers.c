// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The numbers of a compiled tree in plain C types.
#include "sym/tree_numbers.h"

#include <string.h>

#include "model/links.h"

_Static_assert(sizeof(m3) == 9 * sizeof(double), "a matrix is nine numbers, by rows");
_Static_assert(sizeof(s3) == 6 * sizeof(double), "a symmetric matrix is six numbers");
_Static_assert(sizeof(v3) == 3 * sizeof(double), "a vector is three numbers");
_Static_assert(sizeof(treeLink) == 8 * sizeof(int) + 24 * sizeof(double), "all of a link is read");


treeNumbers tree_numbers(const treeModel *t)
{
  treeNumbers numbers = {
      .n = t->n,
      .nq = t->nq,
      .nv = t->nv,
      .dof_link = t->dof_link,
      .dof_parent = t->dof_parent,
      .dof_run = t->dof_run,
      .anchor = t->anchor,
  };
  memcpy(numbers.gravity, &t->gravity, sizeof numbers.gravity);
  return numbers;
}


linkNumbers tree_link_numbers(const treeModel *t, int i)
{
  const treeLink *link = &t->link[i];
  linkNumbers numbers = {
      .parent = link->parent,
      .kind = (int) link->kind,
      .q0 = link->q0,
      .v0 = link->v0,
      .nv = link->nv,
      .is_driven = link->is_driven,
      .has_rotor = link->has_rotor,
      .pitch = link->pitch,
      .rotor = link->rotor,
      .mass = link->mass,
  };
  memcpy(numbers.R, &link->R, sizeof numbers.R);
  memcpy(numbers.p, &link->p, sizeof numbers.p);
  memcpy(numbers.h, &link->h, sizeof numbers.h);
  memcpy(numbers.J, &link->J, sizeof numbers.J);
  return numbers;
}
