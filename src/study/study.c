// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions that the studies share.
#include "study/study.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/memory.h"
#include "base/throw.h"
#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"


int study_free_velocities(const artModel *m, int *list)
{
  int n = 0;
  for (int k = 0; k < m->tree.nv; k++) {
    if (m->tree.link[m->tree.dof_link[k]].is_driven) continue;
    if (list) list[n] = k;
    n++;
  }
  return n;
}


int study_free_positions(const artModel *m, int *list)
{
  int n = 0;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int end = i + 1 < m->tree.n ? m->tree.link[i + 1].q0 : m->tree.nq;
    for (int k = link->q0; k < end && !link->is_driven; k++) {
      if (list) list[n] = k;
      n++;
    }
  }
  return n;
}


int study_is_angular(const artModel *m, int k)
{
  ART_ASSERT(k >= 0 && k < m->tree.nv);
  const treeLink *link = &m->tree.link[m->tree.dof_link[k]];
  return link->kind == LINK_FREE ? k - link->v0 >= 3 : link->kind != LINK_PRISMATIC;
}


double study_distance(const artModel *m, const double *a, const double *b)
{
  double most = 0;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int has_quaternion = link_turns(link), straight = link_straight(link);
    for (int k = link->q0; k < link->q0 + straight; k++) most = max_nan(most, fabs(a[k] - b[k]));
    if (!has_quaternion) continue;

    // |a - b| = 2 sin(angle / 4) of two quaternions on the same side
    const double *e = a + link->q0 + straight, *f = b + link->q0 + straight;
    double same = 0, opposite = 0;
    for (int k = 0; k < 4; k++) {
      same += (e[k] - f[k]) * (e[k] - f[k]);
      opposite += (e[k] + f[k]) * (e[k] + f[k]);
    }
    most = max_nan(most, 4 * asin(0.5 * sqrt(fmin(same, opposite))));
  }
  return most;
}


double study_length(const artModel *m)
{
  double most = 0;
  for (int i = 1; i < m->tree.n; i++) {
    const v3 p = m->tree.link[i].p;
    most = max_nan(most, v3_dot(p, p));
  }
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    for (int s = 0; s < 2; s++) most = max_nan(most, v3_dot(cut->side[s].r, cut->side[s].r));
    most = max_nan(most, cut->length * cut->length);
  }
  return most > 0 ? sqrt(most) : 1;
}


double study_weight(const artModel *m)
{
  const v3 g = m->tree.gravity;
  return m->mass * hypot(hypot(g.x, g.y), g.z);
}


double study_norm(int n, const double *x)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}


double study_acceleration_error(int nv, const double *exact, long apart, const double *a,
                                long a_apart)
{
  double scale = 1, most = 0;
  for (int k = 0; k < nv; k++) {
    scale = max_nan(scale, fabs(exact[k * apart]));
    most = max_nan(most, fabs(a[k * a_apart] - exact[k * apart]));
  }
  return most / scale;
}


artStatus study_rest(const artModel *m, artData *d, artError *error)
{
  art_update(m, d);
  memset(d->v, 0, (size_t) m->tree.nv * sizeof *d->v);
  tree_forget_velocities(&d->work->tree);
  if (!d->work->is_frozen && m->ndrive > 0) force_set_modes(m, d);
  return study_close(m, d, error);
}


artStatus study_missing_forces(const artModel *m, artData *d, const double *a, double *g,
                               artError *error)
{
  const artStatus status = force_apply(m, d, error);
  if (status == ART_OK) study_balance(m, d, a, g);
  return status;
}


void study_balance(const artModel *m, artData *d, const double *a, double *g)
{
  tree_rne(&m->tree, &d->work->tree, d->v, a, g);
  rods_add(m, d, g);
  if (m->nrod > 0) rods_react(m, d, &d->work->rods, NULL);
  for (int k = 0; k < m->tree.nv; k++) g[k] -= d->force[k];
}


//---- closed loops --------------------------------------------------------------------------------


int study_independent(const artModel *m, const artData *d, int *list)
{
  if (m->nrow == 0) return study_free_velocities(m, list);
  const loopPartition *p = &d->work->loop->partition;
  for (int i = 0; i < p->nf && list; i++) list[i] = p->free[i];
  return p->nf;
}


artStatus study_close(const artModel *m, artData *d, artError *error)
{
  if (m->nrow == 0) return ART_OK;
  artStatus status = loop_close(m, d, error);
  if (status == ART_OK) status = method_roll_velocities(m, d, error);
  if (status == ART_OK && !d->work->is_frozen) force_set_modes(m, d);
  return status;
}


void study_reduce(const artModel *m, artData *d, double *g)
{
  if (m->nrow == 0) return;
  struct loopWork *loop = d->work->loop;
  memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof *loop->rows.lambda);
  blocks_solve_transposed(loop->blocks, g, loop->rows.lambda);
  blocks_project(loop->blocks, g);
}


void study_transformation(const artModel *m, const artData *d, int n, const int *list, double *R)
{
  const size_t nv = (size_t) m->tree.nv;
  memset(R, 0, nv * (size_t) n * sizeof *R);
  for (int i = 0; i < n; i++) R[(long) list[i] * n + i] = 1;
  if (m->nrow == 0) return;
  const loopBlocks *blocks = d->work->loop->blocks;
  for (int p = 0; p < blocks->nd; p++) {
    const loopBlock *block = blocks_block(blocks, p);
    const double *B = blocks_B_row(blocks, p);
    double *row = R + (long) blocks->column[p] * n;
    for (int i = 0; i < block->free_count; i++) row[block->reach[i]] = B[i];
  }
}

//---- memory of a machine -------------------------------------------------------------------------

static int count_samples(const artModel *m)
{
  return m->nheld - m->ninput;
}


int memory_count(const artModel *m)
{
  return m->nrate + count_samples(m);
}


const char *memory_name(const artModel *m, int k)
{
  ART_ASSERT(k >= 0);
  return k < m->nrate ? m->state[k].name : m->held[m->ninput + k - m->nrate].name;
}


artPlace memory_place(const artModel *m, int k)
{
  return k < m->nrate ? m->state[k].place : m->held[m->ninput + k - m->nrate].place;
}


void memory_get(const artModel *m, const artData *d, double *value)
{
  for (int k = 0; k < m->nrate; k++) value[k] = d->s[k];
  for (int k = 0; k < count_samples(m); k++) value[m->nrate + k] = d->u[m->ninput + k];
}


void memory_put(const artModel *m, artData *d, const double *value)
{
  for (int k = 0; k < m->nrate; k++) d->s[k] = value[k];
  for (int k = 0; k < count_samples(m); k++) d->u[m->ninput + k] = value[m->nrate + k];
}


int memory_reads_accelerations(const artModel *m)
{
  return m->nlate > 0 || (count_samples(m) > 0 && m->sample_level == LEVEL_ACCELERATION);
}


void memory_changes(const artModel *m, artData *d, double *change)
{
  double *next = change + m->nrate;
  for (int k = 0; k < m->nrate; k++) change[k] = d->s_rate[k];
  if (count_samples(m) == 0) return;
  if (m->sample_level == LEVEL_ACCELERATION) method_need_forces(m, d);
  const artStatus status = force_next_samples(m, d, next, NULL);
  for (int k = 0; k < count_samples(m); k++) {
    next[k] = status == ART_OK ? next[k] - d->u[m->ninput + k] : NAN;
  }
}

//---- tables --------------------------------------------------------------------------------------

// the memory of a result
typedef struct resultMemory {
  baseArena arena;
  int named; // columns so far
} resultMemory;


void result_create(artTable **out, int columns, long rows)
{
  ART_ASSERT(columns >= 1 && rows >= 0);
  artTable *table = *out = mem_alloc(1, sizeof *table);
  if (!table) error_throw();
  resultMemory *memory = mem_alloc(1, sizeof *memory);
  *table = (artTable){.columns = columns, .rows = rows, .memory = memory};
  if (!memory) error_throw();
  memory->arena.leaves = 1;
  ARENA_TAKE(&memory->arena, table->name, columns);
  ARENA_TAKE(&memory->arena, table->unit, columns);
  ARENA_TAKE(&memory->arena, table->value, (size_t) columns * (size_t) rows);
}


void result_add_column(artTable *table, const char *unit, const char *format, ...)
{
  resultMemory *memory = table->memory;
  va_list values;
  table->unit[memory->named] = arena_text(&memory->arena, unit);
  va_start(values, format);
  table->name[memory->named++] = arena_format_list(&memory->arena, format, values);
  va_end(values);
}


void art_free_table(artTable *table)
{
  if (!table) return;
  if (table->memory) arena_free(&((resultMemory *) table->memory)->arena);
  mem_free(table->memory);
  mem_free(table);
}
