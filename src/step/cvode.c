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
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/memory.h"

// arrays of s->work
enum { Y_RESTART, F0, F1, ARRAYS };

typedef struct cvodeHandles {
  SUNContext context;
  void *cvode;
  N_Vector y; // wraps whatever array is at hand
  SUNMatrix matrix;
  SUNLinearSolver linear;
  SUNNonlinearSolver iteration;
  int is_at_rest; // rates are taken as zero
} cvodeHandles;


// CVODE wants at least one unknown; a problem without any gets one at rest
static int length(const stepper *s)
{
  return s->problem.n > 0 ? s->problem.n : 1;
}


static N_Vector wrap(const stepper *s, double *y)
{
  const cvodeHandles *c = s->extra;
  N_VSetArrayPointer(y, c->y);
  return c->y;
}


// CVODE's right-hand side: 0 done, 1 try a shorter step, -1 give up
static int rhs(double t, N_Vector y, N_Vector ydot, void *user)
{
  stepper *s = user;
  double *f = N_VGetArrayPointer(ydot);
  if (((const cvodeHandles *) s->extra)->is_at_rest) {
    N_VConst(0, ydot);
    return 0;
  }
  if (s->problem.n == 0) f[0] = 0;
  const artStatus status = step_rate(s, t, N_VGetArrayPointer(y), f);
  if (status == ART_STOPPED) return -1;
  return status ? 1 : 0;
}


// df/dy by differences, a column for each unknown; CVODE's own would take memory each time. The
// increments follow its user guide: above rounding in y and in the change of y in a step.
static int jacobian(double t, N_Vector y_now, N_Vector f_now, SUNMatrix J, void *user, N_Vector a,
                    N_Vector b, N_Vector c)
{
  (void) b, (void) c;
  stepper *s = user;
  const stepOptions *o = &s->options;
  const int n = length(s);
  double *y = N_VGetArrayPointer(y_now), *f_moved = N_VGetArrayPointer(a);
  const double *f = N_VGetArrayPointer(f_now);

  double gamma = 0; // of the order of the step
  CVodeGetCurrentGamma(((cvodeHandles *) s->extra)->cvode, &gamma);
  const double change = fabs(gamma) * step_norm(s, f, y, y);
  const double least = change > 0 ? 1000 * DBL_EPSILON * n * change : 1;

  for (int j = 0; j < n; j++) {
    const double kept = y[j], weight = o->absolute + o->relative * fabs(kept);
    y[j] += fmax(sqrt(DBL_EPSILON) * fabs(kept), least * weight);
    const int flag = rhs(t, y_now, a, s);
    const double increment = y[j] - kept;
    y[j] = kept;
    if (flag) return flag;
    double *column = SM_COLUMN_D(J, j);
    for (int i = 0; i < n; i++) column[i] = (f_moved[i] - f[i]) / increment;
  }
  return 0;
}


// CVODE's messages are not printed: what matters of them is told by its return value
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
enum { MOST_KRYLOV = 20 };


static int open_handles(stepper *s, cvodeHandles *c)
{
  const stepOptions *o = &s->options;
  const int n = length(s), bdf = o->method == STEP_BDF;
  const int is_large = o->linear == STEP_BY_SIZE && s->problem.n > STEP_MOST_DENSE;
  if (SUNContext_Create(NULL, &c->context) != 0) return 0;
  c->y = N_VMake_Serial(n, s->y_new, c->context);
  c->cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, c->context);
  if (!c->y || !c->cvode || CVodeSetErrHandlerFn(c->cvode, keep_quiet, NULL) != CV_SUCCESS ||
      CVodeInit(c->cvode, rhs, s->state.t0, c->y) != CV_SUCCESS ||
      CVodeSetUserData(c->cvode, s) != CV_SUCCESS ||
      CVodeSStolerances(c->cvode, o->relative, o->absolute) != CV_SUCCESS ||
      CVodeSetMaxStep(c->cvode, o->longest) != CV_SUCCESS) {
    return 0;
  }
  if (!bdf) {
    c->iteration = SUNNonlinSol_FixedPoint(c->y, 0, c->context);
    return c->iteration && CVodeSetNonlinearSolver(c->cvode, c->iteration) == CV_SUCCESS;
  }
  if (o->linear == STEP_KRYLOV || is_large) {
    c->linear = SUNLinSol_SPGMR(c->y, SUN_PREC_NONE, MOST_KRYLOV, c->context);
    return c->linear && CVodeSetLinearSolver(c->cvode, c->linear, NULL) == CV_SUCCESS;
  }
  c->matrix = SUNDenseMatrix(n, n, c->context);
  if (c->matrix) c->linear = SUNLinSol_Dense(c->y, c->matrix, c->context);
  return c->linear && CVodeSetLinearSolver(c->cvode, c->linear, c->matrix) == CV_SUCCESS &&
         CVodeSetJacFn(c->cvode, jacobian) == CV_SUCCESS;
}


// the first step, by which CVODE takes memory; 0 when there was none
static int step_at_rest(stepper *s, cvodeHandles *c)
{
  const double t0 = s->state.t0;
  double t;
  c->is_at_rest = 1;
  memcpy(step_array(s, F0), s->y_new, (size_t) length(s) * sizeof *s->y_new);
  CVodeReInit(c->cvode, t0, wrap(s, step_array(s, F0)));
  CVodeSetInitStep(c->cvode, 1e-6 * (1 + fabs(t0)));
  const int flag = CVode(c->cvode, t0 + 1 + fabs(t0), c->y, &t, CV_ONE_STEP);
  c->is_at_rest = 0;
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

static artStatus failed(const stepper *s, int flag, artError *error)
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


static int begin_history(stepper *s)
{
  const cvodeHandles *c = s->extra;
  s->state.index = 0;
  s->state.failures = 0;
  s->state.nstop = 0;
  s->state.told = INFINITY;
  int flag = CVodeReInit(c->cvode, s->state.t_restart, wrap(s, step_array(s, Y_RESTART)));
  if (flag == CV_SUCCESS) flag = CVodeSetInitStep(c->cvode, s->state.h);
  return flag == CV_SUCCESS ? tell_stop(s, INFINITY) : flag;
}


// CVODE learns of a stop that is new, and it is noted
static int note_stop(stepper *s)
{
  stepState *st = &s->state;
  if (st->stop == st->told) return CV_SUCCESS;
  st->stops[st->nstop++] = (stepStop){st->stop, st->index};
  st->told = st->stop;
  return tell_stop(s, st->stop);
}


// one step of CVODE: t_end, y_new; a stop that it reaches it forgets
static int one_step(stepper *s)
{
  const cvodeHandles *c = s->extra;
  stepState *st = &s->state;

  // the target gives the direction only
  const double target = st->t_restart + 1e6 * (1 + fabs(st->t_restart));
  const int flag = CVode(c->cvode, target, wrap(s, s->y_new), &st->t_end, CV_ONE_STEP);
  if (flag == CV_SUCCESS || flag == CV_TSTOP_RETURN) st->index++;
  if (flag == CV_TSTOP_RETURN) st->told = INFINITY;
  return flag;
}


static artStatus attempt(stepper *s, artError *error)
{
  stepState *st = &s->state;
  if (st->nstop == STEP_STOPS) st->resume = STEP_RESTART;
  if (st->resume == STEP_RESTART) {
    st->t_restart = st->t_old;
    memcpy(step_array(s, Y_RESTART), s->y_old, (size_t) length(s) * sizeof(double));
    st->h = s->options.step;
    if (st->h == 0) {
      double *f = step_array(s, F0);
      if (step_rate(s, st->t_old, s->y_old, f)) return step_rate_failed(s, error);
      st->h = step_first(s, f, step_array(s, F1));
    }
    const int flag = begin_history(s);
    if (flag != CV_SUCCESS) return failed(s, flag, error);
  }

  const cvodeHandles *c = s->extra;
  int flag = note_stop(s);
  if (flag == CV_SUCCESS) flag = one_step(s);
  long tests = 0, convergence = 0;
  CVodeGetNumErrTestFails(c->cvode, &tests);
  CVodeGetNumNonlinSolvConvFails(c->cvode, &convergence);
  st->counts.rejected += tests + convergence - st->failures;
  st->failures = tests + convergence;
  if (flag < 0) return failed(s, flag, error);
  st->span = st->t_end - st->t_old;
  return st->span > 0 ? ART_OK : step_too_small(s, st->span, error);
}


static artStatus dense(stepper *s, double t, double *y, artError *error)
{
  const cvodeHandles *c = s->extra;
  double *target = s->problem.n > 0 ? y : step_array(s, F0);
  const int flag = CVodeGetDky(c->cvode, t, 0, wrap(s, target));
  return flag == CV_SUCCESS ? ART_OK : failed(s, flag, error);
}


// take again the steps that the saved stepper had taken since its history began
static artStatus rebuild(stepper *s, artError *error)
{
  const stepState saved = s->state;
  if (saved.index == 0 || saved.resume == STEP_RESTART) return ART_OK;
  memcpy(step_array(s, F0), s->y_new, (size_t) length(s) * sizeof(double));

  int flag = begin_history(s);
  for (int k = 0; flag >= 0 && s->state.index < saved.index;) {
    while (flag >= 0 && k < saved.nstop && saved.stops[k].index == s->state.index) {
      flag = tell_stop(s, saved.stops[k++].t);
    }
    if (flag >= 0) flag = one_step(s);
  }
  const int same = flag >= 0 && s->state.t_end == saved.t_end;
  s->state = saved;
  memcpy(s->y_new, step_array(s, F0), (size_t) length(s) * sizeof(double));
  if (same) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the steps from t = %.17g, taken again, do not lead to the saved state at "
                   "t = %.17g: it belongs to another model or another mode",
                   saved.t_restart, saved.t_new);
}

#define CVODE_KIND(word)                                                                           \
  {                                                                                                \
    .name = word, .order = 1, .arrays = ARRAYS, .noise = 0.2, .open = open_cvode,                  \
    .close = close_cvode, .attempt = attempt, .dense = dense, .rebuild = rebuild                   \
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
