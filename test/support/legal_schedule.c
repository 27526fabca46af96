// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Whether a schedule can be carried out.
#include "sched/slots.h"
#include "support/legal.h"


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
