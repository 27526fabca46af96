// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Time integration of  dy/dt = f(t, y), whose right-hand side may switch between smooth modes.
//
// A stepper takes its own steps and answers for any instant: the solution at t does not depend on
// which other instants were asked for, only on the stops that were set. Everything is allocated by step_create; step_to takes no
// memory. The same problem and options give the same bits every time.
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include <stddef.h>

#include "articula/base.h"

//---- the problem ---------------------------------------------------------------------------------

// The mode lives in the context and is changed by cross() alone; while a step is computed it stays
// frozen, so that the step sees a smooth f. Rates and switching functions must therefore be defined
// a little beyond the bounds of their mode.
//
// A switching function is watched at the ends of the steps, within a step where it bends so that it may come to zero and back,
// and where the context says that it may be negative there (event_search.h). What rounding of y and t leaves of a
// switching function counts as zero, each by its own.
typedef struct stepSpan {
  double from, to;
  const double *y_from, *y_middle, *y_to; // at both ends, and half way between them
  int is_new; // modes, y or numbers from outside have changed where it begins
} stepSpan;

typedef struct stepProblem {
  int n;       // length of y
  int nswitch; // number of switching functions

  // f; the mode is frozen in the context. A failure or a number that is not finite makes the
  // methods with error control try a shorter step; ART_STOPPED ends at once.
  artStatus (*rate)(void *context, double t, const double *y, double *ydot);

  // g[i] > 0 while the current mode holds; NULL if nswitch == 0.
  void (*switches)(void *context, double t, const double *y, double *g);

  // Switching function i has reached zero: change the mode. All g are evaluated anew afterwards, for
  // their meaning may change with the mode.
  void (*switch_mode)(void *context, double t, const double *y, int i);

  // Switching function i is zero: is the mode that holds there by definition, as that of sign(0) = 0, another one? With `take` it
  // becomes the mode. NULL, or 0 for an answer: no mode is for the border alone, or both sides are one there.
  int (*switching_surface)(void *context, int i, int take);

  // Would the mode be another one for good if function i were crossed though it only comes to zero? May be NULL: none would.
  int (*is_latching)(void *context, int i);

  // After all changes of modes at one instant: y may jump there. A failure ends the motion. May be NULL.
  artStatus (*jump)(void *context, double t, double *y, artError *error);

  // Bring y back to its manifold (unit quaternions, closed loops) after an accepted step, and in
  // every y handed out; returns 1 when that changes f. May be NULL. BDF and Adams, which carry a
  // history of y, apply it to what they hand out only.
  int (*project)(void *context, double t, double *y);

  // The next step begins at (t, y): the context may change the way in which it finds f, not f itself
  // but for rounding, and then settle y; returns 1 when it did. May be NULL. BDF and Adams begin a
  // new history there, so that every history has been found in one way.
  int (*step_accepted)(void *context, double t, double *y);

  // A step has been computed, or y is where one begins, from == to. From now on functions that surely stay positive in it are
  // INFINITY. Returns 1 where others are not any longer: while they are joining only these are asked for. May be NULL, both.
  int (*approach)(void *context, const stepSpan *span);
  void (*joining)(void *context, int is_joining);

  // A step has been computed, and switching functions at its end if there are any: the two that follow are asked about it. May be NULL, and these with it.
  void (*span)(void *context, const stepSpan *span);

  // The first time after `after` and before `to`, about, at which a switching function may have changed its sign; INFINITY:
  // none does.
  double (*switches_within)(void *context, double after, double to);

  // The end of the part of the step, up to `to`, over which nothing acts that the step has not seen. A step that goes
  // beyond is taken again, up to there; RK4 counts it and goes on.
  double (*seen)(void *context, double to);

  // The longest step from y, and up to y, where the methods choose their steps: a function of y alone. INFINITY: any length
  // will do. May be NULL.
  double (*longest)(void *context, const double *y);

  // STEP_MOREAU: y at t + h from `from` at t. Whatever else it changes is that of its last call.
  artStatus (*leap)(void *context, double t, double h, const double *from, double *y);

  // Asked before every step of step_to: 1 makes it return ART_STOPPED, its y untouched. Whoever calls it once
  // more for the same instant continues with bit-identical results. May be NULL.
  int (*pause)(void *context);

  // The name of y[k] in messages, and the owner of switching function i, for k = -1 - i; NULL, or NULL for an answer: not
  // known.
  const char *(*name)(void *context, int k);

  // Where y[k] is in a file; NULL: nowhere.
  artPlace (*place)(void *context, int k);

  // [n] of y, for messages; NULL: 1
  const double *units;

  void *context;
} stepProblem;

//---- options -------------------------------------------------------------------------------------

typedef enum stepMethod {
  STEP_RK4,    // classical Runge-Kutta of order 4 on the grid t0 + k step
  STEP_DOPRI5, // Dormand-Prince 5(4) with error control and continuous extension
  STEP_BDF,    // CVODE: variable-order backward differences, Newton iteration, for stiff problems
  STEP_ADAMS,  // CVODE: variable-order Adams-Moulton, functional iteration
  STEP_MOREAU, // steps of the problem itself, of order one, on the grid of STEP_RK4
} stepMethod;

// How BDF solves the linear equations of Newton's iteration.
typedef enum stepLinear {
  STEP_BY_SIZE, // dense up to STEP_MOST_DENSE unknowns
  STEP_DENSE,   // with a full matrix, an evaluation for each unknown
  STEP_KRYLOV,  // by GMRES, an evaluation for each iteration
} stepLinear;

enum { STEP_MOST_DENSE = 128 };

typedef struct stepOptions {
  stepMethod method;
  double step; // of given length; others: the first step, 0 = automatic
  double relative,
      absolute;      // tolerances on the local error: absolute + relative |y|; not for given steps
  double longest;    // no step is longer than this; 0 = no bound; not for given steps
  double whole;      // time in view, s: see step_to; 0 = not known
  long most_steps;   // in one call of step_to; 0 = no bound
  stepLinear linear; // BDF
  int changes_over; // STEP_DOPRI5: BDF continues where the problem proves stiff (stiffness.c), if the library has it
} stepOptions;

// Dormand-Prince, relative 1e-8, absolute 1e-10, everything else automatic.
stepOptions step_default_options(void);

// "rk4", "dopri5", "bdf", "adams", "moreau".
const char *step_method_name(stepMethod method);

//---- stepping ------------------------------------------------------------------------------------

typedef struct stepper stepper;

// Copies options and problem; the context must outlive the stepper and be in the mode of t0.
// ART_UNSUPPORTED when the method needs SUNDIALS and the library was built without it.
artStatus step_create(stepper **out, const stepOptions *options, const stepProblem *problem,
                      double t0, const double *y0, artError *error);

// The solution at t, not earlier than the t of the call before and not beyond the stop; y has length n. The stepper may
// have stepped beyond t, but the context is left in the mode that holds at t (at the instant of an
// event: the mode that ends there).
// On failure y is the last good state, at the time step_time().
// ART_STEP_TOO_SMALL, too, where rounding keeps steps so short that the time in view would take more than
// 1e5 of them, or where it would take 1e9 that are shorter than 0.1 us (crawl.c).
artStatus step_to(stepper *s, double t, double *y, artError *error);

// Take one more step. On failure the stepper stands where it stood.
artStatus step_once(stepper *s, artError *error);

// From here on no step and no evaluation of f goes beyond t, not before step_time(); step_to(t) then lands on it, equal to the
// last bit, and the next stop is set from there. RK4 divides the way from here to there in equal steps, as few
// as are no longer than its own; the others end a step there and go on with the length that they had in mind.
// INFINITY: no stop.
void step_stop(stepper *s, double t);

// f has changed at t, an instant of the newest segment: the next step begins there, at y, and knows nothing of f
// before. Modes that do not hold any longer are changed first; the caller may have done so for some of them.
void step_restart(stepper *s, double t, const double *y);

// Beginning and end of the last accepted step; both t0 before the first one.
double step_begin(const stepper *s);
double step_time(const stepper *s);

// y at its end.
const double *step_end(const stepper *s);

// Its length; 0 before the first one.
double step_length(const stepper *s);

typedef struct stepCounts {
  long steps;               // accepted steps
  long rejected;            // steps tried again with a shorter length
  long evaluations;         // calls of rate
  long events;              // calls of cross
  long unproved;            // steps in which a switching function could not be followed
  long unseen;              // RK4: steps within which something acted that they did not see
  long rounding;            // estimated number of steps as short as rounding of y allows
  int is_stiff;             // STEP_DOPRI5: stability bounds the steps, not the tolerance,
  double stiff_time;        // from this time on,
  int is_changed_over;      // where BDF has continued
  double shortest, longest; // accepted steps
} stepCounts;

const stepCounts *step_counts(const stepper *s);

// Of methods with given steps, for every unknown: the estimated errors of all steps so far, by magnitude, and in *extent
// the largest distance from y0. NULL: the method controls its errors.
const double *step_errors(const stepper *s, const double **extent);

// Accepts NULL.
void step_free(stepper *s);

//---- interruption --------------------------------------------------------------------------------

// A saved stepper, loaded into a stepper created with the same options and problem (t0 and y0 are
// then of no account), continues with bit-identical results as if it had not been interrupted. The bytes
// suit this kind of machine alone. The mode is the context's: the caller saves it separately, and puts it
// back before step_load.
size_t step_save_size(const stepper *s);
artStatus step_save(const stepper *s, void *bytes, size_t size, artError *error);

// ART_BAD_INPUT, the stepper unharmed, when the bytes belong to another kind of stepper.
artStatus step_load(stepper *s, const void *bytes, size_t size, artError *error);

#endif
