// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of FMI 3.0 around equations.
#include "fixture.h"
#include "fmi3Functions.h"

#define FMI(name) fmi3##name
#define HANDLE    fmi3Instance

typedef struct instance {
  unitValues v;
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
  int is_mute;
} instance;


static fmi3Status complain(instance *c, fmi3Status status, const char *what)
{
  if (!c->is_mute && c->log) c->log(c->environment, status, "logStatusError", what);
  if (status >= fmi3Error) c->v.state = BROKEN;
  return status;
}


#include "alike.h"

const char *fmi3GetVersion(void)
{
  return fmi3Version;
}

//---- life ----------------------------------------------------------------------------------------

static instance *create(fmi3String name, fmi3String token, int logging,
                        fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
  if (!name || !*name) return NULL;
  if (!token || strcmp(token, TOKEN) != 0) {
    if (log) log(environment, fmi3Error, "logStatusError", "the token belongs to another unit");
    return NULL;
  }
  instance *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->environment = environment;
  c->log = log;
  c->is_mute = !logging;
  return c;
}


fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String place,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
  (void) place, (void) visible;
  instance *c = create(name, token, logging, environment, log);
  if (!c) return NULL;
  c->v.is_exchange = 1;
  reset_values(&c->v);
  return c;
}


fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String place,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early,
                                         const fmi3ValueReference required[], size_t nrequired,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
  (void) place, (void) visible, (void) required, (void) nrequired, (void) update;
  if (event_mode && (!EQUATION.indicators || !early)) return NULL;
  instance *c = create(name, token, logging, environment, log);
  if (!c) return NULL;
  c->v.is_early = event_mode;
  reset_values(&c->v);
  return c;
}


fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String place, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback clock,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{
  (void) name, (void) token, (void) place, (void) visible, (void) logging, (void) clock,
      (void) lock, (void) unlock;
  if (log) log(environment, fmi3Error, "logStatusError", "there is no scheduled execution");
  return NULL;
}


void fmi3FreeInstance(fmi3Instance handle)
{
  free(handle);
}


fmi3Status fmi3EnterInitializationMode(fmi3Instance handle, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 from, fmi3Boolean has_end,
                                       fmi3Float64 until)
{
  IN(MADE)(void) has_tolerance, (void) tolerance;
  if (!isfinite(from) || (has_end && !(until >= from))) {
    return complain(c, fmi3Error, "the times make no sense");
  }
  c->v.t = from;
  if (has_end) c->v.end = until;
  c->v.state = INITIALISED;
  return fmi3OK;
}


fmi3Status fmi3ExitInitializationMode(fmi3Instance handle)
{
  IN(INITIALISED)
  c->v.state = c->v.is_exchange || c->v.is_early ? EVENTS : STEPS;
  return fmi3OK;
}


fmi3Status fmi3EnterEventMode(fmi3Instance handle)
{
  IN(c->v.is_early ? STEPS : CONTINUOUS)
  c->v.state = EVENTS;
  return fmi3OK;
}


fmi3Status fmi3EnterConfigurationMode(fmi3Instance handle)
{
  IN(0)
  return fmi3OK;
}


fmi3Status fmi3ExitConfigurationMode(fmi3Instance handle)
{
  IN(0)
  return fmi3OK;
}

//---- values --------------------------------------------------------------------------------------

fmi3Status fmi3GetFloat64(fmi3Instance handle, const fmi3ValueReference vr[], size_t n,
                          fmi3Float64 value[], size_t nvalue)
{
  IN(MADE | INITIALISED | EVENTS | CONTINUOUS | STEPS | OVER | BROKEN)
  if (n != nvalue) return complain(c, fmi3Error, "another number of values");
  for (size_t i = 0; i < n; i++) {
    if (!get_value(&c->v, vr[i], &value[i])) return complain(c, fmi3Error, "no such variable");
  }
  return fmi3OK;
}


fmi3Status fmi3SetFloat64(fmi3Instance handle, const fmi3ValueReference vr[], size_t n,
                          const fmi3Float64 value[], size_t nvalue)
{
  IN(MADE | INITIALISED | EVENTS | CONTINUOUS | STEPS)
  if (n != nvalue) return complain(c, fmi3Error, "another number of values");
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(value[i])) return complain(c, fmi3Discard, "a value is not a number");
    if (!set_value(&c->v, vr[i], value[i])) return complain(c, fmi3Error, "cannot be set");
  }
  return fmi3OK;
}


// there are numbers of one type alone
#define NONE(name)                                                                                 \
  fmi3Status fmi3Get##name(fmi3Instance handle, const fmi3ValueReference vr[], size_t n,           \
                           fmi3##name value[], size_t nvalue)                                      \
  {                                                                                                \
    IN(ANY)(void) vr, (void) value, (void) nvalue;                                                 \
    return n == 0 ? fmi3OK : complain(c, fmi3Error, "no such variable");                           \
  }                                                                                                \
  fmi3Status fmi3Set##name(fmi3Instance handle, const fmi3ValueReference vr[], size_t n,           \
                           const fmi3##name value[], size_t nvalue)                                \
  {                                                                                                \
    IN(ANY)(void) vr, (void) value, (void) nvalue;                                                 \
    return n == 0 ? fmi3OK : complain(c, fmi3Error, "no such variable");                           \
  }
NONE(Float32)
NONE(Int8)
NONE(UInt8)
NONE(Int16)
NONE(UInt16)
NONE(Int32)
NONE(UInt32)
NONE(Int64)
NONE(UInt64)
NONE(Boolean)
NONE(String)

// functions for which this unit has no variables
#define NO(name, ...)                                                                              \
  fmi3Status name(fmi3Instance handle, const fmi3ValueReference vr[], size_t n, __VA_ARGS__)       \
  {                                                                                                \
    IN(ANY)(void) vr;                                                                              \
    return n == 0 ? fmi3OK : complain(c, fmi3Error, "no such variable");                           \
  }
#pragma GCC diagnostic ignored "-Wunused-parameter"
NO(fmi3GetBinary, size_t size[], fmi3Binary value[], size_t nvalue)
NO(fmi3SetBinary, const size_t size[], const fmi3Binary value[], size_t nvalue)
NO(fmi3GetClock, fmi3Clock value[])
NO(fmi3SetClock, const fmi3Clock value[])
NO(fmi3GetIntervalDecimal, fmi3Float64 a[], fmi3IntervalQualifier q[])
NO(fmi3GetIntervalFraction, fmi3UInt64 a[], fmi3UInt64 b[], fmi3IntervalQualifier q[])
NO(fmi3GetShiftDecimal, fmi3Float64 a[])
NO(fmi3GetShiftFraction, fmi3UInt64 a[], fmi3UInt64 b[])
NO(fmi3SetIntervalDecimal, const fmi3Float64 a[])
NO(fmi3SetIntervalFraction, const fmi3UInt64 a[], const fmi3UInt64 b[])
NO(fmi3SetShiftDecimal, const fmi3Float64 a[])
NO(fmi3SetShiftFraction, const fmi3UInt64 a[], const fmi3UInt64 b[])


fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance handle, fmi3ValueReference vr,
                                               size_t *n)
{
  IN(ANY)(void) vr, (void) n;
  return complain(c, fmi3Error, "dependencies do not change");
}


fmi3Status fmi3GetVariableDependencies(fmi3Instance handle, fmi3ValueReference dependent,
                                       size_t element[], fmi3ValueReference independent[],
                                       size_t other[], fmi3DependencyKind kind[], size_t n)
{
  IN(ANY)(void) dependent, (void) element, (void) independent, (void) other, (void) kind;
  return n == 0 ? fmi3OK : complain(c, fmi3Error, "dependencies do not change");
}

//---- whole states --------------------------------------------------------------------------------

fmi3Status fmi3GetFMUState(fmi3Instance handle, fmi3FMUState *state)
{
  IN(ANY)
  if (!*state) *state = malloc(sizeof(unitValues));
  if (!*state) return complain(c, fmi3Error, "no memory");
  memcpy(*state, &c->v, sizeof c->v);
  return fmi3OK;
}


fmi3Status fmi3FreeFMUState(fmi3Instance handle, fmi3FMUState *state)
{
  IN(ANY)
  if (state) {
    free(*state);
    *state = NULL;
  }
  return fmi3OK;
}

//---- derivatives ---------------------------------------------------------------------------------

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance handle, const fmi3ValueReference unknown[],
                                        size_t nunknown, const fmi3ValueReference known[],
                                        size_t nknown, const fmi3Float64 seed[], size_t nseed,
                                        fmi3Float64 result[], size_t nresult)
{
  IN(INITIALISED | EVENTS | CONTINUOUS | STEPS | OVER)
  if (nseed != nknown || nresult != nunknown) return complain(c, fmi3Error, "another number");
  for (size_t i = 0; i < nunknown; i++) {
    result[i] = 0;
    for (size_t j = 0; j < nknown; j++) {
      result[i] += derivative(&c->v, unknown[i], known[j]) * seed[j];
    }
  }
  return fmi3OK;
}


fmi3Status fmi3GetAdjointDerivative(fmi3Instance handle, const fmi3ValueReference unknown[],
                                    size_t nunknown, const fmi3ValueReference known[],
                                    size_t nknown, const fmi3Float64 seed[], size_t nseed,
                                    fmi3Float64 result[], size_t nresult)
{
  IN(INITIALISED | EVENTS | CONTINUOUS | STEPS | OVER)
  if (nseed != nunknown || nresult != nknown) return complain(c, fmi3Error, "another number");
  for (size_t j = 0; j < nknown; j++) {
    result[j] = 0;
    for (size_t i = 0; i < nunknown; i++) {
      result[j] += derivative(&c->v, unknown[i], known[j]) * seed[i];
    }
  }
  return fmi3OK;
}

//---- model exchange ------------------------------------------------------------------------------

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance handle)
{
  IN(INITIALISED | EVENTS)
  return fmi3OK;
}


fmi3Status fmi3UpdateDiscreteStates(fmi3Instance handle, fmi3Boolean *again, fmi3Boolean *end,
                                    fmi3Boolean *nominals, fmi3Boolean *values,
                                    fmi3Boolean *has_instant, fmi3Float64 *instant)
{
  double before[MOST];
  IN(EVENTS)
  memcpy(before, c->v.x, sizeof before);
  if (EQUATION.indicators) EQUATION.event(c->v.t, c->v.x, c->v.u, c->v.p);
  *again = *end = *nominals = *has_instant = false;
  *instant = 0;
  *values = memcmp(before, c->v.x, sizeof before) != 0;
  return fmi3OK;
}


fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance handle, size_t *n)
{
  IN_EXCHANGE(ANY)
  *n = (size_t) EQUATION.indicators;
  return fmi3OK;
}


fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance handle, size_t *n)
{
  IN_EXCHANGE(ANY)
  *n = (size_t) EQUATION.states;
  return fmi3OK;
}

//---- co-simulation -------------------------------------------------------------------------------

fmi3Status fmi3EnterStepMode(fmi3Instance handle)
{
  IN(c->v.is_early ? EVENTS : 0)
  c->v.state = STEPS;
  return fmi3OK;
}


fmi3Status fmi3GetOutputDerivatives(fmi3Instance handle, const fmi3ValueReference vr[], size_t n,
                                    const fmi3Int32 order[], fmi3Float64 value[], size_t nvalue)
{
  IN(STEPS | OVER)(void) vr, (void) order, (void) value, (void) nvalue;
  return n == 0 ? fmi3OK : complain(c, fmi3Error, "outputs have no derivatives");
}


fmi3Status fmi3DoStep(fmi3Instance handle, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set,
                      fmi3Boolean *event, fmi3Boolean *end, fmi3Boolean *early,
                      fmi3Float64 *reached)
{
  IN(STEPS)(void) no_set;
  *event = *end = *early = false;
  *reached = t;
  if (!do_steps(&c->v, t, h)) return complain(c, fmi3Error, "such a step cannot be done");
  *event = *early = c->v.is_early && c->v.has_crossed;
  *reached = c->v.t;
  return fmi3OK;
}


fmi3Status fmi3ActivateModelPartition(fmi3Instance handle, fmi3ValueReference clock,
                                      fmi3Float64 time)
{
  IN(0)(void) clock, (void) time;
  return fmi3OK;
}
