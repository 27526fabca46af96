// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closing the loops: dependent positions and velocities from independent ones.
#include <math.h>
#include <string.h>

#include "data/place.h"
#include "loop/loop.h"

// Leave rows alone whose violation is below NEGLIGIBLE_VIOLATION (m or rad): solving again would
// only add rounding errors, which grow near singular positions. A larger tolerance would also be
// harmful there: at a distance s, a position error e becomes e/s^2 in the accelerations. Below
// ROUNDING_VIOLATION the violation may be pure rounding error. Newton's method must reach
// MAX_VIOLATION.
#define NEGLIGIBLE_VIOLATION 1e-14
#define ROUNDING_VIOLATION   1e-12
#define MAX_VIOLATION        1e-9

enum { MAX_ITERATIONS = 25 };


// report the row with the largest violation
static artStatus report_open(const artModel *m, const artData *d, artError *error)
{
  ART_ASSERT(d->work->loop->partition.nd > 0);
  const struct loopWork *loop = d->work->loop;
  const loopRows *rows = &loop->rows;
  int worst = loop->partition.row[0];
  for (int i = 1; i < loop->partition.nd; i++) {
    const int k = loop->partition.row[i];
    if (!(fabs(rows->phi[k]) <= fabs(rows->phi[worst]))) worst = k;
  }
  char name[MODEL_ROW_LENGTH];
  return base_fail(error, ART_NO_CONVERGENCE, base_nowhere(),
                   "loops cannot be closed at t = %.9g s: %s stays open by %.3g", d->time,
                   model_row_name(m, worst, name), rows->phi[worst]);
}


// largest |phi| of the rows that are solved
static double solved_gap(const struct loopWork *loop)
{
  const loopBlocks *blocks = loop->blocks;
  double most = 0;
  for (int p = 0; p < blocks->nd; p++) {
    const double phi = fabs(loop->rows.phi[blocks->row[p]]);
    if (!(phi <= most) && !blocks_block(blocks, p)->is_held) most = phi;
  }
  return most;
}


// Newton step: J_v dq_v = -phi
static void move_by_newton(const artModel *m, artData *d)
{
  struct loopWork *loop = d->work->loop;
  memset(loop->step, 0, (size_t) m->tree.nv * sizeof *loop->step);
  blocks_solve(loop->blocks, loop->rows.phi, loop->step);
  for (int k = 0; k < m->tree.nv; k++) loop->step[k] = -loop->step[k];
  art_move(m, d->q, loop->step);
}


// iterate with the present factors until the loops are closed; refactor when convergence is slow
static artStatus close_loop_positions(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  loopRows *rows = &loop->rows;
  double gap = solved_gap(loop);
  for (int i = 0; i < MAX_ITERATIONS && gap > NEGLIGIBLE_VIOLATION; i++) {
    move_by_newton(m, d);
    singular_path_place(&loop->hold, loop->blocks, d->q);
    data_place(m, d);
    const artStatus status = rows_positions(m, d, rows, loop->kept, error);
    if (status != ART_OK) return status;

    const double before = gap;
    gap = solved_gap(loop);
    if (!isfinite(gap)) return report_open(m, d, error);
    if (gap < ROUNDING_VIOLATION && gap > 0.1 * before) break; // only rounding is left
    if (gap > 0.1 * before) {
      // too far away for the old factors
      const artStatus again = loop_jacobian(m, d, loop->kept, error);
      if (again != ART_OK) return again;
      blocks_factor(loop->blocks, rows->J.value);
    }
  }
  return gap < MAX_VIOLATION ? ART_OK : report_open(m, d, error);
}


// J and its factors at the present positions
static artStatus refactor_jacobian(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  const artStatus status = loop_jacobian(m, d, loop->kept, error);
  if (status == ART_OK) loop->pivot = loop_factor(loop);
  profile_end(d->work->profile, PROFILE_CONSTRAINTS);
  return status;
}


artStatus loop_solve(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  ART_ASSERT(loop && loop->is_ready);
  double gap = INFINITY;
  for (int i = 0; i < MAX_ITERATIONS; i++) {
    data_place(m, d);
    artStatus status = rows_positions(m, d, &loop->rows, loop->kept, error);
    if (status == ART_OK) status = refactor_jacobian(m, d, error);
    if (status != ART_OK) return status;
    const double before = gap;
    gap = solved_gap(loop);
    if (!isfinite(gap)) break;
    if (gap == 0 || (gap < ROUNDING_VIOLATION && gap > 0.5 * before)) return ART_OK;
    move_by_newton(m, d);
  }
  return report_open(m, d, error);
}


// rows, J and its factors, with coordinates held near singular positions
static artStatus find_closing_rows(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  if (singular_path_choose(&loop->hold, loop->blocks, d->q)) data_place(m, d);
  const artStatus status = rows_positions(m, d, &loop->rows, loop->kept, error);
  profile_end(d->work->profile, PROFILE_POSITIONS);
  return status == ART_OK ? refactor_jacobian(m, d, error) : status;
}


artStatus loop_place(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  ART_ASSERT(loop);
  artStatus status = loop->is_ready ? ART_OK : loop_partition(m, d, error);
  if (status == ART_OK) status = find_closing_rows(m, d, error);
  if (status == ART_OK && bridge_build(m, d)) status = find_closing_rows(m, d, error);
  if (status != ART_OK) return status;

  double gap = solved_gap(loop);
  if (gap > NEGLIGIBLE_VIOLATION) {
    singular_path_still(loop->blocks);
    status = close_loop_positions(m, d, error);
    profile_end(d->work->profile, PROFILE_POSITIONS);
    if (status == ART_OK) status = refactor_jacobian(m, d, error);
    if (status != ART_OK) return status;
    gap = solved_gap(loop);
  }
  loop->is_closed =
      gap <= NEGLIGIBLE_VIOLATION && loop->hold.held == 0 && loop_is_strong(loop, loop->pivot);
  return ART_OK;
}


void loop_move(artData *d)
{
  // v_v = B v_u
  blocks_multiply(d->work->loop->blocks, d->v);
  tree_forget_velocities(&d->work->tree);
}


artStatus loop_close(const artModel *m, artData *d, artError *error)
{
  const artStatus status = loop_place(m, d, error);
  if (status != ART_OK) return status;
  blocks_couple(d->work->loop->blocks);
  loop_move(d);
  return ART_OK;
}


int loop_remember(artData *d)
{
  struct loopWork *loop = d->work->loop;
  return singular_path_remember(&loop->hold, loop->blocks, d->q, &loop->rows.J);
}
