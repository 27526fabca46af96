// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of a stepper: what all methods share, and what each method answers.
//
// Time advances in segments [t_old, t_new] of one smooth mode. A method proposes a full step from
// t_old to t_end; the search for events may cut it to a shorter segment. Output is read off the
// newest segment, so the steps never depend on the instants asked for; a stop ends them.
#ifndef STEP_STEPPER_H
#define STEP_STEPPER_H

#include "base/error.h"
#include "step/event_search.h"
#include "step/step.h"

// How the next step begins.
typedef enum stepResume {
  STEP_GO_ON,   // where the last one ended
  STEP_MOVED,   // the same, but y was settled: rates at its end are out of date
  STEP_RESTART, // in a new mode: nothing is known
} stepResume;

// A stop that CVODE was told of, before which of its steps since the restart.
typedef struct stepStop {
  double t;
  long index;
} stepStop;

// number of stops that are reported before a history begins anew: it is found again through all of them
enum { STEP_STOPS = 64 };

// All that changes from step to step, besides the block of numbers; saved and loaded as it is.
typedef struct stepState {
  double t0;   // rk4: where its grid begins
  double stop; // no step goes beyond; INFINITY: none
  double seen; // nor does the step that is taken again for what it had not seen; INFINITY: none is
  double pace; // rk4: the step of the grid, and
  long last;   // its point at the stop; 0: the grid has no end
  long compared;       // and steps up to the last one that was taken in halves, too
  double t_old, t_new; // the newest segment
  double t_end;        // the end of the full step it was cut from
  double span;         // the length of that full step
  double h;            // the step of Dormand and Prince to try next
  double error_old;    // error of the last one that was accepted
  double t_restart;    // cvode: where the history begins,
  double first;        // its first step,
  double start;        // the length of the starter's step that it begins with; 0: order one,
  double started;      // and the end of that step
  int is_fresh;        // the newest step is the starter's; the history is still to be made,
  int strides;         // or another such step to be taken, which would be longer
  int unfit;           // restarts in a row where the starter did not fit, about,
  int without;         // and restarts to come that do without it
  long index;          // rk4: grid points passed; cvode: steps since the restart
  long failures;       // cvode: error-test and convergence failures since the restart
  double told;         // cvode: the stop that it knows; INFINITY: none
  int nstop;           // cvode: stops since the restart
  stepStop stops[STEP_STOPS];
  double t_before; // the beginning of the segment before the newest; INFINITY: there is none
  double instant;  // the last crossing
  long crossings;  // and how many there were at that instant
  int has_zero;    // g_zero has been measured since the mode changed last
  int resume;      // stepResume
  long at_switching_surface; // dopri5: steps at the border of stability since the last restart,
  long at_switching_surface_before; // in the stretches before it that were stiff,
  int inside;                       // and steps in a row that were not
  int is_new;                       // modes, y or f have changed where the newest segment begins
  int pending;                      // the segment ends with an event that is still to be crossed
  long brief;                       // steps so far that are short against the time in view
  long strolled;                    // steps so far that no stop has cut
  double looked;                    // the time when their pace was last looked at,
  int slow;                         // and how often in a row it was too slow to arrive
  int ruled; // probes that found rounding to rule these, beyond those that did not
  stepCounts counts;
} stepState;

// The last call of rate that went wrong.
typedef struct stepFailure {
  artStatus status;
  double t;
  int component; // the rate that is not finite, or -1: rate itself reported the status
} stepFailure;

typedef struct stepKind {
  const char *name;
  int arrays;   // arrays of length n that the method needs in s->work
  int settles;  // whether y may be changed between two steps
  double noise; // error seen by an error of f, per h; 0: steps are given

  // Take what the method needs beyond s->work; NULL when it needs nothing.
  artStatus (*open)(stepper *s, artError *error);
  void (*close)(stepper *s);

  // From (t_old, y_old) compute a full step: y_new, t_end and span.
  artStatus (*attempt)(stepper *s, artError *error);

  // The solution at t in [t_old, t_end] of the last attempt.
  artStatus (*dense)(stepper *s, double t, double *y, artError *error);

  // The solution half way through the last attempt, within what tells how it bends, where dense costs rates; NULL: dense gives it.
  void (*middle)(const stepper *s, double *y);

  // A stop has been set; NULL when there is nothing to do.
  void (*stop)(stepper *s);

  // After loading: rebuild what lies outside state and block; NULL when there is nothing.
  artStatus (*rebuild)(stepper *s, artError *error);
} stepKind;

extern const stepKind step_rk4, step_dopri5, step_bdf, step_adams, step_moreau;

// Are steps given, and not chosen by their errors?
static inline int step_is_given(const stepOptions *o)
{
  return o->method == STEP_RK4 || o->method == STEP_MOREAU;
}

struct stepper {
  stepProblem problem;
  stepOptions options;
  const stepKind *kind;       // at present
  const stepKind *first_kind; // that the options name
  const stepKind *stiff_kind; // that continues where the problem proves stiff; NULL: none
  stepState state;
  stepFailure failure;
  int barred; // dopri5: weighs short steps before which rate has failed against those without

  // one block: arrays of length n (at least 1), of length nswitch, the method's, the flags
  void *block;
  size_t block_size;
  double *y_old, *y_new; // at the ends of the newest segment
  double *y_side;        // scratch
  double *f_side[2];     // scratch, rates
  double *g_before;      // switching functions at t_before
  double *g_old, *g_new; // and at the ends of the segment
  double *g_side;        // scratch
  double *g_most;        // the largest magnitude so far
  double *g_zero;        // what rounding leaves of them,
  double *g_noise;       // and what it was measured to be
  double *watch;         // since when g[i] has been positive in this step
  double *work;          // kind->arrays arrays of length n
  int *fired;            // which switching functions reached zero at t_new
  int *rested;           // which have been put on their borders at the present instant
  void *extra;           // cvode's handles
  eventSearch search;    // for the first event in the newest segment
};

//---- shared by the methods -----------------------------------------------------------------------

// Array k of the method; a problem without unknowns has arrays of length one.
static inline double *step_array(const stepper *s, int k)
{
  ART_ASSERT(k >= 0 && k < s->kind->arrays);
  return s->work + k * (s->problem.n > 0 ? s->problem.n : 1);
}

// The end of the next step at the latest.
static inline double step_barrier(const stepState *st)
{
  return st->seen < st->stop ? st->seen : st->stop;
}

// The longest step from y; INFINITY: no bound.
double step_longest(const stepper *s, const double *y);

// ydot = f(t, y), not beyond the stop, counted and checked to be finite; what went wrong is kept in s->failure.
artStatus step_rate(stepper *s, double t, const double *y, double *ydot);

// The same as rates of Runge-Kutta methods (runge_kutta.h); returns the status.
int step_rates(void *s, double t, double *y, double *ydot);

// The name of y[k], perhaps in the given room.
enum { STEP_NAME_LENGTH = 32 };
const char *step_name(const stepper *s, int k, char name[STEP_NAME_LENGTH]);

// Report s->failure; returns its status.
artStatus step_rate_failed(const stepper *s, artError *error);

// Whether rates failed beyond t_old: then this is why steps are short and do not succeed.
int step_rate_failed_ahead(const stepper *s);

// Steps of length h are too small at t_old: report it, or the failure of rates that is the reason.
artStatus step_too_small(stepper *s, double h, artError *error);

// root mean square of x[i] / (absolute + relative max(|y[i]|, |z[i]|))
double step_norm(const stepper *s, const double *x, const double *y, const double *z);

// A first step from (t_old, y_old) by a formula of the given order, with the rates f0 there; overwrites y_side and f1.
double step_first(stepper *s, int order, const double *f0, double *f1);

// Look whether rounding keeps steps short, now and then, after one has been accepted.
artStatus stall_watch(stepper *s, artError *error);

//---- stiffness (stiffness.c) ---------------------------------------------------------------------

// Is the step of length h that Dormand and Prince have just computed at the border of stability?
int stiffness_is_at_switching_surface(const stepper *s, double h);

// Count such steps after one has been computed: too many of them set counts.is_stiff.
void stiffness_watch(stepper *s, double h);

// After a step: stiff_kind continues from its end, where there is one and the problem is stiff.
void stiffness_change_over(stepper *s);

// The kind that the state asks for.
const stepKind *stiffness_kind(const stepper *s);

//---- steps of Dormand and Prince -----------------------------------------------------------------

// arrays of a step, the first ones of s->work: seven stages, four coefficients of the continuous extension
enum { DOPRI5_BENDS = 7, DOPRI5_ARRAYS = DOPRI5_BENDS + 4 };

typedef struct dopri5Try {
  double h;
  artStatus status; // of rates
  int stands; // its error is within the tolerance: y_new, t_end, span and the coefficients are there
  int is_too_short; // time does not change by it
} dopri5Try;

// Try a step of length st->h, or to the stop, from (t_old, y_old) with its rates in array 0; st->h is the length to
// try next, no longer one where the step is tried again. The last stage but one is left in y_side.
dopri5Try dopri5_try(stepper *s, int is_again);

// The state at t in such a step.
artStatus dopri5_dense(stepper *s, double t, double *y, artError *error);

//---- the first step of multistep methods ---------------------------------------------------------

// A step by Dormand and Prince from (t_old, y_old), which leaves *fits = 0 and no step where explicit steps are no good:
// then array 0 has the rates at its beginning.
artStatus starter_step(stepper *s, int *fits, artError *error);

// Its continuous extension to all digits.
void starter_refine(stepper *s);

// dy/dt along the continuous extension of that step, from t_restart over the length st->start.
void starter_rate(const stepper *s, double t, double *ydot);

// The length of a step of order one along it, within the tolerance, from y.
double starter_first(stepper *s, const double *y);

//---- events --------------------------------------------------------------------------------------

// Once the arrays are there.
void events_open(stepper *s);

// Call cross for function i at the end of the segment; ART_NO_CONVERGENCE when this happens without
// end at one instant.
artStatus events_switch_modes(stepper *s, int i, artError *error);

// Cross the functions that have fired.
artStatus events_switch_fired(stepper *s, artError *error);

// Note how large the switching functions of g_old are.
void events_note(stepper *s);

// In a new mode: cross what it violates from the start, until a mode holds; fills g_old.
artStatus events_enter(stepper *s, artError *error);

// Cut the segment at the first event in it: t_new, y_new, g_new, fired, pending. A function that
// the mode violates from the start of the step on is returned in *wrong (otherwise -1).
artStatus events_find(stepper *s, int *wrong, artError *error);

#endif
