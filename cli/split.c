// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula split: equations dealt out to tasks that run side by side.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "generate.h"
#include "io/json.h"
#include "sched/merge.h"
#include "sched/split_plan.h"
#include "study/assemble.h"

typedef struct splitJob {
  const cliCall *call;
  artModel *model;
  artData *data;
  eqnProgram *program;
  eqnList *list;
  taskGraph *graph;
  taskMarks marks;
  splitPlan *plan;
  splitPlan *free; // the one for transfers that take no time
} splitJob;

static const char *const sections[TASK_SECTIONS] = {"drives",   "constraints", "forces",
                                                    "dynamics", "reduction",   "solution"};

//---- making --------------------------------------------------------------------------------------

static artStatus make_list(splitJob *job, artError *error)
{
  const char *word = job->call->form ? job->call->form : "accelerate";
  const cliForm *form = cli_forms;
  while (form->name && strcmp(form->name, word) != 0) form++;
  if (!form->name) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--form '%.60s' is not known; there are those of 'articula generate --forms'",
                     word);
  }
  artStatus status =
      job->model->nrow > 0 ? study_assemble(job->model, job->data, NULL, error) : ART_OK;
  const genOptions options = {.forms = form->bit};
  if (status == ART_OK) status = gen_create(&job->program, job->model, job->data, &options, error);
  if (status != ART_OK) return status;
  const eqnFunction *f = gen_function(job->program, "accelerate");
  const eqnOptions standard = eqn_default_options();
  job->list = eqn_list_create(job->program, f ? f : &job->program->function[0], &standard);
  return job->list ? ART_OK : base_no_memory(error);
}


static artStatus make_plan(splitJob *job, artError *error)
{
  const int tasks = isnan(job->call->tasks) ? 2 : (int) job->call->tasks;
  const splitOptions options = split_default_options(tasks), free = split_free_options(tasks);
  artStatus status = make_list(job, error);
  if (status != ART_OK) return status;
  job->graph = task_graph_create(job->list);
  if (job->graph && task_mark(job->graph, &job->marks)) {
    job->plan = split_create(job->graph, &job->marks, &options);
    job->free = split_create(job->graph, &job->marks, &free);
  }
  return job->plan && job->free ? ART_OK : base_no_memory(error);
}

//---- ours ----------------------------------------------------------------------------------------

typedef struct taskFigures {
  int sent, received, values;
  double section[TASK_SECTIONS]; // time
} taskFigures;


static taskFigures figures_of(const splitPlan *p, int t)
{
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
  return f;
}


static void print_tasks(const splitPlan *p)
{
  printf("  %4s %6s %7s %10s %7s %5s %5s %7s  %s\n", "task", "units", "copies", "operations",
         "time", "busy", "sent", "receives", "of its time");
  for (int t = 0; t < p->tasks; t++) {
    const splitSteps *s = &p->steps[t];
    const taskFigures f = figures_of(p, t);
    printf("  %4d %6d %7d %10d %7.0f %4.0f%% %5d %8d ", t, s->units, s->copies, s->operations,
           s->cost, 100 * s->cost / p->time, f.sent, f.received);
    for (int k = 0; k < TASK_SECTIONS; k++) {
      const double share = s->cost > 0 ? 100 * f.section[k] / s->cost : 0;
      if (share >= 1) printf(" %s %.0f%%", sections[k], share);
    }
    putchar('\n');
  }
}


// what keeps the tasks from being faster
static void print_why(const splitJob *job)
{
  const splitPlan *p = job->plan;
  const taskGraph *g = job->graph;
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
         100 * copies / g->cost, 100 * (1 - p->ideal / p->time));
  printf("       the longest chain takes %.0f, so no split is faster than %.2f times one task; the "
         "largest unit\n       takes %.0f (%s)\n",
         task_longest_chain(g), g->cost / task_longest_chain(g), g->unit[largest].cost,
         job->list->function->stage[g->unit[largest].stage].title);
  if (calls > 0) printf("       functions of the user are called in task 0 alone, %d\n", calls);
}

//---- the thesis's way ----------------------------------------------------------------------------

typedef enum oldWay { BY_GROUPS, BY_MERGING_1, BY_MERGING_2, BY_DEALING, OLD_WAYS } oldWay;

static const char *const old_names[OLD_WAYS] = {"groups of branches and blocks",
                                                "merged with whom they talk to",
                                                "merged with small ones", "dealt out on a grid"};


// 0 when memory ran out
static int measure_old(const splitJob *job, oldWay way, int *tasks, transferMeasures *m)
{
  transferGraph *t = transfer_create(job->graph, job->marks.groups.n);
  int made = t != NULL;
  const int wanted = job->plan->tasks;
  if (made && way == BY_DEALING) made = transfer_deal(t, wanted);
  if (made && way == BY_MERGING_1) made = merge_tasks(t, MERGE_TALKATIVE, wanted);
  if (made && way == BY_MERGING_2) made = merge_tasks(t, MERGE_SMALL, wanted);
  if (made) transfer_group(t);
  made = made && transfer_measure(t, m);
  if (made) *tasks = t->ntask;
  transfer_free(t);
  return made;
}


static void print_old(const splitJob *job)
{
  printf("  by operations alone, transfers in no time:\n");
  printf("    %-32s %5s %9s %9s %9s %10s\n", "", "tasks", "critical", "speed-up", "transfers",
         "on one way");
  printf("    %-32s %5d %9d %9.2f %9d %10d\n", "this split", job->plan->tasks, job->plan->critical,
         (double) job->graph->operations / job->plan->critical, job->plan->nmessage,
         job->plan->critical_transfers);
  for (int way = 0; way < OLD_WAYS; way++) {
    transferMeasures m;
    int tasks;
    if (!measure_old(job, (oldWay) way, &tasks, &m)) continue;
    printf("    %-32s %5d %9d %9.2f %9d %10d\n", old_names[way], tasks, m.critical, m.speedup,
           m.kept, m.critical_transfers);
  }
}

//---- all together --------------------------------------------------------------------------------

static void print_costs(int tasks)
{
  const splitOptions o = split_default_options(tasks);
  printf("  measured, an addition being 0.3 ns: a message arrives after %.0f and holds its "
         "receiver up "
         "by %.0f,\n  each value its maker by %.0f and its reader by %.0f\n",
         o.latency, o.message, o.write, o.read);
}


static void print_text(const splitJob *job)
{
  const splitPlan *p = job->plan;
  const taskGraph *g = job->graph;
  const char *title = job->program->title;
  int values = 0;
  for (int m = 0; m < p->nmessage; m++) values += p->message[m].n;
  printf("%s%s%s: %s in %d task%s\n", cli_bold(stdout), title && title[0] ? title : job->call->file,
         cli_plain(stdout), job->list->function->name, p->tasks, p->tasks == 1 ? "" : "s");
  printf("  %d operations in %d units; time counts in additions, iterations as often as they are "
         "taken: %.0f\n",
         g->operations, g->n, g->cost);
  print_tasks(p);
  printf("  critical length %.0f, with transfers %.0f\n", p->ideal, p->time);
  printf("  predicted speed-up %s%.2f%s, without transfers %.2f; rate %.0f %%\n", cli_bold(stdout),
         g->cost / p->time, cli_plain(stdout), g->cost / p->ideal,
         100 * g->cost / (p->ideal * p->tasks));
  printf("  if transfers took no time another split would be %.2f times as fast as one task\n",
         g->cost / job->free->ideal);
  print_costs(p->tasks);
  printf("  %d messages with the values of %d units, %d of them one after the other\n", p->nmessage,
         values, p->critical_transfers);
  print_why(job);
  print_old(job);
}


static void write_tasks(ioJson *json, const splitPlan *p)
{
  json_array(json, "task");
  for (int t = 0; t < p->tasks; t++) {
    const splitSteps *s = &p->steps[t];
    const taskFigures f = figures_of(p, t);
    json_object(json, NULL);
    json_integer(json, "units", s->units);
    json_integer(json, "copies", s->copies);
    json_integer(json, "operations", s->operations);
    json_number(json, "time", s->cost);
    json_integer(json, "sent", f.sent);
    json_integer(json, "received", f.received);
    json_integer(json, "values", f.values);
    json_end(json);
  }
  json_end(json);
}


static void write_old(ioJson *json, const splitJob *job)
{
  json_array(json, "others");
  for (int way = 0; way < OLD_WAYS; way++) {
    transferMeasures m;
    int tasks;
    if (!measure_old(job, (oldWay) way, &tasks, &m)) continue;
    json_object(json, NULL);
    json_text(json, "name", old_names[way]);
    json_integer(json, "tasks", tasks);
    json_integer(json, "critical", m.critical);
    json_number(json, "speedup", m.speedup);
    json_integer(json, "transfers", m.kept);
    json_integer(json, "critical_transfers", m.critical_transfers);
    json_end(json);
  }
  json_end(json);
}


static void write_json(const splitJob *job)
{
  const splitPlan *p = job->plan;
  const taskGraph *g = job->graph;
  ioJson json = {.file = stdout};
  json_object(&json, NULL);
  json_text(&json, "file", job->call->file);
  json_text(&json, "function", job->list->function->name);
  json_integer(&json, "tasks", p->tasks);
  json_integer(&json, "operations", g->operations);
  json_number(&json, "time", g->cost);
  json_number(&json, "longest_chain", task_longest_chain(g));
  json_number(&json, "critical", p->ideal);
  json_number(&json, "critical_with_transfers", p->time);
  json_integer(&json, "critical_operations", p->critical);
  json_number(&json, "speedup", g->cost / p->ideal);
  json_number(&json, "speedup_with_transfers", g->cost / p->time);
  json_number(&json, "speedup_if_transfers_were_free", g->cost / job->free->ideal);
  json_integer(&json, "messages", p->nmessage);
  json_integer(&json, "critical_messages", p->critical_transfers);
  write_tasks(&json, p);
  write_old(&json, job);
  json_end(&json);
}


artStatus cli_check_tasks(const cliCall *call, artError *error)
{
  const double n = call->tasks;
  if (isnan(n) || (n >= 1 && n <= SPLIT_TASKS && n == floor(n))) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--tasks is %g, expected a whole number from 1 to %d", n, SPLIT_TASKS);
}


int verb_split(const cliCall *call)
{
  splitJob job = {.call = call};
  artError error = {0};
  artStatus status = cli_check_tasks(call, &error);
  if (status != ART_OK) return cli_fail(call, &error);
  const int exit_status = cli_load(call, &job.model, &job.data);
  if (exit_status) return exit_status;
  status = make_plan(&job, &error);
  if (status == ART_OK && call->json) write_json(&job);
  if (status == ART_OK && !call->json) print_text(&job);
  split_plan_free(job.plan);
  split_plan_free(job.free);
  task_marks_free(&job.marks);
  task_graph_free(job.graph);
  eqn_list_free(job.list);
  gen_free(job.program);
  art_free_data(job.data);
  art_free_model(job.model);
  return status ? cli_refuse(call, &error) : CLI_DONE;
}
