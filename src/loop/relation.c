// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Check derivatives of constraint functions by finite differences. With a wrong derivative, loops
// close slowly or not at all. With a wrong bias they drift silently until a projection closes them.
#include "loop/rows.h"

#include <math.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/numbers.h"

// step of the differences; tolerance relative to the largest difference, and absolute
static const double STEP = 1e-6, RELATIVE_TOLERANCE = 1e-3, ABSOLUTE_TOLERANCE = 1e-5;

typedef struct relationPoint {
  double h, slope[MODEL_LONGEST_RELATION]; // h and dh/dq
} relationPoint;


// at x + s u
static int evaluate_relation_at(const modelRelation *r, const double *x, double s, const double *u,
                                relationPoint *p)
{
  double at[MODEL_LONGEST_RELATION];
  for (int i = 0; i < r->n; i++) at[i] = x[i] + s * u[i];
  const artStatus status = r->user.value(r->user.context, at, &p->h, p->slope);
  arithmetic_renew();
  return status == ART_OK;
}


// does a derivative lie outside the one-sided differences and everything between them? (a kink is
// allowed)
static int is_derivative_off(double given, double left, double right, double size)
{
  const double least = fmin(left, right), most = fmax(left, right),
               miss = RELATIVE_TOLERANCE * size + ABSOLUTE_TOLERANCE;
  return isfinite(left) && isfinite(right) && (given < least - miss || given > most + miss);
}


// compare the directional derivative of h with differences of h
static artStatus check_slope(const modelRelation *r, const double *x, const double *u,
                             const relationPoint *p, double size, artError *error)
{
  relationPoint before, after;
  if (!evaluate_relation_at(r, x, -STEP, u, &before) ||
      !evaluate_relation_at(r, x, STEP, u, &after))
    return ART_OK;
  const double given = base_dot(r->n, p->slope, u), left = (p->h - before.h) / STEP,
               right = (after.h - p->h) / STEP;
  if (!is_derivative_off(given, left, right, fmax(size, fmax(fabs(left), fabs(right)))))
    return ART_OK;
  int k = 0;
  while (u[k] == 0) k++;
  return base_fail(error, ART_BAD_INPUT, r->place,
                   "the function of constraint '%s' gives dh/dq = %g for its coordinate %d, but h "
                   "itself changes by %g for each unit of it: correct the derivative",
                   r->name, given, k + 1, (left + right) / 2);
}


// compare the second directional derivative with differences of dh/dq
static artStatus check_bias(const modelRelation *r, const double *x, const double *u,
                            const relationPoint *p, double size, artError *error)
{
  relationPoint before, after;
  double given;
  if (!evaluate_relation_at(r, x, -STEP, u, &before) ||
      !evaluate_relation_at(r, x, STEP, u, &after))
    return ART_OK;
  const artStatus status = r->user.bias(r->user.context, x, u, &given);
  arithmetic_renew();
  if (status != ART_OK) return ART_OK;
  const double slope = base_dot(r->n, p->slope, u);
  const double left = (slope - base_dot(r->n, before.slope, u)) / STEP,
               right = (base_dot(r->n, after.slope, u) - slope) / STEP;
  if (!is_derivative_off(given, left, right, fmax(size, fmax(fabs(left), fabs(right)))))
    return ART_OK;
  return base_fail(
      error, ART_BAD_INPUT, r->place,
      "the bias of constraint '%s' is %g where the derivatives dh/dq change by %g when "
      "coordinates move at rates of one unit: correct the bias",
      r->name, given, (left + right) / 2);
}


static artStatus check_relation(const artData *d, const modelRelation *r, artError *error)
{
  ART_ASSERT(r->n <= MODEL_LONGEST_RELATION);
  double x[MODEL_LONGEST_RELATION], u[MODEL_LONGEST_RELATION] = {0}, size = 0;
  const double none[MODEL_LONGEST_RELATION] = {0};
  relationPoint p;
  for (int i = 0; i < r->n; i++) x[i] = d->q[r->position[i]];
  if (!evaluate_relation_at(r, x, 0, none, &p)) return ART_OK;
  for (int i = 0; i < r->n; i++) size = fmax(size, fabs(p.slope[i]));
  artStatus status = ART_OK;
  for (int i = 0; i < r->n && status == ART_OK; i++) {
    u[i] = 1;
    status = check_slope(r, x, u, &p, size, error);
    u[i] = 0;
  }

  // in two directions, because terms that cancel in one direction remain in the other
  for (int turn = 0; turn < 2 && status == ART_OK; turn++) {
    for (int i = 0; i < r->n; i++) u[i] = turn && i % 2 ? -1 : 1;
    status = check_bias(r, x, u, &p, size, error);
  }
  return status;
}


artStatus relation_check_all(const artModel *m, const artData *d, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < m->nrelation && status == ART_OK; i++) {
    if (m->relation[i].user.value) status = check_relation(d, &m->relation[i], error);
  }
  return status;
}
