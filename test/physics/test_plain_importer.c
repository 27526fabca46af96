// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A plain importer of FMI 2.0: CVODE steps beyond the next communication point and interpolates, so rates are asked for beyond events in
// time as well; roots of event indicators are found by CVODE; a step is completed at communication points alone; and the integrator begins
// anew only where event mode says that continuous states have changed. Exported machines have to stay right under it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/unit_host.h"

#ifdef ART_HAVE_SUNDIALS
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { POINTS = 200 };

typedef struct importer {
  hostUnit unit;
  fmi2Component c;
  void *cvode;
  N_Vector x;
  double next; // event in time
  int events, restarts;
} importer;


static int find_rates(double t, N_Vector x, N_Vector rate, void *context)
{
  importer *im = context;
  hostUnit *u = &im->unit;
  const size_t n = (size_t) u->nx;
  if (u->fmi2SetTime(im->c, t) || u->fmi2SetContinuousStates(im->c, NV_DATA_S(x), n)) return -1;
  return u->fmi2GetDerivatives(im->c, NV_DATA_S(rate), n) == fmi2OK ? 0 : -1;
}


static int find_indicators(double t, N_Vector x, double *z, void *context)
{
  importer *im = context;
  hostUnit *u = &im->unit;
  if (u->fmi2SetTime(im->c, t)) return -1;
  if (u->fmi2SetContinuousStates(im->c, NV_DATA_S(x), (size_t) u->nx)) return -1;
  return u->fmi2GetEventIndicators(im->c, z, (size_t) u->nindicator) == fmi2OK ? 0 : -1;
}


// discrete states until they stay; whether continuous ones have changed
static int update(importer *im)
{
  fmi2EventInfo info = {.newDiscreteStatesNeeded = fmi2True};
  int has_changed = 0;
  for (int k = 0; info.newDiscreteStatesNeeded && CHECK(k < 100); k++) {
    if (!CHECK(im->unit.fmi2NewDiscreteStates(im->c, &info) == fmi2OK)) return 0;
    has_changed |= info.valuesOfContinuousStatesChanged;
  }
  im->next = info.nextEventTimeDefined ? info.nextEventTime : HUGE_VAL;
  CHECK(im->unit.fmi2EnterContinuousTimeMode(im->c) == fmi2OK);
  return has_changed;
}


static int handle_event(importer *im, double t)
{
  hostUnit *u = &im->unit;
  im->events++;
  if (!CHECK(u->fmi2EnterEventMode(im->c) == fmi2OK)) return 0;
  if (!update(im)) return 1;
  im->restarts++;
  return CHECK(u->fmi2GetContinuousStates(im->c, NV_DATA_S(im->x), (size_t) u->nx) == fmi2OK) &&
         CHECK(CVodeReInit(im->cvode, t, im->x) == CV_SUCCESS);
}


// to the next communication point, or an event before it
static int advance(importer *im, double stop, double *t)
{
  hostUnit *u = &im->unit;
  fmi2Boolean wants_event = fmi2False, ends = fmi2False;
  const int is_timed = im->next <= stop;
  const int flag = CVode(im->cvode, is_timed ? im->next : stop, im->x, t, CV_NORMAL);
  if (!CHECK(flag >= 0)) printf("  CVODE answers %d at %.9g s\n", flag, *t);
  if (flag < 0) return 0;
  const int is_root = flag == CV_ROOT_RETURN;
  CHECK(u->fmi2SetTime(im->c, *t) == fmi2OK);
  CHECK(u->fmi2SetContinuousStates(im->c, NV_DATA_S(im->x), (size_t) u->nx) == fmi2OK);
  if (!CHECK(u->fmi2CompletedIntegratorStep(im->c, fmi2True, &wants_event, &ends) == fmi2OK)) {
    return 0;
  }
  return is_timed || is_root || wants_event ? handle_event(im, *t) : 1;
}


static void follow(importer *im, double span, double tolerance, double *end)
{
  enum { MAX_STEPS = 100000 };
  hostUnit *u = &im->unit;
  const double from = u->study.from;
  double t = from;
  SUNContext context;
  SUNContext_Create(NULL, &context);
  im->x = N_VNew_Serial(u->nx, context);
  im->events = im->restarts = 0;
  im->c = host_begin(u, fmi2ModelExchange, from);
  update(im);
  CHECK(u->fmi2GetContinuousStates(im->c, NV_DATA_S(im->x), (size_t) u->nx) == fmi2OK);
  im->cvode = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = SUNDenseMatrix(u->nx, u->nx, context);
  SUNLinearSolver solver = SUNLinSol_Dense(im->x, matrix, context);
  CVodeSetUserData(im->cvode, im);
  CVodeSetErrFile(im->cvode, NULL);
  CVodeInit(im->cvode, find_rates, from, im->x);
  CVodeSStolerances(im->cvode, tolerance, tolerance);
  CVodeSetMaxNumSteps(im->cvode, 100000);
  CVodeSetLinearSolver(im->cvode, solver, matrix);
  CVodeRootInit(im->cvode, u->nindicator, find_indicators);
  CVodeSetNoInactiveRootWarn(im->cvode);
  int point = 1, steps = 0, goes_on = 1;
  while (goes_on && point <= POINTS) {
    const double stop = from + span * point / POINTS;
    goes_on = advance(im, stop, &t) && CHECK(++steps < MAX_STEPS);
    if (t >= stop) point++;
  }
  memcpy(end, NV_DATA_S(im->x), (size_t) u->nx * sizeof *end);
  u->fmi2FreeInstance(im->c);
  CVodeFree(&im->cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(im->x);
  SUNContext_Free(&context);
}


// how far the importer leads a machine off what `articula run` finds
static void import(const char *name, double span, double tolerance, double limit)
{
  enum { MOST = 500 };
  static importer im;
  static double end[MOST];
  char path[300];
  snprintf(path, sizeof path, ART_SOURCE_DIR "/models/%s.yaml", name);
  if (!CHECK(host_open(&im.unit, path, &check_error))) return;
  follow(&im, span, tolerance, end);
  const artModel *m = im.unit.m;
  const artData *d = im.unit.d;
  artRunDef study = im.unit.study;
  study.method = ART_AUTOMATIC, study.integrator = ART_DOPRI5, study.tolerance = 1e-11;
  study.step = 0, study.until = study.from + span;
  CHECK_WORKS(
      art_run_to(keep_started_run(im.unit.m, im.unit.d, &study), study.until, &check_error));
  double off = 0;
  for (int i = 0; i < m->tree.nq + m->tree.nv; i++) {
    const double want = i < m->tree.nq ? d->q[i] : d->v[i - m->tree.nq];
    const double own = fabs(end[i] - want) / (1 + fabs(want));
    off = own <= off ? off : own;
  }
  if (getenv("ART_SHOW")) {
    printf("  %s: off by %.2g, %d events, %d restarts\n", name, off, im.events, im.restarts);
  }
  if (!CHECK(off <= limit)) printf("  %s is off by %.3g\n", name, off);
}


CASE(latches, import("latch", 4, 1e-7, 1e-5))
CASE(samplers, import("plant/inverted-pendulum", 2, 1e-10, 1e-5))
CASE(locks, import("plant/industrial-robot", 1.856, 1e-7, 1e-5))
CASE(friction, import("puma560", 1, 1e-7, 1e-5))
CASE(relays, import("../test/models/good/relay", 3, 1e-7, 1e-4))
CASE(conditions, import("../test/models/good/conditions", 2, 1e-7, 1e-5))
CASE(ropes, import("rope-pendulum", 3, 1e-7, 1e-5))
CASE(loops, import("loops/four-bar", 2, 1e-10, 1e-4))
#endif
