// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Instances of co-simulation, versions 2.0 and 3.0.
#include "fmi/instance.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fmi/exchange.h"


static artStatus lacking(const fmiInstance *f, const char *function, artError *error)
{
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = f->unit->path},
                   "the binary of the unit lacks the function %s", function);
}

//---- what a unit says ----------------------------------------------------------------------------

static void hear(fmiInstance *f, int status, const char *category, const char *message)
{
  if (status >= fmi2Warning) snprintf(f->said, sizeof f->said, "%.490s", message ? message : "");
  if (f->logger) f->logger(f->context, f->name, status, category ? category : "", message);
}


static void log_2(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                  fmi2String category, fmi2String message, ...)
{
  char text[1000];
  va_list arguments;
  (void) instance;
  va_start(arguments, message);
  vsnprintf(text, sizeof text, message ? message : "", arguments);
  va_end(arguments);
  if (environment) hear(environment, (int) status, category, text);
}


static void log_3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message)
{
  if (environment) hear(environment, (int) status, category, message);
}

//---- life ----------------------------------------------------------------------------------------

static void *create_2(fmiInstance *f)
{
  char place[FILE_PATH_LENGTH + 32];
  f->functions = (fmi2CallbackFunctions){log_2, calloc, free, NULL, f};
  snprintf(place, sizeof place, "file://%s/resources", f->unit->folder);
  return f->unit->two.fmi2Instantiate(f->name,
                                      f->is_exchange ? fmi2ModelExchange : fmi2CoSimulation,
                                      f->d->token, place, &f->functions, fmi2False, fmi2True);
}


static void *create_3(fmiInstance *f)
{
  char place[FILE_PATH_LENGTH + 32];
  snprintf(place, sizeof place, "%s/resources/", f->unit->folder);
  if (f->is_exchange) {
    return f->unit->three.fmi3InstantiateModelExchange(f->name, f->d->token, place, false, true, f,
                                                       log_3);
  }
  return f->unit->three.fmi3InstantiateCoSimulation(f->name, f->d->token, place, false, true,
                                                    f->unit->own->has_events, true, NULL, 0, f,
                                                    log_3, NULL);
}


artStatus fmi_instantiate(fmiInstance **instance, fmiUnit *unit, const char *name,
                          fmiLogger *logger, void *context, artError *error)
{
  fmiInstance *f = *instance = mem_alloc(1, sizeof *f);
  if (!f) return base_no_memory(error);
  *f = (fmiInstance){.unit = unit, .d = &unit->description, .logger = logger, .context = context};
  f->is_exchange = unit->own == &unit->description.exchange;
  f->instant = HUGE_VAL;
  snprintf(f->name, sizeof f->name, "%s", name);
  f->component = f->d->version == 2 ? create_2(f) : create_3(f);
  if (f->component && (!f->is_exchange || exchange_create(f))) return ART_OK;
  const artStatus status = f->component
                               ? base_no_memory(error)
                               : base_fail(error, ART_BAD_INPUT, (artPlace){.file = unit->path},
                                           "the unit makes no instance '%.60s'%s%.400s", name,
                                           f->said[0] ? ": " : "", f->said);
  fmi_free_instance(f);
  *instance = NULL;
  return status;
}


void fmi_free_instance(fmiInstance *f)
{
  if (!f) return;
  if (f->component && f->d->version == 2) {
    if (f->saved) f->unit->two.fmi2FreeFMUstate(f->component, &f->saved);
    if (f->has_begun && !f->is_broken) f->unit->two.fmi2Terminate(f->component);
    f->unit->two.fmi2FreeInstance(f->component);
  } else if (f->component) {
    if (f->saved) f->unit->three.fmi3FreeFMUState(f->component, &f->saved);
    if (f->has_begun && !f->is_broken) f->unit->three.fmi3Terminate(f->component);
    f->unit->three.fmi3FreeInstance(f->component);
  }
  exchange_free(f);
  mem_free(f);
}

//---- values --------------------------------------------------------------------------------------

static artStatus no_number(const fmiVariable *v, artError *error)
{
  return base_fail(error, ART_BAD_INPUT, v->place, "'%.60s' is %s, one number is wanted", v->name,
                   v->is_array ? "an array" : "a text, bytes or a clock");
}


static artStatus no_value(const fmiVariable *v, double value, artError *error)
{
  return base_fail(error, ART_BAD_INPUT, v->place, "'%.60s' cannot be %.9g", v->name, value);
}


// whole numbers between the bounds of a type
static bool fits(double value, double least, double largest)
{
  return value == floor(value) && value >= least && value <= largest;
}


#define CALL(table, function, ...)                                                                 \
  (f->unit->table.function                                                                         \
       ? instance_check(f, #function, (int) f->unit->table.function(f->component, __VA_ARGS__),    \
                        error)                                                                     \
       : lacking(f, #function, error))

static artStatus set_2(fmiInstance *f, const fmiVariable *v, double value, artError *error)
{
  if (v->type == FMI_FLOAT64) return CALL(two, fmi2SetReal, &v->reference, 1, &value);
  if (!fits(value, INT_MIN, INT_MAX)) return no_value(v, value, error);
  const int whole = (int) value;
  if (v->type == FMI_BOOLEAN) return CALL(two, fmi2SetBoolean, &v->reference, 1, &whole);
  return CALL(two, fmi2SetInteger, &v->reference, 1, &whole);
}


static artStatus get_2(fmiInstance *f, const fmiVariable *v, double *value, artError *error)
{
  int whole = 0;
  artStatus status;
  if (v->type == FMI_FLOAT64) return CALL(two, fmi2GetReal, &v->reference, 1, value);
  if (v->type == FMI_BOOLEAN) {
    status = CALL(two, fmi2GetBoolean, &v->reference, 1, &whole);
  } else {
    status = CALL(two, fmi2GetInteger, &v->reference, 1, &whole);
  }
  *value = whole;
  return status;
}


// types of version 3.0 with the bounds of their numbers
#define WHOLE_TYPES(F)                                                                             \
  F(FMI_INT8, Int8, INT8_MIN, INT8_MAX)                                                            \
  F(FMI_UINT8, UInt8, 0, UINT8_MAX)                                                                \
  F(FMI_INT16, Int16, INT16_MIN, INT16_MAX)                                                        \
  F(FMI_UINT16, UInt16, 0, UINT16_MAX)                                                             \
  F(FMI_INT32, Int32, INT32_MIN, INT32_MAX)                                                        \
  F(FMI_UINT32, UInt32, 0, UINT32_MAX)                                                             \
  F(FMI_INT64, Int64, -9007199254740992.0, 9007199254740992.0)                                     \
  F(FMI_UINT64, UInt64, 0, 9007199254740992.0)                                                     \
  F(FMI_ENUMERATION, Int64, -9007199254740992.0, 9007199254740992.0)                               \
  F(FMI_BOOLEAN, Boolean, 0, 1)

static artStatus set_3(fmiInstance *f, const fmiVariable *v, double value, artError *error)
{
  const fmi3Float32 narrow = (fmi3Float32) value;
  switch (v->type) {
  case FMI_FLOAT64: return CALL(three, fmi3SetFloat64, &v->reference, 1, &value, 1);
  case FMI_FLOAT32: return CALL(three, fmi3SetFloat32, &v->reference, 1, &narrow, 1);
#define SET(type, name, least, largest)                                                            \
  case type: {                                                                                     \
    if (!fits(value, least, largest)) return no_value(v, value, error);                            \
    const fmi3##name whole = (fmi3##name) value;                                                   \
    return CALL(three, fmi3Set##name, &v->reference, 1, &whole, 1);                                \
  }
    WHOLE_TYPES(SET)
#undef SET
  default: return no_number(v, error);
  }
}


static artStatus get_3(fmiInstance *f, const fmiVariable *v, double *value, artError *error)
{
  fmi3Float32 narrow = 0;
  artStatus status;
  switch (v->type) {
  case FMI_FLOAT64: return CALL(three, fmi3GetFloat64, &v->reference, 1, value, 1);
  case FMI_FLOAT32:
    status = CALL(three, fmi3GetFloat32, &v->reference, 1, &narrow, 1);
    *value = (double) narrow;
    return status;
#define GET(type, name, least, largest)                                                            \
  case type: {                                                                                     \
    fmi3##name whole = 0;                                                                          \
    status = CALL(three, fmi3Get##name, &v->reference, 1, &whole, 1);                              \
    *value = (double) whole;                                                                       \
    return status;                                                                                 \
  }
    WHOLE_TYPES(GET)
#undef GET
  default: return no_number(v, error);
  }
}


//---- events of co-simulation ---------------------------------------------------------------------

#define CALL_PLAIN(function)                                                                       \
  (f->unit->three.function                                                                         \
       ? instance_check(f, #function, (int) f->unit->three.function(f->component), error)          \
       : lacking(f, #function, error))

static bool has_events(const fmiInstance *f)
{
  return !f->is_exchange && f->unit->own->has_events;
}


// from event mode on: discrete states until they stay, then back to steps
static artStatus pass_event(fmiInstance *f, artError *error)
{
  enum { MOST_UPDATES = 1000 };
  artStatus status = ART_OK;
  bool again = true;
  for (int i = 0; again && !status; i++) {
    bool has_ended = false, has_nominals = false, has_values = false, has_instant = false;
    double instant = HUGE_VAL;
    if (i == MOST_UPDATES) {
      return base_fail(error, ART_NO_CONVERGENCE, (artPlace){.file = f->unit->path},
                       "the event of '%.60s' at %.9g s does not come to an end", f->name, f->time);
    }
    status = CALL(three, fmi3UpdateDiscreteStates, &again, &has_ended, &has_nominals, &has_values,
                  &has_instant, &instant);
    f->instant = has_instant ? instant : HUGE_VAL;
    f->wants_end = f->wants_end || has_ended;
  }
  return status ? status : CALL_PLAIN(fmi3EnterStepMode);
}


// discrete inputs change in event mode
static artStatus set_in_event(fmiInstance *f, const fmiVariable *v, double value, artError *error)
{
  artStatus status = CALL_PLAIN(fmi3EnterEventMode);
  if (!status) status = set_3(f, v, value, error);
  return status ? status : pass_event(f, error);
}


artStatus fmi_set(fmiInstance *f, int variable, double value, artError *error)
{
  const fmiVariable *v = &f->d->variable[variable];
  if (!fmi_is_number(v)) return no_number(v, error);
  if (f->has_begun && has_events(f) && v->variability != FMI_CONTINUOUS) {
    return set_in_event(f, v, value, error);
  }
  return f->d->version == 2 ? set_2(f, v, value, error) : set_3(f, v, value, error);
}


artStatus fmi_get(fmiInstance *f, int variable, double *value, artError *error)
{
  const fmiVariable *v = &f->d->variable[variable];
  *value = NAN;
  if (!fmi_is_number(v)) return no_number(v, error);
  return f->d->version == 2 ? get_2(f, v, value, error) : get_3(f, v, value, error);
}


artStatus fmi_set_text(fmiInstance *f, int variable, const char *text, artError *error)
{
  const fmiVariable *v = &f->d->variable[variable];
  if (v->type == FMI_STRING && !v->is_array) {
    if (f->d->version == 2) return CALL(two, fmi2SetString, &v->reference, 1, &text);
    return CALL(three, fmi3SetString, &v->reference, 1, &text, 1);
  }
  char *end;
  double value = strcmp(text, "true") == 0 ? 1 : 0;
  if (value == 0 && strcmp(text, "false") != 0) {
    value = strtod(text, &end);
    if (end == text || *end) {
      return base_fail(error, ART_BAD_INPUT, v->place, "'%.60s' cannot be '%.60s'", v->name, text);
    }
  }
  return fmi_set(f, variable, value, error);
}

//---- the start -----------------------------------------------------------------------------------

artStatus fmi_begin(fmiInstance *f, double from, double until, double tolerance, artError *error)
{
  const bool has_end = isfinite(until), has_tolerance = isfinite(tolerance);
  f->time = from;
  if (!has_end) until = 0;
  if (!has_tolerance) tolerance = 0;
  if (f->d->version == 3) {
    return CALL(three, fmi3EnterInitializationMode, has_tolerance, tolerance, from, has_end, until);
  }
  const artStatus status =
      CALL(two, fmi2SetupExperiment, has_tolerance, tolerance, from, has_end, until);
  return status ? status
                : instance_check(f, "fmi2EnterInitializationMode",
                                 f->unit->two.fmi2EnterInitializationMode(f->component), error);
}


artStatus fmi_begin_steps(fmiInstance *f, artError *error)
{
  const artStatus status =
      f->d->version == 2
          ? instance_check(f, "fmi2ExitInitializationMode",
                           (int) f->unit->two.fmi2ExitInitializationMode(f->component), error)
          : instance_check(f, "fmi3ExitInitializationMode",
                           (int) f->unit->three.fmi3ExitInitializationMode(f->component), error);
  f->has_begun = status == ART_OK;
  if (!status && has_events(f)) return pass_event(f, error);
  return !status && f->is_exchange ? exchange_begin(f, error) : status;
}

//---- steps ---------------------------------------------------------------------------------------

// a discarded step may be the unit's wish to end
static artStatus step_2(fmiInstance *f, double t, double h, fmiOutcome *outcome, artError *error)
{
  const fmi2Table *two = &f->unit->two;
  const fmi2Status status = two->fmi2DoStep(f->component, t, h, f->saved ? fmi2False : fmi2True);
  if (status == fmi2Discard) {
    fmi2Boolean has_ended = fmi2False;
    if (two->fmi2GetBooleanStatus) {
      two->fmi2GetBooleanStatus(f->component, fmi2Terminated, &has_ended);
    }
    *outcome = has_ended ? FMI_ENDED : FMI_DISCARDED;
    return ART_OK;
  }
  return instance_check(f, "fmi2DoStep", (int) status, error);
}


// from *t on as far as the unit comes; whether an event is due there
static artStatus go_3(fmiInstance *f, double *t, double h, bool *has_event, fmiOutcome *outcome,
                      artError *error)
{
  bool has_ended = false, is_early = false;
  double reached = *t + h;
  const fmi3Status status = f->unit->three.fmi3DoStep(f->component, *t, h, !f->saved, has_event,
                                                      &has_ended, &is_early, &reached);
  if (status == fmi3Discard) {
    *outcome = FMI_DISCARDED;
    return ART_OK;
  }
  const artStatus trouble = instance_check(f, "fmi3DoStep", (int) status, error);
  if (trouble) return trouble;
  if (has_ended) *outcome = FMI_ENDED;
  if (is_early && !(reached > *t && reached <= *t + h) && !*has_event) {
    return base_fail(error, ART_NO_CONVERGENCE, (artPlace){.file = f->unit->path},
                     "'%.60s' ends its step at %.9g s, from where it does not go on", f->name,
                     reached);
  }
  *t = is_early ? fmin(fmax(reached, *t), *t + h) : *t + h;
  f->time = *t;
  return ART_OK;
}


// A step in pieces: units may return early, and stop at their events, those in time included.
static artStatus step_3(fmiInstance *f, double t, double h, fmiOutcome *outcome, artError *error)
{
  enum { MOST_PIECES = 100000 };
  const double end = t + h, least = 1e-12 * fmax(fabs(end), h);
  artStatus status = ART_OK;
  for (int i = 0; t < end - least && !status && *outcome == FMI_DONE; i++) {
    const double stop = fmin(f->instant, end);
    bool has_event = false;
    if (stop > t) status = go_3(f, &t, stop - t, &has_event, outcome, error);
    if (status || *outcome != FMI_DONE) return status;
    if (i == MOST_PIECES) {
      return base_fail(error, ART_NO_CONVERGENCE, (artPlace){.file = f->unit->path},
                       "'%.60s' has too many events within a step, at %.9g s", f->name, t);
    }
    if (!has_events(f) || !(has_event || t >= f->instant)) continue;
    status = CALL_PLAIN(fmi3EnterEventMode);
    if (!status) status = pass_event(f, error);
    if (f->wants_end) *outcome = FMI_ENDED;
  }
  return status;
}


artStatus fmi_step(fmiInstance *f, double t, double h, fmiOutcome *outcome, artError *error)
{
  *outcome = FMI_DONE;
  f->time = t;
  const artStatus status = f->is_exchange       ? exchange_step(f, t, h, outcome, error)
                           : f->d->version == 2 ? step_2(f, t, h, outcome, error)
                                                : step_3(f, t, h, outcome, error);
  if (!status && *outcome == FMI_DONE) f->time = t + h;
  return status;
}


bool fmi_can_save(const fmiInstance *f)
{
  const fmi2Table *two = &f->unit->two;
  const fmi3Table *three = &f->unit->three;
  return f->unit->own->can_save &&
         (f->d->version == 2
              ? two->fmi2GetFMUstate && two->fmi2SetFMUstate && two->fmi2FreeFMUstate
              : three->fmi3GetFMUState && three->fmi3SetFMUState && three->fmi3FreeFMUState);
}


artStatus fmi_save(fmiInstance *f, artError *error)
{
  f->saved_time = f->time;
  f->saved_instant = f->instant;
  return f->d->version == 2 ? CALL(two, fmi2GetFMUstate, &f->saved)
                            : CALL(three, fmi3GetFMUState, &f->saved);
}


artStatus fmi_restore(fmiInstance *f, artError *error)
{
  f->time = f->saved_time;
  f->instant = f->saved_instant;
  return f->d->version == 2 ? CALL(two, fmi2SetFMUstate, f->saved)
                            : CALL(three, fmi3SetFMUState, f->saved);
}
