// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A call of fmi2GetDerivatives at a new state compared with the bare car_rates, each the shortest of many.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "car.h"
#include "fmi2.h"

enum { CALLS = 200, ROUNDS = 30, MOST = 10000 };


static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


static double time_bare(car_machine *m, double *rate)
{
  const car_machine before = *m;
  const double begin = now();
  for (int i = 0; i < CALLS; i++) {
    m->q[0] = before.q[0] + 1e-9 * i;
    if (car_rates(m, rate)) exit(1);
  }
  return (now() - begin) / CALLS;
}


static double time_unit(fmi2Component c, size_t n, double *x, double *rate)
{
  const double x0 = x[0], begin = now();
  for (int i = 0; i < CALLS; i++) {
    x[0] = x0 + 1e-9 * i;
    if (fmi2SetTime(c, 0) || fmi2SetContinuousStates(c, x, n) || fmi2GetDerivatives(c, rate, n))
      exit(1);
  }
  x[0] = x0;
  return (now() - begin) / CALLS;
}


int main(void)
{
  static car_machine m;
  static double rate[MOST], x[MOST];
  const fmi2CallbackFunctions call = {.allocateMemory = calloc, .freeMemory = free};
  fmi2EventInfo info;
  fmi2Component c = fmi2Instantiate("car", fmi2ModelExchange, TOKEN, "", &call, 0, 0);
  if (!c || fmi2SetupExperiment(c, 0, 0, 0, 0, 0) || fmi2EnterInitializationMode(c)) return 1;
  if (fmi2ExitInitializationMode(c) || fmi2NewDiscreteStates(c, &info)) return 1;
  if (fmi2EnterContinuousTimeMode(c)) return 1;
  const size_t n = STATES;
  if (fmi2GetContinuousStates(c, x, n)) return 1;
  car_start(&m);
  double bare = HUGE_VAL, unit = HUGE_VAL;
  for (int i = 0; i < ROUNDS; i++) {
    bare = fmin(bare, time_bare(&m, rate));
    unit = fmin(unit, time_unit(c, n, x, rate));
  }
  printf("bare call %.3f us, call of the unit %.3f us: %+.1f %%\n", 1e6 * bare, 1e6 * unit,
         100 * (unit / bare - 1));
  return 0;
}
