// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which continuous states and inputs a rate or an output of a unit depends on, and whether on time, by its equations: exactly, for each choice of
// independent coordinates, and for all of them together.
#include <string.h>

#include "emit/fmu/fmu_sources.h"

typedef struct structureJob {
  const machineText *text;
  const eqnProgram *program;
  const eqnFunction *accelerate, *own; // the function that closes loops, and that of the result
  unsigned char *mark;                 // [nodes] whether a result reads it
} structureJob;


// Unknowns of a stage follow from all that its corrections are made of; whether something new was marked.
static int mark_stage(const structureJob *job, const eqnStage *stage)
{
  int is_met = 0, is_new = 0;
  for (int i = 0; i < stage->nunknown; i++) is_met |= job->mark[stage->unknown[i]];
  for (int i = 0; is_met && i < stage->nunknown; i++) {
    const int node = stage->correction[i];
    is_new |= !job->mark[node];
    job->mark[node] = 1;
  }
  const int has_condition = stage->kind == STAGE_NEWTON || stage->kind == STAGE_WHEN;
  if (is_met && has_condition && stage->residual > 0 && !job->mark[stage->residual]) {
    job->mark[stage->residual] = 1;
    is_new = 1;
  }
  return is_new;
}


// a symbol that the equations find themselves is a guess
static int is_found(const structureJob *job, int symbol)
{
  for (int s = 0; s < job->accelerate->nstage; s++) {
    const eqnStage *stage = &job->accelerate->stage[s];
    for (int i = 0; i < stage->nunknown; i++) {
      if (stage->unknown[i] == symbol) return 1;
    }
  }
  return 0;
}


// Positions that equations start from: those that they do not find, and quaternions of which they find a part of the turn.
static void add_positions(const structureJob *job, char *known)
{
  const eqnVector *q = &job->accelerate->input[1];
  for (int i = 0; i < q->n; i++) {
    const int spin = job->text->simulation->spin[i];
    int is_start = !is_found(job, q->node[i]);
    for (int k = 0; spin >= 0 && k < job->program->nfree; k++) {
      const int free = job->program->free[k];
      is_start |= free >= spin && free < spin + 3;
    }
    known[i] |= (char) (job->mark[q->node[i]] && is_start);
  }
}


// Velocities that equations start from: those that they do not find, and free ones, which they project where something rolls.
static void add_velocities(const structureJob *job, char *known)
{
  const eqnVector *v = &job->accelerate->input[2];
  for (int i = 0; i < v->n; i++) {
    int is_start = !is_found(job, v->node[i]);
    for (int k = 0; k < job->program->nfree; k++) is_start |= job->program->free[k] == i;
    known[i] |= (char) (job->mark[v->node[i]] && is_start);
  }
}


static void add_marked(const structureJob *job, const eqnFunction *f, const char *input,
                       char *known)
{
  const eqnVector *v = eqn_input(f, input);
  for (int i = 0; v && i < v->n; i++) {
    known[i] |= (char) (job->mark[v->node[i]] && !is_found(job, v->node[i]));
  }
}


// dependences of an element of a result: states, then inputs, then forces, then time
static void find_dependency_row(const structureJob *job, const eqnFunction *f,
                                const eqnVector *result, int i, const fmuVariables *list,
                                char *known)
{
  const int nq = job->accelerate->input[1].n, nv = job->accelerate->input[2].n;
  memset(job->mark, 0, (size_t) job->program->pool->count);
  job->mark[result->node[i]] = 1;
  const exprPool *pool = job->program->pool;
  for (int is_new = 1; is_new;) {
    expr_mark_arguments(pool, pool->count, job->mark);
    is_new = 0;
    for (int s = 0; s < job->accelerate->nstage; s++) {
      is_new |= mark_stage(job, &job->accelerate->stage[s]);
    }
    for (int s = 0; s < job->own->nstage; s++) is_new |= mark_stage(job, &job->own->stage[s]);
  }
  add_positions(job, known);
  add_velocities(job, known + nq);
  add_marked(job, job->accelerate, "state", known + nq + nv);
  add_marked(job, job->accelerate, "u", known + list->nstate);
  add_marked(job, f, "u", known + list->nstate);
  add_marked(job, job->accelerate, "tau",
             known + list->nstate + machine_size(job->text, MACHINE_NU));
  add_marked(job, job->accelerate, "t", known + list->width - 1);
  add_marked(job, f, "t", known + list->width - 1);
  const eqnVector *run = eqn_input(f, "run");
  for (int k = 0; run && k < run->n && list->has_work; k++) {
    known[list->nstate - 1] |= (char) job->mark[run->node[k]];
  }
  // a quaternion is taken with unit length: its components go together
  const eqnVector *own = &job->accelerate->input[1];
  for (int j = -1; (j = simulation_next_quaternion(own, j + 1)) >= 0;) {
    const int is_met = known[j] | known[j + 1] | known[j + 2] | known[j + 3];
    memset(known + j, is_met, 4);
  }
}


static void find_dependency_rows(structureJob *job, eqnFunctionKind function, const char *result,
                                 int first, const fmuVariables *list, char *known, int width)
{
  const eqnFunction *f = eqn_function(job->program, function);
  job->own = f;
  for (int k = 0; f && k < f->noutput; k++) {
    const eqnVector *y = &f->output[k];
    if (strcmp(y->name, result) != 0) continue;
    for (int i = 0; i < y->n; i++) {
      find_dependency_row(job, f, y, i, list, known + (long) (first + i) * width);
    }
  }
}


int unit_find_structure(fmuVariables *list, const machineText *t, baseArena *arena)
{
  const int nq = machine_size(t, MACHINE_NQ), nv = machine_size(t, MACHINE_NV);
  const int ny = machine_size(t, MACHINE_NY);
  const int width = list->width = list->nstate + machine_size(t, MACHINE_NU) + nv + 1;
  char *known = arena_alloc(arena, (size_t) (list->nstate + ny) * (size_t) width + 1, 1);
  if (!known) return 0;
  for (int p = 0; p < t->simulation->nprogram; p++) {
    const eqnProgram *program = t->simulation->program[p];
    structureJob job = {.text = t,
                        .program = program,
                        .accelerate = eqn_function(program, EQN_ACCELERATE),
                        .mark = arena_alloc(arena, (size_t) program->pool->count, 1)};
    if (!job.mark) return 0;
    find_dependency_rows(&job, EQN_POSITION_RATES, "qdot", 0, list, known, width);
    find_dependency_rows(&job, EQN_ACCELERATE, "a", nq, list, known, width);
    find_dependency_rows(&job, EQN_ACCELERATE, "state_rate", nq + nv, list, known, width);
    if (list->has_work) {
      find_dependency_rows(&job, EQN_ACCELERATE, "power", list->nstate - 1, list, known, width);
    }
    find_dependency_rows(&job, EQN_OUTPUTS, "y", list->nstate, list, known, width);
    // rates of quaternions read their own length
    const eqnVector *q = &job.accelerate->input[1];
    for (int i = -1; (i = simulation_next_quaternion(q, i + 1)) >= 0;) {
      for (int k = 0; k < 4; k++) memset(known + (long) (i + k) * width + i, 1, 4);
    }
  }
  list->known = known;
  return 1;
}
