// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules for programs: JSON and CSV.
#include <string.h>

#include "sched/buffer.h"
#include "schedule.h"
#include "show/json.h"

static void write_counts(ioJson *json, const char *key, const int count[SCHED_KINDS])
{
  json_object(json, key);
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (count[k] > 0) json_integer(json, machine_kind_name((schedKind) k), count[k]);
  }
  json_end(json);
}


static void write_trial(ioJson *json, const char *key, const schedTrial *trial)
{
  json_object(json, key);
  write_counts(json, "units", trial->count);
  json_fields(json, "steps: %d, cycles: %d, use: %g", trial->steps, trial->cycles, trial->usage);
  json_end(json);
}


static void write_search(ioJson *json, const schedSearch *search)
{
  json_object(json, "search");
  write_trial(json, "fewest", &search->fewest);
  write_trial(json, "best", &search->best);
  json_array(json, "tried");
  for (int i = 0; i < search->n; i++) write_trial(json, NULL, &search->trial[i]);
  json_end(json);
  json_end(json);
}


static void write_rule(ioJson *json, const char *key, const cliSchedule *job, int rule)
{
  const schedSchedule *s = &job->rule[rule];
  json_object(json, key);
  json_fields(json, "steps: %d, cycles: %d, use: %g", s->steps, s->cycles,
              schedule_usage(s, &job->machine));
  json_end(json);
}


static void write_bounds(ioJson *json, const schedBounds *b)
{
  json_object(json, "bounds");
  write_counts(json, "lower", b->lower);
  write_counts(json, "expected", b->mean);
  write_counts(json, "peak", b->peak);
  write_counts(json, "asap", b->asap);
  write_counts(json, "alap", b->alap);
  json_end(json);
}


static void write_operations(ioJson *json, const cliSchedule *job, const schedSchedule *s)
{
  char text[512];
  json_array(json, "operations");
  for (int i = 0; i < s->n; i++) {
    const schedNode *x = &job->binary->graph.node[i];
    json_object(json, NULL);
    json_fields(json, "name: %s, does: %s, kind: %s, unit: %d", job->binary->operation[i].name,
                binary_operation_text(job->binary, i, text, (int) sizeof text),
                machine_kind_name((schedKind) x->kind),
                s->unit[i] - machine_first(&job->machine, x->kind) + 1);
    json_fields(json, "step: %d, asap: %d, alap: %d", s->step[i], x->asap, x->alap);
    json_list(json, "parents");
    for (int k = 0; k < x->nparent; k++) json_integer(json, NULL, x->parent[k]);
    json_end(json);
    json_end(json);
  }
  json_end(json);
}


static void write_rings(ioJson *json, const cliSchedule *job)
{
  json_array(json, "rings");
  for (int m = 0; m < job->nring; m++) {
    const cliRing *x = &job->ring[m];
    json_object(json, NULL);
    json_fields(json, "modules: %d, steps: %d, cycles_of_list: %d, cycles: %d, gain_of_list: %g",
                x->modules, x->steps, x->blind, x->cycles, (double) job->ring[0].blind / x->blind);
    json_fields(json, "gain: %g, busy: %g, transfers: %d, links: %d, memory: %d",
                (double) job->ring[0].cycles / x->cycles, x->busy, x->transfers, x->hops,
                x->memory);
    json_end(json);
  }
  json_end(json);
}


void schedule_write_json(const cliSchedule *job)
{
  ioJson json = {.file = stdout};
  graph_index(&job->binary->graph, job->machine.transfer);
  json_object(&json, NULL);
  json_fields(&json, "file: %s, function: %s", job->w->call->file, job->list->function->name);
  write_counts(&json, "count", job->binary->count);
  if (job->nring > 0) {
    write_rings(&json, job);
    write_operations(&json, job, &job->begun);
  } else {
    json_integer(&json, "critical_path", job->binary->graph.length);
    write_bounds(&json, &job->bounds);
    if (!job->has_units) write_search(&json, &job->search);
    write_counts(&json, "units", job->machine.count);
    json_integer(&json, "least_cycles", bound_cycles(&job->binary->graph, &job->machine));
    write_rule(&json, "list", job, SCHED_LIST);
    write_rule(&json, "earliest_finish", job, SCHED_FINISH);
    write_operations(&json, job, job->shorter);
  }
  if (job->w->call->directory) json_text(&json, "written", job->w->call->directory);
  json_end(&json);
}

//---- tables --------------------------------------------------------------------------------------

static void write_operations_csv(const cliSchedule *job, FILE *out)
{
  const schedSchedule *s = job->shorter;
  char text[512];
  fprintf(out, "operation,name,does,kind,unit,step,asap,alap,last_use\n");
  graph_index(&job->binary->graph, job->machine.transfer);
  for (int i = 0; i < s->n; i++) {
    const schedNode *x = &job->binary->graph.node[i];
    fprintf(out, "%d,%s,\"%s\",%s,%d,%d,%d,%d,%d\n", i + 1, job->binary->operation[i].name,
            binary_operation_text(job->binary, i, text, (int) sizeof text),
            machine_kind_name((schedKind) x->kind),
            s->unit[i] - machine_first(&job->machine, x->kind) + 1, s->step[i], x->asap, x->alap,
            buffer_last_use(s, &job->binary->graph, i));
  }
}


// what each source sends to whom, in its order; the lists of receivers are the same lines by receiver
static void write_ring_csv(const cliSchedule *job, FILE *out)
{
  const schedRing *ring = job->program_of_ring;
  char source[64], receiver[64], value[160];
  fprintf(out, "source,receiver,value\n");
  for (int s = 0; s < ring->nsource; s++) {
    for (int k = ring->from.first[s]; k < ring->from.first[s + 1]; k++) {
      const ringTransfer *x = &ring->transfer[ring->from.item[k]];
      const schedOperand a = x->value < job->binary->n
                                 ? (schedOperand){.op = x->value}
                                 : (schedOperand){.op = -1, .leaf = x->value - job->binary->n};
      fprintf(out, "%s,%s,\"%s\"\n", ring_source_text(ring, s, source, (int) sizeof source),
              ring_receiver_text(ring, x->receiver, receiver, (int) sizeof receiver),
              binary_operand_text(job->binary, &a, value, (int) sizeof value));
    }
  }
}


void schedule_write_csv(const cliSchedule *job, FILE *out)
{
  if (job->nring > 0)
    write_ring_csv(job, out);
  else
    write_operations_csv(job, out);
}
