// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Start values of states that are formulas of the user's parameters.
#include <math.h>
#include <string.h>

#include "gen/build.h"
#include "gen/parameter/definition.h"
#include "loop/loop.h"
#include "model/define/records.h"


// whether neither loops nor drives lead a velocity coordinate
static int is_independent(const genBuild *b, int velocity)
{
  const artModel *m = b->m;
  if (m->tree.link[m->tree.dof_link[velocity]].is_driven) return 0;
  if (m->nrow == 0) return 1;
  const loopPartition *part = &b->d->work->loop->partition;
  int i = 0;
  while (i < part->nf && part->free[i] != velocity) i++;
  return i < part->nf;
}


// the data are at the start, where assembly has left a coordinate as the file gives it
static int is_as_given(double assembled, double given)
{
  return fabs(assembled - given) <= 1e-9 * (1 + fabs(given));
}


int gen_follows_position(const genBuild *b, int i)
{
  const artModel *m = b->m;
  const int velocity = m->position[i].partner;
  return velocity >= 0 && is_independent(b, velocity) && is_as_given(b->d->q[i], m->q_initial[i]);
}


int gen_follows_velocity(const genBuild *b, int i)
{
  return is_independent(b, i) && is_as_given(b->d->v[i], b->m->v_initial[i]);
}


void gen_follow_starts(genBuild *b)
{
  const artModel *m = b->m;
  if (!b->options->starts) return;
  if (m->nrow > 0 && !b->d->work->loop->is_ready) gen_must(b, loop_partition(m, b->d, b->error));
  for (int i = 0; i < m->records->initials.count; i++) {
    const initialRecord *record = RECORD(m->records->initials, initialRecord, i);
    const int q = table_find(&m->positions, record->coordinate);
    const int v = table_find(&m->velocities, record->coordinate);
    if (q >= 0 && gen_follows_position(b, q)) {
      gen_parameter_map(b, &m->q_initial[q], 1, &record->value, NULL);
    } else if (q < 0 && v >= 0 && gen_follows_velocity(b, v)) {
      gen_parameter_map(b, &m->v_initial[v], 1, &record->value, NULL);
    }
  }
  for (int i = 0; i < m->records->states.count; i++) {
    const artStateDef *def = &RECORD(m->records->states, stateRecord, i)->def;
    for (int k = 0; k < def->rate.count; k++) {
      const char *name = def->rate.count == 1
                             ? def->name
                             : arena_format(&b->program->arena, "%s.%d", def->name, k + 1);
      const int state = table_find(&m->states, name);
      if (state >= 0)
        gen_parameter_map(b, &m->state[state].initial, 1, &def->initial.value[k], NULL);
    }
  }
}


static void add_start_value(genBuild *b, eqnVector *all, int *node, const char **label,
                            const double *number, const char *name)
{
  if (!gen_is_defined(b, number)) return;
  node[all->n] = gen_number_at(b, number, "start");
  label[all->n++] = name;
}


// a velocity that rolling leads: it moves with given ones that follow parameters
static void add_led_start(genBuild *b, eqnVector *all, int *node, const char **label, int i)
{
  const artModel *m = b->m;
  exprPool *p = b->pool;
  int sum = expr_constant(p, b->d->v[i]), is_led = 0;
  if (!b->options->led || !is_independent(b, i)) return;
  for (int j = 0; j < m->tree.nv; j++) {
    const double slope = b->options->led[(long) i * m->tree.nv + j];
    if (slope == 0 || !gen_is_defined(b, &m->v_initial[j])) continue;
    const int value = gen_number_at(b, &m->v_initial[j], "start");
    const int change = expr_sub(p, value, expr_constant(p, m->v_initial[j]));
    sum = expr_add(p, sum, expr_mul(p, expr_constant(p, slope), change));
    is_led = 1;
  }
  if (!is_led) return;
  node[all->n] = sum;
  label[all->n++] = m->velocity[i].name;
}


void gen_starts(genBuild *b)
{
  const artModel *m = b->m;
  const size_t most = (size_t) (m->tree.nq + m->tree.nv + m->nstate);
  int *node = gen_alloc(b, most, sizeof *node);
  const char **label = gen_alloc(b, most, sizeof *label);
  eqnVector all = {0};
  if (!b->options->starts) return;
  for (int i = 0; i < m->tree.nq; i++) {
    add_start_value(b, &all, node, label, &m->q_initial[i], m->position[i].name);
  }
  for (int i = 0; i < m->tree.nv; i++) {
    const int before = all.n;
    add_start_value(b, &all, node, label, &m->v_initial[i], m->velocity[i].name);
    if (all.n == before) add_led_start(b, &all, node, label, i);
  }
  for (int i = 0; i < m->nrate; i++) {
    add_start_value(b, &all, node, label, &m->state[i].initial, m->state[i].name);
  }
  if (all.n == 0) return;
  eqnFunction *f =
      gen_add_function(b, EQN_START, "start values of states that follow parameters", 1, 1, 1);
  f->stage[0] = (eqnStage){.title = "start values"};
  f->input[0] = eqn_function(b->program, EQN_ACCELERATE)->input[0];
  f->output[0] = gen_vector(b, "start", "by the names of the states", all.n, node, label);
}
