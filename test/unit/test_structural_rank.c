// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rows that follow from others wherever the machine stands.
#include <math.h>
#include <string.h>

#include "loop/loop.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"

enum { MAX_Q = 64, MAX_ROWS = 64 };


static int count_kept(const artModel *m, artData *d, char *keep)
{
  art_update(m, d);
  if (!CHECK(always_needed(m, d, keep, NULL) == ART_OK)) return -1;
  int count = 0;
  for (int i = 0; i < m->nrow; i++) count += keep[i];
  return count;
}


TEST(as_many_rows_are_kept_as_the_rank_has)
{
  uint64_t seed = 11;
  for (const loopSample *s = loop_samples; s->name; s++) {
    artModel *m = keep_model(s->make());
    artData *d = keep_fresh_data(m);
    char keep[MAX_ROWS];
    double q[MAX_Q];
    if (CHECK(loop_random_state(m, d, &seed))) {
      memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
      const int count = count_kept(m, d, keep);

      // relations are kept even where they follow from others
      CHECK(m->nrelation > 0 ? count >= s->rank : count == s->rank);
      CHECK(memcmp(q, d->q, (size_t) m->tree.nq * sizeof *q) == 0);
    }
  }
}


TEST(rows_that_keep_a_plane_are_left_out)
{
  artModel *m = keep_model(loop_sample("four-bar"));
  artData *d = keep_fresh_data(m);
  char keep[MAX_ROWS];
  CHECK(count_kept(m, d, keep) == 2);
  CHECK(keep[0] && keep[1] && !keep[2] && !keep[3] && !keep[4]);
}


// all rods on a line: there the two rows of each loop are one
TEST(all_rows_are_kept_when_the_start_is_singular)
{
  artModel *m = keep_model(loop_four_bars(2));
  artData *d = keep_fresh_data(m);
  char keep[MAX_ROWS];
  CHECK(count_kept(m, d, keep) == 4);
  const double quarter = acos(-1) / 2;
  for (int i = 1; i < m->tree.n; i++) {
    d->q[m->tree.link[i].q0] = m->tree.link[i].parent == 0 ? quarter : -quarter;
  }
  CHECK(count_kept(m, d, keep) == 10);
}
