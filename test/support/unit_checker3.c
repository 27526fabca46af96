// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The checker's face of FMI 3.0.
#include <math.h>
#include <stdio.h>

#include "support/unit_checker.h"

// -1: the binary has no such function
#define CALL(name, ...)                                                                            \
  (c->unit->three.fmi3##name ? (int) c->unit->three.fmi3##name(c->component, __VA_ARGS__) : -1)
#define PLAIN(name) (c->unit->three.fmi3##name ? (int) c->unit->three.fmi3##name(c->component) : -1)
enum { MOST = 2000 };

#include "support/unit_calls.h"


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
  char own[FILE_PATH_LENGTH + 32];
  const char *place = c->resources ? own : NULL;
  snprintf(own, sizeof own, "%s/resources/", c->resources ? c->resources : "");
  c->component =
      c->is_exchange
          ? f->fmi3InstantiateModelExchange("checked", token, place, false, true, c, hear)
          : f->fmi3InstantiateCoSimulation("checked", token, place, false, true, false, false, NULL,
                                           0, c, hear, NULL);
}


static void end(checkInstance *c)
{
  c->unit->three.fmi3FreeInstance(c->component);
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


static int try_enter(checkInstance *c)
{
  const bool has_end = !isnan(c->until);
  return CALL(EnterInitializationMode, false, 0, c->from, has_end, has_end ? c->until : 0);
}


static int go(checkInstance *c, int state)
{
  int status = 0;
  if (state == AT_START) return status;
  if (state == AT_ERROR) return PLAIN(ExitInitializationMode) == 3 ? 0 : 3;
  status = try_enter(c);
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


// the first variable that has one
static int try_get_start(checkInstance *c)
{
  const fmiDescription *d = &c->unit->description;
  double value;
  int i = 0;
  while (i < d->nvariable && !(d->variable[i].start && d->variable[i].type == FMI_FLOAT64)) i++;
  return i < d->nvariable ? get(c, d->variable[i].reference, &value) : 0;
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
  size_t n = 0;
  const int status = CALL(GetNumberOfContinuousStates, &n);
  return n == (size_t) c->unit->description.derivatives.n ? status : 3;
}


static const checkTrial trials[] = {
    BOTH_TRIALS{"GetFloat64", NOT_START, 0, try_get, OF_BOTH},
    {"GetFloat64 of a start value", AT_ALL, 0, try_get_start, OF_BOTH},
    {"GetFloat64 of no variable", 0, AT_ALL, try_get_unknown, OF_BOTH},
    {"SetFloat64 of no variable", 0, AT_ALL, try_set_unknown, OF_BOTH},
    {"SetFloat64 of nothing", AT_ALL & ~(AT_END | AT_ERROR), AT_END | AT_ERROR, try_set_none,
     OF_BOTH},
    {"UpdateDiscreteStates", AT_EVENT, AT_ALL & ~AT_EVENT, update, OF_EXCHANGE},
    {"SetTime", AT_CONTINUOUS, AT_START | AT_INITIALISATION | AT_STEP | AT_END | AT_ERROR, try_time,
     OF_EXCHANGE},
    {"GetContinuousStateDerivatives", AT_EVENT | AT_CONTINUOUS, AT_START | AT_STEP, try_rates,
     OF_EXCHANGE},
    {"EnterStepMode", 0, AT_ALL & ~AT_EVENT, try_step_mode, OF_BOTH},
    {"GetNumberOfContinuousStates", AT_EVENT | AT_CONTINUOUS, 0, try_count, OF_EXCHANGE},
    {0}};

const checkFace checker_face3 = {BOTH_FACES, .adjoint = adjoint};
