// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps that rounding keeps short.
//
// Rounding moves y by its last digit, and so the rates by  df = f(y (1 + eps)) - f(y).  In a stiff machine h df may be
// more than the tolerance allows: then the error that a method sees is rounding, its steps shrink until they are as
// short as that, and no step control helps. Such steps are found by a probe of df now and then, where steps are short
// against the time in view. A run that would take more than MOST of them ends with a message.
//
// So does one that would take HOPELESS steps for another reason, such as a vibration of a stiff part that it follows by steps
// that no part of a machine asks for.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "step/stepper.h"

enum {
  EVERY = 200,   // short steps between two probes
  LOOK = 100000, // steps between two looks at the pace
  LOOKS = 5,     // in a row
  MORE = 20, // probes that find rounding to rule beyond those that do not: no impact lasts so long
};

// Steps of the present length in the time in view: number that calls for probes, number that is too many, and number that
// takes hours even in the smallest machine.
static const double FEWEST = 1e4, MOST = 1e5, HOPELESS = 1e9;

// s; longer ones are not stiff, however far away the end may be: programs that lead runs set it as far as they like
static const double SHORT = 1e-7;

// The part of the tolerance that rounding takes up where it rules the steps: in the mean, measured 0.8 to 6 there
// (bdf, adams and dopri5 on stiff springs in polar coordinates), and below 0.7 where the motion determines the steps.
static const double RULES = 0.8;


// the rates at y_new into f_side[0]; of f_side[1], what rounding of y changes in them over the step; 0: not known
static int probe_rounding(stepper *s)
{
  const int n = s->problem.n, turn = (int) (s->state.brief / EVERY);
  double *moved = s->f_side[1];
  for (int k = 0; k < n; k++) {
    s->y_side[k] = s->y_new[k] * (1 + ((k + turn) % 2 ? DBL_EPSILON : -DBL_EPSILON));
  }
  const stepFailure before = s->failure;
  const double t = s->state.t_new;
  const int is_known =
      !step_rate(s, t, s->y_side, moved) && !step_rate(s, t, s->y_new, s->f_side[0]);
  s->failure = before;
  for (int k = 0; k < n; k++) moved[k] = s->state.span * (moved[k] - s->f_side[0][k]);
  return is_known;
}


static artStatus report_stalled_steps(const stepper *s, double steps, artError *error)
{
  // the component that rounding moves most, against its tolerance
  const stepOptions *o = &s->options;
  char name[STEP_NAME_LENGTH];
  int worst = 0;
  double most = 0;
  for (int k = 0; k < s->problem.n; k++) {
    const double size = fabs(s->f_side[1][k]) / (o->absolute + o->relative * fabs(s->y_new[k]));
    if (size > most) most = size, worst = k;
  }
  return base_fail(
      error, ART_STEP_TOO_SMALL, base_nowhere(),
      "%s crawls at t = %.9g s: its steps of %.2g s are as long as rounding allows, for the "
      "last digits of the state change the rate of %s by more than a tolerance of %g "
      "permits, and %.6g s would take %.1e of them; ask for a tolerance of %.0e or more, or "
      "make what is stiff there softer or rigid",
      s->kind->name, s->state.t_new, s->state.span, step_name(s, worst, name), o->relative,
      o->whole, steps, 10 * o->relative);
}


// the unknown with a name by which rates change most at the end of the step, and by how much; -1: none
static int steepest_unknown(stepper *s, double *slope)
{
  const stepProblem *p = &s->problem;
  double *f = s->f_side[0], *moved = s->f_side[1];
  int best = -1;
  *slope = 0;
  if (step_rate(s, s->state.t_new, s->y_new, f)) return -1;
  memcpy(s->y_side, s->y_new, (size_t) p->n * sizeof *s->y_side);
  for (int k = 0; k < p->n; k++) {
    if (p->name && !p->name(p->context, k)) continue;
    s->y_side[k] += sqrt(DBL_EPSILON) * (1 + fabs(s->y_side[k]));
    const double way = s->y_side[k] - s->y_new[k];
    const artStatus status = step_rate(s, s->state.t_new, s->y_side, moved);
    s->y_side[k] = s->y_new[k];
    for (int i = 0; i < p->n && !status; i++) {
      const double here = fabs(moved[i] - f[i]) / way;
      if (here > *slope) *slope = here, best = k;
    }
  }
  return best;
}


static artStatus report_pace(stepper *s, double steps, artError *error)
{
  const stepProblem *p = &s->problem;
  char name[STEP_NAME_LENGTH];
  double slope;
  const int k = steepest_unknown(s, &slope);
  const artPlace place = k >= 0 && p->place ? p->place(p->context, k) : base_nowhere();
  return base_fail(error, ART_STEP_TOO_SMALL, place,
                   "%s does not get on at t = %.9g s: with steps of %.2g s, %.6g s would take %.1e "
                   "of them; rates change most by %s, by %.3g per unit of it: make what is stiff "
                   "there softer or rigid, or ask for a larger tolerance or a shorter time",
                   s->kind->name, s->state.t_new, s->state.span, s->options.whole, steps,
                   k >= 0 ? step_name(s, k, name) : "nothing that has a name", slope);
}


// Steps that end at stops, which controllers set as near as they like, do not count.
static artStatus watch_pace(stepper *s, artError *error)
{
  stepState *st = &s->state;
  if (st->t_end == st->stop || ++st->strolled % LOOK != 0) return ART_OK;
  const double passed = st->t_new - st->looked, steps = s->options.whole / passed * LOOK;
  st->looked = st->t_new;
  st->slow = steps > HOPELESS && passed < SHORT * LOOK ? st->slow + 1 : 0;
  return st->slow < LOOKS ? ART_OK : report_pace(s, steps, error);
}


artStatus stall_watch(stepper *s, artError *error)
{
  stepState *st = &s->state;
  const artStatus status = s->kind->noise > 0 ? watch_pace(s, error) : ART_OK;
  if (status) return status;
  if (s->kind->noise == 0 || !(s->options.whole > FEWEST * st->span)) return ART_OK;
  if (++st->brief % EVERY != 0 || !probe_rounding(s)) return ART_OK;
  const double now = s->kind->noise * step_norm(s, s->f_side[1], s->y_new, s->y_new);
  if (!(now > RULES)) {
    st->ruled -= st->ruled > 0;
    return ART_OK;
  }
  st->ruled++;
  st->counts.rounding += EVERY;
  const double steps = s->options.whole / st->span;
  return st->ruled >= MORE && steps > MOST ? report_stalled_steps(s, steps, error) : ART_OK;
}
