// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Blocks of Simulink, compiled against a header written for tests and driven by a small host
// (support/simulink), against runs by numbers with the same method and step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/tongue.h"

#define HOST ART_SOURCE_DIR "/test/support/simulink"

//---- blocks --------------------------------------------------------------------------------------

typedef struct scene {
  artModel *m;
  artData *d;
  artRunDef study;
} scene;


// assembled; rk4 with this step, a row every so many steps
static scene open_scene(const char *path, double step, int each, double until)
{
  scene s = {.m = keep_file(path), .study = art_default_run()};
  s.study.integrator = ART_RK4, s.study.step = step, s.study.until = until;
  s.study.interval = each * step;
  s.d = keep_settled_data(s.m);
  return s;
}


static artStatus write_block(const scene *s, artError *error)
{
  const simulatorForm form = {.kind = SIMULATOR_SFUNCTION, .name = "shaker"};
  return tongue_write_simulator(s->m, s->d, &s->study, &(genOptions){0}, form, "block.c", error);
}


static int compile_block(const scene *s)
{
  if (!CHECK_WORKS(write_block(s, &check_error))) return 0;
  return folder_run(folder_own(),
                    "%s -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion "
                    "-Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror "
                    "-I" HOST " -DNRT -DBLOCK=shaker block.c " HOST "/host.c -lm -o block",
                    folder_compiler("block.c"));
}


static int run_block(const scene *s, double amplitude, const char *parameters)
{
  return folder_run(folder_own(), "./block %.17g %.17g %d %.17g %s > rows 2> log", s->study.step,
                    s->study.until, (int) lround(s->study.interval / s->study.step), amplitude,
                    parameters);
}

//---- comparison ----------------------------------------------------------------------------------

enum { WIDEST = 400, MAX_ROWS = 64 };

// one row of the host: time, positions, velocities, outputs; returns how many numbers it has
static int read_row(FILE *file, double x[WIDEST])
{
  static char line[20000];
  int n = 0;
  if (!fgets(line, sizeof line, file)) return 0;
  for (char *at = line; n < WIDEST; at++) {
    char *end;
    x[n] = strtod(at, &end);
    if (end == at) break;
    at = end;
    n++;
  }
  return n;
}


// positions, velocities and outputs of a run in one row
static void read_numbers(const scene *s, artData *d, double *x)
{
  const artCounts n = art_count(s->m);
  memcpy(x, d->q, (size_t) n.nq * sizeof *x);
  memcpy(x + n.nq, d->v, (size_t) n.nv * sizeof *x);
  art_outputs(s->m, d, x + n.nq + n.nv);
}


// the largest difference of a column, relative to its largest number, 1 or more
static double largest_difference(int rows, int width, double got[][WIDEST], double want[][WIDEST])
{
  double most = 0;
  for (int k = 0; k < width; k++) {
    double scale = 1, difference = 0;
    for (int i = 0; i < rows; i++) {
      scale = check_larger(scale, fabs(want[i][k]));
      difference = check_larger(difference, fabs(got[i][k] - want[i][k]));
    }
    most = check_larger(most, difference / scale);
  }
  return most;
}


// rows of the block in the file against the run of a scene; NaN when they are not as many
static double compare(const scene *s)
{
  static double got[MAX_ROWS][WIDEST], want[MAX_ROWS][WIDEST];
  const artCounts n = art_count(s->m);
  const int width = n.nq + n.nv + n.outputs;
  FILE *file = folder_open(folder_own(), "rows", "r");
  int rows = 0;
  artRun *run = keep_started_run(s->m, s->d, &s->study);
  int is_complete = CHECK(file) && CHECK(width + 1 <= WIDEST);
  const int count = (int) floor(s->study.until / s->study.interval + 1e-9) + 1;
  for (; is_complete && rows < count && rows < MAX_ROWS; rows++) {
    double x[WIDEST];
    is_complete = CHECK(read_row(file, x) == width + 1) &&
                  CHECK(fabs(x[0] - rows * s->study.interval) < 1e-9) &&
                  CHECK_WORKS(art_run_to(run, rows * s->study.interval, &check_error));
    memcpy(got[rows], x + 1, (size_t) width * sizeof *x);
    read_numbers(s, s->d, want[rows]);
  }
  is_complete = is_complete && CHECK(rows == count) && CHECK(fgetc(file) == EOF);
  if (file) fclose(file);
  return is_complete ? largest_difference(rows, width, got, want) : NAN;
}


static void check_model(const char *name, double step, int each, double until)
{
  scene s = open_scene(name, step, each, until);
  if (compile_block(&s) && run_block(&s, 0, "")) {
    const double difference = compare(&s);
    if (!CHECK(difference < 1e-8)) printf("  %s: %g\n", name, difference);
  }
}

//---- tests ---------------------------------------------------------------------------------------

// independent coordinates are chosen otherwise than by the run, hence steps of the linkage that are short
TEST(blocks_move_as_runs_do)
{
  check_model("models/double-pendulum.yaml", 1e-3, 100, 2);
  check_model("models/gimbal.yaml", 5e-4, 100, 1);
  check_model("models/loops/four-bar.yaml", 1e-4, 1000, 1);
  check_model("models/loops/seven-body.yaml", 5e-5, 100, 0.03);
  check_model("models/benchmarks/slider-crank.yaml", 2e-4, 500, 1);
  check_model("models/vehicles/single-track.yaml", 1e-3, 100, 3);
  check_model("models/vehicles/cart.yaml", 5e-4, 200, 1);

  // rows do not fall on the instants at which rates of drives jump, on either side of which machines are
  check_model("models/crane.yaml", 1e-3, 700, 2.8);
  check_model("models/vehicles/iltis.yaml", 5e-4, 600, 0.9);
}


// A linkage whose joints, of which two depend on the third, are pushed and braked.
static void write_linkage(const char *name, const char *amplitude, const char *gravity)
{
  FILE *out = folder_open(folder_own(), name, "w");
  if (!CHECK(out)) return;
  fprintf(
      out,
      "articula: 1\ntitle: Linkage\ngravity: [0, %s, 0]\n"
      "bodies:\n"
      "  crank: {mass: 1, com: [0, 0.1, 0], inertia: [4e-3, 1e-4, 4e-3]}\n"
      "  coupler: {mass: 2, com: [0.3, 0.2, 0], inertia: [1e-3, 0.06, 0.06]}\n"
      "  rocker: {mass: 1.5, com: [0.55, 0.1, 0], inertia: [7e-3, 2e-3, 7e-3]}\n"
      "joints:\n"
      "  pivot: {type: revolute, axis: z, from: ground, to: crank, at: [0, 0, 0]}\n"
      "  crankpin: {type: revolute, axis: z, from: crank, to: coupler, at: [0, 0.2, 0]}\n"
      "  wrist: {type: revolute, axis: z, from: coupler, to: rocker, at: [0.6, 0.2, 0]}\n"
      "  bearing: {type: revolute, axis: z, from: rocker, to: ground, at: [0.5, 0, 0], loop: cut}\n"
      "initial:\n  pivot: {rate: 2}\n"
      "outputs: {angle: pivot.angle, force: pivot.fx,\n"
      "  balance: energy.balance, work: energy.work}\n",
      gravity);
  if (amplitude) {
    fputs("forces:\n", out);
    static const char *const joint[3] = {"pivot", "crankpin", "wrist"};
    for (int i = 0; i < 3; i++) {
      fprintf(out, "  f%d: {type: joint-force, coordinate: %s, value: \"= %s*sin(3*time + %d)\"}\n",
              i, joint[i], amplitude, i);
    }
  }
  fclose(out);
}


// joint forces of the input act as formulas in a model do; work and energies agree too
TEST(joint_forces_are_those_of_the_input)
{
  write_linkage("linkage.yaml", NULL, "-9.81");
  write_linkage("pushed.yaml", "1.5", "-9.81");
  const scene s = open_scene(folder_path("linkage.yaml"), 2e-4, 250, 1),
              pushed = open_scene(folder_path("pushed.yaml"), 2e-4, 250, 1);
  if (compile_block(&s) && run_block(&s, 1.5, "")) {
    const double difference = compare(&pushed);
    if (!CHECK(difference < 1e-8)) printf("  pushed: %g\n", difference);
    CHECK(compare(&s) > 1e-3);
  }
}


// all constants of the block as they stand in its text, with the gravity of Mars
#define CONSTANTS "$(sed -n '/_default(.*)$/,/^}/s/^  p->\\(.*\\) = \\(.*\\);/\\1=\\2/p' block.c | "

TEST(constants_are_the_parameter_of_the_block)
{
  write_linkage("linkage.yaml", NULL, "-9.81");
  write_linkage("mars.yaml", NULL, "-3.71");
  const scene s = open_scene(folder_path("linkage.yaml"), 2e-4, 250, 0.2),
              mars = open_scene(folder_path("mars.yaml"), 2e-4, 250, 0.2);
  if (compile_block(&s)) {
    run_block(&s, 0, CONSTANTS "sed 's/^gravity_y=.*/gravity_y=-3.71/; s/.*=//')");
    const double difference = compare(&mars);
    if (!CHECK(difference < 1e-8)) printf("  Mars: %g\n", difference);
    folder_run(folder_own(), "./block 1e-3 0.1 10 0 1 2 2> log; "
                             "test $? = 1 && grep -q 'shaker: the parameter must be' log");
  }
}


// a loop that is asked for what it cannot do is named
TEST(loops_that_cannot_close_are_named)
{
  write_linkage("linkage.yaml", NULL, "-9.81");
  scene s = open_scene(folder_path("linkage.yaml"), 2e-4, 250, 0.2);
  if (compile_block(&s)) {
    folder_run(folder_own(),
               "./block 1e-3 0.1 10 0 " CONSTANTS
               "sed 's/^\\([a-z0-9_]*place_x\\)=.*/\\1=7/; s/.*=//') "
               "2> log; test $? = 1 && grep -q 'shaker: loops cannot be closed.*pivot' log");
  }
}


// a ball in a bowl of stops crosses their borders
TEST(switches_of_laws_are_zero_crossings)
{
  scene s = open_scene(ART_SOURCE_DIR "/models/puck.yaml", 5e-4, 100, 1);
  if (compile_block(&s) && run_block(&s, 0, "")) {
    folder_run(folder_own(), "grep -q '^[1-9][0-9]* crossings watched, [1-9][0-9]* seen' log");
  }
}


TEST(steps_of_simulink_are_no_outputs)
{
  scene s = open_scene(ART_SOURCE_DIR "/models/experiments/double-pendulum.yaml", 1e-3, 1, 1);
  CHECK_FAILS(write_block(&s, &check_error), ART_UNSUPPORTED, "leave 'step' out");
}
