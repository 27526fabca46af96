// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The mass matrix: against the closed form of an arm, against inverse dynamics column by column,
// against the kinetic energy; and its factors from the leaves.
#include <math.h>
#include <string.h>

#include "data/work.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/naive.h"

static double M[SAMPLE_V * SAMPLE_V];


TEST(agrees_with_the_two_link_closed_form)
{
  artModel *m = keep_model(model_two_link());
  artData *d = keep_fresh_data(m);
  for (int trial = 0; trial < 20; trial++) {
    d->q[0] = 0.3 * trial - 3, d->q[1] = 2.5 - 0.25 * trial;
    art_update(m, d);
    art_mass_matrix(m, d, M);
    const double k = two.m2 * two.l1 * two.c2 * cos(d->q[1]);
    const double M22 = two.I2 + two.m2 * two.c2 * two.c2;
    const double M11 = two.I1 + two.m1 * two.c1 * two.c1 + two.m2 * two.l1 * two.l1 + M22 + 2 * k;
    const double want[4] = {M11, M22 + k, M22 + k, M22};
    CHECK_NEAR(M, want, 4, 1e-14);
  }
}


// tau(a = e_k) - tau(a = 0) is column k, the rotor included
TEST(columns_are_what_inverse_dynamics_gives)
{
  uint64_t seed = 81;
  for (int trial = 0; trial < 60; trial++) {
    const sampleOptions options = {.n = 12, .has_rotors = 1, .has_massless = 1};
    sampleScene s = sample_open(options, NULL, &seed);
    art_mass_matrix(s.m, s.d, M);
    for (int k = 0; k < s.nv; k++) {
      double unit[SAMPLE_V] = {0}, with[SAMPLE_V], without[SAMPLE_V], column[SAMPLE_V];
      unit[k] = 1;
      art_inverse_dynamics(s.m, s.d, unit, with);
      art_inverse_dynamics(s.m, s.d, NULL, without);
      for (int i = 0; i < s.nv; i++) {
        with[i] -= without[i];
        column[i] = M[i * s.nv + k];
      }
      CHECK_NEAR(with, column, s.nv, 1e-11);
    }
  }
}


TEST(kinetic_energy_is_its_quadratic_form)
{
  uint64_t seed = 83;
  for (int trial = 0; trial < 60; trial++) {
    static naiveSwarm swarm;
    const sampleOptions options = {.n = 8, .has_rotors = 1, .has_massless = 1};
    sampleScene s = sample_open(options, NULL, &seed);
    art_mass_matrix(s.m, s.d, M);
    double form = 0;
    for (int i = 0; i < s.nv; i++) {
      for (int k = 0; k < s.nv; k++) form += 0.5 * s.d->v[i] * M[i * s.nv + k] * s.d->v[k];
    }
    const double kinetic = art_energy(s.m, s.d).kinetic;
    CHECK_CLOSE_REL(kinetic, form, 1e-13);

    // and that of the particles, with the rotors
    double sum = 0;
    naive_swarm(&s.tree, s.d->q, s.d->v, NULL, 0.01, &swarm);
    for (int i = 1; i <= s.tree.n; i++) {
      for (int p = 0; p < s.tree.body[i].nparticle; p++) {
        double r[3], v[3], a[3];
        naive_particle(&swarm, i, p, r, v, a);
        sum += 0.5 * s.tree.body[i].mass[p] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      }
      const sampleJoint *joint = &s.tree.joint[i];
      if (joint->def.rotor > 0) sum += 0.5 * joint->def.rotor * pow(s.d->v[joint->v[0]], 2);
    }
    CHECK_CLOSE_REL(kinetic, sum, 1e-10);
  }
}


TEST(the_lower_triangle_leaves_other_branches_alone)
{
  uint64_t seed = 87;
  static double lower[SAMPLE_V * SAMPLE_V];
  sampleScene s = sample_open((sampleOptions){.n = 14}, NULL, &seed);
  art_mass_matrix(s.m, s.d, M);
  for (int e = 0; e < s.nv * s.nv; e++) lower[e] = 1234;
  art_mass_matrix_lower(s.m, s.d, lower);
  int untouched = 0;
  for (int i = 0; i < s.nv; i++) {
    for (int k = 0; k < s.nv; k++) {
      if (lower[i * s.nv + k] == 1234) {
        untouched++;
        CHECK(k > i || M[i * s.nv + k] == 0);
      } else {
        CHECK(k <= i && lower[i * s.nv + k] == M[i * s.nv + k]);
      }
    }
  }
  CHECK(untouched > s.nv * (s.nv - 1) / 2);
}


// L^T D L = M, and the solution of M x = b
TEST(factors_from_the_leaves_solve_the_equations)
{
  uint64_t seed = 89;
  for (int trial = 0; trial < 60; trial++) {
    static double F[SAMPLE_V * SAMPLE_V];
    sampleScene s = sample_open((sampleOptions){.n = 12, .has_rotors = 1}, NULL, &seed);
    art_mass_matrix(s.m, s.d, M);
    memcpy(F, M, sizeof F);
    const treeModel *t = &s.m->tree;
    tree_factor(t, F);
    for (int i = 0; i < s.nv; i++) {
      for (int k = 0; k <= i; k++) {
        double sum = 0;
        for (int r = i; r < s.nv; r++) {
          const double Lri = r == i ? 1 : F[r * s.nv + i], Lrk = r == k ? 1 : F[r * s.nv + k];
          sum += Lri * F[r * s.nv + r] * Lrk;
        }
        CHECK_CLOSE(sum, M[i * s.nv + k], 1e-11);
      }
    }
    double x[SAMPLE_V], b[SAMPLE_V] = {0};
    sample_numbers(&seed, 2, s.nv, x);
    for (int i = 0; i < s.nv; i++) {
      for (int k = 0; k < s.nv; k++) b[i] += M[i * s.nv + k] * x[k];
    }
    tree_solve(t, F, b);
    CHECK_NEAR(b, x, s.nv, 1e-10);
  }
}
