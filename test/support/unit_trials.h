// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Trials that both versions of the standard spell alike, for the faces of the checker: they define CALL and PLAIN, and functions that get, set
// and step, before this file.
#ifndef SUPPORT_UNIT_TRIALS_H
#define SUPPORT_UNIT_TRIALS_H

#include <math.h>

static int try_logging(checkInstance *c)
{
  return CALL(SetDebugLogging, 0, 0, NULL);
}


static int try_exit(checkInstance *c)
{
  return PLAIN(ExitInitializationMode);
}


static int try_terminate(checkInstance *c)
{
  return PLAIN(Terminate);
}


static int try_get(checkInstance *c)
{
  double value;
  return get(c, c->unit->description.variable[0].reference, &value);
}


static int try_get_unknown(checkInstance *c)
{
  double value;
  return get(c, 0xfffffff0u, &value);
}


static int try_set_unknown(checkInstance *c)
{
  return set(c, 0xfffffff0u, 0);
}


static int try_event(checkInstance *c)
{
  return PLAIN(EnterEventMode);
}


static int try_continuous(checkInstance *c)
{
  return PLAIN(EnterContinuousTimeMode);
}


static int try_time(checkInstance *c)
{
  return CALL(SetTime, c->from);
}


// numbers that are none, steps that are none: each is refused with a message, so that the answer is an error here
static int is_refused(checkInstance *c, int messages, int status)
{
  return (status == 2 || status == 3) && c->messages > messages ? 3 : 0;
}


static int try_time_nan(checkInstance *c)
{
  const int before = c->messages;
  return is_refused(c, before, CALL(SetTime, NAN));
}


static int try_put_nan(checkInstance *c)
{
  const int before = c->messages;
  double x[MOST];
  const size_t n = (size_t) c->unit->description.derivatives.n;
  for (size_t i = 0; i < n; i++) x[i] = NAN;
  return n == 0 ? -1 : is_refused(c, before, put_states(c, x, n));
}


static int try_step_nan(checkInstance *c)
{
  const int before = c->messages;
  return is_refused(c, before, step(c, c->from, NAN));
}


static int try_no_step(checkInstance *c)
{
  const int before = c->messages;
  return is_refused(c, before, step(c, c->from, 0));
}


static int try_step_elsewhere(checkInstance *c)
{
  const int before = c->messages;
  return is_refused(c, before, step(c, c->from + 1, 1e-3));
}


static int try_states(checkInstance *c)
{
  double x[MOST];
  const size_t n = (size_t) c->unit->description.derivatives.n;
  return take_states(c, x, n);
}


static int try_put_states(checkInstance *c)
{
  double x[MOST] = {0};
  const size_t n = (size_t) c->unit->description.derivatives.n;
  take_states(c, x, n);
  return put_states(c, x, n);
}


static int try_few_states(checkInstance *c)
{
  double x[MOST];
  return take_states(c, x, (size_t) c->unit->description.derivatives.n + 1);
}


static int try_rates(checkInstance *c)
{
  double x[MOST];
  return take_rates(c, x, (size_t) c->unit->description.derivatives.n);
}


static int try_indicators(checkInstance *c)
{
  double z[MOST];
  return CALL(GetEventIndicators, z, (size_t) c->unit->description.nindicator);
}


static int try_nominals(checkInstance *c)
{
  double x[MOST];
  return CALL(GetNominalsOfContinuousStates, x, (size_t) c->unit->description.derivatives.n);
}


static int try_step(checkInstance *c)
{
  return step(c, c->from, 1e-3);
}


enum { NOT_START = AT_ALL & ~AT_START, LATER = AT_EVENT | AT_CONTINUOUS | AT_STEP };

// clang-format off
#define BOTH_TRIALS                                                                                \
  {"SetDebugLogging", AT_ALL, 0, try_logging, OF_BOTH},                                            \
  {"EnterInitializationMode", AT_START, NOT_START, try_enter, OF_BOTH},                            \
  {"ExitInitializationMode", AT_INITIALISATION, AT_ALL & ~AT_INITIALISATION, try_exit, OF_BOTH},   \
  {"Terminate", LATER, AT_ALL & ~LATER, try_terminate, OF_BOTH},                                   \
  {"Reset", AT_ALL, 0, reset, OF_BOTH},                                                            \
  {"EnterEventMode", AT_CONTINUOUS, AT_START | AT_INITIALISATION | AT_STEP | AT_END | AT_ERROR,    \
   try_event, OF_EXCHANGE},                                                                        \
  {"EnterContinuousTimeMode", AT_EVENT, AT_ALL & ~AT_EVENT, try_continuous, OF_EXCHANGE},          \
  {"CompletedIntegratorStep", AT_CONTINUOUS, AT_ALL & ~AT_CONTINUOUS, try_completed, OF_EXCHANGE}, \
  {"SetContinuousStates", AT_CONTINUOUS,                                                           \
   AT_START | AT_INITIALISATION | AT_STEP | AT_END | AT_ERROR, try_put_states, OF_EXCHANGE},       \
  {"GetContinuousStates", AT_EVENT | AT_CONTINUOUS, AT_START | AT_STEP, try_states, OF_EXCHANGE},  \
  {"GetContinuousStates of another number", 0, AT_ALL, try_few_states, OF_EXCHANGE},               \
  {"GetEventIndicators", AT_EVENT | AT_CONTINUOUS, AT_START | AT_STEP, try_indicators,             \
   OF_EXCHANGE},                                                                                   \
  {"GetNominalsOfContinuousStates", AT_EVENT | AT_CONTINUOUS, AT_STEP, try_nominals, OF_EXCHANGE}, \
  {"DoStep", AT_STEP, AT_ALL & ~AT_STEP, try_step, OF_SIMULATION},                                 \
  {"SetTime to no number", 0, AT_CONTINUOUS, try_time_nan, OF_EXCHANGE},                           \
  {"SetContinuousStates to no number", 0, AT_CONTINUOUS, try_put_nan, OF_EXCHANGE},                \
  {"DoStep of no number", 0, AT_STEP, try_step_nan, OF_SIMULATION},                                \
  {"DoStep of no length", 0, AT_STEP, try_no_step, OF_SIMULATION},                                 \
  {"DoStep from elsewhere", 0, AT_STEP, try_step_elsewhere, OF_SIMULATION},
#define BOTH_FACES                                                                                 \
  .create = create, .end = end, .go = go, .reset = reset, .say = say, .get = get, .set = set,      \
  .step = step, .save = save, .restore = restore, .drop = drop, .size = size_of,                   \
  .write = write_state, .read = read_state, .put_states = put_states,                              \
  .take_states = take_states, .take_rates = take_rates, .directional = directional,                \
  .trial = trials
// clang-format on

#endif
