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

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/throw.h"
#include "fmi/exchange.h"


//---- messages of FMUs ----------------------------------------------------------------------------

static void hear_instance(fmiInstance *f, int status, const char *category, const char *message)
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
  format_text_list(text, sizeof text, message ? message : "", arguments);
  va_end(arguments);
  if (environment) hear_instance(environment, (int) status, category, text);
}


static void log_3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message)
{
  if (environment) hear_instance(environment, (int) status, category, message);
}

//---- creation ------------------------------------------------------------------------------------

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


// copy start values of arrays, and allocate a buffer for the longest array
static bool take_array_values(fmiInstance *f)
{
  const fmiDescription *d = f->d;
  int longest = 1;
  f->value = MEM_ARRAY(double, d->nvariable + 1);
  for (int i = 0; i < d->nvariable && f->value; i++) {
    const fmiVariable *v = &d->variable[i];
    const char *start = v->start ? v->start : "0";
    f->value[i] = strcmp(start, "true") == 0 ? 1 : format_read(start, NULL);
    longest = v->count > longest ? v->count : longest;
  }
  f->room = MEM_ARRAY(double, longest);
  return f->value && f->room;
}


void fmi_instantiate(fmiInstance **instance, fmuFile *unit, const char *name, fmiLogger *logger,
                     void *context)
{
  fmiInstance *f = *instance = mem_alloc(1, sizeof *f);
  if (!f) error_throw();
  *f = (fmiInstance){.unit = unit, .d = &unit->description, .logger = logger, .context = context};
  f->is_exchange = unit->own == &unit->description.exchange;
  f->instant = HUGE_VAL;
  snprintf(f->name, sizeof f->name, "%s", name);
  if (!take_array_values(f)) error_throw();
  f->component = f->d->version == 2 ? create_2(f) : create_3(f);
  arithmetic_renew();
  if (!f->component) {
    error_refuse((artPlace){.file = unit->path}, "the FMU makes no instance '%.60s'%s%.400s", name,
                 f->said[0] ? ": " : "", f->said);
  }
  if (f->is_exchange && !exchange_create(f)) error_throw();
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
  mem_free(f->value);
  mem_free(f->room);
  mem_free(f);
}

//---- values --------------------------------------------------------------------------------------

_Noreturn static void no_number(const fmiVariable *v)
{
  error_refuse(v->place, "'%.60s' is a string, bytes or a clock, expected a number", v->name);
}


// check that a number is an integer within the range of a type
static void check_fits(const fmiVariable *v, double value, double least, double largest)
{
  if (value == floor(value) && value >= least && value <= largest) return;
  error_refuse(v->place, "'%.60s' cannot be %.9g", v->name, value);
}


#define CALL(table, function, ...)                                                                 \
  instance_check(f, #function,                                                                     \
                 f->unit->table.function                                                           \
                     ? (int) f->unit->table.function(f->component, __VA_ARGS__)                    \
                     : UNIT_LACKS)

static void set_2(fmiInstance *f, const fmiVariable *v, double value)
{
  if (v->type == FMI_FLOAT64) {
    CALL(two, fmi2SetReal, &v->reference, 1, &value);
    return;
  }
  check_fits(v, value, INT_MIN, INT_MAX);
  const int whole = (int) value;
  if (v->type == FMI_BOOLEAN)
    CALL(two, fmi2SetBoolean, &v->reference, 1, &whole);
  else
    CALL(two, fmi2SetInteger, &v->reference, 1, &whole);
}


static double get_2(fmiInstance *f, const fmiVariable *v)
{
  int whole = 0;
  double value = NAN;
  if (v->type == FMI_FLOAT64)
    CALL(two, fmi2GetReal, &v->reference, 1, &value);
  else if (v->type == FMI_BOOLEAN)
    CALL(two, fmi2GetBoolean, &v->reference, 1, &whole);
  else
    CALL(two, fmi2GetInteger, &v->reference, 1, &whole);
  return v->type == FMI_FLOAT64 ? value : whole;
}


// integer types of version 3.0 with their ranges
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

// The elements of a variable's array, as numbers.
static double *array_of(const fmiInstance *f, const fmiVariable *v)
{
  return f->value + (v - f->d->variable) - v->element;
}


// Arrays are set as a whole: the other elements keep their last values, or start values.
static void set_3(fmiInstance *f, const fmiVariable *v, double value)
{
  const size_t n = (size_t) v->count;
  double *all = array_of(f, v);
  all[v->element] = value;
  switch (v->type) {
  case FMI_FLOAT64: CALL(three, fmi3SetFloat64, &v->reference, 1, all, n); break;
#define SET(type, name, least, largest)                                                            \
  case type: {                                                                                     \
    fmi3##name *own = f->room;                                                                     \
    for (size_t i = 0; i < n; i++) {                                                               \
      check_fits(v, all[i], least, largest);                                                       \
      own[i] = (fmi3##name) all[i];                                                                \
    }                                                                                              \
    CALL(three, fmi3Set##name, &v->reference, 1, own, n);                                          \
    break;                                                                                         \
  }
    WHOLE_TYPES(SET)
#undef SET
  case FMI_FLOAT32: {
    fmi3Float32 *own = f->room;
    for (size_t i = 0; i < n; i++) own[i] = (fmi3Float32) all[i];
    CALL(three, fmi3SetFloat32, &v->reference, 1, own, n);
    break;
  }
  default: no_number(v);
  }
}


static double get_3(fmiInstance *f, const fmiVariable *v)
{
  const size_t n = (size_t) v->count;
  memset(f->room, 0, n * sizeof(double));
  switch (v->type) {
#define GET(type, name, least, largest)                                                            \
  case type: {                                                                                     \
    fmi3##name *own = f->room;                                                                     \
    CALL(three, fmi3Get##name, &v->reference, 1, own, n);                                          \
    return (double) own[v->element];                                                               \
  }
    GET(FMI_FLOAT64, Float64, , )
    GET(FMI_FLOAT32, Float32, , )
    WHOLE_TYPES(GET)
#undef GET
  default: no_number(v);
  }
}


//---- events of co-simulation ---------------------------------------------------------------------

#define CALL_PLAIN(table, function)                                                                \
  instance_check(f, #function,                                                                     \
                 f->unit->table.function ? (int) f->unit->table.function(f->component)             \
                                         : UNIT_LACKS)

static bool has_events(const fmiInstance *f)
{
  return !f->is_exchange && f->unit->own->has_events;
}


// in event mode: update discrete states until they are consistent, then return to step mode
static void pass_event(fmiInstance *f)
{
  enum { MAX_UPDATES = 1000 };
  bool again = true;
  for (int i = 0; again; i++) {
    bool has_ended = false, has_nominals = false, has_values = false, has_instant = false;
    double instant = HUGE_VAL;
    if (i == MAX_UPDATES) {
      error_throw_at(ART_NO_CONVERGENCE, (artPlace){.file = f->unit->path},
                     "the event of '%.60s' at %.9g s does not come to an end", f->name, f->time);
    }
    CALL(three, fmi3UpdateDiscreteStates, &again, &has_ended, &has_nominals, &has_values,
         &has_instant, &instant);
    f->instant = has_instant ? instant : HUGE_VAL;
    f->wants_end = f->wants_end || has_ended;
  }
  CALL_PLAIN(three, fmi3EnterStepMode);
}


void fmi_set(fmiInstance *f, int variable, double value)
{
  const fmiVariable *v = &f->d->variable[variable];
  if (!fmi_is_number(v)) no_number(v);
  // discrete inputs change in event mode
  const bool is_event = f->has_begun && has_events(f) && v->variability != FMI_CONTINUOUS;
  if (is_event) CALL_PLAIN(three, fmi3EnterEventMode);
  if (f->d->version == 2)
    set_2(f, v, value);
  else
    set_3(f, v, value);
  if (is_event) pass_event(f);
}


double fmi_get(fmiInstance *f, int variable)
{
  const fmiVariable *v = &f->d->variable[variable];
  if (!fmi_is_number(v)) no_number(v);
  return f->d->version == 2 ? get_2(f, v) : get_3(f, v);
}


void fmi_set_text(fmiInstance *f, int variable, const char *text)
{
  const fmiVariable *v = &f->d->variable[variable];
  if (v->causality == FMI_STRUCTURAL_PARAMETER) {
    error_refuse(v->place, "'%.60s' gives arrays their lengths, which have their start values here",
                 v->name);
  }
  if (v->type == FMI_STRING && v->count == 1) {
    if (f->d->version == 2)
      CALL(two, fmi2SetString, &v->reference, 1, &text);
    else
      CALL(three, fmi3SetString, &v->reference, 1, &text, 1);
    return;
  }
  char *end;
  double value = strcmp(text, "true") == 0 ? 1 : 0;
  if (value == 0 && strcmp(text, "false") != 0) {
    value = format_read(text, &end);
    if (end == text || *end) error_refuse(v->place, "'%.60s' cannot be '%.60s'", v->name, text);
  }
  fmi_set(f, variable, value);
}

//---- the start -----------------------------------------------------------------------------------

void fmi_begin(fmiInstance *f, double from, double until, double tolerance)
{
  const bool has_end = isfinite(until), has_tolerance = isfinite(tolerance);
  f->time = from;
  if (!has_end) until = 0;
  if (!has_tolerance) tolerance = 0;
  if (f->d->version == 3) {
    CALL(three, fmi3EnterInitializationMode, has_tolerance, tolerance, from, has_end, until);
  } else {
    CALL(two, fmi2SetupExperiment, has_tolerance, tolerance, from, has_end, until);
    CALL_PLAIN(two, fmi2EnterInitializationMode);
  }
}


void fmi_begin_steps(fmiInstance *f)
{
  if (f->d->version == 2)
    CALL_PLAIN(two, fmi2ExitInitializationMode);
  else
    CALL_PLAIN(three, fmi3ExitInitializationMode);
  f->has_begun = true;
  if (has_events(f)) pass_event(f);
  if (f->is_exchange) exchange_begin(f);
}

//---- steps ---------------------------------------------------------------------------------------

// Inputs with signals are linear over the step, up to their values at its end.
static void put_input_rates(fmiInstance *f, double t, double h)
{
  for (fmiSignal *s = f->signals; s; s = s->next) {
    signal_begin(s, t);
    const double rate = (signal_on_way(s, t + h) - signal_on_way(s, t)) / h;
    CALL(two, fmi2SetRealInputDerivatives, &s->reference, 1, &(fmi2Integer){1}, &rate);
  }
}


// a discarded step may be a request for termination
static fmiOutcome step_2(fmiInstance *f, double t, double h)
{
  const fmi2Table *two = &f->unit->two;
  put_input_rates(f, t, h);
  const fmi2Status status = two->fmi2DoStep(f->component, t, h, f->saved ? fmi2False : fmi2True);
  if (status == fmi2Discard) {
    fmi2Boolean has_ended = fmi2False;
    if (two->fmi2GetBooleanStatus) {
      two->fmi2GetBooleanStatus(f->component, fmi2Terminated, &has_ended);
    }
    return has_ended ? FMI_ENDED : FMI_DISCARDED;
  }
  instance_check(f, "fmi2DoStep", (int) status);
  return FMI_DONE;
}


// advance from *t as far as the FMU goes; *has_event: an event is due there
static fmiOutcome go_3(fmiInstance *f, double *t, double h, bool *has_event)
{
  bool has_ended = false, is_early = false;
  double reached = *t + h;
  const fmi3Status status = f->unit->three.fmi3DoStep(f->component, *t, h, !f->saved, has_event,
                                                      &has_ended, &is_early, &reached);
  if (status == fmi3Discard) return FMI_DISCARDED;
  instance_check(f, "fmi3DoStep", (int) status);
  if (is_early && !(reached > *t && reached <= *t + h) && !*has_event) {
    error_throw_at(ART_NO_CONVERGENCE, (artPlace){.file = f->unit->path},
                   "'%.60s' ends its step at %.9g s, from where it does not go on", f->name,
                   reached);
  }
  *t = is_early ? fmin(fmax(reached, *t), *t + h) : *t + h;
  f->time = *t;
  return has_ended ? FMI_ENDED : FMI_DONE;
}


// A step may consist of several pieces: FMUs may return early, and stop at events, including time
// events.
static fmiOutcome step_3(fmiInstance *f, double t, double h)
{
  enum { MAX_PIECES = 100000 };
  const double end = t + h, least = 1e-12 * fmax(fabs(end), h);
  fmiOutcome outcome = FMI_DONE;
  for (int i = 0; t < end - least && outcome == FMI_DONE; i++) {
    const double stop = fmin(f->instant, end);
    bool has_event = false;
    if (stop > t) outcome = go_3(f, &t, stop - t, &has_event);
    if (outcome != FMI_DONE) return outcome;
    if (i == MAX_PIECES) {
      error_throw_at(ART_NO_CONVERGENCE, (artPlace){.file = f->unit->path},
                     "'%.60s' has too many events within a step, at %.9g s", f->name, t);
    }
    if (!has_events(f) || !(has_event || t >= f->instant)) continue;
    CALL_PLAIN(three, fmi3EnterEventMode);
    pass_event(f);
    if (f->wants_end) outcome = FMI_ENDED;
  }
  return outcome;
}


fmiOutcome fmi_step(fmiInstance *f, double t, double h)
{
  f->time = t;
  const fmiOutcome outcome = f->is_exchange       ? exchange_step(f, t, h)
                             : f->d->version == 2 ? step_2(f, t, h)
                                                  : step_3(f, t, h);
  if (outcome == FMI_DONE) f->time = t + h;
  return outcome;
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


void fmi_save(fmiInstance *f)
{
  f->saved_time = f->time;
  f->saved_instant = f->instant;
  if (f->d->version == 2)
    CALL(two, fmi2GetFMUstate, &f->saved);
  else
    CALL(three, fmi3GetFMUState, &f->saved);
}


void fmi_restore(fmiInstance *f)
{
  f->time = f->saved_time;
  f->instant = f->saved_instant;
  if (f->d->version == 2)
    CALL(two, fmi2SetFMUstate, f->saved);
  else
    CALL(three, fmi3SetFMUState, f->saved);
}
