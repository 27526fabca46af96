// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forward dynamics by articulated bodies: long chains, driven joints, and the message when there is nothing to accelerate.
// test/physics/test_random_trees.c holds them to inverse dynamics and to the mass matrix.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"


TEST(long_chains_keep_their_digits)
{
  artModel *m = keep_model(model_chain(300));
  artData *d = keep_fresh_data(m);
  static double a[300], tau[300], back[300];
  uint64_t seed = 93;
  sample_numbers(&seed, 0.1, 300, d->q);
  sample_numbers(&seed, 0.1, 300, d->v);
  sample_numbers(&seed, 1, 300, a);
  art_update(m, d);
  art_inverse_dynamics(m, d, a, tau);
  CHECK(art_forward_dynamics(m, d, tau, back, NULL) == ART_OK);
  CHECK_NEAR(back, a, 300, 1e-7);
}


// driven coordinates keep the accelerations of their drives whatever the forces, and the rest is as
// if the forces that the drives take had been applied
TEST(driven_joints_move_as_prescribed)
{
  uint64_t seed = 97;
  for (int trial = 0; trial < 60; trial++) {
    const sampleOptions options = {
        .n = 10, .has_rotors = 1, .has_drives = 1, .has_massless = trial % 2};
    sampleScene s = sample_open(options, NULL, &seed);
    double tau[SAMPLE_V], a[SAMPLE_V], needed[SAMPLE_V], size;
    sample_numbers(&seed, 9, s.nv, tau);
    CHECK(art_forward_dynamics(s.m, s.d, tau, a, NULL) == ART_OK);
    size = check_scale(s.nv, a);
    art_inverse_dynamics(s.m, s.d, a, needed);
    for (int j = 1; j <= s.tree.n; j++) {
      const sampleJoint *joint = &s.tree.joint[j];
      for (int k = 0; sample_velocities(joint->def.type)[k]; k++) {
        const int v = joint->v[k];
        if (k > 0 || joint->drive[1] == 0) {
          CHECK_CLOSE(needed[v], tau[v], 1e-10 * size);
          continue;
        }
        const double *c = joint->drive, phase = c[2] * s.d->time;
        CHECK_CLOSE(a[v], -c[1] * c[2] * c[2] * sin(phase), 1e-14);
        CHECK_CLOSE(s.d->q[joint->q[k]], c[0] + c[1] * sin(phase), 1e-15);
        CHECK_CLOSE(s.d->v[v], c[1] * c[2] * cos(phase), 1e-15);
      }
    }
  }
}


static artModel *carrier(artJointType first, artJointType second, const double com[3])
{
  return keep_text_of("articula: 1\n"
                      "bodies: {carrier: {mass: 0}, load: {mass: 1, com: [%g, %g, %g]%s}}\n"
                      "joints:\n"
                      "  lower: {type: %s, from: ground, to: carrier}\n"
                      "  upper: {type: %s, from: carrier, to: load}\n",
                      com[0], com[1], com[2], second == ART_FREE ? ", inertia: [1, 1, 1]" : "",
                      art_joint_type_name(first), art_joint_type_name(second));
}


TEST(nothing_to_accelerate_is_said_with_the_name_of_the_joint)
{
  const struct {
    artJointType first, second;
    double com[3];
    const char *culprit;
  } cases[] = {
      {ART_REVOLUTE, ART_FREE, {0.1, 0, 0}, "'lower'"},     // a free body holds nothing
      {ART_PRISMATIC, ART_REVOLUTE, {0, 0, 1}, "'upper'"},  // a point on the axis
      {ART_PRISMATIC, ART_SPHERICAL, {0, 1, 0}, "'upper'"}, // a point turns about itself
      {ART_REVOLUTE, ART_REVOLUTE, {1, 0, 0}, "'lower'"},   // two pins on one axis
  };
  for (int k = 0; k < 4; k++) {
    artModel *m = carrier(cases[k].first, cases[k].second, cases[k].com);
    artData *d = keep_fresh_data(m);
    for (int method = 0; method <= ART_MASS_MATRIX; method++) {
      d->time = 2.5;
      art_update(m, d);
      CHECK_FAILS(art_accelerate(m, d, (artMethod) method, &check_error), ART_SINGULAR,
                  "no acceleration can be found for");
      CHECK_CONTAINS(check_error.text, "at t = 2.5 s");
      CHECK_CONTAINS(check_error.text, cases[k].culprit);
    }
  }
}


TEST(a_state_that_is_no_number_is_an_error)
{
  artModel *m = keep_model(model_two_link());
  artData *d = keep_fresh_data(m);
  for (int method = 0; method <= ART_MASS_MATRIX; method++) {
    d->v[1] = NAN;
    art_update(m, d);
    CHECK_FAILS(art_accelerate(m, d, (artMethod) method, &check_error), ART_SINGULAR,
                "the state is not finite");
  }
}


TEST(a_matrix_that_would_be_too_large_is_not_made)
{
  artModel *m = keep_model(model_chain(4100));
  artData *d = keep_fresh_data(m);
  CHECK_FAILS(art_accelerate(m, d, ART_MASS_MATRIX, &check_error), ART_UNSUPPORTED,
              "takes at most 4096 coordinates, this model has 4100; use order-n");
  CHECK_WORKS(art_accelerate(m, d, ART_ORDER_N, &check_error));
}
