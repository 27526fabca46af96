// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An FMU of version 3.0 with arrays, written by hand: dx/dt = A x + u, y = x, with two states. References: 1 A, 2 u, 3 x, 4 der(x), 5 y, 6 n, the
// number of states.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmi3Functions.h"

enum { N = 2 };

typedef struct instance {
  double t, A[N * N], u[N], x[N];
} instance;


static void rates(const instance *c, const double *x, double *dx)
{
  for (int i = 0; i < N; i++) {
    dx[i] = c->u[i];
    for (int j = 0; j < N; j++) dx[i] += c->A[N * i + j] * x[j];
  }
}


static fmi3Instance make(fmi3String token)
{
  instance *c = calloc(1, sizeof *c);
  if (!c || strcmp(token, "{arrays}") != 0) return NULL;
  c->A[1] = 1;
  c->A[2] = -1;
  c->x[0] = 1;
  return c;
}


fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String place,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
  (void) name, (void) place, (void) visible, (void) logging, (void) environment, (void) log;
  return make(token);
}


fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String place,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early,
                                         const fmi3ValueReference required[], size_t nrequired,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
  (void) name, (void) place, (void) visible, (void) logging, (void) environment, (void) log;
  (void) event_mode, (void) early, (void) required, (void) nrequired, (void) update;
  return make(token);
}


void fmi3FreeInstance(fmi3Instance handle)
{
  free(handle);
}


const char *fmi3GetVersion(void)
{
  return "3.0";
}


static double *place_of(instance *c, fmi3ValueReference reference, size_t *n)
{
  *n = reference == 1 ? N * N : N;
  return reference == 1 ? c->A : reference == 2 ? c->u : reference == 3 ? c->x : NULL;
}


// one array a call
fmi3Status fmi3SetFloat64(fmi3Instance handle, const fmi3ValueReference references[],
                          size_t nreference, const fmi3Float64 values[], size_t n)
{
  size_t own;
  double *to = place_of(handle, references[0], &own);
  if (!to || nreference != 1 || n != own) return fmi3Error;
  memcpy(to, values, n * sizeof *to);
  return fmi3OK;
}


fmi3Status fmi3GetFloat64(fmi3Instance handle, const fmi3ValueReference references[],
                          size_t nreference, fmi3Float64 values[], size_t n)
{
  instance *c = handle;
  size_t own;
  const fmi3ValueReference reference = references[0] == 5 ? 3 : references[0];
  const double *from = place_of(c, reference, &own);
  if (nreference != 1 || n != own) return fmi3Error;
  if (from) memcpy(values, from, n * sizeof *from);
  if (reference == 4) rates(c, c->x, values);
  return from || reference == 4 ? fmi3OK : fmi3Error;
}


fmi3Status fmi3EnterInitializationMode(fmi3Instance handle, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 from, fmi3Boolean has_end,
                                       fmi3Float64 until)
{
  (void) has_tolerance, (void) tolerance, (void) has_end, (void) until;
  ((instance *) handle)->t = from;
  return fmi3OK;
}


#define PLAIN(name)                                                                                \
  fmi3Status name(fmi3Instance handle)                                                             \
  {                                                                                                \
    (void) handle;                                                                                 \
    return fmi3OK;                                                                                 \
  }
PLAIN(fmi3ExitInitializationMode)
PLAIN(fmi3Terminate)
PLAIN(fmi3EnterEventMode)
PLAIN(fmi3EnterContinuousTimeMode)


fmi3Status fmi3UpdateDiscreteStates(fmi3Instance handle, fmi3Boolean *again, fmi3Boolean *ends,
                                    fmi3Boolean *nominals, fmi3Boolean *values,
                                    fmi3Boolean *is_next, fmi3Float64 *next)
{
  (void) handle;
  *again = *ends = *nominals = *values = *is_next = fmi3False;
  *next = 0;
  return fmi3OK;
}


fmi3Status fmi3CompletedIntegratorStep(fmi3Instance handle, fmi3Boolean no_set, fmi3Boolean *event,
                                       fmi3Boolean *ends)
{
  (void) handle, (void) no_set;
  *event = *ends = fmi3False;
  return fmi3OK;
}


fmi3Status fmi3SetTime(fmi3Instance handle, fmi3Float64 t)
{
  ((instance *) handle)->t = t;
  return fmi3OK;
}


fmi3Status fmi3SetContinuousStates(fmi3Instance handle, const fmi3Float64 x[], size_t n)
{
  if (n != N) return fmi3Error;
  memcpy(((instance *) handle)->x, x, n * sizeof *x);
  return fmi3OK;
}


fmi3Status fmi3GetContinuousStates(fmi3Instance handle, fmi3Float64 x[], size_t n)
{
  if (n != N) return fmi3Error;
  memcpy(x, ((instance *) handle)->x, n * sizeof *x);
  return fmi3OK;
}


fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance handle, fmi3Float64 dx[], size_t n)
{
  const instance *c = handle;
  if (n != N) return fmi3Error;
  rates(c, c->x, dx);
  return fmi3OK;
}


// Runge and Kutta, in steps of 1 ms
fmi3Status fmi3DoStep(fmi3Instance handle, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set,
                      fmi3Boolean *event, fmi3Boolean *ends, fmi3Boolean *early,
                      fmi3Float64 *reached)
{
  instance *c = handle;
  const int n = (int) ceil(h / 1e-3 - 1e-9);
  (void) no_set;
  for (int k = 0; k < n; k++) {
    static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double dx[N] = {0}, x[N], sum[N] = {0};
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < N; i++) x[i] = c->x[i] + h / n * node[s] * dx[i];
      rates(c, x, dx);
      for (int i = 0; i < N; i++) sum[i] += weight[s] * dx[i];
    }
    for (int i = 0; i < N; i++) c->x[i] += h / n / 6 * sum[i];
  }
  c->t = *reached = t + h;
  *event = *ends = *early = fmi3False;
  return fmi3OK;
}
