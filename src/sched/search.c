// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The number of units for a graph (Postiau 2004, section 3.3.1): searched upward from the bounds.
#include "sched/search.h"

#include <math.h>
#include <string.h>

//---- bounds and estimates (Postiau 2004, section 3.3.1) ------------------------------------------

void bound_profile(const schedGraph *graph, const schedMachine *machine, double *profile)
{
  const size_t row = (size_t) graph->length + 1;
  memset(profile, 0, row * SCHED_KINDS * sizeof(double));
  for (int i = 0; i < graph->n; i++) {
    const schedNode *x = &graph->node[i];
    double *u = profile + row * (size_t) x->kind;
    const double part = 1.0 / graph_mobility(x);
    for (int t = x->asap; t <= x->alap; t++) {
      for (int k = 0; k < machine->interval[x->kind]; k++) u[t + k] += part;
    }
  }
}


// tolerates rounding errors of sums of fractions
static int round_up(double x)
{
  return (int) ceil(x - 1e-9);
}


static void count_most(const schedGraph *graph, int *room, int is_latest, int most[SCHED_KINDS])
{
  const size_t row = (size_t) graph->length + 1;
  memset(room, 0, row * SCHED_KINDS * sizeof(int));
  for (int i = 0; i < graph->n; i++) {
    const schedNode *x = &graph->node[i];
    const int t = is_latest ? x->alap : x->asap;
    const int count = ++room[row * (size_t) x->kind + (size_t) t];
    if (most[x->kind] < count) most[x->kind] = count;
  }
}


void bound_find(schedBounds *bounds, const schedGraph *graph, const schedMachine *machine)
{
  const arenaPlace here = arena_place(graph->arena);
  const int places = (graph->length + 1) * SCHED_KINDS;
  double *profile;
  int *count;
  *bounds = (schedBounds){0};
  ARENA_TAKE(graph->arena, profile, places);
  ARENA_TAKE(graph->arena, count, places);
  bound_profile(graph, machine, profile);

  // peak = ceil(max_i U_i),  mean = ceil(max_i 1/i sum_{k <= i} U_k)
  const size_t row = (size_t) graph->length + 1;
  for (int kind = 0; kind < SCHED_KINDS; kind++) {
    const double *u = profile + row * (size_t) kind;
    double sum = 0, most = 0, mean = 0;
    for (int i = 1; i <= graph->length; i++) {
      sum += u[i];
      most = fmax(most, u[i]);
      mean = fmax(mean, sum / i);
    }
    bounds->peak[kind] = round_up(most);
    bounds->mean[kind] = round_up(mean);
  }

  count_most(graph, count, 0, bounds->asap);
  count_most(graph, count, 1, bounds->alap);
  for (int i = 0; i < graph->n; i++) bounds->operations[graph->node[i].kind]++;
  for (int k = 0; k < SCHED_KINDS; k++) {
    const int work = bounds->operations[k] * machine->interval[k];
    bounds->lower[k] = graph->length > 0 ? (work + graph->length - 1) / graph->length : 0;
  }
  arena_return(graph->arena, here);
}

//---- lower bound of the time, by work between two instants ---------------------------------------

// cycles from the latest start of an operation to the end of the critical path
static int left_behind(const schedGraph *graph, const schedNode *x)
{
  return graph->length - x->alap + 1;
}


// number of operations of a kind that start at a or later; waiting[b] of them have b cycles left, 0
// to length
static int count_from(const schedGraph *graph, int kind, int a, int *waiting)
{
  int n = 0;
  memset(waiting, 0, ((size_t) graph->length + 1) * sizeof(int));
  for (int i = 0; i < graph->n; i++) {
    const schedNode *x = &graph->node[i];
    if (x->kind != kind || x->asap < a) continue;
    waiting[left_behind(graph, x)]++;
    n++;
  }
  return n;
}


static int bound_of_kind(const schedGraph *graph, const schedMachine *machine, int kind,
                         int *waiting)
{
  const int units = machine->count[kind];
  int most = 0;
  for (int a = 1; a <= graph->length; a++) {
    const int all = count_from(graph, kind, a, waiting);
    if (all == 0) break;
    for (int b = graph->length, n = 0; b >= 1; b--) {
      n += waiting[b];
      const int time = a + ((n + units - 1) / units - 1) * machine->interval[kind] + b - 1;
      if (n > 0 && most < time) most = time;
    }
  }
  return most;
}


int bound_cycles(const schedGraph *graph, const schedMachine *machine)
{
  const arenaPlace here = arena_place(graph->arena);
  int most = graph->length, *waiting;
  ARENA_TAKE(graph->arena, waiting, graph->length + 2);
  for (int kind = 0; kind < SCHED_KINDS; kind++) {
    if (machine->count[kind] == 0) continue;
    const int time = bound_of_kind(graph, machine, kind, waiting);
    if (most < time) most = time;
  }
  arena_return(graph->arena, here);
  return most;
}

//---- the search ----------------------------------------------------------------------------------

enum { MAX_ADDED = 12 };

// limits of the number of placed operations over all trials (a few seconds); reproducible on every
// machine
static const long long most_work = 1000000, most_for_use = 3000000;

// relative cost of units
static const int price[SCHED_KINDS] = {
    [SCHED_MUL] = 2, [SCHED_ADD] = 1, [SCHED_DIV] = 4, [SCHED_SIN] = 4, [SCHED_OTHER] = 4};

typedef struct searchWork {
  schedSearch *result;
  schedGraph *graph;
  const schedMachine *machine;
  schedRule rule;
  schedTrial found; // best trial with the present number of units; cycles 0: none
  long long work;   // operations placed
} searchWork;


schedMachine search_machine(const schedMachine *machine, const schedTrial *trial)
{
  schedMachine x = *machine;
  memcpy(x.count, trial->count, sizeof x.count);
  return x;
}

//---- trials --------------------------------------------------------------------------------------

// an earlier trial with these counts, or NULL
static const schedTrial *find_made_trial(const schedSearch *search, const int count[SCHED_KINDS])
{
  for (int k = 0; k < search->n; k++) {
    if (memcmp(search->trial[k].count, count, sizeof search->trial[k].count) == 0)
      return &search->trial[k];
  }
  return NULL;
}


static void measure_trial(searchWork *w, schedTrial *trial)
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
  const schedTrial *before = find_made_trial(search, count);
  if (before) return *before;
  schedTrial trial;
  memcpy(trial.count, count, sizeof trial.count);
  measure_trial(w, &trial);
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

// smallest number of units of one kind with the given numbers of others; bisection, so a smaller
// non-monotonic solution may be missed
static void bisect_unit_count(searchWork *w, int kind, int low, int count[SCHED_KINDS])
{
  schedTrial trial = {0};
  memcpy(trial.count, count, sizeof trial.count);
  while (low < count[kind]) {
    trial.count[kind] = low + (count[kind] - low) / 2;
    measure_trial(w, &trial);
    if (is_minimal(w, &trial))
      count[kind] = trial.count[kind];
    else
      low = trial.count[kind] + 1;
  }
}


// smallest number of one kind with enough of all others: as many as can start together at their
// earliest
static int fewest_alone(searchWork *w, int kind)
{
  const schedBounds *b = &w->result->bounds;
  int enough[SCHED_KINDS];
  for (int k = 0; k < SCHED_KINDS; k++) enough[k] = b->asap[k] * w->machine->interval[k];
  bisect_unit_count(w, kind, b->lower[kind], enough);
  return enough[kind];
}


// try all ways of adding `more` units to the kinds from `kind` on; keeps the cheapest with minimal
// time
static void add_kind_units(searchWork *w, int kind, int more, int count[SCHED_KINDS])
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
    add_kind_units(w, kind + 1, more - k, count);
  }
  count[kind] = before;
}


// last resort: add units of every kind, then reduce each kind as far as possible
static void add_everywhere(searchWork *w, int count[SCHED_KINDS])
{
  const int lower[SCHED_KINDS] = {count[0], count[1], count[2], count[3], count[4]};
  schedTrial trial;
  do {
    for (int k = 0; k < SCHED_KINDS; k++) count[k] += count[k] > 0 ? 1 + count[k] / 16 : 0;
    trial = try_units(w, count);
  } while (!is_minimal(w, &trial));
  for (int k = 0; k < SCHED_KINDS; k++) bisect_unit_count(w, k, lower[k], count);
  w->found = try_units(w, count);
}


static void find_fewest(searchWork *w)
{
  int count[SCHED_KINDS];
  for (int k = 0; k < SCHED_KINDS; k++) count[k] = fewest_alone(w, k);
  for (int more = 0; more <= MAX_ADDED && w->found.cycles == 0 && w->work < most_work; more++) {
    add_kind_units(w, 0, more, count);
  }
  if (w->found.cycles == 0) add_everywhere(w, count);
  w->result->fewest = w->found;
}

//---- best utilisation ----------------------------------------------------------------------------

// try all ways of removing one, two, an eighth or a quarter of the multipliers and adders (other
// kinds have few units)
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
  bound_find(&search->bounds, graph, machine);
  find_fewest(&w);
  find_best(&w);
}
