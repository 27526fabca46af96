// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Properties of every machine: invariants of the equations of motion on hundreds of random trees
// with every joint type, reversed joints, rotors, drives, massless carriers and forces.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/work.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/naive.h"

enum { TREES = 300 };

static double M[SAMPLE_V * SAMPLE_V];


// every combination of options in turn, up to 18 bodies
static sampleOptions options_of(int trial)
{
  return (sampleOptions){.n = 1 + trial % 18,
                         .has_rotors = trial % 2,
                         .has_drives = trial % 3 == 0,
                         .has_massless = trial % 5 < 2};
}


//---- forces for the trees ------------------------------------------------------------------------


// springs, dampers, friction, stops, formulas and pushes, a few of each
static void add_forces(artBuilder *b, const sampleTree *tree, uint64_t *seed)
{
  char name[32], from[48], to[48], coordinate[48], text[96];
  for (int i = 1; i <= tree->n; i++) {
    const int other = (int) check_uniform(seed, 0, i);
    const double k = check_uniform(seed, 1, 9), c = check_uniform(seed, 0.1, 2);
    snprintf(from, sizeof from, "%s.f", tree->body[i].name);
    snprintf(to, sizeof to, "%s.f", tree->body[other].name);
    snprintf(name, sizeof name, "spring%d", i);
    if (i % 3 == 0) {
      const artSpringDamperDef def = {.name = name,
                                      .from = from,
                                      .to = to,
                                      .free_length = 0.5,
                                      .spring = {.type = ART_LAW_LINEAR, .coefficient = k},
                                      .damper = {.type = ART_LAW_LINEAR, .coefficient = c}};
      art_add_spring_damper(b, &def);
    }
    if (i % 4 == 1) {
      snprintf(text, sizeof text, "3*sin(2*time) + '%s'.vx", tree->body[other].name);
      if (other == 0) snprintf(text, sizeof text, "1.5");
      snprintf(name, sizeof name, "push%d", i);
      const artBodyForceDef def = {.name = name,
                                   .on = from,
                                   .components = {text, "-2", "0.5"},
                                   .is_torque = i % 8 == 1,
                                   .in_body = i % 3 == 1};
      art_add_body_force(b, &def);
    }
    const char *first = sample_positions(tree->joint[i].def.type)[0];
    if (!first || tree->joint[i].def.type == ART_SPHERICAL) continue;
    snprintf(coordinate, sizeof coordinate, "%s.%s", tree->joint[i].name, first);
    snprintf(name, sizeof name, "joint-spring%d", i);
    const artJointSpringDef spring = {.name = name,
                                      .coordinate = coordinate,
                                      .rest = 0.1,
                                      .spring = {.type = ART_LAW_LINEAR, .coefficient = k},
                                      .damper = {.type = ART_LAW_LINEAR, .coefficient = c}};
    art_add_joint_spring(b, &spring);
    snprintf(name, sizeof name, "friction%d", i);
    const artJointFrictionDef friction = {name, coordinate, 0.5, 0.7, 0.4, 0.3, 0.1};
    if (i % 2) art_add_joint_friction(b, &friction);
    snprintf(name, sizeof name, "stop%d", i);
    const artJointStopDef stop = {name, coordinate, -0.4, 0.3, 20, 0.2};
    if (i % 3 == 1) art_add_joint_stop(b, &stop);
  }
}


//---- mass matrix ---------------------------------------------------------------------------------


// Cholesky goes through
static int is_positive_definite(int n, const double *A)
{
  static double L[SAMPLE_V * SAMPLE_V];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= i; k++) {
      double sum = A[i * n + k];
      for (int j = 0; j < k; j++) sum -= L[i * n + j] * L[k * n + j];
      if (i == k && !(sum > 0)) return 0;
      L[i * n + k] = i == k ? sqrt(sum) : sum / L[k * n + k];
    }
  }
  return 1;
}


TEST(mass_matrices_are_symmetric_positive_and_those_of_inverse_dynamics)
{
  uint64_t seed = 101;
  for (int trial = 0; trial < TREES; trial++) {
    sampleScene s = sample_open(options_of(trial), NULL, &seed);
    art_mass_matrix(s.m, s.d, M);
    CHECK(is_positive_definite(s.nv, M));
    const double size = check_scale(s.nv * s.nv, M);
    double bias[SAMPLE_V];
    art_inverse_dynamics(s.m, s.d, NULL, bias);
    for (int k = 0; k < s.nv; k++) {
      double unit[SAMPLE_V] = {0}, column[SAMPLE_V];
      unit[k] = 1;
      art_inverse_dynamics(s.m, s.d, unit, column);
      for (int i = 0; i < s.nv; i++) {
        column[i] -= bias[i];
        CHECK(M[i * s.nv + k] == M[k * s.nv + i]);
      }
      CHECK_NEAR(column, M + k * s.nv, s.nv, 1e-13 * size);
    }
  }
}


//---- forward and inverse -------------------------------------------------------------------------


TEST(forward_after_inverse_returns_its_input)
{
  uint64_t seed = 103;
  for (int trial = 0; trial < TREES; trial++) {
    sampleOptions options = options_of(trial);
    options.has_drives = 0;
    sampleScene s = sample_open(options, NULL, &seed);
    double a[SAMPLE_V], tau[SAMPLE_V], back[SAMPLE_V];
    sample_numbers(&seed, 5, s.nv, a);
    art_inverse_dynamics(s.m, s.d, a, tau);
    CHECK(art_forward_dynamics(s.m, s.d, tau, back, NULL) == ART_OK);
    CHECK_NEAR(back, a, s.nv, 1e-9);

    // and the other way round
    sample_numbers(&seed, 5, s.nv, tau);
    CHECK(art_forward_dynamics(s.m, s.d, tau, a, NULL) == ART_OK);
    art_inverse_dynamics(s.m, s.d, a, back);
    CHECK_NEAR(back, tau, s.nv, 1e-11 * check_scale(s.nv, a));
  }
}


// with all forces, rotors and drives
TEST(articulated_bodies_and_the_matrix_agree)
{
  uint64_t seed = 107;
  for (int trial = 0; trial < TREES; trial++) {
    double a[SAMPLE_V], force[SAMPLE_V];
    sampleScene s = sample_open(options_of(trial), add_forces, &seed);
    CHECK(art_accelerate(s.m, s.d, ART_ORDER_N, NULL) == ART_OK);
    memcpy(a, s.d->a, (size_t) s.nv * sizeof *a);
    memcpy(force, s.d->force, (size_t) s.nv * sizeof *force);
    CHECK(art_accelerate(s.m, s.d, ART_MASS_MATRIX, NULL) == ART_OK);
    CHECK_NEAR(s.d->a, a, s.nv, 1e-11 * check_scale(s.nv, a));
    CHECK_NEAR(s.d->force, force, s.nv, 1e-11 * check_scale(s.nv, a));
  }
}


//---- power ---------------------------------------------------------------------------------------


// v.tau of the bare tree is the rate of its kinetic and potential energy
TEST(joint_forces_do_the_work_that_energy_gains)
{
  uint64_t seed = 109;
  for (int trial = 0; trial < TREES / 2; trial++) {
    sampleOptions options = options_of(trial);
    options.has_drives = 0;
    sampleScene s = sample_open(options, NULL, &seed);
    double a[SAMPLE_V], tau[SAMPLE_V], power = 0;
    sample_numbers(&seed, 3, s.nv, a);
    art_inverse_dynamics(s.m, s.d, a, tau);
    for (int k = 0; k < s.nv; k++) power += s.d->v[k] * tau[k];
    const artEnergy e = art_energy(s.m, s.d);
    CHECK_CLOSE(power, naive_energy_rate(s.m, s.d, a, 0.01),
                1e-8 * check_larger(1, fabs(e.kinetic + e.potential)));
  }
}


// the energy of the whole machine changes by the power that art_energy names, drives included
TEST(power_is_the_rate_of_the_energy)
{
  uint64_t seed = 113;
  for (int trial = 0; trial < TREES / 2; trial++) {
    sampleScene s = sample_open(options_of(trial), add_forces, &seed);
    CHECK(art_accelerate(s.m, s.d, (artMethod) (trial % 2), NULL) == ART_OK);
    const artEnergy e = art_energy(s.m, s.d);
    double a[SAMPLE_V];
    memcpy(a, s.d->a, (size_t) s.nv * sizeof *a);
    const double size = check_scale(s.nv, a);
    s.d->work->is_frozen = 1; // no stop is met between the instants
    CHECK_CLOSE(e.power, naive_energy_rate(s.m, s.d, a, 0.003 / sqrt(size)),
                1e-8 * (fabs(e.kinetic + e.potential) + fabs(e.power) + size));
  }
}


//---- momentum ------------------------------------------------------------------------------------


// forces between the bodies only: springs, and whatever acts in the joints but the first
static void add_internal_forces(artBuilder *b, const sampleTree *tree, uint64_t *seed)
{
  char name[32], from[48], to[48], coordinate[48];
  for (int i = 2; i <= tree->n; i++) {
    snprintf(name, sizeof name, "spring%d", i);
    snprintf(from, sizeof from, "%s.f", tree->body[i].name);
    snprintf(to, sizeof to, "%s", tree->body[(int) check_uniform(seed, 1, i)].name);
    const artSpringDamperDef spring = {.name = name,
                                       .from = from,
                                       .to = to,
                                       .spring = {.type = ART_LAW_LINEAR, .coefficient = 30},
                                       .damper = {.type = ART_LAW_LINEAR, .coefficient = 3}};
    art_add_spring_damper(b, &spring);
    const char *first = sample_positions(tree->joint[i].def.type)[0];
    if (!first || tree->joint[i].def.type == ART_SPHERICAL) continue;
    snprintf(name, sizeof name, "motor%d", i);
    snprintf(coordinate, sizeof coordinate, "%s.%s", tree->joint[i].name, first);
    const artJointForceDef motor = {name, coordinate, "2 - time", {0}};
    art_add_joint_force(b, &motor);
  }
}


// momentum at nine instants of the path with the machine's own accelerations
TEST(momentum_of_a_floating_machine_is_kept)
{
  uint64_t seed = 127;
  for (int trial = 0; trial < TREES / 2; trial++) {
    sampleOptions options = options_of(trial);
    options.is_floating = 1;
    options.has_rotors = 0; // their reaction on the bodies is left out by definition
    sampleScene s = sample_open(options, add_internal_forces, &seed);
    // gravity pulls at the centre: dP/dt = m g, dL/dt = c x m g
    CHECK(art_accelerate(s.m, s.d, ART_ORDER_N, NULL) == ART_OK);
    double a[SAMPLE_V], q0[SAMPLE_Q], v0[SAMPLE_V], P[9][6], moment[6] = {0};
    memcpy(a, s.d->a, (size_t) s.nv * sizeof *a);
    memcpy(q0, s.d->q, (size_t) s.nq * sizeof *q0);
    memcpy(v0, s.d->v, (size_t) s.nv * sizeof *v0);
    for (int i = 1; i <= s.tree.n; i++) {
      naiveFrame body[SAMPLE_BODIES + 1];
      naive_place(&s.tree, q0, body);
      for (int p = 0; p < s.tree.body[i].nparticle; p++) {
        double r[3];
        const double m = s.tree.body[i].mass[p], *g = s.tree.gravity;
        naive_point(&body[i], s.tree.body[i].at[p], r);
        for (int c = 0; c < 3; c++) {
          const int d = (c + 1) % 3, e = (c + 2) % 3;
          moment[c] += m * g[c];
          moment[3 + c] += m * (r[d] * g[e] - r[e] * g[d]);
        }
      }
    }
    const double h = 0.003 / sqrt(check_scale(s.nv, a)), t0 = s.d->time;
    for (int i = 0; i < 9; i++) {
      const double t = (i - 4) * h;
      s.d->time = t0 + t;
      naive_path(&s.tree, q0, v0, a, t, s.d->q);
      for (int k = 0; k < s.nv; k++) s.d->v[k] = v0[k] + a[k] * t;
      art_update(s.m, s.d);
      art_momentum(s.m, s.d, P[i], P[i] + 3);
    }
    for (int c = 0; c < 6; c++) {
      double f[9];
      for (int i = 0; i < 9; i++) f[i] = P[i][c];
      CHECK_CLOSE(naive_first(f, h), moment[c], 1e-8 * check_scale(s.nv, a));
    }
  }
}


// momentum itself, against the particles
TEST(momentum_is_that_of_the_particles)
{
  uint64_t seed = 131;
  for (int trial = 0; trial < 40; trial++) {
    static naiveSwarm swarm;
    sampleScene s = sample_open((sampleOptions){.n = 6, .has_massless = 1}, NULL, &seed);
    double got[6], want[6] = {0};
    art_momentum(s.m, s.d, got, got + 3);
    naive_swarm(&s.tree, s.d->q, s.d->v, NULL, 0.01, &swarm);
    for (int i = 1; i <= s.tree.n; i++) {
      for (int p = 0; p < s.tree.body[i].nparticle; p++) {
        double r[3], v[3], a[3];
        naive_particle(&swarm, i, p, r, v, a);
        for (int c = 0; c < 3; c++) {
          const int d = (c + 1) % 3, e = (c + 2) % 3;
          want[c] += s.tree.body[i].mass[p] * v[c];
          want[3 + c] += s.tree.body[i].mass[p] * (r[d] * v[e] - r[e] * v[d]);
        }
      }
    }
    CHECK_NEAR(got, want, 6, 2e-9);
  }
}


//---- names and order -----------------------------------------------------------------------------


static void shuffle(int n, int *order, uint64_t *seed)
{
  for (int i = 1; i <= n; i++) order[i] = i;
  for (int i = n; i > 1; i--) {
    const int k = (int) check_uniform(seed, 1, i + 1), swap = order[i];
    order[i] = order[k];
    order[k] = swap;
  }
}


TEST(results_do_not_depend_on_names_and_order)
{
  uint64_t seed = 137;
  for (int trial = 0; trial < TREES; trial++) {
    sampleScene s = sample_open(options_of(trial), NULL, &seed);
    sampleTree renamed = s.tree;
    int order[SAMPLE_BODIES + 1];
    shuffle(s.tree.n, order, &seed);
    sample_rename(&renamed, "other-");
    artModel *m = keep_model(model_compile(sample_build(&renamed, order)));
    artData *d = keep_fresh_data(m);
    sample_bind(&renamed, m);
    d->time = s.d->time;
    for (int j = 1; j <= s.tree.n; j++) {
      const sampleJoint *one = &s.tree.joint[j], *other = &renamed.joint[j];
      for (int k = 0; sample_positions(one->def.type)[k]; k++) {
        d->q[other->q[k]] = s.d->q[one->q[k]];
      }
      for (int k = 0; sample_velocities(one->def.type)[k]; k++) {
        d->v[other->v[k]] = s.d->v[one->v[k]];
      }
    }
    art_update(m, d);
    CHECK(art_accelerate(s.m, s.d, ART_ORDER_N, NULL) == ART_OK);
    CHECK(art_accelerate(m, d, ART_ORDER_N, NULL) == ART_OK);
    const double size = check_scale(s.nv, s.d->a);
    for (int j = 1; j <= s.tree.n; j++) {
      const sampleJoint *one = &s.tree.joint[j], *other = &renamed.joint[j];
      for (int k = 0; sample_velocities(one->def.type)[k]; k++) {
        CHECK_CLOSE(d->a[other->v[k]], s.d->a[one->v[k]], 1e-12 * size);
      }
      double f[6], g[6];
      CHECK(art_reaction(s.m, s.d, one->name, f, f + 3, NULL) == ART_OK);
      CHECK(art_reaction(m, d, other->name, g, g + 3, NULL) == ART_OK);
      CHECK_NEAR(g, f, 6, 1e-12 * size);
    }
  }
}


//---- far away ------------------------------------------------------------------------------------


// the same floating machine near the origin and 10 km away has the same mass matrix and motion
TEST(a_machine_far_from_the_origin_keeps_its_digits)
{
  uint64_t seed = 139;
  for (int trial = 0; trial < 40; trial++) {
    static double far_M[SAMPLE_V * SAMPLE_V];
    double a[SAMPLE_V], far_a[SAMPLE_V];
    const sampleOptions options = {.n = 10, .is_floating = 1, .has_massless = 1};
    sampleScene s = sample_open(options, NULL, &seed);
    art_mass_matrix(s.m, s.d, M);
    CHECK(art_accelerate(s.m, s.d, ART_MASS_MATRIX, NULL) == ART_OK);
    memcpy(a, s.d->a, (size_t) s.nv * sizeof *a);
    s.d->q[s.tree.joint[1].q[0]] += 8000;
    s.d->q[s.tree.joint[1].q[1]] -= 6000;
    art_update(s.m, s.d);
    art_mass_matrix(s.m, s.d, far_M);
    CHECK_NEAR(far_M, M, s.nv * s.nv, 1e-11 * check_scale(s.nv * s.nv, M));
    CHECK(art_accelerate(s.m, s.d, ART_MASS_MATRIX, NULL) == ART_OK);
    memcpy(far_a, s.d->a, (size_t) s.nv * sizeof *a);
    CHECK_NEAR(far_a, a, s.nv, 1e-9 * check_scale(s.nv, a));
    CHECK(art_accelerate(s.m, s.d, ART_ORDER_N, NULL) == ART_OK);
    CHECK_NEAR(s.d->a, a, s.nv, 1e-10 * check_scale(s.nv, a));
  }
}
