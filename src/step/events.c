// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Events of a stepper: modes that change, and the search for the first event in a step (event_search.h) on its continuous
// extension.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/max_nan.h"
#include "step/stepper.h"

enum {
  MAX_CROSSINGS = 1000, // at one instant
};

// of a step: so far ahead rates tell where switching functions go
static const double AHEAD = 1e-6;

// of the largest value of a switching function so far: what is larger has not come to a border
static const double NEAR = 1e-9;

// of the same: a change by rounding of y that is as large is a jump of the function
static const double JUMP = 1e-3;


// Values below this may be no more than rounding of y: a look at each of them tells.
static double coarse_rounding(const stepper *s)
{
  double largest = 0;
  for (int k = 0; k < s->problem.n; k++) largest = max_nan(largest, fabs(s->y_new[k]));
  return 16 * DBL_EPSILON * (1 + largest);
}


// What rounding leaves of each switching function, into g_zero: how far it moves when t and every other unknown are moved by
// units of their last place, as they are at either end of the segment; and at least a part NEAR of its own size, where that is
// no more than rounding of all unknowns.
static void measure_rounding(stepper *s)
{
  const stepProblem *p = &s->problem;
  const double t = s->state.t_new;
  double *moved = s->f_side[0];
  p->switches(p->context, t, s->y_new, s->g_side);
  const double coarse = coarse_rounding(s);
  for (int i = 0; i < p->nswitch; i++) s->g_zero[i] = 0;
  for (int odd = 0; odd < 2; odd++) {
    for (int k = 0; k < p->n; k++) {
      const double unit = DBL_EPSILON * fmax(fabs(s->y_old[k]), fabs(s->y_new[k]));
      moved[k] = s->y_new[k] + (k % 2 == odd ? 4 * unit : 0);
    }
    p->switches(p->context, t - odd * 4 * DBL_EPSILON * fabs(t), moved, s->watch);
    for (int i = 0; i < p->nswitch; i++) {
      const double change = fabs(s->watch[i] - s->g_side[i]);
      const int jumps = change > coarse && change > JUMP * s->g_most[i];
      if (isfinite(change) && !jumps) s->g_zero[i] += 4 * change;
    }
  }
  for (int i = 0; i < p->nswitch; i++) {
    s->g_noise[i] = s->g_zero[i];
    s->g_zero[i] = fmax(s->g_zero[i], fmin(coarse, NEAR * s->g_most[i]));
  }
  s->state.has_zero = 1;
}


// g_zero, which is measured once in a mode where a value of g is so small that it matters, or where modes have changed there and
// back at this instant, as they do where steep functions of time have more rounding than y
static void know_zeros(stepper *s, const double *g)
{
  const double coarse = coarse_rounding(s);
  int is_near = s->state.crossings > 1;
  for (int i = 0; i < s->problem.nswitch; i++) is_near |= fabs(g[i]) <= coarse;
  if (is_near && !s->state.has_zero) measure_rounding(s);
  for (int i = 0; i < s->problem.nswitch && !s->state.has_zero; i++) s->g_zero[i] = coarse;
}


//---- changing the mode ---------------------------------------------------------------------------

// what happened at the last instant does not matter at another one
static void see_instant(stepper *s)
{
  stepState *st = &s->state;
  if (st->t_new - st->instant > 64 * DBL_EPSILON * fabs(st->t_new)) {
    st->crossings = 0;
    memset(s->rested, 0, (size_t) s->problem.nswitch * sizeof *s->rested);
  }
  st->instant = st->t_new;
}


artStatus events_switch_modes(stepper *s, int i, artError *error)
{
  ART_ASSERT(i >= 0 && i < s->problem.nswitch);
  stepState *st = &s->state;
  const double t = st->t_new;
  see_instant(s);
  if (++st->crossings > MAX_CROSSINGS) {
    const stepProblem *p = &s->problem;
    const char *whose = p->name ? p->name(p->context, -1 - i) : NULL;
    return base_fail(
        error, ART_NO_CONVERGENCE, base_nowhere(),
        "the modes changed %d times at t = %.17g, the last time that of %s%s%s: no mode "
        "holds there; a smoother force law may help: friction that is to stick is an element "
        "of friction in its joint, or a lock, and not made by sign",
        MAX_CROSSINGS, t, whose ? "'" : "switching function ", whose ? whose : "without a name",
        whose ? "'" : "");
  }
  st->counts.events++;
  s->state.is_new = 1;
  s->g_before[i] = NAN; // of another mode
  s->problem.switch_mode(s->problem.context, t, s->y_new, i);
  return ART_OK;
}


// what counts as zero of function i, which may be far smaller than y
static double tiny_of(const stepper *s, int i)
{
  return fmin(s->g_zero[i], NEAR * s->g_most[i]);
}


// A function that is zero where the mode is another one than on its border. Behind events zero is what rounding leaves of it.
static int is_function_at_surface(const stepper *s, int i)
{
  const stepProblem *p = &s->problem;
  const double zero = s->state.crossings > 0 ? tiny_of(s, i) : 0;
  return fabs(s->g_old[i]) <= zero && !s->rested[i] && p->switching_surface(p->context, i, 0);
}


// The switching functions a short way on, by the rates of the present mode, into g_side; 0: there are no rates.
static int look_ahead_of_event(stepper *s)
{
  const stepState *st = &s->state;
  const stepProblem *p = &s->problem;
  const stepFailure before = s->failure;
  const double length = st->span > 0 ? st->span : st->h;
  const double way = fmax(AHEAD * length, 1024 * DBL_EPSILON * (1 + fabs(st->t_new)));
  if (step_rate(s, st->t_new, s->y_new, s->f_side[0])) {
    s->failure = before;
    return 0;
  }
  for (int k = 0; k < p->n; k++) s->y_side[k] = s->y_new[k] + way * s->f_side[0][k];
  p->switches(p->context, fmin(st->t_new + way, st->stop), s->y_side, s->g_side);
  return 1;
}


// Functions that are zero and that the present mode does not make positive are put on their borders, once at an instant: where
// they stay zero the law has the value that it is defined to have there, and where they do not the next step tells to which
// side they go. Fills g_old.
static void rest_functions_on_surfaces(stepper *s)
{
  const stepProblem *p = &s->problem;
  see_instant(s);
  for (int has_changed = 1; has_changed;) {
    int candidates = 0;
    has_changed = 0;
    p->switches(p->context, s->state.t_new, s->y_new, s->g_old);
    know_zeros(s, s->g_old);
    for (int i = 0; i < p->nswitch && p->switching_surface; i++)
      candidates += is_function_at_surface(s, i);
    if (candidates == 0 || !look_ahead_of_event(s)) return;
    for (int i = 0; i < p->nswitch; i++) {
      if (!is_function_at_surface(s, i) || s->g_side[i] > tiny_of(s, i)) continue;
      s->rested[i] = has_changed = p->switching_surface(p->context, i, 1);
    }
  }
}


static int does_last(const stepper *s, int i)
{
  const stepProblem *p = &s->problem;
  return p->is_latching && p->is_latching(p->context, i);
}


// Modes that would last come after the others: in the modes of those, or where it only touches, a function may go no further
// than to zero.
artStatus events_switch_fired(stepper *s, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < s->problem.nswitch && !status; i++) {
    if (s->fired[i] && !does_last(s, i)) status = events_switch_modes(s, i, error);
  }
  for (int i = 0; i < s->problem.nswitch && !status; i++) {
    if (!s->fired[i] || !does_last(s, i)) continue;
    if (!look_ahead_of_event(s) || s->g_side[i] < -s->g_zero[i]) {
      status = events_switch_modes(s, i, error);
    }
  }
  return status;
}


// a function that the mode violates, one that would last after all others; nswitch: none
static int find_violated(const stepper *s)
{
  const int n = s->problem.nswitch;
  int found = n;
  for (int i = 0; i < n; i++) {
    if (s->g_old[i] >= -s->g_zero[i]) continue;
    if (!does_last(s, i)) return i;
    if (found == n) found = i;
  }
  return found;
}


void events_note(stepper *s)
{
  for (int i = 0; i < s->problem.nswitch; i++) {
    // conditions such as log(t - 1) may be infinite where they begin
    if (isfinite(s->g_old[i])) s->g_most[i] = fmax(s->g_most[i], fabs(s->g_old[i]));
  }
}


// where y has jumped, or modes have changed
static void approach_start(stepper *s)
{
  const stepProblem *p = &s->problem;
  const double t = s->state.t_new;
  if (!p->approach) return;
  (void) p->approach(p->context, &(stepSpan){t, t, s->y_new, s->y_new, s->y_new, 1});
}


artStatus events_enter(stepper *s, artError *error)
{
  const stepProblem *p = &s->problem;
  if (p->nswitch == 0) return ART_OK;
  s->state.has_zero = 0;
  approach_start(s);

  int i;
  do {
    rest_functions_on_surfaces(s);
    i = find_violated(s);
    const artStatus status = i < p->nswitch ? events_switch_modes(s, i, error) : ART_OK;
    if (status) return status;
  } while (i < p->nswitch);
  events_note(s);
  return ART_OK;
}


//---- finding the first event ---------------------------------------------------------------------

// state and switching functions at t inside the step, in y_side and g_side
static artStatus look_at_instant(void *engine, double t, artError *error)
{
  stepper *s = engine;
  ART_ASSERT(t >= s->state.t_old && t <= s->state.t_end);
  const artStatus status = s->kind->dense(s, t, s->y_side, error);
  if (!status) s->problem.switches(s->problem.context, t, s->y_side, s->g_side);
  return status;
}


// the segment ends at the last look, at t
static void end_segment_at_look(void *engine, double t)
{
  stepper *s = engine;
  s->state.t_new = t;
  memcpy(s->y_new, s->y_side, (size_t) s->problem.n * sizeof(double));
}


void events_open(stepper *s)
{
  const stepProblem *p = &s->problem;
  s->search = (eventSearch){.n = p->nswitch,
                            .g_before = s->g_before,
                            .g_from = s->g_old,
                            .g_to = s->g_new,
                            .g = s->g_side,
                            .since = s->watch,
                            .zero = s->g_zero,
                            .noise = s->g_noise,
                            .look = look_at_instant,
                            .arrive = look_at_instant,
                            .cut = end_segment_at_look,
                            .engine = s,
                            .switches_within = p->switches_within,
                            .is_latching = p->is_latching,
                            .context = p->context};
}


// Functions that join in this step, where it begins, into watch, and in its middle, into g_side
static artStatus look_at_joining(stepper *s, artError *error)
{
  const stepProblem *p = &s->problem;
  const stepState *st = &s->state;
  p->joining(p->context, 1);
  p->switches(p->context, st->t_old, s->y_old, s->watch);
  const artStatus status = look_at_instant(s, st->t_old + 0.5 * (st->t_end - st->t_old), error);
  p->joining(p->context, 0);
  return status;
}


// They come to the step on the parabola through both ends and the middle. Functions that do not count in it are INFINITY.
static void join_functions(stepper *s)
{
  const stepState *st = &s->state;
  const double times = (st->t_old - st->t_before) / (st->t_end - st->t_old);
  for (int i = 0; i < s->problem.nswitch; i++) {
    const double g = s->watch[i], end = s->g_new[i];
    if (!(s->g_old[i] == INFINITY && end < INFINITY)) continue;
    s->g_old[i] = g;
    s->g_before[i] = g + times * (5 * g - 8 * s->g_side[i] + 3 * end);
  }
}


static void leave_functions(stepper *s)
{
  for (int i = 0; i < s->problem.nswitch; i++) {
    if (s->g_new[i] == INFINITY) s->g_old[i] = INFINITY;
  }
}


// Switching functions at the end of the step that has been computed; the context is there then.
static artStatus find_switches(stepper *s, artError *error)
{
  const stepProblem *p = &s->problem;
  const stepState *st = &s->state;
  const stepSpan span = {st->t_old, st->t_end, s->y_old, NULL, s->y_new, s->state.is_new};
  const int joins = p->approach && p->approach(p->context, &span);
  const artStatus status = joins ? look_at_joining(s, error) : ART_OK;
  if (status) return status;
  p->switches(p->context, st->t_end, s->y_new, s->g_new);
  if (joins) join_functions(s);
  if (p->approach) leave_functions(s);
  return ART_OK;
}


// Values of the segment before an event belong to other forces.
static artStatus look_back(stepper *s, artError *error)
{
  stepState *st = &s->state;
  eventSearch *e = &s->search;
  e->from = st->t_old;
  e->to = st->t_end;
  e->before = st->instant != st->t_old ? st->t_before : INFINITY;
  const artStatus status = event_look_back(e, error);
  st->t_before = e->before;
  return status;
}


// g_noise, which is measured once in a mode where a function may have to be followed
static void know_noise(stepper *s)
{
  for (int i = 0; i < s->problem.nswitch && !s->state.has_zero; i++) {
    if (event_is_bent(&s->search, i)) measure_rounding(s);
  }
}


static artStatus find_middle(stepper *s, double *y, artError *error)
{
  const stepState *st = &s->state;
  if (!s->kind->middle) {
    return s->kind->dense(s, st->t_old + 0.5 * (st->t_end - st->t_old), y, error);
  }
  s->kind->middle(s, y);
  return ART_OK;
}


// Switching functions at the end of the step that has been computed, and the step for the context, which is at its end by then.
static artStatus look_at_step(stepper *s, artError *error)
{
  const stepProblem *p = &s->problem;
  const stepState *st = &s->state;
  double *middle = s->f_side[1];
  artStatus status = p->span ? find_middle(s, middle, error) : ART_OK;
  if (!status && p->nswitch > 0) status = find_switches(s, error);
  if (status) return status;
  if (p->span) {
    p->span(p->context,
            &(stepSpan){st->t_old, st->t_end, s->y_old, middle, s->y_new, s->state.is_new});
  }
  return ART_OK;
}


artStatus events_find(stepper *s, int *wrong, artError *error)
{
  const stepProblem *p = &s->problem;
  stepState *st = &s->state;
  int last;
  st->t_new = st->t_end;
  st->pending = 0;
  artStatus status = look_at_step(s, error);
  if (status || p->nswitch == 0) return status;

  know_zeros(s, s->g_new);
  status = look_back(s, error);
  if (status) return status;
  know_noise(s);
  s->search.unproved = 0;
  status = event_find_first(&s->search, &last, wrong, error);
  st->counts.unproved += s->search.unproved;
  for (int i = 0; i < p->nswitch && !status && *wrong < 0; i++) {
    s->fired[i] = event_has_fired(&s->search, i);
    st->pending |= s->fired[i];
  }
  return status;
}
