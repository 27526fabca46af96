// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ways to make tasks.
#include "split/split_way.h"

#include <math.h>


const char *split_way_name(splitWay way)
{
  static const char *const names[SPLIT_WAYS] = {"search", "thesis", "thesis-talk", "thesis-grid",
                                                "thesis-moved"};
  return names[way];
}


splitChoice split_default_choice(int tasks)
{
  return (splitChoice){
      .way = SPLIT_SEARCH, .tasks = tasks, .transfer = NAN, .smallest = MERGE_SMALLEST};
}


splitChoice split_choice_by(splitWay way, int tasks)
{
  const int is_merged = way == SPLIT_THESIS || way == SPLIT_TALK;
  splitChoice choice = split_default_choice(tasks ? tasks : is_merged ? 0 : 2);
  choice.way = way;
  return choice;
}


int split_way_merges(splitWay way)
{
  return way == SPLIT_THESIS || way == SPLIT_TALK || way == SPLIT_MOVED;
}


splitOptions split_options_of(const splitChoice *c)
{
  const int tasks = c->tasks > 0 ? c->tasks : 2;
  if (isnan(c->transfer)) return split_default_options(tasks);
  splitOptions o = split_free_options(tasks);
  o.latency = c->transfer;
  return o;
}


// tasks as the caller gathers them
static int gather(transferGraph *t, const int *task)
{
  for (int i = 0; i < t->n; i++) t->sequence[i].task = task[t->sequence[i].task];
  return transfer_close_gaps(t);
}


static int merge(transferGraph *t, const splitChoice *c)
{
  const int most = c->way == SPLIT_MOVED && c->tasks == 0 ? 2 : SPLIT_TASKS;
  const mergeRule rule = {.kind = c->way == SPLIT_TALK ? MERGE_TALKATIVE : MERGE_SMALL,
                          .smallest = c->smallest,
                          .count = c->tasks > 0 ? c->tasks : most};
  return merge_tasks(t, &rule);
}


static int make_tasks(transferGraph *t, const splitChoice *c)
{
  const int tasks = c->tasks > 0 ? c->tasks : 2;
  if (c->way == SPLIT_GRID) return transfer_deal(t, tasks);
  if (!(c->gathered ? gather(t, c->gathered) : merge(t, c))) return 0;
  if (c->way != SPLIT_MOVED) return 1;
  if (t->ntask < tasks) t->ntask = tasks; // sequences may also begin tasks of their own
  return transfer_move(t);
}


int split_make(splitMade *made, const taskGraph *graph, const taskMarks *marks,
               const splitChoice *c)
{
  const splitOptions options = split_options_of(c);
  *made = (splitMade){0};
  if (c->way == SPLIT_SEARCH) {
    made->plan = split_create(graph, marks, &options);
    return made->plan != NULL;
  }
  transferGraph *t = made->transfers = transfer_create(graph, marks->groups.n);
  if (!t) return 0;
  t->transfer = isnan(c->transfer) ? 0 : (int) c->transfer;
  if (!make_tasks(t, c)) return 0;
  transfer_group(t);
  made->plan = split_plan_of_transfers(graph, t, &options);
  return made->plan != NULL;
}


void split_free(splitMade *made)
{
  split_plan_free(made->plan);
  transfer_free(made->transfers);
}
