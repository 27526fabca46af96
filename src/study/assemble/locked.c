// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines that rounding of their lengths locks: three cranks of one length under a table, say, with lengths
// off by 1e-6. Rows of which little remains compared with the others may be such, or belong to a machine near
// a singular position. A walk along the motions that the others leave tells them apart: rows that are
// meant to follow from them stay closed but for the rounding, and all others open with the square of the way.
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/numbers.h"
#include "study/assemble/assemble.h"

enum { WALKS = 4, SPREADS = 4, MAX_ITERATIONS = 60 };

static const double WEAK = 1e-3;    // the rest of a row relative to the others
static const double WAY = 0.3;      // rad, or part of the machine's length
static const double ROUNDED = 1e-5; // likewise


// leave out the rows that follow from others to the tolerance; 0 when none does that counted before
static artStatus drop_weak_rows(assembleWork *w, int *dropped, artError *error)
{
  const artModel *m = w->m;
  const bool *driven = w->d->work->loop->driven;
  loopRank strict, loose;
  artStatus status = rank_find(&strict, &w->rows->J, driven, NULL, error);
  if (status != ART_OK) return status;
  status = rank_find_within(&loose, &w->rows->J, driven, WEAK, NULL, error);
  if (status == ART_OK) {
    *dropped = loose.rank < strict.rank;
    for (int k = 0; k < m->nrow; k++) {
      if (loose.kind[k] == LOOP_ROW_REDUNDANT) w->least.row[k] = 0;
    }
    rank_free(&loose);
  }
  rank_free(&strict);
  return status;
}


// w->step: some way that the rows left allow, of that length; 0 when they allow none
static int lay_way(assembleWork *w, unsigned *seed)
{
  const int nv = w->m->tree.nv;
  for (int k = 0; k < nv; k++) w->step[k] = base_scatter(seed) * w->least.column[k];
  if (assemble_project(w, w->step) != ART_OK) return 0;
  double most = 0;
  for (int k = 0; k < nv; k++) {
    if (w->least.column[k] > 0) most = max_nan(most, fabs(w->step[k]) / w->least.column[k]);
  }
  for (int k = 0; k < nv; k++) w->step[k] *= WAY / most;
  return most > 1e-6;
}


// do all rows stay closed, but for rounding of lengths, on walks from w->foot?
static int stays_closed(assembleWork *w, int *iterations)
{
  unsigned seed = 17;
  for (int i = 0; i < WALKS; i++) {
    memcpy(w->least.row, w->kept, (size_t) w->m->nrow * sizeof *w->kept);
    if (assemble_go_to(w, w->foot, NULL) != ART_OK || !lay_way(w, &seed)) return 0;
    memcpy(w->trial, w->foot, (size_t) w->m->tree.nq * sizeof *w->trial);
    art_move(w->m, w->trial, w->step);
    if (!assemble_close_from(w, w->trial, MAX_ITERATIONS, iterations)) return 0;
    assemble_scale_rows(w);
    // all rows closed as well as lengths allow, from w->q: damping keeps the machine from going back along its
    // motion, where rounding alone holds it
    for (int j = 0; j < SPREADS; j++) {
      if (assemble_jacobian(w, NULL) != ART_OK) return 0;
      least_gather(&w->least);
      for (int k = 0; k < w->m->nrow; k++) w->right[k] = -w->phi[k];
      if (least_solve(&w->least, 1e-7, w->right, w->move, NULL) != ART_OK) return 0;
      memcpy(w->trial, w->q, (size_t) w->m->tree.nq * sizeof *w->trial);
      art_move(w->m, w->trial, w->move);
      if (assemble_go_to(w, w->trial, NULL) != ART_OK) return 0;
    }

    // the largest opening of all rows, in rad or parts of the machine's length
    double open = 0;
    for (int k = 0; k < w->m->nrow; k++) {
      const v3 u = w->rows->row[k].u;
      const double unit = v3_dot(u, u) > 0 ? w->length : 1;
      open = max_nan(open, fabs(w->phi[k]) / unit);
    }
    if (!(open <= ROUNDED)) return 0;
    w->slack = max_nan(w->slack, open);
  }
  return 1;
}


static int try_without(assembleWork *w)
{
  int dropped = 0, count = 0;
  if (drop_weak_rows(w, &dropped, NULL) != ART_OK || !dropped) return 0;
  memcpy(w->kept, w->least.row, (size_t) w->m->nrow * sizeof *w->kept);
  if (!assemble_close_from(w, w->nearest, MAX_ITERATIONS, &count)) return 0;
  memcpy(w->foot, w->q, (size_t) w->m->tree.nq * sizeof *w->foot);
  w->slack = 0;
  return stays_closed(w, &count);
}


int assemble_is_locked(assembleWork *w)
{
  w->least.J = &w->rows->J;
  if (assemble_go_to(w, w->d->q, NULL) != ART_OK || assemble_jacobian(w, NULL) != ART_OK) return 0;
  memcpy(w->nearest, w->q, (size_t) w->m->tree.nq * sizeof *w->nearest);
  assemble_scale_rows(w);

  // all may move on a walk, given coordinates too
  assemble_scale_columns(w, 1);
  const int is_locked = try_without(w);
  assemble_scale_columns(w, 0);
  assemble_scale_rows(w);
  (void) (assemble_go_to(w, w->nearest, NULL) == ART_OK && assemble_jacobian(w, NULL) == ART_OK);
  return is_locked;
}
