// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Residuals of the constraints.
#include "loop/rows.h"

#include <math.h>

#include "base/max_nan.h"
#include "loop/loop.h"
#include "loop/roll_rows.h"


static void take_larger(double *most, double x)
{
  *most = max_nan(*most, fabs(x));
}


// called at every step of a run: without J, which gives less rounding error where wheels spin
artStatus residual_open(const artModel *m, artData *d, loopResidual *residual, artError *error)
{
  ART_ASSERT(d->work->loop);
  loopRows *rows = &d->work->loop->rows;
  *residual = (loopResidual){0, 0, 0};
  artStatus status = rows_positions(m, d, rows, NULL, error);
  if (status != ART_OK) return status;
  residual->position = max_magnitude(m->nrow, rows->phi);
  tree_axes(&m->tree, &d->work->tree);
  for (int c = 0; c < m->ncut; c++) {
    const motion w = rows_motion(m, d, rows, c);
    for (int k = m->cut[c].row0; k < m->cut[c].row0 + m->cut[c].nrow; k++) {
      const loopRow *row = &rows->row[k];
      take_larger(&residual->velocity, v3_dot(row->t, w.ang) + v3_dot(row->u, w.lin));
    }
  }
  if (m->nroll > 0) take_larger(&residual->velocity, rolling_slip(m, d));
  for (int i = 0; i < m->nrelation && status == ART_OK; i++) {
    status = rows_relation(m, d, rows, i, error);
    take_larger(&residual->velocity, matrix_row_times(&rows->J, m->relation[i].row, d->v));
  }
  return status;
}


artStatus residual_find(const artModel *m, artData *d, loopResidual *residual, artError *error)
{
  ART_ASSERT(d->work->loop);
  artWorkspace *w = d->work;
  loopRows *rows = &w->loop->rows;
  *residual = (loopResidual){0, 0, 0};
  artStatus status = loop_rows(m, d, NULL, error);
  if (status == ART_OK) status = rows_gamma(m, d, rows, NULL, error);
  if (status != ART_OK) return status;
  residual->position = max_magnitude(m->nrow, rows->phi);
  for (int k = 0; k < m->nrow; k++) {
    take_larger(&residual->velocity, matrix_row_times(&rows->J, k, d->v));
  }
  if (m->nroll > 0) {
    take_larger(&residual->velocity, rolling_slip(m, d));
    take_larger(&residual->acceleration, rolling_second_gap(m, d));
  }

  // for cuts gamma is the full second derivative, because the links have their real accelerations
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    for (int k = 0; k < cut->nrow; k++) {
      take_larger(&residual->acceleration, rows->gamma[cut->row0 + k]);
    }
  }
  for (int i = 0; i < m->nrelation; i++) {
    const int k = m->relation[i].row;
    const double drives = matrix_row_times(&rows->J, k, w->a_drive);
    take_larger(&residual->acceleration,
                matrix_row_times(&rows->J, k, d->a) - drives - rows->gamma[k]);
  }
  return ART_OK;
}
