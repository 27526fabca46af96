// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rows of velocities of what rolls without slip.
#include "loop/roll_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/max_nan.h"
#include "base/numbers.h"
#include "force/force.h"
#include "force/roll_place.h"
#include "loop/loop.h"
#include "loop/rows.h"

// sine of the angle between the axis of a disc and the normal, below which the disc lies flat
static const double FLAT = 1e-6;


static const cutSide *rolling_side(const artModel *m, int i, int side)
{
  ART_ASSERT(i >= 0 && i < m->nroll);
  return &m->cut[m->roll[i].cut].side[side];
}


// J_k = S_k.w for the wrench of a force u at the point r
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
      double *row = A + (size_t) (m->roll[i].row0 + k) * nv;
      rolling_row(m, d, rolling_side(m, i, 0), p.point, v3_neg(u[k]), row);
      rolling_row(m, d, rolling_side(m, i, 1), p.point, u[k], row);
    }
  }
}


//---- rank ----------------------------------------------------------------------------------------

// a row of which no larger part is left beside the others depends on them
static const double DEPENDENT = 1e-9;

enum { NEARBY = 3 }; // positions at which the same rows must be independent


// is a row of n numbers independent of `count` orthonormal ones? Then it becomes the next of these.
static int add_orthonormal(int n, int count, double *rows)
{
  double *x = rows + (long) count * n;
  const double size = sqrt(base_dot(n, x, x));
  for (int turn = 0; turn < 2; turn++) {
    for (int k = 0; k < count; k++) {
      const double *q = rows + (long) k * n, dot = base_dot(n, q, x);
      for (int j = 0; j < n; j++) x[j] -= dot * q[j];
    }
  }
  const double left = sqrt(base_dot(n, x, x));
  if (!(left > DEPENDENT * size)) return 0;
  for (int j = 0; j < n; j++) x[j] /= left;
  return 1;
}


// over the free coordinates, R^T A^T
static void choose_rolling_rows(const artModel *m, artData *d, double *A, double *unit,
                                char *is_kept)
{
  const struct loopWork *loop = d->work->loop;
  const loopPartition *p = &loop->partition;
  int count = 0;
  rolling_rows(m, d, A);
  for (int k = 0; k < m->nroll_row; k++) {
    double *row = A + (long) k * m->tree.nv, *x = unit + (long) count * p->nf;
    blocks_project(loop->blocks, row);
    for (int i = 0; i < p->nf; i++) x[i] = row[p->free[i]];
    is_kept[k] = (char) add_orthonormal(p->nf, count, unit);
    count += is_kept[k];
  }
}


// at the positions of the data; memory of A[nroll_row nv] and unit[(nroll_row + 1) nv]
static artStatus find_independent_rows(const artModel *m, artData *d, double *A, double *unit,
                                       char *is_kept, artError *error)
{
  struct loopWork *loop = d->work->loop;
  art_update(m, d);
  artStatus status = loop->is_ready ? ART_OK : loop_partition(m, d, error);
  if (status == ART_OK) status = loop_close(m, d, error);
  if (status != ART_OK) return status;
  choose_rolling_rows(m, d, A, unit, is_kept);
  return ART_OK;
}


// displace the free coordinates by less than a tenth, by a reproducible pseudo-random pattern
static void displace_free(const artModel *m, artData *d, int place, double *step)
{
  const loopPartition *p = &d->work->loop->partition;
  memset(step, 0, (size_t) m->tree.nv * sizeof *step);
  for (int i = 0; i < p->nf; i++) {
    const unsigned mixed = ((unsigned) i * 31u + (unsigned) place + 1u) * 2654435761u;
    step[p->free[i]] = 0.1 * ((double) (mixed >> 8) / 8388608.0 - 1);
  }
  art_move(m, d->q, step);
}


static artStatus compare_nearby_rows(const artModel *m, artData *d, double *A, double *unit,
                                     const char *is_kept, char *nearby, artError *error)
{
  for (int place = 0; place < NEARBY; place++) {
    displace_free(m, d, place, unit);
    if (find_independent_rows(m, d, A, unit, nearby, NULL) != ART_OK) return ART_OK;
    for (int i = 0; i < m->nroll; i++) {
      const modelJoint *joint = &m->joint[m->cut[m->roll[i].cut].joint];
      const int row = m->roll[i].row0;
      if (memcmp(is_kept + row, nearby + row, (size_t) m->roll[i].nrow) == 0) continue;
      return base_fail(error, ART_BAD_INPUT, joint->place,
                       "'%s' rolls together with other joints at this position, and not nearby: "
                       "start at another position",
                       joint->name);
    }
  }
  return ART_OK;
}


artStatus rolling_independent(const artModel *m, const artData *d, char *is_kept, artError *error)
{
  const size_t n = (size_t) m->nroll_row, nv = (size_t) m->tree.nv;
  baseArena arena = {0};
  double *A, *unit;
  char *nearby = NULL;
  artData *own = art_create_data(m);
  artStatus status = own ? art_copy_data(m, own, d, error) : base_no_memory(error);
  if (status == ART_OK && !(ARENA_TAKE(&arena, A, n * nv) && ARENA_TAKE(&arena, nearby, n) &&
                            ARENA_TAKE(&arena, unit, (n + 1) * nv)))
    status = base_no_memory(error);
  if (status == ART_OK) status = find_independent_rows(m, own, A, unit, is_kept, error);
  if (status == ART_OK) {
    status = compare_nearby_rows(m, own, A, unit, is_kept, nearby, error);
  }
  arena_free(&arena);
  art_free_data(own);
  return status;
}


//---- slip and rates ------------------------------------------------------------------------------

// of the body that rolls, relative to the one that carries the plane
static v3 rolling_velocity(const artModel *m, const artData *d, int i, v3 point)
{
  return v3_sub(rows_side_velocity(m, d, rolling_side(m, i, 1), point).lin,
                rows_side_velocity(m, d, rolling_side(m, i, 0), point).lin);
}


double rolling_slip(const artModel *m, const artData *d)
{
  double most = 0;
  for (int i = 0; i < m->nroll; i++) {
    const rollPlace p = roll_place(m, d, i);
    const v3 v = rolling_velocity(m, d, i, p.point);
    v3 u[2];
    const int n = roll_directions(m->roll[i].kind, &p, u);
    for (int k = 0; k < n; k++) most = max_nan(most, fabs(v3_dot(u[k], v)));
  }
  return most;
}


// of a body at the place p
static rollMotion rolling_motion(const artModel *m, const artData *d, int i, const rollPlace *p)
{
  const modelCut *cut = &m->cut[m->roll[i].cut];
  const cutMotion plane = rows_side_motion(d, &cut->side[0]);
  const cutMotion body = rows_side_motion(d, &cut->side[1]);
  const treeWorld *carrier = tree_in_ground(&d->work->tree, cut->side[0].link);
  const v3 origin = v3_add(carrier->o, m3_back(carrier->R, cut->side[0].r));
  return (rollMotion){{plane.omega, plane.alpha, plane.a, origin},
                      {body.omega, body.alpha, body.a, p->centre},
                      rolling_velocity(m, d, i, p->centre),
                      rolling_velocity(m, d, i, p->point)};
}


static void rolling_row_rates(const artModel *m, const artData *d, int i, double rate[2])
{
  const modelCut *cut = &m->cut[m->roll[i].cut];
  const rollKind kind = m->roll[i].kind;
  if (cut->on.shape == ROLL_ON_PLANE) {
    const rollPlace p = roll_place(m, d, i);
    const rollMotion moves = rolling_motion(m, d, i, &p);
    roll_row_rates(kind, &p, cut->length, &moves, rate);
    return;
  }
  const rollBodyPlace body = roll_body(m, d, i);
  const rollTouch touch = roll_touch(&cut->on, &body);
  const rollMotion moves = rolling_motion(m, d, i, &touch.place);
  double all[3]; // that of the gap first
  roll_touch_rates(kind, &touch, cut->length, &moves, all);
  rate[0] = all[1];
  rate[1] = all[2];
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


static artStatus check_curved(const artModel *m, const artData *d, bool touches, artError *error)
{
  for (int i = 0; i < m->nroll; i++) {
    const modelCut *cut = &m->cut[m->roll[i].cut];
    if (cut->on.shape == ROLL_ON_PLANE) continue;
    const rollBodyPlace body = roll_body(m, d, i);
    const char *trouble = roll_trouble(&cut->on, &body, touches);
    if (!trouble) continue;
    const modelJoint *joint = &m->joint[cut->joint];
    return base_fail(error, ART_BAD_INPUT, joint->place, "'%s' cannot roll at t = %.9g s: %s",
                     joint->name, d->time, trouble);
  }
  return ART_OK;
}


artStatus rolling_check_touches(const artModel *m, const artData *d, artError *error)
{
  return check_curved(m, d, true, error);
}


artStatus rolling_check(const artModel *m, const artData *d, artError *error)
{
  for (int i = 0; i < m->nroll; i++) {
    const modelCut *cut = &m->cut[m->roll[i].cut];
    if (cut->on.shape != ROLL_ON_PLANE || roll_place(m, d, i).sine > FLAT) continue;
    const modelJoint *joint = &m->joint[cut->joint];
    return base_fail(error, ART_BAD_INPUT, joint->place,
                     "'%s' heads nowhere at t = %.9g s: its axis stands upright on the plane; tilt "
                     "the body at the start, or correct 'axis'",
                     joint->name, d->time);
  }
  return check_curved(m, d, false, error);
}
