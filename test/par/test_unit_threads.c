// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Two instances of an exported unit in two threads: the same bits as one alone. Under the thread sanitizer the unit is compiled with it, too.
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/folder.h"
#include "support/unit_host.h"

#ifdef __SANITIZE_THREAD__
#define FLAGS "-fsanitize=thread -g"
#else
#define FLAGS ""
#endif

enum { STEPS = 50, MOST = 64 };

typedef struct threadWork {
  const hostUnit *unit;
  fmi2CallbackFunctions call;
  double x[MOST], rate[MOST];
  int status;
} threadWork;


// the sources that host_open has left, for more than one thread
static int compile(hostUnit *u)
{
  if (!folder_run(folder_own(),
                  "cc -std=c99 -O1 -Wall -Wextra -Wpedantic -Wshadow -Werror " FLAGS
                  " -shared -fPIC -fvisibility=hidden -DFMI2_OVERRIDE_FUNCTION_PREFIX "
                  "unit_unit.c unit.c -o threads.so -lm")) {
    return 0;
  }
  void *library = dlopen(folder_path("threads.so"), RTLD_NOW | RTLD_LOCAL);
  if (!CHECK(library)) return 0;
  dlclose(u->library);
  u->library = library;
#define FIND(type, function, arguments)                                                            \
  *(void **) (void *) &u->function = dlsym(library, #function);
  FMI2_FUNCTIONS(FIND)
#undef FIND
  return 1;
}


static void keep_worst(threadWork *w, fmi2Status status)
{
  if ((int) status > w->status) w->status = (int) status;
}


// co-simulation, then rates where it has led
static void *work(void *context)
{
  threadWork *w = context;
  const hostUnit *u = w->unit;
  fmi2Component c = u->fmi2Instantiate("own", fmi2CoSimulation, u->token, "", &w->call, 0, 1);
  fmi2Component e = u->fmi2Instantiate("own", fmi2ModelExchange, u->token, "", &w->call, 0, 1);
  fmi2EventInfo info;
  for (int k = 0; k < 2; k++) {
    keep_worst(w, u->fmi2SetupExperiment(k ? e : c, 0, 0, 0, 0, 0));
    keep_worst(w, u->fmi2EnterInitializationMode(k ? e : c));
    keep_worst(w, u->fmi2ExitInitializationMode(k ? e : c));
  }
  for (int k = 0; k < STEPS; k++) keep_worst(w, u->fmi2DoStep(c, k * 1e-3, 1e-3, fmi2True));
  keep_worst(w, u->fmi2NewDiscreteStates(e, &info));
  keep_worst(w, u->fmi2EnterContinuousTimeMode(e));
  fmi2ValueReference reference[MOST];
  for (int i = 0; i < u->nx; i++) reference[i] = (fmi2ValueReference) (i + 1);
  keep_worst(w, u->fmi2GetReal(c, reference, (size_t) u->nx, w->x));
  keep_worst(w, u->fmi2SetContinuousStates(e, w->x, (size_t) u->nx));
  keep_worst(w, u->fmi2GetDerivatives(e, w->rate, (size_t) u->nx));
  u->fmi2FreeInstance(c);
  u->fmi2FreeInstance(e);
  return NULL;
}


TEST(instances_in_two_threads_do_not_see_each_other)
{
  static threadWork w[3];
  static hostUnit u;
  artError error = {0};
  pthread_t thread[2];
  if (!CHECK(host_open(&u, ART_SOURCE_DIR "/models/loops/four-bar.yaml", &error))) return;
  if (!compile(&u) || !CHECK(u.nx <= MOST)) return;
  for (int i = 0; i < 3; i++) {
    w[i] = (threadWork){.unit = &u, .call = {.allocateMemory = calloc, .freeMemory = free}};
  }
  work(&w[2]);
  for (int i = 0; i < 2; i++) CHECK(pthread_create(&thread[i], NULL, work, &w[i]) == 0);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < 3; i++) {
    CHECK(w[i].status <= (int) fmi2Warning);
    CHECK_NEAR(w[i].x, w[2].x, u.nx, 0);
    CHECK_NEAR(w[i].rate, w[2].rate, u.nx, 0);
  }
}
