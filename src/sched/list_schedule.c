// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// List scheduling: operations placed in a given order, each as early as it can be, holes of units filled.
#include "sched/list_schedule.h"


#include "base/error.h"
#include "base/memory.h"
#include "sched/slots.h"


// r = max over parents step(p) + cost(p) + delay(unit(p), u)
static int ready_at(const schedSchedule *s, const schedGraph *graph, const schedMachine *machine,
                    int i, int unit)
{
  const schedNode *x = &graph->node[i];
  int ready = 1;
  for (int k = 0; k < x->nparent; k++) {
    const int p = x->parent[k];
    const int at = s->step[p] + graph->node[p].cost + machine_delay(machine, s->unit[p], unit);
    if (ready < at) ready = at;
  }
  return ready;
}


static int place_one(schedSchedule *s, const schedGraph *graph, const schedMachine *machine,
                     schedSlots *slots, int i)
{
  const int kind = graph->node[i].kind, first = machine_first(machine, kind);
  int ready = 0;
  s->step[i] = 0;
  for (int u = first; u < first + machine->count[kind]; u++) {

    // within one module every unit gets operands at the same time
    if (u == first || machine->modules > 1) ready = ready_at(s, graph, machine, i, u);
    const int t = slots_first_free(slots, u, ready);
    if (t < 0) return 0;
    if (s->step[i] > 0 && t >= s->step[i]) continue;
    s->step[i] = t;
    s->unit[i] = u;
    if (t == ready && machine->modules == 1) break;
  }
  ART_ASSERT(s->step[i] > 0);
  slots_take(slots, s->unit[i], s->step[i]);
  return 1;
}


static void measure(schedSchedule *s, const schedGraph *graph)
{
  s->steps = s->cycles = 0;
  for (int i = 0; i < s->n; i++) {
    if (s->steps < s->step[i]) s->steps = s->step[i];
    const int end = s->step[i] + graph->node[i].cost - 1;
    if (s->cycles < end) s->cycles = end;
  }
}


int place_in_order(schedSchedule *schedule, const schedGraph *graph, const schedMachine *machine,
                   const int *order)
{
  schedSlots slots;
  int ok = slots_create(&slots, machine);
  for (int k = 0; ok && k < graph->n; k++) {
    ok = place_one(schedule, graph, machine, &slots, order[k]);
  }
  slots_free(&slots);
  if (ok) measure(schedule, graph);
  return ok;
}

//---- order ---------------------------------------------------------------------------------------

// indices from `from` in stable order of their keys, which lie between 0 and the largest
static int sort_by(int n, const int *key, const int *from, int *to)
{
  int least = 0, most = 0;
  for (int i = 0; i < n; i++) {
    if (i == 0 || least > key[i]) least = key[i];
    if (i == 0 || most < key[i]) most = key[i];
  }
  int *end = MEM_ARRAY(int, most - least + 2);
  if (!end) return 0;
  for (int i = 0; i < n; i++) end[key[i] - least + 1]++;
  for (int k = 0; k < most - least; k++) end[k + 1] += end[k];
  for (int i = 0; i < n; i++) to[end[key[from[i]] - least]++] = from[i];
  mem_free(end);
  return 1;
}


int place_sort(int n, const int *first, const int *second, int *order)
{
  int *other = MEM_ARRAY(int, n + 1);
  if (!other) return 0;
  for (int i = 0; i < n; i++) order[i] = i;
  const int ok = sort_by(n, second, order, other) && sort_by(n, first, other, order);
  mem_free(other);
  return ok;
}
