// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stand-alone simulators, compiled and run for twenty seconds of motion, against runs by numbers: the same
// columns, and in them the same numbers, as well as two numeric methods agree.
//
// Those of MATLAB run in Octave where ART_TEST_ALL is set.
//
// Machines are sampled; with ART_SOAK all of models/ are simulated, with ART_MODELS=van those whose names contain
// the word, and a line is printed of each.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "articula/articula.h"
#include "model/model.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/machines.h"
#include "support/seconds.h"
#include "support/tongue.h"

enum { ROWS = 41, LINE = 100000 };

//---- three tables -------------------------------------------------------------------------------

typedef struct table {
  int n, rows; // columns without time
  double *x;   // [ROWS n]
} table;

typedef struct scene {
  const char *name;
  artModel *m;
  artData *d;
  artRunDef study;
  double made, ran,
      numbers; // seconds: until the simulator was there, of its run, of the run by numbers
} scene;


static table empty_table(const artModel *m)
{
  const int n = art_count(m).outputs;
  return (table){.n = n, .x = keep_numbers(ROWS * n)};
}


// by numbers; rows until the run ends, if it does early
static table run_numbers(const scene *s, artMethod method, double tolerance)
{
  table out = empty_table(s->m);
  artRunDef study = s->study;
  study.method = method;
  study.tolerance = tolerance;
  artRun *run = NULL;
  artData *d = keep_copied_data(s->m, s->d);
  if (art_create_run(&run, s->m, d, &study, NULL) != ART_OK) {
    // links without mass are not for every method
    study.method = ART_AUTOMATIC;
    CHECK(art_create_run(&run, s->m, d, &study, NULL) == ART_OK);
  }
  keep_run(run);
  for (; out.rows < ROWS; out.rows++) {
    if (art_run_to(run, art_output_time(&study, out.rows), NULL) != ART_OK) break;
    art_outputs(s->m, d, out.x + out.rows * out.n);
  }
  return out;
}


// the head of a table: time and the outputs with their units
static void check_head(const scene *s, const char *line)
{
  char want[LINE] = "time [s]";
  for (int k = 0; k < art_count(s->m).outputs; k++) {
    const size_t used = strlen(want);
    snprintf(want + used, sizeof want - used, ",%s [%s]", art_output_name(s->m, k),
             art_output_unit(s->m, k));
  }
  if (!strchr(want, '"')) CHECK(strncmp(line, want, strlen(want)) == 0);
}


static table read_table(const scene *s)
{
  static char line[LINE];
  table out = empty_table(s->m);
  FILE *file = folder_open(folder_own(), "out", "r");
  if (!CHECK(file)) return out;
  if (CHECK(fgets(line, sizeof line, file))) check_head(s, line);
  for (; out.rows < ROWS && fgets(line, sizeof line, file); out.rows++) {
    char *at = line;
    CHECK_CLOSE(strtod(at, &at), art_output_time(&s->study, out.rows), 1e-12);
    for (int k = 0; k < out.n; k++) out.x[out.rows * out.n + k] = strtod(at + 1, &at);
  }
  fclose(file);
  return out;
}

//---- comparison ----------------------------------------------------------------------------------

// largest difference in one row, columns relative to the largest number in them, 1 or more
static double row_difference(const scene *s, const table *a, const table *b, int row)
{
  double most = 0;
  for (int k = 0; k < a->n; k++) {
    double scale = 1;
    if (strncmp(art_output_name(s->m, k), "step", 4) == 0) continue;
    for (int i = 0; i < a->rows; i++) scale = check_larger(scale, fabs(a->x[i * a->n + k]));
    const double difference = fabs(a->x[row * a->n + k] - b->x[row * a->n + k]) / scale;
    most = check_larger(most, difference);
  }
  return most;
}


// The agreement of the tables.
typedef struct outcome {
  double until;              // the last row that was compared, s
  double difference, spread; // the largest, from the run by numbers and between two of these
} outcome;


// As well as numbers agree among themselves, from which errors of the step control are known to some
// powers of ten; once they differ by a thousandth, the motion is not determined any more.
static outcome compare(const scene *s, const table *simulated, const table *a, const table *b)
{
  outcome out = {0};
  for (int i = 0; i < a->rows && i < b->rows; i++) {
    const double spread = check_larger(out.spread, row_difference(s, a, b, i));
    if (spread > 1e-3) break;
    if (!CHECK(i < simulated->rows)) {
      printf("  %s: the simulator stopped after %d rows\n", s->name, simulated->rows);
      break;
    }
    const double difference = row_difference(s, a, simulated, i);
    out =
        (outcome){art_output_time(&s->study, i), check_larger(out.difference, difference), spread};
    if (CHECK(difference <= 1e-7 + 30 * spread)) continue;
    printf("  %s: %g at %g s, where numbers differ by %g\n", s->name, difference, out.until,
           spread);
    break;
  }
  return out;
}


// the simulator as text; forces without equations on symbols have none
static int write_simulator(scene *s, simulatorKind kind, const char *file)
{
  const genOptions options = {0};
  const simulatorForm form = {.kind = kind, .name = "simulator"};
  const artStatus status =
      tongue_write_simulator(s->m, s->d, &s->study, &options, form, file, &check_error);
  if (status == ART_UNSUPPORTED) {
    printf("  %s is left out: %s\n", s->name, check_error.text);
    return 0;
  }
  if (!CHECK(status == ART_OK)) printf("  %s: %s\n", s->name, check_error.text);
  return status == ART_OK;
}


static int simulate_to(scene *s, double tolerance)
{
  const double begin = seconds_used();
  if (!write_simulator(s, SIMULATOR_PROGRAM, "simulator.c") ||
      !folder_run(folder_own(),
                  "%s -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "
                  "-ffp-contract=off simulator.c -lm -o simulator",
                  folder_compiler("simulator.c"))) {
    return 0;
  }
  const double made = seconds_used();

  folder_run(folder_own(), "./simulator --tolerance %g > out || test -s out", tolerance);
  s->made = made - begin;
  s->ran = seconds_used() - made;
  return 1;
}


static int simulate(scene *s)
{
  return simulate_to(s, 1e-10);
}


// the same by ode45, in Octave
static int simulate_by_octave(scene *s)
{
  folder_write(
      folder_path("call.m"),
      "1;\n[t, y, names] = simulator([], 1e-10);\n"
      "printf('time [s]'); printf(',%s', names{:}); printf('\\n');\n"
      "for i = 1:numel(t), printf('%.17g', t(i)); printf(',%.17g', y(i,:)); printf('\\n'); end\n");
  return write_simulator(s, SIMULATOR_MATLAB, "simulator.m") &&
         folder_run(folder_own(), "octave-cli --norc --quiet call.m > out");
}


static void print_line(const scene *s, const outcome *o)
{
  if (!getenv("ART_SOAK") && !getenv("ART_MODELS")) return;
  printf(
      "  %s: %.1e in %.4g s, numbers among themselves %.1e; %.1f s to make, %.1f s to run, %.1f s "
      "by numbers\n",
      s->name, o->difference, o->until, o->spread, s->made, s->ran, s->numbers);
  fflush(stdout);
}


// the machine at its initial state
static scene open_scene(const char *path, double until)
{
  scene s = {.name = path, .m = keep_file(path), .study = art_default_run()};
  s.study.integrator = ART_DOPRI5, s.study.tolerance = 1e-10, s.study.until = until;
  s.study.interval = until / (ROWS - 1), s.d = keep_settled_data(s.m);
  return s;
}


static void check_machine(const char *path, double until, int (*run)(scene *s))
{
  scene s = open_scene(path, until);
  if (!run(&s)) return;
  const int has_loops = art_count(s.m).loops > 0;
  const double begin = seconds_used();
  const table simulated = read_table(&s), a = run_numbers(&s, ART_AUTOMATIC, 1e-10);
  s.numbers = seconds_used() - begin;
  const table b = run_numbers(&s, has_loops ? ART_RECURSIVE : ART_MASS_MATRIX, 3e-11);
  const outcome found = compare(&s, &simulated, &a, &b);
  print_line(&s, &found);
  check_free_kept();
}

//---- tests ---------------------------------------------------------------------------------------

// Not all are simulated for twenty seconds: Andrews' mechanism is driven by a torque without
// losses and turns 100 times faster after a second. Forty four-bars lie on one line twice a turn, where
// each may go on as another linkage; after 16 s one of them does.
static double duration(const char *name)
{
  if (strstr(name, "andrews")) return 0.05;

  // a little more than twenty: drives go over from one law to another at round instants, of which runs show one
  // side and simulators the other
  return strstr(name, "four-bars-40") ? 15 : 20.3125;
}


TEST(twenty_seconds_by_simulators_are_those_of_numbers)
{
  static machineFiles files;
  static const char *const sample[] = {"pendulum.yaml",
                                       "gimbal.yaml",
                                       "puck.yaml",
                                       "spindle.yaml",
                                       "crane.yaml",
                                       "loops/four-bar.yaml",
                                       "loops/delta-rods.yaml",
                                       "loops/seven-body.yaml",
                                       "benchmarks/four-bars-2.yaml",
                                       "benchmarks/slider-crank.yaml",
                                       "plant/excavator.yaml",
                                       "plant/gear-motor.yaml",
                                       "vehicles/cart.yaml",
                                       "vehicles/iltis.yaml"};
  const char *only = getenv("ART_MODELS");
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    const char *name = machine_name(files.path[i]);
    int is_meant = only ? strstr(name, only) != NULL : getenv("ART_SOAK") != NULL;
    for (size_t k = 0; !only && k < sizeof sample / sizeof *sample; k++) {
      is_meant |= strcmp(sample[k], name) == 0;
    }
    if (is_meant) check_machine(files.path[i], duration(name), simulate);
  }
}


// Velocities that roll do not drift: the sleigh turns by 127 degrees, the caster of the cart around.
TEST(simulators_roll_without_slip)
{
  check_machine("models/contact/rolling/bicycle.yaml", 3, simulate);
  check_machine("models/contact/rolling/cart.yaml", 8, simulate);
  check_machine("models/contact/rolling/sleigh.yaml", 20, simulate);
  check_machine("models/contact/rolling/tricycle.yaml", 5, simulate);
}


// How far a simulator and a run are from a run whose tolerance is 1e-13, as shares of columns' largest numbers.
static void check_corners(const char *path, double until, double tolerance)
{
  scene s = open_scene(path, until);
  if (!simulate_to(&s, tolerance)) return;
  const table simulated = read_table(&s), exact = run_numbers(&s, ART_AUTOMATIC, 1e-13);
  const table a = run_numbers(&s, ART_AUTOMATIC, tolerance);
  double own = 0, numbers = 0;
  CHECK(simulated.rows == ROWS && exact.rows == ROWS && a.rows == ROWS);
  for (int i = 0; i < ROWS; i++) {
    own = check_larger(own, row_difference(&s, &exact, &simulated, i));
    numbers = check_larger(numbers, row_difference(&s, &exact, &a, i));
  }
  if (!CHECK(own <= 8 * numbers)) {
    printf("  %s: %.2g by the simulator, %.2g by numbers\n", s.name, own, numbers);
  }
}


// Laws, stops, branches of formulas and tables are left at their corners: a simulator that steps across these is 20 to
// 350 times farther from the motion than a run is.
TEST(corners_are_met_where_runs_meet_them)
{
  check_corners("models/puck.yaml", 2.55, 1e-8);
  check_corners("models/plant/excavator.yaml", 4, 1e-9);
  check_corners("models/plant/gear-motor.yaml", 2.05, 1e-10);
  check_corners("test/models/good/corners.yaml", 3.05, 1e-9);
  check_corners("test/models/good/graze.yaml", 3.05, 1e-8);
  check_corners("test/models/good/flashes.yaml", 10.05, 1e-9);
}


// outputs that are 0 in the last row
static void check_zeros(const char *path)
{
  scene s = open_scene(path, 1);
  if (!simulate_to(&s, 1e-10)) return;
  const table simulated = read_table(&s);
  CHECK(simulated.rows == ROWS);
  for (int k = 0; k < simulated.n; k++) {
    const double x = simulated.x[(ROWS - 1) * simulated.n + k];
    if (!CHECK(fabs(x) <= 1e-11)) printf("  %s: output %d is %g\n", s.name, k, x);
  }
}


TEST(laws_that_stand_on_their_borders_have_closed_forms)
{
  check_zeros("test/models/good/standing.yaml");
  check_zeros("test/models/good/standing-locks.yaml");
}


// sides of relays change within steps, where runs find it
TEST(relays_go_over_where_runs_find_it)
{
  check_machine("test/models/good/relay.yaml", 3.05, simulate);
}


// and ropes, locks and latches engage and release, with impacts
TEST(latches_engage_where_runs_find_it)
{
  check_machine("models/rope-pendulum.yaml", 3.05, simulate);
  check_machine("models/loops/four-bar-lock.yaml", 1.05, simulate);
  check_machine("models/latch.yaml", 4, simulate);
  check_machine("test/models/good/two-ropes.yaml", 1.55, simulate);
  check_machine("test/models/good/conditions.yaml", 2.0125, simulate);

  // more than three of them: one set of equations
  check_machine("test/models/good/locks.yaml", 2.0125, simulate);
  check_machine("models/plant/industrial-robot.yaml", 0.3, simulate);
}


// One row, before which steps are as long as their errors let them be: what leaves its side and returns within a step is
// found on the way, where a latch engages and something else is found at the end of the step.
static void check_coarse(const char *path, double until)
{
  scene s = open_scene(path, until);
  s.study.interval = until;
  if (!simulate_to(&s, 1e-8)) return;
  const table simulated = read_table(&s), a = run_numbers(&s, ART_AUTOMATIC, 1e-8);
  CHECK(simulated.rows == 2 && a.rows >= 2);
  const double difference = row_difference(&s, &a, &simulated, 1);
  if (!CHECK(difference <= 1e-7)) printf("  %s: %g in one row\n", s.name, difference);
}


TEST(latches_engage_within_long_steps)
{
  check_coarse("models/latch.yaml", 2);
  check_coarse("models/rope-pendulum.yaml", 3.05);
  check_coarse("test/models/good/two-ropes.yaml", 1.55);
  check_coarse("test/models/good/relay.yaml", 3.05);
  check_coarse("test/models/good/conditions.yaml", 2.0125);
}


// `make test-all`: a quaternion, a impact of a drive, other coordinates behind a dead centre, slips that lag behind
TEST(motions_by_ode45_are_those_of_numbers)
{
  if (!getenv("ART_TEST_ALL") || !tongue_is_installed("octave-cli")) return;
  check_machine("models/double-pendulum.yaml", 1, simulate_by_octave);
  check_machine("models/gimbal.yaml", 0.2, simulate_by_octave);
  check_machine("models/crane.yaml", 2.4375, simulate_by_octave);
  check_machine("models/loops/four-bar.yaml", 0.4, simulate_by_octave);
  check_machine("models/vehicles/single-track.yaml", 1.5625, simulate_by_octave);
  check_machine("models/vehicles/cart.yaml", 0.04, simulate_by_octave);
}


TEST(wrong_options_are_explained)
{
  scene s = open_scene("models/pendulum.yaml", 1);
  if (simulate(&s)) {
    folder_run(folder_own(),
               "./simulator --speed 3 2> out; test $? = 2 && grep -q -e --tolerance out");
    folder_run(folder_own(), "./simulator --until 2> out; test $? = 2");
    folder_run(folder_own(),
               "./simulator --until 2 --method rk4 --step 0.01 > out && tail -1 out | grep -q ^2,");
  }
}


// A wheel under a spring is drawn over a road.
static const char DRAWN[] =
    "articula: 1\n"
    "roads: {%s}\n"
    "tyres: {t: {type: radial, radius: 0.3, stiffness: 2e5, damping: 3e3, load: 4000}}\n"
    "bodies:\n"
    "  sledge: {mass: 10, inertia: [1, 1, 1]}\n"
    "  knuckle: {mass: 40, inertia: [1, 1, 1]}\n"
    "  wheel: {mass: 20, inertia: [1, 2, 1]}\n"
    "joints:\n"
    "  way: {type: prismatic, axis: x, from: ground, to: sledge}\n"
    "  travel: {type: prismatic, axis: z, from: sledge, to: knuckle}\n"
    "  spin: {type: revolute, axis: y, from: knuckle, to: wheel}\n"
    "drives: {pull: {coordinate: way, value: = 6*time}}\n"
    "forces:\n"
    "  spring: {type: joint-spring, coordinate: travel, stiffness: 2e4, damping: 1500, rest: 0.2}\n"
    "  tyre: {type: tyre, wheel: wheel, tyre: t, road: r}\n"
    "initial: {travel: {slide: 0.3}, spin: {rate: 20}}\n"
    "outputs: [travel.slide, travel.rate, tyre.fx, tyre.fz, tyre.z]\n";


// Roads without short equations are tables in the text, with the functions of the library.
TEST(roads_of_every_kind_are_inside_simulators)
{
  static const char *const kinds[] = {
      "r: {type: plane, grade: 0.02, bank: 0.01}",
      "r: {type: bump, start: 1, length: 2, height: 0.06}",
      "r: {type: sine, amplitude: 0.02, wavelength: 3}",
      "r: {type: ramp, start: 1, up: 1, plateau: 1, down: 1.5, height: 0.08, radius: 0.8}",
      "r: {type: stairs, start: 1, count: 2, rise: 0.03, tread: 1, riser: 0.3, radius: 0.5}",
      "r: {type: random, class: C, seed: 3}",
      "r: {type: random, class: B, seed: 5, track: 1.4, start: 1, blend: 1}",
      "a: {type: random, class: C, seed: 3}, b: {type: sine, amplitude: 0.02, wavelength: 2}, "
      "r: {type: sum, parts: [a, b]}",
      "a: {type: random, class: C, seed: 3}, r: {type: placed, road: a, position: [1, 2, 0.05], "
      "heading: 0.3}",
      "a: {type: random, class: C, seed: 3}, b: {type: plane, height: 0.02}, r: {type: tracks, "
      "blend: 0.5, tracks: [{from: -2, to: -0.2, road: b}, {from: -0.2, to: 2, road: a}]}",
  };
  static char text[20000], points[16000];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds + 2; i++) {
    // and tables of many points, through a curve and straight lines
    const int is_table = i >= sizeof kinds / sizeof *kinds;
    size_t used = (size_t) snprintf(points, sizeof points, "r: {type: table, profile: [[0, 0]");
    for (int k = 1; is_table && k < 120; k++) {
      used += (size_t) snprintf(points + used, sizeof points - used, ", [%g, %g]", 0.3 * k,
                                0.01 * sin(0.9 * k));
    }
    snprintf(points + used, sizeof points - used, "]%s}", i % 2 ? ", curve: linear" : "");
    snprintf(text, sizeof text, DRAWN, is_table ? points : kinds[i]);
    folder_write(folder_path("drawn.yaml"), text);
    check_machine(folder_path("drawn.yaml"), 0.6, simulate);
  }
}
