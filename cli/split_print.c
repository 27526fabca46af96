// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A split as text.
#include <math.h>

#include "split.h"

//---- groups and transfers ------------------------------------------------------------------------

// 2-7, 9: numbers from 1 on that belong to a group, in a column
static void print_numbers(const int *of, int n, int group, int width)
{
  char text[200] = "";
  int used = 0;
  for (int i = 1; i <= n && used < 180; i++) {
    int end = i;
    if (of[i] != group) continue;
    while (end < n && of[end + 1] == group) end++;
    used += snprintf(text + used, sizeof text - (size_t) used, end > i ? "%s%d-%d" : "%s%d",
                     used ? " " : "", i, end);
    i = end;
  }
  printf(" %-*s", width, used ? text : "-");
}


static void print_groups(const cliSplit *job)
{
  const taskMarks *marks = &job->split.marks;
  const transferGraph *t = job->split.made.transfers;
  printf("  %d groups of branches and blocks, %d of them with something to do\n", t->ngroup,
         t->nprototype);
  printf("    %5s  %-30s %-12s %10s %5s\n", "group", "branches", "blocks", "operations", "task");
  for (int g = 0; g < t->ngroup; g++) {
    const groupFigures f = split_group(job, g);
    if (t->prototype[g] < 0) continue;
    printf("    %5d ", t->prototype[g]);
    print_numbers(marks->groups.of_branch, marks->tree.n, g, 30);
    print_numbers(marks->groups.of_block, marks->nblock, g, 12);
    printf(" %10d ", f.operations);
    if (f.task >= 0) {
      printf("%5d\n", f.task);
    } else {
      printf("several\n");
    }
  }
}


static void print_row(const cliSplit *job, int from)
{
  const int n = job->split.made.plan->tasks, has_own = job->split.made.transfers != NULL;
  printf("    %4d", from);
  for (int to = 0; to < n; to++) {
    char own[20] = "-";
    if (has_own) snprintf(own, sizeof own, "(%d)", split_between(job, from, to));
    if (from == to) {
      printf(" %6s", own);
    } else {
      printf(" %6d", split_between(job, from, to));
    }
  }
  putchar('\n');
}


static void print_matrix(const cliSplit *job)
{
  enum { MOST = 16 }; // that fit into a line
  const int n = job->split.made.plan->tasks;
  if (n < 2 || n > MOST) return;
  printf("  messages from row to column%s\n    %4s",
         job->split.made.transfers ? "; in brackets transfers from sequence to sequence of one task"
                                   : "",
         "");
  for (int to = 0; to < n; to++) printf(" %6d", to);
  putchar('\n');
  for (int from = 0; from < n; from++) print_row(job, from);
}


static void print_sequences(const cliSplit *job)
{
  const transferGraph *t = job->split.made.transfers;
  const transferMeasures *m = &job->measures;
  printf("  %d sequences; %d transfers between tasks, %d when they are grouped\n", t->n,
         m->transfers, m->kept);
  printf("  by operations, transfers in no time: critical length %d, speed-up %s%.2f%s, rate %.0f "
         "%%\n",
         m->critical, cli_bold(stdout), m->speedup, cli_plain(stdout), 100 * m->rate);
  if (t->transfer == 0) return;
  printf("  with %d operations a transfer: critical length %d, speed-up %.2f\n", t->transfer,
         m->timed, (double) m->operations / m->timed);
}

//---- tasks ---------------------------------------------------------------------------------------

static void print_tasks(const splitPlan *p)
{
  printf("  %4s %6s %7s %10s %7s %5s %5s %7s  %s\n", "task", "units", "copies", "operations",
         "time", "busy", "sent", "receives", "of its time");
  for (int t = 0; t < p->tasks; t++) {
    const splitSteps *s = &p->steps[t];
    const taskFigures f = split_figures(p, t);
    printf("  %4d %6d %7d %10d %7.0f %4.0f%% %5d %8d ", t, s->units, s->copies, s->operations,
           s->cost, 100 * s->cost / p->time, f.sent, f.received);
    for (int k = 0; k < TASK_SECTIONS; k++) {
      const double share = s->cost > 0 ? 100 * f.section[k] / s->cost : 0;
      if (share >= 1) printf(" %s %.0f%%", split_sections[k], share);
    }
    putchar('\n');
  }
}


// what keeps the tasks from being faster
static void print_why(const cliSplit *job)
{
  const splitPlan *p = job->split.made.plan;
  const taskGraph *g = job->split.graph;
  double most = 0, copies = -g->cost;
  int busiest = 0, calls = 0, largest = 0;
  for (int t = 0; t < p->tasks; t++) {
    copies += p->steps[t].cost;
    if (p->steps[t].cost > most) most = p->steps[busiest = t].cost;
  }
  for (int i = 0; i < g->n; i++) {
    calls += g->unit[i].is_call;
    if (g->unit[i].cost > g->unit[largest].cost) largest = i;
  }
  printf("  why: task %d works %.0f %% of the time, %.1f %% more than an equal share; copies take "
         "%.1f %% of all work,\n       waiting for messages %.1f %% of the time\n",
         busiest, 100 * most / p->time, 100 * (most * p->tasks / g->cost - 1),
         100 * fmax(copies, 0) / g->cost, 100 * (1 - p->ideal / p->time));
  printf("       the longest chain takes %.0f, so no split is faster than %.2f times one task; the "
         "largest unit\n       takes %.0f (%s)\n",
         task_longest_chain(g), g->cost / task_longest_chain(g), g->unit[largest].cost,
         job->split.list->function->stage[g->unit[largest].stage].title);
  if (calls > 0) printf("       functions of the user are called in task 0 alone, %d\n", calls);
}


static void print_way(const char *name, int tasks, int critical, double speedup, int transfers,
                      int on_one_way)
{
  printf("    %-32s %5d %9d %9.2f %9d %10d\n", name, tasks, critical, speedup, transfers,
         on_one_way);
}


static void print_others(const cliSplit *job)
{
  const splitPlan *p = job->split.made.plan;
  printf("  by operations alone, transfers in no time:\n");
  printf("    %-32s %5s %9s %9s %9s %10s\n", "", "tasks", "critical", "speed-up", "transfers",
         "on one way");
  print_way("this split", p->tasks, p->critical,
            (double) job->split.graph->operations / p->critical, p->nmessage,
            p->critical_transfers);
  for (int i = 0; i < job->nother; i++) {
    const splitOther *o = &job->other[i];
    const transferMeasures *m = &o->measures;
    print_way(o->name, o->tasks, m->critical, m->speedup, m->kept, m->critical_transfers);
  }
}

//---- all together --------------------------------------------------------------------------------

static void print_costs(const splitChoice *choice)
{
  const splitOptions o = split_options_of(choice);
  printf("  %s: a message arrives after %.0f and holds its receiver up by %.0f,\n  each value its "
         "maker by %.0f and its reader by %.0f\n",
         isnan(choice->transfer) ? "measured, an addition being 0.3 ns" : "in additions, as asked",
         o.latency, o.message, o.write, o.read);
}


static void print_head(const cliSplit *job)
{
  const splitPlan *p = job->split.made.plan;
  const taskGraph *g = job->split.graph;
  cli_print_title(job->generate.w->call, job->generate.program->title);
  printf(": %s in %d task%s, by %s\n", job->split.list->function->name, p->tasks,
         p->tasks == 1 ? "" : "s", split_way_name(job->choice.way));
  if (p->tasks < job->choice.tasks) {
    printf("  %d tasks were asked for: the others would have nothing to do\n", job->choice.tasks);
  }
  printf("  %d operations in %d units; time counts in additions, iterations as often as they are "
         "taken: %.0f\n",
         g->operations, g->n, g->cost);
}


void split_print(const cliSplit *job)
{
  const splitPlan *p = job->split.made.plan;
  const taskGraph *g = job->split.graph;
  int values = 0;
  for (int m = 0; m < p->nmessage; m++) values += p->message[m].n;
  print_head(job);
  if (job->split.made.transfers) print_groups(job);
  print_tasks(p);
  print_matrix(job);
  if (job->split.made.transfers) print_sequences(job);
  printf("  critical length %.0f, with transfers %.0f\n", p->ideal, p->time);
  printf("  predicted speed-up %s%.2f%s, without transfers %.2f; rate %.0f %%\n", cli_bold(stdout),
         g->cost / p->time, cli_plain(stdout), g->cost / p->ideal,
         100 * g->cost / (p->ideal * p->tasks));
  printf("  if transfers took no time another split would be %.2f times as fast as one task\n",
         g->cost / job->free->ideal);
  print_costs(&job->choice);
  printf("  %d messages with the values of %d units, %d of them one after the other\n", p->nmessage,
         values, p->critical_transfers);
  print_why(job);
  print_others(job);
}
