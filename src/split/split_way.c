// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Methods of partitioning.
#include "split/split_way.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/throw.h"


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


const char *split_fewer_reason(const splitChoice *c, int groups)
{
  switch (c->way) {
  case SPLIT_SEARCH: return "no split in more tasks was found that is faster, messages included";
  case SPLIT_GRID: return "its sequences, one after the other, leave nothing to more tasks";
  case SPLIT_MOVED: return "no sequence in a further task would make the longest way shorter";
  default: break;
  }
  if (groups < c->tasks) return "there are no more groups of branches and blocks";
  return "groups smaller than --smallest times the mean were merged; --smallest 0 keeps them";
}


splitOptions split_options_of(const splitChoice *c)
{
  const int tasks = c->tasks > 0 ? c->tasks : 2;
  if (isnan(c->transfer)) return split_default_options(tasks);
  splitOptions o = split_free_options(tasks);
  o.latency = c->transfer;
  return o;
}


// apply an assignment of groups to tasks given by the caller
static void gather_sequence_tasks(transferGraph *t, const int *task)
{
  for (int i = 0; i < t->n; i++) t->sequence[i].task = task[t->sequence[i].task];
  transfer_close_gaps(t);
}


static void merge_by_choice(transferGraph *t, const splitChoice *c)
{
  const int most = c->way == SPLIT_MOVED && c->tasks == 0 ? 2 : SPLIT_TASKS;
  const mergeRule rule = {.kind = c->way == SPLIT_TALK ? MERGE_TALKATIVE : MERGE_SMALL,
                          .smallest = c->smallest,
                          .count = c->tasks > 0 ? c->tasks : most};
  merge_tasks(t, &rule);
}


static void make_tasks(transferGraph *t, const splitChoice *c)
{
  const int tasks = c->tasks > 0 ? c->tasks : 2;
  if (c->way == SPLIT_GRID) {
    transfer_deal(t, tasks);
    return;
  }
  if (c->gathered) {
    gather_sequence_tasks(t, c->gathered);
  } else {
    merge_by_choice(t, c);
  }
  if (c->way != SPLIT_MOVED) return;
  if (t->ntask < tasks) t->ntask = tasks; // sequences may also open new tasks
  transfer_move(t);
}


typedef struct thesisWork {
  splitMade *made;
  const taskGraph *graph;
  const splitChoice *choice;
} thesisWork;


static void make_by_thesis(void *work)
{
  const thesisWork *w = work;
  const splitOptions options = split_options_of(w->choice);
  transferGraph *t = w->made->transfers;
  make_tasks(t, w->choice);
  transfer_group(t);
  split_plan_of_transfers(&w->made->plan, w->graph, t, &options);
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
  thesisWork w = {made, graph, c};
  t->transfer = isnan(c->transfer) ? 0 : (int) c->transfer;
  t->arena.leaves = 1;
  const bool is_made = error_catch(make_by_thesis, &w);
  t->arena.leaves = 0;
  return is_made;
}


void split_free(splitMade *made)
{
  split_plan_free(made->plan);
  transfer_free(made->transfers);
}

//---- assignment of groups to tasks by the user: "0,4/1,2,3" --------------------------------------

static artStatus refuse_text(const char *text, const char *who, const char *what, int n,
                             artError *error)
{
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "%s '%.100s': %s; expected the groups 0 to %d once each, with commas "
                   "between groups of a task and '/' between tasks",
                   who, text, what, n - 1);
}


// parses 0,4/1,2,3; tasks are numbered by their smallest group, so that group 0 is in task 0
static artStatus read_groups(const char *text, const char *who, int n, int *task, int *tasks,
                             artError *error)
{
  int count = 0;
  for (int i = 0; i < n; i++) task[i] = -1;
  for (const char *c = text; *c;) {
    char *end = NULL;
    const long group = strtol(c, &end, 10);
    if (end == c || *c == '-' || *c == '+' || *c == ' ') {
      return refuse_text(text, who, "a number is missing", n, error);
    }
    if (group < 0 || group >= n) return refuse_text(text, who, "there is no such group", n, error);
    if (task[group] >= 0) return refuse_text(text, who, "a group appears there twice", n, error);
    task[group] = count;
    if (*end && *end != ',' && *end != '/') {
      return refuse_text(text, who, "there is an unexpected character", n, error);
    }
    if (*end && !end[1]) return refuse_text(text, who, "a number is missing", n, error);
    count += *end == '/';
    c = *end ? end + 1 : end;
  }
  for (int i = 0; i < n; i++) {
    if (task[i] < 0) return refuse_text(text, who, "a group is missing", n, error);
  }
  *tasks = count + 1;
  return ART_OK;
}


// number tasks by their smallest groups
static void number_tasks(int n, int *task, int tasks)
{
  ART_ASSERT(tasks >= 1 && tasks <= SPLIT_TASKS);
  int number[SPLIT_TASKS], next = 0;
  for (int k = 0; k < tasks; k++) number[k] = -1;
  for (int i = 0; i < n; i++) {
    if (number[task[i]] < 0) number[task[i]] = next++;
    task[i] = number[task[i]];
  }
}


artStatus split_gather(const char *text, const char *who, int n, int *task, int *tasks,
                       artError *error)
{
  const artStatus status = read_groups(text, who, n, task, tasks, error);
  if (status != ART_OK) return status;
  if (*tasks > SPLIT_TASKS) {
    return refuse_text(text, who, "there are more than 64 tasks", n, error);
  }
  number_tasks(n, task, *tasks);
  return ART_OK;
}
