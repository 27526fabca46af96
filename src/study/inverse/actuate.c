// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces of chosen actuators that make up for missing forces g (Postiau 2004, section 2.5.1).
//
//   g = tau + J^T lambda;   with v = R v_u for all independent coordinates u, also driven ones,
//   psi = R^T g = G x,      G = the columns of R^T that belong to the actuators, x their forces
//
// By singular values: x is unique, or of least norm; forces that G cannot reach are missing.
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "loop/loop.h"
#include "num/dense.h"
#include "study/study.h"

static const double NO_REACH = 1e-10; // of the largest singular value
static const double NOTHING = 1e-9;   // of the forces present

typedef struct actuateWork {
  const artModel *m;
  const loopBlocks *blocks; // NULL without loops
  int nu, na, n;            // independent coordinates, actuators, the larger of them
  int *independent;         // [nu]
  int *actuator;            // [na] velocity coordinates
  double *G;                // [n n] by columns, zeros where it is not full
  double *U, *s, *Vt;
  double *psi; // [n] the missing forces, and then their rest
  double *x;   // [n]
  baseArena arena;
} actuateWork;


static void list_actuated_coordinates(actuateWork *w, const modelStudy *study)
{
  const artModel *m = w->m;
  for (int i = 0; i < study->nactuator; i++) w->actuator[w->na++] = study->actuator[i];
  for (int i = 0; i < m->ndrive; i++) {
    int listed = 0;
    for (int k = 0; k < study->nactuator; k++) listed |= w->actuator[k] == m->drive[i].velocity;
    if (!listed) w->actuator[w->na++] = m->drive[i].velocity;
  }
  w->nu = w->blocks ? w->blocks->nu : m->tree.nv;
  for (int i = 0; i < w->nu; i++) w->independent[i] = w->blocks ? w->blocks->column_u[i] : i;
  w->n = w->nu > w->na ? w->nu : w->na;
}


// column j of G: the row of R that belongs to an actuator
static void put_actuator_column(const actuateWork *w, const struct loopWork *loop, int j)
{
  ART_ASSERT(j >= 0 && j < w->na);
  const int k = w->actuator[j], p = loop ? loop->blocks->position[k] : -1;
  double *column = w->G + (long) j * w->n;
  if (p >= 0) {
    const loopBlock *block = blocks_block(w->blocks, p);
    const double *B = blocks_B_row(w->blocks, p);
    for (int i = 0; i < block->reach_count; i++) column[block->reach[i]] = B[i];
    return;
  }
  for (int i = 0; i < w->nu; i++) column[i] = w->independent[i] == k;
}


static artStatus check_actuator_reach(const actuateWork *w, const artData *d, const double *g,
                                      artError *error)
{
  const double size = max_magnitude(w->m->tree.nv, g);
  const int worst = index_of_largest(w->nu, w->psi);
  if (w->nu == 0 || fabs(w->psi[worst]) <= NOTHING * size) return ART_OK;
  const int k = w->independent[worst];
  return base_fail(error, ART_SINGULAR, base_nowhere(),
                   "the actuators cannot make this motion at t = %.9g s: %.6g %s is missing along "
                   "'%s'; add an actuator there",
                   d->time, w->psi[worst], study_is_angular(w->m, k) ? "N m" : "N",
                   w->m->velocity[k].name);
}


static artStatus choose_forces(actuateWork *w, artData *d, const modelStudy *study, const double *g,
                               double *tau, artError *error)
{
  const artModel *m = w->m;
  baseArena *a = &w->arena;
  const size_t nv = (size_t) w->m->tree.nv, nn = nv * nv, size = sizeof(double);
  if (!((w->independent = arena_alloc(a, nv, sizeof *w->independent)) &&
        (w->actuator = arena_alloc(a, nv, sizeof *w->actuator)) &&
        (w->G = arena_alloc(a, nn, size)) && (w->U = arena_alloc(a, nn, size)) &&
        (w->s = arena_alloc(a, nv, size)) && (w->Vt = arena_alloc(a, nn, size)) &&
        (w->psi = arena_alloc(a, nv, size)) && (w->x = arena_alloc(a, nv, size))))
    return base_no_memory(error);
  list_actuated_coordinates(w, study);
  for (int j = 0; j < w->na; j++) put_actuator_column(w, d->work->loop, j);
  for (int i = 0; i < w->nu; i++) w->psi[i] = tau[w->independent[i]];
  artStatus status = num_singular_values(w->n, w->G, w->U, w->s, w->Vt, error);
  if (status != ART_OK) return status;

  // x = V diag(1/s) U^T psi over the singular values that count; psi keeps the rest
  const long n = w->n;
  for (long i = 0; i < n && w->s[i] > NO_REACH * w->s[0]; i++) {
    double share = 0;
    for (long k = 0; k < n; k++) share += w->U[i * n + k] * w->psi[k];
    for (long k = 0; k < n; k++) {
      w->x[k] += share / w->s[i] * w->Vt[k * n + i];
      w->psi[k] -= share * w->U[i * n + k];
    }
  }

  status = check_actuator_reach(w, d, g, error);

  memset(tau, 0, (size_t) m->tree.nv * sizeof *tau);
  if (status == ART_OK) {
    for (int j = 0; j < w->na; j++) tau[w->actuator[j]] = w->x[j];
  } else {
    for (int i = 0; i < w->nu; i++) tau[w->independent[i]] = w->psi[i];
  }
  return status;
}


// J_v^T lambda = (g - tau)_v
static void find_actuated_multipliers(const artModel *m, artData *d, const double *g,
                                      const double *tau)
{
  struct loopWork *loop = d->work->loop;
  for (int k = 0; k < m->tree.nv; k++) loop->right[k] = g[k] - tau[k];
  memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof *loop->rows.lambda);
  blocks_solve_transposed(loop->blocks, loop->right, loop->rows.lambda);
}


artStatus study_actuate(const artModel *m, artData *d, const modelStudy *study, const double *g,
                        double *tau, artError *error)
{
  // psi at the independent coordinates
  const struct loopWork *loop = d->work->loop;
  if (tau != g) memcpy(tau, g, (size_t) m->tree.nv * sizeof *tau);
  if (loop) {
    blocks_project(loop->blocks, tau);
    for (int p = 0; p < loop->blocks->nd; p++) tau[loop->blocks->column[p]] = 0;
  }
  artStatus status = ART_OK;
  if (study && study->nactuator > 0) {
    actuateWork w = {.m = m, .blocks = loop ? loop->blocks : NULL};
    status = choose_forces(&w, d, study, g, tau, error);
    arena_free(&w.arena);
  }
  if (loop) find_actuated_multipliers(m, d, g, tau);
  return status;
}
