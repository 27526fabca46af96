// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Calls that both versions of the standard spell alike, for the faces of the checker: they define CALL and PLAIN before this file.
#ifndef SUPPORT_UNIT_CALLS_H
#define SUPPORT_UNIT_CALLS_H

static int worse(int a, int b)
{
  return a > b ? a : b;
}


static int reset(checkInstance *c)
{
  return PLAIN(Reset);
}


static int say(checkInstance *c, int is_on, const char *category)
{
  return CALL(SetDebugLogging, is_on, category ? 1 : 0, category ? &category : NULL);
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

#endif
