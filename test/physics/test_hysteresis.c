// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The hysteresis of formulas in machines: a relay that a unit mass swings by, in closed form, by all methods and
// integrators, in copies and after a reset.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "model/methods.h"
#include "support/check.h"
#include "support/keep.h"

// v' = 1 until v = 1, then -1 until v = -1: a triangle of period 4 from t = 1 on
#define RELAY                                                                                      \
  "articula: 1\n"                                                                                  \
  "bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}\n"                                                \
  "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"                           \
  "forces: {relay: {type: joint-force, coordinate: rail,"                                          \
  " value: \"= 1 - 2*hysteresis(rail.rate, -1, 1)\"}}\n"


static double triangle(double t)
{
  if (t < 1) return t;
  const double s = fmod(t - 1, 4);
  return s < 2 ? 1 - s : s - 3;
}


static artRunDef study_of(artMethod method, artIntegrator integrator, int is_generated)
{
  artRunDef study = art_default_run();
  study.until = 20, study.method = method, study.integrator = integrator;
  study.backend = is_generated ? ART_BACKEND_GENERATED : ART_BACKEND_NUMERIC;
  study.tolerance = 1e-9;
  study.step = integrator == ART_RK4 ? 0.02 : 0;
  return study;
}


TEST(a_relay_makes_a_triangle_by_all_methods_and_integrators)
{
  artModel *m = keep_text(RELAY);
  int runs = 0;
  for (int method = 0; method < ART_METHODS; method++) {
    for (int integrator = 0; integrator < ART_MOREAU; integrator++) {
      for (int is_generated = 0; is_generated < 2; is_generated++) {
        artData *d = keep_fresh_data(m);
        const artRunDef study =
            study_of((artMethod) method, (artIntegrator) integrator, is_generated);
        artRun *run = NULL;
        if (art_create_run(&run, m, d, &study, &check_error) != ART_OK) continue;
        keep_run(run);
        runs++;
        for (int i = 1; i <= 40; i++) {
          const double t = 0.37 + 0.49 * i;
          CHECK_WORKS(art_run_to(run, t, &check_error));
          if (!CHECK_CLOSE(d->v[0], triangle(t), 1e-7)) {
            printf("  method %d integrator %d generated %d at t = %g\n", method, integrator,
                   is_generated, t);
            return;
          }
        }
        CHECK(art_certify(run).events >= 9);
      }
    }
  }
  CHECK(runs > 30);
}


TEST(outside_of_runs_the_side_is_kept_copied_and_reset)
{
  artModel *m = keep_text(RELAY);
  artData *d = keep_fresh_data(m), *copy = keep_fresh_data(m);
  static const double v[] = {0.5, 1.5, 0.5, -0.5, -1.5, 0.5}, force[] = {1, -1, -1, -1, 1, 1};
  for (int i = 0; i < 6; i++) {
    d->v[0] = v[i];
    art_update(m, d);
    art_apply_forces(m, d, NULL);
    CHECK_CLOSE(d->force[0], force[i], 0);
    if (i != 2) continue;
    CHECK_EQ_INT(art_copy_data(m, copy, d, NULL), ART_OK);
    art_update(m, copy);
    art_apply_forces(m, copy, NULL);
    CHECK_CLOSE(copy->force[0], -1, 0);
  }
  art_reset(m, copy);
  copy->v[0] = 0.5;
  art_update(m, copy);
  art_apply_forces(m, copy, NULL);
  CHECK_CLOSE(copy->force[0], 1, 0);
}


TEST(formulas_without_a_past_refuse_it)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"outputs: {a: \"= hysteresis(rail.rate, -1[m/s], 1[m/s])\"}\n",
       "an output cannot have a hysteresis"},
      {"drives: {a: {coordinate: rail, value: \"= hysteresis(time, -1[s], 1[s])\"}}\n",
       "a drive cannot have a hysteresis"},
      {"study: {type: inverse, until: 1, motion: {rail: \"= hysteresis(time, -1[s], 1[s])\"}}\n",
       "a motion cannot have a hysteresis"},
  };
  for (int i = 0; i < 3; i++) {
    char text[800];
    artModel *m = NULL;
    snprintf(text, sizeof text, "%s%s",
             "articula: 1\nbodies: {cart: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n",
             cases[i].text);
    CHECK_FAILS(art_read_model(&m, text, strlen(text), "t.yaml", &check_error), ART_BAD_INPUT,
                "t.yaml:4:");
    CHECK_CONTAINS(check_error.text, cases[i].message);
    keep_model(m);
  }
}


TEST(equations_read_its_side_behind_the_inputs)
{
  artModel *m = keep_text(RELAY);
  artGenerated *g = NULL;
  artGenerateDef def = art_default_generate();
  CHECK_WORKS(art_load_generated(&g, m, keep_fresh_data(m), &def, &check_error));
  keep_generated(g);
  double t = 0, q = 0, v = 0.25, a, margin;
  for (double side = 0; side < 2; side++) {
    double *const in[] = {&t, &q, &v, &side};
    CHECK_EQ_INT(art_generated_input(g, 0, 3).n, 1);
    CHECK_EQ_INT(art_generated_call(g, 0, in, (double *const[]){&a}, NULL), ART_OK);
    CHECK_CLOSE(a, 1 - 2 * side, 0);
    CHECK_EQ_INT(art_generated_call(g, art_find_generated(g, "relays"), in,
                                    (double *const[]){&margin}, NULL),
                 ART_OK);
    CHECK_CLOSE(margin, side > 0 ? v + 1 : 1 - v, 0);
  }
}
