// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where in a step a switching function first reaches zero: one search for every engine that takes steps. An engine shows its step
// by two functions: one reads the switching functions off the motion within the step, the other one arrives at an instant as if
// the step ended there. doc/theory/events.md says what the search sees.
#ifndef STEP_EVENT_SEARCH_H
#define STEP_EVENT_SEARCH_H

#include "articula/base.h"

typedef struct eventSearch {
  int n;           // switching functions
  double from, to; // the segment of the step that is searched; `to` comes nearer
  double before;   // where the step before began; not before `from`: nothing is known of it
  double shortest; // of a segment that ends where switches_within points

  double *g_before, *g_from, *g_to; // [n] values at these three instants
  double *g;                        // [n] and at the last look
  double *since;                    // [n] since when each has been positive; INFINITY: never
  const double *zero;               // [n] values above -zero count as positive
  const double *noise;              // [n] rounding of values within the step
  const double *beyond;             // [n] a positive function fires at -beyond; NULL: at 0

  // Fill g at t in the segment: by the motion within the step, and by a step that ends at t.
  artStatus (*look)(void *engine, double t, artError *error);
  artStatus (*arrive)(void *engine, double t, artError *error);

  // The segment ends at t, where the last arrival was.
  void (*cut)(void *engine, double t);
  void *engine;

  // As in a stepProblem; both may be NULL.
  double (*switches_within)(void *context, double after, double to);
  int (*is_latching)(void *context, int i);
  void *context;

  long unproved; // functions that change too quickly to be followed
} eventSearch;

// Without a step before this one, find what g_before would be: parabolas through both ends and the middle of the segment are
// continued to as long before it as it lasts.
artStatus event_look_back(eventSearch *e, artError *error);

// May function i come to zero and back within the segment? Needs g_before.
int event_is_bent(const eventSearch *e, int i);

// Cut the segment at the first event in it; g_to are the values there. *fired is the function that cut it last, -1: none
// did. A function that is negative from the beginning on is returned in *wrong, -1: there is none.
artStatus event_find_first(eventSearch *e, int *fired, int *wrong, artError *error);

// Has function i fired at the end of the segment?
static inline int event_has_fired(const eventSearch *e, int i)
{
  return e->since[i] < e->to && e->g_to[i] <= (e->beyond ? -e->beyond[i] : 0);
}

#endif
