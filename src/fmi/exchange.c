// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Model exchange: the FMU provides derivatives, event indicators and updates at events; src/step
// integrates.
#include "fmi/exchange.h"

#include <math.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "step/step.h"

// An indicator counts as changed only this far beyond zero, so that indicators at zero cause no
// events.
static const double BEYOND = 1e-11;
static const double TOLERANCE = 1e-8;
enum { MAX_UPDATES = 1000 };

struct fmiExchange {
  stepper *stepper;
  int n, nindicator; // numbers of states and event indicators
  double *x, *z;     // states and indicators of the FMU
  signed char *sign; // of each indicator in this mode: 1 if positive, else -1
  bool has_instant;  // a time event is pending
  double instant;
  bool has_ended;      // the FMU has requested termination
  int trouble;         // worst status of calls made by the stepper
  const char *culprit; // the function that returned it
};

//---- functions of both versions ------------------------------------------------------------------

// record a bad status; true if the call succeeded
static bool went_well(fmiInstance *f, const char *function, int status)
{
  fmiExchange *e = f->exchange;
  arithmetic_renew();
  if (status <= fmi2Warning) return true;
  if (status > e->trouble) {
    e->trouble = status;
    e->culprit = function;
  }
  return false;
}


#define BOTH(name2, name3, ...)                                                                    \
  (f->d->version == 2                                                                              \
       ? went_well(f, #name2, (int) f->unit->two.name2(f->component, __VA_ARGS__))                 \
       : went_well(f, #name3, (int) f->unit->three.name3(f->component, __VA_ARGS__)))
#define BOTH_PLAIN(name)                                                                           \
  (f->d->version == 2 ? went_well(f, "fmi2" #name, (int) f->unit->two.fmi2##name(f->component))    \
                      : went_well(f, "fmi3" #name, (int) f->unit->three.fmi3##name(f->component)))

// set inputs that follow a signal
static bool put_inputs(fmiInstance *f, double t)
{
  for (const fmiSignal *s = f->signals; s; s = s->next) {
    const double value = signal_on_way(s, t);
    const bool is_put =
        f->d->version == 2
            ? went_well(f, "fmi2SetReal",
                        (int) f->unit->two.fmi2SetReal(f->component, &s->reference, 1, &value))
            : went_well(
                  f, "fmi3SetFloat64",
                  (int) f->unit->three.fmi3SetFloat64(f->component, &s->reference, 1, &value, 1));
    if (!is_put) return false;
  }
  return true;
}


static bool put_exchange_state(fmiInstance *f, double t, const double *x)
{
  const size_t n = (size_t) f->exchange->n;
  return BOTH(fmi2SetTime, fmi3SetTime, t) && put_inputs(f, t) &&
         (n == 0 || BOTH(fmi2SetContinuousStates, fmi3SetContinuousStates, x, n));
}


static bool take_continuous_states(fmiInstance *f, double *x)
{
  const size_t n = (size_t) f->exchange->n;
  return n == 0 || BOTH(fmi2GetContinuousStates, fmi3GetContinuousStates, x, n);
}


static bool take_indicators(fmiInstance *f)
{
  fmiExchange *e = f->exchange;
  const size_t n = (size_t) e->nindicator;
  return n == 0 || BOTH(fmi2GetEventIndicators, fmi3GetEventIndicators, e->z, n);
}


// one update of discrete states; *again: another one is needed
static bool update_once(fmiInstance *f, bool *again)
{
  fmiExchange *e = f->exchange;
  bool has_ended = false, has_nominals = false, has_values = false;
  fmi2EventInfo info = {0};
  if (f->d->version == 3) {
    const fmi3Status status = f->unit->three.fmi3UpdateDiscreteStates(
        f->component, again, &has_ended, &has_nominals, &has_values, &e->has_instant, &e->instant);
    e->has_ended = e->has_ended || has_ended;
    return went_well(f, "fmi3UpdateDiscreteStates", (int) status);
  }
  const fmi2Status status = f->unit->two.fmi2NewDiscreteStates(f->component, &info);
  arithmetic_renew();
  *again = info.newDiscreteStatesNeeded;
  e->has_ended = e->has_ended || info.terminateSimulation;
  e->has_instant = info.nextEventTimeDefined;
  e->instant = info.nextEventTime;
  return went_well(f, "fmi2NewDiscreteStates", (int) status);
}


// stay in event mode: update discrete states until they are consistent
static bool update_discrete_states(fmiInstance *f)
{
  bool again = true;
  for (int i = 0; again && i < MAX_UPDATES && !f->exchange->has_ended; i++) {
    if (!update_once(f, &again)) return false;
  }
  return !again || f->exchange->has_ended ||
         went_well(f, "the update of discrete states", fmi2Error);
}


// from event mode to continuous-time mode; store the signs of the indicators
static bool go_on_after_event(fmiInstance *f)
{
  fmiExchange *e = f->exchange;
  if (!BOTH_PLAIN(EnterContinuousTimeMode) || !take_continuous_states(f, e->x) ||
      !take_indicators(f)) {
    return false;
  }
  for (int i = 0; i < e->nindicator; i++) e->sign[i] = e->z[i] > 0 ? 1 : -1;
  return true;
}

//---- callbacks of the stepper --------------------------------------------------------------------

static artStatus exchange_state_rate(void *context, double t, const double *y, double *ydot)
{
  fmiInstance *f = context;
  fmiExchange *e = f->exchange;
  ydot[0] = 0;
  if (put_exchange_state(f, t, y) &&
      (e->n == 0 ||
       BOTH(fmi2GetDerivatives, fmi3GetContinuousStateDerivatives, ydot, (size_t) e->n))) {
    return ART_OK;
  }
  if (e->trouble > fmi2Discard) return ART_STOPPED;
  e->trouble = 0;
  return ART_NO_CONVERGENCE;
}


static void exchange_switches(void *context, double t, const double *y, double *g)
{
  fmiInstance *f = context;
  fmiExchange *e = f->exchange;
  const bool is_known = put_exchange_state(f, t, y) && take_indicators(f);
  for (int i = 0; i < e->nindicator; i++) {
    g[i] = is_known ? e->sign[i] * e->z[i] + BEYOND : NAN;
  }
}


static void switch_indicator(void *context, double t, const double *y, int i)
{
  const fmiInstance *f = context;
  (void) t, (void) y;
  f->exchange->sign[i] = (signed char) -f->exchange->sign[i];
}


// at an event: the FMU updates its discrete states, and perhaps its continuous states
static artStatus jump_exchange_states(void *context, double t, double *y, artError *error)
{
  fmiInstance *f = context;
  (void) error; // the caller of the stepper reports the error
  return put_exchange_state(f, t, y) && BOTH_PLAIN(EnterEventMode) && update_discrete_states(f) &&
                 go_on_after_event(f) && take_continuous_states(f, y)
             ? ART_OK
             : ART_STOPPED;
}


// after every step; the FMU may request event mode
static int exchange_step_accepted(void *context, double t, double *y)
{
  fmiInstance *f = context;
  if (f->d->version == 2) {
    fmi2Boolean has_event = 0, has_ended = 0;
    if (!put_exchange_state(f, t, y) ||
        !went_well(f, "fmi2CompletedIntegratorStep",
                   (int) f->unit->two.fmi2CompletedIntegratorStep(f->component, fmi2True,
                                                                  &has_event, &has_ended))) {
      return 0;
    }
    f->exchange->has_ended = f->exchange->has_ended || has_ended;
    return has_event ? jump_exchange_states(context, t, y, NULL) == ART_OK : 0;
  }
  bool has_event = false, has_ended = false;
  if (!put_exchange_state(f, t, y) || !went_well(f, "fmi3CompletedIntegratorStep",
                                                 (int) f->unit->three.fmi3CompletedIntegratorStep(
                                                     f->component, true, &has_event, &has_ended))) {
    return 0;
  }
  f->exchange->has_ended = f->exchange->has_ended || has_ended;
  return has_event ? jump_exchange_states(context, t, y, NULL) == ART_OK : 0;
}


static int is_exchange_over(void *context)
{
  const fmiInstance *f = context;
  return f->exchange->has_ended || f->exchange->trouble > 0;
}

//---- steps ---------------------------------------------------------------------------------------

bool exchange_create(fmiInstance *f)
{
  const fmiDescription *d = f->d;
  fmiExchange *e = f->exchange = mem_alloc(1, sizeof *e);
  if (!e) return false;
  e->n = fmi_count_numbers(d, &d->derivatives);
  e->nindicator = d->nindicator;
  e->x = MEM_ARRAY(double, e->n + 1);
  e->z = MEM_ARRAY(double, e->nindicator + 1);
  e->sign = MEM_ARRAY(signed char, e->nindicator + 1);
  return e->x && e->z && e->sign;
}


void exchange_free(fmiInstance *f)
{
  fmiExchange *e = f->exchange;
  if (!e) return;
  step_free(e->stepper);
  mem_free(e->x);
  mem_free(e->z);
  mem_free(e->sign);
  mem_free(e);
}


static void fail_in_event(fmiInstance *f)
{
  instance_check(f, f->exchange->culprit, f->exchange->trouble);
}


// after initialisation an FMU is in event mode
void exchange_begin(fmiInstance *f)
{
  if (!update_discrete_states(f)) fail_in_event(f);
}


// a stepper at the start of a step; create a new one after a state was restored
static void place_stepper(fmiInstance *f, double t)
{
  fmiExchange *e = f->exchange;
  if (e->stepper && step_time(e->stepper) == t) {
    step_restart(e->stepper, t, e->x);
    return;
  }
  const stepProblem problem = {.n = e->n > 0 ? e->n : 1,
                               .nswitch = e->nindicator,
                               .rate = exchange_state_rate,
                               .switches = exchange_switches,
                               .switch_mode = switch_indicator,
                               .jump = jump_exchange_states,
                               .step_accepted = exchange_step_accepted,
                               .pause = is_exchange_over,
                               .context = f};
  stepOptions options = step_default_options();
  options.relative = isfinite(f->d->tolerance) ? fmin(f->d->tolerance, TOLERANCE) : TOLERANCE;
  options.absolute = 0.01 * options.relative;
  step_free(e->stepper);
  e->stepper = NULL;
  error_check(step_create(&e->stepper, &options, &problem, t, e->x, error_current()));
}


// from event mode at t to event mode at `end`
static void integrate_exchange(fmiInstance *f, double t, double end)
{
  fmiExchange *e = f->exchange;
  if (!go_on_after_event(f)) fail_in_event(f);
  place_stepper(f, t);
  step_stop(e->stepper, end);
  const artStatus status = step_to(e->stepper, end, e->x, error_current());
  bool is_done = e->trouble == 0;
  if (is_done && !e->has_ended) {
    error_check(status);
    is_done =
        put_exchange_state(f, end, e->x) && BOTH_PLAIN(EnterEventMode) && update_discrete_states(f);
  }
  if (is_done) return;
  if (!e->has_ended) fail_in_event(f);
  f->is_broken = e->trouble >= fmi2Error;
}


// the time of the next table row of any input signal
static double next_signal_row(const fmiInstance *f, double t)
{
  double next = INFINITY;
  for (const fmiSignal *s = f->signals; s; s = s->next) next = fmin(next, signal_next(s, t));
  return next;
}


fmiOutcome exchange_step(fmiInstance *f, double t, double h)
{
  fmiExchange *e = f->exchange;
  const double end = t + h;
  e->trouble = 0;
  while (t < end && !e->has_ended) {
    // discontinuities of inputs are set in event mode
    for (fmiSignal *s = f->signals; s; s = s->next) signal_begin(s, t);
    if (!put_inputs(f, t) || !update_discrete_states(f)) fail_in_event(f);
    const bool is_instant = e->has_instant && e->instant > t && e->instant < end;
    const double stop = fmin(is_instant ? e->instant : end, next_signal_row(f, t));
    integrate_exchange(f, t, stop);
    t = stop;
  }
  if (!e->has_ended) return FMI_DONE;
  base_forget(error_current());
  return FMI_ENDED;
}
