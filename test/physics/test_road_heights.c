// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads that formulas raise under a wheel: against the same law on a mass without a wheel, against roads that lie higher, by all
// methods and in generated code.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/tongue.h"

// a wheel on a post that goes up and down, and a mass on the same law of height and rate
static const char POST[] =
    "articula: 1\ntitle: post\n"
    "inputs: {height: {unit: m, default: 0.002}, rate: {unit: m/s, default: 0.01}}\n"
    "tyres: {t: {type: linear, radius: 0.3, stiffness: 2e5, damping: 3000, load: 3000, slip: 0, "
    "cornering: 0}}\n"
    "bodies: {hub: {mass: 300}, wheel: {mass: 10, inertia: [0.5, 1, 0.5]}, other: {mass: 310}}\n"
    "joints:\n"
    "  up: {type: prismatic, axis: z, from: ground, to: hub}\n"
    "  spin: {type: revolute, axis: y, from: hub, to: wheel}\n"
    "  twin: {type: prismatic, axis: z, from: ground, to: other}\n"
    "states:\n"
    "  h: {unit: m, rate: \"= 20[mm/s]*cos(20[rad/s]*time)\"}\n"
    "forces:\n"
    "  tyre: {type: tyre, wheel: wheel, tyre: t, road_height: = height + h, road_rate: \"= rate + "
    "20[mm/s]*cos(20[rad/s]*time)\"}\n"
    "  same: {type: joint-force, coordinate: twin, value: \"= 2e5[N/m]*(0.3[m] + height + h - "
    "twin.slide) + 3000[N*s/m]*(rate + 20[mm/s]*cos(20[rad/s]*time) - twin.rate)\"}\n"
    "initial: {up: {slide: 0.2848}, twin: {slide: 0.2848}}\n"
    "outputs: [up.slide, twin.slide, tyre.z, tyre.fz]\n"
    "study: {type: run, until: 0.5 s, interval: 0.5 s, tolerance: 1e-10}\n";
enum { OUTPUTS = 4 };


// outputs after half a second
static int run_half_second(const artModel *m, artMethod method, artBackend backend, double *y)
{
  artRunDef study = art_default_run();
  study.method = method;
  study.backend = backend;
  study.until = study.interval = 0.5;
  study.tolerance = 1e-10;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  if (!run || !CHECK_WORKS(art_run_to(run, 0.5, &check_error))) return 0;
  art_outputs(m, d, y);
  return 1;
}


static void check_twins(const double *y, double tolerance)
{
  CHECK_CLOSE(y[0], y[1], tolerance);
  CHECK_CLOSE(y[2], 0.002 + 1e-3 * sin(10), tolerance);
  CHECK(fabs(y[0] - 0.2848) > 1e-4);
}


TEST(a_wheel_on_a_post_moves_as_a_mass_on_its_law)
{
  static const artMethod method[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
  static const artMethod natural[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  const artModel *m = keep_text(POST);
  double y[OUTPUTS];
  for (int i = 0; i < 3; i++) {
    if (run_half_second(m, method[i], 0, y)) check_twins(y, 1e-9);
    if (run_half_second(m, natural[i], 0, y)) check_twins(y, 1e-6);
  }
  if (run_half_second(m, ART_AUTOMATIC, ART_BACKEND_GENERATED, y)) check_twins(y, 1e-9);
}


TEST(generated_code_raises_the_road)
{
  const genOptions options = {0};
  const simulatorForm form = {.kind = SIMULATOR_PROGRAM, .name = "post"};
  const artModel *m = keep_text(POST);
  artRunDef study = art_default_run();
  study.until = study.interval = 0.5;
  double y[OUTPUTS], want[OUTPUTS];
  char line[400] = "";
  artData *d = keep_settled_data(m);
  if (!run_half_second(m, ART_SEMIRECURSIVE, 0, want)) return;
  if (!CHECK_WORKS(tongue_write_simulator(m, d, &study, &options, form, "post.c", &check_error))) {
    return;
  }
  if (!folder_run(folder_own(),
                  "%s -std=c11 -ffp-contract=off post.c -lm -o post && "
                  "./post --method dopri5 --tolerance 1e-10 | tail -n 1 > out",
                  folder_compiler("post.c"))) {
    return;
  }
  FILE *file = folder_open(folder_own(), "out", "r");
  if (!CHECK(file && fgets(line, sizeof line, file))) return;
  fclose(file);
  if (!CHECK_EQ_INT(sscanf(line, "%*[^,],%lf,%lf,%lf,%lf", &y[0], &y[1], &y[2], &y[3]), OUTPUTS))
    return;
  check_twins(y, 1e-9);
  for (int i = 0; i < 3; i++) CHECK_CLOSE(y[i], want[i], 1e-9);
}


// A quarter of a car over a bump, from a height and on a road that is raised by it.
static const artModel *quarter_car(double height, const char *road)
{
  return keep_text_of(
      "articula: 1\ntitle: car\n"
      "roads: {r: {type: bump, start: 3, length: 0.3, height: 0.02}, flat: {type: plane}, kerb: "
      "{type: table, profile: [[0, 0], [4, 0], [4.05, 0.03], [9, 0.03]]}}\n"
      "tyres: {t: {type: linear, radius: 0.3, stiffness: 2e5, damping: 300, load: 3000, slip: 0, "
      "cornering: 0}}\n"
      "bodies: {carrier: {mass: 0}, body: {mass: 300}, wheel: {mass: 10, inertia: [0.5, 1, 0.5]}}\n"
      "joints:\n"
      "  along: {type: prismatic, axis: x, from: ground, to: carrier}\n"
      "  up: {type: prismatic, axis: z, from: carrier, to: body}\n"
      "  spin: {type: revolute, axis: y, from: body, to: wheel}\n"
      "drives: {go: {coordinate: along, value: \"= 10[m/s]*time\"}}\n"
      "forces:\n"
      "  tyre: {type: tyre, wheel: wheel, tyre: t, road: %s, road_height: %.17g, road_rate: 0}\n"
      "initial: {up: {slide: %.17g}, spin: {rate: 33}}\n"
      "outputs: [up.slide, up.rate, tyre.z, tyre.fz]\n",
      road, height, 0.285 + height);
}


TEST(a_raised_road_raises_the_motion)
{
  static const char *const roads[] = {"flat", "r", "kerb"};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      double low[OUTPUTS], high[OUTPUTS];
      const artBackend backend = k ? ART_BACKEND_GENERATED : ART_BACKEND_NUMERIC;
      if (!run_half_second(quarter_car(0, roads[i]), ART_AUTOMATIC, backend, low)) return;
      if (!run_half_second(quarter_car(0.07, roads[i]), ART_AUTOMATIC, backend, high)) return;
      CHECK_CLOSE(high[0], low[0] + 0.07, 1e-8);
      CHECK_CLOSE(high[1], low[1], 1e-6);
      CHECK_CLOSE(high[2], low[2] + 0.07, 1e-8);
      CHECK_CLOSE(high[3], low[3], 1e-2);
    }
  }
}


TEST(heights_and_rates_come_together)
{
  static const char *const keys[] = {"road_height: 0.1", "road_rate: 0"};
  static const char *const words[] = {"tyre 'tyre' has 'road_height' without 'road_rate'",
                                      "tyre 'tyre' has 'road_rate' without 'road_height'"};
  for (int i = 0; i < 2; i++) {
    artModel *m = NULL;
    char text[600];
    snprintf(text, sizeof text,
             "articula: 1\n"
             "tyres: {t: {type: linear, radius: 0.3, stiffness: 2e5, load: 3000, slip: 0, "
             "cornering: 0}}\n"
             "bodies: {wheel: {mass: 10, inertia: [0.5, 1, 0.5]}}\n"
             "joints: {float: {type: free, from: ground, to: wheel}}\n"
             "forces: {tyre: {type: tyre, wheel: wheel, tyre: t, %s}}\n",
             keys[i]);
    CHECK_FAILS(art_read_model(&m, text, strlen(text), "t.yaml", &check_error), ART_BAD_INPUT,
                words[i]);
  }
}
