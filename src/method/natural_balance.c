// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bearing forces of a motion that was found in natural coordinates.
#include <string.h>

#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"
#include "natural/natural.h"

// blocks of the loops at the present positions, partitioned anew where the choice has become weak
static artStatus factor_loops(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  if (loop->is_ready) {
    loop_place_links(m, d);
    const artStatus status = loop_jacobian(m, d, loop->kept, error);
    if (status != ART_OK) return status;
    loop->pivot = loop_factor(loop);
    if (loop_is_sound(loop)) return ART_OK;
  }
  artStatus status = loop_partition(m, d, error);
  if (status == ART_OK) status = loop_jacobian(m, d, loop->kept, error);
  if (status == ART_OK) loop->pivot = loop_factor(loop);
  return status;
}


artStatus natural_balance(naturalMachine *k, artError *error)
{
  const artModel *m = k->m;
  artData *d = k->d;
  artWork *w = d->work;
  artStatus status = force_apply(m, d, error);
  w->has_motion = 0;
  if (status != ART_OK || m->nrow == 0) return status;
  status = factor_loops(m, d, error);
  if (status != ART_OK) return status;

  // J_v^T lambda = (M a + h - tau)_v
  struct loopWork *loop = w->loop;
  tree_rne(&m->tree, &w->tree, d->v, d->a, loop->right);
  method_add_rods(m, d, loop->right);
  for (int i = 0; i < m->tree.nv; i++) loop->right[i] -= d->force[i];
  memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof *loop->rows.lambda);
  blocks_solve_transposed(loop->blocks, loop->right, loop->rows.lambda);
  return ART_OK;
}
