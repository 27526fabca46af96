// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Methods that take loops as they are meet matrices without full rank at singular positions: an error e
// of the positions is one of e/s of the accelerations at a distance s, and error control gives up. Where
// the loops there depend on one coordinate, accelerations near such positions are those of the
// semi-recursive method, on the polynomials of loop/singular_path.h.
#include <string.h>

#include "loop/singular_path_build.h"
#include "method/method.h"


static int may_be_held(const struct loopWork *loop)
{
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (loop->hold.input[k] >= 0) return 1;
  }
  return 0;
}


// are blocks held at the present positions, by a bridge that is there or can be built?
static int is_held(const artModel *m, artData *d)
{
  struct loopWork *loop = d->work->loop;
  if (hold_choose(&loop->hold, loop->blocks, d->q)) return 1;
  return bridge_build(m, d) && hold_choose(&loop->hold, loop->blocks, d->q);
}


int method_is_singular(const artModel *m, artData *d)
{
  struct loopWork *loop = d->work->loop;
  if (!loop->is_ready || !may_be_held(loop)) return 0;
  artStatus status = rows_positions(m, d, &loop->rows, loop->kept, NULL);
  if (status == ART_OK) status = loop_jacobian(m, d, loop->kept, NULL);
  if (status != ART_OK) return 0;
  loop->pivot = loop_factor(loop);
  return is_held(m, d);
}
