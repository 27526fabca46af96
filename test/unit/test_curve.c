// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Curves that formulas call: in forces, drives and outputs, by all methods and generated code, with
// events where straight pieces meet; and what is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "data/work.h"
#include "method/method.h"
#include "support/check.h"
#include "support/controls.h"
#include "support/keep.h"

static uint64_t seed = 5;

#define MACHINE                                                                                    \
  "articula: 1\n"                                                                                  \
  "curves:\n"                                                                                      \
  "  hill: {table: [[-1, 2], [0, 0], [1 m, 1 m], [3, 5]]}\n"                                       \
  "  grip: {piecewise: [[-0.4, -3], [0, 0], [0.5, 10], [0.8, 12]]}\n"                              \
  "  ride: {table: [[0, 0], [0.5, 0.2], [1, -0.1], [2, 0.3]]}\n"                                   \
  "bodies:\n"                                                                                      \
  "  cart: {mass: 2, inertia: [0.1, 0.1, 0.1]}\n"                                                  \
  "  arm: {mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05]}\n"                              \
  "  table: {mass: 5, inertia: [0.3, 0.3, 0.3]}\n"                                                 \
  "joints:\n"                                                                                      \
  "  lift: {type: prismatic, axis: z, from: ground, to: table}\n"                                  \
  "  rail: {type: prismatic, axis: x, from: table, to: cart}\n"                                    \
  "  pin: {type: revolute, axis: y, from: cart, to: arm}\n"                                        \
  "forces:\n"                                                                                      \
  "  push: {type: joint-force, coordinate: rail,\n"                                                \
  "         value: \"= 3[N/m]*hill(rail.slide) - grip(rail.rate)\"}\n"                             \
  "  turn: {type: torque, body: arm, value: [0, = -grip(2*pin.angle), 0]}\n"                       \
  "drives:\n"                                                                                      \
  "  quake: {coordinate: lift, value: = ride(time)}\n"                                             \
  "outputs:\n"                                                                                     \
  "  height: = hill(cart.x)\n"                                                                     \
  "  sway: = ride(time)\n"                                                                         \
  "initial: {rail: {slide: -0.3, rate: 1}, pin: {angle: 0.7, rate: -1}}\n"


TEST(forces_and_drives_follow_the_curve)
{
  artModel *m = keep_text(MACHINE);
  artData *d = keep_fresh_data(m);
  if (d) {
    d->time = 0.5;
    art_update(m, d);
    CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);

    // the natural spline through the points of `ride`: f'' at 0.5 and 1 from the two equations
    // 2 f1 (h0 + h1) + f2 h1 = 6 (d1 - d0),  f1 h1 + 2 f2 (h1 + h2) = 6 (d2 - d1)
    const double d0 = 0.4, d1 = -0.6, d2 = 0.4;
    const double r1 = 6 * (d1 - d0), r2 = 6 * (d2 - d1), det = 2.0 * 3.0 - 0.5 * 0.5;
    const double f1 = (r1 * 3.0 - r2 * 0.5) / det;
    const int lift = art_find_velocity(m, "lift.rate"), q = art_find_position(m, "lift.slide");
    const double want[3] = {0.2, d0 + 0.5 * (2 * f1) / 6, f1};
    const double got[3] = {d->q[q], d->v[lift], d->a[lift]};
    CHECK_NEAR(got, want, 3, 1e-13);

    // straight lines: at the rate 1 the last one, 10 + (12 - 10)/0.3 * (1 - 0.5)
    const int rail = art_find_velocity(m, "rail.rate");
    double outputs[2];
    art_outputs(m, d, outputs);
    const double force = 3 * outputs[0] - (10 + 2 / 0.3 * 0.5);
    CHECK_CLOSE(d->force[rail], force, 1e-13);
    CHECK_CLOSE(outputs[1], want[0], 1e-14);
    CHECK_TEXT(art_output_unit(m, 0), "m");
  }
}


TEST(all_methods_and_generated_code_agree)
{
  artModel *m = keep_text(MACHINE);
  if (m) control_compare_methods(m, 12, &seed);
}


TEST(the_balance_of_energy_closes_over_the_corners)
{
  static const int methods[] = {ART_AUTOMATIC, MODEL_GENERATED};
  artModel *m = keep_text(MACHINE);
  for (int i = 0; m && i < 2; i++) {
    double outputs[2];
    CHECK_CLOSE(control_run_balance(m, methods[i], 2, 1e-10, outputs), 0, 1e-6);
  }
}


// corners are events: no step goes over one
TEST(corners_are_events)
{
  artModel *m = keep_text(MACHINE);
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  artRunDef study = art_default_run();
  study.until = 2;
  if (d && CHECK_EQ_INT(art_create_run(&run, m, d, &study, NULL), ART_OK)) {
    CHECK_EQ_INT(art_run_to(run, 2, NULL), ART_OK);
    CHECK(art_certify(run).events > 3);
  }
  art_free_run(run);
}


//---- tables of two dimensions --------------------------------------------------------------------

#define TWO_WAYS                                                                                   \
  "articula: 1\n"                                                                                  \
  "curves:\n"                                                                                      \
  "  engine: {table: {x: [0, 1 m, 2, 3], y: [-1, 0, 1, 2 rad], values: [[0, 1, 3, 2 N],"           \
  " [1, 2, 0, 1], [3, -1, 2, 0], [0, 2, 1, 4]]}}\n"                                                \
  "  grip: {piecewise: {x: [-0.4, 0, 0.5], y: [0, 0.3, 0.6, 2], values: [[0, 1, 3, 2], [1, 2, 0,"  \
  " 1], [3, -1, 2, 0]]}}\n"                                                                        \
  "bodies:\n"                                                                                      \
  "  cart: {mass: 2, inertia: [0.1, 0.1, 0.1]}\n"                                                  \
  "  arm: {mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05]}\n"                              \
  "joints:\n"                                                                                      \
  "  rail: {type: prismatic, axis: x, from: ground, to: cart}\n"                                   \
  "  pin: {type: revolute, axis: y, from: cart, to: arm}\n"                                        \
  "forces:\n"                                                                                      \
  "  push: {type: joint-force, coordinate: rail,\n"                                                \
  "         value: \"= engine(rail.slide, pin.angle) - 3*grip(rail.rate, pin.angle)\"}\n"          \
  "outputs: {engine: \"= engine(cart.x, pin.angle)\", grip: \"= grip(cart.vx, 0.5)\"}\n"           \
  "initial: {rail: {slide: -0.3, rate: 1}, pin: {angle: 0.7, rate: -1}}\n"


TEST(tables_of_two_dimensions_serve_all_methods_and_generated_code)
{
  artModel *m = keep_text(TWO_WAYS);
  if (m) control_compare_methods(m, 12, &seed);
  for (int i = 0; m && i < 2; i++) {
    double outputs[2];
    const int method = i ? MODEL_GENERATED : ART_AUTOMATIC;
    CHECK_CLOSE(control_run_balance(m, method, 2, 1e-12, outputs), 0, 1e-6);
  }
  if (m) CHECK_TEXT(art_output_unit(m, 0), "N");
}


// sin x cos y on [0, pi] x [-pi/2, pi/2], where the second derivatives vanish at the edges: the error of natural splines
// falls as h^4, and values at the points are kept
TEST(smooth_tables_converge_with_the_fourth_power)
{
  static const double PI = 3.14159265358979323846;
  double error[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    enum { MOST = 17 };
    const int n = k ? 17 : 9;
    double x[MOST], y[MOST], f[MOST * MOST];
    for (int i = 0; i < n; i++) x[i] = PI * i / (n - 1), y[i] = x[i] - PI / 2;
    for (int i = 0; i < n * n; i++) f[i] = sin(x[i / n]) * cos(y[i % n]);
    artBuilder *b = keep_builder(art_create_builder());
    artMapDef def = {.name = "wave", .nx = n, .ny = n, .x = x, .y = y, .f = f};
    art_add_map(b, &def);
    art_add_output(b, "inside", "wave(time, time/3 - 1[s])");
    art_add_output(b, "point", "wave(pi/2, 0)");
    art_add_output(b, "beyond", "wave(-0.1, 0)");
    artModel *m = NULL;
    CHECK_EQ_INT(art_compile_model(&m, b, NULL), ART_OK);
    artData *d = keep_fresh_data(keep_model(m));
    for (int i = 1; i < 100 && d; i++) {
      double out[3];
      d->time = PI * i / 100;
      art_update(m, d);
      art_outputs(m, d, out);
      error[k] = check_larger(error[k], fabs(out[0] - sin(d->time) * cos(d->time / 3 - 1)));
      CHECK_CLOSE(out[1], 1, 1e-14);
      CHECK_CLOSE(out[2], -0.1, 2e-4);
    }
  }
  CHECK(error[0] < 3e-4 && error[0] / error[1] > 14 && error[0] / error[1] < 18);
}


TEST(mistakes_are_told_where_they_stand)
{
  static const struct {
    const char *curves, *output, *message;
  } cases[] = {
      {"path: {table: [[0, 0], [1, 1]]}", "= pth(time)",
       "t.yaml:4:17: unknown function 'pth' (did you mean 'path'?)"},
      {"path: {table: [[0, 0], [1, 1]]}", "= path(time, 2)", "more arguments than in path(x)"},
      {"path: {table: [[0 m, 0], [1, 1]]}", "= path(time)",
       "curve 'path' takes 'time' (a time in s), expected a length in m"},
      {"path: {table: [[0 m, 0], [1 s, 1]]}", "time", "found a time in s, expected a length in m"},
      {"path: {table: [[0, 0]]}", "time", "expected at least two rows [x, y]"},
      {"path: {table: [[1, 0], [1, 2]]}", "time", "must increase, but 1 follows 1"},
      {"path: {spline: [[1, 0], [2, 2]]}", "time",
       "expected a mapping with 'table' or 'piecewise'"},
      {"sin: {table: [[1, 0], [2, 2]]}", "time",
       "curve name 'sin' is taken by the function sin(x); choose another one"},
      {"path: {table: {x: [0, 1], y: [0, 1]}}", "time",
       "t.yaml:3:17: a table of two dimensions has the keys 'x', 'y' and 'values'"},
      {"path: {table: {x: [0, 1, 1], y: [0, 1], values: [[0, 1], [1, 1], [0, 0]]}}", "time",
       "t.yaml:3:28: 1 comes after 1, expected increasing numbers"},
      {"path: {table: {x: [0, 1], y: [0, 1], values: [[0, 1]]}}", "time",
       "expected a list of 2 rows, one for each x"},
      {"path: {table: {x: [0, 1], y: [0, 1], values: [[0, 1], [1]]}}", "time",
       "expected a list of 2 values, one for each y"},
      {"path: {table: {x: [0], y: [0, 1], values: [[0, 1]]}}", "time",
       "expected a list of two or more numbers"},
      {"path: {table: {x: [0, 1 m], y: [0, 1], values: [[0, 1], [1, 0]]}}", "= path(time, 1)",
       "curve 'path' takes 'time' (a time in s), expected a length in m"},
      {"path: {table: {x: [0, 1], y: [0, 1], values: [[0, 1], [1, 0]]}}", "= path(time)",
       "found 1 argument, expected path(x, y)"},
      {"path: {table: {x: [0, 1], y: [0, 1], values: [[0, 1 m], [1 s, 0]]}}", "time",
       "found a time in s, expected a length in m"},
      {"my-path: {table: [[1, 0], [2, 2]]}", "time", "cannot be the name of a curve"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    artModel *m = NULL;
    snprintf(text, sizeof text, "articula: 1\ncurves:\n  %s\noutputs: {a: \"%s\"}\n",
             cases[i].curves, cases[i].output);
    CHECK_FAILS(art_read_model(&m, text, strlen(text), "t.yaml", &check_error), ART_BAD_INPUT,
                cases[i].message);
    art_free_model(m);
  }
}


TEST(numbers_that_are_read_at_once_know_no_curves)
{
  static const char text[] = "articula: 1\ncurves: {centre_line: {table: [[0, 0], [1, 1]]}}\n"
                             "parameters: {a: = centre_line(2)}\n";
  artModel *m = NULL;
  CHECK_FAILS(art_read_model(&m, text, strlen(text), "t.yaml", &check_error), ART_BAD_INPUT,
              "unknown function 'centre_line'; curves are known in formulas of time only");
  art_free_model(m);
}
