// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula split: equations dealt out to tasks that run side by side.
#include "verb_split.h"


#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

const char *const split_sections[TASK_SECTIONS] = {"drives",   "constraints", "forces",
                                                   "dynamics", "reduction",   "solution"};

//---- making --------------------------------------------------------------------------------------

static int measure_other(cliSplit *job, splitWay way, const char *name)
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
  return done;
}


// the first stands for groups as they come
static int measure_others(cliSplit *job)
{
  static const char *const names[SPLIT_OTHERS] = {
      "groups of branches and blocks", "merged with small ones", "merged with whom they talk to",
      "dealt out on a grid", "merged with small ones, moved"};
  for (int way = 0; way < SPLIT_OTHERS; way++) {
    if (!measure_other(job, (splitWay) way, names[way])) return 0;
  }
  return 1;
}


static artStatus make_plan(cliSplit *job, artError *error)
{
  emitOptions options = {0};
  int *gathered = NULL;
  artStatus status = generate_program(&job->generate, &job->chosen, error);
  const eqnProgram *program = job->generate.program;
  const cliCall *call = job->generate.w->call;
  if (status == ART_OK) status = generate_read_passes(call, &options.equations, error);
  if (status == ART_OK) status = cli_choose_split(call, program, &job->choice, &gathered, error);
  if (status == ART_OK) status = emit_split(&job->split, program, &job->choice, &options, error);
  mem_free(gathered);
  job->choice.gathered = NULL;
  if (status != ART_OK) return status;
  const splitOptions free = split_free_options(job->split.made.plan->tasks);
  job->free = split_create(job->split.graph, &job->split.marks, &free);
  transferGraph *t = job->split.made.transfers;
  const int made = job->free && (!t || transfer_measure(t, &job->measures)) && measure_others(job);
  return made ? ART_OK : base_no_memory(error);
}

//---- figures -------------------------------------------------------------------------------------

taskFigures split_figures(const splitPlan *p, int t)
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


groupFigures split_group(const cliSplit *job, int group)
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


int split_between(const cliSplit *job, int from, int to)
{
  const splitPlan *p = job->split.made.plan;
  int n = 0;
  if (from == to && job->measures.between) return job->measures.between[from * p->tasks + to];
  for (int m = 0; m < p->nmessage; m++) n += p->message[m].from == from && p->message[m].to == to;
  return n;
}

//---- the verb ------------------------------------------------------------------------------------

artStatus split_check(const cliCall *call, artError *error)
{
  const char *path = call->directory;
  const artStatus status = cli_check_tasks(call, error);
  if (status != ART_OK || !path) return status;
  if (file_has_ending(path, ".json") || file_has_ending(path, ".csv")) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "-o %.200s: expected FILE.json, all of the split, or FILE.csv, its steps", path);
}


static artStatus show(const cliSplit *job, artError *error)
{
  const cliCall *call = job->generate.w->call;
  artStatus status = ART_OK;
  if (call->directory) {
    baseFile file;
    status = file_begin(&file, call->directory, error);
    if (status != ART_OK) return status;
    if (file_has_ending(call->directory, ".csv")) {
      split_write_csv(job, file.stream);
    } else {
      split_tell(job, file.stream);
    }
    status = file_commit(&file, error);
  }
  if (status == ART_OK && (call->json || !call->quiet)) split_tell(job, call->json ? stdout : NULL);
  return status;
}


artStatus verb_split(cliWork *w, artError *error)
{
  cliSplit job = {.generate = {.w = w}};
  artStatus status = make_plan(&job, error);
  if (status == ART_OK) status = show(&job, error);
  split_plan_free(job.free);
  emit_split_free(&job.split);
  cheapest_free(&job.chosen);
  generate_free(&job.generate);
  return status;
}
