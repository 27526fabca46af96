// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Static equilibrium: positions where no joint force is missing,  g(q) = h(q, 0) - tau(q, 0) = 0.
// The stable one is searched by descent on the potential first (descend.c), where there is a potential.
// With closed loops the independent coordinates are moved, the others follow, and
// g = R^T (h - tau) are the forces missing along the motions that are left.
//
// Newton's method with the damping of Levenberg and Marquardt on the singular values of dg/dq:
// directions without stiffness are left alone, steps must lower |g|, angles move by half a radian at
// most. Where |g| is stationary without being zero (a pendulum held level) the machine is let go: it
// moves a little way along the forces. Tyres of a vehicle that stands carry its weight and do nothing else.
// States whose rates are formulas, and values of samplers, are unknowns as well, each with its change, which is zero at
// rest (study.h); Newton's method finds them together with the positions, for an integral may hold the machine.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/format.h"
#include "base/max_nan.h"
#include "force/force.h"
#include "method/method.h"
#include "model/define/study_def.h"
#include "study/rest/balance.h"

enum { MAX_ITERATIONS = 200 };

static const double ROPE_OFF = 1e-6;       // of the length of a rope that is taut
static const double PRECISION = 1e-10;     // of the forces present
static const double LARGEST = 1e-5;        // of them, however stiff the machine is
static const double LARGEST_FORCE = 1e150; // N; squares of larger ones overflow
static const double LONGEST_TURN = 0.5;    // rad in one step
static const double MAX_TURNED = 12.6;     // rad in all: two turns
static const double MIN_RATE = 1e-290;     // less is none, and has no reciprocal
static const double NO_STIFFNESS = 1e-9;   // of the largest singular value


//---- states --------------------------------------------------------------------------------------

// the unknowns after the positions are states, measured by their units
typedef struct equilWork {
  balanceWork balance;
  double *unit;  // [memory_count] of each state: its value at the start, at least 1
  double *slow;  // [memory_count] rates that count as none, at the last Jacobian
  double *value; // [memory_count] in an evaluation
} equilWork;


static void enter_rest_states(balanceWork *w)
{
  const equilWork *own = (const equilWork *) (const void *) w;
  for (int k = 0; k < memory_count(w->m); k++) own->value[k] = w->push[k] * own->unit[k];
  memory_put(w->m, w->d, own->value);
}


// rates at rest; those that read accelerations need them
static void find_rest_rates(balanceWork *w, double *rate)
{
  if (w->nsupport == 0) return;
  int is_known = 1;
  if (memory_reads_accelerations(w->m)) {
    is_known = method_accelerate(w->m, w->d, ART_AUTOMATIC, NULL) == ART_OK;
  }
  if (is_known) memory_changes(w->m, w->d, rate);
  for (int k = 0; k < w->nsupport && !is_known; k++) rate[k] = NAN;
}


// Rows of rates count like forces: measured by what a unit of the states does to them. Rates count as none that rounding makes.
static void scale_rates(equilWork *own)
{
  balanceWork *w = &own->balance;
  for (int k = 0; k < w->nsupport; k++) {
    double by_states = 0, by_positions = 0;
    for (int j = 0; j < w->matrix.n; j++) {
      const double slope = fabs(w->matrix.J[(long) j * w->matrix.n + w->n + k]);
      if (j >= w->n) {
        by_states += slope * fmax(1, fabs(w->lambda[j - w->n]));
      } else {
        by_positions += slope;
      }
    }
    const double size = by_states + by_positions + fabs(w->g[w->n + k]);
    own->slow[k] = PRECISION * size;
    w->matrix.row[w->n + k] = size > MIN_RATE ? fmax(w->forces, 1) / size : 1;
  }
}


static int are_at_rest(const equilWork *own)
{
  const balanceWork *w = &own->balance;
  for (int k = 0; k < w->nsupport; k++) {
    if (!(fabs(w->g[w->n + k]) <= own->slow[k])) return 0;
  }
  return 1;
}


static artStatus no_rest(const equilWork *own, artError *error)
{
  const balanceWork *w = &own->balance;
  int worst = 0;
  double most = 0;
  for (int k = 0; k < w->nsupport; k++) {
    const double excess = fabs(w->g[w->n + k]) / fmax(own->slow[k], DBL_MIN);
    if (excess <= most) continue;
    most = excess;
    worst = k;
  }
  return base_fail(error, ART_NO_CONVERGENCE, memory_place(w->m, worst),
                   "no equilibrium was found near the given state: %s '%s' does not come to "
                   "rest, at %.6g its %s is %.6g",
                   worst < w->m->nrate ? "state" : "held value", memory_name(w->m, worst),
                   w->push[worst] * own->unit[worst], worst < w->m->nrate ? "rate" : "next change",
                   w->g[w->n + worst]);
}


//---- steps ---------------------------------------------------------------------------------------

// Columns are divided by their sizes. Columns of mere noise count as the largest, so that their steps stay small, and so
// do small ones that a turn of what is missing explains: there is no stiffness in them before the rest is in balance.
void equil_scale_columns(balanceWork *w)
{
  const int n = w->matrix.n;
  double *column = w->matrix.column, most = 0;
  for (int j = 0; j < n; j++) {
    const double *J = w->matrix.J + (long) j * n, *row = w->matrix.row;
    double sum = 0;
    for (int i = 0; i < n; i++) sum += row[i] * J[i] * (row[i] * J[i]);
    column[j] = sqrt(sum);
    most = max_nan(most, column[j]);
  }
  for (int j = 0; j < n; j++) {
    const int is_noise = !(column[j] > 1e-11 * most);
    const int is_turned = column[j] < 1e-6 * most && column[j] < 1000 * w->norm;
    column[j] = 1 / (!is_noise && !is_turned ? column[j] : most > 0 ? most : 1);
  }
}


// let it go: angles follow the forces, the worst of them by a tenth of a radian or less
static artStatus let_go(void *work, double *damping, int *moved, artError *error)
{
  balanceWork *w = work;
  double most = 0;
  (void) damping;
  (void) error;
  for (int k = 0; k < w->n; k++) {
    if (study_is_angular(w->m, w->free[k])) most = max_nan(most, fabs(w->g[k]));
  }
  double turn = 0.1;
  for (int tries = 0; tries < 4 && most > 0 && !*moved; tries++, turn /= 4) {
    for (int k = 0; k < w->n; k++) {
      w->step[k] = study_is_angular(w->m, w->free[k]) ? -turn * w->g[k] / most : 0;
    }
    memset(w->step + w->n, 0, (size_t) w->nsupport * sizeof *w->step);
    *moved = balance_probe(w) < w->norm;
    if (*moved) balance_take(w);
  }
  return ART_OK;
}


//---- the search ----------------------------------------------------------------------------------

int equil_is_balanced(const balanceWork *w)
{
  if (!isfinite(w->forces)) return 0;
  for (int k = 0; k < w->n; k++) {
    const double rounding = fmin(64 * DBL_EPSILON * balance_stiffness(w, k), LARGEST * w->forces);
    const double allowed = PRECISION * w->forces + rounding + DBL_MIN;
    if (!(fabs(w->g[k]) <= allowed)) return 0;
  }
  return 1;
}


// `why` tells the end of the search
static artStatus no_equilibrium(const balanceWork *w, const char *why, artError *error)
{
  const int worst = index_of_largest(w->n, w->g), k = w->free[worst];
  const modelJoint *joint = &w->m->joint[w->m->velocity[k].joint];
  return base_fail(
      error, ART_NO_CONVERGENCE, joint->place,
      "no equilibrium was found near the given state: %.300s; joint '%s' is worst, out "
      "of balance by %.6g %s in '%s'; start elsewhere, or give it something to rest "
      "on",
      why, joint->name, fabs(w->g[worst]), study_is_angular(w->m, k) ? "N m" : "N",
      w->m->velocity[k].name);
}


static artStatus linearise_equilibrium(void *work, newtonState *state, double *norm,
                                       artError *error)
{
  balanceWork *w = work;
  const artStatus status = balance_jacobian(w, error);
  if (status == ART_NO_CONVERGENCE) {
    // no derivative exists: a rate, or the next value of a sampler, that is not finite, or not where differences have looked
    const double *const looked[] = {w->g, w->space, w->space + w->matrix.n}; // there, ahead, behind
    for (int i = 0; i < 3 * w->nsupport; i++) {
      const int k = i % w->nsupport;
      const double rate = looked[i / w->nsupport][w->n + k];
      if (isfinite(rate)) continue;
      base_forget(error);
      return base_fail(error, ART_SINGULAR, memory_place(w->m, k),
                       "%s '%s' has no %s at t = %.9g s: its formula gives %g there",
                       k < w->m->nrate ? "state" : "held value", memory_name(w->m, k),
                       k < w->m->nrate ? "rate" : "next value", w->d->time, rate);
    }
    return status;
  }
  if (status != ART_OK) return status;
  if (w->nsupport > 0) {
    scale_rates(work);
    w->norm = balance_norm(w, w->g);
  }
  *norm = w->norm;
  const int is_near = equil_is_balanced(w) && are_at_rest(work);
  *state = w->norm == 0 ? NEWTON_THERE : is_near ? NEWTON_NEAR : NEWTON_FAR;
  equil_scale_columns(w);
  artError why = {0};
  const artStatus found = newton_decompose(&w->matrix, &why);
  if (found == ART_NO_CONVERGENCE && w->n > 0) return no_equilibrium(w, why.text, error);
  if (error && found) *error = why;
  return found;
}


//---- the result ----------------------------------------------------------------------------------

// Newton's method may take a joint through turns on its way; where forces have no potential nothing else
// stops it.
static artStatus check_turns(const balanceWork *w, artError *error)
{
  for (int i = 1; i < w->m->tree.n; i++) {
    const treeLink *link = &w->m->tree.link[i];
    if (link->kind != LINK_REVOLUTE) continue;
    const double turned = fabs(w->q[link->q0] - w->start[link->q0]);
    if (turned <= MAX_TURNED) continue;
    const modelJoint *joint = &w->m->joint[w->m->velocity[link->v0].joint];
    return base_fail(error, ART_NO_CONVERGENCE, joint->place,
                     "no equilibrium was found near the given state: joint '%s' ran away by %.3g "
                     "rad; start elsewhere, or take what is found with --nearest",
                     joint->name, turned);
  }
  return ART_OK;
}


// signs of the eigenvalues of the stiffness, which a change of units leaves as they are
static artStatus find_stability(balanceWork *w, artEquilibrium *result, artError *error)
{
  const modelElement *other = equil_without_potential(w->m);
  if (other) {
    result->no_potential = other->name;
    return ART_OK;
  }
  const artStatus status = equil_eigenvectors(w, error);
  if (status != ART_OK) return status;
  const double least = w->n > 0 ? w->matrix.s[w->n - 1] : 1;
  if (least > EQUIL_NEUTRAL) result->stable = 1;
  if (least < -EQUIL_NEUTRAL) result->stable = 0;
  if (result->stable < 0) {
    // the coordinate that moves most along the last eigenvector
    const double *Q = w->matrix.U + (long) (w->n - 1) * w->n;
    result->neutral = w->m->velocity[w->free[index_of_largest(w->n, Q)]].name;
  }
  return ART_OK;
}


// Ropes are slack or taut as at the start; is the machine at rest with them so?
static artStatus check_ropes(balanceWork *w, artError *error)
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


// the states that there are become unknowns after the positions
static artStatus take_equilibrium_states(equilWork *own, artError *error)
{
  balanceWork *w = &own->balance;
  const size_t n = (size_t) memory_count(w->m);
  own->unit = arena_alloc(&w->arena, n, sizeof *own->unit);
  own->slow = arena_alloc(&w->arena, n, sizeof *own->slow);
  own->value = arena_alloc(&w->arena, n, sizeof *own->value);
  if (!own->unit || !own->slow || !own->value) return base_no_memory(error);
  memory_get(w->m, w->d, own->value);
  for (size_t k = 0; k < n; k++) {
    own->unit[k] = fmax(1, fabs(own->value[k]));
    w->lambda[k] = w->push[k] = own->value[k] / own->unit[k];
  }
  w->unit = 1;
  w->enter = enter_rest_states;
  w->condition = find_rest_rates;
  return ART_OK;
}


// Where there is a potential no force reads a state: positions are found first, and states then.
static artStatus find_all(equilWork *own, int descends, artEquilibrium *result, artError *error)
{
  balanceWork *w = &own->balance;
  const int count = w->nsupport, has_potential = !equil_without_potential(w->m);
  artStatus status = count > 0 ? take_equilibrium_states(own, error) : ART_OK;
  w->nsupport = 0;
  if (status == ART_OK && descends && has_potential) {
    status = equil_descend(w, &result->iterations, error);
  }
  w->nsupport = count;
  if (status == ART_OK) {
    // iterate as long as there is something to gain; w->g and the Jacobian are left at the best positions
    const newtonProblem problem = {w, linearise_equilibrium, balance_attempt, balance_take, let_go};
    const newtonRule rule = newton_damping_rule(MAX_ITERATIONS);
    status = newton_search(&problem, &rule, &result->iterations, error);
  }
  if (status == ART_OK && !equil_is_balanced(w)) {
    char why[80];
    if (w->forces < LARGEST_FORCE) {
      snprintf(why, sizeof why, "%d iterations came to none", result->iterations);
    } else {
      format_text(why, sizeof why, "forces of %.3g N are too large to compute with", w->forces);
    }
    status = no_equilibrium(w, why, error);
  }
  if (status == ART_OK && !are_at_rest(own)) status = no_rest(own, error);
  if (status == ART_OK && descends && !has_potential) status = check_turns(w, error);

  // the positions decide on stability
  if (count > 0) memcpy(w->push, w->lambda, (size_t) count * sizeof *w->push);
  w->nsupport = 0;
  if (status == ART_OK && count > 0) status = balance_jacobian(w, error);
  if (status == ART_OK && count > 0) equil_scale_columns(w);
  if (status == ART_OK) status = find_stability(w, result, error);
  return status;
}


static artStatus find_static_equilibrium(equilWork *own, int descends, artEquilibrium *result,
                                         artError *error)
{
  balanceWork *w = &own->balance;
  const artModel *m = w->m;
  artData *d = w->d;
  w->nsupport = memory_count(m);
  artStatus status = balance_begin(w, error);
  if (status != ART_OK) return status;
  status = find_all(own, descends, result, error);
  result->residual = w->n > 0 ? fabs(w->g[index_of_largest(w->n, w->g)]) : 0;
  result->moved = study_distance(m, w->start, w->q);

  // leave the data there, at rest
  memcpy(d->q, w->q, (size_t) m->tree.nq * sizeof *d->q);
  artStatus at_rest = balance_missing(w, w->trial, status == ART_OK ? error : NULL);
  if (status == ART_OK && at_rest == ART_OK) at_rest = check_ropes(w, error);
  if (status == ART_OK && at_rest == ART_OK) at_rest = force_check_rules(m, d, error);
  memset(d->a, 0, (size_t) m->tree.nv * sizeof *d->a);
  return status == ART_OK ? at_rest : status;
}


static artStatus find_equilibrium(const artModel *m, artData *d, int descends,
                                  artEquilibrium *result, artError *error)
{
  *result = (artEquilibrium){.stable = -1};
  const artStatus possible = model_refuse_rolls(m, "an equilibrium", error);
  if (possible != ART_OK) return possible;
  equilWork w = {{.m = m, .d = d, .longest_turn = LONGEST_TURN, .no_stiffness = NO_STIFFNESS},
                 NULL,
                 NULL,
                 NULL};
  d->work->force->tyres = TYRES_STAND;
  const artStatus status = find_static_equilibrium(&w, descends, result, error);
  d->work->force->tyres = TYRES_ROLL;
  arena_free(&w.balance.arena);
  return status;
}


artStatus art_find_equilibrium(const artModel *m, artData *d, artEquilibrium *result,
                               artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(result, error);
  return find_equilibrium(m, d, 0, result, error);
}


artStatus art_find_stable_equilibrium(const artModel *m, artData *d, artEquilibrium *result,
                                      artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(result, error);
  return find_equilibrium(m, d, 1, result, error);
}


artStatus art_find_start(const artModel *m, artData *d, const artStartDef *start,
                         artEquilibrium *rest, artTrim *trim, artError *error)
{
  ARITHMETIC_GUARD;
  artEquilibrium own_rest;
  artTrim own_trim;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(start, error);
  const artEquilDef equil = {.start = *start};
  const artStatus status = model_check_study(ART_EQUIL, &equil, error);
  if (status != ART_OK) return status;
  force_begin_tables(m, d);
  if (start->speed != 0) return art_find_trim(m, d, start->speed, trim ? trim : &own_trim, error);
  return find_equilibrium(m, d, !start->nearest, rest ? rest : &own_rest, error);
}
