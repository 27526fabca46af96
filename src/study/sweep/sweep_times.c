// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of time within the steps of kernels.
#include "study/sweep/sweep_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "force/force.h"
#include "force/step_view.h"
#include "force/wheel_pace.h"
#include "model/model.h"

// Instants of one case; switching instants of one step of rk4.
enum { MAX_STOPS = 2000, MAX_EVENTS = 8 };

static const char TOO_OFTEN[] = "formulas of time change too often there for steps of kernels",
                  WITHIN[] = "formulas of time switch there and back within a step of kernels";

typedef struct timesLook {
  const artModel *m;
  artData *d;
  const artRunDef *study;
  stepView v;
  sweepTimes *out;
  int is_behind; // something has switched at the end of the last step
  baseArena arena;
} timesLook;


// Quantities stay as they are; wheels are not looked at.
static int open_look(timesLook *x)
{
  stepView *v = &x->v;
  if (!force_view_create(v, &x->arena, x->m, 0, 0)) return 0;
  v->rule = x->study->integrator == ART_RK4 ? RULE_SIMPSON : RULE_NONE;
  v->has_wheels = 0;
  v->nitem -= x->m->nelement;
  if (!v->is_needed || !v->reads_state) return 1;
  force_view_take(v, x->m, x->d, VIEW_BEGIN);
  for (int k = 0; k < x->m->nquantity; k++) {
    const double at = v->value[VIEW_BEGIN][k];
    for (int i = 0; i < VIEW_PLACES; i++) v->value[i][k] = at == 0 ? 1 : at;
  }
  return 1;
}


// Formulas take the branches of time t.
static void take_branches(const timesLook *x, double t)
{
  artData *d = x->d;
  const int was_frozen = d->work->is_frozen;
  d->time = t;
  d->work->is_frozen = 0;
  force_update(x->m, d);
  d->work->is_frozen = was_frozen;
}


static double some_switch(timesLook *x, double from, double to)
{
  (void) force_view_begin(&x->v, x->m, from, to);
  return force_view_switch(&x->v, x->m, x->d, from, to);
}


// Just after the first instant of [from, to] at which a formula of time switches; INFINITY: none does.
static double first_switch(timesLook *x, double from, double to)
{
  double lo = from, hi = some_switch(x, from, to);
  while (hi < INFINITY && hi - lo > 1e-13 * fmax(fabs(hi), to - from)) {
    const double middle = lo + 0.5 * (hi - lo), at = some_switch(x, from, middle);
    if (at < INFINITY)
      hi = fmin(middle, at);
    else
      lo = middle;
  }
  return hi;
}


// A step of rk4, from a to b: one instant within it makes an error that other steps show, two are a pulse.
static void look_at_step(timesLook *x, double a, double b)
{
  int events = 0, sees = 1;
  double last = a;
  for (double t = a; t < b;) {
    const double at = first_switch(x, t, b), end = fmin(at, b);
    (void) force_view_begin(&x->v, x->m, t, end);
    sees = sees && force_view_seen(&x->v, x->m, x->d, end) >= end;
    if (at < INFINITY) take_branches(x, last = at);
    events += at < INFINITY;
    if (events > MAX_EVENTS) break;
    t = end > t ? end : b;
  }
  const int before = x->is_behind;
  x->is_behind = last > b - 1e-6 * (b - a); // it acts in the next step as well
  if (events + before > 1) x->out->why = WITHIN;
  x->out->unseen += !sees;
}


// Between two rows steps end where a formula switches, and where one step would not see what acts.
static void look_between_rows(timesLook *x, double a, double b)
{
  sweepTimes *out = x->out;
  for (double t = a; t < b;) {
    const double at = first_switch(x, t, b), end = fmin(at, b);
    (void) force_view_begin(&x->v, x->m, t, end);
    const double stop = fmin(force_view_seen(&x->v, x->m, x->d, end), end);
    if (stop == at) take_branches(x, at);
    if (stop >= b) return;
    if (out->count == MAX_STOPS || !(stop > t)) {
      out->why = TOO_OFTEN;
      return;
    }
    out->stop[out->count++] = t = stop;
  }
}


int times_find(sweepTimes *out, const artModel *m, artData *d, const artRunDef *study)
{
  timesLook x = {.m = m, .d = d, .study = study, .out = out};
  *out = (sweepTimes){.pace = force_wheel_pace(m, d)};
  int done = open_look(&x);
  if (done && x.v.is_needed && study->integrator == ART_RK4) {
    const artRunDef *s = x.study;
    const double n = round((s->until - s->from) / s->step);
    for (double k = 0; k < n && !x.out->why; k++) {
      look_at_step(&x, s->from + k * s->step, s->from + (k + 1) * s->step);
    }
  }
  if (done && x.v.is_needed && study->integrator != ART_RK4) {
    const long rows = art_output_count(study);
    done = (out->stop = MEM_ARRAY(double, MAX_STOPS)) != NULL;
    for (long i = 1; i < rows && done && !out->why; i++) {
      look_between_rows(&x, art_output_time(study, i - 1), art_output_time(study, i));
    }
  }
  if (out->count == 0 && out->stop) {
    mem_free(out->stop);
    out->stop = NULL;
  }
  double *own = out->count > 0 ? MEM_ARRAY(double, out->count) : NULL;
  if (own) {
    memcpy(own, out->stop, (size_t) out->count * sizeof *own);
    mem_free(out->stop);
    out->stop = own;
  }
  out->unproved = x.v.unproved;
  arena_free(&x.arena);
  return done;
}


void times_free(sweepTimes *x)
{
  mem_free(x->stop);
  *x = (sweepTimes){0};
}


static int compare_times(const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}


int times_sort(int n, double *stop)
{
  int left = 0;
  qsort(stop, (size_t) n, sizeof *stop, compare_times);
  for (int i = 0; i < n; i++) {
    if (left == 0 || stop[i] > stop[left - 1]) stop[left++] = stop[i];
  }
  return left;
}
