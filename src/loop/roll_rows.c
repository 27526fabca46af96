// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rows of velocities of what rolls without slip.
#include "loop/roll_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/max_nan.h"
#include "force/force.h"
#include "force/roll_place.h"
#include "loop/rows.h"

// sine of the angle between the axis of a disc and the normal, below which the disc lies flat
static const double FLAT = 1e-6;


static const cutSide *rolling_side(const artModel *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->nroll);
  return &m->cut[m->roll[i].cut].side[1];
}


// J_k = S_k.w for the wrench of a unit force along u at the point r
static void rolling_row(const artModel *m, const artData *d, const cutSide *side, v3 r, v3 u,
                        double *J)
{
  const treeData *t = &d->work->tree;
  const treeAxes *S = &t->S;
  const v3 moment = v3_cross(v3_sub(r, tree_in_ground(t, m->tree.anchor[side->link])->o), u);
  for (int i = 0; i < side->n; i++) {
    const int k = side->dof[i];
    J[k] = S->ax[k] * moment.x + S->ay[k] * moment.y + S->az[k] * moment.z + S->lx[k] * u.x +
           S->ly[k] * u.y + S->lz[k] * u.z;
  }
}


void rolling_rows(const artModel *m, const artData *d, double *A)
{
  const size_t nv = (size_t) m->tree.nv;
  memset(A, 0, (size_t) m->nroll_row * nv * sizeof *A);
  for (int i = 0; i < m->nroll; i++) {
    const rollPlace p = roll_place(m, d, i);
    v3 u[2];
    const int n = roll_directions(m->roll[i].kind, &p, u);
    for (int k = 0; k < n; k++) {
      rolling_row(m, d, rolling_side(m, i), p.point, u[k], A + (size_t) (m->roll[i].row0 + k) * nv);
    }
  }
}


double rolling_slip(const artModel *m, const artData *d)
{
  double most = 0;
  for (int i = 0; i < m->nroll; i++) {
    const rollPlace p = roll_place(m, d, i);
    const v3 v = rows_side_velocity(m, d, rolling_side(m, i), p.point).lin;
    v3 u[2];
    const int n = roll_directions(m->roll[i].kind, &p, u);
    for (int k = 0; k < n; k++) most = max_nan(most, fabs(v3_dot(u[k], v)));
  }
  return most;
}


static void rolling_row_rates(const artModel *m, const artData *d, int i, double rate[2])
{
  const modelCut *cut = &m->cut[m->roll[i].cut];
  const rollPlace p = roll_place(m, d, i);
  const cutMotion plane = rows_side_motion(d, &cut->side[0]);
  const cutMotion body = rows_side_motion(d, &cut->side[1]);
  rollMotion moves = {.omega = body.omega, .alpha = body.alpha, .a = v3_sub(body.a, plane.a)};
  if (m->roll[i].kind == ROLL_EDGE) {
    moves.v = rows_side_velocity(m, d, &cut->side[1], p.point).lin;
  }
  roll_row_rates(m->roll[i].kind, &p, cut->length, &moves, rate);
}


void rolling_second(const artModel *m, const artData *d, double *second)
{
  for (int i = 0; i < m->nroll; i++) {
    double rate[2];
    rolling_row_rates(m, d, i, rate);
    memcpy(second + m->roll[i].row0, rate, (size_t) m->roll[i].nrow * sizeof *rate);
  }
}


double rolling_second_gap(const artModel *m, const artData *d)
{
  double most = 0;
  for (int i = 0; i < m->nroll; i++) {
    double rate[2];
    rolling_row_rates(m, d, i, rate);
    for (int k = 0; k < m->roll[i].nrow; k++) most = max_nan(most, fabs(rate[k]));
  }
  return most;
}


artStatus rolling_check(const artModel *m, const artData *d, artError *error)
{
  for (int i = 0; i < m->nroll; i++) {
    if (roll_place(m, d, i).sine > FLAT) continue;
    const modelJoint *joint = &m->joint[m->cut[m->roll[i].cut].joint];
    return base_fail(error, ART_BAD_INPUT, joint->place,
                     "'%s' heads nowhere at t = %.9g s: its axis stands upright on the plane; tilt "
                     "the body at the start, or correct 'axis'",
                     joint->name, d->time);
  }
  return ART_OK;
}
