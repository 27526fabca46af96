// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joint forces in relative coordinates for known accelerations,
//   J^T lambda = M a + h - tau,
// by the rows and coordinates of the partition; redundant rows have no multiplier.
#include <math.h>
#include <string.h>

#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"


// J of the kept rows and the factors of its blocks, at positions with a small constraint violation
static artStatus factor_kept_rows(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  data_place(m, d);
  const artStatus status = loop_rows(m, d, loop->kept, error);
  if (status == ART_OK) loop->pivot = loop_factor(loop);
  return status;
}


// the same; repartitions if the present rows or coordinates have become weak
static artStatus prepare_balance_rows(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  artStatus status = loop->is_ready ? ART_OK : loop_partition(m, d, error);
  if (status == ART_OK) status = factor_kept_rows(m, d, error);
  if (status != ART_OK) return status;
  const long before = loop->repartitions;
  blocks_couple(loop->blocks);
  status = loop_watch(m, d, error);
  if (status != ART_OK || loop->repartitions == before) return status;
  return factor_kept_rows(m, d, error);
}


// multipliers of the kept rows, with J already factored
static void find_balance_multipliers(const artModel *m, artData *d)
{
  struct loopWork *loop = d->work->loop;
  double *g = loop->right;
  tree_rne(&m->tree, &d->work->tree, d->v, d->a, g);
  rods_add(m, d, g);
  if (m->nrod > 0) rods_react(m, d, &d->work->rods, NULL);
  for (int i = 0; i < m->tree.nv; i++) g[i] -= d->force[i];
  memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof *loop->rows.lambda);
  blocks_solve_transposed(loop->blocks, g, loop->rows.lambda);
}


artStatus method_balance(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  d->work->has_motion = 0;
  if (!loop) return force_apply(m, d, error);
  artStatus status = prepare_balance_rows(m, d, error);
  if (status == ART_OK) status = force_apply(m, d, error);
  if (status == ART_OK) find_balance_multipliers(m, d);
  return status;
}


// on failure the multipliers become NaN, because there is no status to return
void method_unshare(const artModel *m, artData *d)
{
  struct loopWork *loop = d->work->loop;
  d->work->method->has_shares = 0;
  if (prepare_balance_rows(m, d, NULL) == ART_OK) {
    find_balance_multipliers(m, d);
  } else {
    for (int i = 0; i < m->nrow; i++) loop->rows.lambda[i] = NAN;
  }
}
