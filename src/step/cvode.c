// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Multistep methods of variable order through CVODE of SUNDIALS: BDF with Newton iteration, Adams with
// functional iteration. The linear equations of Newton's iteration,  (1 - gamma df/dy) d = r,  are solved with
// a full matrix of differences, or by GMRES (Saad, Schultz 1986) with products  df/dy d  by one difference
// each: the cost of a long chain stays that of its evaluations, which threads and ranks can share.
//
// CVODE steps freely (one step a call) and output comes from its own interpolation, so the steps do
// not depend on the output. Its first step would; we give it ours. In its very first step it takes
// the last of its memory, from malloc as all of CVODE: an open stepper has taken a step at rest.
//
// CVODE begins with order one and short steps. Where explicit steps do, a step of Dormand and Prince comes first
// (starter.c). CVODE then goes over it again along its polynomial p: it integrates  dy/dt = p'(t),  which asks for no rates,
// and comes to the end with the order and the step that suit p. The error of its first steps of low order in y is a
// constant; it is taken off y from there on.
//
// The history of a multistep method is not to be had from CVODE. A saved stepper therefore holds
// the point where the history began (the start, or the last event) and loading integrates again
// from there, the same number of steps in the same mode with the same stops: the same operations, hence the same
// bits. After many stops a history begins anew, so that this takes little time.
#include "step/stepper.h"

#include "base/error.h"

#ifdef ART_HAVE_SUNDIALS

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/memory.h"

// arrays of s->work after the arrays of the starter, whose stages have passed when F0 and F1 are in use
enum { F0, F1, Y_RESTART = DOPRI5_ARRAYS, OFFSET, Y_MOVED, ARRAYS };

// what CVODE takes for rates
typedef enum cvodeRates { RATES_OF_PROBLEM, RATES_ZERO, RATES_OF_STARTER } cvodeRates;

// No step along the starter's polynomial is longer than this part of it, nor the first step after it; steps there, which
// cost little, have errors of this part of the tolerance.
static const double PART = 0.125, FINER = 0.01;

// the starter continues where its next step would be this many times as long
static const double STRIDE = 3;

// of time: shorter steps are not divided in parts
static const double LEAST = 1e6 * DBL_EPSILON;

typedef struct cvodeHandles {
  SUNContext context;
  void *cvode;
  N_Vector y; // wraps whatever array is at hand
  SUNMatrix matrix;
  SUNLinearSolver linear;
  SUNNonlinearSolver iteration;
  cvodeRates rates;
} cvodeHandles;


// CVODE wants at least one unknown; a problem without any gets one at rest
static int cvode_length(const stepper *s)
{
  return s->problem.n > 0 ? s->problem.n : 1;
}


static N_Vector cvode_wrap(const stepper *s, double *y)
{
  const cvodeHandles *c = s->extra;
  N_VSetArrayPointer(y, c->y);
  return c->y;
}


static cvodeRates cvode_rates_of(const stepper *s)
{
  return ((const cvodeHandles *) s->extra)->rates;
}


// from what CVODE holds to y
static void cvode_take_off_offset(const stepper *s, double *y)
{
  const double *offset = step_array(s, OFFSET);
  for (int k = 0; k < s->problem.n; k++) y[k] -= offset[k];
}


// CVODE's right-hand side: 0 done, 1 try a shorter step, -1 give up
static int cvode_right_side(double t, N_Vector y, N_Vector ydot, void *user)
{
  stepper *s = user;
  const cvodeRates rates = cvode_rates_of(s);
  double *f = N_VGetArrayPointer(ydot), *y_moved = step_array(s, Y_MOVED);
  if (rates == RATES_ZERO || s->problem.n == 0) N_VConst(0, ydot);
  if (rates == RATES_ZERO) return 0;
  if (rates == RATES_OF_STARTER) {
    starter_rate(s, t, f);
    return 0;
  }
  memcpy(y_moved, N_VGetArrayPointer(y), (size_t) cvode_length(s) * sizeof *y_moved);
  cvode_take_off_offset(s, y_moved);
  const artStatus status = step_rate(s, t, y_moved, f);
  if (status == ART_STOPPED) return -1;
  return status ? 1 : 0;
}


// weights of errors
static int cvode_error_weights(N_Vector y_now, N_Vector weight, void *user)
{
  const stepper *s = user;
  const stepOptions *o = &s->options;
  const double *y = N_VGetArrayPointer(y_now);
  const double finer = fmin(1, fmax(FINER, 1e-14 / o->relative)); // above rounding
  const double part = cvode_rates_of(s) == RATES_OF_STARTER ? finer : 1;
  double *w = N_VGetArrayPointer(weight);
  for (int k = 0; k < cvode_length(s); k++)
    w[k] = 1 / (part * (o->absolute + o->relative * fabs(y[k])));
  return 0;
}


// df/dy by differences, a column for each unknown; CVODE's own would take memory each time. The
// increments follow its user guide: above rounding in y and in the change of y in a step. Where y is about zero they are
// above rounding of the size at which both tolerances weigh the same: at rest, where forces cancel, rates are their rounding.
static int cvode_jacobian(double t, N_Vector y_now, N_Vector f_now, SUNMatrix J, void *user,
                          N_Vector a, N_Vector b, N_Vector c)
{
  (void) b, (void) c;
  stepper *s = user;
  if (cvode_rates_of(s) != RATES_OF_PROBLEM) return SUNMatZero(J);
  const stepOptions *o = &s->options;
  const int n = cvode_length(s);
  double *y = N_VGetArrayPointer(y_now), *f_moved = N_VGetArrayPointer(a);
  const double *f = N_VGetArrayPointer(f_now);

  double gamma = 0; // of the order of the step
  CVodeGetCurrentGamma(((cvodeHandles *) s->extra)->cvode, &gamma);
  const double change = fabs(gamma) * step_norm(s, f, y, y);
  const double least = change > 0 ? 1000 * DBL_EPSILON * n * change : 1;

  for (int j = 0; j < n; j++) {
    const double kept = y[j], weight = o->absolute + o->relative * fabs(kept);
    const double size = fmax(fabs(kept), o->absolute / o->relative);
    y[j] += fmax(sqrt(DBL_EPSILON) * size, least * weight);
    const int flag = cvode_right_side(t, y_now, a, s);
    const double increment = y[j] - kept;
    y[j] = kept;
    if (flag) return flag;
    double *column = SM_COLUMN_D(J, j);
    for (int i = 0; i < n; i++) column[i] = (f_moved[i] - f[i]) / increment;
  }
  return 0;
}


// CVODE's messages are not printed: what matters of them is reported by its return value
static void keep_quiet(int code, const char *module, const char *function, char *text, void *user)
{
  (void) code, (void) module, (void) function, (void) text, (void) user;
}


//---- open and close ------------------------------------------------------------------------------

static void close_cvode(stepper *s)
{
  cvodeHandles *c = s->extra;
  if (!c) return;
  if (c->cvode) CVodeFree(&c->cvode);
  if (c->iteration) SUNNonlinSolFree(c->iteration);
  if (c->linear) SUNLinSolFree(c->linear);
  if (c->matrix) SUNMatDestroy(c->matrix);
  if (c->y) N_VDestroy(c->y);
  if (c->context) SUNContext_Free(&c->context);
  mem_free(c);
  s->extra = NULL;
}


// the most iterations of GMRES; more of them let steps through that are long against stiff parts
enum { MAX_KRYLOV = 20 };


// CVODE writes through NULL where some of its allocations fail. As much as it takes, and half as much again, is taken and given
// back before it begins: it fails here or not at all.
static int has_memory_for_cvode(int n, int is_large)
{
  enum { VECTORS = 60, VECTOR_HEAD = 1000, OBJECTS = 1 << 16 };
  const double matrices = is_large ? 0 : 3.0 * n * n;
  const double bytes =
      OBJECTS + VECTORS * (VECTOR_HEAD + 8.0 * n) + sizeof(double) * (matrices + 100.0 * n);
  void *volatile block = bytes < (double) SIZE_MAX ? malloc((size_t) bytes) : NULL;
  free(block);
  return block != NULL;
}


static int open_handles(stepper *s, cvodeHandles *c)
{
  const stepOptions *o = &s->options;
  const int n = cvode_length(s), bdf = o->method != STEP_ADAMS;
  const int is_large = o->linear == STEP_BY_SIZE && s->problem.n > STEP_MOST_DENSE;
  if (!has_memory_for_cvode(n, is_large)) return 0;
  if (SUNContext_Create(NULL, &c->context) != 0) return 0;
  c->y = N_VMake_Serial(n, s->y_new, c->context);
  c->cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, c->context);
  if (!c->y || !c->cvode || CVodeSetErrHandlerFn(c->cvode, keep_quiet, NULL) != CV_SUCCESS ||
      CVodeInit(c->cvode, cvode_right_side, s->state.t0, c->y) != CV_SUCCESS ||
      CVodeSetUserData(c->cvode, s) != CV_SUCCESS ||
      CVodeWFtolerances(c->cvode, cvode_error_weights) != CV_SUCCESS ||
      CVodeSetMaxStep(c->cvode, o->longest) != CV_SUCCESS) {
    return 0;
  }
  if (!bdf) {
    c->iteration = SUNNonlinSol_FixedPoint(c->y, 0, c->context);
    return c->iteration && CVodeSetNonlinearSolver(c->cvode, c->iteration) == CV_SUCCESS;
  }
  if (o->linear == STEP_KRYLOV || is_large) {
    c->linear = SUNLinSol_SPGMR(c->y, SUN_PREC_NONE, MAX_KRYLOV, c->context);
    return c->linear && CVodeSetLinearSolver(c->cvode, c->linear, NULL) == CV_SUCCESS;
  }
  c->matrix = SUNDenseMatrix(n, n, c->context);
  if (c->matrix) c->linear = SUNLinSol_Dense(c->y, c->matrix, c->context);
  return c->linear && CVodeSetLinearSolver(c->cvode, c->linear, c->matrix) == CV_SUCCESS &&
         CVodeSetJacFn(c->cvode, cvode_jacobian) == CV_SUCCESS;
}


// the first step, by which CVODE takes memory; 0 when there was none
static int step_at_rest(stepper *s, cvodeHandles *c)
{
  const double t0 = s->state.t0;
  double t;
  c->rates = RATES_ZERO;
  memcpy(step_array(s, F0), s->y_new, (size_t) cvode_length(s) * sizeof *s->y_new);
  CVodeReInit(c->cvode, t0, cvode_wrap(s, step_array(s, F0)));
  CVodeSetInitStep(c->cvode, 1e-6 * (1 + fabs(t0)));
  const int flag = CVode(c->cvode, t0 + 1 + fabs(t0), c->y, &t, CV_ONE_STEP);
  c->rates = RATES_OF_PROBLEM;
  return flag != CV_MEM_FAIL;
}


static artStatus open_cvode(stepper *s, artError *error)
{
  s->extra = mem_alloc(1, sizeof(cvodeHandles));
  if (!s->extra || !open_handles(s, s->extra) || !step_at_rest(s, s->extra)) {
    return base_no_memory(error);
  }
  return ART_OK;
}


//---- steps ---------------------------------------------------------------------------------------

static artStatus cvode_failed(const stepper *s, int flag, artError *error)
{
  const double t = s->state.t_old;
  const artPlace here = base_nowhere();
  if (step_rate_failed_ahead(s)) return step_rate_failed(s, error);
  switch (flag) {
  case CV_RHSFUNC_FAIL:
  case CV_FIRST_RHSFUNC_ERR:
  case CV_REPTD_RHSFUNC_ERR:
  case CV_UNREC_RHSFUNC_ERR: return step_rate_failed(s, error);
  case CV_MEM_FAIL: return base_no_memory(error);
  case CV_ERR_FAILURE:
    return base_fail(error, ART_STEP_TOO_SMALL, here,
                     "%s could not keep the error within the tolerance at t = %.17g, however short "
                     "the step",
                     s->kind->name, t);
  case CV_TOO_MUCH_ACC:
    return base_fail(error, ART_BAD_INPUT, here,
                     "the tolerances, relative %g and absolute %g, ask for more digits than there "
                     "are at t = %.17g",
                     s->options.relative, s->options.absolute, t);
  default:
    return base_fail(error, ART_NO_CONVERGENCE, here,
                     "the iteration of %s did not converge at t = %.17g (CVODE reports %d)",
                     s->kind->name, t, flag);
  }
}


// CVODE takes no infinity
static int tell_stop(const stepper *s, double stop)
{
  const cvodeHandles *c = s->extra;
  return CVodeSetStopTime(c->cvode, fmin(stop, 1e300));
}


// error-test and convergence failures since CVODE began
static long count_failures(const cvodeHandles *c)
{
  long tests = 0, convergence = 0;
  CVodeGetNumErrTestFails(c->cvode, &tests);
  CVodeGetNumNonlinSolvConvFails(c->cvode, &convergence);
  return tests + convergence;
}


// a step, to t; the target gives the direction only
static int free_step(stepper *s, double *y, double *t)
{
  const cvodeHandles *c = s->extra;
  const double target = s->state.t_restart + 1e6 * (1 + fabs(s->state.t_restart));
  return CVode(c->cvode, target, cvode_wrap(s, y), t, CV_ONE_STEP);
}


// how many steps old matrices of Newton's iteration may be; 0: as many as CVODE likes
static void let_matrices_last(const cvodeHandles *c, long steps)
{
  if (!c->linear) return;
  CVodeSetLSetupFrequency(c->cvode, steps);
  CVodeSetJacEvalFrequency(c->cvode, steps);
}


// over the starter's step along its polynomial, in parts of which the last is not much shorter than the one before
static int cvode_walk_starter(stepper *s)
{
  cvodeHandles *c = s->extra;
  const stepState *st = &s->state;
  ART_ASSERT(st->start > 0 && st->first > 0);
  const double *y = step_array(s, Y_RESTART), *r = step_array(s, DOPRI5_BENDS);
  double *offset = step_array(s, OFFSET), t = st->t_restart, h = st->first;
  int flag = CV_SUCCESS;
  c->rates = RATES_OF_STARTER;
  CVodeSetMaxStep(c->cvode, PART * st->start);
  while (flag >= 0 && t < st->started) {
    const double left = st->started - t;
    flag = tell_stop(s, left > 1.001 * h && left < 2 * h ? t + left / 2 : st->started);
    if (flag == CV_SUCCESS) flag = free_step(s, offset, &t);
    CVodeGetCurrentStep(c->cvode, &h);
  }
  c->rates = RATES_OF_PROBLEM;
  CVodeSetMaxStep(c->cvode, s->options.longest);
  let_matrices_last(c, 1);
  for (int k = 0; k < s->problem.n; k++) offset[k] -= y[k] + r[k];
  return flag < 0 ? flag : CV_SUCCESS;
}


static int begin_history(stepper *s)
{
  const cvodeHandles *c = s->extra;
  stepState *st = &s->state;
  st->index = 0;
  st->nstop = 0;
  st->told = INFINITY;
  memset(step_array(s, OFFSET), 0, (size_t) cvode_length(s) * sizeof(double));
  int flag = CVodeReInit(c->cvode, st->t_restart, cvode_wrap(s, step_array(s, Y_RESTART)));
  if (flag == CV_SUCCESS) flag = CVodeSetInitStep(c->cvode, st->first);
  if (flag == CV_SUCCESS && st->start > 0) flag = cvode_walk_starter(s);
  st->failures = count_failures(c);
  return flag == CV_SUCCESS ? tell_stop(s, INFINITY) : flag;
}


// CVODE learns of a stop that is new, and it is noted
static int note_stop(stepper *s)
{
  stepState *st = &s->state;
  ART_ASSERT(st->nstop < STEP_STOPS);
  const double stop = step_barrier(st);
  if (stop == st->told) return CV_SUCCESS;
  st->stops[st->nstop++] = (stepStop){stop, st->index};
  st->told = stop;
  return tell_stop(s, stop);
}


// The longest step that the problem allows where CVODE is; it counts from the choice of the next step on.
static void bound_step(stepper *s)
{
  const cvodeHandles *c = s->extra;
  double t, *y = step_array(s, Y_MOVED);
  if (!s->problem.longest) return;
  if (s->state.index == 0 && s->state.start == 0) {
    memcpy(y, step_array(s, Y_RESTART), (size_t) cvode_length(s) * sizeof *y);
  } else {
    CVodeGetCurrentTime(c->cvode, &t);
    CVodeGetDky(c->cvode, t, 0, cvode_wrap(s, y));
    cvode_take_off_offset(s, y);
  }
  const double longest = step_longest(s, y);
  CVodeSetMaxStep(c->cvode, isfinite(longest) ? longest : 0);
}


// one step of CVODE: t_end, y_new; a stop that it reaches it forgets
static int one_step(stepper *s)
{
  stepState *st = &s->state;
  bound_step(s);
  const int flag = free_step(s, s->y_new, &st->t_end);
  cvode_take_off_offset(s, s->y_new);
  if (st->index == 0) let_matrices_last(s->extra, 0);
  if (flag == CV_SUCCESS || flag == CV_TSTOP_RETURN) st->index++;
  if (flag == CV_TSTOP_RETURN) st->told = INFINITY;
  return flag;
}


// a history of order one from (t_old, y_old), whose rates are array F0
static artStatus begin_low(stepper *s, artError *error)
{
  stepState *st = &s->state;
  st->start = 0;
  st->first = s->options.step;
  if (st->first == 0) st->first = step_first(s, 1, step_array(s, F0), step_array(s, F1));
  const int flag = begin_history(s);
  return flag == CV_SUCCESS ? ART_OK : cvode_failed(s, flag, error);
}


// Is the starter's next step worth taking? It may be longer, or the stop nearer by such steps, of six evaluations each, than
// a matrix for Newton's iteration is. A step that was cut at the stop says nothing.
static int may_stride(const stepper *s)
{
  const stepState *st = &s->state;
  const cvodeHandles *c = s->extra;
  if (st->t_end == st->stop) return 0;
  const double h = fmin(st->h, step_longest(s, s->y_old));
  const int is_near = c->matrix && 6 * ceil((st->stop - st->t_end) / h) < cvode_length(s);
  return is_near || h > STRIDE * st->span;
}


// From here on nothing is known: the starter's step, or where it does not fit a history of order one.
static artStatus cvode_start(stepper *s, artError *error)
{
  stepState *st = &s->state;
  st->t_restart = st->t_old;
  st->index = 0;
  st->nstop = 0;

  // a step that an event cut short is no reason for a longer one
  if (st->resume == STEP_RESTART && st->is_fresh && st->span > 0) st->h = fmin(st->h, st->span);
  memcpy(step_array(s, Y_RESTART), s->y_old, (size_t) cvode_length(s) * sizeof(double));
  const artStatus status = starter_step(s, &st->is_fresh, error);
  st->strides = st->is_fresh && may_stride(s);
  return status || st->is_fresh ? status : begin_low(s, error);
}


// the history that the starter's step has
static artStatus follow_starter(stepper *s, artError *error)
{
  stepState *st = &s->state;
  ART_ASSERT(st->is_fresh);
  st->start = st->span;
  st->started = st->t_old;
  starter_refine(s);
  const double first = sqrt(FINER) * starter_first(s, step_array(s, Y_RESTART));
  st->first = fmin(PART * st->start, first);
  st->is_fresh = 0;
  const int flag = begin_history(s);
  return flag == CV_SUCCESS ? ART_OK : cvode_failed(s, flag, error);
}


static artStatus cvode_attempt(stepper *s, artError *error)
{
  stepState *st = &s->state;
  artStatus status = ART_OK;
  if (st->nstop == STEP_STOPS) st->resume = STEP_RESTART;
  const int is_short = st->span < LEAST * fabs(st->t_old);
  if (st->resume == STEP_RESTART || (st->is_fresh && (st->strides || is_short))) {
    status = cvode_start(s, error);
  } else if (st->is_fresh) {
    status = follow_starter(s, error);
  }
  if (status || st->is_fresh) return status;

  int flag = note_stop(s);
  if (flag == CV_SUCCESS) flag = one_step(s);
  const long failures = count_failures(s->extra);
  st->counts.rejected += failures - st->failures;
  st->failures = failures;
  if (flag < 0) return cvode_failed(s, flag, error);
  st->span = st->t_end - st->t_old;
  return st->span > 0 ? ART_OK : step_too_small(s, st->span, error);
}


static artStatus cvode_dense(stepper *s, double t, double *y, artError *error)
{
  if (s->state.is_fresh) return dopri5_dense(s, t, y, error);
  const cvodeHandles *c = s->extra;
  double *target = s->problem.n > 0 ? y : step_array(s, F0);
  const int flag = CVodeGetDky(c->cvode, t, 0, cvode_wrap(s, target));
  cvode_take_off_offset(s, target);
  return flag == CV_SUCCESS ? ART_OK : cvode_failed(s, flag, error);
}


// take again the steps that the saved stepper had taken since its history began
static artStatus cvode_rebuild(stepper *s, artError *error)
{
  const cvodeHandles *c = s->extra;
  const stepState saved = s->state;
  CVodeSetMaxStep(c->cvode, s->options.longest);
  if (saved.index == 0 || saved.resume == STEP_RESTART) return ART_OK;
  memcpy(step_array(s, F0), s->y_new, (size_t) cvode_length(s) * sizeof(double));

  int flag = begin_history(s);
  for (int k = 0; flag >= 0 && s->state.index < saved.index;) {
    while (flag >= 0 && k < saved.nstop && saved.stops[k].index == s->state.index) {
      flag = tell_stop(s, saved.stops[k++].t);
    }
    if (flag >= 0) flag = one_step(s);
  }
  const int same = flag >= 0 && s->state.t_end == saved.t_end;
  s->state = saved;
  memcpy(s->y_new, step_array(s, F0), (size_t) cvode_length(s) * sizeof(double));
  if (same) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the steps from t = %.17g, taken again, do not lead to the saved state at "
                   "t = %.17g: it belongs to another model or another mode",
                   saved.t_restart, saved.t_new);
}

#define CVODE_KIND(word)                                                                           \
  {                                                                                                \
    .name = word, .arrays = ARRAYS, .noise = 0.2, .open = open_cvode, .close = close_cvode,        \
    .attempt = cvode_attempt, .dense = cvode_dense, .rebuild = cvode_rebuild                       \
  }

#else

static artStatus open_cvode(stepper *s, artError *error)
{
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "the integrator '%s' needs SUNDIALS, which this build of Articula does without; "
                   "use 'dopri5' or 'rk4', or build with SUNDIALS installed",
                   s->kind->name);
}

#define CVODE_KIND(word)                                                                           \
  {                                                                                                \
    .name = word, .open = open_cvode                                                               \
  }

#endif

const stepKind step_bdf = CVODE_KIND("bdf");
const stepKind step_adams = CVODE_KIND("adams");
