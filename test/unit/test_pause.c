// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs that are paused between two steps: whoever goes on, the same run or a new one that has loaded it, comes to the
// same bits as a run that nobody paused, by every method. It is asked at every step and paused at every ninth; with
// ART_SOAK=1 at every single one, on all shipped models, or on those that the pattern ART_PAUSE names.
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "articula/articula.h"
#include "base/clock.h"
#include "model/methods.h"
#include "study/run/run.h"
#include "support/check.h"
#include "support/keep.h"

enum { MAX_ROWS = 4000, MAX_PAUSES = 300, MIN_STEPS = 100 };

static int pause_every = 9; // steps

// rows of a run: time and outputs
typedef struct someRows {
  int n, width, count; // rows, numbers of each, rows so far
  double *values;      // [n][width]
  artCertificate certificate;
  int pauses;
  artError error; // why it did not come to its end
} someRows;


static someRows make_rows(const artModel *m)
{
  const int width = 1 + art_count(m).outputs;
  someRows rows = {.n = MAX_ROWS, .width = width};
  rows.values = calloc((size_t) MAX_ROWS * (size_t) width, sizeof *rows.values);
  return rows;
}


static void note_row(someRows *rows, const artModel *m, artData *d)
{
  double *row = rows->values + (size_t) rows->count++ * (size_t) rows->width;
  row[0] = d->time;
  art_outputs(m, d, row + 1);
}


//---- pausing -------------------------------------------------------------------------------------

static int every_so_often(void *pauser)
{
  int *asked = pauser;
  return ++*asked % (pause_every + 1) == 0;
}


typedef struct someRun {
  const artModel *m;
  const artRunDef *study;
  artData *d;
  artRun *run;
  int asked;
} someRun;


static artStatus begin(someRun *r, artError *error)
{
  r->d = art_create_data(r->m);
  return art_create_run(&r->run, r->m, r->d, r->study, error);
}


static void end(someRun *r)
{
  art_free_run(r->run);
  art_free_data(r->d);
}


static void watch(someRun *r)
{
  r->run->pauses = every_so_often;
  r->run->pauser = &r->asked;
}


// throw the run away and take it up in another one; the row is shown as it was
static void move_over(someRun *r, const someRows *rows)
{
  const size_t size = art_run_state_size(r->run);
  void *bytes = malloc(size), *again = malloc(size);
  CHECK_WORKS(art_save_run(r->run, bytes, size, &check_error));
  end(r);
  CHECK_WORKS(begin(r, &check_error));
  r->d->q[0] += 1e-3, r->d->v[0] += 20; // where it began must not matter
  CHECK_WORKS(art_load_run(r->run, bytes, size, &check_error));
  CHECK_WORKS(art_save_run(r->run, again, size, &check_error));

  // SUNDIALS takes steps again and leaves other numbers in the scratch of a stepper
  if (r->study->integrator < ART_BDF) CHECK(memcmp(bytes, again, size) == 0);
  watch(r);
  if (rows->count > 0) {
    someRows shown = make_rows(r->m);
    note_row(&shown, r->m, r->d);
    const double *last = rows->values + (size_t) (rows->count - 1) * (size_t) rows->width;
    CHECK(memcmp(shown.values, last, (size_t) rows->width * sizeof *last) == 0);
    free(shown.values);
  }
  free(bytes);
  free(again);
}


typedef enum somePauses { NEVER, GOES_ON, MOVES_OVER } somePauses;


static someRows run_rows(const artModel *m, const artRunDef *study, somePauses pauses)
{
  someRows rows = make_rows(m);
  someRun r = {.m = m, .study = study};
  artError error = {0};
  artStatus status = begin(&r, &error);
  if (status == ART_OK && pauses != NEVER) watch(&r);
  while (status == ART_OK && rows.count < MAX_ROWS && rows.pauses < MAX_PAUSES) {
    status = rows.count == 0 ? art_run_to(r.run, study->from, &error)
                             : art_run_next(r.run, study, &error);
    if (status == ART_STOPPED) {
      rows.pauses++;
      status = ART_OK;
      if (pauses == MOVES_OVER) move_over(&r, &rows);
    } else if (status == ART_OK) {
      note_row(&rows, m, r.d);
      if (r.d->time >= study->until) break;
    }
  }
  if (status != ART_OK) rows.error = error;
  if (r.run) rows.certificate = art_certify(r.run);
  end(&r);
  return rows;
}


//---- comparing -----------------------------------------------------------------------------------

static void compare(const char *path, const artRunDef *study, const someRows *want,
                    const someRows *got, int is_to_the_end)
{
  // methods in natural coordinates may not be able to follow the motion: then they say the same, too
  const size_t size = (size_t) got->count * (size_t) got->width * sizeof *got->values;
  const int is_allowed = want->error.status == ART_OK || art_method_is_natural(study->method);
  if (!CHECK(is_allowed)) puts(want->error.text);
  const int fewest = want->certificate.steps < MIN_STEPS ? -1 : 2;
  int is_same = CHECK(got->count <= want->count && got->pauses > fewest);
  is_same = is_same && CHECK(memcmp(want->values, got->values, size) == 0);
  if (is_to_the_end) {
    is_same = is_same && CHECK_TEXT(got->error.text, want->error.text);
    artCertificate a = want->certificate, b = got->certificate;
    is_same = is_same && CHECK_EQ_INT(got->count, want->count);
    is_same = is_same && CHECK_EQ_INT(b.steps, a.steps) && CHECK_EQ_INT(b.events, a.events) &&
              CHECK_EQ_INT(b.evaluations, a.evaluations);
    a.worst_interval = b.worst_interval = a.total_time = b.total_time = 0;
    a.programs = b.programs = 0;
    is_same = is_same && CHECK(memcmp(&a, &b, sizeof a) == 0);
  }
  if (!is_same) {
    printf("  %s by %s and %s\n", path, art_run_method_name(study),
           art_integrator_name(study->integrator));
  }
}


// a part of the study that has few rows and many steps, MIN_STEPS or all of the study, or rows as close as the steps
static void check_study(const char *path, const artModel *m, artRunDef study, double share)
{
  const double whole = study.until - study.from;
  double duration = share * whole;
  int applies = 1;
  for (long steps = 0; steps < MIN_STEPS && applies; duration *= 2) {
    artData *d = keep_fresh_data(m);
    artRun *run = NULL;
    study.until = study.from + duration;
    applies = art_create_run(&run, m, d, &study, NULL) == ART_OK;
    if (applies && art_run_to(run, study.until, NULL) != ART_OK) steps = MIN_STEPS;
    if (applies && steps < MIN_STEPS) steps = art_certify(run).steps;
    if (duration >= whole) steps = MIN_STEPS;
    art_free_run(run);
  }
  if (!applies) return;
  for (int k = 0; k < 2; k++) {
    study.interval = k == 0 ? (study.until - study.from) / 2.7 : 0;
    const someRows want = run_rows(m, &study, NEVER);
    for (somePauses pauses = k == 0 ? GOES_ON : MOVES_OVER; pauses <= MOVES_OVER; pauses++) {
      const someRows got = run_rows(m, &study, pauses);
      compare(path, &study, &want, &got, got.pauses < MAX_PAUSES);
      free(got.values);
    }
    free(want.values);
  }
}


// A step of given length that the motion allows: half of the average step of dopri5, whose steps a stiff machine
// keeps about as short as steps of rk4; at least 50 in all.
static double fitting_step(const artModel *m, artRunDef study, double share)
{
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  study.until = study.from + share * (study.until - study.from), study.method = ART_AUTOMATIC;
  study.integrator = ART_DOPRI5, study.step = 0;
  artStatus status = art_create_run(&run, m, d, &study, &check_error);
  if (status == ART_OK) status = art_run_to(run, study.until, &check_error);
  if (!CHECK_EQ_INT(status, ART_OK)) puts(check_error.text);
  const long steps = run ? art_certify(run).steps : 0;
  art_free_run(run);
  return (study.until - study.from) / fmax(50, 2 * (double) steps);
}


static void check_method(const char *path, const artModel *m, int method, double share)
{
  artRunDef study = *art_find_run(m, NULL);
  study.start.at_equilibrium = 0;
  study.tolerance = 1e-7;
  const double step = fitting_step(m, study, share);
  model_set_way(&study, method);
  const int is_fixed = art_method_is_natural(study.method);
  for (int i = 0; i < (is_fixed ? 1 : ART_MOREAU); i++) {
    study.integrator = (artIntegrator) i;
    study.step = is_fixed || i == ART_RK4 ? step : 0;
    check_study(path, m, study, share);
  }
}


static void check_file(const char *path, double share)
{
  artModel *m = keep_file(path);
  for (int method = 0; method < MODEL_WAYS; method++) {
    if (art_find_study(m, ART_RUN, NULL)) check_method(path, m, method, share);
  }
}


TEST(every_step_boundary_is_a_place_to_go_on_from)
{
  static const struct {
    const char *path;
    double share;
  } files[] = {
      {"models/double-pendulum.yaml", 0.02},         {"models/puck.yaml", 0.3},
      {"models/spherical-pendulum.yaml", 0.02},      {"models/benchmarks/slider-crank.yaml", 0.05},
      {"models/loops/four-bar-friction.yaml", 0.05}, {"test/cli/models/long.yaml", 0.02},
      {"models/rope-pendulum.yaml", 0.45},           {"models/latch.yaml", 0.9},
      {"models/loops/four-bar-lock.yaml", 0.6},      {"models/loops/four-bar.yaml", 0.1},
  };
  for (size_t k = 0; k < sizeof files / sizeof *files; k += CHECK_CASES(1, 3)) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", ART_SOURCE_DIR, files[k].path);
    check_file(path, files[k].share);
  }
}


// the step that ends at 4.28 s leads to another branch of the loop, and the run says so before the next one
TEST(a_run_that_cannot_go_on_does_not_go_on_elsewhere)
{
  artModel *m = NULL;
  artError error = {0};
  if (!CHECK_EQ_INT(art_load_model(&m, ART_SOURCE_DIR "/models/loops/four-bar.yaml", &error),
                    ART_OK)) {
    return;
  }
  artRunDef study = *art_find_run(m, NULL);
  study.integrator = ART_RK4, study.step = 0.04, study.interval = 0.2;
  const int usual = pause_every;
  const someRows want = run_rows(m, &study, NEVER);
  CHECK_CONTAINS(want.error.text, "the step that ends at t = 4.28 s is too long to follow");
  for (pause_every = 1; pause_every <= 3; pause_every++) {
    const someRows got = run_rows(m, &study, MOVES_OVER);
    CHECK_EQ_INT(got.count, want.count);
    CHECK_TEXT(got.error.text, want.error.text);
    CHECK_EQ_INT(got.certificate.evaluations, want.certificate.evaluations);
    free(got.values);
  }
  pause_every = usual;
  free(want.values);
  art_free_model(m);
}


static void soak_file(const char *path)
{
  const double start = base_now();
  check_file(path, 0.02);
  printf("%s: %.0f s\n", path, base_now() - start);
  fflush(stdout);
}


TEST(every_shipped_model_goes_on)
{
  static const char *const patterns[] = {"models/*.yaml", "models/loops/*.yaml",
                                         "models/benchmarks/*.yaml", "models/vehicles/*.yaml",
                                         "models/generator/*.yaml"};
  if (!getenv("ART_SOAK")) return;
  pause_every = 1;
  const char *chosen = getenv("ART_PAUSE");
  const size_t count = chosen ? 1 : sizeof patterns / sizeof *patterns;
  for (size_t k = 0; k < count; k++) {
    char pattern[400];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s", ART_SOURCE_DIR, chosen ? chosen : patterns[k]);
    if (!CHECK(glob(pattern, 0, NULL, &found) == 0)) continue;
    for (size_t i = 0; i < found.gl_pathc; i++) soak_file(found.gl_pathv[i]);
    globfree(&found);
  }
}
