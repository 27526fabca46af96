// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Methods that do not close the loops have rank-deficient matrices at singular positions: at a
// distance s, a position error e becomes an acceleration error e/s, and error control fails. If the
// loops there depend on a single coordinate, accelerations near such positions come from the
// semi-recursive method, on the polynomials of loop/singular_path.h.

#include "loop/loop.h"
#include "method/method.h"


int method_may_be_singular(const struct loopWork *loop)
{
  for (int k = 0; loop->is_ready && k < loop->blocks->block_count; k++) {
    if (loop->hold.input[k] >= 0) return 1;
  }
  return 0;
}


int method_is_singular(const artModel *m, artData *d)
{
  struct loopWork *loop = d->work->loop;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (loop->hold.input[k] >= 0) blocks_factor_one(loop->blocks, k, loop->rows.J.value);
  }
  if (singular_path_choose(&loop->hold, loop->blocks, d->q)) return 1;
  return bridge_build(m, d) && singular_path_choose(&loop->hold, loop->blocks, d->q);
}
