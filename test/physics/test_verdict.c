// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Verdicts that can fail: what a method satisfies by construction is no proof that its steps are short enough.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"

// 1 kg on a spring of 6400 N/m, 80 rad/s, let go at 0.5 m:  z = 0.5 cos(80 t)
static const char hard_spring[] =
    "articula: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {mass: {mass: 1}}\n"
    "joints: {z: {type: prismatic, axis: z, from: ground, to: mass}}\n"
    "forces: {spring: {type: joint-spring, coordinate: z.slide, stiffness: 6400}}\n"
    "initial: {z: {slide: 0.5}}\n"
    "outputs: [z.slide]\n";

typedef struct way {
  artMethod method;
  artIntegrator integrator;
} way;

static const way ways[] = {
    {ART_INDEX1, 0}, {ART_INDEX3, 0}, {ART_CONSERVING, 0}, {ART_AUTOMATIC, ART_RK4}};
enum { NWAY = sizeof ways / sizeof *ways };


static artRunDef study_of(way w, double until, double step)
{
  artRunDef study = art_default_run();
  study.method = w.method;
  if (w.method == ART_AUTOMATIC) study.integrator = w.integrator;
  study.until = until;
  study.step = step;
  return study;
}


// to the end, with a row every 10 ms; *off is the largest distance from z(t) = 0.5 cos(80 t) at these
static artCertificate run_spring(const artModel *m, const artRunDef *study, double *off)
{
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, study);
  const int rows = (int) lround(study->until / 0.01);
  *off = 0;
  for (int k = 1; k <= rows; k++) {
    const double t = study->until * k / rows;
    CHECK_WORKS(art_run_to(run, t, &check_error));
    *off = check_larger(*off, fabs(d->q[0] - 0.5 * cos(80 * t)));
  }
  return art_certify(run);
}


//---- errors of given steps -----------------------------------------------------------------------

TEST(steps_too_long_for_a_hard_spring_are_doubtful)
{
  const double steps[] = {20e-3, 10e-3, 5e-3, 1e-3};
  artModel *m = keep_text(hard_spring);
  for (int w = 0; w < NWAY; w++) {
    for (int k = 0; k < 4; k++) {
      const artRunDef study = study_of(ways[w], 2, steps[k]);
      double off;
      const artCertificate c = run_spring(m, &study, &off);
      const artJudgement j = art_judge(&c, NULL);

      // the way from +0.5 m to -0.5 m and back is 1 m
      const int is_wrong = off > 1e-3;
      CHECK(is_wrong || ways[w].method == ART_AUTOMATIC);
      CHECK_EQ_INT(j.verdict, is_wrong ? ART_VERDICT_DOUBTFUL : ART_VERDICT_GOOD);
      if (is_wrong) CHECK_CONTAINS(j.reason[j.reasons - 1], "by the errors of steps");
    }
  }
}


TEST(the_estimated_error_is_the_error)
{
  artModel *m = keep_text(hard_spring);
  for (int w = 0; w < NWAY; w++) {
    const double step = ways[w].method == ART_AUTOMATIC ? 2e-3 : 0.1e-3;
    double before = 0;
    for (int k = 0; k < 2; k++) {
      const artRunDef study = study_of(ways[w], 2, step / (1 << k));
      double off;
      const artCertificate c = run_spring(m, &study, &off);
      if (!CHECK(c.step_error > 0.4 * off && c.step_error < 2.5 * off)) {
        printf("  %s: %.3g is told as %.3g\n", art_method_name(ways[w].method), off, c.step_error);
      }
      CHECK_EQ_INT(art_judge(&c, NULL).verdict, ART_VERDICT_GOOD);

      // and of the order of the method
      const double order = ways[w].method == ART_AUTOMATIC ? 16 : 4;
      if (k > 0) CHECK(before / c.step_error > 0.9 * order && before / c.step_error < 1.1 * order);
      before = c.step_error;
    }
  }
}


// saved in the middle and loaded into another run
TEST(the_estimate_goes_on_with_a_run)
{
  artModel *m = keep_text(hard_spring);
  for (int w = 0; w < NWAY; w++) {
    const artRunDef study = study_of(ways[w], 1, 1e-3);
    artRun *whole = keep_started_run(m, keep_fresh_data(m), &study);
    artRun *part = keep_started_run(m, keep_fresh_data(m), &study);
    for (int k = 0; k < 2; k++) {
      CHECK_WORKS(art_run_to(whole, k == 0 ? 0.4003 : 1, &check_error));
      CHECK_WORKS(art_run_to(part, k == 0 ? 0.4003 : 1, &check_error));
      if (k > 0) break;
      const savedRun saved = keep_saved_run(part);
      part = keep_started_run(m, keep_fresh_data(m), &study);
      CHECK_WORKS(art_load_run(part, saved.bytes, saved.size, &check_error));
    }
    const artCertificate a = art_certify(whole), b = art_certify(part);
    CHECK(a.step_error > 0 && a.step_error == b.step_error);
    CHECK(a.recomputed_error == b.recomputed_error);
  }
}


// methods that control their errors do not add them up
TEST(adaptive_steps_have_no_estimate)
{
  artModel *m = keep_text(hard_spring);
  const artRunDef study = study_of((way){ART_AUTOMATIC, ART_DOPRI5}, 0.5, 0);
  double off;
  const artCertificate c = run_spring(m, &study, &off);
  CHECK(c.step_error == 0 && off < 1e-5);
}


//---- what the conserving method keeps ------------------------------------------------------------

// A slide on a bar that swings, held by a force  -4000 x - 40000 x^3,  as a formula of a joint or of a line: its potential
// is 2000 x^2 + 10000 x^4, x the way or the length less 1 m.
static artModel *keep_formula_spring(int is_line)
{
  const char *force =
      is_line ? "{type: link-force, between: [ground, mass.end], value: \"= 4000[N/m]*(f.length - "
                "1[m]) + 40000[N/m^3]*(f.length - 1[m])^3\"}"
              : "{type: joint-force, coordinate: x.slide, value: \"= -4000[N/m]*x.slide - "
                "40000[N/m^3]*x.slide^3\"}";
  const char *x = is_line ? "(f.length - 1[m])" : "x.slide";
  return keep_text_of(
      "articula: 1\n"
      "bodies:\n"
      "  bar: {mass: 2, com: [0.5, 0, 0], inertia: {about: com, tensor: [0.01, 0.2, 0.2]}}\n"
      "  mass: {mass: 1, com: [1, 0, 0], inertia: {about: com, tensor: [0.01, 0.01, 0.01]},\n"
      "         points: {end: [1, 0, 0]}}\n"
      "joints:\n"
      "  pin: {type: revolute, axis: y, from: ground, to: bar}\n"
      "  x: {type: prismatic, axis: x, from: bar, to: mass}\n"
      "forces: {f: %s}\n"
      "initial: {x: {slide: 0.4}}\n"
      "outputs: [\"= energy.total + 2000[N/m]*%s^2 + 10000[N/m^3]*%s^4\", x.slide]\n",
      force, x, x);
}


TEST(springs_by_formulas_keep_their_energy)
{
  const double all = 2000 * 0.16 + 10000 * 0.0256;
  for (int is_line = 0; is_line < 2; is_line++) {
    artModel *m = keep_formula_spring(is_line);
    const artRunDef study = study_of((way){ART_CONSERVING, 0}, 1, 10e-3);
    artData *d = keep_fresh_data(m);
    artRun *run = keep_started_run(m, d, &study);
    double out[2];
    for (int k = 1; k <= 100; k++) {
      CHECK_WORKS(art_run_to(run, 0.01 * k, &check_error));
      art_outputs(m, d, out);
      CHECK_CLOSE(out[0], all, 1e-9 * all);
    }

    // steps of a fifth of the period are still too long, and the other balance says so
    const artCertificate c = art_certify(run);
    CHECK(c.energy_error < 1e-9 * all && c.recomputed_error > 1e-2 * all);
    const artJudgement j = art_judge(&c, NULL);
    CHECK_EQ_INT(j.verdict, ART_VERDICT_DOUBTFUL);
    CHECK_CONTAINS(j.reason[0], "by velocities on the constraints");
  }
}


TEST(springs_by_formulas_move_as_in_relative_coordinates)
{
  for (int is_line = 0; is_line < 2; is_line++) {
    artModel *m = keep_formula_spring(is_line);
    artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
    artRunDef study = study_of((way){ART_AUTOMATIC, ART_DOPRI5}, 0.2, 0);
    study.tolerance = 1e-11;
    CHECK_WORKS(art_run_to(keep_started_run(m, d, &study), 0.2, &check_error));
    for (int w = 0; w < 3; w++) {
      study = study_of(ways[w], 0.2, 0.05e-3);
      CHECK_WORKS(art_run_to(keep_started_run(m, e, &study), 0.2, &check_error));
      for (int k = 0; k < 2; k++) CHECK_CLOSE(e->q[k], d->q[k], 1e-3);
      e = keep_fresh_data(m);
    }
  }
}


// two bodies in space on a hinge with a spring: nothing from outside
TEST(momentum_of_bodies_in_space_stays)
{
  artModel *m = keep_text(
      "articula: 1\n"
      "gravity: [0, 0, 0]\n"
      "bodies:\n"
      "  a: {mass: 2, inertia: {about: com, tensor: [0.1, 0.2, 0.3]}}\n"
      "  b: {mass: 1, com: [1, 0, 0], inertia: {about: com, tensor: [0.02, 0.1, 0.11]}}\n"
      "joints:\n"
      "  base: {type: free, from: ground, to: a}\n"
      "  hinge: {type: revolute, axis: z, from: a, at: [0.5, 0, 0], to: b}\n"
      "forces: {spring: {type: joint-spring, coordinate: hinge.angle, stiffness: 50}}\n"
      "initial: {base: {wx: 3, wy: 1, wz: 2}, hinge: {angle: 0.8}}\n"
      "outputs: [momentum.x, momentum.y, momentum.z, momentum.lx, momentum.ly, momentum.lz]\n");
  const artRunDef study = study_of((way){ART_CONSERVING, 0}, 2, 10e-3);
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  double first[6], now[6];
  art_outputs(m, d, first);
  for (int k = 1; k <= 40; k++) {
    CHECK_WORKS(art_run_to(run, 0.05 * k, &check_error));
    art_outputs(m, d, now);
    CHECK_NEAR(now, first, 6, 1e-9);
  }
}


// A pendulum that bounces against a stop: where its steps change their length, velocities that were off the constraints are
// scaled to their energy. That is counted, and the other balance has it.
TEST(velocities_are_not_scaled_in_silence)
{
  artModel *m = keep_text(
      "articula: 1\n"
      "bodies: {bar: {mass: 2, com: [0.5, 0, 0], inertia: {about: com, tensor: [0.1, 0.2, 0.2]}}}\n"
      "joints: {pin: {type: revolute, axis: y, from: ground, to: bar}}\n"
      "forces: {stop: {type: joint-stop, coordinate: pin.angle, upper: 0.5, stiffness: 1e5}}\n");
  for (int w = 1; w < 3; w++) {
    const artRunDef study = study_of(ways[w], 1, 10e-3);
    artRun *run = keep_started_run(m, keep_fresh_data(m), &study);
    CHECK_WORKS(art_run_to(run, 1, &check_error));
    const artCertificate c = art_certify(run);
    CHECK(c.events > 0 && (c.rescaled > 0) == (ways[w].method == ART_CONSERVING));
    CHECK((c.recomputed_error > c.energy_error) == (ways[w].method == ART_CONSERVING));
  }
}
