// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Assembly of velocities of what rolls without slip:  J v = 0  and  A v = 0.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/max_nan.h"
#include "loop/roll_rows.h"
#include "study/assemble/assemble.h"

enum { MAX_SOLVES = 40 };

static const double CLOSED = 1e-13, CLOSED_ENOUGH = 1e-10; // of the terms of a row
static const double GIVEN = 1e-3; // how easily given velocities move where they are projected

typedef struct rollingRows {
  loopMatrix J; // rows of the loops, and of A after them
  loopLeast least;
  double *A;           // [nroll_row nv]
  double *gap, *right; // [rows]
  double size;         // the largest term of a row
} rollingRows;


static int take_rolling_rows(assembleWork *w, rollingRows *r)
{
  const artModel *m = w->m;
  baseArena *a = &w->arena;
  const size_t nv = (size_t) m->tree.nv, n = (size_t) (m->nrow + m->nroll_row);
  const size_t entries = (size_t) matrix_count(&w->velocity) + (size_t) m->nroll_row * nv;
  r->J = (loopMatrix){.m = (int) n, .n = m->tree.nv};
  return ARENA_TAKE(a, r->J.start, n + 1) && ARENA_TAKE(a, r->J.column, entries + 1) &&
         ARENA_TAKE(a, r->J.value, entries + 1) && ARENA_TAKE(a, r->gap, n) &&
         ARENA_TAKE(a, r->right, n) && ARENA_TAKE(a, r->A, (size_t) m->nroll_row * nv) &&
         least_start(&r->least, &r->J, (int) entries, a);
}


static void lay_rolling_rows(assembleWork *w, rollingRows *r)
{
  const artModel *m = w->m;
  const loopMatrix *loops = &w->velocity;
  int n = matrix_count(loops);
  memcpy(r->J.start, loops->start, ((size_t) m->nrow + 1) * sizeof *r->J.start);
  memcpy(r->J.column, loops->column, (size_t) n * sizeof *r->J.column);
  memcpy(r->J.value, loops->value, (size_t) n * sizeof *r->J.value);
  rolling_rows(m, w->d, r->A);
  for (int k = 0; k < m->nroll_row; k++) {
    for (int j = 0; j < m->tree.nv; j++) {
      const double value = r->A[(long) k * m->tree.nv + j];
      if (value == 0) continue;
      r->J.column[n] = j;
      r->J.value[n++] = value;
    }
    r->J.start[m->nrow + k + 1] = n;
  }
  for (int k = 0; k < r->J.m; k++) {
    r->least.row[k] = k < m->nrow ? w->least.row[k] : 1 / w->length;
  }
}


// the largest entry of J v among rows that count
static double rolling_gap(const assembleWork *w, rollingRows *r)
{
  double most = 0;
  r->size = 0;
  for (int k = 0; k < r->J.m; k++) {
    r->gap[k] = r->least.row[k] > 0 ? matrix_row_times(&r->J, k, w->d->v) : 0;
    most = max_nan(most, fabs(r->gap[k]));
    for (int e = r->J.start[k]; e < r->J.start[k + 1]; e++) {
      r->size = max_nan(r->size, fabs(r->J.value[e] * w->d->v[r->J.column[e]]));
    }
  }
  return most;
}


// the least change of velocities that may change, by the scales of columns; given ones by a factor (0: none)
static artStatus solve_rolling(assembleWork *w, rollingRows *r, double given, artError *error)
{
  artStatus status = ART_OK;
  double before = HUGE_VAL;
  assemble_scale_columns(w, given);
  memcpy(r->least.column, w->least.column, (size_t) w->m->tree.nv * sizeof *r->least.column);
  least_gather(&r->least);
  for (int i = 0; i < MAX_SOLVES && status == ART_OK; i++) {
    const double gap = rolling_gap(w, r);
    if (gap <= 1e-15 * r->size || !(gap < 0.9 * before)) break;
    before = gap;
    for (int k = 0; k < r->J.m; k++) r->right[k] = -r->gap[k];
    status = least_solve(&r->least, 1e-12, r->right, w->move, error);
    for (int k = 0; k < w->m->tree.nv && status == ART_OK; k++) w->d->v[k] += w->move[k];
  }
  return status;
}


// the joint that slips most with the velocities as given
static artStatus refuse_slip(const assembleWork *w, const rollingRows *r, artError *error)
{
  const artModel *m = w->m;
  int worst = m->nrow;
  for (int k = m->nrow; k < r->J.m; k++) {
    if (fabs(r->gap[k]) > fabs(r->gap[worst])) worst = k;
  }
  int i = 0;
  while (m->roll[i].row0 + m->roll[i].nrow <= worst - m->nrow) i++;
  const modelJoint *joint = &m->joint[m->cut[m->roll[i].cut].joint];
  char list[300] = "";
  for (int k = 0; k < m->tree.nv; k++) {
    if (!w->held[k] || r->A[(long) (worst - m->nrow) * m->tree.nv + k] == 0) continue;
    char word[160];
    format_text(word, sizeof word, "%s%.100s = %.6g", list[0] ? ", " : "", m->velocity[k].name,
                w->d->v[k]);
    base_append(list, sizeof list, "%s", word);
  }
  return base_fail(error, ART_BAD_INPUT, joint->place,
                   "the initial velocities contradict the rolling of '%s', which slips by %.3g m/s"
                   "%s%s; remove one of them, or have the nearest velocities taken with assembly: "
                   "{velocities: project}",
                   joint->name, fabs(r->gap[worst]), list[0] ? " with " : "", list);
}


artStatus assemble_rolling(assembleWork *w, artAssembly *result, artError *error)
{
  rollingRows r;
  artStatus status = rolling_check(w->m, w->d, error);
  if (status == ART_OK) status = rolling_check_touches(w->m, w->d, error);
  if (status != ART_OK) return status;
  if (!take_rolling_rows(w, &r)) return base_no_memory(error);
  lay_rolling_rows(w, &r);
  const double before = rolling_gap(w, &r);
  result->rate_gap_before = max_nan(result->rate_gap_before, before);
  if (before > CLOSED * r.size) {
    for (int k = 0; k < w->m->tree.nv; k++) w->held[k] = w->given_v[k];
    status = solve_rolling(w, &r, 0, error);
    const double left = rolling_gap(w, &r);
    if (status == ART_OK && left > CLOSED * r.size && (w->m->project || left < 1e-6 * r.size)) {
      status = solve_rolling(w, &r, GIVEN, error);
    }
  }
  const double left = rolling_gap(w, &r);
  result->rate_gap = max_nan(result->rate_gap, left);
  if (status != ART_OK || left <= CLOSED_ENOUGH * r.size) return status;
  return refuse_slip(w, &r, error);
}
