// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From homes of units to what tasks do, step by step.
#include "sched/split_plan.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

// steps and messages as the clock tells them
typedef struct planDraft {
  splitPlan *plan;
  int n, capacity;
  struct draftStep {
    int task, message; // message: received here, -1: a unit is computed
    int unit, is_copy;
  } * step;
  int nmessage, message_capacity;
  struct draftMessage {
    int from, to, last; // position of the last step over there that it needs
  } * message;
  int nvalue, value_capacity;
  struct draftValue {
    int message, unit;
  } * value;
  int *newest;   // [tasks tasks] the message that was received last, from to
  int *position; // [graph->n] of units at home among the steps of their tasks
  int *count;    // [tasks] steps so far
  int failed;
} planDraft;

//---- events --------------------------------------------------------------------------------------

static int grow(planDraft *d, void **items, int count, int *capacity, size_t size)
{
  if (!d->failed && mem_grow(items, count, capacity, size)) return 1;
  d->failed = 1;
  return 0;
}


static void add_step(planDraft *d, int task, int message, int unit, int is_copy)
{
  void *items = d->step;
  if (!grow(d, &items, d->n, &d->capacity, sizeof *d->step)) return;
  d->step = items;
  d->step[d->n].task = task;
  d->step[d->n].message = message;
  d->step[d->n].unit = unit;
  d->step[d->n++].is_copy = is_copy;
  d->count[task]++;
}


static void note_compute(void *context, int task, int unit, int is_copy, double end)
{
  planDraft *d = context;
  (void) end;
  if (!is_copy) d->position[unit] = d->count[task];
  add_step(d, task, -1, unit, is_copy);
}


static void note_wait(void *context, int task, int from)
{
  planDraft *d = context;
  void *items = d->message;
  if (!grow(d, &items, d->nmessage, &d->message_capacity, sizeof *d->message)) return;
  d->message = items;
  d->message[d->nmessage].from = from;
  d->message[d->nmessage].to = task;
  d->message[d->nmessage].last = -1;
  d->newest[from * d->plan->tasks + task] = d->nmessage;
  add_step(d, task, d->nmessage++, -1, 0);
}


static void note_receive(void *context, int task, int from, int unit)
{
  planDraft *d = context;
  void *items = d->value;
  const int m = d->newest[from * d->plan->tasks + task];
  if (!grow(d, &items, d->nvalue, &d->value_capacity, sizeof *d->value)) return;
  d->value = items;
  d->value[d->nvalue].message = m;
  d->value[d->nvalue++].unit = unit;
  if (d->message[m].last < d->position[unit]) d->message[m].last = d->position[unit];
}

//---- steps ---------------------------------------------------------------------------------------

static int make_messages(planDraft *d)
{
  splitPlan *p = d->plan;
  p->nmessage = d->nmessage;
  p->message = arena_alloc(&p->arena, (size_t) d->nmessage, sizeof *p->message);
  if (!p->message) return 0;
  for (int i = 0; i < d->nvalue; i++) p->message[d->value[i].message].n++;
  for (int m = 0; m < p->nmessage; m++) {
    splitMessage *message = &p->message[m];
    message->from = d->message[m].from;
    message->to = d->message[m].to;
    message->unit = arena_alloc(&p->arena, (size_t) message->n, sizeof(int));
    if (!message->unit) return 0;
    message->n = 0;
  }
  for (int i = 0; i < d->nvalue; i++) {
    splitMessage *message = &p->message[d->value[i].message];
    message->unit[message->n++] = d->value[i].unit;
  }
  return 1;
}


// how many messages a task sends
static int count_sent(const splitPlan *p, int task)
{
  int n = 0;
  for (int m = 0; m < p->nmessage; m++) n += p->message[m].from == task;
  return n;
}


static void put_step(splitSteps *s, splitStepKind kind, int which)
{
  s->step[s->n++] = (splitStep){kind, which};
}


// messages that are complete with the step at a position
static void put_sends(planDraft *d, int task, int position)
{
  for (int m = 0; m < d->nmessage; m++) {
    if (d->message[m].from == task && d->message[m].last == position) {
      put_step(&d->plan->steps[task], STEP_SEND, m);
    }
  }
}


static int make_steps(planDraft *d)
{
  splitPlan *p = d->plan;
  for (int t = 0; t < p->tasks; t++) {
    const size_t room = (size_t) (d->count[t] + count_sent(p, t));
    p->steps[t].step = arena_alloc(&p->arena, room, sizeof(splitStep));
    if (!p->steps[t].step) return 0;
    d->count[t] = 0;
  }
  for (int i = 0; i < d->n; i++) {
    const int t = d->step[i].task, unit = d->step[i].unit;
    splitSteps *s = &p->steps[t];
    if (unit < 0) {
      put_step(s, STEP_RECEIVE, d->step[i].message);
    } else {
      const taskUnit *u = &p->graph->unit[unit];
      put_step(s, d->step[i].is_copy ? STEP_COPY : STEP_COMPUTE, unit);
      s->operations += u->operations;
      s->cost += u->cost;
      s->units += !d->step[i].is_copy;
      s->copies += d->step[i].is_copy;
      if (!d->step[i].is_copy) put_sends(d, t, d->count[t]);
    }
    d->count[t]++;
  }
  return 1;
}

//---- measures ------------------------------------------------------------------------------------

typedef struct planWeights {
  double (*unit)(const taskUnit *unit);
  double message;
} planWeights;


static double cost_of(const taskUnit *u)
{
  return u->cost;
}


static double operations_of(const taskUnit *u)
{
  return u->operations;
}


static double nothing_of(const taskUnit *u)
{
  (void) u;
  return 0;
}


// the longest way through steps and messages; -1 when tasks wait for one another or memory ran out
static double longest_way(const splitPlan *p, planWeights weights)
{
  double now[SPLIT_TASKS] = {0}, longest = 0, *sent = MEM_ARRAY(double, p->nmessage + 1);
  int next[SPLIT_TASKS] = {0}, left = 0, moved = sent != NULL;
  for (int m = 0; sent && m < p->nmessage; m++) sent[m] = -1;
  for (int t = 0; t < p->tasks; t++) left += p->steps[t].n;
  while (moved && left > 0) {
    moved = 0;
    for (int t = 0; t < p->tasks; t++) {
      const splitSteps *s = &p->steps[t];
      for (; next[t] < s->n; next[t]++, left--, moved = 1) {
        const splitStep *step = &s->step[next[t]];
        if (step->kind == STEP_SEND) {
          sent[step->which] = now[t];
        } else if (step->kind == STEP_RECEIVE) {
          if (sent[step->which] < 0) break;
          now[t] = fmax(now[t], sent[step->which] + weights.message);
        } else {
          now[t] += weights.unit(&p->graph->unit[step->which]);
        }
      }
    }
  }
  for (int t = 0; t < p->tasks; t++) longest = fmax(longest, now[t]);
  mem_free(sent);
  return left == 0 ? longest : -1;
}


static void measure(splitPlan *p)
{
  p->ideal = longest_way(p, (planWeights){cost_of, 0});
  p->critical = (int) longest_way(p, (planWeights){operations_of, 0});
  p->critical_transfers = (int) longest_way(p, (planWeights){nothing_of, 1});
}

//---- plans ---------------------------------------------------------------------------------------

static int take_room(planDraft *d)
{
  splitPlan *p = d->plan;
  const size_t tasks = (size_t) p->tasks;
  d->newest = MEM_ARRAY(int, tasks *tasks);
  d->position = MEM_ARRAY(int, p->graph->n);
  d->count = MEM_ARRAY(int, tasks);
  p->steps = arena_alloc(&p->arena, tasks, sizeof *p->steps);
  return d->newest && d->position && d->count && p->steps && p->task;
}


static void free_room(planDraft *d)
{
  mem_free(d->step);
  mem_free(d->message);
  mem_free(d->value);
  mem_free(d->newest);
  mem_free(d->position);
  mem_free(d->count);
}


// of the two orders the one that takes less time
static int choose_order(splitClock *clock)
{
  const double plain = split_clock_run(clock);
  if (!split_clock_order(clock, 1)) return 0;
  return split_clock_run(clock) <= plain || split_clock_order(clock, 0);
}


splitPlan *split_plan_create(const taskGraph *graph, const splitOptions *options, const int *task)
{
  splitPlan *p = MEM_ARRAY(splitPlan, 1);
  if (!p) return NULL;
  p->graph = graph;
  p->tasks = options->tasks;
  p->task = arena_copy(&p->arena, task, (size_t) graph->n, sizeof *task);
  planDraft d = {.plan = p};
  splitClock clock;
  const splitEvents events = {&d, note_compute, note_wait, note_receive};
  int made =
      take_room(&d) && split_clock_open(&clock, graph, options, p->task) && choose_order(&clock);
  if (made) {
    clock.events = &events;
    p->time = split_clock_run(&clock);
    made = !d.failed && make_messages(&d) && make_steps(&d);
  }
  split_clock_close(&clock);
  free_room(&d);
  if (made) {
    measure(p);
    return p;
  }
  split_plan_free(p);
  return NULL;
}


// a few searches, of which the best counts
splitPlan *split_create(const taskGraph *graph, const taskMarks *marks, const splitOptions *options)
{
  enum { SEARCHES = 3 };
  int *task = MEM_ARRAY(int, graph->n), made = task != NULL;
  splitPlan *best = NULL;
  for (int i = 0; made && i < (options->tasks > 1 ? SEARCHES : 1); i++) {
    splitOptions own = *options;
    own.seed += (unsigned) i;
    splitPlan *plan = NULL;
    if (split_assign(graph, marks, &own, task)) plan = split_plan_create(graph, &own, task);
    made = plan != NULL;
    const int is_better = plan && (!best || plan->time < best->time);
    split_plan_free(is_better ? best : plan);
    if (is_better) best = plan;
  }
  mem_free(task);
  return best;
}


void split_plan_free(splitPlan *p)
{
  if (!p) return;
  arena_free(&p->arena);
  mem_free(p);
}
