// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "step/event_search.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/interior_minimum.h"

enum {
  MAX_LOOKS = 20, // within a step, where the context sends us
  PROBES = 12,    // instants inside a step at which to look for a positive value,
  MOST_PROBES =
      40, // and of one that engages: a body that bounces comes down after ever shorter flights
};

// of the least value of a switching function at the ends of a step: bends below this cannot bring it to zero and back
static const double BENT = 0.25;

// of the segment: where the slope at its end is taken
static const double LATE = 1.0 / 64;


static int event_is_latching(const eventSearch *e, int i)
{
  return e->is_latching && e->is_latching(e->context, i);
}


// the segment ends at the last arrival, at t
static void cut_segment(eventSearch *e, double t)
{
  e->to = t;
  memcpy(e->g_to, e->g, (size_t) e->n * sizeof *e->g);
  e->cut(e->engine, t);
}


//---- before the segment --------------------------------------------------------------------------

artStatus event_look_back(eventSearch *e, artError *error)
{
  if (e->before < e->from) return ART_OK;
  const double h = e->to - e->from;
  const artStatus status = e->look(e->engine, e->from + 0.5 * h, error);
  if (status) return status;
  e->before = e->from - h;
  for (int i = 0; i < e->n; i++) {
    e->g_before[i] = 6 * e->g_from[i] - 8 * e->g[i] + 3 * e->g_to[i];
  }
  return ART_OK;
}


// A function that comes to zero and back bends: where its last step would have led on a straight line, and were it convex, it would
// be below zero at the end of this one.
int event_is_bent(const eventSearch *e, int i)
{
  ART_ASSERT(i >= 0 && i < e->n);
  const double h = e->to - e->from, before = e->from - e->before, g = e->g_from[i];
  const double bend = e->g_to[i] - g - (g - e->g_before[i]) * h / before;
  return bend > BENT * fmin(g, e->g_to[i]);
}


//---- within it -----------------------------------------------------------------------------------

// true if a function may come to zero and back without a bend between its ends, falling faster and faster before it rises: it
// changes much, or would reach zero with the constant acceleration from rest that led to the start. That goes by
// r h (2 + h/h') in a step h after a step h' with the mean rate r.
static int may_pass_zero(const eventSearch *e, int i)
{
  const double g = e->g_from[i], least = fmin(g, e->g_to[i]);
  if (!(e->since[i] < e->to && least > e->zero[i]) || event_is_bent(e, i)) return 0;
  const double times = (e->to - e->from) / (e->from - e->before);
  const double reach = fabs(g - e->g_before[i]) * times * (2 + times);
  return fabs(e->g_to[i] - g) > BENT * least || reach > g;
}


// Let function i come to the start with this slope.
static void set_slope(eventSearch *e, int i, double slope)
{
  e->g_before[i] = e->g_from[i] - slope * (e->from - e->before);
}


// Two looks show them: one in the middle, where the parabola through it and both ends bends, and one shortly before the end, if the
// function rises there so fast that it may come from below zero. Then what led to the start is taken to bend, too.
static artStatus look_at_passages(eventSearch *e, artError *error)
{
  int first = 0;
  while (first < e->n && !may_pass_zero(e, first)) first++;
  if (first == e->n) return ART_OK;
  const double h = e->to - e->from;
  for (int late = 0; late < 2; late++) {
    const artStatus status = e->look(e->engine, late ? e->to - h * LATE : e->from + 0.5 * h, error);
    if (status) return status;
    for (int i = first; i < e->n; i++) {
      if (!may_pass_zero(e, i)) continue;
      const double rise = e->g_to[i] - e->g_from[i], least = fmin(e->g_from[i], e->g_to[i]);
      const double bend = late ? (e->g_to[i] - e->g[i]) / LATE / 3 - e->g_to[i]
                               : 4 * (e->g_from[i] - 2 * e->g[i] + e->g_to[i]) - BENT * least;
      if (bend > 0) set_slope(e, i, (rise - bend - 2 * BENT * least) / h);
    }
  }
  return ART_OK;
}


// The segment ends where the context says that a function is negative within the step, and where it is.
static artStatus look_within(eventSearch *e, artError *error)
{
  double t = e->from;
  for (int k = 0; k < MAX_LOOKS && e->switches_within; k++) {
    t = e->switches_within(e->context, t, e->to);
    if (!(t < e->to)) return ART_OK;
    if (t - e->from < e->shortest) continue;
    const artStatus status = e->arrive(e->engine, t, error);
    if (status) return status;
    for (int i = 0; i < e->n; i++) {
      if (!(e->g[i] < -e->zero[i])) continue;
      cut_segment(e, t);
      return ART_OK;
    }
  }
  return ART_OK;
}


// One that is zero at the start of the step and negative at its end may have been positive in between.
static artStatus start_watch(eventSearch *e, int *wrong, artError *error)
{
  for (int i = 0; i < e->n; i++) {
    const double zero = e->zero[i];
    e->since[i] = e->g_from[i] > zero ? e->from : INFINITY;
    if (e->g_from[i] > zero || e->g_to[i] >= -zero) continue;
    double fraction = 0.5;
    const int probes = event_is_latching(e, i) ? MOST_PROBES : PROBES;
    for (int k = 0; k < probes && e->since[i] == INFINITY; k++, fraction *= 0.5) {
      const double t = e->from + fraction * (e->to - e->from);
      const artStatus status = e->arrive(e->engine, t, error);
      if (status) return status;
      if (e->g[i] > 0) e->since[i] = t;
    }
    if (e->since[i] < INFINITY) continue;
    if (*wrong < 0 || !event_is_latching(e, i)) *wrong = i;
    if (!event_is_latching(e, i)) return ART_OK;
  }
  return ART_OK;
}


// A switching function within the segment.
typedef struct functionLook {
  eventSearch *e;
  int i;
  artError *error;
  artStatus status;
} functionLook;


static double function_at(void *context, double t, int *has_failed)
{
  functionLook *look = context;
  look->status = look->e->look(look->e->engine, t, look->error);
  *has_failed = look->status != ART_OK;
  return look->e->g[look->i];
}


// The segment ends where function i, positive at both ends of it, has been seen to be negative in between.
static artStatus look_for_dip(eventSearch *e, int i, artError *error)
{
  const double zero = e->zero[i];
  if (!(e->g_from[i] > zero && e->g_to[i] > zero && event_is_bent(e, i))) return ART_OK;
  functionLook look = {.e = e, .i = i, .error = error};
  const interiorSearch search = {.value = function_at,
                                 .context = &look,
                                 .from = e->from,
                                 .to = e->to,
                                 .g_from = e->g_from[i],
                                 .g_to = e->g_to[i],
                                 .rate_before =
                                     (e->g_from[i] - e->g_before[i]) / (e->from - e->before),
                                 .zero = zero,
                                 .noise = e->noise[i]};
  double t;
  switch (interior_search(&search, &t)) {
  case INTERIOR_CLEAR: return ART_OK;
  case INTERIOR_NEGATIVE: {
    const artStatus status = e->arrive(e->engine, t, error);
    if (!status && e->g[i] < -zero) cut_segment(e, t);
    return status;
  }
  case INTERIOR_UNRESOLVED: e->unproved++; return ART_OK;
  default: return look.status; // without a value, as log(-1) has none, there is nothing to look at
  }
}


// Shrink the segment to end where function i, positive at lo, is first found to have fired, to a few ulp: secants
// with the Illinois weights (Dowell, Jarratt 1971), and a bisection when three of them have not halved the
// interval. They aim a part of an ulp of time, or of what counts as zero, beyond, and end where they arrive there.
static artStatus cut_segment_at_zero(eventSearch *e, int i, double lo, artError *error)
{
  ART_ASSERT(i >= 0 && i < e->n && lo >= e->from && lo <= e->to);
  const double beyond = e->beyond ? e->beyond[i] : 0;
  double hi = e->to, g_hi = e->g_to[i], g_lo = e->g_from[i];
  artStatus status = ART_OK;
  if (lo > e->from) {
    status = e->arrive(e->engine, lo, error);
    g_lo = e->g[i];
  }

  const double width = 2 * DBL_EPSILON * fmax(fabs(lo), fabs(hi));
  double t = hi, g = g_hi, length = hi - lo; // the last look, and the interval three looks ago
  double ulp = width * (g_lo - g_hi) / length;
  int last = 0; // the end that moved last
  for (int k = 0; hi - lo > width && !(g <= 0 && g > -fmax(0.5 * ulp, beyond)) && !status; k++) {
    const int is_slow = k % 3 == 2 && hi - lo > 0.5 * length;
    if (k % 3 == 2) length = hi - lo;
    const double aim = fmax(0.2 * ulp, 0.5 * beyond);
    const double share = is_slow ? 0.5 : (g_lo + aim) / (g_lo - g_hi);
    const double t_before = t, g_before = g;
    t = fmin(fmax(lo + share * (hi - lo), lo + width / 2), hi - width / 2);
    status = e->arrive(e->engine, t, error);
    if (status) break;

    g = e->g[i];
    ulp = width * fabs((g - g_before) / (t - t_before));
    if (g > 0) {
      if (last == 1) g_hi *= 0.5;
      lo = t, g_lo = g, last = 1;
    } else {
      if (last == -1) g_lo *= 0.5;
      hi = t, g_hi = g, last = -1;
    }
  }
  if (status || hi == e->to) return status;

  if (last == 1) status = e->arrive(e->engine, hi, error);
  if (!status) cut_segment(e, hi);
  return status;
}


// of the functions before i one that is negative where the segment now ends, though it was not at the end of the step; i: none
static int first_uncovered(const eventSearch *e, int i)
{
  int k = 0;
  while (k < i && !(e->since[k] < e->to && e->g_to[k] < -e->zero[k])) k++;
  return k;
}


artStatus event_find_first(eventSearch *e, int *fired, int *wrong, artError *error)
{
  *fired = *wrong = -1;
  artStatus status = look_within(e, error);
  if (!status) status = start_watch(e, wrong, error);
  if (status || *wrong >= 0) return status;
  status = look_at_passages(e, error);

  // each function can only bring the end nearer
  for (int i = 0; i < e->n && !status; i++) {
    if (e->since[i] < e->to) status = look_for_dip(e, i, error);
    if (status || !event_has_fired(e, i)) continue;
    const double end = e->to;
    status = cut_segment_at_zero(e, i, e->since[i], error);
    *fired = i;
    const int uncovered = e->to < end ? first_uncovered(e, i) : i;
    if (uncovered < i) i = uncovered - 1;
  }
  return status;
}
