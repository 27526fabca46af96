// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The response of articulated trees to added forces, against the difference of two full solutions and
// against the inverse of the mass matrix.
#include <math.h>
#include <string.h>

#include "data/work.h"
#include "support/check.h"
#include "support/models.h"

enum { TREES = 120, MAX_LINKS = 4 * SAMPLE_BODIES };

static wrench applied[MAX_LINKS], added[MAX_LINKS], both[MAX_LINKS];


static sampleOptions options_of(int trial)
{
  return (sampleOptions){.n = 1 + trial % 15,
                         .has_rotors = trial % 2,
                         .has_drives = trial % 3 == 0,
                         .has_massless = trial % 5 == 1};
}


static void random_wrenches(uint64_t *seed, int n, wrench *f)
{
  for (int i = 0; i < n; i++) sample_numbers(seed, 3, 6, (double *) &f[i]);
}


TEST(added_forces_give_the_same_as_all_forces_at_once)
{
  uint64_t seed = 11;
  for (int trial = 0; trial < TREES; trial++) {
    sampleScene s = sample_open(options_of(trial), NULL, &seed);
    const treeModel *t = &s.m->tree;
    treeData *d = &s.d->work->tree;
    double tau[SAMPLE_V], more[SAMPLE_V], sum[SAMPLE_V], a[SAMPLE_V], want[SAMPLE_V];
    motion acc[MAX_LINKS];
    random_wrenches(&seed, t->n, applied);
    random_wrenches(&seed, t->n, added);
    sample_numbers(&seed, 5, s.nv, tau);
    sample_numbers(&seed, 5, s.nv, more);
    for (int k = 0; k < s.nv; k++) sum[k] = tau[k] + more[k];
    for (int i = 0; i < t->n; i++) both[i] = wr_add(applied[i], added[i]);

    memcpy(want, s.d->work->a_drive, sizeof(double) * (size_t) s.nv);
    d->f_ext = both;
    tree_aba(t, d, s.d->v, sum, want);
    for (int i = 1; i < t->n; i++) acc[i] = d->body[i].acc;

    memcpy(a, s.d->work->a_drive, sizeof(double) * (size_t) s.nv);
    d->f_ext = applied;
    tree_aba(t, d, s.d->v, tau, a);
    tree_respond(t, d, added, more, a);
    CHECK_NEAR(a, want, s.nv, 1e-9 * check_scale(s.nv, want));
    CHECK_NEAR((double *) &d->body[1].acc, (double *) &acc[1], 6, 1e-9 * check_scale(s.nv, want));
    CHECK_NEAR((double *) &d->body[t->n - 1].acc, (double *) &acc[t->n - 1], 6,
               1e-9 * check_scale(s.nv, want));
    d->f_ext = NULL;
  }
}


// u of every joint for a unit force in coordinate k, by sweeping all links inward
static void send_unit(const treeModel *t, const treeData *d, int k, double *u)
{
  double tau[SAMPLE_V] = {0};
  memset(added, 0, sizeof added);
  tau[k] = 1;
  for (int i = t->n - 1; i > 0; i--) {
    const treeLink *link = &t->link[i];
    const wrench rest =
        tree_release(link, &d->pose[i], &d->art[i], added[i], tau + link->v0, u + link->v0);
    if (link->parent == 0) continue;
    added[link->parent] = wr_add(added[link->parent], wr_back(d->pose[i].R, d->pose[i].p, rest));
  }
}


// a_r = sum of weight u_r u_s: what a unit force in s does to coordinate r
TEST(weighed_responses_give_the_inverse_of_the_mass_matrix)
{
  static double u[SAMPLE_V][SAMPLE_V];
  uint64_t seed = 12;
  for (int trial = 0; trial < 40; trial++) {
    const sampleOptions options = {.n = 1 + trial % 9, .has_rotors = trial % 2};
    sampleScene s = sample_open(options, NULL, &seed);
    const treeModel *t = &s.m->tree;
    treeData *d = &s.d->work->tree;
    double a[SAMPLE_V] = {0}, tau[SAMPLE_V] = {0}, weight[SAMPLE_V];
    tree_aba(t, d, s.d->v, tau, a);
    for (int r = 0; r < s.nv; r++) send_unit(t, d, r, u[r]);
    for (int i = 1; i < t->n; i++) {
      const treeLink *link = &t->link[i];
      if (link->nv == 0) continue;
      for (int r = 0; r < s.nv; r++) {
        tree_weigh(link, &d->art[i], 1, u[r] + link->v0, weight + link->v0);
      }
    }
    for (int r = 0; r < s.nv; r++) {
      double response[SAMPLE_V] = {0}, force[SAMPLE_V] = {0}, got[SAMPLE_V];
      memset(added, 0, sizeof added);
      force[r] = 1;
      tree_respond(t, d, added, force, response);
      for (int c = 0; c < s.nv; c++) {
        got[c] = 0;
        for (int k = 0; k < s.nv; k++) got[c] += weight[k] * u[r][k] * u[c][k];
      }
      CHECK_NEAR(got, response, s.nv, 1e-10 * check_scale(s.nv, response));
    }
  }
}
