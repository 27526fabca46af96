// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules of generated equations for host programs.
#include "articula/schedule.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "data/work.h"
#include "gen/gen.h"
#include "sched/binary.h"
#include "sched/buffer.h"
#include "sched/gantt.h"
#include "sched/search.h"

_Static_assert((int) ART_UNITS == (int) SCHED_KINDS && (int) ART_UNIT_OTHER == (int) SCHED_OTHER,
               "kinds of units have two names");

struct artSchedule {
  eqnProgram *program;
  eqnList *list;
  schedBinary *binary;
  schedMachine machine;
  schedSchedule best;
  artScheduleInfo info;
  const char **what; // [operations]
  baseArena arena;
};


artScheduleDef art_default_schedule(void)
{
  return (artScheduleDef){.form = ART_FORM_ACCELERATE};
}

//---- the machine ---------------------------------------------------------------------------------

// more would not fit into numbers of cycles
enum { MOST_UNITS = 100000, MOST_CYCLES = 1000 };


static artStatus check_number(const char *what, int kind, int value, int least, int most,
                              artError *error)
{
  if (value >= least && value <= most) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "%s of %s is %d, expected at least %d and at most %d", what,
                   machine_kind_name((schedKind) kind), value, least, most);
}


static artStatus read_machine(schedMachine *machine, const artScheduleDef *def, artError *error)
{
  artStatus status = ART_OK;
  *machine = machine_create();
  machine->transfer = def->transfer;
  for (int k = 0; k < SCHED_KINDS && status == ART_OK; k++) {
    machine->count[k] = def->count[k];
    if (def->latency[k]) machine->latency[k] = def->latency[k];
    if (def->interval[k]) machine->interval[k] = def->interval[k];
    const int latency = machine->latency[k], interval = machine->interval[k];
    status = check_number("the number", k, def->count[k], 0, MOST_UNITS, error);
    if (!status) status = check_number("the interval", k, interval, 1, MOST_CYCLES, error);
    if (!status) status = check_number("the latency", k, latency, interval, MOST_CYCLES, error);
  }
  if (status == ART_OK && (def->transfer < 0 || def->transfer > MOST_CYCLES)) {
    status = base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "transfers take %d cycles, expected at least 0 and at most %d",
                       def->transfer, MOST_CYCLES);
  }
  return status;
}


static artStatus check_units(const artSchedule *s, artError *error)
{
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (s->binary->count[k] == 0 || s->machine.count[k] > 0) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "%s has %d %s, but no unit is there for them", s->list->function->name,
                     s->binary->count[k], machine_kind_text((schedKind) k));
  }
  return ART_OK;
}

//---- the schedule --------------------------------------------------------------------------------

static artStatus make_list(artSchedule *s, const artModel *m, artData *d, const artScheduleDef *def,
                           artError *error)
{
  const unsigned form = def->form ? (unsigned) def->form : ART_FORM_ACCELERATE;
  if ((form & (form - 1)) || form > ART_FORM_IMPLICIT) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "form %#x is not one of artForm", form);
  }
  const genOptions options = {.forms = form,
                              .parameters = def->barycentric ? GEN_BARYCENTRIC : GEN_CLASSICAL};
  const artStatus status = gen_create(&s->program, m, d, &options, error);
  if (status != ART_OK) return status;
  const eqnFunction *function = gen_function_of(s->program, form);
  if (!function) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "form %#x has no function of this machine; give one of artForm", form);
  }
  schedBinaryOptions apart = binary_options(&s->machine);
  apart.shape = def->balanced ? SCHED_BALANCED : SCHED_CASCADE;
  apart.with_sines = def->count[ART_UNIT_SIN] > 0;
  s->list = eqn_list_create(s->program, function, NULL);
  s->binary = s->list ? binary_create(s->list, &apart) : NULL;
  return s->binary ? ART_OK : base_no_memory(error);
}


static artStatus find_units(artSchedule *s, artError *error)
{
  int given = 0;
  for (int k = 0; k < SCHED_KINDS; k++) given += s->machine.count[k];
  if (given > 0) return check_units(s, error);
  schedSearch search;
  if (!search_units(&search, &s->binary->graph, &s->machine, SCHED_LIST)) {
    return base_no_memory(error);
  }
  s->machine = search_machine(&s->machine, &search.fewest);
  search_free(&search);
  return ART_OK;
}


static int describe(artSchedule *s)
{
  char text[512];
  s->what = arena_alloc(&s->arena, (size_t) s->binary->n + 1, sizeof *s->what);
  for (int i = 0; s->what && i < s->binary->n; i++) {
    binary_operation_text(s->binary, i, text, (int) sizeof text);
    s->what[i] = arena_text(&s->arena, text);
    if (!s->what[i]) return 0;
  }
  return s->what != NULL;
}


static int count(artSchedule *s)
{
  artScheduleInfo *x = &s->info;
  schedBounds bounds;
  int *size = MEM_ARRAY(int, machine_units(&s->machine) + 1);
  if (!size || !bound_find(&bounds, &s->binary->graph, &s->machine)) {
    mem_free(size);
    return 0;
  }
  x->function = s->list->function->name;
  x->operations = s->binary->n;
  x->critical_path = s->binary->graph.length;
  x->steps = s->best.steps;
  x->cycles = s->best.cycles;
  x->use = schedule_usage(&s->best, &s->machine);
  x->kept = buffer_sizes(&s->best, &s->binary->graph, &s->machine, size);
  memcpy(x->of_kind, s->binary->count, sizeof x->of_kind);
  memcpy(x->least, bounds.lower, sizeof x->least);
  memcpy(x->expected, bounds.mean, sizeof x->expected);
  memcpy(x->count, s->machine.count, sizeof x->count);
  mem_free(size);
  return x->kept >= 0;
}


static artStatus schedule(artSchedule *s, artError *error)
{
  schedSchedule list;
  if (!schedule_create(&list, &s->binary->graph, &s->machine, SCHED_LIST)) {
    return base_no_memory(error);
  }
  s->info.list_cycles = list.cycles;
  schedule_free(&list);
  if (!schedule_create(&s->best, &s->binary->graph, &s->machine, SCHED_FINISH) || !describe(s) ||
      !count(s)) {
    return base_no_memory(error);
  }
  return ART_OK;
}


artStatus art_create_schedule(artSchedule **out, const artModel *model, artData *data,
                              const artScheduleDef *def, artError *error)
{
  ART_REQUIRE(out, error);
  *out = NULL;
  WORK_REQUIRE(model, data, error);
  ART_REQUIRE(def, error);
  artSchedule *s = MEM_ARRAY(artSchedule, 1);
  if (!s) return base_no_memory(error);
  artStatus status = read_machine(&s->machine, def, error);
  if (status == ART_OK) status = make_list(s, model, data, def, error);
  if (status == ART_OK) status = find_units(s, error);
  if (status == ART_OK) status = schedule(s, error);
  if (status == ART_OK)
    *out = s;
  else
    art_free_schedule(s);
  return status;
}


void art_free_schedule(artSchedule *s)
{
  if (!s) return;
  schedule_free(&s->best);
  binary_free(s->binary);
  eqn_list_free(s->list);
  gen_free(s->program);
  arena_free(&s->arena);
  mem_free(s);
}

//---- looking at it -------------------------------------------------------------------------------

artScheduleInfo art_schedule_info(const artSchedule *s)
{
  ART_REQUIRE_OR(s, (artScheduleInfo){0});
  return s->info;
}


artScheduledOperation art_scheduled_operation(const artSchedule *s, int operation)
{
  ART_REQUIRE_OR(s && operation >= 0 && operation < s->binary->n, (artScheduledOperation){0});
  const schedNode *x = &s->binary->graph.node[operation];
  return (artScheduledOperation){
      .name = s->binary->operation[operation].name,
      .what = s->what[operation],
      .kind = (artUnit) x->kind,
      .unit = s->best.unit[operation] - machine_first(&s->machine, x->kind),
      .step = s->best.step[operation],
      .asap = x->asap,
      .alap = x->alap,
      .nparent = x->nparent,
      .parent = x->parent,
  };
}


artStatus art_write_schedule(const artSchedule *s, const char *path, artError *error)
{
  ART_REQUIRE(s && path, error);
  const char *name =
      s->program->title && s->program->title[0] ? s->program->title : s->program->name;
  char title[400];
  baseFile file;
  snprintf(title, sizeof title, "%.200s, %s: %d operations in %d cycles", name, s->info.function,
           s->info.operations, s->info.cycles);
  const artStatus status = file_begin(&file, path, error);
  if (status != ART_OK) return status;
  if (gantt_write(file.stream, title, s->binary, &s->best, &s->machine)) {
    return file_commit(&file, error);
  }
  file_abandon(&file);
  return base_no_memory(error);
}
