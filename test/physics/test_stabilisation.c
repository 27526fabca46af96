// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loops that are held by accelerations alone: Baumgarte's alpha and beta, drift without projections, and the
// violation of constraints as outputs of every method.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"

// a four-bar linkage whose last pin, between ground and the end of c, is cut: axes of its rows rest
static const char text[] =
    "articula: 1\n"
    "bodies:\n"
    "  a: {mass: 1, com: [0, 0, 0.2], inertia: [0.01, 0.02, 0.01]}\n"
    "  b: {mass: 2, position: [0, 0, 0.4], com: [0.5, 0, 0], inertia: [0.02, 0.2, 0.2]}\n"
    "  c: {mass: 1, position: [1, 0, 0.4], com: [0, 0, -0.2], inertia: [0.01, 0.02, 0.01],\n"
    "      points: {end: [0, 0, -0.6]}}\n"
    "joints:\n"
    "  one: {type: revolute, axis: y, from: ground, to: a, at: [0, 0, 0]}\n"
    "  two: {type: revolute, axis: y, from: a, to: b, at: [0, 0, 0.4]}\n"
    "  three: {type: revolute, axis: y, from: b, to: c, at: [1, 0, 0.4]}\n"
    "  four: {type: revolute, axis: y, from: ground, to: c, at: [1, 0, -0.2], loop: cut}\n"
    "initial: {one: {rate: 3}}\n"
    "outputs: [c.end.x, c.end.z, c.end.vx, c.end.vz, c.end.ax, c.end.az,\n"
    "          constraint.position, constraint.velocity, constraint.acceleration]\n";

enum { POINT = 0, VIOLATION = 6, OUTPUTS = 9 };
static const double anchor[2] = {1, -0.2};


static artRunDef study_of(artMethod method, double alpha, double beta)
{
  artRunDef study = art_default_run();
  study.until = 5, study.method = method, study.tolerance = 1e-6, study.alpha = alpha;
  study.beta = beta, study.projections = ART_PROJECTIONS_NO;
  return study;
}


// gap of the last pin at the state of the data, its rate and acceleration
static void find_gap(const double *out, double gap[3][2])
{
  for (int i = 0; i < 6; i++) gap[i / 2][i % 2] = out[POINT + i] - (i < 2 ? anchor[i] : 0);
}


//---- the law of Baumgarte ------------------------------------------------------------------------

// phi'' = -2 alpha phi' - beta^2 phi in a state with open loops
static void check_law(const artModel *m, artMethod method, double alpha, double beta)
{
  artData *d = keep_fresh_data(m);
  const artRunDef study = study_of(method, alpha, beta);
  keep_started_run(m, d, &study);
  double out[OUTPUTS], gap[3][2];
  for (int k = 0; k < 3; k++) {
    d->q[k] += 1e-2 * (k + 1);
    d->v[k] += 0.3 * (2 - k);
  }
  art_update(m, d);
  CHECK(art_accelerate(m, d, method, NULL) == ART_OK);
  art_outputs(m, d, out);
  find_gap(out, gap);
  for (int i = 0; i < 2; i++) {
    CHECK(fabs(gap[0][i]) > 1e-4 && fabs(gap[1][i]) > 1e-3);
    const double want = -2 * alpha * gap[1][i] - beta * beta * gap[0][i];
    if (!CHECK_CLOSE(gap[2][i], want, 1e-9)) {
      printf("  by %s, alpha %g, beta %g\n", art_method_name(method), alpha, beta);
    }
  }
}


TEST(open_loops_close_by_the_law_that_was_asked_for)
{
  static const double constant[4][2] = {{0, 0}, {10, 10}, {3, 7}, {20, 5}};
  artModel *m = keep_text(text);
  for (int i = 0; i < 4 && m; i++) {
    check_law(m, ART_RECURSIVE, constant[i][0], constant[i][1]);
    check_law(m, ART_AUGMENTED, constant[i][0], constant[i][1]);
  }
}


//---- drift ---------------------------------------------------------------------------------------

static double larger_of(const double pair[2])
{
  return fmax(fabs(pair[0]), fabs(pair[1]));
}


// The largest violation of positions in a run. At every row the outputs are the gap of the points.
static double drift(const artModel *m, const artRunDef *study)
{
  artData *d = keep_fresh_data(m);
  double most = 0, out[OUTPUTS], gap[3][2];
  artRun *run = keep_started_run(m, d, study);
  for (int k = 1; k <= 50; k++) {
    if (!CHECK(art_run_to(run, study->until * k / 50, NULL) == ART_OK)) break;
    art_outputs(m, d, out);
    find_gap(out, gap);
    for (int level = 0; level < 3; level++) {
      CHECK_CLOSE(out[VIOLATION + level], larger_of(gap[level]), 1e-12);
    }
    most = check_larger(most, out[VIOLATION]);
  }
  const artCertificate c = art_certify(run);
  CHECK(c.position_residual >= most && c.position_violation == 0);
  return most;
}


TEST(loops_drift_without_projections)
{
  static const artMethod methods[] = {ART_RECURSIVE, ART_AUGMENTED};
  artModel *m = keep_text(text);
  for (int i = 0; i < 2 && m; i++) {
    artRunDef study = study_of(methods[i], 0, 0);
    const double free = drift(m, &study);
    study = study_of(methods[i], 10, 10);
    const double held = drift(m, &study);
    CHECK(free > 1e-5 && held > 1e-12 && held < free / 30);
    study.projections = ART_PROJECTIONS_YES;
    artData *d = keep_fresh_data(m);
    double out[OUTPUTS];
    artRun *run = keep_started_run(m, d, &study);
    CHECK_WORKS(art_run_to(run, 5, &check_error));
    art_outputs(m, d, out);
    CHECK(out[VIOLATION] < 1e-13);
    CHECK(art_certify(run).position_violation > 1e-12);
  }
}


//---- natural coordinates -------------------------------------------------------------------------

// Rows at the ends of all steps see the largest residuals; the certificate counts the rows of loops besides.
TEST(natural_coordinates_show_their_violation)
{
  artModel *m = keep_text(text);
  artData *d = keep_fresh_data(m);
  double most[3] = {0}, out[OUTPUTS];
  artRunDef study = study_of(ART_INDEX3, 10, 10);
  study.step = 1.0 / 128;
  study.until = 1;
  artRun *run = keep_started_run(m, d, &study);
  for (int k = 0; k <= 128; k++) {
    CHECK(art_run_to(run, k * study.step, NULL) == ART_OK);
    art_outputs(m, d, out);
    for (int i = 0; i < 3; i++) most[i] = check_larger(most[i], out[VIOLATION + i]);
  }
  const artCertificate c = art_certify(run);
  CHECK(most[1] > 1e-6 && most[0] < 1e-9);
  CHECK(most[1] <= c.velocity_residual && most[1] > c.velocity_residual / 3);
  CHECK_CLOSE(most[2], c.acceleration_residual, 1e-9);
}


//---- saving, single keys -------------------------------------------------------------------------

TEST(a_run_goes_on_with_its_own_constants)
{
  artModel *m = keep_text(text);
  artRunDef study = study_of(ART_RECURSIVE, 10, 10);
  artRun *run = keep_started_run(m, keep_fresh_data(m), &study);
  const savedRun saved = keep_saved_run(run);
  CHECK_WORKS(art_load_run(run, saved.bytes, saved.size, &check_error));
  study.alpha = 5;
  run = keep_started_run(m, keep_fresh_data(m), &study);
  CHECK_SAYS(art_load_run(run, saved.bytes, saved.size, &check_error), ART_BAD_INPUT,
             "the run was saved with alpha 10, this one has 5");
}


static void check_refused(artStudyDef study, const char *key, const char *value, const char *words)
{
  const artStudyDef before = study;
  CHECK_SAYS(art_set_study(&study, key, value, &check_error), ART_BAD_INPUT, words);
  CHECK(memcmp(&before, &study, sizeof study) == 0);
}


TEST(single_keys_of_a_study_can_be_set)
{
  artStudyDef study = art_default_study(ART_RUN);
  CHECK(art_set_study(&study, "method", "recursive", NULL) == ART_OK);
  CHECK(art_set_study(&study, "alpha", "2.5", NULL) == ART_OK);
  CHECK(art_set_study(&study, "projections", "no", NULL) == ART_OK);
  CHECK(art_set_study(&study, "until", "300 ms", NULL) == ART_OK);
  CHECK(study.run.method == ART_RECURSIVE && study.run.alpha == 2.5 && study.run.until == 0.3);
  CHECK(study.run.projections == ART_PROJECTIONS_NO);
  check_refused(study, "alpha", "-1", "'alpha' is -1, a non-negative number is wanted");
  check_refused(study, "alhpa", "1", "'alhpa' is not a key of a run study (did you mean 'alpha'?)");
  check_refused(study, "method", "semirecursive",
                "'alpha' belongs to methods recursive and augmented; the study goes by method "
                "semirecursive, which does not use it");
  check_refused(study, "alpha", "1\nbeta: 2", "found '1' for 'alpha', expected one number or word");
  check_refused(study, "projections", "tangent",
                "method recursive has no tangent to project with, expected yes or no");
  study = art_default_study(ART_INVERSE);
  check_refused(study, "actuators", "[one]",
                "found a list of 1 item for 'actuators', expected one number or word");
}
