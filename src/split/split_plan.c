// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From home tasks of nodes to the steps of the tasks.
#include "split/split_plan.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/throw.h"

// steps and messages recorded from the clock's events
typedef struct planBuilder {
  splitPlan *plan;
  int n, capacity;
  struct draftStep {
    int task, message; // message: received here; -1: a node is computed
    int unit, is_copy;
  } * step;
  int nmessage, message_capacity;
  struct draftMessage {
    int from, to, last; // last: position of the last step of the sender that it needs
    int number;         // index of the message in the plan, -1: none
  } * message;
  int nvalue, value_capacity;
  struct draftValue {
    int message, unit;
  } * value;
  int *newest;           // [tasks tasks] the message received last, [from to]
  int *position;         // [graph->n] position of a node among the steps of its home task
  int *count;            // [tasks] number of steps so far
  uint64_t *made, *used; // [graph->n] bit t: it is computed in task t; its value is needed there
  baseArena *room;
} planBuilder;

//---- events --------------------------------------------------------------------------------------

static void add_draft_step(planBuilder *d, int task, int message, int unit, int is_copy)
{
  ART_ASSERT(task >= 0 && task < d->plan->tasks);
  d->step = arena_grow(d->room, d->step, d->n, &d->capacity, sizeof *d->step);
  d->step[d->n].task = task;
  d->step[d->n].message = message;
  d->step[d->n].unit = unit;
  d->step[d->n++].is_copy = is_copy;
  d->count[task]++;
}


static void note_compute(void *context, int task, int unit, int is_copy, double end)
{
  planBuilder *d = context;
  (void) end;
  if (!is_copy) d->position[unit] = d->count[task];
  add_draft_step(d, task, -1, unit, is_copy);
}


static void note_wait(void *context, int task, int from)
{
  planBuilder *d = context;
  d->message =
      arena_grow(d->room, d->message, d->nmessage, &d->message_capacity, sizeof *d->message);
  d->message[d->nmessage].from = from;
  d->message[d->nmessage].to = task;
  d->newest[from * d->plan->tasks + task] = d->nmessage;
  add_draft_step(d, task, d->nmessage++, -1, 0);
}


static void note_receive(void *context, int task, int from, int unit)
{
  ART_ASSERT(from != task);
  planBuilder *d = context;
  d->value = arena_grow(d->room, d->value, d->nvalue, &d->value_capacity, sizeof *d->value);
  d->value[d->nvalue].message = d->newest[from * d->plan->tasks + task];
  d->value[d->nvalue++].unit = unit;
}

//---- unused values -------------------------------------------------------------------------------

// Find where the value of each node is needed: where needed nodes read it, and at its home if it is
// sent. A node that all readers copy is not needed at home.
static void find_uses(planBuilder *d)
{
  const taskGraph *g = d->plan->graph;
  for (int i = 0; i < d->n; i++) {
    const int unit = d->step[i].unit;
    if (unit >= 0) d->made[unit] |= (uint64_t) 1 << d->step[i].task;
  }
  d->used[g->n - 1] = 1;
  for (int i = g->n - 1; i >= 0; i--) {
    if (d->used[i] & ~d->made[i]) d->used[i] |= (uint64_t) 1 << d->plan->task[i];
    for (int k = 0; k < g->unit[i].nparent; k++) {
      d->used[g->unit[i].parent[k]] |= d->used[i] & d->made[i];
    }
  }
}


static int is_unit_used(const planBuilder *d, int unit, int task)
{
  return (int) (d->used[unit] >> task & 1);
}


// drop values that are not read, and messages that become empty
static void drop_values(planBuilder *d)
{
  int n = 0, count = 0;
  for (int m = 0; m < d->nmessage; m++) d->message[m].number = -1;
  for (int i = 0; i < d->nvalue; i++) {
    struct draftMessage *m = &d->message[d->value[i].message];
    const int unit = d->value[i].unit;
    if (!is_unit_used(d, unit, m->to)) continue;
    if (m->number < 0) {
      m->number = count++;
      m->last = -1;
    }
    if (m->last < d->position[unit]) m->last = d->position[unit];
    d->value[n++] = d->value[i];
  }
  d->nvalue = n;
  d->plan->nmessage = count;
}

//---- steps ---------------------------------------------------------------------------------------

static void make_messages(planBuilder *d)
{
  splitPlan *p = d->plan;
  ARENA_TAKE(&p->arena, p->message, p->nmessage);
  for (int i = 0; i < d->nvalue; i++) p->message[d->message[d->value[i].message].number].n++;
  for (int m = 0; m < d->nmessage; m++) {
    if (d->message[m].number < 0) continue;
    splitMessage *message = &p->message[d->message[m].number];
    message->from = d->message[m].from;
    message->to = d->message[m].to;
    ARENA_TAKE(&p->arena, message->unit, message->n);
    message->n = 0;
  }
  for (int i = 0; i < d->nvalue; i++) {
    splitMessage *message = &p->message[d->message[d->value[i].message].number];
    message->unit[message->n++] = d->value[i].unit;
  }
}


// number of messages that a task sends
static int count_sent(const splitPlan *p, int task)
{
  int n = 0;
  for (int m = 0; m < p->nmessage; m++) n += p->message[m].from == task;
  return n;
}


// add the sends of messages completed by the step at this position
static void put_sends(planBuilder *d, int task, int position)
{
  for (int m = 0; m < d->nmessage; m++) {
    const struct draftMessage *message = &d->message[m];
    if (message->number < 0 || message->from != task || message->last != position) continue;
    split_put_step(&d->plan->steps[task], STEP_SEND, message->number);
  }
}


static void put_unit(planBuilder *d, int task, int unit, int is_copy)
{
  ART_ASSERT(unit >= 0 && unit < d->plan->graph->n);
  splitSteps *s = &d->plan->steps[task];
  const taskUnit *u = &d->plan->graph->unit[unit];
  split_put_step(s, is_copy ? STEP_COPY : STEP_COMPUTE, unit);
  s->operations += u->operations;
  s->cost += u->cost;
  s->units += !is_copy;
  s->copies += is_copy;
  if (!is_copy) put_sends(d, task, d->count[task]);
}


static int compare_steps(const void *a, const void *b)
{
  return ((const splitStep *) a)->which - ((const splitStep *) b)->which;
}


// Between messages the order of steps does not affect other tasks. List order, in which values are
// read soon after they are computed, needs the fewest registers.
static void sort_steps(splitSteps *s)
{
  for (int i = 0, end; i < s->n; i = end + 1) {
    for (end = i; end < s->n && s->step[end].kind <= STEP_COPY; end++) {
    }
    qsort(&s->step[i], (size_t) (end - i), sizeof *s->step, compare_steps);
  }
}


static void make_plan_steps(planBuilder *d)
{
  splitPlan *p = d->plan;
  for (int t = 0; t < p->tasks; t++) {
    ARENA_TAKE(&p->arena, p->steps[t].step, d->count[t] + count_sent(p, t));
    d->count[t] = 0;
  }
  for (int i = 0; i < d->n; i++) {
    const int t = d->step[i].task, unit = d->step[i].unit;
    const int message = unit < 0 ? d->message[d->step[i].message].number : -1;
    if (message >= 0) split_put_step(&p->steps[t], STEP_RECEIVE, message);
    if (unit >= 0 && is_unit_used(d, unit, t)) put_unit(d, t, unit, d->step[i].is_copy);
    d->count[t]++;
  }
  for (int t = 0; t < p->tasks; t++) sort_steps(&p->steps[t]);
}

//---- measures ------------------------------------------------------------------------------------

typedef struct planWeights {
  double cost, operations; // weights of a node's cost and of its operations
  splitOptions transfer;
} planWeights;


// number of values of a node that nodes of a task read
static int values_of(const splitPlan *p, int unit, int task)
{
  const taskUnit *u = &p->graph->unit[unit];
  int most = 1;
  for (int c = 0; c < u->nchild; c++) {
    const taskUnit *child = &p->graph->unit[u->child[c]];
    for (int k = 0; p->task[u->child[c]] == task && k < child->nparent; k++) {
      if (child->parent[k] == unit && child->reads[k] > most) most = child->reads[k];
    }
  }
  return most;
}


static int values_in(const splitPlan *p, const splitMessage *m)
{
  int n = 0;
  for (int i = 0; i < m->n; i++) n += values_of(p, m->unit[i], m->to);
  return n;
}


// completion time of a step; sent[m]: time when a message was sent, -1: not yet. Returns -1 if the
// task must wait
static double plan_step_end(const splitPlan *p, const planWeights *w, const splitStep *step,
                            double now, double *sent)
{
  const splitOptions *o = &w->transfer;
  if (step->kind <= STEP_COPY) {
    const taskUnit *u = &p->graph->unit[step->which];
    return now + (w->cost * u->cost + w->operations * u->operations);
  }
  const splitMessage *m = &p->message[step->which];
  const int n = o->read > 0 || o->write > 0 ? values_in(p, m) : 0;
  if (step->kind == STEP_SEND) return sent[step->which] = now + n * o->write;
  if (sent[step->which] < 0) return -1;
  return fmax(now + o->message, sent[step->which] + o->latency) + n * o->read;
}


// length of the critical path through steps and messages; -1 on deadlock
static double longest_plan_way(splitPlan *p, planWeights weights)
{
  const arenaPlace here = arena_place(&p->arena);
  double now[SPLIT_TASKS] = {0}, longest = 0, *sent;
  int next[SPLIT_TASKS] = {0}, left = 0, moved = 1;
  ARENA_TAKE(&p->arena, sent, p->nmessage);
  for (int m = 0; m < p->nmessage; m++) sent[m] = -1;
  for (int t = 0; t < p->tasks; t++) left += p->steps[t].n;
  while (moved && left > 0) {
    moved = 0;
    for (int t = 0; t < p->tasks; t++) {
      const splitSteps *s = &p->steps[t];
      for (; next[t] < s->n; next[t]++, left--, moved = 1) {
        const double end = plan_step_end(p, &weights, &s->step[next[t]], now[t], sent);
        if (end < 0) break;
        now[t] = end;
      }
    }
  }
  for (int t = 0; t < p->tasks; t++) longest = fmax(longest, now[t]);
  arena_return(&p->arena, here);
  return left == 0 ? longest : -1;
}


void split_plan_measure(splitPlan *p)
{
  p->ideal = longest_plan_way(p, (planWeights){.cost = 1});
  p->critical = (int) longest_plan_way(p, (planWeights){.operations = 1});
  p->critical_transfers = (int) longest_plan_way(p, (planWeights){.transfer.latency = 1});
}


double split_plan_time(splitPlan *p, const splitOptions *options)
{
  return longest_plan_way(p, (planWeights){.cost = 1, .transfer = *options});
}

//---- plans ---------------------------------------------------------------------------------------

// Candidate plans, of which the best is kept.
typedef struct planSearch {
  const taskGraph *graph;
  const taskMarks *marks;
  const splitOptions *options;
  splitPlan *now, *best;
  baseArena room; // temporary memory
} planSearch;


static void take_draft_room(planBuilder *d)
{
  splitPlan *p = d->plan;
  const int tasks = p->tasks;
  ARENA_TAKE(d->room, d->newest, tasks * tasks);
  ARENA_TAKE(d->room, d->position, p->graph->n);
  ARENA_TAKE(d->room, d->count, tasks);
  ARENA_TAKE(d->room, d->made, p->graph->n);
  ARENA_TAKE(d->room, d->used, p->graph->n);
  ARENA_TAKE(&p->arena, p->steps, tasks);
}


// use the faster of the two orders
static void choose_unit_order(splitClock *clock)
{
  const double plain = split_clock_run(clock);
  split_clock_order(clock, 1);
  if (split_clock_run(clock) > plain) split_clock_order(clock, 0);
}


// create the plan s->now for given homes
static void make_plan_of_homes(planSearch *s, const splitOptions *options, const int *task)
{
  const arenaPlace here = arena_place(&s->room);
  splitPlan *p = s->now = MEM_ARRAY(splitPlan, 1);
  if (!p) error_throw();
  *p = (splitPlan){.graph = s->graph, .tasks = options->tasks, .arena.leaves = 1};
  p->task = arena_copy(&p->arena, task, (size_t) s->graph->n, sizeof *task);
  planBuilder d = {.plan = p, .room = &s->room};
  splitClock clock;
  const splitEvents events = {&d, note_compute, note_wait, note_receive};
  take_draft_room(&d);
  split_clock_open(&clock, s->graph, options, p->task, &s->room);
  choose_unit_order(&clock);
  clock.events = &events;
  p->time = split_clock_run(&clock);
  find_uses(&d);
  drop_values(&d);
  make_messages(&d);
  make_plan_steps(&d);
  arena_return(&s->room, here);
  split_plan_measure(p);
}


// Returns 1 if every task has work. Otherwise tasks with work are renumbered, and nodes of the
// others go to task 0.
static int close_gaps(const splitPlan *p, int *task, int *tasks)
{
  int number[SPLIT_TASKS], n = 1;
  for (int t = 0; t < p->tasks; t++) number[t] = t > 0 && p->steps[t].units > 0 ? n++ : 0;
  for (int i = 0; i < p->graph->n; i++) task[i] = number[p->task[i]];
  *tasks = n;
  return n == p->tasks;
}


// make the present plan the best
static void take_plan(planSearch *s)
{
  split_plan_free(s->best);
  s->best = s->now;
  s->now = NULL;
}


// run several searches and keep the best plan, then remove tasks without work
static void search_plans(void *work)
{
  enum { SEARCHES = 4 };
  planSearch *s = work;
  splitOptions own = *s->options;
  int *task;
  ARENA_TAKE(&s->room, task, s->graph->n);
  for (int i = 0; i < (own.tasks > 1 ? SEARCHES : 1); i++, own.seed++) {
    split_assign(s->graph, s->marks, &own, task, &s->room);
    make_plan_of_homes(s, &own, task);
    if (!s->best || s->now->time < s->best->time) take_plan(s);
    split_plan_free(s->now);
    s->now = NULL;
  }
  own = *s->options;
  while (!close_gaps(s->best, task, &own.tasks)) {
    make_plan_of_homes(s, &own, task);
    take_plan(s);
  }
}


splitPlan *split_create(const taskGraph *graph, const taskMarks *marks, const splitOptions *options)
{
  planSearch s = {.graph = graph, .marks = marks, .options = options, .room.leaves = 1};
  const bool is_made = error_catch(search_plans, &s);
  arena_free(&s.room);
  split_plan_free(s.now);
  if (is_made) return s.best;
  split_plan_free(s.best);
  return NULL;
}


void split_plan_free(splitPlan *p)
{
  if (!p) return;
  arena_free(&p->arena);
  mem_free(p);
}
