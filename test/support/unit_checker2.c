// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The checker's face of FMI 2.0.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/unit_checker.h"

// -1: the binary has no such function
#define CALL(name, ...)                                                                            \
  (c->unit->two.fmi2##name ? (int) c->unit->two.fmi2##name(c->component, __VA_ARGS__) : -1)
#define PLAIN(name) (c->unit->two.fmi2##name ? (int) c->unit->two.fmi2##name(c->component) : -1)
enum { MOST = 2000 };

// names that version 3.0 spells otherwise
#define fmi2GetFMUState                   fmi2GetFMUstate
#define fmi2SetFMUState                   fmi2SetFMUstate
#define fmi2FreeFMUState                  fmi2FreeFMUstate
#define fmi2SerializedFMUStateSize        fmi2SerializedFMUstateSize
#define fmi2SerializeFMUState             fmi2SerializeFMUstate
#define fmi2DeserializeFMUState           fmi2DeSerializeFMUstate
#define fmi2GetContinuousStateDerivatives fmi2GetDerivatives

#include "support/unit_calls.h"


static void hear(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                 fmi2String category, fmi2String message, ...)
{
  char text[1000];
  va_list arguments;
  (void) name, (void) category;
  va_start(arguments, message);
  vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  checkInstance *c = environment;
  if (status >= fmi2Warning && c) c->messages++;
}


static void create(checkInstance *c, const char *token)
{
  char place[FILE_PATH_LENGTH + 32];
  c->functions = (fmi2CallbackFunctions){hear, calloc, free, NULL, c};
  snprintf(place, sizeof place, "file://%s/resources", c->resources ? c->resources : "");
  c->component = c->unit->two.fmi2Instantiate(
      "checked", c->is_exchange ? fmi2ModelExchange : fmi2CoSimulation, token,
      c->resources ? place : NULL, &c->functions, fmi2False, fmi2True);
}


static void end(checkInstance *c)
{
  c->unit->two.fmi2FreeInstance(c->component);
}


static int update(checkInstance *c)
{
  fmi2EventInfo info = {.newDiscreteStatesNeeded = 1};
  int status = 0;
  for (int i = 0; i < 10 && info.newDiscreteStatesNeeded && status < 3; i++) {
    status = worse(status, CALL(NewDiscreteStates, &info));
  }
  return status;
}


static int try_setup(checkInstance *c)
{
  const bool has_end = !isnan(c->until);
  return CALL(SetupExperiment, 0, 0, c->from, has_end, has_end ? c->until : 0);
}


static int go(checkInstance *c, int state)
{
  int status = 0;
  if (state == AT_START) return status;
  if (state == AT_ERROR) return PLAIN(ExitInitializationMode) == 3 ? 0 : 3;
  status = try_setup(c);
  status = worse(status, PLAIN(EnterInitializationMode));
  if (state == AT_INITIALISATION) return status;
  status = worse(status, PLAIN(ExitInitializationMode));
  if (state == AT_CONTINUOUS) {
    status = worse(status, update(c));
    status = worse(status, PLAIN(EnterContinuousTimeMode));
  }
  if (state == AT_END) status = worse(status, PLAIN(Terminate));
  return status;
}


static int get(checkInstance *c, unsigned reference, double *value)
{
  return CALL(GetReal, &reference, 1, value);
}


static int set(checkInstance *c, unsigned reference, double value)
{
  return CALL(SetReal, &reference, 1, &value);
}


static int step(checkInstance *c, double t, double h)
{
  return CALL(DoStep, t, h, fmi2True);
}


static int directional(checkInstance *c, unsigned unknown, unsigned known, double *value)
{
  const double seed = 1;
  return CALL(GetDirectionalDerivative, &unknown, 1, &known, 1, &seed, value);
}

//---- trials --------------------------------------------------------------------------------------

#include "support/unit_trials.h"


static int try_enter(checkInstance *c)
{
  return PLAIN(EnterInitializationMode);
}


static int try_set_none(checkInstance *c)
{
  return CALL(SetReal, NULL, 0, NULL);
}


static int try_completed(checkInstance *c)
{
  fmi2Boolean event, over;
  return CALL(CompletedIntegratorStep, 1, &event, &over);
}


static int try_status(checkInstance *c)
{
  fmi2Boolean has_ended;
  const int status = CALL(GetBooleanStatus, fmi2Terminated, &has_ended);
  return status == 2 ? 0 : status; // the unit may not know
}


static int try_set_no_integer(checkInstance *c)
{
  return CALL(SetInteger, NULL, 0, NULL);
}


static int try_cancel(checkInstance *c)
{
  return PLAIN(CancelStep);
}


static const checkTrial trials[] = {
    BOTH_TRIALS{"SetupExperiment", AT_START, NOT_START, try_setup, OF_BOTH},
    {"GetReal", NOT_START, AT_START, try_get, OF_BOTH},
    {"GetReal of no variable", 0, AT_ALL, try_get_unknown, OF_BOTH},
    {"SetReal of no variable", 0, AT_ALL, try_set_unknown, OF_BOTH},
    {"SetReal of nothing", AT_ALL & ~(AT_END | AT_ERROR), AT_END | AT_ERROR, try_set_none, OF_BOTH},
    {"NewDiscreteStates", AT_EVENT, AT_ALL & ~AT_EVENT, update, OF_EXCHANGE},
    {"SetTime", AT_EVENT | AT_CONTINUOUS, AT_INITIALISATION | AT_STEP | AT_END | AT_ERROR, try_time,
     OF_EXCHANGE},
    {"GetDerivatives", AT_EVENT | AT_CONTINUOUS, AT_START | AT_STEP, try_rates, OF_EXCHANGE},
    {"CancelStep", 0, AT_ALL, try_cancel, OF_BOTH},
    {"GetBooleanStatus", AT_STEP | AT_END, AT_START | AT_INITIALISATION | AT_ERROR, try_status,
     OF_SIMULATION},
    {"SetInteger of nothing", AT_START | AT_INITIALISATION | AT_EVENT | AT_STEP,
     AT_CONTINUOUS | AT_END | AT_ERROR, try_set_no_integer, OF_BOTH},
    {0}};

const checkFace checker_face2 = {BOTH_FACES};
