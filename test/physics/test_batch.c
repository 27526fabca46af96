// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Many instances at once, on the processor and behind a driver of the test's own: each comes to what a run of its own comes
// to, one that is broken stops alone, and what is missing is told.
#include <dlfcn.h>
#include <elf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "base/memory.h"
#include "load/kernels.h"
#include "load/nvrtc.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/tongue.h"

enum { N = 8, STEPS = 200, MOST = 64 };

typedef struct subject {
  const char *path, *parameter, *velocity; // parameter NULL: all have the model's
  double usual, speed, step;
} subject;

static const subject four_bar = {
    ART_SOURCE_DIR "/models/loops/four-bar.yaml", "coupler", "pivot.rate", 0.6, 12, 1e-4};
static const subject car = {
    ART_SOURCE_DIR "/models/vehicles/single-track.yaml", "front", "ride.x_rate", 1.2, 12, 1e-3};

// sampled control, whose instants divide steps
static const subject pole = {
    ART_SOURCE_DIR "/models/plant/inverted-pendulum.yaml", "period", "pin.rate", 5e-3, 0.1, 1e-3};

// a latch that engages with a impact and gives way, at instants within steps; relays beside a sampler;
// locks, of which one holds from the start on
static const subject shunter = {
    ART_SOURCE_DIR "/models/latch.yaml", "m1", "rail1.rate", 2, 1.5, 0.02};
static const subject carts = {
    ART_SOURCE_DIR "/test/models/good/relay.yaml", "band", "rail.rate", 0.05, 0.2, 4e-3};
static const subject chain = {
    ART_SOURCE_DIR "/test/models/good/locks.yaml", NULL, "jb.angle", 0, 0.5, 1e-2};

// an input and states, in lanes
static const subject trolley = {
    ART_SOURCE_DIR "/test/models/good/plant.yaml", "m", "pin.rate", 2, 0.2, 1e-3};

// a cord that becomes taut and slack within steps
static const subject puck = {
    ART_SOURCE_DIR "/models/puck.yaml", "l", "table.y_rate", 0.4, 1.2, 2e-3};

// loops in a text so long that numbers wait in shared memory
static const subject platform = {
    ART_SOURCE_DIR "/models/loops/stewart.yaml", NULL, "float.vz", 0, 0.3, 1e-3};

// a loop whose residual is near its limit for long, and whose angle is twenty times as far off
static const subject leaf = {
    ART_SOURCE_DIR "/models/vehicles/leaf-spring.yaml", NULL, NULL, 0, 0, 1e-3};

// subtrees built alike
static const subject quadruped = {
    ART_SOURCE_DIR "/models/generator/quadruped.yaml", NULL, NULL, 0, 0, 1e-3};

typedef struct numbers {
  double q[MOST * N], v[MOST * N], s[MOST * N], y[MOST * N];
} numbers;


// another value of the parameter and another speed of each
static artSetting setting(const subject *s, int which, int i)
{
  if (which == 1) return (artSetting){s->parameter, s->usual * (1 + 0.01 * i)};
  return (artSetting){s->velocity, s->speed * (1 - 0.02 * i)};
}


static artRunDef study_of(const subject *s)
{
  artRunDef study = art_default_run();
  study.integrator = ART_RK4;
  study.step = s->step;
  study.until = STEPS * s->step;
  study.interval = study.until;
  return study;
}


static void spread(double *all, int n, const double *of_one, int i)
{
  for (int k = 0; k < n; k++) all[k * N + i] = of_one[k];
}


// the states of all at the beginning, and those at the end of runs
static void run_alone(const subject *s, numbers *from, numbers *to)
{
  const artRunDef study = study_of(s);
  for (int i = 0; i < N; i++) {
    const artSetting own[] = {setting(s, 0, i), setting(s, 1, i)};
    const int settings = s->parameter ? 2 : 1;
    artModel *m = NULL;
    double y[MOST];
    CHECK_WORKS(art_load_model_with(&m, s->path, settings, own, &check_error));
    artData *d = keep_assembled_data(keep_model(m));
    const artCounts n = art_count(m);
    spread(from->q, n.nq, d->q, i);
    spread(from->v, n.nv, d->v, i);
    spread(from->s, n.states, d->s, i);
    CHECK_WORKS(art_run_to(keep_started_run(m, d, &study), study.until, &check_error));
    art_outputs(m, d, y);
    spread(to->q, n.nq, d->q, i);
    spread(to->v, n.nv, d->v, i);
    spread(to->y, n.outputs, y, i);
  }
}


static void compare(const char *what, int n, const double *have, const double *want, double limit)
{
  const double error = check_apart(n, have, want) / check_scale(n, want);
  if (getenv("ART_MODELS")) printf("  %s %.1e\n", what, error);
  if (!CHECK(error <= limit)) printf("  %s differ by %g\n", what, error);
}


static void set_states(artBatch *b, const numbers *from)
{
  CHECK(art_set_batch(b, ART_BATCH_POSITIONS, from->q, NULL) == ART_OK);
  CHECK(art_set_batch(b, ART_BATCH_VELOCITIES, from->v, NULL) == ART_OK);
  CHECK(art_set_batch(b, ART_BATCH_STATES, from->s, NULL) == ART_OK);
}


static void set_parameters(artBatch *b, const subject *s)
{
  const int n = art_batch_width(b, ART_BATCH_PARAMETERS);
  if (!s->parameter) return;
  const int k = art_find_batch_parameter(b, s->parameter);
  double p[MOST * N];
  if (!CHECK(n <= MOST && k >= 0)) return;
  CHECK(art_get_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  CHECK(p[k * N] == s->usual && p[k * N + N - 1] == s->usual);
  for (int i = 0; i < N; i++) p[k * N + i] = setting(s, 1, i).value;
  CHECK(art_set_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
}


static void check_all_are(artBatch *b, const numbers *want, const double *time, double limit)
{
  static numbers have;
  double t[N], failure[N];
  CHECK(art_get_batch(b, ART_BATCH_POSITIONS, have.q, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_VELOCITIES, have.v, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_OUTPUTS, have.y, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_TIME, t, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_FAILURES, failure, NULL) == ART_OK);
  compare("positions", N * art_batch_width(b, ART_BATCH_POSITIONS), have.q, want->q, limit);
  compare("velocities", N * art_batch_width(b, ART_BATCH_VELOCITIES), have.v, want->v, limit);
  compare("outputs", N * art_batch_width(b, ART_BATCH_OUTPUTS), have.y, want->y, 10 * limit);
  for (int i = 0; i < N; i++) {
    CHECK(fabs(t[i] - *time) <= 1e-12 && failure[i] == 0);
    CHECK(art_batch_failure(b, i, NULL, NULL) == ART_OK);
  }
}


static artBatch *open_batch(const subject *s, const artBatchDef *def)
{
  const artRunDef study = study_of(s);
  return keep_started_batch(keep_file(s->path), &study, def);
}


// Every instance with a parameter and a speed of its own against a run of its own, and dopri5 against the same.
static void check_subject(const subject *s, const artBatchDef *def)
{
  static numbers from, to;
  artBatch *b = open_batch(s, def);
  const double end = STEPS * s->step;
  run_alone(s, &from, &to);
  set_parameters(b, s);
  set_states(b, &from);
  CHECK(art_step_batch(b, s->step, STEPS / 2, NULL) == ART_OK);
  CHECK(art_step_batch(b, s->step, STEPS / 2, NULL) == ART_OK);
  check_all_are(b, &to, &end, 1e-12);
  const double zero[N] = {0};
  CHECK(art_set_batch(b, ART_BATCH_TIME, zero, NULL) == ART_OK);
  set_states(b, &from);
  CHECK(art_advance_batch(b, end, s->step, 1e-11, NULL) == ART_OK);
  CHECK(art_advance_batch(b, end / 2, s->step, 1e-11, NULL) == ART_OK);
  check_all_are(b, &to, &end, 1e-6);
}


TEST(instances_on_the_processor_are_runs_of_their_own)
{
  artBatchDef def = art_default_batch();
  def.n = N;
  def.threads = 3;
  check_subject(&four_bar, &def);
  check_subject(&car, &def);
  check_subject(&pole, &def);
  check_subject(&shunter, &def);
  check_subject(&carts, &def);
  check_subject(&chain, &def);
  check_subject(&trolley, &def);
  def.corners = 1;
  check_subject(&puck, &def);
}


// A rocker, which leads the linkage, that points where the coupler does not reach, and a crank without length: these
// stop alone, the first one at once and with its loop; the others do as if alone.
static void check_broken(const artBatchDef *def)
{
  enum { TWISTED = 5, SHORT = 2 };
  static numbers from, to, have;
  artBatch *b = open_batch(&four_bar, def);
  double p[MOST * N], time = -1, failure[N];
  artError error = {0};
  run_alone(&four_bar, &from, &to);
  set_parameters(b, &four_bar);
  art_get_batch(b, ART_BATCH_PARAMETERS, p, NULL);
  p[art_find_batch_parameter(b, "crank") * N + SHORT] = 0;
  CHECK(art_set_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  set_states(b, &from);
  have = from;
  CHECK(!art_batch_is_free(b, 0) && !art_batch_is_free(b, 1) && art_batch_is_free(b, 2));
  have.q[2 * N + TWISTED] = -2.03;
  CHECK(art_set_batch(b, ART_BATCH_POSITIONS, have.q, NULL) == ART_OK);
  CHECK(art_step_batch(b, four_bar.step, STEPS, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_FAILURES, failure, NULL) == ART_OK);
  art_get_batch(b, ART_BATCH_VELOCITIES, have.v, NULL);
  for (int i = 0; i < N; i++) {
    CHECK((failure[i] != 0) == (i == TWISTED || i == SHORT));
    if (failure[i] == 0) CHECK(fabs(have.v[i] - to.v[i]) <= 1e-11 * fabs(to.v[i]));
  }
  CHECK(art_batch_failure(b, TWISTED, &time, &error) == ART_NO_CONVERGENCE && time == 0);
  if (!CHECK(strstr(error.text, "instance 5 stopped at 0 s: the loop that '"))) {
    printf("  %s\n", error.text);
  }
  CHECK(art_batch_failure(b, SHORT, &time, &error) == ART_NO_CONVERGENCE);

  // a new motion goes on
  set_states(b, &from);
  CHECK(art_step_batch(b, four_bar.step, 1, NULL) == ART_OK);
  CHECK(art_batch_failure(b, TWISTED, NULL, NULL) == ART_OK);
}


TEST(an_instance_that_is_broken_stops_alone)
{
  artBatchDef def = art_default_batch();
  def.n = N;
  check_broken(&def);
}


// Motions of instances `first` and behind of those that a test has, through their dead centres, where other coordinates lead: velocities at the end.
// One is twisted and stops.
enum { LANES_AND_MORE = 13, TWISTED_LANE = 9 };


static void turn_many(const subject *s, int first, int n, int is_dopri5, double *v)
{
  const artBatchDef def = {.n = n, .threads = 2};
  artBatch *b = open_batch(s, &def);
  double q[3 * LANES_AND_MORE], failure[LANES_AND_MORE];
  if (CHECK(art_batch_width(b, ART_BATCH_POSITIONS) == 3)) {
    art_get_batch(b, ART_BATCH_POSITIONS, q, NULL);
    art_get_batch(b, ART_BATCH_VELOCITIES, v, NULL);
    for (int i = 0; i < n; i++) {
      if (first + i == TWISTED_LANE) q[2 * n + i] = -2.03;
      for (int k = 0; k < 3; k++) v[k * n + i] *= 1 - 0.07 * (first + i);
    }
    CHECK(art_set_batch(b, ART_BATCH_POSITIONS, q, NULL) == ART_OK);
    CHECK(art_set_batch(b, ART_BATCH_VELOCITIES, v, NULL) == ART_OK);
    const artStatus status = is_dopri5 ? art_advance_batch(b, 0.9, 1e-3, 1e-8, NULL)
                                       : art_step_batch(b, 1e-3, 900, NULL);
    CHECK(status == ART_OK);
    CHECK(art_get_batch(b, ART_BATCH_VELOCITIES, v, NULL) == ART_OK);
    art_get_batch(b, ART_BATCH_FAILURES, failure, NULL);
    for (int i = 0; i < n; i++) CHECK((failure[i] != 0) == (first + i == TWISTED_LANE));
  }
}


TEST(an_instance_in_a_lane_comes_to_the_same_bits_without_its_neighbours)
{
  double all[3 * LANES_AND_MORE], one[3];
  subject turning = four_bar;
  turning.step = 5e-3; // a study of 1 s
  for (int is_dopri5 = 0; is_dopri5 < 2; is_dopri5++) {
    turn_many(&turning, 0, LANES_AND_MORE, is_dopri5, all);
    for (int i = 0; i < LANES_AND_MORE; i += 4) {
      turn_many(&turning, i, 1, is_dopri5, one);
      for (int k = 0; k < 3; k++) CHECK(one[k] == all[k * LANES_AND_MORE + i]);
    }
  }
}


// the same states in double precision: loops there, and accelerations by which others differ
static double compare_with_double(artBatch *b, const subject *s, const artBatchDef *def,
                                  double *loops)
{
  static numbers at, other, a, exact;
  artBatchDef wide = *def;
  wide.precision = ART_DOUBLE;
  artBatch *d = open_batch(s, &wide);
  double worst = 0;
  *loops = 0;
  const int nq = art_batch_width(b, ART_BATCH_POSITIONS),
            nv = art_batch_width(b, ART_BATCH_VELOCITIES);
  set_parameters(d, s);
  art_get_batch(b, ART_BATCH_ACCELERATIONS, a.v, NULL);
  art_get_batch(b, ART_BATCH_POSITIONS, at.q, NULL);
  art_get_batch(b, ART_BATCH_VELOCITIES, at.v, NULL);
  set_states(d, &at);
  art_get_batch(d, ART_BATCH_ACCELERATIONS, exact.v, NULL);
  art_get_batch(d, ART_BATCH_POSITIONS, other.q, NULL);
  for (int k = 0; k < nq * N; k++) *loops = fmax(*loops, fabs(at.q[k] - other.q[k]));
  for (int i = 0; i < N; i++) {
    double size = 1, error = 0;
    for (int k = i; k < nv * N; k += N) size = fmax(size, fabs(exact.v[k]));
    for (int k = i; k < nv * N; k += N) error = fmax(error, fabs(a.v[k] - exact.v[k]));
    worst = fmax(worst, error / size);
  }
  return worst;
}


// Runs in single precision stay near those in double, and the batch says how far accelerations are away. Loops of mixed
// precision are closed as in double.
static void check_precision(const subject *s, const artBatchDef *def, int has_loops)
{
  static numbers from, to;
  artBatch *b = open_batch(s, def);
  const double end = STEPS * s->step;
  double before = 0, after = 0, loops;
  run_alone(s, &from, &to);
  set_parameters(b, s);
  set_states(b, &from);
  CHECK(art_batch_rounding(b, &before, NULL) == ART_OK && before > 1e-9 && before < 1e-5);
  CHECK(art_step_batch(b, s->step, STEPS, NULL) == ART_OK);
  check_all_are(b, &to, &end, 1e-5);
  CHECK(art_batch_rounding(b, &after, NULL) == ART_OK && after > 1e-9);
  CHECK(after < (has_loops ? 1e-5 : 2e-3)); // slips of tyres are small differences of speeds
  if (getenv("ART_MODELS")) printf("  rounding %.2e, %.2e\n", before, after);
  const double worst = compare_with_double(b, s, def, &loops);
  if (!CHECK(fabs(worst - after) <= 1e-3 * after)) printf("  %g, told as %g\n", worst, after);
  if (!CHECK(def->precision == ART_MIXED ? loops <= 1e-11 : loops < 1e-5))
    printf("  loops %g\n", loops);
  if (def->precision == ART_FLOAT && has_loops) CHECK(loops > 1e-10);
}


// Those that they are compared with have the same relays closed.
static void check_sides(const artBatchDef *def)
{
  artBatch *b = open_batch(&carts, def);
  for (int k = 0; k < 4; k++) {
    double rounding = 1;
    CHECK(art_batch_rounding(b, &rounding, NULL) == ART_OK);
    CHECK(rounding < 1e-5);
    CHECK(art_step_batch(b, carts.step, STEPS / 4, NULL) == ART_OK);
  }
}


TEST(instances_in_single_precision_say_how_far_they_are_from_double)
{
  artBatchDef def = art_default_batch();
  def.n = N;
  for (int k = ART_FLOAT; k <= ART_MIXED; k++) {
    def.precision = (artPrecision) k;
    check_precision(&four_bar, &def, 1);
    check_precision(&car, &def, 0);
    check_sides(&def);
  }
}


// Parameters that all share have the values of the file, or new ones for all.
static void check_shared(artBatchDef def)
{
  def.share = 1;
  artBatch *b = open_batch(&car, &def);
  double p[MOST], a[MOST * N], other[MOST * N];
  CHECK(art_get_batch(b, ART_BATCH_ACCELERATIONS, a, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  p[art_find_batch_parameter(b, "slip_stiffness")] *= 2;
  const double spin[N] = {41, 41, 41, 41, 41, 41, 41, 41};
  double v[MOST * N];
  art_get_batch(b, ART_BATCH_VELOCITIES, v, NULL);
  memcpy(v + N * (art_batch_width(b, ART_BATCH_VELOCITIES) - 1), spin, sizeof spin);
  CHECK(art_set_batch(b, ART_BATCH_VELOCITIES, v, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_ACCELERATIONS, a, NULL) == ART_OK);
  CHECK(art_set_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_ACCELERATIONS, other, NULL) == ART_OK);
  CHECK(a[0] == a[N - 1] && other[0] == other[N - 1] && fabs(other[0] - a[0]) > 1);
}


TEST(instances_share_parameters)
{
  artBatchDef def = art_default_batch();
  def.n = N;
  check_shared(def);
}


// velocities and outputs of subjects that differ in one parameter
static void run_varied(const subject *s, const artBatchDef *def, numbers *to)
{
  static numbers from;
  artBatch *b = open_batch(s, def);
  run_alone(s, &from, to);
  set_parameters(b, s);
  set_states(b, &from);
  CHECK(art_step_batch(b, s->step, STEPS / 10, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_VELOCITIES, to->v, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_OUTPUTS, to->y, NULL) == ART_OK);
}


// final states of instances with one parameter of their own, to the bit and as in runs
static void check_own(const subject *s, artBatchDef def)
{
  static numbers all, some;
  memset(&all, 0, sizeof all);
  memset(&some, 0, sizeof some);
  run_varied(s, &def, &all);
  def.own = &s->parameter;
  def.nown = 1;
  run_varied(s, &def, &some);
  CHECK(memcmp(all.v, some.v, sizeof all.v) == 0 && memcmp(all.y, some.y, sizeof all.y) == 0);
  check_subject(s, &def);
}


// accelerations of linkages with couplers of their own
static double *accelerate_many(artBatchDef def)
{
  artBatch *b = open_batch(&four_bar, &def);
  const size_t bytes = (size_t) def.n * sizeof(double);
  double *p = NULL, *a = NULL;
  const int k = art_find_batch_parameter(b, "coupler");
  p = malloc(bytes * (size_t) art_batch_width(b, ART_BATCH_PARAMETERS));
  a = malloc(bytes * (size_t) art_batch_width(b, ART_BATCH_ACCELERATIONS));
  CHECK(art_get_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  for (long i = 0; i < def.n; i++) p[k * def.n + i] = 0.6 + 1e-5 * (double) i;
  CHECK(art_set_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_ACCELERATIONS, a, NULL) == ART_OK);
  memset(p, 0, bytes);
  CHECK(art_get_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  CHECK(p[k * def.n] == 0.6 && p[(k + 1) * def.n - 1] == 0.6 + 1e-5 * (double) (def.n - 1));
  free(p);
  return a;
}


// so many that their rows are made one part after the other
static void check_parts(artBatchDef def)
{
  def.n = 2100;
  double *all = accelerate_many(def);
  def.own = &four_bar.parameter;
  def.nown = 1;
  double *some = accelerate_many(def);
  if (all && some) CHECK(memcmp(all, some, (size_t) def.n * sizeof *all) == 0);
  if (all) CHECK(isfinite(all[def.n - 1]) && all[0] != all[def.n - 1]);
  free(all);
  free(some);
}


// of a batch with one own parameter: others are set for all, or not at all
static void check_others(artBatchDef def)
{
  static const char *const own[] = {"coupler", "nobody"};
  artBatchView view;
  def.own = own;
  def.nown = 1;
  artBatch *b = open_batch(&four_bar, &def);
  double p[MOST * N], was[MOST * N], a[MOST * N], other[MOST * N];
  const int crank = N * art_find_batch_parameter(b, "crank");
  CHECK(art_get_batch(b, ART_BATCH_ACCELERATIONS, a, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  memcpy(was, p, sizeof was);
  p[crank + 3] = 0.21;
  CHECK_FAILS(art_set_batch(b, ART_BATCH_PARAMETERS, p, &check_error), ART_BAD_INPUT,
              "instance 3: 'crank' is set to 0.21, but to 0.2 in instance 0");
  CHECK(art_get_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  CHECK(memcmp(p, was, N * sizeof *p * (size_t) art_batch_width(b, ART_BATCH_PARAMETERS)) == 0);
  for (int i = 0; i < N; i++) p[crank + i] = 0.21;
  CHECK(art_set_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_ACCELERATIONS, other, NULL) == ART_OK);
  CHECK(other[0] == other[N - 1] && fabs(other[0] - a[0]) > 1e-3);
  CHECK_FAILS(art_view_batch(b, ART_BATCH_PARAMETERS, &view, &check_error), ART_UNSUPPORTED,
              "all instances share some");
  def.nown = 2;
  const artRunDef study = study_of(&four_bar);
  CHECK_FAILS(art_create_batch(&b, keep_file(four_bar.path), &study, &def, &check_error),
              ART_BAD_INPUT, "cannot have a 'nobody' of their own");
  CHECK(!b);
}


TEST(instances_have_some_parameters_of_their_own)
{
  artBatchDef def = art_default_batch();
  def.n = N;
  check_own(&four_bar, def);
  check_others(def);
}

// Numbers written where they lie, or copied there on the device, lead to the same bits as those that are set. The memory of the device is that
// of the process, the driver of the test's own included.
static void check_views(const artBatchDef *def, int gpu)
{
  static numbers from, want, have;
  artBatch *b = open_batch(&car, def);
  artBatchView v = {0}, y = {0};
  if (CHECK(art_view_batch(b, ART_BATCH_VELOCITIES, &v, NULL) == ART_OK)) {
    const size_t bytes = (size_t) v.width * (size_t) v.n * sizeof *v.numbers;
    CHECK(v.n == N && v.width == art_batch_width(b, ART_BATCH_VELOCITIES) && v.gpu == gpu);
    run_alone(&car, &from, &want);
    set_states(b, &from);
    CHECK(memcmp(v.numbers, from.v, bytes) == 0);
    art_step_batch(b, car.step, 9, NULL);
    CHECK(memcmp(v.numbers, from.v, bytes) != 0);
    CHECK(art_get_batch(b, ART_BATCH_VELOCITIES, want.v, NULL) == ART_OK);
    CHECK(art_get_batch(b, ART_BATCH_OUTPUTS, want.y, NULL) == ART_OK);
    for (int way = 0; way < 2; way++) {
      set_states(b, &from);
      for (int i = 0; i < v.width * N; i++) have.v[i] = way ? from.v[i] : 0;
      if (way == 0) {
        CHECK(art_set_batch(b, ART_BATCH_VELOCITIES, have.v, NULL) == ART_OK);
        memcpy(v.numbers, from.v, bytes);
        CHECK(art_touch_batch(b, ART_BATCH_VELOCITIES, NULL) == ART_OK);
      } else {
        CHECK(art_put_batch(b, ART_BATCH_VELOCITIES, have.v, NULL) == ART_OK);
      }
      const double zero[N] = {0};
      CHECK(art_set_batch(b, ART_BATCH_TIME, zero, NULL) == ART_OK);
      art_step_batch(b, car.step, 9, NULL);
      CHECK(memcmp(v.numbers, want.v, bytes) == 0);
      CHECK(art_view_batch(b, ART_BATCH_OUTPUTS, &y, NULL) == ART_OK);
      CHECK(memcmp(y.numbers, want.y, (size_t) y.width * N * sizeof *y.numbers) == 0);
    }

    // an instance with a number that is none stops alone
    v.numbers[3] = NAN;
    CHECK(art_touch_batch(b, ART_BATCH_VELOCITIES, NULL) == ART_OK);
    art_step_batch(b, car.step, 1, NULL);
    CHECK(art_batch_failure(b, 3, NULL, NULL) == ART_NO_CONVERGENCE);
    CHECK(art_batch_failure(b, 2, NULL, NULL) == ART_OK);

    CHECK_FAILS(art_view_batch(b, ART_BATCH_FAILURES, &v, &check_error), ART_UNSUPPORTED,
                "failures cannot be seen where they lie");
    CHECK(art_touch_batch(b, ART_BATCH_OUTPUTS, &check_error) == ART_BAD_INPUT);
    CHECK(art_put_batch(b, ART_BATCH_WORK, from.v, &check_error) == ART_BAD_INPUT);
    CHECK(art_view_batch(b, ART_BATCH_FORCES, &v, NULL) == ART_OK && v.numbers[N - 1] == 0);
  }
}


// Parameters written where they lie are followed, too.
static void check_parameter_views(const artBatchDef *def)
{
  artBatch *b = open_batch(&four_bar, def);
  artBatchView p = {0};
  if (CHECK(art_view_batch(b, ART_BATCH_PARAMETERS, &p, NULL) == ART_OK)) {
    double a[MOST * N], other[MOST * N];
    CHECK(art_get_batch(b, ART_BATCH_ACCELERATIONS, a, NULL) == ART_OK);
    p.numbers[art_find_batch_parameter(b, "coupler") * N + 1] *= 1.01;
    CHECK(art_touch_batch(b, ART_BATCH_PARAMETERS, NULL) == ART_OK);
    CHECK(art_get_batch(b, ART_BATCH_ACCELERATIONS, other, NULL) == ART_OK);
    CHECK(memcmp(a, other, sizeof *a) == 0 && a[1] != other[1] && isfinite(other[1]));
  }
}


TEST(vectors_are_seen_where_they_lie)
{
  artBatchDef def = art_default_batch();
  artBatchView view;
  def.n = N;
  check_views(&def, -1);
  check_parameter_views(&def);
  def.share = 1;
  artBatch *b = open_batch(&car, &def);
  CHECK_FAILS(art_view_batch(b, ART_BATCH_PARAMETERS, &view, &check_error), ART_UNSUPPORTED,
              "all instances share them");
}


// An integral of 1 that is sampled counts instants: none is missed or taken twice, though ends of steps are beside them by rounding.
TEST(every_instant_of_a_sampler_is_taken_once)
{
  static const char text[] =
      "articula: 1\n"
      "bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
      "blocks: {count: {type: pid, input: = 1, kp: 0, ki: 1, every: 1 ms}}\n"
      "forces: {push: {type: joint-force, coordinate: rail, value: = 0*count}}\n"
      "outputs: [count]\n";
  enum { PIECE = 7, PIECES = 1000 };
  artBatchDef def = art_default_batch();
  artRunDef study = art_default_run();
  study.until = 10;
  artBatch *b = keep_started_batch(keep_text(text), &study, &def);
  double count = 0, t = 0, begin = 0;
  CHECK(art_get_batch(b, ART_BATCH_OUTPUTS, &begin, NULL) == ART_OK);
  for (int i = 0; i < PIECES; i++) art_step_batch(b, 1e-3, PIECE, NULL);
  art_step_batch(b, 0.5e-3, 1, NULL); // the last one is past
  CHECK(art_get_batch(b, ART_BATCH_OUTPUTS, &count, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_TIME, &t, NULL) == ART_OK && fabs(t - 7.0005) <= 1e-9);
  if (!CHECK(fabs(count - begin - PIECE * PIECES * 1e-3) <= 1e-6)) printf("  %.6f\n", count);
}


// The energy of machines with new parameters counts from where they are set.
TEST(the_balance_of_energy_begins_anew_with_parameters)
{
  static const char text[] =
      "articula: 1\n"
      "parameters: {length: 0.5}\n"
      "bodies: {rod: {mass: 2, com: [= length, 0, 0], inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n"
      "initial: {pin: {rate: 1}}\n"
      "outputs: {balance: energy.balance}\n";
  artBatchDef def = art_default_batch();
  artRunDef study = art_default_run();
  def.n = 2;
  study.until = 1;
  artBatch *b = keep_started_batch(keep_text(text), &study, &def);
  double p[MOST * 2], balance[2] = {1, 1};
  CHECK(art_get_batch(b, ART_BATCH_OUTPUTS, balance, NULL) == ART_OK && balance[1] == 0);
  CHECK(art_get_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  p[2 * art_find_batch_parameter(b, "length") + 1] = 0.7;
  CHECK(art_set_batch(b, ART_BATCH_PARAMETERS, p, NULL) == ART_OK);
  CHECK(art_step_batch(b, 1e-3, 100, NULL) == ART_OK);
  CHECK(art_get_batch(b, ART_BATCH_OUTPUTS, balance, NULL) == ART_OK);
  CHECK(fabs(balance[0]) <= 1e-9 && fabs(balance[1]) <= 1e-9);
}

//---- sweeps --------------------------------------------------------------------------------------

enum { CASES = 7, RESULTS = 3 };

typedef struct swept {
  double value[CASES][RESULTS];
  double step_error[CASES];
  int status[CASES], together, done;
  double apart, energy_error;
} swept;


static artStatus note_case(void *context, const artCase *c, artError *error)
{
  swept *s = context;
  (void) error;
  memcpy(s->value[c->number], c->value, sizeof s->value[0]);
  s->status[c->number] = c->error.status;
  s->step_error[c->number] = c->device ? c->certificate.step_error : 0;
  s->together += c->device != NULL;
  s->done++;
  s->apart = fmax(s->apart, c->apart);
  if (c->error.status == ART_OK)
    s->energy_error = fmax(s->energy_error, c->certificate.energy_error);
  return ART_OK;
}


// the last case ends earlier than the others; by dopri5, rows follow the motion
static artIntegrator integrator_of_sweep = ART_RK4;
static artStatus choose_study(void *context, const artModel *m, artRunDef *study, artError *error)
{
  (void) context, (void) error;
  *study = study_of(&four_bar);
  study->interval = integrator_of_sweep == ART_RK4 ? 10 * study->step : 0;
  study->integrator = integrator_of_sweep;
  if (art_parameter_value(m, art_find_parameter(m, "coupler")) > 0.611) study->until /= 2;
  return ART_OK;
}


// another coupler and another speed in each case, one of them without a crank; the third is done already
static artStatus sweep(swept *s, const artBatchDef *def, artError *error)
{
  static const char *const name[] = {"coupler", "pivot.rate", "crank"};
  static const char is_done[CASES] = {0, 0, 1};
  static const artResultDef result[RESULTS] = {{ART_FINAL, 0}, {ART_MAX, 1}, {ART_RMS, 2}};
  double value[CASES][3];
  for (int i = 0; i < CASES; i++) {
    const double own[] = {0.6 + 0.002 * i, 12 - 0.3 * i, i == 4 ? 0 : 0.2};
    memcpy(value[i], own, sizeof own);
  }
  *s = (swept){.apart = NAN};
  return art_run_sweep(&(artSweepDef){.path = four_bar.path,
                                      .nparameter = 3,
                                      .parameter = name,
                                      .ncase = CASES,
                                      .value = value[0],
                                      .nresult = RESULTS,
                                      .result = result,
                                      .is_done = is_done,
                                      .threads = 2,
                                      .batch = def,
                                      .choose = choose_study,
                                      .done = note_case,
                                      .context = s},
                       error);
}


// Portions of four, the last one not full: what runs come to, case by case. On a device the second motion is made beside the first
// one, and tells the errors that it tells behind it on the processor.
static void check_sweep(artBatchDef def)
{
  swept apart, together, on_cpu;
  artError error = {0};
  def.n = 4;
  CHECK(sweep(&apart, NULL, NULL) == ART_OK);
  if (!CHECK(sweep(&together, &def, &error) == ART_OK)) printf("  %s\n", error.text);
  CHECK(apart.together == 0 && together.together == CASES - 3);
  CHECK(apart.done == CASES - 1 && together.done == CASES - 1);
  CHECK(together.apart >= 0 && together.apart < 1e-9 && together.energy_error < 1e-6);
  def.device = ART_CPU;
  CHECK(sweep(&on_cpu, &def, NULL) == ART_OK);
  for (int i = 0; i < CASES; i++) {
    const double told = on_cpu.step_error[i];
    CHECK(fabs(together.step_error[i] - told) <= 1e-3 * told + 1e-12 && told < 1e-3);
  }
  for (int i = 0; i < CASES; i++) {
    CHECK(together.status[i] == apart.status[i] && (i == 4) == (apart.status[i] != ART_OK));
    for (int k = 0; k < RESULTS && apart.status[i] == ART_OK; k++) {
      CHECK(fabs(together.value[i][k] - apart.value[i][k]) <= 1e-9 * (1 + fabs(apart.value[i][k])));
    }
  }
  integrator_of_sweep = ART_DOPRI5;
  CHECK(sweep(&together, &def, &error) == ART_UNSUPPORTED && strstr(error.text, "--interval"));
  integrator_of_sweep = ART_RK4;
}


TEST(cases_of_a_sweep_run_together)
{
  check_sweep(art_default_batch());
}

//---- graphics processors -------------------------------------------------------------------------

// the message where a batch cannot be made, and that the processor takes its place where that is asked for
static void check_refusal(artBatchDef def, artStatus status, const char *text)
{
  artBatch *b = NULL;
  const artRunDef study = study_of(&car);
  artModel *m = keep_file(car.path);
  CHECK_FAILS(art_create_batch(&b, m, &study, &def, &check_error), status, text);
  CHECK(!b);
  def.or_cpu = 1;
  b = keep_started_batch(m, &study, &def);
  CHECK(art_batch_info(b).device == ART_CPU && strstr(art_batch_info(b).reason, text));
  CHECK(art_step_batch(b, car.step, 1, NULL) == ART_OK);
}


// a driver, and a compiler for its device that makes shared libraries
static int install_driver(void)
{
  setenv("NVCC", ART_SOURCE_DIR "/test/support/plant/nvcc_of_none", 1);
  return folder_run(folder_own(),
                    "cc -std=gnu11 -O1 -shared -fPIC -I%s/src -I%s/include "
                    "-Wl,-soname,libcuda.so.1 -o libcuda.so.1 "
                    "%s/test/support/plant/driver_of_none.c -ldl",
                    ART_SOURCE_DIR, ART_SOURCE_DIR, ART_SOURCE_DIR) &&
         CHECK(dlopen(folder_path("libcuda.so.1"), RTLD_NOW | RTLD_LOCAL) != NULL);
}


// the compiler as a library, where it is asked for or nvcc is nowhere
static void check_nvrtc(const artBatchDef *def)
{
  if (!folder_run(folder_own(), "cc -std=gnu11 -O1 -shared -fPIC -o libnvrtc.so " ART_SOURCE_DIR
                                "/test/support/plant/nvrtc_of_none.c")) {
    return;
  }
  setenv("NVRTC", folder_path("libnvrtc.so"), 1);
  check_subject(&four_bar, def);
  check_shared(*def);
  setenv("FAKE_COMPLAINT", "machine.cu(7): error: not to be read", 1);
  setenv("XDG_CACHE_HOME", folder_path("empty"), 1);
  check_refusal(*def, ART_UNSUPPORTED,
                "did not take the generated equations: machine.cu(7): error: not to be read; "
                "install the CUDA toolkit");
  unsetenv("FAKE_COMPLAINT");
  setenv("NVRTC", "/nowhere/libnvrtc.so", 1);
  check_refusal(*def, ART_UNSUPPORTED, "'/nowhere/libnvrtc.so' is not a library of nvrtc");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("NVRTC");
}


// numbers of loops wait in shared memory
static void check_waiting(const artBatchDef *def)
{
  setenv("FAKE_SHARED", "232448", 1);
  check_subject(&platform, def);
  setenv("FAKE_SHARED", "101376", 1); // too little for that
  artBatch *b = open_batch(&platform, def);
  CHECK(art_step_batch(b, platform.step, 1, NULL) == ART_OK);
  unsetenv("FAKE_SHARED");
}


// Lanes of the processor and the text of a device close loops alike: positions are the same to 1e-12 of the largest after a second,
// whichever side of its limit rounding leaves a residual on.
static void check_leaf(artBatchDef def)
{
  enum { COUNT = 128, NQ = 6 };
  static double q[ART_DEVICES][NQ * COUNT], v[NQ * COUNT];
  def.n = COUNT;
  for (int device = 0; device < ART_DEVICES; device++) {
    def.device = (artDevice) device;
    artBatch *b = open_batch(&leaf, &def);
    if (!CHECK(art_batch_width(b, ART_BATCH_POSITIONS) == NQ)) return;
    for (int k = 0; k < NQ * COUNT; k++) {
      v[k] = art_batch_is_free(b, k / COUNT) ? 1e-3 * (k % COUNT) / (COUNT - 1) : 0;
    }
    CHECK(art_set_batch(b, ART_BATCH_VELOCITIES, v, NULL) == ART_OK);
    CHECK(art_step_batch(b, leaf.step, 1000, NULL) == ART_OK);
    CHECK(art_get_batch(b, ART_BATCH_POSITIONS, q[device], NULL) == ART_OK);
  }
  const double size = check_largest(NQ * COUNT, q[0]), error = check_apart(NQ * COUNT, q[1], q[0]);
  if (!CHECK(error <= 1e-12 * size && size > 0.01)) printf("  %g of %g\n", error, size);
}


// steps of few instances by teams agree with steps by one thread for each
static void check_team(const artBatchDef *def)
{
  double velocity[2][MOST * N] = {{0}};
  setenv("FAKE_SHARED", "232448", 1);
  for (int is_team = 0; is_team < 2; is_team++) {
    if (is_team) setenv("FAKE_TEAM", "1", 1);
    artBatch *b = open_batch(&platform, def);
    CHECK(art_step_batch(b, platform.step, 2, NULL) == ART_OK);
    CHECK(art_get_batch(b, ART_BATCH_VELOCITIES, velocity[is_team], NULL) == ART_OK);
  }
  unsetenv("FAKE_TEAM");
  unsetenv("FAKE_SHARED");
  CHECK(memcmp(velocity[0], velocity[1], sizeof velocity[0]) == 0);
  CHECK(check_largest(MOST * N, velocity[0]) > 1e-3);
}


// Portions become smaller until all that they and their kernels need fits: before anything is done, or when a kernel of a
// portion is launched. Cases come to the same bits.
static void check_little_memory(artBatchDef def)
{
  static const char *const kernel[] = {NULL, "FAKE_RK4", "FAKE_WEIGH"};
  void *driver = dlopen(folder_path("libcuda.so.1"), RTLD_NOW | RTLD_LOCAL);
  size_t *most = driver ? dlsym(driver, "fake_most") : NULL, all = 0;
  swept large, small;
  if (!CHECK(most)) return;
  def.n = 8;
  for (int i = -1; i < 3; i++) {
    char text[2][40];
    *most = 0;
    snprintf(text[0], 40, "%zu", i == 0 ? all - 1 : all);
    snprintf(text[1], 40, "%zu", all / 2);
    if (i >= 0) setenv("FAKE_MEMORY", text[0], 1);
    if (i > 0) setenv(kernel[i], text[1], 1);
    CHECK_WORKS(sweep(i < 0 ? &large : &small, &def, &check_error));
    if (i < 0) all = *most;
    if (i == 0) CHECK(*most > 0 && *most < all);
    if (i >= 0) CHECK(memcmp(large.value, small.value, sizeof large.value) == 0);
    if (i >= 0) CHECK(memcmp(large.step_error, small.step_error, sizeof large.step_error) == 0);
    if (i >= 0) CHECK(small.done == large.done && small.together == large.together);
    if (i > 0) unsetenv(kernel[i]);
  }
  setenv("FAKE_RK4", "1000000000", 1);
  check_refusal(def, ART_NO_MEMORY, "has no memory for that (machine_rk4); take fewer instances");
  unsetenv("FAKE_RK4");
  setenv("FAKE_LOAD", "1000000000", 1);
  check_refusal(def, ART_NO_MEMORY, "has no memory for that (loading the kernels)");
  unsetenv("FAKE_LOAD");
  setenv("FAKE_MEMORY", "10", 1);
  check_refusal(def, ART_NO_MEMORY, "has no memory left; let what else runs there end");
  unsetenv("FAKE_MEMORY");
  dlclose(driver);
}


// no call of the driver has gone wrong
static void check_driver(void)
{
  void *driver = dlopen(folder_path("libcuda.so.1"), RTLD_NOW | RTLD_LOCAL);
  if (CHECK(driver)) CHECK(*(int *) dlsym(driver, "fake_errors") == 0);
  if (driver) dlclose(driver);
}


// Limbs of instances that share their parameters have threads of their own, be they many or few; what they come to is what
// one thread for each comes to.
static void check_subtrees(artBatchDef def)
{
  double velocity[3][MOST * N], change = 0;
  def.share = 1;
  for (int i = 0; i < 3; i++) {
    if (i > 0) setenv("FAKE_SHARED", "232448", 1), setenv("FAKE_SUBTREES", "1", 1);
    if (i > 1) setenv("FAKE_TEAM", "1", 1);
    artBatch *b = open_batch(&quadruped, &def);
    if (!CHECK(b)) break;
    for (int k = 0; k < MOST * N; k++) velocity[i][k] = sin(k);
    CHECK(art_set_batch(b, ART_BATCH_VELOCITIES, velocity[i], NULL) == ART_OK);
    CHECK(art_step_batch(b, quadruped.step, 20, NULL) == ART_OK);
    CHECK(art_get_batch(b, ART_BATCH_VELOCITIES, velocity[i], NULL) == ART_OK);
  }
  unsetenv("FAKE_TEAM");
  unsetenv("FAKE_SUBTREES");
  unsetenv("FAKE_SHARED");
  compare("velocities by limbs", MOST * N, velocity[1], velocity[0], 1e-12);
  CHECK(memcmp(velocity[1], velocity[2], sizeof velocity[1]) == 0);
  for (int k = 6 * N; k < 18 * N; k++) change = fmax(change, fabs(velocity[0][k] - sin(k)));
  CHECK(change > 1e-2);
}


// kernels that are too large for a device: fewer threads a block, then a message
static void check_large(const artBatchDef *def)
{
  setenv("FAKE_THREADS", "64", 1);
  check_subject(&four_bar, def);
  setenv("FAKE_THREADS", "16", 1);
  check_refusal(*def, ART_UNSUPPORTED,
                "machine_sizes failed on device 0 of a test: too many resources requested for "
                "launch (701); the equations are too large for it: choose the CPU");
  unsetenv("FAKE_THREADS");
  setenv("FAKE_OLD", "1", 1);
  check_refusal(*def, ART_UNSUPPORTED, "the compiler made it for another device: install a CUDA");
  unsetenv("FAKE_OLD");
}


// The library of CUDA itself, where it is installed: its code is for the device that the flag names.
TEST(nvrtc_compiles_a_text_where_it_is_installed)
{
  enum { OF_CUDA = 190 };
  const char *library = nvrtc_name();
  const genOptions options = {.name = KERNELS_NAME, .forms = GEN_ACCELERATE};
  const simulatorForm form = {.kind = SIMULATOR_CUDA, .name = KERNELS_NAME, .language = EMIT_CUDA};
  const artRunDef study = study_of(&four_bar);
  if (!library) return;
  artModel *m = keep_file(four_bar.path);
  CHECK_WORKS(tongue_write_simulator(m, keep_assembled_data(m), &study, &options, form,
                                     "machine.cu", &check_error));
  for (int varied = 0; varied < 2; varied++) {
    const char *const words[] = {"-arch=sm_90", "-Xptxas=-O1", varied ? "-Dmachine_VARIED" : NULL,
                                 NULL};
    char made[FILE_PATH_LENGTH], *bytes = NULL;
    size_t size = 0;
    snprintf(made, sizeof made, "%s", folder_path("machine.cubin"));
    CHECK_WORKS(nvrtc_compile(library, folder_path("machine.cu"), words, made, "", &check_error));
    if (CHECK(file_read(made, &bytes, &size, NULL) == ART_OK && size > sizeof(Elf64_Ehdr))) {
      const Elf64_Ehdr *head = (const Elf64_Ehdr *) (const void *) bytes;
      CHECK(memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_machine == OF_CUDA);
    }
    mem_free(bytes);
  }
}


// flags of the whole text, or of its steps and of the rest
static void check_flags(const char *text, const kernelsDevice *device, int is_varied,
                        const char *want)
{
  const char *flag[2][KERNELS_FLAGS] = {{NULL}};
  char all[400] = "";
  FILE *file = tmpfile();
  if (!CHECK(file)) return;
  fputs(text, file);
  const int is_apart = kernels_step_flags(device, file, is_varied, flag[0], flag[1]);
  if (!is_apart) kernels_flags(device, file, flag[1]);
  CHECK(ftell(file) == (long) strlen(text));
  fclose(file);
  for (int k = is_apart ? 0 : 1; k < 2; k++) {
    for (int i = 0; flag[k][i]; i++) snprintf(all + strlen(all), 99, " %s", flag[k][i]);
    if (k == 0) strcat(all, " and");
  }
  if (!CHECK(strcmp(all, want) == 0)) printf(" %s\n", all);
}


// An H200 has the shared memory that a text offers to use, a GeForce RTX 4090 has not. Steps of subtrees have flags of their own.
TEST(a_text_names_its_flags_of_nvcc)
{
  static const char asks[] = "// a\n//\n//   nvcc -O3 -Xptxas=-O1 -c a.cu\n#define A\n";
  static const char offers[] = "//   nvcc -O3 -Xptxas=-O1 -c a.cu\n"
                               "//   nvcc -O3 -Dmachine_SPILL -c a.cu\n#define A\n";
  static const char subtrees[] = "//   nvcc -O3 -Xptxas=-O1 -c a.cu\n"
                                 "//   nvcc -O3 -Dmachine_SUBTREES -c a.cu\n#define A\n";
  const kernelsDevice processor = {0}, geforce = {.target = "-arch=sm_89",
                                                  .multiprocessors = 128,
                                                  .shared_bytes = 99 << 10};
  const kernelsDevice h200 = {
      .target = "-arch=sm_90", .multiprocessors = 132, .shared_bytes = 227 << 10};
  check_flags(asks, &h200, 0, " -Xptxas=-O1");
  check_flags(asks, &processor, 0, "");
  check_flags("// a\n//   nvcc -O3 -c a.cu\n", &h200, 0, "");
  check_flags("int a;\n//   nvcc -O3 -Xptxas=-O1 -c a.cu\n", &h200, 0, "");
  check_flags(offers, &processor, 0, "");
  check_flags(offers, &geforce, 0, " -Xptxas=-O1");
  check_flags(offers, &h200, 0, " -Dmachine_SPILL -Dmachine_BLOCK=32");
  check_flags(subtrees, &h200, 0,
              " -Dmachine_SUBTREES -Dmachine_STEPS_ALONE and -Xptxas=-O1 -Dmachine_SUBTREES "
              "-Dmachine_NO_STEPS");
  check_flags(subtrees, &h200, 1, " -Xptxas=-O1");
  check_flags(subtrees, &geforce, 0, " -Xptxas=-O1");
  check_flags(subtrees, &processor, 0, "");
}


// Teams step as many instances as there are lanes of one for each multiprocessor.
TEST(few_instances_have_teams)
{
  const kernelsDevice h200 = {.multiprocessors = 132, .shared_bytes = 227 << 10};
  const kernelsDevice geforce = {.multiprocessors = 128, .shared_bytes = 99 << 10};
  CHECK(kernels_team(&h200, 1) == 4 && kernels_team(&h200, 32 * 132) == 4);
  CHECK(kernels_team(&h200, 32 * 132 + 1) == 0);
  CHECK(kernels_team(&geforce, 1) == 0);
}


// Every multiprocessor has two blocks where there are warps enough, and blocks are no smaller than that asks for.
TEST(blocks_leave_no_multiprocessor_without_work)
{
  for (long n = 1; n < 1000000; n += 1 + n / 7) {
    const int block = kernels_block(n, 132, 256);
    CHECK(block == 32 || block == 64 || block == 128 || block == 256);
    if (block > 32) CHECK((n + block - 1) / block >= 264);
    if (block < 256) CHECK((n + 2 * block - 1) / (2 * block) < 264);
  }
  CHECK(kernels_block(5, 0, 128) == 128);
}


TEST(a_graphics_processor_has_the_same_instances_or_is_told_to_be_missing)
{
  artBatchDef def = art_default_batch();
  def.n = N;
  def.device = ART_GPU;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver) return; // a device may be there, which bench/gpu/kernels.c asks
  check_refusal(def, ART_UNSUPPORTED, "libcuda.so.1 is not here");
  if (!install_driver()) return;
  check_little_memory(def); // before batches that live until the test ends
  check_subject(&four_bar, &def);
  check_subject(&pole, &def);
  check_subject(&chain, &def);
  check_broken(&def);
  check_shared(def);
  check_own(&four_bar, def);
  check_own(&pole, def);
  check_own(&shunter, def);
  check_parts(def);
  check_others(def);
  check_views(&def, 0);
  check_parameter_views(&def);
  check_sweep(def);
  check_nvrtc(&def);
  check_waiting(&def);
  check_leaf(def);
  check_team(&def);
  check_subtrees(def);
  check_driver();
  check_large(&def);
  setenv("FAKE_ROOM", "1000", 1);
  check_refusal(def, ART_NO_MEMORY, "take fewer, or let them share their parameters");
  unsetenv("FAKE_ROOM");
  setenv("FAKE_COUNT", "0", 1);
  check_refusal(def, ART_UNSUPPORTED, "device 0 of 0 is asked for");
  swept s;
  CHECK_FAILS(sweep(&s, &def, &check_error), ART_UNSUPPORTED, "device 0 of 0 is asked for");
  CHECK(s.done == 0);
  def.or_cpu = 1;
  CHECK(sweep(&s, &def, NULL) == ART_OK && s.done == CASES - 1 && s.together == 0);
  def.or_cpu = 0;
  unsetenv("FAKE_COUNT");
  setenv("NVCC", "/nowhere/nvcc", 1);
  check_refusal(def, ART_UNSUPPORTED, "install the CUDA toolkit, name its nvcc");
  setenv("NVCC", "false", 1);
  check_refusal(def, ART_UNSUPPORTED, "the compiler 'false' did not take the generated equations");
}
