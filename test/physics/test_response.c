// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Frequency responses against the closed form of the quarter car, and against runs over a sine road.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"

static const double PI = 3.14159265358979323846;
static const double ms = 400, mu = 40, ks = 2e4, cs = 1500, kt = 2e5, ct = 300;

#define QUARTER_CAR(road, drive, study)                                                            \
  "articula: 1\n" road "tyres:\n"                                                                  \
  "  round: {type: radial, radius: 0.3, stiffness: 2e5, damping: 300, load: 4000}\n"               \
  "bodies:\n"                                                                                      \
  "  sledge: {mass: 1, inertia: [1, 1, 1]}\n"                                                      \
  "  body: {mass: 400, inertia: [1, 1, 1]}\n"                                                      \
  "  wheel: {mass: 40, inertia: [1, 1, 1]}\n"                                                      \
  "joints:\n"                                                                                      \
  "  along: {type: prismatic, axis: x, from: ground, to: sledge}\n"                                \
  "  up: {type: prismatic, axis: z, from: sledge, to: body, at: [0, 0, 0.8]}\n"                    \
  "  stroke: {type: prismatic, axis: z, from: body, to: wheel, at: [0, 0, 0.3]}\n"                 \
  "forces:\n"                                                                                      \
  "  spring: {type: joint-spring, coordinate: stroke, stiffness: 2e4, damping: 1500, rest: "       \
  "-0.1}\n"                                                                                        \
  "  tyre: {type: tyre, wheel: wheel, tyre: round" drive "outputs: {z: body.z, stroke: "           \
  "stroke.slide, fz: tyre.fz, az: body.az, contact: tyre.z}\n" study

#define FLAT  "}\ndrives: {go: {coordinate: along, value: = 10*time}}\n"
#define STUDY "study: {type: response, from: 0.2 Hz, to: 40 Hz, count: 60}\n"


// at the equilibrium
static artTable *response_of(const artModel *m, const artResponseDef *study)
{
  artTable *table = NULL;
  artEquilibrium rest;
  artData *d = keep_fresh_data(m);
  CHECK_WORKS(art_find_equilibrium(m, d, &rest, &check_error));
  CHECK_WORKS(art_find_response(m, d, study, &table, NULL, &check_error));
  return keep_table(table);
}


static double complex at(const artTable *t, long row, const char *output)
{
  char name[100];
  snprintf(name, sizeof name, "%s.magnitude", output);
  for (int c = 0; c < t->columns; c++) {
    const double *value = t->value + row * t->columns + c;
    if (strcmp(t->name[c], name) == 0) return value[0] * cexp(I * value[1]);
  }
  CHECK(0);
  return NAN;
}


static void check_complex(double complex got, double complex want, double tolerance)
{
  CHECK_CLOSE(cabs(got - want) / cabs(want), 0, tolerance);
}


//---- the quarter car -----------------------------------------------------------------------------

// ms zs'' = -S (zs - zu),  mu zu'' = S (zs - zu) + T (zr - zu),  S = ks + j w cs,  T = kt + j w ct
static void quarter_car(double omega, double complex *zs, double complex *zu)
{
  const double complex S = ks + I * omega * cs, T = kt + I * omega * ct;
  const double complex a = S - ms * omega * omega, b = S + T - mu * omega * omega;
  const double complex determinant = a * b - S * S;
  *zs = S * T / determinant;
  *zu = a * T / determinant;
}


TEST(a_quarter_car_answers_as_two_masses_do)
{
  artModel *m = keep_text(QUARTER_CAR("", FLAT, STUDY));
  artTable *t = response_of(m, &art_find_study(m, ART_RESPONSE, NULL)->response);
  CHECK_EQ_INT(t->rows, 60);
  CHECK_TEXT(t->name[0], "frequency");
  CHECK_TEXT(t->unit[1], "1");
  CHECK_TEXT(t->unit[5], "N/m");
  CHECK_TEXT(t->unit[7], "(m/s^2)/m");
  CHECK_CLOSE(t->value[0], 0.2, 1e-15);
  CHECK_CLOSE(t->value[59 * t->columns], 40, 1e-12);
  for (long r = 0; r < t->rows; r++) {
    const double omega = 2 * PI * t->value[r * t->columns];
    double complex zs, zu;
    quarter_car(omega, &zs, &zu);
    check_complex(at(t, r, "z"), zs, 1e-8);
    check_complex(at(t, r, "stroke"), zu - zs, 1e-8);
    check_complex(at(t, r, "fz"), (kt + I * omega * ct) * (1 - zu), 1e-8);
    check_complex(at(t, r, "az"), -omega * omega * zs, 1e-8);
    check_complex(at(t, r, "contact"), 1, 1e-8);
  }
}


TEST(delays_and_factors_turn_and_stretch)
{
  artModel *m = keep_text(QUARTER_CAR("", FLAT, STUDY));
  static const char *const tyres[] = {"tyre"};
  artResponseDef study = art_find_study(m, ART_RESPONSE, NULL)->response;
  artTable *plain = response_of(m, &study);
  study.tyres = (artNames){1, tyres};
  study.factors = (artNumbers){1, (double[]){-0.5}};
  study.delays = (artNumbers){1, (double[]){0.03}};
  artTable *late = response_of(m, &study);
  for (long r = 0; r < plain->rows; r += 7) {
    const double omega = 2 * PI * plain->value[r * plain->columns];
    check_complex(at(late, r, "fz"), -0.5 * cexp(-I * omega * 0.03) * at(plain, r, "fz"), 1e-12);
  }
}


//---- against motion in time ----------------------------------------------------------------------

// a wave of 4 m under 10 m/s: 2.5 Hz; its amplitude is small, so that the machine is linear
enum { SAMPLES = 40, OUTPUTS = 5 };
static const double amplitude = 1e-4, speed = 10, length = 4;


// Fourier's coefficients of the outputs over a period, after the motion has settled
static void find_answers(const artModel *m, artData *d, double complex answer[OUTPUTS])
{
  artRunDef study = art_default_run();
  double values[OUTPUTS];
  const double period = length / speed;
  study.tolerance = 1e-11;
  study.until = 45 * period;
  artRun *run = keep_started_run(m, d, &study);
  for (int i = 0; i < SAMPLES; i++) {
    const double time = period * (40 + (double) i / SAMPLES);
    CHECK(art_run_to(run, time, NULL) == ART_OK);
    art_outputs(m, d, values);
    for (int k = 0; k < OUTPUTS; k++) {
      answer[k] += 2.0 / SAMPLES * values[k] * cexp(-2 * PI * I * time / period);
    }
  }
}


TEST(a_run_over_a_sine_road_settles_to_the_response)
{
  artModel *flat = keep_text(
      QUARTER_CAR("", FLAT, "study: {type: response, from: 2.5 Hz, to: 5 Hz, count: 2}\n"));
  artModel *wavy = keep_text(
      QUARTER_CAR("roads: {wave: {type: sine, amplitude: 1e-4, wavelength: 4}}\n",
                  ", road: wave}\ndrives: {go: {coordinate: along, value: = 10*time}}\n", ""));
  artTable *t = response_of(flat, &art_find_study(flat, ART_RESPONSE, NULL)->response);
  static const char *const outputs[] = {"z", "stroke", "fz", "az", "contact"};
  artData *d = keep_fresh_data(wavy);
  artEquilibrium rest;
  double complex answer[OUTPUTS] = {0};
  CHECK(art_find_equilibrium(wavy, d, &rest, NULL) == ART_OK);
  find_answers(wavy, d, answer);
  for (int k = 0; k < OUTPUTS; k++) {
    // the road is sin of time, -j e^(j w t)
    check_complex(answer[k] / (-I * amplitude), at(t, 0, outputs[k]), 1e-7);
  }
}


//---- two wheels ----------------------------------------------------------------------------------

#define BEAM(study)                                                                                \
  "articula: 1\n"                                                                                  \
  "tyres: {round: {type: radial, radius: 0.3, stiffness: 2e5, damping: 300, load: 4000}}\n"        \
  "bodies: {beam: {mass: 800, inertia: [100, 900, 900], position: [0, 0, 0.3], "                   \
  "points: {front: [1.2, 0, 0], rear: [-1.4, 0, 0]}}}\n"                                           \
  "joints: {plane: {type: planar, axis: y, from: ground, to: beam, at: [0, 0, 0.3]}}\n"            \
  "forces:\n"                                                                                      \
  "  front: {type: tyre, wheel: beam.front, tyre: round}\n"                                        \
  "  rear: {type: tyre, wheel: beam.rear, tyre: round}\n"                                          \
  "  hold: {type: joint-spring, coordinate: plane.y, stiffness: 1e4}\n"                            \
  "outputs: {z: beam.z, front: front.fz}\n"                                                        \
  "study: {type: response, count: 20" study "}\n"


static artTable *beam(const char *text)
{
  artModel *m = keep_text(text);
  return response_of(m, &art_find_study(m, ART_RESPONSE, NULL)->response);
}


TEST(rear_wheels_follow_front_ones)
{
  artTable *front = beam(BEAM(", tyres: [front]")), *rear = beam(BEAM(", tyres: [rear]"));
  artTable *both = beam(BEAM(", tyres: [front, rear], factors: [1, 0.8], delays: [0, 0.13 s]"));
  for (long r = 0; r < both->rows; r++) {
    const double omega = 2 * PI * both->value[r * both->columns];
    const double complex late = 0.8 * cexp(-I * omega * 0.13);
    check_complex(at(both, r, "z"), at(front, r, "z") + late * at(rear, r, "z"), 1e-10);
    check_complex(at(both, r, "front"), at(front, r, "front") + late * at(rear, r, "front"), 1e-10);
  }

  // slowly the beam is carried as a lever: its middle rises by the other wheel's share of the base
  const double share = 1.4 / 2.6, got = cabs(at(front, 0, "z"));
  CHECK_CLOSE(got, share, 2e-3);
}


// factors and delays belong to all tyres, in the order of the file, when none is named
TEST(factors_without_names_are_those_of_all_tyres)
{
  artTable *named = beam(BEAM(", tyres: [front, rear], factors: [0.5, 2], delays: [0, 1 s]"));
  artTable *all = beam(BEAM(", factors: [0.5, 2], delays: [0, 1 s]"));
  CHECK_NEAR(all->value, named->value, (int) all->rows * all->columns, 0);
}


//---- peaks ---------------------------------------------------------------------------------------

static double dynamic_magnitude(double f)
{
  double complex zs, zu;
  quarter_car(2 * PI * f, &zs, &zu);
  return cabs(zs);
}


// the highest of |zs| by brute force, from 0.2 to 40 Hz
static double top_of_the_body(double *at)
{
  double most = 0;
  for (double step = 1e-3, from = 0.2, to = 40; step > 1e-8; step /= 100) {
    for (double f = from; f < to; f += step) {
      const double y = dynamic_magnitude(f);
      if (y > most) most = y, *at = f;
    }
    from = *at - step, to = *at + step;
  }
  return most;
}


// a grid of two frequencies shows no peak at all, and of any number the same peaks come out
TEST(peaks_follow_the_poles_not_the_grid)
{
  double where = 0;
  const double height = top_of_the_body(&where);
  artModel *m = keep_text(QUARTER_CAR("", FLAT, STUDY));
  static const int counts[] = {2, 5, 60, 1000};
  for (int i = 0; i < 4; i++) {
    artResponseDef study = art_find_study(m, ART_RESPONSE, NULL)->response;
    artData *d = keep_fresh_data(m);
    artTable *t = NULL, *peaks = NULL;
    study.count = counts[i];
    CHECK_WORKS(art_find_response(m, d, &study, &t, &peaks, &check_error));
    keep_table(t), keep_table(peaks);
    if (CHECK(peaks->rows > 0 && peaks->value[0] == 0)) {
      CHECK_CLOSE_REL(peaks->value[1], where, 1e-6);
      CHECK_CLOSE_REL(peaks->value[2], height, 1e-8);
    }
  }
}


//---- mistakes ------------------------------------------------------------------------------------

static void check_refused(const char *text, const char *message)
{
  artModel *m = NULL;
  CHECK_FAILS(art_read_model(&m, text, strlen(text), "test.yaml", &check_error), ART_BAD_INPUT,
              message);
  art_free_model(m);
}


TEST(studies_that_make_no_sense_are_refused)
{
  check_refused(BEAM(", tyres: [frond]"), "'frond', which is not a tyre (did you mean 'front'?)");
  check_refused(BEAM(", tyres: [front, rear], factors: [1]"),
                "found 1 factors, expected one for each of the 2 tyres that are named");
  check_refused(BEAM(", delays: [0, 1 s, 2 s]"),
                "found 3 delays, expected one for each of the 2 tyres of the machine");
  check_refused(BEAM(", from: 3 Hz, to: 2 Hz"), "from 3 Hz to 2 Hz");
  check_refused(BEAM(", from: 0"), "a positive number is wanted");
}


TEST(a_machine_without_tyres_has_no_response)
{
  artModel *m = keep_text("articula: 1\nbodies: {b: {mass: 1}}\n"
                          "joints: {j: {type: prismatic, axis: z, from: ground, to: b}}\n");
  artData *d = keep_fresh_data(m);
  artTable *t = NULL;
  const artResponseDef study = art_default_response();
  CHECK_FAILS(art_find_response(m, d, &study, &t, NULL, &check_error), ART_BAD_INPUT,
              "has no tyres");
  CHECK(t == NULL);
}


//---- states with formulas ------------------------------------------------------------------------

// a lag on the acceleration, and one on the height that a force feels:
//   felt = az/(1 + j w tau),  m (j w)^2 z = T (1 - z) - 3000 z/(1 + j w tau)
TEST(states_stand_in_the_response)
{
  artModel *m =
      keep_text("articula: 1\ntyres:\n"
                "  round: {type: radial, radius: 0.3, stiffness: 2e5, damping: 300, load: 4000}\n"
                "bodies:\n"
                "  sledge: {mass: 1, inertia: [1, 1, 1]}\n"
                "  body: {mass: 400, inertia: [1, 1, 1]}\n"
                "joints:\n"
                "  along: {type: prismatic, axis: x, from: ground, to: sledge}\n"
                "  up: {type: prismatic, axis: z, from: sledge, to: body, at: [0, 0, 0.3]}\n"
                "drives: {go: {coordinate: along, value: = 10*time}}\n"
                "states:\n"
                "  felt: {rate: = (body.az - felt)/0.02}\n"
                "  slow: {rate: = (up.slide - slow)/0.02}\n"
                "forces:\n"
                "  tyre: {type: tyre, wheel: body, tyre: round}\n"
                "  hold: {type: joint-force, coordinate: up, value: = -3000*slow}\n"
                "outputs: {z: body.z, az: body.az, felt: felt}\n"
                "study: {type: response, from: 0.5 Hz, to: 20 Hz, count: 12}\n");
  artTable *t = response_of(m, &art_find_study(m, ART_RESPONSE, NULL)->response);
  for (long i = 0; i < t->rows; i++) {
    const double omega = 2 * PI * t->value[i * t->columns];
    const double complex T = kt + I * omega * ct, lag = 1 / (1 + I * omega * 0.02);
    const double complex z = T / (T + 3000 * lag - 400 * omega * omega);
    check_complex(at(t, i, "z"), z, 1e-6);
    check_complex(at(t, i, "felt"), -omega * omega * z * lag, 1e-6);
  }
}
