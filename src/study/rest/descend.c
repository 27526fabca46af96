// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Descent on the potential energy V of a machine at rest, with gradient g and second derivatives H.
//
// Newton's method gives the steps, with the signs of negative eigenvalues changed, so that all of them
// lead down, within a region in which the quadratic model of V is trusted. Where g vanishes on a ridge or
// a saddle, the machine is pushed off along the steepest way down.
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "num/dense.h"
#include "study/rest/balance.h"

enum { MAX_STEPS = 400 };

static const double FIRST_RADIUS = 0.3; // rad, or part of the machine's length
static const double MIN_RADIUS = 1e-9;
static const double PUSH = 0.1;       // off a ridge
static const double TOO_FAR = 1e4;    // the potential falls without end
static const double ROUNDING = 1e-14; // of the energies that make up the potential


//---- the potential -------------------------------------------------------------------------------

// a force in a joint that depends on nothing but rates and the time is constant at rest
static int is_constant_at_rest(const artModel *m, const formula *f)
{
  for (int i = 0; i < m->nquantity; i++) {
    const quantityKind kind = m->quantity[i].kind;
    if (kind != QUANTITY_TIME && kind != QUANTITY_VELOCITY && formula_uses(f, i)) return 0;
  }
  return 1;
}


// At rest dampers and friction do nothing, springs and stops have a potential; a constant force in
// a joint has one too.
static int has_potential(const artModel *m, const modelElement *e)
{
  if (e->call.function || e->tyre || e->pushes_at_rest) return 0;
  if (e->kind == ELEMENT_callback) return e->has_potential;
  if (!e->formula[0]) return 1;
  return e->nterm > 0 ? !e->text[0] && is_constant_at_rest(m, e->formula[0]) : e->has_potential;
}


const modelElement *equil_without_potential(const artModel *m)
{
  for (int i = 0; i < m->nelement; i++) {
    if (!has_potential(m, &m->element[i])) return &m->element[i];
  }
  return NULL;
}


// V at the positions in the data, at rest, constant forces in joints included
static double potential_at_rest(const balanceWork *w)
{
  const artModel *m = w->m;
  double sum = art_energy(m, w->d).potential;
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (e->nterm == 0 || !e->formula[0]) continue;
    const double force = w->d->work->value[e->value0];
    for (int k = 0; k < e->nterm; k++) {
      sum -= force * e->term[k].c * w->d->q[e->term[k].position];
    }
  }
  return sum;
}


//---- steps ---------------------------------------------------------------------------------------

artStatus equil_eigenvectors(balanceWork *w, artError *error)
{
  const int n = w->n;
  double shift = 1;
  equil_scale_columns(w);
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
      const double symmetric =
          0.5 * (w->matrix.J[(long) j * n + i] + w->matrix.J[(long) i * n + j]);
      w->matrix.scaled[(long) j * n + i] =
          symmetric * sqrt(w->matrix.column[i] * w->matrix.column[j]);
      sum += fabs(w->matrix.scaled[(long) j * n + i]);
    }
    shift = fmax(shift, 2 * sum);
  }
  // singular values of a positive definite matrix are its eigenvalues
  for (int j = 0; j < n; j++) w->matrix.scaled[(long) j * n + j] += shift;
  const artStatus status =
      num_singular_values(n, w->matrix.scaled, w->matrix.U, w->matrix.s, w->matrix.Vt, error);
  for (int i = 0; i < n; i++) w->matrix.s[i] -= shift;
  return status;
}


// the steepest way off a ridge: the last eigenvector
static void lay_push(balanceWork *w, double way)
{
  const double *Q = w->matrix.U + (long) (w->n - 1) * w->n;
  for (int k = 0; k < w->n; k++) w->step[k] = way * Q[k] * sqrt(w->matrix.column[k]);
}


// w->move = R step, and step, made as long as the radius, or left shorter
static void lay_move(balanceWork *w, double radius, int is_push)
{
  const int nv = w->m->tree.nv;
  double most = 0;
  for (int k = 0; k < nv; k++) {
    w->move[k] = 0;
    for (int i = 0; i < w->n; i++) w->move[k] += w->R[(long) k * w->n + i] * w->step[i];
    most = max_nan(most, fabs(w->move[k]) / (study_is_angular(w->m, k) ? 1 : w->length));
  }
  const double factor = is_push || most > radius ? radius / most : 1;
  for (int k = 0; k < nv; k++) w->move[k] *= factor;
  for (int i = 0; i < w->n; i++) w->step[i] *= factor;
}


// the decrease that the quadratic model of V promises:  g.p + p.H p / 2
static double predict_potential_change(const balanceWork *w)
{
  const int n = w->n;
  double sum = 0;
  for (int j = 0; j < n; j++) {
    sum += w->g[j] * w->step[j];
    for (int i = 0; i < n; i++)
      sum += 0.5 * w->step[i] * w->matrix.J[(long) j * n + i] * w->step[j];
  }
  return sum;
}


// How much V changes along w->move; the data is left there. Loops that come out far from where the move
// leads have changed their branch.
static double potential_change(balanceWork *w, double before, double radius)
{
  if (balance_missing_moved(w, w->trial, NULL) != ART_OK) return HUGE_VAL;
  const double jump = study_distance(w->m, w->q, w->d->q);
  return jump > 4 * radius * fmax(1, w->length) ? HUGE_VAL : potential_at_rest(w) - before;
}


static void take_descent_positions(balanceWork *w)
{
  memcpy(w->q, w->d->q, (size_t) w->m->tree.nq * sizeof *w->q);
}


//---- the way down --------------------------------------------------------------------------------

// off a ridge, to whichever side leads down farther; 0 when none does
static int push_off(balanceWork *w, double before, double radius)
{
  double best = 0, way = 0;
  for (int side = 1; side >= -1; side -= 2) {
    lay_push(w, side);
    lay_move(w, radius, 1);
    const double now = potential_change(w, before, radius);
    if (now < best) best = now, way = side;
  }
  if (way == 0) return 0;
  lay_push(w, way);
  lay_move(w, radius, 1);
  (void) potential_change(w, before, radius);
  take_descent_positions(w);
  return 1;
}


// a step down within the radius, which follows how well V keeps to its model; 0 when there is none
static int step_down(balanceWork *w, double before, double *radius)
{
  for (; *radius > MIN_RADIUS; *radius /= 4) {
    // step = -C^1/2 Q |Lambda|^-1 Q^T C^1/2 g, with C the scales of the columns
    const int n = w->n;
    memset(w->step, 0, (size_t) n * sizeof *w->step);
    for (int i = 0; i < n; i++) {
      const double *Q = w->matrix.U + (long) i * n;
      double share = 0;
      for (int k = 0; k < n; k++) share += Q[k] * w->g[k] * sqrt(w->matrix.column[k]);
      share /= fmax(fabs(w->matrix.s[i]), EQUIL_NEUTRAL);
      for (int k = 0; k < n; k++) w->step[k] -= share * Q[k] * sqrt(w->matrix.column[k]);
    }

    lay_move(w, *radius, 0);
    const double promised = predict_potential_change(w), got = potential_change(w, before, *radius);
    if (!(got < 0.1 * promised) || !(promised < 0)) continue;
    take_descent_positions(w);
    const double ratio = got / promised;
    if (ratio > 0.75) *radius = fmax(*radius, fmin(2 * *radius, FIRST_RADIUS));
    if (fabs(ratio - 1) < 1e-6) *radius *= 2;
    return 1;
  }
  return 0;
}


// where V has become so flat that rounding hides the way down
static int is_flat(const balanceWork *w, double V)
{
  double promised = 0;
  for (int i = 0; i < w->n; i++) {
    double share = 0;
    for (int k = 0; k < w->n; k++) {
      share += w->matrix.U[(long) i * w->n + k] * w->g[k] * sqrt(w->matrix.column[k]);
    }
    promised += 0.5 * share * share / fmax(fabs(w->matrix.s[i]), EQUIL_NEUTRAL);
  }
  return promised <= ROUNDING * (fabs(V) + w->forces * w->length);
}


artStatus equil_descend(balanceWork *w, int *iterations, artError *error)
{
  double radius = FIRST_RADIUS;
  for (int i = 0; i < MAX_STEPS; i++, ++*iterations) {
    artStatus status = balance_jacobian(w, error);
    if (status == ART_OK) status = equil_eigenvectors(w, error);
    if (status != ART_OK || w->n == 0) return status;

    memset(w->move, 0, (size_t) w->m->tree.nv * sizeof *w->move);
    const double V =
        balance_missing_moved(w, w->trial, NULL) == ART_OK ? potential_at_rest(w) : NAN;
    const int is_ridge = w->matrix.s[w->n - 1] < -EQUIL_NEUTRAL;
    if (is_ridge && (equil_is_balanced(w) || is_flat(w, V))) {
      if (!push_off(w, V, PUSH) && !push_off(w, V, PUSH / 100)) return ART_OK;
      continue;
    }
    if (equil_is_balanced(w) || is_flat(w, V) || !step_down(w, V, &radius)) return ART_OK;
    if (study_distance(w->m, w->start, w->q) > TOO_FAR * fmax(1, w->length)) {
      // back to the start, with the coordinate that the last step moved most
      const artModel *m = w->m;
      int worst = 0;
      double most = 0;
      for (int j = 0; j < w->n; j++) {
        const int k = w->free[j];
        const double size = fabs(w->move[k]) / (study_is_angular(m, k) ? 1 : w->length);
        if (size > most) most = size, worst = j;
      }
      memcpy(w->q, w->start, (size_t) m->tree.nq * sizeof *w->q);
      const int k = w->free[worst];
      const modelJoint *joint = &m->joint[m->velocity[k].joint];
      return base_fail(
          error, ART_NO_CONVERGENCE, joint->place,
          "there is no equilibrium: the potential energy falls without end along joint "
          "'%s', which is out of balance by %.6g %s in '%s'; give it something to rest on",
          joint->name, fabs(w->g[worst]), study_is_angular(m, k) ? "N m" : "N",
          m->velocity[k].name);
    }
  }
  return ART_OK;
}
