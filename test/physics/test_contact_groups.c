// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts between groups of surfaces: which pairs they have, and the same motion as by pairs that are named.
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

#define CHAIN                                                                                      \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  a: {mass: 1, inertia: [1, 1, 1]}\n"                                                           \
  "  b: {mass: 1, inertia: [1, 1, 1]}\n"                                                           \
  "  c: {mass: 1, inertia: [1, 1, 1]}\n"                                                           \
  "  hat: {mass: 1, inertia: [1, 1, 1]}\n"                                                         \
  "joints:\n"                                                                                      \
  "  pa: {type: revolute, axis: y, from: ground, to: a}\n"                                         \
  "  pb: {type: revolute, axis: y, from: a, to: b}\n"                                              \
  "  pc: {type: revolute, axis: y, from: b, to: c}\n"                                              \
  "  glue: {type: fixed, from: c, to: hat}\n"                                                      \
  "surfaces:\n"                                                                                    \
  "  floor: {type: plane, body: ground, position: [0, 0, -5]}\n"                                   \
  "  sa: {type: sphere, body: a, radius: 0.1, group: arm}\n"                                       \
  "  sb: {type: sphere, body: b, radius: 0.1, group: arm, position: [0, 0, 1]}\n"                  \
  "  sc: {type: box, body: c, size: [0.1, 0.1, 0.1], position: [0, 0, 2]}\n"                       \
  "  sh: {type: sphere, body: hat, radius: 0.1, group: arm, position: [0, 0, 3]}\n"


static int has_force(const artModel *m, const char *name)
{
  for (int i = 0; i < m->nelement; i++) {
    if (strcmp(m->element[i].name, name) == 0) return 1;
  }
  return 0;
}


// Everything with everything but what is fixed together or neighbours at a joint: a - c and a - hat, and all on the floor.
TEST(groups_leave_out_neighbours_and_bodies_that_are_fixed_together)
{
  const artModel *m =
      keep_text(CHAIN "forces: {touch: {type: contact, between: [all, all], stiffness: 1e4}}\n");
  CHECK_EQ_INT(m->nelement, 3 + 8 + 2);
  CHECK(has_force(m, "touch/sa/sc") && has_force(m, "touch/sa/sh"));
  CHECK(has_force(m, "touch/floor/sa") && has_force(m, "touch/floor/sc/8"));
  m = keep_text(CHAIN "forces: {touch: {type: contact, between: [arm, arm], stiffness: 1e4}}\n");
  CHECK_EQ_INT(m->nelement, 1);
  CHECK(has_force(m, "touch/sa/sh"));
  m = keep_text(CHAIN "forces: {touch: {type: contact, between: [floor, arm], stiffness: 1e4}}\n");
  CHECK_EQ_INT(m->nelement, 3);
}


TEST(pairs_without_geometry_are_reported)
{
  const artModel *m =
      keep_text(CHAIN "  cube: {type: torus, body: a, radius: 0.1}\n"
                      "forces: {touch: {type: contact, between: [all, all], stiffness: 1e4}}\n");
  CHECK_CONTAINS(art_model_warning(m, 0), "contact 'touch' leaves out 1 pairs");
}


// Three balls that fall on each other and on the floor: by groups, and by pairs, whose torques come in another order.
TEST(groups_move_as_their_pairs_do)
{
  static const char machine[] =
      "articula: 1\n"
      "bodies: {a: {mass: 1, inertia: [0.004, 0.004, 0.004]}, b: {mass: 2, inertia: [0.008, "
      "0.008, 0.008]}, c: {mass: 1, inertia: [0.004, 0.004, 0.004]}}\n"
      "joints: {fa: {type: free, from: ground, to: a}, fb: {type: free, from: ground, to: b}, "
      "fc: {type: free, from: ground, to: c}}\n"
      "surfaces:\n"
      "  floor: {type: plane, body: ground}\n"
      "  a_skin: {type: sphere, body: a, radius: 0.1, group: balls}\n"
      "  b_skin: {type: sphere, body: b, radius: 0.1, group: balls}\n"
      "  c_skin: {type: sphere, body: c, radius: 0.1, group: balls}\n"
      "initial: {fa: {z: 0.15}, fb: {z: 0.4, x: 0.05}, fc: {z: 0.7, x: 0.02, y: 0.03}}\n"
      "forces:\n"
      "%s";
#define LAW                                                                                        \
  "law: hertz, young: 1e7, damping: 0.5, friction: 0.3, tangential_stiffness: 1e4, rolling: 1 "    \
  "mm}\n"
  static const char *const forces[2] = {"  touch: {type: contact, between: [balls, balls], " LAW
                                        "  stand: {type: contact, between: [floor, balls], " LAW,
                                        "  ab: {type: contact, between: [a_skin, b_skin], " LAW
                                        "  ac: {type: contact, between: [a_skin, c_skin], " LAW
                                        "  bc: {type: contact, between: [b_skin, c_skin], " LAW
                                        "  fa_: {type: contact, between: [floor, a_skin], " LAW
                                        "  fb_: {type: contact, between: [floor, b_skin], " LAW
                                        "  fc_: {type: contact, between: [floor, c_skin], " LAW};
  artData *d[2];
  for (int i = 0; i < 2; i++) {
    const artModel *m = keep_text_of(machine, forces[i]);
    artRunDef study = art_default_run();
    study.until = 0.5;
    study.tolerance = 1e-8;
    d[i] = keep_fresh_data(m);
    CHECK_WORKS(art_run_to(keep_started_run(m, d[i], &study), 0.5, &check_error));
  }
  CHECK_NEAR(d[0]->q, d[1]->q, 21, 1e-6);
  CHECK(d[0]->q[2] > 0.09 && d[0]->q[9] < 0.4);
}
