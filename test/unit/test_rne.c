// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inverse dynamics against closed forms and against particles that obey Newton; reactions of joints
// against the momentum balance of all they carry.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/naive.h"


//---- closed form ---------------------------------------------------------------------------------


// textbook equations of the two-link arm, angles from the x axis
static void two_link_closed_form(const double *q, const double *v, const double *a, double *tau)
{
  const double k = two.m2 * two.l1 * two.c2, s2 = sin(q[1]), c2 = cos(q[1]);
  const double M22 = two.I2 + two.m2 * two.c2 * two.c2;
  const double M12 = M22 + k * c2;
  const double M11 =
      two.I1 + two.m1 * two.c1 * two.c1 + two.m2 * two.l1 * two.l1 + M22 + 2 * k * c2;
  const double g2 = two.m2 * two.g * two.c2 * cos(q[0] + q[1]);
  const double g1 = (two.m1 * two.c1 + two.m2 * two.l1) * two.g * cos(q[0]) + g2;

  tau[0] = M11 * a[0] + M12 * a[1] - k * s2 * (2 * v[0] + v[1]) * v[1] + g1;
  tau[1] = M12 * a[0] + M22 * a[1] + k * s2 * v[0] * v[0] + g2;
}


TEST(agrees_with_the_two_link_closed_form)
{
  artModel *m = keep_model(model_two_link());
  artData *d = keep_fresh_data(m);
  uint64_t seed = 1;
  for (int trial = 0; trial < 100; trial++) {
    double a[2], tau[2], want[2];
    sample_numbers(&seed, 3, 2, d->q);
    sample_numbers(&seed, 5, 2, d->v);
    sample_numbers(&seed, 9, 2, a);
    art_update(m, d);
    art_inverse_dynamics(m, d, a, tau);
    two_link_closed_form(d->q, d->v, a, want);
    CHECK_NEAR(tau, want, 2, 1e-12);

    art_inverse_dynamics(m, d, NULL, tau);
    two_link_closed_form(d->q, d->v, (double[2]){0, 0}, want);
    CHECK_NEAR(tau, want, 2, 1e-12);
  }
}


//---- particles -----------------------------------------------------------------------------------


// every tree of the sample is a swarm of particles, so the principle of virtual power says it all
TEST(joint_forces_are_what_the_particles_need)
{
  uint64_t seed = 61;
  for (int trial = 0; trial < 60; trial++) {
    const sampleOptions options = {.n = 5, .has_rotors = 1, .has_massless = 1};
    sampleScene s = sample_open(options, NULL, &seed);
    double a[SAMPLE_V], tau[SAMPLE_V], want[SAMPLE_V];
    sample_numbers(&seed, 3, s.nv, a);
    art_inverse_dynamics(s.m, s.d, a, tau);
    naive_inverse_dynamics(&s.tree, s.d->q, s.d->v, a, s.nv, want);
    CHECK_NEAR(tau, want, s.nv, 2e-7);
  }
}


TEST(gravity_alone_is_the_slope_of_its_potential)
{
  uint64_t seed = 67;
  for (int trial = 0; trial < 40; trial++) {
    sampleScene s = sample_open((sampleOptions){.n = 7}, NULL, &seed);
    double q0[SAMPLE_Q], tau[SAMPLE_V];
    memcpy(q0, s.d->q, (size_t) s.nq * sizeof *q0);
    memset(s.d->v, 0, (size_t) s.nv * sizeof *s.d->v);
    art_update(s.m, s.d);
    art_inverse_dynamics(s.m, s.d, NULL, tau);
    for (int k = 0; k < s.nv; k++) {
      double unit[SAMPLE_V] = {0}, V[9];
      const double h = 0.02;
      unit[k] = 1;
      for (int i = 0; i < 9; i++) {
        naive_path(&s.tree, q0, unit, NULL, (i - 4) * h, s.d->q);
        art_update(s.m, s.d);
        V[i] = art_energy(s.m, s.d).potential;
      }
      CHECK_CLOSE(tau[k], naive_first(V, h), 1e-10);
    }
  }
}


//---- reactions -----------------------------------------------------------------------------------

// constant forces on frames "f" of bodies, in ground axes
static double push[SAMPLE_BODIES + 1][3];


static void add_pushes(artBuilder *b, const sampleTree *tree, uint64_t *seed)
{
  for (int i = 1; i <= tree->n; i++) {
    char name[32], on[48], text[3][32];
    sample_numbers(seed, 5, 3, push[i]);
    snprintf(name, sizeof name, "push%d", i);
    snprintf(on, sizeof on, "%s.f", tree->body[i].name);
    for (int c = 0; c < 3; c++) snprintf(text[c], sizeof text[c], "%.17g", push[i][c]);
    const artBodyForceDef def = {.name = name, .on = on, .components = {text[0], text[1], text[2]}};
    art_add_body_force(b, &def);
  }
}


static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}


// add a force at a point to force and moment about another
static void gather(const double f[3], const double at[3], const double about[3], double sign,
                   double wrench[6])
{
  const double arm[3] = {at[0] - about[0], at[1] - about[1], at[2] - about[2]};
  double moment[3];
  cross(arm, f, moment);
  for (int c = 0; c < 3; c++) {
    wrench[c] += sign * f[c];
    wrench[3 + c] += sign * moment[c];
  }
}


// the wrench of joint j on all it carries: their m (a - g) less the pushes, about `about`
static void needed_wrench(const sampleScene *s, int j, const naiveSwarm *swarm,
                          const naiveFrame *body, const double about[3], double out[6])
{
  memset(out, 0, 6 * sizeof *out);
  for (int i = 1; i <= s->tree.n; i++) {
    if (!naive_is_carried(&s->tree, i, j)) continue;
    for (int p = 0; p < s->tree.body[i].nparticle; p++) {
      double r[3], v[3], a[3];
      naive_particle(swarm, i, p, r, v, a);
      for (int c = 0; c < 3; c++) {
        a[c] = s->tree.body[i].mass[p] * (a[c] - s->tree.gravity[c]);
      }
      gather(a, r, about, 1, out);
    }
    const naiveFrame f = naive_named_frame(&s->tree, body, i);
    gather(push[i], (double[3]){f.T[0][3], f.T[1][3], f.T[2][3]}, about, -1, out);
  }
}


static void check_reactions(artMethod method, uint64_t seed)
{
  static naiveSwarm swarm;
  for (int trial = 0; trial < 60; trial++) {
    const sampleOptions options = {.n = 6, .has_drives = trial % 2, .has_massless = 1};
    sampleScene s = sample_open(options, add_pushes, &seed);
    CHECK_WORKS(art_accelerate(s.m, s.d, method, &check_error));
    double size = 1;
    for (int k = 0; k < s.nv; k++) size = check_larger(size, fabs(s.d->a[k]));
    naiveFrame body[SAMPLE_BODIES + 1];
    naive_swarm(&s.tree, s.d->q, s.d->v, s.d->a, 0.01 / sqrt(size), &swarm);
    naive_place(&s.tree, s.d->q, body);

    for (int j = 1; j <= s.tree.n; j++) {
      const naiveFrame at = naive_joint_frame(&s.tree, body, j, 1);
      const double about[3] = {at.T[0][3], at.T[1][3], at.T[2][3]};
      const double sign = s.tree.joint[j].body[1] == j ? 1 : -1;
      double got[6], want[6];
      needed_wrench(&s, j, &swarm, body, about, want);
      for (int c = 0; c < 6; c++) want[c] *= sign;
      CHECK_WORKS(art_reaction(s.m, s.d, s.tree.joint[j].name, got, got + 3, &check_error));
      CHECK_NEAR(got, want, 6, 1e-7 * size);

      // questions about the bare tree in between do not matter
      double tau[SAMPLE_V], other[SAMPLE_V], again[6];
      art_inverse_dynamics(s.m, s.d, NULL, tau);
      art_forward_dynamics(s.m, s.d, tau, other, &check_error);
      CHECK_WORKS(art_reaction(s.m, s.d, s.tree.joint[j].name, again, again + 3, &check_error));
      CHECK_NEAR(again, got, 6, 1e-11 * size);
    }
  }
}


TEST(a_joint_gives_what_the_bodies_it_carries_need)
{
  check_reactions(ART_ORDER_N, 71);
  check_reactions(ART_MASS_MATRIX, 73);
}


TEST(a_reaction_along_the_axis_is_the_force_in_the_joint)
{
  artModel *m = keep_model(model_two_link());
  artData *d = keep_fresh_data(m);
  double force[3], torque[3];
  d->q[0] = 0.4, d->q[1] = -1, d->v[0] = 2, d->v[1] = 3;
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_ORDER_N, &check_error));
  CHECK_WORKS(art_reaction(m, d, "elbow", force, torque, &check_error));
  CHECK_NEAR(torque, ((double[3]){0, 0, 0}), 3, 1e-14);
  CHECK_FAILS(art_reaction(m, d, "knee", force, torque, &check_error), ART_BAD_INPUT,
              "'knee' is not a joint");
}


// a beam welded to the wall, with a second one welded to its end: nothing moves at all
TEST(a_machine_without_coordinates_still_has_reactions)
{
  artModel *m = keep_text("articula: 1\n"
                          "bodies:\n"
                          "  beam: {mass: 2, com: [0.5, 0, 0], points: {end: [1, 0, 0]}}\n"
                          "  tip: {mass: 1, com: [0.25, 0, 0]}\n"
                          "joints:\n"
                          "  wall: {type: fixed, from: ground, to: beam}\n"
                          "  bond: {type: fixed, from: beam.end, to: tip}\n"
                          "outputs: {up: wall.fz, bend: wall.ty}\n");
  artData *d = keep_fresh_data(m);
  double force[3], torque[3], out[2];
  CHECK_EQ_INT(art_count(m).nv, 0);
  CHECK(art_accelerate(m, d, ART_ORDER_N, NULL) == ART_OK);
  double a[3], al[3];
  art_frame_acceleration(m, d, art_find_frame(m, "tip"), a, al);
  CHECK_NEAR(a, ((double[3]){0, 0, 0}), 3, 1e-14);
  art_outputs(m, d, out);
  CHECK_NEAR(out, ((double[2]){3 * 9.81, -9.81 * (2 * 0.5 + 1.25)}), 2, 1e-13);
  CHECK(art_reaction(m, d, "wall", force, torque, NULL) == ART_OK);
  CHECK_NEAR(force, ((double[3]){0, 0, 3 * 9.81}), 3, 1e-13);
  CHECK_NEAR(torque, ((double[3]){0, -9.81 * (2 * 0.5 + 1.25), 0}), 3, 1e-13);
  CHECK(art_reaction(m, d, "bond", force, torque, NULL) == ART_OK);
  CHECK_NEAR(force, ((double[3]){0, 0, 9.81}), 3, 1e-13);
  CHECK_NEAR(torque, ((double[3]){0, -9.81 * 0.25, 0}), 3, 1e-13);
}
