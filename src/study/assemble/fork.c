// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines that start in a singular position.
#include "study/assemble/fork.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/numbers.h"
#include "force/force.h"
#include "loop/damped_least_squares.h"

// rounding of what rows ask for, relative to the largest of all rows; how far velocities may be off a
// branch, likewise
#define NOTHING   1e-8
#define ON_BRANCH 1e-6

// how far the machine goes back along its velocities to choose coordinates, in rad or m
#define BACK 0.03

enum { MAX_ITERATIONS = 30, PROBES = 2 };

typedef struct fork {
  const artModel *m;
  artData *d;
  struct loopWork *loop;
  double *v;      // [nv] a velocity to try
  double *kept_v; // [nv] that of the data
  double *kept_q; // [nq]
  double largest; // the most that a row may ask for at v
  baseArena arena;
} fork;


static void put_back(fork *f)
{
  memcpy(f->d->v, f->kept_v, (size_t) f->m->tree.nv * sizeof *f->d->v);
  memcpy(f->d->q, f->kept_q, (size_t) f->m->tree.nq * sizeof *f->d->q);
  art_update(f->m, f->d);
}


//---- demands of lost rows ------------------------------------------------------------------------

// gamma of all rows at f->v, where nothing accelerates
static artStatus find_gamma(fork *f)
{
  const artModel *m = f->m;
  artWorkspace *w = f->d->work;
  memcpy(f->d->v, f->v, (size_t) m->tree.nv * sizeof *f->v);
  art_update(m, f->d);
  memset(w->a_drive, 0, (size_t) m->tree.nv * sizeof *w->a_drive);
  artStatus status = rows_positions(m, f->d, &f->loop->rows, NULL, NULL);
  if (status == ART_OK) status = loop_jacobian(m, f->d, NULL, NULL);
  if (status != ART_OK) return status;
  tree_rne(&m->tree, &w->tree, f->d->v, w->a_drive, w->scratch);
  status = rows_gamma(m, f->d, &f->loop->rows, NULL, NULL);

  // demands of rows, or their demands if they turned: (dJ/dt) v is of the size of J v^2
  const double fastest = max_magnitude(f->m->tree.nv, f->v);
  const double longest = max_magnitude(f->m->nrow, f->loop->row_size);
  const double most = max_magnitude(f->m->nrow, f->loop->rows.gamma);
  f->largest = max_nan(most, longest * fastest * fastest);

  return status;
}


// n^T gamma of the k-th row that follows from others
static double excess_of_row(const fork *f, int k)
{
  const loopRank *rank = &f->loop->rank;
  const double *gamma = f->loop->rows.gamma;
  double sum = gamma[rank->other[k]];
  for (int e = rank->start[k]; e < rank->start[k + 1]; e++) {
    sum -= rank->coefficient[e] * gamma[rank->source[e]];
  }
  return sum;
}


// the row that asks most beyond those that it follows from, in numbers of `other`; -1: none does
static int worst_excess_row(const fork *f, double limit)
{
  const loopRank *rank = &f->loop->rank;
  int worst = -1;
  for (int k = 0; k < rank->other_count; k++) {
    if (rank->kind[rank->other[k]] != LOOP_ROW_REDUNDANT) continue;
    const double now = fabs(excess_of_row(f, k));
    if (now > limit && (worst < 0 || now > fabs(excess_of_row(f, worst)))) worst = k;
  }
  return worst;
}


// by velocities of all kinds that the loops allow; -1: no row is lost
static int find_lost(fork *f)
{
  const loopBlocks *blocks = f->loop->blocks;
  unsigned seed = 5;
  for (int probe = 0; probe < PROBES; probe++) {
    memset(f->v, 0, (size_t) f->m->tree.nv * sizeof *f->v);
    for (int i = 0; i < blocks->nf; i++) f->v[blocks->column_u[i]] = base_scatter(&seed);
    blocks_multiply(blocks, f->v);
    if (find_gamma(f) != ART_OK) return -1;
    const int lost = worst_excess_row(f, NOTHING * f->largest);
    if (lost >= 0) return lost;
  }
  return -1;
}


static artStatus open_fork(fork *f, const artModel *m, artData *d, artError *error)
{
  *f = (fork){.m = m, .d = d, .loop = d->work->loop};
  ARENA_TAKE(&f->arena, f->v, m->tree.nv);
  f->kept_v = arena_copy(&f->arena, d->v, (size_t) m->tree.nv, sizeof *d->v);
  f->kept_q = arena_copy(&f->arena, d->q, (size_t) m->tree.nq, sizeof *d->q);
  return f->arena.has_run_out ? base_no_memory(error) : ART_OK;
}


int study_find_fork(const artModel *m, artData *d)
{
  fork f;
  if (m->nrow == 0 || !d->work->loop->is_ready || d->work->loop->rank.other_count == 0) return -1;
  int row = -1;
  if (open_fork(&f, m, d, NULL) == ART_OK) {
    const int lost = find_lost(&f);
    if (lost >= 0) row = f.loop->rank.other[lost];
    put_back(&f);
  }
  arena_free(&f.arena);
  return row;
}


//---- the ways to go on ---------------------------------------------------------------------------

// n^T gamma of row `lost` where two free coordinates move at these rates; f->v is that motion
static double try_pair(fork *f, int lost, const int pair[2], double a, double b)
{
  memset(f->v, 0, (size_t) f->m->tree.nv * sizeof *f->v);
  f->v[pair[0]] = a;
  f->v[pair[1]] = b;
  blocks_multiply(f->loop->blocks, f->v);
  return find_gamma(f) == ART_OK ? excess_of_row(f, lost) : NAN;
}


// the free coordinates that move coordinates of a row, idle spins apart; returns their number
static int list_joint_jogs(const fork *f, int row, int pair[2])
{
  ART_ASSERT(row >= 0 && row < f->m->nrow);
  const loopBlocks *blocks = f->loop->blocks;
  int count = 0;
  for (int i = 0; i < blocks->nf; i++) {
    const int column = blocks->column_u[i];
    int moves = 0;
    if (f->loop->places.is_idle[column]) continue;
    memset(f->v, 0, (size_t) f->m->tree.nv * sizeof *f->v);
    f->v[column] = 1;
    blocks_multiply(blocks, f->v);
    for (int k = 0; k < f->m->tree.nv; k++) {
      moves |= study_row_depends(f->m, f->d, row, k) && fabs(f->v[k]) > 1e-9;
    }
    if (!moves) continue;
    if (count < 2) pair[count] = column;
    count++;
  }
  return count;
}


// the rates of the loop's coordinates in f->v, in parts of the largest
static void add_way(const fork *f, int row, char *text, size_t length)
{
  double most = 0;
  int count = 0;
  for (int k = 0; k < f->m->tree.nv; k++) {
    if (study_row_depends(f->m, f->d, row, k) && fabs(f->v[k]) > fabs(most)) most = f->v[k];
  }
  for (int k = 0; k < f->m->tree.nv; k++) {
    if (!study_row_depends(f->m, f->d, row, k)) continue;
    base_append(text, length, "%s%.60s = %.6g", count++ ? ", " : "", f->m->velocity[k].name,
                fabs(f->v[k] / most) < 1e-9 ? 0 : f->v[k] / most);
  }
}


// The known ways to go on: q11 a^2 + 2 q12 a b + q22 b^2 = 0 over two free coordinates. Returns
// their number, -1: not known.
static int describe_ways(fork *f, int lost, char *text, size_t length)
{
  ART_ASSERT(lost >= 0 && lost < f->loop->rank.other_count);
  int pair[2] = {0, 0};
  const int row = f->loop->rank.other[lost], jogs = list_joint_jogs(f, row, pair);
  text[0] = '\0';
  if (jogs != 2) return jogs == 1 ? 0 : -1;
  const double q11 = try_pair(f, lost, pair, 1, 0), q22 = try_pair(f, lost, pair, 0, 1);
  const double q12 = 0.5 * (try_pair(f, lost, pair, 1, 1) - q11 - q22);
  const double root = sqrt(q12 * q12 - q11 * q22);
  if (!(root >= 0)) return 0;

  // both roots without loss of digits: a/b = (-q12 -+ root)/q11 = q22/(-q12 +- root)
  const double s = q12 > 0 ? -q12 - root : -q12 + root;
  base_append(text, length, "; its ways to go on are ");
  try_pair(f, lost, pair, s, q11);
  add_way(f, row, text, length);
  base_append(text, length, "; or ");
  try_pair(f, lost, pair, q22, s);
  add_way(f, row, text, length);
  return 2;
}


static artStatus refuse_fork_start(fork *f, int lost, int is_moving, artError *error)
{
  ART_ASSERT(lost >= 0 && lost < f->loop->rank.other_count);
  char names[FORK_NAMES], ways[480];
  study_fork_joints(f->m, f->d, f->loop->rank.other[lost], names);
  const int count = describe_ways(f, lost, ways, sizeof ways);
  put_back(f);
  if (count == 0) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the machine starts in a singular position of the loop of joints %s, in which "
                     "the loop is locked: whatever rates it has there would tear it apart; start "
                     "elsewhere, or check the lengths",
                     names);
  }
  return base_fail(
      error, ART_BAD_INPUT, base_nowhere(),
      "the machine starts in a singular position of the loop of joints %s, where it can "
      "go on in more than one way, and its initial rates %s%s; give rates that follow "
      "one of them, or start elsewhere",
      names, is_moving ? "follow none of them" : "are zero: they choose none", ways);
}


//---- on a branch ---------------------------------------------------------------------------------

// loops closed again near the positions in the data, drives held; 0 when that cannot be
static int close_near(fork *f)
{
  const artModel *m = f->m;
  loopRows *rows = &f->loop->rows;
  loopLeast least;
  double gap = INFINITY;
  double *right = arena_alloc(&f->arena, (size_t) m->nrow, sizeof *right);
  if (!right || !least_start(&least, &rows->J, matrix_count(&rows->J), &f->arena)) return 0;
  for (int r = 0; r < m->nrow; r++) least.row[r] = 1;
  for (int k = 0; k < m->tree.nv; k++) least.column[k] = f->loop->driven[k] ? 0 : 1;
  for (int i = 0; i < MAX_ITERATIONS; i++) {
    data_place(m, f->d);
    if (loop_gap(m, f->d, &gap, NULL) != ART_OK) return 0;
    if (gap < 1e-13) break;
    if (loop_jacobian(m, f->d, NULL, NULL) != ART_OK) return 0;
    least_gather(&least);
    for (int r = 0; r < m->nrow; r++) right[r] = -rows->phi[r];
    if (least_solve(&least, 1e-14, right, f->v, NULL) != ART_OK) return 0;
    art_move(m, f->d->q, f->v);
  }
  return gap < 1e-11;
}


// Coordinates are chosen a little way back, where all rows count, and the bridge to here starts there.
static artStatus choose_behind(fork *f, artError *error)
{
  const artModel *m = f->m;

  // the largest rate of a coordinate; orientations may spin idly, however fast
  double any = 0, most = 0;
  for (int k = 0; k < f->m->tree.nv; k++) {
    any = max_nan(any, fabs(f->kept_v[k]));
    if (f->loop->places.place[k] >= 0) most = max_nan(most, fabs(f->kept_v[k]));
  }
  const double fastest = most > 0 ? most : any;

  for (int k = 0; k < m->tree.nv; k++) f->v[k] = -BACK / fastest * f->kept_v[k];
  memcpy(f->d->q, f->kept_q, (size_t) m->tree.nq * sizeof *f->d->q);
  art_move(m, f->d->q, f->v);
  if (!close_near(f)) {
    return base_fail(
        error, ART_NO_CONVERGENCE, base_nowhere(),
        "the machine starts in a singular position and its loops cannot be closed next "
        "to it, against its initial rates; start elsewhere");
  }
  loop_forget(f->loop);
  const artStatus status = loop_partition(m, f->d, error);
  if (status != ART_OK) return status;
  double sound = INFINITY;
  for (int k = 0; k < f->loop->blocks->block_count; k++) {
    sound = min_nan(sound, f->loop->hold.sound[k]);
  }
  f->loop->pivot_start = max_nan(f->loop->pivot_start, sound);
  return ART_OK;
}


// do the velocities of the data follow a branch?
static int is_on_branch(fork *f, int lost, int *is_moving)
{
  memcpy(f->v, f->kept_v, (size_t) f->m->tree.nv * sizeof *f->v);
  const int row = f->loop->rank.other[lost];
  double most = 0;
  for (int k = 0; k < f->m->tree.nv; k++) {
    if (study_row_depends(f->m, f->d, row, k)) most = max_nan(most, fabs(f->v[k]));
  }
  *is_moving = most > 0;
  if (!*is_moving || find_gamma(f) != ART_OK) return 0;
  return worst_excess_row(f, ON_BRANCH * f->largest) < 0;
}


static artStatus choose_fork_branch(fork *f, artError *error)
{
  int is_moving;
  const int lost = find_lost(f);
  if (lost < 0) return ART_OK;
  if (!is_on_branch(f, lost, &is_moving)) return refuse_fork_start(f, lost, is_moving, error);
  return choose_behind(f, error);
}


artStatus study_choose_branch(const artModel *m, artData *d, artError *error)
{
  fork f;
  if (m->nrow == 0 || d->work->loop->rank.other_count == 0) return ART_OK;
  artStatus status = open_fork(&f, m, d, error);
  if (status == ART_OK) {
    status = choose_fork_branch(&f, error);
    put_back(&f);
  }
  arena_free(&f.arena);
  return status;
}


artStatus study_refuse_fork(const artModel *m, artData *d, artError *error)
{
  char names[FORK_NAMES];
  const int row = study_find_fork(m, d);
  if (row < 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the machine starts in a singular position of the loop of joints %s, where "
                   "generated equations would miss rows of the loop; start elsewhere",
                   study_fork_joints(m, d, row, names));
}
