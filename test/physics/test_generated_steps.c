// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What lies inside steps of generated machines: pulses, waves and bumps that are far shorter than steps, against closed forms and
// runs, with parameters as they were written and with others.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "model/model.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/tongue.h"

enum { TEXT = 4000 };

// 1 kg on rails, each pushed by a signal of time; after 2 s the rates are WANT, whatever a and d are
static const char PULSES[] =
    "articula: 1\ntitle: plant\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {a: 1.3 s, d: 0.02 s, f: 10}\n"
    "bodies: {b1: {mass: 1}, b2: {mass: 1}, b3: {mass: 1}, b4: {mass: 1}, b5: {mass: 1}, b6: "
    "{mass: 1}}\n"
    "joints:\n"
    "  x1: {type: prismatic, axis: x, from: ground, to: b1}\n"
    "  x2: {type: prismatic, axis: x, from: ground, to: b2}\n"
    "  x3: {type: prismatic, axis: x, from: ground, to: b3}\n"
    "  x4: {type: prismatic, axis: x, from: ground, to: b4}\n"
    "  x5: {type: prismatic, axis: x, from: ground, to: b5}\n"
    "  x6: {type: prismatic, axis: x, from: ground, to: b6}\n"
    "forces:\n"
    "  f1: {type: joint-force, coordinate: x1, value: \"= 1[N*s]/d*step(time - a)*step(a + d - "
    "time)\"}\n"
    "  f2: {type: joint-force, coordinate: x2, value: \"= 2[N*s]/d*(smooth(time, a, 0, a + d/2, 1) "
    "- "
    "smooth(time, a + d/2, 0, a + d, 1))\"}\n"
    "  f3: {type: joint-force, coordinate: x3, value: \"= 1[N]*step(sin(2*pi*f*time/1[s]) - "
    "0.5)\"}\n"
    "  f4: {type: joint-force, coordinate: x4, value: \"= 1[N]*pulse(mod(time, 10*d), 0, 3*d)\"}\n"
    "  f5: {type: joint-force, coordinate: x5, value: \"= 1[N]*hysteresis(sin(2*pi*f*time/1[s]), "
    "-0.5, 0.5)\"}\n"
    "  f6: {type: joint-force, coordinate: x6, value: \"= 1[N*s]/(d*sqrt(pi))*exp(-((time - "
    "a)/d)^2)\"}\n"
    "outputs: [x1.rate, x2.rate, x3.rate, x4.rate, x5.rate, x6.rate]\n"
    "study: {type: run, until: 2 s}\n";
static const double WANT[] = {1, 1, 2.0 / 3, 0.6, 1, 1};
enum { RAILS = 6 };

// steps of the interface up to `until`, of the length in the first argument, with pairs of names and values of parameters
static const char PROGRAM[] =
    "#include \"plant.c\"\n"
    "#include <stdio.h>\n#include <stdlib.h>\n"
    "int main(int n, char **word)\n{\n"
    "  static plant_machine m;\n"
    "  double y[plant_NY], h = atof(word[1]), until = atof(word[2]);\n"
    "  plant_start(&m);\n"
    "  for (int i = 3; i + 1 < n; i += 2) {\n"
    "    for (int k = 0; k < plant_NPARAMETER; k++) {\n"
    "      if (strcmp(plant_about.parameters[k].name, word[i]) == 0) ((double *) &m.p)[k] = "
    "atof(word[i + 1]);\n"
    "    }\n"
    "  }\n"
    "  plant_prepare(&m);\n"
    "  if (plant_begin(&m)) return 1;\n"
    "  while (m.t < until - 1e-9) {\n"
    "    if (plant_step(&m, m.t + h < until ? h : until - m.t)) return puts(m.failed), 1;\n"
    "  }\n"
    "  if (plant_outputs(&m, y)) return 1;\n"
    "  for (int i = 0; i < plant_NY; i++) printf(\"%.17g\\n\", y[i]);\n"
    "  printf(\"%.17g\\n%.17g\\n%ld\\n\", m.error, m.error_at, m.unproved);\n"
    "  return 0;\n}\n";


static int write_text(const artModel *m, simulatorKind kind, const char *name, const char *file)
{
  const genOptions options = {0};
  const simulatorForm form = {.kind = kind, .name = name};
  artRunDef study = art_default_run();
  study.until = study.interval = 2;
  artData *d = keep_settled_data(m);
  return CHECK_WORKS(tongue_write_simulator(m, d, &study, &options, form, file, &check_error));
}


static int compile(const char *file, const char *program)
{
  return folder_run(folder_own(),
                    "%s -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "
                    "-ffp-contract=off %s -lm -o %s",
                    folder_compiler(file), file, program);
}


static int make_steps(const artModel *m)
{
  if (!write_text(m, SIMULATOR_MACHINE, "plant", "plant.c")) return 0;
  folder_write(folder_path("steps.c"), PROGRAM);
  return folder_run(folder_own(), "%s -std=c11 -ffp-contract=off steps.c -lm -o steps",
                    folder_compiler("plant.c"));
}


// the numbers that a program has written, behind the first line where a table has a head
static int read_numbers(int n, double *x, int is_table)
{
  FILE *file = folder_open(folder_own(), "out", "r");
  char line[TEXT];
  int k = 0;
  if (!CHECK(file)) return 0;
  while (!is_table && k < n && fscanf(file, "%lf", &x[k]) == 1) k++;
  while (is_table && fgets(line, sizeof line, file)) {
    char *at = strchr(line, ',');
    for (k = 0; k < n && at && *at == ','; k++) x[k] = strtod(at + 1, &at);
  }
  fclose(file);
  return CHECK_EQ_INT(k, n);
}


static void check_pulses(const char *how, const double *x, double tolerance)
{
  for (int k = 0; k < RAILS; k++) {
    if (!CHECK_CLOSE(x[k], WANT[k], tolerance)) printf("  rail %d, %s\n", k + 1, how);
  }
}


TEST(steps_of_machines_pass_no_pulse)
{
  static const char *const how[] = {"2 2", "0.3 2 d 0.002 a 0.71"};
  double x[RAILS];
  if (!make_steps(keep_text(PULSES))) return;
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
    if (!folder_run(folder_own(), "./steps %s > out", how[i])) return;
    if (read_numbers(RAILS, x, 0)) check_pulses(how[i], x, 3e-4);
  }
}


// Machines in other languages call the one in C, which looks into its steps.
TEST(steps_of_machines_in_python_pass_no_pulse)
{
  const genOptions options = {0};
  const artModel *m = keep_text(PULSES);
  artRunDef study = art_default_run();
  study.until = study.interval = 2;
  FILE *c = folder_open(folder_own(), "plant_python.c", "w");
  const simulatorForm form = {.kind = SIMULATOR_MACHINE,
                              .language = EMIT_PYTHON,
                              .header = c,
                              .header_name = "plant_python.c"};
  double x[RAILS];
  folder_write(folder_path("steps.py"), "from plant import Machine\nm = Machine()\nm.begin()\n"
                                        "m.step(2)\nprint(*m.outputs())\n");
  if (!CHECK_WORKS(tongue_write_simulator(m, keep_settled_data(m), &study, &options, form,
                                          "plant.py", &check_error))) {
    return;
  }
  fclose(c);
  if (!folder_run(folder_own(), "CC=" FOLDER_QUICK_CC " CFLAGS= python3 steps.py > out")) return;
  if (read_numbers(RAILS, x, 0)) check_pulses("python", x, 3e-4);
}


TEST(simulators_pass_no_pulse)
{
  double x[RAILS];
  if (!write_text(keep_text(PULSES), SIMULATOR_PROGRAM, "simulator", "simulator.c") ||
      !compile("simulator.c", "simulator")) {
    return;
  }
  if (!folder_run(folder_own(), "./simulator --method dopri5 --tolerance 1e-9 > out 2> note"))
    return;
  if (read_numbers(RAILS, x, 1)) check_pulses("simulator", x, 1e-6);
}


//---- formulas of the motion ----------------------------------------------------------------------

// A body at 10 m/s passes 4.7 m; six others are pushed while it is there, by two parabolas, half a wave, a bell, a triangle, a rectangle
// and a curve with long tails: the impulse of each is 1 N s, whatever d is.
static const char PLACES[] =
    "articula: 1\ntitle: plant\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {a: 4.7 m, d: 0.02 m, c: 10 N*m}\n"
    "bodies: {b: {mass: 1}, b1: {mass: 1}, b2: {mass: 1}, b3: {mass: 1}, b4: {mass: 1}, b5: "
    "{mass: 1}, b6: {mass: 1}}\n"
    "joints:\n"
    "  y: {type: prismatic, axis: x, from: ground, to: b}\n"
    "  x1: {type: prismatic, axis: x, from: ground, to: b1}\n"
    "  x2: {type: prismatic, axis: x, from: ground, to: b2}\n"
    "  x3: {type: prismatic, axis: x, from: ground, to: b3}\n"
    "  x4: {type: prismatic, axis: x, from: ground, to: b4}\n"
    "  x5: {type: prismatic, axis: x, from: ground, to: b5}\n"
    "  x6: {type: prismatic, axis: x, from: ground, to: b6}\n"
    "initial: {y: {rate: 10}}\n"
    "forces:\n"
    "  f1: {type: joint-force, coordinate: x1, value: \"= 2*c/d*(smooth(((y.slide - a)/d), 0, 0, "
    "0.5, 1) - smooth(((y.slide - a)/d), 0.5, 0, 1, 1))\"}\n"
    "  f2: {type: joint-force, coordinate: x2, value: \"= c/d*pi/2*if(((y.slide - a)/d) > 0 and "
    "((y.slide - a)/d) < 1, sin(pi*((y.slide - a)/d)), 0)\"}\n"
    "  f3: {type: joint-force, coordinate: x3, value: \"= c/d/sqrt(pi)*exp(-((y.slide - "
    "a)/d)^2)\"}\n"
    "  f4: {type: joint-force, coordinate: x4, value: \"= c/d*max(0, 1 - abs(((y.slide - "
    "a)/d)))\"}\n"
    "  f5: {type: joint-force, coordinate: x5, value: \"= c/d*if(abs(((y.slide - a)/d)) < 0.5, 1, "
    "0)\"}\n"
    "  f6: {type: joint-force, coordinate: x6, value: \"= c/d/(pi*(1 + ((y.slide - a)/d)^2))\"}\n"
    "outputs: [x1.rate, x2.rate, x3.rate, x4.rate, x5.rate, x6.rate]\n"
    "study: {type: run, until: 1 s}\n";


// The tails of the last one, 1/(1 + x^2), are cut off at both ends of the way.
static void check_places(const char *how, const double *x, double a, double d, double tolerance)
{
  const double tails = (atan((10 - a) / d) - atan(-a / d)) / 3.14159265358979;
  for (int k = 0; k < RAILS; k++) {
    if (!CHECK_CLOSE(x[k], k == 5 ? tails : 1, tolerance)) printf("  rail %d, %s\n", k + 1, how);
  }
}


TEST(simulators_see_forces_at_a_place)
{
  double x[RAILS];
  if (!write_text(keep_text(PLACES), SIMULATOR_PROGRAM, "simulator", "simulator.c") ||
      !compile("simulator.c", "simulator")) {
    return;
  }
  if (!folder_run(folder_own(), "./simulator --until 1 --method dopri5 --tolerance 1e-9 > out 2> "
                                "note"))
    return;
  if (read_numbers(RAILS, x, 1)) check_places("dopri5", x, 4.7, 0.02, 2e-6);
  if (!folder_run(folder_own(), "./simulator --until 1 --interval 1 --step 0.25 --method rk4 > out "
                                "2> note"))
    return;
  if (read_numbers(RAILS, x, 1)) check_places("rk4", x, 4.7, 0.02, 0.01);
}


TEST(steps_of_machines_see_forces_at_a_place)
{
  double x[RAILS];
  if (!make_steps(keep_text(PLACES)) || !folder_run(folder_own(), "./steps 0.2 1 > out")) return;
  if (read_numbers(RAILS, x, 0)) check_places("steps", x, 4.7, 0.02, 0.01);
  if (!folder_run(folder_own(), "./steps 1 1 a 3.13 d 0.003 > out")) return;
  if (read_numbers(RAILS, x, 0)) check_places("with other values", x, 3.13, 0.003, 0.01);
}


// a quarter of a car at 30 m/s
static const char QUARTER_CAR[] =
    "articula: 1\ntitle: plant\n"
    "roads: {r: {type: bump, start: 33, length: 0.3, height: 0.01}}\n"
    "tyres: {t: {type: linear, radius: 0.3, stiffness: 2e5, damping: 300, load: 3000, slip: 0, "
    "cornering: 0}}\n"
    "bodies: {carrier: {mass: 0}, body: {mass: 300}, hub: {mass: 30}, wheel: {mass: 10, inertia: "
    "[0.5, 1, 0.5]}}\n"
    "joints:\n"
    "  along: {type: prismatic, axis: x, from: ground, to: carrier}\n"
    "  up: {type: prismatic, axis: z, from: carrier, to: body}\n"
    "  down: {type: prismatic, axis: z, from: body, to: hub}\n"
    "  spin: {type: revolute, axis: y, from: hub, to: wheel}\n"
    "drives: {go: {coordinate: along, value: \"= 30[m/s]*time\"}}\n"
    "forces:\n"
    "  s: {type: joint-spring, coordinate: down, rest: -0.147, stiffness: 2e4, damping: 1500}\n"
    "  tyre: {type: tyre, wheel: wheel, tyre: t, road: r}\n"
    "initial: {up: {slide: 0.283173}, down: {slide: 0.00015}, spin: {rate: 100}}\n"
    "outputs: [up.slide]\n";


TEST(wheels_of_machines_do_not_jump_over_bumps)
{
  const artModel *m = keep_text(QUARTER_CAR);
  artRunDef study = art_default_run();
  study.until = study.interval = 1.2;
  study.tolerance = 1e-9;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  double want, x;
  if (!run || !CHECK_WORKS(art_run_to(run, 1.2, &check_error))) return;
  art_outputs(m, d, &want);
  CHECK(fabs(want - 0.283173) > 1e-4);
  if (!make_steps(m) || !folder_run(folder_own(), "./steps 0.15 1.2 > out")) return;
  if (read_numbers(1, &x, 0)) CHECK_CLOSE(x, want, 1e-5);
}


//---- steps that are too long ------------------------------------------------------------------------

// A hard stop beside a number that is a thousand millions of times as large, which has nothing to do with it.
static const char STOP[] =
    "articula: 1\ntitle: plant\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {m: {mass: 1}, far: {mass: 1}}\n"
    "joints:\n"
    "  x: {type: prismatic, axis: x, from: ground, to: m}\n"
    "  y: {type: prismatic, axis: x, from: ground, to: far}\n"
    "forces: {s: {type: joint-stop, coordinate: x, upper: %g, stiffness: 1e9}}\n"
    "initial: {x: {rate: %g}, y: {slide: 1e9}}\n"
    "outputs: [x.rate]\n";


static int has_note(const char *file, const char *word)
{
  char line[TEXT];
  int has = 0;
  FILE *note = folder_open(folder_own(), file, "r");
  while (note && fgets(line, sizeof line, note)) has |= strstr(line, word) != NULL;
  if (note) fclose(note);
  return has;
}


TEST(simulators_measure_each_stop_by_itself)
{
  static const double length[] = {1e-3, 1e-6};
  for (int i = 0; i < 2; i++) {
    const double speed = 100 * length[i];
    double rate;
    if (!write_text(keep_text_of(STOP, length[i], speed), SIMULATOR_PROGRAM, "simulator",
                    "simulator.c") ||
        !compile("simulator.c", "simulator")) {
      return;
    }
    if (!folder_run(folder_own(), "./simulator --method dopri5 --until 0.1 --interval 0.1 > out 2> "
                                  "note") ||
        !read_numbers(1, &rate, 1)) {
      return;
    }
    CHECK_CLOSE(rate, -speed, 1e-4 * speed);
    CHECK(!has_note("note", "doubtful"));

    // a contact of 0.1 ms
    if (!folder_run(folder_own(), "./simulator --method rk4 --step 2e-3 --until 0.1 --interval 0.1 "
                                  "> out 2> note"))
      return;
    CHECK(has_note("note", "doubtful: the step of 0.002 s is too long"));
    if (!folder_run(folder_own(), "./simulator --method rk4 --step 2e-6 --until 0.03 --interval "
                                  "0.03 > out 2> note") ||
        !read_numbers(1, &rate, 1)) {
      return;
    }
    CHECK_CLOSE(rate, -speed, 1e-4 * speed);
    CHECK(!has_note("note", "doubtful"));
  }
}


TEST(steps_of_machines_estimate_their_errors)
{
  double x[4];
  if (!make_steps(keep_text_of(STOP, 1e-3, 0.1))) return;
  if (!folder_run(folder_own(), "./steps 2e-3 0.1 > out") || !read_numbers(4, x, 0)) return;
  CHECK(fabs(x[0] + 0.1) > 0.01 && x[1] > 1e-2);
  CHECK_CLOSE(x[2], 0.01, 1e-3);
  if (!folder_run(folder_own(), "./steps 2e-6 0.03 > out") || !read_numbers(4, x, 0)) return;
  CHECK_CLOSE(x[0], -0.1, 1e-5);
  CHECK(x[1] < 1e-3 && x[2] == 0 && x[3] == 0);
}


// a row at the instant of a switch shows what was before it, as those of runs do
TEST(rows_of_simulators_show_the_side_of_those_of_runs)
{
  static const char *const forces[] = {"pulse(time, 0.25[s], 0.5[s])", "step(time - 0.75[s])",
                                       "sign(0.5[s] - time)", "step(sin(4*pi*time/1[s]))"};
  for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
    const artModel *m =
        keep_text_of("articula: 1\ntitle: plant\n"
                     "bodies: {m: {mass: 1}}\n"
                     "joints: {x: {type: prismatic, axis: x, from: ground, to: m}}\n"
                     "forces: {f: {type: joint-force, coordinate: x, value: '= 1[N]*%s'}}\n"
                     "outputs: [f.force]\n",
                     forces[i]);
    artRunDef study = art_default_run();
    study.until = 1;
    study.interval = 0.25;
    artData *d = keep_fresh_data(m);
    artRun *run = keep_started_run(m, d, &study);
    if (!run || !write_text(m, SIMULATOR_PROGRAM, "simulator", "simulator.c") ||
        !compile("simulator.c", "simulator")) {
      return;
    }
    for (int row = 1; row <= 3; row++) {
      double want, got;
      CHECK_WORKS(art_run_to(run, 0.25 * row, &check_error));
      art_outputs(m, d, &want);
      if (!folder_run(folder_own(), "./simulator --interval 0.25 --until %g > out 2> note",
                      0.25 * row) ||
          !read_numbers(1, &got, 1)) {
        return;
      }
      if (!CHECK(got == want))
        printf("  %s at %g s: %g, a run: %g\n", forces[i], 0.25 * row, got, want);
    }
  }
}
