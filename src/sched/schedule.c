// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules: made by the rule that is asked for, measured and checked.
#include "sched/schedule.h"

#include "base/error.h"
#include "base/memory.h"
#include "sched/aware.h"
#include "sched/place.h"
#include "sched/slots.h"


// by latest, then by earliest beginning
static int by_list(schedSchedule *s, const schedGraph *graph, const schedMachine *machine)
{
  int *alap = MEM_ARRAY(int, 3 * graph->n + 1), *asap = alap + graph->n, *order = asap + graph->n;
  if (!alap) return 0;
  for (int i = 0; i < graph->n; i++) {
    alap[i] = graph->node[i].alap;
    asap[i] = graph->node[i].asap;
  }
  const int ok =
      place_sort(graph->n, alap, asap, order) && place_in_order(s, graph, machine, order);
  mem_free(alap);
  return ok;
}


int schedule_create(schedSchedule *schedule, schedGraph *graph, const schedMachine *machine,
                    schedRule rule)
{
  for (int i = 0; i < graph->n; i++) {
    schedNode *x = &graph->node[i];
    ART_ASSERT(machine->count[x->kind] > 0);
    x->cost = machine->latency[x->kind];
  }
  graph_index(graph, machine->transfer);
  *schedule = (schedSchedule){.n = graph->n};
  schedule->step = MEM_ARRAY(int, graph->n + 1);
  schedule->unit = MEM_ARRAY(int, graph->n + 1);
  const int has_room = schedule->step && schedule->unit;
  if (has_room && (rule == SCHED_LIST ? by_list(schedule, graph, machine)
                                      : aware_place(schedule, graph, machine))) {
    return 1;
  }
  schedule_free(schedule);
  return 0;
}


void schedule_free(schedSchedule *schedule)
{
  mem_free(schedule->step);
  mem_free(schedule->unit);
  *schedule = (schedSchedule){0};
}


double schedule_usage(const schedSchedule *schedule, const schedMachine *machine)
{
  const double places = (double) machine_units(machine) * schedule->steps;
  return places > 0 ? schedule->n / places : 0;
}

//---- whether it can be done so -------------------------------------------------------------------

static int waits_for_parents(const schedSchedule *s, const schedGraph *graph,
                             const schedMachine *machine, int i)
{
  const schedNode *x = &graph->node[i];
  for (int k = 0; k < x->nparent; k++) {
    const int p = x->parent[k];
    const int delay = machine_delay(machine, s->unit[p], s->unit[i]);
    if (s->step[i] < s->step[p] + graph->node[p].cost + delay) return 0;
  }
  return 1;
}


int schedule_is_legal(const schedSchedule *s, const schedGraph *graph, const schedMachine *machine)
{
  schedSlots slots;
  int ok = slots_create(&slots, machine);
  for (int i = 0; ok && i < s->n; i++) {
    const int unit = s->unit[i];
    ok = s->step[i] >= 1 && unit >= 0 && unit < machine_units(machine) &&
         (int) machine_kind(machine, unit) == graph->node[i].kind &&
         waits_for_parents(s, graph, machine, i) &&
         slots_first_free(&slots, unit, s->step[i]) == s->step[i];
    if (ok) slots_take(&slots, unit, s->step[i]);
  }
  slots_free(&slots);
  return ok;
}
