// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of a compiled tree in plain C types.
#include "sym/tree_numbers.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "model/links.h"

// check that the layouts agree
_Static_assert(sizeof(linkNumbers) == sizeof(treeLink), "all of a link is read");
_Static_assert(offsetof(linkNumbers, kind) == offsetof(treeLink, kind) &&
                   offsetof(linkNumbers, has_rotor) == offsetof(treeLink, has_rotor) &&
                   offsetof(linkNumbers, R) == offsetof(treeLink, R) &&
                   offsetof(linkNumbers, pitch) == offsetof(treeLink, pitch) &&
                   offsetof(linkNumbers, mass) == offsetof(treeLink, mass) &&
                   offsetof(linkNumbers, J) == offsetof(treeLink, J),
               "numbers of a link stand where the link has them");


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
  ART_ASSERT(i >= 0 && i < t->n);
  linkNumbers numbers;
  memcpy(&numbers, &t->link[i], sizeof numbers);
  return numbers;
}
