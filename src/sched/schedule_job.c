// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of a machine taken apart and scheduled.
#include "sched/schedule_job.h"

#include "base/error.h"
#include "base/memory.h"
#include "gen/gen.h"
#include "sched/gantt.h"


artStatus sched_job_open(schedJob *job, const artModel *m, artData *d, unsigned form,
                         int barycentric, int balanced, const char *missing, artError *error)
{
  const genOptions options = {
      .forms = form, .is_present = 1, .parameters = barycentric ? GEN_BARYCENTRIC : GEN_CLASSICAL};
  const artStatus status = gen_create(&job->program, m, d, &options, error);
  if (status != ART_OK) return status;
  const eqnFunction *function = gen_function_of(job->program, form);
  if (!function) return base_fail(error, ART_BAD_INPUT, base_nowhere(), "%s", missing);
  schedBinaryOptions apart = binary_options(&job->machine);
  apart.shape = balanced ? SCHED_BALANCED : SCHED_CASCADE;
  apart.with_sines = job->machine.count[SCHED_SIN] > 0;
  job->list = eqn_list_create(job->program, function, NULL);
  job->binary = job->list ? binary_create(job->list, &apart) : NULL;
  const int ok = job->binary && bound_find(&job->bounds, &job->binary->graph, &job->machine);
  return ok ? ART_OK : base_no_memory(error);
}


int sched_job_missing_kind(const schedJob *job)
{
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (job->binary->count[k] > 0 && job->machine.count[k] == 0) return k;
  }
  return -1;
}


artStatus sched_job_search(schedJob *job, schedRule rule, artError *error)
{
  if (!search_units(&job->search, &job->binary->graph, &job->machine, rule)) {
    return base_no_memory(error);
  }
  job->machine = search_machine(&job->machine, &job->search.fewest);
  return ART_OK;
}


artStatus sched_job_schedule(schedJob *job, artError *error)
{
  for (int rule = SCHED_LIST; rule <= SCHED_FINISH; rule++) {
    if (!schedule_create(&job->rule[rule], &job->binary->graph, &job->machine, (schedRule) rule)) {
      return base_no_memory(error);
    }
  }
  job->shorter = &job->rule[job->rule[SCHED_FINISH].cycles < job->rule[SCHED_LIST].cycles];
  return ART_OK;
}

//---- rings ---------------------------------------------------------------------------------------

// units of one module on `modules` of them
static schedMachine ring_machine(const schedJob *job, int modules)
{
  schedMachine machine = job->machine;
  for (int k = 0; k < SCHED_KINDS; k++) machine.count[k] *= modules;
  machine.modules = modules;
  machine.transfer = machine.hop = 1;
  return machine;
}


// the schedule of the thesis, which knows no transfers, on the ring
static int run_blind(schedJob *job, const schedMachine *machine, schedRingResult *result,
                     ringRun *run)
{
  schedSchedule blind;
  const schedMachine seen = ring_blind(machine);
  if (!schedule_create(&blind, &job->binary->graph, &seen, SCHED_LIST)) return 0;
  schedRing *ring = ring_create(job->binary, &blind, machine);
  const int ok = ring && ring_run(ring, run);
  result->steps = blind.steps;
  result->blind = run->cycles;
  ring_free(ring);
  schedule_free(&blind);
  return ok;
}


static int run_best(schedJob *job, const schedMachine *machine, schedRingResult *result,
                    ringRun *run)
{
  schedSchedule best;
  if (!ring_search(job->binary, machine, &best, run)) return 0;
  ring_free(job->program_of_ring);
  schedule_free(&job->begun);
  job->program_of_ring = ring_create(job->binary, &best, machine);
  job->begun = best;
  if (!job->program_of_ring) return 0;
  run->begun = best.step;
  const int ok = ring_run(job->program_of_ring, run);
  run->begun = NULL;
  job->begun.cycles = result->cycles = run->cycles;
  result->busy = run->busy;
  result->transfers = job->program_of_ring->ntransfer;
  result->hops = job->program_of_ring->nhop;
  result->memory = run->most_alive;
  return ok;
}


artStatus sched_job_run_rings(schedJob *job, artError *error)
{
  int alive[2 * SCHED_MODULES];
  ART_ASSERT(job->nring <= SCHED_MODULES);
  job->ring = MEM_ARRAY(schedRingResult, job->nring);
  if (!job->ring) return base_no_memory(error);
  for (int modules = 1; modules <= job->nring; modules++) {
    const schedMachine machine = ring_machine(job, modules);
    schedRingResult *result = &job->ring[modules - 1];
    ringRun run = {.alive = alive};
    result->modules = modules;
    if (!run_blind(job, &machine, result, &run) || !run_best(job, &machine, result, &run)) {
      return base_no_memory(error);
    }
  }
  job->machine = ring_machine(job, job->nring);
  return ART_OK;
}

//---- end -----------------------------------------------------------------------------------------

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
  search_free(&job->search);
  schedule_free(&job->rule[SCHED_LIST]);
  schedule_free(&job->rule[SCHED_FINISH]);
  schedule_free(&job->begun);
  ring_free(job->program_of_ring);
  mem_free(job->ring);
  binary_free(job->binary);
  eqn_list_free(job->list);
  gen_free(job->program);
}
