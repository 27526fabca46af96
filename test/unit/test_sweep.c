// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sweeps: grids and samples, digests against closed forms, the same results for any number of threads,
// failures that stop nothing, journals with damaged lines.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "articula/articula.h"
#include "method/method.h"
#include "par/parallel_for.h"
#include "show/journal.h"
#include "support/check.h"
#include "support/keep.h"

#define MODELS ART_SOURCE_DIR "/models/"

//---- cases ---------------------------------------------------------------------------------------

TEST(grids_hold_all_combinations_with_both_ends)
{
  const artRange range[] = {{1, 2, 3}, {-0.1, 0.3, 2}, {7, 7, 1}};
  double value[18];
  const double want[] = {1, -0.1, 7, 1, 0.3, 7, 1.5, -0.1, 7, 1.5, 0.3, 7, 2, -0.1, 7, 2, 0.3, 7};
  CHECK_EQ_INT(art_make_grid(3, range, NULL), 6);
  CHECK_EQ_INT(art_make_grid(3, range, value), 6);
  CHECK_NEAR(value, want, 18, 0);
  const artRange huge[] = {{0, 1, 1L << 40}, {0, 1, 1L << 40}};
  CHECK_EQ_INT(art_make_grid(2, huge, NULL), -1);
}


enum { ROWS = 97, COLUMNS = 3 };
static const artRange ranges[COLUMNS] = {{0, 1, 0}, {-5, 5, 0}, {10, 2, 0}};


TEST(latin_samples_fill_every_part_of_every_range_once)
{
  double value[ROWS * COLUMNS];
  CHECK(art_make_samples(ART_LATIN, 4, COLUMNS, ranges, ROWS, value, NULL) == ART_OK);
  for (int k = 0; k < COLUMNS; k++) {
    int count[ROWS] = {0};
    for (int i = 0; i < ROWS; i++) {
      const double x = value[i * COLUMNS + k];
      const double part = (x - ranges[k].from) / (ranges[k].to - ranges[k].from) * ROWS;
      if (CHECK(part >= 0 && part < ROWS)) count[(int) part]++;
    }
    for (int i = 0; i < ROWS; i++) CHECK_EQ_INT(count[i], 1);
  }
}


TEST(samples_depend_on_their_seed_alone)
{
  double a[ROWS * COLUMNS], b[ROWS * COLUMNS], c[ROWS * COLUMNS];
  for (int s = 0; s < ART_SAMPLINGS; s++) {
    CHECK(art_make_samples((artSampling) s, 1, COLUMNS, ranges, ROWS, a, NULL) == ART_OK);
    CHECK(art_make_samples((artSampling) s, 1, COLUMNS, ranges, ROWS, b, NULL) == ART_OK);
    CHECK(art_make_samples((artSampling) s, 2, COLUMNS, ranges, ROWS, c, NULL) == ART_OK);
    CHECK(memcmp(a, b, sizeof a) == 0);
    CHECK(memcmp(a, c, sizeof a) != 0);
    for (int i = 0; i < ROWS; i++) CHECK(a[i * COLUMNS] != a[i * COLUMNS + 1]);
  }
}


// a mean of 1/2 and a variance of 1/12, within four of their own deviations
TEST(random_samples_are_even)
{
  enum { N = 40000 };
  double *x = malloc(N * sizeof *x), mean = 0, square = 0;
  const artRange unit = {0, 1, 0};
  CHECK(art_make_samples(ART_RANDOM, 9, 1, &unit, N, x, NULL) == ART_OK);
  for (int i = 0; i < N; i++) {
    mean += x[i] / N;
    square += (x[i] - 0.5) * (x[i] - 0.5) / N;
  }
  CHECK(fabs(mean - 0.5) < 4 * sqrt(1.0 / 12 / N));
  CHECK(fabs(square - 1.0 / 12) < 4 * sqrt(1.0 / 180 / N));
  free(x);
}

//---- sweeps --------------------------------------------------------------------------------------

enum { CASES = 24, RESULTS = 6 };

typedef struct ledger {
  double value[CASES][RESULTS];
  double energy_error[CASES];
  int count[CASES], status[CASES];
  char text[ART_ERROR_LENGTH];
  int stop_after; // 0: never
  int total;
} ledger;


static artStatus note(void *context, const artCase *c, artError *error)
{
  ledger *l = context;
  (void) error;
  memcpy(l->value[c->number], c->value, sizeof l->value[0]);
  l->energy_error[c->number] = c->certificate.energy_error;
  l->status[c->number] = (int) c->error.status;
  l->count[c->number]++;
  l->total++;
  if (c->error.status) snprintf(l->text, sizeof l->text, "%s", c->error.text);
  return ART_OK;
}


static artStatus two_seconds(void *context, const artModel *m, artRunDef *study, artError *error)
{
  (void) context;
  (void) error;
  *study = *art_find_run(m, NULL);
  study->until = 2;
  return ART_OK;
}


static const artResultDef all_digests[RESULTS] = {{ART_FINAL, 2}, {ART_MIN, 2}, {ART_MAX, 2},
                                                  {ART_MEAN, 2},  {ART_RMS, 2}, {ART_FINAL, 0}};

// lengths of the pendulum, and where it begins
static void sweep_pendulums(ledger *l, int threads, const double *value, const char *is_done)
{
  static const char *const names[] = {"L", "pin.angle"};
  const artSweepDef def = {.path = MODELS "pendulum.yaml",
                           .nparameter = 2,
                           .parameter = names,
                           .ncase = CASES,
                           .value = value,
                           .nresult = RESULTS,
                           .result = all_digests,
                           .is_done = is_done,
                           .threads = threads,
                           .choose = two_seconds,
                           .done = note,
                           .context = l};
  CHECK(art_run_sweep(&def, NULL) == ART_OK);
}


static void make_pendulums(double value[CASES * 2])
{
  const artRange range[] = {{0.3, 3, 0}, {1.0, 1.5, 0}};
  CHECK(art_make_samples(ART_LATIN, 3, 2, range, CASES, value, NULL) == ART_OK);
}


TEST(any_number_of_threads_gives_the_same_results)
{
  double value[CASES * 2];
  ledger one = {0};
  make_pendulums(value);
  sweep_pendulums(&one, 1, value, NULL);
  for (int threads = 2; threads <= 8; threads++) {
    ledger many = {0};
    sweep_pendulums(&many, threads, value, NULL);
    CHECK(memcmp(many.value, one.value, sizeof one.value) == 0);
    CHECK(memcmp(many.energy_error, one.energy_error, sizeof one.energy_error) == 0);
    for (int k = 0; k < CASES; k++) CHECK_EQ_INT(many.count[k], 1);
  }
}


// a sweep of one case equals a run of the model that was made with its values
TEST(a_case_is_a_run_with_its_values)
{
  double value[CASES * 2];
  ledger l = {0};
  make_pendulums(value);
  sweep_pendulums(&l, 2, value, NULL);

  artModel *m = NULL;
  artRunDef study;
  double y[8], least = HUGE_VAL, largest = -HUGE_VAL;
  const artSetting setting[] = {{"L", value[10]}, {"pin.angle", value[11]}};
  if (!CHECK(art_load_model_with(&m, MODELS "pendulum.yaml", 2, setting, NULL) == ART_OK)) return;
  keep_model(m);
  artData *d = keep_fresh_data(m);
  CHECK_CLOSE(d->q[0], value[11], 0);
  two_seconds(NULL, m, &study, NULL);
  artRun *run = keep_started_run(m, d, &study);
  for (long k = 0; k < art_output_count(&study); k++) {
    CHECK(art_run_to(run, art_output_time(&study, k), NULL) == ART_OK);
    art_outputs(m, d, y);
    least = check_smaller(least, y[2]);
    largest = check_larger(largest, y[2]);
  }
  CHECK_CLOSE(l.value[5][0], y[2], 0);
  CHECK_CLOSE(l.value[5][1], least, 0);
  CHECK_CLOSE(l.value[5][2], largest, 0);
  CHECK_CLOSE(l.value[5][5], y[0], 0);
}


static const double amplitudes[] = {1, 3};


// all digests of the model of a text whose parameter `amplitude` takes both values
static ledger sweep_amplitudes(const char *text)
{
  char path[] = "/tmp/articula-test-sweep-XXXXXX";
  const int file = mkstemp(path);
  CHECK(write(file, text, strlen(text)) == (ssize_t) strlen(text));
  close(file);
  static const char *const names[] = {"amplitude"};
  ledger l = {0};
  const artSweepDef def = {.path = path,
                           .nparameter = 1,
                           .parameter = names,
                           .ncase = 2,
                           .value = amplitudes,
                           .nresult = RESULTS,
                           .result = all_digests,
                           .threads = 2,
                           .done = note,
                           .context = &l};
  CHECK_WORKS(art_run_sweep(&def, &check_error));
  if (l.text[0]) puts(l.text);
  unlink(path);
  return l;
}


// mean and rms of x = sin(t) over 2 s, whose rows are 1 ms apart: the trapezoidal rule errs by h^2/12
TEST(digests_are_integrals_over_time)
{
  static const char text[] =
      "articula: 1\n"
      "parameters: {amplitude: 1 m}\n"
      "bodies: {sled: {mass: 1}}\n"
      "joints: {rail: {type: prismatic, axis: x, from: ground, to: sled}}\n"
      "drives: {move: {coordinate: rail, value: \"= amplitude*sin(time*1[1/s])\"}}\n"
      "outputs: {a: time, b: time, x: rail.slide}\n"
      "study: {type: run, until: 2, interval: 1 ms}\n";
  const ledger l = sweep_amplitudes(text);
  for (int k = 0; k < 2; k++) {
    const double A = amplitudes[k];
    const double want[RESULTS] = {
        A * sin(2), 0, A, A * (1 - cos(2)) / 2, A * sqrt((1 - sin(4) / 4) / 2), 2};
    CHECK_NEAR(l.value[k], want, RESULTS, 3e-6);
  }
}


// 50 Hz over 10 s, which a hundred rows would show at rest
TEST(digests_follow_the_motion_without_an_interval)
{
  static const char text[] =
      "articula: 1\n"
      "parameters: {amplitude: 1}\n"
      "bodies: {b: {mass: 1}}\n"
      "joints: {s: {type: prismatic, axis: x, from: ground, to: b}}\n"
      "forces: {k: {type: joint-spring, coordinate: s, stiffness: = (100*pi)^2}}\n"
      "initial: {s: {slide: = amplitude}}\n"
      "outputs: {a: time, b: time, x: s.slide}\n"
      "study: {type: run, until: 10, tolerance: 1e-6}\n";
  const ledger l = sweep_amplitudes(text);
  for (int k = 0; k < 2; k++) {
    CHECK(l.value[k][1] < -0.95 * amplitudes[k]);
    CHECK(fabs(l.value[k][4] - amplitudes[k] * sqrt(0.5)) < 0.02 * amplitudes[k]);
  }
}


TEST(cases_that_fail_are_noted_and_stop_nothing)
{
  double value[CASES * 2];
  ledger l = {0}, good = {0};
  make_pendulums(value);
  sweep_pendulums(&good, 1, value, NULL);
  value[2 * 7] = NAN;
  sweep_pendulums(&l, 3, value, NULL);
  CHECK_EQ_INT(l.status[7], ART_BAD_INPUT);
  CHECK(isnan(l.value[7][0]) && isnan(l.value[7][RESULTS - 1]));
  for (int k = 0; k < CASES; k++) {
    CHECK_EQ_INT(l.count[k], 1);
    if (k != 7) CHECK(memcmp(l.value[k], good.value[k], sizeof l.value[k]) == 0);
  }
}


TEST(cases_that_are_done_are_left_out)
{
  double value[CASES * 2];
  char is_done[CASES] = {0};
  ledger l = {0};
  make_pendulums(value);
  for (int k = 0; k < CASES; k += 3) is_done[k] = 1;
  sweep_pendulums(&l, 4, value, is_done);
  for (int k = 0; k < CASES; k++) CHECK_EQ_INT(l.count[k], k % 3 != 0);
}


static artStatus refuse(void *context, const artCase *c, artError *error)
{
  ledger *l = context;
  (void) c;
  if (++l->total < 3) return ART_OK;
  error->status = ART_IO;
  snprintf(error->text, sizeof error->text, "the disk is full");
  return ART_IO;
}


static int is_enough(void *context)
{
  const ledger *l = context;
  return l->total >= l->stop_after;
}


TEST(sweeps_end_when_results_cannot_be_kept_or_somebody_stops_them)
{
  static const char *const names[] = {"L", "pin.angle"};
  double value[CASES * 2];
  make_pendulums(value);
  ledger l = {.stop_after = 5};
  artSweepDef def = {.path = MODELS "pendulum.yaml",
                     .nparameter = 2,
                     .parameter = names,
                     .ncase = CASES,
                     .value = value,
                     .threads = 1,
                     .choose = two_seconds,
                     .done = refuse,
                     .context = &l};
  CHECK_SAYS(art_run_sweep(&def, &check_error), ART_IO, "the disk is full");
  CHECK_EQ_INT(l.total, 3);
  l.total = 0;
  def.done = note, def.is_stopped = is_enough, def.nresult = RESULTS, def.result = all_digests;
  CHECK_WORKS(art_run_sweep(&def, &check_error));
  CHECK_EQ_INT(l.total, 5);
}


// settings from outside: names with and without prefix, and names that do not exist
TEST(settings_reach_parameters_of_included_files)
{
  artModel *m = NULL;
  const artSetting truck[] = {{"front/load", 12345.0}};
  const artSetting wrong[] = {{"fornt/load", 1.0}};
  const artSetting absent[] = {{"crnak", 1.0}};
  CHECK_WORKS(art_load_model_with(&m, MODELS "vehicles/truck.yaml", 1, truck, &check_error));
  art_free_model(m);
  const artSetting twice[] = {truck[0], truck[0]};
  CHECK_FAILS(art_load_model_with(&m, MODELS "vehicles/truck.yaml", 2, twice, &check_error),
              ART_BAD_INPUT, "is set twice");
  CHECK_FAILS(art_load_model_with(&m, MODELS "vehicles/truck.yaml", 1, wrong, &check_error),
              ART_BAD_INPUT, "there is no parameter 'fornt/load'");
  CHECK_FAILS(art_load_model_with(&m, MODELS "loops/four-bar.yaml", 1, absent, &check_error),
              ART_BAD_INPUT, "did you mean 'crank'?");
}

//---- lanes ---------------------------------------------------------------------------------------

static artStatus generated_steps(void *context, const artModel *m, artRunDef *study,
                                 artError *error)
{
  two_seconds(context, m, study, error);
  study->until = 0.3;
  model_set_way(study, MODEL_GENERATED);
  study->integrator = ART_RK4;
  study->step = 1e-3;
  study->interval = 0.0137; // rows lie between steps
  return ART_OK;
}


static artStatus numeric_steps(void *context, const artModel *m, artRunDef *study, artError *error)
{
  generated_steps(context, m, study, error);
  model_set_way(study, ART_AUTOMATIC);
  return ART_OK;
}


typedef struct laneLedger {
  double value[CASES][RESULTS];
  artCertificate certificate[CASES];
  int lanes[CASES], status[CASES];
} laneLedger;


static artStatus note_lanes(void *context, const artCase *c, artError *error)
{
  laneLedger *l = context;
  (void) error;
  memcpy(l->value[c->number], c->value, sizeof l->value[0]);
  l->certificate[c->number] = c->certificate;
  l->lanes[c->number] = c->lanes;
  l->status[c->number] = (int) c->error.status;
  return ART_OK;
}


static void sweep_steps(laneLedger *l, artSweepDef def, int threads, int is_numeric,
                        const char *is_done)
{
  *l = (laneLedger){0};
  def.nresult = RESULTS, def.result = all_digests, def.threads = threads;
  def.choose = is_numeric ? numeric_steps : generated_steps, def.done = note_lanes;
  def.is_done = is_done, def.context = l;
  CHECK(art_run_sweep(&def, NULL) == ART_OK);
}


// the same bits in any company, and numbers agree but for rounding
static void check_lanes(const artSweepDef *def)
{
  static laneLedger first, other, numeric;
  char is_done[CASES] = {0};
  for (int k = 0; k < CASES; k++) is_done[k] = k % 3 == 1;
  sweep_steps(&first, *def, 1, 0, NULL);
  sweep_steps(&other, *def, 3, 0, is_done);
  sweep_steps(&numeric, *def, 2, 1, NULL);
  for (int k = 0; k < def->ncase; k++) {
    CHECK_EQ_INT(first.status[k], ART_OK);
    CHECK(first.lanes[k] >= 2);
    CHECK_REL(first.value[k], numeric.value[k], RESULTS, 1e-9);
    CHECK_EQ_INT(first.certificate[k].steps, numeric.certificate[k].steps);
    if (!is_done[k]) CHECK(memcmp(first.value[k], other.value[k], sizeof first.value[k]) == 0);
  }
}


TEST(trees_run_in_lanes)
{
  static const char *const names[] = {"L", "pin.angle"};
  double value[CASES * 2];
  make_pendulums(value);
  const artSweepDef def = {.path = MODELS "pendulum.yaml",
                           .nparameter = 2,
                           .parameter = names,
                           .ncase = 7,
                           .value = value};
  check_lanes(&def);
}


TEST(loops_run_in_lanes)
{
  static const char *const names[] = {"R"};
  const double value[] = {0.2, 0.202, 0.204, 0.206, 0.208};
  const artSweepDef def = {.path = MODELS "loops/delta.yaml",
                           .nparameter = 1,
                           .parameter = names,
                           .ncase = 5,
                           .value = value};
  check_lanes(&def);
}


// every lane finds its own instants: as many as numbers find, whoever is beside it
static void check_switching(const artSweepDef *def)
{
  static laneLedger first, numeric;
  check_lanes(def);
  sweep_steps(&first, *def, 2, 0, NULL);
  sweep_steps(&numeric, *def, 2, 1, NULL);
  for (int k = 0; k < def->ncase; k++) {
    CHECK(first.certificate[k].events > 0);
    CHECK_EQ_INT(first.certificate[k].events, numeric.certificate[k].events);
  }
}


TEST(trees_that_switch_run_in_lanes)
{
  static const char *const names[] = {"l", "table.x"};
  const double value[] = {0.4, 0.25, 0.41, 0.24, 0.42, 0.23, 0.43, 0.2, 0.44, 0.21};
  const artSweepDef def = {
      .path = MODELS "puck.yaml", .nparameter = 2, .parameter = names, .ncase = 5, .value = value};
  check_switching(&def);
}


// max(0, x) comes to zero at another instant in each lane, where its sign is 0: rates of z are k times these instants
TEST(laws_that_stay_on_their_borders_run_in_lanes)
{
  static const char text[] =
      "articula: 1\n"
      "gravity: [0, 0, 0]\n"
      "parameters: {k: 5 N, away: 0.1 m}\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {x: {type: prismatic, axis: x, from: ground, to: a},\n"
      "  z: {type: prismatic, axis: x, from: ground, to: b}}\n"
      "forces: {f: {type: joint-force, coordinate: z, value: \"= k*sign(max(0[m], x.slide))\"}}\n"
      "initial: {x: {slide: = away, rate: -1}}\n"
      "outputs: {v: z.rate, x: x.slide, z: z.slide}\n"
      "study: {type: run, until: 1}\n";
  static const char *const names[] = {"k", "away"};
  static laneLedger l;
  const double value[] = {5, 0.1, 4, 0.123, 3, 0.2011, 2, 0.05, 7, 0.25};
  char path[] = "/tmp/articula_sweep_XXXXXX";
  const int file = mkstemp(path);
  if (!CHECK(file >= 0)) return;
  CHECK(write(file, text, sizeof text - 1) == (ssize_t) sizeof text - 1);
  close(file);
  const artSweepDef def = {
      .path = path, .nparameter = 2, .parameter = names, .ncase = 5, .value = value};
  check_switching(&def);
  sweep_steps(&l, def, 2, 0, NULL);
  for (int k = 0; k < def.ncase; k++) {
    CHECK_CLOSE(l.value[k][5], value[2 * k] * value[2 * k + 1], 1e-12);
  }
  unlink(path);
}


// over a bump that begins and ends within the run
TEST(loops_that_switch_run_in_lanes)
{
  static const char *const names[] = {"start", "k_leaf"};
  const double value[] = {0.02, 35000, 0.03, 36000, 0.0405, 37000};
  const artSweepDef def = {.path = MODELS "experiments/iltis-front.yaml",
                           .nparameter = 2,
                           .parameter = names,
                           .ncase = 3,
                           .value = value};
  check_switching(&def);
}


// a trolley that stops at another instant in each lane
TEST(impacts_of_drives_run_in_lanes)
{
  static const char *const names[] = {"stop", "speed"};
  const double value[] = {0.1, 1.5, 0.15, 1.4, 0.2111, 2, 0.05, 1, 0.27, 1.2};
  const artSweepDef def = {
      .path = MODELS "crane.yaml", .nparameter = 2, .parameter = names, .ncase = 5, .value = value};
  static laneLedger l;
  check_switching(&def);
  sweep_steps(&l, def, 2, 0, NULL);
  for (int k = 0; k < def.ncase; k++) CHECK_EQ_INT(l.certificate[k].impacts, 1);
}


// a machine whose loops go over to other coordinates leaves its lane and runs alone
TEST(machines_that_leave_their_lane_run_alone)
{
  static const char *const names[] = {"span"};
  static laneLedger l, numeric;
  const double value[] = {0.49, 0.5};
  const artSweepDef def = {.path = MODELS "loops/four-bar.yaml",
                           .nparameter = 1,
                           .parameter = names,
                           .ncase = 2,
                           .value = value};
  sweep_steps(&l, def, 1, 0, NULL);
  sweep_steps(&numeric, def, 1, 1, NULL);
  for (int k = 0; k < 2; k++) {
    CHECK_EQ_INT(l.status[k], ART_OK);
    CHECK_EQ_INT(l.lanes[k], 0);
    CHECK_REL(l.value[k], numeric.value[k], RESULTS, 1e-6);
  }
}

//---- journals ------------------------------------------------------------------------------------

typedef struct lines {
  int n;
  char text[8][64];
} lines;


static artStatus keep(void *context, const char *line, artError *error)
{
  lines *l = context;
  (void) error;
  if (l->n < 8) snprintf(l->text[l->n++], sizeof l->text[0], "%s", line);
  return ART_OK;
}


TEST(journals_pass_over_lines_that_are_not_whole)
{
  char path[] = "/tmp/articula-test-journal-XXXXXX";
  close(mkstemp(path));
  ioJournal j = {0};
  CHECK_WORKS(journal_create(&j, path, "head", &check_error));
  CHECK_WORKS(journal_add(&j, "one", &check_error));
  CHECK_WORKS(journal_add(&j, "two", &check_error));
  CHECK_WORKS(journal_add(&j, "three", &check_error));
  CHECK_WORKS(journal_close(&j, &check_error));

  // the last line is cut short, another one damaged
  FILE *file = fopen(path, "r+");
  fseek(file, -2, SEEK_END);
  CHECK(ftruncate(fileno(file), ftell(file)) == 0);
  fseek(file, 17 + 4 + 1 + 17 + 1, SEEK_SET);
  fputc('x', file);
  fclose(file);

  lines l = {0};
  CHECK_WORKS(journal_resume(&j, path, "head", keep, &l, &check_error));
  CHECK_EQ_INT(l.n, 1);
  CHECK_TEXT(l.text[0], "two");
  CHECK_WORKS(journal_add(&j, "four", &check_error));
  CHECK_WORKS(journal_close(&j, &check_error));
  l.n = 0;
  CHECK_WORKS(journal_resume(&j, path, "head", keep, &l, &check_error));
  CHECK_EQ_INT(l.n, 2);
  CHECK_TEXT(l.text[1], "four");
  CHECK_WORKS(journal_close(&j, &check_error));

  CHECK_FAILS(journal_resume(&j, path, "other", keep, &l, &check_error), ART_BAD_INPUT,
              "this is the journal of another call");

  // a head that is not whole is not a journal yet
  CHECK(truncate(path, 9) == 0);
  l.n = 0;
  CHECK_WORKS(journal_resume(&j, path, "head", keep, &l, &check_error));
  CHECK_EQ_INT(l.n, 0);
  CHECK_WORKS(journal_close(&j, &check_error));
  unlink(path);
}

//---- farms ---------------------------------------------------------------------------------------

enum { PIECES = 10000 };
static unsigned char times[PIECES];


static int count_piece(void *context, int worker, long piece)
{
  (void) context;
  (void) worker;
  times[piece]++;
  return 1;
}


TEST(every_piece_is_done_once)
{
  for (int threads = 1; threads <= 8; threads++) {
    memset(times, 0, sizeof times);
    CHECK(parallel_for(threads, PIECES, count_piece, NULL, NULL) == ART_OK);
    int wrong = 0;
    for (int i = 0; i < PIECES; i++) wrong += times[i] != 1;
    CHECK_EQ_INT(wrong, 0);
  }
}
