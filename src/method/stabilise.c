// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraints enforced at acceleration level only drift. Baumgarte (1972) makes the violation phi
// decay by
//   phi'' + 2 alpha phi' + beta^2 phi = 0.
#include <math.h>

#include "base/max_nan.h"
#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"


// velocity of a link's point at r, and the link's angular velocity, in ground axes
static motion motion_at(const artData *d, int link, v3 r)
{
  ART_ASSERT(link >= 0 && link < d->work->now->tree.n);
  const treeData *t = &d->work->tree;
  const treeWorld *w = tree_in_ground(t, link);
  return (motion){m3_back(w->R, tree_motion(t, link)->ang),
                  tree_point_velocity(t, link, m3_mul(w->R, v3_sub(r, w->o)))};
}


// motion of `to` relative to `from` at a cut; the power of a row's wrench in it is the rate of the
// row
static motion motion_across_cut(const artData *d, const modelCut *cut, v3 r)
{
  const motion from = motion_at(d, cut->side[0].link, r), to = motion_at(d, cut->side[1].link, r);
  return (motion){v3_sub(to.ang, from.ang), v3_sub(to.lin, from.lin)};
}


double method_stabilise(const artModel *m, artData *d, const loopKept *kept)
{
  ART_ASSERT(d->work->method && d->work->loop);
  const double damping = 2 * d->work->method->alpha;
  const double stiffness = d->work->method->beta * d->work->method->beta;
  loopRows *rows = &d->work->loop->rows;
  if (!kept) kept = rows->all;
  double most = 0;
  data_need_velocity(m, d);
  for (int c = 0; c < m->ncut; c++) {
    if (kept[c].n == 0) continue;
    const motion w = motion_across_cut(d, &m->cut[c], rows->state[c].to.r);
    for (int i = 0; i < kept[c].n; i++) {
      const int k = kept[c].row[i];
      const loopRow *row = &rows->row[k];
      const double rate = v3_dot(row->t, w.ang) + v3_dot(row->u, w.lin);
      const double term = damping * rate + stiffness * rows->phi[k];
      rows->gamma[k] -= term;
      most = max_nan(most, fabs(term));
    }
  }
  for (int i = 0; i < m->nrelation; i++) {
    const int k = m->relation[i].row;
    const double term = damping * matrix_row_times(&rows->J, k, d->v) + stiffness * rows->phi[k];
    rows->gamma[k] -= term;
    most = max_nan(most, fabs(term));
  }
  return most;
}
