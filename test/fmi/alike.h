// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions that are alike in FMI 2.0 and 3.0, by the names that FMI(name) gives. The file that includes this one defines FMI,
// HANDLE, the instance and complain.

// a call is right in some states alone; in others it breaks the instance
#define IN(states)                                                                                 \
  instance *c = handle;                                                                            \
  if (!c) return FMI(Error);                                                                       \
  if (!(c->v.state & (states))) return complain(c, FMI(Error), __func__);
#define IN_EXCHANGE(states)                                                                        \
  IN(states)                                                                                       \
  if (!c->v.is_exchange) return complain(c, FMI(Error), __func__);


FMI(Status) FMI(Terminate)(HANDLE handle)
{
  IN(EVENTS | CONTINUOUS | STEPS)
  c->v.state = OVER;
  return FMI(OK);
}


FMI(Status) FMI(Reset)(HANDLE handle)
{
  IN(ANY)
  reset_values(&c->v);
  return FMI(OK);
}


FMI(Status)
FMI(SetDebugLogging)(HANDLE handle, FMI(Boolean) on, size_t n, const FMI(String) category[])
{
  IN(ANY)
  for (size_t i = 0; i < n; i++) {
    if (!category[i] || strcmp(category[i], "logStatusError") != 0) {
      return complain(c, FMI(Warning), "there is no such category");
    }
  }
  c->is_mute = !on;
  return FMI(OK);
}

//---- whole states --------------------------------------------------------------------------------

FMI(Status) FMI(SetFMUState)(HANDLE handle, FMI(FMUState) state)
{
  IN(ANY)
  if (!state) return complain(c, FMI(Error), "no state");
  memcpy(&c->v, state, sizeof c->v);
  return FMI(OK);
}


FMI(Status) FMI(SerializedFMUStateSize)(HANDLE handle, FMI(FMUState) state, size_t *size)
{
  IN(ANY)(void) state;
  *size = sizeof(unitValues);
  return FMI(OK);
}


FMI(Status)
FMI(SerializeFMUState)(HANDLE handle, FMI(FMUState) state, FMI(Byte) bytes[], size_t size)
{
  IN(ANY)
  if (size < sizeof(unitValues)) return complain(c, FMI(Error), "too little room");
  memcpy(bytes, state, sizeof(unitValues));
  return FMI(OK);
}


FMI(Status)
FMI(DeserializeFMUState)(HANDLE handle, const FMI(Byte) bytes[], size_t size, FMI(FMUState) * state)
{
  IN(ANY)
  if (size != sizeof(unitValues)) return complain(c, FMI(Error), "another size");
  const FMI(Status) status = FMI(GetFMUState)(handle, state);
  if (status == FMI(OK)) memcpy(*state, bytes, size);
  return status;
}

//---- model exchange ------------------------------------------------------------------------------

FMI(Status) FMI(EnterContinuousTimeMode)(HANDLE handle)
{
  IN(EVENTS)
  c->v.state = CONTINUOUS;
  return FMI(OK);
}


FMI(Status)
FMI(CompletedIntegratorStep)
(HANDLE handle, FMI(Boolean) no_set, FMI(Boolean) * event, FMI(Boolean) * end)
{
  IN(CONTINUOUS)(void) no_set;
  *event = *end = 0;
  return FMI(OK);
}


FMI(Status) FMI(SetTime)(HANDLE handle, double time)
{
  IN(EVENTS | CONTINUOUS)
  if (!isfinite(time)) return complain(c, FMI(Error), "the time is not a number");
  c->v.t = time;
  return FMI(OK);
}


FMI(Status) FMI(SetContinuousStates)(HANDLE handle, const double x[], size_t n)
{
  IN(CONTINUOUS)
  if (n != (size_t) EQUATION.states) return complain(c, FMI(Error), "another number of states");
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) return complain(c, FMI(Discard), "a state is not a number");
  }
  memcpy(c->v.x, x, n * sizeof *x);
  return FMI(OK);
}


FMI(Status) FMI(GetContinuousStateDerivatives)(HANDLE handle, double rate[], size_t n)
{
  double all[MOST] = {0};
  IN_EXCHANGE(INITIALISED | EVENTS | CONTINUOUS | OVER)
  if (n != (size_t) EQUATION.states) return complain(c, FMI(Error), "another number of states");
  EQUATION.rate(c->v.t, c->v.x, c->v.u, c->v.p, all);
  memcpy(rate, all, n * sizeof *rate);
  return FMI(OK);
}


FMI(Status) FMI(GetEventIndicators)(HANDLE handle, double z[], size_t n)
{
  IN_EXCHANGE(INITIALISED | EVENTS | CONTINUOUS | OVER)
  if (n != (size_t) EQUATION.indicators) return complain(c, FMI(Error), "another number");
  if (n > 0) EQUATION.indicate(c->v.t, c->v.x, c->v.u, c->v.p, z);
  return FMI(OK);
}


FMI(Status) FMI(GetContinuousStates)(HANDLE handle, double x[], size_t n)
{
  IN_EXCHANGE(INITIALISED | EVENTS | CONTINUOUS | OVER)
  if (n != (size_t) EQUATION.states) return complain(c, FMI(Error), "another number of states");
  memcpy(x, c->v.x, n * sizeof *x);
  return FMI(OK);
}


FMI(Status) FMI(GetNominalsOfContinuousStates)(HANDLE handle, double x[], size_t n)
{
  IN_EXCHANGE(INITIALISED | EVENTS | CONTINUOUS | OVER)
  for (size_t i = 0; i < n; i++) x[i] = 1;
  return FMI(OK);
}
