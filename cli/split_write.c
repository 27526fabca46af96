// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A split as JSON, and its steps as CSV.
#include "show/json.h"
#include "split.h"

//---- JSON ----------------------------------------------------------------------------------------

static void write_tasks(ioJson *json, const splitPlan *p)
{
  json_array(json, "task");
  for (int t = 0; t < p->tasks; t++) {
    const splitSteps *s = &p->steps[t];
    const taskFigures f = split_figures(p, t);
    json_object(json, NULL);
    json_fields(json, "units: %d, copies: %d, operations: %d, time: %g", s->units, s->copies,
                s->operations, s->cost);
    json_fields(json, "sent: %d, received: %d, values: %d", f.sent, f.received, f.values);
    json_end(json);
  }
  json_end(json);
}


static void write_members(ioJson *json, const char *key, const int *of, int n, int group)
{
  json_array(json, key);
  for (int i = 1; i <= n; i++) {
    if (of[i] == group) json_integer(json, NULL, i);
  }
  json_end(json);
}


static void write_groups(ioJson *json, const cliSplit *job)
{
  const taskMarks *marks = &job->split.marks;
  const transferGraph *t = job->split.made.transfers;
  json_array(json, "groups");
  for (int g = 0; g < t->ngroup; g++) {
    const groupFigures f = split_group(job, g);
    if (t->prototype[g] < 0) continue;
    json_object(json, NULL);
    json_integer(json, "group", t->prototype[g]);
    write_members(json, "branches", marks->groups.of_branch, marks->tree.n, g);
    write_members(json, "blocks", marks->groups.of_block, marks->nblock, g);
    json_fields(json, "operations: %d, of_task: %d", f.operations, f.task);
    json_end(json);
  }
  json_end(json);
}


static void write_sequences(ioJson *json, const transferGraph *t)
{
  json_array(json, "sequences");
  for (int i = 0; i < t->n; i++) {
    const transferSequence *s = &t->sequence[i];
    json_item(json, NULL, "of_task: %d, position: %d, operations: %d, asap: %d, alap: %d", s->task,
              s->position, s->operations, s->asap, s->alap);
  }
  json_end(json);
}


// of the thesis's ways
static void write_thesis(ioJson *json, const cliSplit *job)
{
  const transferGraph *t = job->split.made.transfers;
  const transferMeasures *m = &job->measures;
  json_object(json, "thesis");
  json_fields(
      json, "smallest: %g, operations_of_a_transfer: %d, critical: %d, critical_with_transfers: %d",
      job->choice.smallest, t->transfer, m->critical, m->timed);
  json_fields(json, "speedup: %g, rate: %g, transfers: %d, kept: %d", m->speedup, m->rate,
              m->transfers, m->kept);
  write_groups(json, job);
  write_sequences(json, t);
  json_end(json);
}


static void write_matrix(ioJson *json, const cliSplit *job)
{
  const int n = job->split.made.plan->tasks;
  json_array(json, "matrix");
  for (int from = 0; from < n; from++) {
    json_array(json, NULL);
    for (int to = 0; to < n; to++) json_integer(json, NULL, split_between(job, from, to));
    json_end(json);
  }
  json_end(json);
}


static void write_others(ioJson *json, const cliSplit *job)
{
  json_array(json, "others");
  for (int i = 0; i < job->nother; i++) {
    const splitOther *o = &job->other[i];
    json_item(
        json, NULL,
        "name: %s, tasks: %d, critical: %d, speedup: %g, transfers: %d, critical_transfers: %d",
        o->name, o->tasks, o->measures.critical, o->measures.speedup, o->measures.kept,
        o->measures.critical_transfers);
  }
  json_end(json);
}


void split_write_json(const cliSplit *job, FILE *out)
{
  const splitPlan *p = job->split.made.plan;
  const taskGraph *g = job->split.graph;
  ioJson json = {.file = out};
  json_object(&json, NULL);
  json_fields(&json, "file: %s, function: %s, by: %s, asked: %d", job->generate.w->call->file,
              job->split.list->function->name, split_way_name(job->choice.way), job->choice.tasks);
  json_fields(&json, "tasks: %d, operations: %d, time: %g, longest_chain: %g", p->tasks,
              g->operations, g->cost, task_longest_chain(g));
  json_fields(&json,
              "critical: %g, critical_with_transfers: %g, critical_operations: %d, speedup: %g",
              p->ideal, p->time, p->critical, g->cost / p->ideal);
  json_fields(&json,
              "speedup_with_transfers: %g, speedup_if_transfers_were_free: %g, messages: %d, "
              "critical_messages: %d",
              g->cost / p->time, g->cost / job->free->ideal, p->nmessage, p->critical_transfers);
  write_tasks(&json, p);
  write_matrix(&json, job);
  if (job->split.made.transfers) write_thesis(&json, job);
  write_others(&json, job);
  json_end(&json);
}

//---- CSV -----------------------------------------------------------------------------------------

static const char *const kinds[] = {"compute", "copy", "send", "receive"};


// what a unit gives values to: its last variable, or the vector of an assignment
static void write_name(const cliSplit *job, const taskUnit *u, FILE *out)
{
  const eqnList *l = job->split.list;
  const char *name = u->end > u->first ? l->equation[u->end - 1].name : NULL;
  if (u->kind == TASK_NEWTON || u->kind == TASK_WHEN) {
    fprintf(out, "\"%s\"", l->function->stage[u->stage].title);
  } else {
    fputs(name ? name : u->kind == TASK_EQUATION ? "result" : "", out);
  }
}


static void write_unit(const cliSplit *job, int unit, FILE *out)
{
  const taskUnit *u = &job->split.graph->unit[unit];
  const transferGraph *t = job->split.made.transfers;
  fprintf(out, "%d,,,,%s,%d,%d,", unit, split_sections[u->mark.section], u->mark.branch,
          u->mark.block);
  if (t) fprintf(out, "%d", t->of[unit]);
  fprintf(out, ",%d,", u->operations);
  write_name(job, u, out);
}


void split_write_csv(const cliSplit *job, FILE *out)
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
