// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Runge-Kutta pair of Dormand and Prince, order 5(4), with proportional-integral step control
// and a continuous extension of order 4 (Hairer, Norsett, Wanner, Solving Ordinary Differential
// Equations I, sections II.4 to II.6).
#include <math.h>
#include <string.h>

#include "step/runge_kutta.h"
#include "step/stepper.h"

enum {
  STAGES = DOPRI5_BENDS,
  MAX_FAILURES = 40, // of rate in one step
  MAX_BARRED = 200,  // see is_barred
};

// step control: h is divided by  err^(1/5 - 3/4 BETA) err_old^-BETA, and a little more, within bounds
static const double BRIEF = 1e-9; // of the time in view
enum { ORDER = 4 };               // of the formula that the first step has in view
static const double BETA = 0.04, FASTEST = 10;


// the rates at the start of the step
static artStatus first_stage(stepper *s, artError *error)
{
  stepState *st = &s->state;
  if (st->resume == STEP_GO_ON) {
    memcpy(step_array(s, 0), step_array(s, STAGES - 1), (size_t) s->problem.n * sizeof(double));
    return ART_OK;
  }
  if (step_rate(s, st->t_old, s->y_old, step_array(s, 0))) return step_rate_failed(s, error);
  if (st->resume == STEP_RESTART) {
    st->error_old = 1e-4;
    if (st->h == 0) st->h = step_first(s, ORDER, step_array(s, 0), step_array(s, 1));

    // a step that an event cut short is no reason for a longer one
    if (st->span > 0) st->h = fmin(st->h, st->span);
  }
  return ART_OK;
}


static double error_norm(stepper *s, double h)
{
  const int n = s->problem.n;
  for (int j = 0; j < n; j++) s->f_side[0][j] = dopri5_error(n, h, s->work, j);
  return step_norm(s, s->f_side[0], s->y_old, s->y_new);
}


// coefficients of  y(x) = y0 + x (r0 + (1-x) (r1 + x (r2 + (1-x) r3))),  x from 0 to 1
static void continuous_extension(stepper *s, double h)
{
  ART_ASSERT(h > 0);
  const double *k_first = step_array(s, 0), *k_last = step_array(s, STAGES - 1);
  double *r0 = step_array(s, DOPRI5_BENDS), *r1 = step_array(s, DOPRI5_BENDS + 1);
  double *r2 = step_array(s, DOPRI5_BENDS + 2), *r3 = step_array(s, DOPRI5_BENDS + 3);
  for (int j = 0; j < s->problem.n; j++) {
    r0[j] = s->y_new[j] - s->y_old[j];
    r1[j] = h * k_first[j] - r0[j];
    r2[j] = r0[j] - h * k_last[j] - r1[j];
    r3[j] = dopri5_bend(s->problem.n, h, s->work, j);
  }
}


// the step to try next after a step of length h with the error err; longer only after a success
static double dopri5_next_step(const stepState *st, double h, double err, int tried_before)
{
  ART_ASSERT(h > 0);
  const double grown = pow(err, 0.2 - 0.75 * BETA);
  if (!(err <= 1)) return rk_next_length(h, grown, FASTEST);

  const double h_next = rk_next_length(h, grown / pow(st->error_old, BETA), FASTEST);
  return tried_before ? fmin(h, h_next) : h_next;
}


// Where rates end at a border of y, steps so short that rounding makes nothing of them would go on before it for
// ever: short steps before which rate has failed count 2, other short ones -1.
static int is_barred(stepper *s, double h, int failures)
{
  const int is_brief = h < BRIEF * s->options.whole;
  const int change = failures > 0 ? 2 : s->barred > 0 ? -1 : 0;
  s->barred = is_brief ? s->barred + change : 0;
  return s->barred > MAX_BARRED;
}


// Does a step of length *h end at the stop, or so near that the next one would be short? Then *h is the way there.
static int ends_at_stop(const stepState *st, double *h)
{
  const double stop = step_barrier(st);
  if (!(st->t_old + 1.01 * *h >= stop)) return 0;
  *h = stop - st->t_old;
  return 1;
}


dopri5Try dopri5_try(stepper *s, int is_again)
{
  stepState *st = &s->state;
  double h = fmin(st->h, step_longest(s, s->y_old));
  const double wanted = h, error_old = st->error_old;
  const int is_cut = ends_at_stop(st, &h);
  if (st->t_old + 0.1 * h == st->t_old) return (dopri5Try){.h = h, .is_too_short = 1};

  const artStatus status = (artStatus) dopri5_step(step_rates, s, s->problem.n, st->t_old, h,
                                                   s->y_old, s->work, s->y_side, s->y_new);
  const double err = status ? HUGE_VAL : error_norm(s, h);
  st->h = status ? 0.5 * h : dopri5_next_step(st, h, err, is_again);
  if (!(err <= 1)) {
    st->counts.rejected++;
    return (dopri5Try){.h = h, .status = status};
  }
  // a step that was cut at the stop says nothing against the one in mind
  st->error_old = is_cut && h < wanted ? error_old : fmax(err, 1e-4);
  if (is_cut) st->h = fmax(st->h, wanted);
  st->span = h;
  st->t_end = is_cut ? step_barrier(st) : st->t_old + h;
  continuous_extension(s, h);
  return (dopri5Try){.h = h, .stands = 1};
}


static artStatus dopri5_attempt(stepper *s, artError *error)
{
  const artStatus first = first_stage(s, error);
  if (first) return first;

  dopri5Try now = {0};
  artStatus status = ART_OK;
  int failures = 0;
  for (int tries = 0; !(status == ART_STOPPED || failures > MAX_FAILURES); tries++) {
    now = dopri5_try(s, tries > 0);
    if (now.is_too_short) break;
    status = now.status;
    if (now.stands) {
      stiffness_watch(s, now.h);
      return is_barred(s, now.h, failures) ? step_rate_failed(s, error) : ART_OK;
    }
    if (status) failures++;
  }
  return status ? step_rate_failed(s, error) : step_too_small(s, now.h, error);
}


artStatus dopri5_dense(stepper *s, double t, double *y, artError *error)
{
  ART_ASSERT(s->state.span > 0);
  (void) error;
  const double x = (t - s->state.t_old) / s->state.span;
  const double *r0 = step_array(s, DOPRI5_BENDS), *r1 = step_array(s, DOPRI5_BENDS + 1);
  const double *r2 = step_array(s, DOPRI5_BENDS + 2), *r3 = step_array(s, DOPRI5_BENDS + 3);
  for (int j = 0; j < s->problem.n; j++) {
    y[j] = s->y_old[j] + x * (r0[j] + (1 - x) * (r1[j] + x * (r2[j] + (1 - x) * r3[j])));
  }
  return ART_OK;
}


const stepKind step_dopri5 = {.name = "dopri5",
                              .arrays = DOPRI5_ARRAYS,
                              .settles = 1,
                              .noise = 0.08,
                              .attempt = dopri5_attempt,
                              .dense = dopri5_dense};
