// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Earliest finish with transfers in view, after Topcuoglu, Hariri and Wu (2002): operations go by the length of
// the way that is left behind them, mean transfers counted, each to the unit that begins it first. The
// schedule is then moved to and fro in time (Valls, Ballestin and Quintanilla 2005): all operations as late as
// units allow, those that end last first; then as early as units allow, in the order of these times. What units leave
// over is seen so, where indices see dependences alone. The list of the thesis is one of the beginnings, so that
// the result is never longer.

#include <string.h>

#include "base/memory.h"
#include "sched/list_schedule.h"
#include "sched/slots.h"

enum { ROUNDS = 12 }; // to and fro, from each beginning

typedef struct awareWork {
  const schedGraph *graph;
  const schedMachine *machine;
  schedSchedule now; // of the present round
  int *order, *key, *tie;
  int *back; // cycles from the beginning of each operation to the end, units counted
} awareWork;

//---- the way that is left ------------------------------------------------------------------------

// the mean of transfers between all pairs of modules, rounded
static int mean_delay(const schedMachine *machine)
{
  int links = 0;
  for (int m = 0; m < machine->modules; m++) links += machine_distance(machine, 0, m);
  return machine->transfer + (machine->hop * links + machine->modules / 2) / machine->modules;
}


// rank(i) = cost(i) + max over children (delay + rank(c)), more children first among equals
static int order_by_rank(awareWork *w)
{
  const int n = w->graph->n, delay = mean_delay(w->machine);
  for (int i = n - 1; i >= 0; i--) {
    const schedNode *x = &w->graph->node[i];
    int behind = 0;
    for (int k = 0; k < x->nchild; k++) {
      const int way = delay - w->key[x->child[k]];
      if (behind < way) behind = way;
    }
    w->key[i] = -x->cost - behind;
    w->tie[i] = -x->nchild;
  }
  return place_sort(n, w->key, w->tie, w->order);
}


static int order_by_list(awareWork *w)
{
  for (int i = 0; i < w->graph->n; i++) {
    w->key[i] = w->graph->node[i].alap;
    w->tie[i] = w->graph->node[i].asap;
  }
  return place_sort(w->graph->n, w->key, w->tie, w->order);
}

//---- to and fro ----------------------------------------------------------------------------------

// back(i) >= back(c) + cost(i) + delay(unit(i), unit(c)) for children, the units as they are in rings
static int needed_behind(const awareWork *w, int i, int unit)
{
  const schedNode *x = &w->graph->node[i];
  int most = x->cost;
  for (int k = 0; k < x->nchild; k++) {
    const int c = x->child[k];
    const int way = w->back[c] + x->cost + machine_delay(w->machine, unit, w->now.unit[c]);
    if (most < way) most = way;
  }
  return most;
}


// time runs backwards: the operation occupies its unit in back - interval + 1 ... back
static int place_late(awareWork *w, schedSlots *slots, int i)
{
  const schedMachine *machine = w->machine;
  const int kind = w->graph->node[i].kind, interval = machine->interval[kind];
  const int is_fixed = machine->modules > 1;
  const int first = is_fixed ? w->now.unit[i] : machine_first(machine, kind);
  const int count = is_fixed ? 1 : machine->count[kind];
  const int from = needed_behind(w, i, first) - interval + 1;
  int best = 0;
  for (int u = first; u < first + count && best != from; u++) {
    const int t = slots_first_free(slots, u, from);
    if (t < 0) return 0;
    if (best > 0 && t >= best) continue;
    best = t;
    w->now.unit[i] = u;
  }
  slots_take(slots, w->now.unit[i], best);
  w->back[i] = best + interval - 1;
  return 1;
}


static int move_back(awareWork *w)
{
  const int n = w->graph->n;
  schedSlots slots;
  for (int i = 0; i < n; i++) {
    w->key[i] = -(w->now.step[i] + w->graph->node[i].cost);
    w->tie[i] = -w->now.step[i];
  }
  int ok = slots_create(&slots, w->machine) && place_sort(n, w->key, w->tie, w->order);
  for (int k = 0; ok && k < n; k++) ok = place_late(w, &slots, w->order[k]);
  slots_free(&slots);
  return ok;
}


static int move_forth(awareWork *w)
{
  for (int i = 0; i < w->graph->n; i++) {
    w->key[i] = -w->back[i];
    w->tie[i] = w->now.step[i];
  }
  return place_sort(w->graph->n, w->key, w->tie, w->order) &&
         place_in_order(&w->now, w->graph, w->machine, w->order);
}


static void keep_better(schedSchedule *best, const schedSchedule *now)
{
  const int is_better = best->cycles == 0 || now->cycles < best->cycles ||
                        (now->cycles == best->cycles && now->steps < best->steps);
  if (!is_better) return;
  memcpy(best->step, now->step, (size_t) now->n * sizeof(int));
  memcpy(best->unit, now->unit, (size_t) now->n * sizeof(int));
  best->steps = now->steps;
  best->cycles = now->cycles;
}


// no schedule is shorter than the critical path
static int improve(awareWork *w, schedSchedule *best)
{
  int ok = place_in_order(&w->now, w->graph, w->machine, w->order);
  if (ok) keep_better(best, &w->now);
  for (int k = 0; ok && k < ROUNDS && best->cycles > w->graph->length; k++) {
    ok = move_back(w) && move_forth(w);
    if (ok) keep_better(best, &w->now);
  }
  return ok;
}


int aware_place(schedSchedule *schedule, const schedGraph *graph, const schedMachine *machine)
{
  const int n = graph->n;
  int *room = MEM_ARRAY(int, 6 * n + 1);
  if (!room) return 0;
  awareWork w = {.graph = graph, .machine = machine, .now = {.n = n}};
  w.now.step = room;
  w.now.unit = room + n;
  w.order = room + 2 * n;
  w.key = room + 3 * n;
  w.tie = room + 4 * n;
  w.back = room + 5 * n;
  const int ok = order_by_list(&w) && improve(&w, schedule) && order_by_rank(&w) &&
                 (schedule->cycles == graph->length || improve(&w, schedule));
  mem_free(room);
  return ok;
}
