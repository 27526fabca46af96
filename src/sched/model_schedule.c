// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules of generated equations for host programs.
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/throw.h"
#include "data/work.h"
#include "sched/schedule.h"
#include "sched/schedule_job.h"

_Static_assert((int) ART_UNITS == (int) SCHED_KINDS && (int) ART_UNIT_OTHER == (int) SCHED_OTHER,
               "kinds of units have two names");

struct artSchedule {
  schedJob job;
  const schedSchedule *best; // by the rule that accounts for transfers
  artScheduleInfo info;
  const char **what; // [operations]
  baseArena arena;
};


artScheduleDef art_default_schedule(void)
{
  return (artScheduleDef){.form = ART_FORM_ACCELERATE};
}

//---- the machine ---------------------------------------------------------------------------------

// larger values could overflow cycle counts
enum { MAX_UNITS = 100000, MAX_CYCLES = 1000 };


static artStatus check_number(const char *what, int kind, int value, int least, int most,
                              artError *error)
{
  if (value >= least && value <= most) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "%s of %s is %d, expected at least %d and at most %d", what,
                   machine_kind_name((schedKind) kind), value, least, most);
}


static artStatus read_machine_def(schedMachine *machine, const artScheduleDef *def, artError *error)
{
  artStatus status = ART_OK;
  *machine = machine_create();
  machine->transfer = def->transfer;
  for (int k = 0; k < SCHED_KINDS && status == ART_OK; k++) {
    machine->count[k] = def->count[k];
    if (def->latency[k]) machine->latency[k] = def->latency[k];
    if (def->interval[k]) machine->interval[k] = def->interval[k];
    const int latency = machine->latency[k], interval = machine->interval[k];
    status = check_number("the number", k, def->count[k], 0, MAX_UNITS, error);
    if (!status) status = check_number("the interval", k, interval, 1, MAX_CYCLES, error);
    if (!status) status = check_number("the latency", k, latency, interval, MAX_CYCLES, error);
  }
  if (status == ART_OK && (def->transfer < 0 || def->transfer > MAX_CYCLES)) {
    status = base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "transfers take %d cycles, expected at least 0 and at most %d",
                       def->transfer, MAX_CYCLES);
  }
  return status;
}


//---- the schedule --------------------------------------------------------------------------------

static artStatus find_schedule_units(schedJob *job, artError *error)
{
  int given = 0;
  for (int k = 0; k < SCHED_KINDS; k++) given += job->machine.count[k];
  if (given == 0) return sched_job_search(job, SCHED_LIST, error);
  const int k = sched_job_missing_kind(job);
  if (k < 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "%s has %d %s, but no unit is there for them", job->list->function->name,
                   job->binary->count[k], machine_kind_text((schedKind) k));
}


static void describe_schedule(void *schedule)
{
  artSchedule *s = schedule;
  const schedJob *job = &s->job;
  artScheduleInfo *x = &s->info;
  char text[512];
  int *size;
  s->arena.leaves = 1;
  ARENA_TAKE(&s->arena, s->what, job->binary->n + 1);
  ARENA_TAKE(&s->arena, size, machine_units(&job->machine) + 1);
  for (int i = 0; i < job->binary->n; i++) {
    binary_operation_text(job->binary, i, text, (int) sizeof text);
    s->what[i] = arena_text(&s->arena, text);
  }
  x->function = job->list->function->name;
  x->operations = job->binary->n;
  x->critical_path = job->binary->graph.length;
  x->steps = s->best->steps;
  x->cycles = s->best->cycles;
  x->list_cycles = job->rule[SCHED_LIST].cycles;
  x->use = schedule_usage(s->best, &job->machine);
  x->kept = buffer_sizes(s->best, &job->binary->graph, &job->machine, size);
  memcpy(x->of_kind, job->binary->count, sizeof x->of_kind);
  memcpy(x->least, job->bounds.lower, sizeof x->least);
  memcpy(x->expected, job->bounds.mean, sizeof x->expected);
  memcpy(x->count, job->machine.count, sizeof x->count);
}


static artStatus schedule_model_function(artSchedule *s, const artModel *m, artData *d,
                                         const artScheduleDef *def, artError *error)
{
  char missing[100];
  const unsigned form = def->form ? (unsigned) def->form : ART_FORM_ACCELERATE;
  if ((form & (form - 1)) || form > ART_FORM_IMPLICIT) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "form %#x is not one of artForm", form);
  }
  snprintf(missing, sizeof missing, "form %#x has no function of this machine; give one of artForm",
           form);
  artStatus status =
      sched_job_open(&s->job, m, d, form, def->barycentric, def->balanced, missing, error);
  if (status == ART_OK) status = find_schedule_units(&s->job, error);
  if (status == ART_OK) status = sched_job_schedule(&s->job, error);
  s->best = &s->job.rule[SCHED_FINISH];
  if (status == ART_OK && !error_catch(describe_schedule, s)) status = base_no_memory(error);
  return status;
}


artStatus art_create_schedule(artSchedule **out, const artModel *model, artData *data,
                              const artScheduleDef *def, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(out, error);
  *out = NULL;
  WORK_REQUIRE(model, data, error);
  ART_REQUIRE(def, error);
  artSchedule *s = MEM_ARRAY(artSchedule, 1);
  if (!s) return base_no_memory(error);
  artStatus status = read_machine_def(&s->job.machine, def, error);
  if (status == ART_OK) status = schedule_model_function(s, model, data, def, error);
  if (status == ART_OK)
    *out = s;
  else
    art_free_schedule(s);
  return status;
}


void art_free_schedule(artSchedule *s)
{
  if (!s) return;
  sched_job_free(&s->job);
  arena_free(&s->arena);
  mem_free(s);
}

//---- results -------------------------------------------------------------------------------------

artScheduleInfo art_schedule_info(const artSchedule *s)
{
  ART_REQUIRE_OR(s, (artScheduleInfo){0});
  return s->info;
}


artScheduledOperation art_scheduled_operation(const artSchedule *s, int operation)
{
  ART_REQUIRE_OR(s && operation >= 0 && operation < s->job.binary->n, (artScheduledOperation){0});
  const schedNode *x = &s->job.binary->graph.node[operation];
  return (artScheduledOperation){
      .name = s->job.binary->operation[operation].name,
      .what = s->what[operation],
      .kind = (artUnit) x->kind,
      .unit = s->best->unit[operation] - machine_first(&s->job.machine, x->kind),
      .step = s->best->step[operation],
      .asap = x->asap,
      .alap = x->alap,
      .nparent = x->nparent,
      .parent = x->parent,
  };
}


artStatus art_write_schedule(const artSchedule *s, const char *path, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(s && path, error);
  baseFile file;
  artStatus status = file_begin(&file, path, error);
  if (status != ART_OK) return status;
  status = sched_job_draw(&s->job, s->best, file.stream, error);
  return file_end(&file, status, error);
}
