// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Positions and motion of links, computed on demand.
#include "data/place.h"

#include <math.h>

#include "base/error.h"


// checksum of a state
static double sum_of_state(int n, const double *x)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += (k + 1) * x[k];
  return sum;
}


static double sum_of_motion(const artModel *m, const artData *d)
{
  return sum_of_state(m->tree.nv, d->v) + sqrt(2) * sum_of_state(m->tree.nv, d->a);
}


// a NaN matches anything
static int is_same_sum(double sum, double kept)
{
  return sum == kept || isnan(sum);
}


void data_place(const artModel *m, artData *d)
{
  ART_ASSERT(m->tree.n == d->work->now->tree.n && m->tree.nq == d->work->now->tree.nq);
  tree_place(&m->tree, &d->work->tree, d->q);
#ifndef NDEBUG
  d->work->placed = sum_of_state(m->tree.nq, d->q);
#endif
}


void data_note_velocities(const artModel *m, const artData *d)
{
  (void) m;
  d->work->tree.has_velocity = 1;
#ifndef NDEBUG
  d->work->moved = sum_of_state(m->tree.nv, d->v);
#endif
}


void data_note_motion(const artModel *m, const artData *d)
{
  (void) m;
  d->work->tree.has_body = 1;
#ifndef NDEBUG
  d->work->accelerated = sum_of_motion(m, d);
#endif
}


void data_need_world(const artModel *m, const artData *d)
{
  treeData *t = &d->work->tree;
  // fails if q has changed since art_update
  ART_ASSERT(is_same_sum(sum_of_state(m->tree.nq, d->q), d->work->placed));
  if (!t->has_world) tree_world(&m->tree, t);
}


void data_need_velocity(const artModel *m, const artData *d)
{
  treeData *t = &d->work->tree;
  data_need_world(m, d);
  if (!t->has_velocity) {
    tree_velocity(&m->tree, t, d->v);
    data_note_velocities(m, d);
  }
  // fails if v has changed since art_update
  ART_ASSERT(is_same_sum(sum_of_state(m->tree.nv, d->v), d->work->moved));
}


const treeData *data_world(const artModel *m, const artData *d)
{
  data_need_world(m, d);
  return &d->work->tree;
}


const treeData *data_velocity(const artModel *m, const artData *d)
{
  data_need_velocity(m, d);
  return &d->work->tree;
}


const treeData *data_motion(const artModel *m, const artData *d)
{
  data_need_world(m, d);
  ART_ASSERT(
      is_same_sum(sum_of_motion(m, d), d->work->accelerated)); // fails if v or a has changed since
  return &d->work->tree;
}
