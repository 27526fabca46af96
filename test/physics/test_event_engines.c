// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Every kind of event by every engine that takes steps, in closed form: what doc/theory/events.md says of events holds for runs in
// relative and natural coordinates, for simulators and for machines behind the interface alike.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/tongue.h"

enum { SECONDS = 1 }; // that each case lasts

typedef enum engine {
  BY_DOPRI5,
  BY_BDF,
  BY_ADAMS,
  BY_RK4,
  BY_MULTI_INDEX,
  BY_INDEX1,
  BY_INDEX3,
  BY_CONSERVING,
  BY_SIMULATOR,
  BY_MACHINE,
  ENGINES,
} engine;

static const char *const ENGINE_NAMES[ENGINES] = {"dopri5",      "bdf",      "adams",  "rk4",
                                                  "multi-index", "index1",   "index3", "conserving",
                                                  "simulator",   "NAME_step"};

// Engines that do not show a case, with the reason; doc/theory/events.md lists them.
#define BIT(engine)     (1u << (engine))
#define RESTS_BY_CHANCE BIT(BY_SIMULATOR) // rounding decides on which side of the border
#define LONG_TRAPEZOIDS                                                                            \
  (BIT(BY_INDEX1) | BIT(BY_INDEX3) | BIT(BY_CONSERVING)) // contacts in one step
#define LONG_STEPS (BIT(BY_RK4) | BIT(BY_MACHINE))
#define PARABOLAS  (BIT(BY_SIMULATOR) | BIT(BY_MACHINE)) // show no corners

// Two unit masses without weight on rails, x and z; the case says what acts on them and which output is what at the end.
typedef struct eventCase {
  const char *what;
  double x0, v0; // of x
  const char *forces, *more;
  const char *output;
  double want;
  double step;      // of engines whose steps are given
  double tolerance; // 0: 1e-6
  unsigned without; // engines that do not show it
} eventCase;

// x = (t - 0.5037)^2 - 5e-6, which is negative for 4.5 ms
#define TOUCH      0.25370869, -1.0074
#define PUSH       "  push: {type: joint-force, coordinate: x, value: 2}\n"
#define LAW(value) "  law: {type: joint-force, coordinate: z, value: \"= " value "\"}\n"

static const eventCase CASES[] = {
    {"relays of a wave", 0, 0, LAW("1[N]*step(sin(2*pi*10*time/1[s]) - 0.5)"), "", "z.rate",
     1 / 3.0, 0.01, 0, 0},
    {"two pulses in a step", 0, 0, LAW("100[N]*pulse(mod(time, 0.005[s]), 0, 0.0001[s])"), "",
     "z.rate", 2, 0.01, 0, 0},
    {"hysteresis of a wave", 0, 0, LAW("1[N]*hysteresis(sin(2*pi*10*time/1[s]), -0.5, 0.5)"), "",
     "z.rate", 0.5, 0.01, 0, 0},
    {"stairs", 0, 0, LAW("floor(4*time)"), "", "z.rate", 1.5, 0.01, 0, 0},
    {"events at one instant", -0.5, 1, LAW("sign(x.slide) + step(x.slide) + step(time - 0.5)"), "",
     "z.rate", 1, 0.01, 0, 0},
    {"a place that is passed in a step", 0, 1,
     LAW("1000*step(x.slide - 0.5)*step(0.501 - x.slide)"), "", "z.rate", 1, 0.01, 0, 0},
    {"a law that is touched in a step", TOUCH, PUSH LAW("if(x.slide < 0, 1000, 0)"), "", "z.rate",
     4.472135955, 0.01, 2e-3, 0},
    {"one after the other in a step", 0.257044, -1.014,
     PUSH LAW("if(x.slide < 0, 1000, 0) + if(x.slide + 0.0116*time - 0.00584281 < 0, 1000, 0)"), "",
     "z.rate", 5.472135955, 0.01, 2e-3, 0},
    {"a law on its border", 0.43, -1, LAW("5*sign(max(0, x.slide))"), "", "z.rate", 2.15, 0.01, 0,
     0},
    {"a border that is touched", 0.25, -1, PUSH LAW("5*sign(x.slide)"), "", "z.rate", 5, 0.01, 0,
     0},
    {"a motion that comes to rest", 0, 1,
     "  push: {type: joint-force, coordinate: x, value: \"= if(x.rate > 0, -2, 0)\"}\n" LAW(
         "5*sign(x.rate)"),
     "", "z.rate", 2.5, 0.01, 0, RESTS_BY_CHANCE},
    {"a stop that is touched in a step", TOUCH,
     PUSH "  stop: {type: joint-stop, coordinate: x, lower: 0, stiffness: 1e5}\n", "", "x.rate",
     0.99375898, 0.01, 3e-4, LONG_TRAPEZOIDS},
    {"bodies that hit each other", -0.5, 1,
     "  stop: {type: spring-damper, between: [a, b], stiffness: 0, stops: {lower: 0.05, "
     "stiffness: 1e4}}\n",
     "", "z.rate", 1, 1e-3, 1e-3, 0},
    {"a law that is touched in the first step", 8.69e-6, -0.0074,
     PUSH LAW("if(x.slide < 0, 1000, 0)"), "", "z.rate", 4.472135955, 0.01, 2e-3, 0},
    {"a law that is touched after an event in a step", TOUCH,
     PUSH LAW("if(x.slide < 0, 1000, 0) + 2*step(time - 0.5[s])"), "", "z.rate", 5.472135955, 0.01,
     2e-3, 0},
    {"points that pass each other in a step", -0.5034, 10,
     "  stop: {type: spring-damper, between: [a, b], stiffness: 0, stops: {lower: 0.001, "
     "stiffness: 1e8}}\n",
     "", "z.rate", 10, 1e-3, 1e-2, LONG_STEPS | PARABOLAS},
    {"a point that is passed in a step", -0.5034, 10, LAW("1"),
     "latches: {l: {type: lock, coordinate: z, engage: \"= 0.001[m] - sqrt(x.slide^2)\"}}\n",
     "z.rate", 0, 0.01, 0, PARABOLAS},
    {"a lock that time engages", 0, 1, LAW("1"),
     "latches: {l: {type: lock, coordinate: z, engage: \"= 1e-5[s] - abs(time - 0.4[s])\", "
     "release: \"= 1e-6[s] - abs(time - 0.7[s])\"}}\n",
     "z.rate", 1 - 0.699999, 0.01, 0, 0},
    {"a lock that a place engages", 0, 1, LAW("1"),
     "latches: {l: {type: lock, coordinate: z, engage: \"= x.slide - 0.25[m]\", release: \"= "
     "x.slide - 0.75[m]\"}}\n",
     "z.rate", 0.25, 0.01, 0, 0},
    {"a lock that is touched in a step", TOUCH, PUSH LAW("1"),
     "latches: {l: {type: lock, coordinate: z, engage: = -x.slide}}\n", "z.rate", 0, 0.01, 0, 0},
    {"a state that comes to its limit", 0, 0, LAW("if(c >= 0.1, 5, 2)"),
     "blocks: {c: {type: integrator, input: 1, limits: [0, 0.1]}}\n", "z.rate", 4.7, 0.01, 0, 0},
    {"a sampler", 0.43, -1, LAW("5*sign(c)"),
     "blocks: {c: {type: formula, value: \"= max(0, x.slide)\", every: 0.1}}\n", "z.rate", 2.5,
     0.01, 0, 0},
    {"a drive whose rate jumps", 0, 0,
     "  push: {type: joint-force, coordinate: x, value: \"= 1[N*s/m]*z.rate\"}\n",
     "drives: {d: {coordinate: z, value: \"= 1[m/s]*max(0, time - 0.3[s])\"}}\n", "x.rate", 0.7,
     0.01, 0, 0},
};
enum { COUNT = sizeof CASES / sizeof *CASES };


static artModel *model_of(const eventCase *c)
{
  return keep_text_of(
      "articula: 1\n"
      "title: plant\n"
      "gravity: [0, 0, 0]\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n"
      "  x: {type: prismatic, axis: x, from: ground, to: a}\n"
      "  z: {type: prismatic, axis: x, from: ground, to: b}\n"
      "forces:\n%s"
      "initial: {x: {slide: %.17g, rate: %.17g}}\n"
      "outputs: [%s]\n%s",
      c->forces, c->x0, c->v0, c->output, c->more);
}


//---- the engines ---------------------------------------------------------------------------------

static double by_run(const artModel *m, const eventCase *c, engine e)
{
  static const artIntegrator INTEGRATORS[] = {ART_DOPRI5, ART_BDF, ART_ADAMS, ART_RK4};
  static const artMethod METHODS[] = {ART_MULTI_INDEX, ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  const int is_natural = e >= BY_MULTI_INDEX;
  artRunDef study = art_default_run();
  study.until = study.interval = SECONDS;
  study.tolerance = 1e-9;
  study.integrator = is_natural ? ART_DOPRI5 : INTEGRATORS[e];
  study.method = is_natural ? METHODS[e - BY_MULTI_INDEX] : ART_AUTOMATIC;
  study.step = e == BY_RK4 || e > BY_MULTI_INDEX ? c->step : 0;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  double y = NAN;
  if (!run || !CHECK_WORKS(art_run_to(run, SECONDS, &check_error))) return NAN;
  art_outputs(m, d, &y);
  return y;
}


static const char STEPS[] =
    "#include \"machine.c\"\n"
    "#include <stdio.h>\n#include <stdlib.h>\n"
    "int main(int n, char **word)\n{\n"
    "  static plant_machine m;\n"
    "  double y[plant_NY], h = n > 1 ? atof(word[1]) : 1, until = 1;\n"
    "  plant_start(&m);\n"
    "  plant_prepare(&m);\n"
    "  if (plant_begin(&m)) return 1;\n"
    "  while (m.t < until - 1e-9) {\n"
    "    if (plant_step(&m, m.t + h < until ? h : until - m.t)) return puts(m.failed), 1;\n"
    "  }\n"
    "  if (plant_outputs(&m, y)) return 1;\n"
    "  printf(\"%.17g\\n\", y[0]);\n"
    "  return 0;\n}\n";


// the last number that a program has written
static double last_number(void)
{
  FILE *file = folder_open(folder_own(), "out", "r");
  char line[400];
  double x = NAN;
  if (!CHECK(file)) return NAN;
  while (fgets(line, sizeof line, file)) {
    const char *comma = strrchr(line, ',');
    char *end;
    const char *from = comma ? comma + 1 : line;
    const double number = strtod(from, &end);
    if (end > from) x = number;
  }
  fclose(file);
  return x;
}


static double by_generated(const artModel *m, const eventCase *c, engine e)
{
  const int is_program = e == BY_SIMULATOR;
  const genOptions options = {0};
  const simulatorForm form = {.kind = is_program ? SIMULATOR_PROGRAM : SIMULATOR_MACHINE,
                              .name = is_program ? "simulator" : "plant"};
  artRunDef study = art_default_run();
  study.until = study.interval = SECONDS;
  if (!CHECK_WORKS(tongue_write_simulator(m, keep_settled_data(m), &study, &options, form,
                                          is_program ? "program.c" : "machine.c", &check_error))) {
    return NAN;
  }
  if (!is_program) folder_write(folder_path("program.c"), STEPS);
  if (!folder_run(folder_own(),
                  FOLDER_QUICK_CC " -std=c11 -ffp-contract=off program.c -lm -o program"))
    return NAN;
  const int is_done =
      is_program
          ? folder_run(folder_own(), "./program --method dopri5 --tolerance 1e-9 > out 2> note")
          : folder_run(folder_own(), "./program %.17g > out", c->step);
  return is_done ? last_number() : NAN;
}


// whether the engine shows what the case wants
static int check_case(const eventCase *c, const artModel *m, engine e)
{
  const double got = e < BY_SIMULATOR ? by_run(m, c, e) : by_generated(m, c, e);
  if (fabs(got - c->want) <= (c->tolerance > 0 ? c->tolerance : 1e-6)) return 1;
  printf("  %s by %s: %.9g, want %.9g %s\n", c->what, ENGINE_NAMES[e], got, c->want,
         check_error.text);
  return 0;
}


TEST(every_event_is_seen_by_every_engine)
{
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) {
    const artModel *m = model_of(&CASES[i]);
    for (engine e = 0; e < ENGINES && m; e++) {
      if (!(CASES[i].without & BIT(e))) wrong += !check_case(&CASES[i], m, e);
    }
    check_free_kept();
  }
  CHECK_EQ_INT(wrong, 0);
}
