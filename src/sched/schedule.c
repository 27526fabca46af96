// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// List scheduling: operations are placed in a given order, each as early as possible, using idle
// cycles of units.
//
// Earliest finish time with transfers, after Topcuoglu, Hariri and Wu (2002): operations are
// ordered by the length of the remaining path including mean transfers, and assigned to the unit
// that can start them first. Then backward and forward passes alternate (Valls, Ballestin and
// Quintanilla 2005): all operations as late as units allow, latest end first; then as early as
// units allow, in the order of these times. This accounts for contention of units, while start
// times account for dependences only. The list of the thesis is one of the initial orders, so the
// result is never longer.
#include "sched/schedule.h"

#include <string.h>

#include "base/error.h"

enum { MAX_PASSES = 12 }; // number of passes from each initial order

//---- free cycles of functional units -------------------------------------------------------------

// Disjoint-set structure with path compression, for queries in any order of time.
typedef struct unitSlots {
  int interval; // cycles for which an operation occupies the unit
  int capacity;
  // [capacity] the cycle itself if it is free, else a later one where the search continues
  int *next;
  baseArena *arena;
} unitSlots;


static unitSlots *create_slots(const schedMachine *machine, baseArena *arena)
{
  unitSlots *slots, *next;
  next = ARENA_TAKE(arena, slots, machine_units(machine) + 1);
  for (int kind = 0; kind < SCHED_KINDS; kind++) {
    for (int k = 0; k < machine->count[kind]; k++)
      *next++ = (unitSlots){.interval = machine->interval[kind], .arena = arena};
  }
  return slots;
}


static void reach_unit_cycle(unitSlots *unit, int cycle)
{
  if (cycle < unit->capacity) return;
  const int before = unit->capacity, *known = unit->next;
  if (unit->capacity == 0) unit->capacity = 64;
  while (unit->capacity <= cycle) unit->capacity *= 2;
  ARENA_TAKE(unit->arena, unit->next, unit->capacity);
  if (before > 0) memcpy(unit->next, known, (size_t) before * sizeof *known);
  for (int t = before; t < unit->capacity; t++) unit->next[t] = t;
}


// the first free cycle from t on, or the end of the known ones
static int next_free_cycle(unitSlots *unit, int t)
{
  int end = t;
  while (end < unit->capacity && unit->next[end] != end) end = unit->next[end];
  for (int next; t < unit->capacity && t != end; t = next) {
    next = unit->next[t];
    unit->next[t] = end;
  }
  return end;
}


// the first cycle from `from` on in which the unit can start an operation
static int first_free(unitSlots *x, int from)
{
  for (int t = next_free_cycle(x, from);;) {
    reach_unit_cycle(x, t + x->interval);
    int busy = x->interval - 1;
    while (busy > 0 && x->next[t + busy] == t + busy) busy--;
    if (busy == 0) return t;
    t = next_free_cycle(x, t + busy);
  }
}


static void take_cycle(unitSlots *x, int cycle)
{
  ART_ASSERT(cycle >= 0 && cycle + x->interval <= x->capacity);
  for (int k = 0; k < x->interval; k++) x->next[cycle + k] = cycle + x->interval;
}

//---- placing in order ----------------------------------------------------------------------------

// earliest start: max over parents step(p) + cost(p) + delay(unit(p), u)
static int node_ready_cycle(const schedSchedule *s, const schedGraph *graph,
                            const schedMachine *machine, int i, int unit)
{
  ART_ASSERT(i >= 0 && i < graph->n);
  const schedNode *x = &graph->node[i];
  int ready = 1;
  for (int k = 0; k < x->nparent; k++) {
    const int p = x->parent[k];
    const int at = s->step[p] + graph->node[p].cost + machine_delay(machine, s->unit[p], unit);
    if (ready < at) ready = at;
  }
  return ready;
}


// assign to the unit of its kind that can start it first; ties to the lowest number
static void place_one(schedSchedule *s, const schedGraph *graph, const schedMachine *machine,
                      unitSlots *slots, int i)
{
  const int kind = graph->node[i].kind, first = machine_first(machine, kind);
  int ready = 0;
  s->step[i] = 0;
  for (int u = first; u < first + machine->count[kind]; u++) {

    // within one module all units receive operands at the same time
    if (u == first || machine->modules > 1) ready = node_ready_cycle(s, graph, machine, i, u);
    const int t = first_free(&slots[u], ready);
    if (s->step[i] > 0 && t >= s->step[i]) continue;
    s->step[i] = t;
    s->unit[i] = u;
    if (t == ready && machine->modules == 1) break;
  }
  ART_ASSERT(s->step[i] > 0);
  take_cycle(&slots[s->unit[i]], s->step[i]);
}


static void measure_schedule(schedSchedule *s, const schedGraph *graph)
{
  s->steps = s->cycles = 0;
  for (int i = 0; i < s->n; i++) {
    if (s->steps < s->step[i]) s->steps = s->step[i];
    const int end = s->step[i] + graph->node[i].cost - 1;
    if (s->cycles < end) s->cycles = end;
  }
}


// place all operations in this order, parents before children
static void place_in_order(schedSchedule *s, const schedGraph *graph, const schedMachine *machine,
                           const int *order)
{
  const arenaPlace here = arena_place(graph->arena);
  unitSlots *slots = create_slots(machine, graph->arena);
  for (int k = 0; k < graph->n; k++) place_one(s, graph, machine, slots, order[k]);
  arena_return(graph->arena, here);
  measure_schedule(s, graph);
}

//---- order ---------------------------------------------------------------------------------------

// stable counting sort of the indices in `from` by their keys
static void sort_by(int n, const int *key, const int *from, int *to, baseArena *arena)
{
  int least = 0, most = 0, *end;
  for (int i = 0; i < n; i++) {
    if (i == 0 || least > key[i]) least = key[i];
    if (i == 0 || most < key[i]) most = key[i];
  }
  ARENA_TAKE(arena, end, most - least + 2);
  for (int i = 0; i < n; i++) end[key[i] - least + 1]++;
  for (int k = 0; k < most - least; k++) end[k + 1] += end[k];
  for (int i = 0; i < n; i++) to[end[key[from[i]] - least]++] = from[i];
}


void schedule_sort(int n, const int *first, const int *second, int *order, baseArena *arena)
{
  const arenaPlace here = arena_place(arena);
  int *other;
  ARENA_TAKE(arena, other, n + 1);
  for (int i = 0; i < n; i++) order[i] = i;
  sort_by(n, second, order, other, arena);
  sort_by(n, first, other, order, arena);
  arena_return(arena, here);
}


typedef struct placeWork {
  const schedGraph *graph;
  const schedMachine *machine;
  schedSchedule now; // schedule of the present pass
  int *order, *key, *tie;
  int *back; // cycles from the start of each operation to the end, with unit contention
} placeWork;


static void sort_keys(placeWork *w)
{
  schedule_sort(w->graph->n, w->key, w->tie, w->order, w->graph->arena);
}


// by latest, then by earliest start
static void order_by_list(placeWork *w)
{
  for (int i = 0; i < w->graph->n; i++) {
    w->key[i] = w->graph->node[i].alap;
    w->tie[i] = w->graph->node[i].asap;
  }
  sort_keys(w);
}


// mean transfer time over all pairs of modules, rounded
static int mean_delay(const schedMachine *machine)
{
  int links = 0;
  for (int m = 0; m < machine->modules; m++) links += machine_distance(machine, 0, m);
  return machine->transfer + (machine->hop * links + machine->modules / 2) / machine->modules;
}


// rank(i) = cost(i) + max over children (delay + rank(c)); ties: more children first
static void order_by_rank(placeWork *w)
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
  sort_keys(w);
}

//---- backward and forward passes -----------------------------------------------------------------

// required back(i) >= back(c) + cost(i) + delay(unit(i), unit(c)) over children c; units are fixed
// in rings
static int needed_behind(const placeWork *w, int i, int unit)
{
  ART_ASSERT(i >= 0 && i < w->graph->n);
  const schedNode *x = &w->graph->node[i];
  int most = x->cost;
  for (int k = 0; k < x->nchild; k++) {
    const int c = x->child[k];
    const int way = w->back[c] + x->cost + machine_delay(w->machine, unit, w->now.unit[c]);
    if (most < way) most = way;
  }
  return most;
}


// time runs backward: the operation occupies its unit in back - interval + 1 ... back
static void place_late(placeWork *w, unitSlots *slots, int i)
{
  const schedMachine *machine = w->machine;
  const int kind = w->graph->node[i].kind, interval = machine->interval[kind];
  const int is_fixed = machine->modules > 1;
  const int first = is_fixed ? w->now.unit[i] : machine_first(machine, kind);
  const int count = is_fixed ? 1 : machine->count[kind];
  const int from = needed_behind(w, i, first) - interval + 1;
  int best = 0;
  for (int u = first; u < first + count && best != from; u++) {
    const int t = first_free(&slots[u], from);
    if (best > 0 && t >= best) continue;
    best = t;
    w->now.unit[i] = u;
  }
  take_cycle(&slots[w->now.unit[i]], best);
  w->back[i] = best + interval - 1;
}


static void move_schedule_back(placeWork *w)
{
  const arenaPlace here = arena_place(w->graph->arena);
  unitSlots *slots = create_slots(w->machine, w->graph->arena);
  for (int i = 0; i < w->graph->n; i++) {
    w->key[i] = -(w->now.step[i] + w->graph->node[i].cost);
    w->tie[i] = -w->now.step[i];
  }
  sort_keys(w);
  for (int k = 0; k < w->graph->n; k++) place_late(w, slots, w->order[k]);
  arena_return(w->graph->arena, here);
}


static void move_forth(placeWork *w)
{
  for (int i = 0; i < w->graph->n; i++) {
    w->key[i] = -w->back[i];
    w->tie[i] = w->now.step[i];
  }
  sort_keys(w);
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


// stops at the length of the critical path, which is a lower bound
static void improve_schedule(placeWork *w, schedSchedule *best)
{
  place_in_order(&w->now, w->graph, w->machine, w->order);
  keep_better(best, &w->now);
  for (int k = 0; k < MAX_PASSES && best->cycles > w->graph->length; k++) {
    move_schedule_back(w);
    move_forth(w);
    keep_better(best, &w->now);
  }
}

//---- schedules -----------------------------------------------------------------------------------

void schedule_create(schedSchedule *schedule, schedGraph *graph, const schedMachine *machine,
                     schedRule rule)
{
  baseArena *arena = graph->arena;
  const int n = graph->n;
  for (int i = 0; i < n; i++) {
    schedNode *x = &graph->node[i];
    ART_ASSERT(machine->count[x->kind] > 0);
    x->cost = machine->latency[x->kind];
  }
  graph_index(graph, machine->transfer);
  *schedule = (schedSchedule){.n = n};
  ARENA_TAKE(arena, schedule->step, n + 1);
  ARENA_TAKE(arena, schedule->unit, n + 1);

  const arenaPlace here = arena_place(arena);
  placeWork w = {.graph = graph, .machine = machine, .now = {.n = n}};
  ARENA_TAKE(arena, w.now.step, n);
  ARENA_TAKE(arena, w.now.unit, n);
  ARENA_TAKE(arena, w.order, n);
  ARENA_TAKE(arena, w.key, n);
  ARENA_TAKE(arena, w.tie, n);
  ARENA_TAKE(arena, w.back, n);
  order_by_list(&w);
  if (rule == SCHED_LIST) {
    place_in_order(schedule, graph, machine, w.order);
  } else {
    improve_schedule(&w, schedule);
    order_by_rank(&w);
    if (schedule->cycles != graph->length) improve_schedule(&w, schedule);
  }
  arena_return(arena, here);
}


double schedule_usage(const schedSchedule *schedule, const schedMachine *machine)
{
  const double places = (double) machine_units(machine) * schedule->steps;
  return places > 0 ? schedule->n / places : 0;
}

//---- buffered results ----------------------------------------------------------------------------

int buffer_last_use(const schedSchedule *schedule, const schedGraph *graph, int i)
{
  const schedNode *x = &graph->node[i];
  int last = 0;
  for (int k = 0; k < x->nchild; k++) {
    if (last < schedule->step[x->child[k]]) last = schedule->step[x->child[k]];
  }
  return last;
}


// maximum prefix sum of changes
static int most_alive(const int *change, int n)
{
  int alive = 0, most = 0;
  for (int t = 0; t < n; t++) {
    alive += change[t];
    if (most < alive) most = alive;
  }
  return most;
}


int buffer_sizes(const schedSchedule *schedule, const schedGraph *graph,
                 const schedMachine *machine, int *size)
{
  const int nunit = machine_units(machine), row = schedule->cycles + 3;
  const arenaPlace here = arena_place(graph->arena);
  int *change = arena_alloc(graph->arena, (size_t) ((nunit + 1) * row), sizeof *change);
  int *all = change + nunit * row;
  for (int i = 0; i < schedule->n; i++) {
    const int from = schedule->step[i] + graph->node[i].cost;
    const int last = buffer_last_use(schedule, graph, i);
    int *own = change + schedule->unit[i] * row;
    if (last == 0) continue;
    own[from]++;
    own[last + 1]--;
    all[from]++;
    all[last + 1]--;
  }
  for (int u = 0; u < nunit; u++) size[u] = most_alive(change + u * row, row);
  const int most = most_alive(all, row);
  arena_return(graph->arena, here);
  return most;
}
