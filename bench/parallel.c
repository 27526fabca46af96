// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated accelerations by several threads: the speed-up that the split predicts, the same with transfers as they
// are measured here, and what is measured.
//   parallel [TASKS [MODEL ..]]    2 tasks, the multi-link car and the truck; run in the root of the repository
// Times are of the wall clock, the middle of many evaluations and the shortest of them, serial and parallel in turn;
// they mean something on a machine with as many idle cores as tasks.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "articula/articula.h"
#include "base/clock.h"
#include "gen/gen.h"
#include "load/code.h"
#include "par/wait.h"
#include "sched/split_plan.h"
#include "study/assemble.h"

enum { EVALUATIONS = 2001, ROUNDS = 1001 };

//---- the time of a transfer ----------------------------------------------------------------------

typedef struct benchPingPong {
  _Alignas(128) atomic_int ping;
  _Alignas(128) atomic_int pong;
} benchPingPong;


static void *answer(void *context)
{
  benchPingPong *p = context;
  for (int i = 1; i <= ROUNDS; i++) {
    while (atomic_load_explicit(&p->ping, memory_order_acquire) < i) {
    }
    atomic_store_explicit(&p->pong, i, memory_order_release);
  }
  return NULL;
}


// seconds from a store in one thread to the load that sees it in another: half of the middle round
static double measure_transfer(void)
{
  static benchPingPong p;
  static double time[ROUNDS];
  pthread_t other;
  if (pthread_create(&other, NULL, answer, &p) != 0) return NAN;
  for (int i = 1; i <= ROUNDS; i++) {
    const double begin = base_now();
    atomic_store_explicit(&p.ping, i, memory_order_release);
    while (atomic_load_explicit(&p.pong, memory_order_acquire) < i) {
    }
    time[i - 1] = base_now() - begin;
  }
  pthread_join(other, NULL);
  return par_median(time, ROUNDS) / 2;
}

//---- a machine -----------------------------------------------------------------------------------

typedef struct benchMachine {
  artModel *m;
  artData *d;
  eqnProgram *program;
  artGenerated *code;
  double *q, *v, *a, power;
} benchMachine;


// loops are closed where the state stands already, as at the beginning of a step
static int call(benchMachine *b, int by_team)
{
  double *in[4] = {&b->d->time, b->q, b->v, b->d->s};
  double *out[3] = {b->a, b->m->nstate > 0 ? b->d->s_rate : &b->power, &b->power};
  if (by_team) return load_call_team(b->code, in, out);
  return (int) art_generated_call(b->code, art_find_generated(b->code, "accelerate"), in, out,
                                  NULL);
}


typedef struct benchTimes {
  double middle, shortest;
} benchTimes;


static benchTimes time_calls(benchMachine *b, int by_team, double *time)
{
  for (int i = 0; i < EVALUATIONS; i++) {
    const double begin = base_now();
    if (call(b, by_team)) return (benchTimes){NAN, NAN};
    time[i] = base_now() - begin;
  }
  const double middle = par_median(time, EVALUATIONS);
  return (benchTimes){middle, time[0]};
}


static int open_machine(benchMachine *b, const char *path, int tasks, artError *error)
{
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER};
  if (art_load_model(&b->m, path, error) != ART_OK) return 0;
  b->d = art_create_data(b->m);
  if (!b->d || study_assemble(b->m, b->d, NULL, error) != ART_OK) return 0;
  if (gen_create(&b->program, b->m, b->d, &options, error) != ART_OK) return 0;
  if (load_tasks(&b->code, b->m, b->program, tasks, error) != ART_OK) return 0;
  b->q = b->d->q;
  b->v = b->d->v;
  b->a = b->d->a;
  return 1;
}


static void close_machine(benchMachine *b)
{
  art_free_generated(b->code);
  gen_free(b->program);
  art_free_data(b->d);
  art_free_model(b->m);
}

//---- the prediction ------------------------------------------------------------------------------

typedef struct benchPrediction {
  double ideal, with_transfers;
  int operations, messages;
} benchPrediction;


// of the split that is compiled, with transfers that take so many seconds where all units take `serial`
static benchPrediction predict(const eqnProgram *program, int tasks, double transfer, double serial)
{
  const eqnOptions standard = eqn_default_options();
  eqnList *list = eqn_list_create(program, gen_function(program, "accelerate"), &standard);
  taskGraph *graph = list ? task_graph_create(list) : NULL;
  taskMarks marks = {0};
  benchPrediction result = {0};
  if (graph && task_mark(graph, &marks)) {
    splitOptions options = split_default_options(tasks);
    splitPlan *plan = split_create(graph, &marks, &options);
    options.latency = transfer / serial * graph->cost;
    splitPlan *here = plan ? split_plan_create(graph, &options, plan->task) : NULL;
    if (here) {
      result = (benchPrediction){graph->cost / plan->ideal, graph->cost / here->time,
                                 graph->operations, plan->nmessage};
    }
    split_plan_free(here);
    split_plan_free(plan);
  }
  task_marks_free(&marks);
  task_graph_free(graph);
  eqn_list_free(list);
  return result;
}


static void measure(const char *path, int tasks, double transfer)
{
  benchMachine b = {0};
  artError error = {0};
  double *time = malloc(EVALUATIONS * sizeof *time);
  if (!time || !open_machine(&b, path, tasks, &error) || !load_has_team(b.code)) {
    printf("%s: %s\n", path, error.text[0] ? error.text : "no threads");
  } else {
    const benchTimes serial = time_calls(&b, 0, time), parallel = time_calls(&b, 1, time);
    const benchTimes again = time_calls(&b, 0, time);
    const benchPrediction p = predict(b.program, tasks, transfer, serial.shortest);
    printf("%-36s %6d %5d %4d %8.2f %8.2f   %5.2f %5.2f   %5.2f %5.2f\n", path, p.operations, tasks,
           p.messages, 1e6 * fmin(serial.middle, again.middle), 1e6 * parallel.middle, p.ideal,
           p.with_transfers, fmin(serial.middle, again.middle) / parallel.middle,
           fmin(serial.shortest, again.shortest) / parallel.shortest);
  }
  free(time);
  close_machine(&b);
}


int main(int argc, char **argv)
{
  static const char *const standard[] = {"models/vehicles/multilink-car.yaml",
                                         "models/vehicles/truck.yaml"};
  const int tasks = argc > 1 ? atoi(argv[1]) : 2;
  if (tasks < 2 || tasks > SPLIT_TASKS) {
    fprintf(stderr, "parallel [TASKS [MODEL ..]], 2 to %d tasks\n", SPLIT_TASKS);
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  const double transfer = measure_transfer();
  printf("a transfer takes %.0f ns; %d cores\n", 1e9 * transfer, par_cores());
  printf("%-36s %6s %5s %4s %8s %8s   %-11s   %s\n", "", "oper.", "tasks", "mes.", "one us",
         "tasks us", "predicted", "measured speed-up");
  printf("%-36s %6s %5s %4s %8s %8s   %5s %5s   %5s %5s\n", "", "", "", "", "", "", "ideal", "real",
         "mid", "best");
  for (int i = 2; i < argc; i++) measure(argv[i], tasks, transfer);
  for (int i = 0; argc < 3 && i < 2; i++) measure(standard[i], tasks, transfer);
  return 0;
}
