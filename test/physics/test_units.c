// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines as units of FMI 2.0: model exchange under CVODE and co-simulation have to follow what `articula run` finds. All
// sample models are asked where ART_SOAK is set.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi/fmi3.h"
#include "model/model.h"
#include "num/difference.h"
#include "step/step.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/unit_host.h"

enum { MOST = 2000, ROWS = 10 };

typedef struct host {
  hostUnit unit;
  fmi2Component c;
  double sign[MOST];
  double next; // time event
  int events;
} host;

// The unit of models/NAME.yaml with derivatives by a version of the standard, 0: without them. A test ends where there is none.
static hostUnit *open_version(host *h, const char *name, int version)
{
  char path[300];
  snprintf(path, sizeof path, ART_SOURCE_DIR "/models/%s.yaml", name);
  const int made = version ? host_open_version(&h->unit, path, version, &check_error)
                           : host_open(&h->unit, path, &check_error);
  if (!CHECK(made)) printf("  %s: %s\n", name, check_error.text);
  check_stop_if_failed();
  return &h->unit;
}


static hostUnit *open_unit(host *h, const char *name)
{
  return open_version(h, name, 0);
}


static fmi2ValueReference reference_of(const hostUnit *u, const char *name)
{
  return (fmi2ValueReference) host_reference(u, name);
}


// an instance of model exchange in continuous time from t on, and its states
static fmi2Component begin_continuous(hostUnit *u, double t, double *x)
{
  fmi2EventInfo info;
  fmi2Component c = host_begin(u, fmi2ModelExchange, t);
  CHECK(u->fmi2NewDiscreteStates(c, &info) == fmi2OK);
  CHECK(u->fmi2EnterContinuousTimeMode(c) == fmi2OK);
  CHECK(u->fmi2GetContinuousStates(c, x, (size_t) u->nx) == fmi2OK);
  return c;
}

//---- the importer of a unit of model exchange ----------------------------------------------------

static artStatus rate(void *context, double t, const double *x, double *xdot)
{
  host *h = context;
  hostUnit *u = &h->unit;
  const size_t n = (size_t) u->nx;
  if (u->fmi2SetTime(h->c, t) || u->fmi2SetContinuousStates(h->c, x, n)) return ART_SINGULAR;
  return u->fmi2GetDerivatives(h->c, xdot, n) == fmi2OK ? ART_OK : ART_SINGULAR;
}


static void switches(void *context, double t, const double *x, double *g)
{
  host *h = context;
  hostUnit *u = &h->unit;
  u->fmi2SetTime(h->c, t);
  u->fmi2SetContinuousStates(h->c, x, (size_t) u->nx);
  u->fmi2GetEventIndicators(h->c, g, (size_t) u->nindicator);
  for (int i = 0; i < u->nindicator; i++) g[i] *= h->sign[i];
}


static void take_event(host *h, double *x)
{
  hostUnit *u = &h->unit;
  fmi2EventInfo info = {0};
  CHECK(u->fmi2EnterEventMode(h->c) == fmi2OK);
  CHECK(u->fmi2NewDiscreteStates(h->c, &info) == fmi2OK);
  CHECK(!info.newDiscreteStatesNeeded && !info.terminateSimulation);
  CHECK(u->fmi2EnterContinuousTimeMode(h->c) == fmi2OK);
  CHECK(u->fmi2GetContinuousStates(h->c, x, (size_t) u->nx) == fmi2OK);
  h->next = info.nextEventTimeDefined ? info.nextEventTime : HUGE_VAL;
  h->events++;
}


// indicators of latches are the last
static int is_latch(const host *h, int i)
{
  return i >= h->unit.nindicator - h->unit.m->nlatch;
}


// Importers stop where indicators have changed their signs; steppers stop where rounding may hide it, and a latch keeps its
// state there.
static void go_beyond(host *h, double t, const double *x, int i)
{
  double xdot[MOST], own[MOST], g[MOST];
  for (double way = 0; CHECK(way < 1e-6); way = way > 0 ? 1.25 * way : 1e-12) {
    CHECK(rate(h, t, x, xdot) == ART_OK);
    for (int k = 0; k < h->unit.nx; k++) own[k] = x[k] + way / 2 * xdot[k];
    CHECK(rate(h, t + way / 2, own, xdot) == ART_OK);
    for (int k = 0; k < h->unit.nx; k++) own[k] = x[k] + way * xdot[k];
    switches(h, t + way, own, g);
    if (g[i] < 0) return;
  }
}


// a state event: indicators of corners and relays go on, indicators of latches begin anew
static void cross(void *context, double t, const double *x, int i)
{
  host *h = context;
  double own[MOST], g[MOST];
  h->unit.fmi2SetTime(h->c, t);
  h->unit.fmi2SetContinuousStates(h->c, x, (size_t) h->unit.nx);
  if (is_latch(h, i)) go_beyond(h, t, x, i);
  take_event(h, own);
  h->unit.fmi2GetEventIndicators(h->c, g, (size_t) h->unit.nindicator);
  if (!is_latch(h, i)) h->sign[i] = -h->sign[i];
  for (int k = 0; k < h->unit.nindicator; k++) {
    if (is_latch(h, k)) h->sign[k] = g[k] < 0 ? -1 : 1;
  }
}


// velocities behind the impact of a latch
static artStatus jump(void *context, double t, double *x, artError *error)
{
  host *h = context;
  (void) t, (void) error;
  return h->unit.fmi2GetContinuousStates(h->c, x, (size_t) h->unit.nx) == fmi2OK ? ART_OK
                                                                                 : ART_SINGULAR;
}


static int watch(void *context, double t, double *x)
{
  host *h = context;
  hostUnit *u = &h->unit;
  fmi2Boolean wants_event = 0, ends = 0;
  u->fmi2SetTime(h->c, t);
  u->fmi2SetContinuousStates(h->c, x, (size_t) u->nx);
  const fmi2Status status = u->fmi2CompletedIntegratorStep(h->c, fmi2True, &wants_event, &ends);
  if (!CHECK(status == fmi2OK && !ends)) return 0;
  if (wants_event) take_event(h, x);
  return wants_event;
}


// to t, by way of time events
static artStatus go_to(host *h, stepper *s, double t, double *x, artError *error)
{
  while (h->next <= t) {
    const double at = h->next;
    step_stop(s, at);
    const artStatus status = step_to(s, at, x, error);
    if (status) return status;
    h->unit.fmi2SetTime(h->c, at);
    h->unit.fmi2SetContinuousStates(h->c, x, (size_t) h->unit.nx);
    take_event(h, x);
    step_restart(s, at, x);
    if (!CHECK(h->next > at)) return ART_SINGULAR;
  }
  step_stop(s, h->next);
  return step_to(s, t, x, error);
}

//---- results of `articula run` -------------------------------------------------------------------

static artRun *reference(host *h, double span, double tolerance)
{
  artRunDef study = h->unit.study;
  study.method = ART_AUTOMATIC, study.integrator = ART_DOPRI5, study.tolerance = tolerance;
  study.step = 0, study.until = study.from + span;
  return keep_started_run(h->unit.m, h->unit.d, &study);
}


// the data of the unit at the end of a span
static void go_by_reference(host *h, double span, double tolerance)
{
  artRun *run = reference(h, span, tolerance);
  CHECK_WORKS(art_run_to(run, h->unit.study.from + span, &check_error));
}


// positions, velocities and states
static int take_state(const host *h, double *x)
{
  const artModel *m = h->unit.m;
  const artData *d = h->unit.d;
  const int nq = m->tree.nq, nv = m->tree.nv;
  memcpy(x, d->q, (size_t) nq * sizeof *x);
  memcpy(x + nq, d->v, (size_t) nv * sizeof *x);
  if (m->nstate > 0) memcpy(x + nq + nv, d->s, (size_t) m->nstate * sizeof *x);
  return nq + nv + m->nstate;
}


// how far n of them are off
static double apart(int n, const double *x, const double *own)
{
  double most = 0;
  for (int i = 0; i < n; i++) {
    const double off = fabs(x[i] - own[i]) / (1 + fabs(own[i]));
    if (isnan(off)) return NAN;
    most = fmax(most, off);
  }
  return most;
}


static double distance(const host *h, const double *x)
{
  static double state[MOST];
  const int n = take_state(h, state);
  return apart(n, x, state);
}


// the way of `articula run` at its start and after each of ROWS parts of a span
typedef struct way {
  int n;
  double x[ROWS + 1][MOST];
} way;

static artStatus lead(host *h, double span, double tolerance, way *w, artError *error)
{
  artStatus status = host_restart(&h->unit, error);
  if (status) return status;
  artRun *run = reference(h, span, tolerance);
  for (int k = 0; k <= ROWS && status == ART_OK; k++) {
    if (k > 0) status = art_run_to(run, h->unit.study.from + span * k / ROWS, error);
    w->n = take_state(h, w->x[k]);
  }
  return status;
}


// How far a run of another tolerance parts from a way: what the motion makes of small errors.
static double parting(host *h, double span, double tolerance, const way *w)
{
  static way other;
  double most = 0;
  if (lead(h, span, tolerance, &other, &check_error)) return NAN;
  for (int k = 0; k <= ROWS && !isnan(most); k++) {
    const double off = apart(w->n, w->x[k], other.x[k]);
    most = isnan(off) ? NAN : fmax(most, off);
  }
  return most;
}


// How far CVODE with a relative tolerance leads the unit off a way; infinitely far where it does not come to the end.
static double follow(host *h, double span, double tolerance, const way *w)
{
  hostUnit *u = &h->unit;
  double x[MOST] = {0}, worst = 0;
  stepper *s = NULL;
  const double from = u->study.from;
  h->c = host_begin(u, fmi2ModelExchange, from);
  h->events = 0;
  if (!h->c) return NAN;
  take_event(h, x);
  CHECK(apart(w->n, x, w->x[0]) < 1e-10);
  if (u->nindicator) u->fmi2GetEventIndicators(h->c, h->sign, (size_t) u->nindicator);
  for (int i = 0; i < u->nindicator; i++) h->sign[i] = h->sign[i] < 0 ? -1 : 1;
  const stepOptions options = {
      .method = STEP_ADAMS, .relative = tolerance, .absolute = 1e-2 * tolerance};
  const stepProblem problem = {.n = u->nx,
                               .nswitch = u->nindicator,
                               .rate = rate,
                               .switches = switches,
                               .switch_mode = cross,
                               .jump = h->unit.m->nlatch > 0 ? jump : NULL,
                               .step_accepted = watch,
                               .context = h};
  artStatus status = step_create(&s, &options, &problem, from, x, &check_error);
  for (int k = 1; k <= ROWS && status == ART_OK; k++) {
    status = go_to(h, s, from + span * k / ROWS, x, &check_error);
    const double off = apart(w->n, x, w->x[k]);
    worst = isnan(off) ? NAN : fmax(worst, off);
  }
  if (status) worst = HUGE_VAL;
  if (status && getenv("ART_SHOW")) printf("  %s\n", check_error.text);
  if (getenv("ART_SHOW")) printf("  %.0e: %.2g, %d events\n", tolerance, worst, h->events);
  step_free(s);
  u->fmi2FreeInstance(h->c);
  return worst;
}


static void exchange(const char *name, double span)
{
  static host h;
  static way w;
  open_unit(&h, name);
  if (!CHECK_WORKS(lead(&h, span, 1e-12, &w, &check_error))) return;
  if (getenv("ART_SHOW")) printf("  %s: %d states\n", name, h.unit.nx);
  const double off = follow(&h, span, 1e-13, &w);
  if (!CHECK(off <= 1e-7)) printf("  off by %.3g\n", off);
}


CASE(exchange_pendulum, exchange("pendulum", 3))
CASE(exchange_loops, exchange("loops/four-bar", 2))
CASE(exchange_quaternions, exchange("gyro", 1))
CASE(exchange_samplers, exchange("plant/inverted-pendulum", 2))
CASE(exchange_relays, exchange("../test/models/good/relay", 3))
CASE(exchange_conditions, exchange("../test/models/good/conditions", 2))
CASE(exchange_ropes, exchange("rope-pendulum", 3))
CASE(exchange_locks, exchange("loops/four-bar-lock", 1))

// six locks
CASE(exchange_robot, exchange("plant/industrial-robot", 1.856))
CASE(exchange_latches, exchange("latch", 4))
CASE(exchange_cart, exchange("vehicles/cart", 1))


//---- co-simulation -------------------------------------------------------------------------------

enum { RK4 = 1, DOPRI5, IMPLICIT };

// To the end of a span by steps of one length; how far it is off what `articula run` finds, infinitely where a step fails.
static double error_of_steps(host *h, int method, int n, double h_inside, double tolerance,
                             double span)
{
  hostUnit *u = &h->unit;
  const fmi2ValueReference how = reference_of(u, "integrator.method"),
                           inside = reference_of(u, "integrator.step");
  static double x[MOST];
  const double step = span / n, t = u->study.from;
  fmi2Status status = fmi2OK;
  fmi2Component c = host_instance(u, fmi2CoSimulation);
  CHECK(u->fmi2SetInteger(c, &how, 1, &method) == fmi2OK);
  CHECK(u->fmi2SetReal(c, &inside, 1, &h_inside) == fmi2OK);
  CHECK(u->fmi2SetupExperiment(c, fmi2True, tolerance, t, fmi2False, 0) == fmi2OK);
  CHECK(u->fmi2EnterInitializationMode(c) == fmi2OK);
  CHECK(u->fmi2ExitInitializationMode(c) == fmi2OK);
  for (int i = 0; i < n && status == fmi2OK; i++) {
    status = u->fmi2DoStep(c, t + i * step, step, fmi2True);
  }
  for (int i = 0; i < u->nx; i++) {
    const fmi2ValueReference at = (fmi2ValueReference) (1 + i);
    CHECK(u->fmi2GetReal(c, &at, 1, &x[i]) == fmi2OK);
  }
  u->fmi2FreeInstance(c);
  return status == fmi2OK ? distance(h, x) : HUGE_VAL;
}


// The order with which errors fall as steps are halved, between where the method begins to hold and where rounding
// counts. A tolerance of almost 1 lets every method make one step of each that it is asked for. NAN: there was no error.
static double order_of(host *h, int method, double span)
{
  enum { FEWEST = 8, MAX_STEPS = 1 << 13 };
  double last[3] = {NAN, NAN, NAN};
  for (int n = FEWEST; n <= MAX_STEPS; n *= 2) {
    const double off = error_of_steps(h, method, n, span / n, 0.99, span);
    if (getenv("ART_STEPS")) printf("    %d steps: %.3g\n", n, off);
    if (!(off > (method == IMPLICIT ? 2e-10 : 2e-11))) break; // its matrix is by differences
    if (!(off < 1e-2)) continue;
    last[0] = last[1];
    last[1] = last[2];
    last[2] = off;
  }
  return isnan(last[0]) ? log2(last[1] / last[2]) : log2(last[0] / last[2]) / 2;
}


// Of any machine, some have corners of laws on their way, and some no error.
static void check_orders(host *h, double span, int is_any)
{
  static const struct {
    const char *name;
    int method;
    double order;
  } methods[] = {{"rk4", RK4, 4}, {"dopri5", DOPRI5, 5}, {"implicit", IMPLICIT, 3}};
  go_by_reference(h, span, 1e-12);
  for (int k = 0; k < 3; k++) {
    const double order = order_of(h, methods[k].method, span);
    const double held = error_of_steps(h, methods[k].method, 10, span / 2000, 1e-9, span);
    if (getenv("ART_SHOW")) printf("  %s: %.2f, %.2g\n", methods[k].name, order, held);
    const int is_known = !is_any || (h->unit.nindicator == 0 && !isnan(order));
    const int is_kept = methods[k].method == RK4 || held < 1e-6;
    if (!CHECK(!is_known || order > methods[k].order - 0.5) || !CHECK(is_kept)) {
      printf("  %s: order %.3g, off by %.3g\n", methods[k].name, order, held);
    }
  }
}


static void simulate(const char *name, double span)
{
  static host h;
  open_unit(&h, name);
  check_orders(&h, span, 0);
}

CASE(steps_converge, simulate("pendulum", 1))

// relays go over at the instants where a run finds them, by every method inside; a rope becomes slack, and taut with a
// impact; a latch engages whose ends would pass each other within one step
static void check_instants(const char *name, double span)
{
  static host h;
  open_unit(&h, name);
  go_by_reference(&h, span, 1e-12);
  CHECK(error_of_steps(&h, RK4, 10, 1e-3, 1e-9, span) < 1e-8);
  CHECK(error_of_steps(&h, DOPRI5, 10, 1e-2, 1e-9, span) < 1e-6);
  CHECK(error_of_steps(&h, IMPLICIT, 10, 1e-2, 1e-9, span) < 1e-5);
}

CASE(steps_end_where_relays_go_over, check_instants("../test/models/good/relay", 3))
CASE(steps_end_where_conditions_come_true, check_instants("../test/models/good/conditions", 2))
CASE(steps_end_where_ropes_are_taut, check_instants("rope-pendulum", 3))
CASE(steps_end_where_latches_engage, check_instants("latch", 4))
// Steps with a tolerance of 1e-9 that end at corners of laws: how far they are off at most. Steps of dopri5 across these are
// off by 5 to 70 times that.
static void check_corners(const char *name, double span, double most)
{
  static host h;
  open_unit(&h, name);
  go_by_reference(&h, span, 1e-13);
  for (int method = DOPRI5; method <= IMPLICIT; method++) {
    const double off = error_of_steps(&h, method, 10, span / 2000, 1e-9, span);
    if (getenv("ART_SHOW")) printf("  %s: %.2g\n", name, off);
    if (!CHECK(off < most)) printf("  %s: off by %.3g\n", name, off);
  }
}

// the order of each method, across laws with corners of every kind
CASE(steps_converge_across_corners, simulate("../test/models/good/corners", 1))
CASE(steps_end_at_corners_of_laws, check_corners("puck", 2, 2e-7))
CASE(steps_end_at_corners_of_formulas, check_corners("plant/gear-motor", 0.04, 1e-10))
CASE(steps_end_at_corners_of_all_kinds, check_corners("../test/models/good/corners", 1, 1e-7))
CASE(steps_of_loops_converge, simulate("loops/four-bar", 0.2))
CASE(steps_of_quaternions_converge, simulate("gyro", 1))


//---- calls ---------------------------------------------------------------------------------------

static hostUnit *open_pendulum(void)
{
  static host h;
  return open_unit(&h, "plant/inverted-pendulum");
}


// a call that the state of the instance does not allow is an error with a message, and breaks the instance until a reset
TEST(calls_out_of_order_are_errors)
{
  fmi2EventInfo info;
  double x[MOST];
  hostUnit *u = open_pendulum();
  const size_t n = (size_t) u->nx;
  fmi2Component c = host_instance(u, fmi2ModelExchange);
#define WRONG(call)                                                                                \
  u->messages = 0;                                                                                 \
  CHECK((call) == fmi2Error && u->messages == 1);                                                  \
  CHECK(u->fmi2EnterInitializationMode(c) == fmi2Error);                                           \
  CHECK(u->fmi2Reset(c) == fmi2OK)
  WRONG(u->fmi2ExitInitializationMode(c));
  WRONG(u->fmi2NewDiscreteStates(c, &info));
  WRONG(u->fmi2SetTime(c, 1));
  WRONG(u->fmi2GetDerivatives(c, x, n));
  WRONG(u->fmi2SetContinuousStates(c, x, n));
  WRONG(u->fmi2DoStep(c, 0, 1, 1));
  WRONG(u->fmi2Terminate(c));
  WRONG(u->fmi2CancelStep(c));
  WRONG(u->fmi2GetReal(c, &(fmi2ValueReference){1}, 1, x));
  WRONG(u->fmi2SetReal(c, &(fmi2ValueReference){999999}, 1, x));
  WRONG(u->fmi2SetupExperiment(c, 0, 0, NAN, 0, 0));
#undef WRONG
  u->fmi2FreeInstance(c);
  u->messages = 0;
  CHECK(!u->fmi2Instantiate("own", fmi2ModelExchange, "{other}", "", &u->call, 0, 0));
  CHECK(u->messages == 1);
}


TEST(values_that_are_none_are_discarded)
{
  double x[MOST], rates[MOST], again[MOST];
  hostUnit *u = open_pendulum();
  const size_t n = (size_t) u->nx;
  fmi2Component c = begin_continuous(u, 0, x);
  CHECK(u->fmi2GetDerivatives(c, rates, n) == fmi2OK);
  u->messages = 0;
  x[0] = NAN;
  CHECK(u->fmi2SetContinuousStates(c, x, n) == fmi2Discard && u->messages == 1);
  CHECK(u->fmi2GetDerivatives(c, again, n) == fmi2OK);
  CHECK_NEAR(again, rates, u->nx, 0);
  u->fmi2FreeInstance(c);
}


// An output that has no value here is discarded, and others are read as before.
TEST(outputs_that_are_not_finite_are_discarded)
{
  static const char text[] = "articula: 1\n"
                             "bodies: {cart: {mass: 1}}\n"
                             "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
                             "outputs: {inverse: = 1/rail.slide, place: rail.slide}\n";
  static host h;
  double y[2];
  folder_write(folder_path("odd.yaml"), text);
  if (!CHECK(host_open(&h.unit, folder_path("odd.yaml"), &check_error))) return;
  hostUnit *u = &h.unit;
  const fmi2ValueReference inverse = reference_of(u, "inverse");
  const fmi2ValueReference place = reference_of(u, "place");
  fmi2Component c = host_begin(u, fmi2CoSimulation, 0);
  u->messages = 0;
  CHECK(u->fmi2GetReal(c, &inverse, 1, y) == fmi2Discard && u->messages == 1);
  CHECK(u->fmi2GetReal(c, &place, 1, y) == fmi2OK && y[0] == 0);
  u->fmi2FreeInstance(c);
}


// Kinds, lengths of steps and tolerances that are none; a step that no count of steps inside makes.
TEST(odd_calls_are_refused)
{
  hostUnit *u = open_pendulum();
  const double odd[] = {0, -1, NAN, HUGE_VAL, -HUGE_VAL};
  const fmi2ValueReference how = reference_of(u, "integrator.method");
  u->messages = 0;
  CHECK(!u->fmi2Instantiate("own", (fmi2Type) 7, u->token, "", &u->call, 0, 1));
  CHECK(!u->fmi2Instantiate(" ", fmi2CoSimulation, u->token, "", &u->call, 0, 1));
  CHECK(u->messages == 2);
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    fmi2Component c = host_begin(u, fmi2CoSimulation, 0);
    u->messages = 0;
    CHECK(u->fmi2DoStep(c, 0, odd[i], fmi2True) == fmi2Error && u->messages == 1);
    CHECK(u->fmi2Reset(c) == fmi2OK);
    CHECK(u->fmi2SetupExperiment(c, fmi2True, odd[i], 0, fmi2False, 0) == fmi2Error);
    CHECK(u->messages == 2);
    u->fmi2FreeInstance(c);
  }
  fmi2Component c = host_instance(u, fmi2CoSimulation);
  CHECK(u->fmi2SetInteger(c, &how, 1, &(int){RK4}) == fmi2OK);
  CHECK(u->fmi2SetupExperiment(c, fmi2False, 0, 0, fmi2False, 0) == fmi2OK);
  CHECK(u->fmi2EnterInitializationMode(c) == fmi2OK && u->fmi2ExitInitializationMode(c) == fmi2OK);
  u->messages = 0;
  CHECK(u->fmi2DoStep(c, 0, 1e300, fmi2True) == fmi2Discard && u->messages == 1);
  CHECK(u->fmi2Reset(c) == fmi2OK);
  CHECK(u->fmi2SetupExperiment(c, fmi2False, 0, 1e16, fmi2False, 0) == fmi2OK); // no clock goes on
  CHECK(u->fmi2EnterInitializationMode(c) == fmi2OK);
  CHECK(u->fmi2ExitInitializationMode(c) == fmi2Error);
  u->fmi2FreeInstance(c);
}


// a state that was kept, also as bytes, goes on to the same bits
TEST(states_are_kept)
{
  fmi2FMUstate kept = NULL, other = NULL;
  size_t size = 0;
  double first[MOST], second[MOST];
  fmi2ValueReference at[MOST];
  hostUnit *u = open_pendulum();
  const size_t n = (size_t) u->nx;
  for (size_t i = 0; i < n; i++) at[i] = (fmi2ValueReference) (1 + i);
  fmi2Component c = host_begin(u, fmi2CoSimulation, 0);
  CHECK(u->fmi2DoStep(c, 0, 0.1, 0) == fmi2OK);
  CHECK(u->fmi2GetFMUstate(c, &kept) == fmi2OK);
  CHECK(u->fmi2SerializedFMUstateSize(c, kept, &size) == fmi2OK);
  char *bytes = malloc(size);
  CHECK(u->fmi2SerializeFMUstate(c, kept, bytes, size) == fmi2OK);
  CHECK(u->fmi2DoStep(c, 0.1, 0.1, 0) == fmi2OK);
  CHECK(u->fmi2GetReal(c, at, n, first) == fmi2OK);
  CHECK(u->fmi2DeSerializeFMUstate(c, bytes, size, &other) == fmi2OK);
  CHECK(u->fmi2SetFMUstate(c, other) == fmi2OK);
  CHECK(u->fmi2DoStep(c, 0.1, 0.1, 0) == fmi2OK);
  CHECK(u->fmi2GetReal(c, at, n, second) == fmi2OK);
  CHECK_NEAR(second, first, u->nx, 0);
  bytes[size - 20] ^= 1; // damaged
  CHECK(u->fmi2DeSerializeFMUstate(c, bytes, size, &other) == fmi2Error);
  CHECK(u->fmi2Reset(c) == fmi2OK);
  bytes[size - 20] ^= 1;
  CHECK(u->fmi2DeSerializeFMUstate(c, bytes, size, &other) == fmi2OK);
  bytes[0] = 'x';
  CHECK(u->fmi2DeSerializeFMUstate(c, bytes, size, &other) == fmi2Error);
  CHECK(u->fmi2FreeFMUstate(c, &kept) == fmi2OK && !kept);
  CHECK(u->fmi2FreeFMUstate(c, &other) == fmi2OK);
  u->fmi2FreeInstance(c);
  free(bytes);
}


// Bars that do not reach each other any longer: a step that is discarded where it began; a kept state goes on.
TEST(loops_that_cannot_close_are_discarded)
{
  static host h;
  fmi2FMUstate kept = NULL;
  fmi2Status how = fmi2OK;
  double t = 0;
  hostUnit *u = open_unit(&h, "loops/four-bar");
  const fmi2ValueReference span = reference_of(u, "span");
  fmi2Component c = host_begin(u, fmi2CoSimulation, 0);
  CHECK(u->fmi2DoStep(c, 0, 0.1, 0) == fmi2OK);
  CHECK(u->fmi2GetFMUstate(c, &kept) == fmi2OK);
  CHECK(u->fmi2SetReal(c, &span, 1, &(double){5}) == fmi2OK);
  u->messages = 0;
  CHECK(u->fmi2DoStep(c, 0.1, 0.1, 0) == fmi2Discard && u->messages == 1);
  CHECK(u->fmi2GetStatus(c, fmi2DoStepStatus, &how) == fmi2OK && how == fmi2Discard);
  CHECK(u->fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &t) == fmi2OK && t == 0.1);
  CHECK(u->fmi2SetFMUstate(c, kept) == fmi2OK);
  CHECK(u->fmi2DoStep(c, 0.1, 0.1, 0) == fmi2OK);

  // no step goes on from one that has failed; an instance of the other kind does not take the state
  CHECK(u->fmi2SetFMUstate(c, kept) == fmi2OK);
  CHECK(u->fmi2SetReal(c, &span, 1, &(double){5}) == fmi2OK);
  CHECK(u->fmi2DoStep(c, 0.1, 0.1, 0) == fmi2Discard);
  CHECK(u->fmi2DoStep(c, 0.1, 0.1, 0) == fmi2Error);
  CHECK(u->fmi2GetStatus(c, fmi2DoStepStatus, &how) == fmi2Error);
  fmi2Component other = host_begin(u, fmi2ModelExchange, 0);
  CHECK(u->fmi2SetFMUstate(other, kept) == fmi2Error);
  u->fmi2FreeInstance(other);
  CHECK(u->fmi2FreeFMUstate(c, &kept) == fmi2OK);
  u->fmi2FreeInstance(c);
}


// The same of model exchange: rates are discarded with a message, and are there again where the loops close.
TEST(rates_of_loops_that_cannot_close_are_discarded)
{
  static host h;
  double x[MOST], rates[MOST], again[MOST];
  fmi2EventInfo info;
  hostUnit *u = open_unit(&h, "loops/four-bar");
  const size_t n = (size_t) u->nx;
  const fmi2ValueReference span = reference_of(u, "span");
  double own = NAN;
  fmi2Component c = host_begin(u, fmi2ModelExchange, 0);
  CHECK(u->fmi2GetReal(c, &span, 1, &own) == fmi2OK);
  CHECK(u->fmi2EnterContinuousTimeMode(c) == fmi2OK);
  fmi2Component other = host_begin(u, fmi2CoSimulation, 0);
  CHECK(u->fmi2DoStep(other, 0, 0.1, 0) == fmi2OK);
  for (size_t i = 0; i < n; i++) {
    CHECK(u->fmi2GetReal(other, &(fmi2ValueReference){(fmi2ValueReference) (1 + i)}, 1, &x[i]) ==
          fmi2OK);
  }
  u->fmi2FreeInstance(other);
  CHECK(u->fmi2SetContinuousStates(c, x, n) == fmi2OK);
  CHECK(u->fmi2EnterEventMode(c) == fmi2OK);
  CHECK(u->fmi2GetDerivatives(c, rates, n) == fmi2OK);
  CHECK(u->fmi2SetReal(c, &span, 1, &(double){5}) == fmi2OK);
  u->messages = 0;
  CHECK(u->fmi2GetDerivatives(c, again, n) == fmi2Discard && u->messages == 1);
  CHECK(u->fmi2SetReal(c, &span, 1, &own) == fmi2OK);
  CHECK(u->fmi2GetDerivatives(c, again, n) == fmi2OK);
  CHECK_NEAR(again, rates, u->nx, 1e-9);
  CHECK(u->fmi2SetReal(c, &span, 1, &(double){5}) == fmi2OK);
  CHECK(u->fmi2NewDiscreteStates(c, &info) == fmi2Error);
  CHECK(u->fmi2GetContinuousStates(c, again, n) == fmi2OK);
  u->fmi2FreeInstance(c);
}


// An error is told to those who listen to errors.
TEST(messages_go_by_category)
{
  hostUnit *u = open_pendulum();
  const fmi2ValueReference step = reference_of(u, "integrator.step");
  static const char *const category[] = {"logStatusError", "logStatusDiscard", "logAll"};
  for (int listens = 0; listens < 3; listens++) {
    fmi2Component c = host_instance(u, fmi2CoSimulation);
    CHECK(u->fmi2SetDebugLogging(c, fmi2True, 1, &category[listens]) == fmi2OK);
    u->messages = 0;
    CHECK(u->fmi2SetReal(c, &step, 1, &(double){copysign(NAN, -1)}) == fmi2Discard);
    CHECK_EQ_INT(u->messages, listens > 0);
    CHECK(u->fmi2DoStep(c, 0, 1, 1) == fmi2Error);
    CHECK_EQ_INT(u->messages, listens == 2 ? 2 : 1);
    CHECK(u->fmi2SetDebugLogging(c, fmi2True, 1, &(const char *){"others"}) == fmi2Error);
    u->fmi2FreeInstance(c);
  }
}


// parameters act: a longer pendulum is slower, and a value outside of the limits is refused
TEST(parameters_act)
{
  static host h;
  double x[2], rates[2], longer[2];
  hostUnit *u = open_unit(&h, "pendulum");
  const fmi2ValueReference length = reference_of(u, "L");
  fmi2Component c = host_begin(u, fmi2ModelExchange, 0);
  CHECK(u->fmi2GetDerivatives(c, rates, 2) == fmi2OK);
  CHECK(u->fmi2SetReal(c, &length, 1, &(double){2}) == fmi2OK);
  CHECK(u->fmi2GetDerivatives(c, longer, 2) == fmi2OK);
  CHECK_NEAR(&longer[1], &(double){rates[1] / 2}, 1, 1e-12);
  CHECK(u->fmi2SetReal(c, &length, 1, &(double){NAN}) == fmi2Discard);
  CHECK(u->fmi2GetReal(c, &length, 1, x) == fmi2OK && x[0] == 2);
  u->fmi2FreeInstance(c);
}


//---- derivatives ---------------------------------------------------------------------------------

// A continuous state or an input, by its reference, is set to a value in continuous-time mode.
static void set_known(hostUnit *u, fmi2Component c, double *x, fmi2ValueReference at, double value)
{
  if ((int) at <= u->nx) {
    x[at - 1] = value;
    CHECK(u->fmi2SetContinuousStates(c, x, (size_t) u->nx) == fmi2OK);
  } else {
    CHECK(u->fmi2SetReal(c, &at, 1, &value) == fmi2OK);
  }
}


// Differences begin with a sixteenth of this: not so far that other coordinates have to lead the machine.
#define UNIT 0.05

// All rates and outputs, for differences.
typedef struct values {
  hostUnit *u;
  fmi2Component c;
  double *x, middle; // states; value of the one that moves
  fmi2ValueReference known;
  int n;
  const fmi2ValueReference *unknown;
  double *largest; // derivative of each
} values;


static artStatus values_at(void *context, int column, double s, double *y, artError *error)
{
  const values *v = context;
  (void) column, (void) error;
  set_known(v->u, v->c, v->x, v->known, v->middle + UNIT * s);
  return v->u->fmi2GetReal(v->c, v->unknown, (size_t) v->n, y) == fmi2OK ? ART_OK : ART_SINGULAR;
}


static void derivatives_by(const values *v, fmi2ValueReference known, double *own)
{
  const double seed = 1;
  CHECK(v->u->fmi2GetDirectionalDerivative(v->c, v->unknown, (size_t) v->n, &known, 1, &seed,
                                           own) == fmi2OK);
}


// Derivatives of all rates and outputs by one known, against differences of order six. They round as the
// largest derivative of a rate or output does.
static double derivative_error(values *v, fmi2ValueReference known)
{
  static double own[MOST], slope[MOST], work[6 * MOST];
  double worst = 0;
  v->known = known;
  CHECK(v->u->fmi2GetReal(v->c, &known, 1, &v->middle) == fmi2OK);
  derivatives_by(v, known, own);
  CHECK(difference_rows(&(differenceFunction){v->n, values_at, v}, 0, work, slope, NULL) == ART_OK);
  set_known(v->u, v->c, v->x, known, v->middle);
  for (int i = 0; i < v->n; i++) {
    const double off = fabs(own[i] - slope[i] / UNIT) / (1 + v->largest[i]);
    if (getenv("ART_SHOW") && !(off < 1e-9)) {
      printf("  %u by %u: %.17g, %.17g\n", v->unknown[i], known, own[i], slope[i] / UNIT);
    }
    if (!(off <= worst)) worst = off;
  }
  return worst;
}


// Differences go to both sides of an input.
static void leave_limit(hostUnit *u, fmi2Component c, fmi2ValueReference input)
{
  double value;
  CHECK(u->fmi2GetReal(c, &input, 1, &value) == fmi2OK);
  value *= 0.9;
  CHECK(u->fmi2SetReal(c, &input, 1, &value) == fmi2OK);
}


// by all states and inputs; outputs lie in a row
static double derivatives_off(hostUnit *u, fmi2Component c, double *x)
{
  static fmi2ValueReference unknown[MOST], known[MOST];
  static double largest[MOST], own[MOST];
  const artModel *m = u->m;
  const int n = u->nx, noutput = host_outputs(u);
  const int first = noutput > 0 ? host_first_output(u) : 0;
  double worst = 0;
  for (int i = 0; i < n; i++) unknown[i] = (fmi2ValueReference) (1 + n + i);
  for (int i = 0; i < noutput; i++) unknown[n + i] = (fmi2ValueReference) (first + i);
  for (int k = 0; k < n + m->ninput; k++)
    known[k] = (fmi2ValueReference) (k < n ? 1 + k : 1 + n + k);
  values v = {.u = u, .c = c, .x = x, .n = n + noutput, .unknown = unknown, .largest = largest};
  for (int k = n; k < n + m->ninput; k++) leave_limit(u, c, known[k]);
  memset(largest, 0, sizeof largest);
  for (int k = 0; k < n + m->ninput; k++) {
    derivatives_by(&v, known[k], own);
    for (int i = 0; i < v.n; i++) largest[i] = fmax(largest[i], fabs(own[i]));
  }
  for (int k = 0; k < n + m->ninput; k++) {
    const double off = derivative_error(&v, known[k]);
    if (!(off <= worst)) worst = off;
  }
  return worst;
}


// Seeds that are no numbers, and variables that derivatives are not by: parameters and time.
static void check_odd_seeds(hostUnit *u, fmi2Component c)
{
  const fmi2ValueReference none[] = {0, reference_of(u, "integrator.step")};
  const fmi2ValueReference state = 1, its_rate = (fmi2ValueReference) (1 + u->nx);
  double own;
  u->messages = 0;
  CHECK(u->fmi2GetDirectionalDerivative(c, &its_rate, 1, &state, 1, &(double){NAN}, &own) ==
        fmi2Discard);
  for (int i = 0; i < 2; i++) {
    CHECK(u->fmi2GetDirectionalDerivative(c, &its_rate, 1, &none[i], 1, &(double){1}, &own) ==
          fmi2Discard);
  }
  CHECK_EQ_INT(u->messages, 3);
}


// at the beginning, and where the machine moves
static void differentiate(host *h, double tolerance)
{
  static double x[MOST];
  hostUnit *u = &h->unit;
  const size_t n = (size_t) u->nx;
  const double span = 0.02 * (u->study.until - u->study.from), t = u->study.from + span;
  fmi2Component c = begin_continuous(u, u->study.from, x);
  const double first = derivatives_off(u, c, x);
  go_by_reference(h, span, 1e-8);
  take_state(h, x);
  CHECK(u->fmi2SetTime(c, t) == fmi2OK && u->fmi2SetContinuousStates(c, x, n) == fmi2OK);
  const double second = derivatives_off(u, c, x);
  check_odd_seeds(u, c);
  if (!CHECK(first < tolerance && second < tolerance)) {
    printf("  derivatives are off by %.3g and %.3g\n", first, second);
  }
  if (getenv("ART_SHOW")) printf("  derivatives: %.2g, %.2g\n", first, second);
  u->fmi2FreeInstance(c);
}


static void differentiate_model(const char *name)
{
  static host h;
  open_version(&h, name, 2);
  differentiate(&h, 1e-9);
}


// A step of Euler, and an event at its end where an indicator has changed its sign; whether there was one.
static int walk_on(hostUnit *u, fmi2Component c, double t, double h, double *x)
{
  static double rate[MOST], before[MOST], after[MOST];
  const size_t n = (size_t) u->nx, ng = (size_t) u->nindicator;
  fmi2EventInfo info;
  fmi2Boolean wanted, over;
  CHECK(u->fmi2GetEventIndicators(c, before, ng) == fmi2OK);
  CHECK(u->fmi2GetDerivatives(c, rate, n) == fmi2OK);
  for (size_t i = 0; i < n; i++) x[i] += h * rate[i];
  CHECK(u->fmi2SetTime(c, t) == fmi2OK && u->fmi2SetContinuousStates(c, x, n) == fmi2OK);
  CHECK(u->fmi2GetEventIndicators(c, after, ng) == fmi2OK);
  CHECK(u->fmi2CompletedIntegratorStep(c, fmi2True, &wanted, &over) == fmi2OK);
  int has_come = 0;
  for (size_t i = 0; i < ng; i++) has_come |= (before[i] > 0) != (after[i] > 0);
  if (!has_come && !wanted) return 0;
  CHECK(u->fmi2EnterEventMode(c) == fmi2OK && u->fmi2NewDiscreteStates(c, &info) == fmi2OK);
  CHECK(u->fmi2EnterContinuousTimeMode(c) == fmi2OK);
  CHECK(u->fmi2GetContinuousStates(c, x, n) == fmi2OK);
  return has_come;
}


// Latches go over at events: behind each of them derivatives belong to the engaged ones.
static void differentiate_between(const char *name, int nevent)
{
  static host h;
  static double x[MOST];
  hostUnit *u = open_version(&h, name, 2);
  const double from = u->study.from, step = 1e-3;
  int events = 0, since = 0;
  fmi2Component c = begin_continuous(u, from, x);
  for (int k = 1; from + k * step < u->study.until && events < nevent + 1; k++) {
    const int has_come = walk_on(u, c, from + k * step, step, x);
    events += has_come;
    since = has_come ? 0 : since + 1;
    if (since != 5 || events == 0) continue;
    const double off = derivatives_off(u, c, x);
    if (!CHECK(off < 1e-9)) printf("  %s behind event %d: off by %.3g\n", name, events, off);
    if (getenv("ART_SHOW")) printf("  %s behind event %d: %.2g\n", name, events, off);
  }
  CHECK(events >= nevent);
  u->fmi2FreeInstance(c);
}


CASE(derivatives_of_latches, differentiate_between("latch", 4))
CASE(derivatives_of_ropes, differentiate_between("rope-pendulum", 4))
CASE(derivatives_of_locks_in_one_set, differentiate_between("../test/models/good/locks", 3))
CASE(derivatives_of_locks, differentiate_between("loops/four-bar-lock", 2))
CASE(derivatives_of_a_tree, differentiate_model("double-pendulum"))
CASE(derivatives_of_loops, differentiate_model("loops/four-bar"))
CASE(derivatives_of_a_ball, differentiate_model("gyro"))
CASE(derivatives_by_inputs, differentiate_model("plant/inverted-pendulum"))

// All derivatives of rates and outputs, by columns, where the machine moves; an FMU with tangents of its equations, or without them, which finds
// differences and leaves the state as it is.
static int all_derivatives(const char *name, int has_tangents, int most, double *own)
{
  static host hosts[2]; // a run of the first lives as long as the second
  static fmi2ValueReference unknown[MOST];
  static double x[MOST], before[MOST], after[MOST];
  host *h = &hosts[has_tangents != 0];
  hostUnit *u = has_tangents ? open_version(h, name, 2) : open_unit(h, name);
  const size_t n = (size_t) u->nx;
  const int noutput = host_outputs(u), rows = (int) n + noutput, columns = (int) n + u->m->ninput;
  fmi2Component c = begin_continuous(u, u->study.from, x);
  const double span = 0.02 * (u->study.until - u->study.from);
  go_by_reference(h, span, 1e-8);
  take_state(h, x);
  CHECK(u->fmi2SetTime(c, u->study.from + span) == fmi2OK);
  CHECK(u->fmi2SetContinuousStates(c, x, n) == fmi2OK);
  CHECK(u->fmi2EnterEventMode(c) == fmi2OK); // laws take the branches of this state
  CHECK(u->fmi2NewDiscreteStates(c, &(fmi2EventInfo){0}) == fmi2OK);
  CHECK(u->fmi2EnterContinuousTimeMode(c) == fmi2OK);
  for (int i = 0; i < rows; i++) {
    const int first = noutput > 0 ? host_first_output(u) : 0;
    unknown[i] = (fmi2ValueReference) (i < (int) n ? 1 + (int) n + i : first + i - (int) n);
  }
  const values v = {.u = u, .c = c, .x = x, .n = rows, .unknown = unknown};
  CHECK(u->fmi2GetDerivatives(c, before, n) == fmi2OK);
  for (int k = 0; k < columns && CHECK((k + 1) * rows <= most); k++) {
    derivatives_by(&v, (fmi2ValueReference) (k < (int) n ? 1 + k : 1 + (int) n + k),
                   own + k * rows);
  }
  CHECK(u->fmi2GetDerivatives(c, after, n) == fmi2OK);
  CHECK(memcmp(before, after, n * sizeof *after) == 0);
  check_odd_seeds(u, c);
  u->fmi2FreeInstance(c);
  return rows;
}


// relative to the largest derivative of each rate or output
static void compare_differences(const char *name)
{
  enum { MAX_DERIVATIVES = 200000 };
  static double exact[MAX_DERIVATIVES], found[MAX_DERIVATIVES];
  memset(exact, 0, sizeof exact);
  memset(found, 0, sizeof found);
  const int rows = all_derivatives(name, 1, MAX_DERIVATIVES, exact);
  CHECK_EQ_INT(all_derivatives(name, 0, MAX_DERIVATIVES, found), rows);
  double worst = 0;
  for (int i = 0; i < rows; i++) {
    double largest = 0, off = 0;
    for (int k = i; k < MAX_DERIVATIVES; k += rows) {
      largest = fmax(largest, fabs(exact[k]));
      off = fmax(off, fabs(found[k] - exact[k]));
    }
    worst = fmax(worst, off / (1 + largest));
  }
  if (getenv("ART_SHOW")) printf("  %s: %.2g\n", name, worst);
  CHECK(worst < 1e-8);
}

CASE(differences_of_a_loop, compare_differences("loops/four-bar"))
CASE(differences_of_a_stiff_loop, compare_differences("../test/models/good/stiff-loop"))
CASE(differences_of_a_ball, compare_differences("gyro"))
CASE(differences_by_inputs, compare_differences("plant/inverted-pendulum"))
CASE(differences_of_a_vehicle, compare_differences("vehicles/single-track"))


// vehicles whose FMUs find differences by default; compilers take minutes for their tangents
static void compare_large(const char *name)
{
  if (getenv("ART_SOAK")) compare_differences(name);
}

CASE(differences_of_the_van, compare_large("vehicles/van"))
CASE(differences_of_the_truck, compare_large("vehicles/truck"))
CASE(differences_of_the_car, compare_large("vehicles/multilink-car"))
CASE(differences_of_the_motorcycle, compare_large("vehicles/motorcycle"))

//---- version 3.0 ---------------------------------------------------------------------------------

typedef struct onlooker {
  int calls;
  double last, stop, wait; // ask for an end there, or so much later
} onlooker;


static void look_on(fmi3InstanceEnvironment environment, double t, bool sets, bool gets,
                    bool has_ended, bool may_return, bool *returns, double *when)
{
  onlooker *own = environment;
  CHECK(!sets && gets && has_ended && may_return && t > own->last);
  own->last = t;
  own->calls++;
  *returns = t >= own->stop;
  *when = t + own->wait;
  if (*returns) own->stop = HUGE_VAL;
}


static void ignore(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                   fmi3String message)
{
  (void) environment, (void) category;
  CHECK(status != fmi3OK && message[0]);
}


// functions of version 3.0
#define FIELD(type, name, arguments) name##TYPE *name;
typedef struct three {
  FMI3_FUNCTIONS(FIELD)
} three;
#undef FIELD


static void open_three(host *h, const char *name, three *f)
{
  const hostUnit *u = open_version(h, name, 3);
#define FIND(type, function, arguments)                                                            \
  *(void **) (void *) &f->function = dlsym(u->library, #function);                                 \
  CHECK(f->function);
  FMI3_FUNCTIONS(FIND)
#undef FIND
  check_stop_if_failed();
}


// an importer that looks on ends a step before its time, and the motion goes on from there
TEST(version_3_returns_early)
{
  static host h;
  three f;
  onlooker own = {.last = 0, .stop = 0.05};
  bool event, ends, early;
  double t = 0;
  open_three(&h, "pendulum", &f);
  fmi3Instance c = f.fmi3InstantiateCoSimulation("own", h.unit.token, "", 0, 1, 0, 1, NULL, 0, &own,
                                                 ignore, look_on);
  if (!CHECK(c)) return;
  CHECK(f.fmi3EnterInitializationMode(c, 1, 1e-8, 0, 0, 0) == fmi3OK);
  CHECK(f.fmi3DoStep(c, 0, 1, 1, &event, &ends, &early, &t) == fmi3Error);
  f.fmi3FreeInstance(c);
  c = f.fmi3InstantiateCoSimulation("own", h.unit.token, "", 0, 1, 0, 1, NULL, 0, &own, ignore,
                                    look_on);
  CHECK(f.fmi3EnterInitializationMode(c, 1, 1e-8, 0, 0, 0) == fmi3OK);
  CHECK(f.fmi3ExitInitializationMode(c) == fmi3OK);
  CHECK(f.fmi3DoStep(c, 0, 1, 1, &event, &ends, &early, &t) == fmi3OK);
  CHECK(early && own.calls > 0 && t >= 0.05 && t < 1 && t == own.last);
  const double from = t;
  own.stop = from;
  own.wait = 0.0625;
  CHECK(f.fmi3DoStep(c, t, 1 - t, 1, &event, &ends, &early, &t) == fmi3OK);
  CHECK(early && t >= from + own.wait && t < from + 2 * own.wait && t == own.last);
  CHECK(f.fmi3DoStep(c, t, 1 - t, 1, &event, &ends, &early, &t) == fmi3OK);
  CHECK(!early && t == 1);
  f.fmi3FreeInstance(c);
}


//---- event mode of co-simulation

typedef struct eventTrial {
  bool has_event_mode, may_return, passes_over; // it does not enter event mode where it should
  int method;
  int events, jumps; // that were reported, and that changed a state
} eventTrial;


static void read_states(const host *h, const three *f, fmi3Instance c, double *x)
{
  for (fmi3ValueReference i = 0; i < (unsigned) h->unit.nx; i++) {
    CHECK(f->fmi3GetFloat64(c, &(fmi3ValueReference){1 + i}, 1, &x[i], 1) == fmi3OK);
  }
}


// event mode, and the time of the next event
static double update(const three *f, fmi3Instance c)
{
  bool again = true, over, nominals, states, has_instant;
  double instant;
  CHECK(f->fmi3UpdateDiscreteStates(c, &again, &over, &nominals, &states, &has_instant, &instant) ==
        fmi3OK);
  CHECK(!again && !over && !nominals && !states);
  CHECK(f->fmi3EnterStepMode(c) == fmi3OK);
  return has_instant ? instant : HUGE_VAL;
}


static void meet_event(const host *h, const three *f, fmi3Instance c, eventTrial *t, double *next)
{
  double before[40], after[40];
  if (!CHECK(h->unit.nx <= 40)) return;
  read_states(h, f, c, before);
  CHECK(f->fmi3EnterEventMode(c) == fmi3OK);
  *next = update(f, c);
  read_states(h, f, c, after);
  t->events++;
  t->jumps += apart(h->unit.nx, before, after) > 1e-3;
}


static void go_by_events(const host *h, const three *f, eventTrial *t, double span, double *x)
{
  fmi3Instance c =
      f->fmi3InstantiateCoSimulation("own", h->unit.token, NULL, 0, 1, t->has_event_mode,
                                     t->may_return, NULL, 0, NULL, ignore, NULL);
  const fmi3ValueReference method = (unsigned) host_reference(&h->unit, "integrator.method");
  double time = 0, next = HUGE_VAL;
  CHECK(f->fmi3SetInt64(c, &method, 1, &(fmi3Int64){t->method}, 1) == fmi3OK);
  CHECK(f->fmi3EnterInitializationMode(c, 1, 1e-10, 0, 0, 0) == fmi3OK);
  CHECK(f->fmi3ExitInitializationMode(c) == fmi3OK);
  if (t->has_event_mode) next = update(f, c);
  for (int i = 1; i <= 20; i++) {
    const double end = i * span / 20;
    while (time < end) {
      bool event, ends, early;
      const double from = time;
      check_stop_if_failed();
      CHECK(f->fmi3DoStep(c, from, end - from, 1, &event, &ends, &early, &time) == fmi3OK);
      CHECK(early == (time < end) && (!early || (event && t->may_return)) && time > from);
      CHECK(!event || t->has_event_mode);
      if (t->may_return) CHECK(time <= next && (time < next || event));
      if (event && !t->passes_over) meet_event(h, f, c, t, &next);
      if (event && t->passes_over) next = HUGE_VAL;
    }
  }
  read_states(h, f, c, x);
  f->fmi3FreeInstance(c);
}


// The motion is that of an instance without event mode, whatever the importer does about events.
static void meet_events(const char *name, int first_method, double span, int events, int jumps)
{
  static host h;
  three f;
  double x[40], own[40];
  open_three(&h, name, &f);
  for (int method = first_method; method <= 3; method++) {
    go_by_events(&h, &f, &(eventTrial){.method = method}, span, x);
    for (int k = 0; k < 3; k++) {
      eventTrial t = {true, k < 2, k == 1, method, 0, 0};
      go_by_events(&h, &f, &t, span, own);
      const double off = apart(h.unit.nx, x, own);
      if (getenv("ART_SHOW")) printf("  %d: %.1e, %d, %d\n", method, off, t.events, t.jumps);
      CHECK(off < (method == 1 ? 1e-8 : 1e-14));
      if (k == 0) CHECK(t.events >= events && t.jumps == jumps);
    }
  }
}

CASE(version_3_stops_at_samplers, meet_events("plant/inverted-pendulum", 1, 0.5, 100, 0))
CASE(version_3_stops_at_latches, meet_events("latch", 1, 4, 3, 1))
CASE(version_3_stops_where_friction_sticks, meet_events("puma560", 2, 1, 5, 0))


TEST(version_3_has_event_mode_where_it_is_asked_for)
{
  static host h;
  three f;
  void *state = NULL;
  bool flag;
  double time;
  open_three(&h, "latch", &f);
  fmi3Instance c[2];
  for (int k = 0; k < 2; k++) {
    c[k] = f.fmi3InstantiateCoSimulation("own", h.unit.token, NULL, 0, 1, k == 1, 1, NULL, 0, NULL,
                                         ignore, NULL);
    CHECK(f.fmi3EnterInitializationMode(c[k], 1, 1e-8, 0, 0, 0) == fmi3OK);
    CHECK(f.fmi3ExitInitializationMode(c[k]) == fmi3OK);
  }
  CHECK(f.fmi3GetFMUState(c[1], &state) == fmi3OK);
  CHECK(f.fmi3SetFMUState(c[0], state) == fmi3Error); // of an instance with event mode
  CHECK(f.fmi3EnterEventMode(c[0]) == fmi3Error);
  CHECK(f.fmi3DoStep(c[1], 0, 1, 1, &flag, &flag, &flag, &time) == fmi3Error); // in event mode
  CHECK(f.fmi3SetFMUState(c[1], state) == fmi3OK);
  CHECK(f.fmi3EnterContinuousTimeMode(c[1]) == fmi3Error);
  CHECK(f.fmi3FreeFMUState(c[1], &state) == fmi3OK);
  for (int k = 0; k < 2; k++) f.fmi3FreeInstance(c[k]);
}


typedef struct meddler {
  const three *f;
  fmi3Instance c;
  int calls;
} meddler;


// a step within a step, which no state allows
static void meddle(fmi3InstanceEnvironment environment, double t, bool sets, bool gets,
                   bool has_ended, bool may_return, bool *returns, double *when)
{
  meddler *own = environment;
  bool event, ends, early;
  double angle = NAN, reached;
  (void) sets, (void) gets, (void) has_ended, (void) when;
  own->calls++;
  *returns = false;
  CHECK(!may_return);
  CHECK(own->f->fmi3GetFloat64(own->c, &(fmi3ValueReference){1}, 1, &angle, 1) == fmi3OK);
  CHECK(isfinite(angle));
  CHECK(own->f->fmi3DoStep(own->c, t, 1, 1, &event, &ends, &early, &reached) == fmi3Error);
}


// an error while the importer looks on ends the step and breaks the instance, which is read and reset from there
TEST(version_3_breaks_within_a_step)
{
  static host h;
  three f;
  bool event, ends, early;
  double t = 0;
  open_three(&h, "pendulum", &f);
  meddler own = {.f = &f};
  own.c = f.fmi3InstantiateCoSimulation("own", h.unit.token, NULL, 0, 1, 0, 0, NULL, 0, &own, NULL,
                                        meddle);
  if (!CHECK(own.c)) return;
  CHECK(f.fmi3GetFloat64(own.c, &(fmi3ValueReference){1}, 1, &t, 1) == fmi3OK);
  CHECK(f.fmi3EnterInitializationMode(own.c, 1, 1e-8, 0, 1, 2) == fmi3OK);
  CHECK(f.fmi3ExitInitializationMode(own.c) == fmi3OK);
  CHECK(f.fmi3DoStep(own.c, 0, 1, 1, &event, &ends, &early, &t) == fmi3Error);
  CHECK(!early && own.calls == 1 && t > 0 && t < 1);
  CHECK(f.fmi3GetFloat64(own.c, &(fmi3ValueReference){1}, 1, &t, 1) == fmi3OK);
  CHECK(f.fmi3DoStep(own.c, t, 1, 1, &event, &ends, &early, &t) == fmi3Error);
  CHECK(f.fmi3Terminate(own.c) == fmi3Error);
  CHECK(f.fmi3Reset(own.c) == fmi3OK);
  f.fmi3FreeInstance(own.c);
}


// numbers of values that do not agree with the variables
TEST(version_3_counts_values)
{
  static host h;
  three f;
  double x[3] = {0};
  fmi3Int64 method[2] = {RK4, RK4};
  open_three(&h, "pendulum", &f);
  const fmi3ValueReference state = 1,
                           how = (fmi3ValueReference) host_reference(&h.unit, "integrator.method");
  fmi3Instance c = f.fmi3InstantiateCoSimulation("own", h.unit.token, "", 0, 1, 0, 0, NULL, 0, NULL,
                                                 ignore, NULL);
  if (!CHECK(c)) return;
  for (size_t n = 0; n < 3; n++) {
    const fmi3Status want = n == 1 ? fmi3OK : fmi3Error;
#define COUNTED(call) CHECK((call) == want && f.fmi3Reset(c) == fmi3OK)
    COUNTED(f.fmi3GetFloat64(c, &state, 1, x, n));
    COUNTED(f.fmi3SetFloat64(c, &state, 1, x, n));
    COUNTED(f.fmi3GetInt64(c, &how, 1, method, n));
    COUNTED(f.fmi3SetInt64(c, &how, 1, method, n));
#undef COUNTED
  }
  CHECK(f.fmi3SetInt64(c, &how, 1, &(fmi3Int64){(1LL << 32) + RK4}, 1) == fmi3Discard);
  f.fmi3FreeInstance(c);
}


// <w, J s> = <J^T w, s>
TEST(version_3_has_adjoint_derivatives)
{
  static host h;
  three f;
  double s[MOST], w[MOST], forward[MOST], back[MOST], one = 0, other = 0;
  fmi3ValueReference state[MOST], rate_of[MOST];
  open_three(&h, "gyro", &f);
  const size_t n = (size_t) h.unit.nx;
  for (size_t i = 0; i < n; i++) {
    state[i] = (fmi3ValueReference) (1 + i);
    rate_of[i] = (fmi3ValueReference) (1 + n + i);
    s[i] = sin(1.0 + (double) i);
    w[i] = cos(3.0 * (double) i);
  }
  fmi3Instance c = f.fmi3InstantiateModelExchange("own", h.unit.token, "", 0, 1, NULL, ignore);
  if (!CHECK(c)) return;
  CHECK(f.fmi3EnterInitializationMode(c, 0, 0, 0, 0, 0) == fmi3OK);
  CHECK(f.fmi3ExitInitializationMode(c) == fmi3OK);
  CHECK(f.fmi3GetDirectionalDerivative(c, rate_of, n, state, n, s, n, forward, n) == fmi3OK);
  CHECK(f.fmi3GetAdjointDerivative(c, rate_of, n, state, n, w, n, back, n) == fmi3OK);
  for (size_t i = 0; i < n; i++) one += w[i] * forward[i];
  for (size_t i = 0; i < n; i++) other += back[i] * s[i];
  CHECK_REL(&one, &other, 1, 1e-12);
  CHECK(fabs(one) > 1e-3);
  f.fmi3FreeInstance(c);
}


// The tightest tolerance that `articula run` reaches the end with, and its way; 0 where there is none.
static double find_way(host *h, double span, way *w)
{
  for (double tolerance = 1e-12; tolerance < 1e-9; tolerance *= 10) {
    if (lead(h, span, tolerance, w, &check_error) == ART_OK) return tolerance;
    printf("  %.0e: %s\n", tolerance, check_error.text);
  }
  return 0;
}


// By the tolerance that serves most, a tighter one for motions that make much of errors, and a looser one for singular
// positions, where rates have few digits. Motions of which two runs part by more than that are chaotic.
static void follow_by_some(host *h, double span)
{
  static const double tolerance[] = {1e-13, 1e-14, 1e-10, 5e-11, 3e-11};
  static way w;
  double best = HUGE_VAL;
  const double tight = find_way(h, span, &w);
  if (!CHECK(tight > 0)) return;
  for (int k = 0; k < 5 && !(best <= 1e-7); k++) {
    best = fmin(best, follow(h, span, tolerance[k], &w));
  }
  if (best <= 1e-7) return;
  const double own = parting(h, span, 0.1 * tight, &w);
  printf("  off by %.3g, where two runs part by %.3g\n", best, own);
  CHECK(best <= 10 * own);
}


// A host that is opened again lets go of what it had.
TEST(a_host_opens_again)
{
  static host h;
  CHECK_EQ_INT(open_unit(&h, "screw-jack")->nx, 5);
  CHECK_EQ_INT(open_unit(&h, "pendulum")->nx, 2);
}


// All sample models, or those with ART_ONLY in their paths; machines that a unit cannot be are refused.
static void walk_models(int (*open)(hostUnit *, const char *, artError *), void (*act)(host *))
{
  if (!getenv("ART_SOAK")) return;
  const char *only = getenv("ART_ONLY");
  glob_t models = folder_models(2);
  for (size_t i = 0; i < models.gl_pathc; i++) {
    static host h;
    artError error = {0};
    if (only && !strstr(models.gl_pathv[i], only)) continue;
    printf("%s\n", models.gl_pathv[i]);
    if (open(&h.unit, models.gl_pathv[i], &error)) {
      act(&h);
    } else {
      printf("  refused: %s\n", error.text);
      CHECK(error.status == ART_UNSUPPORTED || error.status == ART_BAD_INPUT);
    }
  }
  globfree(&models);
}


static void exchange_model(host *h)
{
  const char *most = getenv("ART_SPAN");
  follow_by_some(h, fmin(most ? atof(most) : 10, h->unit.study.until - h->unit.study.from));
}


static int open_with_derivatives(hostUnit *u, const char *path, artError *error)
{
  return host_open_version(u, path, 2, error);
}


static void differentiate_within(host *h)
{
  differentiate(h, 1e-9);
}


// Over a fiftieth of the study; samplers step at their instants.
static void simulate_model(host *h)
{
  const double span = fmin(0.5, 0.02 * (h->unit.study.until - h->unit.study.from));
  if (h->unit.m->nclock == 0) check_orders(h, span, 1);
}


// over the time of their studies, 10 s at most, or ART_SPAN
CASE(exchange_all_models, walk_models(host_open, exchange_model))
CASE(derivatives_of_all_models, walk_models(open_with_derivatives, differentiate_within))
CASE(steps_of_all_models_converge, walk_models(host_open, simulate_model))
