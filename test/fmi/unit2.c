// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of FMI 2.0 around equations.
#include "fixture.h"
#include "fmi2Functions.h"

// names that version 3.0 spells otherwise
#define FMI(name)                         fmi2##name
#define HANDLE                            fmi2Component
#define fmi2FMUState                      fmi2FMUstate
#define fmi2GetFMUState                   fmi2GetFMUstate
#define fmi2SetFMUState                   fmi2SetFMUstate
#define fmi2SerializedFMUStateSize        fmi2SerializedFMUstateSize
#define fmi2SerializeFMUState             fmi2SerializeFMUstate
#define fmi2DeserializeFMUState           fmi2DeSerializeFMUstate
#define fmi2GetContinuousStateDerivatives fmi2GetDerivatives

typedef struct instance {
  unitValues v;
  fmi2CallbackFunctions call;
  char name[64];
  int is_mute;
} instance;


static fmi2Status complain(instance *c, fmi2Status status, const char *what)
{
  if (!c->is_mute && c->call.logger) {
    c->call.logger(c->call.componentEnvironment, c->name, status, "logStatusError", "%s", what);
  }
  if (status >= fmi2Error) c->v.state = BROKEN;
  return status;
}


#include "alike.h"

const char *fmi2GetTypesPlatform(void)
{
  return fmi2TypesPlatform;
}


const char *fmi2GetVersion(void)
{
  return fmi2Version;
}


fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String place,
                              const fmi2CallbackFunctions *call, fmi2Boolean visible,
                              fmi2Boolean logging)
{
  (void) place, (void) visible;
  if (!call || !call->allocateMemory || !call->freeMemory || !name || !*name) return NULL;
  if (!token || strcmp(token, TOKEN) != 0) {
    if (call->logger) {
      call->logger(call->componentEnvironment, name, fmi2Error, "logStatusError",
                   "the token '%s' belongs to another unit", token ? token : "");
    }
    return NULL;
  }
  instance *c = call->allocateMemory(1, sizeof *c);
  if (!c) return NULL;
  c->call = *call;
  c->is_mute = !logging;
  snprintf(c->name, sizeof c->name, "%s", name);
  c->v.is_exchange = type == fmi2ModelExchange;
  reset_values(&c->v);
  return c;
}


void fmi2FreeInstance(fmi2Component handle)
{
  instance *c = handle;
  if (c) c->call.freeMemory(c);
}


fmi2Status fmi2SetupExperiment(fmi2Component handle, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real from, fmi2Boolean has_end, fmi2Real until)
{
  IN(MADE)(void) has_tolerance, (void) tolerance;
  if (!isfinite(from) || (has_end && !(until >= from))) {
    return complain(c, fmi2Error, "the times make no sense");
  }
  c->v.t = from;
  if (has_end) c->v.end = until;
  return fmi2OK;
}


fmi2Status fmi2EnterInitializationMode(fmi2Component handle)
{
  IN(MADE)
  c->v.state = INITIALISED;
  return fmi2OK;
}


fmi2Status fmi2ExitInitializationMode(fmi2Component handle)
{
  IN(INITIALISED)
  c->v.state = c->v.is_exchange ? EVENTS : STEPS;
  return fmi2OK;
}


fmi2Status fmi2GetReal(fmi2Component handle, const fmi2ValueReference vr[], size_t n,
                       fmi2Real value[])
{
  IN(INITIALISED | EVENTS | CONTINUOUS | STEPS | OVER | BROKEN)
  for (size_t i = 0; i < n; i++) {
    if (!get_value(&c->v, vr[i], &value[i])) return complain(c, fmi2Error, "no such variable");
  }
  return fmi2OK;
}


fmi2Status fmi2SetReal(fmi2Component handle, const fmi2ValueReference vr[], size_t n,
                       const fmi2Real value[])
{
  IN(MADE | INITIALISED | EVENTS | CONTINUOUS | STEPS)
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(value[i])) return complain(c, fmi2Discard, "a value is not a number");
    if (!set_value(&c->v, vr[i], value[i])) return complain(c, fmi2Error, "cannot be set");
  }
  return fmi2OK;
}

// there are numbers of one type alone
#define NONE(name, type)                                                                           \
  fmi2Status fmi2Get##name(fmi2Component handle, const fmi2ValueReference vr[], size_t n,          \
                           type value[])                                                           \
  {                                                                                                \
    IN(ANY)(void) vr, (void) value;                                                                \
    return n == 0 ? fmi2OK : complain(c, fmi2Error, "no such variable");                           \
  }                                                                                                \
  fmi2Status fmi2Set##name(fmi2Component handle, const fmi2ValueReference vr[], size_t n,          \
                           const type value[])                                                     \
  {                                                                                                \
    IN(MADE | INITIALISED | EVENTS | STEPS)(void) vr, (void) value;                                \
    return n == 0 ? fmi2OK : complain(c, fmi2Error, "no such variable");                           \
  }
NONE(Integer, fmi2Integer)
NONE(Boolean, fmi2Boolean)
NONE(String, fmi2String)


fmi2Status fmi2GetFMUstate(fmi2Component handle, fmi2FMUstate *state)
{
  IN(ANY)
  if (!*state) *state = c->call.allocateMemory(1, sizeof(unitValues));
  if (!*state) return complain(c, fmi2Error, "no memory");
  memcpy(*state, &c->v, sizeof c->v);
  return fmi2OK;
}


fmi2Status fmi2FreeFMUstate(fmi2Component handle, fmi2FMUstate *state)
{
  IN(ANY)
  if (state && *state) c->call.freeMemory(*state);
  if (state) *state = NULL;
  return fmi2OK;
}


fmi2Status fmi2GetDirectionalDerivative(fmi2Component handle, const fmi2ValueReference unknown[],
                                        size_t nunknown, const fmi2ValueReference known[],
                                        size_t nknown, const fmi2Real seed[], fmi2Real result[])
{
  IN(INITIALISED | EVENTS | CONTINUOUS | STEPS | OVER)
  for (size_t i = 0; i < nunknown; i++) {
    result[i] = 0;
    for (size_t j = 0; j < nknown; j++) {
      result[i] += derivative(&c->v, unknown[i], known[j]) * seed[j];
    }
  }
  return fmi2OK;
}

//---- model exchange ------------------------------------------------------------------------------

fmi2Status fmi2EnterEventMode(fmi2Component handle)
{
  IN(EVENTS | CONTINUOUS)
  c->v.state = EVENTS;
  return fmi2OK;
}


fmi2Status fmi2NewDiscreteStates(fmi2Component handle, fmi2EventInfo *info)
{
  double before[MOST];
  IN(EVENTS)
  memcpy(before, c->v.x, sizeof before);
  if (EQUATION.indicators) EQUATION.event(c->v.t, c->v.x, c->v.u, c->v.p);
  *info = (fmi2EventInfo){0};
  info->valuesOfContinuousStatesChanged = memcmp(before, c->v.x, sizeof before) != 0;
  return fmi2OK;
}

//---- co-simulation -------------------------------------------------------------------------------

fmi2Status fmi2DoStep(fmi2Component handle, fmi2Real t, fmi2Real h, fmi2Boolean no_set)
{
  IN(STEPS)(void) no_set;
  if (c->v.is_exchange) return complain(c, fmi2Error, "no co-simulation");
  return do_steps(&c->v, t, h) ? fmi2OK : complain(c, fmi2Error, "such a step cannot be done");
}


fmi2Status fmi2CancelStep(fmi2Component handle)
{
  IN(0)
  return fmi2OK;
}


fmi2Status fmi2SetRealInputDerivatives(fmi2Component handle, const fmi2ValueReference vr[],
                                       size_t n, const fmi2Integer order[], const fmi2Real value[])
{
  IN(MADE | INITIALISED | STEPS)(void) vr, (void) order, (void) value;
  return n == 0 ? fmi2OK : complain(c, fmi2Error, "inputs are held");
}


fmi2Status fmi2GetRealOutputDerivatives(fmi2Component handle, const fmi2ValueReference vr[],
                                        size_t n, const fmi2Integer order[], fmi2Real value[])
{
  IN(STEPS | OVER)(void) vr, (void) order, (void) value;
  return n == 0 ? fmi2OK : complain(c, fmi2Error, "outputs have no derivatives");
}


// no step fails or goes on beside the importer
#define STATUS(name, type)                                                                         \
  fmi2Status name(fmi2Component handle, const fmi2StatusKind kind, type *value)                    \
  {                                                                                                \
    IN(STEPS | OVER)(void) kind, (void) value;                                                     \
    if (c->v.is_exchange) return complain(c, fmi2Error, __func__);                                 \
    return complain(c, fmi2Discard, "there is nothing to tell");                                   \
  }
STATUS(fmi2GetStatus, fmi2Status)
STATUS(fmi2GetRealStatus, fmi2Real)
STATUS(fmi2GetIntegerStatus, fmi2Integer)
STATUS(fmi2GetBooleanStatus, fmi2Boolean)
STATUS(fmi2GetStringStatus, fmi2String)
