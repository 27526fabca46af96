// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The number of units that a graph is worth (Postiau 2004, section 3.3.1): searched from the bounds upwards.
#include "sched/search.h"

#include <string.h>

#include "base/leave.h"

enum { MOST_ADDED = 12 };

// operations placed in all trials together, a few seconds, the same trials on every machine
static const long long most_work = 1000000, most_for_use = 3000000;

// what a unit costs beside the others
static const int price[SCHED_KINDS] = {
    [SCHED_MUL] = 2, [SCHED_ADD] = 1, [SCHED_DIV] = 4, [SCHED_SIN] = 4, [SCHED_OTHER] = 4};

typedef struct searchWork {
  schedSearch *result;
  schedGraph *graph;
  const schedMachine *machine;
  schedRule rule;
  schedTrial found; // of the present number of units; cycles 0: none
  long long work;   // operations placed
} searchWork;


schedMachine search_machine(const schedMachine *machine, const schedTrial *trial)
{
  schedMachine x = *machine;
  memcpy(x.count, trial->count, sizeof x.count);
  return x;
}

//---- trials --------------------------------------------------------------------------------------

// one that was made before, or NULL
static const schedTrial *find(const schedSearch *search, const int count[SCHED_KINDS])
{
  for (int k = 0; k < search->n; k++) {
    if (memcmp(search->trial[k].count, count, sizeof search->trial[k].count) == 0)
      return &search->trial[k];
  }
  return NULL;
}


static void measure(searchWork *w, schedTrial *trial)
{
  const schedMachine machine = search_machine(w->machine, trial);
  const arenaPlace here = arena_place(w->graph->arena);
  schedSchedule s;
  w->work += w->graph->n;
  schedule_create(&s, w->graph, &machine, w->rule);
  trial->steps = s.steps;
  trial->cycles = s.cycles;
  trial->usage = schedule_usage(&s, &machine);
  arena_return(w->graph->arena, here);
}


static schedTrial try_units(searchWork *w, const int count[SCHED_KINDS])
{
  schedSearch *search = w->result;
  const schedTrial *before = find(search, count);
  if (before) return *before;
  schedTrial trial;
  memcpy(trial.count, count, sizeof trial.count);
  measure(w, &trial);
  search->trial =
      arena_grow(w->graph->arena, search->trial, search->n, &search->capacity, sizeof trial);
  search->trial[search->n++] = trial;
  return trial;
}


static int is_minimal(const searchWork *w, const schedTrial *trial)
{
  return trial->cycles == w->graph->length;
}


static int price_of(const schedTrial *trial)
{
  int sum = 0;
  for (int k = 0; k < SCHED_KINDS; k++) sum += price[k] * trial->count[k];
  return sum;
}

//---- minimal time --------------------------------------------------------------------------------

// the fewest units of one kind with those of the others as they are; bisection, so that a gap may be overlooked
static void bisect(searchWork *w, int kind, int low, int count[SCHED_KINDS])
{
  schedTrial trial = {0};
  memcpy(trial.count, count, sizeof trial.count);
  while (low < count[kind]) {
    trial.count[kind] = low + (count[kind] - low) / 2;
    measure(w, &trial);
    if (is_minimal(w, &trial))
      count[kind] = trial.count[kind];
    else
      low = trial.count[kind] + 1;
  }
}


// the fewest of one kind with enough of all others: as many as begin at once if all begin as early as they can
static int fewest_alone(searchWork *w, int kind)
{
  const schedBounds *b = &w->result->bounds;
  int enough[SCHED_KINDS];
  for (int k = 0; k < SCHED_KINDS; k++) enough[k] = b->asap[k] * w->machine->interval[k];
  bisect(w, kind, b->lower[kind], enough);
  return enough[kind];
}


// all ways of adding `more` units to kinds from `kind` on; the cheapest that takes minimal time is kept
static void add_units(searchWork *w, int kind, int more, int count[SCHED_KINDS])
{
  while (kind < SCHED_KINDS && count[kind] == 0) kind++;
  if (kind == SCHED_KINDS) {
    if (more > 0 || w->work >= most_work) return;
    const schedTrial trial = try_units(w, count);
    if (!is_minimal(w, &trial)) return;
    if (w->found.cycles == 0 || price_of(&trial) < price_of(&w->found)) w->found = trial;
    return;
  }
  const int before = count[kind];
  for (int k = 0; k <= more; k++) {
    count[kind] = before + k;
    add_units(w, kind + 1, more - k, count);
  }
  count[kind] = before;
}


// when nothing else helps, more of every kind, and then as few of each as will do
static void add_everywhere(searchWork *w, int count[SCHED_KINDS])
{
  const int lower[SCHED_KINDS] = {count[0], count[1], count[2], count[3], count[4]};
  schedTrial trial;
  do {
    for (int k = 0; k < SCHED_KINDS; k++) count[k] += count[k] > 0 ? 1 + count[k] / 16 : 0;
    trial = try_units(w, count);
  } while (!is_minimal(w, &trial));
  for (int k = 0; k < SCHED_KINDS; k++) bisect(w, k, lower[k], count);
  w->found = try_units(w, count);
}


static void find_fewest(searchWork *w)
{
  int count[SCHED_KINDS];
  for (int k = 0; k < SCHED_KINDS; k++) count[k] = fewest_alone(w, k);
  for (int more = 0; more <= MOST_ADDED && w->found.cycles == 0 && w->work < most_work; more++) {
    add_units(w, 0, more, count);
  }
  if (w->found.cycles == 0) add_everywhere(w, count);
  w->result->fewest = w->found;
}

//---- best use ------------------------------------------------------------------------------------

// all ways of taking one, two, an eighth or a quarter of the units of each kind away; of multipliers and adders, for
// there are few of the others
static void remove_units(searchWork *w, int kind, int count[SCHED_KINDS])
{
  if (kind == SCHED_KINDS) {
    if (w->work >= most_for_use) return;
    const schedTrial trial = try_units(w, count);
    if (trial.usage > w->found.usage) w->found = trial;
    return;
  }
  const int before = count[kind];
  const int less[] = {0, 1, 2, before / 8, before / 4};
  const int ways = kind <= SCHED_ADD ? 5 : 2;
  for (int k = 0, last = -1; k < ways; k++) {
    if (less[k] <= last || (less[k] > 0 && less[k] >= before)) continue;
    last = less[k];
    count[kind] = before - last;
    remove_units(w, kind + 1, count);
  }
  count[kind] = before;
}


static void find_best(searchWork *w)
{
  schedTrial now;
  w->work = 0;
  w->found = w->result->fewest;
  do {
    now = w->found;
    int count[SCHED_KINDS];
    memcpy(count, now.count, sizeof count);
    remove_units(w, 0, count);
  } while (w->found.usage > now.usage);
  w->result->best = now;
}


void search_units(schedSearch *search, schedGraph *graph, const schedMachine *machine,
                  schedRule rule)
{
  *search = (schedSearch){0};
  searchWork w = {.result = search, .graph = graph, .machine = machine, .rule = rule};
  for (int i = 0; i < graph->n; i++) {
    graph->node[i].cost = machine->latency[graph->node[i].kind];
  }
  graph_index(graph, machine->transfer);
  if (graph->n == 0) return;
  if (!bound_find(&search->bounds, graph, machine)) leave_work();
  find_fewest(&w);
  find_best(&w);
}
