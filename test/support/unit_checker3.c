// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The checker's face of FMI 3.0.

#include "support/unit_checker.h"

// -1: the binary has no such function
#define CALL(name, ...)                                                                            \
  (c->unit->three.fmi3##name ? (int) c->unit->three.fmi3##name(c->component, __VA_ARGS__) : -1)
#define PLAIN(name) (c->unit->three.fmi3##name ? (int) c->unit->three.fmi3##name(c->component) : -1)
enum { MOST = 2000 };


static void hear(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                 fmi3String message)
{
  checkInstance *c = environment;
  (void) category, (void) message;
  if (status >= fmi3Warning && c) c->messages++;
}


static void create(checkInstance *c, const char *token)
{
  const fmi3Table *f = &c->unit->three;
  c->component =
      c->is_exchange
          ? f->fmi3InstantiateModelExchange("checked", token, "/nowhere/", false, true, c, hear)
          : f->fmi3InstantiateCoSimulation("checked", token, "/nowhere/", false, true, false, false,
                                           NULL, 0, c, hear, NULL);
}


static void end(checkInstance *c)
{
  c->unit->three.fmi3FreeInstance(c->component);
}


static int worse(int a, int b)
{
  return a > b ? a : b;
}


static int update(checkInstance *c)
{
  bool again = true, over, nominals, values, has_instant;
  double instant;
  int status = 0;
  for (int i = 0; i < 10 && again && status < 3; i++) {
    status = worse(status, CALL(UpdateDiscreteStates, &again, &over, &nominals, &values,
                                &has_instant, &instant));
  }
  return status;
}


static int go(checkInstance *c, int state)
{
  int status = 0;
  if (state == AT_START) return status;
  status = CALL(EnterInitializationMode, false, 0, c->from, false, 0);
  if (state == AT_INITIALISATION) return status;
  status = worse(status, PLAIN(ExitInitializationMode));
  if (state == AT_CONTINUOUS) {
    status = worse(status, update(c));
    status = worse(status, PLAIN(EnterContinuousTimeMode));
  }
  if (state == AT_END) status = worse(status, PLAIN(Terminate));
  return status;
}


static int reset(checkInstance *c)
{
  return PLAIN(Reset);
}


static int get(checkInstance *c, unsigned reference, double *value)
{
  return CALL(GetFloat64, &reference, 1, value, 1);
}


static int set(checkInstance *c, unsigned reference, double value)
{
  return CALL(SetFloat64, &reference, 1, &value, 1);
}


static int step(checkInstance *c, double t, double h)
{
  bool event, over, early;
  double reached;
  return CALL(DoStep, t, h, true, &event, &over, &early, &reached);
}


static int save(checkInstance *c, void **state)
{
  return CALL(GetFMUState, state);
}


static int restore(checkInstance *c, void *state)
{
  return CALL(SetFMUState, state);
}


static int drop(checkInstance *c, void **state)
{
  return CALL(FreeFMUState, state);
}


static int size_of(checkInstance *c, void *state, size_t *size)
{
  return CALL(SerializedFMUStateSize, state, size);
}


static int write_state(checkInstance *c, void *state, void *bytes, size_t size)
{
  return CALL(SerializeFMUState, state, bytes, size);
}


static int read_state(checkInstance *c, const void *bytes, size_t size, void **state)
{
  return CALL(DeserializeFMUState, bytes, size, state);
}


static int put_states(checkInstance *c, const double *x, size_t n)
{
  return CALL(SetContinuousStates, x, n);
}


static int take_states(checkInstance *c, double *x, size_t n)
{
  return CALL(GetContinuousStates, x, n);
}


static int take_rates(checkInstance *c, double *rate, size_t n)
{
  return CALL(GetContinuousStateDerivatives, rate, n);
}


static int directional(checkInstance *c, unsigned unknown, unsigned known, double *value)
{
  const double seed = 1;
  return CALL(GetDirectionalDerivative, &unknown, 1, &known, 1, &seed, 1, value, 1);
}

static int adjoint(checkInstance *c, unsigned unknown, unsigned known, double *value)
{
  const double seed = 1;
  return CALL(GetAdjointDerivative, &unknown, 1, &known, 1, &seed, 1, value, 1);
}

//---- trials --------------------------------------------------------------------------------------

#include "support/unit_trials.h"


static int try_enter(checkInstance *c)
{
  return CALL(EnterInitializationMode, false, 0, c->from, false, 0);
}


static int try_logging(checkInstance *c)
{
  return CALL(SetDebugLogging, false, 0, NULL);
}


static int try_set_none(checkInstance *c)
{
  return CALL(SetFloat64, NULL, 0, NULL, 0);
}


static int try_completed(checkInstance *c)
{
  bool event, over;
  return CALL(CompletedIntegratorStep, 1, &event, &over);
}


static int try_step_mode(checkInstance *c)
{
  return PLAIN(EnterStepMode);
}


static int try_count(checkInstance *c)
{
  size_t n;
  const int status = CALL(GetNumberOfContinuousStates, &n);
  return n == (size_t) c->unit->description.derivatives.n ? status : 3;
}


enum { NOT_START = AT_ALL & ~AT_START, LATER = AT_EVENT | AT_CONTINUOUS | AT_STEP };

static const checkTrial trials[] = {
    {"SetDebugLogging", AT_ALL, 0, try_logging},
    {"EnterInitializationMode", AT_START, NOT_START, try_enter},
    {"ExitInitializationMode", AT_INITIALISATION, AT_ALL & ~AT_INITIALISATION, try_exit},
    {"Terminate", LATER, AT_ALL & ~LATER, try_terminate},
    {"Reset", AT_ALL, 0, reset},
    {"GetFloat64", NOT_START, 0, try_get},
    {"GetFloat64 of no variable", 0, AT_ALL, try_get_unknown},
    {"SetFloat64 of no variable", 0, AT_ALL, try_set_unknown},
    {"SetFloat64 of nothing", AT_ALL & ~AT_END, 0, try_set_none},
    {"EnterEventMode", AT_CONTINUOUS, AT_START | AT_INITIALISATION | AT_STEP | AT_END, try_event},
    {"UpdateDiscreteStates", AT_EVENT, AT_ALL & ~AT_EVENT, update},
    {"EnterContinuousTimeMode", AT_EVENT, AT_ALL & ~AT_EVENT, try_continuous},
    {"CompletedIntegratorStep", AT_CONTINUOUS, AT_ALL & ~AT_CONTINUOUS, try_completed},
    {"SetTime", AT_CONTINUOUS, AT_START | AT_INITIALISATION | AT_STEP | AT_END, try_time},
    {"SetContinuousStates", AT_CONTINUOUS, AT_START | AT_INITIALISATION | AT_STEP | AT_END,
     try_put_states},
    {"GetContinuousStates", AT_EVENT | AT_CONTINUOUS, AT_START | AT_STEP, try_states},
    {"GetContinuousStates of another number", 0, AT_ALL, try_few_states},
    {"GetContinuousStateDerivatives", AT_EVENT | AT_CONTINUOUS, AT_START | AT_STEP, try_rates},
    {"GetEventIndicators", AT_EVENT | AT_CONTINUOUS, AT_START | AT_STEP, try_indicators},
    {"GetNominalsOfContinuousStates", AT_EVENT | AT_CONTINUOUS, AT_STEP, try_nominals},
    {"DoStep", AT_STEP, AT_ALL & ~AT_STEP, try_step},
    {"EnterStepMode", 0, AT_ALL & ~AT_EVENT, try_step_mode},
    {"GetNumberOfContinuousStates", AT_EVENT | AT_CONTINUOUS, 0, try_count},
    {0}};

const checkFace checker_face3 = {.create = create,
                                 .end = end,
                                 .go = go,
                                 .reset = reset,
                                 .get = get,
                                 .set = set,
                                 .step = step,
                                 .save = save,
                                 .restore = restore,
                                 .drop = drop,
                                 .size = size_of,
                                 .write = write_state,
                                 .read = read_state,
                                 .put_states = put_states,
                                 .take_states = take_states,
                                 .take_rates = take_rates,
                                 .directional = directional,
                                 .adjoint = adjoint,
                                 .trial = trials};
