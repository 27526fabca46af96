// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules: made by the rule that is asked for, measured and checked.
#include "sched/schedule.h"

#include "base/error.h"
#include "base/memory.h"
#include "sched/list_schedule.h"


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
