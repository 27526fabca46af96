// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws that switch, in closed form, by all methods and integrators: what they are on their borders counts where their
// arguments come to a border and stay there, begin there, or touch it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "model/methods.h"
#include "support/check.h"
#include "support/keep.h"

// Two unit masses: `x` moves from x0 at v0 under `push`, and the force `law` on z gives it its rate after 1 s.
typedef struct borderCase {
  const char *law;
  double x0, v0, rate;
  const char *push, *more;
  double tolerance; // 0: 1e-6
} borderCase;

// x = 0.43 - t, so that max(0, x) comes to zero after 0.43 s and stays there
#define FALLING 0.43, -1
#define RISING  -0.43, 1
// x.rate comes to zero after 0.5 s and stays there
#define BRAKED "if(x.rate > 0, -2, 0)"

static const borderCase CASES[] = {
    // arguments that come to zero and stay
    {"5*sign(max(0, x.slide))", FALLING, 2.15, 0, 0, 0},
    {"5*sign(min(0, x.slide))", FALLING, -2.85, 0, 0, 0},
    {"5*sign(min(0, x.slide))", RISING, -2.15, 0, 0, 0},
    {"if(max(0, x.slide) > 0, 5, 2)", FALLING, 3.29, 0, 0, 0},
    {"if(max(0, x.slide) >= 0, 5, 2)", FALLING, 5, 0, 0, 0},
    {"if(max(0, x.slide) <= 0, 5, 2)", FALLING, 3.71, 0, 0, 0},
    {"if(max(0, x.slide) < 0, 5, 2)", FALLING, 2, 0, 0, 0},
    {"if(min(0, x.slide) >= 0, 5, 2)", FALLING, 3.29, 0, 0, 0},
    {"if(min(0, x.slide) < 0, 5, 2)", FALLING, 3.71, 0, 0, 0},
    {"if(min(0, x.slide) >= 0, 5, 2)", RISING, 3.71, 0, 0, 0},
    {"if(min(0, x.slide) > 0, 5, 2)", RISING, 2, 0, 0, 0},
    {"5*step(max(0, x.slide))", FALLING, 5, 0, 0, 0},
    {"5*floor(max(1, 1 + x.slide))", FALLING, 5, 0, 0, 0},
    {"5*floor(min(1, 1 + x.slide))", RISING, 2.85, 0, 0, 0},
    {"5*mod(max(1, 1 + x.slide), 1)", FALLING, 0.46225, 0, 0, 0},
    {"5*sign(sign(max(0, x.slide)))", FALLING, 2.15, 0, 0, 0},
    {"5*(1 - abs(sign(max(0, x.slide))))", FALLING, 2.85, 0, 0, 0},
    {"5*sign(abs(x.slide) + x.slide)", FALLING, 2.15, 0, 0, 0},
    {"5*sign(clamp(x.slide, 0, 1))", FALLING, 2.15, 0, 0, 0},
    {"5*sign(max(0, x.slide)*x.rate)", FALLING, -2.15, 0, 0, 0},
    {"5*pulse(max(0, x.slide), 0, 0.2)", FALLING, 3.85, 0, 0, 0},
    {"if(max(0, x.slide) > 0 or min(0, x.slide) > 0, 5, 2)", FALLING, 3.29, 0, 0, 0},
    {"if(sign(max(0, x.slide)) < -0.5, 5, 2)", FALLING, 2, 0, 0, 0},
    {"5*sign(max(0, 0.43 - time))", 1, 0, 2.15, 0, 0, 0},
    {"5*sign(min(time, 0.43) - 0.43)", 1, 0, -2.15, 0, 0, 0},
    {"5*(1 - hysteresis(min(x.slide, 0.5), -1, 0.5))", 0, 1, 5, 0, 0, 0},
    {"5*hysteresis(max(x.slide, -0.5), -0.5, 0.5) + 2", 0.6, -4, 7, 0, 0, 0},

    // in a signal, a block, a state, a condition of a lock
    {"5*sign(s)", FALLING, 2.15, 0, "blocks: {s: {type: formula, value: \"= max(0, x.slide)\"}}\n",
     0},
    {"5*sign(c)", FALLING, -0.7, 0,
     "blocks: {c: {type: dead-band, input: = x.slide, band: [-0.4, 0.4]}}\n", 0},
    {"if(c >= 0.2, 5, 2)", RISING, 3.11, 0,
     "blocks: {c: {type: saturation, input: = x.slide, limits: [-0.2, 0.2]}}\n", 0},
    {"if(c > 0.2, 5, 2)", RISING, 2, 0,
     "blocks: {c: {type: saturation, input: = x.slide, limits: [-0.2, 0.2]}}\n", 0},
    {"5*sign(s)", 1, 0, 2.5, 0, "states: {s: {initial: 1, rate: \"= if(s > 0, -2, 0)\"}}\n", 0},
    {"5", FALLING, 5, 0,
     "latches: {l: {type: lock, coordinate: z, engage: \"= if(max(0, x.slide) < 0, 1, -1)\"}}\n",
     0},
    {"5", FALLING, 5, 0,
     "latches: {l: {type: lock, coordinate: z, engage: \"= -0.5 - sign(max(0, x.slide))\"}}\n", 0},
    {"5", FALLING, 5, 0,
     "latches: {l: {type: lock, coordinate: z, engage: \"= -max(0, x.slide)\"}}\n", 0},
    {"5*sign(x.rate)", FALLING, -2.15, 0,
     "latches: {l: {type: lock, coordinate: x, engage: \"= time - 0.43[s]\"}}\n", 0},
    {"if(x.rate >= 0, 5, 2)", FALLING, 3.71, 0,
     "latches: {l: {type: lock, coordinate: x, engage: \"= time - 0.43[s]\"}}\n", 0},

    {"5*sign(c)", FALLING, 2.5, 0,
     "blocks: {c: {type: formula, value: \"= max(0, x.slide)\", every: 0.1}}\n", 0},
    {"if(c > 0.1, 5, 2)", 1, 0, 2, 0,
     "blocks: {c: {type: integrator, input: 1, limits: [0, 0.1]}}\n", 0},
    {"if(c >= 0.1, 5, 2)", 1, 0, 4.7, 0,
     "blocks: {c: {type: integrator, input: 1, limits: [0, 0.1]}}\n", 0},
    {"5*sign(c)", FALLING, 2.15, 0,
     "blocks: {c: {type: relay, input: = x.slide, band: [0, 0.2], values: [0, 1]}}\n", 0},

    // motions that come to rest
    {"5*sign(x.rate)", 0, 1, 2.5, BRAKED, 0, 0},
    {"if(x.rate >= 0, 5, 2)", 0, 1, 5, BRAKED, 0, 0},
    {"if(x.rate <= 0, 5, 2)", 0, 1, 3.5, BRAKED, 0, 0},
    {"if(x.rate < 0, 5, 2)", 0, 1, 2, BRAKED, 0, 0},
    {"5*sign(x.rate)", 0, 1, 2.5, "-2*sign(x.rate)", 0, 0},
    {"5*sign(x.rate)", 0, -1, -2.5, "-2*sign(x.rate)", 0, 0},

    {"5*sign(x.rate)", 0, 1, 2.5, "-2*sign(x.rate)*(1 + 0*x.slide^2)", 0, 0},
    {"5*abs(sign(x.rate))", 0, 1, 2.5, "if(x.rate > 0, -2, if(x.rate < 0, 2, 0))", 0, 0},

    // on the border from the beginning, at rest and not
    {"5*sign(x.slide)", 0, 0, 0, 0, 0, 0},
    {"if(x.slide >= 0, 5, 2)", 0, 0, 5, 0, 0, 0},
    {"if(x.slide > 0, 5, 2)", 0, 0, 2, 0, 0, 0},
    {"5*sign(x.slide)", 0, 1, 5, 0, 0, 0},
    {"5*sign(x.slide)", 0, -1, -5, 0, 0, 0},
    {"if(x.slide >= 0, 5, 2)", 0, -1, 2, 0, 0, 0},
    {"if(x.slide > 0, 5, 2)", 0, 1, 5, 0, 0, 0},
    {"5*floor(x.slide)", 0, -1e-3, -5, 0, 0, 0},
    {"5*sign(x.slide)", 0, 0, 5, "2", 0, 0},
    {"5*sign(x.slide)", 0, 0, -5, "-2", 0, 0},
    {"5*sign(x.slide)", 0, 0, 5, "6*time", 0, 2e-3}, // t^3 counts as zero for so long
    {"5*sign(x.rate)", 0, 0, -5, "-2 - sign(x.rate)", 0, 0},

    // x = (t - 0.5)^2, which touches zero
    {"5*sign(x.slide)", 0.25, -1, 5, "2", 0, 0},
    {"if(x.slide > 0, 5, 2)", 0.25, -1, 5, "2", 0, 0},
    {"if(x.slide <= 0, 5, 2)", 0.25, -1, 2, "2", 0, 0},

    // x = (t - 0.5037)^2 - 5e-6, which is negative for less than a step
    {"if(x.slide < 0, 1000, 0)", 0.25370869, -1.0074, 4.472135955, "2", 0, 2e-3},

    // a value far below the rounding of x, where something else changes
    {"5*sign(1e-7 + 0*time) + if(time > 0.5, 1, 0)", 4.2e7, 0, 5.5, 0, 0, 0},

    // crossings
    {"5*sign(abs(x.slide))", FALLING, 5, 0, 0, 0},
    {"5*sign(x.slide)", FALLING, -0.7, 0, 0, 0},
    {"5*sign(max(0, x.slide))", FALLING, 4, "246.74011002723395*max(0, -x.slide)", 0, 2e-3},
    {"floor(4*time)", 1, 0, 1.5, 0, 0, 0},
    {"mod(time, 0.25)", 1, 0, 0.125, 0, 0, 0},
    {"floor(-4*x.slide)", 0, -1, 1.5, 0, 0, 0},
};
enum { COUNT = sizeof CASES / sizeof *CASES };


static artModel *model_of(const borderCase *c)
{
  return keep_text_of(
      "articula: 1\n"
      "gravity: [0, 0, 0]\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n"
      "  x: {type: prismatic, axis: x, from: ground, to: a}\n"
      "  z: {type: prismatic, axis: x, from: ground, to: b}\n"
      "forces:\n"
      "  law: {type: joint-force, coordinate: z, value: \"= %s\"}\n"
      "  push: {type: joint-force, coordinate: x, value: \"= %s\"}\n"
      "initial: {x: {slide: %.17g, rate: %.17g}}\n%s",
      c->law, c->push ? c->push : "0", c->x0, c->v0, c->more ? c->more : "");
}


static artRunDef study_of(artMethod method, artIntegrator integrator)
{
  artRunDef study = art_default_run();
  study.until = 1, study.method = method, study.integrator = integrator;
  study.tolerance = 1e-9;
  study.step = integrator == ART_RK4 ? 0.01 : 0;
  return study;
}


// from row to row, or in steps of 20 ms that begin anew; returns whether the method goes with the machine
static int run_one(const borderCase *c, const artModel *m, const artRunDef *study, int is_stepped)
{
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  if (art_create_run(&run, m, d, study, &check_error) != ART_OK) return 0;
  keep_run(run);
  artStatus status = ART_OK;
  for (int i = 1; i <= 7 && status == ART_OK && !is_stepped; i++) {
    status = art_run_to(run, i / 7.0, &check_error);
  }
  for (int i = 0; i < 50 && status == ART_OK && is_stepped; i++) {
    art_restart_run(run);
    status = art_step(run, 0.02, &check_error);
  }
  const double got = d->v[1], tolerance = c->tolerance > 0 ? c->tolerance : 1e-6;
  const int is_right = CHECK_EQ_INT(status, ART_OK) && CHECK_CLOSE(got, c->rate, tolerance);
  if (!is_right) {
    printf("  %s, x from %g at %g, method %d integrator %d: %g for %g %s\n", c->law, c->x0, c->v0,
           (int) study->method, (int) study->integrator, got, c->rate, check_error.text);
  }
  return 1;
}


TEST(laws_have_their_values_on_borders_by_all_methods_and_integrators)
{
  int runs = 0;
  for (int i = 0; i < COUNT; i++) {
    const artModel *m = model_of(&CASES[i]);
    for (int method = 0; method < ART_METHODS; method++) {
      for (int integrator = 0; integrator < ART_MOREAU; integrator++) {
        if (method > 0 && integrator != ART_DOPRI5) continue;
        const artRunDef study = study_of((artMethod) method, (artIntegrator) integrator);
        runs += run_one(&CASES[i], m, &study, 0) + run_one(&CASES[i], m, &study, 1);
      }
    }
  }
  CHECK(runs > 20 * COUNT);
}


// steps of rk4 end where x.rate = (t - 0.5)^2 and x = t - t^2 touch borders, to rounding
TEST(what_only_touches_its_border_does_not_turn_or_engage)
{
  static const borderCase touches[] = {
      {"5*(1 - hysteresis(-x.rate, -1, 0))", 0, 0.25, 5, "2*time - 1", 0, 0},
      {"5*(1 - hysteresis(x.slide, -1, 0.25))", 0, 1, 5, "-2", 0, 0},
      {"5", 0, 0.25, 5, "2*time - 1",
       "latches: {l: {type: lock, coordinate: z, engage: = -x.rate}}\n", 0},
      {"5", 0, 1, 5, "-2",
       "latches: {l: {type: lock, coordinate: z, engage: \"= x.slide - 0.25[m]\"}}\n", 0}};
  const artRunDef study = study_of(ART_AUTOMATIC, ART_RK4);
  for (int i = 0; i < 4; i++) {
    CHECK(run_one(&touches[i], model_of(&touches[i]), &study, 0));
  }
}


// x = (t - 0.03)^2 + 1e-12, at which steps are looked into, and another border that is far away
TEST(looks_at_what_does_not_come_to_its_border_change_no_bit)
{
  const borderCase near = {"if(x.slide < 0, 1000, time)", 9e-4 + 1e-12, -0.06, 0, "2", 0, 0},
                   far = {"if(x.slide < -1, 1000, time)", 9e-4 + 1e-12, -0.06, 0, "2", 0, 0};
  const artModel *m = model_of(&near), *other = model_of(&far);
  for (int method = 0; method < ART_METHODS; method++) {
    artData *d = keep_fresh_data(m), *e = keep_fresh_data(other);
    artRun *run = NULL;
    artRunDef study = study_of((artMethod) method, ART_RK4);
    study.step = 7e-5;
    if (art_create_run(&run, m, d, &study, NULL) != ART_OK) continue;
    keep_run(run);
    CHECK_WORKS(art_run_to(run, 0.05, &check_error));
    CHECK_WORKS(art_run_to(keep_started_run(other, e, &study), 0.05, &check_error));
    CHECK(memcmp(d->v, e->v, 2 * sizeof *d->v) == 0 && memcmp(d->q, e->q, 2 * sizeof *d->q) == 0);
  }
}


// Over 10 s the forces of flashes.yaml act 32, 27 and 23 times; the time in which sin(w t) > c is 2 acos(c)/w of a period, and what
// max(0, sin(w t) - c) comes to in it 2 (sin(p) - c p)/w with p = acos(c).
TEST(forces_that_come_for_less_than_a_step_are_not_missed)
{
  const double p = acos(0.9),
               rates[] = {32 * 2 * (sin(p) - 0.9 * p) / 20, 27 * 2 * acos(0.999) / 17 / 2,
                          23 * 2 * acos(0.99) / 14 / 1.5};
  const artModel *m = keep_file(ART_SOURCE_DIR "/test/models/good/flashes.yaml");
  for (int integrator = 0; m && integrator < ART_MOREAU; integrator++) {
    for (double tolerance = 1e-6; tolerance > 1e-12; tolerance *= 1e-2) {
      artRunDef study = study_of(ART_AUTOMATIC, (artIntegrator) integrator);
      study.until = 10, study.tolerance = tolerance;
      artData *d = keep_fresh_data(m);
      artRun *run = keep_started_run(m, d, &study);
      CHECK_WORKS(art_run_to(run, 10, &check_error));
      CHECK_NEAR(d->v, rates, 3, 1e-4);
    }
  }
}


#define INPUT "inputs: {u: {default: 1}}\n"
#define LOCK  "latches: {l: {type: lock, coordinate: z, engage: \"= -max(0, u)\"}}\n"

// u is 1 for 0.4 s, 0 for 0.3 s, then -1
TEST(inputs_that_are_set_to_a_border_are_on_it)
{
  static const double value[] = {1, 0, -1}, time[] = {0.4, 0.3, 0.3};
  static const struct {
    const char *law;
    double rate;
  } laws[] = {{"5*sign(u)", 0.5},
              {"if(u >= 0, 5, 2)", 4.1},
              {"if(u > 0, 5, 2)", 3.2},
              {"if(u <= 0, 5, 2)", 3.8},
              {"5*sign(max(0, u))", 2},
              {"floor(u)", 0.1},
              {"5", 5}};
  for (int i = 0; i < 7; i++) {
    const borderCase c = {laws[i].law, 1, 0, laws[i].rate, 0, i < 6 ? INPUT : INPUT LOCK, 0};
    const artModel *m = model_of(&c);
    for (int method = 0; method < ART_METHODS; method++) {
      artData *d = keep_fresh_data(m);
      artRun *run = NULL;
      artRunDef study = study_of((artMethod) method, ART_DOPRI5);
      if (art_create_run(&run, m, d, &study, NULL) != ART_OK) continue;
      keep_run(run);
      for (int k = 0; k < 3; k++) {
        CHECK_WORKS(art_set_input(m, d, 0, value[k], &check_error));
        CHECK_WORKS(art_step(run, time[k], &check_error));
      }
      if (!CHECK_CLOSE(d->v[1], c.rate, 1e-9)) printf("  %s, method %d\n", c.law, method);
    }
  }
}


// saved before x comes to rest, at the very row behind it, and later
TEST(saved_runs_go_on_to_the_same_bits_on_borders)
{
  const borderCase c = {"5*sign(x.rate)", 0, 1, 2.5, "-2*sign(x.rate)", 0, 0};
  const artModel *m = model_of(&c);
  for (int method = 0; method < ART_METHODS; method++) {
    const artRunDef study = study_of((artMethod) method, ART_DOPRI5);
    for (int k = 3; k < 9; k++) {
      artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
      artRun *run = NULL;
      if (art_create_run(&run, m, d, &study, NULL) != ART_OK) break;
      keep_run(run);
      artRun *other = keep_started_run(m, e, &study);
      for (int i = 1; i <= k; i++) CHECK_WORKS(art_run_to(run, 0.1 * i, &check_error));
      const savedRun saved = keep_saved_run(run);
      CHECK_WORKS(art_load_run(other, saved.bytes, saved.size, &check_error));
      CHECK_WORKS(art_run_to(run, 1, &check_error));
      CHECK_WORKS(art_run_to(other, 1, &check_error));
      CHECK(memcmp(d->v, e->v, 2 * sizeof *d->v) == 0 && memcmp(d->q, e->q, 2 * sizeof *d->q) == 0);
      CHECK_CLOSE(e->v[1], c.rate, 1e-9);
    }
  }
}


// pulses whose length, which bounds steps, depends on where x is: the other run begins elsewhere
TEST(saved_runs_go_on_in_the_steps_that_they_had)
{
  const borderCase c = {"1", 0.02, 0, 0, "if(sin(20*time) > 0.95 + x.slide, 1, 0)", 0, 0};
  const artModel *m = model_of(&c);
  for (int integrator = 0; integrator < ART_MOREAU; integrator++) {
    artRunDef study = study_of(ART_AUTOMATIC, (artIntegrator) integrator);
    study.until = 10;
    artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
    e->q[0] = -0.5;
    artRun *run = keep_started_run(m, d, &study), *other = keep_started_run(m, e, &study);
    CHECK_WORKS(art_run_to(run, 1.7, &check_error));
    const savedRun saved = keep_saved_run(run);
    CHECK_WORKS(art_load_run(other, saved.bytes, saved.size, &check_error));
    CHECK_WORKS(art_run_to(run, 5, &check_error));
    CHECK_WORKS(art_run_to(other, 5, &check_error));
    CHECK(memcmp(d->v, e->v, 2 * sizeof *d->v) == 0 && memcmp(d->q, e->q, 2 * sizeof *d->q) == 0);
  }
}


// A law at random, of operations that switch, into text of the given room; returns its length.
static int write_law(char *text, int room, int depth, uint64_t *seed)
{
  static const char *const ends[] = {"x.slide", "x.rate", "time", "0", "0.25", "-0.25"};
  // operands stand at #
  static const char *const forms[] = {
      "max(#, #)", "min(#, #)", "abs(#)",          "sign(#)",          "(# + #)",
      "(# - #)",   "(#*#)",     "if(# > #, #, #)", "if(# >= #, #, #)", "clamp(#, -0.25, 0.25)",
      "step(#)",   "floor(#)",  "max(0, #)",       "if(# < #, #, #)",  "if(# <= #, #, #)"};
  if (depth == 0) return snprintf(text, (size_t) room, "%s", ends[check_pick(seed, 6)]);
  int n = 0;
  for (const char *c = forms[check_pick(seed, 15)]; *c && n + 1 < room; c++) {
    if (*c == '#') n += write_law(text + n, room - n, depth - 1, seed);
    if (*c != '#') text[n++] = *c;
  }
  if (n < room) text[n] = '\0';
  return n;
}


// the integral of the force over time by its definition, outside of runs
static double integrate(const artModel *m, const borderCase *c)
{
  enum { PARTS = 4000 };
  artData *d = keep_fresh_data(m);
  double sum = 0;
  for (int i = 0; i < PARTS; i++) {
    d->time = (i + 0.5) / PARTS;
    d->q[0] = c->x0 + c->v0 * d->time;
    d->v[0] = c->v0;
    art_update(m, d);
    art_apply_forces(m, d, NULL);
    sum += d->force[1] / PARTS;
  }
  return sum;
}


TEST(laws_at_random_give_the_integrals_of_their_definitions)
{
  static const double starts[][2] = {{0.43, -1}, {-0.43, 1}, {0.25, -1}, {0, 0}, {0, -0.5}};
  static const artMethod methods[] = {ART_AUTOMATIC, ART_AUTOMATIC, ART_INDEX3};
  uint64_t seed = 7;
  for (int i = 0; i < 300; i++) {
    char law[600];
    if (write_law(law, sizeof law, 3, &seed) >= 500) continue;
    borderCase c = {law, starts[i % 5][0], starts[i % 5][1], 0, 0, 0, 0};
    const artModel *m = model_of(&c);
    c.rate = integrate(m, &c);
    c.tolerance = 4e-3 * (1 + fabs(c.rate));
    for (int k = 0; k < 3; k++) {
      const artRunDef study = study_of(methods[k], k == 1 ? ART_RK4 : ART_DOPRI5);
      CHECK(run_one(&c, m, &study, 0));
    }
  }
}
