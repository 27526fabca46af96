// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated accelerations by one thread and by a team.
#define _GNU_SOURCE // sched_setaffinity
#include "team_times.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "gen/gen.h"
#include "load/code.h"
#include "par/wait.h"
#include "split/split_plan.h"
#include "study/assemble/assemble.h"

enum { BURSTS = 40, BURST = 50, ROUNDS = 1001 };

//---- cores ---------------------------------------------------------------------------------------

#ifdef __linux__
static cpu_set_t all_cores;


static size_t first_core(void)
{
  size_t core = 0;
  while (core < CPU_SETSIZE - 1 && !CPU_ISSET(core, &all_cores)) core++;
  return core;
}


void team_pin_workers(void)
{
  if (CPU_COUNT(&all_cores) == 0) sched_getaffinity(0, sizeof all_cores, &all_cores);
  if (CPU_COUNT(&all_cores) < 2) return;
  cpu_set_t others = all_cores;
  CPU_CLR(first_core(), &others);
  sched_setaffinity(0, sizeof others, &others);
}


void team_pin_caller(void)
{
  if (CPU_COUNT(&all_cores) < 2) return;
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(first_core(), &own);
  sched_setaffinity(0, sizeof own, &own);
}
#else
void team_pin_workers(void) {}


void team_pin_caller(void) {}
#endif

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


double team_transfer(void)
{
  static benchPingPong p;
  static double time[ROUNDS];
  pthread_t other;
  team_pin_workers();
  if (pthread_create(&other, NULL, answer, &p) != 0) return NAN;
  team_pin_caller();
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

static int call(teamMachine *b, int by_team)
{
  artData *d = b->d;
  double *in[4] = {&d->time, d->q, d->v, d->s};
  double *out[3] = {d->a, b->m->nstate > 0 ? d->s_rate : &b->power, &b->power};
  if (by_team) return load_call_team(b->code, in, out);
  const int i = art_find_generated(b->code, "accelerate");
  return (int) art_generated_call(b->code, i, in, out, NULL);
}


// positions that are unknowns of Newton's method
static void find_dependent(teamMachine *b)
{
  const eqnFunction *f = gen_function(b->program, "accelerate");
  const eqnVector *q = f->input;
  while (strcmp(q->name, "q") != 0) q++;
  for (int s = 0; s < f->nstage; s++) {
    if (f->stage[s].kind != STAGE_NEWTON) continue;
    for (int k = 0; k < f->stage[s].nunknown; k++) {
      for (int i = 0; i < b->nq; i++) {
        b->is_dependent[i] |= q->node[i] == f->stage[s].unknown[k];
      }
    }
  }
}


static int find_start(teamMachine *b)
{
  b->start = malloc((size_t) b->nq * sizeof(double));
  b->rate = calloc((size_t) b->nq, sizeof(double));
  b->is_dependent = calloc((size_t) b->nq, 1);
  if (!b->start || !b->rate || !b->is_dependent) return 0;
  find_dependent(b);

  // everything moves, loops among it
  for (int k = 0; k < art_count(b->m).nv; k++) b->d->v[k] += 0.1;
  if (call(b, 0)) return 0;
  memcpy(b->start, b->d->q, (size_t) b->nq * sizeof(double));
  const int i = art_find_generated(b->code, "position_rates");
  double *in[2] = {b->d->q, b->d->v}, *out[1] = {b->rate};
  return i < 0 || art_generated_call(b->code, i, in, out, NULL) == ART_OK;
}


int team_open(teamMachine *b, artModel *m, const splitChoice *split, artError *error)
{
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER};
  *b = (teamMachine){.m = m, .nq = art_count(m).nq};
  b->d = art_create_data(m);
  if (!b->d || study_assemble(b->m, b->d, NULL, error) != ART_OK) return 0;
  if (gen_create(&b->program, b->m, b->d, &options, error) != ART_OK) return 0;
  team_pin_workers();
  const artStatus status = load_program(&b->code, b->m, b->program, 1, split, error);
  team_pin_caller();
  return status == ART_OK && load_has_team(b->code) && find_start(b);
}


void team_close(teamMachine *b)
{
  free(b->start);
  free(b->rate);
  free(b->is_dependent);
  art_free_generated(b->code);
  gen_free(b->program);
  art_free_data(b->d);
  art_free_model(b->m);
}

//---- times ---------------------------------------------------------------------------------------

static int time_burst(teamMachine *b, int by_team, double *time)
{
  for (int i = 0; i < BURST; i++) {
    const double dt = i % 2 ? 5e-4 : -5e-4;
    for (int k = 0; k < b->nq; k++) {
      if (!b->is_dependent[k]) b->d->q[k] = b->start[k] + dt * b->rate[k];
    }
    const double begin = base_now();
    if (call(b, by_team)) return 0;
    time[i] = base_now() - begin;
  }
  return 1;
}


static teamTimes sort_times(double *time, int n)
{
  const double middle = par_median(time, n);
  return (teamTimes){middle, time[0]};
}


void team_time(teamMachine *b, teamTimes *serial, teamTimes *team)
{
  static double one[BURSTS * BURST], many[BURSTS * BURST];
  int ok = 1;
  for (int i = 0; ok && i < BURSTS; i++) {
    ok = time_burst(b, 0, one + i * BURST) && time_burst(b, 1, many + i * BURST);
  }
  *serial = *team = (teamTimes){NAN, NAN};
  if (!ok) return;
  *serial = sort_times(one, BURSTS * BURST);
  *team = sort_times(many, BURSTS * BURST);
}

//---- the prediction ------------------------------------------------------------------------------

static teamPrediction read_plan(const taskGraph *graph, const splitPlan *plan)
{
  teamPrediction p = {
      .operations = graph->operations, .tasks = plan->tasks, .messages = plan->nmessage};
  for (int m = 0; m < plan->nmessage; m++) p.values += plan->message[m].n;
  p.without_transfers = graph->cost / plan->ideal;
  p.as_compiled = graph->cost / plan->time;
  return p;
}


teamPrediction team_predict(const teamMachine *b, const splitChoice *split, double transfer,
                            double serial)
{
  const eqnOptions standard = eqn_default_options();
  eqnList *list = eqn_list_create(b->program, gen_function(b->program, "accelerate"), &standard);
  taskGraph *graph = list ? task_graph_create(list) : NULL;
  taskMarks marks = {0};
  teamPrediction p = {0};
  if (graph && task_mark(graph, &marks)) {
    splitOptions options = split_options_of(split);
    splitMade made;
    const int is_made = split_make(&made, graph, &marks, split);
    if (is_made) p = read_plan(graph, made.plan);
    p.addition = serial / graph->cost;

    // the rest costs the nanoseconds that it does where the defaults were measured
    const double scale = 0.3e-9 / p.addition;
    options.latency = transfer / p.addition;
    options.message *= scale;
    options.write *= scale;
    options.read *= scale;
    if (is_made) p.as_measured = graph->cost / split_plan_time(made.plan, &options);
    split_free(&made);
  }
  task_marks_free(&marks);
  task_graph_free(graph);
  eqn_list_free(list);
  return p;
}
