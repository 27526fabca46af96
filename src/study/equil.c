// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Static equilibrium: positions where no joint force is missing,  g(q) = h(q, 0) - tau(q, 0) = 0.
// The stable one is searched by descent on the potential first (descend.c), where there is a potential.
// With closed loops the independent coordinates are moved, the others follow, and
// g = R^T (h - tau) is what is missing along the motions that are left.
//
// Newton's method with the damping of Levenberg and Marquardt on the singular values of dg/dq:
// directions without stiffness are left alone, steps must lower |g|, angles move by half a radian at
// most. Where |g| is stationary without being zero (a pendulum held level) the machine is let go: it
// moves a little way along the forces. Tyres of a vehicle that stands carry its weight and do nothing else.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"
#include "model/builder.h"
#include "num/dense.h"
#include "study/assemble.h"
#include "study/difference.h"
#include "study/equil.h"

enum { MOST_ITERATIONS = 200, MOST_TRIES = 16 };

static const double ROPE_OFF = 1e-6;     // of the length of a rope that is taut
static const double PRECISION = 1e-10;   // of the forces present
static const double LARGEST = 1e-5;      // of them, however stiff the machine is
static const double LONGEST_TURN = 0.5;  // rad in one step
static const double MOST_TURNED = 12.6;  // rad in all: two turns
static const double NO_STIFFNESS = 1e-9; // of the largest singular value


static int take_arrays(equilWork *w)
{
  baseArena *a = &w->arena;
  const size_t nq = (size_t) w->m->tree.nq, nv = (size_t) w->m->tree.nv, n = nv,
               size = sizeof(double);
  return (w->free = arena_alloc(a, n, sizeof *w->free)) && (w->R = arena_alloc(a, nv * n, size)) &&
         (w->start = arena_alloc(a, nq, size)) && (w->q = arena_alloc(a, nq, size)) &&
         (w->move = arena_alloc(a, nv, size)) && (w->all = arena_alloc(a, nv, size)) &&
         (w->g = arena_alloc(a, n, size)) && (w->trial = arena_alloc(a, n, size)) &&
         (w->J = arena_alloc(a, n * n, size)) && (w->scaled = arena_alloc(a, n * n, size)) &&
         (w->U = arena_alloc(a, n * n, size)) && (w->s = arena_alloc(a, n, size)) &&
         (w->Vt = arena_alloc(a, n * n, size)) && (w->D = arena_alloc(a, n, size)) &&
         (w->step = arena_alloc(a, n, size)) && (w->space = arena_alloc(a, 4 * n, size));
}


//---- the forces that are missing -----------------------------------------------------------------

// at the positions in the data, everything at rest, also what is driven
static artStatus missing_at_rest(equilWork *w, double *g, artError *error)
{
  artData *d = w->d;
  const treeModel *t = &w->m->tree;
  artStatus status = study_rest(w->m, d, error);
  if (status == ART_OK) status = study_missing_forces(w->m, d, NULL, w->all, error);
  if (status != ART_OK) return status;

  const v3 weight = v3_scale(w->m->mass, t->gravity);
  w->met = sqrt(v3_dot(weight, weight));
  for (int k = 0; k < t->nv; k++) {
    if (t->link[t->dof_link[k]].is_driven) continue;
    w->met = base_larger(w->met, base_larger(fabs(w->all[k]), fabs(d->force[k])));
  }
  study_reduce(w->m, d, w->all);
  for (int k = 0; k < w->n; k++) g[k] = w->all[w->free[k]];
  return ART_OK;
}


// at a displacement from the best positions
artStatus equil_missing_moved(equilWork *w, double *g, artError *error)
{
  memcpy(w->d->q, w->q, (size_t) w->m->tree.nq * sizeof *w->q);
  art_move(w->m, w->d->q, w->move);
  return missing_at_rest(w, g, error);
}


static artStatus missing_along_column(void *context, double s, double *g, artError *error)
{
  equilWork *w = context;
  for (int k = 0; k < w->m->tree.nv; k++) w->move[k] = s * w->R[(long) k * w->n + w->column];
  return equil_missing_moved(w, g, error);
}


// the best positions themselves, with coordinates there that are fit to be independent
static artStatus missing_at_best(equilWork *w, artError *error)
{
  const artModel *m = w->m;
  memcpy(w->d->q, w->q, (size_t) m->tree.nq * sizeof *w->q);
  art_update(m, w->d);
  artStatus status = m->nrow > 0 ? loop_watch(m, w->d, error) : ART_OK;
  if (status != ART_OK) return status;
  w->n = study_independent(m, w->d, w->free);
  status = missing_at_rest(w, w->g, error);
  if (status != ART_OK) return status;
  memcpy(w->q, w->d->q, (size_t) m->tree.nq * sizeof *w->q);
  if (!(w->first > 0)) w->first = w->met;
  w->forces = base_larger(w->first, w->met);
  w->norm = study_norm(w->n, w->g);
  study_transformation(m, w->d, w->n, w->free, w->R);
  return ART_OK;
}


// dg/dq at the best positions, modes frozen
artStatus equil_jacobian(equilWork *w, artError *error)
{
  artStatus status = missing_at_best(w, error);
  const differenceFunction f = {w->n, missing_along_column, w};
  w->d->work->is_frozen = 1;
  for (int j = 0; j < w->n && status == ART_OK; j++) {
    w->column = j;
    status = difference_slope(&f, w->space, w->J + (long) j * w->n, error);
  }
  w->d->work->is_frozen = 0;
  return status;
}


//---- steps ---------------------------------------------------------------------------------------

// Sizes of the columns of J. Those of mere noise count as the largest, so that their steps stay small, and so do
// small ones that a turn of what is missing explains: there is no stiffness in them before the rest is in balance.
void equil_measure_columns(equilWork *w)
{
  const int n = w->n;
  double most = 0;
  for (int j = 0; j < n; j++) {
    w->D[j] = study_norm(n, w->J + (long) j * n);
    most = base_larger(most, w->D[j]);
  }
  for (int j = 0; j < n; j++) {
    const int is_noise = !(w->D[j] > 1e-11 * most);
    const int is_turned = w->D[j] < 1e-6 * most && w->D[j] < 1000 * w->norm;
    if (is_noise || is_turned) w->D[j] = most > 0 ? most : 1;
  }
}


static artStatus decompose(equilWork *w, artError *error)
{
  const int n = w->n;
  equil_measure_columns(w);
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) w->scaled[(long) j * n + i] = w->J[(long) j * n + i] / w->D[j];
  }
  return num_singular_values(n, w->scaled, w->U, w->s, w->Vt, error);
}


// step = -D^-1 V diag(s / (s^2 + lambda s_0^2)) U^T g
static void damped_step(equilWork *w, double lambda)
{
  const int n = w->n;
  memset(w->step, 0, (size_t) n * sizeof *w->step);
  for (int i = 0; i < n && w->s[i] > NO_STIFFNESS * w->s[0]; i++) {
    double share = 0;
    for (int k = 0; k < n; k++) share += w->U[(long) i * n + k] * w->g[k];
    share *= w->s[i] / (w->s[i] * w->s[i] + lambda * w->s[0] * w->s[0]);
    for (int k = 0; k < n; k++) w->step[k] -= share * w->Vt[(long) k * n + i] / w->D[k];
  }
}


// w->move = R step, shortened so that no angle turns too far
static void lay_move(equilWork *w)
{
  const int nv = w->m->tree.nv;
  double turn = 0;
  for (int k = 0; k < nv; k++) {
    w->move[k] = 0;
    for (int i = 0; i < w->n; i++) w->move[k] += w->R[(long) k * w->n + i] * w->step[i];
    if (study_is_angular(w->m, k)) turn = base_larger(turn, fabs(w->move[k]));
  }
  const double factor = turn > LONGEST_TURN ? LONGEST_TURN / turn : 1;
  for (int k = 0; k < nv; k++) w->move[k] *= factor;
}


// go along w->move when that lowers |g|
static int try_move(equilWork *w)
{
  if (equil_missing_moved(w, w->trial, NULL) != ART_OK) return 0;
  const double reached = study_norm(w->n, w->trial);
  if (!(reached < w->norm)) return 0;
  memcpy(w->q, w->d->q, (size_t) w->m->tree.nq * sizeof *w->q);
  memcpy(w->g, w->trial, (size_t) w->n * sizeof *w->g);
  w->norm = reached;
  return 1;
}


static int newton_step(equilWork *w, double *lambda)
{
  for (int k = 0; k < MOST_TRIES; k++) {
    damped_step(w, *lambda);
    lay_move(w);
    if (try_move(w)) {
      *lambda = *lambda > 1e-8 ? *lambda / 100 : 0;
      return 1;
    }
    *lambda = fmax(10 * *lambda, 1e-6);
  }
  return 0;
}


// let it go: angles follow the forces, the worst of them by a tenth of a radian or less
static int let_go(equilWork *w)
{
  double most = 0;
  for (int k = 0; k < w->n; k++) {
    if (study_is_angular(w->m, w->free[k])) most = base_larger(most, fabs(w->g[k]));
  }
  if (most == 0) return 0;
  double turn = 0.1;
  for (int tries = 0; tries < 4; tries++, turn /= 4) {
    for (int k = 0; k < w->n; k++) {
      w->step[k] = study_is_angular(w->m, w->free[k]) ? -turn * w->g[k] / most : 0;
    }
    lay_move(w);
    if (try_move(w)) return 1;
  }
  return 0;
}


//---- the search ----------------------------------------------------------------------------------

int equil_is_balanced(const equilWork *w)
{
  for (int k = 0; k < w->n; k++) {
    double stiffness = 0;
    for (int j = 0; j < w->n; j++) stiffness += fabs(w->J[(long) j * w->n + k]);
    const double rounding = fmin(64 * DBL_EPSILON * stiffness, LARGEST * w->forces);
    const double allowed = PRECISION * w->forces + rounding + DBL_MIN;
    if (!(fabs(w->g[k]) <= allowed)) return 0;
  }
  return 1;
}


// iterate as long as there is something to gain; w->g, w->J are left at the best positions
static artStatus search(equilWork *w, int *iterations, artError *error)
{
  double lambda = 0;
  artStatus status = equil_jacobian(w, error);
  for (int i = 0; i < MOST_ITERATIONS && status == ART_OK; i++, ++*iterations) {
    if (w->norm == 0) break;
    status = decompose(w, error);
    if (status != ART_OK) break;

    const double before = w->norm;
    const int balanced = equil_is_balanced(w);
    if (!newton_step(w, &lambda) && (balanced || !let_go(w))) break;
    status = equil_jacobian(w, error);
    if (balanced && w->norm > 0.1 * before) break;
  }
  return status;
}


//---- the result ----------------------------------------------------------------------------------

static int worst_of(const equilWork *w)
{
  int worst = 0;
  for (int k = 1; k < w->n; k++) {
    if (fabs(w->g[k]) > fabs(w->g[worst])) worst = k;
  }
  return worst;
}


static artStatus no_equilibrium(const equilWork *w, int iterations, artError *error)
{
  const int worst = worst_of(w), k = w->free[worst];
  const modelJoint *joint = &w->m->joint[w->m->velocity[k].joint];
  return base_fail(error, ART_NO_CONVERGENCE, joint->place,
                   "no equilibrium was found near the given state: after %d iterations joint '%s' "
                   "is worst, out of balance by %.6g %s in '%s'; start elsewhere, or give it "
                   "something to rest on",
                   iterations, joint->name, fabs(w->g[worst]),
                   study_is_angular(w->m, k) ? "N m" : "N", w->m->velocity[k].name);
}


// Newton's method may take a joint through turns on its way; where forces have no potential nothing else
// stops it.
static artStatus check_turns(const equilWork *w, artError *error)
{
  for (int i = 1; i < w->m->tree.n; i++) {
    const treeLink *link = &w->m->tree.link[i];
    if (link->kind != LINK_REVOLUTE) continue;
    const double turned = fabs(w->q[link->q0] - w->start[link->q0]);
    if (turned <= MOST_TURNED) continue;
    const modelJoint *joint = &w->m->joint[w->m->velocity[link->v0].joint];
    return base_fail(error, ART_NO_CONVERGENCE, joint->place,
                     "no equilibrium was found near the given state: joint '%s' ran away by %.3g "
                     "rad; start elsewhere, or take what is found with --nearest",
                     joint->name, turned);
  }
  return ART_OK;
}


// the coordinate that moves most along the last eigenvector
static const char *neutral_coordinate(const equilWork *w)
{
  const double *Q = w->U + (long) (w->n - 1) * w->n;
  int most = 0;
  for (int k = 1; k < w->n; k++) {
    if (fabs(Q[k]) > fabs(Q[most])) most = k;
  }
  return w->m->velocity[w->free[most]].name;
}


// signs of the eigenvalues of the stiffness, which a change of units leaves as they are
static artStatus find_stability(equilWork *w, artEquilibrium *result, artError *error)
{
  const modelElement *other = equil_without_potential(w->m);
  if (other) {
    result->no_potential = other->name;
    return ART_OK;
  }
  const artStatus status = equil_eigenvectors(w, error);
  if (status != ART_OK) return status;
  const double least = w->n > 0 ? w->s[w->n - 1] : 1;
  if (least > EQUIL_NEUTRAL) result->stable = 1;
  if (least < -EQUIL_NEUTRAL) result->stable = 0;
  if (result->stable < 0) result->neutral = neutral_coordinate(w);
  return ART_OK;
}


// Ropes are slack or taut as at the start; is the machine at rest with them so?
static artStatus check_ropes(equilWork *w, artError *error)
{
  const artModel *m = w->m;
  if (m->nlatch == 0) return ART_OK;
  const artStatus status = method_accelerate(m, w->d, ART_AUTOMATIC, error);
  if (status != ART_OK) return status;
  method_need_forces(m, w->d);
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *rope = &m->latch[i];
    if (rope->type != ART_ROPE) continue;
    const double length = force_latch_value(m, w->d, i, LATCH_LENGTH), most = rope->cut.length;
    const double tension = force_latch_value(m, w->d, i, LATCH_FORCE);
    if (!m->engaged[i] && length > most * (1 + ROPE_OFF)) {
      return base_fail(error, ART_BAD_INPUT, rope->place,
                       "rope '%s' is %.9g m long, but its points would be %.9g m apart in "
                       "equilibrium: search it with the rope taut, 'engaged: true'",
                       rope->name, most, length);
    }
    if (tension < -LARGEST * w->forces) {
      return base_fail(error, ART_BAD_INPUT, rope->place,
                       "rope '%s' would have to push with %.6g N in equilibrium: search it with "
                       "the rope slack, 'engaged: false'",
                       rope->name, -tension);
    }
  }
  return ART_OK;
}


static artStatus find(equilWork *w, int descends, artEquilibrium *result, artError *error)
{
  const artModel *m = w->m;
  artData *d = w->d;
  const size_t bytes = (size_t) m->tree.nq * sizeof *d->q;
  d->work->is_frozen = 0;
  art_normalise(m, d->q);
  art_update(m, d);
  artStatus status = study_assemble(m, d, NULL, error);
  if (status != ART_OK) return status;
  if (!take_arrays(w)) return base_no_memory(error);
  memcpy(w->start, d->q, bytes);
  memcpy(w->q, d->q, bytes);

  w->length = study_length(m);
  if (descends && !equil_without_potential(m)) {
    status = equil_descend(w, &result->iterations, error);
  }
  if (status == ART_OK) status = search(w, &result->iterations, error);
  if (status == ART_OK && !equil_is_balanced(w)) {
    status = no_equilibrium(w, result->iterations, error);
  }
  if (status == ART_OK && descends && equil_without_potential(m)) status = check_turns(w, error);
  if (status == ART_OK) status = find_stability(w, result, error);
  result->residual = w->n > 0 ? fabs(w->g[worst_of(w)]) : 0;
  result->moved = study_distance(m, w->start, w->q);

  // leave the data there, at rest
  memcpy(d->q, w->q, bytes);
  artStatus at_rest = missing_at_rest(w, w->trial, status == ART_OK ? error : NULL);
  if (status == ART_OK && at_rest == ART_OK) at_rest = check_ropes(w, error);
  memset(d->a, 0, (size_t) m->tree.nv * sizeof *d->a);
  return status == ART_OK ? at_rest : status;
}


static artStatus find_equilibrium(const artModel *m, artData *d, int descends,
                                  artEquilibrium *result, artError *error)
{
  *result = (artEquilibrium){.stable = -1};
  equilWork w = {.m = m, .d = d};
  d->work->tyres = TYRES_STAND;
  const artStatus status = find(&w, descends, result, error);
  d->work->tyres = TYRES_ROLL;
  arena_free(&w.arena);
  return status;
}


artStatus art_find_equilibrium(const artModel *m, artData *d, artEquilibrium *result,
                               artError *error)
{
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(result, error);
  return find_equilibrium(m, d, 0, result, error);
}


artStatus art_find_stable_equilibrium(const artModel *m, artData *d, artEquilibrium *result,
                                      artError *error)
{
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(result, error);
  return find_equilibrium(m, d, 1, result, error);
}


artStatus art_find_start(const artModel *m, artData *d, const artStudyDef *study,
                         artEquilibrium *rest, artTrim *trim, artError *error)
{
  artEquilibrium own_rest;
  artTrim own_trim;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(study, error);
  const artStatus status = builder_check_study(study, ART_EQUIL, error);
  if (status != ART_OK) return status;
  d->time = study->from;
  if (study->speed != 0) return art_find_trim(m, d, study->speed, trim ? trim : &own_trim, error);
  return find_equilibrium(m, d, !study->nearest, rest ? rest : &own_rest, error);
}
