// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Whether a schedule can be carried out.
#include <stdlib.h>

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


static int has_unit_alone(const schedSchedule *s, const schedMachine *machine, int i)
{
  const int interval = machine->interval[machine_kind(machine, s->unit[i])];
  for (int k = 0; k < i; k++) {
    if (s->unit[k] == s->unit[i] && abs(s->step[k] - s->step[i]) < interval) return 0;
  }
  return 1;
}


int schedule_is_legal(const schedSchedule *s, const schedGraph *graph, const schedMachine *machine)
{
  int ok = 1;
  for (int i = 0; ok && i < s->n; i++) {
    const int unit = s->unit[i];
    ok = s->step[i] >= 1 && unit >= 0 && unit < machine_units(machine) &&
         (int) machine_kind(machine, unit) == graph->node[i].kind &&
         waits_for_parents(s, graph, machine, i) && has_unit_alone(s, machine, i);
  }
  return ok;
}
