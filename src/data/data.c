// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The data block: coordinates, and queries about frames.
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "data/place.h"
#include "model/link_pose.h"
#include "spatial/quaternion.h"

//---- coordinates ---------------------------------------------------------------------------------


void data_position_rates(const artModel *m, const artData *d, double *qdot)
{
  if (m->tree.nq == 0) return;
  if (m->tree.nq == m->tree.nv) {
    memcpy(qdot, d->v, (size_t) m->tree.nv * sizeof *qdot);
    return;
  }
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int straight = link_straight(link);
    for (int k = 0; k < straight; k++) qdot[link->q0 + k] = d->v[link->v0 + k];
    if (!link_turns(link)) continue;

    const double *w = d->v + link->v0 + straight;
    const int place = link->q0 + straight;
    quaternion_rate(d->q + place, (v3){w[0], w[1], w[2]}, qdot + place);
  }
}


void art_position_rates(const artModel *m, const artData *d, double *qdot)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(qdot || m->tree.nq == 0, );
  data_position_rates(m, d, qdot);
}


void art_move(const artModel *m, double *q, const double *displacement)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && ((q && displacement) || m->tree.nq == 0), );
  for (int i = 1; i < m->tree.n; i++) pose_move_link(&m->tree.link[i], q, displacement);
}


int art_normalise(const artModel *m, double *q)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && (q || m->tree.nq == 0), 0);
  int changed = 0;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    if (!link_turns(link)) continue;
    double *e = q + link->q0 + link_straight(link);
    const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    if (fabs(square - 1) < 1e-14 || !(square > 0)) continue;
    const double scale = 1 / sqrt(square);
    for (int k = 0; k < 4; k++) e[k] *= scale;
    changed = 1;
  }
  return changed;
}


//---- frames --------------------------------------------------------------------------------------


int data_has_frame(const char *function, const artModel *m, const artData *d, int frame, int n,
                   double *one, double *two)
{
  if (work_is_of(m, d) && frame >= 0 && frame < m->nframe) {
    work_look(d);
    return 1;
  }
  (void) base_misuse(NULL, function, "a model, a data block of it and one of its frames");
  for (int k = 0; k < n && one; k++) one[k] = NAN;
  for (int k = 0; k < n && two; k++) two[k] = NAN;
  return 0;
}


void art_frame_position(const artModel *m, const artData *d, int frame, double position[3])
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(position, );
  if (!data_has_frame(__func__, m, d, frame, 3, position, NULL)) return;
  const modelFrame *f = &m->frame[frame];
  data_need_world(m, d);
  data_put3(position, tree_point(&d->work->tree, f->link, f->r));
}


void art_frame_rotation(const artModel *m, const artData *d, int frame, double quaternion[4])
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(quaternion, );
  if (!data_has_frame(__func__, m, d, frame, 4, quaternion, NULL)) return;
  const modelFrame *f = &m->frame[frame];
  data_need_world(m, d);
  pose_quaternion(m3_mul_m3(f->R, tree_in_ground(&d->work->tree, f->link)->R), quaternion);
}


void art_frame_velocity(const artModel *m, const artData *d, int frame, double linear[3],
                        double angular[3])
{
  ARITHMETIC_GUARD;
  if (!data_has_frame(__func__, m, d, frame, 3, linear, angular)) return;
  const modelFrame *f = &m->frame[frame];
  const treeData *t = &d->work->tree;
  data_need_velocity(m, d);
  data_put3(linear, tree_point_velocity(t, f->link, f->r));
  data_put3(angular, m3_back(tree_in_ground(t, f->link)->R, tree_motion(t, f->link)->ang));
}


void art_frame_jacobian(const artModel *m, artData *d, int frame, double *J)
{
  ARITHMETIC_GUARD;
  if (!data_has_frame(__func__, m, d, frame, 0, NULL, NULL)) return;
  ART_REQUIRE_OR(J || m->tree.nv == 0, );
  const modelFrame *f = &m->frame[frame];
  data_need_world(m, d);
  tree_axes(&m->tree, &d->work->tree);
  tree_jacobian(&m->tree, &d->work->tree, f->link, f->r, J);
}
