// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Search for a good assignment of nodes to tasks: clusters move between tasks as long as the time
// of one evaluation, including communication, decreases (simulated annealing).
#include "split/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// initial temperature: accepted increase, as a fraction of the time
#define INITIAL_TEMPERATURE 2e-4

enum { MAX_ROUNDS = 3 };

typedef struct splitSearch {
  splitClock clock;
  int *task;    // [n]
  int *cluster; // [n]
  int ncluster;
  int *home;                  // [ncluster]
  int *member, *member_begin; // nodes of each cluster, [n], [ncluster + 1]
  int *family;                // [ncluster] equal for clusters that depend on the same branches
  unsigned char *is_fixed;    // [ncluster] must stay in task 0
  int *old, *best;            // [ncluster] previous and best homes
  uint64_t seed;
} splitSearch;


// Neoverse N1, 0.3 ns per addition: a store becomes visible to another core after 110 to 150 ns, a
// changed flag is read in 60 ns, a cache line of eight values owned by another core is read in 6 ns
// and written in 15 ns in bulk.
splitOptions split_default_options(int tasks)
{
  splitOptions o = split_free_options(tasks);
  o.latency = 400;
  o.message = 200;
  o.write = 6;
  o.read = 3;
  return o;
}


splitOptions split_free_options(int tasks)
{
  ART_ASSERT(tasks >= 1 && tasks <= SPLIT_TASKS);
  return (splitOptions){.tasks = tasks, .moves = 6000, .seed = 1};
}


// reproducible on every machine
static double draw_split_fraction(splitSearch *s)
{
  s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
  return (double) (s->seed >> 11) * 0x1p-53;
}


static int draw_below(splitSearch *s, int n)
{
  ART_ASSERT(n > 0);
  return (int) (draw_split_fraction(s) * n);
}

//---- clusters ------------------------------------------------------------------------------------

typedef struct clusterKey {
  uint64_t depends;
  int stage, unit;
} clusterKey;


static int compare_cluster_keys(const void *a, const void *b)
{
  const clusterKey *x = a, *y = b;
  if (x->depends != y->depends) return x->depends < y->depends ? -1 : 1;
  return x->stage != y->stage ? x->stage - y->stage : x->unit - y->unit;
}


// Clusters move as a whole: nodes of one stage that depend on the same branches, divided into
// pieces of at most this cost (unless a single node costs more). Returns their number.
static int find_clusters(splitSearch *s, const taskMarks *marks, double most)
{
  const taskGraph *g = s->clock.graph;
  const arenaPlace here = arena_place(s->clock.arena);
  clusterKey *key;
  ARENA_TAKE(s->clock.arena, key, g->n);
  for (int i = 0; i < g->n; i++) key[i] = (clusterKey){marks->depends[i], g->unit[i].stage, i};
  qsort(key, (size_t) g->n, sizeof *key, compare_cluster_keys);
  int n = 0;
  double cost = 0;
  for (int i = 0; i < g->n; i++) {
    const clusterKey *k = &key[i], *before = k - 1;
    const double own = g->unit[k->unit].cost;
    const int is_other = i == 0 || k->depends != before->depends || k->stage != before->stage;
    if (is_other || (cost > 0 && cost + own > most)) {
      n++;
      cost = 0;
    }
    cost += own;
    s->cluster[k->unit] = n - 1;
  }
  arena_return(s->clock.arena, here);
  return n;
}


static void list_cluster_members(splitSearch *s)
{
  const taskGraph *g = s->clock.graph;
  for (int i = 0; i < g->n; i++) s->member_begin[s->cluster[i] + 1]++;
  for (int c = 0; c < s->ncluster; c++) s->member_begin[c + 1] += s->member_begin[c];
  for (int i = g->n - 1; i >= 0; i--) {
    const int c = s->cluster[i];
    s->member[--s->member_begin[c + 1]] = i;
    if (g->unit[i].is_call || g->unit[i].kind == TASK_RESULTS) s->is_fixed[c] = 1;
  }

  // the loop above has moved every end to the beginning
  for (int c = 0; c < s->ncluster; c++) s->member_begin[c] = s->member_begin[c + 1];
  s->member_begin[s->ncluster] = g->n;
}


// clusters of one family are consecutive
static void find_families(splitSearch *s, const taskMarks *marks)
{
  for (int c = 1; c < s->ncluster; c++) {
    const int a = s->member[s->member_begin[c - 1]], b = s->member[s->member_begin[c]];
    s->family[c] = s->family[c - 1] + (marks->depends[a] != marks->depends[b]);
  }
}


static void take_search_room(splitSearch *s, int n, baseArena *arena)
{
  ARENA_TAKE(arena, s->cluster, n);
  ARENA_TAKE(arena, s->home, n);
  ARENA_TAKE(arena, s->member, n);
  ARENA_TAKE(arena, s->member_begin, n + 2);
  ARENA_TAKE(arena, s->family, n);
  ARENA_TAKE(arena, s->is_fixed, n);
  ARENA_TAKE(arena, s->old, n);
  ARENA_TAKE(arena, s->best, n);
}

//---- assignments ---------------------------------------------------------------------------------

static void place_units(splitSearch *s)
{
  for (int i = 0; i < s->clock.graph->n; i++) s->task[i] = s->home[s->cluster[i]];
}


// time of the assignment; ties are broken by the sum of the tasks' completion times
static double evaluate_deal(splitSearch *s)
{
  const int tasks = s->clock.options->tasks;
  double sum = 0;
  place_units(s);
  const double last = split_clock_run(&s->clock);
  for (int t = 0; t < tasks; t++) sum += s->clock.now[t];
  return last + 0.02 * sum / tasks;
}


// the task with the least work so far, reduced for parents that it already contains
static int least_loaded(const splitSearch *s, int c, const double *load, double *cost)
{
  const taskGraph *g = s->clock.graph;
  const splitOptions *o = s->clock.options;
  double ties[SPLIT_TASKS] = {0};
  for (int m = s->member_begin[c]; m < s->member_begin[c + 1]; m++) {
    const taskUnit *u = &g->unit[s->member[m]];
    *cost += u->cost;
    for (int k = 0; k < u->nparent; k++) {
      const int home = s->home[s->cluster[u->parent[k]]];
      if (home >= 0) ties[home] += o->latency / 4;
    }
  }
  int best = 0;
  for (int t = 1; t < o->tasks && !s->is_fixed[c]; t++) {
    if (load[t] - ties[t] < load[best] - ties[best]) best = t;
  }
  return best;
}


// initial assignment, in the order of execution
static void deal_clusters(splitSearch *s)
{
  double load[SPLIT_TASKS] = {0};
  for (int c = 0; c < s->ncluster; c++) s->home[c] = -1;
  for (int i = 0; i < s->clock.graph->n; i++) {
    const int c = s->cluster[s->clock.order[i]];
    if (s->home[c] >= 0) continue;
    double cost = 0;
    s->home[c] = least_loaded(s, c, load, &cost);
    load[s->home[c]] += cost;
  }
}

//---- moves ---------------------------------------------------------------------------------------

// a task to try for a cluster: that of a neighbour, or a random one
static int choose_task(splitSearch *s, int c)
{
  ART_ASSERT(c >= 0 && c < s->ncluster);
  const int size = s->member_begin[c + 1] - s->member_begin[c];
  const int any = draw_below(s, s->clock.options->tasks);
  if (draw_split_fraction(s) < 0.3) return any;
  const taskUnit *u = &s->clock.graph->unit[s->member[s->member_begin[c] + draw_below(s, size)]];
  const int up = draw_split_fraction(s) < 0.5, n = up ? u->nparent : u->nchild;
  if (n == 0) return any;
  return s->home[s->cluster[(up ? u->parent : u->child)[draw_below(s, n)]]];
}


// Move a cluster, or all clusters of its family in the same task, or exchange members of two
// families.
static void move_clusters(splitSearch *s)
{
  const double kind = draw_split_fraction(s);
  const int c = draw_below(s, s->ncluster), t = choose_task(s, c), from = s->home[c];
  const int other = kind < 0.8 ? -1 : s->family[draw_below(s, s->ncluster)];
  if (t == from) return;
  if (kind < 0.5) {
    if (!s->is_fixed[c]) s->home[c] = t;
    return;
  }
  for (int i = 0; i < s->ncluster; i++) {
    if (s->is_fixed[i]) continue;
    if (s->family[i] == s->family[c] && s->old[i] == from) s->home[i] = t;
    if (s->family[i] == other && s->old[i] == t) s->home[i] = from;
  }
}


static void search_deal(splitSearch *s, int moves)
{
  const size_t size = (size_t) s->ncluster * sizeof *s->home;
  double best = evaluate_deal(s), now = best;
  const double warm = INITIAL_TEMPERATURE * best;
  memcpy(s->best, s->home, size);
  for (int i = 0; i < moves; i++) {
    memcpy(s->old, s->home, size);
    move_clusters(s);
    if (memcmp(s->old, s->home, size) == 0) continue;
    const double time = evaluate_deal(s), heat = warm * (1 - (double) i / moves);
    if (time > now - heat * log(draw_split_fraction(s) + 1e-300)) {
      memcpy(s->home, s->old, size);
      continue;
    }
    now = time;
    if (time < best) {
      best = time;
      memcpy(s->best, s->home, size);
    }
  }
  memcpy(s->home, s->best, size);
  place_units(s);
}


// use the groups of branches and blocks of the thesis as clusters
static int take_groups(splitSearch *s, int count)
{
  const taskGraph *g = s->clock.graph;
  int n = 0, *number = s->old;
  for (int i = 0; i < count; i++) number[i] = -1;
  for (int i = 0; i < g->n; i++) {
    int *k = &number[g->unit[i].mark.task];
    if (*k < 0) *k = n++;
    s->cluster[i] = *k;
  }
  return n;
}


// clusters of at most a fraction of the work per task; pieces 0: groups. They start at the home of
// their first node.
static void open_cluster_level(splitSearch *s, const taskMarks *marks, double pieces)
{
  const double work = s->clock.graph->cost / s->clock.options->tasks;
  s->ncluster =
      pieces > 0 ? find_clusters(s, marks, work / pieces) : take_groups(s, marks->groups.n);
  memset(s->member_begin, 0, (size_t) (s->ncluster + 2) * sizeof *s->member_begin);
  memset(s->is_fixed, 0, (size_t) s->ncluster);
  list_cluster_members(s);
  if (pieces > 0) find_families(s, marks);
  for (int c = 0; pieces == 0 && c < s->ncluster; c++) s->family[c] = c;
}


// Alternates between ordering and assignment, from large clusters to small ones. Most searches
// start with groups.
static void find_deal(splitSearch *s, const taskMarks *marks)
{
  static const double pieces[] = {0, 3, 10, 60};
  enum { LEVELS = sizeof pieces / sizeof *pieces };
  const splitOptions *o = s->clock.options;
  const int first = o->seed % 3 == 0;
  for (int level = first; level < LEVELS; level++) {
    open_cluster_level(s, marks, pieces[level]);
    if (level == first) deal_clusters(s);
    for (int c = 0; level > first && c < s->ncluster; c++) {
      s->home[c] = s->is_fixed[c] ? 0 : s->task[s->member[s->member_begin[c]]];
    }
    place_units(s);
    for (int round = 0; o->tasks > 1 && round < MAX_ROUNDS; round++) {
      search_deal(s, o->moves / (MAX_ROUNDS * (LEVELS - first)));
      split_clock_order(&s->clock, 1);
    }
  }
}


void split_assign(const taskGraph *g, const taskMarks *marks, const splitOptions *options,
                  int *task, baseArena *arena)
{
  const arenaPlace here = arena_place(arena);
  splitSearch s = {.task = task, .seed = options->seed};
  split_clock_open(&s.clock, g, options, task, arena);
  take_search_room(&s, g->n + marks->groups.n, arena);
  find_deal(&s, marks);
  arena_return(arena, here);
}
