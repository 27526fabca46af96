// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Elastic ropes over pulleys: a tackle with a constant stretch and a ball that falls into its rope, against closed forms,
// by all methods.
#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"

static const double G = 9.81;

static const struct {
  int method;
  double step;      // s
  double tolerance; // of results
} ways[] = {
    {ART_SEMIRECURSIVE, 0, 1e-8},  {ART_RECURSIVE, 0, 1e-8},     {ART_AUGMENTED, 0, 1e-8},
    {MODEL_GENERATED, 0, 1e-8},    {ART_INDEX1, 1e-3, 2e-5},     {ART_INDEX3, 1e-3, 2e-5},
    {ART_MULTI_INDEX, 1e-3, 2e-3}, {ART_CONSERVING, 1e-3, 2e-5},
};
enum { WAYS = sizeof ways / sizeof *ways };


static artData *run_to(const artModel *m, int way, double t)
{
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  model_set_way(&study, ways[way].method);
  study.step = ways[way].step, study.tolerance = 1e-11, study.until = t;
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK(run && art_run_to(run, t, &check_error) == ART_OK)) puts(check_error.text);
  return d;
}


// T = 3 g/(4/m1 + 1/m2); the load goes up with 2 T/m1 - g, the weight down with g - T/m2
TEST(a_load_in_the_bight_of_a_rope_rises_half_as_fast_as_the_weight_falls)
{
  const artModel *m = keep_file("models/tackle.yaml");
  const double m1 = 10, m2 = 8, T = 3 * G / (4 / m1 + 1 / m2), t = 0.5;
  for (int way = 0; way < WAYS; way++) {
    const artData *d = run_to(m, way, t);
    double value[8];
    art_outputs(m, (artData *) d, value);
    printf("  %s\n", model_way_name(ways[way].method));
    CHECK_CLOSE(value[0], -2 + (2 * T / m1 - G) * t * t / 2, ways[way].tolerance);
    CHECK_CLOSE(value[1], -1 - (G - T / m2) * t * t / 2, ways[way].tolerance);
    CHECK_CLOSE(value[2], 6, ways[way].tolerance);
    CHECK_CLOSE(value[3], T, 20000 * ways[way].tolerance);
  }
}


// It falls h, turns around in the taut rope and is back where it began after two falls and the time
// 2/w (pi - atan(v w/g)), w^2 = k/m, in the rope.
TEST(a_ball_that_falls_into_its_rope_comes_back)
{
  const artModel *m = keep_text("articula: 1\n"
                                "bodies: {ball: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
                                "joints: {z: {type: prismatic, axis: z, from: ground, to: ball}}\n"
                                "forces:\n"
                                "  rope: {type: rope, through: [ground, ball], free_length: 1, "
                                "stiffness: 800}\n"
                                "initial: {z: {slide: -0.5}}\n");
  const double h = 0.5, v = sqrt(2 * G * h), w = sqrt(800 / 2.0);
  const double t = 2 * v / G + 2 / w * (acos(-1.0) - atan(v * w / G));
  for (int way = 0; way < WAYS; way++) {
    const artData *d = run_to(m, way, t);
    printf("  %s\n", model_way_name(ways[way].method));
    CHECK_CLOSE(d->q[0], -0.5, 5 * ways[way].tolerance);
    CHECK_CLOSE(d->v[0], 0, 50 * ways[way].tolerance);
  }
}


// the swinging machine of Atwood, elastic and damped: each method against the first
TEST(all_methods_swing_a_load_over_pulleys_alike)
{
  const artModel *m = keep_text(
      "articula: 1\n"
      "bodies:\n"
      "  beam: {points: {left: [0, 0, 0], right: [1, 0, 0]}}\n"
      "  weight: {mass: 3, inertia: [0.1, 0.1, 0.1]}\n"
      "  cart: {}\n"
      "  load: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
      "joints:\n"
      "  bolt: {type: fixed, from: ground, to: beam}\n"
      "  fall: {type: prismatic, axis: z, from: ground, to: weight}\n"
      "  x: {type: prismatic, axis: x, from: beam.right, to: cart}\n"
      "  z: {type: prismatic, axis: z, from: cart, to: load}\n"
      "forces:\n"
      "  rope: {type: rope, through: [weight, beam.left, beam.right, load], free_length: 3, "
      "stiffness: 2000, damping: 0.5}\n"
      "initial: {fall: {slide: -1}, x: {slide: 0.8}, z: {slide: -0.6}}\n");
  const artData *first = NULL;
  for (int way = 0; way < WAYS; way++) {
    const artData *d = run_to(m, way, 0.6);
    if (!first) first = d;
    printf("  %s\n", model_way_name(ways[way].method));
    for (int k = 0; k < 3; k++) CHECK_CLOSE(d->q[k], first->q[k], 20 * ways[way].tolerance);
  }
}


TEST(a_taut_rope_that_is_damped_does_not_push)
{
  const artModel *m = keep_text("articula: 1\n"
                                "bodies: {ball: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
                                "joints: {z: {type: prismatic, axis: z, from: ground, to: ball}}\n"
                                "forces:\n"
                                "  rope: {type: rope, through: [ground, ball], free_length: 1, "
                                "stiffness: 800, damping: 2}\n"
                                "initial: {z: {slide: -1.01, rate: 3}}\n"
                                "outputs: {force: rope.force, balance: energy.balance}\n");
  artData *d = keep_fresh_data(m);
  double value[2];
  CHECK(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_OK);
  art_outputs(m, d, value);
  CHECK_CLOSE(value[0], 0, 0);
}
