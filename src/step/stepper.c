// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The stepper: segments of smooth motion one after the other, and output read off them.
#include "step/stepper.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/max_nan.h"
#include "base/memory.h"

// of the tolerance: rounding that y may have where it is read off within a step
static const double READABLE = 1e-4;

static const stepKind *const KINDS[] = {
    [STEP_RK4] = &step_rk4,     [STEP_DOPRI5] = &step_dopri5, [STEP_BDF] = &step_bdf,
    [STEP_ADAMS] = &step_adams, [STEP_MOREAU] = &step_moreau,
};


stepOptions step_default_options(void)
{
  return (stepOptions){.method = STEP_DOPRI5, .relative = 1e-8, .absolute = 1e-10};
}


const char *step_method_name(stepMethod method)
{
  ART_ASSERT((unsigned) method <= STEP_MOREAU);
  return KINDS[method]->name;
}


double step_time(const stepper *s)
{
  return s->state.t_new;
}


double step_begin(const stepper *s)
{
  return s->state.t_old;
}


const double *step_end(const stepper *s)
{
  return s->y_new;
}


double step_length(const stepper *s)
{
  return s->state.span;
}


const stepCounts *step_counts(const stepper *s)
{
  return &s->state.counts;
}


//---- creation ------------------------------------------------------------------------------------

static int is_step_length(double x)
{
  return isfinite(x) && x >= 0;
}


static artStatus check_step_options(const stepOptions *o, artError *error)
{
  const artPlace here = base_nowhere();

  if ((unsigned) o->method > STEP_MOREAU) {
    return base_fail(error, ART_BAD_INPUT, here, "integrator number %d does not exist",
                     (int) o->method);
  }
  if (!is_step_length(o->step) || (step_is_given(o) && o->step == 0)) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the step is %g, expected a positive number of seconds%s", o->step,
                     step_is_given(o) ? "" : ", or 0 to have it chosen");
  }
  if (!step_is_given(o) &&
      (!is_step_length(o->relative) || !(o->absolute > 0 && o->absolute < 1e300))) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the tolerances are relative %g and absolute %g, expected relative >= 0 and "
                     "absolute > 0",
                     o->relative, o->absolute);
  }
  ART_ASSERT(!o->changes_over || o->method == STEP_DOPRI5);
  if (!is_step_length(o->longest) || o->most_steps < 0) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the bounds on steps are %g s and %ld steps, expected positive numbers, or 0 "
                     "for none",
                     o->longest, o->most_steps);
  }
  return ART_OK;
}


// the kind whose memory the stepper needs
static const stepKind *largest_kind(const stepper *s)
{
  return s->stiff_kind ? s->stiff_kind : s->kind;
}


static int take_stepper_block(stepper *s)
{
  const size_t n = s->problem.n > 0 ? (size_t) s->problem.n : 1;
  const size_t g = (size_t) s->problem.nswitch, arrays = (size_t) largest_kind(s)->arrays;
  const size_t numbers = (5 + arrays) * n + 8 * g;
  s->block_size = numbers * sizeof(double) + 2 * g * sizeof(int);
  s->block = mem_alloc(1, s->block_size);
  if (!s->block) return 0;

  double *next = s->block;
  double **vectors[] = {&s->y_old, &s->y_new, &s->y_side, &s->f_side[0], &s->f_side[1]};
  double **functions[] = {&s->g_before, &s->g_old,  &s->g_new,   &s->g_side,
                          &s->g_most,   &s->g_zero, &s->g_noise, &s->watch};
  for (int i = 0; i < 5; i++, next += n) *vectors[i] = next;
  for (int i = 0; i < 8; i++, next += g) *functions[i] = next;
  s->work = next;
  s->fired = (int *) (void *) (s->work + arrays * n);
  s->rested = s->fired + g;
  return 1;
}


artStatus step_create(stepper **out, const stepOptions *options, const stepProblem *problem,
                      double t0, const double *y0, artError *error)
{
  ART_ASSERT(problem->n >= 0 && problem->nswitch >= 0 && problem->rate);
  ART_ASSERT(problem->nswitch == 0 || (problem->switches && problem->switch_mode));
  *out = NULL;
  artStatus status = check_step_options(options, error);
  if (status) return status;
  if (!isfinite(t0)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the start time is not finite");
  }
  for (int k = 0; k < problem->n; k++) {
    if (isfinite(y0[k])) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the initial y[%d] is not finite", k);
  }

  stepper *s = MEM_ARRAY(stepper, 1);
  if (!s) return base_no_memory(error);
  s->problem = *problem;
  s->options = *options;
  s->kind = s->first_kind = KINDS[options->method];
  if (options->changes_over && step_bdf.attempt) s->stiff_kind = &step_bdf;
  s->state = (stepState){.t0 = t0, .t_old = t0, .t_new = t0, .t_end = t0, .looked = t0};
  s->state.stop = s->state.seen = s->state.told = s->state.t_before = INFINITY;
  s->state.pace = options->step;
  s->state.resume = STEP_RESTART;
  s->state.instant = -HUGE_VAL;
  s->state.h = options->step;

  if (!take_stepper_block(s)) {
    status = base_no_memory(error);
  } else {
    memcpy(s->y_old, y0, (size_t) problem->n * sizeof(double));
    memcpy(s->y_new, y0, (size_t) problem->n * sizeof(double));
    events_open(s);
    s->kind = largest_kind(s);
    if (s->kind->open) status = s->kind->open(s, error);
    s->kind = s->first_kind;
  }
  if (status) {
    step_free(s);
    return status;
  }
  *out = s;
  return ART_OK;
}


void step_free(stepper *s)
{
  if (!s) return;
  if (largest_kind(s)->close) largest_kind(s)->close(s);
  mem_free(s->block);
  mem_free(s);
}


//---- rates ---------------------------------------------------------------------------------------

double step_longest(const stepper *s, const double *y)
{
  const stepProblem *p = &s->problem;
  const double given = s->options.longest > 0 ? s->options.longest : INFINITY;
  return p->longest ? fmin(given, p->longest(p->context, y)) : given;
}


artStatus step_rate(stepper *s, double t, const double *y, double *ydot)
{
  s->state.counts.evaluations++;
  if (t > s->state.stop) t = s->state.stop; // by the rounding of t + h
  const artStatus status = s->problem.rate(s->problem.context, t, y, ydot);
  if (status) {
    s->failure = (stepFailure){status, t, -1};
    return status;
  }
  for (int k = 0; k < s->problem.n; k++) {
    if (isfinite(ydot[k])) continue;
    s->failure = (stepFailure){ART_NO_CONVERGENCE, t, k};
    return ART_NO_CONVERGENCE;
  }
  return ART_OK;
}


int step_rates(void *s, double t, double *y, double *ydot)
{
  return (int) step_rate(s, t, y, ydot);
}


const char *step_name(const stepper *s, int k, char name[STEP_NAME_LENGTH])
{
  const stepProblem *p = &s->problem;
  const char *known = p->name ? p->name(p->context, k) : NULL;
  if (known) return known;
  snprintf(name, STEP_NAME_LENGTH, "y[%d]", k);
  return name;
}


artStatus step_rate_failed(const stepper *s, artError *error)
{
  const stepFailure *f = &s->failure;
  if (f->component >= 0) {
    char name[STEP_NAME_LENGTH];
    const stepProblem *p = &s->problem;
    const artPlace place = p->place ? p->place(p->context, f->component) : base_nowhere();
    return base_fail(error, f->status, place,
                     "the rate of %s is not finite at t = %.17g: the motion left the range of "
                     "its equations; a shorter step or a tighter tolerance may help",
                     step_name(s, f->component, name), f->t);
  }
  return base_fail(error, f->status, base_nowhere(), "the rates failed at t = %.17g: %s", f->t,
                   art_status_text(f->status));
}


int step_rate_failed_ahead(const stepper *s)
{
  return s->failure.status && s->failure.t > s->state.t_old;
}


// the unknown with the largest rate at the beginning of the step, by its size; -1: rates are not known there
static int quickest_unknown(stepper *s, double *rate)
{
  int best = -1;
  double most = 0;
  if (step_rate(s, s->state.t_old, s->y_old, s->f_side[0])) return -1;
  for (int k = 0; k < s->problem.n; k++) {
    const double part = fabs(s->f_side[0][k]) / (1 + fabs(s->y_old[k]));
    const int is_named = !s->problem.name || s->problem.name(s->problem.context, k);
    if (!is_named || !(part > most)) continue;
    most = part;
    best = k;
    *rate = s->f_side[0][k] * (s->problem.units ? s->problem.units[k] : 1);
  }
  return best;
}


artStatus step_too_small(stepper *s, double h, artError *error)
{
  if (step_rate_failed_ahead(s)) return step_rate_failed(s, error);
  char name[STEP_NAME_LENGTH], words[STEP_NAME_LENGTH + 160] = "";
  double rate;
  const stepProblem *p = &s->problem;
  const int k = quickest_unknown(s, &rate);
  if (k >= 0) {
    format_text(words, sizeof words, " (%.100s changes by %.3g per s)", step_name(s, k, name),
                rate);
  }
  const artPlace place = k >= 0 && p->place ? p->place(p->context, k) : base_nowhere();
  return base_fail(error, ART_STEP_TOO_SMALL, place,
                   "%s needs a step of %.3g at t = %.17g%s, which rounding does not allow; the "
                   "motion may be singular there, or the tolerance too tight",
                   s->kind->name, h, s->state.t_old, words);
}


//---- one segment ---------------------------------------------------------------------------------

static size_t stepper_state_bytes(const stepper *s)
{
  return (size_t) s->problem.n * sizeof(double);
}


// forget the step that was tried: the segment is the point where it began
static void reject_step(stepper *s)
{
  stepState *st = &s->state;
  st->t_new = st->t_end = st->t_old;
  memcpy(s->y_new, s->y_old, stepper_state_bytes(s));
  st->pending = 0;
  st->resume = STEP_RESTART;
}


// where modes have changed y may jump
static artStatus jump_at_event(stepper *s, artError *error)
{
  const stepProblem *p = &s->problem;
  return p->jump ? p->jump(p->context, s->state.t_new, s->y_new, error) : ART_OK;
}


// the same at the beginning of a step
static artStatus jump_off(stepper *s, artError *error)
{
  const artStatus status = jump_at_event(s, error);
  memcpy(s->y_old, s->y_new, stepper_state_bytes(s));
  return status;
}


// change the mode where the last segment ended, if it ended with an event
static artStatus switch_fired(stepper *s, artError *error)
{
  if (!s->state.pending) return ART_OK;
  s->state.pending = 0;
  s->state.resume = STEP_RESTART;
  const artStatus status = events_switch_fired(s, error);
  return status ? status : jump_at_event(s, error);
}


// The step is forgotten, and the next one ends at t.
static void take_again_until(stepper *s, double t)
{
  reject_step(s);
  s->state.counts.rejected++;
  s->state.seen = t;
}


// Is the step so short that y within it can be read off? Rounding of what y changes by in a step is to be far below the
// tolerance at its beginning, where nothing else may bound the step: that of a free fall, say.
static int is_step_readable(stepper *s)
{
  const stepOptions *o = &s->options;
  const stepState *st = &s->state;
  double worst = 0;
  if (step_is_given(o)) return 1;
  for (int k = 0; k < s->problem.n; k++) {
    const double y = fabs(s->y_old[k]), change = fabs(s->y_new[k] - s->y_old[k]);
    const double within = READABLE / DBL_EPSILON * (o->absolute + o->relative * y);
    worst = max_nan(worst, change / fmax(within, 1 + 10 * y));
  }
  if (!(worst > 1)) return 1;
  take_again_until(s, st->t_old + fmax(0.1, 0.5 / worst) * (st->t_new - st->t_old));
  return 0;
}


// The end of the step, or one before it where the step is more than twice as long as the problem allows there. From rest, where
// any length will do, one may lead far.
static double end_of_allowed(stepper *s)
{
  const stepProblem *p = &s->problem;
  const stepState *st = &s->state;
  if (!p->longest) return st->t_new;
  const double length = st->t_new - st->t_old, most = 2 * p->longest(p->context, s->y_new);
  return length <= most ? st->t_new : st->t_old + fmax(0.1, 0.5 * most / length) * length;
}


// Has the step seen all that acts within it? It is forgotten where it has not, and the next one ends where it has to; steps of
// given length stand and are counted.
static int has_seen_all(stepper *s)
{
  const stepProblem *p = &s->problem;
  stepState *st = &s->state;
  double end = end_of_allowed(s);
  if (!(end < st->t_new) && p->seen) end = p->seen(p->context, st->t_new);
  if (!(end < st->t_new)) return 1;
  if (step_is_given(&s->options)) {
    st->counts.unseen++;
    return 1;
  }
  take_again_until(s, end);
  return 0;
}


// propose steps until one is in the mode that it was computed for
static artStatus smooth_step(stepper *s, artError *error)
{
  for (;;) {
    artStatus status = ART_OK;
    int wrong = -1;
    if (s->state.resume == STEP_RESTART) {
      status = events_enter(s, error);
      if (!status) status = jump_off(s, error);
    }
    if (!status) status = s->kind->attempt(s, error);
    if (!status) status = events_find(s, &wrong, error);
    if (status) return status;
    if (wrong < 0 && is_step_readable(s) && has_seen_all(s)) return ART_OK;
    if (wrong < 0) continue;

    reject_step(s);
    status = events_switch_modes(s, wrong, error);
    if (!status) status = jump_off(s, error);
    if (status) return status;
  }
}


static void accept_segment(stepper *s)
{
  const stepProblem *p = &s->problem;
  stepState *st = &s->state;
  stepCounts *counts = &st->counts;
  const double length = st->t_new - st->t_old;
  ART_ASSERT(length >= 0);
  if (counts->steps == 0 || length < counts->shortest) counts->shortest = length;
  if (length > counts->longest) counts->longest = length;
  counts->steps++;
  s->state.is_new = 0;
  if (st->t_new >= st->seen) st->seen = INFINITY;
  st->resume = STEP_GO_ON;
  if (p->project && s->kind->settles && p->project(p->context, st->t_new, s->y_new)) {
    st->resume = STEP_MOVED;
    if (p->nswitch) p->switches(p->context, st->t_new, s->y_new, s->g_new);
  }
  st->t_before = st->t_old;
  memcpy(s->g_before, s->g_old, (size_t) p->nswitch * sizeof(double));
  memcpy(s->g_old, s->g_new, (size_t) p->nswitch * sizeof(double));
  events_note(s);
}


// Is the stop so near that rounding of time is a part of the way?
static int is_near_stop(const stepper *s)
{
  const stepState *st = &s->state;
  const double rounding = 128 * DBL_EPSILON * fmax(fabs(st->t_old), fabs(st->stop));
  return isfinite(st->stop) && st->stop - st->t_old <= rounding;
}


// to the stop by  y + h f,  whose error h^2 is far below rounding; it is no step, and the next one begins anew
static artStatus step_to_near_stop(stepper *s, artError *error)
{
  stepState *st = &s->state;
  const double h = st->stop - st->t_old;
  ART_ASSERT(h >= 0);
  if (step_rate(s, st->t_old, s->y_old, s->f_side[0])) return step_rate_failed(s, error);
  for (int k = 0; k < s->problem.n; k++) s->y_new[k] = s->y_old[k] + h * s->f_side[0][k];
  memcpy(s->y_old, s->y_new, stepper_state_bytes(s));
  st->t_old = st->t_new = st->t_end = st->stop;
  st->resume = STEP_RESTART;
  return ART_OK;
}


artStatus step_once(stepper *s, artError *error)
{
  const stepProblem *p = &s->problem;
  artStatus status = switch_fired(s, error);

  // the context may go on in another way
  const int is_other = p->step_accepted && p->step_accepted(p->context, s->state.t_new, s->y_new);
  if (is_other && !s->kind->settles) s->state.resume = STEP_RESTART;
  s->state.t_old = s->state.t_new;
  memcpy(s->y_old, s->y_new, stepper_state_bytes(s));
  if (!status && is_near_stop(s)) return step_to_near_stop(s, error);
  if (!status) status = smooth_step(s, error);
  if (status) {
    reject_step(s);
    return status;
  }
  accept_segment(s);
  stiffness_change_over(s);
  return stall_watch(s, error);
}


//---- stops ---------------------------------------------------------------------------------------

void step_stop(stepper *s, double t)
{
  ART_ASSERT(t >= s->state.t_new);
  if (t == s->state.stop) return;
  s->state.stop = t;
  if (s->kind->stop) s->kind->stop(s);
}


// Where modes were chosen anew, one that had come to its end need not be there any longer: crossed again it would be left
// for the one after it, or for none.
static void forget_crossed(stepper *s)
{
  const stepProblem *p = &s->problem;
  stepState *st = &s->state;
  if (!st->pending) return;
  p->switches(p->context, st->t_new, s->y_new, s->g_new);
  st->pending = 0;
  for (int i = 0; i < p->nswitch; i++) {
    s->fired[i] = s->fired[i] && s->g_new[i] <= 0;
    st->pending |= s->fired[i];
  }
}


void step_restart(stepper *s, double t, const double *y)
{
  stepState *st = &s->state;
  ART_ASSERT(t >= st->t_old && t <= st->t_new);
  if (t < st->t_new) st->pending = 0;
  st->t_old = st->t_new = st->t_end = t;
  st->span = 0;
  st->resume = STEP_RESTART;

  // a step that came to nothing before says nothing about the new f
  if (t + 0.1 * st->h == t) st->h = s->options.step;
  s->failure = (stepFailure){0};
  s->state.is_new = 1;
  s->barred = 0;
  st->seen = INFINITY;
  memcpy(s->y_old, y, stepper_state_bytes(s));
  memcpy(s->y_new, y, stepper_state_bytes(s));
  forget_crossed(s);
}


//---- output --------------------------------------------------------------------------------------

// instants this near to a point of the grid, or to an event that is still to be crossed, are that point
static double slack_at(const stepper *s, double t)
{
  if (t >= s->state.stop) return 0;
  const double event = s->state.pending ? 16 * DBL_EPSILON * fabs(t) : 0;
  if (!step_is_given(&s->options)) return event;
  return fmax(event, fmax(1e-9 * s->options.step, 4 * DBL_EPSILON * fabs(t)));
}


static artStatus hand_out_state(stepper *s, double t, double *y, artError *error)
{
  const stepProblem *p = &s->problem;
  const int at_end = t >= s->state.t_new - slack_at(s, t);
  if (at_end) {
    memcpy(y, s->y_new, stepper_state_bytes(s));
  } else {
    const artStatus status = s->kind->dense(s, t, y, error);
    if (status) return status;
  }
  const int settled = at_end && s->kind->settles;
  if (p->project && !settled) p->project(p->context, t, y);
  return ART_OK;
}


artStatus step_to(stepper *s, double t, double *y, artError *error)
{
  ART_ASSERT(!(t > s->state.stop));
  artStatus status = ART_OK;
  if (!isfinite(t) || t < s->state.t_old - slack_at(s, t)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the solution at t = %.17g was asked for, but the stepper is at %.17g and "
                     "cannot go back",
                     t, s->state.t_old);
  }
  for (long steps = 0; !status && t > s->state.t_new + slack_at(s, t); steps++) {
    if (s->problem.pause && s->problem.pause(s->problem.context)) return ART_STOPPED;
    if (s->options.most_steps && steps == s->options.most_steps) {
      status = base_fail(error, ART_NO_CONVERGENCE, base_nowhere(),
                         "%ld steps were not enough to reach t = %.17g; they ended at %.17g", steps,
                         t, s->state.t_new);
    } else {
      status = step_once(s, error);
    }
  }
  if (!status) return hand_out_state(s, t, y, error);
  memcpy(y, s->y_new, stepper_state_bytes(s));
  return status;
}
