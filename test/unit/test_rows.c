// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of every kind against differences: J against phi, gamma against J v.
#include "loop/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loop/loop.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/models.h"
#include "support/naive.h"

enum { MAX_ROWS = 32, MAX_V = 64, STATES = 4 };

#define STEP 2e-3

// a state and a way to go on from it: q moves by v h + a h^2 / 2, v by a h
typedef struct path {
  const artModel *m;
  artData *d;
  double q[2 * MAX_V], v[MAX_V], a[MAX_V], time;
} path;


static void begin_path(path *p, const artModel *m, artData *d, uint64_t *seed)
{
  p->m = m, p->d = d, p->time = d->time;
  memcpy(p->q, d->q, (size_t) art_count(m).nq * sizeof *p->q);
  memcpy(p->v, d->v, (size_t) art_count(m).nv * sizeof *p->v);
  sample_numbers(seed, 3, art_count(m).nv, p->a);
  for (int i = 0; i < m->ndrive; i++) {
    p->a[m->drive[i].velocity] = d->work->a_drive[m->drive[i].velocity];
  }
}


static void go(path *p, double h)
{
  double move[MAX_V];
  const int nv = art_count(p->m).nv;
  for (int k = 0; k < nv; k++) move[k] = h * p->v[k] + 0.5 * h * h * p->a[k];
  memcpy(p->d->q, p->q, (size_t) art_count(p->m).nq * sizeof *p->q);
  art_move(p->m, p->d->q, move);
  for (int k = 0; k < nv; k++) p->d->v[k] = p->v[k] + h * p->a[k];
  p->d->time = p->time + h;
  art_update(p->m, p->d);
}


static void find_rows(path *p, loopRows *rows)
{
  CHECK(rows_positions(p->m, p->d, rows, NULL, NULL) == ART_OK);
  tree_axes(&p->m->tree, &p->d->work->tree);
  CHECK(rows_jacobian(p->m, p->d, rows, NULL, NULL) == ART_OK);
}


// J x
static double times(const path *p, const loopRows *rows, int row, const double *x)
{
  double sum = 0;
  for (int k = 0; k < p->m->tree.nv; k++) sum += matrix_at(&rows->J, row, k) * x[k];
  return sum;
}


static void check_path(path *p, loopRows *rows)
{
  double phi[MAX_ROWS][9], rate[MAX_ROWS][9];
  const int nrow = p->m->nrow, nv = p->m->tree.nv;
  if (!CHECK(nrow <= MAX_ROWS && nv <= MAX_V)) return;
  for (int i = 0; i < 9; i++) {
    go(p, (i - 4) * STEP);
    find_rows(p, rows);
    for (int r = 0; r < nrow; r++) {
      phi[r][i] = rows->phi[r];
      rate[r][i] = times(p, rows, r, p->d->v);
    }
  }

  go(p, 0);
  find_rows(p, rows);
  double tau[MAX_V], free[MAX_V];
  tree_rne(&p->m->tree, &p->d->work->tree, p->d->v, p->d->work->a_drive, tau);
  CHECK(rows_gamma(p->m, p->d, rows, NULL, NULL) == ART_OK);
  for (int k = 0; k < nv; k++) free[k] = p->a[k] - p->d->work->a_drive[k];
  double most = 0;
  for (int r = 0; r < nrow; r++) {
    // phi' = J v,  (J v)' = J (a - a_drive) - gamma
    const double want = times(p, rows, r, p->d->v);
    const double sum = times(p, rows, r, free) - rows->gamma[r];
    CHECK_CLOSE(naive_first(phi[r], STEP), want, 1e-9 * (1 + fabs(want)));
    CHECK_CLOSE(naive_first(rate[r], STEP), sum, 1e-8 * (1 + fabs(sum)));
    most = fmax(most, fabs(want));
  }
  loopResidual open;
  CHECK(residual_open(p->m, p->d, &open, NULL) == ART_OK);
  CHECK_CLOSE(open.velocity, most, 1e-12 * (1 + most));
}


TEST(rows_agree_with_differences)
{
  uint64_t seed = 21;
  for (const loopSample *s = loop_samples; s->name; s++) {
    artModel *m = keep_model(s->make());
    artData *d = keep_fresh_data(m);
    for (int trial = 0; d && trial < STATES; trial++) {
      path p;
      if (!loop_random_state(m, d, &seed)) break;
      begin_path(&p, m, d, &seed);
      check_path(&p, &d->work->loop->rows);

      // open loops: all but a thread, whose angle has no meaning then
      if (strstr(s->name, "screw")) continue;
      sample_numbers(&seed, 2, m->tree.nv, p.v);
      double move[MAX_V];
      sample_numbers(&seed, 0.3, m->tree.nv, move);
      art_move(m, p.q, move);
      check_path(&p, &d->work->loop->rows);
    }
  }
}


TEST(samples_have_the_rows_and_the_rank_they_say)
{
  uint64_t seed = 22;
  for (const loopSample *s = loop_samples; s->name; s++) {
    artModel *m = keep_model(s->make());
    artData *d = keep_fresh_data(m);
    if (!d || !loop_random_state(m, d, &seed)) {
      printf("  %s\n", s->name);
    } else if (!(CHECK_EQ_INT(m->nrow, s->rows) &&
                 CHECK_EQ_INT(d->work->loop->rank.rank, s->rank) &&
                 CHECK_EQ_INT(d->work->loop->partition.nf, s->mobility))) {
      printf("  %s\n", s->name);
    }
  }
}


// the wrench on `to` and its opposite on `from` do the work that J^T lambda does
TEST(wrenches_of_multipliers_are_the_transposed_jacobian)
{
  uint64_t seed = 23;
  for (const loopSample *s = loop_samples; s->name; s++) {
    artModel *m = s->make();
    artData *d = m ? art_create_data(m) : NULL;
    if (!d || !loop_random_state(m, d, &seed)) continue;
    loopRows *rows = &d->work->loop->rows;
    double without[MAX_V], with[MAX_V], want[MAX_V];
    path p = {.m = m, .d = d};
    find_rows(&p, rows);
    sample_numbers(&seed, 4, m->nrow, rows->lambda);
    CHECK(art_apply_forces(m, d, NULL) == ART_OK);
    memset(d->work->applied, 0, (size_t) m->tree.n * sizeof *d->work->applied);
    d->work->tree.f_ext = d->work->applied;
    tree_rne(&m->tree, &d->work->tree, d->v, NULL, without);
    rows_apply(m, d, rows);
    tree_rne(&m->tree, &d->work->tree, d->v, NULL, with);
    double relation[MAX_V];
    rows_relation_forces(m, rows, relation);
    for (int k = 0; k < m->tree.nv; k++) {
      without[k] += relation[k] - with[k];
      want[k] = 0;
      for (int r = 0; r < m->nrow; r++) want[k] += matrix_at(&rows->J, r, k) * rows->lambda[r];
    }
    if (!CHECK_NEAR(without, want, m->tree.nv, 1e-11)) printf("  %s\n", s->name);
    art_free_data(d);
    art_free_model(m);
  }
}
