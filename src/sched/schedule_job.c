// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Decomposition and scheduling of the equations of a machine.
#include "sched/schedule_job.h"

#include "base/error.h"
#include "base/throw.h"
#include "gen/gen.h"


static artStatus attempt_job_work(schedJob *job, void (*work)(void *job), artError *error)
{
  return error_catch(work, job) ? ART_OK : base_no_memory(error);
}


static void find_job_bounds(void *of_job)
{
  schedJob *job = of_job;
  bound_find(&job->bounds, &job->binary->graph, &job->machine);
}


artStatus sched_job_open(schedJob *job, const artModel *m, artData *d, unsigned form,
                         int barycentric, int balanced, const char *missing, artError *error)
{
  const genOptions options = {.forms = form,
                              .is_present = 1,
                              .fixed_bodies = 1,
                              .parameters = barycentric ? GEN_BARYCENTRIC : GEN_CLASSICAL};
  const artStatus status = gen_create(&job->program, m, d, &options, error);
  if (status != ART_OK) return status;
  const eqnFunction *function = gen_function_of(job->program, form);
  if (!function) return base_fail(error, ART_BAD_INPUT, base_nowhere(), "%s", missing);
  schedBinaryOptions apart = binary_options(&job->machine);
  apart.shape = balanced ? SCHED_BALANCED : SCHED_CASCADE;
  apart.with_sines = job->machine.count[SCHED_SIN] > 0;
  job->list = eqn_list_create(job->program, function, NULL);
  job->binary = job->list ? binary_create(job->list, &apart) : NULL;
  return job->binary ? attempt_job_work(job, find_job_bounds, error) : base_no_memory(error);
}


int sched_job_missing_kind(const schedJob *job)
{
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (job->binary->count[k] > 0 && job->machine.count[k] == 0) return k;
  }
  return -1;
}


static void search_job_units(void *of_job)
{
  schedJob *job = of_job;
  search_units(&job->search, &job->binary->graph, &job->machine, job->searched_by);
  job->machine = search_machine(&job->machine, &job->search.fewest);
}


artStatus sched_job_search(schedJob *job, schedRule rule, artError *error)
{
  job->searched_by = rule;
  return attempt_job_work(job, search_job_units, error);
}


static void schedule_by_rules(void *of_job)
{
  schedJob *job = of_job;
  for (int rule = SCHED_LIST; rule <= SCHED_FINISH; rule++) {
    schedule_create(&job->rule[rule], &job->binary->graph, &job->machine, (schedRule) rule);
  }
  job->shorter = &job->rule[job->rule[SCHED_FINISH].cycles < job->rule[SCHED_LIST].cycles];
}


artStatus sched_job_schedule(schedJob *job, artError *error)
{
  return attempt_job_work(job, schedule_by_rules, error);
}


static void measure_job(void *of_job)
{
  schedJob *job = of_job;
  schedGraph *graph = &job->binary->graph;
  ARENA_TAKE(graph->arena, job->chain, graph->n);
  ARENA_TAKE(graph->arena, job->buffer, machine_units(&job->machine));
  job->nchain = graph_critical_path(graph, job->machine.transfer, job->chain);
  job->least = bound_cycles(graph, &job->machine);
  job->kept = buffer_sizes(job->shorter, graph, &job->machine, job->buffer);
}


artStatus sched_job_measure(schedJob *job, artError *error)
{
  return attempt_job_work(job, measure_job, error);
}

//---- rings ---------------------------------------------------------------------------------------

// `modules` copies of the units of one module
static schedMachine ring_machine(const schedJob *job, int modules)
{
  ART_ASSERT(modules >= 1);
  schedMachine machine = job->machine;
  for (int k = 0; k < SCHED_KINDS; k++) machine.count[k] *= modules;
  machine.modules = modules;
  machine.transfer = machine.hop = 1;
  return machine;
}


// run the schedule of the thesis, which ignores transfers, on the ring
static void run_blind(schedJob *job, const schedMachine *machine, schedRingResult *result,
                      ringRun *run)
{
  schedSchedule blind;
  const schedMachine seen = ring_blind(machine);
  schedule_create(&blind, &job->binary->graph, &seen, SCHED_LIST);
  ring_run(ring_create(job->binary, &blind, machine), run);
  result->steps = blind.steps;
  result->blind = run->cycles;
}


static void run_best(schedJob *job, const schedMachine *machine, schedRingResult *result,
                     ringRun *run)
{
  if (!ring_search(job->binary, machine, &job->begun, run)) error_throw();
  job->program_of_ring = ring_create(job->binary, &job->begun, machine);
  run->begun = job->begun.step;
  ring_run(job->program_of_ring, run);
  run->begun = NULL;
  job->begun.cycles = result->cycles = run->cycles;
  result->busy = run->busy;
  result->transfers = job->program_of_ring->ntransfer;
  result->hops = job->program_of_ring->nhop;
  result->memory = run->most_alive;
}


static void run_rings(void *of_job)
{
  schedJob *job = of_job;
  int alive[2 * SCHED_MODULES];
  ART_ASSERT(job->nring <= SCHED_MODULES);
  ARENA_TAKE(&job->binary->arena, job->ring, job->nring);
  for (int modules = 1; modules <= job->nring; modules++) {
    const schedMachine machine = ring_machine(job, modules);
    schedRingResult *result = &job->ring[modules - 1];
    ringRun run = {.alive = alive};
    result->modules = modules;
    run_blind(job, &machine, result, &run);
    run_best(job, &machine, result, &run);
  }
  job->machine = ring_machine(job, job->nring);
}


artStatus sched_job_run_rings(schedJob *job, artError *error)
{
  return attempt_job_work(job, run_rings, error);
}

//---- release -------------------------------------------------------------------------------------

artStatus sched_job_draw(const schedJob *job, const schedSchedule *schedule, FILE *out,
                         artError *error)
{
  const eqnProgram *program = job->program;
  const char *name = program->title && program->title[0] ? program->title : program->name;
  char title[400];
  snprintf(title, sizeof title, "%.200s, %s: %d operations in %d cycles", name,
           job->list->function->name, job->binary->n, schedule->cycles);
  const int ok = gantt_write(out, title, job->binary, schedule, &job->machine);
  return ok ? ART_OK : base_no_memory(error);
}


void sched_job_free(schedJob *job)
{
  binary_free(job->binary);
  eqn_list_free(job->list);
  gen_free(job->program);
}
