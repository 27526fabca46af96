// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Structurally redundant rows, from the rank of J at a few random positions, where loops need not be
// closed. Almost every position gives the generic rank of J, the largest anywhere. Rows that reach
// this rank at one position span all rows at every position where they are independent.
#include "loop/rows.h"

#include <string.h>

#include "base/memory.h"
#include "data/place.h"
#include "loop/loop.h"

enum { RANDOM_POSITIONS = 3 };


static artStatus find_rank(const artModel *m, artData *d, loopRank *rank, artError *error)
{
  const struct loopWork *loop = d->work->loop;
  const artStatus status = loop_rows(m, d, NULL, error);
  return status == ART_OK ? rank_find(rank, &loop->rows.J, loop->driven, NULL, error) : status;
}


static void mark_needed_rows(const artModel *m, const loopRank *rank, char *keep)
{
  for (int i = 0; i < m->nrow; i++) keep[i] = rank->kind[i] != LOOP_ROW_REDUNDANT;
  for (int i = 0; i < m->nrelation; i++) keep[m->relation[i].row] = 1;
}


// write `keep` from the position with the largest rank; *most is that rank
static artStatus look_around_for_rank(const artModel *m, artData *d, const double *q, double *step,
                                      char *keep, int *most, artError *error)
{
  for (int place = 0; place < RANDOM_POSITIONS; place++) {
    loopRank rank;

    // displace all coordinates by a few tenths from q, by a reproducible pseudo-random pattern
    for (int k = 0; k < m->tree.nv; k++) {
      const unsigned mixed = ((unsigned) k * 31u + (unsigned) place + 1u) * 2654435761u;
      step[k] = 0.4 * ((double) (mixed >> 8) / 8388608.0 - 1);
    }
    memcpy(d->q, q, (size_t) m->tree.nq * sizeof *q);
    art_move(m, d->q, step);
    data_place(m, d);

    const artStatus status = find_rank(m, d, &rank, error);
    if (status != ART_OK) return status;
    if (rank.rank > *most) {
      *most = rank.rank;
      mark_needed_rows(m, &rank, keep);
    }
    rank_free(&rank);
  }
  return ART_OK;
}


static artStatus look_for_redundant_rows(const artModel *m, artData *d, char *keep, artError *error)
{
  loopRank here;
  artStatus status = find_rank(m, d, &here, error);
  if (status != ART_OK) return status;
  mark_needed_rows(m, &here, keep);
  int most = here.rank;

  double *q = MEM_ARRAY(double, m->tree.nq + 1), *step = MEM_ARRAY(double, m->tree.nv + 1);
  if (q && step) {
    memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
    status = look_around_for_rank(m, d, q, step, keep, &most, error);
    memcpy(d->q, q, (size_t) m->tree.nq * sizeof *q);
    data_place(m, d);
  } else {
    status = base_no_memory(error);
  }
  if (most > here.rank) memset(keep, 1, (size_t) m->nrow);
  rank_free(&here);
  mem_free(q);
  mem_free(step);
  return status;
}


artStatus always_needed(const artModel *m, artData *d, char *keep, artError *error)
{
  memSource *outer = mem_use(stack_source(d->work->loop->reserve.scratch));
  const artStatus status = look_for_redundant_rows(m, d, keep, error);
  mem_use(outer);
  return status;
}
