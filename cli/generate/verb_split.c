// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula split: equations dealt out to tasks that run side by side.
#include <math.h>

#include "base/format.h"
#include "base/throw.h"
#include "command_report.h"
#include "verb_generate.h"

// The ways of the thesis next to the one that was chosen, by operations alone.
typedef struct splitOther {
  const char *name;
  int tasks;
  transferMeasures measures; // without arrays
} splitOther;
enum { SPLIT_OTHERS = SPLIT_WAYS };

typedef struct cliSplit {
  cliGenerate generate;
  splitChoice choice;
  emitSplit split;
  transferMeasures measures; // of the thesis's ways
  splitPlan *free;           // the search if transfers took no time
  int nother;
  splitOther other[SPLIT_OTHERS];
} cliSplit;

typedef struct taskFigures {
  int sent, received, values;
  double section[TASK_SECTIONS]; // time
} taskFigures;

// A group of branches and blocks: its operations, and the task that does them, -1: several do, or none.
typedef struct groupFigures {
  int operations, task;
} groupFigures;

static const char *const split_sections[TASK_SECTIONS] = {"drives",   "constraints", "forces",
                                                          "dynamics", "reduction",   "solution"};

//---- making --------------------------------------------------------------------------------------

static void measure_other(cliSplit *job, splitWay way, const char *name)
{
  splitOther *other = &job->other[job->nother++];
  splitChoice choice = split_default_choice(job->split.made.plan->tasks);
  splitMade made;
  choice.way = way;
  other->name = name;
  const int is_groups = way == SPLIT_SEARCH;
  if (is_groups) {
    choice.way = SPLIT_THESIS;
    choice.tasks = 0;
    choice.smallest = 0;
  }
  const int done = split_make(&made, job->split.graph, &job->split.marks, &choice) &&
                   transfer_measure(made.transfers, &other->measures);
  if (done) other->tasks = made.transfers->ntask;
  other->measures.size = other->measures.out = other->measures.in = other->measures.between = NULL;
  split_free(&made);
  if (!done) error_throw();
}


//---- figures -------------------------------------------------------------------------------------

static groupFigures split_group(const cliSplit *job, int group)
{
  const taskGraph *g = job->split.graph;
  const splitPlan *p = job->split.made.plan;
  groupFigures f = {.task = -1};
  int is_one = 1;
  for (int i = 0; i < g->n; i++) {
    if (g->unit[i].mark.task != group) continue;
    f.operations += g->unit[i].operations;
    if (f.task >= 0 && f.task != p->task[i]) is_one = 0;
    f.task = p->task[i];
  }
  if (!is_one) f.task = -1;
  return f;
}


// messages from a task to another; within a task, of the thesis, transfers from sequence to sequence
static int split_between(const cliSplit *job, int from, int to)
{
  const splitPlan *p = job->split.made.plan;
  int n = 0;
  if (from == to && job->measures.between) return job->measures.between[from * p->tasks + to];
  for (int m = 0; m < p->nmessage; m++) n += p->message[m].from == from && p->message[m].to == to;
  return n;
}


//---- groups and transfers ------------------------------------------------------------------------

// numbers from 1 on that belong to a group: a list, or as 2-7, 9 in a column
static void report_numbers(cliReport *report, const char *key, const int *of, int n, int group,
                           int width)
{
  char text[200] = "";
  int used = 0;
  json_array(report, key);
  for (int i = 1; i <= n; i++) {
    if (of[i] == group) json_integer(report, NULL, i);
  }
  json_end(report);
  for (int i = 1; i <= n && used < 180; i++) {
    int end = i;
    if (of[i] != group) continue;
    while (end < n && of[end + 1] == group) end++;
    used += format_text(text + used, sizeof text - (size_t) used, end > i ? "%s%d-%d" : "%s%d",
                        used ? " " : "", i, end);
    i = end;
  }
  say(report, " %-*s", width, used ? text : "-");
}


static void report_groups(cliReport *report, const cliSplit *job)
{
  const taskMarks *marks = &job->split.marks;
  const transferGraph *t = job->split.made.transfers;
  say(report, "  %d groups of branches and blocks, %d of them with something to do\n", t->ngroup,
      t->nprototype);
  say(report, "    %5s  %-30s %-12s %10s %5s\n", "group", "branches", "blocks", "operations",
      "task");
  json_array(report, "groups");
  for (int g = 0; g < t->ngroup; g++) {
    const groupFigures f = split_group(job, g);
    if (t->prototype[g] < 0) continue;
    json_object(report, NULL);
    report_fields(report, "group: %d", "    %5d ", t->prototype[g]);
    report_numbers(report, "branches", marks->groups.of_branch, marks->tree.n, g, 30);
    report_numbers(report, "blocks", marks->groups.of_block, marks->nblock, g, 12);
    json_fields(report, "operations: %d, of_task: %d", f.operations, f.task);
    say(report, " %10d ", f.operations);
    if (f.task >= 0) say(report, "%5d\n", f.task);
    if (f.task < 0) say(report, "several\n");
    json_end(report);
  }
  json_end(report);
}


// messages from task to task; people see them where they fit into a line
static void report_matrix(cliReport *report, const cliSplit *job)
{
  enum { MOST = 16 };
  const int n = job->split.made.plan->tasks, has_own = job->split.made.transfers != NULL;
  if (report_is_text(report) && (n < 2 || n > MOST)) return;
  say(report, "  messages from row to column%s\n    %4s",
      has_own ? "; in brackets transfers from sequence to sequence of one task" : "", "");
  for (int to = 0; to < n; to++) say(report, " %6d", to);
  say(report, "\n");
  json_array(report, "matrix");
  for (int from = 0; from < n; from++) {
    json_array(report, NULL);
    say(report, "    %4d", from);
    for (int to = 0; to < n; to++) {
      const int count = split_between(job, from, to);
      char own[20] = "-";
      if (has_own) snprintf(own, sizeof own, "(%d)", count);
      json_integer(report, NULL, count);
      if (from == to) say(report, " %6s", own);
      if (from != to) say(report, " %6d", count);
    }
    say(report, "\n");
    json_end(report);
  }
  json_end(report);
}


// of the thesis's ways
static void print_sequences(const cliSplit *job)
{
  const transferGraph *t = job->split.made.transfers;
  const transferMeasures *m = &job->measures;
  printf("  %d sequences; %d transfers between tasks, %d when they are grouped\n", t->n,
         m->transfers, m->kept);
  format_stream(
      stdout,
      "  by operations, transfers in no time: critical length %d, speed-up %s%.2f%s, rate %.0f "
      "%%\n",
      m->critical, cli_bold(stdout), m->speedup, cli_plain(stdout), 100 * m->rate);
  if (t->transfer == 0) return;
  format_stream(stdout, "  with %d operations a transfer: critical length %d, speed-up %.2f\n",
                t->transfer, m->timed, (double) m->operations / m->timed);
}


static void write_thesis(cliReport *report, const cliSplit *job)
{
  const transferGraph *t = job->split.made.transfers;
  const transferMeasures *m = &job->measures;
  json_object(report, "thesis");
  json_fields(
      report,
      "smallest: %g, operations_of_a_transfer: %d, critical: %d, critical_with_transfers: %d",
      job->choice.smallest, t->transfer, m->critical, m->timed);
  json_fields(report, "speedup: %g, rate: %g, transfers: %d, kept: %d", m->speedup, m->rate,
              m->transfers, m->kept);
  report_groups(report, job);
  json_array(report, "sequences");
  for (int i = 0; i < t->n; i++) {
    const transferSequence *s = &t->sequence[i];
    json_item(report, NULL, "of_task: %d, position: %d, operations: %d, asap: %d, alap: %d",
              s->task, s->position, s->operations, s->asap, s->alap);
  }
  json_end(report);
  json_end(report);
}

//---- tasks ---------------------------------------------------------------------------------------

static void report_tasks(cliReport *report, const splitPlan *p)
{
  say(report, "  %4s %6s %7s %10s %7s %5s %5s %7s  %s\n", "task", "units", "copies", "operations",
      "time", "busy", "sent", "receives", "of its time");
  json_array(report, "task");
  for (int t = 0; t < p->tasks; t++) {
    const splitSteps *s = &p->steps[t];
    ART_ASSERT(t >= 0 && t < p->tasks);
    taskFigures f = {0};
    for (int m = 0; m < p->nmessage; m++) {
      f.sent += p->message[m].from == t;
      f.received += p->message[m].to == t;
      if (p->message[m].to == t) f.values += p->message[m].n;
    }
    for (int i = 0; i < p->steps[t].n; i++) {
      const splitStep *step = &p->steps[t].step[i];
      if (step->kind > STEP_COPY) continue;
      const taskUnit *u = &p->graph->unit[step->which];
      f.section[u->mark.section] += u->cost;
    }
    json_object(report, NULL);
    say(report, "  %4d", t);
    report_fields(report, "units: %d, copies: %d, operations: %d, time: %g", " %6d %7d %10d %7.0f",
                  s->units, s->copies, s->operations, s->cost);
    say(report, " %4.0f%%", 100 * s->cost / p->time);
    report_fields(report, "sent: %d, received: %d", " %5d %8d ", f.sent, f.received);
    json_integer(report, "values", f.values);
    for (int k = 0; k < TASK_SECTIONS; k++) {
      const double share = s->cost > 0 ? 100 * f.section[k] / s->cost : 0;
      if (share >= 1) say(report, " %s %.0f%%", split_sections[k], share);
    }
    say(report, "\n");
    json_end(report);
  }
  json_end(report);
}


// the limits of the speed of the tasks
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
  format_stream(
      stdout,
      "  why: task %d works %.0f %% of the time, %.1f %% more than an equal share; copies take "
      "%.1f %% of all work,\n       waiting for messages %.1f %% of the time\n",
      busiest, 100 * most / p->time, 100 * (most * p->tasks / g->cost - 1),
      100 * fmax(copies, 0) / g->cost, 100 * (1 - p->ideal / p->time));
  format_stream(
      stdout,
      "       the longest chain takes %.0f, so no split is faster than %.2f times one task; the "
      "largest unit\n       takes %.0f (%s)\n",
      g->longest_chain, g->cost / g->longest_chain, g->unit[largest].cost,
      job->split.list->function->stage[g->unit[largest].stage].title);
  if (calls > 0) printf("       functions of the user are called in task 0 alone, %d\n", calls);
}


static void report_others(cliReport *report, const cliSplit *job)
{
  const splitPlan *p = job->split.made.plan;
  say(report, "  by operations alone, transfers in no time:\n");
  say(report, "    %-32s %5s %9s %9s %9s %10s\n", "", "tasks", "critical", "speed-up", "transfers",
      "on one way");
  if (report_is_text(report)) {
    format_stream(stdout, "    %-32s %5d %9d %9.2f %9d %10d\n", ("this split"), p->tasks,
                  p->critical, ((double) job->split.graph->operations / p->critical), p->nmessage,
                  p->critical_transfers);
  }
  json_array(report, "others");
  for (int i = 0; i < job->nother; i++) {
    const splitOther *o = &job->other[i];
    const transferMeasures *m = &o->measures;
    report_item(
        report, NULL,
        "name: %s, tasks: %d, critical: %d, speedup: %g, transfers: %d, critical_transfers: %d",
        "    %-32s %5d %9d %9.2f %9d %10d\n", o->name, o->tasks, m->critical, m->speedup, m->kept,
        m->critical_transfers);
  }
  json_end(report);
}

//---- all together --------------------------------------------------------------------------------

static void print_split_head(const cliSplit *job)
{
  const splitPlan *p = job->split.made.plan;
  const taskGraph *g = job->split.graph;
  cli_print_title(job->generate.w->call, job->generate.program->title);
  printf(": %s in %d task%s, by %s\n", job->split.list->function->name, p->tasks,
         plural_s(p->tasks), split_way_name(job->choice.way));
  const splitChoice *choice = &job->choice;
  const transferGraph *t = job->split.made.transfers;
  const int groups = t ? t->nprototype : 0;
  if (p->tasks < choice->tasks) {
    printf("  %d tasks were asked for: %s\n", choice->tasks, split_fewer_reason(choice, groups));
  } else if (choice->tasks == 0 && !choice->gathered && p->tasks < groups) {
    format_stream(stdout,
                  "  %d groups became %d tasks: those smaller than k = %g times the mean were "
                  "merged; --smallest 0 keeps them\n",
                  groups, p->tasks, choice->smallest);
  }
  format_stream(
      stdout,
      "  %d operations in %d units; time counts in additions, iterations as often as they are "
      "taken: %.0f\n",
      g->operations, g->n, g->cost);
}


static void print_speed(const cliSplit *job)
{
  const splitPlan *p = job->split.made.plan;
  const taskGraph *g = job->split.graph;
  const splitOptions o = split_options_of(&job->choice);
  int values = 0;
  for (int m = 0; m < p->nmessage; m++) values += p->message[m].n;
  format_stream(stdout, "  critical length %.0f, with transfers %.0f\n", p->ideal, p->time);
  format_stream(stdout, "  predicted speed-up %s%.2f%s, without transfers %.2f; rate %.0f %%\n",
                cli_bold(stdout), g->cost / p->time, cli_plain(stdout), g->cost / p->ideal,
                100 * g->cost / (p->ideal * p->tasks));
  format_stream(
      stdout, "  if transfers took no time another split would be %.2f times as fast as one task\n",
      g->cost / job->free->ideal);
  format_stream(
      stdout,
      "  %s: a message arrives after %.0f and holds its receiver up by %.0f,\n  each value its "
      "maker by %.0f and its reader by %.0f\n",
      isnan(job->choice.transfer) ? "measured, an addition being 0.3 ns" : "in additions, as asked",
      o.latency, o.message, o.write, o.read);
  printf("  %d messages with the values of %d units, %d of them one after the other\n", p->nmessage,
         values, p->critical_transfers);
}


// JSON into a stream, or with NULL text for people
static void split_report(const cliSplit *job, FILE *json)
{
  const splitPlan *p = job->split.made.plan;
  const taskGraph *g = job->split.graph;
  const bool is_thesis = job->split.made.transfers != NULL;
  cliReport report = {.file = json};
  if (!json) {
    print_split_head(job);
    if (is_thesis) report_groups(&report, job);
    report_tasks(&report, p);
    report_matrix(&report, job);
    if (is_thesis) print_sequences(job);
    print_speed(job);
    print_why(job);
    report_others(&report, job);
    return;
  }
  json_object(&report, NULL);
  json_fields(&report, "file: %s, function: %s, by: %s, asked: %d", job->generate.w->call->file,
              job->split.list->function->name, split_way_name(job->choice.way), job->choice.tasks);
  json_fields(&report, "tasks: %d, operations: %d, time: %g, longest_chain: %g", p->tasks,
              g->operations, g->cost, g->longest_chain);
  json_fields(&report,
              "critical: %g, critical_with_transfers: %g, critical_operations: %d, speedup: %g",
              p->ideal, p->time, p->critical, g->cost / p->ideal);
  json_fields(&report,
              "speedup_with_transfers: %g, speedup_if_transfers_were_free: %g, messages: %d, "
              "critical_messages: %d",
              g->cost / p->time, g->cost / job->free->ideal, p->nmessage, p->critical_transfers);
  report_tasks(&report, p);
  report_matrix(&report, job);
  if (is_thesis) write_thesis(&report, job);
  report_others(&report, job);
  json_end(&report);
}

//---- CSV -----------------------------------------------------------------------------------------

static const char *const kinds[] = {"compute", "copy", "send", "receive"};


static void write_unit(const cliSplit *job, int unit, FILE *out)
{
  const taskUnit *u = &job->split.graph->unit[unit];
  const transferGraph *t = job->split.made.transfers;
  fprintf(out, "%d,,,,%s,%d,%d,", unit, split_sections[u->mark.section], u->mark.branch,
          u->mark.block);
  if (t) fprintf(out, "%d", t->of[unit]);
  fprintf(out, ",%d,", u->operations);

  // the unit gives values to its last variable, or the vector of an assignment
  const eqnList *l = job->split.list;
  const char *name = u->end > u->first ? l->equation[u->end - 1].name : NULL;
  if (u->kind == TASK_NEWTON || u->kind == TASK_WHEN) {
    fprintf(out, "\"%s\"", l->function->stage[u->stage].title);
  } else {
    fputs(name ? name : u->kind == TASK_EQUATION ? "result" : "", out);
  }
}


static void split_write_csv(const cliSplit *job, FILE *out)
{
  const splitPlan *p = job->split.made.plan;
  fputs("task,step,what,number,from,to,units,section,branch,block,sequence,operations,name\n", out);
  for (int t = 0; t < p->tasks; t++) {
    for (int i = 0; i < p->steps[t].n; i++) {
      const splitStep *step = &p->steps[t].step[i];
      fprintf(out, "%d,%d,%s,", t, i + 1, kinds[step->kind]);
      if (step->kind <= STEP_COPY) {
        write_unit(job, step->which, out);
      } else {
        const splitMessage *m = &p->message[step->which];
        fprintf(out, "%d,%d,%d,%d,,,,,,", step->which, m->from, m->to, m->n);
      }
      fputc('\n', out);
    }
  }
}

//---- the verb ------------------------------------------------------------------------------------

void split_check(const cliCall *call)
{
  const char *path = call->directory;
  cli_check_tasks(call);
  if (!path || file_has_ending(path, ".json") || file_has_ending(path, ".csv")) return;
  cli_leave("-o %.200s: expected FILE.json, all of the split, or FILE.csv, its steps", path);
}


static void end_split(void *kept)
{
  cliSplit *job = kept;
  split_plan_free(job->free);
  emit_split_free(&job->split);
}


void verb_split(cliWork *w)
{
  cliSplit *job = arena_alloc(&w->arena, 1, sizeof *job);
  job->generate.w = w;
  cli_defer(w, generate_free, &job->generate);
  cli_defer(w, end_split, job);
  emitOptions options = {.equations = generate_read_passes(job->generate.w->call)};
  generate_program(&job->generate);
  job->choice = cli_choose_split(&job->generate);
  error_check(
      emit_split(&job->split, job->generate.program, &job->choice, &options, error_current()));
  const splitOptions free = split_free_options(job->split.made.plan->tasks);
  job->free = split_create(job->split.graph, &job->split.marks, &free);
  transferGraph *t = job->split.made.transfers;
  if (!job->free || (t && !transfer_measure(t, &job->measures))) error_throw();
  // the first represents groups as they come
  static const char *const names[SPLIT_OTHERS] = {
      "groups of branches and blocks", "merged with small ones", "merged with whom they talk to",
      "dealt out on a grid", "merged with small ones, moved"};
  for (int way = 0; way < SPLIT_OTHERS; way++) measure_other(job, (splitWay) way, names[way]);
  const cliCall *call = job->generate.w->call;
  if (job->split.graph->operations == 0) {
    error_refuse((artPlace){.file = call->file},
                 "%s has no operations to split: nothing in the machine moves",
                 job->split.list->function->name);
  }
  if (call->directory) {
    baseFile file;
    error_check(file_begin(&file, call->directory, error_current()));
    if (file_has_ending(call->directory, ".csv")) {
      split_write_csv(job, file.stream);
    } else {
      split_report(job, file.stream);
    }
    error_check(file_commit(&file, error_current()));
  }
  if (call->json || !call->quiet) split_report(job, call->json ? stdout : NULL);
}
