// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Instants of samplers in runs: the machine is seen there exactly, and moves in between as the held numbers say.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "model/methods.h"
#include "support/keep.h"
#include "support/mallocs.h"

// A sampled controller, some samples late, holds 1 kg on a rail: a map from instant to instant that is known.
static const char CART[] = "articula: 1\n"
                           "bodies: {cart: {mass: 1}}\n"
                           "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
                           "blocks:\n"
                           "  place: {type: sample, unit: m, input: = rail.slide, every: 10 ms}\n"
                           "  hold: {type: sample, unit: N, input: '= -40[N/m]*(place - 1[m]) - "
                           "5[N s/m]*rail.rate', every: 10 ms, "
                           "delay: 1}\n"
                           "forces: {motor: {type: joint-force, coordinate: rail, value: = hold}}\n"
                           "outputs: [rail.slide, rail.rate, place, hold, rail.accel]\n";

enum { SLIDE, SPEED, PLACE, HOLD, ACCELERATION, OUTPUTS };

typedef struct sampledRun {
  artModel *m;
  artData *d;
  artRun *run;
  artRunDef study;
} sampledRun;


static int begin(sampledRun *p, const char *text, int way, artIntegrator integrator)
{
  artError error = {0};
  p->study = art_default_run();
  model_set_way(&p->study, way);
  p->study.until = 1;
  p->study.integrator = integrator;
  p->study.step = integrator == ART_RK4 ? 0.004 : 0;
  p->study.tolerance = integrator == ART_BDF ? 1e-12 : 1e-11;
  p->m = NULL;
  p->run = NULL;
  art_read_model(&p->m, text, strlen(text), "cart.yaml", &error);
  keep_model(p->m);
  if (!error.status) p->d = keep_data(art_create_data(p->m));
  if (!error.status) art_create_run(&p->run, p->m, p->d, &p->study, &error);
  CHECK_TEXT(error.text, "");
  if (!error.status) keep_run(p->run);
  return !error.status;
}


//---- the map ---------------------------------------------------------------------------------------

typedef struct cartMap {
  double x, v, place, hold, next; // right of the instant
} cartMap;


// samples that are due are taken before the instant, and `hold` is the formula one sample ago
static void map_sample(cartMap *c)
{
  c->place = c->x, c->hold = c->next, c->next = -40 * (c->place - 1) - 5 * c->v;
}


static void map_go(cartMap *c, double h)
{
  c->x += h * (c->v + h / 2 * c->hold);
  c->v += h * c->hold;
}


// all but bdf and adams are exact for forces that are held
static double exactness(int i)
{
  return i == ART_RK4 || i == ART_DOPRI5 ? 1e-10 : 1e-8;
}


static void check_row(const sampledRun *p, const cartMap *want, double tolerance, const char *what)
{
  double y[OUTPUTS];
  art_outputs(p->m, p->d, y);
  const double expected[OUTPUTS] = {want->x, want->v, want->place, want->hold, want->hold};
  if (!CHECK_NEAR(y, expected, OUTPUTS, tolerance)) {
    fprintf(stderr, "  %s at %g s\n", what, p->d->time);
  }
}


TEST(a_sampled_controller_follows_its_map_by_every_method_and_integrator)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    const int way = model_way_at(k), is_natural = model_method_has(way, METHOD_NATURAL);
    for (int i = 0; i < (is_natural ? 1 : ART_MOREAU); i++) {
      sampledRun p;
      cartMap c = {0};
      if (!begin(&p, CART, way, (artIntegrator) i)) return;
      map_sample(&c);
      check_row(&p, &c, 1e-12, model_way_name(way));
      long taken = 0;
      for (int j = 1; j <= 100; j++) {
        if (j == 10) taken = mallocs;
        if (!CHECK(art_step(p.run, 0.01, NULL) == ART_OK && p.d->time == 0.01 * j)) break;
        map_go(&c, 0.01);
        map_sample(&c); // rows are right of the instant
        check_row(&p, &c, exactness(i), model_way_name(way));
      }
      CHECK_EQ_INT(mallocs, taken);
      CHECK(art_certify(p.run).energy_error < 1e-8);
    }
  }
}


// rows between instants, by art_run_to; steps go on past rows but not past instants
TEST(rows_between_instants_lie_on_the_same_motion)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    const int way = model_way_at(k), is_natural = model_method_has(way, METHOD_NATURAL);
    for (int i = 0; i < (is_natural ? 1 : ART_MOREAU); i++) {
      sampledRun p;
      cartMap c = {0};
      if (!begin(&p, CART, way, (artIntegrator) i)) return;
      map_sample(&c);
      double t = 0;
      for (int j = 1; j <= 130; j++) {
        double row = 0.0073 * j;
        while (floor(row / 0.01) > floor(t / 0.01 + 1e-9)) {
          const double instant = 0.01 * (floor(t / 0.01 + 1e-9) + 1);
          map_go(&c, instant - t);
          map_sample(&c);
          t = instant;
        }
        map_go(&c, row - t);
        t = row;
        if (!CHECK(art_run_to(p.run, row, NULL) == ART_OK && p.d->time == row)) break;
        check_row(&p, &c, exactness(i), model_way_name(way));
      }
    }
  }
}


// rows that follow the steps: no instant is missed on the way
TEST(rows_by_the_steps_pass_all_instants)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    const int way = model_way_at(k), is_natural = model_method_has(way, METHOD_NATURAL);
    for (int i = 0; i < (is_natural ? 1 : ART_MOREAU); i++) {
      sampledRun p;
      cartMap c = {0};
      if (!begin(&p, CART, way, (artIntegrator) i)) return;
      map_sample(&c);
      for (int j = 1; j <= 100; j++) {
        map_go(&c, 0.01);
        map_sample(&c);
      }
      int rows = 0;
      while (p.d->time < 1 && CHECK(art_run_next(p.run, &p.study, NULL) == ART_OK)) rows++;
      CHECK(rows >= 50);
      check_row(&p, &c, exactness(i), model_way_name(way));
    }
  }
}


// instants and ends of steps that differ by rounding are one
TEST(instants_that_rounding_moves_are_met_once)
{
  for (int i = 0; i < ART_MOREAU; i++) {
    sampledRun p;
    cartMap c = {0};
    if (!begin(&p, CART, ART_AUTOMATIC, (artIntegrator) i)) return;
    map_sample(&c);
    double t = 0; // summed, not counted
    for (int j = 1; j <= 100; j++) {
      t += 0.01;
      CHECK(art_step_to(p.run, t, NULL) == ART_OK && p.d->time == t);
      map_go(&c, 0.01);
      map_sample(&c);
      check_row(&p, &c, exactness(i), "sums");
    }
  }
}


//---- interruption ----------------------------------------------------------------------------------

TEST(a_run_resumed_between_instants_goes_on_to_the_same_bits)
{
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    for (int i = 0; i < ART_MOREAU; i++) {
      sampledRun p, other;
      if (!begin(&p, CART, model_way_at(k), (artIntegrator) i)) return;
      if (!begin(&other, CART, model_way_at(k), (artIntegrator) i)) return;
      static const double at[] = {0, 0.0242, 0.05, 0.0555};
      for (int j = 0; j < 4; j++) {
        CHECK(art_run_to(p.run, at[j], NULL) == ART_OK);
        const savedRun saved = keep_saved_run(p.run);
        CHECK_WORKS(art_load_run(other.run, saved.bytes, saved.size, &check_error));
        for (int step = 1; step <= 5; step++) {
          const double t = at[j] + step * 0.004;
          double y[2][OUTPUTS];
          if (j == 3) CHECK(art_run_to(p.run, t, NULL) == ART_OK);
          CHECK(art_run_to(other.run, t, NULL) == ART_OK);
          art_outputs(p.m, p.d, y[0]);
          art_outputs(other.m, other.d, y[1]);
          if (j == 3) CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
        }
        if (j < 3) { // back to the snapshot, in the run itself: the same bits once more
          double y[2][OUTPUTS];
          CHECK(art_load_run(p.run, saved.bytes, saved.size, NULL) == ART_OK);
          for (int step = 1; step <= 5; step++) {
            CHECK(art_run_to(p.run, at[j] + step * 0.004, NULL) == ART_OK);
          }
          art_outputs(p.m, p.d, y[0]);
          art_outputs(other.m, other.d, y[1]);
          CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
          CHECK(art_load_run(p.run, saved.bytes, saved.size, NULL) == ART_OK);
        }
      }
    }
  }
}


//---- accelerations ---------------------------------------------------------------------------------

// a sampler of an acceleration sees it just before the instant, under the force that has been held
TEST(samplers_of_accelerations_see_the_old_force)
{
  static const char FEELS[] =
      "articula: 1\n"
      "bodies: {cart: {mass: 2}}\n"
      "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
      "blocks:\n"
      "  felt: {type: sample, unit: m/s^2, input: = rail.accel, every: 100 ms}\n"
      "  push: {type: sample, unit: N, input: '= 6[N]*(1 + floor(time/0.1[s] + 0.5))', every: 100 "
      "ms}\n"
      "forces: {motor: {type: joint-force, coordinate: rail, value: = push}}\n"
      "outputs: [felt, push, rail.accel]\n";
  for (int k = 0; model_way_at(k) != MODEL_WAYS; k++) {
    sampledRun p;
    if (!begin(&p, FEELS, model_way_at(k), ART_DOPRI5)) return;
    for (int j = 1; j <= 5; j++) {
      CHECK(art_run_to(p.run, 0.1 * j, NULL) == ART_OK);
      double y[3];
      art_outputs(p.m, p.d, y);
      CHECK_NEAR(y, ((double[]){3.0 * j, 6.0 * (j + 1), 3.0 * (j + 1)}), 3, 1e-8);
    }
  }
}
