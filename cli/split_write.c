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
    json_integer(json, "operations", f.operations);
    json_integer(json, "of_task", f.task);
    json_end(json);
  }
  json_end(json);
}


static void write_sequences(ioJson *json, const transferGraph *t)
{
  json_array(json, "sequences");
  for (int i = 0; i < t->n; i++) {
    const transferSequence *s = &t->sequence[i];
    json_object(json, NULL);
    json_integer(json, "of_task", s->task);
    json_integer(json, "position", s->position);
    json_integer(json, "operations", s->operations);
    json_integer(json, "asap", s->asap);
    json_integer(json, "alap", s->alap);
    json_end(json);
  }
  json_end(json);
}


// of the thesis's ways
static void write_thesis(ioJson *json, const cliSplit *job)
{
  const transferGraph *t = job->split.made.transfers;
  const transferMeasures *m = &job->measures;
  json_object(json, "thesis");
  json_number(json, "smallest", job->choice.smallest);
  json_integer(json, "operations_of_a_transfer", t->transfer);
  json_integer(json, "critical", m->critical);
  json_integer(json, "critical_with_transfers", m->timed);
  json_number(json, "speedup", m->speedup);
  json_number(json, "rate", m->rate);
  json_integer(json, "transfers", m->transfers);
  json_integer(json, "kept", m->kept);
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
    json_object(json, NULL);
    json_text(json, "name", o->name);
    json_integer(json, "tasks", o->tasks);
    json_integer(json, "critical", o->measures.critical);
    json_number(json, "speedup", o->measures.speedup);
    json_integer(json, "transfers", o->measures.kept);
    json_integer(json, "critical_transfers", o->measures.critical_transfers);
    json_end(json);
  }
  json_end(json);
}


void split_write_json(const cliSplit *job, FILE *out)
{
  const splitPlan *p = job->split.made.plan;
  const taskGraph *g = job->split.graph;
  ioJson json = {.file = out};
  json_object(&json, NULL);
  json_text(&json, "file", job->generate.call->file);
  json_text(&json, "function", job->split.list->function->name);
  json_text(&json, "by", split_way_name(job->choice.way));
  json_integer(&json, "asked", job->choice.tasks);
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
