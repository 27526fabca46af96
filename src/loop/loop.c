// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops: memory, rows and factors, and settings for the choice of coordinates.
#include "loop/loop.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/memory.h"
#include "model/define/study_def.h"

//---- creation and release ------------------------------------------------------------------------


static int take_path(loopPath *path, const artModel *m, baseArena *a)
{
  const size_t n = (size_t) m->tree.n, ncut = (size_t) m->ncut, nrelation = (size_t) m->nrelation;
  path->link = arena_alloc(a, n, sizeof *path->link);
  path->cut = arena_alloc(a, ncut + 1, sizeof *path->cut);
  path->relation = arena_alloc(a, nrelation + 1, sizeof *path->relation);
  path->is_link = arena_alloc(a, n, 1);
  path->is_tie = arena_alloc(a, ncut + nrelation, 1);
  path->tie = arena_alloc(a, (size_t) m->nrow, sizeof *path->tie);
  if (!path->link || !path->cut || !path->relation || !path->is_link || !path->is_tie ||
      !path->tie) {
    return 0;
  }
  for (int c = 0; c < m->ncut; c++) {
    for (int k = 0; k < m->cut[c].nrow; k++) path->tie[m->cut[c].row0 + k] = c;
  }
  for (int i = 0; i < m->nrelation; i++) path->tie[m->relation[i].row] = m->ncut + i;
  return 1;
}


int loop_start(struct loopWork **out, const artModel *m)
{
  ART_ASSERT(m->nrow > 0);
  const size_t nv = (size_t) m->tree.nv, nrow = (size_t) m->nrow;
  struct loopWork *loop = mem_alloc(1, sizeof *loop);
  *out = loop;
  if (!loop) return 0;
  baseArena *a = &loop->memory;
  const int taken = rows_start(&loop->rows, m, a) && take_path(&loop->path, m, a) &&
                    ARENA_TAKE(a, loop->pattern, (size_t) matrix_count(&loop->rows.J) + 1) &&
                    ARENA_TAKE(a, loop->driven, nv) && ARENA_TAKE(a, loop->keep, nrow) &&
                    ARENA_TAKE(a, loop->kept, m->ncut) && ARENA_TAKE(a, loop->others, m->ncut) &&
                    ARENA_TAKE(a, loop->keep_bridged, nrow) &&
                    ARENA_TAKE(a, loop->bridged, m->ncut) && ARENA_TAKE(a, loop->step, nv) &&
                    ARENA_TAKE(a, loop->row_size, nrow) && ARENA_TAKE(a, loop->order, nv) &&
                    ARENA_TAKE(a, loop->hand, nv) && ARENA_TAKE(a, loop->name, nv) &&
                    ARENA_TAKE(a, loop->q_chosen, m->tree.nq) &&
                    ARENA_TAKE(a, loop->q_spare, m->tree.nq) && ARENA_TAKE(a, loop->right, nv) &&
                    places_start(&loop->places, m, a) &&
                    reserve_start(&loop->reserve, &loop->rows.J, m->tree.nq, a);
  if (!taken) {
    loop_free(loop);
    *out = NULL;
    return 0;
  }
  for (int k = 0; k < m->ndrive; k++) loop->driven[m->drive[k].velocity] = true;
  for (int k = 0; k < m->tree.nv; k++) {
    const int q = m->velocity[k].partner;
    loop->name[k] = q >= 0 ? m->position[q].name : m->velocity[k].name;
  }
  return 1;
}


void loop_forget_partition(struct loopWork *loop)
{
  if (!loop->is_ready) return;
  blocks_free(loop->blocks);
  partition_free(&loop->partition);
  rank_free(&loop->rank);
  loop->blocks = NULL;
  loop->is_ready = 0;
}


void loop_reset(struct loopWork *loop)
{
  loop->choice = loop->asked;
  loop->prefer = NULL;
  loop->pivot_start = 0;
  loop->tried = 0;
  loop->repartitions = 0;
}


void loop_forget(struct loopWork *loop)
{
  loop_forget_partition(loop);
  loop_reset(loop);
  loop->is_closed = loop->has_stayed = 0;
}


void loop_free(struct loopWork *loop)
{
  if (!loop) return;
  loop_forget_partition(loop);
  reserve_free(&loop->reserve);
  arena_free(&loop->memory);
  mem_free(loop);
}


//---- rows ----------------------------------------------------------------------------------------


artStatus loop_gap(const artModel *m, artData *d, double *gap, artError *error)
{
  loopRows *rows = &d->work->loop->rows;
  const artStatus status = rows_positions(m, d, rows, NULL, error);
  *gap = max_magnitude(m->nrow, rows->phi);
  return status;
}


double loop_gap_left(const artModel *m, artData *d)
{
  loopRows *rows = &d->work->loop->rows;
  rows_others(m, d, rows, d->work->loop->others);
  return max_magnitude(m->nrow, rows->phi);
}


artStatus loop_jacobian(const artModel *m, artData *d, const loopKept *kept, artError *error)
{
  tree_axes(&m->tree, &d->work->tree);
  return rows_jacobian(m, d, &d->work->loop->rows, kept, error);
}


artStatus loop_rows(const artModel *m, artData *d, const loopKept *kept, artError *error)
{
  const artStatus status = rows_positions(m, d, &d->work->loop->rows, kept, error);
  return status == ART_OK ? loop_jacobian(m, d, kept, error) : status;
}


double loop_factor(struct loopWork *loop)
{
  double least = INFINITY;
  blocks_factor(loop->blocks, loop->rows.J.value);
  for (int k = 0; k < loop->blocks->block_count; k++) {
    least = min_nan(least, singular_path_strength(loop->blocks, k));
  }
  return least;
}


//---- settings for the choice of coordinates ------------------------------------------------------


void loop_mark_kept(const artModel *m, struct loopWork *loop)
{
  const int drops = loop->redundant == ART_REDUNDANT_DROP;
  memset(loop->keep, drops, (size_t) m->nrow);
  for (int i = 0; i < loop->partition.nd; i++) loop->keep[loop->partition.row[i]] = 0;
  rows_select(m, loop->keep, loop->others);
  memset(loop->keep, 0, (size_t) m->nrow);
  for (int i = 0; i < loop->partition.nd; i++) loop->keep[loop->partition.row[i]] = 1;
  rows_select(m, drops ? loop->keep : NULL, loop->kept);
}


void loop_mark_bridged(const artModel *m, struct loopWork *loop)
{
  memset(loop->keep_bridged, 0, (size_t) m->nrow);
  for (int p = 0; p < loop->blocks->nd; p++) {
    if (loop->hold.input[loop->blocks->block_of[p]] < 0) continue;
    loop->keep_bridged[loop->blocks->row[p]] = 1;
  }
  rows_select(m, loop->keep_bridged, loop->bridged);
}


void loop_set_redundant(const artModel *m, struct loopWork *loop, artRedundant redundant)
{
  if (loop->redundant == redundant) return;
  loop->redundant = redundant;
  loop->is_closed = loop->has_stayed = 0;
  if (loop->is_ready) loop_mark_kept(m, loop);
}


artStatus loop_ask_for(const artModel *m, struct loopWork *loop, artPartition partition,
                       const char *independent, artError *error)
{
  loop->hand_place = base_nowhere();
  loop->hand_count = 0;
  loop->asked = partition == ART_PARTITION_PIVOTING ? LOOP_NUMERIC : LOOP_SYMBOLIC;
  if (!model_has_names(independent)) return ART_OK;

  // is `independent` the list of a study of the file?
  loop->asked = LOOP_BY_HAND;
  for (int i = m->nstudy - 1; i >= 0; i--) {
    const artStudyDef *def = &m->study[i].def;
    if (def->type != ART_RUN || def->run.independent != independent) continue;
    loop->hand_place = m->study[i].hand;
  }
  return model_find_independent(m, independent, loop->hand_place, loop->hand, &loop->hand_count,
                                error);
}
