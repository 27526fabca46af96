// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From sequences and transfers of the thesis to the steps of tasks.
#include <stdlib.h>

#include "base/memory.h"
#include "base/throw.h"
#include "split/split_plan.h"

typedef struct transferWork {
  splitPlan *plan;
  transferGraph *transfers;
  int *number; // [narc] message of a transfer that is kept between tasks, -1: others
  int *first;  // [n + 1] first member of each sequence
  int *member; // [graph->n]
  int *begin;  // [tasks tasks + 1] first message from row to column; messages are consecutive
} transferWork;

//---- messages ------------------------------------------------------------------------------------

static int is_message(const transferGraph *t, const transferArc *a)
{
  return a->is_kept && t->sequence[a->from].task != t->sequence[a->to].task;
}


typedef struct messageKey {
  int from, to, position, arc;
} messageKey;


static int compare_messages(const void *a, const void *b)
{
  const messageKey *x = a, *y = b;
  if (x->from != y->from) return x->from - y->from;
  return x->to != y->to ? x->to - y->to : x->position - y->position;
}


// order messages by origin, destination and time
static void number_messages(transferWork *w)
{
  transferGraph *t = w->transfers;
  splitPlan *p = w->plan;
  messageKey *key;
  ARENA_TAKE(&t->arena, key, t->narc + 1);
  for (int k = 0; k < t->narc; k++) {
    const transferSequence *from = &t->sequence[t->arc[k].from], *to = &t->sequence[t->arc[k].to];
    w->number[k] = -1;
    if (is_message(t, &t->arc[k])) {
      key[p->nmessage++] = (messageKey){from->task, to->task, from->position, k};
      w->begin[from->task * p->tasks + to->task + 1]++;
    }
  }
  qsort(key, (size_t) p->nmessage, sizeof *key, compare_messages);
  for (int i = 0; i < p->tasks * p->tasks; i++) w->begin[i + 1] += w->begin[i];
  ARENA_TAKE(&p->arena, p->message, p->nmessage);
  for (int m = 0; m < p->nmessage; m++) {
    p->message[m] = (splitMessage){.from = key[m].from, .to = key[m].to};
    w->number[key[m].arc] = m;
  }
}


// First reader of a node in a task: the position of its sequence, or -1.
static int first_reader(const transferWork *w, int unit, int task)
{
  const taskUnit *u = &w->plan->graph->unit[unit];
  int first = -1;
  for (int k = 0; k < u->nchild; k++) {
    const transferSequence *s = &w->transfers->sequence[w->transfers->of[u->child[k]]];
    if (s->task == task && (first < 0 || s->position < first)) first = s->position;
  }
  return first;
}


// The first message to a task that is sent after the node is computed and arrives before it is
// read; -1: the task does not read it. There is always one: that of its own transfer, or the one
// with which that was grouped.
static int message_for(const transferWork *w, const int *arc, int unit, int to)
{
  ART_ASSERT(to >= 0 && to < w->plan->tasks);
  const transferGraph *t = w->transfers;
  const transferSequence *own = &t->sequence[t->of[unit]];
  const int reader = first_reader(w, unit, to), pair = own->task * w->plan->tasks + to;
  for (int m = w->begin[pair]; reader >= 0 && m < w->begin[pair + 1]; m++) {
    const transferArc *a = &t->arc[arc[m]];
    const int leaves = t->sequence[a->from].position, arrives = t->sequence[a->to].position;
    if (leaves >= own->position && arrives <= reader) return m;
  }
  return -1;
}


// nodes carried by messages: first count, then fill
static void fill_messages(transferWork *w)
{
  splitPlan *p = w->plan;
  int *arc; // transfer of each message
  ARENA_TAKE(&w->transfers->arena, arc, p->nmessage + 1);
  for (int k = 0; k < w->transfers->narc; k++) {
    if (w->number[k] >= 0) arc[w->number[k]] = k;
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < p->graph->n; i++) {
      for (int t = 0; t < p->tasks; t++) {
        const int m = t == p->task[i] ? -1 : message_for(w, arc, i, t);
        if (m < 0) continue;
        if (pass == 1) p->message[m].unit[p->message[m].n] = i;
        p->message[m].n++;
      }
    }
    for (int m = 0; pass == 0 && m < p->nmessage; m++) {
      ARENA_TAKE(&p->arena, p->message[m].unit, p->message[m].n);
      p->message[m].n = 0;
    }
  }
}

//---- steps ---------------------------------------------------------------------------------------

static void list_sequence_members(transferWork *w)
{
  const int n = w->plan->graph->n, *of = w->transfers->of;
  for (int i = 0; i < n; i++) w->first[of[i] + 1]++;
  for (int s = 0; s < w->transfers->n; s++) w->first[s + 1] += w->first[s];
  for (int i = n - 1; i >= 0; i--) w->member[--w->first[of[i] + 1]] = i;

  // the loop above has moved every end to the beginning
  for (int s = 0; s < w->transfers->n; s++) w->first[s] = w->first[s + 1];
  w->first[w->transfers->n] = n;
}


static void put_units(transferWork *w, int sequence, splitSteps *s)
{
  for (int k = w->first[sequence]; k < w->first[sequence + 1]; k++) {
    const taskUnit *u = &w->plan->graph->unit[w->member[k]];
    split_put_step(s, STEP_COMPUTE, w->member[k]);
    s->units++;
    s->operations += u->operations;
    s->cost += u->cost;
  }
}


// receive the messages that a sequence reads, run its nodes, send the messages that it completes
static void put_sequence(transferWork *w, int sequence)
{
  ART_ASSERT(sequence >= 0 && sequence < w->transfers->n);
  const transferGraph *t = w->transfers;
  splitSteps *s = &w->plan->steps[t->sequence[sequence].task];
  for (int k = 0; k < t->narc; k++) {
    if (w->number[k] >= 0 && t->arc[k].to == sequence)
      split_put_step(s, STEP_RECEIVE, w->number[k]);
  }
  put_units(w, sequence, s);
  for (int k = 0; k < t->narc; k++) {
    if (w->number[k] >= 0 && t->arc[k].from == sequence) split_put_step(s, STEP_SEND, w->number[k]);
  }
}


static void make_transfer_steps(transferWork *w)
{
  splitPlan *p = w->plan;
  int room[SPLIT_TASKS] = {0};
  for (int i = 0; i < p->graph->n; i++) room[p->task[i]]++;
  for (int m = 0; m < p->nmessage; m++) {
    room[p->message[m].from]++;
    room[p->message[m].to]++;
  }
  for (int t = 0; t < p->tasks; t++) ARENA_TAKE(&p->arena, p->steps[t].step, room[t]);
  list_sequence_members(w);
  for (int i = 0; i < w->transfers->n; i++) put_sequence(w, w->transfers->order[i]);
}

//---- plans ---------------------------------------------------------------------------------------

static void take_transfer_room(transferWork *w)
{
  transferGraph *t = w->transfers;
  splitPlan *p = w->plan;
  ARENA_TAKE(&t->arena, w->number, t->narc + 1);
  ARENA_TAKE(&t->arena, w->first, t->n + 2);
  ARENA_TAKE(&t->arena, w->member, p->graph->n);
  ARENA_TAKE(&t->arena, w->begin, p->tasks * p->tasks + 1);
  ARENA_TAKE(&p->arena, p->task, p->graph->n);
  ARENA_TAKE(&p->arena, p->steps, p->tasks);
  for (int i = 0; i < p->graph->n; i++) p->task[i] = t->sequence[t->of[i]].task;
}


void split_plan_of_transfers(splitPlan **plan, const taskGraph *graph, transferGraph *transfers,
                             const splitOptions *options)
{
  const arenaPlace here = arena_place(&transfers->arena);
  splitPlan *p = *plan = MEM_ARRAY(splitPlan, 1);
  if (!p) error_throw();
  *p = (splitPlan){.graph = graph, .tasks = transfers->ntask, .arena.leaves = 1};
  transferWork w = {.plan = p, .transfers = transfers};
  take_transfer_room(&w);
  number_messages(&w);
  fill_messages(&w);
  make_transfer_steps(&w);
  arena_return(&transfers->arena, here);
  split_plan_measure(p);
  p->time = split_plan_time(p, options);
  if (p->time < 0) error_throw();
}
