// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Assembly: from rough positions and velocities to closed loops.
//
// Positions by the method of Levenberg and Marquardt on  |phi(q)|^2, with steps of least length and at
// most a third of a radian, so that the search stays near its start. Lengths are measured by the
// size of the machine. Where |phi| is stationary without being zero (links in line) the machine is
// nudged, by the same amounts every time. Of the positions that close the loops the nearest is taken
// (nearest.c). Velocities by one linear problem,  J v = 0.
#include "study/assemble/assemble.h"

#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/max_nan.h"
#include "base/numbers.h"
#include "loop/roll_rows.h"
#include "loop/rows.h"
#include "method/method.h"
#include "num/newton.h"

enum { MAX_ITERATIONS = 300, MAX_TRIES = 12, MAX_NUDGES = 5, MAX_STALLS = 4, MAX_SOLVES = 40 };

static const double CLOSED = 1e-13;        // m or rad
static const double CLOSED_ENOUGH = 1e-10; // where rounding allows no more
static const double LOCKED = 1e-4;  // rounding of lengths may open so much, of the machine's length
static const double ROUNDED = 1e-6; // given values may be off by this
static const double MOVED = 1e-5;   // rad, or part of the machine's length: worth a word
static const double FIRST_DAMPING = 1e-3, MIN_DAMPING = 1e-13;


//---- scales --------------------------------------------------------------------------------------

// which coordinates may move, and by which measure; given ones less easily than others
void assemble_scale_columns(assembleWork *w, double given)
{
  const treeModel *t = &w->m->tree;
  for (int k = 0; k < t->nv; k++) {
    const double unit = study_is_angular(w->m, k) ? 1 : w->length;
    const int is_driven = t->link[t->dof_link[k]].is_driven;
    w->least.column[k] = is_driven ? 0 : w->held[k] ? given * unit : unit;
  }
}


// openings in m count by the machine's length; relations by their largest derivative
void assemble_scale_rows(assembleWork *w)
{
  const artModel *m = w->m;
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    for (int k = cut->row0; k < cut->row0 + cut->nrow; k++) {
      const v3 u = w->rows->row[k].u;
      w->least.row[k] = v3_dot(u, u) > 0 ? 1 / w->length : 1;
    }
  }
  for (int i = 0; i < m->nrelation; i++) {
    const int k = m->relation[i].row;
    double most = 0;
    for (int j = 0; j < m->relation[i].n; j++) {
      const int v = m->relation[i].velocity[j];
      const double unit = study_is_angular(m, v) ? 1 : w->length;
      most = max_nan(most, fabs(matrix_at(&w->rows->J, k, v)) * unit);
    }
    w->least.row[k] = most > 0 ? 1 / most : 1;
  }
}


//---- how far the loops are open ------------------------------------------------------------------

static artStatus measure_open_loops(assembleWork *w, artError *error)
{
  art_update(w->m, w->d);
  const artStatus status = rows_positions(w->m, w->d, w->rows, NULL, error);
  if (status == ART_OK) wide_turns(w->m, w->d, w->rows);
  return status;
}


artStatus assemble_jacobian(assembleWork *w, artError *error)
{
  tree_axes(&w->m->tree, &w->d->work->tree);
  return rows_jacobian(w->m, w->d, w->rows, NULL, error);
}


artStatus assemble_project(assembleWork *w, double *t)
{
  artStatus status = assemble_jacobian(w, NULL);
  if (status != ART_OK) return status;
  least_gather(&w->least);
  for (int i = 0; i < w->m->nrow; i++) w->right[i] = -matrix_row_times(&w->rows->J, i, t);
  status = least_solve(&w->least, 1e-13, w->right, w->move, NULL);
  for (int k = 0; k < w->m->tree.nv && status == ART_OK; k++) t[k] += w->move[k];
  return status;
}


static double scaled_norm(const assembleWork *w, const double *x)
{
  double sum = 0;
  for (int k = 0; k < w->m->nrow; k++) sum += x[k] * x[k] * w->least.row[k] * w->least.row[k];
  return sqrt(sum);
}


static size_t assembly_position_bytes(const assembleWork *w)
{
  return (size_t) w->m->tree.nq * sizeof(double);
}


// take the positions in the data, just measured, as those to go on from
static void take_assembled_positions(void *work)
{
  assembleWork *w = work;
  memcpy(w->q, w->d->q, assembly_position_bytes(w));
  memcpy(w->phi, w->rows->phi, (size_t) w->m->nrow * sizeof *w->phi);
  w->norm = scaled_norm(w, w->phi);
  if (!(w->norm < w->best_norm)) return;
  w->best_norm = w->norm;
  memcpy(w->best_q, w->q, assembly_position_bytes(w));
}


artStatus assemble_go_to(assembleWork *w, const double *q, artError *error)
{
  memcpy(w->d->q, q, assembly_position_bytes(w));
  const artStatus status = measure_open_loops(w, error);
  if (status == ART_OK) take_assembled_positions(w);
  return status;
}


//---- steps ---------------------------------------------------------------------------------------

static void limit_move(assembleWork *w)
{
  double most = 0;
  for (int k = 0; k < w->m->tree.nv; k++) {
    const double unit = study_is_angular(w->m, k) ? 1 : w->length;
    most = max_nan(most, fabs(w->move[k]) / unit);
  }
  if (most <= ASSEMBLE_LONGEST_STEP) return;
  for (int k = 0; k < w->m->tree.nv; k++) w->move[k] *= ASSEMBLE_LONGEST_STEP / most;
}


// how far the loops are open after the step with this damping
static double attempt_assembly_step(void *work, double damping)
{
  assembleWork *w = work;
  for (int k = 0; k < w->m->nrow; k++) w->right[k] = -w->phi[k];
  if (least_solve(&w->least, damping, w->right, w->move, NULL) != ART_OK) return HUGE_VAL;
  limit_move(w);
  memcpy(w->d->q, w->q, assembly_position_bytes(w));
  art_move(w->m, w->d->q, w->move);
  return measure_open_loops(w, NULL) == ART_OK ? scaled_norm(w, w->rows->phi) : HUGE_VAL;
}


// from the best positions to others close by
static artStatus nudge_positions(void *work, double *damping, int *moved, artError *error)
{
  assembleWork *w = work;
  if (w->best_norm * fmax(1, w->length) < CLOSED_ENOUGH || w->nudges_left == 0) return ART_OK;
  const int count = MAX_NUDGES + 1 - w->nudges_left--;
  unsigned seed = 11u + (unsigned) count;
  const double size = 0.03 * pow(2, count);
  for (int k = 0; k < w->m->tree.nv; k++) {
    const double chance = base_scatter(&seed);
    w->move[k] = w->least.column[k] != 0 ? size * chance * w->least.column[k] : 0;
  }
  memcpy(w->d->q, w->best_q, assembly_position_bytes(w));
  art_move(w->m, w->d->q, w->move);
  const artStatus status = measure_open_loops(w, error);
  if (status == ART_OK) take_assembled_positions(w);
  *damping = FIRST_DAMPING;
  *moved = 1;
  return status;
}


// of the rows that count
static double assembly_gap(const assembleWork *w)
{
  double most = 0;
  for (int k = 0; k < w->m->nrow; k++) {
    if (w->least.row[k] > 0) most = max_nan(most, fabs(w->phi[k]));
  }
  return most;
}


static artStatus linearise_assembly(void *work, newtonState *state, double *norm, artError *error)
{
  assembleWork *w = work;
  *norm = w->norm;
  *state = assembly_gap(w) > CLOSED ? NEWTON_FAR : NEWTON_THERE;
  if (*state == NEWTON_THERE) return ART_OK;
  const artStatus status = assemble_jacobian(w, error);
  if (status == ART_OK) least_gather(&w->least);
  return status;
}


// iterate from the positions in w->q; leaves the data at the best ones
static artStatus search_closed_positions(assembleWork *w, int most, int most_nudges,
                                         int *iterations, artError *error)
{
  const newtonProblem problem = {w, linearise_assembly, attempt_assembly_step,
                                 take_assembled_positions, nudge_positions};
  const newtonRule rule = {.most_iterations = most,
                           .most_tries = MAX_TRIES,
                           .most_stalls = MAX_STALLS,
                           .first = FIRST_DAMPING,
                           .grow = 10,
                           .highest = 1e3,
                           .fall = 30,
                           .least = MIN_DAMPING,
                           .lowest = MIN_DAMPING};
  w->nudges_left = most_nudges;
  const artStatus status = newton_search(&problem, &rule, iterations, error);
  return status == ART_OK ? assemble_go_to(w, w->best_q, error) : status;
}


int assemble_is_closed(const assembleWork *w)
{
  return assembly_gap(w) <= CLOSED_ENOUGH;
}


int assemble_close_from(assembleWork *w, const double *q, int most, int *iterations)
{
  w->best_norm = HUGE_VAL;
  return assemble_go_to(w, q, NULL) == ART_OK &&
         search_closed_positions(w, most, 0, iterations, NULL) == ART_OK &&
         assembly_gap(w) <= CLOSED_ENOUGH;
}


static artStatus close_rough_positions(assembleWork *w, artAssembly *result, artError *error)
{
  artStatus status = measure_open_loops(w, error);
  if (status == ART_OK) status = rolling_check(w->m, w->d, error);
  if (status == ART_OK) status = assemble_jacobian(w, error);
  if (status != ART_OK) return status;
  assemble_scale_rows(w);
  assemble_scale_columns(w, 0);
  w->best_norm = HUGE_VAL;
  take_assembled_positions(w);
  memcpy(w->start, w->q, assembly_position_bytes(w));
  result->gap_before = assembly_gap(w);

  int *count = &result->iterations;
  status = search_closed_positions(w, MAX_ITERATIONS, MAX_NUDGES, count, error);
  const int is_closed = assemble_is_closed(w);
  if (status == ART_OK && !is_closed && assembly_gap(w) < ROUNDED) {
    // given values are meant to close, but have lost their last digits
    assemble_scale_columns(w, 1);
    status = search_closed_positions(w, MAX_ITERATIONS, MAX_NUDGES, count, error);
  } else if (status == ART_OK && result->gap_before > CLOSED) {
    status = assemble_nearest(w, is_closed, count, error);
  }
  result->gap = assembly_gap(w);
  result->moved = study_distance(w->m, w->start, w->q);
  if (status != ART_OK || result->gap <= CLOSED_ENOUGH) return status;
  if (result->gap < LOCKED * w->length && assemble_is_locked(w)) return assemble_locked(w, error);
  return assemble_stays_open(w, error);
}


//---- velocities ----------------------------------------------------------------------------------

// Next to singular positions loops are held where they can be (loop/singular_path.h).
static void hold_loops(assembleWork *w)
{
  struct loopWork *loop = w->d->work->loop;
  int is_weak = 0;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    is_weak |= singular_path_is_weak(&loop->hold, loop->blocks, k);
  }
  memcpy(w->trial, w->d->q, assembly_position_bytes(w));
  if (!is_weak || loop_place(w->m, w->d, NULL) == ART_OK) return;
  singular_path_release(&loop->hold, loop->blocks);
  memcpy(w->d->q, w->trial, assembly_position_bytes(w));
}


// columns and values of a held row, scaled, columns ascending; returns their number
static int lay_held_row(const struct loopWork *loop, int p, double scale, int *column,
                        double *value)
{
  ART_ASSERT(blocks_block(loop->blocks, p)->is_held);
  const loopBlocks *blocks = loop->blocks;
  const loopBlock *block = blocks_block(blocks, p);
  const int where = blocks->idle_where[p], n = where >= 0 ? 3 : 2;
  const int at[3] = {blocks->column[p], loop->hold.input[blocks->block_of[p]],
                     where >= 0 ? blocks->column_u[block->reach[where]] : -1};
  const double x[3] = {scale, -scale * block->slope[p - block->first],
                       -scale * blocks->idle_slope[p]};
  for (int i = 0; i < n; i++) {
    int to = i;
    for (; to > 0 && column[to - 1] > at[i]; to--) {
      column[to] = column[to - 1];
      value[to] = value[to - 1];
    }
    column[to] = at[i];
    value[to] = x[i];
  }
  return n;
}


// An error e of the positions is one of e/s^2 of the velocities by J at a distance s from a singular position:
// loops that are held there ask for v_x = dx/du v_u instead, and idle spins for their part.
static void lay_velocity_rows(assembleWork *w)
{
  const struct loopWork *loop = w->d->work->loop;
  const loopBlocks *blocks = loop->blocks;
  const loopMatrix *J = &w->rows->J;
  loopMatrix *to = &w->velocity;
  memset(w->held_by, 0, (size_t) J->m * sizeof *w->held_by);
  for (int p = 0; p < blocks->nd; p++) {
    if (blocks_block(blocks, p)->is_held) w->held_by[blocks->row[p]] = p + 1;
  }
  int n = 0;
  for (int i = 0; i < J->m; i++) {
    const int p = w->held_by[i] - 1, length = J->start[i + 1] - J->start[i];
    to->start[i] = n;
    if (p < 0) {
      memcpy(to->column + n, J->column + J->start[i], (size_t) length * sizeof *to->column);
      memcpy(to->value + n, J->value + J->start[i], (size_t) length * sizeof *to->value);
      n += length;
      continue;
    }
    n += lay_held_row(loop, p, loop->row_size[i], to->column + n, to->value + n);
  }
  to->start[J->m] = n;
  w->least.J = to;
}


// J v of the rows that count into w->phi; its largest entry, and the largest of its terms in *size. Rolling ties
// velocities of rows that are small but for rounding to others, which then say how large that is.
static double rate_gap(assembleWork *w, double *size)
{
  const artModel *m = w->m;
  const loopMatrix *J = &w->velocity;
  *size = 0;
  for (int k = 0; k < m->nrow; k++) {
    w->phi[k] = w->least.row[k] > 0 ? matrix_row_times(J, k, w->d->v) : 0;
    for (int e = J->start[k]; e < J->start[k + 1]; e++) {
      *size = max_nan(*size, fabs(J->value[e] * w->d->v[J->column[e]]));
    }
  }
  for (int k = 0; k < m->tree.nv && m->nroll > 0; k++) {
    const double unit = study_is_angular(m, k) ? w->length : 1;
    *size = max_nan(*size, fabs(w->d->v[k]) * unit);
  }
  return max_magnitude(m->nrow, w->phi);
}


// the least change of the velocities that may change, by the scales of the columns, with J v = 0
static artStatus solve_velocities(assembleWork *w, artError *error)
{
  const artModel *m = w->m;
  double size, norm = HUGE_VAL;
  least_gather(&w->least);
  for (int i = 0; i < MAX_SOLVES && rate_gap(w, &size) > 1e-15 * size; i++) {
    const double now = scaled_norm(w, w->phi);
    if (!(now < 0.9 * norm)) return ART_OK;
    norm = now;
    for (int k = 0; k < m->nrow; k++) w->right[k] = -w->phi[k];
    const artStatus status = least_solve(&w->least, 1e-12, w->right, w->move, error);
    if (status != ART_OK) return status;
    for (int k = 0; k < m->tree.nv; k++) w->d->v[k] += w->move[k];
  }
  return ART_OK;
}


static artStatus close_velocities(assembleWork *w, artAssembly *result, artError *error)
{
  const artModel *m = w->m;
  double size;
  hold_loops(w);
  artStatus status = rows_positions(m, w->d, w->rows, NULL, error);
  if (status == ART_OK) status = assemble_jacobian(w, error);
  if (status != ART_OK) return status;

  // rows that follow from others, to the tolerance of the rank, ask nothing of the velocities
  const loopRank *rank = &w->d->work->loop->rank;
  for (int k = 0; k < w->m->nrow; k++) {
    if (rank->kind[k] == LOOP_ROW_REDUNDANT) w->least.row[k] = 0;
  }

  lay_velocity_rows(w);
  result->rate_gap_before = result->rate_gap = rate_gap(w, &size);
  if (result->rate_gap_before <= 1e-13 * size) return ART_OK;

  for (int k = 0; k < m->tree.nv; k++) w->held[k] = w->given_v[k];
  assemble_scale_columns(w, 0);
  status = solve_velocities(w, error);
  double left = rate_gap(w, &size);
  if (status == ART_OK && left > 1e-13 * size && (m->project || left < ROUNDED * size)) {
    assemble_scale_columns(w, 1e-3);
    status = solve_velocities(w, error);
    left = rate_gap(w, &size);
  }
  result->rate_gap = left;
  if (status != ART_OK || left <= 1e-10 * size) return status;
  memcpy(w->rate, w->phi, (size_t) m->nrow * sizeof *w->rate);
  if (left < LOCKED * size && assemble_is_locked(w)) return assemble_locked(w, error);
  return assemble_bad_velocities(w, w->rate, error);
}


//---- all together --------------------------------------------------------------------------------

// J where three entries may stand instead of a row
static int take_velocity_rows(assembleWork *w, int most)
{
  const size_t nrow = (size_t) w->m->nrow, entries = (size_t) most + 1;
  w->velocity = (loopMatrix){.m = w->m->nrow, .n = w->m->tree.nv};
  return (w->velocity.start = arena_alloc(&w->arena, nrow + 1, sizeof(int))) &&
         (w->velocity.column = arena_alloc(&w->arena, entries, sizeof(int))) &&
         (w->velocity.value = arena_alloc(&w->arena, entries, sizeof(double))) &&
         (w->held_by = arena_alloc(&w->arena, nrow, sizeof *w->held_by));
}


static int take_assembly_memory(assembleWork *w)
{
  baseArena *a = &w->arena;
  const size_t nq = (size_t) w->m->tree.nq, nv = (size_t) w->m->tree.nv, size = sizeof(double);
  const int entries = matrix_count(&w->rows->J) + 3 * w->m->nrow;
  return least_start(&w->least, &w->rows->J, entries, a) && take_velocity_rows(w, entries) &&
         (w->held = arena_alloc(a, nv, 1)) && (w->q = arena_alloc(a, nq, size)) &&
         (w->phi = arena_alloc(a, (size_t) w->m->nrow, size)) &&
         (w->right = arena_alloc(a, (size_t) w->m->nrow, size)) &&
         (w->best_q = arena_alloc(a, nq, size)) && (w->move = arena_alloc(a, nv, size)) &&
         (w->start = arena_alloc(a, nq, size)) && (w->back = arena_alloc(a, nv, size)) &&
         (w->step = arena_alloc(a, nv, size)) && (w->trial = arena_alloc(a, nq, size)) &&
         (w->kept = arena_alloc(a, (size_t) w->m->nrow, size)) &&
         (w->rate = arena_alloc(a, (size_t) w->m->nrow, size)) &&
         (w->foot = arena_alloc(a, nq, size)) && (w->nearest = arena_alloc(a, nq, size));
}


static artStatus check_drives(const assembleWork *w, artError *error)
{
  const loopRank *rank = &w->d->work->loop->rank;
  for (int k = 0; k < rank->other_count; k++) {
    if (rank->kind[rank->other[k]] == LOOP_ROW_OVERDRIVEN) {
      return assemble_overdriven(w, k, error);
    }
  }
  return ART_OK;
}


static void keep_state(const assembleWork *w, double *q, double *v)
{
  memcpy(q, w->d->q, assembly_position_bytes(w));
  memcpy(v, w->d->v, (size_t) w->m->tree.nv * sizeof *v);
}


static artStatus assemble_machine(assembleWork *w, artAssembly *result, artError *error)
{
  const artModel *m = w->m;
  const struct loopWork *loop = w->d->work->loop;
  const assemblyRecord *record = &w->d->work->assembled;
  if (!take_assembly_memory(w)) return base_no_memory(error);
  w->length = study_length(m);
  art_normalise(m, w->d->q);
  keep_state(w, record->q_before, record->v_before);

  // coordinates whose positions the user gave; of a quaternion all three rotations are held
  const treeModel *t = &w->m->tree;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const int turns = link_turns(link), straight = link_straight(link);
    const char *given = w->given_q + link->q0;
    for (int k = 0; k < straight; k++) w->held[link->v0 + k] |= given[k];
    const char *e = given + straight;
    if (!turns || !(e[0] | e[1] | e[2] | e[3])) continue;
    for (int k = straight; k < link->nv; k++) w->held[link->v0 + k] = 1;
  }

  artStatus status = close_rough_positions(w, result, error);
  if (status == ART_OK) status = loop_partition(m, w->d, error);
  if (status == ART_OK) status = check_drives(w, error);
  if (status == ART_OK && loop->partition.nf == 0 && m->ndrive == 0 && assemble_is_locked(w)) {
    return assemble_locked(w, error);
  }
  if (status == ART_OK) status = close_velocities(w, result, error);
  if (status == ART_OK && m->nroll > 0) status = assemble_rolling(w, result, error);
  if (status != ART_OK) return status;

  keep_state(w, record->q_after, record->v_after);
  result->rank = loop->rank.rank;
  result->redundant = loop->rank.other_count;
  result->dof = result->speeds = loop->partition.nf;
  return m->nroll > 0 ? method_roll_choose(m, w->d, &result->speeds, error) : ART_OK;
}


static artStatus assemble_given(const artModel *m, artData *d, const char *given_q,
                                const char *given_v, artAssembly *result, artError *error)
{
  artAssembly ignored;
  if (!result) result = &ignored;
  *result = (artAssembly){.rows = m->nrow, .dof = study_free_velocities(m, NULL)};
  result->speeds = result->dof;
  if (m->nrow == 0) return ART_OK;

  const int was_frozen = d->work->is_frozen;
  assembleWork w = {
      .m = m, .d = d, .rows = &d->work->loop->rows, .given_q = given_q, .given_v = given_v};
  d->work->is_frozen = 0;
  loop_reset(d->work->loop);
  artStatus status = relation_check_all(m, d, error);
  if (status == ART_OK) status = assemble_machine(&w, result, error);
  art_update(m, d);
  d->work->is_frozen = was_frozen;
  arena_free(&w.arena);
  return status;
}


artStatus study_assemble(const artModel *m, artData *d, artAssembly *result, artError *error)
{
  return assemble_given(m, d, m->is_given_q, m->is_given_v, result, error);
}


artStatus art_assemble(const artModel *m, artData *d, artAssembly *result, artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  return study_assemble(m, d, result, error);
}


//---- other values ---------------------------------------------------------------------------------

// the state before, and marks of what is given
typedef struct givenValues {
  double *q, *v;     // [nq], [nv]
  char *is_q, *is_v; // likewise
  baseArena arena;
} givenValues;


static int take_given(givenValues *g, const artModel *m, const artData *d)
{
  if (!ARENA_TAKE(&g->arena, g->q, m->tree.nq) || !ARENA_TAKE(&g->arena, g->v, m->tree.nv) ||
      !ARENA_TAKE(&g->arena, g->is_q, m->tree.nq) || !ARENA_TAKE(&g->arena, g->is_v, m->tree.nv)) {
    return 0;
  }
  base_copy(g->q, d->q, (size_t) m->tree.nq);
  base_copy(g->v, d->v, (size_t) m->tree.nv);
  return 1;
}


// one value into the data
static artStatus give_value(const artModel *m, artData *d, const artSetting *value, givenValues *g,
                            artError *error)
{
  const char *name = value->name ? value->name : "";
  const int q = table_find(&m->positions, name), v = table_find(&m->velocities, name);
  if (q < 0 && v < 0) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = name};
    for (int k = 0; k < m->tree.nq; k++) base_consider(&nearest, m->position[k].name);
    for (int k = 0; k < m->tree.nv; k++) base_consider(&nearest, m->velocity[k].name);
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "'%.200s' is not a coordinate or velocity of the machine%s", name,
                     base_hint(&nearest, hint));
  }
  char *is_given = q >= 0 ? &g->is_q[q] : &g->is_v[v];
  const int partner = q >= 0 ? m->position[q].partner : v;
  if (*is_given) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "'%s' is given twice", name);
  }
  if (!isfinite(value->value)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "'%s' is given as %g", name,
                     value->value);
  }
  if (partner >= 0 && m->tree.link[m->tree.dof_link[partner]].is_driven) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "a drive moves '%s', which follows from the time; change the time instead",
                     name);
  }
  *is_given = 1;
  if (q >= 0) d->q[q] = value->value;
  if (q < 0) d->v[v] = value->value;
  return ART_OK;
}


artStatus art_assemble_with(const artModel *m, artData *d, int n, const artSetting *value,
                            artAssembly *result, artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(n >= 0 && (value || n == 0), error);
  givenValues g = {0};
  artStatus status = take_given(&g, m, d) ? ART_OK : base_no_memory(error);
  for (int i = 0; i < n && status == ART_OK; i++) {
    status = give_value(m, d, &value[i], &g, error);
  }
  if (status == ART_OK) art_normalise(m, d->q);
  art_update(m, d);
  if (status == ART_OK) status = assemble_given(m, d, g.is_q, g.is_v, result, error);
  if (status != ART_OK && g.is_v) {
    base_copy(d->q, g.q, (size_t) m->tree.nq);
    base_copy(d->v, g.v, (size_t) m->tree.nv);
    art_update(m, d);
  }
  arena_free(&g.arena);
  return status;
}


//---- moved coordinates ---------------------------------------------------------------------------

// by more than the rounding of a file with six digits
static int is_moved(const artModel *m, const assemblyRecord *record, int q, double length)
{
  ART_ASSERT(q >= 0 && q < m->tree.nq);
  const double unit = strcmp(art_position_unit(m, q), "m") == 0 ? length : 1;
  return !(fabs(record->q_after[q] - record->q_before[q]) <= MOVED * unit);
}


// a rate that was given, by more than the rounding of double precision
static int is_corrected(const artModel *m, const assemblyRecord *record, int v)
{
  ART_ASSERT(v >= 0 && v < m->tree.nv);
  const double from = record->v_before[v], to = record->v_after[v];
  return m->is_given_v[v] && !(fabs(to - from) <= 1e-13 * fabs(from));
}


int art_assembly_move(const artModel *m, const artData *d, int k, artMove *move)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, 0);
  ART_REQUIRE_OR(move, 0);
  const assemblyRecord *record = &d->work->assembled;
  if (!record->q_before || k < 0) return 0;
  const double length = study_length(m);
  for (int i = 0; i < m->tree.nq; i++) {
    if (!is_moved(m, record, i, length) || k-- > 0) continue;
    *move = (artMove){m->position[i].name, art_position_unit(m, i), record->q_before[i],
                      record->q_after[i]};
    return 1;
  }
  for (int i = 0; i < m->tree.nv; i++) {
    if (!is_corrected(m, record, i) || k-- > 0) continue;
    *move = (artMove){m->velocity[i].name, art_velocity_unit(m, i), record->v_before[i],
                      record->v_after[i]};
    return 1;
  }
  return 0;
}
