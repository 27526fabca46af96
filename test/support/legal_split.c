// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Whether a plan can be carried out.
#include <stdio.h>

#include "base/memory.h"
#include "support/legal.h"

typedef struct checkWork {
  const splitPlan *plan;
  uint64_t *at_hand;      // [graph->n] bit t: task t has it
  unsigned char *is_sent; // [nmessage]
  char *what;
} checkWork;


static int has(const checkWork *w, int unit, int t)
{
  return (int) (w->at_hand[unit] >> t & 1);
}


static int fail(const checkWork *w, const char *problem, int task, int which)
{
  snprintf(w->what, 100, "%s: task %d, number %d", problem, task, which);
  return 0;
}


static int compute(checkWork *w, int t, int unit, int is_copy)
{
  const taskUnit *u = &w->plan->graph->unit[unit];
  for (int k = 0; k < u->nparent; k++) {
    if (!has(w, u->parent[k], t)) return fail(w, "a unit reads what is not there", t, unit);
  }
  if (has(w, unit, t)) return fail(w, "a unit is computed twice", t, unit);
  if (is_copy ? u->kind != TASK_EQUATION || u->is_call : w->plan->task[unit] != t) {
    return fail(w, "a unit is in the wrong task", t, unit);
  }
  w->at_hand[unit] |= (uint64_t) 1 << t;
  return 1;
}


// 1: done, 0: wrong, -1: it has to wait
static int take_step(checkWork *w, int t, const splitStep *step)
{
  if (step->kind == STEP_COMPUTE || step->kind == STEP_COPY) {
    return compute(w, t, step->which, step->kind == STEP_COPY);
  }
  const splitMessage *m = &w->plan->message[step->which];
  const int is_send = step->kind == STEP_SEND;
  if (t != (is_send ? m->from : m->to)) return fail(w, "a message is astray", t, step->which);
  if (!is_send && !w->is_sent[step->which]) return -1;
  for (int i = 0; i < m->n; i++) {
    if (is_send && !has(w, m->unit[i], t)) return fail(w, "sent too early", t, step->which);
    if (!is_send) w->at_hand[m->unit[i]] |= (uint64_t) 1 << t;
  }
  if (is_send) w->is_sent[step->which] = 1;
  return 1;
}


static int run(checkWork *w)
{
  const splitPlan *p = w->plan;
  int next[SPLIT_TASKS] = {0}, moved = 1;
  while (moved) {
    moved = 0;
    for (int t = 0; t < p->tasks; t++) {
      for (; next[t] < p->steps[t].n; next[t]++, moved = 1) {
        const int done = take_step(w, t, &p->steps[t].step[next[t]]);
        if (done == 0) return 0;
        if (done < 0) break;
      }
    }
  }
  for (int t = 0; t < p->tasks; t++) {
    if (next[t] < p->steps[t].n) return fail(w, "a task waits for ever", t, next[t]);
  }
  for (int i = 0; i < p->graph->n; i++) {
    if (!w->at_hand[i]) return fail(w, "a unit is not computed", p->task[i], i);
  }
  return 1;
}


int split_plan_is_legal(const splitPlan *plan, char what[100])
{
  checkWork w = {.plan = plan, .what = what};
  w.at_hand = MEM_ARRAY(uint64_t, plan->graph->n);
  w.is_sent = MEM_ARRAY(unsigned char, plan->nmessage + 1);
  const int legal = w.at_hand && w.is_sent && run(&w);
  mem_free(w.at_hand);
  mem_free(w.is_sent);
  return legal;
}
