// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The mass matrix against the kinetic energy, and its lower triangle. test/physics/test_random_trees.c compares it with inverse
// dynamics, column by column, and solves with it.
#include <math.h>

#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/naive.h"

static double M[SAMPLE_V * SAMPLE_V];


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
