// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joint elements along combinations of coordinates: against the same machine built of bodies, against
// forces by hand, by all methods, in energy and at switching.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "data/work.h"
#include "method/method.h"
#include "support/check.h"
#include "support/controls.h"
#include "support/keep.h"

static uint64_t seed = 23;

//---- machines ------------------------------------------------------------------------------------

// two arms on one axis, hinged to a chassis that heaves
#define AXLE                                                                                       \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  chassis: {mass: 300, com: [0, 0, 0.2], inertia: [90, 60, 80]}\n"                              \
  "  left: {mass: 20, com: [0.4, 0.1, 0], inertia: [0.5, 1.2, 1.3]}\n"                             \
  "  right: {mass: 24, com: [0.4, -0.1, 0], inertia: [0.6, 1.1, 1.2]}\n"                           \
  "%s"                                                                                             \
  "joints:\n"                                                                                      \
  "  heave: {type: prismatic, axis: z, from: ground, to: chassis}\n"                               \
  "  left_pin: {type: revolute, axis: y, from: chassis, to: left, at: [0, 0.5, 0]}\n"              \
  "  right_pin: {type: revolute, axis: y, from: chassis, to: right, at: [0, -0.5, 0]}\n"           \
  "%s"                                                                                             \
  "forces:\n"                                                                                      \
  "  seat: {type: joint-spring, coordinate: heave, stiffness: 4e4, damping: 900}\n"                \
  "%s"                                                                                             \
  "initial: {heave: {slide: 0.05, rate: 0.3}, left_pin: {angle: 0.2, rate: -1},\n"                 \
  "          %s}\n"
#define RIGHT "right_pin: {angle: -0.1, rate: 0.7}"


static artModel *axle(const char *bodies, const char *joints, const char *forces)
{
  return keep_text_of(AXLE, bodies, joints, forces,
                      strstr(joints, "twist") ? "twist: {angle: -0.3, rate: 1.7}" : RIGHT);
}


static artModel *axle_with_all(void)
{
  return axle(
      "", "",
      "  bar: {type: joint-spring, coordinates: {left_pin.angle: 1, right_pin: -1},\n"
      "        stiffness: 300, rest: 0.05, damping: 4}\n"
      "  lock: {type: joint-friction, coordinates: {right_pin: -0.7, left_pin: 0.4},\n"
      "         coulomb: 3, breakaway: 4, transition: 0.2, viscous: 0.3}\n"
      "  limit: {type: joint-stop, coordinates: {left_pin: 0.5, right_pin: 0.5, heave: 2},\n"
      "          lower: -0.05, upper: 0.05, stiffness: 4e3, damping: 0.4}\n"
      "  motor: {type: joint-force, coordinates: {left_pin: 0.5, right_pin: 0.5},\n"
      "          value: \"= 20*sin(4*time) - 6*left_pin.rate - 3*right_pin.rate\"}\n"
      "  worn: {type: joint-spring, coordinates: {right_pin: 1, left_pin: 2},\n"
      "         spring: {piecewise: [[-0.1, -20], [0, 0], [0.1, 0], [0.2, 30]]}}\n");
}


//---- against bodies ------------------------------------------------------------------------------

TEST(an_anti_roll_bar_is_the_bar_built_of_bodies)
{
  artModel *bar = axle("", "",
                       "  bar: {type: joint-spring, coordinates: {right_pin: 1, left_pin: -1}, "
                       "stiffness: 500, damping: 7}\n");
  artModel *bodies =
      axle("  stub: {mass: 0}\n",
           "  clamp: {type: fixed, from: left, to: stub, at: [0, 0.5, 0]}\n"
           "  twist: {type: revolute, axis: y, from: stub, to: right, at: [0, -0.5, 0]}\n",
           "  bar: {type: joint-spring, coordinate: twist, stiffness: 500, damping: 7}\n");
  if (bar && bodies) {
    artData *a = art_create_data(bar), *b = art_create_data(bodies);
    artAssembly assembly;
    CHECK_EQ_INT(art_assemble(bodies, b, &assembly, NULL), ART_OK);
    CHECK_EQ_INT(art_accelerate(bar, a, ART_AUTOMATIC, NULL), ART_OK);
    CHECK_EQ_INT(art_accelerate(bodies, b, ART_AUTOMATIC, NULL), ART_OK);
    static const char *const names[] = {"heave.rate", "left_pin.rate", "right_pin.rate"};
    for (int i = 0; i < 3; i++) {
      // the pin that closes the loop has no coordinate: its rate is the other's plus the twist
      const int own = art_find_velocity(bar, names[i]), other = art_find_velocity(bodies, names[i]);
      const int left = art_find_velocity(bodies, "left_pin.rate");
      const int twist = art_find_velocity(bodies, "twist.rate");
      const double want = other >= 0 ? b->a[other] : b->a[left] + b->a[twist];
      CHECK_CLOSE(a->a[own], want, 1e-9 * (1 + fabs(want)));
    }
    CHECK_CLOSE(a->work->power, b->work->power, 1e-9);
    CHECK_CLOSE(art_energy(bar, a).potential, art_energy(bodies, b).potential, 1e-9);
    art_free_data(a), art_free_data(b);
  }
}


// Q = c F, with F written once more
TEST(every_coordinate_feels_the_force_times_its_factor)
{
  artModel *m = axle("", "",
                     "  bar: {type: joint-spring, coordinates: {left_pin: 1, right_pin: -0.6}, "
                     "stiffness: 300, rest: 0.05, damping: 4}\n");
  artData *d = keep_fresh_data(m);
  if (d) {
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
    const double x = 0.2 + 0.6 * 0.1, v = -1 - 0.6 * 0.7;
    const double force = -300 * (x - 0.05) - 4 * v;
    const double want[3] = {-4e4 * 0.05 - 900 * 0.3, force, -0.6 * force};
    const double power = -900 * 0.09 - 4 * v * v;
    CHECK_REL(d->force, want, 3, 1e-14);
    CHECK_CLOSE_REL(d->work->power, power, 1e-14);
  }
}


//---- by all methods ------------------------------------------------------------------------------

TEST(all_methods_and_generated_code_agree)
{
  artModel *m = axle_with_all();
  if (m) control_compare_methods(m, 12, &seed);
}


TEST(the_balance_of_energy_closes_through_stops_and_segments)
{
  static const int methods[] = {ART_AUTOMATIC, ART_RECURSIVE, MODEL_GENERATED};
  artModel *m = axle_with_all();
  for (int i = 0; m && i < 3; i++) {
    CHECK_CLOSE(control_run_balance(m, methods[i], 2, 1e-10, NULL), 0, 1e-6);
  }
}


// an undamped spring along a combination by the rule that conserves energy exactly
TEST(conserving_steps_conserve)
{
  artModel *m = keep_text(
      "articula: 1\n"
      "gravity: [0, 0, 0]\n"
      "bodies:\n"
      "  left: {mass: 2, com: [0.4, 0, 0], inertia: [0.1, 0.2, 0.3]}\n"
      "  right: {mass: 3, com: [0.3, 0, 0], inertia: [0.1, 0.2, 0.3]}\n"
      "joints:\n"
      "  a: {type: revolute, axis: z, from: ground, to: left}\n"
      "  b: {type: revolute, axis: z, from: ground, to: right, at: [0, 1, 0]}\n"
      "forces:\n"
      "  bar: {type: joint-spring, coordinates: {a: 1, b: -2}, spring: {polynomial: [40, 0, 90]}}\n"
      "initial: {a: {angle: 0.5, rate: 1}, b: {rate: -2}}\n"
      "study: {type: run, until: 1, method: conserving, step: 10 ms}\n");
  if (m) {
    CHECK_CLOSE(control_run_balance(m, ART_CONSERVING, 1, 0, NULL), 0, 1e-8);
  }
}


//---- mistakes ------------------------------------------------------------------------------------

TEST(mistakes_are_told_where_they_stand)
{
  static const struct {
    const char *force, *message;
    int line, column;
  } cases[] = {
      {"  bar: {type: joint-spring, coordinates: {left_pin: 1, rihgt_pin: -1}, stiffness: 3}\n",
       "'rihgt_pin' is not a joint coordinate (did you mean 'right_pin'?)", 12, 56},
      {"  bar: {type: joint-spring, coordinates: {left_pin: 1, left_pin.angle: -1}, stiffness: "
       "3}\n",
       "force 'bar' names 'left_pin.angle' twice", 12, 56},
      {"  bar: {type: joint-spring, coordinates: {}, stiffness: 3}\n", "expected coordinates and",
       12, 42},
      {"  bar: {type: joint-spring, coordinates: {left_pin: 1}, coordinate: heave, stiffness: 3}\n",
       "'coordinates' and 'coordinate' exclude each other", 12, 29},
      {"  bar: {type: joint-spring, stiffness: 3}\n", "needs 'coordinate' or 'coordinates'", 12, 3},
      {"  bar: {type: joint-spring, coordinates: {left_pin: 1}, stiffness: 3 N/m}\n", "N m", 12,
       70},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[4000];
    artModel *m = NULL;
    artError error = {0};
    snprintf(text, sizeof text, AXLE, "", "", cases[i].force, RIGHT);
    CHECK_EQ_INT(art_read_model(&m, text, strlen(text), "axle.yaml", &error), ART_BAD_INPUT);
    CHECK_CONTAINS(error.text, cases[i].message);
    snprintf(text, sizeof text, "axle.yaml:%d:%d: ", cases[i].line, cases[i].column);
    CHECK_CONTAINS(error.text, text);
    art_free_model(m);
  }
}


TEST(the_builder_combines_what_acts_on_coordinates_only)
{
  artBuilder *b = art_create_builder();
  artBodyForceDef push = {.name = "push", .on = "body"};
  art_add_body_force(b, &push);
  const char *const names[] = {"pin"};
  const double factor[] = {1};
  CHECK_EQ_INT(art_set_combination(b, "push", 1, names, factor), ART_BAD_INPUT);
  art_free_builder(b);

  b = art_create_builder();
  CHECK_EQ_INT(art_set_combination(b, "nobody", 1, names, factor), ART_BAD_INPUT);
  art_free_builder(b);
}
