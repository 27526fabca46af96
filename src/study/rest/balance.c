// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine at rest:  g(q) = h(q, 0) - tau(q, 0)  is missing for balance. With closed loops the independent
// coordinates are moved, the others follow, and  g = R^T (h - tau)  is missing along the motions that are left.
#include "study/rest/balance.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "force/force.h"
#include "loop/loop.h"
#include "num/difference.h"
#include "study/assemble/assemble.h"


static size_t balance_position_bytes(const balanceWork *w)
{
  return (size_t) w->m->tree.nq * sizeof(double);
}


artStatus balance_begin(balanceWork *w, artError *error)
{
  artData *d = w->d;
  d->work->is_frozen = 0;
  art_normalise(w->m, d->q);
  art_update(w->m, d);
  const artStatus status = study_assemble(w->m, d, NULL, error);
  if (status != ART_OK) return status;
  baseArena *a = &w->arena;
  const size_t nq = (size_t) w->m->tree.nq, nv = (size_t) w->m->tree.nv, size = sizeof(double);
  const size_t n = nv + (size_t) w->nsupport;
  if (!((w->free = arena_alloc(a, nv, sizeof *w->free)) && (w->R = arena_alloc(a, nv * nv, size)) &&
        (w->start = arena_alloc(a, nq, size)) && (w->q = arena_alloc(a, nq, size)) &&
        (w->lambda = arena_alloc(a, n, size)) && (w->push = arena_alloc(a, n, size)) &&
        (w->move = arena_alloc(a, nv, size)) && (w->all = arena_alloc(a, nv, size)) &&
        (w->g = arena_alloc(a, n, size)) && (w->trial = arena_alloc(a, n, size)) &&
        (w->step = arena_alloc(a, n, size)) && (w->space = arena_alloc(a, 4 * n, size)) &&
        newton_take(&w->matrix, (int) n, a)))
    return base_no_memory(error);
  memcpy(w->start, d->q, balance_position_bytes(w));
  memcpy(w->q, d->q, balance_position_bytes(w));
  w->length = study_length(w->m);
  return ART_OK;
}


//---- the forces that are missing -----------------------------------------------------------------

artStatus balance_missing(balanceWork *w, double *g, artError *error)
{
  if (w->enter) w->enter(w);
  artStatus status = study_rest(w->m, w->d, error);
  if (status == ART_OK) status = force_apply(w->m, w->d, error);
  if (status != ART_OK) return status;
  if (w->support) w->support(w);
  study_balance(w->m, w->d, NULL, w->all);

  // the weight, and the forces in joints that no drive moves
  const treeModel *t = &w->m->tree;
  double most = study_weight(w->m);
  for (int k = 0; k < t->nv; k++) {
    if (t->link[t->dof_link[k]].is_driven) continue;
    most = max_nan(most, max_nan(fabs(w->all[k]), fabs(w->d->force[k])));
  }
  w->met = most;

  study_reduce(w->m, w->d, w->all);
  for (int k = 0; k < w->n; k++) g[k] = w->all[w->free[k]];
  if (w->condition) w->condition(w, g + w->n);
  return ART_OK;
}


artStatus balance_missing_moved(balanceWork *w, double *g, artError *error)
{
  memcpy(w->d->q, w->q, balance_position_bytes(w));
  art_move(w->m, w->d->q, w->move);
  return balance_missing(w, g, error);
}


// forces of supports, of which 1 N is little, move by their unit
static artStatus missing_balance_along_column(void *context, int column, double s, double *g,
                                              artError *error)
{
  balanceWork *w = context;
  const int is_position = column < w->n;
  memcpy(w->push, w->lambda, (size_t) w->nsupport * sizeof *w->push);
  for (int k = 0; k < w->m->tree.nv; k++) {
    w->move[k] = is_position ? s * w->R[(long) k * w->n + column] : 0;
  }
  if (!is_position) w->push[column - w->n] += s * w->unit;
  return balance_missing_moved(w, g, error);
}


double balance_norm(const balanceWork *w, const double *g)
{
  double sum = 0;
  for (int k = 0; k < w->n + w->nsupport; k++) {
    sum += w->matrix.row[k] * g[k] * (w->matrix.row[k] * g[k]);
  }
  return sqrt(sum);
}


artStatus balance_at_best(balanceWork *w, artError *error)
{
  const artModel *m = w->m;
  memcpy(w->d->q, w->q, balance_position_bytes(w));
  art_update(m, w->d);
  artStatus status = m->nrow > 0 ? loop_watch(m, w->d, error) : ART_OK;
  if (status != ART_OK) return status;
  w->n = study_independent(m, w->d, w->free);
  w->matrix.n = w->n + w->nsupport;
  memcpy(w->push, w->lambda, (size_t) w->nsupport * sizeof *w->push);
  status = balance_missing(w, w->g, error);
  if (status != ART_OK) return status;
  memcpy(w->q, w->d->q, balance_position_bytes(w));
  if (!(w->first > 0)) w->first = w->met;
  w->forces = max_nan(w->first, w->met);
  w->norm = balance_norm(w, w->g);
  study_transformation(m, w->d, w->n, w->free, w->R);
  return ART_OK;
}


artStatus balance_jacobian(balanceWork *w, artError *error)
{
  artStatus status = balance_at_best(w, error);
  if (status != ART_OK) return status;
  const differenceFunction f = {w->matrix.n, missing_balance_along_column, w};
  w->d->work->is_frozen = 1;
  status = difference_matrix(&f, w->matrix.n, w->space, w->matrix.J, error);
  w->d->work->is_frozen = 0;
  return status;
}


double balance_stiffness(const balanceWork *w, int k)
{
  ART_ASSERT(k >= 0 && k < w->matrix.n);
  double sum = 0;
  for (int j = 0; j < w->n; j++) sum += fabs(w->matrix.J[(long) j * w->matrix.n + k]);
  return sum;
}


//---- steps ---------------------------------------------------------------------------------------

double balance_probe(balanceWork *w)
{
  // w->move = R step, shortened so that no angle turns too far; forces of supports by the same factor
  const int nv = w->m->tree.nv;
  double turn = 0;
  for (int k = 0; k < nv; k++) {
    w->move[k] = 0;
    for (int i = 0; i < w->n; i++) w->move[k] += w->R[(long) k * w->n + i] * w->step[i];
    if (study_is_angular(w->m, k)) turn = max_nan(turn, fabs(w->move[k]));
  }
  const double factor = turn > w->longest_turn ? w->longest_turn / turn : 1;
  for (int k = 0; k < nv; k++) w->move[k] *= factor;
  for (int k = 0; k < w->nsupport; k++) {
    w->push[k] = w->lambda[k] + factor * w->unit * w->step[w->n + k];
  }

  return balance_missing_moved(w, w->trial, NULL) == ART_OK ? balance_norm(w, w->trial) : HUGE_VAL;
}


double balance_attempt(void *work, double damping)
{
  balanceWork *w = work;
  newton_solve(&w->matrix, damping, w->no_stiffness, w->g, w->step);
  for (int k = 0; k < w->matrix.n; k++) w->step[k] = -w->step[k];
  return balance_probe(w);
}


void balance_take(void *work)
{
  balanceWork *w = work;
  memcpy(w->q, w->d->q, balance_position_bytes(w));
  memcpy(w->g, w->trial, (size_t) w->matrix.n * sizeof *w->g);
  memcpy(w->lambda, w->push, (size_t) w->nsupport * sizeof *w->lambda);
}
